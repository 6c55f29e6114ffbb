"""Dividing one amount among several recipients: the part that every game of divided damage shares.

A *sink* is a recipient with the most it may be given (None: no limit). Each game says how much of the
amount must be given and what else binds; this module only makes the shares and their total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lethal.solver.problem import Meter, Share, Table, Total, Values


@dataclass(frozen=True, slots=True)
class Sink:
    """A recipient and the most it may be given; `values` narrows that further where it is not None."""

    name: str
    most: int | None
    values: Values | None = None

    def domain(self, amount: int) -> Values:
        """The values its share may take when `amount` is divided."""
        top = amount if self.most is None else min(amount, self.most)
        if self.values is None:
            return range(top + 1)
        kept = tuple(v for v in self.values if v <= top)
        return kept or (0,)


def capacity(sinks: Iterable[Sink], amount: int) -> int:
    """How much of `amount` the sinks can be given together."""
    room = 0
    for sink in sinks:
        room += amount if sink.most is None else min(amount, sink.most)
        if room >= amount:
            return amount
    return room


def level(caps: Sequence[int], total: int) -> list[Values]:
    """The values each recipient may have when `total` is divided as evenly as the caps allow.

    Everybody below the common level is full; the others have the level or one more.
    """
    low, high = 0, max(caps, default=0)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(cap, middle) for cap in caps) <= total:
            low = middle
        else:
            high = middle - 1
    return [(min(cap, low), low + 1) if cap > low else (cap,) for cap in caps]


@dataclass
class Shares:
    """Collects the shares and totals of a problem, source by source."""

    shares: list[Share] = field(default_factory=list)
    totals: list[Total] = field(default_factory=list)

    def divide(
        self, source: str, sinks: Sequence[Sink], amount: int, least: int, most: int, rule: str, words: str
    ) -> dict[str, int]:
        """Let `source` give the sinks between `least` and `most` together; the index of each one's share."""
        at = {}
        for sink in sinks:
            at[sink.name] = len(self.shares)
            self.shares.append(Share(source, sink.name, sink.domain(amount)))
        self.totals.append(Total(tuple(at.values()), least, most, rule, words))
        return at


def tabulate(function: Callable[[int], int], breaks: Iterable[int], top: int) -> Table:
    """The table of a function on 0 … `top` that is linear between neighbours among `breaks`, few pieces."""
    starts = sorted({0, *(b for b in breaks if 0 <= b <= top)})
    pieces: list[tuple[int, int, int]] = []
    for start, end in zip(starts, [*starts[1:], top + 1], strict=True):
        here = function(start)
        slope = function(start + 1) - here if end - start > 1 else None
        if pieces:
            before, base, tilt = pieces[-1]
            if start - before == 1 and slope in (None, here - base):
                pieces[-1] = (before, base, here - base)
                continue
            if base + tilt * (start - before) == here and slope in (None, tilt):
                continue
        pieces.append((start, here, slope or 0))
    return Table(tuple(pieces))


def first(holds: Callable[[int], bool], top: int) -> int | None:
    """The least value on 0 … `top` from which a monotone condition holds, or None."""
    if not holds(top):
        return None
    low, high = 0, top
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def reader_meter(name: str, share: int, table: Table, values: Values) -> Meter:
    """A meter that binds nothing and reads a table of one share."""
    return Meter(name, max(1, table.extremes(values)[1]), ((share, table),))
