"""One case of what somebody knows: single items that are alike, where they are known to lie, and claims about
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from lethal.solver.orders import Orders
from lethal.solver.reduction import Fact

MOST_BRANCHES = 2000
"""Branches that knowledge may split into before it is too wide."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Between `least` and `most` of the items at these slots have one of these names."""

    names: frozenset[int]
    slots: frozenset[int]
    least: int
    most: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """Items of one name that nothing tells apart; those with a `home` lie somewhere in it."""

    name: int
    copies: int
    home: frozenset[int] | None = None
    words: str = field(default="", compare=False)

    def can_be_at(self, slot: int) -> bool:
        return self.copies > 0 and (self.home is None or slot in self.home)


@dataclass(frozen=True, slots=True)
class Pin:
    """The kind that is known to lie at a slot."""

    kind: int
    words: str = field(default="", compare=False)


@dataclass(frozen=True)
class Branch:
    """One way that things may be, all its arrangements alike; `weight` is that of each of them."""

    kinds: tuple[Kind, ...]
    pins: Mapping[int, Pin] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    weight: Fraction = Fraction(1)

    @cached_property
    def orders(self) -> Orders:
        """The arrangements, kinds of items over slots."""
        facts = [Fact(frozenset([p.kind]), frozenset([slot]), 1, 1, p.words) for slot, p in self.pins.items()]
        facts += [
            Fact(frozenset([at]), kind.home, kind.copies, kind.copies, kind.words)
            for at, kind in enumerate(self.kinds)
            if kind.home is not None
        ]
        return Orders([kind.copies for kind in self.kinds], [*facts, *map(self.fact, self.claims)])

    def fact(self, claim: Claim) -> Fact:
        """A claim about names as a fact about this branch's kinds."""
        return Fact(self.named(claim.names), claim.slots, claim.least, claim.most, claim.words)

    def named(self, names: frozenset[int]) -> frozenset[int]:
        return frozenset(at for at, kind in enumerate(self.kinds) if kind.name in names)

    @cached_property
    def mass(self) -> Fraction:
        """How likely the branch is, in proportion to the others."""
        return self.weight * self.orders.count()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for branches that differ in weight only."""
        return self.kinds, frozenset(self.pins.items()), frozenset(self.claims)

    def learn(self, claim: Claim) -> Branch:
        """The branch with one more claim, as a pin where it can only be about one kind."""
        if claim.least == 1 and len(claim.slots) == 1 and len(claim.names) == 1:
            (slot,) = claim.slots
            if slot in self.pins:
                if self.kinds[self.pins[slot].kind].name in claim.names:
                    return self
            else:
                able = [at for at in self.named(claim.names) if self.kinds[at].can_be_at(slot)]
                if len(able) == 1:
                    return replace(self, pins={**self.pins, slot: Pin(able[0], claim.words)})
        return self if claim in self.claims else replace(self, claims=(*self.claims, claim))
