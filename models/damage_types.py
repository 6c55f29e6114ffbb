"""The values of dealing damage: sources, recipients, events, and what became of a recipient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CREATURE, PLAYER, PLANESWALKER, BATTLE = "creature", "player", "planeswalker", "battle"
NONE: frozenset[str] = frozenset()
SHRINKING = frozenset({"wither", "infect"})
"""Keywords of a source whose damage to creatures is counters that shrink them (120.3d)."""


@dataclass(frozen=True, slots=True)
class Source:
    """What deals damage, as it is when it does so.

    `keywords` are those it has now, in the zone it is in. If it is no longer in the zone it was expected in
    (`moved`), those it had when it last was there count instead: `last_known` (702.2e, 702.15c, 702.80b,
    702.90e).
    """

    name: str
    controller: str | None = None
    keywords: frozenset[str] = NONE
    colors: frozenset[str] = NONE
    kinds: frozenset[str] = frozenset({CREATURE})
    zone: str = "battlefield"
    moved: bool = False
    last_known: frozenset[str] = NONE
    multiplier: int = 1
    plus: int = 0
    unpreventable: bool = False

    def has(self, keyword: str) -> bool:
        """Whether it has the keyword as its damage is dealt; how many times it has it does not matter."""
        return keyword in (self.last_known if self.moved else self.keywords)

    @property
    def shrinks(self) -> bool:
        """Whether its damage to creatures is counters."""
        return any(self.has(word) for word in SHRINKING)

    @property
    def toxic(self) -> int:
        """Its total toxic value (702.164b)."""
        words = (word.split() for word in (self.last_known if self.moved else self.keywords))
        return sum(
            int(word[1]) for word in words if len(word) == 2 and word[0] == "toxic" and word[1].isdigit()
        )


@dataclass(frozen=True, slots=True)
class Recipient:
    """What damage is dealt to: a player, a creature, a planeswalker or a battle, or several of those at
    once."""

    name: str
    kinds: frozenset[str]
    controller: str | None = None
    power: int = 0
    toughness: int = 0
    marked: int = 0
    life: int = 20
    poison: int = 0
    loyalty: int = 0
    defense: int = 0
    indestructible: bool = False
    protection: frozenset[str] = NONE
    prevent_all: bool = False
    prevent_next: int = 0
    shield_counters: int = 0
    regeneration_shields: int = 0
    cannot_regenerate: bool = False
    lethal_by: Literal["toughness", "power"] = "toughness"
    zero_power_lethal: int = 1
    touched: bool = False
    """Dealt damage by a source with deathtouch since state-based actions were last checked (704.5h)."""

    @property
    def need(self) -> int:
        """The further damage that is lethal to a creature (120.6)."""
        if self.lethal_by == "power":
            return max(0, max(self.zero_power_lethal, self.power) - self.marked)
        return max(0, self.toughness - self.marked)


@dataclass(frozen=True, slots=True)
class DamageEvent:
    """An amount that a source would deal to a recipient; combat damage or not, from any zone."""

    source: Source
    amount: int
    combat: bool = True


@dataclass(frozen=True, slots=True)
class Received:
    """The recipient after the damage, before state-based actions.

    `dealt` is what each source dealt in the end, in the order of the events; `gained` the life that
    lifelink gives, by player; `counters` the -1/-1 counters and `poison` the poison counters put on it;
    `excess` the damage beyond what was lethal, beyond its loyalty or its defense (120.10).
    """

    after: Recipient
    dealt: tuple[int, ...] = ()
    gained: tuple[tuple[str, int], ...] = ()
    counters: int = 0
    poison: int = 0
    excess: int = 0
    idle: int = 0
    """The amounts of the events that dealt nothing."""

    @property
    def total(self) -> int:
        """All damage dealt to it."""
        return sum(self.dealt)


@dataclass(frozen=True, slots=True)
class Fate:
    """What state-based actions made of a recipient: the rules that acted, and how it is afterwards."""

    after: Recipient
    destroyed: bool = False
    leaves: bool = False
    """A permanent is put into the graveyard, a player has lost."""
    regenerated: int = 0
    rules: tuple[str, ...] = ()
