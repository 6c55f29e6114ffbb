"""Is this shuffler uniform? A fixed family of tests on orders of any shuffler, each of which can say no.

The significance is fixed before anything is drawn: a uniform shuffler fails the whole family with a
probability of at most `alpha` (each of its tests at `alpha` divided by their number). A shuffler that passes
is not proved uniform: `audit` says with how many samples it looked. What a generator's bits are worth is
another question: see `lethal.randomness`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, factorial, sqrt

import numpy as np

from lethal.solver.multiset import position
from lethal.statistics import chi_square_tail, goodness_of_fit, normal_tails

Shuffler = Callable[[list[int]], Sequence[int] | None]
"""Gives a list in random order, or puts the list itself into random order and gives None."""

ALPHA = 1e-4
SMALL = 5
SIZE = 60
SAMPLES = 6000
HAND = 7
LANDS = 24


@dataclass(frozen=True, slots=True)
class Test:
    """One test's statistic, the probability that chance alone goes as far, and whether it passes."""

    name: str
    statistic: float
    p: float
    passed: bool
    words: str


@dataclass(frozen=True, slots=True)
class Audit:
    """All tests of one shuffler; `uniform` is whether none failed."""

    tests: tuple[Test, ...]
    alpha: float
    samples: int

    @property
    def uniform(self) -> bool:
        return all(test.passed for test in self.tests)

    @property
    def failed(self) -> tuple[Test, ...]:
        return tuple(test for test in self.tests if not test.passed)


def audit(
    shuffler: Shuffler, *, size: int = SIZE, small: int = SMALL, samples: int = SAMPLES, alpha: float = ALPHA
) -> Audit:
    """Test a function that shuffles lists: `samples` times a small list, and as often one of `size` items.

    Raises ValueError where what it gives is no order of what it got, or for sizes that cannot be tested.
    """
    check_sizes(size, small, samples, alpha)
    return audit_orders(collect(shuffler, small, samples), collect(shuffler, size, samples), alpha=alpha)


def audit_orders(small: np.ndarray, large: np.ndarray, *, alpha: float = ALPHA) -> Audit:
    """Test orders that were collected elsewhere: arrays (samples, items) of what 0 … n-1 was shuffled to."""
    check_sizes(large.shape[1], small.shape[1], min(len(small), len(large)), alpha)
    for orders in (small, large):
        if (np.sort(orders, axis=1) != np.arange(orders.shape[1])).any():
            raise ValueError("these are no orders of 0 … n-1")
    found = [*_small_tests(small), *_large_tests(large)]
    level = alpha / len(found)
    return Audit(
        tuple(Test(name, value, p, p >= level, words) for name, value, p, words in found), alpha, len(large)
    )


def collect(shuffler: Shuffler, size: int, samples: int) -> np.ndarray:
    """What a shuffler makes of 0 … size-1, time after time; raises ValueError for what is no order of it."""
    orders = np.empty((samples, size), dtype=np.int32)
    for at in range(samples):
        items = list(range(size))
        given = shuffler(items)
        order = list(items if given is None else given)
        if sorted(order) != list(range(size)):
            raise ValueError(f"the shuffler gave no order of {size} items: {order[:10]!r}")
        orders[at] = order
    return orders


def check_sizes(size: int, small: int, samples: int, alpha: float) -> None:
    """Raises ValueError for lists and samples with which an audit could not tell, or no probability."""
    if not 2 <= small <= 7:
        raise ValueError(f"all orders can be told apart for 2 to 7 items, not {small!r}")
    if size < 8:
        raise ValueError(f"the larger list needs 8 items or more, not {size!r}")
    least = max(5 * factorial(small), 5 * size)
    if samples < least:
        raise ValueError(f"lists of {small} and {size} need {least} samples or more, not {samples!r}")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is a probability, not {alpha!r}")


Found = tuple[str, float, float, str]


def _small_tests(orders: np.ndarray) -> Iterator[Found]:
    n, size = orders.shape
    parts = [(item, 1) for item in range(size)]
    seen = [0] * factorial(size)
    for order in orders.tolist():
        seen[position(parts, order)] += 1
    value, freedom = goodness_of_fit(seen, [n / len(seen)] * len(seen))
    yield f"all {len(seen)} orders", value, chi_square_tail(value, freedom), f"chi-square, {freedom} degrees"
    yield _next("orders after one another", orders)


