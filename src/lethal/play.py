"""Playing a combat through: both sides assign in each damage step, over what the step before has left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from lethal.models.combat import build
from lethal.models.combat_objectives import objective
from lethal.models.combat_outcome import Board, Dealt
from lethal.models.combat_steps import Change, StepName, after_step, together
from lethal.models.combat_types import Combat
from lethal.models.damage import Choice
from lethal.solver.assignments import Amounts, Assignment, Assignments
from lethal.solver.engine import DEFAULT

if TYPE_CHECKING:
    from lethal.scenario import Scenario

Side = Literal["attackers", "blockers"]


def combat_of(scenario: Scenario) -> Combat:
    """The combat that a scenario describes; raises ValueError for another kind of document."""
    value = scenario.value
    if not isinstance(value, Combat):
        raise ValueError(f"only a combat has damage steps, not a document of kind {scenario.kind!r}")
    return value


class IllegalAssignment(ValueError):
    """An assignment that the rules forbid; the message names every rule that it breaks."""


@dataclass(frozen=True)
class Step:
    """One combat damage step: what either side may assign in it, and what has happened in those before.

    `combat` is the state as the step begins; None once no step is left.
    """

    combat: Combat | None
    past: tuple[dict[str, Any], ...] = ()
    engine: str = DEFAULT

    @property
    def name(self) -> StepName | None:
        """`first-strike`, `regular` or `only`; None once all is over."""
        return self.combat.step if self.combat is not None else None

    @property
    def over(self) -> bool:
        """Whether no step is left."""
        return self.combat is None

    @cached_property
    def attackers(self) -> Assignments:
        """What the attackers may be assigned in this step."""
        return self._legal("attackers")

    @cached_property
    def blockers(self) -> Assignments:
        """What the blockers may be assigned in this step."""
        return self._legal("blockers")

    def _legal(self, side: Side) -> Assignments:
        combat = replace(self._combat, assigning=side)
        problem = build(combat)
        return Assignments(problem, self.engine, lambda name: objective(combat, problem, name))

    @property
    def _combat(self) -> Combat:
        if self.combat is None:
            raise ValueError("the combat is over: no damage step is left")
        return self.combat

    def deal(
        self,
        attackers: Assignment | Amounts | None = None,
        blockers: Assignment | Amounts | None = None,
        *,
        choices: Mapping[str, Choice] | None = None,
        changes: Mapping[str, Change] | None = None,
    ) -> Step:
        """The next step, after both sides' damage was dealt at once and what it did has happened.

        A side with only one legal assignment need not be given. `choices` says by recipient what a limited
        shield prevents, `changes` what happens to creatures before the next step. Raises IllegalAssignment
        for amounts that the rules forbid, ValueError where a side has a choice and none is given, or once
        all is over.
        """
        dealt = self.dealt(attackers, blockers, choices=choices)
        done = dealt.plain(Board(self._combat))
        following = after_step(self._combat, dealt, changes)
        return Step(following, (*self.past, done), self.engine)

    def dealt(
        self,
        attackers: Assignment | Amounts | None = None,
        blockers: Assignment | Amounts | None = None,
        *,
        choices: Mapping[str, Choice] | None = None,
    ) -> Dealt:
        """What became of every recipient in this step, as `deal` finds it: each one's damage, excess and
        fate."""
        amounts = (self._amounts("attackers", attackers), self._amounts("blockers", blockers))
        return Board(self._combat).deal(*amounts, choices=choices)

    def _amounts(self, side: Side, given: Assignment | Amounts | None) -> Amounts:
        legal: Assignments = getattr(self, side)
        if given is None:
            rows, complete = legal.rows(1)
            if not complete or not rows:
                raise ValueError(
                    f"the {side} have {'a choice' if rows else 'no legal assignment'}: say which"
                )
            return Assignment(legal.columns, rows[0]).to_dict()
        broken = legal.check(given)
        if broken:
            words = "; ".join(f"{v.rule}: {v.message}" for v in broken)
            raise IllegalAssignment(f"the {side}' assignment is not legal: {words}")
        return given.to_dict() if isinstance(given, Assignment) else given

    @property
    def outcome(self) -> dict[str, Any]:
        """Everything that has happened in the steps before this one, as one outcome."""
        return together(self.past)
