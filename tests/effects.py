"""Random combats whose damage does more than mark: everything that touches results, on top of legality."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st
from strategies import Document, combats, rarely, sometimes

LINKED = ["lifelink", "wither", "infect", "toxic 1", "toxic 3"]


@st.composite
def effective(draw: st.DrawFn, limit: int = 200, striking: bool = False) -> Document:
    """A combat with lifelink, wither, infect, toxic, protection, shields, regeneration and doublers.

    With `striking` somebody strikes first, and both steps are to come.
    """
    document = deepcopy(draw(combats(limit)))
    if striking:
        _strike_first(draw, document)
    for creature in document["attackers"] + document["blockers"]:
        _enrich(draw, creature)
    life = draw(st.sampled_from([20, 1, 3, 5, 8]))
    document["defenders"] = [
        {**d, "life": life} if "life" in d else d
        for d in document.get("defenders", [{"name": "player", "life": 20}])
    ]
    return document


def _strike_first(draw: st.DrawFn, document: Document) -> None:
    """Make it two steps, and the first of them the one to come."""
    document.pop("step", None)
    creatures = document["attackers"] + document["blockers"]
    for creature in creatures:
        creature.pop("dealt_first_strike_damage", None)
    for creature in draw(st.lists(st.sampled_from(creatures), min_size=1, max_size=3)):
        word = draw(st.sampled_from(["first strike", "double strike"]))
        creature["keywords"] = [*creature.get("keywords", []), word]


def _enrich(draw: st.DrawFn, creature: dict[str, Any]) -> None:
    words = [word for word in LINKED if draw(rarely)]
    creature["keywords"] = [*creature.get("keywords", []), *words]
    if draw(rarely):
        creature["colors"] = ["red"]
    if draw(rarely):
        creature["protection_from"] = draw(st.sampled_from([["red"], ["A1"], ["B1"]]))
    for key, most in (("prevent_next", 3), ("regeneration_shields", 2), ("shield_counters", 2)):
        if draw(rarely):
            creature[key] = draw(st.integers(1, most))
    if draw(rarely):
        creature["indestructible"] = True
    if draw(rarely):
        creature["unpreventable"] = True
    if draw(rarely):
        creature["deals_multiplier"] = draw(st.sampled_from([2, 3, 0]))
    if draw(sometimes):
        creature["value"] = draw(st.sampled_from([0, 1, 2.5, 7]))
