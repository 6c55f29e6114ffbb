"""Sequential problems on the diagram: the least fixed point over sources, whole lists against the reference."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, objectives, problems, score

from lethal.solver.diagram import DiagramEngine
from lethal.solver.engine import TooWide
from lethal.solver.problem import AMOUNT, Gate, Meter, Problem, Share, Total

many = settings(max_examples=400, deadline=None)


@st.composite
def waiting(draw: st.DrawFn) -> Problem:
    """Three sources that give to the same three recipients, with gates that make them wait for one another."""
    top = draw(st.integers(1, 2))
    shares = tuple(Share(f"s{s}", f"r{r}", range(top + 1)) for s in range(3) for r in range(3))
    use = draw(st.lists(st.integers(0, 8), min_size=3, max_size=7, unique=True))
    kept = sorted(use)
    new = {old: at for at, old in enumerate(kept)}
    meters = tuple(
        Meter(f"m{r}", draw(st.integers(1, 3)), tuple((new[s], AMOUNT) for s in kept if s % 3 == r))
        for r in range(3)
    )
    gates = tuple(
        Gate(new[share], range(1, top + 1), tuple(draw(st.sets(st.integers(0, 2), min_size=1, max_size=2))))
        for share in kept
        if draw(st.integers(0, 2))
    )
    totals = (Total(tuple(range(len(kept))), draw(st.integers(0, 4)), 9),)
    return Problem(tuple(shares[at] for at in kept), totals, meters, gates, sequential=True)


@many
@given(problem=problems(sequential=True))
def test_sequential_rows_are_the_legal_ones(problem: Problem) -> None:
    assert list(DiagramEngine(problem).rows()) == brute(problem)


@many
@given(problem=waiting())
def test_sources_that_wait_for_one_another_join_in_some_order_or_not_at_all(problem: Problem) -> None:
    assert list(DiagramEngine(problem).rows()) == brute(problem)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_best_of_a_sequential_problem(data: st.DataObject) -> None:
    problem = data.draw(problems(sequential=True) | waiting())
    objective = data.draw(objectives(problem))
    best = DiagramEngine(problem).best(objective)
    expected = max(brute(problem), key=lambda row: score(problem, objective, row), default=None)
    assert (best and best.row) == expected


def ring(n: int, sequential: bool) -> Problem:
    """Sources in a ring, each giving one to its own recipient only if the one before has given."""
    shares = tuple(Share(f"s{at}", f"r{at}", range(2)) for at in range(n))
    meters = tuple(Meter(f"r{at}", 1, ((at, AMOUNT),)) for at in range(n))
    gates = tuple(Gate(at, (1,), ((at - 1) % n,)) for at in range(n))
    return Problem(shares, (), meters, gates, sequential=sequential)


def test_sources_cannot_hold_each_other_up() -> None:
    assert DiagramEngine(ring(4, sequential=False)).count() == 2
    assert list(DiagramEngine(ring(4, sequential=True)).rows()) == [(0, 0, 0, 0)]


def test_a_long_line_of_sources_needs_few_at_a_time() -> None:
    n = 40
    line = ring(n, sequential=True)
    problem = Problem(line.shares, (), line.meters, line.gates[1:], sequential=True)
    assert DiagramEngine(problem).count() == n + 1


def test_too_many_that_wait_for_one_another_are_refused_with_the_way_out() -> None:
    n = 9
    shares = tuple(Share(f"s{at}", f"r{to}", range(2)) for at in range(n) for to in range(2))
    meters = tuple(Meter(f"m{to}", 3, tuple((2 * at + to, AMOUNT) for at in range(n))) for to in range(2))
    gates = tuple(Gate(2 * at + to, (1,), (1 - to,)) for at in range(n) for to in range(2))
    with pytest.raises(TooWide, match="cpsat"):
        DiagramEngine(Problem(shares, (), meters, gates, sequential=True)).count()
