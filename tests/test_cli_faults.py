"""The command line on bad input: one line for each fault, status 2, and never a traceback."""

from __future__ import annotations

import json

import pytest
from commandline import EXAMPLES, FILE_COMMANDS, GUARD, Run, runner, wide


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


def test_every_defect_is_a_line_of_its_own(run: Run) -> None:
    faulty = """
    kind = "combat"
    [[attackers]]
    name = "Wurm"
    power = "6"
    toughnes = 4
    [[blockers]]
    name = "Guard"
    power = 1
    toughness = -1
    blocks = ["Wrum"]
    """
    found = run("count", "-", stdin=faulty)
    assert (found.status, found.out) == (2, "")
    assert found.err.splitlines() == [
        "error: attackers[0].power: expected an integer, got '6'",
        "error: attackers[0].toughnes: unknown key; did you mean 'toughness'?",
        "error: blockers[0].toughness: expected at least 0, got -1",
        "error: blockers[0].blocks[0]: no attacker is named 'Wrum'; did you mean 'Wurm'?",
    ]


@pytest.mark.parametrize("command", FILE_COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    "stdin", ["", "{", "kind = 'combt'", '{"kind": "combat", "attackers": 7}', b"\xff\xfe", "[]", "\0"]
)
def test_no_command_shows_a_traceback_for_a_bad_document(
    run: Run, command: list[str], stdin: str | bytes
) -> None:
    found = run(command[0], "-", *command[1:], stdin=stdin)
    assert (found.status, found.out) == (2, "")
    assert found.errors == found.err.splitlines()
    assert found.errors


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ([], "COMMAND"),
        (["solv", GUARD], "invalid choice: 'solv'"),
        (["count"], "FILE"),
        (["count", "nowhere.toml"], "nowhere.toml: No such file"),
        (["count", str(EXAMPLES)], "Is a directory"),
        (["count", GUARD, "--engine", "z3"], "invalid choice: 'z3'"),
        (["count", GUARD, "--rules", "m12"], "got 'm12'; did you mean 'm11'?"),
        (["count", GUARD, "--jsn"], "--jsn"),
        (["list", GUARD, "--limit", "-1"], "expected a whole number of 0 or more, got '-1'"),
        (["list", GUARD, "--limit", "1e3"], "got '1e3'"),
        (["list", GUARD, "--output", "rows.xls"], "give --format: json, csv, npy"),
        (["list", GUARD, "--output", str(EXAMPLES / "no" / "rows.csv")], "rows.csv: No such file"),
        (["best", GUARD, "--top", "0"], "expected a whole number of 1 or more, got '0'"),
        (["best", GUARD, "--objective", "kils"], "did you mean 'kills'?"),
        (["best", GUARD, "--objective", '{"win": 1'], "--objective: not JSON"),
        (["line", GUARD, "--reply", "{"], "--reply: not JSON"),
        (["line", GUARD, "--reply", "sometimes"], "a reply is"),
        (["line", GUARD, "--reply", '{"only": 3}'], "--reply"),
        (["line", GUARD, "--reply", '{"second": {}}'], "there is no step 'second'"),
        (["line", GUARD, "--reply", '{"only": {"Nobody": {"x": 1}}}'], "not legal"),
        (["sample", GUARD, "--engine", "cpsat"], "engines that can: diagram"),
        (["check", GUARD], "--assignment"),
        (["check", GUARD, "--assignment", "Acidic Slime"], "assignment: expected 'source"),
        (["check", GUARD, "--assignment", "Acidic Slim -> player 2"], "did you mean 'Acidic Slime'?"),
        (["check", GUARD, "--assignment", "{"], "assignment: not JSON"),
        (
            ["check", GUARD, "--assignment", '{"A": 2}'],
            "assignment.A: expected recipients and amounts, got 2",
        ),
        (["check", GUARD, "--assignment", '{"A b": {"B": true}}'], 'assignment."A b".B: expected an integer'),
    ],
)
def test_a_wrong_command_line_is_an_error_line_and_status_2(run: Run, argv: list[str], words: str) -> None:
    found = run(*argv)
    assert (found.status, found.out) == (2, "")
    assert len(found.errors) == 1
    assert words in found.errors[0]


def test_what_is_too_wide_is_an_error_that_names_what_still_works(run: Run) -> None:
    found = run("count", "-", stdin=wide())
    assert found.status == 2
    assert "cpsat" in found.errors[0]


def test_every_strange_name_of_an_assignment_is_named(run: Run) -> None:
    found = run("check", GUARD, "--assignment", "A -> Palace Guard 1; Acidic Slime -> B 1, player 1")
    assert [line.split("'")[1] for line in found.errors] == ["A", "B"]


def test_a_warning_does_not_stop_an_answer(run: Run) -> None:
    document = (
        '{"kind": "combat", "attackers": [{"name": "A", "power": 1, "toughness": 1, "keywords": ["Florb"]}]}'
    )
    found = run("count", "-", stdin=document)
    assert (found.status, found.out) == (0, "1\n")
    assert found.err == "warning: attackers[0].keywords: no keyword 'florb' is known here, ignored\n"


def test_names_cannot_write_to_the_terminal(run: Run) -> None:
    attacker = {"name": "A\x1b[31m\nerror: B", "power": 1, "toughness": 1, "keywords": ["\x1b[0m"]}
    document = json.dumps({"kind": "combat", "title": "\x1b]0;x\x07", "attackers": [attacker]})
    for command in ("solve", "list", "bounds"):
        found = run(command, "-", stdin=document)
        assert found.status == 0
        assert "\x1b" not in found.out + found.err
        assert not any(line.startswith("error: B") for line in found.out.splitlines())
