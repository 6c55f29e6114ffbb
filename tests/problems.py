"""Random small problems and objectives over every part of the language, and the brute force to judge by."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from lethal.solver import evaluate
from lethal.solver.order import listing
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
    linear,
    step,
)


def brute(problem: Problem) -> list[tuple[int, ...]]:
    """Every legal row, by trying all, in the listing order."""
    along = listing(problem)
    rows = (
        row for row in product(*(share.values for share in problem.shares)) if evaluate.holds(problem, row)
    )
    return sorted(rows, key=lambda row: [row[at] for at in along])


@st.composite
def tables(draw: st.DrawFn, full: int) -> Table:
    """A table with entries of 0 or more over values from 0 on."""
    kind = draw(st.sampled_from(["amount", "twice", "step", "table"]))
    if kind == "amount":
        return AMOUNT
    if kind == "twice":
        return linear(2)
    if kind == "step":
        return step(draw(st.integers(1, 2)), max(1, full))
    return Table.of({at: draw(st.integers(0, 3)) for at in range(4)})


@st.composite
def meters(draw: st.DrawFn, shares: int, name: str) -> Meter:
    full = draw(st.integers(0, 4))
    used = draw(st.lists(st.integers(0, shares - 1), max_size=3, unique=True))
    return Meter(name, full, tuple((at, draw(tables(full))) for at in used))


@st.composite
def problems(draw: st.DrawFn, sequential: bool | None = False, max_shares: int = 6) -> Problem:
    """A problem of few shares with anything in it; `sequential` None draws the flag too."""
    n = draw(st.integers(1, max_shares))
    width = draw(st.integers(1, 4))
    domains: list[Values] = []
    for _ in range(n):
        top = draw(st.integers(0, 3 if n > 4 else 4))
        domains.append(range(top + 1))
        if draw(st.integers(0, 5)) == 0:
            domains[-1] = tuple(sorted(draw(st.sets(st.integers(0, 5), min_size=1, max_size=3))))
    shares = tuple(Share(f"s{at // width}", f"r{at % width}", values) for at, values in enumerate(domains))
    index = st.integers(0, n - 1)
    some = st.lists(index, min_size=1, max_size=4, unique=True)
    totals = []
    for _ in range(draw(st.integers(0, 3))):
        least = draw(st.integers(0, 5))
        totals.append(Total(tuple(draw(some)), least, least + draw(st.integers(0, 3))))
    read = tuple(draw(meters(n, f"m{at}")) for at in range(draw(st.integers(0, 4))))
    gates, bounds = [], []
    if read:
        meter = st.integers(0, len(read) - 1)
        for _ in range(draw(st.integers(0, 4))):
            values: Values = draw(st.sampled_from([range(1, 9), range(2, 9), (1, 3), (0, 2)]))
            needed = tuple(draw(st.lists(meter, min_size=1, max_size=3, unique=True)))
            gates.append(Gate(draw(index), values, needed))
    for _ in range(draw(st.integers(0, 2))):
        literals = draw(st.lists(_literals(n, len(read)), min_size=1, max_size=4))
        if draw(st.booleans()):
            literals = [x for x in literals if isinstance(x, Short)] or literals
        bounds.append(AtMost(draw(st.integers(0, 2)), tuple(literals)))
    flag = draw(st.booleans()) if sequential is None else sequential
    return Problem(shares, tuple(totals), read, tuple(gates), tuple(bounds), flag)


def _literals(shares: int, meter_count: int) -> st.SearchStrategy[Literal]:
    share = st.integers(0, shares - 1)
    used = st.builds(Used, share, st.sampled_from([None, (1,), range(2, 5), (0, 3)]))
    if not meter_count:
        return used
    meter = st.integers(0, meter_count - 1)
    full = st.builds(Full, meter, st.booleans())
    return used | full | st.builds(Partly, meter) | st.builds(Short, share, meter)


@st.composite
def objectives(draw: st.DrawFn, problem: Problem) -> Objective:
    """One to three scores over shares, meters and meters of their own."""
    n = len(problem.shares)
    own = tuple(draw(meters(n, f"own{at}")) for at in range(draw(st.integers(0, 2))))
    table = st.sampled_from([AMOUNT, linear(-1), linear(3), step(2, 5), Table(((0, 1, 0), (2, 0, 1)))])
    count = len(problem.meters) + len(own)
    scores = []
    for number in range(draw(st.integers(1, 3))):
        of_shares = draw(st.lists(st.tuples(st.integers(0, n - 1), table), max_size=3))
        of_meters = draw(st.lists(st.tuples(st.integers(0, count - 1), table), max_size=3)) if count else []
        scores.append(Score(f"score{number}", tuple(of_shares), tuple(of_meters)))
    return Objective("drawn", tuple(scores), own)


def score(problem: Problem, objective: Objective, row: tuple[int, ...]) -> tuple[int, ...]:
    """A row's scores by the reference reading."""
    return objective.of(row, evaluate.readings(problem.with_meters(objective.meters), row))
