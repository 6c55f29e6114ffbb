"""What somebody knows of items that lie face down in slots: learnt claim by claim, loosened when slots are
mixed.

Every arrangement of the single items that agrees with all that is known is equally likely. Mixing slots at
random keeps *that* an item is among them and loses where: a known item becomes an item of its own whose
*home* are the mixed slots, for merely demanding one of its kind there would count worlds in the wrong
proportion. Where a looser claim than an item's name is mixed with slots it says nothing about, the knowledge
splits into branches, each as likely as it was before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm

import numpy as np

from lethal.solver.branch import MOST_BRANCHES, Branch, Claim, Kind
from lethal.solver.chance import choose
from lethal.solver.engine import TooWide
from lethal.solver.mixing import mixed
from lethal.solver.orders import Orders
from lethal.solver.reduction import Fact


class Contradiction(ValueError):
    """Nothing agrees with all that is said to be known; `words` are claims that cannot hold together."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        super().__init__("these cannot all hold: " + "; ".join(self.words))


class Knowledge:
    """All that somebody knows, as an immutable value; slots are numbered from 0, as many as there are items.

    Raises Contradiction when asked about knowledge that nothing agrees with, and TooWide.
    """

    def __init__(self, branches: Iterable[Branch]) -> None:
        self.branches = tuple(branches)

    @classmethod
    def of(cls, copies: Sequence[int]) -> Knowledge:
        """Nothing known but how many items of each name there are."""
        return cls([Branch(tuple(Kind(name, n) for name, n in enumerate(copies)))])

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """How many items of each name there are."""
        kinds = self.branches[0].kinds
        found = [0] * (1 + max((kind.name for kind in kinds), default=-1))
        for kind in kinds:
            found[kind.name] += kind.copies
        return tuple(found)

    @property
    def size(self) -> int:
        return sum(self.copies)

    def learn(self, claims: Iterable[Claim]) -> Knowledge:
        """What is known when these claims are too."""
        branches = self.branches
        for claim in claims:
            branches = tuple(branch.learn(claim) for branch in branches)
        if len(branches) > 1:
            branches = tuple(b for b in branches if b.orders.possible()) or branches
        return Knowledge(branches)

    def mix(self, slots: Iterable[int], words: str = "") -> Knowledge:
        """What is known after the items at these slots changed places at random, unseen; raises TooWide."""
        among = frozenset(slots)
        found: dict[tuple[object, ...], Branch] = {}
        # What nothing agrees with stays as it is: mixing would forget why.
        for branch in [branch for branch in self.branches if branch.orders.possible()]:
            for new in mixed(branch, among, words, weigh=len(self.branches) > 1):
                old = found.get(new.key)
                found[new.key] = new if old is None else replace(old, weight=old.weight + new.weight)
            if len(found) > MOST_BRANCHES:
                raise TooWide(f"this knowledge splits into more than {MOST_BRANCHES} cases")
        return Knowledge(found.values()) if found else self

    def known(self, slot: int) -> int | None:
        """The name of the item at a slot where it was seen and not mixed since, or None."""
        pins = [branch.pins.get(slot) for branch in self.branches]
        names = {b.kinds[pin.kind].name if pin else None for b, pin in zip(self.branches, pins, strict=True)}
        return names.pop() if len(names) == 1 else None

    @cached_property
    def mass(self) -> Fraction:
        """The weight of all arrangements; raises Contradiction where there is none."""
        mass = sum((branch.mass for branch in self.branches), Fraction(0))
        if not mass:
            raise Contradiction(self.conflict())
        return mass

    @property
    def possible(self) -> bool:
        """Whether anything agrees with all that is known; answers where counting is too wide, too."""
        return any(branch.orders.possible() for branch in self.branches)

    def conflict(self, claims: Iterable[Claim] = ()) -> tuple[str, ...]:
        """Words of claims that rule these out (or rule out one another): none could be left out; () if
        possible."""
        claims = list(claims)
        words: dict[str, None] = {}
        for branch in self.branches:
            facts = branch.orders.given(map(branch.fact, claims)).conflict()
            if not facts:
                return ()
            words.update(dict.fromkeys(fact.words or "the number of copies" for fact in facts))
        return tuple(words)

    def chance(self, names: frozenset[int], slot: int) -> Fraction:
        """The probability that the item at a slot has one of these names."""
        mass, total = self.mass, Fraction(0)
        for branch in self.branches:
            if branch.mass:
                total += branch.mass * sum(branch.orders.chance(kind, slot) for kind in branch.named(names))
        return total / mass

    def probability(self, claims: Iterable[Claim]) -> Fraction:
        """The probability that all of these claims hold."""
        claims = list(claims)
        mass = self.mass
        return (
            sum((b.weight * b.orders.given(map(b.fact, claims)).count() for b in self.branches), Fraction(0))
            / mass
        )

    def supports(self) -> list[list[Fact]]:
        """For each branch the facts about names that say which orders of names it allows."""
        return [list(_support(branch)) for branch in self.branches]

    def count(self) -> int:
        """How many different orders of names are possible; raises TooWide where more than 10 branches
        overlap."""
        supports = self.supports()
        if len(supports) > 10:
            raise TooWide(
                f"the orders of {len(supports)} overlapping cases are too many to count; sample them"
            )
        count = 0
        for size in range(1, len(supports) + 1):
            for chosen in combinations(supports, size):
                orders = Orders(self.copies, [fact for facts in chosen for fact in facts])
                count += orders.count() if size % 2 else -orders.count()
        return count

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` independent arrangements, each as likely as it is, as names in an array (n, slots)."""
        mass = self.mass
        if len(self.branches) == 1:
            return self._named(self.branches[0], rng, n)
        unit = lcm(mass.denominator, *(branch.mass.denominator for branch in self.branches))
        chosen = choose(rng, [int(branch.mass * unit) for branch in self.branches], n)
        found = np.empty((n, self.size), dtype=np.int32)
        for at in np.unique(chosen):
            here = np.flatnonzero(chosen == at)
            found[here] = self._named(self.branches[int(at)], rng, len(here))
        return found

    def _named(self, branch: Branch, rng: np.random.Generator, n: int) -> np.ndarray:
        kinds = branch.orders.sample(rng, n)
        names = np.array([kind.name for kind in branch.kinds], dtype=np.int32)
        if len(names) == len(self.copies) and (names == np.arange(len(names))).all():
            return kinds
        named: np.ndarray = names[kinds]
        return named


def _support(branch: Branch) -> Iterator[Fact]:
    """Which orders of names a branch allows: by Hall's theorem, homes must hold enough items of a name."""
    for slot, pin in branch.pins.items():
        yield Fact(frozenset([branch.kinds[pin.kind].name]), frozenset([slot]), 1, 1, pin.words)
    for claim in branch.claims:
        yield Fact(claim.names, claim.slots, claim.least, claim.most, claim.words)
    homes: dict[int, set[frozenset[int]]] = {}
    for kind in branch.kinds:
        if kind.home is not None and kind.copies:
            homes.setdefault(kind.name, set()).add(kind.home)
    for name, places in homes.items():
        for size in range(1, len(places) + 1):
            for chosen in combinations(sorted(places, key=sorted), size):
                union = frozenset[int]().union(*chosen)
                inside = {
                    at
                    for at, kind in enumerate(branch.kinds)
                    if kind.name == name and kind.home is not None and kind.home <= union
                }
                least = sum(branch.kinds[at].copies for at in inside)
                least += sum(
                    slot in union and pin.kind not in inside and branch.kinds[pin.kind].name == name
                    for slot, pin in branch.pins.items()
                )
                yield Fact(frozenset([name]), union, least, len(union), "what was known before it was mixed")
