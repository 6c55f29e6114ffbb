"""What damage does in random combats, against a reading of the rules that shares nothing with the model's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from effects import effective
from hypothesis import event, given, settings

import lethal
from lethal.models.combat_types import Combat, Creature

Hit = tuple[Creature, int]


def ways(hits: list[Hit], shield: int) -> Iterator[list[Hit]]:
    """Every way in which a shield against the next so much damage is used up (615.7)."""
    if not hits:
        yield []
        return
    (source, n), rest = hits[0], hits[1:]
    later = sum(m for _, m in rest)
    for prevented in range(max(0, min(shield, later + n) - later), min(shield, n) + 1):
        for way in ways(rest, shield - prevented):
            yield [(source, n - prevented), *way]


def unprotected(one: Creature, hits: list[Hit]) -> list[Hit]:
    """What protection does not prevent (702.16e)."""
    stopped = set(one.protection_from)
    return [(s, n) for s, n in hits if s.unpreventable or not {*s.colors, s.name} & stopped]


def fates(one: Creature, hits: list[Hit], triggers: bool) -> list[tuple[str, int | None, int]]:
    """What may become of a creature: its fate, the damage marked on it, and the life that lifelink gives."""
    hits = unprotected(one, hits)
    total = sum(n for _, n in hits)
    sure = [(s, n) for s, n in hits if s.unpreventable]
    counters = one.shield_counters
    if counters and (sure or total > one.prevent_next):
        hits, counters = sure, counters - 1
    found = []
    for way in ways([hit for hit in hits if hit not in sure], one.prevent_next):
        way = sure + way
        dealt = [(s, n * s.deals_multiplier) for s, n in way if n * s.deals_multiplier]
        shrink = sum(n for s, n in dealt if s.keywords & {"wither", "infect"})
        marked = one.damage + sum(n for s, n in dealt if not s.keywords & {"wither", "infect"})
        deadly = any("deathtouch" in s.keywords for s, _ in dealt)
        gained = sum(n for s, n in dealt if "lifelink" in s.keywords)
        found.append((*fate(one, marked, shrink, deadly, triggers, counters), gained))
    return found


def fate(
    one: Creature, marked: int, shrink: int, deadly: bool, triggers: bool, counters: int
) -> tuple[str, int | None]:
    """704.5f-h with regeneration; before July 2009 deathtouch destroys by an effect of its own (122.1c)."""
    toughness, power, shields = one.toughness - shrink, one.power - shrink, one.regeneration_shields
    if toughness <= 0:
        return "leaves", None
    need = max(1, power) if one.lethal_by == "power" else toughness
    lethal_damage = marked > 0 and marked >= need
    blows = [lethal_damage, deadly] if triggers else [lethal_damage or deadly]
    regenerated = False
    for by_effect, blow in enumerate(blows):
        if not blow or one.indestructible:
            continue
        if shields == 0:
            if by_effect and counters:
                continue
            return "destroyed", None
        shields, marked, regenerated = shields - 1, 0, True
    return ("regenerated" if regenerated else "survives"), marked


@settings(deadline=None, max_examples=600)
@given(effective())
def test_outcomes_are_what_the_rules_make_of_what_is_assigned(document: dict[str, Any]):
    scenario = lethal.load(document)
    combat: Combat = scenario.value
    mine, theirs = combat.attackers, combat.blockers
    if combat.assigning == "blockers":
        mine, theirs = theirs, mine
    sources = {c.name: c for c in mine}
    for assignment in islice(scenario.legal(), 30):
        told = scenario.outcome(assignment)
        hits: dict[str, list[Hit]] = {}
        for (source, recipient), n in zip(assignment.columns, assignment.row, strict=True):
            if n:
                hits.setdefault(recipient, []).append((sources[source], n))
        least = most = 0
        for one in theirs:
            if one.name not in hits:
                continue
            possible = fates(one, hits[one.name], combat.rules == "stack")
            shown = kind(told, one.name)
            event(shown[0])
            assert shown in [p[:2] for p in possible], (one, hits[one.name])
            least += min(p[2] for p in possible)
            most += max(p[2] for p in possible)
            if any(p[0] in ("survives", "regenerated") for p in possible):
                assert shown[0] in ("survives", "regenerated"), "the affected player chooses the best"
        for defender in combat.defenders:
            dealt = [
                (s, n * s.deals_multiplier) for s, n in hits.get(defender.name, []) if s.deals_multiplier
            ]
            total = sum(n for _, n in dealt)
            assert told["damage_to"][defender.name] == total
            gained = sum(n for s, n in dealt if "lifelink" in s.keywords)
            least, most = least + gained, most + gained
            left = defender.loyalty or defender.defense
            if left is not None:
                assert (defender.name in told["dies"]) is (total >= left)
                continue
            infected = sum(n for s, n in dealt if "infect" in s.keywords)
            toxic = sum(int(w[6:]) for s, _ in dealt for w in s.keywords if w.startswith("toxic"))
            assert told["poison"].get(defender.name, 0) == infected + toxic
        assert least <= sum(told["life_gained"].values()) <= most


def kind(told: dict[str, Any], name: str) -> tuple[str, int | None]:
    """What an outcome says of a creature."""
    if name in told["destroyed"]:
        return "destroyed", None
    if name in told["dies"]:
        return "leaves", None
    return "regenerated" if name in told["regenerated"] else "survives", told["survives"][name]
