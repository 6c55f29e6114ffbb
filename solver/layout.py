"""Laying items out on slots in steps: how a reduction's tables become orders, sampled, numbered, and read
back.

Every slot starts with the label of its block. A *fill* puts labels, in some order, in place of one label:
what is forced in a block and stubs for the rest, then a group's classes, then a class's kinds. A *part* draws
one table and lays its groups out on the stubs. The steps' choices multiply, so that drawing each uniformly
(tables by weight) is uniform over all orders, and their numbers are the digits of an order's number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lethal.solver.multiset import Parts, arrangements, place, position
from lethal.solver.reduction import Part, Reduction


@dataclass(frozen=True, slots=True)
class Fill:
    """Wherever `label` stands, these labels stand next, each as often as it says."""

    label: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class Lay:
    """Wherever a label of `stubs` stands, a group's label stands next, as a table of the part says."""

    part: Part
    stubs: tuple[int, ...]
    groups: tuple[int, ...]


class Layout:
    """The steps for one reduction over `size` slots."""

    def __init__(self, reduction: Reduction, size: int) -> None:
        self.reduction, self.size = reduction, size
        kinds, classes = len(reduction.copies), len(reduction.classes)
        self._block = kinds + classes
        label = self._block + len(reduction.blocks)
        lays, self._stub, self._group = [], dict[int, int](), dict[int, int]()
        fills: list[Fill] = []
        for part in reduction.parts:
            stubs = tuple(range(label, label + len(part.columns)))
            groups = tuple(range(stubs[-1] + 1, stubs[-1] + 1 + len(part.rows)))
            label = groups[-1] + 1
            lays.append(Lay(part, stubs, groups))
            for stub, column in zip(stubs, part.columns, strict=True):
                self._stub.update(dict.fromkeys(column.members, stub))
            for group, row in zip(groups, part.rows, strict=True):
                self._group.update(dict.fromkeys(row.members, group))
                members = zip(row.members, row.amounts, strict=True)
                fills.append(Fill(group, [(kinds + member, n) for member, n in members]))
        room = {
            block: n
            for part in reduction.parts
            for column in part.columns
            for block, n in zip(column.members, column.amounts, strict=True)
        }
        first = []
        for block in range(len(reduction.blocks)):
            parts = [(kinds + c, n) for (c, b), n in reduction.forced.items() if b == block]
            if block in room:
                parts.append((self._stub[block], room[block]))
            first.append(Fill(self._block + block, parts))
        last = [
            Fill(kinds + at, [(kind, reduction.copies[kind]) for kind in members])
            for at, members in enumerate(reduction.classes)
        ]
        self.steps: list[Fill | Lay] = [*first, *lays, *fills, *last]

    def _start(self) -> np.ndarray:
        labels = np.empty(self.size, dtype=np.int32)
        for slot, kind in self.reduction.pins.items():
            labels[slot] = kind
        for at, slots in enumerate(self.reduction.blocks):
            labels[slots] = self._block + at
        return labels

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` orders, uniform and independent, as an array (n, slots)."""
        out = np.tile(self._start(), (n, 1))
        for step in self.steps:
            if isinstance(step, Fill):
                _fill(rng, out, step)
            else:
                _lay(rng, out, step)
        return out

    def unrank(self, index: int) -> tuple[int, ...]:
        """The order with that number, which must be below the number of orders."""
        out = self._start()
        for step in self.steps:
            if isinstance(step, Fill):
                index, mine = divmod(index, arrangements([n for _, n in step.parts]))
                out[out == step.label] = place(step.parts, mine)
            else:
                index, mine = divmod(index, step.part.tables.total)
                table, mine = step.part.tables.unrank(mine)
                for at, stub in enumerate(step.stubs):
                    parts = [(group, row[at]) for group, row in zip(step.groups, table, strict=True)]
                    mine, digit = divmod(mine, arrangements([n for _, n in parts]))
                    out[out == stub] = place(parts, digit)
        return tuple(map(int, out))

    def rank(self, order: Sequence[int]) -> int:
        """The number of one of these orders."""
        under: dict[int, list[int]] = {}
        for path in self._paths(order):
            for label, below in pairwise(path):
                under.setdefault(label, []).append(below)
        index, radix = 0, 1
        for step in self.steps:
            if isinstance(step, Fill):
                index += radix * position(step.parts, under.get(step.label, ()))
                radix *= arrangements([n for _, n in step.parts])
            else:
                laid = [under.get(stub, []) for stub in step.stubs]
                table = [tuple(column.count(group) for column in laid) for group in step.groups]
                mine, inner = step.part.tables.offset(table), 1
                for at, column in enumerate(laid):
                    parts = [(group, row[at]) for group, row in zip(step.groups, table, strict=True)]
                    mine += inner * position(parts, column)
                    inner *= arrangements([n for _, n in parts])
                index += radix * mine
                radix *= step.part.tables.total
        return index

    def _paths(self, order: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """For each slot that is not pinned the labels it went through, from its block's to its kind."""
        found = self.reduction
        class_of = {kind: at for at, kinds in enumerate(found.classes) for kind in kinds}
        block_of = {slot: at for at, slots in enumerate(found.blocks) for slot in slots}
        for slot, kind in enumerate(order):
            if slot in found.pins:
                continue
            mine, block = class_of[kind], block_of[slot]
            below = (len(found.copies) + mine, kind)
            if (mine, block) in found.forced:
                yield (self._block + block, *below)
            else:
                yield (self._block + block, self._stub[block], self._group[mine], *below)


def _mixed(rng: np.random.Generator, parts: Parts, n: int) -> np.ndarray:
    """`n` rows of these labels, each as often as it says, every row in an order of its own."""
    labels = np.repeat([label for label, _ in parts], [m for _, m in parts]).astype(np.int32)
    rows = np.broadcast_to(labels, (n, len(labels)))
    return rows if len(parts) < 2 else rng.permuted(rows, axis=1)


def _fill(rng: np.random.Generator, out: np.ndarray, step: Fill) -> None:
    # Every row has the label equally often, and assignment by a mask goes row by row.
    out[out == step.label] = _mixed(rng, step.parts, len(out)).ravel()


def _lay(rng: np.random.Generator, out: np.ndarray, step: Lay) -> None:
    tables = step.part.tables.sample(rng, len(out))
    labels = np.array(step.groups, dtype=np.int32)
    for at, (stub, column) in enumerate(zip(step.stubs, step.part.columns, strict=True)):
        counts = tables[:, :, at]
        laid = np.repeat(np.broadcast_to(labels, counts.shape).ravel(), counts.ravel())
        rows = laid.reshape(len(out), column.amount)
        out[out == stub] = (rng.permuted(rows, axis=1) if len(labels) > 1 else rows).ravel()
