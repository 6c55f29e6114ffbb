"""What a viewer may believe: the operations of a game, the questions, and samples that never read the true
order.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest

from lethal.belief import Belief, Contradiction, Some
from lethal.views import Views

DECK = {"X": 4, "Land": 20, "Other": 29}
F = Fraction


def library() -> Belief:
    return Belief.of(DECK)


def test_the_next_card_of_53_is_one_of_four_in_4_of_53() -> None:
    assert library().chance("X") == F(4, 53)


def test_at_least_one_of_four_in_three_draws() -> None:
    share = library().within("X", 3)
    assert share == 1 - F(comb(49, 3), comb(53, 3))
    assert round(float(share), 4) == 0.2135


def test_with_one_known_on_the_bottom_three_draws_find_one_less_often() -> None:
    belief = library().see(["X"], at=-1)
    share = belief.within("X", 3)
    assert share == 1 - F(comb(49, 3), comb(52, 3))
    assert round(float(share), 4) == 0.1663


def test_two_known_others_on_top_and_a_shuffle_of_the_rest() -> None:
    belief = library().scry(["Land", "Other"])
    assert belief.chance("X") == 0
    assert belief.chance("X", 2) == F(4, 51)
    assert belief.draw(2).chance("X") == F(4, 51)


def test_a_joint_probability_is_that_of_both_and_not_the_product() -> None:
    both = library().probability(Some("X", 1, 1, positions=[0]), Some("X", 1, 1, positions=[1]))
    assert both == F(4 * 3, 53 * 52)


def test_expectations_are_those_of_the_hypergeometric() -> None:
    belief = Belief.of({"X": 2, "Y": 8})
    assert belief.expected("X", 3) == F(6, 10)
    assert belief.expected_draws("X") == F(11, 3)  # (n + 1) / (copies + 1)
    assert sum(belief.first("X")) == 1
    away = Belief.of({"X": 1, "Y": 3}).draw(1)
    assert sum(away.first("X")) == F(3, 4)
    assert away.expected_draws("X") is None


def test_scry_pins_for_the_one_who_looks_and_tells_the_other_only_the_numbers() -> None:
    views = Views.of(["A", "B", "C", "D", "E"], ["me", "you"]).scry("me", ["B"], ["A"])
    assert views.zones["library"] == ("B", "C", "D", "E", "A")
    me, you = views.beliefs["me"], views.beliefs["you"]
    assert me.chance("B") == 1
    assert me.chance("A", -1) == 1
    assert you.chance("B") == F(1, 5)
    assert me.count() == factorial(3)
    assert you.count() == factorial(5)


def test_a_revealed_card_that_is_scried_away_unseen_is_on_top_or_at_the_bottom() -> None:
    views = Views.of(["A", "B", "C", "D", "E"], ["me", "you"]).reveal(1).scry("me", ["B"], ["A"])
    you = views.beliefs["you"]
    assert [you.chance("A", at) for at in range(5)] == [F(1, 2), 0, 0, 0, F(1, 2)]
    assert views.beliefs["me"].chance("A", 4) == 1


def test_looking_again_at_known_cards_keeps_them_known() -> None:
    belief = library().scry(["X", "Land"]).scry(["Land", "X", "Other"])
    assert [belief.chance(name, at) for at, name in enumerate(["Land", "X", "Other"])] == [1, 1, 1]
    assert belief.chance("X", 3) == F(3, 50)


def test_surveil_shows_the_graveyard_to_all() -> None:
    views = Views.of(["A", "B", "C", "D"], ["me", "you"]).surveil("me", ["B"], ["A"])
    you = views.beliefs["you"]
    assert you.chance("A", 0, "graveyard") == 1
    assert you.chance("B") == F(1, 3)
    assert views.beliefs["me"].chance("B") == 1


def test_cards_put_back_from_hand_are_known_to_their_owner_only() -> None:
    views = Views.of(list("ABCDEF"), ["me", "you"]).draw("me", 3).put("me", ["C", "A"])
    assert views.zones == {"library": tuple("CADEF"), "hand": ("B",)}
    assert views.beliefs["me"].chance("C") == 1
    assert views.beliefs["you"].chance("C") == F(1, 6)
    shown = Views.of(list("ABCDEF"), ["me", "you"]).draw("me", 3).put("me", ["C", "A"], shown=True)
    assert shown.beliefs["you"].chance("A", 1) == 1


def test_seen_cards_put_on_the_bottom_in_an_unknown_order_are_known_to_be_there() -> None:
    belief = Belief.of({"A": 1, "B": 1, "C": 1, "Other": 9}).see(["A", "B", "C"])
    belief = belief.mix(range(3)).move(range(3), "library", "library")
    assert [belief.chance("A", at) for at in (-3, -2, -1)] == [F(1, 3)] * 3
    assert belief.probability(Some("A", 1, 1, positions=[-1]), Some("B", 1, 1, positions=[-2])) == F(1, 6)
    assert all(belief.chance("Other", at) == 1 for at in range(9))
    assert not belief.may_be("A")


def test_unseen_cards_of_a_hand_put_on_the_bottom_are_as_likely_as_any_of_it() -> None:
    belief = Belief.of({"X": 1, "Y": 7}).draw(3).learn(Some("X", 1, 1, "hand"))
    put = belief.put(1, at=-1)
    assert put.chance("X", -1) == F(1, 3)
    assert put.chance("X") == 0
    assert put.probability(Some("X", 1, 1, "hand")) == F(2, 3)


def test_a_hand_shuffled_in_is_spread_over_the_library() -> None:
    belief = Belief.of({"X": 1, "Y": 7}).draw(3).learn(Some("X", 1, 1, "hand")).shuffle_in()
    assert belief.size("hand") == 0
    assert [belief.chance("X", at) for at in range(8)] == [F(1, 8)] * 8
    assert library().shuffle_in().chance("X") == F(4, 53)


def test_shuffling_forgets_where_and_not_that() -> None:
    views = Views.of(["A", "B", "C", "D", "E"], ["me", "you"]).draw("me", 2).reveal(1)
    you = views.shuffle(np.random.default_rng(0)).beliefs["you"]
    assert [you.chance("C", at) for at in range(3)] == [F(1, 3)] * 3
    assert you.chance("C", 0, "hand") == 0
    assert you.why_not("C", 0, "hand") == ("C was seen in library",)


def test_cards_kept_out_of_a_shuffle_stay_known_and_the_others_do_not() -> None:
    views = Views.of(["A", "B", "C", "D"], ["me"]).reveal(2).shuffle(np.random.default_rng(0), keep=[0])
    me = views.beliefs["me"]
    assert me.chance("A") == 1
    assert me.chance("B", 1) == F(1, 3)
    assert views.zones["library"][0] == "A"


def test_a_found_card_that_is_not_shown_is_one_of_what_it_may_be() -> None:
    views = Views.of(["L1", "L2", "S1", "S2", "S3"], ["me", "you"])
    views = views.find("me", "L2", among=["L1", "L2"]).shuffle(np.random.default_rng(1))
    you = views.beliefs["you"]
    assert you.chance("L1", 0, "hand") == F(1, 2)
    assert you.chance("S1", 0, "hand") == 0
    assert you.chance(["L1", "L2"]) == F(1, 4)
    assert views.beliefs["me"].chance("L2", 0, "hand") == 1


def test_a_mulligan_pins_the_bottom_for_its_player_and_nothing_for_the_other() -> None:
    deck = [f"c{at}" for at in range(20)]
    views = Views.of(deck, ["me", "you"]).draw("me", 7).mulligan("me", np.random.default_rng(3), bottom=2)
    me, you = views.beliefs["me"], views.beliefs["you"]
    assert me.size() == you.size() == 15
    assert [me.chance(name, at) for at, name in zip((-2, -1), views.zones["library"][-2:], strict=True)] == [
        1,
        1,
    ]
    assert all(you.chance(name, -1) == F(1, 20) for name in deck)
    assert you.count() == factorial(20)


def test_a_played_card_was_in_the_hand_wherever_it_came_from() -> None:
    views = Views.of(["A", "A", "B", "C"], ["me", "you"]).draw("me", 2).play("A")
    you = views.beliefs["you"]
    assert you.size("hand") == 1
    assert you.chance("A", 0, "hand") == F(1, 3)


def test_facts_about_numbers_condition_the_rest() -> None:
    belief = Belief.of({"X": 2, "Y": 4}).draw(2).learn(Some("X", 1, zone="hand"), words="a keep")
    worlds = [(h, r) for h in range(3) for r in [2 - h] if h >= 1]
    weights = {h: comb(2, h) * comb(4, 2 - h) for h, _ in worlds}
    expected = sum(F(r, 4) * weights[h] for h, r in worlds) / sum(weights.values())
    assert belief.chance("X") == expected


def test_what_rules_a_card_out_is_named_in_words() -> None:
    belief = Belief.of({"X": 1, "Y": 5}).see(["X"], at=-1, words="{} went to the bottom").see(["Y"])
    assert belief.why_not("X", 1) == ("X went to the bottom",)
    assert not belief.may_be("X", 1)
    assert belief.may_be("X", -1)
    assert belief.why_not("Y", 2) == ()


def test_knowledge_that_contradicts_itself_is_refused_with_its_reasons() -> None:
    belief = Belief.of({"X": 1, "Y": 5}).see(["X"], words="{} on top").see(["X"], at=2, words="{} third")
    assert not belief.possible
    assert set(belief.conflict()) == {"X on top", "X third"}
    with pytest.raises(Contradiction, match="X on top"):
        belief.chance("Y")
    with pytest.raises(Contradiction):
        belief.sample(np.random.default_rng(0), 1)


def test_a_name_that_no_card_has_is_an_error() -> None:
    with pytest.raises(KeyError, match="Z"):
        library().chance("Z")
    with pytest.raises(IndexError):
        library().chance("X", 53)
    with pytest.raises(ValueError, match="both piles"):
        library().scry(["X"], 1)


def story(order: str, rng: np.random.Generator) -> Views:
    """The opponent sees cards 0, 3 and 5 of this order, how many went where, and nothing else."""
    views = Views.of(list(order), ["me", "you"]).reveal(1).draw("me", 3).reveal(1)
    views = views.scry("me", [order[4]], [order[3]]).draw("me", 1).play(order[0])
    del rng
    return views


def test_samples_never_read_the_true_order() -> None:
    """Two true orders that look the same to a viewer give that viewer the very same worlds from the same
    seed."""
    one, two = (story(order, np.random.default_rng(0)) for order in ("ABCDEFGHA", "AGBDHFCEA"))
    assert one.zones != two.zones
    mine, yours = one.beliefs["you"], two.beliefs["you"]
    assert mine.names == yours.names
    assert mine.columns == yours.columns
    drawn = [belief.sample(np.random.default_rng(9), 500) for belief in (mine, yours)]
    assert (drawn[0] == drawn[1]).all()
    assert all(mine.chance(n, at, z) == yours.chance(n, at, z) for n in mine.names for z, at in mine.columns)
    assert one.beliefs["me"].columns == two.beliefs["me"].columns
    assert (one.beliefs["me"].sample(np.random.default_rng(9), 50) >= 0).all()
    # The player who drew knows more, so that the comparison above is none of two empty beliefs.
    assert one.beliefs["me"].chance("B", 0, "hand") + two.beliefs["me"].chance("B", 0, "hand") >= 1


def test_worlds_agree_with_the_probabilities_and_keep_the_zones() -> None:
    belief = Belief.of({"X": 2, "Y": 6}).draw(3).see(["X"], at=-1).learn(Some("X", 1, zone="hand"))
    worlds = list(belief.worlds(np.random.default_rng(5), 8000))
    assert all(
        len(world["hand"]) == 3 and world["library"][-1] == "X" and "X" in world["hand"] for world in worlds
    )
    places = Counter(at for world in worlds for at, name in enumerate(world["hand"]) if name == "X")
    for at in range(3):
        mean = 8000 * float(belief.chance("X", at, "hand"))
        assert abs(places[at] - mean) < 5 * mean**0.5  # under two seeds in a million


def test_soft_knowledge_is_a_weight_on_worlds() -> None:
    belief = Belief.of({"X": 2, "Y": 6}).draw(2)
    kept = belief.weighted(np.random.default_rng(5), 300, lambda world: world["hand"].count("X"))
    assert sum(weight for _, weight in kept) == pytest.approx(1)
    assert all((weight == 0) == ("X" not in world["hand"]) for world, weight in kept)
    with pytest.raises(ValueError, match="weights"):
        belief.weighted(np.random.default_rng(5), 3, lambda world: 0.0)


def test_long_games_stay_narrow() -> None:
    """Known, shuffled away, drawn unseen, shuffled again: cases merge instead of multiplying."""
    belief = Belief.of([("X", 4), ("Land", 24), *((f"s{at}", 4) for at in range(8))])
    for _ in range(6):
        belief = belief.see(["X"]).shuffle().draw(1).put(1).shuffle().draw(1)
    assert len(belief.knowledge.branches) < 60
    assert 0 < belief.chance("X") < F(1, 5)
