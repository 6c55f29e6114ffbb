"""Counting, positions and bounds on a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lethal.solver.diagram.layers import Diagram, Layer

SAFE = 1 << 62


def counts(diagram: Diagram) -> list[Any]:
    """For every layer, and the terminals behind the last, how many suffixes each node has; exact at any size.

    Lists of Python integers, or in a wide diagram arrays of int64 (of objects where those could overflow).
    """
    return _wide(diagram) if diagram.wide else _narrow(diagram)


def _narrow(diagram: Diagram) -> list[Any]:
    below = [1] * diagram.ends
    result = [below]
    for layer in reversed(diagram.layers):
        start = layer.start
        each = [below[at] for at in layer.child]
        below = [sum(each[start[i] : start[i + 1]]) for i in range(len(start) - 1)]
        result.append(below)
    result.reverse()
    return result


def _wide(diagram: Diagram) -> list[Any]:
    import numpy as np

    below: Any = np.ones(diagram.ends, dtype=np.int64)
    result = [below]
    for layer in reversed(diagram.layers):
        start: Any = np.asarray(layer.start)
        if not len(layer.value):
            below = np.zeros(len(start) - 1, dtype=np.int64)
        else:
            if below.dtype != object and int(below.max()) * int(np.diff(start).max()) >= SAFE:
                below = below.astype(object)
            below = np.add.reduceat(below[layer.child], start[:-1])
        result.append(below)
    result.reverse()
    return result


def total(counted: Sequence[Any]) -> int:
    """How many rows there are."""
    return int(counted[0][0]) if len(counted[0]) else 0


def row(diagram: Diagram, counted: Sequence[Any], at: int) -> list[int]:
    """The row at a position, along the layers."""
    node, values = 0, []
    for layer, below in zip(diagram.layers, counted[1:], strict=True):
        arcs = iter(layer.arcs(node))
        arc = next(arcs)
        while at >= (behind := int(below[layer.child[arc]])):
            at -= behind
            arc = next(arcs)
        values.append(int(layer.value[arc]))
        node = int(layer.child[arc])
    return values


def rank(diagram: Diagram, counted: Sequence[Any], values: Sequence[int]) -> int:
    """The position of a row given along the layers; raises ValueError if it is not there."""
    node, position = 0, 0
    for layer, below, value in zip(diagram.layers, counted[1:], values, strict=True):
        for arc in layer.arcs(node):
            if layer.value[arc] == value:
                break
            position += int(below[layer.child[arc]])
        else:
            raise ValueError("the row is not legal")
        node = int(layer.child[arc])
    return position


def bounds(diagram: Diagram) -> list[tuple[int, int]]:
    """Least and greatest value of every layer; every arc lies on a row."""
    return [_extremes(layer) for layer in diagram.layers]


def _extremes(layer: Layer) -> tuple[int, int]:
    value: Any = layer.value
    if isinstance(value, list):
        return min(value), max(value)
    return int(value.min()), int(value.max())
