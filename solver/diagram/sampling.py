"""Rows drawn uniformly from a diagram: one exact draw a row decides all its layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lethal.solver.diagram import count
from lethal.solver.diagram.layers import Diagram


def sample(diagram: Diagram, counted: Sequence[Any], rng: np.random.Generator, n: int) -> Any:
    """`n` rows along the layers, an (n, layers) matrix; exact at any size of count."""
    total = count.total(counted)
    if total < count.SAFE:
        return _unranked(diagram, counted, rng.integers(0, total, size=n))
    rows = [count.row(diagram, counted, _below(rng, total)) for _ in range(n)]
    return np.array(rows, dtype=np.int64).reshape(n, len(diagram.layers))


def _below(rng: np.random.Generator, limit: int) -> int:
    """A uniform integer below the limit: draws of as many bits as it has, until one is below."""
    bits = (limit - 1).bit_length()
    size = (bits + 7) // 8
    while True:
        drawn = int.from_bytes(rng.bytes(size), "little") >> (8 * size - bits)
        if drawn < limit:
            return drawn


def _unranked(diagram: Diagram, counted: Sequence[Any], position: Any) -> Any:
    """The rows at these positions, all at once: a binary search among each node's arcs."""
    n = len(position)
    result = np.empty((n, len(diagram.layers)), dtype=np.int64)
    node = np.zeros(n, dtype=np.int64)
    for depth, layer in enumerate(diagram.arrays):
        start, child, value = np.asarray(layer.start), np.asarray(layer.child), np.asarray(layer.value)
        behind = np.asarray(counted[depth + 1], dtype=np.int64)[child].astype(np.uint64)
        # Sums of one node's arcs are small; sums over all nodes may wrap around, their differences do not.
        before = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(behind, dtype=np.uint64)])
        low, high = start[node], start[node + 1] - 1
        base = before[low]
        drawn = position.astype(np.uint64)
        while True:
            open_ = low < high
            if not open_.any():
                break
            middle = (low + high + 1) // 2
            right = open_ & (before[middle] - base <= drawn)
            low = np.where(right, middle, low)
            high = np.where(open_ & ~right, middle - 1, high)
        result[:, depth] = value[low]
        position = (drawn - (before[low] - base)).astype(np.int64)
        node = child[low]
    return result
