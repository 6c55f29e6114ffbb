"""Compiles a plan on arrays: all states of a layer at once, merged by packing each into one key."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import chain, groupby
from math import prod
from typing import Any, TypeAlias

import numpy as np

from lethal.solver.diagram.layers import Diagram, Layer, TooManyArcs, empty_diagram
from lethal.solver.diagram.operations import run
from lethal.solver.diagram.steps import Code, Column, Step

Array: TypeAlias = Any

CHUNK = 1 << 21
"""Arcs that a step's program runs on at a time: bounds the memory of intermediate arrays."""
WORD, SHORT_WORD = 1 << 62, 1 << 33
"""Keys of one word, and of words merged one after the other (times a node's number, they fit 64 bits)."""
HALF_WORD = 1 << 31
"""Keys below this are kept in 32 bits."""
FEW = 1 << 12
"""Up to how many pairs of a state and a value the program runs on all of them: telling kinds apart costs more."""
DENSE = 1 << 26
"""Keys below this are merged through a table instead of by sorting."""


Groups: TypeAlias = list[list[Column]]
"""The columns of each word, the last of them its lowest digit."""


def build(steps: Sequence[Step], nodes: int, ordered_ends: bool = False) -> Diagram:
    """The component's diagram; raises TooManyArcs where a layer has more than `nodes` of them.

    With `ordered_ends` the terminal nodes are kept apart, one for each state left.
    """
    layers: list[Layer] = []
    words: list[Array] = [np.zeros(1, dtype=np.int32)]
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
    columns = _decode(words, _packing(steps[-1].outs))
    rows: list[tuple[int, ...]] = [()] * n
    if columns:
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
    return Diagram(layers, True, ends, rows, [column.key for column in steps[-1].outs])


def _packing(columns: Sequence[Column]) -> Groups:
    """The columns dealt into words whose keys fit."""
    groups: Groups = [[]]
    if _span(columns) < WORD:
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


def _decode(words: Sequence[Array], groups: Groups) -> list[Array]:
    """The columns of all states, absolute values."""
    result: list[Array] = []
    for word, group in zip(words, groups, strict=True):
        left = word
        found = []
        for column in reversed(group):
            if column.size == 1:
                found.append(np.full(len(left), column.base, dtype=left.dtype))
                continue
            over = left // column.size
            digit = left - over * column.size
            found.append(digit + column.base if column.base else digit)
            left = over
        result += reversed(found)
    return result


def _pack(x: Sequence[Any], groups: Groups, only: Container[int], shape: tuple[int, ...]) -> list[Array]:
    """The words of the columns, those of other slots than `only` left 0: entries of `x` spread over a shape."""
    words = []
    for group in groups:
        stride, base = 1, 0
        total: Any = np.zeros(1, dtype=np.int32 if _span(group) < HALF_WORD else np.int64)
        for column in reversed(group):
            if column.size > 1 and column.slot in only:
                total = total + np.asarray(x[column.slot], dtype=total.dtype) * stride
                base += column.base * stride
            stride *= column.size
        words.append(_spread(total - base if base else total, shape))
    return words


def _spread(of: Any, shape: tuple[int, ...]) -> Array:
    """The entries of something, one for each of a shape."""
    return of if np.shape(of) == shape else np.broadcast_to(of, shape)


def _parted(
    words: Sequence[Array], groups: Groups, chosen: Container[int]
) -> list[tuple[list[Array], Groups]]:
    """The states of the chosen slots alone, and those of the others; columns that stay together move as one."""
    parts: list[tuple[list[Array], Groups]] = [([], []), ([], [])]
    for word, group in zip(words, groups, strict=True):
        left: Array = word
        found, strides = [np.zeros_like(word)] * 2, [1, 1]
        columns: Groups = [[], []]
        runs = [
            (side, list(of)) for side, of in groupby(reversed(group), lambda c: int(c.slot not in chosen))
        ]
        for at, (part, together) in enumerate(runs):
            span = _span(together)
            last = at + 1 == len(runs)
            over = left if last else left // span
            digits = left if last else left - over * span
            found[part] = found[part] + digits * strides[part] if strides[part] > 1 else digits
            strides[part] *= span
            columns[part] += together
            left = over
        for part in (0, 1):
            parts[part][0].append(found[part])
            parts[part][1].append(columns[part][::-1])
    return parts


def _layer(step: Step, words: list[Array], n: int, nodes: int) -> tuple[Layer, list[Array], int]:
    """Expands all states by all values; the layer, and the packed states of the next one.

    The step's program runs once for each kind of state, which is what the columns hold that the step touches; the
    others are only carried. So a child is a pair of what was carried and what came out, and equal pairs meet.
    """
    old = {column.slot for column in step.ins}
    new = {column.slot for column in step.outs}
    carried = {slot for slot in old & new if slot >= step.touched}
    groups = _packing(step.ins)
    if not carried or n * len(step.values) <= FEW:
        return _expand(step, words, groups, n, _packing(step.outs), nodes)
    (kept, kept_groups), (kinds, kind_groups) = _parted(words, groups, carried)
    other, others, kept = _merge(kept, [_span(group) for group in kept_groups])
    kind, many, kinds = _merge(kinds, [_span(group) for group in kind_groups])
    made_groups = _packing([column for column in step.outs if column.slot not in carried])
    table, made, makes = _expand(step, kinds, kind_groups, many, made_groups, nodes)

    start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.diff(table.start)[kind], out=start[1:])
    arcs = int(start[-1])
    if arcs > nodes:
        raise TooManyArcs(step.share, nodes)
    degree = np.diff(start)
    at = np.repeat(table.start[:-1][kind] - start[:-1], degree)
    at += np.arange(arcs)
    span = others * makes
    key = np.repeat(other * makes if span < HALF_WORD else other.astype(np.int64) * makes, degree)
    key += table.child.take(at)
    child, count, (pair,) = _merge([key], [span])

    over = pair // makes
    left = _repacked(kept, kept_groups, step, others)
    right = _repacked(made, made_groups, step, makes)
    following = [a[over] + b[pair - over * makes] for a, b in zip(left, right, strict=True)]
    reads = {meter: of.take(at) for meter, of in table.reads.items()}
    return Layer(step.share, start, table.value.take(at), child, reads), following, count


