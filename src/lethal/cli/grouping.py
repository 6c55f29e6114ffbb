"""Assignments grouped by what they do: by the engine where it can, else one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from lethal.cli.progress import Progress
from lethal.cli.rows import known_count
from lethal.models.combat_types import Combat
from lethal.models.document import DocumentError
from lethal.outcomes import Outcome
from lethal.scenario import Scenario
from lethal.solver.engine import QUESTIONS


def outcomes(
    scenario: Scenario,
    engine: str,
    limit: int | None = None,
    *,
    unmarked: bool = False,
    undominated: bool = False,
) -> tuple[Sequence[Outcome], bool]:
    """The distinct outcomes, those that most assignments lead to first, and whether every assignment counts.

    With a limit, or an engine that cannot group, assignments are looked at one by one, and no more than the limit.
    `unmarked` and `undominated` are for combats, all of whose assignments are looked at.
    """
    if unmarked or undominated:
        if limit is not None:
            raise DocumentError(["--limit: not with --unmarked or --undominated, which look at all"])
        return scenario.outcomes(marks=not unmarked, undominated=undominated, engine=engine), True
    if limit is None and scenario.game.outcomes and "outcomes" in QUESTIONS[engine]:
        return scenario.outcomes(marks=isinstance(scenario.value, Combat), engine=engine), True
    return one_by_one(scenario, engine, limit)


def one_by_one(scenario: Scenario, engine: str, limit: int | None = None) -> tuple[list[Outcome], bool]:
    """The same by asking for each assignment what it does."""
    legal = scenario.legal(engine)
    found: dict[str, Outcome] = {}
    every = iter(legal)
    with Progress("looking", known_count(legal)) as progress:
        for one in every if limit is None else islice(every, limit):
            happens = scenario.game.result(scenario.value, one.to_dict())
            key = json.dumps(happens, sort_keys=True)
            known = found.get(key)
            found[key] = (
                replace(known, assignments=known.assignments + 1) if known else Outcome(happens, 1, one)
            )
            progress.advance(1)
    complete = limit is None or next(every, None) is None
    return sorted(found.values(), key=lambda one: -one.assignments), complete
