"""Scenarios and outcomes in words, as each game's entry in the table of games says them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lethal.cli.screen import Screen
from lethal.scenario import Scenario
from lethal.solver.assignments import Assignment


@dataclass(frozen=True)
class Wording:
    """What an assignment is called in a game, one that the rules allow, and how it is written."""

    unit: str
    allowed: str
    write: Callable[[Assignment], str]

    @property
    def units(self) -> str:
        return f"{self.unit}s"

    def number(self, count: int) -> str:
        """So many of them: `1 assignment`, `2 assignments`."""
        return f"{count} {self.unit if count == 1 else self.units}"


def wording(scenario: Scenario) -> Wording:
    """The words of a scenario's game."""
    game = scenario.game
    return Wording(game.unit, game.allowed, game.writer(scenario.value))


def describe(out: Screen, scenario: Scenario) -> None:
    """What the scenario is about: who assigns damage under which rules, and everyone concerned."""
    for told in scenario.game.told(scenario.value):
        if isinstance(told, str):
            out.line(told)
        elif told:
            out.table([""] * len(told[0]), told)


def consequences(scenario: Scenario, outcome: Mapping[str, Any]) -> list[str]:
    """What happens, one line each; none where the description has told it."""
    if scenario.game.settled:
        return []
    return list(scenario.game.words(outcome)) or ["nothing happens"]
