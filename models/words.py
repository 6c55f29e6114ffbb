"""Words for people that every game shares: what a scenario is about, and outcomes that have no words of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

Rows: TypeAlias = tuple[tuple[str, ...], ...]
Told: TypeAlias = str | Rows
"""A line, or the rows of a table without a head."""


def gathered(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Rows that begin with a name; those of consecutive copies that say the same are one: `Goblin 1 to 4`."""
    runs: list[tuple[str, int, int, tuple[str, ...]]] = []
    for name, *rest in rows:
        bare, _, digits = name.rpartition(" ")
        number = int(digits) if bare and re.fullmatch("[1-9][0-9]{0,5}", digits) else 0
        if (
            runs
            and number
            and runs[-1][0] == bare
            and runs[-1][2] == number - 1
            and runs[-1][3] == tuple(rest)
        ):
            runs[-1] = (bare, runs[-1][1], number, tuple(rest))
        else:
            runs.append((bare if number else name, number, number, tuple(rest)))
    for name, first, last, rest_ in runs:
        numbers = "" if not first else f" {first}" if first == last else f" {first} to {last}"
        yield (name + numbers, *rest_)


def fates(names: Iterable[str], told: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """One line for each name that something is told of, copies that share it gathered."""
    rows = [(name, ", ".join(told[name])) for name in dict.fromkeys(names) if told.get(name)]
    yield from (f"{name}: {fate}" for name, fate in gathered(rows))


def outcome(told: Mapping[str, Any]) -> Iterator[str]:
    """An outcome by its keys, but for those that say nothing happened."""
    for key, value in told.items():
        if value not in (None, False, 0, [], {}):
            words = plain(value)
            yield key.replace("_", " ") + (f": {words}" if words else "")


def plain(value: Any) -> str:
    """A value of JSON in words: no brackets, no quotes."""
    if isinstance(value, Mapping):
        parts = [
            f"{key.replace('_', ' ')} {plain(one)}".rstrip() for key, one in value.items() if one or one == 0
        ]
        return ", ".join(parts)
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(one, Mapping | list) for one in value) else ", "
        return between.join(plain(one) for one in value)
    return {True: "", False: "no"}[value] if isinstance(value, bool) else str(value)
