"""Streams of rows, each knowing what can be said of it: the first of a listing, or draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lethal.solver.assignments import Assignments
from lethal.solver.engine import DEFAULT, QUESTIONS, TooWide, Unsupported

if TYPE_CHECKING:
    import numpy as np

BLOCK = 65536


class Rows(ABC):
    """Matrices of rows, to be gone through once.

    `count` is how many legal assignments there are and `length` how many rows will come, None while not known;
    `complete`, settled when all have come, says whether they are every legal assignment.
    """

    def __init__(self, legal: Assignments) -> None:
        self.columns = legal.columns
        self.count: int | None = None
        self.length: int | None = None
        self.complete = False
        self.written = 0
        self.watch: Callable[[int], None] | None = None
        """Told of every block's number of rows once it has been used."""

    @abstractmethod
    def _blocks(self) -> Iterator[np.ndarray]: ...

    def __iter__(self) -> Iterator[np.ndarray]:
        for block in self._blocks():
            yield block
            self.written += len(block)
            if self.watch is not None:
                self.watch(len(block))


class First(Rows):
    """The first `limit` rows of the listing, or all. An engine that numbers rows knows at once how many there are."""

    def __init__(self, legal: Assignments, limit: int | None = None) -> None:
        super().__init__(legal)
        self._legal = legal
        self._limit = limit
        if "row" in QUESTIONS[legal.engine_name]:
            self.count = legal.count()
            self.length = self.count if limit is None else min(limit, self.count)

    def _blocks(self) -> Iterator[np.ndarray]:
        seen, limit = 0, self._limit
        # One row more than wanted tells whether there are more.
        size = BLOCK if limit is None else min(BLOCK, limit + 1)
        for block in self._legal.blocks(size):
            if limit is not None and seen + len(block) > limit:
                if seen < limit:
                    yield block[: limit - seen]
                if self.count is None:
                    self.count = known_count(self._legal)
                return
            seen += len(block)
            yield block
        self.count = seen
        self.complete = True


class Draws(Rows):
    """`n` rows drawn uniformly and independently; none where nothing is legal."""

    def __init__(self, legal: Assignments, rng: np.random.Generator, n: int) -> None:
        super().__init__(legal)
        if "sample" not in QUESTIONS[legal.engine_name]:
            raise Unsupported(legal.engine_name, "sample")
        self._engine = legal.engine
        self._rng = rng
        self.count = legal.count()
        self.length = n if self.count else 0

    def _blocks(self) -> Iterator[np.ndarray]:
        left = self.length or 0
        while left:
            block = self._engine.sample(self._rng, min(BLOCK, left))
            left -= len(block)
            yield block


def known_count(legal: Assignments) -> int | None:
    """How many legal assignments there are, where some engine can tell without listing them."""
    try:
        return Assignments(legal.problem, DEFAULT).count()
    except TooWide:
        return None
