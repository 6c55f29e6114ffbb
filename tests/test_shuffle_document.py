"""Documents of kind "shuffle": every defect is named, and the orders they allow are those the viewer holds
possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from lethal.models.document import DocumentError
from lethal.models.shuffle_document import read_shuffle
from lethal.models.shuffle_orders import build, outcome
from lethal.solver.evaluate import holds


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
        (
            {
                "library": {"cards": ["a", "b"]},
                "instructions": [{"do": "search", "found": ["a"], "apart": {"b": "hand"}}],
            },
            "instructions[0].apart.b: no 'b' is found",
        ),
        (
            {
                "library": {"cards": ["a"]},
                "zones": {"hand": ["b"]},
                "instructions": [{"do": "search", "found": ["b"], "put": "before"}],
            },
            "b is not in player's library",
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
