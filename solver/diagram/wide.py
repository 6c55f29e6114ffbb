"""Compiles a plan on arrays: all states of a layer at once, merged by packing each into one key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np

from lethal.solver.diagram.compile import Code, Column, Op, Step
from lethal.solver.diagram.layers import Diagram, Layer, TooManyArcs, empty_diagram

Array: TypeAlias = Any

CHUNK = 1 << 21
"""Arcs expanded at a time: bounds the memory of intermediate arrays."""
WORD, SHORT_WORD = 1 << 62, 1 << 33
"""Keys of one word, and of words merged one after the other (times a node's number, they fit 64 bits)."""
HALF_WORD = 1 << 31
"""Keys below this are kept in 32 bits."""
DENSE = 1 << 26
"""Keys below this are merged through a table instead of by sorting."""


def build(steps: Sequence[Step], nodes: int, ordered_ends: bool = False) -> Diagram:
    """The component's diagram; raises TooManyArcs where a layer has more than `nodes` of them.

    With `ordered_ends` the terminal nodes are kept apart, one for each state left.
    """
    layers: list[Layer] = []
    words: list[Array] = []
    n = 1
    for step in steps:
        layer, words, n = _layer(step, words, n, nodes)
        layers.append(layer)
        if not n:
            return empty_diagram([step.share for step in steps])
    ends = n if ordered_ends else 1
    if not ordered_ends:
        layers[-1].child = np.zeros(len(layers[-1].child), dtype=np.int32)
    _prune(layers, ends)
    if not len(layers[0].value):
        return empty_diagram([step.share for step in steps])
    if not ordered_ends:
        return Diagram(layers, True)
    columns = _decode(words, steps[-1].outs, n)
    rows: list[tuple[int, ...]] = [()] * n
    if columns:
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
    return Diagram(layers, True, ends, rows, [column.key for column in steps[-1].outs])


def _packing(columns: Sequence[Column]) -> list[list[Column]]:
    """The columns dealt into words whose keys fit."""
    groups: list[list[Column]] = [[]]
    product = 1
    for column in columns:
        product *= column.size
    if product < WORD:
        return [list(columns)]
    product = 1
    for column in columns:
        if product * column.size > SHORT_WORD and groups[-1]:
            groups.append([])
            product = 1
        product *= column.size
        groups[-1].append(column)
    return groups


def _span(group: Sequence[Column]) -> int:
    """How many keys the columns make."""
    return prod(column.size for column in group)


def _decode(words: Sequence[Array], columns: Sequence[Column], n: int) -> list[Array]:
    """The columns of all states, absolute values."""
    result: list[Array] = []
    for word, group in zip(words, _packing(columns), strict=False):
        left = word
        found = []
        for column in reversed(group):
            if column.size == 1:
                found.append(np.full(n, column.base, dtype=left.dtype))
                continue
            over = left // column.size
            digit = left - over * column.size
            found.append(digit + column.base if column.base else digit)
            left = over
        result += reversed(found)
    return result


def _layer(step: Step, words: list[Array], n: int, nodes: int) -> tuple[Layer, list[Array], int]:
    """Expands all states by all values; the layer, and the packed states of the next one."""
    d = len(step.values)
    size = max(1, CHUNK // d)
    groups = _packing(step.outs)
    parents, at_value, reads = list[Array](), list[Array](), list[list[Array]]()
    keys: list[list[Array]] = [[] for _ in groups]
    arcs = 0
    for low in range(0, n, size):
        high = min(n, low + size)
        columns = _decode([word[low:high] for word in words], step.ins, high - low)
        x: list[Any] = [0] * len(step.slots)
        for column, array in zip(step.ins, columns, strict=True):
            x[column.slot] = array[:, None]
        alive, noted = run(step.ops, x)
        shape = (high - low, d)
        if alive is None:
            alive = np.ones(shape, dtype=bool)
        whole = alive.size == shape[0] * d and bool(alive.all())
        flat = np.arange(alive.size) if whole else np.flatnonzero(np.broadcast_to(alive, shape))
        parent = flat // d
        value = flat - parent * d
        arcs += len(parent)
        if arcs > nodes:
            raise TooManyArcs(step.share, nodes)
        parents.append((parent + low).astype(np.int32))
        at_value.append(value.astype(np.int32))
        for key, group in zip(keys, groups, strict=True):
            key.append(_gather(_pack(x, group), shape, flat))
        reads.append([_gather(reading, shape, flat) for reading in noted])
    parent, value = _joined(parents), _joined(at_value)
    child, following = _merge([_joined(key) for key in keys], groups)
    start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(parent, minlength=n), out=start[1:])
    meters = [op[2] for op in step.ops if op[0] == Code.READ]
    found: dict[int, Array] = {at: _joined([chunk[i] for chunk in reads]) for i, at in enumerate(meters)}
    values = np.array(step.values, dtype=np.int64)
    count = len(following[0]) if following else 0
    return Layer(step.share, start, values[value], child, found), following, count


def _joined(chunks: list[Array]) -> Array:
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def _gather(of: Any, shape: tuple[int, int], flat: Array) -> Array:
    """The entries of something broadcast to `shape` at the arcs."""
    if np.ndim(of) == 0:
        return np.full(len(flat), of, dtype=np.int64)
    return np.broadcast_to(of, shape).reshape(-1).take(flat)


def _pack(x: Sequence[Any], group: Sequence[Column]) -> Any:
    """One key a state; what does not depend on the value is added up first."""
    stride, base = 1, 0
    total: Any = np.zeros(1, dtype=np.int32 if _span(group) < HALF_WORD else np.int64)
    wide = []
    for column in reversed(group):
        if column.size > 1:
            part = np.asarray(x[column.slot], dtype=total.dtype)
            base += column.base * stride
            if np.ndim(part) == 2 and part.shape[1] > 1:
                wide.append((part, stride))
            else:
                total = total + part * stride
            stride *= column.size
    total = total - base
    for part, by in wide:
        total = total + (part if by == 1 else part * by)
    return total


def _merge(keys: list[Array], groups: Sequence[Sequence[Column]]) -> tuple[Array, list[Array]]:
    """Numbers equal keys alike: the number of each arc's child, and the words of each child, rising."""
    if len(keys) == 1:
        key, span = keys[0], _span(groups[0])
        if span <= max(1024, min(DENSE, 256 * len(key))):
            present = np.zeros(span, dtype=bool)
            present[key] = True
            found = np.flatnonzero(present)
            child_of = np.empty(span, dtype=np.int32)
            child_of[found] = np.arange(len(found), dtype=np.int32)
            return child_of[key], [found.astype(key.dtype)]
        found, child = np.unique(key, return_inverse=True)
        return child.astype(np.int32), [found]
    number: Array = np.unique(keys[0], return_inverse=True)[1]
    first = np.zeros(0, dtype=np.int64)
    for key, group in zip(keys[1:], groups[1:], strict=True):
        size = _span(group)
        if size < WORD // max(1, len(key)):
            joined = number.astype(np.int64) * size + key
        else:
            _, dense = np.unique(key, return_inverse=True)
            joined = number.astype(np.int64) * (len(key) + 1) + dense
        _, first, number = np.unique(joined, return_index=True, return_inverse=True)
    return number.astype(np.int32), [key[first] for key in keys]


def _prune(layers: list[Layer], ends: int) -> None:
    """Backward: arcs into nodes without arcs go, and those nodes with them."""
    kept: Array = None
    for layer in reversed(layers):
        start, child = np.asarray(layer.start), np.asarray(layer.child)
        if kept is not None and not kept.all():
            number = np.cumsum(kept, dtype=np.int32) - 1
            alive = kept[child]
            before = np.zeros(len(child) + 1, dtype=np.int32)
            np.cumsum(alive, out=before[1:])
            start = before[start]
            layer.value, layer.child = np.asarray(layer.value)[alive], number[child[alive]]
            layer.reads = {at: np.asarray(of)[alive] for at, of in layer.reads.items()}
        kept = start[1:] > start[:-1]
        layer.start = start if kept.all() else np.append(start[:-1][kept], start[-1])


_ROOM = 1 << 24
"""Entries within this are added in 32 bits: no state sums a hundred of them."""

_RUN: dict[int, Callable[[Op, list[Any], list[Any]], Any]] = {}


def run(ops: Sequence[Op], x: list[Any]) -> tuple[Any, list[Any]]:
    """Runs a step's program on columns of states (n, 1) against values (1, d): who lives, and noted readings."""
    alive: Any = None
    noted: list[Any] = []
    for op in ops:
        if op[0] == Code.READ:
            noted.append(x[op[1]])
            continue
        lives = _RUN[op[0]](op, x, noted)
        if lives is not None:
            alive = lives if alive is None else alive & lives
    return alive, noted


def _row(of: Sequence[int]) -> Array:
    row = np.array(of, dtype=np.int64)[None, :]
    return row.astype(np.int32) if row.size and row.min() > -_ROOM and row.max() < _ROOM else row


def _total(op: Op, x: list[Any], _: list[Any]) -> Any:
    _, slot, values, low, high, free_low, free_high = op
    n = x[slot] + _row(values)
    alive = (n >= low) & (n <= high)
    if free_low <= free_high:
        n = np.where((n >= free_low) & (n <= free_high), free_low, n)
    x[slot] = n
    return alive


def _gain(op: Op, x: list[Any], _: list[Any]) -> Any:
    x[op[1]] = np.minimum(x[op[1]] + _row(op[2]), op[3])


def _mark(op: Op, x: list[Any], _: list[Any]) -> Any:
    _, bit, on, slot, full = op
    x[bit] = np.not_equal(x[bit], 0) | ((_row(on) != 0) & np.less(x[slot], full))


def _forbid(op: Op, x: list[Any], _: list[Any]) -> Any:
    return (_row(op[2]) == 0) | np.equal(x[op[1]], 0)


def _settle(op: Op, x: list[Any], _: list[Any]) -> Any:
    _, slot, full, rest, owed, bits = op
    short = np.less(x[slot], full)
    for bit in bits:
        x[bit] = np.not_equal(x[bit], 0) & short
    if owed < 0:
        return None
    x[owed] = np.not_equal(x[owed], 0) & short
    return np.equal(x[owed], 0) | np.greater_equal(x[slot], full - rest)


def _must(op: Op, x: list[Any], _: list[Any]) -> Any:
    return np.greater_equal(x[op[1]], op[2] - op[3])


def _close(op: Op, x: list[Any], _: list[Any]) -> Any:
    _, slot, full, lacking, counts, fulls, partlys = op
    short = np.less(x[slot], full)
    for counter, wanted in fulls:
        x[counter] = x[counter] + (short != wanted)
    for bit in lacking:
        x[bit] = np.not_equal(x[bit], 0) | short
    for counter, bit in counts:
        x[counter] = x[counter] + x[bit] * short
    for counter in partlys:
        x[counter] = x[counter] + (short & np.greater(x[slot], 0))


def _count(op: Op, x: list[Any], _: list[Any]) -> Any:
    x[op[1]] = x[op[1]] + _row(op[2])


def _short(op: Op, x: list[Any], _: list[Any]) -> Any:
    x[op[1]] = x[op[1]] + x[op[2]] * _row(op[3])


def _bound(op: Op, x: list[Any], _: list[Any]) -> Any:
    n = x[op[1]]
    x[op[1]] = np.maximum(n, op[3])
    return np.less_equal(n, op[2])


def _rest(op: Op, x: list[Any], _: list[Any]) -> Any:
    _, slot, full, rest, floor, bits = op
    n = x[slot]
    if full - rest > 0:
        n = np.where(np.less(n, full - rest), np.minimum(n, floor), n)
    if bits is not None:
        waits: Any = 0
        for bit in bits:
            waits = waits | (x[bit] != 0)
        n = np.where(waits, n, full)
    x[slot] = n


def _keep(op: Op, x: list[Any], _: list[Any]) -> Any:
    x[op[1]] = _row(op[2])


_RUN.update(
    {
        Code.TOTAL: _total,
        Code.GAIN: _gain,
        Code.MARK: _mark,
        Code.FORBID: _forbid,
        Code.SETTLE: _settle,
        Code.MUST: _must,
        Code.CLOSE: _close,
        Code.COUNT: _count,
        Code.SHORT: _short,
        Code.BOUND: _bound,
        Code.REST: _rest,
        Code.KEEP: _keep,
    }
)
