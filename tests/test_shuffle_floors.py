"""How long samples, the next draw and counts may take: the floors of shuffles, all with room to spare."""

from __future__ import annotations

import numpy as np
import pytest
from timing import quickest

import lethal
from lethal.belief import Belief, Some
from lethal.solver.orders import Fact, Orders

DECK = [("Land", 24), *((f"spell {at}", 4) for at in range(9))]


def own() -> Belief:
    """One's own library: seven cards drawn, two scried, one of them to the bottom."""
    hand = ["Land", "Land", "Land", "spell 1", "spell 2", "spell 3", "spell 4"]
    return Belief.of(DECK).draw(7, seen=hand).scry(["spell 5"], ["Land"])


def theirs() -> Belief:
    """An opponent's cards: a hand that was kept, one card shuffled away, one on the bottom."""
    belief = Belief.of(DECK).draw(7).see(["spell 2"]).shuffle().see(["spell 3"], at=-1)
    return belief.learn(Some("Land", 2, 5, "hand"), Some(["spell 4", "spell 5"], 1, None, "hand"))


@pytest.mark.parametrize("belief", [own(), theirs()], ids=["own", "theirs"])
def test_a_sample_takes_fifty_microseconds_in_a_batch_of_ten_thousand(belief: Belief) -> None:
    rng = np.random.default_rng(0)
    assert quickest(lambda: belief.sample(rng, 10_000), 3) / 10_000 < 50e-6


@pytest.mark.parametrize("belief", [own(), theirs()], ids=["own", "theirs"])
def test_the_next_draw_takes_two_hundred_microseconds(belief: Belief) -> None:
    assert quickest(lambda: belief.chance("Land")) < 200e-6


def test_the_next_draw_after_another_card_was_seen_takes_two_hundred_microseconds() -> None:
    mine = own()
    assert quickest(lambda: mine.draw(1, ["spell 5"]).chance("Land")) < 200e-6


def test_counting_ninety_nine_cards_takes_ten_milliseconds() -> None:
    names = [f"card {at}" for at in range(99)]
    facts = [
        Fact(frozenset(range(30)), frozenset(range(7)), 2, 5),
        Fact(frozenset([40]), frozenset([9]), 1, 1),
    ]
    assert quickest(lambda: Orders((1,) * 99, facts).count()) < 10e-3
    kept = Some(names[:30], 2, 5, "hand")
    assert quickest(lambda: Belief.of(names).draw(7).see(names[:1]).learn(kept).count()) < 10e-3


@pytest.mark.slow
def test_a_document_of_ninety_nine_cards_is_read_and_counted_in_a_tenth_of_a_second() -> None:
    document = {
        "kind": "shuffle",
        "library": {"cards": [f"card {at}" for at in range(99)]},
        "knowledge": {"top": ["card 3"], "facts": [{"names": ["card 1"], "positions": [2, 3, 4]}]},
    }
    assert quickest(lambda: lethal.load(document).legal().count(), 3) < 0.1
