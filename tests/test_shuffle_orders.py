"""Orders of items over slots under facts, against every permutation there is."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb, factorial, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lethal.solver import chance
from lethal.solver.engine import TooWide
from lethal.solver.orders import Fact, Orders


def items(copies: tuple[int, ...]) -> list[int]:
    return [kind for kind, n in enumerate(copies) for _ in range(n)]


def brute(copies: tuple[int, ...], facts: tuple[Fact, ...]) -> set[tuple[int, ...]]:
    return {
        order
        for order in set(permutations(items(copies)))
        if all(f.least <= sum(order[s] in f.kinds for s in f.slots) <= f.most for f in facts)
    }


@st.composite
def decks(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[Fact, ...]]:
    copies = tuple(draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)))
    while sum(copies) > 7:
        copies = copies[1:]
    size = sum(copies)
    facts = []
    for _ in range(draw(st.integers(0, 4))):
        kinds = draw(st.frozensets(st.integers(0, len(copies) - 1), min_size=1))
        slots = draw(st.frozensets(st.integers(0, size - 1))) if size else frozenset()
        if draw(st.booleans()) and slots:
            slots, kinds = frozenset([min(slots)]), frozenset([min(kinds)])
            facts.append(Fact(kinds, slots, 1, 1))
        else:
            least = draw(st.integers(0, 2))
            facts.append(Fact(kinds, slots, least, draw(st.integers(least, 4))))
    return copies, tuple(facts)


@settings(max_examples=250, deadline=None)
@given(decks())
def test_orders_are_those_that_going_through_all_permutations_finds(
    case: tuple[tuple[int, ...], tuple[Fact, ...]],
) -> None:
    copies, facts = case
    orders, wanted = Orders(copies, facts), brute(copies, facts)
    assert orders.count() == len(wanted)
    assert orders.possible() == bool(wanted)
    listed = list(orders)
    assert len(listed) == len(wanted)
    assert set(listed) == wanted
    assert [orders.rank(order) for order in listed] == list(range(len(wanted)))
    if wanted:
        for slot in range(sum(copies)):
            for kind in range(len(copies)):
                share = Fraction(sum(order[slot] == kind for order in wanted), len(wanted))
                assert orders.chance(kind, slot) == share
                assert orders.probability([Fact(frozenset([kind]), frozenset([slot]), 1, 1)]) == share
        drawn = orders.sample(np.random.default_rng(1), 20)
        assert {tuple(map(int, row)) for row in drawn} <= wanted
    else:
        core = orders.conflict()
        assert core
        assert not brute(copies, core)
        assert all(brute(copies, tuple(f for f in core if f is not out)) for out in core)


FACTS = (
    Fact(frozenset([0]), frozenset([0, 1, 2]), 1, 2),
    Fact(frozenset([1, 2]), frozenset([2, 3]), 0, 1),
    Fact(frozenset([2]), frozenset([5]), 1, 1),
)


@pytest.mark.parametrize("facts", [(), FACTS, FACTS[:2], FACTS[2:]])
def test_samples_are_uniform(facts: tuple[Fact, ...]) -> None:
    """Chi-square over all orders; the bound is passed by mistake less than once in a million seeds."""
    orders = Orders((2, 2, 2), facts)
    n, count = 20_000, orders.count()
    seen = Counter(tuple(map(int, row)) for row in orders.sample(np.random.default_rng(7), n))
    mean = n / count
    assert len(seen) == count
    statistic = sum((times - mean) ** 2 for times in seen.values()) / mean
    freedom = count - 1
    assert statistic < freedom + sqrt(4 * freedom * log(1e6)) + 2 * log(
        1e6
    )  # Laurent and Massart's tail bound


def test_a_sample_is_the_same_for_the_same_generator() -> None:
    orders = Orders((2, 3, 4), (Fact(frozenset([0]), frozenset([0, 1, 2]), 1, 2),))
    one, two = (orders.sample(np.random.default_rng(5), 50) for _ in range(2))
    assert (one == two).all()
    assert orders.draw(np.random.default_rng(5)) == orders.draw(np.random.default_rng(5))


def test_sixty_cards_with_copies_and_ninety_nine_different_ones_are_counted_exactly() -> None:
    assert Orders((24, *[4] * 9)).count() == factorial(60) // (factorial(24) * factorial(4) ** 9)
    assert Orders((1,) * 99).count() == factorial(99)
    known = [Fact(frozenset([kind]), frozenset([kind]), 1, 1) for kind in range(20)]
    lands = Fact(frozenset(range(30, 60)), frozenset(range(40, 47)), 1, 7)
    without = comb(49, 7) * factorial(7) * factorial(72)
    assert Orders((1,) * 99, [*known, lands]).count() == factorial(79) - without


def test_numbers_go_both_ways_where_there_are_more_orders_than_atoms() -> None:
    facts = [Fact(frozenset([0]), frozenset(range(7)), 2, 4), Fact(frozenset([3]), frozenset([59]), 1, 1)]
    orders = Orders((24, *[4] * 9), facts)
    for index in (0, 1, orders.count() // 3, orders.count() - 1):
        assert orders.rank(orders[index]) == index
    with pytest.raises(IndexError, match="no number"):
        orders[orders.count()]
    with pytest.raises(ValueError, match="not one of these"):
        orders.rank((0,) * 60)


def test_a_list_for_every_slot_is_too_wide_to_count_and_its_possibility_still_answered() -> None:
    n = 26
    wishes = [
        Fact(frozenset({k, (k + 1) % n, (k * 7 + 3) % n, (k * k) % n}), frozenset([k]), 1, 1)
        for k in range(n)
    ]
    orders = Orders((1,) * n, wishes)
    with pytest.raises(TooWide, match="cpsat"):
        orders.count()
    assert orders.possible()


def test_a_fact_about_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="not there"):
        Orders((1, 1), [Fact(frozenset([2]), frozenset([0]), 1, 1)])
    with pytest.raises(ValueError, match="not there"):
        Orders((1, 1), [Fact(frozenset([0]), frozenset([2]), 1, 1)])


def test_choices_by_weight_are_exact_when_the_first_bits_do_not_decide() -> None:
    """With two bits a draw most draws fall on a cut: the shares are still those of the weights."""
    weights, n = [1, 0, 3, 3, 0], 70_000
    found = Counter(map(int, chance.choose(np.random.default_rng(3), weights, n, step=2)))
    assert set(found) == {0, 2, 3}
    for index, weight in enumerate(weights):
        mean = n * weight / 7
        assert (
            abs(found[index] - mean) <= 5 * sqrt(mean) + 1e-9
        )  # five standard deviations: one seed in a million


def test_choices_of_weights_beyond_any_float() -> None:
    huge = 3**400
    found = Counter(map(int, chance.choose(np.random.default_rng(4), [huge, 1, huge], 1000)))
    assert set(found) == {0, 2}
    with pytest.raises(ValueError, match="all weights"):
        chance.choose(np.random.default_rng(4), [0, 0], 3)


def test_an_integer_below_a_bound_is_uniform_and_below_it() -> None:
    rng = np.random.default_rng(2)
    found = Counter(chance.below(rng, 5) for _ in range(5000))
    assert set(found) == set(range(5))
    assert all(abs(n - 1000) < 5 * sqrt(800) for n in found.values())
    assert 0 <= chance.below(rng, factorial(99)) < factorial(99)
    with pytest.raises(ValueError, match="no integer"):
        chance.below(rng, 0)
