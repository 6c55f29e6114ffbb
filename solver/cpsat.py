"""The CP-SAT engine: optimises what the exact one finds too wide, takes further constraints, and checks it.

Solutions of the model and legal rows correspond one to one (`cpsat_model`), so listing counts. It lists with
one worker, share after share along `order.listing`, each from its least value up: as every engine does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import prod
from os import PathLike, fspath
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np
from ortools.sat.python import cp_model

from lethal.solver.cpsat_model import Built, Pin, circles
from lethal.solver.cpsat_search import Clock, Found, OutOfTime, listed, solve
from lethal.solver.engine import EngineError, OutcomeClass, Ranked, Unsupported
from lethal.solver.evaluate import read
from lethal.solver.order import components, couplings, listing
from lethal.solver.problem import Objective, Problem

if TYPE_CHECKING:
    from lethal.solver.engine import Score

Side: TypeAlias = Callable[[cp_model.CpModel, Sequence[cp_model.IntVar]], object]


class CpSatEngine:
    """One Problem as a CP-SAT model, built anew for each question.

    `seconds` limits each question (of `ranked`, each step; `rows` and `blocks` are not limited): out of
    time, `best` says that it is not proved, all others raise OutOfTime rather than answer in part. `workers` serve
    optimising; listing always has one. `side(model, variables)` is called on every model built and may add
    constraints over the share variables; variables that it adds must be fixed by these, else listing raises
    EngineError where a row repeats.
    """

    name = "cpsat"

    def __init__(
        self, problem: Problem, *, seconds: float | None = None, workers: int = 1, side: Side | None = None
    ) -> None:
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds must be more than 0, not {seconds!r}")
        if workers < 1:
            raise ValueError(f"workers must be 1 or more, not {workers!r}")
        self.problem = problem
        self.seconds = seconds
        self.workers = workers
        self.side = side
        self._pins: tuple[Pin, ...] = ()

    def _built(self, pins: Sequence[Pin] = ()) -> Built:
        built = Built(self.problem, (*self._pins, *pins))
        if self.side is not None:
            self.side(built.model, tuple(built.shares))
            if built.model.has_objective():
                raise ValueError("side may add constraints, not an objective")
        return built

    def _solve(self, built: Built, clock: Clock) -> Found | None:
        return solve(built.model, len(built.shares), clock, self.workers)

    def _listed(self, clock: Clock, pins: Sequence[Pin] = ()) -> Iterator[tuple[int, ...]]:
        built = self._built(pins)
        return listed(built.model, built.list_in_order(), clock)

    def empty(self) -> bool:
        """Whether no row is legal; raises OutOfTime."""
        return self._solve(self._built(), Clock(self.seconds)) is None

    def count(self) -> int:
        """How many rows are legal: listed, one independent component at a time; raises OutOfTime."""
        clock = Clock(self.seconds)
        groups = self._independent()
        if len(groups) < 2:
            return sum(1 for _ in self._listed(clock))
        found = self._solve(self._built(), clock)
        if found is None:
            return 0
        return prod(self._ways(group, found.row, clock) for group in groups)

    def _independent(self) -> list[list[int]]:
        """Groups of shares that vary independently, as far as the problem tells."""
        tied = self.side is not None or self._pins or (self.problem.sequential and circles(self.problem))
        return [] if tied else components(self.problem)

    def _ways(self, group: Sequence[int], row: Sequence[int], clock: Clock) -> int:
        """How many ways there are for these shares while the others stay as in the row."""
        if len(group) == 1 and not any(group[0] in tied for tied in couplings(self.problem)):
            return len(self.problem.shares[group[0]].values)
        built = self._built()
        for at, share in enumerate(built.shares):
            if at not in group:
                built.model.add(share == row[at])
        return sum(1 for _ in listed(built.model, built.list_in_order(), clock))

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Every legal row once, in the listing order, as the search finds them."""
        yield from self._listed(Clock(None))

    def blocks(self, rows: int) -> Iterator[np.ndarray]:
        """Every legal row once, in matrices of at most `rows` rows, one column a share, in bounded memory."""
        found = self.rows()
        while block := list(islice(found, rows)):
            yield np.array(block, dtype=np.int64).reshape(len(block), len(self.problem.shares))

    def bounds(self) -> list[tuple[int, int]]:
        """Least and most of every share over all legal rows; empty list if none is. Raises OutOfTime."""
        clock = Clock(self.seconds)
        built = self._built()
        found = self._solve(built, clock)
        if found is None:
            return []
        least, most = list(found.row), list(found.row)
        for at, share in enumerate(built.shares):
            values = self.problem.shares[at].values
            for seen, end, sign in ((least, values[0], 1), (most, values[-1], -1)):
                if seen[at] == end:
                    continue  # some row found before already reaches the end of the domain
                built.model.minimize(sign * share)
                found = self._proved(built, clock)
                built.model.add(sign * share >= sign * found.row[at])
                least, most = list(map(min, least, found.row)), list(map(max, most, found.row))
        return list(zip(least, most, strict=True))

    def best(self, objective: Objective) -> Ranked | None:
        """The first row, in the listing order, of those with the greatest scores; None if no row is legal.

        It is proved if both its scores and its place were in time; raises OutOfTime if no row was found.
        """
        clock = Clock(self.seconds)
        top = self._top(objective, clock)
        if top is None or not top.proved:
            return top
        try:
            return top._replace(row=self._first(_exactly(objective, top.score), top.row, clock))
        except OutOfTime:
            return top._replace(proved=False)

    def _first(self, pins: Sequence[Pin], row: tuple[int, ...], clock: Clock) -> tuple[int, ...]:
        """The first row in the listing order, from any one: each share in turn is made the least it can be.

        Listing would find it too, but can take a step for every value of a large amount.
        """
        built = self._built(pins)
        for at in listing(self.problem):
            share = built.shares[at]
            if row[at] > self.problem.shares[at].values[0]:
                built.model.minimize(share)
                row = self._proved(built, clock).row
            built.model.add(share == row[at])
        return row

    def _proved(self, built: Built, clock: Clock) -> Found:
        """A best solution of a model that has one; raises OutOfTime."""
        found = self._solve(built, clock)
        if found is None:
            raise EngineError("CP-SAT lost a solution that it had found")
        if not found.proved:
            raise OutOfTime(f"CP-SAT could not prove all bounds within {self.seconds} seconds")
        return found

    def _top(
        self, objective: Objective, clock: Clock, pins: Sequence[Pin] = (), first: int = 0
    ) -> Ranked | None:
        """Some row with the greatest scores under these pins, which settle the scores before the first."""
        built = self._built(pins)
        top: Ranked | None = None
        for at in range(first, max(first + 1, len(objective.scores))):
            score = built.score(objective, at) if at < len(objective.scores) else None
            if score is not None:
                built.model.maximize(score.expr)
            try:
                found = self._solve(built, clock)
            except OutOfTime:
                if top is None:
                    raise
                return top._replace(proved=False)
            if found is None:
                return None
            top = Ranked(self._scores(objective, found.row), found.row, found.proved)
            if not top.proved or score is None:
                return top
            built.hold(score, top.score[at], top.score[at])
            built.model.clear_hints()  # type: ignore[no-untyped-call]
            for share, value in zip(built.shares, top.row, strict=True):
                built.model.add_hint(share, value)
        return top

    def _scores(self, objective: Objective, row: Sequence[int]) -> Score:
        return objective.of(row, read(self.problem.meters + objective.meters, row))

    def ranked(self, objective: Objective) -> Iterator[Ranked]:
        """Rows from the best down, rows with equal scores in the listing order; raises OutOfTime."""
        top = self._top(objective, Clock(self.seconds))
        while top is not None:
            if not top.proved:
                raise OutOfTime(f"CP-SAT could not prove the next scores within {self.seconds} seconds")
            for row in self._listed(Clock(self.seconds), _exactly(objective, top.score)):
                yield Ranked(top.score, row)
            top = self._below(objective, top.score)

    def _below(self, objective: Objective, score: Score) -> Ranked | None:
        """Some row with the greatest scores that are less: the first to differ is as late as can be."""
        clock = Clock(self.seconds)
        for at in reversed(range(len(score))):
            pins = (*_exactly(objective, score[:at]), Pin(objective, at, None, score[at] - 1))
            top = self._top(objective, clock, pins, at)
            if top is not None:
                return top
        return None

    def optima(self, objective: Objective) -> CpSatEngine:
        """An engine over just the rows with the greatest scores; raises OutOfTime."""
        top = self._top(objective, Clock(self.seconds))
        if top is not None and not top.proved:
            raise OutOfTime(f"CP-SAT could not prove the greatest scores within {self.seconds} seconds")
        narrower = CpSatEngine(self.problem, seconds=self.seconds, workers=self.workers, side=self.side)
        narrower._pins = self._pins + (_exactly(objective, top.score) if top else ())
        return narrower

    def export(self, path: str | PathLike[str]) -> None:
        """Write the model as a protocol buffer: text for a name in `.txt`, binary for one in `.pb`."""
        name = fspath(path)
        if not name.endswith((".txt", ".pb")):
            raise ValueError(f"a model is written to a file in .txt or .pb, not to {name!r}")
        built = self._built()
        built.list_in_order()
        if not built.model.export_to_file(name):
            raise OSError(f"the model could not be written to {name!r}")

    def row(self, at: int) -> NoReturn:
        """Not answered: raises Unsupported."""
        raise Unsupported(self.name, "row")

    def rank(self, row: Sequence[int]) -> NoReturn:
        """Not answered: raises Unsupported."""
        raise Unsupported(self.name, "rank")

    def sample(self, rng: np.random.Generator, n: int) -> NoReturn:
        """Not answered: raises Unsupported."""
        raise Unsupported(self.name, "sample")

    def outcomes(self, shares: Sequence[int], meters: Sequence[int]) -> Iterator[OutcomeClass]:
        """Not answered: raises Unsupported."""
        raise Unsupported(self.name, "outcomes")


def _exactly(objective: Objective, score: Sequence[int]) -> tuple[Pin, ...]:
    return tuple(Pin(objective, at, value, value) for at, value in enumerate(score))
