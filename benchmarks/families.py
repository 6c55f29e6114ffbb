"""Families of combats with a size axis: what every benchmark here is built from.

gang: one attacker, n blockers. chain: n attackers, neighbours share m blockers. full: n attackers, k blockers, all
block all. wide: n attackers with two blockers each. typical: three attackers, five blockers.
shared: two attackers, n blockers that block both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]


def _combat(
    attackers: list[Document], blockers: list[Document], rules: str, order: dict[str, list[str]] | None = None
) -> Document:
    document: Document = {"kind": "combat", "rules": rules, "attackers": attackers, "blockers": blockers}
    if order:
        document["order"] = order
    return document


def gang(n: int, rules: str = "ordered", power: int = 20) -> Document:
    """One attacker of a power among n blockers of toughness 2."""
    blockers = [{"name": f"b{i}", "power": 1, "toughness": 2, "blocks": ["a"]} for i in range(n)]
    return _combat([{"name": "a", "power": power, "toughness": 20, "keywords": ["trample"]}], blockers, rules)


def chain(n: int, rules: str = "ordered", shared: int = 2) -> Document:
    """n tramplers; each two neighbours share some blockers of toughness 3."""
    attackers = [{"name": f"a{i}", "power": 5, "toughness": 5, "keywords": ["trample"]} for i in range(n)]
    blockers = [
        {
            "name": f"b{i}-{j}",
            "power": 1,
            "toughness": 3,
            "blocks": [f"a{i}", *([f"a{i + 1}"] if i + 1 < n else [])],
        }
        for i in range(n)
        for j in range(shared)
    ]
    return _combat(attackers, blockers, rules)


FULL_POWERS = (6, 5, 7, 6, 5, 6)
FULL_TOUGHNESS = (4, 3, 5, 2, 4, 3)
FULL_ORDERS = ((0, 1, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3), (3, 2, 1, 0))
FULL_KEYWORDS = (["deathtouch", "trample"], ["trample"], [], ["trample"])


def full(n: int, rules: str = "ordered") -> Document:
    """n attackers, n blockers, all block all; 4 is the combat with 306,790,053 assignments under `ordered`."""
    attackers = [
        {"name": f"a{i}", "power": FULL_POWERS[i], "toughness": 5, "keywords": FULL_KEYWORDS[i % 4]}
        for i in range(n)
    ]
    names = [f"a{i}" for i in range(n)]
    blockers = [
        {"name": f"b{i}", "power": 2, "toughness": FULL_TOUGHNESS[i], "blocks": names} for i in range(n)
    ]
    order = {}
    for i in range(n):
        first = FULL_ORDERS[i % 4] if n >= 4 else ()
        rest = [k for k in range(n) if k not in first]
        order[f"a{i}"] = [f"b{k}" for k in (*first, *rest)]
    for i in range(n):
        order[f"b{i}"] = names
    return _combat(attackers, blockers, rules, order if n > 1 else None)


def wide(n: int, rules: str = "ordered") -> Document:
    """n attackers with two blockers of their own each."""
    attackers = [{"name": f"a{i}", "power": 6, "toughness": 5, "keywords": ["trample"]} for i in range(n)]
    blockers = [
        {"name": f"b{i}-{j}", "power": 1, "toughness": 2, "blocks": [f"a{i}"]}
        for i in range(n)
        for j in range(2)
    ]
    return _combat(attackers, blockers, rules)


def typical(n: int = 3, rules: str = "foundations") -> Document:
    """Three attackers, five blockers, two of them on one attacker, two on the next and one on the last."""
    del n
    attackers = [
        {"name": "a", "power": 4, "toughness": 4, "keywords": ["trample"]},
        {"name": "b", "power": 3, "toughness": 3, "keywords": []},
        {"name": "c", "power": 5, "toughness": 5, "keywords": ["deathtouch"]},
    ]
    blockers = [
        {"name": "v", "power": 2, "toughness": 2, "blocks": ["a"]},
        {"name": "w", "power": 1, "toughness": 1, "blocks": ["a"]},
        {"name": "x", "power": 2, "toughness": 3, "blocks": ["b"]},
        {"name": "y", "power": 3, "toughness": 3, "blocks": ["c"]},
        {"name": "z", "power": 4, "toughness": 4, "blocks": ["c"]},
    ]
    return _combat(attackers, blockers, rules)


def shared(n: int = 3, rules: str = "foundations") -> Document:
    """Two attackers of power 6 and 5 that n blockers block both, all of them."""
    attackers = [
        {"name": "a", "power": 6, "toughness": 4, "keywords": ["trample"]},
        {"name": "b", "power": 5, "toughness": 5, "keywords": ["deathtouch"]},
    ]
    blockers = [
        {"name": f"v{i}", "power": 2, "toughness": FULL_TOUGHNESS[i], "blocks": ["a", "b"]} for i in range(n)
    ]
    return _combat(attackers, blockers, rules)


@dataclass(frozen=True)
class Spec:
    """A registered benchmark: how to build its documents and along which sizes."""

    name: str
    build: Callable[[int], Document]
    sizes: tuple[int, ...]


SPECS = {
    spec.name: spec
    for spec in (
        Spec("gang", gang, (1, 3, 10, 30, 100)),
        Spec("chain", chain, (1, 3, 10, 30, 100, 300)),
        Spec("full", full, (1, 2, 3, 4, 5, 6)),
        Spec("wide", wide, (1, 3, 10, 30, 100)),
        Spec("typical", typical, (3,)),
    )
}
