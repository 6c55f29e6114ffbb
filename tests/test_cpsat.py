"""The CP-SAT engine against the reference reading, on random problems, known counts, and the solver's traps."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import islice, product
from math import comb
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from ortools.sat.python import cp_model
from problems import brute
from signed_problems import Row, aims, ends, problems, scored

from lethal.solver import cpsat_search
from lethal.solver.cpsat import CpSatEngine
from lethal.solver.cpsat_model import Built, circles
from lethal.solver.cpsat_search import OutOfTime
from lethal.solver.engine import EngineError, TooWide, Unsupported
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Gate,
    Meter,
    Objective,
    Partly,
    Problem,
    Score,
    Share,
    Short,
    Table,
    Total,
    Used,
    Values,
    linear,
    step,
)

often = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@often
@given(problems())
def test_lists_counts_and_bounds_are_those_of_the_reference_in_its_order(problem: Problem) -> None:
    expected = brute(problem)
    engine = CpSatEngine(problem)
    assert list(engine.rows()) == expected
    assert engine.count() == len(expected)
    assert engine.empty() is (not expected)
    assert engine.bounds() == ends(expected)


@often
@given(aims())
def test_best_ranked_and_optima_are_those_of_the_reference(aim: tuple[Problem, Objective]) -> None:
    problem, objective = aim
    expected = scored(problem, objective)
    engine = CpSatEngine(problem)
    assert engine.best(objective) == (expected[0] if expected else None)
    assert list(islice(engine.ranked(objective), 40)) == expected[:40]
    top = [x.row for x in expected if x.score == expected[0].score]
    optima = engine.optima(objective)
    assert list(optima.rows()) == top
    assert optima.count() == len(top)
    assert optima.bounds() == ends(top)


# Known counts.


def shares(*domains: Values, source: str = "s") -> tuple[Share, ...]:
    return tuple(Share(source, f"r{at}", values) for at, values in enumerate(domains))


def compositions(n: int, k: int) -> Problem:
    return Problem(shares(*[range(n + 1)] * k), (Total(tuple(range(k)), n, n),))


def contingency(rows: Row, columns: Row) -> Problem:
    cells = list(product(range(len(rows)), range(len(columns))))
    made = tuple(Share(f"row {i}", f"column {j}", range(min(rows[i], columns[j]) + 1)) for i, j in cells)
    totals = [Total(tuple(at for at, c in enumerate(cells) if c[0] == i), n, n) for i, n in enumerate(rows)]
    totals += [
        Total(tuple(at for at, c in enumerate(cells) if c[1] == j), n, n) for j, n in enumerate(columns)
    ]
    return Problem(made, tuple(totals))


@pytest.mark.parametrize(("n", "k"), [(0, 1), (4, 1), (5, 4), (12, 6)])
def test_compositions_of_n_into_k_parts_are_counted_by_the_binomial(n: int, k: int) -> None:
    assert CpSatEngine(compositions(n, k)).count() == comb(n + k - 1, k - 1)


def test_a_bounded_knapsack_is_packed_in_every_way() -> None:
    weights, limit = (2, 3, 5, 7), 17
    load = Meter("too heavy", limit + 1, tuple((at, linear(w)) for at, w in enumerate(weights)))
    problem = Problem(shares(*[range(4)] * 4), meters=(load,), at_most=(AtMost(0, (Full(0),)),))
    ways = [1] + [0] * limit
    for w in weights:
        ways = [sum(ways[at - n * w] for n in range(4) if at >= n * w) for at in range(limit + 1)]
    assert CpSatEngine(problem).count() == sum(ways)


@pytest.mark.parametrize(
    ("margins", "count"), [((1, 1, 1), 6), ((2, 2, 2), 21), ((3, 3, 3), 55), ((4, 4, 4), 120)]
)
def test_magic_squares_of_three_rows_are_counted(margins: Row, count: int) -> None:
    """H_3(r) = C(r+2, 4) + C(r+3, 4) + C(r+4, 4), MacMahon 1915."""
    r = margins[0]
    assert count == comb(r + 2, 4) + comb(r + 3, 4) + comb(r + 4, 4)
    assert CpSatEngine(contingency(margins, margins)).count() == count


def test_independent_components_multiply_instead_of_being_listed_together() -> None:
    parts = [Share(f"s{i}", f"r{j}", range(10)) for i in range(8) for j in range(3)]
    totals = tuple(Total((3 * i, 3 * i + 1, 3 * i + 2), 9, 9) for i in range(8))
    free = Share("free", "r", range(1_000_000))
    assert CpSatEngine(Problem((*parts, free), totals)).count() == comb(11, 2) ** 8 * 1_000_000


# Traps.


def stepped() -> Problem:
    """Steps, clipped sums, gates and every kind of literal: helpers of all kinds."""
    clipped = Table(((0, 0, 1), (3, 3, 0)))
    made = (
        Meter("first", 4, ((0, AMOUNT), (1, step(1, 4)))),
        Meter("second", 5, ((2, clipped), (3, clipped), (0, step(2, 2)))),
    )
    gates = (Gate(1, range(1, 7), (0,)), Gate(3, range(2, 7), (0, 1)))
    some = AtMost(2, (Used(0), Full(1, False), Partly(0), Partly(1), Short(2, 0), Short(3, 1)))
    return Problem(shares(*[range(7)] * 4), (Total((0, 1, 2, 3), 3, 9),), made, gates, (some,))


def test_helper_variables_do_not_multiply_solutions() -> None:
    problem = stepped()
    aims = Objective("all", (Score("read", meters=((0, linear(2)), (1, Table(((0, 0, 1), (2, 9, -1)))))),))
    expected = brute(problem)
    assert len(expected) > 50
    assert list(CpSatEngine(problem).rows()) == expected
    assert list(CpSatEngine(problem).ranked(aims)) == scored(problem, aims)


def test_shares_that_are_each_others_opposite_are_listed_in_order_too() -> None:
    """Presolve would write one share as 1 minus another, and then list it from its greatest value down."""
    powers, recipients = {"A1": 3, "A2": 1}, ("B1", "B2", "player")
    made = tuple(Share(a, r, range(power + 1)) for a, power in powers.items() for r in recipients)
    totals = (Total((0, 1, 2), 3, 3), Total((3, 4, 5), 1, 1))
    blockers = tuple(Meter(r, 1, ((at, AMOUNT), (at + 3, AMOUNT))) for at, r in enumerate(recipients[:2]))
    after = range(1, 4), range(1, 2)
    gates = tuple(
        Gate(3 * a + at, after[a], tuple(range(at))) for a in range(2) for at in range(1, len(recipients))
    )
    for sequential in (False, True):
        problem = Problem(made, totals, blockers, gates, sequential=sequential)
        assert list(CpSatEngine(problem).rows()) == brute(problem)


def test_workers_do_not_lose_solutions() -> None:
    """With two workers the solver would list 2,276 of these 6,188 and call the list complete."""
    engine = CpSatEngine(compositions(12, 6), workers=2)
    rows = list(engine.rows())
    assert len(rows) == len(set(rows)) == 6188
    assert engine.count() == 6188


@pytest.mark.parametrize(("limit", "complete"), [(27, False), (28, True), (29, True)])
def test_a_limit_equal_to_the_count_is_complete(limit: int, complete: bool) -> None:
    found = list(islice(CpSatEngine(compositions(2, 7)).rows(), limit + 1))
    assert (len(found) <= limit) is complete


def test_a_million_of_damage_needs_no_literal_for_each_value() -> None:
    n = 1_000_000
    clipped = Table(((0, 0, 1), (n // 2, 7, 0)))
    third = Meter("third", n // 3, ((0, AMOUNT), (1, step(1, n // 3)), (2, clipped)))
    gate = Gate(3, range(1, n + 1), (0,))
    problem = Problem(shares(*[range(n + 1)] * 4), (Total((0, 1, 2, 3), n, n),), (third,), (gate,))
    start = perf_counter()
    built = Built(problem)
    assert perf_counter() - start < 0.1
    assert len(built.model.proto.variables) < 20
    engine = CpSatEngine(problem)
    most = Objective("overflow", (Score("beyond", ((3, AMOUNT),)), Score("second", ((1, AMOUNT),))))
    assert engine.best(most) == ((n - 1, 1), (0, 1, 0, n - 1), True)
    assert engine.bounds() == [(0, n), (0, n), (0, n), (0, n - 1)]
    least = Objective("least", (Score("first", ((0, linear(-1)),)), Score("second", ((1, linear(-1)),))))
    assert engine.best(least) == ((0, 0), (0, 0, n // 3, n - n // 3), True)


def test_the_first_rows_of_a_million_come_at_once() -> None:
    n = 1_000_000
    third = Meter("third", n // 3, ((0, AMOUNT), (1, step(1, n // 3))))
    gate = Gate(2, range(1, n + 1), (0,))
    problem = Problem(shares(*[range(n + 1)] * 3), (Total((0, 1, 2), n, n),), (third,), (gate,))
    first = [(0, x, n - x) for x in range(1, 5)]
    assert list(islice(CpSatEngine(problem).rows(), 4)) == first


def test_a_stepping_table_needs_one_literal_a_piece_and_not_more() -> None:
    n = 1_000_000
    ladder = Table(tuple((at * n // 4, at, 0) for at in range(4)))
    meter = Meter("ladder", 3, ((0, ladder),))
    problem = Problem(shares(range(n)), meters=(meter,), at_most=(AtMost(0, (Full(0, False),)),))
    assert len(Built(problem).model.proto.variables) <= 1 + 1 + 3 + 1
    assert CpSatEngine(problem).bounds() == [(3 * n // 4, n - 1)]


def circle() -> Problem:
    """Two sources, each of which may give freely only where the other made the recipient full before."""
    made = tuple(Share(s, r, range(3)) for s in ("a", "b", "c") for r in ("x", "y"))
    ms = (
        Meter("x", 2, ((0, AMOUNT), (2, AMOUNT), (4, AMOUNT))),
        Meter("y", 2, ((1, AMOUNT), (3, AMOUNT), (5, AMOUNT))),
    )
    gates = (Gate(1, range(1, 3), (0,)), Gate(2, range(1, 3), (1,)), Gate(5, range(2, 3), (0,)))
    own = AtMost(1, (Short(0, 0), Short(1, 1)))
    return Problem(made, (Total((0, 1), 0, 2), Total((2, 3), 0, 2)), ms, gates, (own,), sequential=True)


def test_sources_that_wait_for_each_other_join_in_one_way_and_never_hold_each_other_up() -> None:
    problem = circle()
    assert [set(x) for x in circles(problem)] == [{"a", "b", "c"}]
    expected = brute(problem)
    joint = Problem(problem.shares, problem.totals, problem.meters, problem.gates, problem.at_most)
    assert 0 < len(expected) < len(brute(joint))
    assert list(CpSatEngine(problem).rows()) == expected


def test_sequential_problems_without_a_circle_need_no_rounds() -> None:
    made = (Share("a", "x", range(4)), Share("a", "y", range(4)), Share("b", "x", range(4)))
    ms = (Meter("x", 3, ((0, AMOUNT), (2, AMOUNT))),)
    problem = Problem(made, meters=ms, gates=(Gate(1, range(1, 4), (0,)),), sequential=True)
    assert circles(problem) == []
    assert list(CpSatEngine(problem).rows()) == brute(problem)


def test_all_optima_are_found_and_not_the_one_that_enumerating_an_objective_gives() -> None:
    objective = Objective("spread", (Score("touched", tuple((at, step(1, 1)) for at in range(4))),))
    optima = CpSatEngine(compositions(6, 4)).optima(objective)
    assert optima.count() == comb(5, 3)
    first = Objective("first", (Score("first", ((0, AMOUNT),)),))
    assert optima.best(first) == ((3,), (3, 1, 1, 1), True)
    assert list(optima.optima(first).rows()) == [(3, 1, 1, 1)]


def test_no_shares_have_one_row_and_an_impossible_total_none() -> None:
    assert list(CpSatEngine(Problem(())).rows()) == [()]
    assert CpSatEngine(Problem(())).count() == 1
    assert CpSatEngine(Problem(())).best(Objective("none", ())) == ((), (), True)
    impossible = CpSatEngine(Problem((), (Total((), 1, 2),)))
    assert list(impossible.rows()) == []
    assert impossible.empty()
    assert impossible.best(Objective("none", (Score("nothing"),))) is None
    assert list(impossible.ranked(Objective("none", ()))) == []
    assert impossible.optima(Objective("none", ())).count() == 0


def test_a_bound_that_nothing_can_keep_forbids_even_a_constant() -> None:
    """The solver takes a constant in an empty interval for true: ranked would then never end."""
    never = AtMost(-1, ())
    assert list(CpSatEngine(Problem(shares(range(2)), at_most=(never,))).rows()) == []
    level = Objective("level", (Score("nothing"),))
    assert [x.row for x in CpSatEngine(compositions(1, 2)).ranked(level)] == [(0, 1), (1, 0)]


def test_totals_below_zero_are_totals_like_any_other() -> None:
    problem = Problem(shares(*[range(-2, 1)] * 3), (Total((0, 1, 2), -5, -3), Total((0, 1), -2, -1)))
    assert list(CpSatEngine(problem).rows()) == brute(problem)
    assert 0 < CpSatEngine(problem).count() < 27


# Streaming.


def searching() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "cpsat"]


def huge() -> Problem:
    return compositions(1000, 12)


def test_rows_stream_from_a_list_that_would_never_end_and_leave_no_thread_behind() -> None:
    rows = CpSatEngine(huge()).rows()
    assert searching() == []
    first = list(islice(rows, 5000))
    assert first[:2] == [(0,) * 11 + (1000,), (0,) * 10 + (1, 999)]
    assert len(searching()) == 1
    rows.close()  # type: ignore[attr-defined]
    assert searching() == []


def test_the_solver_is_never_far_ahead_of_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    take = cpsat_search._Handover.take

    def watched(self: cpsat_search._Handover) -> list[Row]:
        sizes.append(len(self._rows))
        return take(self)

    monkeypatch.setattr(cpsat_search._Handover, "take", watched)
    rows: Iterator[Row] = CpSatEngine(huge()).rows()
    for _ in islice(rows, 20_000):
        pass
    del rows
    assert max(sizes) <= cpsat_search.BATCH
    assert searching() == []


def test_an_iterator_that_was_forgotten_does_not_keep_the_interpreter_alive() -> None:
    code = (
        "from lethal.solver.cpsat import CpSatEngine\n"
        "from lethal.solver.problem import Problem, Share, Total\n"
        "made = tuple(Share('s', f'r{i}', range(1001)) for i in range(12))\n"
        "kept = CpSatEngine(Problem(made, (Total(tuple(range(12)), 1000, 1000),))).rows()\n"
        "assert next(kept)[-1] == 1000\n"
    )
    done = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_blocks_hold_the_rows_in_order() -> None:
    engine = CpSatEngine(compositions(5, 4))
    blocks = list(engine.blocks(10))
    assert [len(block) for block in blocks] == [10] * 5 + [6]
    assert np.array_equal(np.vstack(blocks), np.array(list(engine.rows())))
    assert [block.shape for block in CpSatEngine(Problem(())).blocks(10)] == [(1, 0)]


# Options.


def test_a_side_constraint_narrows_every_answer() -> None:
    def even(model: cp_model.CpModel, variables: object) -> None:
        assert isinstance(variables, tuple)
        half = model.new_int_var(0, 10, "half")
        model.add(variables[0] == 2 * half)

    engine = CpSatEngine(compositions(5, 3), side=even)
    expected = [row for row in brute(compositions(5, 3)) if row[0] % 2 == 0]
    assert list(engine.rows()) == expected
    assert engine.count() == len(expected)
    assert engine.bounds()[0] == (0, 4)
    first = Objective("first", (Score("first", ((0, AMOUNT),)),))
    assert engine.best(first) == ((4,), (4, 0, 1), True)
    assert engine.optima(first).count() == 2


def test_a_side_variable_that_nothing_fixes_is_an_error_and_not_a_longer_list() -> None:
    def loose(model: cp_model.CpModel, variables: object) -> None:
        model.new_bool_var("loose")

    with pytest.raises(EngineError, match="not fixed"):
        CpSatEngine(compositions(2, 2), side=loose).count()


def test_a_side_objective_is_refused() -> None:
    def aim(model: cp_model.CpModel, variables: object) -> None:
        model.maximize(1)

    with pytest.raises(ValueError, match="not an objective"):
        CpSatEngine(compositions(2, 2), side=aim).empty()


def test_out_of_time_is_said_and_never_passed_off_as_an_answer() -> None:
    engine = CpSatEngine(huge(), seconds=0.2)
    with pytest.raises(OutOfTime):
        engine.count()
    with pytest.raises(OutOfTime):
        CpSatEngine(huge(), seconds=1e-9).best(Objective("none", ()))


@pytest.mark.parametrize("options", [{"seconds": 0}, {"seconds": -1}, {"workers": 0}])
def test_options_that_mean_nothing_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        CpSatEngine(compositions(2, 2), **options)


@pytest.mark.parametrize("suffix", ["txt", "pb"])
def test_the_exported_model_has_the_same_solutions(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"model.{suffix}"
    CpSatEngine(stepped()).export(path)
    model = cp_model.CpModel()
    if suffix == "txt":
        assert model.proto.parse_text_format(path.read_text())
    else:
        pb2 = pytest.importorskip("ortools.sat.cp_model_pb2")
        assert model.proto.parse_text_format(str(pb2.CpModelProto.FromString(path.read_bytes())))
    assert len(list(cpsat_search.listed(model, range(4), cpsat_search.Clock(None)))) == len(brute(stepped()))


def test_a_model_goes_to_a_file_that_says_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.txt or \.pb"):
        CpSatEngine(stepped()).export(tmp_path / "model.json")
    with pytest.raises(OSError, match="could not be written"):
        CpSatEngine(stepped()).export(tmp_path / "missing" / "model.txt")


def test_questions_for_other_engines_are_refused_by_name() -> None:
    engine = CpSatEngine(compositions(2, 2))
    rng = np.random.default_rng(0)
    for ask in (
        lambda: engine.row(0),
        lambda: engine.rank((0, 2)),
        lambda: engine.sample(rng, 1),
        lambda: engine.outcomes((), ()),
    ):
        with pytest.raises(Unsupported, match="diagram"):
            ask()


def test_amounts_beyond_the_solver_are_refused() -> None:
    for problem in (
        Problem(shares((0, 2**70))),
        Problem(shares(range(2**62))),
        Problem(shares(range(2**57), range(2**57), range(2**57)), (Total((0, 1, 2), 0, 5),)),
        Problem(
            shares(range(3)), meters=(Meter("m", 1, ((0, linear(2**60)),)),), gates=(Gate(0, (1,), (0,)),)
        ),
    ):
        with pytest.raises(TooWide):
            CpSatEngine(problem).empty()
    lax = Problem(shares(range(3)), (Total((0,), 0, 10**30),), (Meter("m", 10**30, ((0, AMOUNT),)),))
    assert CpSatEngine(lax).count() == 3
