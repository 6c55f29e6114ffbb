"""Cases gathered from public reports (`cases/reported.jsonl`), converted to scenario documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).parent / "cases" / "reported.jsonl"
RULES = {
    "cr-pre-2009": "stack",
    "cr-2009-2010-m10-ordered": "m10",
    "cr-2009-2024-ordered": "ordered",
    "cr-2024-foundations": "foundations",
}
EFFECTS: dict[str, Mapping[str, Mapping[str, Any]]] = {
    "prevent the next 4 damage to Wall": {"Wall": {"prevent_next": 4}},
    "damage from your sources is tripled": {"Three": {"deals_multiplier": 3}},
    "red sources you control deal that much damage plus 2": {},
    "defending player has protection from the attacker's color": {"Scion": {"colors": ["red"]}},
    "each creature assigns combat damage equal to toughness": {},
    "creatures you control get +2/+2 while you have at least 27 life (7 over starting 20)": {},
}
"""What each effect in a case adds to its creatures' keys; what the format cannot say its test adds itself."""

FREELY = "divide among defending player and any creatures they control"
UNBLOCKED = "may assign as though unblocked"
ITS_COLOR = "protection from the attacker's color"


@cache
def cases(kind: str = "mtg-combat") -> dict[str, dict[str, Any]]:
    """All cases of a kind by id."""
    found = [json.loads(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
    return {case["id"]: case for case in found if case["kind"] == kind}


def rules_of(case: Mapping[str, Any]) -> list[str]:
    """The vintages that a case speaks of."""
    names = [case["ruleset"], *case["also_rulesets"]]
    return [RULES[name] for name in names]


def document(
    case: Mapping[str, Any], *, rules: str | None = None, assigning: str = "attackers"
) -> dict[str, Any]:
    """The scenario document of a combat case."""
    told = case["scenario"]
    more: dict[str, dict[str, Any]] = {}
    for effect in told.get("effects", []):
        for name, keys in EFFECTS[effect].items():
            more.setdefault(name, {}).update(keys)
    bands = {name: f"band {at}" for at, names in enumerate(told.get("bands", [])) for name in names}
    blockers = [
        _creature(c, more) | {"blocks": c["blocks"]} for c in told["blockers"] if not c.get("removed")
    ]
    held = {c["name"] for c in blockers}
    for name in told.get("defending_creatures", []):
        if name not in held:
            blockers.append({"name": name, "power": 0, "toughness": 1})
    attackers = [_attacker(c, more, bands) for c in told["attackers"]]
    if any(ITS_COLOR in c["keywords"] for c in told["blockers"]):
        attackers[0]["colors"] = ["red"]
    walkers = [
        {"name": w["id"], "loyalty": w["loyalty"], "controller": "player"}
        for w in told.get("planeswalkers", [])
    ]
    return {
        "kind": "combat",
        "rules": rules or RULES[case["ruleset"]],
        "assigning": assigning,
        "attackers": attackers,
        "blockers": blockers,
        "defenders": [{"name": "player", "life": told.get("life", {}).get("player", 20)}, *walkers],
        "order": told.get("orders", {}),
    }


def _attacker(told: Mapping[str, Any], more: Mapping[str, Any], bands: Mapping[str, str]) -> dict[str, Any]:
    keys = _creature(told, more)
    keys["attacks"] = {"gone": "nothing"}.get(told["attacking"], told["attacking"])
    if "blocked" in told:
        keys["blocked"] = told["blocked"]
    if told["id"] in bands:
        keys["band"] = bands[told["id"]]
    return keys


def _creature(told: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    words = [word for word in told["keywords"] if word not in (FREELY, UNBLOCKED, ITS_COLOR)]
    keys: dict[str, Any] = {
        "name": told["id"],
        "power": told["power"],
        "toughness": told["toughness"],
        "damage": told["marked"],
        "keywords": words,
        "colors": told.get("colors", []),
    }
    if FREELY in told["keywords"]:
        keys["divides_freely"] = True
    if UNBLOCKED in told["keywords"]:
        keys["as_though_unblocked"] = True
    if ITS_COLOR in told["keywords"]:
        keys["protection_from"] = ["red"]
    if "assigns" in told:
        assert told["assigns"] == told["toughness"]
        keys["assigns"] = "toughness"
    return keys | more.get(told["id"], {})
