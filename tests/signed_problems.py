"""Random problems with negative amounts, gaps and tables of any slope, and how they are answered by trying all."""

from __future__ import annotations

from hypothesis import strategies as st
from problems import brute

from lethal.solver.engine import Ranked
from lethal.solver.evaluate import readings
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Gate,
    Literal,
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
)

Row = tuple[int, ...]


def scored(problem: Problem, objective: Objective) -> list[Ranked]:
    wide = problem.with_meters(objective.meters)
    found = [Ranked(objective.of(row, readings(wide, row)), row) for row in brute(problem)]
    return sorted(found, key=lambda x: [-s for s in x.score])  # stable: equal scores stay in listing order


def ends(rows: list[Row]) -> list[tuple[int, int]]:
    return [(min(column), max(column)) for column in zip(*rows, strict=True)]


# Random problems.


@st.composite
def tables(draw: st.DrawFn, values: Values, negative: bool = False) -> Table:
    starts = draw(st.lists(st.integers(values[0] - 1, values[-1] + 1), min_size=1, max_size=3, unique=True))
    pieces = [(start, draw(st.integers(-2, 4)), draw(st.integers(-1, 2))) for start in sorted(starts)]
    if draw(st.booleans()):
        pieces = [(start, base, 0) for start, base, _ in pieces]
    lift = 0 if negative else max(0, -Table(tuple(pieces)).extremes(values)[0])
    return Table(tuple((start, base + lift, slope) for start, base, slope in pieces))


def domains() -> st.SearchStrategy[Values]:
    ranges = st.builds(
        lambda low, n: range(low, low + n), st.sampled_from([0, 0, 0, -1, 1]), st.integers(1, 4)
    )
    chosen = st.sets(st.integers(-1, 6), min_size=1, max_size=3).map(lambda x: tuple(sorted(x)))
    return st.one_of(ranges, ranges, chosen)


@st.composite
def meters(draw: st.DrawFn, shares: tuple[Share, ...], name: str) -> Meter:
    at = draw(st.lists(st.integers(0, len(shares) - 1), max_size=4, unique=True))
    terms = tuple(
        (i, AMOUNT if shares[i].values[0] >= 0 and draw(st.booleans()) else draw(tables(shares[i].values)))
        for i in at
    )
    return Meter(name, draw(st.integers(0, 5)), terms)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    pairs = [(s, r) for s in "abc" for r in "xy"]
    columns = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=5, unique=True))
    shares = tuple(Share(s, r, draw(domains())) for s, r in columns)
    share = st.integers(0, len(shares) - 1)
    bounds = st.tuples(st.integers(-1, 4), st.integers(0, 6)).map(lambda x: (x[0], x[0] + x[1]))
    totals = tuple(
        Total(tuple(draw(st.lists(share, min_size=1, unique=True))), *draw(bounds))
        for _ in range(draw(st.integers(0, 2)))
    )
    made = tuple(draw(meters(shares, f"m{i}")) for i in range(draw(st.integers(1, 3))))
    meter = st.integers(0, len(made) - 1)
    gates = tuple(
        Gate(draw(share), draw(domains()), tuple(draw(st.lists(meter, max_size=2, unique=True))))
        for _ in range(draw(st.integers(0, 4)))
    )
    literals: st.SearchStrategy[Literal] = st.one_of(
        st.builds(Used, share, st.one_of(st.none(), domains())),
        st.builds(Full, meter, st.booleans()),
        st.builds(Partly, meter),
        st.builds(Short, share, meter),
    )
    shorts: st.SearchStrategy[Literal] = st.builds(Short, share, meter)
    bounded = tuple(
        AtMost(draw(st.integers(0, 2)), tuple(draw(st.lists(kind, max_size=3))))
        for kind in draw(st.lists(st.sampled_from([literals, shorts]), max_size=3))
    )
    return Problem(shares, totals, made, gates, bounded, sequential=draw(st.booleans()))


@st.composite
def aims(draw: st.DrawFn) -> tuple[Problem, Objective]:
    problem = draw(problems())
    own = tuple(draw(meters(problem.shares, f"o{i}")) for i in range(draw(st.integers(0, 1))))
    numbered = problem.meters + own

    def score(name: str) -> Score:
        at = draw(st.lists(st.integers(0, len(problem.shares) - 1), max_size=2, unique=True))
        read = draw(st.lists(st.integers(0, len(numbered) - 1), max_size=2, unique=True))
        return Score(
            name,
            tuple((i, draw(tables(problem.shares[i].values, negative=True))) for i in at),
            tuple((i, draw(tables(range(numbered[i].full + 1), negative=True))) for i in read),
        )

    return problem, Objective("aim", tuple(score(f"s{i}") for i in range(draw(st.integers(0, 2)))), own)
