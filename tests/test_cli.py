"""The command line: what each command answers, in JSON and in words."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commandline import EXAMPLES, FILE_COMMANDS, GUARD, TEMPTING, Ran, Run, many, runner, wide

import lethal
from lethal.cli import grouping, parser
from lethal.solver.engine import DEFAULT, engine_names


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


# Answers in JSON ----------------------------------------------------------------------------------


def test_count(run: Run) -> None:
    assert run("count", GUARD, "--json") == Ran(0, '{"count": 7}\n', "")
    assert run("count", GUARD) == Ran(0, "7\n", "")


def test_a_count_of_any_size_is_written_in_full(run: Run) -> None:
    limit = sys.get_int_max_str_digits()
    found = run("count", "-", "--json", stdin=many(1000))
    sys.set_int_max_str_digits(0)
    try:
        assert found.json == {"count": 48_620**1000}
    finally:
        sys.set_int_max_str_digits(limit)
    assert len(found.out) > 4600
    assert sys.get_int_max_str_digits() == limit, "the interpreter's own limit is put back"


COLUMNS = [["Acidic Slime", "Palace Guard"], ["Yavimaya Wurm", "Palace Guard"], ["Yavimaya Wurm", "player"]]
ROWS = [[2, wurm, 6 - wurm] for wurm in range(7)]


@pytest.mark.parametrize("engine", engine_names())
def test_list(run: Run, engine: str) -> None:
    found = run("list", GUARD, "--json", "--engine", engine)
    assert found.json == {"count": 7, "columns": COLUMNS, "rows": ROWS, "complete": True}


@pytest.mark.parametrize("engine", engine_names())
@pytest.mark.parametrize("limit", [0, 1, 6, 7, 8, 10**17])
def test_a_list_says_honestly_whether_it_is_complete(run: Run, limit: int, engine: str) -> None:
    found = run("list", GUARD, "--json", "--limit", str(limit), "--engine", engine).json
    assert found == {"count": 7, "columns": COLUMNS, "rows": ROWS[:limit], "complete": limit >= 7}


def test_a_list_of_nothing_to_assign_is_one_empty_row(run: Run) -> None:
    found = run("list", "-", "--json", stdin='{"kind": "combat"}').json
    assert found == {"count": 1, "columns": [], "rows": [[]], "complete": True}


def test_a_list_of_what_the_diagram_refuses_still_lists_with_the_other_engine(run: Run) -> None:
    found = run("list", "-", "--json", "--limit", "2", "--engine", "cpsat", stdin=wide())
    assert found.json["rows"] == [[1, 10**9 - 1], [2, 10**9 - 2]]
    assert found.json["complete"] is False
    assert found.json["count"] is None


def test_best(run: Run) -> None:
    found = run("best", GUARD, "--json", "--top", "2").json
    assert (found["objective"], found["proved"]) == ("kills", True)
    first, second = found["best"]
    assert first["assignment"] == {
        "Acidic Slime": {"Palace Guard": 2},
        "Yavimaya Wurm": {"Palace Guard": 0, "player": 6},
    }
    assert first["score"] == [0, 5, 6, 0]
    assert first["outcome"]["destroyed"] == ["Palace Guard"]
    assert first["outcome"]["damage_to"] == {"player": 6}
    assert second["assignment"]["Yavimaya Wurm"]["player"] == 5


def test_the_best_of_one_is_the_first_of_many(run: Run) -> None:
    for example in EXAMPLES.glob("*.toml"):
        one = run("best", str(example), "--json").json
        many = run("best", str(example), "--json", "--top", "3").json
        assert one["best"] == many["best"][:1]


def test_scores_are_in_points(run: Run) -> None:
    attacker = {"name": "A", "power": 2, "toughness": 2}
    blocker = {"name": "B", "power": 1, "toughness": 1, "blocks": ["A"], "value": 2.5}
    document = json.dumps({"kind": "combat", "attackers": [attacker], "blockers": [blocker]})
    assert run("best", "-", "--json", stdin=document).json["best"][0]["score"] == [0, 2.5, 0, -1]


def test_best_by_what_happens(run: Run) -> None:
    found = run("best", GUARD, "--json", "--objective", "trade").json
    assert found["objective"] == "trade"
    assert found["best"][0]["assignment"]["Yavimaya Wurm"]["player"] == 6


def test_check_of_a_legal_assignment(run: Run) -> None:
    for text in (
        TEMPTING,
        TEMPTING.replace("→", "->"),
        '{"Acidic Slime": {"Palace Guard": 2}, "Yavimaya Wurm": {"player": 6}}',
    ):
        found = run("check", GUARD, "--json", "--assignment", text)
        assert found == Ran(0, '{"legal": true, "violations": [], "nearest": null}\n', "")


def test_check_of_an_illegal_assignment(run: Run) -> None:
    found = run("check", GUARD, "--rules", "stack", "--json", "--assignment", TEMPTING)
    assert found.status == 1
    assert found.json["legal"] is False
    (violation,) = found.json["violations"]
    assert (violation["rule"], violation["source"], violation["recipient"]) == (
        "502.9b",
        "Yavimaya Wurm",
        "player",
    )
    assert "Palace Guard has 2 of 4" in violation["message"]
    assert found.json["nearest"]["Yavimaya Wurm"] == {"Palace Guard": 2, "player": 4}


def test_check_names_every_violation(run: Run) -> None:
    text = "Acidic Slime -> player 1; Yavimaya Wurm -> player 7"
    found = run("check", GUARD, "--json", "--assignment", text)
    assert found.status == 1
    rules = [violation["rule"] for violation in found.json["violations"]]
    assert "510.1c" in rules
    assert rules.count("510.1a") == 2


def test_the_nearest_assignment_is_legal(run: Run) -> None:
    for example in EXAMPLES.glob("*.toml"):
        found = run("check", str(example), "--json", "--assignment", "nothing")
        again = run("check", str(example), "--assignment", json.dumps(found.json["nearest"]))
        assert (found.status, again.status, again.out) == (1, 0, "legal\n")


def test_bounds(run: Run) -> None:
    found = run("bounds", GUARD, "--json").json
    assert found == {
        "bounds": [
            {"source": source, "recipient": recipient, "least": least, "most": most}
            for (source, recipient), least, most in zip(COLUMNS, (2, 0, 0), (2, 6, 6), strict=True)
        ]
    }


def test_a_sample_is_repeated_by_its_seed(run: Run) -> None:
    first, again, other = (
        run("sample", GUARD, "--json", "-n", "50", "--seed", seed) for seed in ("1", "1", "2")
    )
    assert first.out == again.out
    assert first.json["rows"] != other.json["rows"]
    assert (first.json["count"], first.json["columns"], first.json["complete"]) == (7, COLUMNS, False)
    assert all(row in ROWS for row in first.json["rows"])
    assert len(first.json["rows"]) == 50


def test_a_sample_is_that_of_the_library(run: Run) -> None:
    rows = run("sample", GUARD, "--json", "-n", "20", "--seed", "5").json["rows"]
    drawn = lethal.load(GUARD).legal().sample(np.random.default_rng(5), 20)
    assert rows == [list(one.row) for one in drawn]


def test_a_sample_without_a_seed_names_one_that_repeats_it(run: Run) -> None:
    first = run("sample", GUARD, "-n", "30")
    (note,) = first.err.splitlines()
    assert note.startswith("note: --seed ")
    assert run("sample", GUARD, "-n", "30", "--seed", note.split()[2]).out == first.out


def test_outcomes(run: Run) -> None:
    found = run("outcomes", str(EXAMPLES / "shared-blocker.toml"), "--json").json
    assert found["complete"] is True
    assert sum(one["assignments"] for one in found["outcomes"]) == 15
    through = {one["outcome"]["damage_to"]["player"]: one["assignments"] for one in found["outcomes"]}
    assert through == {4: 5, 3: 4, 2: 3, 1: 2, 0: 1}
    scenario = lethal.load(EXAMPLES / "shared-blocker.toml")
    for one in found["outcomes"]:
        assert one["example"] in scenario.legal()
        assert scenario.outcome(one["example"]) == one["outcome"]


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_outcomes_grouped_by_the_engine_are_those_found_one_by_one(example: Path) -> None:
    scenario = lethal.load(example)
    if scenario.legal().count() > 5000:
        pytest.skip("one by one would take long")
    by_engine, complete = grouping.outcomes(scenario, DEFAULT)
    assert complete

    def told(groups: Any) -> dict[str, int]:
        return {json.dumps(one.outcome, sort_keys=True): one.assignments for one in groups}

    assert told(by_engine) == told(grouping.one_by_one(scenario, DEFAULT)[0])


@pytest.mark.parametrize(("limit", "complete"), [(0, False), (14, False), (15, True), (99, True)])
def test_outcomes_of_the_first_assignments_say_whether_that_is_all(
    run: Run, limit: int, complete: bool
) -> None:
    found = run("outcomes", str(EXAMPLES / "shared-blocker.toml"), "--json", "--limit", str(limit)).json
    assert found["complete"] is complete
    assert sum(one["assignments"] for one in found["outcomes"]) == min(limit, 15)


def test_diff(run: Run) -> None:
    assert run("diff", GUARD, "--json").json == {
        "counts": {"stack": 5, "m10": 5, "m11": 7, "ordered": 7, "foundations": 7}
    }


def test_solve(run: Run) -> None:
    found = run("solve", GUARD, "--json").json
    assert (found["count"], found["objective"], found["proved"]) == (7, "kills", True)
    assert len(found["best"]) == 5


# Answers in words ---------------------------------------------------------------------------------


def test_solve_shows_who_fights_whom_and_what_happens(run: Run) -> None:
    out = run("solve", GUARD).out
    for words in (
        "A deathtouch attacker helps a trampler through",
        "rules ordered",
        "Acidic Slime   2/2  deathtouch  attacks player, blocked by Palace Guard",
        "Palace Guard   1/4              blocks Acidic Slime, Yavimaya Wurm",
        "legal assignments: 7",
        f"best (kills): {TEMPTING}",
        "Palace Guard: destroyed",
        "player: dealt 6 damage",
        "next best:",
    ):
        assert words in out


def test_copies_that_fare_alike_share_a_line(run: Run) -> None:
    out = run("solve", str(EXAMPLES / "ten-saprolings.toml")).out
    assert "Saproling 1 to 10  1/1" in out
    assert "blocked by Saproling 1 to 10" in out
    assert "Saproling 1 to 10: destroyed" in out


def test_solve_ranks_by_what_happens_where_it_is_a_sum(run: Run) -> None:
    out = run("solve", GUARD, "--objective", "trade").out
    assert f"best (trade): {TEMPTING}" in out
    assert "next best" in out


def test_solve_by_what_is_no_sum_shows_the_best_alone(run: Run) -> None:
    document = {
        "kind": "combat",
        "attackers": [{"name": "A", "power": 3, "toughness": 3}],
        "blockers": [
            {"name": "B", "power": 1, "toughness": 3, "blocks": ["A"], "prevent_next": 1},
            {"name": "C", "power": 1, "toughness": 2, "blocks": ["A"]},
        ],
    }
    out = run("solve", "-", stdin=json.dumps(document)).out
    assert "C: destroyed" in out
    assert "found by outcomes" in out
    assert "next best" not in out
    assert run("best", "-", "--top", "2", stdin=json.dumps(document)).status == 2


def test_outcomes_without_marks_and_without_the_dominated(run: Run) -> None:
    def found(*more: str) -> Any:
        return json.loads(run("outcomes", str(EXAMPLES / "baloth-and-boars.toml"), "--json", *more).out)[
            "outcomes"
        ]

    every, unmarked, undominated = found(), found("--unmarked"), found("--undominated")
    assert len(unmarked) < len(every)
    assert 0 < len(undominated) < len(every)
    assert {json.dumps(one) for one in undominated} <= {json.dumps(one) for one in every}
    assert run("outcomes", str(EXAMPLES / "indirect-group.toml"), "--undominated").status == 2


def test_solve_answers_what_cannot_be_counted(run: Run) -> None:
    found = run("solve", "-", stdin=wide())
    assert found.status == 0
    assert "too many to count exactly" in found.out
    assert "best (kills): A → B 1, player 999999999" in found.out


def test_what_is_listed_reads_back(run: Run) -> None:
    legal = lethal.load(GUARD).legal()
    lines = run("list", GUARD).out.splitlines()
    assert [lethal.Assignment.parse(line) for line in lines] == list(legal)
    assert run("list", GUARD, "--limit", "2").err == "note: only the first 2 of 7 assignments are listed\n"


def test_check_in_words(run: Run) -> None:
    found = run("check", GUARD, "--rules", "stack", "--assignment", TEMPTING)
    assert found.status == 1
    verdict, violation, nearest = found.out.splitlines()
    assert verdict == "not legal"
    assert violation.strip().startswith("502.9b: Yavimaya Wurm may assign damage to player only once")
    assert nearest.startswith("nearest legal assignment: Acidic Slime → Palace Guard 2; ")


def test_a_pipe_gets_neither_colours_nor_frames(run: Run) -> None:
    for command in FILE_COMMANDS:
        found = run(command[0], GUARD, *command[1:])
        assert "\x1b" not in found.out
        assert "─" not in found.out


# Rules, engines, standard input ---------------------------------------------------------------------


def test_rules_on_the_command_line_replace_the_documents(run: Run) -> None:
    assert run("count", GUARD, "--rules", "m10").out == "5\n"


def test_standard_input_is_read_by_content(run: Run) -> None:
    text = Path(GUARD).read_text(encoding="utf-8")
    assert run("count", "-", stdin=text).out == "7\n"
    assert run("count", "-", stdin=json.dumps(lethal.load(GUARD).document)).out == "7\n"


def test_the_parser_knows_the_engines() -> None:
    assert engine_names() == parser.ENGINES
    assert parser.ENGINES[0] == DEFAULT


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_example_says_what_it_shows_and_answers_every_command(run: Run, example: Path) -> None:
    document = lethal.load(example).document
    assert document["title"]
    assert document["note"]
    large = lethal.load(example).legal().count() > 1000
    for command in FILE_COMMANDS:
        if command[0] == "diagram" and large:
            continue
        limit = ["--limit", "20"] if command[0] in ("list", "outcomes") and large else []
        found = run(command[0], str(example), *command[1:], *limit)
        assert found.status == (command[0] == "check"), command
        assert found.out
        assert not found.errors


# Help ---------------------------------------------------------------------------------------------


def test_help_names_every_command(run: Run) -> None:
    found = run("--help")
    assert found.status == 0
    for command in FILE_COMMANDS:
        assert command[0] in found.out
        assert "--json" in run(command[0], "--help").out


def test_version(run: Run) -> None:
    assert run("--version") == Ran(0, f"lethal {lethal.__version__}\n", "")
