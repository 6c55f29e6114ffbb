"""Tables of suffixes: what many prefixes of a diagram's rows go on with, held once and copied in one piece.

From some layer down, a table holds the suffixes of all nodes of a layer, made of pieces of the table below; the lowest
one is made by arrays. In the uppermost each node has a matrix of its own in one stretch of memory, made when first met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from lethal.solver.diagram.layers import Diagram, Layer

if TYPE_CHECKING:
    import numpy as np

Pieces: TypeAlias = "tuple[int, tuple[Sequence[np.ndarray], ...], Sequence[np.ndarray]]"
"""The number of a node's suffixes; the pieces of each column above the table, and those of the table."""

TABLES = 128_000_000
"""Bytes that the uppermost table may hold; all below it are smaller, and two of them are held at a time."""
TABLE = 150
"""Bytes that a matrix or a piece of one needs besides its rows."""
LOWEST = 1_000_000
"""Bytes of the lowest table."""
LEVELS = 2
"""Layers above the table whose nodes are put together from pieces."""
REMEMBERED = 50_000_000
"""Bytes that the pieces of those nodes may hold together."""
COLUMN = 64_000_000
"""Bytes that the column just above the table may hold for all nodes of its layer, so that each is one piece."""


class Tables:
    """The suffixes of the nodes of the layer `cut`, of values of the type `kind`."""

    def __init__(self, diagram: Diagram, counted: Sequence[Any], kind: np.dtype[Any]) -> None:
        import numpy as np

        lowest, cut = _cuts(diagram, counted, kind.itemsize)
        self.cut, self.top, self._columns = cut, max(cut - LEVELS, 0), len(diagram.layers) - cut
        # Views: a wide layer is not turned into lists for the few of its nodes that may be met.
        self._layers = [
            [_view(part) for part in (layer.start, layer.value, layer.child)]
            for layer in diagram.arrays[: cut + 1]
        ]
        table = _lowest(diagram, lowest, kind)
        for at in reversed(range(cut + 1, lowest)):
            table = _raised(diagram.arrays[at], table, counted[at + 1])
        self._ends = _ends(counted[cut])
        if cut < lowest:
            self._below = _each(table, counted[cut + 1])
            self._held = np.empty(self._ends[-1] * self._columns, dtype=kind)
            self._tables: list[np.ndarray | None] = [None] * len(counted[cut])
        else:
            self._tables = [*_each(table, counted[cut])]
        longest = int(np.max(counted[self.top]))
        values = set[int]().union(*(np.unique(layer.value).tolist() for layer in diagram.arrays[: cut + 1]))
        self._same = {value: np.broadcast_to(np.array(value, dtype=kind), longest) for value in values}
        self._column: np.ndarray | None = None
        if cut and float(np.sum(counted[cut - 1], dtype=float)) * kind.itemsize <= COLUMN:
            self._column = np.repeat(*_column(diagram.arrays[cut - 1], counted[cut], kind))
            self._column_ends = _ends(counted[cut - 1])
        self._remembered: list[dict[int, Pieces]] = [{} for _ in range(self.top, cut + 1)]
        self._room = REMEMBERED

    def children(self, at: int, node: int) -> tuple[list[int], list[int]]:
        """The values of a node's arcs, and the nodes of the next layer that they lead to."""
        start, value, child = self._layers[at]
        first, last = start[node], start[node + 1]
        return value[first:last].tolist(), child[first:last].tolist()

    def pieces(self, at: int, node: int) -> Pieces:
        """What the suffixes of a node are put together from; of a layer from `top` to `cut`."""
        remembered = self._remembered[at - self.top]
        found = remembered.get(node)
        if found is None:
            if self._room < 0:
                for each in self._remembered:
                    each.clear()
                self._room = REMEMBERED
            found = remembered[node] = self._found(at, node)
        return found

    def _found(self, at: int, node: int) -> Pieces:
        if at == self.cut:
            table = self._table(node)
            return table.shape[1], (), (table,)
        columns: list[list[np.ndarray]] = [[] for _ in range(at, self.cut)]
        behind: list[np.ndarray] = []
        rows = 0
        for value, child in zip(*self.children(at, node), strict=True):
            size, above, below = self.pieces(at + 1, child)
            columns[0].append(self._same[value][:size])
            for column, part in zip(columns[1:], above, strict=True):
                column += part
            behind += below
            rows += size
        self._room -= TABLE * len(columns[0]) + 8 * len(behind)
        if at + 1 == self.cut and self._column is not None:
            columns[0] = [self._column[self._column_ends[node] : self._column_ends[node + 1]]]
        # Tuples of arrays are of no interest to the collector of garbage, which would visit lists again and again.
        return rows, tuple(map(tuple, columns)), tuple(behind)

    def _table(self, node: int) -> np.ndarray:
        """The suffixes of a node of the layer `cut`."""
        import numpy as np

        table = self._tables[node]
        if table is None:
            first, last = self._ends[node], self._ends[node + 1]
            held = self._held[first * self._columns : last * self._columns]
            table = self._tables[node] = held.reshape(self._columns, last - first)
            values, children = self.children(self.cut, node)
            behind = [self._below[child] for child in children]
            own = [self._same[value][: part.shape[1]] for value, part in zip(values, behind, strict=True)]
            np.concatenate(own, out=table[0])
            np.concatenate(behind, axis=1, out=table[1:])
        return table

    def prefixes(self) -> Iterator[tuple[int, list[int], int]]:
        """Every way to a node of the layer `top`: the first layer where its values differ from the last way's, its
        values (a list that changes), and the node.
        """
        top = self.top
        values = [0] * top
        if not top:
            yield 0, values, 0
            return
        ways = [iter([(0, 0)])] * top
        ways[0] = zip(*self.children(0, 0), strict=True)
        depth = changed = 0
        while depth >= 0:
            way = next(ways[depth], None)
            if way is None:
                depth -= 1
                continue
            changed = min(changed, depth)
            values[depth], node = way
            if depth + 1 < top:
                depth += 1
                ways[depth] = zip(*self.children(depth, node), strict=True)
            else:
                yield changed, values, node
                changed = top


