"""Riftbound's combat damage: each side pools its Might and kills unit after unit.

| reading | binds |
| --- | --- |
| fill-first | a unit is assigned lethal damage in full before the next, none more than that while others are left |
| free-split | any division |

Both are published; the core rules' 465.2.c.3–4 say the first, some official answers the second. Under both, units that
must be assigned first (Tank, 815.1.b) or last (Backline, 826.3) are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Literal

import msgspec

from lethal.models.document import DocumentError, copies, decode, hint
from lethal.models.pools import Shares, Sink
from lethal.models.words import Told, fates, gathered
from lethal.solver.problem import AMOUNT, AtMost, Gate, Meter, Objective, Partly, Problem, Score, step

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Name = Annotated[str, msgspec.Meta(min_length=1)]

RULES = ("fill-first", "free-split")
SIDES = ("attackers", "defenders")
KEYWORDS = (
    "tank",
    "backline",
    "assault",
    "shield",
    "deflect",
    "ganking",
    "hidden",
    "accelerate",
    "legion",
    "vision",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in combat; `multiplier` and `prevented` act on damage dealt to it, `lethal` replaces what kills it."""

    name: str
    might: int
    damage: int = 0
    keywords: frozenset[str] = frozenset()
    stunned: bool = False
    multiplier: int = 1
    prevented: int | Literal["all"] = 0
    lethal: int | None = None
    value: float | None = None

    @property
    def need(self) -> int | None:
        """The assigned damage that is lethal, counting what multiplies or prevents it; None where none is."""
        if self.prevented == "all" or self.multiplier == 0:
            return None
        due = max(1, self.might - self.damage) if self.lethal is None else self.lethal
        return -(-(due + self.prevented) // self.multiplier)

    @property
    def rank(self) -> int:
        """0 for those assigned first, 2 for those assigned last; who is both is neither."""
        return 1 - ("tank" in self.keywords) + ("backline" in self.keywords)

    @property
    def worth(self) -> Fraction:
        return Fraction(self.might) if self.value is None else Fraction(str(self.value))


@dataclass(frozen=True)
class Riftbound:
    """One combat: which sides assign now, under which reading."""

    rules: str
    assigning: tuple[str, ...]
    sides: Mapping[str, tuple[Unit, ...]]

    def amount(self, side: str) -> int:
        """The side's pooled Might; stunned units add none (423.1.b)."""
        return sum(max(0, unit.might) for unit in self.sides[side] if not unit.stunned)

    def targets(self, side: str) -> tuple[Unit, ...]:
        """The other side's units."""
        return self.sides["defenders" if side == "attackers" else "attackers"]


class UnitKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of a unit."""

    name: Name
    might: int
    damage: Natural = 0
    keywords: tuple[str, ...] = ()
    stunned: bool = False
    multiplier: Natural = 1
    prevented: Natural | Literal["all"] = 0
    lethal: Positive | None = None
    value: float | None = None
    count: Positive | None = None


class RiftboundDocument(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A whole document of kind "riftbound"."""

    kind: Literal["riftbound"]
    attackers: tuple[UnitKeys, ...]
    defenders: tuple[UnitKeys, ...]
    rules: Literal["fill-first", "free-split"] = "fill-first"
    assigning: Literal["attackers", "defenders", "both"] = "attackers"
    title: str | None = None
    source: str | None = None
    note: str | None = None


def read_riftbound(document: Mapping[str, Any]) -> tuple[Riftbound, list[str]]:
    """The combat that a document describes, and warnings for unknown keywords.

    Raises DocumentError with every defect.
    """
    keys = decode(document, RiftboundDocument)
    warnings: list[str] = []
    sides = {"attackers": _units(keys.attackers, warnings), "defenders": _units(keys.defenders, warnings)}
    names = [unit.name for side in SIDES for unit in sides[side]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DocumentError([f"units: {name!r} is the name of two" for name in twice])
    assigning = SIDES if keys.assigning == "both" else (keys.assigning,)
    return Riftbound(keys.rules, assigning, sides), warnings


def _units(told: Sequence[UnitKeys], warnings: list[str]) -> tuple[Unit, ...]:
    found = []
    for keys in told:
        words = frozenset(word.strip().casefold() for word in keys.keywords)
        for word in sorted(words):
            if word.split(" ")[0] not in KEYWORDS:
                warnings.append(
                    f"{keys.name}: keyword {word!r} is not known and ignored{hint(word, KEYWORDS)}"
                )
        for name in copies(keys.name, keys.count) if keys.count else [keys.name]:
            own = (keys.stunned, keys.multiplier, keys.prevented, keys.lethal, keys.value)
            found.append(Unit(name, keys.might, keys.damage, words, *own))
    return tuple(found)


def build(value: Riftbound) -> Problem:
    """The problem of the sides that assign now: a meter a unit, gates for who comes first, at most one part-filled."""
    parts = Shares()
    meters: list[Meter] = []
    gates: list[Gate] = []
    bounds: list[AtMost] = []
    for side in value.assigning:
        amount, units = value.amount(side), value.targets(side)
        if not units:
            continue
        words = f"the {side} assign all their Might, {amount}"
        sinks = [Sink(unit.name, None) for unit in units]
        at = parts.divide(side, sinks, amount, amount, amount, "465.2.c", words)
        number = {unit.name: len(meters) + n for n, unit in enumerate(units)}
        for unit in units:
            full = amount + 1 if unit.need is None else unit.need
            meters.append(Meter(unit.name, full, ((at[unit.name], AMOUNT),), f"damage lethal to {unit.name}"))
        gates += _precedence(units, at, number, amount)
        if value.rules == "fill-first":
            gates += _no_excess(units, at, number, amount)
            words = "a unit is assigned lethal damage in full before the next"
            partly = tuple(Partly(meter) for meter in number.values())
            bounds.append(AtMost(1, partly, "465.2.c.3", words))
    return Problem(
        tuple(parts.shares), tuple(parts.totals), tuple(meters), tuple(gates), tuple(bounds), rule="465.2.c"
    )


def _precedence(
    units: Sequence[Unit], at: Mapping[str, int], number: Mapping[str, int], amount: int
) -> list[Gate]:
    """Gates on units behind others: Tank before the rest, Backline after it."""
    found = []
    for unit in units:
        before = tuple(number[other.name] for other in units if other.rank < unit.rank)
        if before and amount:
            rule = "826.3" if unit.rank == 2 else "815.1.b"
            words = f"{unit.name} is assigned damage after those before it are lethal"
            found.append(Gate(at[unit.name], range(1, amount + 1), before, rule, words))
    return found


def _no_excess(
    units: Sequence[Unit], at: Mapping[str, int], number: Mapping[str, int], amount: int
) -> list[Gate]:
    """Gates on more than lethal damage: only once all others are lethal."""
    found = []
    for unit in units:
        others = tuple(number[other.name] for other in units if other.name != unit.name)
        if others and unit.need is not None and unit.need < amount:
            words = f"{unit.name} is assigned no more than lethal damage while others are left"
            found.append(Gate(at[unit.name], range(unit.need + 1, amount + 1), others, "465.2.c.4", words))
    return found


def outcome(value: Riftbound, amounts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Who is killed, what is marked on the rest, and damage beyond lethal; raises ValueError for unknown names."""
    found: dict[str, Any] = {"killed": [], "damage": {}, "excess": {}}
    for side, shares in amounts.items():
        if side not in SIDES:
            raise ValueError(f"there is no side {side!r}; there are {', '.join(SIDES)}")
        units = {unit.name: unit for unit in value.targets(side)}
        for name, n in shares.items():
            if name not in units:
                raise ValueError(f"there is no unit {name!r} among those that {side} assign damage to")
            need = units[name].need
            if need is not None and n >= need:
                found["killed"].append(name)
                found["excess"] |= {name: n - need} if n > need else {}
            elif n and units[name].prevented != "all":
                dealt = max(0, n * units[name].multiplier - int(units[name].prevented))
                found["damage"][name] = units[name].damage + dealt
    return found


def objective(value: Riftbound, problem: Problem, name: str) -> Objective:
    """`kills`: the worth of units killed, then their number. Raises ValueError for an unknown name."""
    if name != "kills":
        raise ValueError(f"there is no objective {name!r}; there is kills")
    units = {unit.name: unit for side in value.assigning for unit in value.targets(side)}
    unit = lcm(*(u.worth.denominator for u in units.values())) if units else 1
    worth, number = [], []
    for at, meter in enumerate(problem.meters):
        worth.append((at, step(meter.full, int(units[meter.name].worth * unit))))
        number.append((at, step(meter.full, 1)))
    return Objective(
        name,
        (
            Score("worth of units killed", meters=tuple(worth), unit=unit),
            Score("units killed", meters=tuple(number)),
        ),
    )


def describe(value: Riftbound) -> tuple[Told, ...]:
    """Which side assigns how much, then both sides' units."""
    amounts = ", ".join(f"{side} assign {value.amount(side)}" for side in value.assigning)
    rows = [
        (unit.name, f"{unit.might} Might", _traits(unit), side)
        for side in SIDES
        for unit in value.sides[side]
    ]
    return f"rules {value.rules}, {amounts}", "", tuple(gathered(rows))


def _traits(unit: Unit) -> str:
    found = [f"{unit.damage} damage marked"] if unit.damage else []
    found += sorted(unit.keywords)
    found += ["stunned"] if unit.stunned else []
    found += [f"is dealt {unit.multiplier} times as much"] if unit.multiplier != 1 else []
    found += [f"{unit.prevented} damage to it is prevented"] if unit.prevented else []
    found += [f"{unit.lethal} is lethal"] if unit.lethal is not None else []
    return ", ".join(found)


def consequences(told: Mapping[str, Any]) -> Iterator[str]:
    """An outcome, one line for each unit."""
    lines = {name: [f"has {n} damage"] for name, n in told.get("damage", {}).items()}
    for name in told.get("killed", ()):
        beyond = told.get("excess", {}).get(name)
        lines[name] = ["is killed", *([f"{beyond} damage beyond lethal"] if beyond else [])]
    yield from fates(lines, lines)
