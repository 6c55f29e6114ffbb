"""Arkham Horror: The Card Game's damage and horror: two resources, assets that soak them, the investigator the rest.

Damage goes to assets with health, horror to those with sanity, each at most what defeats it; direct damage and horror
only to the investigator. First all is assigned, then it may be prevented, then it is placed at once (rules
reference, Dealing Damage/Horror).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Literal

import msgspec

from lethal.models.document import DocumentError, copies, decode, hint
from lethal.models.pools import Shares, Sink
from lethal.models.words import Told, fates
from lethal.solver.problem import Meter, Objective, Problem, Score, Table, step

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Name = Annotated[str, msgspec.Meta(min_length=1)]

RULES = ("reference",)
RULE = "Dealing Damage/Horror"
DIRECT = "Direct Damage/Horror"
RESOURCES = ("damage", "horror")


@dataclass(frozen=True, slots=True)
class Card:
    """An asset or the investigator: how much damage and horror it bears, None for none at all, and has."""

    name: str
    health: int | None
    sanity: int | None
    damage: int = 0
    horror: int = 0
    value: float | None = None

    def limit(self, resource: str) -> int | None:
        """Health for damage, sanity for horror."""
        return self.health if resource == "damage" else self.sanity

    def room(self, resource: str) -> int:
        """What would still defeat it; 0 where it cannot bear the resource."""
        limit = self.limit(resource)
        return 0 if limit is None else max(0, limit - (self.damage if resource == "damage" else self.horror))

    @property
    def worth(self) -> Fraction:
        if self.value is not None:
            return Fraction(str(self.value))
        return Fraction((self.health or 0) + (self.sanity or 0))


@dataclass(frozen=True)
class Arkham:
    """Damage and horror dealt to one investigator; `prevented` is (recipient, resource) → how much."""

    amounts: Mapping[str, int]
    direct: Mapping[str, int]
    investigator: Card
    assets: tuple[Card, ...]
    prevented: Mapping[tuple[str, str], int]


class AssetKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of an asset."""

    name: Name
    health: Natural | None = None
    sanity: Natural | None = None
    damage: Natural = 0
    horror: Natural = 0
    value: float | None = None
    count: Positive | None = None


class InvestigatorKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of the investigator."""

    health: Natural
    sanity: Natural
    name: Name = "investigator"
    damage: Natural = 0
    horror: Natural = 0


class PreventKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """What is prevented or moved away after assignment, before anything is placed."""

    recipient: Name
    damage: Natural = 0
    horror: Natural = 0


class ArkhamDocument(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A whole document of kind "arkham"."""

    kind: Literal["arkham"]
    investigator: InvestigatorKeys
    damage: Natural = 0
    horror: Natural = 0
    direct_damage: Natural = 0
    direct_horror: Natural = 0
    rules: Literal["reference"] = "reference"
    assets: tuple[AssetKeys, ...] = ()
    prevent: tuple[PreventKeys, ...] = ()
    title: str | None = None
    source: str | None = None
    note: str | None = None


def read_arkham(document: Mapping[str, Any]) -> tuple[Arkham, list[str]]:
    """The damage and horror that a document describes; raises DocumentError with every defect."""
    keys = decode(document, ArkhamDocument)
    who = keys.investigator
    investigator = Card(who.name, who.health, who.sanity, who.damage, who.horror)
    assets = [
        Card(name, a.health, a.sanity, a.damage, a.horror, a.value)
        for a in keys.assets
        for name in (copies(a.name, a.count) if a.count else [a.name])
    ]
    names = [investigator.name, *(asset.name for asset in assets)]
    defects = [f"assets: {name!r} is the name of two" for name in sorted(set(names)) if names.count(name) > 1]
    prevented: dict[tuple[str, str], int] = {}
    for at, one in enumerate(keys.prevent):
        if one.recipient not in names:
            close = hint(one.recipient, names)
            defects.append(f"prevent[{at}].recipient: nothing is named {one.recipient!r}{close}")
        for resource in RESOURCES:
            key = (one.recipient, resource)
            prevented[key] = prevented.get(key, 0) + int(getattr(one, resource))
    if defects:
        raise DocumentError(defects)
    amounts = {"damage": keys.damage, "horror": keys.horror}
    direct = {"damage": keys.direct_damage, "horror": keys.direct_horror}
    return Arkham(amounts, direct, investigator, tuple(assets), prevented), []


def build(value: Arkham) -> Problem:
    """The problem: two independent divisions, and a forced share for each direct resource."""
    parts = Shares()
    for resource in RESOURCES:
        amount = value.amounts[resource]
        if amount:
            able = [Sink(a.name, a.room(resource)) for a in value.assets if a.room(resource)]
            sinks = [*able, Sink(value.investigator.name, None)]
            words = f"all {amount} {resource} must be assigned"
            parts.divide(resource, sinks, amount, amount, amount, RULE, words)
    for resource in RESOURCES:
        amount = value.direct[resource]
        if amount:
            sink = Sink(value.investigator.name, None)
            words = f"direct {resource} goes to the investigator alone"
            parts.divide(f"direct {resource}", [sink], amount, amount, amount, DIRECT, words)
    return Problem(tuple(parts.shares), tuple(parts.totals), rule=RULE)


