"""The constraint language that every game is turned into and every engine speaks.

A *Problem* gives integers to *shares* (how much a source gives a recipient). *Totals* bound sums of shares,
*meters* read sums of tables of shares, clipped at `full`; a *gate* says that a share in certain values needs
meters to be full; *AtMost* bounds how many literals hold. Gates are checked jointly, or sequentially: then there must
be an order of the sources in which each one's gates hold counting only the shares of itself and of those before
it (a least fixed point, so two sources cannot hold each other up). Every constraint carries the rule it comes
from and words for people. Nothing here knows a game or an engine; parts refer to one another by index.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace as altered

Values: TypeAlias = range | tuple[int, ...]
Row: TypeAlias = Sequence[int]


class NotASum(ValueError):
    """What is wanted is no sum over shares and meters, so no objective says it; other ways may choose by it."""


class ProblemError(ValueError):
    """A Problem that cannot be: `defects` lists every fault found, each with where it is."""

    def __init__(self, defects: Sequence[str]) -> None:
        self.defects = tuple(defects)
        super().__init__("; ".join(self.defects))


@dataclass(frozen=True, slots=True)
class Table:
    """A function from a share's (or a meter's) value to an integer, linear on pieces.

    `pieces` are `(start, base, slope)` with rising starts: from its start on a piece gives
    `base + slope * (value - start)`; the first one also holds below its start.
    """

    pieces: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        if not self.pieces:
            raise ProblemError(["a table needs at least one piece"])
        if len(self.pieces) > 1 and any(a[0] >= b[0] for a, b in pairwise(self.pieces)):
            raise ProblemError([f"a table's pieces must start at rising values: {self.pieces!r}"])

    def __call__(self, value: int) -> int:
        pieces = self.pieces
        piece = pieces[0]
        if len(pieces) == 2 and value >= pieces[1][0]:
            piece = pieces[1]
        elif len(pieces) > 2:
            piece = pieces[max(0, bisect_right(pieces, value, key=_start) - 1)]
        start, base, slope = piece
        return base + slope * (value - start)

    def over(self, values: Iterable[int]) -> list[int]:
        """The entries at these values, all at once."""
        if len(self.pieces) == 1:
            start, base, slope = self.pieces[0]
            base -= slope * start
            return [base + slope * value for value in values]
        if len(self.pieces) == 2:
            (a, b, c), (start, base, slope) = self.pieces
            return [base + slope * (v - start) if v >= start else b + c * (v - a) for v in values]
        return [self(value) for value in values]

    @property
    def is_linear(self) -> bool:
        return len(self.pieces) == 1

    def corners(self, values: Values) -> list[int]:
        """The values of a domain between which the table is monotone: its extremes are at some of them."""
        low, high = values[0], values[-1]
        found = {low, high}
        for start, _, _ in self.pieces[1:]:
            for value in (start - 1, start):
                if low < value < high:
                    found.update(neighbours(values, value))
        return sorted(found)

    def extremes(self, values: Values) -> tuple[int, int]:
        """The least and the greatest entry over a domain."""
        pieces = self.pieces
        if len(pieces) == 1:
            start, base, slope = pieces[0]
            a, b = base + slope * (values[0] - start), base + slope * (values[-1] - start)
            return (a, b) if a <= b else (b, a)
        if len(pieces) == 2 and not pieces[0][2] and not pieces[1][2]:
            (_, below, _), (start, above, _) = pieces
            if values[0] >= start:
                return above, above
            if values[-1] < start:
                return below, below
            if start in values:
                return (below, above) if below <= above else (above, below)
        entries = [self(value) for value in self.corners(values)]
        return min(entries), max(entries)

    def fills(self, values: Values) -> bool:
        """Whether no entry over a domain is negative."""
        pieces = self.pieces
        if values[0] >= pieces[0][0]:
            for _, base, slope in pieces:
                if base < 0 or slope < 0:
                    break
            else:
                return True
        return self.extremes(values)[0] >= 0

    @classmethod
    def of(cls, entries: Mapping[int, int]) -> Table:
        """The table with exactly these entries (values between two entries read the lower one's)."""
        return cls(tuple((value, entries[value], 0) for value in sorted(entries)))


def _start(piece: tuple[int, int, int]) -> int:
    return piece[0]


def neighbours(values: Values, value: int) -> list[int]:
    """The values of a domain that lie at, next below and next above `value`."""
    if isinstance(values, range):
        return [value] if value in values else []
    at = bisect_right(values, value)
    return list(values[max(0, at - 1) : at + 1])


AMOUNT = Table(((0, 0, 1),))
"""The table of a share that counts what it gives."""


def linear(slope: int) -> Table:
    """The table that counts `slope` for every unit."""
    return AMOUNT if slope == 1 else Table(((0, 0, slope),))


@lru_cache(maxsize=1024)
def step(at: int, height: int) -> Table:
    """The table that reads 0 below `at` and `height` from it on."""
    return Table(((at - 1, 0, 0), (at, height, 0)))


class Share(Struct, frozen=True, gc=False):
    """One decision: how much `source` gives `recipient`, from a finite, rising set of integers."""

    source: str
    recipient: str
    values: Values

    def __str__(self) -> str:
        return f"{self.source} → {self.recipient}"


class Total(Struct, frozen=True, gc=False):
    """The sum of these shares lies between `least` and `most`, both included."""

    shares: tuple[int, ...]
    least: int
    most: int
    rule: str = ""
    words: str = ""


class Meter(Struct, frozen=True, gc=False):
    """The sum of tables over shares, clipped at `full`; every entry is 0 or more, so it only ever fills."""

    name: str
    full: int
    terms: tuple[tuple[int, Table], ...]
    words: str = ""


class Gate(Struct, frozen=True, gc=False):
    """A share that takes one of `values` needs all of these meters full."""

    share: int
    values: Values
    meters: tuple[int, ...]
    rule: str = ""
    words: str = ""


class Used(Struct, frozen=True, gc=False):
    """Literal: the share takes one of `values` (by default any but 0)."""

    share: int
    values: Values | None = None


class Full(Struct, frozen=True, gc=False):
    """Literal: the meter is full (or, with `holds` false, is not)."""

    meter: int
    holds: bool = True


class Partly(Struct, frozen=True, gc=False):
    """Literal: the meter reads more than 0 and less than full."""

    meter: int


class Short(Struct, frozen=True, gc=False):
    """Literal: the share is not 0 and yet the meter is not full."""

    share: int
    meter: int


Literal: TypeAlias = Used | Full | Partly | Short


class AtMost(Struct, frozen=True, gc=False):
    """At most `most` of these literals hold.

    Where all literals are `Short` ones of a single source, a sequential problem checks the bound when that source's
    turn comes, as it does gates; any other bound is read off the finished row.
    """

    most: int
    literals: tuple[Literal, ...]
    rule: str = ""
    words: str = ""


@dataclass(frozen=True)
class Problem:
    """Shares and what binds them; immutable and checked when made.

    Raises ProblemError with every defect: unknown indices, empty or unsorted domains, two shares of one source
    and recipient, bounds that cross, meters that could read less than 0.
    """

    shares: tuple[Share, ...]
    totals: tuple[Total, ...] = ()
    meters: tuple[Meter, ...] = ()
    gates: tuple[Gate, ...] = ()
    at_most: tuple[AtMost, ...] = ()
    sequential: bool = False
    rule: str = ""
    """The rule that forbids whatever is not among the shares' values."""

    def __post_init__(self) -> None:
        defects = list(_defects(self))
        if defects:
            raise ProblemError(defects)

    @cached_property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Pairs of source and recipient, one a share, in the order of the shares."""
        return tuple((share.source, share.recipient) for share in self.shares)

    @cached_property
    def index(self) -> dict[tuple[str, str], int]:
        """The position of the share of a source and a recipient."""
        return {column: at for at, column in enumerate(self.columns)}

    def owner(self, bound: AtMost) -> str | None:
        """The source in whose turn a sequential problem checks the bound, or None: at the end."""
        owners = {self.shares[x.share].source if isinstance(x, Short) else None for x in bound.literals}
        return owners.pop() if len(owners) == 1 else None

    def with_meters(self, meters: Iterable[Meter]) -> Problem:
        """The same problem with more meters, which bind nothing and can be read."""
        more = tuple(meters)
        if not more:
            return self
        wider = object.__new__(Problem)  # the parts that it shares with this problem have been checked
        wider.__dict__.update(
            {f.name: getattr(self, f.name) for f in fields(self)}, meters=self.meters + more
        )
        defects = list(_meter_defects(wider, len(self.meters)))
        if defects:
            raise ProblemError(defects)
        return wider

    def narrowed(self, values: Mapping[int, Values], bounds: Iterable[AtMost] = ()) -> Problem:
        """The problem with smaller domains and further bounds; an empty domain makes it impossible."""
        shares = list(self.shares)
        extra = list(bounds)
        for at, kept in values.items():
            if len(kept):
                shares[at] = altered(shares[at], values=kept)
            else:
                extra.append(
                    AtMost(0, (Used(at, shares[at].values),), words=f"{shares[at]} has no value left")
                )
        return replace(self, shares=tuple(shares), at_most=self.at_most + tuple(extra))


class Score(Struct, frozen=True, gc=False):
    """A sum of tables over shares and over final meter readings; `unit` of its integers make one point."""

    name: str
    shares: tuple[tuple[int, Table], ...] = ()
    meters: tuple[tuple[int, Table], ...] = ()
    unit: int = 1


class Objective(Struct, frozen=True, gc=False):
    """Scores to be maximised, the first before all others.

    `meters` are further meters that only the scores read; they are numbered on from the problem's own.
    """

    name: str
    scores: tuple[Score, ...]
    meters: tuple[Meter, ...] = ()

    def of(self, row: Row, readings: Row) -> tuple[int, ...]:
        """The scores of a row whose meters (the problem's, then the objective's) read `readings`."""
        return tuple([_summed(score.shares, row) + _summed(score.meters, readings) for score in self.scores])


def _summed(terms: Iterable[tuple[int, Table]], of: Row) -> int:
    return sum([of[at] if table is AMOUNT else table(of[at]) for at, table in terms])


def _defects(problem: Problem) -> Iterable[str]:
    n, m = len(problem.shares), len(problem.meters)
    seen: set[tuple[str, str]] = set()
    for at, share in enumerate(problem.shares):
        values = share.values
        if not len(values):
            yield f"share {at} ({share}) has no value"
        elif isinstance(values, range):
            if values.step != 1:
                yield f"share {at} ({share}): a range of values must have step 1: {values!r}"
        elif any(a >= b for a, b in pairwise(values)):
            yield f"share {at} ({share}): values must rise: {values!r}"
        column = (share.source, share.recipient)
        if column in seen:
            yield f"share {at} ({share}) is there twice"
        seen.add(column)
    for at, total in enumerate(problem.totals):
        if _outside(total.shares, n):
            yield from _unknown(f"total {at}", total.shares, n, "share")
        if len(set(total.shares)) < len(total.shares):
            yield f"total {at} counts a share twice: {total.shares!r}"
        if total.least > total.most:
            yield f"total {at}: least {total.least} is more than most {total.most}"
    yield from _meter_defects(problem, 0)
    for at, gate in enumerate(problem.gates):
        if not 0 <= gate.share < n or _outside(gate.meters, m):
            yield from _unknown(f"gate {at}", (gate.share,), n, "share")
            yield from _unknown(f"gate {at}", gate.meters, m, "meter")
    for at, bound in enumerate(problem.at_most):
        for literal in bound.literals:
            if isinstance(literal, Used | Short):
                yield from _unknown(f"at-most {at}", (literal.share,), n, "share")
            if isinstance(literal, Full | Partly | Short):
                yield from _unknown(f"at-most {at}", (literal.meter,), m, "meter")


def _meter_defects(problem: Problem, start: int) -> Iterable[str]:
    """The faults of the meters from `start` on."""
    shares = problem.shares
    n = len(shares)
    for at in range(start, len(problem.meters)):
        meter = problem.meters[at]
        indices = [share for share, _ in meter.terms]
        if _outside(indices, n):
            yield from _unknown(f"meter {at} ({meter.name})", indices, n, "share")
        if len(set(indices)) < len(indices):
            yield f"meter {at} ({meter.name}) counts a share twice: {indices!r}"
        if meter.full < 0:
            yield f"meter {at} ({meter.name}): full is negative: {meter.full!r}"
        for index, table in meter.terms:
            if 0 <= index < n:
                values = shares[index].values
                fills = values[0] >= 0 if values and table is AMOUNT else not values or table.fills(values)
                if not fills:
                    yield f"meter {at} ({meter.name}): {shares[index]} could count less than 0"


def _outside(indices: Sequence[int], limit: int) -> bool:
    """Whether any of these indices is unknown."""
    return bool(indices) and not (min(indices) >= 0 and max(indices) < limit)


def _unknown(where: str, indices: Iterable[int], limit: int, kind: str) -> Iterable[str]:
    for index in indices:
        if not 0 <= index < limit:
            yield f"{where}: there is no {kind} {index!r}"
