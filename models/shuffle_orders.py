"""The orders of a library that a viewer holds possible, as a problem: kinds of card assigned to positions.

One share for each name and position, 1 where the card lies there; the totals are the copies of each name, one
card to a position, and what is known. The answer to an assignment is the order with all that the instructions
did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from itertools import groupby
from typing import Any

from lethal.models.shuffle import resolve
from lethal.models.shuffle_types import Fact, Library, Resolution, Shuffle
from lethal.solver.problem import Objective, Problem, Score, Share, Total, linear


def build(scenario: Shuffle) -> Problem:
    """Every order of the first library after the instructions that agrees with what the viewer knows.

    Raises ValueError where a fact is about a position beyond the library.
    """
    library = asked(scenario, resolve(scenario))
    copies = Counter(library.cards)
    names, size = sorted(copies), len(library.places)
    pins = {at: c.held for at, c in enumerate(library.places) if c.held and scenario.viewer in c.known_to}
    shares = tuple(
        Share(name, position(at), ((int(pins[at] == name),) if at in pins else (0, 1)))
        for at in range(size)
        for name in names
    )
    width = len(names)
    totals = [
        Total(tuple(range(at * width, (at + 1) * width)), 1, 1, words=f"one card lies at {position(at)}")
        for at in range(size)
    ]
    totals += [
        Total(
            tuple(range(k, size * width, width)),
            copies[name],
            copies[name],
            words=f"{copies[name]} of {name} are in the library",
        )
        for k, name in enumerate(names)
    ]
    totals += _facts(scenario, names, size)
    return Problem(shares, tuple(totals), rule="701.24a" if scenario.rules == "2026" else "701.15a")


def check(scenario: Shuffle) -> None:
    """Raise what `build` would, without building."""
    size = len(asked(scenario, resolve(scenario)).places)
    for fact in scenario.facts:
        _places(fact, size)


def _places(fact: Fact, size: int) -> list[int]:
    """The positions of a fact in a library of that size, from 0 at the top; raises ValueError beyond its end."""
    places = sorted({at + size if at < 0 else at for at in fact.positions})
    if any(not 0 <= at < size for at in places):
        raise ValueError(f"a fact about a position beyond a library of {size}: {fact!r}")
    return places


def _facts(scenario: Shuffle, names: list[str], size: int) -> list[Total]:
    totals = []
    for fact in scenario.facts:
        places = _places(fact, size)
        kinds = [k for k, name in enumerate(names) if name in fact.names]
        cells = tuple(at * len(names) + k for at in places for k in kinds)
        most = len(cells) if fact.most is None else fact.most
        words = fact_words(fact, size)
        totals.append(Total(cells, fact.least, max(most, fact.least), words=words))
    return totals


def fact_words(fact: Fact, size: int) -> str:
    """A fact about a library of that size in words: `1 to 2 of Bear at 1, 4 to 6`."""
    places = _places(fact, size)
    where = f"{', '.join(fact.names)} at {_spans(places)}"
    if fact.least == len(places) and len(fact.names) == 1:
        return where
    if fact.most is None or fact.most >= len(places):
        many = f"{fact.least}" if fact.least == len(places) else f"at least {fact.least}"
    elif fact.least == fact.most:
        many = f"{fact.least}"
    else:
        many = f"{fact.least} to {fact.most}"
    return f"{many} of {where}"


def _spans(places: list[int]) -> str:
    """Rising positions, counted from 1, three or more in a row as a span."""
    runs = [[at for _, at in run] for _, run in groupby(enumerate(places), lambda one: one[1] - one[0])]
    return ", ".join(
        f"{run[0] + 1} to {run[-1] + 1}" if len(run) > 2 else ", ".join(str(at + 1) for at in run)
        for run in runs
    )


def asked(scenario: Shuffle, resolution: Resolution) -> Library:
    """The library that is asked about."""
    return resolution.libraries[scenario.about or next(iter(scenario.libraries))]


def position(at: int) -> str:
    """The name of a position, counted from 1 at the top."""
    return f"position {at + 1}"


def objective(scenario: Shuffle, problem: Problem, name: str) -> Objective:
    """`first` looks for the listing's first order; `early:NAME` for that card as near the top as can be.

    Raises ValueError for any other name.
    """
    if name == "first":
        return Objective(name, ())
    kind, _, card = name.partition(":")
    sources = {source for source, _ in problem.columns}
    if kind != "early" or card not in sources:
        raise ValueError(f"objectives of shuffles are first and early:NAME of a card, not {name!r}")
    del scenario
    terms = tuple(
        (at, linear(-int(recipient.removeprefix("position "))))
        for at, (source, recipient) in enumerate(problem.columns)
        if source == card
    )
    return Objective(name, (Score(f"{card} early", terms),))


def outcome(scenario: Shuffle, amounts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The order that an assignment stands for, and everything that the instructions did before."""
    return {"order": ordered(amounts), **summary(resolve(scenario))}


def ordered(amounts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The names from the top."""
    placed = {
        recipient: name for name, shares in amounts.items() for recipient, amount in shares.items() if amount
    }
    return [placed[where] for where in map(position, range(len(placed))) if where in placed]


def summary(resolution: Resolution) -> dict[str, Any]:
    """What instructions did, in plain values."""
    return {
        "shuffled": resolution.shuffled,
        "shuffle_events": resolution.shuffle_events,
        "events": [asdict(event) for event in resolution.events],
        "triggers": dict(resolution.triggers),
        "steps": [
            {
                "instruction": step.instruction,
                "library": step.library,
                "shuffled": step.shuffled,
                "rule": step.rule,
                "words": step.words,
                "randomised": len(step.took_part),
                "excluded": list(step.excluded),
                "added": list(step.added),
                "fixed": {str(at + 1): name for at, name in step.fixed.items()},
                "erased": {
                    viewer: {str(at + 1): name for at, name in lost} for viewer, lost in step.erased.items()
                },
            }
            for step in resolution.steps
        ],
        "notes": list(resolution.notes),
    }
