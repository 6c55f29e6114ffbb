"""A step's program on arrays: states in columns against the values of the layer's share in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from lethal.solver.diagram.steps import Code, Op

Array: TypeAlias = Any

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
