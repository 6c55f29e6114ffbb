"""The exact engine for problems that are orders: every share 0 or 1, one source to a recipient, sources in
copies.

Such a problem (each recipient is given exactly one, each source gives exactly its copies, further totals are
over rectangles) is too wide for a diagram once there are many sources, and yet counted at once by contingency
tables. `make` takes this engine instead of the diagram where that would be wide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
        if objective.scores:
            return make("cpsat", self.problem).best(objective)
        return next(self.ranked(objective), None)

    def ranked(self, objective: Objective) -> Iterator[Ranked]:
        if objective.scores:
            return make("cpsat", self.problem).ranked(objective)
        return (Ranked((), row) for row in self.rows())  # nothing to be best at: the listing itself

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
        # Without recursion, for a deck has thousands of shares: what is still to be gone through, the next on top.
        left = [(0, _Known())] if self.orders.possible() else []
        while left:
            depth, known = left.pop()
            for at in self._listing[depth:]:
                depth += 1
                kind, slot = self._cells[at]
                if not self._open(known, kind, slot):
                    continue
                without, with_it = known.barring(kind, slot), known.placing(kind, slot)
                if not self._orders(without).possible():
                    known = with_it
                    continue
                if self._orders(with_it).possible():
                    left.append((depth, with_it))
                known = without
            yield self._row(known)

    def _open(self, known: _Known, kind: int, slot: int) -> bool:
        """Whether a share may still be either: its slot is free and its kind not used up."""
        return slot not in known.placed and known.used.get(kind, 0) < self.orders.copies[kind]

    def _orders(self, known: _Known) -> Orders:
        """The orders that agree with the shares decided so far."""
        return self.orders.given(known.facts())

    def _row(self, known: _Known) -> tuple[int, ...]:
        row = [0] * len(self._cells)
        for slot, kind in known.placed.items():
            row[self._at[kind, slot]] = 1
        return tuple(row)

    def row(self, at: int) -> tuple[int, ...]:
        if not 0 <= at < self.count():
            raise IndexError(f"there are {self.count()} rows, so no number {at!r}")
        known = _Known()
        for share in self._listing:
            kind, slot = self._cells[share]
            if not self._open(known, kind, slot):
                continue
            without = known.barring(kind, slot)
            ways = self._orders(without).count()
            if at < ways:
                known = without
            else:
                at -= ways
                known = known.placing(kind, slot)
        return self._row(known)

    def rank(self, row: Sequence[int]) -> int:
        index, known = 0, _Known()
        for share in self._listing:
            kind, slot = self._cells[share]
            if not self._open(known, kind, slot):
                if row[share] and known.placed.get(slot) != kind:
                    raise ValueError(f"not a legal row: {tuple(row)!r}")
                continue
            without = known.barring(kind, slot)
            if row[share]:
                index += self._orders(without).count()
                known = known.placing(kind, slot)
            else:
                known = without
        if not self._orders(known).possible():
            raise ValueError(f"not a legal row: {tuple(row)!r}")
        return index


class _Known:
    """Shares decided so far: the kind in each slot that has one, and the kinds that may not lie in the others."""

    def __init__(
        self, placed: Mapping[int, int] | None = None, barred: Mapping[int, frozenset[int]] | None = None
    ):
        self.placed, self.barred = dict(placed or {}), dict(barred or {})
        self.used = Counter(self.placed.values())

    def barring(self, kind: int, slot: int) -> _Known:
        return _Known(self.placed, {**self.barred, slot: self.barred.get(slot, frozenset()) | {kind}})

    def placing(self, kind: int, slot: int) -> _Known:
        barred = {other: kinds for other, kinds in self.barred.items() if other != slot}
        return _Known({**self.placed, slot: kind}, barred)

    def facts(self) -> Iterator[Fact]:
        for slot, kind in self.placed.items():
            yield Fact(frozenset([kind]), frozenset([slot]), 1, 1)
        for slot, kinds in self.barred.items():
            yield Fact(kinds, frozenset([slot]), 0, 0)


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
