"""Marvel Champions' indirect damage: each sentence of the rule, scopes, costs, counts."""

from __future__ import annotations

from typing import Any

import pytest
from indirect_boards import COST, SHIP, SOURCE, TOUGH, ally, divisions, hero, is_legal, player, scenario

from lethal.models.indirect import blocks, turns
from lethal.models.indirect_rules import EDITIONS

BOTH = pytest.mark.parametrize("engine", ["diagram", "cpsat"])


# The sentences of the rule ------------------------------------------------------------------------


def test_damage_to_a_player_is_divided_among_all_characters_that_player_controls() -> None:
    made = scenario(2, player("P", hero("Hero", 9), ally("Ally", 3)), player("Q", hero("Other", 9)))
    assert divisions(made) == {(("Hero", 2),), (("Hero", 1), ("Ally", 1)), (("Ally", 2),)}


def test_the_damage_goes_to_the_player_named() -> None:
    made = scenario(2, player("P", hero("Hero", 9)), player("Q", hero("Other", 9)), to="Q")
    assert divisions(made) == {(("Other", 2),)}


def test_damage_to_a_group_is_divided_among_all_friendly_characters_as_the_group_chooses() -> None:
    made = scenario(1, player("P", hero("Hero", 9)), player("Q", hero("Other", 9)), scope="group")
    assert divisions(made) == {(("Hero", 1),), (("Other", 1),)}
    (block,) = blocks(made.value)
    assert block.decider == "the players as a group"


def test_all_of_it_is_assigned_before_any_is_dealt_and_then_dealt_at_once() -> None:
    made = scenario(4, player("P", hero("Hero", 2), ally("Ally", 2)))
    assert made.outcome({SOURCE: {"Hero": 2, "Ally": 2}})["defeated"] == ["Hero", "Ally"]


def test_nobody_is_assigned_more_than_would_defeat_them() -> None:
    made = scenario(5, player("P", hero("Hero", 9), ally("Ally", 4)))
    assert is_legal(made, Hero=1, Ally=4)
    (violation,) = made.check({SOURCE: {"Ally": 5}}, engine="cpsat").violations
    assert violation.recipient == "Ally"
    assert violation.rule == "RRG 1.8, Indirect Damage"


def test_damage_already_on_a_character_lowers_its_cap() -> None:
    made = scenario(5, player("P", hero("Hero", 9), ally("Ally", 4, damage=3)))
    assert not is_legal(made, Hero=3, Ally=2)
    assert is_legal(made, Hero=4, Ally=1)


@pytest.mark.parametrize(
    "more",
    [
        {"effects": [{"kind": "prevent", "character": "Ally"}]},
        {"effects": [{"kind": "redirect", "character": "Ally", "to": "Hero", "amount": 3}]},
        {"effects": [{"kind": "increase", "character": "Ally", "amount": 2}]},
    ],
)
def test_the_cap_is_judged_without_other_abilities(more: dict[str, Any]) -> None:
    plain = scenario(5, player("P", hero("Hero", 9), ally("Ally", 2)))
    attached = scenario(5, player("P", hero("Hero", 9), ally("Ally", 2)), **more)
    assert divisions(attached) == divisions(plain)


@pytest.mark.parametrize("keys", [{"tough": 1}, {"tough": 2}, {"reduce": 1}])
def test_tough_and_reductions_never_move_the_cap(keys: dict[str, Any]) -> None:
    made = scenario(5, player("P", hero("Hero", 9), ally("Ally", 3, **keys)))
    assert max(dict(d).get("Ally", 0) for d in divisions(made)) == 3
    assert len(divisions(made)) == 4


def test_one_tough_card_prevents_all_that_its_character_is_assigned() -> None:
    made = scenario(5, player("P", hero("Hero", 10), ally("Ally", 3, tough=1)))
    found = made.outcome({SOURCE: {"Ally": 3, "Hero": 2}})
    assert found["taken"] == {"Hero": 2, "Ally": 0}
    assert found["dealt"] == {"Hero": 2, "Ally": 3}
    assert found["tough_spent"] == {"Ally": 1}


def test_who_cannot_take_damage_is_assigned_none() -> None:
    made = scenario(
        3, player("P", hero("Hero", 8), ally("Immune", 5, cannot_take_damage=True), ally("Ally", 2))
    )
    assert len(divisions(made)) == 3
    assert not is_legal(made, Immune=3)


def test_a_character_may_be_immune_to_some_sources_only() -> None:
    board = player("P", hero("Hero", 8), ally("Ally", 5, cannot_take_damage=["Panther Claws"]))
    assert len(divisions(scenario(3, board, source="Panther Claws"))) == 1
    assert len(divisions(scenario(3, board, source="Furnax"))) == 4


def test_damage_that_nobody_can_be_assigned_is_ignored() -> None:
    made = scenario(5, player("P", hero("Hero", 2), ally("Ally", 1)))
    assert divisions(made) == {(("Hero", 2), ("Ally", 1))}
    assert made.outcome({SOURCE: {"Hero": 2, "Ally": 1}})["ignored"] == 2


