"""Scenarios and outcomes in words, game by game; a game without words of its own is shown by its keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lethal.cli.screen import Screen
from lethal.models.combat_types import Combat, Creature, Defender
from lethal.models.indirect_types import Character, Indirect
from lethal.scenario import Scenario


def describe(out: Screen, scenario: Scenario) -> None:
    """What the scenario is about: who assigns damage under which rules, and everyone concerned."""
    value = scenario.value
    if isinstance(value, Combat):
        _combat(out, value)
    elif isinstance(value, Indirect):
        _indirect(out, value)


def consequences(kind: str, outcome: Mapping[str, Any]) -> list[str]:
    """What happens, one line each."""
    words = {"combat": _combat_outcome, "indirect": _indirect_outcome}.get(kind, _keys)
    return list(words(outcome)) or ["nothing happens"]


# Magic --------------------------------------------------------------------------------------------


def _combat(out: Screen, combat: Combat) -> None:
    step = {
        "only": "the only damage step",
        "first-strike": "first-strike damage",
        "regular": "regular damage",
    }
    out.line(f"rules {combat.rules}, {step[combat.step]}, {combat.assigning} assign")
    out.line()
    blockers = {a.name: [b.name for b in combat.blockers if a.name in b.blocks] for a in combat.attackers}
    rows = [
        (one.name, *_creature(one), _attack(one, _ordered(combat, one.name, blockers[one.name])))
        for one in combat.attackers
    ]
    rows += [
        (one.name, *_creature(one), _block(_ordered(combat, one.name, one.blocks))) for one in combat.blockers
    ]
    out.table(["", "", "", ""], list(_gathered(rows)))
    out.table(["", ""], [[one.name, _defender(one)] for one in combat.defenders])


def _creature(one: Creature) -> list[str]:
    marked = f", {one.damage} marked" if one.damage else ""
    return [f"{one.power}/{one.toughness}{marked}", ", ".join(_traits(one))]


def _traits(one: Creature) -> Iterator[str]:
    yield from sorted(one.keywords)
    if one.indestructible and "indestructible" not in one.keywords:
        yield "indestructible"
    if one.protection_from:
        yield f"protection from {' and '.join(one.protection_from)}"
    if one.band is not None:
        yield f"in band {one.band}"
    if one.assigns != "power":
        yield "assigns damage equal to its toughness" if one.assigns == "toughness" else "assigns no damage"
    if one.lethal_by == "power":
        yield "lethal damage by its power"
    if one.as_though_unblocked:
        yield "may assign as though unblocked"
    if one.divides_freely:
        yield "may divide freely"
    if one.deals_multiplier != 1:
        yield f"deals {one.deals_multiplier} times its damage"
    if one.prevent_next:
        yield f"the next {one.prevent_next} damage is prevented"
    if one.shield_counters:
        yield f"shield counters: {one.shield_counters}"
    if one.regeneration_shields:
        yield f"regeneration shields: {one.regeneration_shields}"


def _ordered(combat: Combat, name: str, default: Sequence[str]) -> Sequence[str]:
    announced = combat.order.get(name)
    return default if announced is None or isinstance(announced, str) else announced


def _attack(one: Creature, blockers: Sequence[str]) -> str:
    attack = f"attacks {one.attacks}"
    if blockers:
        return f"{attack}, blocked by {_all(blockers)}"
    return f"{attack}, blocked, no blocker left" if one.blocked else attack


def _block(attackers: Sequence[str]) -> str:
    return f"blocks {_all(attackers)}" if attackers else "blocks nothing"


def _all(names: Sequence[str]) -> str:
    return ", ".join(name for name, *_ in _gathered([(name,) for name in names]))


def _gathered(rows: Iterable[tuple[str, ...]]) -> Iterator[list[str]]:
    """Rows that begin with a name; those of consecutive copies that say the same are one: `Goblin 1 to 4`."""
    runs: list[tuple[str, int, int, tuple[str, ...]]] = []
    for name, *rest in rows:
        bare, _, digits = name.rpartition(" ")
        number = int(digits) if bare and re.fullmatch("[1-9][0-9]{0,5}", digits) else 0
        if (
            runs
            and number
            and runs[-1][0] == bare
            and runs[-1][2] == number - 1
            and runs[-1][3] == tuple(rest)
        ):
            runs[-1] = (bare, runs[-1][1], number, tuple(rest))
        else:
            runs.append((bare if number else name, number, number, tuple(rest)))
    for name, first, last, rest_ in runs:
        numbers = "" if not first else f" {first}" if first == last else f" {first} to {last}"
        yield [name + numbers, *rest_]


def _defender(one: Defender) -> str:
    if one.kind == "planeswalker":
        return f"loyalty {one.loyalty}"
    return f"defense {one.defense}" if one.kind == "battle" else f"life {one.life}"


def _combat_outcome(outcome: Mapping[str, Any]) -> Iterator[str]:
    fates = [(name, "destroyed") for name in outcome["destroyed"]]
    fates += [(name, "leaves") for name in outcome["dies"] if name not in outcome["destroyed"]]
    fates += [(name, "regenerates") for name in outcome["regenerated"]]
    fates += [
        (name, f"survives with {marked} damage" if marked else "survives undamaged")
        for name, marked in outcome["survives"].items()
    ]
    yield from (f"{name}: {fate}" for name, fate in _gathered(fates))
    for name, amount in outcome["damage_to"].items():
        if amount:
            yield f"{name}: dealt {amount} damage"
    for name, amount in outcome["life_gained"].items():
        yield f"{name}: gains {amount} life"
    for name, amount in outcome["poison"].items():
        yield f"{name}: gets {amount} poison counter{'s' if amount != 1 else ''}"


# Marvel Champions ---------------------------------------------------------------------------------


def _indirect(out: Screen, value: Indirect) -> None:
    whom = {"player": f"to {value.to[0]}", "group": "to the group", "each-player": "to each player"}
    out.line(f"rules {value.rules}, {value.amount} indirect damage {whom[value.scope]}, {value.mode}")
    out.line()
    rows = [[player.name, *_character(one)] for player in value.players for one in player.characters]
    out.table(["", "", "", "", ""], rows)


def _character(one: Character) -> list[str]:
    left = (
        "infinite hit points" if one.remaining is None else f"{one.remaining} of {one.hit_points} hit points"
    )
    return [one.name, one.type, left, f"Tough {one.tough}" if one.tough else ""]


def _indirect_outcome(outcome: Mapping[str, Any]) -> Iterator[str]:
    fates = [(name, "defeated") for name in outcome.get("defeated", ())]
    fates += [(name, f"takes {amount} damage") for name, amount in outcome.get("taken", {}).items()]
    fates += [
        (name, f"loses {amount} Tough") for name, amount in outcome.get("tough_spent", {}).items() if amount
    ]
    yield from (f"{name}: {fate}" for name, fate in _gathered(fates))
    if outcome.get("ignored"):
        yield f"{outcome['ignored']} damage cannot be assigned and is ignored"
    told = {"defeated", "taken", "dealt", "tough_spent", "ignored"}
    yield from _keys({key: value for key, value in outcome.items() if key not in told})


def _keys(outcome: Mapping[str, Any]) -> Iterator[str]:
    for key, value in outcome.items():
        if value not in (None, False, 0, [], {}):
            yield f"{key.replace('_', ' ')}: {value}"
