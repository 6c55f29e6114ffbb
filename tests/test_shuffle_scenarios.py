"""A shuffle document through the front door: what it did, what its viewer believes, and the examples."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lethal
from lethal.shuffles import belief, resolution

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("shuffle-*.toml"))


def tutor(**keys: Any) -> lethal.Scenario:
    return lethal.load(
        {
            "kind": "shuffle",
            "library": {"owner": "me", "cards": [["X", 4], ["Y", 49]]},
            "players": ["you"],
            "instructions": [{"do": "search", "found": ["X"]}],
            **keys,
        }
    )


def test_a_card_put_on_top_unseen_is_known_to_the_one_who_searched_and_to_nobody_else() -> None:
    mine, yours = (belief(tutor(), viewer) for viewer in ("me", "you"))
    assert mine.chance("X") == 1
    assert mine.chance("X", 1) == Fraction(3, 52)
    assert yours.chance("X") == yours.chance("X", 1) == Fraction(4, 53)


def test_a_card_that_was_shown_is_known_to_all() -> None:
    shown = tutor(instructions=[{"do": "search", "found": ["X"], "shown": True}])
    assert belief(shown, "you").chance("X") == 1


def test_what_was_known_before_the_shuffle_is_forgotten_and_facts_after_it_count() -> None:
    scenario = tutor(
        knowledge={"top": ["Y"], "facts": [{"names": ["X"], "positions": [1, 2, 3]}]}, instructions=[]
    )
    assert belief(scenario).chance("Y") == 1
    shuffled = lethal.load({**scenario.document, "instructions": [{"do": "shuffle"}]})
    found = belief(shuffled)
    assert found.within("X", 3) == 1
    assert found.expected("X", 3) == Fraction(3 * 4, 53) / (1 - Fraction(49 * 48 * 47, 53 * 52 * 51))
    assert resolution(shuffled).steps[0].erased == {"me": ((0, "Y"),)}


def test_the_order_in_which_a_document_lists_the_cards_is_never_read() -> None:
    """The true order of a library may stand in `cards`: nothing that is answered depends on it."""
    cards = ["X", "Y", "Y", "X", "Z", "Y", "Z", "X"]
    one, two = (
        tutor(
            library={"owner": "me", "cards": order}, knowledge={"facts": [{"names": ["Y"], "positions": [2]}]}
        )
        for order in (cards, cards[::-1])
    )
    drawn = [scenario.legal().sample(np.random.default_rng(6), 40) for scenario in (one, two)]
    assert drawn[0] == drawn[1]
    mine = [belief(scenario).sample(np.random.default_rng(6), 40) for scenario in (one, two)]
    assert (mine[0] == mine[1]).all()
    assert resolution(one).events == resolution(two).events


def test_facts_of_a_document_that_contradict_each_other_are_named_in_words() -> None:
    facts = [
        {"names": ["X"], "positions": [1, 2, 3]},
        {"names": ["Y"], "positions": [2]},
        {"names": ["Y"], "positions": [1, 3, 2], "least": 3},
    ]
    found = belief(tutor(instructions=[], knowledge={"facts": facts}))
    assert not found.possible
    assert found.conflict() == ("at least 1 of X at 1 to 3", "Y at 1 to 3")
    assert belief(tutor(instructions=[], knowledge={"facts": facts[:2]})).why_not("X", 1) == ("Y at 2",)


def test_the_orders_asked_for_are_those_of_the_library_that_knowledge_is_about() -> None:
    two = [{"owner": "me", "cards": ["A", "B"]}, {"owner": "you", "cards": ["C", "D", "E", "F"]}]
    known = {"library": "you", "viewer": "me", "top": ["D"], "facts": [{"names": ["E"], "positions": [-1]}]}
    scenario = lethal.load({"kind": "shuffle", "libraries": two, "knowledge": known})
    assert scenario.legal().count() == belief(scenario).count() == 2
    assert belief(scenario).chance("E", -1) == 1
    assert lethal.load({"kind": "shuffle", "libraries": two}).legal().count() == 2


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_belief_and_problem_of_an_example_count_the_same_orders(path: Path) -> None:
    scenario = lethal.load(path)
    assert scenario.problems() == []
    assert belief(scenario).count() == scenario.legal().count() > 0


def test_examples_are_found() -> None:
    assert len(EXAMPLES) >= 3


def test_a_combat_shuffles_nothing() -> None:
    combat = lethal.load({"kind": "combat", "attackers": [{"name": "a", "power": 1, "toughness": 1}]})
    with pytest.raises(ValueError, match="shuffles nothing"):
        resolution(combat)
