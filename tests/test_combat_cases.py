"""Engines against the written cases: faults seen elsewhere, worked examples of the rules, separating boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import brute
import pytest

import lethal
from lethal.solver.assignments import Assignments

Case = dict[str, Any]

CASES = Path(__file__).parent / "cases"
SEEN: list[Case] = json.loads((CASES / "combat.json").read_text(encoding="utf-8"))
WORKED: list[Case] = json.loads((CASES / "worked.json").read_text(encoding="utf-8"))
MOST_ROWS = {
    "cpsat": 30_000,
    "diagram": 1_000_000,
}  # a longer list takes CP-SAT, which counts by listing, seconds

seen = pytest.mark.parametrize("case", SEEN, ids=lambda case: f"{case['id']}-{case['rules']}")
worked = pytest.mark.parametrize("case", WORKED, ids=lambda case: case["id"])
vintages = pytest.mark.parametrize("rules", brute.VINTAGES)


def legal_of(scenario: Case, engine: str, expected: int, **changes: str) -> Assignments:
    if expected > MOST_ROWS[engine]:
        pytest.skip(f"{engine} would list {expected} rows to answer")
    return lethal.load({**scenario, **changes}).legal(engine=engine)


def to_player(legal: Assignments) -> list[int]:
    return [brute.received(frozenset(assignment.given), "player") for assignment in legal]


@seen
def test_a_combat_that_engines_got_wrong_is_counted_right(case: Case, engine: str) -> None:
    expected = case["expected"]
    assert legal_of(case["scenario"], engine, expected["count"]).count() == expected["count"]


@seen
def test_its_blockers_are_counted_right(case: Case, engine: str) -> None:
    count = case["expected"]["count_blockers"]
    assert legal_of(case["scenario"], engine, count, assigning="blockers").count() == count


@seen
def test_its_assignments_are_told_apart(case: Case, engine: str) -> None:
    expected = case["expected"]
    legal = legal_of(case["scenario"], engine, expected["count"])
    assert [a for a in expected.get("legal", []) if a not in legal] == []
    assert [a for a in expected.get("illegal", []) if a in legal] == []


@seen
def test_no_more_and_no_less_than_stated_gets_through(case: Case, engine: str) -> None:
    expected = case["expected"]
    through = to_player(legal_of(case["scenario"], engine, expected["count"]))
    assert (min(through), max(through)) == (expected["least_to_player"], expected["most_to_player"])


@vintages
@worked
def test_a_worked_example_has_its_count_in_every_vintage(case: Case, rules: str, engine: str) -> None:
    count = case["counts"][rules]
    assert legal_of(case["scenario"], engine, count, rules=rules).count() == count


@vintages
@worked
def test_a_worked_example_tells_its_assignments_apart(case: Case, rules: str, engine: str) -> None:
    allowed, refused = (case.get(key, {}).get(rules, []) for key in ("legal", "illegal"))
    legal = legal_of(case["scenario"], engine, case["counts"][rules], rules=rules)
    assert [a for a in allowed if a not in legal] == []
    assert [a for a in refused if a in legal] == []


@pytest.mark.parametrize(
    ("case", "rules"),
    [(case, rules) for case in WORKED for rules in case.get("most_to_player", {})],
    ids=lambda value: value if isinstance(value, str) else value["id"],
)
def test_a_worked_example_lets_as_much_through_as_stated(case: Case, rules: str, engine: str) -> None:
    legal = legal_of(case["scenario"], engine, case["counts"][rules], rules=rules)
    assert max(to_player(legal)) == case["most_to_player"][rules]
