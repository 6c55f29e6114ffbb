"""Playing combats through exhaustively: the reference that outcomes and lines are held to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lethal.models.combat_steps import Change
from lethal.play import Step


def every_end(step: Step, changes: Mapping[str, Change] | None = None) -> Iterator[Step]:
    """Every way to the end: all legal assignments of both sides in every step."""
    if step.over:
        yield step
        return
    blockers = list(step.blockers)
    for mine in step.attackers:
        for theirs in blockers:
            yield from every_end(step.deal(mine, theirs, changes=changes), changes)


def outcomes(step: Step, changes: Mapping[str, Change] | None = None) -> list[dict[str, Any]]:
    """The outcomes of `every_end`."""
    return [end.outcome for end in every_end(step, changes)]
