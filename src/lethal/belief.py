"""What one viewer may believe about hidden cards: zones, positions and names, updated as the game goes on.

A belief is an immutable value; each operation gives the next one and takes only what that viewer saw, never
the true order. Positions count from 0 at the top of a zone, -1 is the bottom. What the viewer did not see
happen to single cards loosens what was known of them, exactly: every arrangement of the cards that agrees
with all that was seen is equally likely. A player's choices (what an opponent puts on the bottom, finds or
plays) count as part of the arrangement; how a player tends to choose is a weight for `weighted`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lethal.solver.branch import Claim
from lethal.solver.knowledge import Contradiction, Knowledge

if TYPE_CHECKING:
    import numpy as np

Names: TypeAlias = str | Iterable[str]
Deck: TypeAlias = Mapping[str, int] | Iterable[str | tuple[str, int]]
World: TypeAlias = dict[str, tuple[str, ...]]

__all__ = ["Belief", "Contradiction", "Some"]

LIBRARY = "library"
HAND = "hand"
GRAVEYARD = "graveyard"
TOP = 0
BOTTOM = -1


class Some(NamedTuple):
    """Between `least` and `most` cards of these names lie at these positions of a zone (None: all of it)."""

    names: Names
    least: int = 1
    most: int | None = None
    zone: str = LIBRARY
    positions: Sequence[int] | None = None


class Belief:
    """A viewer's belief about the hidden cards of one deck. Raises KeyError for a name or zone that is not
    there."""

    def __init__(
        self, names: tuple[str, ...], zones: Mapping[str, tuple[int, ...]], knowledge: Knowledge
    ) -> None:
        self.names, self.zones, self.knowledge = names, dict(zones), knowledge

    @classmethod
    def of(cls, deck: Deck, zone: str = LIBRARY) -> Belief:
        """All cards of a deck, names with their copies, in one zone in an unknown order."""
        counted: dict[str, int] = {}
        for entry in deck.items() if isinstance(deck, Mapping) else deck:
            name, n = entry if isinstance(entry, tuple) else (entry, 1)
            counted[str(name)] = counted.get(str(name), 0) + n
        copies = list(counted.values())
        return cls(tuple(counted), {zone: tuple(range(sum(copies)))}, Knowledge.of(copies))

    # What there is.

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.names)}

    def numbers(self, names: Names) -> frozenset[int]:
        """Names (or one) as numbers; raises KeyError for a name that no card of the deck has."""
        return frozenset(self._number[name] for name in ([names] if isinstance(names, str) else names))

    def size(self, zone: str = LIBRARY) -> int:
        """How many of the cards are in a zone."""
        return len(self.zones.get(zone, ()))

    def slots(self, zone: str = LIBRARY, positions: Iterable[int] | None = None) -> tuple[int, ...]:
        """The slots at these positions of a zone; raises IndexError beyond its end."""
        held = self.zones[zone]
        return held if positions is None else tuple(held[at] for at in positions)

    def _with(self, zones: Mapping[str, tuple[int, ...]], knowledge: Knowledge | None = None) -> Belief:
        return Belief(self.names, {**self.zones, **zones}, knowledge or self.knowledge)

    # What the viewer learns.

    def see(self, names: Sequence[str], at: int = TOP, zone: str = LIBRARY, words: str = "") -> Belief:
        """The viewer sees the cards from a position on (a reveal, a look at the top)."""
        start = at if at >= 0 else self.size(zone) + at
        slots = self.slots(zone, range(start, start + len(names)))
        said = words or f"{{}} was seen in {zone}"
        return self._with(
            {},
            self.knowledge.learn(
                Claim(self.numbers(name), frozenset([slot]), 1, 1, said.format(name))
                for name, slot in zip(names, slots, strict=True)
            ),
        )

    def learn(self, *facts: Some, words: str = "") -> Belief:
        """The viewer learns such facts by other means: how many there are somewhere, or that none are."""
        return self._with({}, self.knowledge.learn(self._claim(fact, words) for fact in facts))

    def _claim(self, fact: Some, words: str = "") -> Claim:
        slots = frozenset(self.slots(fact.zone, fact.positions))
        most = len(slots) if fact.most is None else fact.most
        names = [fact.names] if isinstance(fact.names, str) else sorted(fact.names)
        where = fact.zone if fact.positions is None else f"{fact.zone} {list(fact.positions)}"
        said = words or f"{fact.least} to {most} of {', '.join(names)} in {where}"
        return Claim(self.numbers(names), slots, fact.least, most, said)

    # What happens to cards.

    def move(self, positions: Sequence[int], zone: str, to: str, at: int = BOTTOM) -> Belief:
        """Cards at these positions go to a place in another (or the same) zone, in this order from there down.

        `at` -1 is the bottom; from the top it counts among the cards that are there already.
        """
        moved = self.slots(zone, positions)
        zones = {zone: tuple(slot for slot in self.zones[zone] if slot not in moved)}
        held = zones[zone] if to == zone else self.zones.get(to, ())
        place = len(held) + 1 + at if at < 0 else at
        zones[to] = (*held[:place], *moved, *held[place:])
        return self._with(zones)

    def mix(self, positions: Iterable[int] | None = None, zone: str = LIBRARY, words: str = "") -> Belief:
        """The cards at these positions change places, and the viewer does not see how."""
        slots = self.slots(zone, positions)
        said = words or f"a card known in {zone} before it was mixed"
        return self._with({}, self.knowledge.mix(slots, said)) if slots else self

    def shuffle(self, zone: str = LIBRARY, keep: Iterable[int] = ()) -> Belief:
        """A zone is shuffled, all of it or (701.24b, g) all but the cards at the positions that are kept."""
        size = self.size(zone)
        kept = {at % size for at in keep} if size else set()
        return self.mix([at for at in range(size) if at not in kept], zone)

    def draw(self, n: int = 1, seen: Sequence[str] | None = None, to: str = HAND) -> Belief:
        """Cards from the top of the library go to a zone; their names where the viewer sees them."""
        belief = self if seen is None else self.see(seen, words="{} was drawn")
        return belief.move(range(n), LIBRARY, to)

    def scry(self, top: Sequence[str] | int = 0, bottom: Sequence[str] | int = 0) -> Belief:
        """Cards from the top go back on top or to the bottom, as names in order or (unseen) as numbers.

        Whoever scries gives the names; everybody else sees only how many went where. A pile in an order that
        the viewer does not know is mixed afterwards. Raises ValueError for names of one pile only.
        """
        up, down = _many(top), _many(bottom)
        if isinstance(top, int) and isinstance(bottom, int):
            belief = self.mix(range(up + down))
        elif (up and isinstance(top, int)) or (down and isinstance(bottom, int)):
            raise ValueError(f"names for both piles or for none: {top!r} and {bottom!r}")
        else:
            belief = self._arranged([*_named(top), *_named(bottom)])
        return belief.move(range(up, up + down), LIBRARY, LIBRARY)

    def surveil(self, top: Sequence[str] | int = 0, graveyard: Sequence[str] = ()) -> Belief:
        """Cards from the top go back there (names, or unseen their number) or, seen by all, to the graveyard."""
        up, down = _many(top), len(graveyard)
        if isinstance(top, int) and top:
            belief = self.mix(range(up + down)).see(graveyard, at=up, words="{} was put into the graveyard")
        else:
            belief = self._arranged([*_named(top), *graveyard])
        return belief.move(range(up, up + down), LIBRARY, GRAVEYARD)

    def _arranged(self, names: Sequence[str]) -> Belief:
        """The viewer puts the top cards into this order, having seen all of them."""
        slots, left = self.slots(LIBRARY, range(len(names))), list(names)
        known = {slot: self.knowledge.known(slot) for slot in slots}
        for name in known.values():
            if name is not None and self.names[name] in left:
                left.remove(self.names[name])
        free = [slot for slot in slots if known[slot] is None]
        if len(left) != len(free):
            belief, old = self, list(names)  # against what is known: the claims will say so
        else:
            belief = self._with({}, self.knowledge.mix(free, "a card at the top before it was looked at"))
            old = [left.pop(0) if (name := known[slot]) is None else self.names[name] for slot in slots]
        belief = belief.see(old)
        order, places = list(range(len(old))), []
        for wanted in names:
            places.append(next(at for at in order if old[at] == wanted))
            order.remove(places[-1])
        return belief.move(places, LIBRARY, LIBRARY, TOP)

    def put(self, cards: Sequence[str] | int, at: int = TOP, zone: str = HAND, to: str = LIBRARY) -> Belief:
        """Cards of a hidden zone go to a place in the library: names from there down, or unseen their number.

        `at` is 0 for the top, -1 for the bottom, or a position counted among the cards already there.
        """
        if isinstance(cards, int):
            return self.mix(zone=zone).move(range(cards), zone, to, at)
        belief, places = self._picked(cards, zone)
        return belief.move(places, zone, to, at)

    def _picked(self, names: Sequence[str], zone: str) -> tuple[Belief, list[int]]:
        """Where these cards, now shown, lie in a zone: any places, but for those who know all of the zone."""
        known = [self.knowledge.known(slot) for slot in self.slots(zone)]
        places: list[int] = []
        for name in names:
            mine = self._number[name]
            places += [at for at, other in enumerate(known) if other == mine and at not in places][:1]
        if None in known or len(places) < len(names):
            return self.mix(zone=zone).see(names, zone=zone, words=f"{{}} was shown from {zone}"), [
                *range(len(names))
            ]
        return self, places

    def play(self, name: str, zone: str = HAND, to: str = "public") -> Belief:
        """A card leaves a hidden zone and everybody sees it."""
        return self.put([name], BOTTOM, zone, to)

    def find(self, names: Names | None = None, to: str = HAND, at: int = BOTTOM) -> Belief:
        """Somebody takes a card out of the library: one name if it was shown, several for what it may be.

        None says nothing of it. The library stays in an order unknown to the viewer; shuffle what is to
        be shuffled, and note that a card put on top after the shuffle was not in it.
        """
        belief = self.mix()
        if names is not None:
            belief = belief.learn(Some(names, 1, 1, LIBRARY, [TOP]), words="a found card is what it may be")
        return belief.move([TOP], LIBRARY, to, at)

    def shuffle_in(self, zone: str = HAND) -> Belief:
        """All cards of a zone are shuffled into the library, which is shuffled even if there are none."""
        return (
            self.move(range(self.size(zone)), zone, LIBRARY).shuffle() if self.size(zone) else self.shuffle()
        )

    def mulligan(
        self, bottom: Sequence[str] | int = 0, seen: Sequence[str] | None = None, hand: int = 7
    ) -> Belief:
        """Hand shuffled in, a new one drawn (seen or not), cards of it on the bottom in the order given
        (103.5)."""
        belief = self.shuffle_in().draw(hand, seen)
        return belief.put(bottom, at=BOTTOM)

    # What the viewer may ask.

    @property
    def possible(self) -> bool:
        """Whether all that was seen can be true together."""
        return self.knowledge.possible

    def conflict(self) -> tuple[str, ...]:
        """Words of what cannot be true together, or () if all can."""
        return self.knowledge.conflict()

    def chance(self, names: Names, position: int = TOP, zone: str = LIBRARY) -> Fraction:
        """The probability that a card has one of these names: by default that of the next draw."""
        (slot,) = self.slots(zone, [position])
        return self.knowledge.chance(self.numbers(names), slot)

    def probability(self, *facts: Some) -> Fraction:
        """The probability that all of these facts hold together."""
        return self.knowledge.probability([self._claim(fact) for fact in facts])

    def within(self, names: Names, draws: int, least: int = 1) -> Fraction:
        """The probability of at least so many cards of these names among the next draws."""
        draws = min(draws, self.size())
        if least > draws:
            return Fraction(0)
        if least == 1:  # that there is none leaves smaller tables
            return 1 - self.probability(Some(names, 0, 0, LIBRARY, range(draws)))
        return self.probability(Some(names, least, draws, LIBRARY, range(draws)))

    def expected(self, names: Names, draws: int) -> Fraction:
        """The expected number of cards of these names among the next draws."""
        return sum((self.chance(names, at) for at in range(min(draws, self.size()))), Fraction(0))

    def first(self, names: Names) -> list[Fraction]:
        """The probability that the first card of these names is the next one, the one after, and so on.

        They sum to less than 1 where the library may hold none.
        """
        none = [Fraction(1)]
        for draws in range(1, self.size() + 1):
            none.append(
                self.probability(Some(names, 0, 0, LIBRARY, range(draws))) if none[-1] else Fraction(0)
            )
        return [before - after for before, after in pairwise(none)]

    def expected_draws(self, names: Names) -> Fraction | None:
        """How many draws it takes on average to the first card of these names; None if there may be none."""
        first = self.first(names)
        if sum(first) != 1:
            return None
        return sum((draws * share for draws, share in enumerate(first, 1)), Fraction(0))

    def why_not(self, names: Names, position: int = TOP, zone: str = LIBRARY) -> tuple[str, ...]:
        """What rules out that a card has one of these names, in words; () if it may have."""
        wish = self._claim(Some(names, 1, 1, zone, [position]), "wish")
        return tuple(words for words in self.knowledge.conflict([wish]) if words != "wish")

    def may_be(self, names: Names, position: int = TOP, zone: str = LIBRARY) -> bool:
        """Whether a card may have one of these names."""
        return not self.knowledge.conflict([self._claim(Some(names, 1, 1, zone, [position]), "wish")])

    def count(self) -> int:
        """How many different orders of all hidden cards are possible."""
        return self.knowledge.count()

    # Samples for determinisation.

    @property
    def columns(self) -> tuple[tuple[str, int], ...]:
        """Zone and position of each column of a sample."""
        return tuple((zone, at) for zone, held in self.zones.items() for at in range(len(held)))

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """`n` worlds, independent and each as likely as it is: numbers of `names`, an array (n, columns)."""
        order = [slot for held in self.zones.values() for slot in held]
        drawn = self.knowledge.sample(rng, n)
        found: np.ndarray = drawn if order == list(range(len(order))) else drawn[:, order]
        return found

    def worlds(self, rng: np.random.Generator, n: int) -> Iterator[World]:
        """The same as names, by zone."""
        ends, start = {}, 0
        for zone, held in self.zones.items():
            ends[zone] = start, start + len(held)
            start += len(held)
        for row in self.sample(rng, n).tolist():
            yield {zone: tuple(self.names[at] for at in row[a:b]) for zone, (a, b) in ends.items()}

    def weighted(
        self, rng: np.random.Generator, n: int, weight: Callable[[World], float]
    ) -> list[tuple[World, float]]:
        """Worlds with a caller's weight each (how a player tends to choose), which sum to 1.

        Raises ValueError where every weight is 0 or one is negative.
        """
        worlds = list(self.worlds(rng, n))
        weights = [weight(world) for world in worlds]
        total = sum(weights)
        if total <= 0 or min(weights) < 0:
            raise ValueError(f"weights must be 0 or more, and some more: their sum is {total!r}")
        return [(world, w / total) for world, w in zip(worlds, weights, strict=True)]


def _many(cards: Sequence[str] | int) -> int:
    return cards if isinstance(cards, int) else len(cards)


def _named(cards: Sequence[str] | int) -> Sequence[str]:
    return () if isinstance(cards, int) else cards
