"""Games played at random: whatever happens, no viewer may come to rule out how things truly are."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from lethal.belief import Belief, Some
from lethal.views import Views

DECKS = [list("AABBCD"), list("AAABBCCDEF"), list("ABCDEFGHI")]


def step(views: Views, rng: np.random.Generator) -> tuple[Views, str]:
    """One thing that may happen now, at random, and its name."""
    library, hand = views.zones["library"], views.zones.get("hand", ())
    n = int(rng.integers(1, 4))
    able = ["shuffle"]
    if len(library) >= n:
        able += ["draw", "scry", "reveal", "peek", "surveil", "find", "keep"]
    if hand:
        able += ["put", "show", "play", "mulligan"]
    what = str(rng.choice(able))
    seen = [library[int(at)] for at in rng.permutation(min(n, len(library)))]
    cut = int(rng.integers(0, len(seen) + 1))
    some = [hand[int(at)] for at in rng.permutation(len(hand))[:n]]
    match what:
        case "draw":
            views = views.draw("me", n)
        case "scry":
            views = views.scry("me", seen[:cut], seen[cut:])
        case "reveal":
            views = views.reveal(n)
        case "peek":
            views = views.reveal(n, ["you"])
        case "surveil":
            views = views.surveil("me", seen[:cut], seen[cut:])
        case "find":
            name = str(rng.choice(library))
            views = views.find("me", name, among=sorted({name, library[0]})).shuffle(rng)
        case "keep":
            views = views.shuffle(rng, keep=range(n))
        case "put":
            views = views.put("me", some, int(rng.choice([0, -1, 1])) if len(library) else 0)
        case "show":
            views = views.put("me", some, 0, shown=True)
        case "play":
            views = views.play(some[0])
        case "mulligan":
            size = min(3, len(hand) + len(library))
            views = views.mulligan("me", rng, bottom=min(1, size), hand=size)
        case _:
            views = views.shuffle(rng)
    return views, what


def truth(views: Views, belief: Belief) -> list[Some]:
    """The true order of the library and what is in the other zones, as far as places in them mean anything."""
    facts = [Some(name, 1, 1, "library", [at]) for at, name in enumerate(views.zones["library"])]
    for zone, cards in views.zones.items():
        if zone != "library" and belief.size(zone):
            facts += [Some(name, n, n, zone) for name, n in Counter(cards).items()]
    return facts


@pytest.mark.parametrize("seed", range(24))
def test_the_true_state_is_always_possible_and_the_player_knows_the_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deck = DECKS[seed % len(DECKS)]
    views = Views.of([deck[int(at)] for at in rng.permutation(len(deck))], ["me", "you"])
    story = []
    for _ in range(9):
        views, what = step(views, rng)
        story.append(what)
        for belief in views.beliefs.values():
            assert {zone: belief.size(zone) for zone in views.zones} == {
                z: len(c) for z, c in views.zones.items()
            }
            assert belief.probability(*truth(views, belief)) > 0, story
        me = views.beliefs["me"]
        for name, n in Counter(views.zones.get("hand", ())).items():
            assert me.probability(Some(name, n, n, "hand")) == 1, story


@pytest.mark.parametrize("seed", range(6))
def test_chances_of_all_names_sum_to_one_and_follow_the_samples(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    views = Views.of(DECKS[seed % 2], ["me", "you"])
    for _ in range(7):
        views, _ = step(views, rng)
    you = views.beliefs["you"]
    drawn = you.sample(np.random.default_rng(seed), 4000)
    for column, (zone, at) in enumerate(you.columns):
        chances = [you.chance(name, at, zone) for name in you.names]
        assert sum(chances) == Fraction(1)
        for number, chance in enumerate(chances):
            mean = 4000 * float(chance)
            seen = int((drawn[:, column] == number).sum())
            assert (
                abs(seen - mean) <= 6 * (mean * (1 - float(chance))) ** 0.5 + 1e-6
            )  # one cell in 500 million
