"""Listing a diagram: rows one by one, or blocks of a matrix put together from tables of suffixes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lethal.solver.diagram.layers import Diagram
from lethal.solver.diagram.suffixes import Pieces, Tables, split

if TYPE_CHECKING:
    import numpy as np

PAGE = 65_536
"""Rows that are put together in the cache, before each column goes where it belongs."""
APART = 320
"""Bytes between the columns of a page: at a power of two apart, all would compete for the same lines of the cache."""


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
    room = min(size, left, PAGE)
    page = np.empty((n, room + APART // kind.itemsize), dtype=kind)[:, :room]
    writer = _Writer(Tables(diagram, counted, kind), place, page)
    while left:
        height = min(size, left)
        left -= height
        block = np.empty((n, height), dtype=kind)
        writer.fill(block)
        yield block.T


class _Writer:
    """Writes all rows into one matrix after the other, a row a layer, wherever `place` has it."""

    def __init__(self, tables: Tables, place: Sequence[int], page: np.ndarray) -> None:
        self.tables, self.page = tables, page[tables.cut :]
        self.prefixes = tables.prefixes()
        top, cut = tables.top, tables.cut
        self.above, self.between, self.behind = place[:top], place[top:cut], place[cut:]
        self.values = [0] * top
        self.rest: Pieces = (0, tuple([] for _ in self.between), [])

    def fill(self, block: np.ndarray) -> None:
        """Fill the whole matrix; there must be so many rows left."""
        import numpy as np

        height, room = block.shape[1], self.page.shape[1]
        above, values = [block[at] for at in self.above], self.values
        since = [0] * len(above)
        for start in range(0, height, room):
            stop = min(start + room, height)
            columns, behind = self._gather(start, stop, above, since)
            for at, pieces in zip(self.between, columns, strict=True):
                np.concatenate(pieces, out=block[at, start:stop])
            page = self.page[:, : stop - start]
            np.concatenate(behind, axis=1, out=page)
            for at, column in zip(self.behind, page, strict=True):
                block[at, start:stop] = column
        for column, begin, value in zip(above, since, values, strict=True):
            column[begin:] = value

    def _gather(
        self, start: int, stop: int, above: list[np.ndarray], since: list[int]
    ) -> tuple[list[list[np.ndarray]], list[np.ndarray]]:
        """The pieces of a page's rows; what changes in the columns above is written until there."""
        held, tables, top = self.values, self.tables, len(above)
        columns: list[list[np.ndarray]] = [[] for _ in self.between]
        behind: list[np.ndarray] = []
        rows, now, then = self.rest
        while start + rows < stop:
            for column, pieces in zip(columns, now, strict=True):
                column += pieces
            behind += then
            start += rows
            changed, values, node = next(self.prefixes)
            for at in range(changed, top):
                # What stays as it is in a column is written once for all its rows.
                if since[at] < start:
                    above[at][since[at] : start] = held[at]
                    since[at] = start
                held[at] = values[at]
            rows, now, then = tables.pieces(top, node)
        take = stop - start
        last, then = split(then, take)
        behind += last
        rest = []
        for column, pieces in zip(columns, now, strict=True):
            last, left = split(pieces, take)
            column += last
            rest.append(left)
        self.rest = rows - take, tuple(rest), then
        return columns, behind
