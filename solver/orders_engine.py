"""The exact engine for problems that are orders: every share 0 or 1, one source to a recipient, sources in
copies.

Such a problem (each recipient is given exactly one, each source gives exactly its copies, further totals are
over rectangles) is too wide for a diagram once there are many sources, and yet counted at once by contingency
tables. `make` takes this engine instead of the diagram where that would be wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from lethal.solver import order
from lethal.solver.engine import Engine, OutcomeClass, Ranked, Unsupported, make
from lethal.solver.orders import Orders
from lethal.solver.problem import Objective, Problem
from lethal.solver.reduction import Fact

WIDE = 20_000
"""Numbers of copies left that a diagram would tell apart; below, the diagram answers more questions."""


class OrdersEngine:
    """Orders as rows of 0 and 1; listed, numbered and sampled like those of any engine."""

    name = "orders"

    def __init__(
        self, problem: Problem, orders: Orders, sources: dict[str, int], slots: dict[str, int]
    ) -> None:
        self.problem, self.orders = problem, orders
        self._cells = [(sources[share.source], slots[share.recipient]) for share in problem.shares]
        self._at = {cell: at for at, cell in enumerate(self._cells)}

    @cached_property
    def _listing(self) -> list[int]:
        """Only for what is listed or numbered: it takes longer than counting a deck."""
        return order.listing(self.problem)

    def empty(self) -> bool:
        return not self.orders.possible()

    def count(self) -> int:
        return self.orders.count()

    def bounds(self) -> list[tuple[int, int]]:
        if self.empty():
            return []
        chances = [self.orders.chance(*cell) for cell in self._cells]
        return [(int(chance == 1), int(chance > 0)) for chance in chances]

    def best(self, objective: Objective) -> Ranked | None:
        return make("cpsat", self.problem).best(objective)

    def ranked(self, objective: Objective) -> Iterator[Ranked]:
        return make("cpsat", self.problem).ranked(objective)

    def optima(self, objective: Objective) -> Engine:
        raise Unsupported(self.name, "optima")

    def outcomes(self, shares: Sequence[int], meters: Sequence[int]) -> Iterator[OutcomeClass]:
        raise Unsupported(self.name, "outcomes")

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        drawn = self.orders.sample(rng, n)
        rows = np.zeros((n, len(self._cells)), dtype=np.int64)
        table = np.zeros((len(self.orders.copies), self.orders.size), dtype=np.intp)
        for (kind, slot), at in self._at.items():
            table[kind, slot] = at
        columns = table[drawn, np.arange(self.orders.size)]
        np.put_along_axis(rows, columns, 1, axis=1)
        return rows

    def blocks(self, rows: int) -> Iterator[np.ndarray]:
        listed = self.rows()
        while block := list(islice(listed, rows)):
            yield np.array(block, dtype=np.int64)

    def rows(self) -> Iterator[tuple[int, ...]]:
        row = [0] * len(self._cells)
        return self._below(0, self.orders, row, {}) if self.orders.possible() else iter(())

    def _below(
        self, depth: int, orders: Orders, row: list[int], placed: dict[int, int]
    ) -> Iterator[tuple[int, ...]]:
        """All rows that agree with the shares decided so far; there is at least one."""
        while depth < len(self._listing):
            at = self._listing[depth]
            depth += 1
            without, with_it = self._either(orders, at, placed)
            if with_it is None:
                continue
            if without is not None and without.possible():
                if with_it.possible():
                    yield from self._below(depth, without, row, placed)
                    row[at] = 1
                    yield from self._below(depth, with_it, row, {**placed, self._cells[at][1]: at})
                    row[at] = 0
                    return
                orders = without
                continue
            row[at], orders = 1, with_it
            placed = {**placed, self._cells[at][1]: at}
        full = list(row)
        for at in placed.values():
            full[at] = 1
        yield tuple(full)
        for at in placed.values():
            row[at] = 0

    def _either(self, orders: Orders, at: int, placed: dict[int, int]) -> tuple[Orders | None, Orders | None]:
        """The orders without and with a share; None for the latter where its slot is taken already."""
        kind, slot = self._cells[at]
        if slot in placed:
            return orders, None
        kinds, slots = frozenset([kind]), frozenset([slot])
        return orders.given([Fact(kinds, slots, 0, 0)]), orders.given([Fact(kinds, slots, 1, 1)])

    def row(self, at: int) -> tuple[int, ...]:
        if not 0 <= at < self.count():
            raise IndexError(f"there are {self.count()} rows, so no number {at!r}")
        row, orders, placed = [0] * len(self._cells), self.orders, dict[int, int]()
        for share in self._listing:
            without, with_it = self._either(orders, share, placed)
            if with_it is None or without is None:
                continue
            ways = without.count()
            if at < ways:
                orders = without
            else:
                at -= ways
                row[share], orders = 1, with_it
                placed[self._cells[share][1]] = share
        return tuple(row)

    def rank(self, row: Sequence[int]) -> int:
        index, orders, placed = 0, self.orders, dict[int, int]()
        for share in self._listing:
            without, with_it = self._either(orders, share, placed)
            if with_it is None or without is None:
                continue
            if row[share]:
                index += without.count()
                orders = with_it
                placed[self._cells[share][1]] = share
            else:
                orders = without
        if not orders.possible():
            raise ValueError(f"not a legal row: {tuple(row)!r}")
        return index


def orders_engine(problem: Problem, *, wide: int = WIDE, **options: Any) -> OrdersEngine | None:
    """The engine for a problem that is orders and too wide for a diagram; None for any other."""
    del options
    sources = {name: at for at, name in enumerate(dict.fromkeys(s.source for s in problem.shares))}
    slots = {name: at for at, name in enumerate(dict.fromkeys(s.recipient for s in problem.shares))}
    if problem.meters or problem.gates or problem.at_most or problem.sequential:
        return None
    if len(problem.shares) != len(sources) * len(slots) or any(
        not len(s.values) or s.values[0] < 0 or s.values[-1] > 1 for s in problem.shares
    ):
        return None
    cells = [(sources[share.source], slots[share.recipient]) for share in problem.shares]
    copies: dict[int, int] = {}
    single: set[int] = set()
    facts: list[Fact] = []
    for total in problem.totals:
        kinds, places = ({cells[at][axis] for at in total.shares} for axis in (0, 1))
        if len(total.shares) != len(kinds) * len(places):
            return None
        if len(kinds) == len(sources) and len(places) == 1 and total.least == total.most == 1:
            single |= places
        elif len(places) == len(slots) and len(kinds) == 1 and total.least == total.most:
            (kind,) = kinds
            if copies.setdefault(kind, total.least) != total.least:
                return None
        else:
            facts.append(Fact(frozenset(kinds), frozenset(places), total.least, total.most, total.words))
    every = [copies.get(kind, -1) for kind in range(len(sources))]
    if len(single) != len(slots) or min(every, default=0) < 0 or sum(every) != len(slots):
        return None
    if prod(n + 1 for n in every) <= wide:
        return None
    pinned = {cells[at][1] for at, share in enumerate(problem.shares) if share.values[0] == 1}
    for (kind, slot), share in zip(cells, problem.shares, strict=True):
        if share.values[0] == 1:
            facts.append(Fact(frozenset([kind]), frozenset([slot]), 1, 1, f"{share} is fixed"))
        elif share.values[-1] == 0 and slot not in pinned:
            facts.append(Fact(frozenset([kind]), frozenset([slot]), 0, 0, f"{share} is ruled out"))
    return OrdersEngine(problem, Orders(every, facts), sources, slots)


def contradiction(problem: Problem) -> tuple[str, ...]:
    """Words of what, in a problem that is orders, cannot hold together; () where it can, or for another problem."""
    engine = orders_engine(problem, wide=0)
    return tuple(fact.words for fact in engine.orders.conflict()) if engine else ()
