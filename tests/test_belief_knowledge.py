"""Knowledge of hidden items against all worlds, each followed through every learning and every mixing."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lethal.solver.branch import Claim
from lethal.solver.engine import TooWide
from lethal.solver.knowledge import Contradiction, Knowledge

World = tuple[int, ...]
Step = Claim | frozenset[int]


def holds(claim: Claim, names: tuple[int, ...]) -> bool:
    return claim.least <= sum(names[slot] in claim.names for slot in claim.slots) <= claim.most


def worlds(copies: tuple[int, ...], steps: list[Step]) -> dict[tuple[int, ...], Fraction]:
    """The exact distribution over orders of names: every arrangement of single items, every way to mix."""
    items = [name for name, n in enumerate(copies) for _ in range(n)]
    found: dict[World, Fraction] = dict.fromkeys(permutations(items), Fraction(1))
    for step in steps:
        if isinstance(step, Claim):
            found = {world: weight for world, weight in found.items() if holds(step, world)}
            continue
        places = sorted(step)
        after: dict[World, Fraction] = {}
        for world, weight in found.items():
            ways = list(permutations([world[at] for at in places]))
            for way in ways:
                new = list(world)
                for at, name in zip(places, way, strict=True):
                    new[at] = name
                after[tuple(new)] = after.get(tuple(new), Fraction(0)) + weight / len(ways)
        found = after
    total = sum(found.values())
    return {world: weight / total for world, weight in found.items()} if total else {}


@st.composite
def stories(draw: st.DrawFn) -> tuple[tuple[int, ...], list[Step]]:
    copies = tuple(draw(st.lists(st.integers(1, 3), min_size=2, max_size=3)))
    if sum(copies) > 6:
        copies = (2, 2, 1)
    size = sum(copies)
    steps: list[Step] = []
    for _ in range(draw(st.integers(1, 6))):
        slots = draw(st.frozensets(st.integers(0, size - 1), min_size=1))
        kind = draw(st.sampled_from(["pin", "claim", "mix", "mix"]))
        if kind == "mix":
            steps.append(slots)
        elif kind == "pin":
            name = draw(st.integers(0, len(copies) - 1))
            steps.append(Claim(frozenset([name]), frozenset([min(slots)]), 1, 1))
        else:
            some = st.frozensets(st.integers(0, len(copies) - 1), min_size=1, max_size=len(copies) - 1)
            names = draw(some)
            least = draw(st.integers(0, 1))
            steps.append(Claim(names, slots, least, draw(st.integers(least, 2))))
    return copies, steps


def told(copies: tuple[int, ...], steps: list[Step]) -> Knowledge:
    known = Knowledge.of(copies)
    for step in steps:
        known = known.learn([step]) if isinstance(step, Claim) else known.mix(step)
    return known


@settings(max_examples=150, deadline=None)
@given(stories())
def test_knowledge_is_what_following_every_world_gives(story: tuple[tuple[int, ...], list[Step]]) -> None:
    copies, steps = story
    expected, known = worlds(copies, steps), told(copies, steps)
    assert known.copies == copies
    assert known.possible == bool(expected)
    if not expected:
        with pytest.raises(Contradiction):
            _ = known.mass
        return
    assert known.count() == len(expected)
    for slot in range(sum(copies)):
        for name in range(len(copies)):
            share = sum((w for world, w in expected.items() if world[slot] == name), Fraction(0))
            assert known.chance(frozenset([name]), slot) == share
    for world, weight in list(expected.items())[:6]:
        one = [Claim(frozenset([name]), frozenset([slot]), 1, 1) for slot, name in enumerate(world)]
        assert known.probability(one) == weight
    drawn = {tuple(map(int, row)) for row in known.sample(np.random.default_rng(0), 20)}
    assert drawn <= set(expected)


def test_a_known_item_that_is_mixed_in_is_not_merely_one_of_its_name() -> None:
    """Two of each name, one seen among two slots, mixed: the other is there too in 1 of 3 worlds, not 1 of 5."""
    known = told((2, 2), [Claim(frozenset([0]), frozenset([0]), 1, 1), frozenset([0, 1])])
    assert known.probability([Claim(frozenset([0]), frozenset([0, 1]), 2, 2)]) == Fraction(1, 3)
    assert known.count() == 5


def test_samples_of_split_knowledge_come_in_the_branches_proportion() -> None:
    steps: list[Step] = [Claim(frozenset([0, 1]), frozenset([0, 1]), 1, 1), frozenset([1, 2, 3])]
    expected, known = worlds((2, 1, 2), steps), told((2, 1, 2), steps)
    assert len(known.branches) > 1
    n = 40_000
    drawn = known.sample(np.random.default_rng(11), n)
    for world, weight in expected.items():
        seen = int((drawn == np.array(world)).all(axis=1).sum())
        mean = float(n * weight)
        assert abs(seen - mean) < 5.5 * mean**0.5  # under one seed in a hundred thousand for all worlds


def test_the_words_of_a_contradiction_name_only_claims_that_are_needed() -> None:
    known = Knowledge.of((1, 3)).learn(
        [
            Claim(frozenset([0]), frozenset([2]), 1, 1, "slot 2 was seen"),
            Claim(frozenset([1]), frozenset([3]), 1, 1, "slot 3 was seen"),
        ]
    )
    assert known.conflict([Claim(frozenset([0]), frozenset([0]), 1, 1, "wish")]) == (
        "slot 2 was seen",
        "wish",
    )
    assert known.conflict([Claim(frozenset([1]), frozenset([0]), 1, 1, "wish")]) == ()
    with pytest.raises(Contradiction, match="slot 2 was seen; again"):
        _ = known.learn([Claim(frozenset([1]), frozenset([2]), 1, 1, "again")]).mass


def test_splitting_without_end_is_refused_with_words() -> None:
    known = Knowledge.of((2,) * 20).learn([Claim(frozenset(range(9)), frozenset(range(8)), 3, 5)])
    with pytest.raises(TooWide, match="cases"):
        known.mix(range(4, 40))
