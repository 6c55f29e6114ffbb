"""Random Magic combats as scenario documents, small enough that trying every assignment stays quick."""

from __future__ import annotations

from typing import Any

import brute
from hypothesis import strategies as st

Document = dict[str, Any]
Chance = st.SearchStrategy[bool]

LIMIT = 2_000  # raw combinations that the brute force may have to look at, unless a caller says otherwise
WALKER = {"name": "walker", "loyalty": 3, "controller": "player"}
BATTLE = {"name": "battle", "defense": 4, "controller": "player"}
PLAYER = {"name": "player", "life": 20}

never = st.just(False)
rarely = st.sampled_from([False] * 9 + [True])
mostly = st.sampled_from([True] * 2 + [False])
sometimes = st.sampled_from([False] * 2 + [True])
DEFENDERS = (None, [PLAYER], [WALKER, PLAYER], [PLAYER, WALKER], [BATTLE, PLAYER], [WALKER, BATTLE, PLAYER])


@st.composite
def combats(draw: st.DrawFn, limit: int = LIMIT) -> Document:
    """A valid combat document: shared blockers, all vintages, both sides, every key that touches legality."""
    document: Document = {
        "kind": "combat",
        "rules": draw(st.sampled_from(brute.VINTAGES)),
        "assigning": draw(st.sampled_from(["attackers", "attackers", "blockers"])),
    }
    defenders = draw(st.sampled_from(DEFENDERS))
    if defenders is not None:
        document["defenders"] = defenders
    targets = [str(d["name"]) for d in defenders or [PLAYER]]
    # Rare words come together: a combat has several of them or none.
    early = sometimes if draw(sometimes) else never
    banding = sometimes if draw(sometimes) else never
    number = draw(st.sampled_from([2, 1, 2, 3]))
    document["attackers"] = [_attacker(draw, f"A{i}", targets, early, banding) for i in range(1, number + 1)]
    document["blockers"] = _blockers(draw, [a["name"] for a in document["attackers"]], early, banding)
    _blockers_that_left(draw, document)
    _maybe_counted(draw, document)
    _step(draw, document)
    _order(draw, document)
    return _within(document, limit)


@st.composite
def past_blockers(draw: st.DrawFn) -> Document:
    """Attackers that may go past their blockers, at a planeswalker or at nothing, which random combats seldom have."""
    walker = {"name": "walker", "loyalty": draw(st.integers(1, 3)), "controller": "player"}
    trample = draw(st.lists(st.sampled_from(["trample", "trample over planeswalkers"]), unique=True))
    attackers: list[Document] = [
        {
            "name": "A1",
            "power": draw(st.integers(1, 4)),
            "toughness": 2,
            "keywords": [*trample, *draw(st.sampled_from([[], [], ["deathtouch"]]))],
            "attacks": draw(st.sampled_from(["walker", "walker", "player", "nothing"])),
            draw(st.sampled_from(["as_though_unblocked", "divides_freely"])): True,
        },
        {"name": "A2", "power": 2, "toughness": 2, "attacks": "player"},
    ]
    blockers = [
        {
            "name": f"B{at}",
            "power": 1,
            "toughness": draw(st.integers(1, 3)),
            "blocks": draw(st.sampled_from([["A1"], ["A1", "A2"], ["A2"]])),
        }
        for at in range(draw(st.integers(1, 2)))
    ]
    document: Document = {
        "kind": "combat",
        "rules": draw(st.sampled_from(brute.VINTAGES)),
        "attackers": attackers,
        "blockers": blockers,
    }
    # Who the defending player is once what was attacked is gone, the format does not say where there are several.
    if attackers[0]["attacks"] != "nothing":
        document["defenders"] = [PLAYER, walker]
    return document


