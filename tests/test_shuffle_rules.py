"""What instructions to shuffle do: the sentences and examples of the dated rule, and what people reported."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from reported import cases

from lethal.models.shuffle import resolve
from lethal.models.shuffle_document import read_shuffle
from lethal.models.shuffle_orders import build
from lethal.models.shuffle_types import VINTAGES, Resolution, Shuffled
from lethal.solver.engine import make

CASES = json.loads((Path(__file__).parent / "cases" / "shuffle.json").read_text(encoding="utf-8"))
ALL = tuple(VINTAGES)
LETTERS = {name: f"701.{'24' if name == '2026' else '15'}" for name in ALL}


def done(rules: str = "2026", **keys: Any) -> Resolution:
    document = {"kind": "shuffle", "rules": rules, "library": {"owner": "P1", "cards": list("abcde")}, **keys}
    return resolve(read_shuffle(document)[0])


def only(steps: Iterable[Shuffled]) -> Shuffled:
    (step,) = steps
    return step


def names(resolution: Resolution, owner: str = "P1") -> list[str | None]:
    return [place.held for place in resolution.libraries[owner].places]


# The sentences of the rule, one test each; a letter is that of the 2012 text.


@pytest.mark.parametrize("rules", ALL)
def test_701_15a_a_shuffle_randomises_all_cards_so_that_no_player_knows_their_order(rules: str) -> None:
    knowledge = {"viewer": "P1", "top": ["b", "a"]}
    found = done(rules, instructions=[{"do": "shuffle"}], knowledge=knowledge)
    assert names(found) == [None] * 5
    step = only(found.steps)
    assert sorted(step.took_part) == list("abcde")
    assert step.erased == {"P1": ((0, "b"), (1, "a"))}
    assert step.rule == f"{LETTERS[rules]}a"


@pytest.mark.parametrize("rules", ALL)
def test_701_15a_what_was_shown_to_all_is_known_to_nobody_afterwards(rules: str) -> None:
    put = {"do": "put", "objects": ["x"], "expected": "hand", "shown": True}
    search = {"do": "search", "found": ["b"], "at": "bottom"}
    found = done(rules, zones={"hand": ["x"]}, players=["P2"], instructions=[put, search, {"do": "shuffle"}])
    assert names(found) == [None] * 6
    # The first shuffle loses the card that both saw, the second the one that only its finder knew.
    assert [step.erased for step in found.steps] == [
        {"P1": ((0, "x"),), "P2": ((0, "x"),)},
        {"P1": ((5, "b"),)},
    ]


def test_what_is_forgotten_is_told_at_the_positions_before_a_card_was_found() -> None:
    known = {"top": ["b", "a"], "bottom": ["c"]}
    for keys in ({}, {"to": "hand", "put": "before"}):
        found = done(instructions=[{"do": "search", "found": ["a"], **keys}], knowledge=known)
        assert only(found.steps).erased == {"P1": ((0, "b"), (4, "c"))}


@pytest.mark.parametrize("rules", ALL)
def test_701_15a_a_face_down_pile_is_shuffled_and_is_no_library(rules: str) -> None:
    keys = {"zones": {"pile": ["x", "y"]}, "instructions": [{"do": "shuffle", "pile": "pile"}]}
    found = done(rules, **keys, watchers=[{"name": "W", "controller": "P1"}])
    assert only(found.steps).took_part == ("x", "y")
    assert only(found.steps).shuffled
    assert found.triggers == {"W": 0}
    assert found.libraries["P1"].pool == tuple("abcde")


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(("at", "places"), [("top", 0), ("bottom", 4), (3, 2)])
def test_701_15b_found_cards_put_at_a_position_are_not_in_the_shuffle_and_it_triggers(
    rules: str, at: str | int, places: int
) -> None:
    found = done(
        rules,
        instructions=[{"do": "search", "found": ["d"], "at": at}],
        watchers=[{"name": "W", "controller": "P2"}],
    )
    step = only(found.steps)
    assert (step.excluded, sorted(step.took_part)) == (("d",), list("abce"))
    assert names(found)[places] == "d"
    assert found.triggers == {"W": 1}
    assert step.rule == f"{LETTERS[rules]}b"


@pytest.mark.parametrize("rules", ALL)
def test_a_found_card_that_leaves_before_the_shuffle_has_left(rules: str) -> None:
    found = done(rules, instructions=[{"do": "search", "found": ["d"], "to": "hand", "put": "before"}])
    assert sorted(only(found.steps).took_part) == list("abce")
    assert found.zones["hand"] == ("d",)


@pytest.mark.parametrize("rules", ALL)
def test_701_15b_all_cards_but_those_found_are_shuffled_wherever_each_of_them_is_put(rules: str) -> None:
    search = {"do": "search", "found": ["d", "a", "c"], "apart": {"a": "bottom", "c": 2}}
    found = done(rules, instructions=[search], watchers=[{"name": "W", "controller": "P2"}])
    step = only(found.steps)
    assert (step.excluded, sorted(step.took_part)) == (("d", "a", "c"), list("be"))
    assert names(found) == ["d", "c", None, None, "a"]
    assert step.fixed == {0: "d", 1: "c", 4: "a"}
    assert found.triggers == {"W": 1}


def test_701_24b_some_of_the_found_cards_go_to_another_zone() -> None:
    search = {"do": "search", "found": ["d", "a"], "apart": {"a": "hand"}}
    for rules, took_part in (("2012", "abce"), ("2026", "bce")):
        found = done(rules, instructions=[{**search, "at": 3}])
        assert names(found) == [None, None, "d", None]
        found = done(rules, instructions=[search])
        assert sorted(only(found.steps).took_part) == list(took_part)
        assert names(found) == ["d", None, None, None]
        assert found.zones["hand"] == ("a",)
        assert sorted(found.libraries["P1"].pool) == list("bce")


def test_701_24b_a_found_card_that_goes_elsewhere_after_the_shuffle_is_in_it_until_the_newer_text() -> None:
    took_part = {}
    for rules in ALL:
        found = done(rules, instructions=[{"do": "search", "found": ["d"], "to": "hand"}])
        took_part[rules] = "d" in only(found.steps).took_part
        assert found.zones["hand"] == ("d",)
        assert len(found.libraries["P1"].places) == 4
    assert took_part == {"2011": True, "2012": True, "2026": False}


@pytest.mark.parametrize("rules", ALL)
def test_701_15c_several_objects_none_of_which_is_where_it_is_expected(rules: str) -> None:
    keys = {
        "zones": {"graveyard": ["x"], "exile": ["g", "h"]},
        "instructions": [{"do": "shuffle-in", "objects": ["g", "h"]}],
    }
    found = done(rules, **keys)
    assert (found.shuffled, only(found.steps).added) == (rules == "2026", ())
    assert found.zones == {"graveyard": ("x",), "exile": ("g", "h")}


GUILE = {
    "zones": {"graveyard": [], "exile": ["Guile"]},
    "instructions": [{"do": "shuffle-in", "objects": ["Guile"], "cause": "ability"}],
    "watchers": [{"name": "W", "controller": "P1"}],
}


def test_701_15c_guile_exiled_in_response_shuffles_nothing_in_2012_and_the_library_in_2026() -> None:
    found = {rules: done(rules, **GUILE) for rules in ALL}
    assert {rules: f.shuffled for rules, f in found.items()} == {"2011": False, "2012": False, "2026": True}
    assert {rules: f.triggers["W"] for rules, f in found.items()} == {"2011": 0, "2012": 0, "2026": 1}
    assert all(only(f.steps).rule == f"{LETTERS[rules]}c" for rules, f in found.items())
    assert all(f.zones["exile"] == ("Guile",) for f in found.values())
    assert all(len(f.libraries["P1"].places) == 5 for f in found.values())


@pytest.mark.parametrize("rules", ALL)
def test_guile_found_where_it_is_expected_is_shuffled_in(rules: str) -> None:
    found = done(rules, **{**GUILE, "zones": {"graveyard": ["Guile"]}})
    assert only(found.steps).added == ("Guile",)
    assert "Guile" in only(found.steps).took_part
    assert found.zones["graveyard"] == ()


@pytest.mark.parametrize("rules", ALL)
def test_701_15c_one_of_several_objects_where_expected_is_enough(rules: str) -> None:
    keys = {
        "zones": {"graveyard": ["g"], "exile": ["h"]},
        "instructions": [{"do": "shuffle-in", "objects": ["g", "h"]}],
    }
    found = done(rules, **keys)
    assert only(found.steps).added == ("g",)
    assert found.zones["exile"] == ("h",)


@pytest.mark.parametrize("replaced", ["exile", "stays"])
def test_701_24c_objects_kept_or_moved_elsewhere_still_shuffle_today_and_did_not_in_the_variant(
    replaced: str,
) -> None:
    keys = {
        "zones": {"stack": ["Zenith"]},
        "instructions": [
            {"do": "shuffle-in", "objects": ["Zenith"], "expected": "stack", "replaced": {"Zenith": replaced}}
        ],
    }
    found = {rules: done(rules, **keys) for rules in ALL}
    assert {rules: f.shuffled for rules, f in found.items()} == {"2011": False, "2012": True, "2026": True}
    assert [only(found[rules].steps).rule for rules in ("2011", "2026")] == ["701.15d", "701.24c"]
    assert "does not say" in only(found["2012"].notes)
    assert all(
        f.zones["stack" if replaced == "stays" else "exile"] == ("Zenith",) and not only(f.steps).added
        for f in found.values()
    )


@pytest.mark.parametrize(("rules", "letter"), [("2011", "e"), ("2012", "d"), ("2026", "d")])
def test_701_15d_loaming_shaman_without_targets_still_shuffles(rules: str, letter: str) -> None:
    keys = {
        "zones": {"graveyard": ["x"]},
        "libraries": [{"owner": "P2", "cards": ["q", "r"]}],
        "watchers": [{"name": "W", "controller": "P1", "when": "opponent"}],
    }
    shaman = {"do": "shuffle-in", "set": True, "libraries": ["P2"], "cause": "ability", "controller": "P1"}
    found = done(rules, **keys, instructions=[shaman])
    assert only(found.steps).shuffled
    assert only(found.steps).rule == LETTERS[rules] + letter
    assert found.triggers == {"W": 1}
    assert found.zones["graveyard"] == ("x",)


@pytest.mark.parametrize("rules", ALL)
def test_701_15d_a_set_that_holds_objects_is_shuffled_in(rules: str) -> None:
    keys = {"zones": {"graveyard": ["x", "y"]}, "watchers": [{"name": "W", "controller": "P1"}]}
    found = done(rules, **keys, instructions=[{"do": "shuffle-in", "set": True, "objects": ["x", "y"]}])
    assert only(found.steps).added == ("x", "y")
    assert sorted(only(found.steps).took_part) == list("abcdexy")
    assert found.triggers == {"W": 1}


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("cards", [[], ["a"]])
def test_701_15e_a_library_of_no_card_or_one_is_shuffled_for_triggers(rules: str, cards: list[str]) -> None:
    keys = {"library": {"owner": "P1", "cards": cards}, "watchers": [{"name": "W", "controller": "P1"}]}
    assert done(rules, **keys, instructions=[{"do": "shuffle"}]).triggers == {"W": 1}


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize("times", [2, 3])
def test_701_15f_effects_at_the_same_time_trigger_that_many_times_on_one_order(
    rules: str, times: int
) -> None:
    together = {"do": "together", "parts": [{"do": "shuffle"}] * times}
    found = done(rules, instructions=[together], watchers=[{"name": "W", "controller": "P1"}])
    assert found.triggers == {"W": times}
    assert len(found.steps) == len(found.events) == 1


def test_effects_one_after_the_other_are_events_of_their_own() -> None:
    found = done(
        instructions=[{"do": "shuffle"}, {"do": "shuffle"}], watchers=[{"name": "W", "controller": "P1"}]
    )
    assert found.triggers == {"W": 2}
    assert [event.times for event in found.events] == [1, 1]


def test_701_24g_a_card_put_on_top_at_the_same_time_is_not_in_the_shuffle() -> None:
    parts = [
        {"do": "put", "objects": ["Zombie"], "shown": True},
        {"do": "shuffle-in", "objects": ["Colossus"]},
    ]
    for rules in ALL:
        found = done(
            rules,
            zones={"graveyard": ["Colossus", "Zombie"]},
            instructions=[{"do": "together", "parts": parts}],
        )
        assert names(found) == ["Zombie"] + [None] * 6
        assert "Colossus" in only(found.steps).took_part
        assert only(found.steps).erased == {}
        assert bool(found.notes) == (rules != "2026")  # only the newer text says so
    assert only(found.steps).rule == "701.24g"


@pytest.mark.parametrize("letter", ["15a", "15b", "15c", "15d", "15e", "15f", "24b", "24c", "24g"])
def test_each_letter_of_the_rule_has_a_test_that_names_it(letter: str) -> None:
    assert any(name.startswith(f"test_701_{letter}_") for name in globals())


# What abilities that watch see: whose library, who shuffles, by which cause.


WATCHERS = [
    {"name": "Cosi's Trickster", "controller": "P1", "when": "opponent"},
    {"name": "Psychogenic Probe", "controller": "P1", "when": "spell-or-ability"},
    {"name": "Widespread Panic", "controller": "P1", "when": "its-controller"},
    {"name": "own", "controller": "P1", "when": "you"},
]
TWO = [{"owner": "P2", "cards": ["q", "r"]}]


@pytest.mark.parametrize(
    ("instruction", "seen"),
    [
        ({"libraries": ["P1"]}, [0, 1, 1, 1]),
        ({"libraries": ["P2"]}, [1, 1, 1, 0]),
        ({"libraries": ["P2"], "controller": "P1"}, [1, 1, 0, 0]),
        ({"libraries": ["P1"], "controller": "P2", "cause": "ability"}, [0, 1, 0, 1]),
        ({"libraries": ["P2"], "cause": "rule"}, [1, 0, 0, 0]),
        ({"libraries": ["P2"], "player": "P1", "controller": "P1"}, [0, 0, 0, 1]),  # not their own library
        ({"libraries": ["P1"], "player": "P2", "controller": "P2"}, [0, 0, 0, 0]),
        ({"libraries": ["P2"], "cause": "judge"}, [0, 0, 0, 0]),
        ({"libraries": ["P1", "P2"], "controller": "P1"}, [1, 2, 1, 1]),
        ({"libraries": ["P2"], "resolves": False}, [0, 0, 0, 0]),
    ],
)
def test_triggers_ask_whose_library_who_shuffles_and_what_caused_it(
    instruction: dict[str, Any], seen: list[int]
) -> None:
    found = done(libraries=TWO, instructions=[{"do": "shuffle", **instruction}], watchers=WATCHERS)
    assert list(found.triggers.values()) == seen


def test_objects_go_to_their_owners_libraries_and_each_is_shuffled() -> None:
    found = done(
        libraries=TWO,
        owners={"x": "P1", "y": "P2"},
        zones={"graveyard": ["x", "y"]},
        instructions=[{"do": "shuffle-in", "objects": ["x", "y"], "set": True, "libraries": ["P1", "P2"]}],
    )
    assert [(step.library, step.added) for step in found.steps] == [("P1", ("x",)), ("P2", ("y",))]
    assert [event.library for event in found.events] == ["P1", "P2"]
    found = done(
        libraries=TWO,
        owners={"y": "P2"},
        zones={"graveyard": ["y"]},
        instructions=[{"do": "shuffle-in", "objects": ["y"]}],
    )
    assert [step.library for step in found.steps] == ["P2"]


def test_an_effect_without_a_legal_target_shuffles_nothing() -> None:
    for instruction in ({"do": "search", "found": ["a"]}, {"do": "shuffle-in", "set": True}):
        found = done(instructions=[{**instruction, "resolves": False}])
        assert (found.shuffled, only(found.steps).rule) == (False, "608.2b")
        assert len(found.libraries["P1"].places) == 5


def test_a_card_found_after_a_shuffle_comes_from_the_random_ones() -> None:
    found = done(
        instructions=[{"do": "shuffle"}, {"do": "search", "found": ["c"]}, {"do": "search", "found": ["e"]}]
    )
    assert names(found) == ["e"] + [None] * 4
    assert sorted(found.libraries["P1"].pool) == list("abcd")


# What people reported.


def test_every_reported_shuffle_is_among_the_cases() -> None:
    assert {case["id"] for case in CASES} == set(cases("shuffle"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_reported_cases_have_the_answer_of_the_rules(case: dict[str, Any]) -> None:
    value, _ = read_shuffle(case["document"])
    found, expected = resolve(value), case["expected"]
    last = found.steps[-1]
    owner = next(iter(found.libraries))
    places = names(found, owner)
    answers = {
        "orders": make("diagram", build(value)).count(),
        "shuffled": found.shuffled,
        "shuffle_events": found.shuffle_events,
        "triggers": found.triggers,
        "excluded": list(last.excluded),
        "added": list(last.added),
        "randomised": len(last.took_part),
        "rule": last.rule,
        "size": len(places),
        "top": places[: len(expected.get("top", []))],
        "bottom": places[len(places) - len(expected.get("bottom", [])) :],
        "erased": {who: {str(at + 1): n for at, n in lost} for who, lost in last.erased.items()},
        "unknown": [at for at in expected.get("unknown", []) if places[at - 1] is None],
        "zones": {
            zone: list(held) for zone, held in found.zones.items() if zone in expected.get("zones", {})
        },
    }
    assert {key: answers[key] for key in expected} == expected
    told = cases("shuffle")[case["id"]]["expected"]
    assert {key: answers[key] for key in ("shuffled", "shuffle_events") if key in told} == {
        key: told[key] for key in ("shuffled", "shuffle_events") if key in told
    }
    if "triggers" in told:
        assert next(iter(found.triggers.values())) == told["triggers"]
