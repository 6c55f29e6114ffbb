"""Indirect damage and what it does in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lethal.models.indirect_types import Character, Effect, Indirect
from lethal.models.words import Told, fates, gathered, outcome

MODES = {"effect": "", "enemy-attack": ", enemy attack", "cost": ", as a cost"}
TOLD = {
    "defeated",
    "taken",
    "dealt",
    "tough_spent",
    "ignored",
    "eliminated",
    "excess_dealt",
    "excess_taken",
    "spilled",
    "stored",
    "damage",
    "attacked",
    "paid",
}


def describe(value: Indirect) -> tuple[Told, ...]:
    """Whom the damage is dealt to, every character by player, and what else applies."""
    whom = {
        "player": f"to {value.to[0]}",
        "group": "to the players as a group",
        "each-player": "to each player",
    }
    head = f"rules {value.rules}, {value.amount} {value.source} {whom[value.scope]}{MODES[value.mode]}"
    rows = tuple((player.name, *_character(one)) for player in value.players for one in player.characters)
    more = tuple((line,) for line in _circumstances(value))
    return (head, "", rows, more) if more else (head, "", rows)


def _character(one: Character) -> tuple[str, str, str, str]:
    left = (
        "infinite hit points" if one.remaining is None else f"{one.remaining} of {one.hit_points} hit points"
    )
    traits = []
    if one.tough:
        traits.append("Tough" if one.tough == 1 else f"{one.tough} Tough cards")
    if one.reduce:
        traits.append(f"takes {one.reduce} less")
    if one.cannot_take_damage:
        immune = one.cannot_take_damage
        whose = "" if isinstance(immune, bool) else f" from {' or '.join(sorted(immune))}"
        traits.append(f"cannot take damage{whose}")
    return one.name, one.type, left, ", ".join(traits)


def _circumstances(value: Indirect) -> Iterator[str]:
    if value.attack is not None:
        against = f"an attack on {value.attack.player}"
        if value.attack.defender is not None:
            defence = f" with DEF {value.attack.defence}" if value.attack.defence else ""
            against += f", {value.attack.defender} defends{defence}"
        yield ", ".join((against, *sorted(value.attack.keywords)))
    for effect in value.effects:
        yield _effect(effect)


def _effect(effect: Effect) -> str:
    whose = "everyone" if effect.character is None else effect.character
    much = "all damage" if effect.amount is None else f"{effect.amount} damage"
    if effect.kind == "increase":
        what = {"dealt": "is dealt", "taken": "takes", "excess": "has excess of"}[effect.stage]
        return f"{whose} {what} {effect.amount} more"
    if effect.kind == "prevent":
        return f"{much} to {whose} is prevented"
    return f"{much} to {whose} goes to {effect.to}"


def consequences(told: Mapping[str, Any]) -> Iterator[str]:
    """What each character is dealt and takes in one line, then players and the rest."""
    if told.get("attacked"):
        yield f"{told['attacked']} is attacked"
    lines: dict[str, list[str]] = {}
    dealt, taken, spent = (told.get(key, {}) for key in ("dealt", "taken", "tough_spent"))
    names = list(dict.fromkeys((*dealt, *taken, *spent, *told.get("defeated", ()))))
    for name in names:
        lines[name] = list(_fate(told, name))
    yield from fates(names, lines)
    for name, n in told.get("spilled", {}).items():
        yield f"overkill passes {n} damage to {name}"
    for name, n in told.get("stored", {}).items():
        yield f"{name} stores {n} damage"
    yield from (f"{name} is eliminated" for (name,) in gathered([(p,) for p in told.get("eliminated", ())]))
    if told.get("ignored"):
        yield f"{told['ignored']} damage cannot be assigned and is ignored"
    if told.get("paid") is not None:
        yield "the cost is paid" if told["paid"] else "the cost is not paid"
    yield from outcome({key: value for key, value in told.items() if key not in TOLD})


def _fate(told: Mapping[str, Any], name: str) -> Iterator[str]:
    dealt, taken = told.get("dealt", {}).get(name, 0), told.get("taken", {}).get(name, 0)
    if taken:
        yield (
            f"is dealt {dealt} damage, takes {taken}" if dealt and dealt != taken else f"takes {taken} damage"
        )
    elif dealt:
        yield f"is dealt {dealt} damage, takes none"
    spent = told.get("tough_spent", {}).get(name)
    if spent:
        yield "loses a Tough card" if spent == 1 else f"loses {spent} Tough cards"
    beyond = told.get("excess_taken", {}).get(name) or 0
    if beyond:
        yield f"{beyond} beyond its hit points"
    if name in told.get("defeated", ()):
        yield "is defeated"
