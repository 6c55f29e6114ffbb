"""Rows grouped by their readings one block after another: the same groups that a diagram keeps apart."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from combats import creature, document
from effects import effective
from hypothesis import given, settings
from hypothesis import strategies as st
from signed_problems import problems

import lethal
import lethal.outcomes
from lethal.models.combat_meters import signature
from lethal.models.combat_outcome import Board
from lethal.solver import evaluate
from lethal.solver.assignments import Assignments
from lethal.solver.engine import TooWide, make
from lethal.solver.grouping import grouped
from lethal.solver.problem import Problem


@settings(deadline=None, max_examples=100)
@given(problems(), st.integers(1, 5))
def test_groups_are_those_of_all_rows(problem: Problem, rows: int):
    """Meters are read as they are, and as full or not."""
    legal = Assignments(problem)
    every = [a.row for a in legal]
    meters = problem.meters
    found = grouped(problem, legal.blocks(rows), [0], meters, meters)
    readings = {row: evaluate.readings(problem, row) for row in every}
    expected = Counter(
        (row[0], *readings[row], *(int(n == m.full) for n, m in zip(readings[row], meters, strict=True)))
        for row in every
    )
    assert {one.readings: one.rows for one in found} == expected
    for one in found:
        first = next(row for row in every if (row[0], *readings[row]) == one.readings[: 1 + len(meters)])
        assert one.example == first


@settings(deadline=None, max_examples=60)
@given(effective())
def test_outcomes_are_the_same_where_a_diagram_of_them_is_too_wide(drawn: dict[str, Any]):
    scenario = lethal.load(drawn)
    board, problem = Board(scenario.value), scenario.problem
    told = signature(
        board, problem, marks=[name for side in board.sides.values() for name in side], waste=True
    )
    more, shares, meters = told.added(problem)
    kept = Counter(one.rows for one in make("diagram", more).outcomes(shares, meters))
    listed = grouped(problem, scenario.legal().blocks(7), told.shares, told.meters, told.fulls)
    assert Counter(one.rows for one in listed) == kept


def test_outcomes_list_all_rows_where_they_must(monkeypatch: pytest.MonkeyPatch):
    scenario = lethal.load(
        document(
            attackers=[creature("A", 6, 6)],
            blockers=[creature(n, 0, 2, blocks=["A"]) for n in ("X", "Y", "Z")],
        )
    )
    wanted = scenario.outcomes()

    def narrow(name: str, problem: Problem) -> Any:
        made = make(name, problem)
        if len(problem.shares) > len(scenario.problem.shares):
            monkeypatch.setattr(type(made), "outcomes", refuse)
        return made

    def refuse(*_: Any) -> Any:
        raise TooWide("too wide")

    monkeypatch.setattr(lethal.outcomes, "make", narrow)
    assert scenario.outcomes() == wanted
    monkeypatch.setattr(lethal.outcomes, "LISTED", 3)
    with pytest.raises(TooWide):
        scenario.outcomes()
