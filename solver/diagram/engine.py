"""The diagram engine: compiles when first asked, component by component, and answers everything exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from heapq import heappop, heappush
from math import prod
from typing import TYPE_CHECKING, Any

from lethal.solver import order
from lethal.solver.diagram import count, few, layers, listing, narrow, presolve
from lethal.solver.diagram.compile import plan
from lethal.solver.diagram.layers import Diagram
from lethal.solver.diagram.scoring import Scoring, first, tied, tight, tops
from lethal.solver.diagram.steps import width
from lethal.solver.engine import OutcomeClass, Ranked, TooWide
from lethal.solver.evaluate import holds, read
from lethal.solver.problem import Objective, Problem, Row

if TYPE_CHECKING:
    import numpy as np

Keep = tuple[Sequence[int], Sequence[int]]

HOPE = 8
"""How many times as wide as it may be a narrow diagram may look beforehand."""
SEQUENTIAL = 1_000_000
"""The most arcs in a layer where sources join one after the other: those are built without NumPy."""


class DiagramEngine:
    """Every legal row of a problem as paths of a decision diagram.

    Options: `nodes`, the most arcs that a layer may have; `amount_limit`, the most values that a share may
    have; `narrow`, up to how many arcs a layer is built without NumPy. Raises TooWide when asked for more.
    """

    name = "diagram"

    def __init__(
        self,
        problem: Problem,
        *,
        nodes: int = 60_000_000,
        amount_limit: int = 4_096,
        narrow: int = 600,
        within: Objective | None = None,
    ) -> None:
        self.problem = problem
        self._options = {"nodes": nodes, "amount_limit": amount_limit, "narrow": narrow}
        self._nodes, self._amount_limit, self._narrow = nodes, amount_limit, narrow
        self._within = within

    # The parts of the diagram

    @cached_property
    def _listing(self) -> list[int]:
        return [at for group in self._components for at in group]

    @cached_property
    def _place(self) -> dict[int, int]:
        """Where along the listing a share is."""
        return {at: position for position, at in enumerate(self._listing)}

    def _along(self, group: Sequence[int]) -> list[int]:
        """A component's shares along the listing."""
        return sorted(group, key=self._place.__getitem__)

    @cached_property
    def _components(self) -> list[list[int]]:
        """The components along the listing, one after the other."""
        return order.along(self.problem, self._apart)

    @cached_property
    def _apart(self) -> list[list[int]]:
        """The components, their shares rising."""
        return order.components(self.problem)

    @cached_property
    def _parts(self) -> list[Diagram]:
        """The components' diagrams, in listing order; just their optima if there is an objective within."""
        if self._within is None:
            return self._compiled(self.problem, frozenset(), contiguous=True)
        scoring = Scoring(self.problem, self._within)
        return self._restricted(scoring, self._compiled(scoring.problem, scoring.read, contiguous=True))

    def _restricted(self, scoring: Scoring, parts: list[Diagram]) -> list[Diagram]:
        return [tight(part, scoring) for part in parts]

    def _compiled(
        self, problem: Problem, read: frozenset[int], *, contiguous: bool, keep: Keep = ((), ())
    ) -> list[Diagram]:
        """Diagrams of the components that stay apart although `read` and kept meters are followed."""
        reduced = presolve.reduce(problem, self._amount_limit)
        if not reduced.possible:
            return [layers.empty_diagram(self._listing)]
        parts = []
        for group in self._groups(problem, read | set(keep[1]), contiguous):
            parts.append(self._component(reduced, group, read, keep))
        return parts

    def _component(
        self, reduced: presolve.Reduced, group: Sequence[int], read: frozenset[int], keep: Keep
    ) -> Diagram:
        try:
            return self._built(reduced, group, read, keep)
        except layers.TooManyArcs as error:
            share = reduced.problem.shares[error.share]
            raise TooWide(
                f"the diagram's layer for {share} needs more than {error.limit:,} arcs"
                f"{'' if reduced.problem.sequential else ' (option nodes)'}; the engine 'cpsat' still answers "
                "'best' and 'bounds', and 'in' and 'check' need no diagram"
            ) from None

    def _built(
        self, reduced: presolve.Reduced, group: Sequence[int], read: frozenset[int], keep: Keep
    ) -> Diagram:
        ends = bool(keep[0] or keep[1])
        if reduced.problem.sequential:
            from lethal.solver.diagram import sequential

            # With one source that waits, all others join before it: the joint reading says the same.
            if len(sequential.gated(reduced, group)) > 1:
                return narrow.build(sequential.sequential_plan(reduced, group, read, keep), SEQUENTIAL, ends)
        steps = plan(reduced, group, read, keep)
        if width(steps) <= HOPE * self._narrow:
            with suppress(layers.TooManyArcs):
                return narrow.build(steps, self._narrow, ends)
        from lethal.solver.diagram import wide

        return wide.build(steps, self._nodes, ends)

    def _groups(self, problem: Problem, read: frozenset[int], contiguous: bool) -> list[list[int]]:
        """The components, each along the listing; joined until none reaches into another if `contiguous`."""
        if not read:
            return self._components
        place = self._place
        groups = [self._along(group) for group in order.components(problem, sorted(read))]
        groups.sort(key=lambda group: place[group[0]])
        if not contiguous:
            return groups
        joined: list[list[int]] = []
        reach = -1
        for group in groups:
            if joined and place[group[0]] < reach:
                joined[-1] = sorted(joined[-1] + group, key=place.__getitem__)
            else:
                joined.append(group)
            reach = max(reach, place[group[-1]])
        return joined

    @cached_property
    def diagram(self) -> Diagram:
        """All components' layers, one after the other, in listing order, reduced."""
        from lethal.solver.diagram.reduce import reduced

        return layers.chain([reduced(part) for part in self._parts]) if self._parts else Diagram([], False)

    @cached_property
    def _whole(self) -> Diagram:
        return layers.chain(self._parts) if self._parts else Diagram([], False)

    @cached_property
    def _counts(self) -> list[list[Any]]:
        return [count.counts(part) for part in self._parts]

    @cached_property
    def _totals(self) -> list[int]:
        return [count.total(counted) for counted in self._counts]

    # Questions about all rows

    def empty(self) -> bool:
        """Whether no row is legal."""
        return any(part.empty for part in self._parts)

    def count(self) -> int:
        """How many rows are legal."""
        return prod(self._totals)

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Every legal row once, in the listing order."""
        return listing.rows(self._whole, self._listing)

    def blocks(self, rows: int) -> Iterator[np.ndarray]:
        """Every legal row once, in matrices of at most `rows` rows, one column a share, in bounded memory."""
        return listing.blocks(self._whole, count.counts(self._whole), self._listing, rows)

    def bounds(self) -> list[tuple[int, int]]:
        """Least and most of every share over all legal rows; empty if there is none."""
        if self.empty():
            return []
        found = [bound for part in self._parts for bound in count.bounds(part)]
        return [bound for _, bound in sorted(zip(self._listing, found, strict=True))]

    # Positions

    def row(self, at: int) -> tuple[int, ...]:
        """The row at a position of the listing; raises IndexError."""
        if not 0 <= at < self.count():
            raise IndexError(f"there are {self.count()} rows, none at {at!r}")
        found: list[list[int]] = []
        for part, counted, total in zip(
            reversed(self._parts), reversed(self._counts), reversed(self._totals), strict=True
        ):
            at, inside = divmod(at, total)
            found.append(count.row(part, counted, inside))
        return self._placed(value for values in reversed(found) for value in values)

    def _placed(self, values: Any) -> tuple[int, ...]:
        """A row from its values along the listing."""
        row = [0] * len(self._listing)
        for at, value in zip(self._listing, values, strict=True):
            row[at] = value
        return tuple(row)

    def rank(self, row: Sequence[int]) -> int:
        """The position of a legal row in the listing; raises ValueError if it is not legal."""
        if len(row) != len(self._listing) or not holds(self.problem, row) or self.empty():
            raise ValueError(f"not a legal row: {row!r}")
        along = [row[at] for at in self._listing]
        position = done = 0
        for part, counted, total in zip(self._parts, self._counts, self._totals, strict=True):
            size = len(part.layers)
            position = position * total + count.rank(part, counted, along[done : done + size])
            done += size
        return position

    # Objectives

    def _objective(self, objective: Objective) -> Objective:
        """The objective behind the one that the rows are restricted to."""
        if self._within is None:
            return objective
        return _behind(self.problem, self._within, objective)

    def _ranked(self, objective: Objective, row: Row) -> Ranked:
        readings = read(self.problem.meters + objective.meters, row)
        return Ranked(objective.of(row, readings), tuple(row))

    def best(self, objective: Objective) -> Ranked | None:
        """The first row, in the listing order, of those with the greatest scores; None if no row is legal."""
        row = [0] * len(self.problem.shares)
        if self._within is None and not self.problem.sequential and "_parts" not in vars(self):
            return self._ranked(objective, row) if self._fill_best(objective, row) else None
        scoring = Scoring(self.problem, self._objective(objective))
        if scoring.read or self._within is not None:
            parts = self._compiled(scoring.problem, scoring.read, contiguous=False)
        else:
            parts = self._parts
        for part in parts:
            if part.empty:
                return None
            weights, top = tops(part, scoring)
            for layer, value in zip(part.layers, first(part, weights, top), strict=True):
                row[layer.share] = value
        return self._ranked(objective, row)

    def _fill_best(self, objective: Objective, row: list[int]) -> bool:
        """Writes the first best row of a joint problem; False if none is legal. Small components need no diagram."""
        ties = tied(self.problem, objective)
        meters = self.problem.meters + objective.meters
        extended = any(at >= len(self.problem.meters) for at in ties)
        problem = self.problem.with_meters(objective.meters) if extended else self.problem
        small: few.Few | None = None
        scoring: Scoring | None = None
        reduced: presolve.Reduced | None = None
        try:
            small = few.Few(problem, self._along)
        except IndexError:  # a part that reads no share holds or not, whatever the groups say
            reduced = presolve.reduce(problem, self._amount_limit)
            if not reduced.possible:
                return False
        for group in order.components(problem, sorted(ties)) if ties else self._apart:
            values: Row | None
            try:
                if small is None:
                    raise few.TooMany
                values = small.best(group, objective, meters)
            except few.TooMany:
                reduced = reduced or presolve.reduce(problem, self._amount_limit)
                if not reduced.possible:
                    return False
                scoring = scoring or Scoring(self.problem, objective)
                group = self._along(group)
                part = self._component(reduced, group, ties, ((), ()))
                values = None if part.empty else first(part, *tops(part, scoring))
            if values is None:
                return False
            for at, value in zip(group, values, strict=True):
                row[at] = value
        return True

    def ranked(self, objective: Objective) -> Iterator[Ranked]:
        """Rows from the best down, rows with equal scores in the listing order."""
        joint = self._objective(objective)
        scoring = Scoring(self.problem, joint)
        parts = self._compiled(scoring.problem, scoring.read, contiguous=True)
        if self._within is not None:
            inner = Scoring(scoring.problem, self._within)
            parts = self._restricted(inner, parts)
        whole = layers.chain(parts) if parts else Diagram([], False)
        if not whole.empty:
            for values in _best_first(whole, scoring):
                yield self._ranked(objective, self._placed(values))

    def optima(self, objective: Objective) -> DiagramEngine:
        """An engine over just the rows with the greatest scores."""
        return DiagramEngine(self.problem, within=self._objective(objective), **self._options)

    # Samples and outcomes

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` rows drawn uniformly and independently, an (n, shares) matrix; ValueError if none is legal."""
        import numpy as np

        from lethal.solver.diagram import sampling

        if self.empty():
            raise ValueError("no row is legal, so none can be drawn")
        result = np.zeros((n, len(self._listing)), dtype=np.int64)
        for part, counted in zip(self._parts, self._counts, strict=True):
            columns = [layer.share for layer in part.layers]
            result[:, columns] = sampling.sample(part, counted, rng, n)
        return result

    def outcomes(self, shares: Sequence[int], meters: Sequence[int]) -> Iterator[OutcomeClass]:
        """The distinct vectors of these shares' values and meters' readings, rising, with their rows."""
        from lethal.solver.diagram import outcomes

        keep = (shares, meters)
        if self._within is None:
            parts = self._compiled(self.problem, frozenset(), contiguous=False, keep=keep)
        else:
            scoring = Scoring(self.problem, self._within)
            parts = self._compiled(scoring.problem, scoring.read, contiguous=False, keep=keep)
            parts = [tight(part, scoring) for part in parts]
        if any(part.empty for part in parts):
            return
        wanted = [("kept", at) for at in shares] + [("meter", at) for at in meters]
        groups, owner_of = [], dict[Any, int]()
        for number, part in enumerate(parts):
            inside = [key for key in wanted if key in part.end_keys]
            owner_of.update(dict.fromkeys(inside, number))
            groups.append(outcomes.classes(part, [part.end_keys.index(key) for key in inside]))
        # A meter without terms belongs to no component and reads 0.
        known = [key for key in wanted if key in owner_of]
        gaps = [at for at, key in enumerate(wanted) if key not in owner_of]
        for vector, found in outcomes.combined(groups, [owner_of[key] for key in known]):
            whole = list(vector)
            for at in gaps:
                whole.insert(at, 0)
            row = [0] * len(self._listing)
            for part, one in zip(parts, found, strict=True):
                for layer, value in zip(part.layers, one.example, strict=True):
                    row[layer.share] = value
            yield OutcomeClass(tuple(whole), prod(one.rows for one in found), tuple(row))


