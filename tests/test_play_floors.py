"""How long outcomes and lines may take: floors, left to quiet machines."""

from __future__ import annotations

from typing import Any

import pytest
from timing import quickest

import lethal

pytestmark = pytest.mark.slow


def creature(name: str, power: int, toughness: int, *keywords: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "power": power, "toughness": toughness, "keywords": list(keywords), **more}


def test_the_outcomes_of_a_million_assignments_take_a_tenth_of_a_second():
    blockers = [creature(f"B{i}", 1, 5, blocks=["A"]) for i in range(8)]
    document = {"kind": "combat", "attackers": [creature("A", 21, 6, "Trample")], "blockers": blockers}
    scenario = lethal.load(document)
    assert scenario.legal().count() > 1_000_000
    assert len(scenario.outcomes()) < 500
    assert quickest(lambda: lethal.load(document).outcomes()) < 0.1


def test_the_line_of_four_attackers_and_five_blockers_takes_a_second():
    attackers = [
        creature("A", 4, 4, "First strike"),
        creature("B", 5, 5, "Trample", "First strike"),
        creature("C", 3, 3, "Double strike"),
        creature("D", 6, 6, "Trample"),
    ]
    blockers = [
        creature("V", 2, 3, "First strike", blocks=["A"]),
        creature("W", 3, 4, blocks=["A", "B"]),
        creature("X", 2, 3, blocks=["B", "C"]),
        creature("Y", 4, 5, blocks=["C", "D"]),
        creature("Z", 1, 2, blocks=["D"]),
    ]
    document = {"kind": "combat", "attackers": attackers, "blockers": blockers}
    for objective in ("trade", "kills", "win"):
        assert quickest(lambda wanted=objective: lethal.load(document).line(wanted), 3) < 1.0
