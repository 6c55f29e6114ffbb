"""`lethal line` from the command line, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lethal.__main__ import main

FIRST_STRIKE = """
kind = "combat"
[[attackers]]
name = "A"
power = 5
toughness = 4
keywords = ["First strike"]
[[blockers]]
name = "Big"
power = 3
toughness = 5
blocks = ["A"]
[[blockers]]
name = "S1"
power = 2
toughness = 2
blocks = ["A"]
[[blockers]]
name = "S2"
power = 2
toughness = 3
blocks = ["A"]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "combat.toml"
    path.write_text(FIRST_STRIKE, encoding="utf-8")
    return str(path)


def test_a_line_in_json(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["line", file, "--json", "--objective", '{"theirs": 0.5, "mine": 1}']) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["side"] == "attackers"
    line = answer["line"]
    assert [step["step"] for step in line["steps"]] == ["first-strike", "regular"]
    assert line["steps"][0]["attackers"] == {"A": {"Big": 0, "S1": 2, "S2": 3}}
    assert line["score"] == [4.5]
    assert line["outcome"]["dies"] == ["S1", "S2"]
    assert line["proved"]


def test_a_line_in_words(file: str, capsys: pytest.CaptureFixture[str]):
    assert main(["line", file]) == 0
    out = capsys.readouterr().out
    assert "S1 2, S2 3" in out
    assert "first-strike" in out


@pytest.mark.parametrize("objective", ["joy", "{", '{"joy": 1}'])
def test_an_objective_that_is_none_is_an_error(file: str, objective: str, capsys: pytest.CaptureFixture[str]):
    assert main(["line", file, "--objective", objective]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_a_given_reply_is_read_from_json(file: str, capsys: pytest.CaptureFixture[str]):
    reply = {"regular": {"Big": {"A": 3}}}
    assert main(["line", file, "--json", "--reply", json.dumps(reply)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["reply"] == reply
    assert answer["line"]["steps"][1]["blockers"] == {"Big": {"A": 3}}
