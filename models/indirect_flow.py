"""What becomes of the damage that one character is dealt, step by step; outcomes and objectives both read it.

The order is: increases of what is dealt, constant changes of what is taken, one Tough card, then what
interrupts prevent or move elsewhere, and what is left is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lethal.models.indirect_types import Character, Effect, Indirect
from lethal.models.pools import tabulate
from lethal.solver.problem import Table


@dataclass(frozen=True, slots=True)
class Passed:
    """Damage dealt to one character: what Tough absorbed, what it took, and what each redirect moved."""

    dealt: int
    spent: int = 0
    absorbed: int = 0
    taken: int = 0
    moved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Flow:
    """One character's way from dealt to taken. `steps` are (amount or None for all, where to or None)."""

    increase: int
    constant: int
    tough: bool
    immune: bool
    steps: tuple[tuple[int | None, str | None], ...]
    stripped: int = 0
    """Tough cards that piercing discards if any damage is dealt; `tough` is false then."""

    def deal(self, assigned: int) -> int:
        """What is dealt where this much is assigned."""
        return max(0, assigned + self.increase) if assigned > 0 else 0

    def settle(self, dealt: int) -> Passed:
        """What becomes of damage dealt at one time; one Tough card stops all that constant changes left."""
        due = max(0, dealt - self.constant) if dealt > 0 and not self.immune else 0
        stripped = self.stripped if dealt > 0 else 0
        if due == 0:
            return Passed(dealt, stripped, moved=(0,) * len(self.steps))
        if self.tough:
            return Passed(dealt, 1, due, moved=(0,) * len(self.steps))
        moved = []
        for amount, to in self.steps:
            stopped = due if amount is None else min(amount, due)
            due -= stopped
            moved.append(stopped if to is not None else 0)
        return Passed(dealt, stripped, taken=due, moved=tuple(moved))

    def breaks(self) -> list[int]:
        """Amounts dealt at which a reading of `settle` changes its slope."""
        at = [self.constant]
        for amount, _ in self.steps:
            if amount is not None:
                at.append(at[-1] + amount)
        return sorted({0, 1, *at, *(a + 1 for a in at)})

    def table(self, top: int, read: str, step: int = 0, *, assigned: bool = True) -> Table:
        """A reading (`dealt`, `taken`, `spent`, `absorbed`, or a step's `moved`) as a table of the assigned.

        With `assigned` false it is a table of what is dealt, for those to whom others' damage is moved.
        """

        def entry(amount: int) -> int:
            passed = self.settle(self.deal(amount) if assigned else amount)
            found: int = passed.moved[step] if read == "moved" else getattr(passed, read)
            return found

        shift = self.increase if assigned else 0
        return tabulate(entry, [0, 1, 2, *(b - shift for b in self.breaks())], top)


def flow_of(character: Character, effects: Iterable[Effect], *, source: str, pierced: bool = False) -> Flow:
    """The flow of a character under attached effects; `pierced`: its Tough cards are discarded first."""
    increase = constant = 0
    steps: list[tuple[int | None, str | None]] = []
    for effect in effects:
        if effect.character not in (None, character.name):
            continue
        if effect.kind != "increase":
            steps.append((effect.amount, effect.to if effect.kind == "redirect" else None))
        elif effect.stage == "dealt":
            increase += effect.amount or 0
        elif effect.stage == "taken":
            constant -= effect.amount or 0
    return Flow(
        increase,
        constant + character.reduce,
        character.tough > 0 and not pierced,
        character.immune(source),
        tuple(steps),
        character.tough if pierced else 0,
    )


def redirected(value: Indirect) -> frozenset[str]:
    """The names whose damage depends on another's: both ends of every redirect."""
    ends = [(e.character, e.to) for e in value.effects if e.kind == "redirect"]
    return frozenset(name for pair in ends for name in pair if name is not None)


def order_of(names: Iterable[str], effects: Iterable[Effect]) -> list[str]:
    """Names so that damage is moved on only after all of it has arrived. Raises ValueError for a circle."""
    after: dict[str, set[str]] = {name: set() for name in names}
    for effect in effects:
        if effect.kind == "redirect" and effect.to in after and effect.character in after:
            after[str(effect.to)].add(str(effect.character))
    found: list[str] = []
    while after:
        ready = [name for name, before in after.items() if not before]
        if not ready:
            raise ValueError(f"damage is redirected in a circle: {', '.join(after)}")
        for name in ready:
            del after[name]
        for before in after.values():
            before.difference_update(ready)
        found += ready
    return found
