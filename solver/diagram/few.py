"""The best row of a component that has but a few rows: all of them side by side, a column for each share.

For a typical combat this takes a third of the time of a diagram. The reading is the joint one, as in `evaluate.holds`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from operator import add

from lethal.solver.diagram.presolve import Bound, Reduced
from lethal.solver.problem import (
    AMOUNT,
    Full,
    Literal,
    Meter,
    Objective,
    Partly,
    Row,
    Score,
    Short,
    Used,
    Values,
)

LIMIT = 128
"""The most rows that are tried, illegal ones included."""

Column = Sequence[int]
Rows = Sequence[tuple[int, ...]]


def within_totals(reduced: Reduced, group: Sequence[int]) -> Rows | None:
    """The rows within the totals, in listing order; None if there are more than LIMIT, or totals overlap."""
    domains = reduced.domains
    totals = [reduced.problem.totals[at] for share in group for at in reduced.totals_at.get(share, ())]
    sums = [(total.shares, total.least, total.most) for total in totals]
    order = [at for shares, _, _ in sums for at in shares]
    if len(set(order)) < len(order):
        return None
    if len(order) < len(group):
        free = [at for at in group if at not in order]
        sums += [((at,), domains[at][0], domains[at][-1]) for at in free]
        order += free
    parts: list[Rows] = []
    for shares, least, most in sums:
        part = _within(tuple([domains[at] for at in shares]), least, most)
        if part is None:
            return None
        parts.append(part)
    if len(parts) == 1 and order == group:
        return parts[0]
    if prod(map(len, parts)) > LIMIT:
        return None
    place = [order.index(at) for at in group]
    whole = [[value for row in rows for value in row] for rows in product(*parts)]
    return sorted([tuple([row[at] for at in place]) for row in whole])


@lru_cache(maxsize=512)
def _within(domains: tuple[Values, ...], least: int, most: int) -> Rows | None:
    """The rows over these domains within a total, rising; None if there are more than LIMIT on the way."""
    low, high = sum(values[0] for values in domains), sum(values[-1] for values in domains)
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for values in domains:
        low, high = low - values[0], high - values[-1]
        longer = []
        for row, given in found:
            first, last = max(values[0], least - given - high), min(values[-1], most - given - low)
            span = range(first, last + 1)
            longer += [
                ((*row, value), given + value)
                for value in (span if isinstance(values, range) else values)
                if value in span
            ]
            if len(longer) > LIMIT:
                return None
        found = longer
    return [row for row, _ in found]


def best_of(
    rows: Rows, reduced: Reduced, group: Sequence[int], objective: Objective, meters: Sequence[Meter]
) -> Row | None:
    """The first of these rows along the group that is legal and has the greatest scores; None if none is legal.

    `meters` are the problem's and the objective's.
    """
    if not rows:
        return None
    if not reduced.bound.isdisjoint(group):
        rows = _Few(reduced, group, rows).legal(sorted(group))
    columns: dict[int, Column] = {}
    for score in objective.scores:
        if len(rows) < 2:
            break
        columns = columns or dict(zip(group, zip(*rows, strict=True), strict=True))
        sums = _sums(score, columns, meters)
        if sums is not None and (best := max(sums)) > min(sums):
            rows = [row for row, one in zip(rows, sums, strict=True) if one == best]
            columns = {}
    return rows[0] if rows else None


def _sums(score: Score, columns: Mapping[int, Column], meters: Sequence[Meter]) -> Column | None:
    """What each row scores up to what is the same for all; None if these shares add nothing.

    Of a meter that has shares elsewhere too, only these count: its score is linear, or it would tie them.
    """
    found: Column | None = None
    for at, table in score.shares:
        if at in columns:
            entries = columns[at] if table is AMOUNT else table.over(columns[at])
            found = entries if found is None else [*map(add, found, entries)]
    for at, table in score.meters:
        full, reading = meters[at].full, _reading(meters[at], columns)
        if reading:
            entries = [n if n < full else full for n in reading]
            if table is not AMOUNT:
                entries = table.over(entries)
            found = entries if found is None else [*map(add, found, entries)]
    return found


def _reading(meter: Meter, columns: Mapping[int, Column]) -> Column:
    """What the meter's terms among the columns add up to, row by row; empty if there are none."""
    found: Column = ()
    for share, table in meter.terms:
        if share in columns:
            entries = columns[share] if table is AMOUNT else table.over(columns[share])
            found = [*map(add, found, entries)] if found else entries
    return found


class _Few:
    """Columns of rows: one for each share, and for meters and literals as they are asked for."""

    def __init__(self, reduced: Reduced, group: Sequence[int], rows: Rows) -> None:
        self.reduced, self.rows = reduced, rows
        self.columns: dict[int, Column] = dict(zip(group, zip(*rows, strict=True), strict=True))
        self._readings: dict[int, Column] = {}

    def reading(self, meter: int) -> Column:
        """What the meter's terms add up to, row by row."""
        found = self._readings.get(meter)
        if found is None:
            terms = self.reduced.problem.meters[meter]
            found = self._readings[meter] = _reading(terms, self.columns) or [0] * len(self.rows)
        return found

    def legal(self, shares: Sequence[int]) -> Rows:
        """The rows that keep all gates and bounds."""
        alive = [True] * len(self.rows)
        for share in shares:
            for need in self.reduced.needs_at.get(share, ()):
                free = [value not in need.values for value in self.columns[share]]
                for meter in need.meters:
                    full = self.reduced.problem.meters[meter].full
                    alive = [
                        lives and (may or n >= full)
                        for lives, may, n in zip(alive, free, self.reading(meter), strict=True)
                    ]
            for number in self.reduced.bounds_at.get(share, ()):
                bound = self.reduced.bounds[number]
                alive = [
                    lives and n <= bound.most for lives, n in zip(alive, self._count(bound), strict=True)
                ]
        return [row for row, lives in zip(self.rows, alive, strict=True) if lives]

    def _count(self, bound: Bound) -> Column:
        """How many of the bound's literals hold, row by row."""
        return [sum(row) for row in zip(*map(self._holds, bound.literals), strict=True)]

    def _holds(self, literal: Literal) -> list[bool]:
        meters = self.reduced.problem.meters
        match literal:
            case Used(share, values):
                return [n != 0 if values is None else n in values for n in self.columns[share]]
            case Full(meter, wanted):
                return [(n >= meters[meter].full) is wanted for n in self.reading(meter)]
            case Partly(meter):
                return [0 < n < meters[meter].full for n in self.reading(meter)]
            case Short(share, meter):
                both = zip(self.columns[share], self.reading(meter), strict=True)
                return [value != 0 and n < meters[meter].full for value, n in both]
