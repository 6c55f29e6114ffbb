"""Random choices that are exact for integer weights of any size, from a caller's NumPy generator.

A float cannot hold the number of orders of a deck, and `random() * total` is not uniform over it. Here a
choice compares as many random bits with the exact quotients as it takes to be certain: 62 of them nearly
always.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

STEP = 62
"""Bits drawn at a time; they fit a signed 64-bit integer."""


def below(rng: np.random.Generator, bound: int) -> int:
    """An integer of 0 … bound-1, each equally likely; raises ValueError where there is none."""
    if bound < 1:
        raise ValueError(f"there is no integer from 0 to below {bound!r}")
    bits = (bound - 1).bit_length()
    while True:
        value = int.from_bytes(rng.bytes((bits + 7) // 8), "little") & ((1 << bits) - 1)
        if value < bound:
            return value


def choose(rng: np.random.Generator, weights: Sequence[int], size: int, step: int = STEP) -> np.ndarray:
    """`size` independent indices, each with a probability exactly proportional to its integer weight.

    Raises ValueError where all weights are 0. `step` is the number of bits per draw.
    """
    total = sum(weights)
    if total < 1:
        raise ValueError("all weights are 0")
    ends = list(accumulate(weights))[:-1]
    if not ends:
        return np.zeros(size, dtype=np.intp)
    cuts = [divmod(end << step, total) for end in ends]
    drawn = rng.integers(0, 1 << step, size=size, dtype=np.int64)
    # A cut at 2**step lies behind every draw, as do the ends of weights that are 0 after the last positive
    # one.
    found = np.searchsorted(np.array([cut for cut, _ in cuts], dtype=np.int64), drawn, side="right")
    open_cuts = np.array(sorted({cut for cut, rest in cuts if rest}), dtype=np.int64)
    for at in np.flatnonzero(np.isin(drawn, open_cuts)):
        found[at] = _settle(rng, ends, total, int(drawn[at]), step)
    return found


def _settle(rng: np.random.Generator, ends: Sequence[int], total: int, drawn: int, step: int) -> int:
    """The index where the first draw fell on a cut that is no multiple of it: draw on until it is decided."""
    bits = step
    while True:
        drawn = drawn << step | int(rng.integers(0, 1 << step, dtype=np.int64))
        bits += step
        cuts = [divmod(end << bits, total) for end in ends]
        if not any(cut == drawn and rest for cut, rest in cuts):
            return sum(cut <= drawn for cut, _ in cuts)
