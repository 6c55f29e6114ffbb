"""The uniformity audit passes uniform shufflers and catches each of the usual wrong ones.

Each audit fails a uniform shuffler with a probability of at most 1e-4; seeds are fixed, so that the tests do
not vary.
"""

from __future__ import annotations

import functools
import random
import warnings
from collections.abc import Callable
from math import factorial, log2

import numpy as np
import pytest

from lethal.audit import Shuffler, audit, audit_orders, collect
from lethal.randomness import SeedWarning, bits_needed, check_seed, generator, seed_bits, shuffled
from lethal.statistics import chi_square_tail, goodness_of_fit, normal_tails

SAMPLES = 1500


def uniform(rng: random.Random) -> Shuffler:
    return rng.shuffle


def by_key(rng: random.Random) -> Shuffler:
    """Sorting by keys of 53 bits: ties are as good as impossible, so this one is uniform."""
    return lambda items: sorted(items, key=lambda _: rng.random())


def naive_swap(rng: random.Random) -> Shuffler:
    def shuffle(items: list[int]) -> None:
        for at in range(len(items)):
            other = rng.randrange(len(items))
            items[at], items[other] = items[other], items[at]

    return shuffle


def by_short_key(rng: random.Random) -> Shuffler:
    """Sorting by keys of 3 bits: items with equal keys keep their order."""
    return lambda items: sorted(items, key=lambda _: rng.getrandbits(3))


def by_comparator(rng: random.Random) -> Shuffler:
    return lambda items: sorted(items, key=functools.cmp_to_key(lambda a, b: rng.choice((-1, 1))))


def few_swaps(rng: random.Random) -> Shuffler:
    def shuffle(items: list[int]) -> None:
        for _ in range(len(items)):
            one, other = rng.randrange(len(items)), rng.randrange(len(items))
            items[one], items[other] = items[other], items[one]

    return shuffle


def sattolo(rng: random.Random) -> Shuffler:
    """Never leaves an item in its place: one cycle always."""

    def shuffle(items: list[int]) -> None:
        for at in range(len(items) - 1, 0, -1):
            other = rng.randrange(at)
            items[at], items[other] = items[other], items[at]

    return shuffle


def one_riffle(rng: random.Random) -> Shuffler:
    def shuffle(items: list[int]) -> list[int]:
        cut = sum(rng.getrandbits(1) for _ in items)
        left, right, out = items[:cut], items[cut:], []
        while left or right:
            out.append((left if rng.random() * (len(left) + len(right)) < len(left) else right).pop(0))
        return out

    return shuffle


def a_cut(rng: random.Random) -> Shuffler:
    def shuffle(items: list[int]) -> list[int]:
        at = rng.randrange(len(items))
        return items[at:] + items[:at]

    return shuffle


def once_and_again(rng: random.Random) -> Shuffler:
    """Uniform orders, but every one is given a second time."""
    kept: dict[int, list[int]] = {}

    def shuffle(items: list[int]) -> list[int]:
        return (
            kept.pop(len(items))
            if len(items) in kept
            else kept.setdefault(len(items), rng.sample(items, len(items)))
        )

    return shuffle


def stays(rng: random.Random) -> Shuffler:
    del rng
    return lambda items: items


@pytest.mark.parametrize("make", [uniform, by_key])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_uniform_shufflers_pass(make: Callable[[random.Random], Shuffler], seed: int) -> None:
    found = audit(make(random.Random(seed)), samples=SAMPLES)
    assert found.failed == ()
    assert found.uniform


@pytest.mark.parametrize(
    ("make", "caught_by"),
    [
        (naive_swap, "all 120 orders"),
        (by_short_key, "all 120 orders"),
        (by_comparator, "card and position"),
        (few_swaps, "card and position"),
        (sattolo, "fixed points"),
        (one_riffle, "neighbours kept"),
        (a_cut, "neighbours kept"),
        (once_and_again, "shuffles after one another"),
        (stays, "input order"),
    ],
)
def test_wrong_shufflers_are_caught(make: Callable[[random.Random], Shuffler], caught_by: str) -> None:
    found = audit(make(random.Random(5)), samples=SAMPLES)
    assert not found.uniform
    assert caught_by in [test.name for test in found.failed]


