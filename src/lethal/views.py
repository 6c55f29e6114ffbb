"""A deck's true order beside what each viewer may believe of it; viewers are told only what they see.

The truth moves with the game and gives the names that somebody sees; beliefs never get anything else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lethal.belief import BOTTOM, GRAVEYARD, HAND, LIBRARY, TOP, Belief

if TYPE_CHECKING:
    import numpy as np

Viewers = Iterable[str]


@dataclass(frozen=True)
class Views:
    """True zones, cards from the top, and a belief for each viewer; every operation gives the next value."""

    zones: Mapping[str, tuple[str, ...]]
    beliefs: Mapping[str, Belief]

    @classmethod
    def of(cls, library: Sequence[str], viewers: Viewers) -> Views:
        """A library whose order nobody knows."""
        # Sorted, for the order in which a belief lists names must not depend on the true order.
        belief = Belief.of(sorted(library))
        return cls({LIBRARY: tuple(library)}, dict.fromkeys(viewers, belief))

    def _next(self, zones: Mapping[str, tuple[str, ...]], beliefs: Mapping[str, Belief]) -> Views:
        return Views({**self.zones, **zones}, beliefs)

    def _moved(self, names: Sequence[str], zone: str, to: str, at: int) -> dict[str, tuple[str, ...]]:
        left = list(self.zones.get(zone, ()))
        for name in names:
            left.remove(name)
        held = tuple(left) if to == zone else self.zones.get(to, ())
        place = len(held) + 1 + at if at < 0 else at
        return {zone: tuple(left), to: (*held[:place], *names, *held[place:])}

    def shuffle(self, rng: np.random.Generator, keep: Iterable[int] = ()) -> Views:
        """The library is shuffled, but for the cards at the positions that are kept."""
        library = list(self.zones[LIBRARY])
        kept = set(keep)
        free = [at for at in range(len(library)) if at not in kept]
        for at, other in zip(free, rng.permutation(free), strict=True):
            library[at] = self.zones[LIBRARY][int(other)]
        return self._next(
            {LIBRARY: tuple(library)},
            {who: belief.shuffle(keep=kept) for who, belief in self.beliefs.items()},
        )

    def reveal(self, n: int, to: Viewers | None = None) -> Views:
        """The top cards are shown to some viewers (all by default)."""
        seen, told = self.zones[LIBRARY][:n], set(self.beliefs if to is None else to)
        return self._next({}, {w: b.see(seen) if w in told else b for w, b in self.beliefs.items()})

    def draw(self, player: str, n: int = 1) -> Views:
        """A player draws cards and alone sees them; the deck is that player's."""
        seen = self.zones[LIBRARY][:n]
        zones = {
            LIBRARY: self.zones[LIBRARY][n:],
            HAND: (*self.zones.get(HAND, ()), *seen),
        }
        return self._next(
            zones, {w: b.draw(n, seen if w == player else None) for w, b in self.beliefs.items()}
        )

    def scry(self, player: str, top: Sequence[str], bottom: Sequence[str] = ()) -> Views:
        """A player looks at the top cards and orders them so; raises ValueError if they are others."""
        n = len(top) + len(bottom)
        _same([*top, *bottom], self.zones[LIBRARY][:n])
        library = (*top, *self.zones[LIBRARY][n:], *bottom)
        return self._next(
            {LIBRARY: library},
            {
                w: b.scry(top, bottom) if w == player else b.scry(len(top), len(bottom))
                for w, b in self.beliefs.items()
            },
        )

    def surveil(self, player: str, top: Sequence[str], graveyard: Sequence[str]) -> Views:
        """A player looks at the top cards, keeps some and puts the others, seen by all, into the graveyard."""
        n = len(top) + len(graveyard)
        _same([*top, *graveyard], self.zones[LIBRARY][:n])
        zones = {
            LIBRARY: (*top, *self.zones[LIBRARY][n:]),
            GRAVEYARD: (*self.zones.get(GRAVEYARD, ()), *graveyard),
        }
        return self._next(
            zones,
            {w: b.surveil(top if w == player else len(top), graveyard) for w, b in self.beliefs.items()},
        )

    def put(self, player: str, names: Sequence[str], at: int = TOP, *, shown: bool = False) -> Views:
        """A player puts cards from the hand into the library, seen by nobody else unless shown."""
        return self._next(
            self._moved(names, HAND, LIBRARY, at),
            {w: b.put(names if shown or w == player else len(names), at) for w, b in self.beliefs.items()},
        )

    def play(self, name: str) -> Views:
        """A card leaves the hand for all to see."""
        return self._next(
            self._moved([name], HAND, "public", BOTTOM), {w: b.play(name) for w, b in self.beliefs.items()}
        )

    def find(
        self, player: str, name: str, among: Iterable[str] | None = None, *, shown: bool = False
    ) -> Views:
        """A player takes a card from the library into hand; others learn that it is one `among` names, or
        which."""
        kinds = None if among is None else tuple(among)
        return self._next(
            self._moved([name], LIBRARY, HAND, BOTTOM),
            {w: b.find(name if shown or w == player else kinds) for w, b in self.beliefs.items()},
        )

    def mulligan(self, player: str, rng: np.random.Generator, bottom: int = 0, hand: int = 7) -> Views:
        """Hand shuffled in, a new one drawn, its last cards put on the bottom (103.5)."""
        pool = (*self.zones.get(HAND, ()), *self.zones[LIBRARY])
        order = tuple(pool[int(at)] for at in rng.permutation(len(pool)))
        drawn = order[:hand]
        below = drawn[hand - bottom :] if bottom else ()
        zones = {HAND: drawn[: hand - bottom], LIBRARY: (*order[hand:], *below)}
        return self._next(
            zones,
            {
                w: b.mulligan(below, drawn, hand) if w == player else b.mulligan(bottom, None, hand)
                for w, b in self.beliefs.items()
            },
        )


def _same(told: Sequence[str], true: Sequence[str]) -> None:
    if sorted(told) != sorted(true):
        raise ValueError(f"these are not the top cards: {list(told)!r}")
