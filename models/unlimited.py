"""Star Wars: Unlimited's indirect damage: units are capped at their remaining hit points, the base takes any amount.

It cannot be prevented, so shields are neither used nor in the way (CR 35.2.a, 35.3). The damaged player assigns it,
unless an ability gives the choice to the controller of its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Literal

import msgspec

from lethal.models.document import DocumentError, copies, decode
from lethal.models.pools import Shares, Sink
from lethal.models.words import Told, fates
from lethal.solver.problem import AMOUNT, Objective, Problem, Score, Table, linear, step

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Name = Annotated[str, msgspec.Meta(min_length=1)]

RULES = ("2025",)
RULE = "CR 35.2.a"
OBJECTIVES = ("decide", "keep", "harm")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, or the base: hit points, damage on it, shields that this damage ignores, and its worth."""

    name: str
    hit_points: int
    damage: int = 0
    shields: int = 0
    value: float | None = None

    @property
    def remaining(self) -> int:
        return max(0, self.hit_points - self.damage)

    @property
    def worth(self) -> Fraction:
        return Fraction(self.hit_points) if self.value is None else Fraction(str(self.value))


@dataclass(frozen=True, slots=True)
class Unlimited:
    """One instance of indirect damage to a player, who has a base and units."""

    amount: int
    source: str
    base: Unit
    units: tuple[Unit, ...]
    assigns: Literal["damaged-player", "source-controller"] = "damaged-player"


class UnitKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of a unit."""

    name: Name
    hit_points: Natural
    damage: Natural = 0
    shields: Natural = 0
    value: float | None = None
    count: Positive | None = None


class BaseKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of the base."""

    name: Name = "base"
    hit_points: Natural = 30
    damage: Natural = 0


class UnlimitedDocument(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A whole document of kind "unlimited"."""

    kind: Literal["unlimited"]
    amount: Natural
    rules: Literal["2025"] = "2025"
    source: Name = "indirect damage"
    assigns: Literal["damaged-player", "source-controller"] = "damaged-player"
    base: BaseKeys = BaseKeys()
    units: tuple[UnitKeys, ...] = ()
    title: str | None = None
    note: str | None = None


def read_unlimited(document: Mapping[str, Any]) -> tuple[Unlimited, list[str]]:
    """The instance that a document describes; raises DocumentError with every defect."""
    keys = decode(document, UnlimitedDocument)
    base = Unit(keys.base.name, keys.base.hit_points, keys.base.damage)
    units = [
        Unit(name, u.hit_points, u.damage, u.shields, u.value)
        for u in keys.units
        for name in (copies(u.name, u.count) if u.count else [u.name])
    ]
    names = [base.name, *(unit.name for unit in units)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DocumentError([f"units: {name!r} is the name of two" for name in twice])
    return Unlimited(keys.amount, keys.source, base, tuple(units), keys.assigns), []


def build(value: Unlimited) -> Problem:
    """The problem: all of the amount is assigned, as the base has room for any of it."""
    sinks = [Sink(unit.name, unit.remaining) for unit in value.units if unit.remaining]
    parts = Shares()
    words = f"the {value.assigns.replace('-', ' ')} must assign all {value.amount}"
    every = [*sinks, Sink(value.base.name, None)]
    parts.divide(value.source, every, value.amount, value.amount, value.amount, RULE, words)
    return Problem(tuple(parts.shares), tuple(parts.totals), rule=RULE)


def outcome(value: Unlimited, amounts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """What it does: units damaged this way and defeated, the base's damage; no shield is ever used.

    Raises ValueError for names that the document has not.
    """
    board = {unit.name: unit for unit in (*value.units, value.base)}
    given = {name: n for shares in amounts.values() for name, n in shares.items() if n}
    unknown = [name for name in (*amounts, *given) if name != value.source and name not in board]
    if unknown:
        raise ValueError(f"there is no {unknown[0]!r}")
    after = {name: board[name].damage + n for name, n in given.items()}
    units = [name for name in given if name != value.base.name]
    return {
        "defeated": [name for name in units if after[name] >= board[name].hit_points],
        "damaged": units,
        "damage": after,
        "base_destroyed": after.get(value.base.name, value.base.damage) >= value.base.hit_points,
    }


def objective(value: Unlimited, problem: Problem, name: str) -> Objective:
    """`keep`: the base stands, then the worth of units kept, then least on the base. `harm` is its opposite.

    `decide` is the one of the two that whoever assigns wants. Raises ValueError for an unknown name.
    """
    if name not in OBJECTIVES:
        raise ValueError(f"there is no objective {name!r}; there are {', '.join(OBJECTIVES)}")
    keeps = name == "keep" or (name == "decide" and value.assigns == "damaged-player")
    sign = -1 if keeps else 1
    at = {share.recipient: number for number, share in enumerate(problem.shares)}
    units = [unit for unit in value.units if unit.name in at]
    unit = lcm(*(u.worth.denominator for u in units)) if units else 1
    base, left = at[value.base.name], value.base.remaining
    lost = step(left, sign) if left else Table(((0, sign, 0),))
    worth = tuple((at[u.name], step(u.remaining, sign * int(u.worth * unit))) for u in units)
    damage = AMOUNT if sign == 1 else linear(-1)
    scores = (
        Score("base destroyed", ((base, lost),)),
        Score("worth of units defeated", worth, unit=unit),
        Score("damage on the base", ((base, damage),)),
    )
    return Objective(name, scores)


def describe(value: Unlimited) -> tuple[Told, ...]:
    """Who assigns how much, then units and base."""
    head = (
        f"rules {RULES[0]}, {value.amount} {value.source}, assigned by the {value.assigns.replace('-', ' ')}"
    )
    shields = [f"shields: {unit.shields}, of no use" if unit.shields else "" for unit in value.units]
    rows = [(u.name, _left(u), words) for u, words in zip(value.units, shields, strict=True)]
    return head, "", (*rows, (value.base.name, _left(value.base), "takes any amount"))


def _left(unit: Unit) -> str:
    return f"{unit.remaining} of {unit.hit_points} hit points"


def consequences(told: Mapping[str, Any]) -> Iterator[str]:
    """An outcome, one line for each that is damaged."""
    damage, defeated = told.get("damage", {}), told.get("defeated", ())
    lines = {
        name: [f"has {n} damage", *(["is defeated"] if name in defeated else [])]
        for name, n in damage.items()
    }
    yield from fates(damage, lines)
    if told.get("base_destroyed"):
        yield "the base is destroyed"
