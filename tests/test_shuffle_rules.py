"""What instructions to shuffle do: the sentences and examples of the dated rule, and what people reported."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from reported import cases

from lethal.models.document import DocumentError
from lethal.models.shuffle import resolve
from lethal.models.shuffle_document import read_shuffle
from lethal.models.shuffle_orders import build, outcome
from lethal.models.shuffle_types import VINTAGES, Resolution, Shuffled
from lethal.solver.evaluate import holds

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
def test_a_shuffle_randomises_all_cards_so_that_no_player_knows_their_order(rules: str) -> None:
    knowledge = {"viewer": "P1", "top": ["b", "a"]}
    found = done(rules, instructions=[{"do": "shuffle"}], knowledge=knowledge)
    assert names(found) == [None] * 5
    step = only(found.steps)
    assert sorted(step.took_part) == list("abcde")
    assert step.erased == {"P1": ((0, "b"), (1, "a"))}
    assert step.rule == f"{LETTERS[rules]}a"


@pytest.mark.parametrize("rules", ALL)
def test_b_a_face_down_pile_is_shuffled_and_is_no_library(rules: str) -> None:
    keys = {"zones": {"pile": ["x", "y"]}, "instructions": [{"do": "shuffle", "pile": "pile"}]}
    found = done(rules, **keys, watchers=[{"name": "W", "controller": "P1"}])
    assert only(found.steps).took_part == ("x", "y")
    assert only(found.steps).shuffled
    assert found.triggers == {"W": 0}
    assert found.libraries["P1"].pool == tuple("abcde")


@pytest.mark.parametrize("rules", ALL)
@pytest.mark.parametrize(("at", "places"), [("top", 0), ("bottom", 4), (3, 2)])
def test_found_cards_put_at_a_position_are_not_in_the_shuffle_and_it_triggers(
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


def test_a_found_card_that_goes_elsewhere_after_the_shuffle_is_in_it_until_the_newer_text() -> None:
    took_part = {}
    for rules in ALL:
        found = done(rules, instructions=[{"do": "search", "found": ["d"], "to": "hand"}])
        took_part[rules] = "d" in only(found.steps).took_part
        assert found.zones["hand"] == ("d",)
        assert len(found.libraries["P1"].places) == 4
    assert took_part == {"2011": True, "2012": True, "2026": False}


GUILE = {
    "zones": {"graveyard": [], "exile": ["Guile"]},
    "instructions": [{"do": "shuffle-in", "objects": ["Guile"], "cause": "ability"}],
    "watchers": [{"name": "W", "controller": "P1"}],
}


def test_c_guile_exiled_in_response_shuffles_nothing_in_2012_and_the_library_in_2026() -> None:
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
def test_one_of_several_objects_where_expected_is_enough(rules: str) -> None:
    keys = {
        "zones": {"graveyard": ["g"], "exile": ["h"]},
        "instructions": [{"do": "shuffle-in", "objects": ["g", "h"]}],
    }
    found = done(rules, **keys)
    assert only(found.steps).added == ("g",)
    assert found.zones["exile"] == ("h",)


@pytest.mark.parametrize("replaced", ["exile", "stays"])
def test_objects_kept_or_moved_elsewhere_still_shuffle_today_and_did_not_in_the_variant(
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
def test_d_loaming_shaman_without_targets_still_shuffles(rules: str, letter: str) -> None:
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
@pytest.mark.parametrize("cards", [[], ["a"]])
def test_e_a_library_of_no_card_or_one_is_shuffled_for_triggers(rules: str, cards: list[str]) -> None:
    keys = {"library": {"owner": "P1", "cards": cards}, "watchers": [{"name": "W", "controller": "P1"}]}
    assert done(rules, **keys, instructions=[{"do": "shuffle"}]).triggers == {"W": 1}


@pytest.mark.parametrize("rules", ALL)
def test_f_two_effects_at_the_same_time_trigger_twice_on_one_order(rules: str) -> None:
    together = {"do": "together", "parts": [{"do": "shuffle"}, {"do": "shuffle"}]}
    found = done(rules, instructions=[together], watchers=[{"name": "W", "controller": "P1"}])
    assert found.triggers == {"W": 2}
    assert len(found.steps) == len(found.events) == 1


def test_effects_one_after_the_other_are_events_of_their_own() -> None:
    found = done(
        instructions=[{"do": "shuffle"}, {"do": "shuffle"}], watchers=[{"name": "W", "controller": "P1"}]
    )
    assert found.triggers == {"W": 2}
    assert [event.times for event in found.events] == [1, 1]


def test_g_a_card_put_on_top_at_the_same_time_is_not_in_the_shuffle() -> None:
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
    checked = {key: answers[key] for key in expected if key != "orders"}
    assert checked == {key: expected[key] for key in expected if key != "orders"}
    told = cases("shuffle")[case["id"]]["expected"]
    assert {key: answers[key] for key in ("shuffled", "shuffle_events") if key in told} == {
        key: told[key] for key in ("shuffled", "shuffle_events") if key in told
    }
    if "triggers" in told:
        assert next(iter(found.triggers.values())) == told["triggers"]


# The document.


def test_every_defect_of_a_document_is_named_with_its_place() -> None:
    document = {
        "kind": "shuffle",
        "rules": "2012",
        "library": {"owner": "P1", "cards": ["Island", ["Forest", 2]]},
        "instructions": [
            {"do": "search", "found": ["Forrest"]},
            {"do": "shuffle", "libraries": ["P3"], "pile": "heap"},
            {"do": "together"},
        ],
        "owners": {"x": "P9"},
        "knowledge": {"top": ["Island"], "at": {"1": "Forest", "9": "Forest", "x": "Forest"}},
        "watchers": [{"name": "W", "controller": "P1"}, {"name": "W", "controller": "P2"}],
    }
    with pytest.raises(DocumentError) as error:
        read_shuffle(document)
    told = "\n".join(error.value.defects)
    assert "instructions[0].found[0]: no 'Forrest' is in the library; did you mean 'Forest'?" in told
    assert "instructions[1].library: 'P3' has no library" in told
    assert len(error.value.defects) == 9
    for place in (
        "instructions[1].pile", "instructions[2].parts", "owners.x", "knowledge.at.1", "knowledge.at.9",
        "knowledge.at.x", "watchers[1].name",
    ):  # fmt: skip
        assert place in told


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (
            {"library": {"owner": "P1", "cards": ["a"]}, "instructions": [{"do": "sort"}]},
            "instructions[0].do",
        ),
        ({}, "library: there must be a library"),
        ({"library": {"cards": ["a"]}, "knowledge": {"top": ["a", "a"]}}, "knowledge"),
        (
            {"library": {"cards": ["a"]}, "knowledge": {"facts": [{"names": ["a"], "positions": [4]}]}},
            "beyond a library of 1",
        ),
        (
            {
                "library": {"cards": ["a"]},
                "instructions": [
                    {"do": "search", "found": ["a"], "to": "hand"},
                    {"do": "search", "found": ["a"]},
                ],
            },
            "instructions: a is not in player's library",
        ),
    ],
)
def test_a_document_that_cannot_be_is_refused(keys: dict[str, Any], place: str) -> None:
    with pytest.raises(DocumentError, match=place.replace("[", r"\[").replace("]", r"\]")):
        read_shuffle({"kind": "shuffle", **keys})


def test_the_problem_of_a_document_allows_just_the_orders_that_the_viewer_holds_possible() -> None:
    document = {
        "kind": "shuffle",
        "library": {"owner": "P1", "cards": [["a", 2], "b", "c"]},
        "instructions": [{"do": "search", "found": ["b"]}],
        "knowledge": {"facts": [{"names": ["a"], "positions": [-1]}]},
    }
    value, _ = read_shuffle(document)
    problem = build(value)
    orders = [
        order for order in ("baca", "bcaa", "baac", "abca") if holds(problem, row(problem.columns, order))
    ]
    assert orders == ["baca", "bcaa"]
    told = outcome(
        value, {"b": {"position 1": 1}, "c": {"position 2": 1}, "a": {"position 3": 1, "position 4": 1}}
    )
    assert told["order"] == list("bcaa")
    assert told["steps"][0]["excluded"] == ["b"]


def row(columns: Iterable[tuple[str, str]], order: str) -> list[int]:
    return [int(order[int(where.split()[1]) - 1] == name) for name, where in columns]
