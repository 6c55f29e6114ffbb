"""Reduces a wide diagram: nodes with equal suffixes become one. Narrow ones are built reduced.

While a wide diagram is built, equal states meet; that leaves about a tenth of its nodes to be merged from below. It
costs as much as counting, so it is done where a diagram is listed or shown, not where it is counted.
"""

from __future__ import annotations

from typing import Any

from lethal.solver.diagram.layers import Diagram, Layer


def reduced(diagram: Diagram) -> Diagram:
    """The diagram with the fewest nodes for the same rows along the same layers; its terminal nodes stay."""
    if not diagram.wide or diagram.empty:
        return diagram
    import numpy as np

    same: Any = np.arange(diagram.ends)
    layers = []
    for layer in reversed(diagram.arrays):
        start: Any = np.asarray(layer.start, dtype=np.int64)
        degree = np.diff(start)
        child = same[layer.child]
        arc = child
        for of in (layer.value, *layer.reads.values()):
            arc = _numbered(arc, np.asarray(of, dtype=np.int64) - int(of.min()))
        node: Any = np.zeros(len(degree), dtype=np.int64)
        for at in range(int(degree.max())):
            longer = np.flatnonzero(degree > at)
            node[longer] = _numbered(node[longer], arc[start[longer] + at])
        node = _numbered(degree, node)
        _, first, which = np.unique(node, return_index=True, return_inverse=True)
        kept = np.sort(first)
        same = np.searchsorted(kept, first)[which]
        count = degree[kept]
        ends = np.concatenate([[0], np.cumsum(count)])
        arcs = np.repeat(start[kept] - ends[:-1], count) + np.arange(ends[-1])
        reads = {at: of[arcs] for at, of in layer.reads.items()}
        layers.append(Layer(layer.share, ends, layer.value[arcs], child[arcs], reads))
    layers.reverse()
    return Diagram(layers, True, diagram.ends, diagram.end_columns, diagram.end_keys)


def _numbered(a: Any, b: Any) -> Any:
    """One number for each distinct pair of entries of two arrays that hold nothing below 0."""
    import numpy as np

    return np.unique(a * (int(b.max()) + 1) + b, return_inverse=True)[1]
