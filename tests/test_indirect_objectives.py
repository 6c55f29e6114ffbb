"""What players may want of indirect damage, on both engines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from indirect_boards import SOURCE, TOUGH, ally, hero, player, scenario

import lethal
from lethal.__main__ import main
from lethal.solver.problem import NotASum

BOTH = pytest.mark.parametrize("engine", ["diagram", "cpsat"])


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


TWICE = [
    {"kind": "redirect", "character": "A", "to": "B"},
    {"kind": "redirect", "character": "B", "to": "Hero"},
]


def test_effects_that_no_sum_can_state_are_looked_at_one_by_one() -> None:
    """All damage on A and B goes on to the hero, so that nobody can spare him any."""
    board = player("P", hero("Hero", 9), ally("A", 3), ally("B", 3))
    made = scenario(2, board, effects=TWICE)
    with pytest.raises(NotASum, match="redirected twice"):
        made.objective("survive")
    assert made.outcome({SOURCE: {"A": 2}})["taken"] == {"A": 0, "B": 0, "Hero": 2}
    found = made.best("survive")
    assert found is not None
    assert (found.engine, found.proved) == ("outcomes", True)
    assert found.score == (1, 6, -2, 0, -2)


def test_a_chain_of_redirects_is_used_where_its_end_is_tough() -> None:
    board = player("P", hero("Hero", 3, tough=1), ally("A", 3), ally("B", 3))
    made = scenario(4, board, effects=TWICE)
    for name in ("survive", "tough", "ready", "weighted"):
        found = made.best(name)
        assert found is not None
        assert made.outcome(found.assignment)["taken"].get("Hero", 0) == 0
    with pytest.raises(ValueError, match="survive, tough, ready, weighted"):
        made.choose("kills")


def test_the_command_answers_by_what_happens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "twice.json"
    board = player("P", hero("Hero", 9), ally("A", 3), ally("B", 3))
    path.write_text(json.dumps(scenario(2, board, effects=TWICE).document), encoding="utf-8")
    assert main(["best", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["how"], answer["proved"]) == ("outcomes", True)
    assert main(["solve", str(path)]) == 0
    assert "identities kept 1, value of allies kept 6" in capsys.readouterr().out


def test_other_games_are_not_judged_by_what_happens() -> None:
    made = lethal.load({"kind": "unlimited", "amount": 1})
    with pytest.raises(ValueError, match="not judged"):
        made.choose("keep")