def test_where_nobody_is_eligible_all_of_it_is_ignored_and_the_empty_assignment_is_the_one_legal() -> None:
    made = scenario(5, player("P", hero("Hero", 9, cannot_take_damage=True)))
    assert divisions(made) == {()}
    assert made.outcome({})["ignored"] == 5
    assert made.outcome({})["taken"] == {}


@pytest.mark.parametrize(("defender", "target"), [(None, "Hero"), ("Ally", "Ally"), ("Hero", "Hero")])
def test_only_the_defender_or_the_attacked_identity_is_attacked(defender: str | None, target: str) -> None:
    board = player("P", hero("Hero", 9), ally("Ally", 3), ally("Bystander", 3))
    attack = {} if defender is None else {"defender": defender}
    made = scenario(3, board, mode="enemy-attack", attack=attack)
    found = made.outcome({SOURCE: {"Bystander": 3}})
    assert found["attacked"] == target
    assert found["defeated"] == ["Bystander"]


def test_an_effect_attacks_nobody() -> None:
    made = scenario(1, player("P", hero("Hero", 9)))
    assert made.outcome({SOURCE: {"Hero": 1}})["attacked"] is None


def test_the_attack_is_dealt_after_defending_and_all_of_the_players_characters_may_share_it() -> None:
    made = scenario(
        3, player("P", hero("Hero", 9), ally("Ally", 3)), mode="enemy-attack", attack={"defender": "Ally"}
    )
    assert len(divisions(made)) == 4


def test_the_rules_own_example_five_damage_and_an_ally_with_four_left() -> None:
    made = scenario(5, player("P", hero("Hero", 10), ally("Ally", 4)))
    assert {dict(d).get("Ally", 0) for d in divisions(made)} == {0, 1, 2, 3, 4}
    assert min(dict(d)["Hero"] for d in divisions(made)) == 1


@pytest.mark.parametrize("rules", EDITIONS)
def test_divided_among_all_characters_does_not_mean_at_least_one_each(rules: str) -> None:
    made = scenario(3, player("P", hero("Hero", 4), ally("Ally", 2)), rules=rules)
    assert is_legal(made, Hero=3)
    assert not is_legal(made, Ally=1)
    assert not is_legal(made)


# Counts -------------------------------------------------------------------------------------------

COUNTS = {
    "example of the rule": (scenario(5, player("P", hero("Hero", 10), ally("Ally", 4))), 5),
    "one Tough ally": (scenario(6, player("P", hero("Hero", 10), ally("A", 4, tough=1), ally("B", 3))), 19),
    "three Tough allies": (scenario(5, TOUGH), 42),
    "40 to a hero of 10": (scenario(40, player("P", hero("Spider-Man", 10))), 1),
    "6 to a group of two": (scenario(6, *SHIP, scope="group"), 70),
    "3 to each of two": (scenario(3, *SHIP, scope="each-player"), 16),
    "2 as an effect": (scenario(2, COST), 3),
    "2 as a cost": (scenario(2, COST, mode="cost"), 1),
}


@BOTH
@pytest.mark.parametrize("name", COUNTS)
def test_every_known_count_on_both_engines(name: str, engine: str) -> None:
    made, count = COUNTS[name]
    assert made.legal(engine).count() == count
    assert len(list(made.legal(engine))) == count


def test_forty_damage_to_a_hero_of_ten_ignores_thirty_and_eliminates_the_player() -> None:
    made, _ = COUNTS["40 to a hero of 10"]
    found = made.outcome({SOURCE: {"Spider-Man": 10}})
    assert (found["ignored"], found["eliminated"]) == (30, ["P"])


def test_least_and_most_of_each_share_follow_from_what_the_others_have_room_for() -> None:
    made = scenario(6, player("P", hero("Hero", 4), ally("A", 3), ally("B", 1)))
    found = {b.recipient: (b.least, b.most) for b in made.legal("cpsat").bounds()}
    assert found == {"Hero": (2, 4), "A": (1, 3), "B": (0, 1)}
    (block,) = blocks(made.value)
    assert [block.forced(c) for c in block.characters] == [2, 1, 0]


def test_huge_amounts_and_hit_points_are_checked_without_listing() -> None:
    made = scenario(10**12, player("P", hero("Hero", 10**13), ally("Ally", 4)))
    assert {SOURCE: {"Hero": 10**12 - 4, "Ally": 4}} in made.legal()
    assert {SOURCE: {"Hero": 10**12}} in made.legal()
    assert {SOURCE: {"Hero": 10**12 - 5, "Ally": 5}} not in made.legal()


# Scope, costs, characters -------------------------------------------------------------------------


def test_each_player_may_not_pass_damage_to_another() -> None:
    made = scenario(2, player("P", hero("Hero", 9)), player("Q", hero("Other", 9)), scope="each-player")
    assert divisions(made) == {(("Hero", 2), ("Other", 2))}