def _repacked(words: list[Array], groups: Groups, step: Step, n: int) -> list[Array]:
    """The words of the next state that hold these columns alone."""
    x: list[Any] = [0] * len(step.slots)
    for column, array in zip(chain(*groups), _decode(words, groups), strict=True):
        x[column.slot] = array
    return _pack(x, _packing(step.outs), {column.slot for column in chain(*groups)}, (n,))


def _expand(
    step: Step, words: list[Array], groups: Groups, n: int, outs: Groups, nodes: int
) -> tuple[Layer, list[Array], int]:
    """Runs the step's program on all states against all values; the layer, and the words of its children."""
    d = len(step.values)
    columns = _decode(words, groups)
    meters = [op[2] for op in step.ops if op[0] == Code.READ]
    made = {column.slot for column in chain(*outs)}
    degree, flats = list[Array](), list[Array]()
    keys: list[list[Array]] = [[] for _ in outs]
    reads: list[list[Array]] = [[] for _ in meters]
    size = max(1, CHUNK // d)
    arcs = 0
    for low in range(0, n, size):
        shape = (min(n, low + size) - low, d)
        x: list[Any] = [0] * len(step.slots)
        for column, array in zip(chain(*groups), columns, strict=True):
            x[column.slot] = array[low : low + size, None]
        alive, noted = run(step.ops, x)
        flat = np.flatnonzero(_spread(True if alive is None else alive, shape))
        arcs += len(flat)
        if arcs > nodes:
            raise TooManyArcs(step.share, nodes)
        parent = flat // d
        degree.append(np.bincount(parent, minlength=shape[0]))
        flats.append(flat - parent * d)
        for key, word in zip(keys, _pack(x, outs, made, shape), strict=True):
            key.append(word.reshape(-1)[flat])
        for read, reading in zip(reads, noted, strict=True):
            read.append(_spread(reading, shape).reshape(-1)[flat])
    start = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(_joined(degree), out=start[1:])
    child, count, following = _merge([_joined(key) for key in keys], [_span(group) for group in outs])
    small = step.values[0] >= -HALF_WORD and step.values[-1] < HALF_WORD
    values = np.array(step.values, dtype=np.int32 if small else np.int64)
    closing = {meter: _joined(read) for meter, read in zip(meters, reads, strict=True)}
    return Layer(step.share, start, values[_joined(flats)], child, closing), following, count


def _joined(chunks: list[Array]) -> Array:
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def _merge(keys: list[Array], spans: Sequence[int]) -> tuple[Array, int, list[Array]]:
    """Numbers equal keys alike: each entry's number, how many there are, and the words of each."""
    number, found = _numbered(keys[0], spans[0])
    if len(keys) == 1:
        return number, len(found), [found]
    count = len(found)
    for key, span in zip(keys[1:], spans[1:], strict=True):
        if span >= WORD // max(1, count):
            key, found = _numbered(key, span)
            span = len(found)
        number, found = _numbered(number.astype(np.int64) * span + key, count * span)
        count = len(found)
    first = np.empty(count, dtype=np.int64)
    first[number] = np.arange(len(number))
    return number, count, [key[first] for key in keys]


def _numbered(key: Array, span: int) -> tuple[Array, Array]:
    """The numbers of keys below a span, by rising key, and the keys in that order."""
    if span == 1:
        return np.zeros(len(key), dtype=np.int32), key[:1]
    if span > max(1024, min(DENSE, 256 * len(key))):
        found, number = np.unique(key, return_inverse=True)
        return number.astype(np.int32), found
    present = np.zeros(span, dtype=bool)
    present[key] = True
    found = np.flatnonzero(present).astype(key.dtype)
    number = np.empty(span, dtype=np.int32)
    number[found] = np.arange(len(found), dtype=np.int32)
    return number[key], found


def _prune(layers: list[Layer], ends: int) -> None:
    """Backward: arcs into nodes without arcs go, and those nodes with them."""
    kept: Array = None
    for layer in reversed(layers):
        start, child = np.asarray(layer.start), np.asarray(layer.child)
        if kept is not None and not kept.all():
            child = np.where(kept, np.cumsum(kept, dtype=np.int32) - 1, -1)[child]
            alive = child >= 0
            before = np.zeros(len(child) + 1, dtype=np.int32)
            np.cumsum(alive, out=before[1:])
            start = before[start]
            left = np.flatnonzero(alive)
            layer.value, layer.child = np.asarray(layer.value)[left], child[left]
            layer.reads = {at: np.asarray(of)[left] for at, of in layer.reads.items()}
        kept = start[1:] > start[:-1]
        layer.start = start if kept.all() else np.append(start[:-1][kept], start[-1])
