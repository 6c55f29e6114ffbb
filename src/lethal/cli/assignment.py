"""Reading the assignment that a command line gives, as JSON or as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from lethal.models.document import DocumentError, at_key, hint, show
from lethal.scenario import Scenario
from lethal.solver.assignments import Assignment


def read(text: str, scenario: Scenario) -> Assignment:
    """The assignment; raises DocumentError where it cannot be read or has a name that nothing bears."""
    columns = scenario.problem.columns
    if text.lstrip().startswith("{"):
        amounts = from_json(text, "assignment")
        found = list(faults(amounts))
        if found:
            raise DocumentError(found)
        given = Assignment.of(amounts, columns)
    else:
        try:
            written = scenario.game.read_back(scenario.value, text)
            given = Assignment.parse(text, columns) if written is None else Assignment.of(written, columns)
        except ValueError as error:
            raise DocumentError([f"assignment: {error}"]) from None
    known = {*(name for column in columns for name in column), *names(scenario.value)}
    strange = dict.fromkeys(name for column in given.columns for name in column if name not in known)
    if strange:
        raise DocumentError([f"assignment: nothing is named {name!r}{hint(name, known)}" for name in strange])
    return given


def from_json(text: str, where: str) -> Any:
    """What an argument gives as JSON; raises DocumentError with its place where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentError([f"{where}: not JSON: {error}"]) from None


def faults(amounts: Any, where: str = "assignment") -> Iterator[str]:
    """What is wrong with a nested mapping of amounts, each fault with its place."""
    if not isinstance(amounts, Mapping):
        yield f"{where}: expected sources with recipients and amounts, got {show(amounts)}"
        return
    for source, shares in amounts.items():
        place = at_key(where, source)
        if not isinstance(shares, Mapping):
            yield f"{place}: expected recipients and amounts, got {show(shares)}"
            continue
        for recipient, amount in shares.items():
            if not isinstance(amount, int) or isinstance(amount, bool):
                yield f"{at_key(place, recipient)}: expected an integer, got {show(amount)}"


def names(value: Any) -> Iterator[str]:
    """Every name that something in a game's value bears, at any depth."""
    known: Sequence[str] = getattr(value, "__struct_fields__", ())
    if is_dataclass(value):
        known = [field.name for field in fields(value)]
    if known:
        for field in known:
            item = getattr(value, field)
            if field == "name":
                yield item
            else:
                yield from names(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from names(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from names(item)
