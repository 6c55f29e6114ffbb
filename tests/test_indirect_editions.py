"""Indirect damage of attacks, the questions the rules leave open, and documents with their defects."""

from __future__ import annotations

from typing import Any

import pytest
from indirect_boards import SHIP, TOUGH, ally, divisions, hero, player, scenario

import lethal
from lethal.models.indirect import blocks
from lethal.models.indirect_rules import EDITIONS, QUESTIONS
from lethal.models.indirect_types import Indirect

BOTH = pytest.mark.parametrize("engine", ["diagram", "cpsat"])


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
    assert scenario(6, *SHIP, scope="group").diff(engine) == dict.fromkeys(EDITIONS, 70)


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