def split(pieces: Sequence[np.ndarray], size: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The first `size` columns of matrices side by side, and the rest; there must be more than none and so many."""
    for at, piece in enumerate(pieces):
        if size <= piece.shape[-1]:
            return [*pieces[:at], piece[..., :size]], [piece[..., size:], *pieces[at + 1 :]]
        size -= piece.shape[-1]
    raise ValueError(f"{size} columns too few")


def _cuts(diagram: Diagram, counted: Sequence[Any], width: int) -> tuple[int, int]:
    """The layers of the lowest tables and of the uppermost: as high as bytes allow and prefixes share them."""
    import numpy as np

    n = len(diagram.layers)
    sizes = [float(np.sum(each, dtype=float)) * (n - at) * width for at, each in enumerate(counted)]
    lowest = cut = next(at for at, size in enumerate(sizes) if size <= LOWEST)
    shared: list[bool] = []
    reached: Any = np.ones(1)
    for layer in diagram.arrays[:lowest]:
        shared.append(reached.sum() >= 2 * len(reached))
        with np.errstate(over="ignore"):
            reached = np.bincount(layer.child, weights=np.repeat(reached, np.diff(layer.start)))
    for at in reversed(range(lowest)):
        if sizes[at] + TABLE * len(counted[at]) > TABLES:
            break
        if shared[at]:
            cut = at
    return lowest, cut


def _view(of: Any) -> memoryview:
    """A view on an array, whose items are Python's integers."""
    import numpy as np

    array: Any = np.ascontiguousarray(of)
    return memoryview(array)


def _ends(counted: Sequence[Any]) -> memoryview:
    """Where the suffixes of each node of a layer start, and where the last ones end."""
    import numpy as np

    return _view(np.concatenate([[0], np.cumsum(np.asarray(counted, dtype=np.int64))]))


def _column(layer: Layer, counted: Sequence[Any], kind: np.dtype[Any]) -> tuple[np.ndarray, np.ndarray]:
    """The values of a layer's arcs, and how many suffixes each has; given those of the nodes below."""
    import numpy as np

    return np.asarray(layer.value).astype(kind), np.asarray(counted, dtype=np.int64)[layer.child]


def _each(table: np.ndarray, counted: Sequence[Any]) -> list[np.ndarray]:
    """The matrix of each node in a layer's table."""
    return [table[:, start:end] for start, end in pairwise(accumulate(map(int, counted), initial=0))]


def _raised(layer: Layer, below: np.ndarray, counted: Sequence[Any]) -> np.ndarray:
    """The table of a layer from that of the layer below, whose nodes have so many suffixes each."""
    import numpy as np

    each = _each(below, counted)
    own = np.repeat(
        np.asarray(layer.value).astype(below.dtype), np.asarray(counted, dtype=np.int64)[layer.child]
    )
    table = np.empty((len(below) + 1, len(own)), dtype=below.dtype)
    table[0] = own
    np.concatenate([each[child] for child in layer.child.tolist()], axis=1, out=table[1:])
    return table


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
