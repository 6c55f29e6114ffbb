"""All orders of a multiset of items over numbered slots that agree with facts, as one lazy result.

An order gives each slot a kind. Orders are counted with integers of any size, sampled exactly uniformly,
numbered both ways and listed, all by the programme over contingency tables of `reduction` and `tables`: never
by rejection, and never by going through orders. Lists of their own for many single slots make it too wide
(counting them is a permanent); then `possible` still answers, through CP-SAT.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np

from lethal.solver.chance import below
from lethal.solver.engine import TooWide, make
from lethal.solver.layout import Layout
from lethal.solver.problem import Problem, Share, Total
from lethal.solver.reduction import Fact, Reduction, reduce


class Orders:
    """The orders of `copies[kind]` items of each kind over as many slots, from 0, that agree with all facts.

    Raises ValueError for a fact about a kind or slot that is not there.
    """

    def __init__(self, copies: Sequence[int], facts: Iterable[Fact] = ()) -> None:
        self.copies, self.facts = tuple(copies), tuple(facts)
        self.size = sum(self.copies)
        if any(n < 0 for n in self.copies):
            raise ValueError(f"a kind has a negative number of copies: {self.copies!r}")
        slots, kinds = range(self.size), range(len(self.copies))
        for fact in self.facts:
            if any(slot not in slots for slot in fact.slots) or any(kind not in kinds for kind in fact.kinds):
                raise ValueError(f"a fact about a slot or kind that is not there: {fact!r}")

    @cached_property
    def reduction(self) -> Reduction:
        """The small tables that the facts leave."""
        return reduce(self.copies, self.facts)

    def count(self) -> int:
        """How many orders there are; exact. Raises TooWide."""
        found = self.reduction
        return found.factor * prod(part.tables.total for part in found.parts)

    def possible(self) -> bool:
        """Whether there is any order; asks CP-SAT where counting is too wide."""
        try:
            return self.count() > 0
        except TooWide:
            return not make("cpsat", self.problem).empty()

    def given(self, facts: Iterable[Fact]) -> Orders:
        """The orders that agree with further facts too."""
        return Orders(self.copies, (*self.facts, *facts))

    def probability(self, facts: Iterable[Fact]) -> Fraction:
        """The share of the orders that agree with these facts too; raises ValueError where none is."""
        return Fraction(self.given(facts).count(), self._some())

    def _some(self) -> int:
        count = self.count()
        if not count:
            raise ValueError("no order agrees with the facts")
        return count

    def chance(self, kind: int, slot: int) -> Fraction:
        """The probability that a slot holds a kind; raises ValueError where there is no order."""
        found = self.reduction
        self._some()
        if slot in found.pins:
            return Fraction(found.pins[slot] == kind)
        if not found.copies[kind]:
            return Fraction(0)
        here = next(at for at, slots in enumerate(found.blocks) if slot in slots)
        mine = next(at for at, kinds in enumerate(found.classes) if kind in kinds)
        copies = sum([found.copies[other] for other in found.classes[mine]])
        of_class = Fraction(found.copies[kind], copies * len(found.blocks[here]))
        if (mine, here) in found.forced:
            return of_class * found.forced[mine, here]
        for part in found.parts:
            for row, cells in zip(part.rows, part.tables.sums, strict=True):
                if mine in row.members:
                    amount = row.amounts[row.members.index(mine)]
                    for column, total in zip(part.columns, cells, strict=True):
                        if here in column.members:
                            room = column.amounts[column.members.index(here)]
                            whole = row.amount * column.amount * part.tables.total
                            return of_class * Fraction(amount * room * total, whole)
        return Fraction(0)

    def conflict(self) -> tuple[Fact, ...]:
        """Facts that no order agrees with, each of them needed for that; empty if all agree."""
        if self.possible():
            return ()
        kept = list(self.facts)
        for fact in self.facts:
            rest = [other for other in kept if other is not fact]
            if not Orders(self.copies, rest).possible():
                kept = rest
        return tuple(kept)

    @cached_property
    def problem(self) -> Problem:
        """How many items of each class of kinds lie in each block of slots, in the language of every engine.

        Its rows are the tables, each of which stands for many orders.
        """
        found = self.reduction
        width = len(found.blocks)
        if not found.possible:
            return Problem(
                (Share("kinds", "slots", range(1)),), (Total((0,), 1, 1, words="the facts cannot all hold"),)
            )
        rows = [sum(found.copies[kind] for kind in kinds) for kinds in found.classes]
        shares = tuple(
            Share(f"kinds {_numbers(kinds)}", f"slots {_numbers(slots)}", range(min(rows[r], len(slots)) + 1))
            for r, kinds in enumerate(found.classes)
            for slots in found.blocks
        )
        totals = [Total(tuple(range(r * width, (r + 1) * width)), n, n) for r, n in enumerate(rows)]
        totals += [
            Total(tuple(range(c, len(shares), width)), len(b), len(b)) for c, b in enumerate(found.blocks)
        ]
        known = found.pins
        for fact in self.facts:
            kinds = [r for r, members in enumerate(found.classes) if members[0] in fact.kinds]
            blocks = [c for c, slots in enumerate(found.blocks) if slots[0] in fact.slots]
            there = sum(known.get(slot) in fact.kinds for slot in fact.slots)
            cells = tuple(r * width + c for r in kinds for c in blocks)
            totals.append(Total(cells, max(0, fact.least - there), fact.most - there, words=fact.words))
        return Problem(shares, tuple(totals))

    @cached_property
    def _layout(self) -> Layout:
        return Layout(self.reduction, self.size)

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` orders drawn uniformly and independently, as kinds in an array (n, slots).

        Raises ValueError where there is no order.
        """
        self._some()
        return self._layout.sample(rng, n)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for index in range(self.count()):
            yield self[index]

    def __bool__(self) -> bool:
        return self.possible()

    def __contains__(self, order: object) -> bool:
        if not isinstance(order, Sequence) or len(order) != self.size:
            return False
        counted = [0] * len(self.copies)
        for kind in order:
            if not isinstance(kind, int) or not 0 <= kind < len(counted):
                return False
            counted[kind] += 1
        return tuple(counted) == self.copies and all(
            fact.least <= sum(order[slot] in fact.kinds for slot in fact.slots) <= fact.most
            for fact in self.facts
        )

    def __getitem__(self, index: int) -> tuple[int, ...]:
        """The order with that number; the numbering follows the tables. Raises IndexError."""
        count = self.count()
        if not -count <= index < count:
            raise IndexError(f"there are {count} orders, so no number {index!r}")
        return self._layout.unrank(index % count)

    def draw(self, rng: np.random.Generator) -> tuple[int, ...]:
        """One order by its number: one integer drawn uniformly from as many as there are orders."""
        return self._layout.unrank(below(rng, self._some()))

    def rank(self, order: Sequence[int]) -> int:
        """The number of an order; raises ValueError where it is none of these."""
        if tuple(order) not in self:
            raise ValueError(f"not one of these orders: {tuple(order)!r}")
        return self._layout.rank(order)


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
