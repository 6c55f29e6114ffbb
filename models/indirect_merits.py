"""Objectives of indirect damage read off what happens, where effects act on one another in ways no sum can say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from lethal.models.indirect_objectives import NAMES, SCORES, value_of
from lethal.models.indirect_outcome import Outcome, readings, settle
from lethal.models.indirect_types import Character, Indirect
from lethal.solver.problem import Meter, Problem


@dataclass(frozen=True, slots=True)
class Merits:
    """How assignments are judged one by one: scores, and the shares and meters on which these depend.

    `units` of a score's integers make one point; `meters` are to be added to the problem.
    """

    names: tuple[str, ...]
    units: tuple[int, ...]
    shares: Sequence[int]
    meters: Sequence[Meter]
    score: Callable[[Mapping[str, Mapping[str, int]]], tuple[int, ...]]


def merits(value: Indirect, problem: Problem, name: str) -> Merits:
    """What an objective of `indirect_objectives` is worth for each assignment; raises ValueError for others."""
    if name not in NAMES:
        raise ValueError(f"there is no objective {name!r} for indirect damage; there are {', '.join(NAMES)}")
    shares, meters = readings(value, problem, ("taken", "spent", "absorbed"))
    worths = [value_of(c) for c in value.characters.values()]
    weights = {key: Fraction(str(n)) for key, n in value.weights.items()}
    whole = lcm(1, *(worth.denominator for worth in worths))
    names: tuple[str, ...]
    units: tuple[int, ...]
    if name == "weighted":
        unit = whole * lcm(1, *(weight.denominator for weight in weights.values()))
        names, units = ("weighted sum",), (unit,)
    else:
        names = SCORES[name]
        units = tuple(whole if one == "value of allies kept" else 1 for one in names)

    def score(amounts: Mapping[str, Mapping[str, int]]) -> tuple[int, ...]:
        told = _told(value, settle(value, amounts))
        if name == "weighted":
            total = sum(weights[key] * told[words] for key, words in _WEIGHED.items())
            return (int(total * units[0]),)
        return tuple(int(told[words] * unit) for words, unit in zip(names, units, strict=True))

    return Merits(names, units, shares, meters, score)


_WEIGHED = {
    "identity": "identities kept",
    "ready": "identities ready for the next activation",
    "ally": "value of allies kept",
    "taken": "damage taken",
    "tough": "Tough cards spent",
}


def _told(value: Indirect, found: Outcome) -> dict[str, Fraction]:
    """Every score by its name."""
    characters = value.characters.values()
    identities = [c for c in characters if c.identity and c.remaining is not None]
    kept = [c for c in identities if found.characters[c.name].remaining]
    allies = [c for c in characters if not c.identity and c.remaining is not None]
    told: dict[str, int | Fraction] = {
        "identities kept": len(kept),
        "value of allies kept": sum(value_of(c) for c in allies if found.characters[c.name].remaining),
        "damage taken": -sum(found.taken.values()),
        "Tough cards spent": -sum(found.tough_spent.values()),
        "damage on identities": -sum(found.taken.get(c.name, 0) for c in characters if c.identity),
        "identities ready for the next activation": sum(
            _ready(found.characters[c.name], value.next_activation) for c in kept
        ),
        "damage absorbed by Tough": sum(found.absorbed.values()),
    }
    return {name: Fraction(n) for name, n in told.items()}


def _ready(after: Character, due: int) -> bool:
    return after.remaining is not None and (after.remaining > due or after.tough > 0)
