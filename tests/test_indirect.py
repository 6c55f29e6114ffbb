"""Marvel Champions' indirect damage: each sentence of the rule, editions, open questions, counts."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import lethal
from lethal.models.indirect import blocks, turns
from lethal.models.indirect_rules import EDITIONS, QUESTIONS
from lethal.models.indirect_types import Indirect
from lethal.solver.evaluate import holds

SOURCE = "indirect damage"
BOTH = pytest.mark.parametrize("engine", ["diagram", "cpsat"])


def player(name: str, *characters: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "characters": list(characters)}


def hero(name: str, hit_points: int, **keys: Any) -> dict[str, Any]:
    return {"name": name, "type": "hero", "hit_points": hit_points, **keys}


def ally(name: str, hit_points: int, **keys: Any) -> dict[str, Any]:
    return {"name": name, "type": "ally", "hit_points": hit_points, **keys}


def scenario(amount: int, *players: dict[str, Any], **keys: Any) -> lethal.Scenario:
    return lethal.load({"kind": "indirect", "amount": amount, "players": list(players), **keys})


def divisions(made: lethal.Scenario) -> set[tuple[tuple[str, int], ...]]:
    """Every legal division, as (name, amount) for those who are assigned any, by trying all."""
    problem = made.problem
    names = [recipient for _, recipient in problem.columns]
    rows = product(*(share.values for share in problem.shares))
    return {
        tuple((n, x) for n, x in zip(names, row, strict=True) if x) for row in rows if holds(problem, row)
    }


def is_legal(made: lethal.Scenario, **amounts: int) -> bool:
    return made.check({SOURCE: amounts}, engine="cpsat").legal


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

TOUGH = player("P", hero("Hero", 10), ally("A", 5, tough=1), ally("B", 3, tough=1), ally("C", 2, tough=1))
SHIP = (player("P", hero("Hero", 10), ally("Ally", 4)), player("Q", hero("Other", 12), ally("Friend", 3)))
COST = player("P", hero("Hero", 10, tough=1), ally("Ally", 3))
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


# Attacks and open questions -----------------------------------------------------------------------


def attack(amount: int, defender: str | None, **keys: Any) -> lethal.Scenario:
    told: dict[str, Any] = {"player": "P"} | ({} if defender is None else {"defender": defender})
    told |= {name: keys.pop(name) for name in ("defence", "keywords") if name in keys}
    return scenario(amount, *SHIP, mode="enemy-attack", attack=told, **keys)


def pool(made: lethal.Scenario) -> list[str]:
    return [recipient for _, recipient in made.problem.columns]


def test_a_defending_heros_def_lowers_the_amount_before_it_is_divided() -> None:
    assert blocks(attack(5, "Hero", defence=2).value)[0].assigned == 3
    assert blocks(attack(5, "Hero", defence=2, options={"hero_defence": "none"}).value)[0].assigned == 5
    assert blocks(attack(2, "Hero", defence=3).value)[0].assigned == 0


def test_an_ally_that_defends_leaves_all_its_players_characters_in_the_pool() -> None:
    assert pool(attack(3, "Ally")) == ["Hero", "Ally"]
    assert pool(attack(3, "Ally", options={"ally_defends": "defender"})) == ["Ally"]


def test_another_players_defender_brings_their_characters_in() -> None:
    made = attack(3, "Friend")
    assert pool(made) == ["Other", "Friend"]
    assert made.outcome({})["attacked"] == "Friend"
    assert pool(attack(3, "Friend", options={"other_defends": "attacked-player"})) == ["Hero", "Ally"]


def test_the_grim_rule_takes_the_pool_that_leaves_an_identity_worst_off() -> None:
    weak, strong = (
        player("P", hero("Hero", 9), ally("Ally", 9)),
        player("Q", hero("Other", 4), ally("Friend", 1)),
    )
    told = {"player": "P", "defender": "Friend"}
    made = scenario(4, weak, strong, mode="enemy-attack", attack=told, grim=True)
    assert pool(made) == ["Other", "Friend"]
    kind = scenario(
        4, strong, weak, mode="enemy-attack", attack={"player": "Q", "defender": "Ally"}, grim=True
    )
    assert pool(kind) == ["Other", "Friend"]


def test_the_grim_rule_ignores_def_and_a_stated_option_beats_it() -> None:
    assert blocks(attack(5, "Hero", defence=2, grim=True).value)[0].assigned == 5
    made = attack(5, "Hero", defence=2, grim=True, options={"hero_defence": "before"})
    assert blocks(made.value)[0].assigned == 3


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_open_question_has_its_default_and_grim_reading_among_its_readings(name: str) -> None:
    question = QUESTIONS[name]
    assert question.default in question.readings
    assert question.grim is None or question.grim in question.readings


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_reading_of_an_open_question_can_be_stated_in_a_document(name: str) -> None:
    for reading in QUESTIONS[name].readings:
        made = scenario(1, *SHIP, options={name: reading})
        assert made.problems() == []
        assert made.value.options == {name: reading}
    assert scenario(1, *SHIP, options={name: "no such reading"}).problems()


@pytest.mark.parametrize(("rules", "eligible"), [("rrg-1.3", True), ("rrg-1.5", True), ("rrg-1.6", False)])
def test_only_editions_that_are_silent_on_immunity_can_be_read_otherwise(rules: str, eligible: bool) -> None:
    board = player("P", hero("Hero", 9), ally("Immune", 3, cannot_take_damage=True))
    made = scenario(2, board, rules=rules, options={"immune": "eligible"})
    assert (len(divisions(made)) == 3) is eligible
    assert bool(made.warnings) is eligible
    assert len(divisions(scenario(2, board, rules=rules))) == 1


def test_an_edition_that_does_not_speak_of_tough_says_so() -> None:
    assert "Tough" in scenario(2, TOUGH, rules="rrg-1.3").warnings[0]
    assert scenario(2, TOUGH, rules="rrg-1.6").warnings == []


@BOTH
def test_editions_agree_where_none_is_silent(engine: str) -> None:
    made, count = COUNTS["example of the rule"]
    assert made.diff(engine) == dict.fromkeys(EDITIONS, count)


# Documents ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "place", "words"),
    [
        ({"amount": -1}, "amount", "at least 0"),
        ({"to": "R"}, "to", "'R'"),
        ({"to": ["P", "Q"]}, "to", "one player"),
        ({"rules": "rrg-1.9"}, "rules", "rrg-1.8"),
        ({"amuont": 3}, "amuont", "'amount'"),
        ({"attack": {"defender": "Ally"}}, "attack", "enemy-attack"),
        ({"mode": "enemy-attack", "attack": {"defender": "Aly"}}, "attack.defender", "'Ally'"),
        ({"mode": "enemy-attack", "attack": {"defence": 2}}, "attack.defence", "hero"),
        ({"mode": "enemy-attack", "scope": "group"}, "scope", "one player"),
        ({"effects": [{"kind": "prevent"}]}, "effects[0]", "'character'"),
        ({"effects": [{"kind": "prevent", "character": "Nobody"}]}, "effects[0].character", "'Nobody'"),
        ({"effects": [{"kind": "redirect", "character": "Ally"}]}, "effects[0]", "'to'"),
        ({"effects": [{"kind": "increase"}]}, "effects[0]", "amount"),
        ({"options": {"piercing": "all"}}, "options.piercing", "damaged"),
        (
            {
                "effects": [
                    {"kind": "redirect", "character": "Ally", "to": "Hero"},
                    {"kind": "redirect", "character": "Hero", "to": "Ally"},
                ]
            },
            "effects",
            "circle",
        ),
    ],
)
def test_every_defect_names_its_place(keys: dict[str, Any], place: str, words: str) -> None:
    defects = scenario(2, *SHIP)
    document = {**defects.document, **keys}
    (defect,) = lethal.load(document).problems()
    assert defect.startswith(f"{place}:")
    assert words in defect


def test_all_defects_are_listed_at_once() -> None:
    board = player("P", hero("Hero", 9), ally("Hero", 2), hero("Second", 9))
    made = scenario(2, board, board, to="R")
    found = made.problems()
    assert sum("already a character's name" in d for d in found) == 4
    assert any("already a player's name" in d for d in found)
    assert sum("one identity a player" in d for d in found) == 2
    assert any(d.startswith("to:") for d in found)


def test_unknown_attack_keywords_are_kept_and_warned_about() -> None:
    made = attack(2, None, keywords=["Piercing", "Overkil"])
    (warning,) = made.warnings
    assert "'overkil'" in warning
    assert "'overkill'" in warning


def test_the_value_stands_alone_without_a_document() -> None:
    value = scenario(2, *SHIP).value
    assert isinstance(value, Indirect)
    assert list(value.characters) == ["Hero", "Ally", "Other", "Friend"]


# Objectives ---------------------------------------------------------------------------------------


def best(made: lethal.Scenario, objective: str, engine: str = "cpsat") -> dict[str, int]:
    found = made.best(objective, engine)
    assert found is not None
    assert found.proved
    return {r: n for (_, r), n in zip(found.assignment.columns, found.assignment.row, strict=True) if n}


@BOTH
def test_survive_keeps_the_identity_before_any_ally(engine: str) -> None:
    board = player("P", hero("Hero", 3), ally("Ally", 3))
    assert best(scenario(3, board), "survive", engine) == {"Hero": 1, "Ally": 2}
    assert best(scenario(5, board), "survive", engine) == {"Hero": 2, "Ally": 3}


@BOTH
def test_survive_keeps_the_more_valuable_ally(engine: str) -> None:
    board = player("P", hero("Hero", 2), ally("Cheap", 2, value=1), ally("Dear", 2, value=9.5))
    found = best(scenario(3, board), "survive", engine)
    assert found.get("Dear", 0) < 2
    assert found.get("Hero", 0) < 2


@BOTH
@pytest.mark.parametrize("objective", ["survive", "tough"])
def test_tough_is_spent_where_it_absorbs_most(objective: str, engine: str) -> None:
    assert best(scenario(5, TOUGH), objective, engine) == {"A": 5}


@BOTH
def test_ready_leaves_the_identity_enough_for_the_next_activation(engine: str) -> None:
    board = player("P", hero("Hero", 5), ally("Ally", 3, value=50))
    assert best(scenario(3, board, next_activation=2), "ready", engine) == {"Hero": 1, "Ally": 2}
    assert best(scenario(3, board, next_activation=3), "ready", engine) == {"Hero": 1, "Ally": 2}
    assert best(scenario(3, board, next_activation=4), "ready", engine) == {"Ally": 3}


@BOTH
def test_a_tough_card_left_makes_the_identity_ready(engine: str) -> None:
    board = player("P", hero("Hero", 5, tough=1), ally("Ally", 3, value=50))
    assert best(scenario(3, board, next_activation=9), "ready", engine) == {"Ally": 3}
    assert best(scenario(3, board, next_activation=2), "ready", engine) == {"Hero": 3}


@BOTH
def test_weights_trade_an_ally_for_hit_points(engine: str) -> None:
    board = player("P", hero("Hero", 9), ally("Ally", 3, tough=0, value=1))
    light = {"identity": 100, "ally": 0, "taken": 0, "ready": 10, "tough": 0}
    heavy = {"identity": 100, "ally": 5, "taken": 0, "ready": 0.5, "tough": 0}
    assert best(scenario(3, board, weights=light, next_activation=8), "weighted", engine) == {"Ally": 3}
    assert best(scenario(3, board, weights=heavy, next_activation=8), "weighted", engine)["Hero"] >= 1


def test_objectives_see_attached_effects() -> None:
    board = player("P", hero("Hero", 9), ally("A", 3), ally("B", 3))
    shielded = [{"kind": "prevent", "character": "B", "amount": 2}]
    found = best(scenario(2, board, effects=shielded), "survive")
    assert found == {"B": 2}


def test_objectives_follow_redirected_damage_to_who_takes_it() -> None:
    board = player("P", hero("Hero", 9), ally("Spider", 2, value=9), ally("Other", 2, value=1))
    moved = [{"kind": "redirect", "character": "Other", "to": "Spider"}]
    found = best(scenario(3, board, effects=moved), "survive")
    assert found.get("Spider", 0) + found.get("Other", 0) < 2


def test_an_unknown_objective_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="survive, tough, ready, weighted"):
        scenario(1, TOUGH).best("kills")


def test_effects_that_no_sum_can_state_are_refused_by_objectives_only() -> None:
    board = player("P", hero("Hero", 9), ally("A", 3), ally("B", 3))
    twice = [
        {"kind": "redirect", "character": "A", "to": "B"},
        {"kind": "redirect", "character": "B", "to": "Hero"},
    ]
    made = scenario(2, board, effects=twice)
    with pytest.raises(ValueError, match="redirected twice"):
        made.best("survive", "cpsat")
    assert made.outcome({SOURCE: {"A": 2}})["taken"] == {"A": 0, "B": 0, "Hero": 2}
