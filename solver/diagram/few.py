"""The best row of a component that has but a few rows: all of them side by side, a column for each share.

For a typical combat this takes a third of the time of a diagram. Gates and bounds are read jointly off the finished
rows, as `evaluate.holds` does, and scores narrow the rows one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from operator import add

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
    Row,
    Score,
    Short,
    Total,
    Used,
    Values,
)

LIMIT = 128
"""The most rows that are tried, illegal ones included."""

Column = Sequence[int]
Columns = Mapping[int, Column]
Rows = Sequence[tuple[int, ...]]


class Few:
    """The components of a joint problem that have but a few rows.

    Raises IndexError where a part of the problem reads no share, so that it belongs to no component.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._totals: dict[int, list[Total]] = {}
        self._gates: dict[int, list[Gate]] = {}
        self._bounds: dict[int, list[AtMost]] = {}
        for total in problem.totals:
            self._totals.setdefault(total.shares[0], []).append(total)
        for gate in problem.gates:
            self._gates.setdefault(gate.share, []).append(gate)
        for bound in problem.at_most:
            literal = bound.literals[0]
            if isinstance(literal, Used | Short):
                self._bounds.setdefault(literal.share, []).append(bound)
            else:
                self._bounds.setdefault(problem.meters[literal.meter].terms[0][0], []).append(bound)

    def rows(self, group: Sequence[int]) -> Rows | None:
        """The rows within the totals, in listing order; None if there are more than LIMIT, or totals overlap."""
        shares = self.problem.shares
        totals = [total for at in group for total in self._totals.get(at, ())]
        sums = [(total.shares, total.least, total.most) for total in totals]
        order = [at for places, _, _ in sums for at in places]
        if len(set(order)) < len(order):
            return None
        if len(order) < len(group):
            free = [at for at in group if at not in order]
            sums += [((at,), shares[at].values[0], shares[at].values[-1]) for at in free]
            order += free
        parts: list[Rows] = []
        for places, least, most in sums:
            part = _within(tuple([shares[at].values for at in places]), least, most)
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

    def best(
        self, rows: Rows, group: Sequence[int], objective: Objective, meters: Sequence[Meter]
    ) -> Row | None:
        """The first of these rows along the group that is legal and has the greatest scores; None if none is legal.

        `meters` are the problem's and the objective's.
        """
        gates = [gate for at in group for gate in self._gates.get(at, ())]
        bounds = [bound for at in group for bound in self._bounds.get(at, ())]
        if rows and (gates or bounds):
            rows = self._legal(rows, dict(zip(group, zip(*rows, strict=True), strict=True)), gates, bounds)
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

    def _legal(self, rows: Rows, columns: Columns, gates: Sequence[Gate], bounds: Sequence[AtMost]) -> Rows:
        """The rows that keep these gates and bounds."""
        meters = self.problem.meters
        alive = [True] * len(rows)
        readings: dict[int, Column] = {}
        for gate in gates:
            free = [value not in gate.values for value in columns[gate.share]]
            for at in gate.meters:
                if at not in readings:
                    readings[at] = _reading(meters[at], columns) or [0] * len(rows)
                full = meters[at].full
                alive = [
                    lives and (may or n >= full)
                    for lives, may, n in zip(alive, free, readings[at], strict=True)
                ]
        for bound in bounds:
            held = [_holds(literal, columns, meters) for literal in bound.literals]
            alive = [
                lives and sum(found) <= bound.most
                for lives, found in zip(alive, zip(*held, strict=True), strict=True)
            ]
        return [row for row, lives in zip(rows, alive, strict=True) if lives]


@lru_cache(maxsize=512)
def _within(domains: tuple[Values, ...], least: int, most: int) -> Rows | None:
    """The rows over these domains within a total, rising; None if there are more than LIMIT on the way."""
    low, high = sum([values[0] for values in domains]), sum([values[-1] for values in domains])
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for values in domains:
        low, high = low - values[0], high - values[-1]
        longer: list[tuple[tuple[int, ...], int]] = []
        for row, given in found:
            first, last = max(values[0], least - given - high), min(values[-1], most - given - low)
            if isinstance(values, range):
                span: Values = range(first, last + 1)
            else:
                span = tuple([value for value in values if first <= value <= last])
            if len(longer) + len(span) > LIMIT:
                return None
            longer += [((*row, value), given + value) for value in span]
        found = longer
    return [row for row, _ in found]


def _sums(score: Score, columns: Columns, meters: Sequence[Meter]) -> Column | None:
    """What each row scores up to what is the same for all; None if these shares add nothing.

    Of a meter that has shares elsewhere too, only these count: its score is linear, or it would tie them.
    """
    found: Column | None = None
    entries: Column
    for at, table in score.shares:
        if at in columns:
            entries = columns[at] if table is AMOUNT else table.over(columns[at])
            found = entries if found is None else [*map(add, found, entries)]
    for at, table in score.meters:
        meter = meters[at]
        entries = _reading(meter, columns)
        if entries:
            full = meter.full
            if max(entries) > full:
                entries = [n if n < full else full for n in entries]
            if table is not AMOUNT:
                entries = table.over(entries)
            found = entries if found is None else [*map(add, found, entries)]
    return found


def _reading(meter: Meter, columns: Columns) -> Column:
    """What the meter's terms among the columns add up to, row by row; empty if there are none."""
    found: Column = ()
    for share, table in meter.terms:
        if share in columns:
            entries = columns[share] if table is AMOUNT else table.over(columns[share])
            found = [*map(add, found, entries)] if found else entries
    return found


def _holds(literal: Literal, columns: Columns, meters: Sequence[Meter]) -> list[bool]:
    """Whether the literal holds, row by row."""
    height = len(next(iter(columns.values())))
    if isinstance(literal, Used):
        values = literal.values
        return [n != 0 if values is None else n in values for n in columns[literal.share]]
    full = meters[literal.meter].full
    reading = _reading(meters[literal.meter], columns) or [0] * height
    match literal:
        case Full(_, wanted):
            return [(n >= full) is wanted for n in reading]
        case Partly():
            return [0 < n < full for n in reading]
        case Short(share, _):
            return [value != 0 and n < full for value, n in zip(columns[share], reading, strict=True)]
