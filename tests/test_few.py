"""The best of a problem whose parts read no share, and what is left to a diagram."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, objectives, problems, score

from lethal.solver.diagram import DiagramEngine, few
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Gate,
    Meter,
    Objective,
    Problem,
    Score,
    Share,
    Table,
    Total,
    Used,
    linear,
    step,
)

MOST = Objective("most", (Score("given", ((0, AMOUNT),)),))
NOTHING = Objective("nothing", ())
SHARE = Share("s", "r", range(4))


@pytest.mark.parametrize("least", [0, 1])
def test_a_total_of_nothing_decides_even_without_shares(least: int) -> None:
    best = DiagramEngine(Problem((), (Total((), least, 1),))).best(NOTHING)
    assert (best is None) is (least > 0)


@pytest.mark.parametrize("most", [-1, 0])
def test_a_bound_on_nothing_decides(most: int) -> None:
    best = DiagramEngine(Problem((SHARE,), at_most=(AtMost(most, ()),))).best(MOST)
    assert (best is None) is (most < 0)


@pytest.mark.parametrize("full", [0, 1])
def test_a_bound_on_a_meter_without_shares_decides(full: int) -> None:
    problem = Problem((SHARE,), meters=(Meter("m", full, ()),), at_most=(AtMost(0, (Full(0),)),))
    best = DiagramEngine(problem).best(MOST)
    assert (best is None) is (full == 0)


def test_overlapping_totals_are_left_to_a_diagram() -> None:
    shares = (SHARE, Share("t", "r", range(4)))
    problem = Problem(shares, (Total((0, 1), 3, 3), Total((0,), 0, 2)))
    with pytest.raises(few.TooMany):
        few.Few(problem, sorted).best([0, 1], MOST, problem.meters)
    best = DiagramEngine(problem).best(MOST)
    assert best is not None
    assert best.row == (2, 1)


def test_large_amounts_are_refused_at_once_and_not_listed() -> None:
    shares = tuple(Share("s", f"r{at}", range(10**6 + 1)) for at in range(3))
    problem = Problem(shares, (Total((0, 1, 2), 10**6, 10**6),))
    with pytest.raises(few.TooMany):
        few.Few(problem, sorted).best([0, 1, 2], MOST, problem.meters)


def test_large_amounts_with_few_rows_are_answered() -> None:
    shares = (Share("s", "r", (0, 10**6)), Share("s", "q", range(10**6 + 1)))
    bound = AtMost(0, (Used(1, (10**6,)),))
    problem = Problem(shares, (Total((0, 1), 10**6, 10**6),), at_most=(bound,))
    best = DiagramEngine(problem).best(MOST)
    assert best is not None
    assert best.row == (10**6, 0)


def ways(monkeypatch: pytest.MonkeyPatch, rows: int, cells: int) -> None:
    """Up to so many rows one by one, up to so many cells on arrays, the rest on diagrams."""
    monkeypatch.setattr(few, "LIMIT", rows)
    monkeypatch.setattr(few, "GRID", cells)


WAYS = {"rows": (10**6, 0), "grid": (-1, 10**6), "diagram": (-1, -1)}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_each_way_finds_the_first_best_row(way: str, data: st.DataObject) -> None:
    problem = data.draw(problems())
    objective = data.draw(objectives(problem))
    with pytest.MonkeyPatch.context() as patch:
        ways(patch, *WAYS[way])
        best = DiagramEngine(problem).best(objective)
    expected = brute(problem)
    assert (best is None) is (not expected)
    if best is not None:
        assert best.row == max(expected, key=lambda row: score(problem, objective, row))
        assert best.score == score(problem, objective, best.row)


def shared(power: int, blockers: int) -> Problem:
    """Two attackers deal with the same blockers of toughness 3 and, once these have lethal damage, the player."""
    targets = [f"b{at}" for at in range(blockers)] + ["player"]
    shares = tuple(Share(a, to, range(power + 1)) for a in "xy" for to in targets)
    n = len(targets)
    totals = tuple(Total(tuple(range(at * n, at * n + n)), power, power) for at in (0, 1))
    meters = tuple(Meter(f"b{b}", 3, ((b, AMOUNT), (n + b, AMOUNT))) for b in range(blockers))
    gates = tuple(Gate(at, range(1, power + 1), tuple(range(blockers))) for at in (n - 1, 2 * n - 1))
    return Problem(shares, totals, meters, gates)


KILLS = Objective("kills", (Score("kills", meters=tuple((at, step(3, 1)) for at in range(3))),))


@pytest.mark.parametrize("way", ["grid", "diagram"])
def test_thousands_of_combinations_have_the_same_first_best(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """56 rows each: of 3,136 combinations those that kill all three and give the player what is left, unevenly."""
    ways(monkeypatch, *WAYS[way])
    problem = shared(5, 3)
    through = Objective("through", (*KILLS.scores, Score("through", ((3, linear(2)), (7, linear(3))))))
    best = DiagramEngine(problem).best(through)
    assert best is not None
    assert best.score == (3, 3)
    assert sum(best.row[3::4]) == 1
    assert best.row == (0, 2, 3, 0, 3, 1, 0, 1)


def test_the_grid_is_taken_and_weights_beyond_64_bits_are_left_to_a_diagram() -> None:
    problem = shared(5, 3)
    some = few.Few(problem, sorted)
    group = list(range(8))
    assert some.best(group, KILLS, problem.meters) is not None
    huge = Objective("huge", (Score("huge", ((0, linear(1 << 62)), (4, Table(((0, 1 << 50, 1),))))),))
    with pytest.raises(few.TooMany):
        some.best(group, huge, problem.meters)
    best = DiagramEngine(problem).best(huge)
    assert best is not None
    assert best.row[:1] == (5,)
    assert best.score == (5 * (1 << 62) + (1 << 50) + best.row[4],)
