"""What a player may want of what assigned combat damage does, as scores over shares and meters."""

from __future__ import annotations

from math import lcm

from msgspec.structs import replace

from lethal.models.combat_meters import exact
from lethal.models.combat_outcome import Board
from lethal.models.combat_types import Combat, Creature, Defender
from lethal.models.combat_wishes import TITLES, Scale, Wanted, title, value_of, wish
from lethal.models.damage_types import SHRINKING
from lethal.models.vintages import VINTAGES
from lethal.solver.problem import AMOUNT, Meter, NotASum, Objective, Problem, Score, Table, linear, step


def objective(combat: Combat, problem: Problem, wanted: Wanted) -> Objective:
    """The objective over a combat's problem: a wish's name or weights, exact on what happens.

    `kills`: first, defending players who lose; then the value of creatures that die; then damage to the
    attacked objects; then least waste, damage beyond what a creature's toughness can take. Raises ValueError
    for an unknown name or weight, NotASum where what happens is no sum over shares and meters.
    """
    if wanted == "kills" and _plain(combat):
        return _kills(combat, problem)
    wished = wish(wanted)
    found = exact(Board(combat), problem, Scale(combat, wished, combat.assigning))
    if found is None:
        raise NotASum(
            "what happens here is no sum over shares and creatures: it can be chosen by, not ranked by"
        )
    name = wanted if isinstance(wanted, str) else "weights"
    titles = [title(weights) for weights in wished]
    scores = [replace(one, name=words) for one, words in zip(found.scores, titles, strict=True)]
    return Objective(name, tuple(scores), found.meters)


def _plain(combat: Combat) -> bool:
    """Whether assigned damage just marks, so that creatures assigned lethal damage are those that die."""
    mine, theirs = combat.attackers, combat.blockers
    if combat.assigning == "blockers":
        mine, theirs = theirs, mine
    deadly = VINTAGES[combat.rules].deathtouch == "lethal"
    return (
        all(_marks(c, deadly) for c in mine)
        and all(_suffers(c) for c in theirs)
        and all(_alive(d) for d in combat.defenders)
    )


def _marks(source: Creature, deadly: bool) -> bool:
    words = source.keywords
    return (
        source.deals_multiplier == 1
        and not (words & SHRINKING)
        and (deadly or "deathtouch" not in words)
        and not any(word.startswith("toxic") for word in words)
    )


def _suffers(one: Creature) -> bool:
    if one.indestructible or one.protection_from or one.prevent_next or one.lethal_by != "toughness":
        return False
    if one.shield_counters or one.regeneration_shields or one.toughness <= one.damage or one.toughness <= 0:
        return False
    return not any(word == "indestructible" or word.startswith("protection") for word in one.keywords)


def _alive(one: Defender) -> bool:
    return one.kind != "player" or (one.life is not None and one.life > 0 and one.poison < 10)


def _kills(combat: Combat, problem: Problem) -> Objective:
    """The objective `kills` of a plain combat, read off the meters of its problem."""
    creatures = {c.name: c for c in (*combat.attackers, *combat.blockers)}
    shares: dict[str, list[int]] = {}
    for at, share in enumerate(problem.shares):
        shares.setdefault(share.recipient, []).append(at)
    meters: list[Meter] = []

    def extra(name: str, full: int, recipient: str) -> int:
        meters.append(Meter(name, full, tuple((at, AMOUNT) for at in shares[recipient])))
        return len(problem.meters) + len(meters) - 1

    defeated, face = [], []
    for defender in combat.defenders:
        if defender.name in shares:
            face += [(at, AMOUNT) for at in shares[defender.name]]
            if defender.kind == "player" and defender.life is not None:
                at = extra(f"life of {defender.name}", defender.life, defender.name)
                defeated.append((at, step(defender.life, 1)))
    values = {n: value_of(c) for n, c in creatures.items() if n in shares}
    unit = lcm(*(value.denominator for value in values.values())) if values else 1
    kills, useful, spent = [], [], []
    for at, meter in enumerate(problem.meters):
        if meter.name not in values or meter.full == 0:
            continue
        kills.append((at, step(meter.full, int(values[meter.name] * unit))))
        marks = all(table is AMOUNT for _, table in meter.terms)
        useful.append((at if marks else extra(f"room of {meter.name}", meter.full, meter.name), AMOUNT))
    for recipient in values:
        spent += [(at, _MINUS) for at in shares[recipient]]
    return Objective(
        "kills",
        (
            Score(TITLES["win"], meters=tuple(defeated)),
            Score(TITLES["theirs"], meters=tuple(kills), unit=unit),
            Score(TITLES["face"], tuple(face)),
            Score(TITLES["waste"], tuple(spent), tuple(useful)),
        ),
        tuple(meters),
    )


_MINUS: Table = linear(-1)
