"""Rows grouped by what they read, block by block: for problems whose rows are listed, not kept apart in a diagram."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lethal.solver.engine import OutcomeClass
from lethal.solver.problem import Meter, Problem


def grouped(
    problem: Problem,
    blocks: Iterable[np.ndarray],
    shares: Sequence[int],
    meters: Sequence[Meter],
    fulls: Sequence[Meter] = (),
) -> list[OutcomeClass]:
    """The distinct readings of shares and meters, and whether `fulls` are full, with the number of rows and the first.

    Bounded by one block and the groups found; readings are clipped at full, as everywhere.
    """
    found: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
    tables = [_tables(problem, meter) for meter in (*meters, *fulls)]
    for block in blocks:
        columns = [block[:, at].astype(np.int64) for at in shares]
        for meter, looked_up in zip((*meters, *fulls), tables, strict=True):
            total = np.zeros(len(block), dtype=np.int64)
            for at, low, entries in looked_up:
                total += entries[block[:, at].astype(np.int64) - low]
            columns.append(np.minimum(total, meter.full))
        for at, meter in enumerate(fulls, len(shares) + len(meters)):
            columns[at] = (columns[at] == meter.full).astype(np.int64)
        keys = np.stack(columns, axis=1) if columns else np.zeros((len(block), 0), dtype=np.int64)
        first, counts = _distinct(keys)
        for row, count in zip(first.tolist(), counts.tolist(), strict=True):
            key = tuple(keys[row].tolist())
            known = found.get(key)
            if known is None:
                found[key] = (count, tuple(int(n) for n in block[row]))
            else:
                found[key] = (known[0] + count, known[1])
    return [OutcomeClass(key, count, row) for key, (count, row) in sorted(found.items())]


def _tables(problem: Problem, meter: Meter) -> list[tuple[int, int, Any]]:
    """For each share of a meter its least value, and the entries from there on."""
    found = []
    for at, table in meter.terms:
        values = problem.shares[at].values
        entries = np.array(table.over(range(values[0], values[-1] + 1)), dtype=np.int64)
        found.append((at, values[0], entries))
    return found


def _distinct(keys: Any) -> tuple[Any, Any]:
    """The first row of each distinct key, and how many rows have it."""
    code = np.zeros(len(keys), dtype=np.int64)
    for column in keys.T:
        low, high = int(column.min()), int(column.max())
        if int(code.max()) * (high - low + 1) >= 1 << 60:
            _, code = np.unique(code, return_inverse=True)
        code = code * (high - low + 1) + (column - low)
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    return first, counts
