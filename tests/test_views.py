"""What people read of scenarios and outcomes: every game in its own words, never in Python's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import lethal
from lethal.__main__ import main
from lethal.games import GAMES
from lethal.models.words import outcome

EXAMPLES = Path(__file__).parent.parent / "examples"
RAW = re.compile(r"[\[{]'|: \[|: \{|\bTrue\b|\bFalse\b|\bNone\b|_")


def read(capsys: pytest.CaptureFixture[str], command: str, name: str, *more: str) -> str:
    assert main([command, str(EXAMPLES / f"{name}.toml"), *more]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", [path.stem for path in sorted(EXAMPLES.glob("*.toml"))])
@pytest.mark.parametrize("command", ["solve", "best"])
def test_no_answer_shows_python_values(capsys: pytest.CaptureFixture[str], command: str, name: str):
    for line in read(capsys, command, name).splitlines():
        assert not RAW.search(line), line


@pytest.mark.parametrize("kind", GAMES)
def test_nothing_that_happened_has_no_words(kind: str):
    assert list(GAMES[kind].words({})) == []


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("indirect-ally-with-four", ["Hero: takes 1 damage", "Sidekick: takes 4 damage, is defeated"]),
        ("indirect-tough-allies", ["Rock: is dealt 5 damage, takes none, loses a Tough card"]),
        ("indirect-attack", ["Spark is attacked", "rules rrg-1.8, 7 indirect damage to Anna, enemy attack"]),
        ("indirect-cost", ["the cost is paid"]),
        (
            "unlimited-indirect",
            [
                "rules 2025, 5 indirect damage, assigned by the damaged player",
                "Scout: has 1 damage, is defeated",
            ],
        ),
        ("arkham-guard-dog", ["rules reference, 2 damage and 1 horror", "Dog: 2 damage"]),
        (
            "riftbound-fill-first",
            ["rules fill-first, attackers assign 4", "Keeper: has 1 damage", "Scout: is killed"],
        ),
    ],
)
def test_games_have_words_of_their_own(capsys: pytest.CaptureFixture[str], name: str, lines: list[str]):
    found = {line.strip() for line in read(capsys, "solve", name).splitlines()}
    found |= {line.strip() for line in read(capsys, "outcomes", name).splitlines()}
    assert set(lines) <= found


@pytest.mark.parametrize(
    ("kind", "outcome", "lines"),
    [
        (
            "indirect",
            {"defeated": ["Hero"], "taken": {"Hero": 10}, "eliminated": ["Anna"], "ignored": 30},
            [
                "Hero: takes 10 damage, is defeated",
                "Anna is eliminated",
                "30 damage cannot be assigned and is ignored",
            ],
        ),
        (
            "indirect",
            {
                "taken": {"Ally": 6, "Guard": 0},
                "dealt": {"Ally": 6, "Guard": 2},
                "excess_taken": {"Ally": 2},
                "excess_dealt": {"Ally": 2},
                "spilled": {"Hero": 2},
                "stored": {"Ice Wall": 3},
                "paid": False,
            },
            [
                "Ally: takes 6 damage, 2 beyond its hit points",
                "Guard: is dealt 2 damage, takes none",
                "overkill passes 2 damage to Hero",
                "Ice Wall stores 3 damage",
                "the cost is not paid",
            ],
        ),
        (
            "unlimited",
            {"damage": {"base": 31}, "base_destroyed": True},
            ["base: has 31 damage", "the base is destroyed"],
        ),
        (
            "arkham",
            {
                "damage": {"I": 7},
                "horror": {"I": 1},
                "defeated": ["Dog"],
                "investigator_defeated_by": ["damage"],
            },
            ["I: 7 damage, 1 horror", "Dog: is defeated", "the investigator is defeated by damage"],
        ),
        ("riftbound", {"killed": ["A"], "excess": {"A": 2}}, ["A: is killed, 2 damage beyond lethal"]),
    ],
)
def test_an_outcome_in_words(kind: str, outcome: dict[str, object], lines: list[str]):
    assert list(GAMES[kind].words(outcome)) == lines


def shown(document: dict[str, Any]) -> str:
    """All that people read of a scenario before the answer, in one line a row."""
    scenario = lethal.load(document)
    told = scenario.game.told(scenario.value)
    return "\n".join(one if isinstance(one, str) else "\n".join("|".join(row) for row in one) for one in told)


def test_everything_that_bears_on_a_creature_is_shown():
    attacker = {
        "name": "A",
        "power": 1,
        "toughness": 4,
        "damage": 1,
        "keywords": ["Trample"],
        "indestructible": True,
        "protection_from": ["red", "blue"],
        "band": "one",
        "assigns": "toughness",
        "lethal_by": "power",
        "as_though_unblocked": True,
        "divides_freely": True,
        "deals_multiplier": 2,
        "unpreventable": True,
        "prevent_next": 3,
        "shield_counters": 1,
        "regeneration_shields": 2,
    }
    others = [
        {"name": "N", "power": 1, "toughness": 1, "assigns": "nothing", "attacks": "walker"},
        {"name": "L", "power": 1, "toughness": 1, "blocked": True, "attacks": "battle"},
    ]
    defenders = [
        {"name": "player", "life": 3},
        {"name": "walker", "loyalty": 4, "controller": "player"},
        {"name": "battle", "defense": 5, "controller": "player"},
    ]
    blockers = [{"name": "B", "power": 1, "toughness": 1}]
    text = shown(
        {"kind": "combat", "attackers": [attacker, *others], "blockers": blockers, "defenders": defenders}
    )
    assert "A|1/4, 1 marked|trample, indestructible, protection from red and blue, in band one" in text
    assert "assigns damage equal to its toughness, lethal damage by its power" in text
    assert (
        "may assign as though unblocked, may divide freely, deals 2 times its damage, its damage cannot be prevented"
        in text
    )
    assert "the next 3 damage is prevented, shield counters: 1, regeneration shields: 2" in text
    assert "N|1/1|assigns no damage|attacks walker" in text
    assert "attacks battle, blocked, no blocker left" in text
    assert "blocks nothing" in text
    assert all(words in text for words in ("player|life 3", "walker|loyalty 4", "battle|defense 5"))


def test_everything_that_bears_on_a_character_is_shown():
    characters = [
        {"name": "H", "type": "hero", "hit_points": "infinite", "tough": 2},
        {"name": "A", "type": "ally", "hit_points": 3, "reduce": 1, "cannot_take_damage": ["X", "Y"]},
        {"name": "B", "type": "ally", "hit_points": 3, "cannot_take_damage": True},
    ]
    effects = [
        {"kind": "increase", "amount": 1},
        {"kind": "increase", "character": "A", "amount": 2, "stage": "taken"},
        {"kind": "increase", "character": "B", "amount": 3, "stage": "excess"},
        {"kind": "prevent", "character": "H", "amount": 2},
        {"kind": "redirect", "character": "A", "to": "Wall"},
    ]
    attack = {"keywords": ["Overkill"]}
    text = shown(
        {
            "kind": "indirect",
            "amount": 3,
            "mode": "enemy-attack",
            "attack": attack,
            "players": [{"name": "P", "characters": characters}],
            "effects": effects,
        }
    )
    assert text.splitlines() == [
        "rules rrg-1.8, 3 indirect damage to P, enemy attack",
        "",
        "P|H|hero|infinite hit points|2 Tough cards",
        "P|A|ally|3 of 3 hit points|takes 1 less, cannot take damage from X or Y",
        "P|B|ally|3 of 3 hit points|cannot take damage",
        "an attack on P, overkill",
        "everyone is dealt 1 more",
        "A takes 2 more",
        "B has excess of 3 more",
        "2 damage to H is prevented",
        "all damage to A goes to Wall",
    ]


def test_everything_that_bears_on_units_and_cards_is_shown():
    keeper = {"name": "K", "might": 5, "damage": 1, "keywords": ["Tank"], "stunned": True, "multiplier": 2}
    text = shown(
        {
            "kind": "riftbound",
            "assigning": "both",
            "attackers": [keeper],
            "defenders": [{"name": "S", "might": 3, "prevented": 1, "lethal": 1}],
        }
    )
    assert "attackers assign 0, defenders assign 3" in text
    assert "K|5 Might|1 damage marked, tank, stunned, is dealt 2 times as much|attackers" in text
    assert "S|3 Might|1 damage to it is prevented, 1 is lethal|defenders" in text
    text = shown(
        {
            "kind": "arkham",
            "direct_horror": 2,
            "investigator": {"health": 7, "sanity": 6, "damage": 1},
            "assets": [{"name": "Dog", "health": 3}],
            "prevent": [{"recipient": "Dog", "damage": 1}],
        }
    )
    assert text.splitlines()[0] == "rules reference, 2 direct horror"
    assert "Dog|3 of 3 health||1 damage is prevented" in text
    assert "investigator|6 of 7 health|6 of 6 sanity|" in text
    text = shown({"kind": "unlimited", "amount": 1, "units": [{"name": "U", "hit_points": 2, "shields": 1}]})
    assert "U|2 of 2 hit points|shields: 1, of no use" in text


def test_an_outcome_without_words_of_its_own_is_told_by_its_keys():
    happens = {
        "in_all": 3,
        "nothing": 0,
        "who": ["A", "B"],
        "marked": {"A": 1, "B": 0},
        "events": [{"cause": "X", "times": 2}, {"cause": "Y", "ends": True}],
        "over": True,
        "unknown": None,
    }
    assert list(outcome(happens)) == [
        "in all: 3",
        "who: A, B",
        "marked: A 1, B 0",
        "events: cause X, times 2; cause Y, ends",
        "over",
    ]


@pytest.mark.parametrize(
    ("name", "assignment", "words"),
    [
        (
            "indirect-ally-with-four",
            "indirect damage -> Sidekick 5",
            "indirect damage → Sidekick may be at most 4, not 5",
        ),
        ("indirect-ally-with-four", "indirect damage -> Sidekick -1", "must be at least 0, not -1"),
        ("indirect-cost", "indirect damage -> Spark 2", "indirect damage → Spark may not be 2"),
    ],
)
def test_a_share_out_of_bounds_is_told_its_bound(
    capsys: pytest.CaptureFixture[str], name: str, assignment: str, words: str
):
    assert main(["check", str(EXAMPLES / f"{name}.toml"), "--assignment", assignment]) == 1
    assert words in capsys.readouterr().out
