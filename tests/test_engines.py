"""What every engine promises, whichever it is: the same rows in the same order, or a plain word that it cannot."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from problems import brute, objectives, problems, score

from lethal.solver.engine import ENGINES, QUESTIONS, Engine, Unsupported, engine_names, make
from lethal.solver.problem import AMOUNT, Gate, Meter, Objective, Problem, Score, Share, Total

few = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
small = problems(sequential=None, max_shares=5).filter(lambda problem: len(brute(problem)) <= 150)

FOUR = Objective("most to y", (Score("y", ((1, AMOUNT),)),))
CALLS: dict[str, Any] = {
    "empty": lambda engine: engine.empty(),
    "count": lambda engine: engine.count(),
    "rows": lambda engine: list(engine.rows()),
    "blocks": lambda engine: [block.tolist() for block in engine.blocks(3)],
    "bounds": lambda engine: engine.bounds(),
    "best": lambda engine: engine.best(FOUR),
    "ranked": lambda engine: list(engine.ranked(FOUR)),
    "optima": lambda engine: list(engine.optima(FOUR).rows()),
    "row": lambda engine: engine.row(2),
    "rank": lambda engine: engine.rank((2, 2)),
    "sample": lambda engine: engine.sample(np.random.default_rng(0), 5).shape,
    "outcomes": lambda engine: list(engine.outcomes([], [0])),
}
ANSWERS: dict[str, Any] = {
    "empty": False,
    "count": 4,
    "rows": [(2, 2), (3, 1), (4, 0)],
    "blocks": [],
    "bounds": [(2, 4), (0, 2)],
    "best": ((2,), (2, 2), True),
    "ranked": [((2,), (2, 2), True), ((1,), (3, 1), True), ((0,), (4, 0), True)],
    "optima": [(2, 2)],
    "row": (4, 0),
    "rank": 0,
    "sample": (5, 2),
    "outcomes": [((2,), 3, (2, 2))],
}
ANSWERS["count"] = len(ANSWERS["rows"])
ANSWERS["blocks"] = [[list(row) for row in ANSWERS["rows"]]]


def two() -> Problem:
    """Four to give to two; the second may get some only when the first has two."""
    shares = (Share("a", "x", range(5)), Share("a", "y", range(5)))
    first = Meter("x", 2, ((0, AMOUNT),))
    return Problem(shares, (Total((0, 1), 4, 4),), (first,), (Gate(1, range(1, 5), (0,)),))


@pytest.mark.parametrize("question", sorted(CALLS))
def test_an_engine_answers_or_names_those_that_can(engine: str, question: str) -> None:
    made = make(engine, two())
    if question in QUESTIONS[engine]:
        assert CALLS[question](made) == ANSWERS[question]
    else:
        with pytest.raises(Unsupported, match="diagram"):
            CALLS[question](made)


def test_every_question_of_the_contract_is_asked_here() -> None:
    asked = {name for name in vars(Engine) if not name.startswith("_") and callable(getattr(Engine, name))}
    assert set(CALLS) == asked == set().union(*QUESTIONS.values())
    assert set(engine_names()) == set(ENGINES) == set(QUESTIONS)


@few
@given(problem=small)
def test_rows_count_and_bounds(engine: str, problem: Problem) -> None:
    expected = brute(problem)
    made = make(engine, problem)
    assert list(made.rows()) == expected
    assert made.count() == len(expected)
    assert made.empty() is (not expected)
    assert made.bounds() == [(min(column), max(column)) for column in zip(*expected, strict=True)]


@few
@given(data=st.data())
def test_best_and_ranked(engine: str, data: st.DataObject) -> None:
    problem = data.draw(small)
    objective = data.draw(objectives(problem))
    expected = sorted(brute(problem), key=lambda row: [-x for x in score(problem, objective, row)])
    made = make(engine, problem)
    best = made.best(objective)
    assert (best and best.row) == (expected[0] if expected else None)
    found = list(islice(made.ranked(objective), 10))
    assert [one.row for one in found] == expected[:10]
    assert [one.score for one in found] == [score(problem, objective, row) for row in expected[:10]]


@few
@given(data=st.data())
def test_optima(engine: str, data: st.DataObject) -> None:
    problem = data.draw(small)
    objective = data.draw(objectives(problem))
    rows = brute(problem)
    greatest = max((score(problem, objective, row) for row in rows), default=None)
    expected = [row for row in rows if score(problem, objective, row) == greatest]
    optima = make(engine, problem).optima(objective)
    assert list(optima.rows()) == expected
    assert optima.count() == len(expected)
