"""The diagram engine holds to the reference reading on random problems, whichever way it builds its layers."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, objectives, problems, score

from lethal.solver.diagram import DiagramEngine
from lethal.solver.engine import TooWide
from lethal.solver.problem import Problem, Share, Total

NARROW = [0, 2_000]
many = settings(max_examples=150, deadline=None)


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(problem=problems())
def test_rows_are_the_legal_ones_in_listing_order(narrow: int, problem: Problem) -> None:
    engine = DiagramEngine(problem, narrow=narrow)
    expected = brute(problem)
    assert engine.count() == len(expected)
    assert engine.empty() is (not expected)
    assert list(engine.rows()) == expected


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(problem=problems(), size=st.integers(1, 50))
def test_blocks_hold_the_same_rows(narrow: int, problem: Problem, size: int) -> None:
    blocks = list(DiagramEngine(problem, narrow=narrow).blocks(size))
    expected = brute(problem)
    assert [tuple(row) for block in blocks for row in block.tolist()] == expected
    assert [len(block) for block in blocks[:-1]] == [size] * (len(blocks) - 1)


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(problem=problems())
def test_bounds_are_reached_and_not_passed(narrow: int, problem: Problem) -> None:
    expected = [(min(column), max(column)) for column in zip(*brute(problem), strict=True)]
    assert DiagramEngine(problem, narrow=narrow).bounds() == expected


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(problem=problems())
def test_positions_and_rows_answer_each_other(narrow: int, problem: Problem) -> None:
    engine = DiagramEngine(problem, narrow=narrow)
    expected = brute(problem)
    assert [engine.row(at) for at in range(len(expected))] == expected
    assert [engine.rank(row) for row in expected] == list(range(len(expected)))
    with pytest.raises(IndexError):
        engine.row(len(expected))
    with pytest.raises(ValueError, match="not a legal row"):
        engine.rank([99] * len(problem.shares))


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(data=st.data())
def test_best_is_the_first_row_with_the_greatest_scores(narrow: int, data: st.DataObject) -> None:
    problem = data.draw(problems())
    objective = data.draw(objectives(problem))
    best = DiagramEngine(problem, narrow=narrow).best(objective)
    expected = brute(problem)
    if not expected:
        assert best is None
        return
    assert best is not None
    assert best.row == max(expected, key=lambda row: score(problem, objective, row))
    assert best.score == score(problem, objective, best.row)


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(data=st.data())
def test_ranked_sorts_by_scores_and_then_by_listing(narrow: int, data: st.DataObject) -> None:
    problem = data.draw(problems())
    objective = data.draw(objectives(problem))
    found = islice(DiagramEngine(problem, narrow=narrow).ranked(objective), 60)
    expected = sorted(brute(problem), key=lambda row: [-x for x in score(problem, objective, row)])
    assert [ranked.row for ranked in found] == expected[:60]


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(data=st.data())
def test_optima_are_an_engine_over_the_best_rows(narrow: int, data: st.DataObject) -> None:
    problem = data.draw(problems())
    first, second = data.draw(objectives(problem)), data.draw(objectives(problem))
    engine = DiagramEngine(problem, narrow=narrow).optima(first)
    rows = brute(problem)
    greatest = max((score(problem, first, row) for row in rows), default=None)
    expected = [row for row in rows if score(problem, first, row) == greatest]
    assert list(engine.rows()) == expected
    assert [engine.row(at) for at in range(engine.count())] == expected
    best = engine.best(second)
    assert (best and best.row) == max(expected, key=lambda row: score(problem, second, row), default=None)
    ranked = [found.row for found in islice(engine.ranked(second), 30)]
    assert ranked == sorted(expected, key=lambda row: [-x for x in score(problem, second, row)])[:30]


def test_a_problem_without_shares_has_one_empty_row() -> None:
    engine = DiagramEngine(Problem(()))
    assert list(engine.rows()) == [()]
    assert engine.count() == 1
    assert [block.shape for block in engine.blocks(5)] == [(1, 0)]


def test_amounts_beyond_the_limit_are_refused_with_the_way_out() -> None:
    problem = Problem((Share("a", "x", range(10_000)), Share("a", "y", range(10_000))))
    with pytest.raises(TooWide, match=r"amount_limit.*cpsat"):
        DiagramEngine(problem).count()


def test_a_share_that_its_total_fixes_may_be_of_any_size() -> None:
    huge = 10**15
    problem = Problem((Share("a", "x", range(huge + 1)),), (Total((0,), huge, huge),))
    assert list(DiagramEngine(problem).rows()) == [(huge,)]