def _behind(problem: Problem, before: Objective, after: Objective) -> Objective:
    """One objective that maximises `before`, and among its optima `after`."""
    from msgspec.structs import replace

    base, shift = len(problem.meters), len(before.meters)
    scores = [
        replace(score, meters=tuple((at + shift if at >= base else at, table) for at, table in score.meters))
        for score in after.scores
    ]
    return Objective(after.name, before.scores + tuple(scores), before.meters + after.meters)


def _best_first(diagram: Diagram, scoring: Scoring) -> Iterator[tuple[int, ...]]:
    """Rows along the layers, the heaviest first, equal ones in listing order.

    Best-first search with the exact weight of the best completion: what is taken next is never worse than
    what follows, and among equals the smaller prefix comes first, so equals are met in order.
    """
    weights, top = tops(diagram, scoring)
    lists, n = diagram.lists, len(diagram.layers)
    heap: list[tuple[int, tuple[int, ...], int, int]] = [(-int(top[0][0]), (), 0, 0)]
    while heap:
        _, prefix, node, so_far = heappop(heap)
        depth = len(prefix)
        if depth == n:
            yield prefix
            continue
        layer = lists[depth]
        for arc in layer.arcs(node):
            child = layer.child[arc]
            weight = so_far + int(weights[depth][arc])
            entry = (-weight - int(top[depth + 1][child]), (*prefix, layer.value[arc]), child, weight)
            heappush(heap, entry)
