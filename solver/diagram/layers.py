"""What a compiled component is: layers of arcs, over lists where it is narrow and arrays where it is wide."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

Ints: TypeAlias = Any
"""A list of integers, or in a wide diagram an array of them."""


class TooManyArcs(Exception):
    """A layer that needs more arcs than it may have: its share, and how many those are."""

    def __init__(self, share: int, limit: int) -> None:
        super().__init__(f"the layer of share {share} needs more than {limit} arcs")
        self.share, self.limit = share, limit


@dataclass(slots=True)
class Layer:
    """The arcs out of the nodes of a layer, node after node, those of a node by rising value.

    Node `i` has the arcs `start[i]` to `start[i + 1]`; `child` counts nodes of the next layer; `reads` holds
    the readings of the meters that close here, one entry an arc.
    """

    share: int
    start: Ints
    value: Ints
    child: Ints
    reads: dict[int, Ints] = field(default_factory=dict)

    def arcs(self, node: int) -> range:
        """The positions of a node's arcs."""
        return range(int(self.start[node]), int(self.start[node + 1]))


@dataclass
class Diagram:
    """Layers from one root (node 0 of the first) to `ends` terminal nodes; without any arc if it is empty."""

    layers: list[Layer]
    wide: bool
    ends: int = 1
    end_columns: list[tuple[int, ...]] | None = None
    """What the kept columns hold at each terminal node."""
    end_keys: list[Hashable] = field(default_factory=list)
    """What the kept columns are."""

    @cached_property
    def empty(self) -> bool:
        """Whether no row is legal."""
        return bool(self.layers) and len(self.layers[0].value) == 0

    @cached_property
    def arrays(self) -> list[Layer]:
        """The layers as arrays."""
        if self.wide:
            return self.layers
        return [as_arrays(layer) for layer in self.layers]

    @cached_property
    def lists(self) -> list[Layer]:
        """The layers as lists."""
        return [as_lists(layer) for layer in self.layers] if self.wide else self.layers


def as_arrays(layer: Layer) -> Layer:
    """The layer over NumPy arrays."""
    import numpy as np

    def array(of: Ints) -> Any:
        return np.asarray(of, dtype=np.int64)

    reads: dict[int, Ints] = {at: array(of) for at, of in layer.reads.items()}
    return Layer(layer.share, array(layer.start), array(layer.value), array(layer.child), reads)


def as_lists(layer: Layer) -> Layer:
    """The layer over lists."""

    def plain(of: Any) -> list[int]:
        return of if isinstance(of, list) else list(of.tolist())

    reads: dict[int, Ints] = {at: plain(of) for at, of in layer.reads.items()}
    return Layer(layer.share, plain(layer.start), plain(layer.value), plain(layer.child), reads)


def empty_diagram(shares: Sequence[int]) -> Diagram:
    """A diagram over these shares without any row."""
    return Diagram(
        [Layer(share, [0, 0] if not at else [0], [], []) for at, share in enumerate(shares)], False
    )


def chain(parts: Sequence[Diagram]) -> Diagram:
    """One diagram whose rows are those of all parts put together, part after part."""
    if len(parts) == 1:
        return parts[0]
    wide = any(part.wide for part in parts)
    if any(part.empty for part in parts):
        return empty_diagram([layer.share for part in parts for layer in part.layers])
    return Diagram([layer for part in parts for layer in (part.arrays if wide else part.layers)], wide)
