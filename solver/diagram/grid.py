"""The best row of a component whose sources have few rows each: all combinations at once, an axis for each source.

A meter's reading is a sum of vectors, each along the axis of one source, so nothing is listed or looked up row by
row: two attackers that share four blockers, some 10,000 combinations, take a fifth of the time of a diagram.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from lethal.solver.diagram.parts import Part, within
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Gate,
    Literal,
    Meter,
    Objective,
    Partly,
    Row,
    Score,
    Short,
    Table,
    Used,
    Values,
)

SMALL, SAFE = 1 << 20, 1 << 40
"""Values and slopes up to the first and bases up to the second: sums of their entries fit 64 bits."""

Array: TypeAlias = Any


class Grid:
    """All combinations of the rows of a component's parts; `meters` are the problem's and the objective's.

    Raises OverflowError where an entry of a table is too large for sums of 64 bits.
    """

    def __init__(self, parts: Sequence[Part], meters: Sequence[Meter]) -> None:
        self.meters = meters
        self._tables = [_columns(part.domains, part.least, part.most) for part in parts]
        self._at = {
            share: (axis, number)
            for axis, part in enumerate(parts)
            for number, share in enumerate(part.shares)
        }
        self.shape = tuple([table.shape[1] for table in self._tables])
        self._readings: dict[int, Array | None] = {}
        self._clips: dict[int, Array] = {}
        self._filled: dict[int, Array] = {}

    def best(
        self,
        group: Sequence[int],
        along: Callable[[Sequence[int]], Sequence[int]],
        gates: Sequence[Gate],
        bounds: Sequence[AtMost],
        objective: Objective,
    ) -> Row | None:
        """The first legal combination with the greatest scores, its values along `group`; None if none is legal.

        `along` puts the group into listing order.
        """
        alive = np.flatnonzero(self._legal(gates, bounds))
        for score in objective.scores:
            if len(alive) < 2:
                break
            sums = self._sums(score)
            if sums is not None:
                found = np.broadcast_to(sums, self.shape).reshape(-1)[alive]
                alive = alive[found == found.max()]
        if not len(alive):
            return None
        if len(alive) > 1:
            alive = self._first(alive, along(group))
        row = [int(at[0]) for at in np.unravel_index(alive[:1], self.shape)]
        places = [self._at[share] for share in group]
        return [int(self._tables[axis][number][row[axis]]) for axis, number in places]

    def _first(self, alive: Array, listing: Sequence[int]) -> Array:
        """Of these combinations the first along the listing."""
        rows: Array = np.unravel_index(alive, self.shape)
        kept: Array = np.arange(len(alive))
        for share in listing:
            axis, number = self._at[share]
            values = self._tables[axis][number][rows[axis][kept]]
            kept = kept[values == values.min()]
            if len(kept) == 1:
                break
        return alive[kept]

    def _along(self, axis: int, vector: Array) -> Array:
        """A vector along the axis of a part."""
        return vector.reshape([-1 if at == axis else 1 for at in range(len(self.shape))])

    def _share(self, share: int) -> Array:
        axis, number = self._at[share]
        return self._along(axis, self._tables[axis][number])

    def _sum(self, terms: Sequence[tuple[int, Table]]) -> Array | None:
        """What the tables over these shares add up to; None if none of the shares is here."""
        vectors: dict[int, Array] = {}
        for share, table in terms:
            if share in self._at:
                axis, number = self._at[share]
                entries = _entries(table, self._tables[axis][number])
                vectors[axis] = vectors[axis] + entries if axis in vectors else entries
        result: Array | None = None
        for axis, vector in vectors.items():
            placed = self._along(axis, vector)
            result = placed if result is None else result + placed
        return result

    def _reading(self, at: int) -> Array | None:
        """What a meter's terms add up to, not clipped; None if none of its shares is here."""
        if at not in self._readings:
            self._readings[at] = self._sum(self.meters[at].terms)
        return self._readings[at]

    def _full(self, at: int) -> Array:
        """Whether a meter is full."""
        if at not in self._filled:
            reading = self._reading(at)
            self._filled[at] = (0 if reading is None else reading) >= np.int64(self.meters[at].full)
        return self._filled[at]

    def _clipped(self, at: int, reading: Array) -> Array:
        """A reading of a meter, up to full."""
        if at not in self._clips:
            full = self.meters[at].full
            if full > SMALL:
                raise OverflowError("a meter's readings are too large")
            self._clips[at] = np.minimum(reading, full)
        return self._clips[at]

    def _legal(self, gates: Sequence[Gate], bounds: Sequence[AtMost]) -> Array:
        """Which combinations keep these gates and bounds."""
        alive: Array = np.ones(self.shape, dtype=bool)
        for gate in gates:
            axis, number = self._at[gate.share]
            free = ~_among(gate.values, self._tables[axis][number])
            if not free.all():
                needed: Array = True
                for at in gate.meters:
                    needed = needed & self._full(at)
                alive &= self._along(axis, free) | needed
        for bound in bounds:
            held: Array = np.int64(0)
            for literal in bound.literals:
                held = held + self._holds(literal)
            alive &= held <= bound.most
        return alive

    def _holds(self, literal: Literal) -> Array:
        match literal:
            case Used(share, values):
                column = self._share(share)
                return (column != 0 if values is None else _among(values, column)).astype(np.int64)
            case Full(meter, wanted):
                return (self._full(meter) == wanted).astype(np.int64)
            case Partly(meter):
                reading = self._reading(meter)
                some = (0 if reading is None else reading) > np.int64(0)
                return (some & ~self._full(meter)).astype(np.int64)
            case Short(share, meter):
                return ((self._share(share) != 0) & ~self._full(meter)).astype(np.int64)

    def _sums(self, score: Score) -> Array | None:
        """What each combination scores up to what is the same for all; None if these shares add nothing.

        Of a meter that has shares elsewhere too, only these count: its score is linear, or it would tie them.
        """
        found = self._sum(score.shares)
        for at, table in score.meters:
            reading = self._reading(at)
            if reading is not None:
                entries = self._clipped(at, reading)
                if table is not AMOUNT:
                    full = self.meters[at].full
                    if full < entries.size:
                        entries = _entries(table, np.arange(full + 1)).take(entries)
                    else:
                        entries = _entries(table, entries)
                found = entries if found is None else found + entries
        return found


@lru_cache(maxsize=512)
def _columns(domains: tuple[Values, ...], least: int, most: int) -> Array:
    """The columns of a part's rows; raises OverflowError."""
    rows = within(domains, least, most) or ()
    table = np.array(rows, dtype=np.int64).reshape(-1, len(domains)).T.copy()
    if table.size and np.abs(table).max() > SMALL:
        raise OverflowError("a share's values are too large")
    return table


def _entries(table: Table, values: Array) -> Array:
    """A table's entries at these values; raises OverflowError."""
    if table is AMOUNT:
        return values
    found: Array = None
    for start, base, slope in table.pieces:
        if abs(start) > SMALL or abs(slope) > SMALL or abs(base) > SAFE:
            raise OverflowError("a table's entries are too large")
        entries = base + slope * (values - start) if slope else base
        found = (
            entries + np.zeros_like(values) if found is None else np.where(values >= start, entries, found)
        )
    return found


def _among(values: Values, column: Array) -> Array:
    """Which entries of a column are among these values."""
    if isinstance(values, range) and values.step == 1:
        return (column >= values.start) & (column < values.stop)
    return np.isin(column, [*values])
