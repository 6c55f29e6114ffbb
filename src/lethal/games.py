"""The games there are: for each kind of document how to read it, what problem it makes, and what it asks.

A new game is one entry here and a model; nothing else of the front door knows a game by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lethal.solver.problem import Meter, Objective, Problem

if TYPE_CHECKING:
    from lethal.models.words import Told
    from lethal.solver.assignments import Assignment


@cache
def _function(name: str) -> Callable[..., Any]:
    """A function of a model, which is imported when first asked for."""
    module, function = name.split(":")
    found: Callable[..., Any] = getattr(import_module(f"lethal.models.{module}"), function)
    return found


@dataclass(frozen=True)
class Game:
    """One game's functions, each named `module:function` and imported when first used."""

    kind: str
    module: str
    reader: str
    vintages: tuple[str, ...]
    default_objective: str
    objectives: str
    outcomes: str | None = None
    readings: str | None = None
    """From the value and its problem to the shares and meters on which what happens depends."""
    results: str | None = None
    """Like `outcomes`, but only what is so afterwards: two assignments with the same result are alike."""
    merits: str | None = None
    """From the value, its problem and an objective's name to how assignments are judged where it is no sum."""
    filling: str | None = None
    """From the document and a card file of the user's to the document with what the cards say, and warnings."""
    unit: str = "assignment"
    """What people call an assignment, and one that the rules allow."""
    allowed: str = "legal"
    description: str | None = None
    """From the value to lines and tables that say what the scenario is about."""
    consequences: str = "words:outcome"
    """From an outcome to lines that say what happens."""
    writing: str | None = None
    """From the value and an assignment's amounts to its text for people; the notation by default."""
    reading: str | None = None
    """From the value and such a text to the amounts; None for a text in the notation."""
    settled: bool = False
    """What happens is the same whatever is assigned, so that the description tells it."""

    def read(self, document: Mapping[str, Any]) -> tuple[Any, list[str]]:
        """The game's own value and warnings; raises DocumentError with every defect."""
        value, warnings = _function(self.reader)(document)
        return value, warnings

    def fill(self, document: Mapping[str, Any], path: str) -> tuple[dict[str, Any], list[str]]:
        """A document with what a card file says, and warnings; raises ValueError where the game reads none."""
        if self.filling is None:
            raise ValueError(f"documents of kind {self.kind!r} are not filled from cards")
        document, warnings = _function(self.filling)(document, path)
        return dict(document), warnings

    def build(self, value: Any) -> Problem:
        """The value as a problem."""
        problem: Problem = _function(self.module)(value)
        return problem

    def objective(self, value: Any, problem: Problem, name: Any) -> Objective:
        """An objective by name, or as the game's own data; raises ValueError for an unknown one."""
        objective: Objective = _function(self.objectives)(value, problem, name)
        return objective

    def judged(self, value: Any, problem: Problem, name: Any) -> Any:
        """How assignments are judged by what happens; raises ValueError where the game has no such objective."""
        if self.merits is None:
            raise ValueError(
                f"what happens is not judged in documents of kind {self.kind!r}: ask for the best"
            )
        return _function(self.merits)(value, problem, name)

    @property
    def outcome(self) -> Callable[[Any, Mapping[str, Mapping[str, int]]], dict[str, Any]] | None:
        """From the value and an assignment to what happens, or None."""
        return _function(self.outcomes) if self.outcomes else None

    def result(self, value: Any, amounts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
        """What an assignment leads to, by which assignments are grouped; raises ValueError for unknown names."""
        found: dict[str, Any] = _function(self.results or str(self.outcomes))(value, amounts)
        return found

    def told(self, value: Any) -> Iterable[Told]:
        """What people read first about a scenario: lines, and tables of rows."""
        return _function(self.description)(value) if self.description else ()

    def words(self, outcome: Mapping[str, Any]) -> Iterable[str]:
        """What happens, in lines."""
        lines: Iterable[str] = _function(self.consequences)(outcome)
        return lines

    def writer(self, value: Any) -> Callable[[Assignment], str]:
        """How people read an assignment."""
        if self.writing is None:
            return str
        written = _function(self.writing)
        return lambda assignment: written(value, assignment.to_dict())

    def read_back(self, value: Any, text: str) -> Mapping[str, Mapping[str, int]] | None:
        """The amounts of a text that `writer` wrote, or None for one in the notation; raises ValueError."""
        return _function(self.reading)(value, text) if self.reading else None

    def depends(self, value: Any, problem: Problem) -> tuple[Sequence[int], Sequence[Meter]]:
        """The shares, and meters to add to the problem, that tell results apart; every share by default."""
        if self.readings is None:
            return range(len(problem.shares)), ()
        shares, meters = _function(self.readings)(value, problem)
        return shares, meters


GAMES = {
    game.kind: game
    for game in (
        Game(
            kind="combat",
            module="combat:build",
            reader="combat_document:read_combat",
            vintages=("stack", "m10", "m11", "ordered", "foundations"),
            default_objective="kills",
            objectives="combat_objectives:objective",
            outcomes="combat_outcome:outcome",
            description="combat_words:describe",
            consequences="combat_words:consequences",
        ),
        Game(
            kind="indirect",
            module="indirect:build",
            reader="indirect_document:read_indirect",
            vintages=("rrg-1.3", "rrg-1.5", "rrg-1.6", "rrg-1.8"),
            default_objective="survive",
            objectives="indirect_objectives:objective",
            outcomes="indirect_outcome:outcome",
            readings="indirect_outcome:readings",
            merits="indirect_merits:merits",
            filling="marvel_cards:fill_from",
            results="indirect_outcome:result",
            description="indirect_words:describe",
            consequences="indirect_words:consequences",
        ),
        Game(
            kind="unlimited",
            module="unlimited:build",
            reader="unlimited:read_unlimited",
            vintages=("2025",),
            default_objective="decide",
            objectives="unlimited:objective",
            outcomes="unlimited:outcome",
            description="unlimited:describe",
            consequences="unlimited:consequences",
        ),
        Game(
            kind="arkham",
            module="arkham:build",
            reader="arkham:read_arkham",
            vintages=("reference",),
            default_objective="keep",
            objectives="arkham:objective",
            outcomes="arkham:outcome",
            description="arkham:describe",
            consequences="arkham:consequences",
        ),
        Game(
            kind="riftbound",
            module="riftbound:build",
            reader="riftbound:read_riftbound",
            vintages=("fill-first", "free-split"),
            default_objective="kills",
            objectives="riftbound:objective",
            outcomes="riftbound:outcome",
            description="riftbound:describe",
            consequences="riftbound:consequences",
        ),
        Game(
            kind="shuffle",
            module="shuffle_orders:build",
            reader="shuffle_document:read_shuffle",
            vintages=("2011", "2012", "2026"),
            default_objective="first",
            objectives="shuffle_orders:objective",
            outcomes="shuffle_orders:outcome",
            unit="order",
            allowed="possible",
            description="shuffle_words:describe",
            writing="shuffle_words:write",
            reading="shuffle_words:read",
            settled=True,
        ),
    )
}
