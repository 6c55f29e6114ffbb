"""The best row of a component that has but a few rows: all of them side by side, a column for each share.

For a typical combat this takes a third of the time of a diagram. Gates and bounds are read jointly off the finished
rows, as `evaluate.holds` does, and scores narrow the rows one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from operator import add

from lethal.solver.diagram.parts import Part, Rows
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
)

LIMIT = 128
"""The most rows that are tried one by one, illegal ones included."""
GRID = 1 << 16
"""The most rows that are tried on arrays."""

Column = Sequence[int]
Columns = Mapping[int, Column]


class TooMany(Exception):
    """The component has more rows than are tried."""


class Few:
    """The components of a joint problem that have but a few rows.

    `along` puts a component's shares into listing order: only asked where several rows are best. Raises IndexError
    where a part of the problem reads no share, so that it belongs to no component.
    """

    def __init__(self, problem: Problem, along: Callable[[Sequence[int]], Sequence[int]]) -> None:
        self.problem = problem
        self._along = along
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

    def best(self, group: Sequence[int], objective: Objective, meters: Sequence[Meter]) -> Row | None:
        """The first legal row with the greatest scores, its values along the group; None if no row is legal.

        `meters` are the problem's and the objective's. Raises TooMany where the component has more than a few rows.
        """
        parts, found = self._parts(group)
        gates = [gate for at in group for gate in self._gates.get(at, ())]
        bounds = [bound for at in group for bound in self._bounds.get(at, ())]
        size = prod(map(len, found))
        if size > LIMIT:
            if size > GRID:
                raise TooMany
            from lethal.solver.diagram.grid import Grid

            try:
                return Grid(parts, meters).best(group, self._along, gates, bounds, objective)
            except OverflowError:
                raise TooMany from None
        rows = _joined(parts, found, group)
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
        if len(rows) > 1 and (listing := self._along(group)) != group:
            place = [group.index(at) for at in listing]
            return min(rows, key=lambda row: [row[at] for at in place])
        return rows[0] if rows else None

    def _parts(self, group: Sequence[int]) -> tuple[list[Part], list[Rows]]:
        """The shares of each total, each share in none, and their rows; raises TooMany, also where totals overlap."""
        shares = self.problem.shares
        parts = [
            Part(total.shares, tuple([shares[at].values for at in total.shares]), total.least, total.most)
            for at in group
            for total in self._totals.get(at, ())
        ]
        bound = [at for part in parts for at in part.shares]
        if len(set(bound)) < len(bound):
            raise TooMany
        if len(bound) < len(group):
            free = [(at, shares[at].values) for at in group if at not in bound]
            parts += [Part((at,), (values,), values[0], values[-1]) for at, values in free]
        found = []
        for part in parts:
            rows = part.rows()
            if rows is None:
                raise TooMany
            found.append(rows)
        return parts, found

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


def _joined(parts: Sequence[Part], found: Sequence[Rows], group: Sequence[int]) -> Rows:
    """All combinations of the parts' rows along the group, rising."""
    order = [at for part in parts for at in part.shares]
    if len(parts) == 1 and order == group:
        return found[0]
    place = [order.index(at) for at in group]
    whole = [[value for row in rows for value in row] for rows in product(*found)]
    return sorted([tuple([row[at] for at in place]) for row in whole])


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
