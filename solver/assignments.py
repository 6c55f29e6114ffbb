"""One lazy result for all legal assignments of a problem, whichever engine carries it.

Nothing is computed until asked. Membership needs no engine at all, so it answers for amounts that none can list.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from lethal.solver import evaluate, notation
from lethal.solver.engine import DEFAULT, Engine, EngineError, TooWide, make
from lethal.solver.problem import AtMost, Full, Objective, Problem, Values

if TYPE_CHECKING:
    import numpy as np

Column: TypeAlias = tuple[str, str]
Amounts: TypeAlias = Mapping[str, Mapping[str, int]]
Where: TypeAlias = int | Sequence[int] | tuple[int | None, int | None]


class Assignment:
    """One assignment: an immutable value, equal to any other that gives the same amounts."""

    __slots__ = ("_given", "columns", "row")

    columns: tuple[Column, ...]
    row: tuple[int, ...]
    _given: frozenset[tuple[str, str, int]] | None

    def __init__(self, columns: tuple[Column, ...], row: Sequence[int]) -> None:
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "row", tuple(row))
        object.__setattr__(self, "_given", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an assignment does not change: {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an assignment does not change: {name!r}")

    @property
    def given(self) -> frozenset[tuple[str, str, int]]:
        """The shares that are not 0, as (source, recipient, amount)."""
        given: frozenset[tuple[str, str, int]] | None = self._given
        if given is None:
            given = frozenset((*column, n) for column, n in zip(self.columns, self.row, strict=True) if n)
            object.__setattr__(self, "_given", given)
        return given

    def to_dict(self) -> dict[str, dict[str, int]]:
        """The nested mapping source → recipient → amount, zero shares included."""
        nested: dict[str, dict[str, int]] = {}
        for (source, recipient), amount in zip(self.columns, self.row, strict=True):
            nested.setdefault(source, {})[recipient] = amount
        return nested

    def __getitem__(self, source: str) -> dict[str, int]:
        shares = {r: n for (s, r), n in zip(self.columns, self.row, strict=True) if s == source}
        if not shares:
            raise KeyError(source)
        return shares

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Assignment):
            return self.given == other.given
        return self.given == _given(other) if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.given)

    def __str__(self) -> str:
        return notation.write(self.to_dict())

    def __repr__(self) -> str:
        return f"Assignment.parse({str(self)!r})"

    def __reduce__(self) -> tuple[type[Assignment], tuple[tuple[Column, ...], tuple[int, ...]]]:
        return Assignment, (self.columns, self.row)

    @classmethod
    def parse(cls, text: str, columns: Sequence[Column] = ()) -> Assignment:
        """The assignment that a text writes, over `columns` if given; raises ValueError where it cannot be read."""
        return cls.of(notation.read(text, columns), columns)

    @classmethod
    def of(cls, amounts: Amounts, columns: Sequence[Column] = ()) -> Assignment:
        """The assignment of a nested mapping; pairs that are not among `columns` are kept behind them."""
        row = dict.fromkeys(columns, 0)
        for source, shares in amounts.items():
            for recipient, amount in shares.items():
                row[source, recipient] = amount
        return cls(tuple(row), tuple(row.values()))


def _given(amounts: Mapping[Any, Any]) -> frozenset[tuple[str, str, int]]:
    return frozenset((s, r, n) for s, shares in amounts.items() for r, n in dict(shares).items() if n)


class Bound(NamedTuple):
    """The least and the most that a source may give a recipient over all legal assignments."""

    source: str
    recipient: str
    least: int
    most: int


class Best(NamedTuple):
    """A best assignment, its scores, whether they are proved greatest, and the engine that found it."""

    score: tuple[int, ...]
    assignment: Assignment
    proved: bool
    engine: str


class OutcomeOf(NamedTuple):
    """Readings that some assignments share, how many they are, and one of them."""

    readings: tuple[int, ...]
    assignments: int
    example: Assignment


class Assignments:
    """All legal assignments of a problem, listed in the order of `solver.order.listing`."""

    def __init__(
        self,
        problem: Problem,
        engine: str = DEFAULT,
        objectives: Callable[[str], Objective] | None = None,
        **options: Any,
    ) -> None:
        self.problem = problem
        self.engine_name = engine
        self._objectives = objectives
        self._options = options

    @cached_property
    def engine(self) -> Engine:
        """The engine, made when first needed."""
        return make(self.engine_name, self.problem, **self._options)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Pairs of source and recipient, in document order: what a row's numbers stand for."""
        return self.problem.columns

    def count(self) -> int:
        """How many there are; exact at any size."""
        return self.engine.count()

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return not self.engine.empty()

    def __iter__(self) -> Iterator[Assignment]:
        columns = self.columns
        return (Assignment(columns, row) for row in self.engine.rows())

    def __contains__(self, assignment: object) -> bool:
        row = self._row(assignment)
        return row is not None and evaluate.holds(self.problem, row)

    def _row(self, assignment: object) -> tuple[int, ...] | None:
        """The row of a mapping or Assignment; None if it gives anything to a pair that is no column."""
        given = assignment.given if isinstance(assignment, Assignment) else None
        if given is None:
            if not isinstance(assignment, Mapping):
                raise TypeError(f"expected an Assignment or a mapping, got {assignment!r}")
            given = _given(assignment)
        row = [0] * len(self.columns)
        for source, recipient, amount in given:
            at = self.problem.index.get((source, recipient))
            if at is None:
                return None
            row[at] = amount
        return tuple(row)

    def __getitem__(self, at: int) -> Assignment:
        at = operator.index(at)
        return Assignment(self.columns, self.engine.row(at if at >= 0 else self.count() + at))

    def rank(self, assignment: Assignment | Amounts) -> int:
        """The position of a legal assignment in the listing; raises ValueError if it is not legal."""
        row = self._row(assignment)
        if row is None or not evaluate.holds(self.problem, row):
            raise ValueError(f"not a legal assignment: {assignment!s}")
        return self.engine.rank(row)

    def rows(self, limit: int | None = None) -> tuple[list[tuple[int, ...]], bool]:
        """The first rows, and whether they are all there are (a limit equal to their number is complete)."""
        if limit is None:
            return list(self.engine.rows()), True
        found = list(islice(self.engine.rows(), limit + 1))
        return found[:limit], len(found) <= limit

    def blocks(self, rows: int = 65536) -> Iterator[np.ndarray]:
        """All rows in NumPy matrices of at most `rows` rows, one column a share, in bounded memory."""
        if rows < 1:
            raise ValueError(f"a block needs at least one row, not {rows!r}")
        return self.engine.blocks(rows)

    def sample(self, rng: np.random.Generator, n: int = 1) -> list[Assignment]:
        """`n` assignments drawn uniformly and independently; raises Unsupported where the engine cannot."""
        return [Assignment(self.columns, [int(x) for x in row]) for row in self.engine.sample(rng, n)]

    def bounds(self) -> list[Bound]:
        """Least and most of every share, each reached by some legal assignment; empty if there is none."""
        found = self._answer(lambda engine: engine.bounds())[0]
        return [Bound(*column, *pair) for column, pair in zip(self.columns, found, strict=False)]

    def objective(self, objective: str | Objective) -> Objective:
        """The objective of that name; raises ValueError for an unknown one."""
        if isinstance(objective, Objective):
            return objective
        if self._objectives is None:
            raise ValueError(f"this problem has no named objectives, so not {objective!r} either")
        return self._objectives(objective)

    def best(self, objective: str | Objective) -> Best | None:
        """The first of those with the greatest scores, or None if nothing is legal."""
        wanted = self.objective(objective)
        found, name = self._answer(lambda engine: engine.best(wanted))
        if found is None:
            return None
        return Best(found.score, Assignment(self.columns, found.row), found.proved, name)

    def ranked(self, objective: str | Objective) -> Iterator[Best]:
        """All of them from the best down; ties in the order of the listing."""
        for found in self.engine.ranked(self.objective(objective)):
            yield Best(found.score, Assignment(self.columns, found.row), found.proved, self.engine_name)

    def optima(self, objective: str | Objective) -> Assignments:
        """Just those with the greatest scores, to count, list or sample."""
        narrower = Assignments(self.problem, self.engine_name, self._objectives, **self._options)
        narrower.engine = self.engine.optima(self.objective(objective))
        narrower._pinned = True
        return narrower

    _pinned = False

    def where(
        self,
        amounts: Mapping[str, Mapping[str, Where]] | None = None,
        *,
        full: Sequence[str] = (),
        not_full: Sequence[str] = (),
    ) -> Assignments:
        """The assignments in which shares take given values and meters are, or are not, full.

        A share is fixed by an integer, bounded by a pair `(least, most)` whose ends may be None. Meters go by name: in
        a combat the creatures that must, or must not, be assigned lethal damage. Raises KeyError for unknown names.
        """
        if self._pinned:
            raise EngineError("narrow first, then take the optima")
        problem = self.problem
        values: dict[int, Values] = {}
        for source, shares in (amounts or {}).items():
            for recipient, wanted in shares.items():
                at = problem.index[source, recipient]
                values[at] = _within(values.get(at, problem.shares[at].values), wanted)
        meters: dict[str, int] = {meter.name: at for at, meter in enumerate(problem.meters)}
        bounds = [AtMost(0, (Full(meters[name], False),), words=f"{name} must be lethal") for name in full]
        bounds += [AtMost(0, (Full(meters[name]),), words=f"{name} must survive") for name in not_full]
        return Assignments(
            problem.narrowed(values, bounds), self.engine_name, self._objectives, **self._options
        )

    def outcomes(self, shares: Sequence[Column] = (), meters: Sequence[str] = ()) -> Iterator[OutcomeOf]:
        """The distinct readings of these shares and meters, with how many assignments lead to each and one."""
        at = [self.problem.index[column] for column in shares]
        names = {meter.name: number for number, meter in enumerate(self.problem.meters)}
        for found in self.engine.outcomes(at, [names[name] for name in meters]):
            yield OutcomeOf(found.readings, found.rows, Assignment(self.columns, found.example))

    def dot(self) -> str:
        """The decision diagram as Graphviz text; raises EngineError where it is too large to be drawn."""
        from lethal.solver.diagram import draw

        return draw.dot(self.problem)

    def svg(self) -> str:
        """The decision diagram as a stand-alone SVG; raises EngineError where it is too large to be drawn."""
        from lethal.solver.diagram import draw

        return draw.svg(self.problem)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the picture of a small diagram."""
        from lethal.solver.diagram import draw

        try:
            return draw.svg(self.problem, most=80)
        except EngineError:
            return None

    def check(self, assignment: Assignment | Amounts) -> list[evaluate.Violation]:
        """Every constraint that an assignment breaks, each with its rule; empty if it is legal."""
        given = assignment.given if isinstance(assignment, Assignment) else _given(assignment)
        foreign = sorted((s, r, n) for s, r, n in given if (s, r) not in self.problem.index)
        found = [
            evaluate.Violation(self.problem.rule, f"{s} may not assign damage to {r}: {n}", s, r)
            for s, r, n in foreign
        ]
        row = [0] * len(self.columns)
        for source, recipient, amount in given:
            if (source, recipient) in self.problem.index:
                row[self.problem.index[source, recipient]] = amount
        return found + evaluate.violations(self.problem, row)

    def _answer(self, ask: Callable[[Engine], Any]) -> tuple[Any, str]:
        """Ask the engine, and CP-SAT where the exact one finds the problem too wide; with who answered."""
        try:
            return ask(self.engine), self.engine_name
        except TooWide:
            if self.engine_name != "diagram" or self._pinned:
                raise
            return ask(make("cpsat", self.problem)), "cpsat"

    def __repr__(self) -> str:
        return f"<Assignments over {len(self.columns)} shares, engine {self.engine_name!r}>"


def _within(values: Values, wanted: Where) -> Values:
    """The values of a domain that a condition keeps."""
    if isinstance(wanted, int):
        return (wanted,) if wanted in values else ()
    least, most = wanted
    if isinstance(values, range):
        start = values.start if least is None else max(values.start, least)
        stop = values.stop if most is None else min(values.stop, most + 1)
        return range(start, max(start, stop))
    return tuple(v for v in values if (least is None or v >= least) and (most is None or v <= most))
