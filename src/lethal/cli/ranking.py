"""The best assignments by an objective: of the game's, a sum over what is assigned, or of what happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from lethal.models.combat_types import Combat
from lethal.models.combat_wishes import WISHES
from lethal.models.document import DocumentError, hint
from lethal.scenario import Scenario
from lethal.solver.assignments import Assignment
from lethal.solver.engine import EngineError, TooWide


class OneOnly(DocumentError):
    """Several assignments were asked for, by an objective that finds one."""


@dataclass(frozen=True)
class Found:
    """One of the best: its scores in points, what each of them is, and what the assignment does."""

    assignment: Assignment
    score: tuple[int | float, ...]
    names: tuple[str, ...]
    outcome: dict[str, Any] | None
    proved: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "assignment": self.assignment.to_dict(),
            "score": list(self.score),
            "outcome": self.outcome,
        }


def best(scenario: Scenario, name: str | None, engine: str, top: int = 1) -> tuple[str, list[Found]]:
    """The objective's name, the game's own if none is given, and the best by it, the best first.

    A single one may come from an engine that can optimise what is too wide to rank. Raises DocumentError for an
    unknown objective, and for several by one that looks at what happens.
    """
    name = name or scenario.game.default_objective
    try:
        objective = scenario.objective(name)
    except ValueError as error:
        if not isinstance(scenario.value, Combat) or name not in WISHES:
            raise DocumentError([f"--objective: {error}{_also(scenario, name)}"]) from None
        return name, _by_outcome(scenario, name, engine, top)
    legal = scenario.legal(engine)
    names = tuple(part.name for part in objective.scores)
    units = [part.unit for part in objective.scores]
    if top == 1:
        single = legal.best(objective)
        several = [] if single is None else [single]
    else:
        several = list(islice(legal.ranked(objective), top))
    found = [
        Found(one.assignment, points(one.score, units), names, _outcome(scenario, one.assignment), one.proved)
        for one in several
    ]
    return name, found


def first_of(scenario: Scenario, name: str | None, engine: str, top: int) -> tuple[str, list[Found]]:
    """The same, but only the best where that is all that can be found."""
    try:
        return best(scenario, name, engine, top)
    except (TooWide, OneOnly):
        return best(scenario, name, engine)


def _by_outcome(scenario: Scenario, name: str, engine: str, top: int) -> list[Found]:
    if top != 1:
        raise OneOnly([f"--top: objective {name!r} looks at what happens, it finds one assignment only"])
    chosen = scenario.choose(name, engine)
    if chosen is None:
        return []
    score = points(chosen.score, chosen.units)
    return [Found(chosen.assignment, score, (), chosen.outcome, chosen.proved)]


def _also(scenario: Scenario, name: str) -> str:
    if not isinstance(scenario.value, Combat):
        return ""
    return f"; for what happens there are {', '.join(WISHES)}{hint(name, WISHES)}"


def _outcome(scenario: Scenario, assignment: Assignment) -> dict[str, Any] | None:
    """What it does, or None where the game has no outcomes."""
    try:
        return scenario.outcome(assignment)
    except EngineError:
        return None


def points(score: Iterable[int], units: Sequence[int]) -> tuple[int | float, ...]:
    """Scores in points: some are kept as integers of a smaller unit."""
    exact = [Fraction(n, unit) for n, unit in zip(score, units, strict=True)]
    return tuple(int(n) if n.denominator == 1 else float(n) for n in exact)
