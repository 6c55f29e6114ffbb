"""The contract between a Problem's engines and whoever asks: what an engine answers, and what it says when it
cannot.

| question | diagram | cpsat |
| --- | --- | --- |
| empty, count, rows, blocks, bounds, best, ranked, optima | yes | yes (by listing, where it counts) |
| row, rank, sample, outcomes | yes | no: raises Unsupported |

The exact engine of a problem that orders many items (`orders_engine`) is not a diagram but contingency
tables, and has no optima and outcomes.

Every engine lists rows in the same order: rising lexicographically along `order.listing(problem)`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lethal.solver.problem import Objective, Problem

if TYPE_CHECKING:
    import numpy as np

ENGINES = {
    "diagram": ("lethal.solver.diagram", "DiagramEngine"),
    "cpsat": ("lethal.solver.cpsat", "CpSatEngine"),
}
DEFAULT = "diagram"
MANY = 48
"""Shares from which on a problem of 0 and 1 only may be one of orders, which have an exact engine of their
own."""
QUESTIONS = {
    "diagram": frozenset(
        {
            "empty",
            "count",
            "rows",
            "blocks",
            "bounds",
            "best",
            "ranked",
            "optima",
            "row",
            "rank",
            "sample",
            "outcomes",
        }
    ),
    "cpsat": frozenset({"empty", "count", "rows", "blocks", "bounds", "best", "ranked", "optima"}),
}

Score = tuple[int, ...]


class EngineError(Exception):
    """An engine cannot answer; the message says why and what still can."""


class Unsupported(EngineError):
    """The engine has no such question; the message names those that have."""

    def __init__(self, engine: str, question: str) -> None:
        able = [name for name, questions in QUESTIONS.items() if question in questions]
        others = ", ".join(able) or "none"
        super().__init__(f"engine {engine!r} cannot answer {question!r}; engines that can: {others}")


class TooWide(EngineError):
    """The exact engine would need more nodes or larger amounts than it may use."""


class Ranked(NamedTuple):
    """A row with its scores, and whether they are proved to be the greatest."""

    score: Score
    row: tuple[int, ...]
    proved: bool = True


class OutcomeClass(NamedTuple):
    """What some meters and shares read, how many rows lead there, and one of them."""

    readings: tuple[int, ...]
    rows: int
    example: tuple[int, ...]


class Engine(Protocol):
    """One Problem, made ready to answer; construction is cheap, work is done when asked."""

    name: str

    def __init__(self, problem: Problem, **options: Any) -> None: ...

    def empty(self) -> bool:
        """Whether no row is legal."""
        ...

    def count(self) -> int:
        """How many rows are legal; exact."""
        ...

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Every legal row once, in the listing order."""
        ...

    def blocks(self, rows: int) -> Iterator[np.ndarray]:
        """Every legal row once, in matrices of at most `rows` rows, one column a share, in bounded memory."""
        ...

    def bounds(self) -> list[tuple[int, int]]:
        """Least and most of every share over all legal rows; empty list if there is none (but shares)."""
        ...

    def best(self, objective: Objective) -> Ranked | None:
        """The first row, in the listing order, of those with the greatest scores; None if no row is legal."""
        ...

    def ranked(self, objective: Objective) -> Iterator[Ranked]:
        """Rows from the best down, rows with equal scores in the listing order."""
        ...

    def optima(self, objective: Objective) -> Engine:
        """An engine over just the rows with the greatest scores."""
        ...

    def row(self, at: int) -> tuple[int, ...]:
        """The row at a position of the listing; raises IndexError."""
        ...

    def rank(self, row: Sequence[int]) -> int:
        """The position of a legal row in the listing; raises ValueError if it is not legal."""
        ...

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` rows drawn uniformly and independently, as a matrix."""
        ...

    def outcomes(self, shares: Sequence[int], meters: Sequence[int]) -> Iterator[OutcomeClass]:
        """The distinct vectors of these shares' values and meters' readings, rising, with the rows behind
        each."""
        ...


def engine_names() -> tuple[str, ...]:
    """The engines there are, the default first."""
    return tuple(ENGINES)


def make(name: str, problem: Problem, **options: Any) -> Engine:
    """The engine of that name over a problem; imported only now. Raises ValueError for an unknown name."""
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    if name == DEFAULT and len(problem.shares) >= MANY and all(s.values[-1] <= 1 for s in problem.shares):
        orders = importlib.import_module("lethal.solver.orders_engine").orders_engine(problem, **options)
        if orders is not None:
            exact: Engine = orders
            return exact
    engine: Engine = _kind(name)(problem, **options)
    return engine


@cache
def _kind(name: str) -> Callable[..., Engine]:
    """The class of an engine, imported only now."""
    module, attribute = ENGINES[name]
    kind: Callable[..., Engine] = getattr(importlib.import_module(module), attribute)
    return kind
