"""Magic's combats and their outcomes in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lethal.models.combat_types import Combat, Creature, Defender
from lethal.models.words import Told, gathered

STEPS = {
    "only": "the only damage step",
    "first-strike": "first-strike damage",
    "regular": "regular damage",
}


def describe(combat: Combat) -> tuple[Told, ...]:
    """Attackers and blockers with all that bears on damage, then what is attacked."""
    blockers = {a.name: [b.name for b in combat.blockers if a.name in b.blocks] for a in combat.attackers}
    rows = [
        (one.name, *_creature(one), _attack(one, _ordered(combat, one.name, blockers[one.name])))
        for one in combat.attackers
    ]
    rows += [
        (one.name, *_creature(one), _block(_ordered(combat, one.name, one.blocks))) for one in combat.blockers
    ]
    head = f"rules {combat.rules}, {STEPS[combat.step]}, {combat.assigning} assign"
    return head, "", tuple(gathered(rows)), tuple((one.name, _defender(one)) for one in combat.defenders)


def _creature(one: Creature) -> tuple[str, str]:
    marked = f", {one.damage} marked" if one.damage else ""
    return f"{one.power}/{one.toughness}{marked}", ", ".join(_traits(one))


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
    if one.unpreventable:
        yield "its damage cannot be prevented"
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
    return ", ".join(name for name, *_ in gathered([(name,) for name in names]))


def _defender(one: Defender) -> str:
    if one.kind == "planeswalker":
        return f"loyalty {one.loyalty}"
    return f"defense {one.defense}" if one.kind == "battle" else f"life {one.life}"


def consequences(told: Mapping[str, Any]) -> Iterator[str]:
    """Creatures first, then what was attacked, one line each."""
    destroyed = told.get("destroyed", ())
    fates = [(name, "destroyed") for name in destroyed]
    fates += [(name, "leaves") for name in told.get("dies", ()) if name not in destroyed]
    fates += [(name, "regenerates") for name in told.get("regenerated", ())]
    fates += [(name, _survives(marked)) for name, marked in told.get("survives", {}).items()]
    yield from (f"{name}: {fate}" for name, fate in gathered(fates))
    for name, amount in told.get("damage_to", {}).items():
        if amount:
            yield f"{name}: dealt {amount} damage"
    for name, amount in told.get("life_gained", {}).items():
        yield f"{name}: gains {amount} life"
    for name, amount in told.get("poison", {}).items():
        yield f"{name}: gets {amount} poison counter{'s' if amount != 1 else ''}"


def _survives(marked: int | None) -> str:
    if marked is None:
        return "survives"
    return f"survives with {marked} damage" if marked else "survives undamaged"
