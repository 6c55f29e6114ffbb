"""Magic's keyword abilities by name: those understood here, and those known to bear on no assignment."""

from __future__ import annotations

import re
from functools import lru_cache

FIRST_STRIKES = frozenset({"first strike", "double strike"})

_UNDERSTOOD = """
first strike, double strike, deathtouch, trample, trample over planeswalkers, banding, lifelink, wither,
infect, indestructible
"""

# They did their part before damage, are triggers, or matter outside combat.
_ELSEWHERE = """
flying, reach, vigilance, haste, defender, menace, hexproof, shroud, flash, fear, intimidate, shadow,
skulk, horsemanship, flanking, exalted, prowess, persist, undying, mentor, training, melee, battle cry,
decayed, changeling, convoke, cascade, storm, delve, evolve, riot, unleash, dethrone, extort, soulbond,
phasing, devoid, ingest, myriad, provoke, assist, ascend, enlist, demonstrate, daybound, nightbound,
compleated, living weapon, partner, improvise, split second, retrace, rebound, conspire, epic, exploit,
start your engines!, plainswalk, islandwalk, swampwalk, mountainwalk, forestwalk, landwalk, cycling,
kicker, morph, equip, enchant, crew, flashback
"""

# Words that a number, a cost or a quality follows.
_FOLLOWED = re.compile(
    r"(?:protection|hexproof) from .+|toxic [0-9]+|"
    r"(?:ward|poisonous|bushido|rampage|annihilator|afflict|absorb|affinity|amplify|bestow|bloodthirst|champion|crew|cycling|dash|devour|dredge|echo|embalm|entwine|equip|"
    r"enchant|escape|evoke|fabricate|fading|flashback|graft|kicker|madness|modular|morph|megamorph|disguise|"
    r"mutate|ninjutsu|outlast|partner|prototype|prowl|reconfigure|reinforce|renown|saddle|scavenge|soulshift|"
    r"suspend|tribute|unearth|vanishing|cumulative upkeep|level up)\b.*"
)


def _names(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()) for name in text.split(","))


KNOWN = _names(_UNDERSTOOD) | _names(_ELSEWHERE)


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """A keyword in the form it is compared in: lower case, single spaces."""
    return " ".join(word.casefold().split())


@lru_cache(maxsize=4096)
def is_known(word: str) -> bool:
    """Whether a folded word is a keyword known here, whatever number, cost or quality it comes with."""
    return word in KNOWN or _FOLLOWED.fullmatch(word) is not None
