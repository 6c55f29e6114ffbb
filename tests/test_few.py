"""The best of a problem whose parts read no share, and what is left to a diagram."""

from __future__ import annotations

import pytest

from lethal.solver.diagram import DiagramEngine, few
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Meter,
    Objective,
    Problem,
    Score,
    Share,
    Total,
    Used,
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
    assert few.Few(problem).rows([0, 1]) is None
    best = DiagramEngine(problem).best(MOST)
    assert best is not None
    assert best.row == (2, 1)


def test_large_amounts_are_refused_at_once_and_not_listed() -> None:
    shares = tuple(Share("s", f"r{at}", range(10**6 + 1)) for at in range(3))
    problem = Problem(shares, (Total((0, 1, 2), 10**6, 10**6),))
    assert few.Few(problem).rows([0, 1, 2]) is None


def test_large_amounts_with_few_rows_are_answered() -> None:
    shares = (Share("s", "r", (0, 10**6)), Share("s", "q", range(10**6 + 1)))
    bound = AtMost(0, (Used(1, (10**6,)),))
    problem = Problem(shares, (Total((0, 1), 10**6, 10**6),), at_most=(bound,))
    best = DiagramEngine(problem).best(MOST)
    assert best is not None
    assert best.row == (10**6, 0)
