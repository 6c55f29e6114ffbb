"""The distinct readings that rows lead to, with how many rows lead to each and the first of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from lethal.solver.diagram.layers import Diagram

SAFE = 1 << 62


class Class(NamedTuple):
    """A component's share of a vector: what its columns read, how many ways, and the first along its layers."""

    readings: tuple[int, ...]
    rows: int
    example: list[int]


def classes(diagram: Diagram, columns: Sequence[int]) -> list[Class]:
    """One class a terminal, sorted by these of its kept columns."""
    ways: Any = np.ones(1, dtype=np.int64)
    rank: Any = np.zeros(1, dtype=np.int64)
    before: list[Any] = []
    parents: list[Any] = []
    for layer in diagram.arrays:
        start, child = np.asarray(layer.start), np.asarray(layer.child)
        parent = np.repeat(np.arange(len(start) - 1), np.diff(start))
        ways = _arriving(ways[parent], child)
        along = np.lexsort((layer.value, rank[parent]))
        _, index = np.unique(child[along], return_index=True)
        before.append(along[index])
        parents.append(parent)
        rank = np.empty(len(index), dtype=np.int64)
        rank[np.argsort(index)] = np.arange(len(index))
    ends = diagram.end_columns or [()] * diagram.ends
    found = []
    for end, held in enumerate(ends):
        node, example = end, list[int]()
        for depth in range(len(diagram.layers) - 1, -1, -1):
            arc = before[depth][node]
            example.append(int(diagram.arrays[depth].value[arc]))
            node = parents[depth][arc]
        example.reverse()
        found.append(Class(tuple(held[at] for at in columns), int(ways[end]), example))
    found.sort()
    return found


def _arriving(ways: Any, child: Any) -> Any:
    """The sums over the arcs into each child; exact."""
    along = np.argsort(child, kind="stable")
    sorted_child = child[along]
    first = np.flatnonzero(np.r_[True, sorted_child[1:] != sorted_child[:-1]])
    if ways.dtype != object:
        largest = int(np.diff(np.r_[first, len(child)]).max())
        if int(ways.max()) * largest >= SAFE:
            ways = ways.astype(object)
    return np.add.reduceat(ways[along], first)


def combined(
    groups: Sequence[Sequence[Class]], owners: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], list[Class]]]:
    """Every combination of one class a group, rising by the whole vector; `owners` tells whose each entry is."""
    seen = [0] * len(groups)
    spots = []
    for owner in owners:
        spots.append(seen[owner])
        seen[owner] += 1
    ranges = [(0, len(group)) for group in groups]
    vector: list[int] = []

    def descend(at: int) -> Iterator[tuple[tuple[int, ...], list[Class]]]:
        if at == len(owners):
            yield tuple(vector), [group[low] for group, (low, _) in zip(groups, ranges, strict=True)]
            return
        owner, spot = owners[at], spots[at]
        low, high = whole = ranges[owner]
        group = groups[owner]
        while low < high:
            entry = group[low].readings[spot]
            stop = bisect_right(group, entry, low, high, key=lambda one: one.readings[spot])
            ranges[owner] = (low, stop)
            vector.append(entry)
            yield from descend(at + 1)
            vector.pop()
            low = stop
        ranges[owner] = whole

    return descend(0)
