"""The diagram engine holds to the reference reading on random problems, however it builds its layers."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, objectives, problems, score

from lethal.solver.diagram import DiagramEngine
from lethal.solver.engine import TooWide
from lethal.solver.evaluate import readings
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


@pytest.mark.parametrize("narrow", NARROW)
@many
@given(data=st.data())
def test_outcomes_count_the_rows_behind_every_vector(narrow: int, data: st.DataObject) -> None:
    problem = data.draw(problems())
    engine: DiagramEngine = DiagramEngine(problem, narrow=narrow)
    rows = brute(problem)
    if data.draw(st.booleans()):
        objective = data.draw(objectives(problem))
        engine = engine.optima(objective)
        greatest = max((score(problem, objective, row) for row in rows), default=None)
        rows = [row for row in rows if score(problem, objective, row) == greatest]
    shares = data.draw(st.lists(st.integers(0, len(problem.shares) - 1), max_size=2, unique=True))
    read = (
        data.draw(st.lists(st.sampled_from(range(len(problem.meters))), unique=True))
        if problem.meters
        else []
    )
    expected: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for row in rows:
        full = readings(problem, row)
        vector = tuple([row[at] for at in shares] + [full[at] for at in read])
        expected.setdefault(vector, []).append(row)
    found = list(engine.outcomes(shares, read))
    assert found == [(vector, len(expected[vector]), expected[vector][0]) for vector in sorted(expected)]


@pytest.mark.parametrize("narrow", NARROW)
@settings(max_examples=60, deadline=None)
@given(problem=problems())
def test_samples_are_legal_and_reach_every_row(narrow: int, problem: Problem) -> None:
    rows = brute(problem)
    engine = DiagramEngine(problem, narrow=narrow)
    rng = np.random.default_rng(7)
    if not rows:
        with pytest.raises(ValueError, match="no row is legal"):
            engine.sample(rng, 1)
        return
    drawn = {tuple(row) for row in engine.sample(rng, 40 * len(rows[:200])).tolist()}
    assert drawn <= set(rows)
    if len(rows) <= 200:
        assert drawn == set(rows)


@pytest.mark.parametrize("narrow", NARROW)
def test_samples_are_uniform(narrow: int) -> None:
    """Chi-square over 28 rows, far below the 99.99 % point of 27 degrees of freedom (65)."""
    shares = tuple(Share("a", name, range(7)) for name in "xyz")
    problem = Problem(shares, (Total((0, 1, 2), 6, 6),))
    engine = DiagramEngine(problem, narrow=narrow)
    assert engine.count() == 28
    n = 28_000
    drawn = engine.sample(np.random.default_rng(1), n)
    seen = Counter(tuple(row) for row in drawn.tolist())
    assert sum((seen[row] - n / 28) ** 2 / (n / 28) for row in engine.rows()) < 65


def test_samples_are_exact_where_counts_exceed_64_bits() -> None:
    n = 60
    shares = tuple(Share("a", f"x{at}", range(10)) for at in range(n))
    engine = DiagramEngine(Problem(shares, (Total(tuple(range(n)), 0, 300),)))
    assert engine.count() > 1 << 64
    drawn = engine.sample(np.random.default_rng(3), 200)
    assert drawn.shape == (200, n)
    assert (drawn.sum(axis=1) <= 300).all()
    assert 3.5 < drawn.mean() < 4.6
    at = engine.count() - 1
    assert engine.rank(engine.row(at)) == at
