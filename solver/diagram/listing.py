"""Listing a diagram: rows one by one, or blocks of a matrix from tables of suffixes that many prefixes share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lethal.solver.diagram.layers import Diagram, as_lists

if TYPE_CHECKING:
    import numpy as np

TABLES = 96_000_000
"""Bytes that all tables of suffixes may hold together: long ones are copied at the speed of memory."""


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
        arc = next(stack[-1], -1)
        if arc < 0:
            stack.pop()
            continue
        values[place[depth]] = layer.value[arc]
        stack.append(iter(layers[depth + 1].arcs(layer.child[arc])))


def dtype(diagram: Diagram) -> np.dtype[Any]:
    """The smallest integer type that holds every value."""
    import numpy as np

    low = min((int(layer.value.min()) for layer in diagram.arrays if len(layer.value)), default=0)
    high = max((int(layer.value.max()) for layer in diagram.arrays if len(layer.value)), default=0)
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
    n = len(diagram.layers)
    left = int(counted[0][0]) if n else 1
    cut = _cut(counted, n, kind.itemsize)
    start, held = _tables(diagram, counted, cut, kind)
    runs = _runs(held, place[cut:])
    prefixes = _prefixes([as_lists(layer) for layer in diagram.layers[:cut]], cut)
    offset = end = 0
    values: list[int] = []
    while left:
        height = min(size, left)
        left -= height
        block = np.empty((n, height), dtype=kind)
        front = [block[place[layer]] for layer in range(cut)]
        behind = [(block[first : first + len(table)], table) for first, table in runs]
        since = [0] * cut
        current = values[:]
        filled = 0
        while filled < height:
            if offset == end:
                values, changed, node = next(prefixes)
                offset, end = start[node], start[node + 1]
                for layer in range(changed, cut):
                    if filled > since[layer]:
                        front[layer][since[layer] : filled] = current[layer]
                        since[layer] = filled
                current[changed:] = values[changed:]
            take = min(end - offset, height - filled)
            stop, until = filled + take, offset + take
            for part, table in behind:
                part[:, filled:stop] = table[:, offset:until]
            offset, filled = until, stop
        for layer in range(cut):
            front[layer][since[layer] :] = current[layer]
        yield block.T


def _cut(counted: Sequence[Any], n: int, width: int) -> int:
    """The first layer whose nodes' suffixes all fit the tables together."""
    for cut in range(n):
        rows = sum(counted[cut].tolist() if hasattr(counted[cut], "tolist") else counted[cut])
        if rows * (n - cut) * width <= TABLES:
            return cut
    return n


def _tables(
    diagram: Diagram, counted: Sequence[Any], cut: int, kind: np.dtype[Any]
) -> tuple[list[int], list[Any]]:
    """Where each node's suffixes start, and the suffixes of all nodes of a layer, a column a layer behind it."""
    import numpy as np

    lengths = np.asarray(counted[cut], dtype=np.int64)
    node: Any = np.arange(len(lengths), dtype=np.int32)
    held: list[Any] = []
    for layer in diagram.arrays[cut:]:
        start = np.asarray(layer.start).astype(np.int32)
        low = start[node]
        degree = start[node + 1] - low
        shift = low - (np.cumsum(degree, dtype=np.int32) - degree)
        if int(degree.max(initial=1)) == 1:
            arc = low
        else:
            arc = np.repeat(shift, degree)
            arc += np.arange(len(arc), dtype=np.int32)
        if len(arc) > len(degree):
            held = [np.repeat(column, degree) for column in held]
        held.append(np.asarray(layer.value).astype(kind)[arc])
        node = np.asarray(layer.child).astype(np.int32)[arc]
    return np.concatenate([[0], np.cumsum(lengths)]).tolist(), held


def _runs(held: list[Any], place: Sequence[int]) -> list[tuple[int, Any]]:
    """The tables' columns by their place in a row; neighbours together, so that one copy serves them."""
    import numpy as np

    runs: list[tuple[int, list[Any]]] = []
    for at, column in sorted(zip(place, held, strict=True), key=lambda pair: pair[0]):
        if runs and runs[-1][0] + len(runs[-1][1]) == at:
            runs[-1][1].append(column)
        else:
            runs.append((at, [column]))
    held.clear()
    return [(first, np.stack(columns)) for first, columns in runs]


def _prefixes(layers: Sequence[Any], cut: int) -> Iterator[tuple[list[int], int, int]]:
    """Values before the cut, the first layer where they differ from the last ones, and the node at the cut."""
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
        values[depth] = layer.value[arc]
        child = layer.child[arc]
        if depth + 1 == cut:
            yield values, changed, child
            changed = cut
        else:
            stack.append(iter(layers[depth + 1].arcs(child)))
