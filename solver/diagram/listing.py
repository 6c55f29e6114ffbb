"""Listing a diagram: rows one by one, or blocks of a matrix from tables of suffixes that many prefixes share.

A node's suffixes are held in a table if many prefixes lead to it and its table is short: then they are copied in one
piece for each prefix. Tables are filled the same way, from those further down; the lowest ones by arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from lethal.solver.diagram.layers import Diagram, as_lists

if TYPE_CHECKING:
    import numpy as np

TABLES = 128_000_000
"""Bytes that all tables of suffixes may hold together: long ones are copied at the speed of memory."""
LOWEST = 6_000_000
"""Bytes of the lowest tables, which hold the suffixes of all nodes of their layer."""
PAGE = 32_768
"""Rows that are put together in the cache, before each column goes where it belongs."""


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
    writer = _Writer(_Tables(diagram, counted, kind), 0, [0])
    page = np.empty((n, min(size, left, PAGE)), dtype=kind)
    while left:
        height = min(size, left)
        left -= height
        block = np.empty((n, height), dtype=kind)
        for start in range(0, height, PAGE):
            part = page[:, : min(PAGE, height - start)]
            writer.write(part)
            for layer, column in enumerate(part):
                block[place[layer], start : start + len(column)] = column
        yield block.T


class _Tables:
    """The suffixes of some nodes of each layer: an array with a row a layer behind them, and where each node's are."""

    def __init__(self, diagram: Diagram, counted: Sequence[Any], kind: np.dtype[Any]) -> None:
        import numpy as np

        n = len(diagram.layers)
        rows = [sum(map(int, counted[at])) for at in range(n)]
        self.lowest = next((at for at in range(n) if rows[at] * (n - at) * kind.itemsize <= LOWEST), n)
        self.layers = [as_lists(layer) for layer in diagram.layers[: self.lowest]]
        self.held: list[Any] = [None] * self.lowest
        self.spans: list[dict[int, tuple[int, int]]] = [{} for _ in range(self.lowest)]
        starts = np.concatenate([[0], np.cumsum(np.asarray(counted[self.lowest], dtype=np.int64))]).tolist()
        self.spans.append(dict(enumerate(pairwise(starts))))
        self.held.append(_lowest(diagram, self.lowest, kind))
        for at, nodes in _worth_it(diagram, counted, self.lowest, kind.itemsize):
            ends = list(accumulate(int(counted[at][node]) for node in nodes))
            table = np.empty((n - at, ends[-1]), dtype=kind)
            _Writer(self, at, nodes).write(table)
            self.held[at] = table
            self.spans[at] = dict(zip(nodes, pairwise([0, *ends]), strict=True))

    def runs(self, top: int, nodes: Sequence[int]) -> Iterator[tuple[list[int], int, int, tuple[int, int]]]:
        """Prefixes of the suffixes of these nodes of the layer `top`, as far as the first node that is held.

        Each with its values (a list that changes), the first layer where they differ from the last one's, the
        layer of the node that is held, and where in that layer's table its suffixes are.
        """
        values = [0] * self.lowest
        for root in nodes:
            changed = top
            if root in self.spans[top]:
                yield values, changed, top, self.spans[top][root]
                continue
            stack = [iter(self.layers[top].arcs(root))]
            depth = top
            while stack:
                arc = next(stack[-1], None)
                if arc is None:
                    stack.pop()
                    depth -= 1
                    continue
                if depth < changed:
                    changed = depth
                layer = self.layers[depth]
                values[depth] = layer.value[arc]
                child = layer.child[arc]
                span = self.spans[depth + 1].get(child)
                if span is None:
                    depth += 1
                    stack.append(iter(self.layers[depth].arcs(child)))
                else:
                    yield values, changed, depth + 1, span
                    changed = depth + 1


class _Writer:
    """Writes the suffixes of some nodes of a layer into one matrix after the other, a row a layer."""

    def __init__(self, tables: _Tables, top: int, nodes: Sequence[int]) -> None:
        self.tables, self.top = tables, top
        self.runs = tables.runs(top, nodes)
        self.values: list[int] = []
        self.layer, self.offset, self.end = top, 0, 0

    def write(self, target: np.ndarray) -> None:
        """Fill the whole matrix; there must be so many suffixes left."""
        top, height, filled = self.top, target.shape[1], 0
        values, layer, offset, end = self.values, self.layer, self.offset, self.end
        since = [0] * (self.tables.lowest + 1)
        tables = self.tables.held
        while filled < height:
            if offset == end:
                now, changed, after, (offset, end) = next(self.runs)
                # What stays as it is in a column is written once for all its rows.
                for at in range(changed, layer):
                    if since[at] < filled:
                        target[at - top, since[at] : filled] = values[at]
                since[changed:after] = [filled] * (after - changed)
                layer, values = after, now[:]
            take = min(end - offset, height - filled)
            target[layer - top :, filled : filled + take] = tables[layer][:, offset : offset + take]
            offset += take
            filled += take
        for at in range(top, layer):
            target[at - top, since[at] :] = values[at]
        self.values, self.layer, self.offset, self.end = values, layer, offset, end


def _worth_it(
    diagram: Diagram, counted: Sequence[Any], lowest: int, width: int
) -> Iterator[tuple[int, list[int]]]:
    """Layers above the lowest tables, from below, with the nodes whose tables save most pieces for their bytes."""
    import numpy as np

    n = len(diagram.layers)
    reached: Any = np.ones(1)
    gains, sizes, layers, nodes = [], [], [], []
    for at, layer in enumerate(diagram.arrays[:lowest]):
        degree = np.diff(layer.start)
        small = np.array([min(int(rows), TABLES) for rows in counted[at]]) * ((n - at) * width)
        found = np.flatnonzero((reached > 1) & (small < TABLES))
        gains.append((reached[found] - 1) * degree[found] / small[found])
        sizes.append(small[found])
        layers.append(np.full(len(found), at))
        nodes.append(found)
        with np.errstate(over="ignore"):
            reached = np.bincount(layer.child, weights=np.repeat(reached, degree))
    if not gains:
        return
    order = np.argsort(-np.concatenate(gains), kind="stable")
    order = order[np.cumsum(np.concatenate(sizes)[order]) <= TABLES - LOWEST]
    layer_of, node_of = np.concatenate(layers)[order], np.concatenate(nodes)[order]
    for at in reversed(range(lowest)):
        if (layer_of == at).any():
            yield at, np.sort(node_of[layer_of == at]).tolist()


def _lowest(diagram: Diagram, cut: int, kind: np.dtype[Any]) -> np.ndarray:
    """The suffixes of all nodes of a layer, node after node, a row for each layer behind it."""
    import numpy as np

    nodes = len(diagram.layers[cut].start) - 1 if cut < len(diagram.layers) else diagram.ends
    node: Any = np.arange(nodes, dtype=np.int32)
    held: list[Any] = []
    for layer in diagram.arrays[cut:]:
        start = np.asarray(layer.start).astype(np.int32)
        low = start[node]
        degree = start[node + 1] - low
        shift = low - (np.cumsum(degree, dtype=np.int32) - degree)
        arc = np.repeat(shift, degree)
        arc += np.arange(len(arc), dtype=np.int32)
        if len(arc) > len(degree):
            held = [np.repeat(column, degree) for column in held]
        held.append(np.asarray(layer.value).astype(kind)[arc])
        node = np.asarray(layer.child).astype(np.int32)[arc]
    return np.stack(held) if held else np.empty((0, nodes), dtype=kind)
