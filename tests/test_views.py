"""What people read of scenarios and outcomes: every game in its own words, never in Python's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lethal.__main__ import main
from lethal.games import GAMES

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
