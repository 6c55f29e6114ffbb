"""What a player may want of an assignment of combat damage, as scores over shares and meters."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from lethal.models.combat_types import Combat, Creature
from lethal.solver.problem import AMOUNT, Meter, Objective, Problem, Score, Table, linear, step

NAMES = ("kills",)


def value_of(creature: Creature) -> int | Fraction:
    """What a creature is worth to the objective: its `value`, or power + toughness; exact."""
    if creature.value is None:
        return creature.power + creature.toughness
    return Fraction(str(creature.value))


def objective(combat: Combat, problem: Problem, name: str) -> Objective:
    """The objective of that name over a combat's problem. Raises ValueError for an unknown name.

    `kills`: first, defending players brought to 0 life; then the value of creatures assigned lethal damage; then
    damage to the attacked objects; then least waste, damage beyond what a creature's toughness can take.
    """
    if name != "kills":
        raise ValueError(f"there is no objective {name!r} for a combat; there is {', '.join(NAMES)}")
    creatures = {c.name: c for c in (*combat.attackers, *combat.blockers)}
    shares: dict[str, list[int]] = {}
    for at, share in enumerate(problem.shares):
        shares.setdefault(share.recipient, []).append(at)
    meters: list[Meter] = []

    def extra(title: str, full: int, recipient: str) -> int:
        meters.append(Meter(title, full, tuple((at, AMOUNT) for at in shares[recipient])))
        return len(problem.meters) + len(meters) - 1

    defeated, face = [], []
    for defender in combat.defenders:
        if defender.name in shares:
            face += [(at, AMOUNT) for at in shares[defender.name]]
            if defender.kind == "player" and defender.life is not None and defender.life > 0:
                at = extra(f"life of {defender.name}", defender.life, defender.name)
                defeated.append((at, step(defender.life, 1)))
    values = {n: value_of(c) for n, c in creatures.items() if n in shares}
    unit = lcm(*(value.denominator for value in values.values())) if values else 1
    kills, useful, spent = [], [], []
    for at, meter in enumerate(problem.meters):
        if meter.name not in values or meter.full == 0:
            continue
        kills.append((at, step(meter.full, int(values[meter.name] * unit))))
        plain = all(table is AMOUNT for _, table in meter.terms)
        useful.append((at if plain else extra(f"room of {meter.name}", meter.full, meter.name), AMOUNT))
    for recipient in values:
        spent += [(at, _MINUS) for at in shares[recipient]]
    return Objective(
        "kills",
        (
            Score("players defeated", meters=tuple(defeated)),
            Score("value of creatures assigned lethal damage", meters=tuple(kills), unit=unit),
            Score("damage to what is attacked", tuple(face)),
            Score("waste", tuple(spent), tuple(useful)),
        ),
        tuple(meters),
    )


_MINUS: Table = linear(-1)
