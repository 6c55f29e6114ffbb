"""The example files of indirect damage and its neighbours, through every command that answers for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lethal
from lethal.__main__ import main

EXAMPLES = Path(__file__).parent.parent / "examples"
COUNTS = {
    "indirect-ally-with-four": (5, 5),
    "indirect-tough-allies": (42, 26),
    "indirect-group": (70, 70),
    "indirect-attack": (18, 6),
    "indirect-cost": (1, 1),
    "unlimited-indirect": (8, 8),
    "arkham-guard-dog": (6, 6),
    "riftbound-fill-first": (2, 2),
}


def answer(capsys: pytest.CaptureFixture[str], command: str, name: str, *more: str) -> Any:
    assert main([command, str(EXAMPLES / f"{name}.toml"), "--json", *more]) in (0, 1)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("engine", ["diagram", "cpsat"])
@pytest.mark.parametrize("name", COUNTS)
def test_the_commands_count_list_and_group(
    name: str, engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    count, outcomes = COUNTS[name]
    chosen = ("--engine", engine)
    assert answer(capsys, "count", name, *chosen) == {"count": count}
    listed = answer(capsys, "list", name, *chosen)
    assert len(listed["rows"]) == count
    grouped = answer(capsys, "outcomes", name, *chosen)["outcomes"]
    assert len(grouped) == outcomes
    assert sum(one["assignments"] for one in grouped) == count


@pytest.mark.parametrize("name", COUNTS)
def test_the_best_is_legal_and_nothing_at_all_is_not(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "best", name)
    assert found["proved"]
    best = found["best"][0]
    assert answer(capsys, "check", name, "--assignment", json.dumps(best["assignment"]))["legal"]
    wrong = answer(capsys, "check", name, "--assignment", "nothing")
    assert not wrong["legal"]
    assert all(violation["rule"] for violation in wrong["violations"])
    assert wrong["nearest"]


@pytest.mark.parametrize("name", COUNTS)
def test_an_example_has_no_defect_and_no_warning(name: str) -> None:
    made = lethal.load(EXAMPLES / f"{name}.toml")
    assert made.problems() == []
    assert made.warnings == []


def test_every_objective_answers_for_the_attack(capsys: pytest.CaptureFixture[str]) -> None:
    for objective in ("survive", "tough", "ready", "weighted"):
        assert answer(capsys, "best", "indirect-attack", "--objective", objective)["proved"]