def test_each_player_can_name_some_of_them() -> None:
    made = scenario(2, *SHIP, player("R", hero("Third", 3)), scope="each-player", to=["Q", "R"])
    assert [block.decider for block in blocks(made.value)] == ["Q", "R"]


def test_each_player_in_turn_is_one_instance_a_player() -> None:
    made = scenario(3, *SHIP, scope="each-player")
    assert [(t.scope, t.to) for t in turns(made.value)] == [("player", ("P",)), ("player", ("Q",))]


def test_redirects_between_players_in_turn_are_refused_but_not_at_once() -> None:
    redirect = [{"kind": "redirect", "character": "Ally", "to": "Friend"}]
    in_turn = scenario(3, *SHIP, scope="each-player", effects=redirect)
    assert "between two turns" in in_turn.problems()[0]
    at_once = scenario(3, *SHIP, scope="each-player", effects=redirect, options={"each_player": "at-once"})
    assert at_once.problems() == []


def test_a_cost_is_paid_only_if_all_of_it_is_taken() -> None:
    assert divisions(scenario(2, COST, mode="cost")) == {(("Ally", 2),)}
    paid = scenario(2, COST, mode="cost").outcome({SOURCE: {"Ally": 2}})
    unpaid = scenario(2, COST, mode="cost").outcome({SOURCE: {"Hero": 1, "Ally": 1}})
    assert (paid["paid"], unpaid["paid"]) == (True, False)


def test_a_cost_of_damage_dealt_is_paid_though_tough_prevents_it() -> None:
    made = scenario(2, COST, mode="cost", cost_of="dealt")
    assert len(divisions(made)) == 3
    assert made.outcome({SOURCE: {"Hero": 2}})["paid"] is True


@BOTH
def test_a_cost_beyond_all_hit_points_cannot_be_paid(engine: str) -> None:
    made = scenario(5, player("P", hero("Hero", 2), ally("Ally", 2)), mode="cost")
    assert made.legal(engine).count() == 0
    assert not made.legal(engine)


@BOTH
def test_a_character_that_would_not_take_the_damage_cannot_pay(engine: str) -> None:
    for keys in ({"tough": 1}, {"reduce": 1}, {"cannot_take_damage": True}):
        made = scenario(2, player("P", hero("Hero", 10, **keys)), mode="cost")
        assert made.legal(engine).count() == 0


def test_supports_and_minions_are_no_friendly_characters() -> None:
    board = player("P", hero("Hero", 9), {"name": "Shield", "type": "support", "hit_points": 4})
    made = scenario(2, board)
    assert divisions(made) == {(("Hero", 2),)}
    assert not is_legal(made, Shield=2)


def test_an_alter_ego_is_an_identity_and_can_be_left_out_by_a_card_that_says_heroes_and_allies() -> None:
    board = player("P", {"name": "Peter", "type": "alter-ego", "hit_points": 10}, ally("Ally", 1))
    assert len(divisions(scenario(3, board))) == 2
    assert divisions(scenario(3, board, among=["hero", "ally"])) == {(("Ally", 1),)}


def test_infinite_hit_points_have_no_cap_and_are_never_defeated() -> None:
    made = scenario(
        500, player("P", {"name": "Hero", "type": "hero", "hit_points": "infinite"}, ally("Ally", 1))
    )
    assert len(divisions(made)) == 2
    assert made.outcome({SOURCE: {"Hero": 500}})["defeated"] == []


def test_a_character_without_hit_points_left_is_not_eligible() -> None:
    assert divisions(scenario(1, player("P", hero("Hero", 9), ally("Ally", 2, damage=2)))) == {(("Hero", 1),)}


def test_a_count_stands_for_so_many_characters() -> None:
    made = scenario(2, player("P", hero("Hero", 9), ally("Robot", 1, count=3)))
    assert [r for _, r in made.problem.columns] == ["Hero", "Robot 1", "Robot 2", "Robot 3"]
    assert len(divisions(made)) == 1 + 3 + 3


def test_a_card_that_divides_as_evenly_as_possible_does_so_over_valid_targets_only() -> None:
    board = player("P", hero("Hero", 9), ally("A", 9), ally("B", 9), ally("C", 9, cannot_take_damage=True))
    made = scenario(5, board, division="even")
    assert sorted(sorted(n for _, n in d) for d in divisions(made)) == [[1, 2, 2]] * 3


def test_dividing_evenly_respects_the_caps() -> None:
    made = scenario(7, player("P", hero("Hero", 9), ally("A", 1), ally("B", 4)), division="even")
    assert divisions(made) == {(("Hero", 3), ("A", 1), ("B", 3))}


def test_a_card_that_only_divides_damage_may_have_no_cap() -> None:
    assert len(divisions(scenario(4, player("P", hero("Hero", 9), ally("Ally", 1)), capped=False))) == 5
