"""Contingency tables with fixed margins, counted, weighted and sampled by dynamic programming; no game in
sight.

A table gives every open cell of a grid a non-negative integer; rows and columns have fixed sums, and a
*bound* limits the sum over a rectangle. Its weight is the number of ways to lay the rows' items out on the
columns' places: the product over columns of `sum! / product of cells!`. The programme goes row by row; a
state is what is left of each column and how far each open bound has come, so its width follows the columns
and not the items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from lethal.solver.chance import choose
from lethal.solver.engine import TooWide

State = tuple[int, ...]
Cells = tuple[int, ...]

BUDGET = 1_000_000
"""Cells (arcs times columns) that one programme may have before it is too wide."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The cells of these rows and columns sum to a number between `least` and `most`."""

    rows: frozenset[int]
    columns: frozenset[int]
    least: int
    most: int


class Arc(NamedTuple):
    """One row's cells, the state they lead to, and the ways to lay them out."""

    cells: Cells
    target: State
    ways: int


class Tables:
    """All tables with these row sums, column sums, open cells (for each row its columns) and bounds.

    Raises TooWide, when first asked, where the programme would have more cells in its arcs than `budget`.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        is_open: Sequence[frozenset[int]],
        bounds: Sequence[Bound] = (),
        budget: int = BUDGET,
    ) -> None:
        self.rows, self.columns = tuple(rows), tuple(columns)
        self.is_open, self.bounds, self.budget = tuple(is_open), tuple(bounds), budget
        self.order = sorted(range(len(rows)), key=lambda r: (len(self.is_open[r]), self.rows[r]))
        place = {row: at for at, row in enumerate(self.order)}
        self._last = [max((place[r] for r in bound.rows), default=-1) for bound in self.bounds]

    @cached_property
    def _layers(self) -> list[dict[State, list[Arc]]]:
        """For each row, in `order`, the arcs of every state; some lead to states that nothing completes."""
        layers: list[dict[State, list[Arc]]] = []
        supply = self._supply()
        states: set[State] = {self._start}
        size = 0
        for at in range(len(self.order)):
            layer: dict[State, list[Arc]] = {}
            for state in states:
                layer[state] = found = list(self._arcs(at, state, supply[at + 1]))
                size += (len(found) + 1) * len(state)
                if size > self.budget:
                    raise TooWide(
                        f"too wide a table, with more than {self.budget} cells in its arcs: {len(self.rows)} "
                        f"kinds that facts tell apart over {len(self.columns)} blocks of places; whether any "
                        "order is possible can still be asked of cpsat"
                    )
            layers.append(layer)
            states = {arc.target for found in layer.values() for arc in found}
        return layers

    def _supply(self) -> list[list[int]]:
        """For each depth and column, how much the rows from there on could give it."""
        supply = [[0] * len(self.columns)]
        for row in reversed(self.order):
            gives = self.is_open[row]
            supply.append([n + self.rows[row] * (c in gives) for c, n in enumerate(supply[-1])])
        return supply[::-1]

    def _arcs(self, at: int, state: State, supply: Sequence[int]) -> Iterator[Arc]:
        row, columns = self.order[at], self._open[at]
        # What later rows cannot give a column has to come from this one.
        least = [max(0, state[c] - supply[c]) for c in columns]
        for given in _spread(self.rows[row], least, [state[c] for c in columns]):
            rest, full, ways = list(state), [0] * len(self.columns), 1
            for column, n in zip(columns, given, strict=True):
                if n:
                    ways *= comb(rest[column], n)
                    rest[column] -= n
                    full[column] = n
            if self._bounded(at, full, rest):
                yield Arc(tuple(full), tuple(rest), ways)

    @cached_property
    def _open(self) -> list[list[int]]:
        return [sorted(self.is_open[row]) for row in self.order]

    @cached_property
    def _counted(self) -> list[list[tuple[int, Bound, bool]]]:
        """For each depth the bounds that count its row: where their counter is, and if they close there."""
        width = len(self.columns)
        return [
            [(width + j, b, self._last[j] == at) for j, b in enumerate(self.bounds) if row in b.rows]
            for at, row in enumerate(self.order)
        ]

    def _bounded(self, at: int, cells: Sequence[int], state: list[int]) -> bool:
        """Whether a row keeps to all bounds; moves their counters on, and back to 0 where they close."""
        for place, bound, closes in self._counted[at]:
            counter = state[place] + sum([cells[c] for c in bound.columns])
            if counter > bound.most or (closes and counter < bound.least):
                return False
            state[place] = 0 if closes else counter
        return True

    @cached_property
    def _behind(self) -> list[dict[State, int]]:
        """For each depth, the weight of all completions of every state."""
        end = (0,) * (len(self.columns) + len(self.bounds))
        behind: list[dict[State, int]] = [{end: 1}]
        for layer in reversed(self._layers):
            after = behind[-1]
            behind.append(
                {s: sum(a.ways * after.get(a.target, 0) for a in arcs) for s, arcs in layer.items()}
            )
        return behind[::-1]

    @cached_property
    def total(self) -> int:
        """The weight of all tables together: how many layouts there are."""
        if sum(self.rows) != sum(self.columns) or any(b.least > 0 for b in self.bounds if not b.rows):
            return 0
        return self._behind[0].get(self._start, 0)

    @property
    def _start(self) -> State:
        return (*self.columns, *(0 for _ in self.bounds))

    @cached_property
    def sums(self) -> list[list[int]]:
        """The sum of every cell over all layouts; divided by `total` it is the expected value."""
        sums = [[0] * len(self.columns) for _ in self.rows]
        before = {self._start: 1}
        for at, layer in enumerate(self._layers):
            after = self._behind[at + 1]
            ahead: dict[State, int] = {}
            for state, mass in before.items():
                for cells, target, ways in layer[state]:
                    through = mass * ways
                    ahead[target] = ahead.get(target, 0) + through
                    weight = through * after.get(target, 0)
                    for column, n in enumerate(cells):
                        if n:
                            sums[self.order[at]][column] += weight * n
            before = ahead
        return sums

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` tables, each with probability proportional to its weight, as an array (n, rows, columns)."""
        found = np.zeros((n, len(self.rows), len(self.columns)), dtype=np.int64)
        groups: dict[State, np.ndarray] = {self._start: np.arange(n)}
        for at, layer in enumerate(self._layers):
            after = self._behind[at + 1]
            ahead: dict[State, list[np.ndarray]] = {}
            for state in sorted(groups):
                arcs, where = layer[state], groups[state]
                chosen = choose(rng, [a.ways * after.get(a.target, 0) for a in arcs], len(where))
                for number in np.unique(chosen):
                    arc, here = arcs[int(number)], where[chosen == number]
                    found[here, self.order[at]] = arc.cells
                    ahead.setdefault(arc.target, []).append(here)
            groups = {target: np.concatenate(parts) for target, parts in ahead.items()}
        return found

    def unrank(self, index: int) -> tuple[tuple[Cells, ...], int]:
        """The table in which the layout with that number lies, and its number among that table's layouts."""
        found: list[Cells] = [()] * len(self.rows)
        state, ways = self._start, 1
        for at, layer in enumerate(self._layers):
            for cells, target, step in layer[state]:
                weight = ways * step * self._behind[at + 1].get(target, 0)
                if index < weight:
                    found[self.order[at]], state, ways = cells, target, ways * step
                    break
                index -= weight
        return tuple(found), index

    def offset(self, table: Sequence[Cells]) -> int:
        """The number of the table's first layout; raises ValueError where the table is not among these."""
        index, state, ways = 0, self._start, 1
        for at, layer in enumerate(self._layers):
            wanted = tuple(table[self.order[at]])
            for cells, target, step in layer.get(state, ()):
                weight = ways * step * self._behind[at + 1].get(target, 0)
                if cells == wanted and weight:
                    state, ways = target, ways * step
                    break
                index += weight
            else:
                raise ValueError(f"not one of these tables: {table!r}")
        return index


def _spread(amount: int, least: Sequence[int], most: Sequence[int]) -> Iterator[Cells]:
    """Every way to give all of an amount to places that each take at least and at most so much."""
    if not most:
        if not amount:
            yield ()
        return
    if len(most) == 1:
        if least[0] <= amount <= most[0]:
            yield (amount,)
        return
    low, high = max(least[0], amount - sum(most[1:])), min(most[0], amount - sum(least[1:]))
    if len(most) == 2:
        for first in range(low, high + 1):
            yield first, amount - first
        return
    for first in range(low, high + 1):
        for rest in _spread(amount - first, least[1:], most[1:]):
            yield first, *rest
