"""Running CP-SAT: one solve, or a stream of all solutions, always where the caller can interrupt it.

The solver works in a thread of its own and hands rows over in bounded batches; who stops reading stops it.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from ortools.sat.python import cp_model

from lethal.solver.engine import EngineError, TooWide

BATCH = 1024
"""Rows that the solver may be ahead of its reader."""
PAUSE = 0.01
"""Seconds for which rows may gather before their reader is woken."""


class OutOfTime(EngineError):
    """The seconds that an engine was given ran out before the answer was known."""


class Clock:
    """What is left of the seconds that a question may take; None is no limit."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.end = None if seconds is None else monotonic() + seconds

    def left(self) -> float | None:
        return None if self.end is None else max(0.0, self.end - monotonic())


@dataclass(frozen=True, slots=True)
class Found:
    """A solution's shares, and whether the search that found it is complete."""

    row: tuple[int, ...]
    proved: bool


def solve(model: cp_model.CpModel, width: int, clock: Clock, workers: int = 1) -> Found | None:
    """A best solution's first `width` variables, or None if there is none.

    Raises OutOfTime if the clock ran out before either was known, TooWide if the solver refuses the model.
    """
    solver = _solver(clock, workers)
    run = _Run(solver, model)
    try:
        run.finish()
    finally:
        run.stop()
    status = run.checked(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status == cp_model.UNKNOWN:
        raise OutOfTime(f"CP-SAT found no answer within {clock.seconds} seconds")
    solution = solver.response_proto.solution
    return Found(tuple(solution[at] for at in range(width)), status == cp_model.OPTIMAL)


def listed(model: cp_model.CpModel, order: Sequence[int], clock: Clock) -> Iterator[tuple[int, ...]]:
    """Every solution's first variables, rising along `order`, which the model's search must follow.

    Raises OutOfTime if the clock ran out before the list was complete, EngineError if a row repeats: then
    some further variable is not fixed by the first ones.
    """
    solver = _solver(clock, workers=1)  # more would silently lose solutions
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.search_branching = cp_model.FIXED_SEARCH
    solver.parameters.symmetry_level = 0
    # Probing may replace a share by another's opposite, and then tries its values from the greatest down.
    solver.parameters.cp_model_presolve = False
    handover = _Handover(order)
    run = _Run(solver, model, handover)
    place = [0] * len(order)
    for position, at in enumerate(order):
        place[at] = position
    in_order = place == list(range(len(order)))
    try:
        while batch := handover.take():
            if in_order:
                yield from batch
            else:
                for row in batch:
                    yield tuple([row[position] for position in place])
        status = run.checked(model)
        if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            raise OutOfTime(f"CP-SAT could not complete the list within {clock.seconds} seconds")
    finally:
        run.stop()


def _solver(clock: Clock, workers: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    # Python's own handler must see an interrupt: the solver's would pass a cut search off as a short list.
    solver.parameters.catch_sigint_signal = False
    left = clock.left()
    if left is not None:
        solver.parameters.max_time_in_seconds = left
    return solver


class _Handover(cp_model.CpSolverSolutionCallback):
    """Rows on their way from the solver's thread to the reader's, at most BATCH of them."""

    def __init__(self, order: Sequence[int]) -> None:
        super().__init__()
        self._order = list(order)
        self._rows: list[tuple[int, ...]] = []
        self._last: tuple[int, ...] | None = None
        self._changed = threading.Condition()
        self._taken = monotonic() - PAUSE
        self._over = False

    def on_solution_callback(self) -> None:
        row = tuple(map(self.SolutionIntegerValue, self._order))
        if self._last is not None and row <= self._last:
            why = "a variable beside them is not fixed" if row == self._last else "the search left its order"
            raise EngineError(f"CP-SAT listed shares {row!r} after {self._last!r}: {why}")
        self._last = row
        with self._changed:
            self._rows.append(row)
            # Waking the reader for every row would cost more than finding it.
            if len(self._rows) >= BATCH // 2 or monotonic() > self._taken + PAUSE:
                self._changed.notify()
            while len(self._rows) >= BATCH and not self._over:
                self._changed.wait()
        if self._over:
            self.stop_search()

    def take(self) -> list[tuple[int, ...]]:
        """The rows that are there, waiting for some; none once the search is over."""
        with self._changed:
            while not self._rows and not self._over:
                self._changed.wait(4 * PAUSE)
            rows, self._rows = self._rows, []
            self._taken = monotonic()
            self._changed.notify()
        return rows

    def close(self) -> None:
        """Nothing more is wanted, or comes."""
        with self._changed:
            self._over = True
            self._changed.notify_all()


class _Run:
    """One solve in a thread; it ends with the interpreter even where a reader was forgotten."""

    def __init__(
        self, solver: cp_model.CpSolver, model: cp_model.CpModel, handover: _Handover | None = None
    ) -> None:
        self.solver, self.handover = solver, handover
        self.status = cp_model.UNKNOWN
        self.error: BaseException | None = None
        self.stopped = False
        self.thread = threading.Thread(target=self._work, args=(model,), name="cpsat", daemon=True)
        atexit.register(self.stop)
        self.thread.start()

    def _work(self, model: cp_model.CpModel) -> None:
        try:
            if not self.stopped:
                self.status = self.solver.solve(model, self.handover)
        except BaseException as error:  # noqa: BLE001  # handed to the caller's thread, which raises it
            self.error = error
        finally:
            if self.handover is not None:
                self.handover.close()

    def finish(self) -> None:
        while self.thread.is_alive():
            self.thread.join(1.0)

    def stop(self) -> None:
        """End the search, if it still runs, and its thread."""
        self.stopped = True
        if self.handover is not None:
            self.handover.close()
        while self.thread.is_alive():
            self.solver.stop_search()  # again and again: before the search has begun it is not heard
            self.thread.join(0.01)
        atexit.unregister(self.stop)

    def checked(self, model: cp_model.CpModel) -> cp_model.CpSolverStatus:
        """The finished search's status; raises what went wrong in it."""
        self.finish()
        if self.error is not None:
            raise self.error
        if self.status == cp_model.MODEL_INVALID:
            raise TooWide(f"CP-SAT refuses the model: {model.validate()}")
        return self.status
