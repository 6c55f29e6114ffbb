"""Random combats whose damage does more than mark: everything that touches results, on top of legality."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st
from strategies import Document, combats, rarely, sometimes

LINKED = ["lifelink", "wither", "infect", "toxic 1", "toxic 3"]


@st.composite
def effective(draw: st.DrawFn, limit: int = 200, vintages: list[str] | None = None) -> Document:
    """A combat with lifelink, wither, infect, toxic, protection, shields, regeneration and doublers."""
    document = deepcopy(draw(combats(limit)))
    if vintages is not None:
        document["rules"] = draw(st.sampled_from(vintages))
    for creature in document["attackers"] + document["blockers"]:
        _enrich(draw, creature)
    life = draw(st.sampled_from([20, 1, 3, 5, 8]))
    document["defenders"] = [
        {**d, "life": life} if "life" in d else d
        for d in document.get("defenders", [{"name": "player", "life": 20}])
    ]
    return document


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
        creature["deals_multiplier"] = draw(st.sampled_from([2, 3, 0]))
    if draw(sometimes):
        creature["value"] = draw(st.sampled_from([0, 1, 2.5, 7]))