def test_the_large_list_alone_catches_the_naive_swap() -> None:
    rng = random.Random(8)
    small = collect(rng.shuffle, 5, 6000)
    found = audit_orders(small, collect(naive_swap(rng), 60, 6000))
    assert "card and position" in [test.name for test in found.failed]


def test_p_values_of_a_uniform_shuffler_are_spread_evenly() -> None:
    """Each test rejects at about its level: of 200 audits under a tenth of the p-values lie below 0.05."""
    rng = np.random.default_rng(17)
    low: dict[str, int] = {}
    for _ in range(200):
        small = rng.permuted(np.tile(np.arange(4), (300, 1)), axis=1)
        large = rng.permuted(np.tile(np.arange(20), (300, 1)), axis=1)
        for test in audit_orders(small, large).tests:
            low[test.name] = low.get(test.name, 0) + (test.p < 0.05)
    assert len(low) == 12
    # Binomial(200, 0.05): 24 or more has a probability of 1 in 10,000 for each test.
    assert max(low.values()) < 24
    assert sum(low.values()) > 60  # 120 expected; fewer would mean tests that never speak


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"samples": 100}, "samples"),
        ({"small": 9}, "2 to 7"),
        ({"size": 5}, "8 items"),
        ({"alpha": 0.0}, "probability"),
    ],
)
def test_an_audit_that_could_not_tell_is_refused(change: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        audit(random.Random(1).shuffle, **{"samples": SAMPLES, **change})  # type: ignore[arg-type]


def test_what_is_no_order_is_refused() -> None:
    with pytest.raises(ValueError, match="no order"):
        collect(lambda items: items[1:], 5, 3)
    with pytest.raises(ValueError, match="no orders"):
        audit_orders(np.zeros((900, 5), dtype=int), np.tile(np.arange(60), (900, 1)))


# Figures from tables: 95th and 99.9th percentiles, and a far tail.


@pytest.mark.parametrize(
    ("statistic", "freedom", "tail"),
    [(3.8415, 1, 0.05), (11.0705, 5, 0.05), (149.449, 100, 0.001), (0.0, 3, 1.0), (0.3518, 3, 0.95)],
)
def test_chi_square_tails_are_those_of_the_tables(statistic: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(tail, rel=2e-3)


def test_tails_and_pooling() -> None:
    assert normal_tails(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert chi_square_tail(5000, 3481) < 1e-50
    assert goodness_of_fit([12, 1, 1, 8], [10, 2, 2, 6]) == (pytest.approx(0.4), 1)
    with pytest.raises(ValueError, match="too few"):
        goodness_of_fit([1, 1], [1, 1])


# Seeds and orders.


def test_the_bits_that_orders_need_are_those_of_their_number() -> None:
    assert bits_needed([1] * 60) == 273
    assert bits_needed([1] * 60) - 1 < log2(factorial(60)) < bits_needed([1] * 60)
    assert bits_needed([24, *[4] * 9]) == 152
    assert bits_needed([5]) == 0


def test_a_seed_with_fewer_bits_than_the_orders_is_warned_of() -> None:
    short = np.random.default_rng(7)
    assert seed_bits(short) == 32
    with pytest.warns(SeedWarning, match="at most 32 bits, but the orders need 273"):
        shuffled(short, range(60))
    assert seed_bits(np.random.default_rng()) == 128
    assert check_seed(np.random.default_rng(), [1] * 60) is not None
    long = generator(bits_needed([1] * 99))
    assert check_seed(long, [1] * 99) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sorted(shuffled(long, range(99))) == list(range(99))


def test_our_own_shuffle_is_uniform_and_keeps_what_it_is_told_to() -> None:
    rng = np.random.Generator(np.random.MT19937(np.random.SeedSequence(2**300 + 12345, pool_size=16)))
    assert audit(lambda items: shuffled(rng, items), samples=SAMPLES).uniform
    assert all(
        (order[0], order[-1]) == ("a", "e") for order in (shuffled(rng, "abcde", [0, -1]) for _ in range(20))
    )
    middles = {tuple(shuffled(rng, "abcde", [0, -1])[1:4]) for _ in range(300)}
    assert len(middles) == 6
