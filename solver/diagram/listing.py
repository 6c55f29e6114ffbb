"""Listing a diagram: rows one by one, or as blocks of a matrix from tables of suffixes that many prefixes share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lethal.solver.diagram.layers import Diagram

if TYPE_CHECKING:
    import numpy as np

TABLES = 1 << 23
"""Entries that all tables of suffixes may hold together."""


def rows(diagram: Diagram, place: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every row as a tuple; `place` says where in it each layer's value goes."""
    layers = diagram.lists
    if diagram.empty:
        return
    values = [0] * len(layers)
    if not layers:
        yield ()
        return
    last = len(layers) - 1
    stack = [iter(layers[0].arcs(0))]
    while stack:
        depth = len(stack) - 1
        layer = layers[depth]
        if depth == last:
            at = place[depth]
            for arc in stack.pop():
                values[at] = layer.value[arc]
                yield tuple(values)
            continue
        arc = next(stack[-1], None)
        if arc is None:
            stack.pop()
            continue
        values[place[depth]] = layer.value[arc]
        stack.append(iter(layers[depth + 1].arcs(layer.child[arc])))


def dtype(diagram: Diagram) -> np.dtype[Any]:
    """The smallest integer type that holds every value."""
    import numpy as np

    low = min((int(layer.value.min()) for layer in diagram.arrays if len(layer.value)), default=0)  # type: ignore[attr-defined]
    high = max((int(layer.value.max()) for layer in diagram.arrays if len(layer.value)), default=0)  # type: ignore[attr-defined]
    if low >= 0:
        return np.dtype(np.min_scalar_type(high))
    return np.dtype(np.result_type(np.min_scalar_type(low), np.min_scalar_type(-high - 1)))


def blocks(diagram: Diagram, counted: Sequence[Any], place: Sequence[int], size: int) -> Iterator[np.ndarray]:
    """Every row once, in matrices of `size` rows (the last one may be shorter) with contiguous columns."""
    import numpy as np

    if size < 1:
        raise ValueError(f"a block needs at least one row, not {size!r}")
    if diagram.empty:
        return
    kind = dtype(diagram)
    layers, n = diagram.arrays, len(diagram.layers)
    total = int(counted[0][0]) if n else 1
    cut = _cut(counted, n)
    tables = _Tables(diagram, counted, cut, kind)
    prefixes = _prefixes(layers, cut)
    done = 0
    node, offset, length = 0, 0, 0
    prefix: Sequence[int] = ()
    behind = [place[layer] for layer in range(cut, n)]
    while done < total:
        height = min(size, total - done)
        block = np.empty((n, height), dtype=kind)
        filled = 0
        since = [0] * cut
        current = list(prefix)
        while filled < height:
            if offset == length:
                prefix, changed, node = next(prefixes)
                offset, length = 0, tables.length(node)
                for layer in range(changed, cut):
                    if filled > since[layer]:
                        block[place[layer], since[layer] : filled] = current[layer]
                    since[layer] = filled
                current = list(prefix)
            take = min(length - offset, height - filled)
            for at, column in zip(behind, tables.columns(node), strict=True):
                block[at, filled : filled + take] = column[offset : offset + take]
            offset += take
            filled += take
        for layer in range(cut):
            if filled > since[layer]:
                block[place[layer], since[layer] : filled] = current[layer]
        done += height
        yield block.T


def _cut(counted: Sequence[Any], n: int) -> int:
    """The first layer whose nodes' suffixes all fit the tables together."""
    for cut in range(n + 1):
        held = sum(int(x) for x in counted[cut]) if len(counted[cut]) <= TABLES else TABLES
        if held * max(1, n - cut) <= TABLES:
            return cut
    return n


class _Tables:
    """The suffixes of all nodes of one layer, a column a layer, node after node."""

    def __init__(self, diagram: Diagram, counted: Sequence[Any], cut: int, kind: np.dtype[Any]) -> None:
        import numpy as np

        lengths = np.array([int(x) for x in counted[cut]], dtype=np.int64)
        self._start = np.concatenate([[0], np.cumsum(lengths)]).tolist()
        node = np.arange(len(lengths))
        held: list[Any] = []
        for layer in diagram.arrays[cut:]:
            start: Any = layer.start
            degree = start[node + 1] - start[node]
            total = int(degree.sum())
            first = np.cumsum(degree) - degree
            arc = np.arange(total) - np.repeat(first - start[node], degree)
            held = [np.repeat(column, degree) for column in held]
            held.append(np.asarray(layer.value)[arc].astype(kind))
            node = np.asarray(layer.child)[arc]
        self._held = held

    def length(self, node: int) -> int:
        return int(self._start[node + 1] - self._start[node])

    def columns(self, node: int) -> list[Any]:
        low, high = self._start[node], self._start[node + 1]
        return [column[low:high] for column in self._held]


def _prefixes(layers: Sequence[Any], cut: int) -> Iterator[tuple[list[int], int, int]]:
    """Values before the cut, the first layer in which they differ from those before, and the node at the cut."""
    if not cut:
        yield [], 0, 0
        return
    values = [0] * cut
    changed = 0
    stack = [iter(layers[0].arcs(0))]
    while stack:
        depth = len(stack) - 1
        arc = next(stack[-1], None)
        if arc is None:
            stack.pop()
            continue
        changed = min(changed, depth)
        layer = layers[depth]
        values[depth] = int(layer.value[arc])
        child = int(layer.child[arc])
        if depth + 1 == cut:
            yield values, changed, child
            changed = cut
        else:
            stack.append(iter(layers[depth + 1].arcs(child)))
