"""Both combat damage steps: who assigns in which, and what of a combat is left after one (510.4, 702.4,
702.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from msgspec.structs import replace as altered

from lethal.models.combat import ACTIVE, DEFENDING, blocks
from lethal.models.combat_outcome import Board, Dealt
from lethal.models.combat_types import NOTHING, Combat, Creature, Defender
from lethal.models.damage_types import PLAYER, Fate

StepName = Literal["only", "first-strike", "regular"]
STRIKES = frozenset({"first strike", "double strike"})


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to a creature between the two steps, after state-based actions."""

    gains: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    leaves: bool = False
    """It is removed from combat: a blocked attacker stays blocked (506.4, 509.1h)."""


def step_names(combat: Combat) -> tuple[StepName, ...]:
    """The steps from the combat's own on: two where it begins with first strike, else one."""
    return ("first-strike", "regular") if combat.step == "first-strike" else (combat.step,)


def assigners(combat: Combat) -> dict[str, str]:
    """Who divides each creature's damage: the other side's player where banding is about (702.22j-k)."""
    keywords = {c.name: c.keywords for c in (*combat.attackers, *combat.blockers)}
    held = blocks(combat)
    who = {c.name: ACTIVE for c in combat.attackers}
    for blocker, names in held.items():
        who[blocker] = ACTIVE if any("banding" in keywords[name] for name in names) else DEFENDING
        if "banding" in keywords[blocker]:
            who |= dict.fromkeys(names, DEFENDING)
    return who


def after_step(combat: Combat, dealt: Dealt, changes: Mapping[str, Change] | None = None) -> Combat | None:
    """The combat of the regular step, after what the first-strike step dealt; None if no step follows.

    Marked damage, counters, shields, life and loyalty are carried over. What died or regenerated is out of
    combat, its attackers stay blocked; what attacks something that is gone attacks nothing (506.4c).
    Nothing follows once every player who is attacked has lost. Raises ValueError for a change to a creature
    that is not there.
    """
    if combat.step != "first-strike":
        return None
    fates = dealt.fates
    lost = {name for name, fate in fates.items() if PLAYER in fate.after.kinds and fate.leaves}
    players = {d.name for d in combat.defenders if d.kind == "player"}
    if players and players <= lost:
        return None
    board = Board(combat)
    changes = changes or {}
    gone = {name for name, fate in fates.items() if fate.leaves} | {
        name for name, found in board.recipients.items() if found.controller in lost and name not in players
    }
    out = gone | {name for name, fate in fates.items() if fate.regenerated}
    out |= {name for name, change in changes.items() if change.leaves}
    _known(changes, board, gone)
    held = blocks(combat)
    blocked = {name for names in held.values() for name in names}
    attackers = tuple(
        altered(
            _carried(c, fates.get(c.name), changes.get(c.name)),
            blocked=c.blocked or c.name in blocked,
            attacks=NOTHING if c.attacks in gone or c.attacks in lost else c.attacks,
        )
        for c in combat.attackers
        if c.name not in out
    )
    left = {c.name for c in attackers}
    blockers = tuple(
        altered(
            _carried(c, fates.get(c.name), changes.get(c.name)),
            blocks=() if c.name in out else tuple(name for name in held[c.name] if name in left),
        )
        for c in combat.blockers
        if c.name not in gone
    )
    return replace(
        combat,
        step="regular",
        attackers=attackers,
        blockers=blockers,
        defenders=tuple(_defender(d, dealt) for d in combat.defenders if d.name not in gone | lost),
        order=_orders(combat, attackers, blockers),
    )


def _known(changes: Iterable[str], board: Board, gone: set[str]) -> None:
    for name in changes:
        if name not in board.sources:
            raise ValueError(f"no creature in this combat is called {name!r}")
        if name in gone:
            raise ValueError(f"{name} is no longer there to change")


def _carried(creature: Creature, fate: Fate | None, change: Change | None) -> Creature:
    """The creature as it enters the regular step."""
    struck = bool(creature.keywords & STRIKES)
    creature = altered(creature, dealt_first_strike_damage=struck)
    if fate is not None:
        after = fate.after
        creature = altered(
            creature,
            power=after.power,
            toughness=after.toughness,
            damage=after.marked,
            prevent_next=after.prevent_next,
            shield_counters=after.shield_counters,
            regeneration_shields=after.regeneration_shields,
        )
    if change is not None:
        kept = creature.keywords - {word.casefold() for word in change.loses}
        creature = altered(
            creature,
            keywords=kept | {word.casefold() for word in change.gains},
            power=creature.power if change.power is None else change.power,
            toughness=creature.toughness if change.toughness is None else change.toughness,
        )
    return creature


def _defender(defender: Defender, dealt: Dealt) -> Defender:
    fate = dealt.fates.get(defender.name)
    if defender.kind == "player":
        received = dealt.received.get(defender.name)
        life = 20 if defender.life is None else defender.life
        if received is not None:
            life = received.after.life
        poison = defender.poison if received is None else received.after.poison
        return replace(defender, life=life + dealt.gained.get(defender.name, 0), poison=poison)
    if fate is None:
        return defender
    if defender.kind == "planeswalker":
        return replace(defender, loyalty=fate.after.loyalty)
    return replace(defender, defense=fate.after.defense)


def _orders(
    combat: Combat, attackers: Sequence[Creature], blockers: Sequence[Creature]
) -> dict[str, tuple[str, ...] | Literal["any"]]:
    """The announced orders without what is gone; those that are left keep their places (509.2a, 509.3a)."""
    pairs = {(b.name, name) for b in blockers for name in b.blocks}
    pairs |= {(name, blocker) for blocker, name in pairs}
    kept: dict[str, tuple[str, ...] | Literal["any"]] = {}
    for name, order in combat.order.items():
        if name in {c.name for c in (*attackers, *blockers)}:
            kept[name] = (
                order if order == "any" else tuple(other for other in order if (name, other) in pairs)
            )
    return kept


def together(outcomes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The outcome of several steps as one: deaths and damage of all, marked damage as it was last."""
    total: dict[str, Any] = {"destroyed": [], "dies": [], "survives": {}, "regenerated": []}
    for key in ("damage_to", "life_gained", "poison"):
        total[key] = {}
    for found in outcomes:
        total["destroyed"] += found["destroyed"]
        total["dies"] += found["dies"]
        total["regenerated"] += [name for name in found["regenerated"] if name not in total["regenerated"]]
        total["survives"] |= found["survives"]
        for key in ("damage_to", "life_gained", "poison"):
            for name, n in found[key].items():
                total[key][name] = total[key].get(name, 0) + n
    gone = set(total["dies"])
    total["survives"] = {name: n for name, n in total["survives"].items() if name not in gone}
    return total
