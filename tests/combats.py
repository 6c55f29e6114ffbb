"""Combat documents as dicts, in few words."""

from __future__ import annotations

from typing import Any


def creature(name: str, power: int = 2, toughness: int = 2, **more: Any) -> dict[str, Any]:
    return {"name": name, "power": power, "toughness": toughness, **more}


def document(**more: Any) -> dict[str, Any]:
    return {"kind": "combat", **more}


def two_on_one(**more: Any) -> dict[str, Any]:
    """One attacker, blocked by two."""
    blockers = [creature("Cadet", blocks=["Wurm"]), creature("Wall", 0, 3, blocks=["Wurm"])]
    return document(attackers=[creature("Wurm", 6, 4)], blockers=blockers, **more)
