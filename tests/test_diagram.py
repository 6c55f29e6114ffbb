"""The diagram engine holds to the reference reading on random problems, however it builds its layers."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, objectives, problems, score

from lethal.solver.diagram import DiagramEngine
from lethal.solver.engine import TooWide
from lethal.solver.evaluate import holds, readings
from lethal.solver.problem import AMOUNT, Gate, Meter, Problem, Share, Total, linear, step

NARROW = [0, 100_000]
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
    best_is_the_first(narrow, data)


@pytest.mark.slow
@settings(many, max_examples=10_000)
@given(data=st.data())
def test_best_is_the_first_row_with_the_greatest_scores_at_length(data: st.DataObject) -> None:
    best_is_the_first(100_000, data)


def best_is_the_first(narrow: int, data: st.DataObject) -> None:
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


def test_a_layer_that_is_too_wide_is_named_with_what_still_works() -> None:
    """All sums of the first three shares are told apart, and more so with each share."""
    shares = tuple(Share(name, "x", range(30)) for name in "abcd")
    meters = tuple(Meter(f"m{at}", 1000, tuple((s, linear(30**s)) for s in range(4))) for at in range(2))
    problem = Problem(shares, meters=meters, gates=(Gate(3, (1,), (0,)), Gate(2, (1,), (1,))))
    with pytest.raises(TooWide, match=r"layer for [abcd] → x needs more than 50 arcs.*nodes.*cpsat.*check"):
        DiagramEngine(problem, nodes=50, narrow=0).count()


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


def combat(powers: tuple[int, ...], toughness: tuple[int, ...], orders: tuple[str, ...]) -> Problem:
    """All block all: the first attacker needs one damage to kill, all but the third pass on what is left."""
    shares: list[Share] = []
    totals, gates = [], []
    index: dict[tuple[int, int], int] = {}
    n = len(toughness)
    for a, power in enumerate(powers):
        first = len(shares)
        for to in range(n if a == 2 else n + 1):
            index[a, to] = len(shares)
            shares.append(Share(f"a{a}", f"b{to}" if to < n else "player", range(power + 1)))
        totals.append(Total(tuple(range(first, len(shares))), power, power))
    meters = tuple(
        Meter(f"b{b}", full, tuple((index[a, b], AMOUNT if a else step(1, full)) for a in range(len(powers))))
        for b, full in enumerate(toughness)
    )
    for a, power in enumerate(powers):
        along = [int(b) for b in orders[a]]
        gates += [Gate(index[a, along[k]], range(1, power + 1), tuple(along[:k])) for k in range(1, n)]
        if a != 2:
            gates.append(Gate(index[a, n], range(1, power + 1), tuple(range(n))))
    return Problem(tuple(shares), tuple(totals), meters, tuple(gates))


def test_four_against_four_by_count_positions_and_first_blocks() -> None:
    problem = combat((6, 5, 7, 6), (4, 3, 5, 2), ("0123", "1203", "2013", "3210"))
    engine = DiagramEngine(problem)
    assert engine.count() == 306_790_053
    for at in (0, 1_000_000, 306_790_052):
        assert holds(problem, engine.row(at))
        assert engine.rank(engine.row(at)) == at
    blocks = list(islice(engine.blocks(5_000), 3))
    assert [block.shape for block in blocks] == [(5_000, 19)] * 3
    assert blocks[0].dtype == np.uint8
    assert [tuple(row) for row in blocks[1].tolist()] == list(islice(engine.rows(), 5_000, 10_000))
    assert tuple(blocks[2][-1].tolist()) == engine.row(14_999)


def arcs(problem: Problem) -> int:
    return sum(len(layer.value) for layer in DiagramEngine(problem, narrow=0).diagram.layers)


def test_the_order_of_layers_keeps_the_frontier_narrow_on_either_side() -> None:
    """On the other side the three need 187,000, 1,066 and 874,000 arcs before they are reduced."""
    assert arcs(combat((6, 5, 7, 6), (4, 3, 5, 2), ("0123", "1203", "2013", "3210"))) < 25_000
    few_attackers = combat((7, 6), (3, 2, 4, 2, 3, 2, 4, 3), ("01234567", "76543210"))
    assert arcs(few_attackers) < 1_000
    many_attackers = combat((3, 2, 4, 2, 3, 2, 4, 3), (6, 5), ("01", "10") * 4)
    assert arcs(many_attackers) < 2_500


def test_a_hundred_blockers_in_line_stay_narrow() -> None:
    """With a unit for each, the first k take one each and the last of them the rest: counted by hand."""
    n, power = 100, 20
    shares = tuple(Share("a", f"b{at}", range(power + 1)) for at in range(n))
    meters = tuple(Meter(f"b{at}", 1, ((at, AMOUNT),)) for at in range(n))
    gates = tuple(Gate(at, range(1, power + 1), tuple(range(at))) for at in range(1, n))
    problem = Problem(shares, (Total(tuple(range(n)), power, power),), meters, gates)
    assert DiagramEngine(problem).count() == 2 ** (power - 1)


def test_a_small_problem_needs_no_numpy() -> None:
    code = (
        "import sys\n"
        "from lethal.solver.diagram import DiagramEngine\n"
        "from lethal.solver.problem import *\n"
        "shares = (Share('a', 'x', range(5)), Share('a', 'y', range(5)))\n"
        "engine = DiagramEngine(Problem(shares, (Total((0, 1), 4, 4),)))\n"
        "assert engine.count() == 5 == len(list(engine.rows()))\n"
        "assert engine.best(Objective('x', (Score('x', ((0, AMOUNT),)),))).row == (4, 0)\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
