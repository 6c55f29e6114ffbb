"""Matrices of integers as text, row by row, without a Python step for each number."""

from __future__ import annotations

import numpy as np

SPREAD = 100_000
"""Up to how many different values of a column are spelled once and looked up."""


def lines(block: np.ndarray, start: str, between: str, end: str) -> str:
    """Every row as `start`, its numbers with `between` between them, and `end`; these are ASCII without NUL."""
    height, width = block.shape
    if not height:
        return ""
    pieces: list[bytes | np.ndarray] = [start.encode("ascii")]
    for at in range(width):
        if at:
            pieces.append(between.encode("ascii"))
        pieces.append(_spelled(block[:, at]))
    pieces.append(end.encode("ascii"))
    sizes = [len(piece) if isinstance(piece, bytes) else piece.dtype.itemsize for piece in pieces]
    text = np.empty((height, sum(sizes)), dtype=np.uint8)
    done = 0
    for piece, size in zip(pieces, sizes, strict=True):
        if isinstance(piece, bytes):
            text[:, done : done + size] = np.frombuffer(piece, dtype=np.uint8)
        else:
            text[:, done : done + size] = piece.view(np.uint8).reshape(height, size)
        done += size
    written: bytes = text[text != 0].tobytes()  # shorter numbers are padded with NUL
    return written.decode("ascii")


def _spelled(values: np.ndarray) -> np.ndarray:
    """The decimal digits of every value, as byte strings padded with NUL."""
    low, high = int(values.min()), int(values.max())
    if high - low > SPREAD:
        return np.array([str(value) for value in values.tolist()], dtype=np.bytes_)
    table = np.array([str(value) for value in range(low, high + 1)], dtype=np.bytes_)
    return table[values.astype(np.int64) - low]
