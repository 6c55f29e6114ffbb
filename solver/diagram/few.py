"""The best row of a component that has but a few rows: all of them side by side, a list for each share.

For a typical combat this takes half the time of a diagram. The reading is the joint one, as in `evaluate.holds`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lethal.solver.diagram.presolve import Bound, Reduced
from lethal.solver.diagram.scoring import Scoring
from lethal.solver.problem import Full, Literal, Partly, Short, Used

LIMIT = 128
"""The most rows that are tried, illegal ones included."""

Column = list[int]


def within_totals(reduced: Reduced, group: Sequence[int]) -> list[tuple[int, ...]] | None:
    """The rows within the totals, in listing order; None if there are more than LIMIT on the way."""
    place = {share: at for at, share in enumerate(group)}
    limits: list[list[tuple[list[int], int, int]]] = [[] for _ in group]
    for share in group:
        for number in reduced.totals_at.get(share, ()):
            total = reduced.problem.totals[number]
            places = sorted(place[at] for at in total.shares)
            low, high = total.least, total.most
            for done in reversed(range(len(places))):
                limits[places[done]].append((places[:done], low, high))
                values = reduced.domains[group[places[done]]]
                low, high = low - values[-1], high - values[0]
    rows: list[tuple[int, ...]] = [()]
    for at, share in enumerate(group):
        values = reduced.domains[share]
        found: list[tuple[int, ...]] = []
        for row in rows:
            low, high = values[0], values[-1]
            for before, least, most in limits[at]:
                given = sum([row[earlier] for earlier in before])
                low, high = max(low, least - given), min(high, most - given)
            if isinstance(values, range):
                span: Sequence[int] = range(low, high + 1)
            else:
                span = [value for value in values if low <= value <= high]
            if len(found) + len(span) > LIMIT:
                return None
            found += [(*row, value) for value in span]
        rows = found
    return rows


def best_of(
    rows: Sequence[tuple[int, ...]], reduced: Reduced, group: Sequence[int], scoring: Scoring
) -> tuple[int, ...] | None:
    """The first of these rows along the group that is legal and has the greatest weight; None if none is legal."""
    if not rows:
        return None
    few = _Few(reduced, dict(zip(group, map(list, zip(*rows, strict=True)), strict=True)), len(rows))
    alive = few.alive(sorted(group))
    weight = [0] * len(rows)
    for share, column in few.columns.items():
        if scoring.scores(share):
            weight = [a + b for a, b in zip(weight, scoring.column(share, column), strict=True)]
    for meter in scoring.read:
        if reduced.problem.meters[meter].terms[0][0] in few.columns:
            full = reduced.problem.meters[meter].full
            noted = [scoring.noted(meter, min(n, full)) for n in few.reading(meter)]
            weight = [a + b for a, b in zip(weight, noted, strict=True)]
    best = max((n for n, lives in zip(weight, alive, strict=True) if lives), default=None)
    if best is None:
        return None
    return next(row for row, n, lives in zip(rows, weight, alive, strict=True) if lives and n == best)


class _Few:
    """Columns of rows: one for each share, and for meters and literals as they are asked for."""

    def __init__(self, reduced: Reduced, columns: dict[int, Column], height: int) -> None:
        self.reduced, self.columns, self.height = reduced, columns, height
        self._readings: dict[int, Column] = {}

    def reading(self, meter: int) -> Column:
        """What the meter's terms add up to, row by row."""
        if meter not in self._readings:
            column = [0] * self.height
            for share, table in self.reduced.problem.meters[meter].terms:
                gains = table.over(self.columns[share])
                column = [a + b for a, b in zip(column, gains, strict=True)]
            self._readings[meter] = column
        return self._readings[meter]

    def alive(self, shares: Sequence[int]) -> list[bool]:
        """Which rows keep all gates and bounds."""
        alive = [True] * self.height
        for share in shares:
            for need in self.reduced.thin_at.get(share, ()):
                column = self.columns[share]
                for meter in need.meters:
                    full = self.reduced.problem.meters[meter].full
                    alive = [
                        lives and (n >= full or value not in need.values)
                        for lives, n, value in zip(alive, self.reading(meter), column, strict=True)
                    ]
            for number in self.reduced.bounds_at.get(share, ()):
                bound = self.reduced.bounds[number]
                alive = [
                    lives and n <= bound.most for lives, n in zip(alive, self._count(bound), strict=True)
                ]
        return alive

    def _count(self, bound: Bound) -> Column:
        """How many of the bound's literals hold, row by row."""
        return [sum(row) for row in zip(*map(self._holds, bound.literals), strict=True)]

    def _holds(self, literal: Literal) -> list[bool]:
        meters = self.reduced.problem.meters
        match literal:
            case Used(share, values):
                return [n != 0 if values is None else n in values for n in self.columns[share]]
            case Full(meter, wanted):
                return [(n >= meters[meter].full) is wanted for n in self.reading(meter)]
            case Partly(meter):
                return [0 < n < meters[meter].full for n in self.reading(meter)]
            case Short(share, meter):
                both = zip(self.columns[share], self.reading(meter), strict=True)
                return [value != 0 and n < meters[meter].full for value, n in both]
