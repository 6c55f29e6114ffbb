"""Shuffling without bias, and whether a generator's seed has enough bits for the orders that there are.

A generator gives no more sequences than it has seeds: with fewer bits than log2 of the number of orders (272
for 60 different cards) some orders never occur, however uniform the rest.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from math import ceil
from typing import TypeVar

import numpy as np

from lethal.solver.multiset import arrangements

T = TypeVar("T")

STATE_BITS = {"PCG64": 255, "PCG64DXSM": 255, "MT19937": 19937, "Philox": 384, "SFC64": 256}
"""How many bits of state seeding can set; a generator that is not listed counts as its seed."""


class SeedWarning(UserWarning):
    """A generator's seed has fewer bits than the number of orders needs."""


def bits_needed(copies: Iterable[int]) -> int:
    """The least number of bits that can tell apart all orders of so many copies of each card."""
    return (arrangements(list(copies)) - 1).bit_length()


def seed_bits(rng: np.random.Generator) -> int:
    """How many bits the seed of a generator has at most: its entropy, the pool it fills, the state it sets.

    An integer seed counts as the 32-bit words that it takes.
    """
    source = rng.bit_generator
    state = STATE_BITS.get(type(source).__name__, 1 << 20)
    seed = source.seed_seq
    if not isinstance(seed, np.random.SeedSequence):
        return state
    given = seed.entropy
    words = [given] if isinstance(given, int) else list(given or ())
    entropy = sum(32 * max(1, ceil(int(word).bit_length() / 32)) for word in words)
    return min(state, entropy, 32 * seed.pool_size)


def check_seed(rng: np.random.Generator, copies: Iterable[int]) -> str | None:
    """A warning in words where the seed has too few bits for the orders of these copies, else None."""
    need, have = bits_needed(copies), seed_bits(rng)
    if have >= need:
        return None
    return (
        f"the generator's seed has at most {have} bits, but the orders need {need}: "
        f"at most 1 order in 2^{need - have} can occur; seed one with lethal.randomness.generator({need})"
    )


def generator(bits: int) -> np.random.Generator:
    """A generator whose seed has at least so many bits, drawn from the operating system."""
    words = ceil(bits / 32) + 2
    return np.random.Generator(np.random.MT19937(np.random.SeedSequence(pool_size=max(4, words))))


def shuffled(rng: np.random.Generator, items: Sequence[T], keep: Iterable[int] = ()) -> list[T]:
    """The items in a uniformly random order (Fisher and Yates, bounded integers without bias).

    Those at the positions in `keep` stay there and take no part. Warns SeedWarning where the seed is too short
    for the orders of as many different items.
    """
    kept = {at % len(items) for at in keep} if items else set()
    free = [at for at in range(len(items)) if at not in kept]
    words = check_seed(rng, [1] * len(free))
    if words:
        warnings.warn(words, SeedWarning, stacklevel=2)
    order = list(items)
    for last in range(len(free) - 1, 0, -1):
        other = int(rng.integers(0, last + 1))
        one, two = free[last], free[other]
        order[one], order[two] = order[two], order[one]
    return order
