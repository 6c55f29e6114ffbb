"""Tables of suffixes: what many prefixes of a diagram's rows go on with, held once and copied in one piece.

From the layer `cut` down to the layer `lowest` each node's suffixes are a matrix with a row a layer, made when first
met from those of the layer below. The lowest ones are made all at once, by arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from lethal.solver.diagram.layers import Diagram

if TYPE_CHECKING:
    import numpy as np

Pieces: TypeAlias = "tuple[int, list[np.ndarray], list[np.ndarray]]"
"""The number of a node's suffixes; pieces of its own column, and of the matrix behind, one after the other."""

TABLES = 200_000_000
"""Bytes that all tables may hold together."""
TABLE = 150
"""Bytes that a table needs besides its suffixes."""
LOWEST = 6_000_000
"""Bytes of the lowest tables."""
REMEMBERED = 64_000_000
"""Bytes that the pieces of nodes above the tables may hold together."""
COLUMN = 32_768
"""Up to so many rows a node above the tables has its own column in one piece."""


class Tables:
    """The suffixes of the nodes from the layer `cut` down, of values of the type `kind`."""

    def __init__(self, diagram: Diagram, counted: Sequence[Any], kind: np.dtype[Any]) -> None:
        import numpy as np

        self.depth = len(diagram.layers)
        self.lowest, self.cut = lowest, cut = _cuts(diagram, counted, kind.itemsize)
        # Views: a wide layer is not turned into lists for the few of its nodes that may be met.
        self._layers = [
            [memoryview(np.asarray(part)) for part in (layer.start, layer.value, layer.child)]
            for layer in diagram.arrays[:lowest]
        ]
        self._ends, self._held = [], []
        for at in range(cut, lowest + 1):
            ends = np.cumsum(np.asarray(counted[at], dtype=np.int64))
            self._ends.append(memoryview(np.concatenate([[0], ends])))
            if at < lowest:
                self._held.append(np.empty(int(ends[-1]) * (self.depth - at), dtype=kind))
        self._held.append(_lowest(diagram, lowest, kind))
        self._known: list[dict[int, np.ndarray]] = [{} for _ in self._held]
        longest = int(np.max(counted[cut]))
        values = set[int]().union(*(np.unique(layer.value).tolist() for layer in diagram.arrays[:lowest]))
        self._same = {value: np.broadcast_to(np.array(value, dtype=kind), longest) for value in values}
        self._remembered: dict[int, Pieces] = {}
        self._room = REMEMBERED

    def children(self, at: int, node: int) -> tuple[list[int], list[int]]:
        """The values of a node's arcs, and the nodes of the next layer that they lead to."""
        start, value, child = self._layers[at]
        first, last = start[node], start[node + 1]
        return value[first:last].tolist(), child[first:last].tolist()

    def pieces(self, node: int) -> Pieces:
        """What the suffixes of a node of the layer above the tables are put together from (of the root, if none is)."""
        found = self._remembered.get(node)
        if found is None:
            import numpy as np

            if self.cut:
                self._make(self.children(self.cut - 1, node)[1])
                rows, own, behind = self._joined(self.cut - 1, node)
                if rows <= COLUMN:
                    own = [np.concatenate(own)]
                found = rows, own, behind
            else:
                self._make([node])
                table = self._known[0][node]
                found = table.shape[1], [], [table]
            if self._room < 0:
                self._remembered.clear()
                self._room = REMEMBERED
            self._remembered[node] = found
            self._room -= min(found[0], COLUMN) + TABLE * len(found[2])
        return found

    def prefixes(self) -> Iterator[tuple[int, list[int], int]]:
        """Every way to a node of the layer above the tables: the first layer where its values differ from the last
        way's, its values (a list that changes), and the node.
        """
        top = max(self.cut - 1, 0)
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

    def _make(self, nodes: Sequence[int]) -> None:
        """The tables of some nodes of the layer `cut`, and those that they are made of."""
        missing = [{node for node in nodes if node not in self._known[0]}]
        if not missing[0]:
            return
        for at, known in enumerate(self._known[1:], self.cut):
            below = (child for above in missing[-1] for child in self.children(at, above)[1])
            missing.append({child for child in below if child not in known})
        for at in reversed(range(self.cut, self.lowest + 1)):
            known = self._known[at - self.cut]
            for node in missing[at - self.cut]:
                known[node] = self._table(at, node)

    def _table(self, at: int, node: int) -> np.ndarray:
        import numpy as np

        ends, held = self._ends[at - self.cut], self._held[at - self.cut]
        first, last = ends[node], ends[node + 1]
        if at == self.lowest:
            return held[:, first:last]
        # Each in one stretch of memory.
        columns = self.depth - at
        table = held[first * columns : last * columns].reshape(columns, last - first)
        _, own, behind = self._joined(at, node)
        np.concatenate(own, out=table[0])
        np.concatenate(behind, axis=1, out=table[1:])
        return table

    def _joined(self, at: int, node: int) -> Pieces:
        """A node's pieces, from the tables of the layer below."""
        known, same = self._known[at + 1 - self.cut], self._same
        values, children = self.children(at, node)
        behind = [known[child] for child in children]
        sizes = [table.shape[1] for table in behind]
        own = [same[value][:size] for value, size in zip(values, sizes, strict=True)]
        return sum(sizes), own, behind


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
    held = 0.0
    for at in reversed(range(lowest)):
        held += sizes[at] + TABLE * len(counted[at])
        if held > TABLES:
            break
        if shared[at]:
            cut = at
    return lowest, cut


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