def outcome(value: Arkham, amounts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """What is placed after prevention, which assets are defeated, and by what the investigator is.

    Raises ValueError for names that the document has not.
    """
    cards = {card.name: card for card in (*value.assets, value.investigator)}
    placed: dict[str, dict[str, int]] = {resource: {} for resource in RESOURCES}
    for source, shares in amounts.items():
        resource = source.removeprefix("direct ")
        if resource not in RESOURCES:
            raise ValueError(f"there is no source {source!r}; there are {', '.join(RESOURCES)}")
        for name, n in shares.items():
            if name not in cards:
                raise ValueError(f"there is no {name!r}")
            if n:
                placed[resource][name] = placed[resource].get(name, 0) + n
    for resource, by in placed.items():
        for name in by:
            by[name] = max(0, by[name] - value.prevented.get((name, resource), 0))
    lost = {
        resource: [n for n, placed_n in by.items() if placed_n and placed_n >= cards[n].room(resource)]
        for resource, by in placed.items()
    }
    mine = value.investigator.name
    return {
        "defeated": [a.name for a in value.assets if any(a.name in lost[r] for r in RESOURCES)],
        "damage": {name: n for name, n in placed["damage"].items() if n},
        "horror": {name: n for name, n in placed["horror"].items() if n},
        "investigator_defeated_by": [resource for resource in RESOURCES if mine in lost[resource]],
    }


def objective(value: Arkham, problem: Problem, name: str) -> Objective:
    """`keep`: the investigator is not defeated, then the worth of assets kept, then least on the investigator.

    Either resource defeats, so each card has one meter that both fill. Raises ValueError for an unknown name.
    """
    if name != "keep":
        raise ValueError(f"there is no objective {name!r}; there is keep")
    at = {column: number for number, column in enumerate(problem.columns)}
    unit = lcm(*(asset.worth.denominator for asset in value.assets)) if value.assets else 1
    meters = [Meter(f"{card.name} is defeated", 1, _fatal(value, card, at)) for card in value.assets]
    meters.append(Meter("investigator is defeated", 1, _fatal(value, value.investigator, at)))
    first = len(problem.meters)
    worth = tuple((first + n, _lost(int(asset.worth * unit))) for n, asset in enumerate(value.assets))
    mine = []
    for resource in RESOURCES:
        share = at.get((resource, value.investigator.name))
        if share is not None:
            spare = value.prevented.get((value.investigator.name, resource), 0) - value.direct[resource]
            pieces = ((0, 0, 0), (spare, 0, -1)) if spare > 0 else ((0, spare, -1),)
            mine.append((share, Table(pieces)))
    scores = (
        Score("investigator stands", meters=((first + len(value.assets), _lost(1)),)),
        Score("worth of assets kept", meters=worth, unit=unit),
        Score("on the investigator", tuple(mine)),
    )
    return Objective(name, scores, tuple(meters))


def _fatal(value: Arkham, card: Card, at: Mapping[tuple[str, str], int]) -> tuple[tuple[int, Table], ...]:
    """For each resource the table that reads 1 where a card is placed what defeats it.

    A direct amount is fixed, so it only leaves less room for what is assigned.
    """
    terms = []
    for resource in RESOURCES:
        due = card.room(resource) + value.prevented.get((card.name, resource), 0)
        if (resource, card.name) in at:
            direct = value.direct[resource] if card is value.investigator else 0
            terms.append((at[resource, card.name], _defeats(due - direct)))
        elif (f"direct {resource}", card.name) in at:
            terms.append((at[f"direct {resource}", card.name], _defeats(due)))
    return tuple(terms)


def _defeats(at: int) -> Table:
    """1 from the amount on that defeats; what defeats without any amount always reads 1."""
    return step(at, 1) if at > 0 else Table(((0, 1, 0),))


def _lost(worth: int) -> Table:
    """A worth that is kept while a meter reads 0."""
    return Table(((0, worth, -worth),))


def describe(value: Arkham) -> tuple[Told, ...]:
    """How much of each resource, then assets and investigator."""
    amounts = [f"{n} {resource}" for resource, n in value.amounts.items() if n]
    amounts += [f"{n} direct {resource}" for resource, n in value.direct.items() if n]
    cards = (*value.assets, value.investigator)
    rows = [
        (card.name, _left(card, "damage"), _left(card, "horror"), _prevented(value, card)) for card in cards
    ]
    return f"rules {RULES[0]}, {' and '.join(amounts) or 'no damage'}", "", tuple(rows)


def _left(card: Card, resource: str) -> str:
    limit = card.limit(resource)
    word = {"damage": "health", "horror": "sanity"}[resource]
    return "" if limit is None else f"{card.room(resource)} of {limit} {word}"


def _prevented(value: Arkham, card: Card) -> str:
    found = [(value.prevented.get((card.name, resource), 0), resource) for resource in RESOURCES]
    return ", ".join(f"{n} {resource} is prevented" for n, resource in found if n)


def consequences(told: Mapping[str, Any]) -> Iterator[str]:
    """An outcome, one line for each card that is placed something, then whether the investigator stands."""
    lines: dict[str, list[str]] = {}
    for resource in RESOURCES:
        for name, n in told.get(resource, {}).items():
            lines.setdefault(name, []).append(f"{n} {resource}")
    for name in told.get("defeated", ()):
        lines.setdefault(name, []).append("is defeated")
    yield from fates(lines, lines)
    if told.get("investigator_defeated_by"):
        yield f"the investigator is defeated by {' and '.join(told['investigator_defeated_by'])}"
