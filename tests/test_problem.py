"""The language, on problems that have nothing to do with cards: what it means and what it refuses."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from lethal.solver.evaluate import holds, readings, violations
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Gate,
    Meter,
    Objective,
    Partly,
    Problem,
    ProblemError,
    Score,
    Share,
    Short,
    Table,
    Total,
    Used,
    linear,
    step,
)


def solutions(problem: Problem) -> list[tuple[int, ...]]:
    return [row for row in product(*(share.values for share in problem.shares)) if holds(problem, row)]


def shares(*domains: range | tuple[int, ...], source: str = "s") -> tuple[Share, ...]:
    return tuple(Share(source, f"r{at}", values) for at, values in enumerate(domains))


@pytest.mark.parametrize(("n", "k"), [(0, 1), (4, 1), (4, 3), (6, 4)])
def test_compositions_of_n_into_k_parts_are_counted_by_the_binomial(n: int, k: int) -> None:
    problem = Problem(shares(*[range(n + 1)] * k), (Total(tuple(range(k)), n, n),))
    assert len(solutions(problem)) == comb(n + k - 1, k - 1)


def test_a_bounded_knapsack_reads_its_weight_through_tables() -> None:
    weights, limit = (2, 3, 5), 10
    spare = Meter("too heavy", limit + 1, tuple((at, linear(w)) for at, w in enumerate(weights)))
    problem = Problem(shares(*[range(4)] * 3), meters=(spare,), at_most=(AtMost(0, (Full(0),)),))
    expected = [
        x for x in product(range(4), repeat=3) if sum(w * n for w, n in zip(weights, x, strict=True)) <= limit
    ]
    assert solutions(problem) == expected


@pytest.mark.parametrize(
    ("rows", "columns", "count"), [((2, 2), (2, 2), 3), ((1, 1, 1), (1, 1, 1), 6), ((2, 2, 2), (2, 2, 2), 21)]
)
def test_contingency_tables_with_fixed_margins(
    rows: tuple[int, ...], columns: tuple[int, ...], count: int
) -> None:
    cells = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
    made = tuple(Share(f"row {i}", f"column {j}", range(min(rows[i], columns[j]) + 1)) for i, j in cells)
    totals = [Total(tuple(at for at, c in enumerate(cells) if c[0] == i), n, n) for i, n in enumerate(rows)]
    totals += [
        Total(tuple(at for at, c in enumerate(cells) if c[1] == j), n, n) for j, n in enumerate(columns)
    ]
    assert len(solutions(Problem(made, tuple(totals)))) == count


def test_a_total_lets_through_what_lies_between_its_bounds() -> None:
    problem = Problem(shares(range(3), range(3)), (Total((0, 1), 1, 2),))
    assert solutions(problem) == [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]


def test_negative_values_are_values_like_any_other() -> None:
    problem = Problem(shares((-2, 0, 3), (-1, 2)), (Total((0, 1), 0, 2),))
    assert solutions(problem) == [(-2, 2), (0, 2), (3, -1)]


def test_a_gate_opens_when_its_meters_are_full_and_only_in_its_values() -> None:
    meter = Meter("m", 2, ((0, AMOUNT),))
    problem = Problem(shares(range(3), range(3)), meters=(meter,), gates=(Gate(1, (2,), (0,)),))
    assert [row for row in product(range(3), repeat=2) if not holds(problem, row)] == [(0, 2), (1, 2)]


def test_a_step_table_fills_a_meter_at_once() -> None:
    meter = Meter("m", 5, ((0, step(1, 5)), (1, AMOUNT)))
    problem = Problem(shares(range(2), range(6)), meters=(meter,))
    assert readings(problem, (1, 0)) == [5]
    assert readings(problem, (0, 4)) == [4]
    assert readings(problem, (1, 4)) == [5]


@pytest.mark.parametrize(
    ("literal", "rows"),
    [
        (Used(0), [(1, 0), (1, 1), (2, 0), (2, 1)]),
        (Used(0, (1,)), [(1, 0), (1, 1)]),
        (Full(0), [(1, 1), (2, 0), (2, 1)]),
        (Full(0, False), [(0, 0), (0, 1), (1, 0)]),
        (Partly(0), [(0, 1), (1, 0)]),
        (Short(0, 0), [(1, 0)]),
    ],
)
def test_literals_hold_exactly_where_they_say(
    literal: Used | Full | Partly | Short, rows: list[tuple[int, ...]]
) -> None:
    meter = Meter("m", 2, ((0, AMOUNT), (1, AMOUNT)))
    forbidden = Problem(shares(range(3), range(2)), meters=(meter,), at_most=(AtMost(0, (literal,)),))
    assert [row for row in product(range(3), range(2)) if not holds(forbidden, row)] == rows


def crossed(sequential: bool) -> Problem:
    """Two sources of 2 over two recipients of 2; each may reach its second only once its first is full."""
    made = tuple(Share(s, r, range(3)) for s in "ab" for r in "xy")
    meters = (Meter("x", 2, ((0, AMOUNT), (2, AMOUNT))), Meter("y", 2, ((1, AMOUNT), (3, AMOUNT))))
    gates = (Gate(1, (1, 2), (0,), "g1"), Gate(2, (1, 2), (1,), "g2"))
    return Problem(made, (Total((0, 1), 2, 2), Total((2, 3), 2, 2)), meters, gates, sequential=sequential)


def test_joint_gates_let_two_sources_hold_each_other_up() -> None:
    assert solutions(crossed(sequential=False)) == [(0, 2, 2, 0), (1, 1, 1, 1), (2, 0, 0, 2)]


def test_sequential_gates_are_a_least_fixed_point() -> None:
    assert solutions(crossed(sequential=True)) == [(2, 0, 0, 2)]
    assert {v.rule for v in violations(crossed(sequential=True), (0, 2, 2, 0))} == {"g1", "g2"}


def test_an_at_most_of_one_source_is_checked_in_its_turn() -> None:
    made = tuple(Share(s, r, range(3)) for s in "ab" for r in "xy")
    meters = (Meter("x", 2, ((0, AMOUNT), (2, AMOUNT))), Meter("y", 2, ((1, AMOUNT), (3, AMOUNT))))
    totals = (Total((0, 1), 2, 2), Total((2, 3), 2, 2))
    bounds = (AtMost(0, (Short(0, 0), Short(1, 1))), AtMost(0, (Short(2, 0), Short(3, 1))))
    joint = Problem(made, totals, meters, (), bounds)
    sequential = Problem(made, totals, meters, (), bounds, sequential=True)
    assert (1, 1, 1, 1) in solutions(joint)
    assert (1, 1, 1, 1) not in solutions(sequential)
    assert sequential.owner(bounds[0]) == "a"


def test_every_broken_constraint_is_named_with_its_rule() -> None:
    meter = Meter("m", 3, ((0, AMOUNT),))
    problem = Problem(
        shares(range(4), range(4)),
        (Total((0, 1), 3, 3, "T", "it gives 3 in all"),),
        (meter,),
        (Gate(1, (1, 2, 3), (0,), "G"),),
        (AtMost(0, (Used(1),), "A"),),
        rule="D",
    )
    assert [v.rule for v in violations(problem, (9, 2))] == ["D", "T", "A"]
    assert [v.rule for v in violations(problem, (1, 1))] == ["T", "G", "A"]
    assert violations(problem, (3, 0)) == []


def test_all_defects_of_a_problem_are_reported_at_once() -> None:
    with pytest.raises(ProblemError) as caught:
        Problem(
            (Share("s", "r", ()), Share("s", "r", (2, 1))),
            (Total((0, 7), 3, 2),),
            (Meter("m", -1, ((1, linear(-1)),)),),
            (Gate(5, (1,), (4,)),),
            (AtMost(1, (Full(3), Used(9))),),
        )
    text = "\n".join(caught.value.defects)
    for part in (
        "has no value",
        "must rise",
        "is there twice",
        "no share 7",
        "least 3",
        "full is negative",
        "less than 0",
        "no share 5",
        "no meter 4",
        "no meter 3",
        "no share 9",
    ):
        assert part in text


def test_tables_are_linear_on_pieces() -> None:
    table = Table(((0, 0, 1), (3, 10, 0), (5, 10, -2)))
    assert [table(v) for v in range(-1, 8)] == [-1, 0, 1, 2, 10, 10, 10, 8, 6]
    assert table.extremes(range(8)) == (0, 10)
    assert Table.of({0: 4, 2: 1})(2) == 1
    with pytest.raises(ProblemError):
        Table(())
    with pytest.raises(ProblemError):
        Table(((1, 0, 0), (1, 0, 0)))


def test_table_extremes_over_sparse_domains_agree_with_a_scan() -> None:
    table = Table(((0, 5, -1), (4, 9, 2), (10, 0, 3)))
    for values in ((1, 3), (0, 3, 5, 9, 12), (2, 11), range(2, 13), (7,)):
        entries = [table(v) for v in values]
        assert table.extremes(values) == (min(entries), max(entries))


def test_narrowing_keeps_what_it_says_and_an_empty_domain_leaves_nothing() -> None:
    problem = Problem(shares(range(3), range(3)), (Total((0, 1), 2, 2),))
    assert solutions(problem.narrowed({0: range(1, 3)})) == [(1, 1), (2, 0)]
    assert solutions(problem.narrowed({0: ()})) == []


def test_objectives_add_tables_over_shares_and_meters() -> None:
    problem = Problem(shares(range(4), range(4)), meters=(Meter("m", 2, ((0, AMOUNT),)),))
    extra = Meter("n", 5, ((0, AMOUNT), (1, AMOUNT)))
    objective = Objective("o", (Score("a", ((1, linear(3)),), ((0, AMOUNT), (1, linear(-1)))),), (extra,))
    row = (3, 3)
    assert objective.of(row, readings(problem.with_meters([extra]), row)) == (9 + 2 - 5,)


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="a row needs 2 values"):
        holds(Problem(shares(range(2), range(2))), (1,))
