"""The best assignments by an objective: a name, or weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from lethal.cli.assignment import from_json
from lethal.models.combat_types import Combat
from lethal.models.combat_wishes import WISHES, Wanted
from lethal.models.document import DocumentError, hint
from lethal.scenario import Scenario
from lethal.solver.assignments import Assignment
from lethal.solver.engine import EngineError, TooWide
from lethal.solver.problem import NotASum


class OneOnly(DocumentError):
    """Several assignments were asked for, by an objective that finds one."""


@dataclass(frozen=True)
class Found:
    """One of the best: its scores in points, what each of them is, what it does, and how it was found."""

    assignment: Assignment
    score: tuple[int | float, ...]
    names: tuple[str, ...]
    outcome: dict[str, Any] | None
    how: str
    proved: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "assignment": self.assignment.to_dict(),
            "score": list(self.score),
            "outcome": self.outcome,
        }


def read(text: str | None) -> Wanted | None:
    """An objective as it was given: a name, or weights in JSON; raises DocumentError where neither can be read."""
    if text is None or not text.lstrip().startswith(("{", "[")):
        return text
    weights: Wanted = from_json(text, "--objective")
    return weights


def best(scenario: Scenario, wanted: Wanted | None, engine: str, top: int = 1) -> tuple[Wanted, list[Found]]:
    """The objective, the game's own if none is given, and the best by it, the best first.

    A single one may come from an engine that can optimise what is too wide to rank, or from a search through
    outcomes. Raises DocumentError for an unknown objective, and for several where only one can be found.
    """
    wanted = scenario.game.default_objective if wanted is None else wanted
    if not isinstance(wanted, str) and not isinstance(scenario.value, Combat):
        raise DocumentError(["--objective: only a combat takes weights; give a name"])
    try:
        objective = scenario.objective(wanted)
    except NotASum as error:
        if top != 1:
            raise OneOnly([f"--top: only one can be found: {error}"]) from None
        return wanted, _chosen(scenario, wanted, engine)
    except ValueError as error:
        raise DocumentError([f"--objective: {error}{_near(scenario, wanted)}"]) from None
    legal = scenario.legal(engine)
    names = tuple(part.name for part in objective.scores)
    units = [part.unit for part in objective.scores]
    if top == 1:
        single = legal.best(objective)
        several = [] if single is None else [single]
    else:
        several = list(islice(legal.ranked(objective), top))
    found = [
        Found(
            one.assignment,
            points(one.score, units),
            names,
            _outcome(scenario, one.assignment),
            one.engine,
            one.proved,
        )
        for one in several
    ]
    return wanted, found


def first_of(scenario: Scenario, wanted: Wanted | None, engine: str, top: int) -> tuple[Wanted, list[Found]]:
    """The same, but only the best where that is all that can be found."""
    try:
        return best(scenario, wanted, engine, top)
    except (TooWide, OneOnly):
        return best(scenario, wanted, engine)


def _chosen(scenario: Scenario, wanted: Wanted, engine: str) -> list[Found]:
    chosen = scenario.choose(wanted, engine)
    if chosen is None:
        return []
    score = points(chosen.score, chosen.units)
    return [Found(chosen.assignment, score, chosen.names, chosen.outcome, chosen.how, chosen.proved)]


def _near(scenario: Scenario, wanted: Wanted) -> str:
    return hint(wanted, WISHES) if isinstance(scenario.value, Combat) and isinstance(wanted, str) else ""


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
