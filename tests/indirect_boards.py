"""Boards of indirect damage to test on: short documents, and their divisions by trying all."""

from __future__ import annotations

from itertools import product
from typing import Any

import lethal
from lethal.solver.evaluate import holds

SOURCE = "indirect damage"


def player(name: str, *characters: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "characters": list(characters)}


def hero(name: str, hit_points: int, **keys: Any) -> dict[str, Any]:
    return {"name": name, "type": "hero", "hit_points": hit_points, **keys}


def ally(name: str, hit_points: int, **keys: Any) -> dict[str, Any]:
    return {"name": name, "type": "ally", "hit_points": hit_points, **keys}


def scenario(amount: int, *players: dict[str, Any], **keys: Any) -> lethal.Scenario:
    return lethal.load({"kind": "indirect", "amount": amount, "players": list(players), **keys})


def divisions(made: lethal.Scenario) -> set[tuple[tuple[str, int], ...]]:
    """Every legal division, as (name, amount) for those who are assigned any, by trying all."""
    problem = made.problem
    names = [recipient for _, recipient in problem.columns]
    rows = product(*(share.values for share in problem.shares))
    return {
        tuple((n, x) for n, x in zip(names, row, strict=True) if x) for row in rows if holds(problem, row)
    }


def is_legal(made: lethal.Scenario, **amounts: int) -> bool:
    return made.check({SOURCE: amounts}, engine="cpsat").legal


TOUGH = player("P", hero("Hero", 10), ally("A", 5, tough=1), ally("B", 3, tough=1), ally("C", 2, tough=1))
SHIP = (player("P", hero("Hero", 10), ally("Ally", 4)), player("Q", hero("Other", 12), ally("Friend", 3)))
COST = player("P", hero("Hero", 10, tough=1), ally("Ally", 3))
