"""The distinct outcomes of one side's assignments: what a search looks at instead of the assignments
themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from lethal.models.combat import build
from lethal.models.combat_meters import Signature, exact, signature, unshielded
from lethal.models.combat_outcome import Board, Dealt, Side
from lethal.models.combat_types import Combat
from lethal.models.combat_wishes import Scale, Wanted, Weights, title, wish
from lethal.solver.assignments import Assignment, Assignments, Best
from lethal.solver.engine import DEFAULT, Engine, OutcomeClass, TooWide, Unsupported, make
from lethal.solver.grouping import grouped
from lethal.solver.problem import Problem

LISTED = 20_000_000
"""How many rows are looked at one by one where a diagram of their outcomes is too wide."""


class Reached(NamedTuple):
    """What some assignments do alike, how many they are, and the first of them."""

    dealt: Dealt
    rows: int
    row: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """One distinct outcome: what happens, how many assignments lead there, and one of them.

    `outcome` is as everywhere, but where marked damage was not asked for, `survives` has None for it.
    """

    outcome: dict[str, Any]
    assignments: int
    example: Assignment


@dataclass(frozen=True)
class Chosen:
    """A best assignment for what happens: its score, what it does, which way it was found, and whether it
    is proved.

    `how` is the engine, `diagram` or `cpsat`, where the wish is a sum over shares and meters (or is bounded
    by one), else `outcomes`: every distinct outcome was looked at. `units` of a score's integers make one
    point.
    """

    score: tuple[int, ...]
    units: tuple[int, ...]
    assignment: Assignment
    outcome: dict[str, Any]
    how: str
    proved: bool
    names: tuple[str, ...] = ()
    """What each score is."""


def amounts(problem: Problem, row: Sequence[int]) -> dict[str, dict[str, int]]:
    """A row as the nested mapping, without its zero shares."""
    nested: dict[str, dict[str, int]] = {}
    for (source, recipient), n in zip(problem.columns, row, strict=True):
        if n:
            nested.setdefault(source, {})[recipient] = n
    return nested


def _receiving(combat: Combat) -> Side:
    return "blockers" if combat.assigning == "attackers" else "attackers"


def reached(
    board: Board,
    problem: Problem,
    engine: str = DEFAULT,
    *,
    marks: Iterable[str] = (),
    waste: bool = False,
    also: Sequence[int] = (),
) -> Iterator[Reached]:
    """Outcomes of a problem's assignments, each row in exactly one; two may still be alike.

    `marks` names creatures whose marked damage counts, `also` further shares whose amounts do. Raises
    TooWide or Unsupported where the engine cannot.
    """
    told = signature(board, problem, marks=marks, waste=waste)
    told = replace(told, shares=tuple(sorted({*told.shares, *also})))
    for found in _classes(problem, told, engine):
        row = found.example[: len(problem.shares)]
        yield Reached(board.deal(amounts(problem, row)), found.rows, row)


def _classes(problem: Problem, told: Signature, engine: str) -> Iterable[OutcomeClass]:
    """The distinct readings, from a diagram that keeps them apart; else from all rows, where they are not too many."""
    more, shares, meters = told.added(problem)
    try:
        return list(make(engine, more).outcomes(shares, meters))
    except TooWide:
        made: Engine = make(engine, problem)
        if made.count() > LISTED:
            raise
        return grouped(problem, made.blocks(1 << 16), told.shares, told.meters, told.fulls)


def distinct(
    combat: Combat, engine: str = DEFAULT, *, marks: bool = False, undominated: bool = False
) -> list[Outcome]:
    """The distinct outcomes of the assigning side's assignments, those that most assignments lead to
    first.

    With `marks` the damage that stays marked on survivors tells outcomes apart too. With `undominated` an
    outcome is left out if another one is at least as good for the assigning side in everything and better
    in something.
    """
    board, problem = Board(combat), build(combat)
    receiving = _receiving(combat)
    names = board.sides[receiving]
    found: dict[tuple[Any, ...], Outcome] = {}
    for one in reached(board, problem, engine, marks=names if marks else ()):
        told = one.dealt.plain(board, (receiving,))
        if not marks:
            told["survives"] = dict.fromkeys(told["survives"])
        key = tuple(tuple(sorted(v.items())) if isinstance(v, dict) else tuple(v) for v in told.values())
        known = found.get(key)
        if known is None:
            found[key] = Outcome(told, one.rows, Assignment(problem.columns, one.row))
        else:
            found[key] = replace(known, assignments=known.assignments + one.rows)
    every = sorted(found.values(), key=lambda one: -one.assignments)
    return _undominated(every) if undominated else every


def _undominated(every: Sequence[Outcome]) -> list[Outcome]:
    """Those that no other one dominates: who leaves or regenerates, damage, life, poison and marks all as
    much."""
    names = sorted({name for one in every for part in one.outcome.values() for name in part})
    merits = [_merits(one.outcome, names) for one in every]
    order = sorted(range(len(every)), key=lambda at: -sum(merits[at]))
    kept: list[int] = []
    for at in order:
        mine = merits[at]
        if not any(
            all(a >= b for a, b in zip(merits[k], mine, strict=True)) and merits[k] != mine for k in kept
        ):
            kept.append(at)
    return [every[at] for at in sorted(kept)]


def _merits(outcome: dict[str, Any], names: Sequence[str]) -> tuple[int, ...]:
    gone, regenerated = set(outcome["dies"]), set(outcome["regenerated"])
    beyond = 1 << 40  # a dead creature is better than any mark on it
    merits = []
    for name in names:
        marked = outcome["survives"].get(name) or 0
        merits.append(2 * beyond if name in gone else beyond if name in regenerated else marked)
        merits += [outcome[key].get(name, 0) for key in ("damage_to", "life_gained", "poison")]
    return tuple(merits)


def choose(combat: Combat, wanted: Wanted, engine: str = DEFAULT) -> Chosen | None:
    """The assigning side's best assignment for what its own damage does; None if nothing is legal.

    Where the wish is a sum, an engine optimises it; where it is not, every distinct outcome is looked at;
    where those are too many, CP-SAT finds the best without shields that prevent the next so much damage, and
    it is proved the best if it does as well with them. Raises ValueError for an unknown objective, TooWide
    where no way is open.
    """
    board, problem = Board(combat), build(combat)
    scale = Scale(combat, wish(wanted), combat.assigning)
    objective = exact(board, problem, scale)
    if objective is not None:
        return _chosen(board, scale, Assignments(problem, engine).best(objective))
    waste = any(weights.waste for weights in scale.wish)
    try:
        ranked = (
            (scale.score(board, one.dealt), one) for one in reached(board, problem, engine, waste=waste)
        )
        top = max(ranked, key=lambda pair: pair[0], default=None)
    except (TooWide, Unsupported):
        return _bounded(board, problem, scale)
    if top is None:
        return None
    assignment = Assignment(problem.columns, top[1].row)
    names = tuple(title(weights) for weights in scale.wish)
    told = top[1].dealt.plain(board, (_receiving(combat),))
    return Chosen(top[0], scale.units, assignment, told, "outcomes", True, names)


def _bounded(board: Board, problem: Problem, scale: Scale) -> Chosen | None:
    """A good assignment by CP-SAT: the best without shields, where nothing is wasted on who has one.

    No assignment scores more, as long as no weight and no value is less than 0: then it is proved the best
    if it really scores that much.
    """
    shielded = [name for name, one in board.recipients.items() if one.prevent_next]
    objective = exact(unshielded(board), problem, scale, unwasted=shielded)
    if objective is None:
        raise TooWide(
            "the outcomes are too many to look at, and what happens is no sum over shares even without shields"
        )
    sets = range(len(scale.wish))
    sound = not any(scale.weight(at, f.name) < 0 for at in sets for f in fields(Weights))
    sound = sound and not any(scale.loss(at, name) < 0 for at in sets for name in shielded)
    found = _chosen(board, scale, Assignments(problem, "cpsat").best(objective))
    return found if found is None or sound else replace(found, proved=False)


def _chosen(board: Board, scale: Scale, best: Best | None) -> Chosen | None:
    """The best by an objective with what it really does; it is proved only if it scores as it was said to."""
    if best is None:
        return None
    dealt = board.deal(best.assignment.to_dict())
    score = scale.score(board, dealt)
    told = dealt.plain(board, (_receiving(board.combat),))
    proved = best.proved and score == best.score
    names = tuple(title(weights) for weights in scale.wish)
    return Chosen(score, scale.units, best.assignment, told, best.engine, proved, names)
