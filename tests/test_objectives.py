"""Objectives of a combat: exact on what happens, whoever answers, by name or as weights."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from combats import creature, document
from commandline import EXAMPLES
from effects import effective
from hypothesis import event, given, settings
from strategies import combats
from test_outcomes import best_of_all, wishes

import lethal
import lethal.outcomes
from lethal.__main__ import main
from lethal.models.combat_meters import exact
from lethal.models.combat_objectives import _plain
from lethal.models.combat_outcome import Board
from lethal.models.combat_wishes import WISHES, Scale, wish
from lethal.scenario import Scenario
from lethal.solver.engine import TooWide
from lethal.solver.problem import NotASum


def points(score: tuple[int, ...], units: Any) -> list[Fraction]:
    return [Fraction(n, unit) for n, unit in zip(score, units, strict=True)]


@settings(deadline=None, max_examples=150)
@given(effective(), wishes)
def test_best_is_the_best_of_all_by_what_happens(drawn: dict[str, Any], wanted: Any):
    scenario = lethal.load(drawn)
    best, most = scenario.best(wanted), best_of_all(scenario, wanted)
    if most is None:
        assert best is None
        return
    assert best is not None
    assert best.proved
    scale = Scale(scenario.value, wish(wanted), scenario.value.assigning)
    board = Board(scenario.value)
    event(best.engine)
    assert scale.score(board, board.deal(best.assignment.to_dict())) == most


@settings(deadline=None, max_examples=100)
@given(effective(), wishes)
def test_rows_are_ranked_by_what_happens(drawn: dict[str, Any], wanted: Any):
    scenario = lethal.load(drawn)
    try:
        objective = scenario.objective(wanted)
    except NotASum:
        return
    scale, board = Scale(scenario.value, wish(wanted), scenario.value.assigning), Board(scenario.value)
    units = [score.unit for score in objective.scores]
    for one in scenario.legal().ranked(objective):
        happens = scale.score(board, board.deal(one.assignment.to_dict()))
        assert points(one.score, units) == points(happens, scale.units)


@settings(deadline=None, max_examples=200)
@given(combats(200))
def test_the_short_way_in_a_plain_combat_scores_the_same(drawn: dict[str, Any]):
    scenario = lethal.load(drawn)
    if not _plain(scenario.value):
        return
    scale = Scale(scenario.value, wish("kills"), scenario.value.assigning)
    short, long = scenario.objective("kills"), exact(Board(scenario.value), scenario.problem, scale)
    assert long is not None
    event("plain")
    for way in (short, long):
        assert len(way.scores) == 4
    found = [scenario.legal().best(way) for way in (short, long)]
    if found[0] is None or found[1] is None:
        assert found == [None, None]
        return
    units = [[score.unit for score in way.scores] for way in (short, long)]
    assert points(found[0].score, units[0]) == points(found[1].score, units[1])


def guarded(**keys: Any) -> Scenario:
    """Five points against a valuable guard and two others."""
    blockers = [creature("Guard", 0, 3, blocks=["A"], value=9, **keys)]
    blockers += [creature(name, 0, 2, blocks=["A"]) for name in ("C", "D")]
    return lethal.load(document(attackers=[creature("A", 5, 5)], blockers=blockers))


@pytest.mark.parametrize(
    ("keys", "engine"),
    [
        ({"indestructible": True}, "diagram"),
        ({"protection_from": ["A"]}, "diagram"),
        ({"regeneration_shields": 1}, "diagram"),
        ({"shield_counters": 1}, "diagram"),
        ({"prevent_next": 5}, "outcomes"),
    ],
)
def test_best_kills_what_dies_and_says_how_it_was_found(keys: dict[str, Any], engine: str):
    best = guarded(**keys).best("kills")
    assert best is not None
    assert (best.engine, best.proved) == (engine, True)
    assert best.assignment == {"A": {"C": 2, "D": 2, "Guard": 1}} or best.assignment["A"]["Guard"] == 0


def test_deathtouch_kills_in_the_editions_in_which_it_does_not_help_to_assign():
    attackers = [creature("A", 2, 2, keywords=["Deathtouch"])]
    blockers = [creature("X", 0, 9, blocks=["A"], value=1), creature("Y", 0, 9, blocks=["A"], value=1)]
    for rules in ("stack", "m10"):
        best = lethal.load(document(rules=rules, attackers=attackers, blockers=blockers)).best("kills")
        assert best is not None
        assert best.score[:2] == (0, 2)


def test_what_is_no_sum_is_refused_where_it_would_have_to_be_ranked():
    with pytest.raises(NotASum, match="no sum"):
        guarded(prevent_next=2).legal().best("kills")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("joy", "no objective"),
        ({"joy": 1}, "no weight"),
        ([], "at least one"),
        ([1], "table of numbers"),
        ([[]], "table of numbers"),
        ([{"win": 1}, "theirs"], "table of numbers"),
        ({"win": float("nan")}, "must be a number"),
        ({"win": float("inf")}, "must be a number"),
        ({"win": None}, "must be a number"),
    ],
)
def test_an_unknown_wish_is_refused(wanted: Any, message: str):
    for ask in (guarded().best, guarded().choose, guarded().line):
        with pytest.raises(ValueError, match=message):
            ask(wanted)


class TestWhereOutcomesAreTooMany:
    @pytest.fixture(autouse=True)
    def _no_outcomes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: Any, **__: Any) -> Any:
            raise TooWide("too many")

        monkeypatch.setattr(lethal.outcomes, "reached", refuse)

    def test_cpsat_answers_and_proves_what_reaches_its_bound(self):
        best = guarded(prevent_next=1).choose({"theirs": 1})
        assert best is not None
        assert (best.how, best.proved) == ("cpsat", True) or not best.proved

    def test_what_a_shield_may_spoil_is_not_called_proved(self):
        best = guarded(prevent_next=9).choose({"theirs": 1})
        assert best is not None
        assert (best.how, best.proved) == ("cpsat", False)

    @settings(deadline=None, max_examples=60)
    @given(effective(), wishes)
    def test_it_never_claims_a_proof_that_it_has_not(self, drawn: dict[str, Any], wanted: Any):
        scenario = lethal.load(drawn)
        try:
            found = scenario.choose(wanted)
        except TooWide:
            return
        most = best_of_all(scenario, wanted)
        if most is None or found is None:
            assert most is found is None
            return
        event(f"{found.how}, proved {found.proved}")
        assert found.assignment in scenario.legal()
        assert found.score <= most
        if found.proved:
            assert found.score == most


GUARD = {
    "kind": "combat",
    "attackers": [creature("A", 5, 5)],
    "blockers": [creature("B", 0, 3, blocks=["A"], prevent_next=1), creature("C", 0, 4, blocks=["A"])],
}


@pytest.mark.parametrize("objective", [*WISHES, '{"theirs": 1, "face": 0.5}', '[{"win": 1}, {"theirs": 2}]'])
@pytest.mark.parametrize("command", ["best", "solve", "line"])
def test_commands_take_every_objective_and_say_how_it_was_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Any, command: str, objective: str
):
    path = tmp_path / "guard.json"
    path.write_text(json.dumps(GUARD))
    assert main([command, str(path), "--json", "--objective", objective]) == 0
    answer = json.loads(capsys.readouterr().out)
    found = answer["line"] if command == "line" else answer
    assert found["proved"]
    assert found["how"]
    wanted = json.loads(objective) if objective[0] in "[{" else objective
    assert answer["objective"] == wanted
    assert main([command, str(path), "--objective", objective]) == 0


@pytest.mark.parametrize(
    "objective", ["{", "[]", "[1]", '{"win": NaN}', '{"joy": 1}', "kils", '{"win": "much"}']
)
@pytest.mark.parametrize("command", ["best", "solve", "line"])
def test_commands_refuse_what_they_cannot_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Any, command: str, objective: str
):
    path = tmp_path / "guard.json"
    path.write_text(json.dumps(GUARD))
    assert main([command, str(path), "--objective", objective]) == 2
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize(
    "name", ["indirect-group", "unlimited-indirect", "arkham-guard-dog", "shuffle-guile"]
)
def test_only_combats_take_weights(capsys: pytest.CaptureFixture[str], name: str):
    assert main(["best", str(EXAMPLES / f"{name}.toml"), "--objective", '{"win": 1}']) == 2
    assert capsys.readouterr().err == "error: --objective: only a combat takes weights; give a name\n"