def _creature(draw: st.DrawFn, name: str, odds: dict[str, Chance]) -> Document:
    toughness = draw(st.integers(1, 5))
    creature: Document = {
        "name": name,
        "power": draw(st.sampled_from([3, 4, 2, 5, 1, 6, 0, -1])),
        "toughness": toughness,
    }
    keywords = [word for word, chance in odds.items() if draw(chance)]
    if keywords:
        creature["keywords"] = keywords
    if draw(sometimes):
        creature["damage"] = draw(st.integers(0, toughness + 1))
    if draw(rarely):
        creature["assigns"] = draw(st.sampled_from(["power", "toughness", "nothing"]))
    if draw(rarely if creature["power"] > 0 else sometimes):
        creature["lethal_by"] = draw(st.sampled_from(["power", "toughness"]))
    return creature


def _attacker(draw: st.DrawFn, name: str, targets: list[str], early: Chance, banding: Chance) -> Document:
    odds = {
        "Trample": mostly,
        "trample over planeswalkers": sometimes if "walker" in targets else rarely,
        "Deathtouch": sometimes,
        "Banding": banding,
        "First strike": early,
        "double strike": early,
        "Vigilance": rarely,
    }
    creature = _creature(draw, name, odds)
    if len(targets) > 1 or draw(rarely):
        creature["attacks"] = draw(st.sampled_from([*targets, *targets, "nothing"]))
    leave = draw(rarely)  # to deal damage otherwise than a blocked creature does
    if draw(sometimes if leave else rarely):
        creature["blocked"] = True
    if leave and draw(st.booleans()):
        creature["as_though_unblocked"] = True
    # Who the defending player is once what was attacked is gone, or of a battle, the format does not say.
    elif leave and creature.get("attacks", targets[0]) in ("player", "walker"):
        creature["divides_freely"] = True
    return creature


def _blockers(draw: st.DrawFn, attackers: list[str], early: Chance, banding: Chance) -> list[Document]:
    odds = {
        "Deathtouch": sometimes,
        "Banding": banding,
        "trample": rarely,
        "First Strike": early,
        "Double strike": early,
    }
    blockers = []
    for i in range(1, draw(st.sampled_from([2, 1, 2, 3, 3, 0])) + 1):
        blocker = _creature(draw, f"B{i}", odds)
        faced = draw(st.permutations(attackers))
        if draw(st.booleans()):
            faced = faced[draw(st.integers(1, len(faced))) :]
        blockers.append({**blocker, "blocks": faced})
    return blockers


def _blockers_that_left(draw: st.DrawFn, document: Document) -> None:
    """Who is said to be blocked mostly has no blocker left."""
    for attacker in document["attackers"]:
        if attacker.get("blocked") and draw(mostly):
            for blocker in document["blockers"]:
                blocker["blocks"] = [name for name in blocker["blocks"] if name != attacker["name"]]


def _maybe_counted(draw: st.DrawFn, document: Document) -> None:
    """Now and then one entry stands for two creatures, and its bare name for both."""
    for creature in document["attackers"][-1:] + document["blockers"][-1:]:
        if draw(rarely):
            creature["count"] = 2


def _step(draw: st.DrawFn, document: Document) -> None:
    creatures = document["attackers"] + document["blockers"]
    early = [c for c in creatures if brute.has(c, "first strike") or brute.has(c, "double strike")]
    if not early:
        if draw(rarely):
            document["step"] = "only"
        return
    step = draw(st.sampled_from([None, "first-strike", "regular", "regular"]))
    if step is not None:
        document["step"] = step
    if step == "regular":
        for creature in creatures:
            if draw(rarely) or creature in early:
                creature["dealt_first_strike_damage"] = True


def _order(draw: st.DrawFn, document: Document) -> None:
    form = draw(st.sampled_from(["default", "any", "table", "table"]))
    if form == "any":
        document["order"] = brute.ANY
    if form != "table":
        return
    table = {}
    for name, faced in brute.Combat(document).faced().items():
        if len(faced) > 1 and draw(st.booleans()):
            table[name] = brute.ANY if draw(sometimes) else draw(st.permutations(faced))
    if table:
        document["order"] = table


def _within(document: Document, limit: int) -> Document:
    """The document with its largest powers taken down until it is no more work than `limit`."""
    while brute.size(document) > limit:
        side = document[document.get("assigning", "attackers")]
        largest = max(side, key=brute.deals)
        largest.pop("assigns", None)
        largest["power"] = min(brute.deals(largest), 6) - 1
    return document