def _large_tests(orders: np.ndarray) -> Iterator[Found]:
    n, size = orders.shape
    table = np.stack([np.bincount(orders[:, at], minlength=size) for at in range(size)])
    mean = n / size
    # Rows and columns have fixed sums: scaled so, the statistic has the expectation of its degrees of
    # freedom.
    value = float(((table - mean) ** 2).sum() / mean * (size - 1) / size)
    freedom = (size - 1) ** 2
    yield "card and position", value, chi_square_tail(value, freedom), f"chi-square, {freedom} degrees"
    items = np.arange(size)
    yield _normal("input order", _correlation(orders, items), 0, 1 / (size - 1), "correlation with the input")
    pairs = (orders[:, 1:] - orders[:, :-1]) if size > 1 else orders
    share = (size - 1) / size
    spread = share * (1 - 1 / size) + (size - 1) * (size - 2) * (1 / (size * (size - 1)) - 1 / size**2)
    yield _normal("neighbours kept", (pairs == 1).sum(axis=1), share, spread, "pairs still in a row")
    yield _normal(
        "neighbours turned", (pairs == -1).sum(axis=1), share, spread, "pairs in a row, turned round"
    )
    yield _normal("fixed points", (orders == items).sum(axis=1), 1, 1, "cards in their old place")
    yield _normal("descents", (pairs < 0).sum(axis=1), (size - 1) / 2, (size + 1) / 12, "falls in a row")
    harmonic = sum(1 / k for k in range(1, size + 1))
    squares = sum(1 / k**2 for k in range(1, size + 1))
    yield _normal("cycles", _cycles(orders), harmonic, harmonic - squares, "cycles of the order")
    yield _next("shuffles after one another", orders)
    lands = round(size * LANDS / SIZE)
    hand = min(HAND, size)
    # Every other card of the input is a land, so that kept neighbours show as well.
    is_land = np.zeros(size, dtype=bool)
    is_land[np.arange(0, 2 * lands, 2)] = True
    drawn = is_land[orders]
    expected = [n * comb(lands, k) * comb(size - lands, hand - k) / comb(size, hand) for k in range(hand + 1)]
    seen = np.bincount(drawn[:, :hand].sum(axis=1), minlength=hand + 1)
    value, freedom = goodness_of_fit([int(x) for x in seen], expected)
    words = f"hypergeometric, {freedom} degrees"
    yield "lands in the opening hand", value, chi_square_tail(value, freedom), words
    first = np.bincount(drawn.argmax(axis=1), minlength=size)
    expected = [n * comb(size - 1 - at, lands - 1) / comb(size, lands) for at in range(size)]
    value, freedom = goodness_of_fit([int(x) for x in first], expected)
    yield "first land", value, chi_square_tail(value, freedom), f"chi-square, {freedom} degrees"


def _normal(name: str, values: np.ndarray, mean: float, spread: float, words: str) -> Found:
    """A mean over samples against what it should be; by the central limit theorem, as samples are many."""
    z = float((values.mean() - mean) * sqrt(len(values) / spread))
    return name, z, normal_tails(z), f"{words}: mean {values.mean():.4f} for {mean:.4f}"


def _correlation(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of each row with the other's: mean 0 and variance 1 / (n - 1) between independent uniform orders."""
    size = one.shape[-1]
    middle = (size - 1) / 2
    found: np.ndarray = ((one - middle) * (other - middle)).sum(axis=-1) / (size * (size**2 - 1) / 12)
    return found


def _next(name: str, orders: np.ndarray) -> Found:
    values = _correlation(orders[1:], orders[:-1])
    return _normal(name, values, 0, 1 / (orders.shape[1] - 1), "correlation with the order before")


def _cycles(orders: np.ndarray) -> np.ndarray:
    """How many cycles each order has, by following all items of all orders until they come back."""
    n, size = orders.shape
    least = np.tile(np.arange(size), (n, 1))
    at = orders.copy()
    rows = np.arange(n)[:, None]
    for _ in range(size - 1):
        np.minimum(least, at, out=least)
        at = orders[rows, at]
    found: np.ndarray = (least == np.arange(size)).sum(axis=1)
    return found
