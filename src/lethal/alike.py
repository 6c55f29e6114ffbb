"""Assignments of any game grouped by what they lead to, through the readings its model names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lethal.outcomes import Chosen, Outcome
from lethal.solver.assignments import Assignment
from lethal.solver.engine import DEFAULT, TooWide, make

if TYPE_CHECKING:
    from lethal.scenario import Scenario


MOST = 100_000
"""Assignments that are looked at where each is an outcome of its own."""


def alike(scenario: Scenario, engine: str = DEFAULT) -> list[Outcome]:
    """The distinct results with how many assignments lead to each, the most frequent first.

    The engine lists distinct readings; those with the same result are merged. Raises TooWide or Unsupported where
    the engine cannot.
    """
    problem, value, game = scenario.problem, scenario.value, scenario.game
    if game.settled:
        return _each(scenario, engine)
    shares, meters = game.depends(value, problem)
    made = make(engine, problem.with_meters(meters))
    first = len(problem.meters)
    told: dict[str, dict[str, Any]] = {}
    rows: dict[str, int] = {}
    examples: dict[str, Assignment] = {}
    for found in made.outcomes(sorted(shares), range(first, first + len(meters))):
        example = Assignment(problem.columns, found.example)
        happens = game.result(value, example.to_dict())
        key = json.dumps(happens, sort_keys=True)
        told.setdefault(key, happens)
        rows[key] = rows.get(key, 0) + found.rows
        examples.setdefault(key, example)
    return sorted(
        (Outcome(told[key], rows[key], examples[key]) for key in told), key=lambda one: -one.assignments
    )


def _each(scenario: Scenario, engine: str) -> list[Outcome]:
    """The assignments of a game in which none is like another; raises TooWide for too many."""
    legal, game = scenario.legal(engine), scenario.game
    count = legal.count()
    if count > MOST:
        raise TooWide(
            f"{count} {game.unit}s, each of them an outcome of its own, are too many; --limit looks at the first"
        )
    return [Outcome(game.result(scenario.value, one.to_dict()), 1, one) for one in legal]


def choose(scenario: Scenario, name: str, engine: str = DEFAULT) -> Chosen | None:
    """The first assignment that is best by what it does, of one for each distinct reading; None if none is legal.

    Raises ValueError for an unknown objective, TooWide or Unsupported where the engine cannot.
    """
    problem, value = scenario.problem, scenario.value
    judged = scenario.game.judged(value, problem, name)
    made = make(engine, problem.with_meters(judged.meters))
    first = len(problem.meters)
    best: Chosen | None = None
    for found in made.outcomes(sorted(judged.shares), range(first, first + len(judged.meters))):
        example = Assignment(problem.columns, found.example)
        score = judged.score(example.to_dict())
        if best is None or score > best.score:
            happens = scenario.outcome(example)
            best = Chosen(score, judged.units, example, happens, "outcomes", True, judged.names)
    return best
