"""A component in parts: the shares of one total each, with the rows that these may take together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from lethal.solver.problem import Values

Rows = Sequence[tuple[int, ...]]

LIMIT = 1_024
"""The most rows that a part may have."""


class Part(Struct, frozen=True, gc=False):
    """Shares with their domains, and what their sum lies between."""

    shares: tuple[int, ...]
    domains: tuple[Values, ...]
    least: int
    most: int

    def rows(self) -> Rows | None:
        """The rows within the total, rising; None if there are more than LIMIT on the way."""
        return within(self.domains, self.least, self.most)


@lru_cache(maxsize=512)
def within(domains: tuple[Values, ...], least: int, most: int) -> Rows | None:
    """The rows over these domains within a total, rising; None if there are more than LIMIT on the way."""
    low, high = sum([values[0] for values in domains]), sum([values[-1] for values in domains])
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for values in domains:
        low, high = low - values[0], high - values[-1]
        longer: list[tuple[tuple[int, ...], int]] = []
        for row, given in found:
            first, last = max(values[0], least - given - high), min(values[-1], most - given - low)
            if isinstance(values, range):
                span: Values = range(first, last + 1)
            else:
                span = tuple([value for value in values if first <= value <= last])
            if len(longer) + len(span) > LIMIT:
                return None
            longer += [((*row, value), given + value) for value in span]
        found = longer
    return [row for row, _ in found]
