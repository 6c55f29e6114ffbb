"""Cases on indirect damage and its neighbours in the rules, gathered from reports, tests and rulings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lethal
from lethal.models.indirect_outcome import Outcome, Settings, after, attack_damage, resolve
from lethal.models.indirect_types import Character, Effect

PATH = Path(__file__).parent / "cases" / "reported.jsonl"
LINES = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
CASES = {case["id"]: case for case in LINES if case["kind"] == "indirect"}
DIVIDED = {name: case for name, case in CASES.items() if "characters" in case["scenario"]}
SOURCE = "indirect damage"
MORE: dict[str, dict[str, Any]] = {"mc-old-rrg-explosion": {"among": ["hero", "ally"]}}
TYPES = {"identity": "hero", "alter-ego-identity": "alter-ego"}


def scenario(case: Mapping[str, Any]) -> lethal.Scenario:
    """A case as a document: hit points left become hit points, an identity counts as in hero form."""
    told = case["scenario"]
    players: dict[str, list[dict[str, Any]]] = {}
    for character in told["characters"]:
        players.setdefault(character["controller"], []).append(
            {
                "name": character["id"],
                "type": TYPES.get(character["kind"], character["kind"]),
                "hit_points": character["hp_remaining"],
                "tough": character["tough"],
                "cannot_take_damage": character.get("cannot_take_damage", False),
            }
        )
    to = {"scope": "group"} if told["dealt_to"] == "group" else {"to": told["dealt_to"]}
    return lethal.load(
        {
            "kind": "indirect",
            "amount": told["amount"],
            "players": [{"name": name, "characters": c} for name, c in players.items()],
            **to,
            **MORE.get(case["id"], {}),
        }
    )


def test_there_are_cases_of_both_forms() -> None:
    assert len(CASES) == 20
    assert len(DIVIDED) == 14


@pytest.mark.parametrize("engine", ["diagram", "cpsat"])
@pytest.mark.parametrize("name", DIVIDED)
def test_a_reported_division_is_counted_and_judged_right(name: str, engine: str) -> None:
    case = DIVIDED[name]
    made, expected = scenario(case), case["expected"]
    legal = made.legal(engine)
    listed = list(legal)
    if "count" in expected:
        assert legal.count() == expected["count"] == len(set(listed))
    assert {sum(a.row) for a in listed} == {expected["assigned_total"]}
    for amounts in expected.get("legal", []):
        assert {SOURCE: amounts} in legal
        assert made.outcome({SOURCE: amounts})["ignored"] == expected["ignored"]
    for wrong in expected.get("illegal", []):
        found = made.check({SOURCE: wrong["assignment"]}, engine=engine)
        assert not found.legal
        assert found.violations
        assert found.nearest in legal


def outcome(name: str, **amounts: int) -> dict[str, Any]:
    return scenario(DIVIDED[name]).outcome({SOURCE: amounts})


def test_tough_absorbs_up_to_the_hit_points() -> None:
    want = CASES["mc-tough-absorbs-up-to-hp"]["expected"]
    result = want["result_if"]["Shielded=3,Hero=2"]
    found = outcome("mc-tough-absorbs-up-to-hp", Shielded=3, Hero=2)
    assert found["taken"] == {"Hero": result["Hero_taken"], "Shielded": result["Shielded_taken"]}
    assert 1 - found["tough_spent"]["Shielded"] == result["Shielded_tough_after"]
    made = scenario(CASES["mc-tough-absorbs-up-to-hp"])
    least = min(made.outcome(a)["taken"].get("Hero", 0) for a in made.legal("cpsat"))
    assert least == want["min_damage_actually_taken_by_identity"]


def test_lethal_damage_on_a_tough_identity_does_not_defeat_it() -> None:
    result = CASES["mc-tough-identity-1-point"]["expected"]["result_if"]["only"]
    found = outcome("mc-tough-identity-1-point", Hero=2, Ally=1)
    assert found["taken"]["Hero"] == result["Hero_taken"]
    assert found["tough_spent"] == {"Hero": 1 - result["Hero_tough_after"]}
    assert found["defeated"] == result["defeated"]


@pytest.mark.parametrize(
    ("name", "amounts"),
    [("mc-excess-ignored", {"Hero": 2, "Ally": 1}), ("mc-simultaneous-resolution", {"Hero": 2, "Ally": 2})],
)
def test_all_are_defeated_together(name: str, amounts: dict[str, int]) -> None:
    assert outcome(name, **amounts)["defeated"] == CASES[name]["expected"]["result_if"]["only"]["defeated"]


def test_an_attack_after_indirect_damage_adds_up() -> None:
    case = CASES["mc-machine-gun-3"]
    want = case["expected"]["result_if"]["JJ=2,SW=1 then undefended 2"]
    board = after(scenario(case).value, {SOURCE: {"Jessica Jones": 2, "Spider-Woman": 1}})
    found = resolve(board.characters.values(), {"Spider-Woman": 2}).characters
    assert found["Jessica Jones"].damage == want["Jessica Jones_damage"]
    assert found["Spider-Woman"].damage == want["Spider-Woman_damage"]


def test_sandmans_attack_is_best_put_on_the_ally_and_attacks_the_identity() -> None:
    case = CASES["mc-sandman-indirect-attack"]
    made = lethal.load(scenario(case).document | {"mode": "enemy-attack"})
    best = made.best("ready", "cpsat")
    assert best is not None
    assert best.assignment == {SOURCE: case["expected"]["optimal"]["assignment"]}
    assert made.outcome(best.assignment)["attacked"] == case["expected"]["considered_attacked"]


def test_no_eligible_character_means_that_nothing_happens() -> None:
    document = scenario(CASES["mc-old-rrg-explosion"]).document
    alone = [{"name": "P1", "characters": document["players"][0]["characters"][:1]}]
    made = lethal.load(document | {"players": alone})
    assert list(made.legal("cpsat")) == [{}]
    assert made.outcome({})["taken"] == {}


# Attacks that are not divided ---------------------------------------------------------------------


def character(told: Mapping[str, Any], **more: Any) -> Character:
    kind = TYPES.get(told["kind"], told["kind"])
    return Character(
        told["id"], kind, told["hp_remaining"], tough=told["tough"], player=told["controller"], **more
    )


def attack(name: str, *effects: Effect, spills: Mapping[str, str] | None = None) -> Outcome:
    """The attack of a case on its defender or target, everyone else standing by."""
    told = CASES[name]["scenario"]
    target = told.get("defender") or told["target"]
    others = [*told.get("identities", []), *([told["villain"]] if "villain" in told else [])]
    stages = (told["next_stage_hp"],) if "next_stage_hp" in told else ()
    dealt = attack_damage(told["attack"]["damage"], target.get("DEF", 0))
    settings = Settings(
        effects=effects, keywords=frozenset(told["attack"]["keywords"]), spills=dict(spills or {})
    )
    return resolve(
        [character(target, stages=stages), *(character(c) for c in others)], {target["id"]: dealt}, settings
    )


def damage(found: Outcome) -> dict[str, int]:
    """Damage on everyone, for those defeated no more than they had hit points left."""
    return {n: c.damage - found.excess_taken.get(n, 0) for n, c in found.characters.items()}


def test_excess_goes_to_the_identity_of_the_defending_allys_controller() -> None:
    found = attack("mc-overkill-ally-defends-other-player", spills={"Black Cat": "Spider-Man"})
    want = CASES["mc-overkill-ally-defends-other-player"]["expected"]
    assert damage(found) == want["damage"]
    assert list(found.defeated) == want["defeated"]


def test_excess_can_be_increased_on_its_way_to_the_villain() -> None:
    more = Effect("increase", "Blackjack O'Hare", 1, stage="excess")
    found = attack("mc-overkill-plus-excess-bonus", more, spills={"Blackjack O'Hare": "Drang"})
    assert damage(found) == CASES["mc-overkill-plus-excess-bonus"]["expected"]["damage"]


def test_a_villain_that_takes_more_from_each_attack_takes_more_of_overkill() -> None:
    more = Effect("increase", "Villain", 1, stage="taken")
    found = attack("mc-overkill-taken-modifier", more, spills={"Minion": "Villain"})
    assert damage(found) == CASES["mc-overkill-taken-modifier"]["expected"]["damage"]


@pytest.mark.parametrize("name", ["mc-tough-kept-when-def-covers", "mc-two-tough-cards-one-instance"])
def test_tough_cards_after_an_attack(name: str) -> None:
    found, want = attack(name), CASES[name]["expected"]
    assert damage(found) == want["damage"]
    assert {n: c.tough for n, c in found.characters.items()} == want["tough_after"]


def test_damage_does_not_carry_over_to_the_next_villain_stage() -> None:
    found = attack("mc-villain-stage-no-carry")
    assert (
        found.characters["Stage I"].damage
        == CASES["mc-villain-stage-no-carry"]["expected"]["damage_next_stage"]
    )
    assert found.characters["Stage I"].hit_points == 15


def test_every_case_is_used() -> None:
    tested = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in CASES if name not in DIVIDED and f'"{name}"' not in tested] == []


def test_the_board_after_damage_is_a_board_again() -> None:
    value = scenario(CASES["mc-machine-gun-3"]).value
    again = after(replace(value, amount=1), {SOURCE: {"Jessica Jones": 1}})
    assert again.characters["Jessica Jones"].remaining == 2
