"""What a player may want of a combat's outcome, as data: weights, one set after another, read off what
happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from math import isfinite, lcm
from typing import TypeAlias

from lethal.models.combat_outcome import Board, Dealt
from lethal.models.combat_outcome import Side as Side
from lethal.models.combat_types import Combat, Creature
from lethal.models.damage_types import PLAYER, Fate, Received

Weight: TypeAlias = int | float | Fraction
Score: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each thing is worth to the side that wants it; 0 where it does not matter.

    `win` an attacked player that loses the game, `theirs` and `mine` the value of creatures that leave
    (power + toughness, or as given) on the other and on the own side, `face` damage to anything that is
    attacked, `their_life` and `my_life` the life that the other side loses and the own side keeps or gains,
    `poison` a poison counter, `loyalty` a point of loyalty or defense that goes, `waste` a point that the
    own side deals to a creature beyond what its toughness can take. What is good for attackers is bad for
    blockers.
    """

    win: Weight = 0
    theirs: Weight = 0
    mine: Weight = 0
    face: Weight = 0
    their_life: Weight = 0
    my_life: Weight = 0
    poison: Weight = 0
    loyalty: Weight = 0
    waste: Weight = 0


Wish: TypeAlias = tuple[Weights, ...]
"""Weights in order of importance: a later set only decides between what the earlier ones hold equal."""
Wanted: TypeAlias = str | Mapping[str, Weight] | Sequence[Mapping[str, Weight]]

WISHES: dict[str, Wish] = {
    "kills": (Weights(win=1), Weights(theirs=1), Weights(face=1), Weights(waste=1)),
    "face": (Weights(win=1), Weights(face=1), Weights(theirs=1), Weights(waste=1)),
    "win": (Weights(win=1), Weights(their_life=1, my_life=1, poison=2), Weights(theirs=1, mine=1)),
    "trade": (
        Weights(win=1),
        Weights(theirs=1, mine=1),
        Weights(their_life=1, my_life=1, poison=2, loyalty=1),
    ),
}
"""Wishes that have a name."""


def value_of(creature: Creature) -> int | Fraction:
    """What a creature is worth to the objective: its `value`, or power + toughness; exact."""
    if creature.value is None:
        return creature.power + creature.toughness
    return Fraction(str(creature.value))


TITLES = {
    "win": "players defeated",
    "theirs": "value of creatures that die",
    "mine": "value of own creatures that die",
    "face": "damage to what is attacked",
    "their_life": "life they lose",
    "my_life": "life gained",
    "poison": "poison",
    "loyalty": "loyalty lost",
    "waste": "waste",
}


PAIRS = {("theirs", "mine"): "value of creatures that die less own ones", ("their_life", "my_life"): "life"}
"""Two weights that are about one thing, in words."""


def title(weights: Weights) -> str:
    """What a set of weights is about, in words."""
    names = [name for name in TITLES if getattr(weights, name)]
    words = {name: TITLES[name] for name in names}
    for (name, other), both in PAIRS.items():
        if name in words and other in words:
            words[name] = both
            del words[other]
    *first, last = words.values() or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


def wish(wanted: Wanted) -> Wish:
    """The wish of that name, or of these weights; several sets are ranked, the first before all others.

    Raises ValueError for an unknown name or weight, and for a weight that is no number.
    """
    if isinstance(wanted, str):
        if wanted not in WISHES:
            names = ", ".join(WISHES)
            raise ValueError(f"there is no objective {wanted!r} for what happens; there are {names}")
        return WISHES[wanted]
    sets = [wanted] if isinstance(wanted, Mapping) else list(wanted)
    known = [field.name for field in fields(Weights)]
    if not sets:
        raise ValueError("there must be at least one set of weights")
    for weights in sets:
        if not isinstance(weights, Mapping):
            raise ValueError(f"a set of weights is a table of numbers by name, not {weights!r}")
        for name, weight in weights.items():
            if name not in known:
                raise ValueError(f"there is no weight {name!r}; there are {', '.join(known)}")
            if not _number(weight):
                raise ValueError(f"weight {name!r} must be a number, not {weight!r}")
    return tuple(Weights(**weights) for weights in sets)


def _number(weight: object) -> bool:
    return isinstance(weight, int | float | Fraction) and not isinstance(weight, bool) and isfinite(weight)


class Scale:
    """A wish over one combat: all weights and values as integers, and the score of what happened.

    `units` holds for each set how many of its integers make one point. Scores are from the view of `side`.
    """

    def __init__(self, combat: Combat, wished: Wish, side: Side = "attackers") -> None:
        self.side = side
        self.wish = wished
        self.attackers = frozenset(c.name for c in combat.attackers)
        values = {c.name: value_of(c) for c in (*combat.attackers, *combat.blockers)}
        worth = lcm(*(value.denominator for value in values.values()), 1)
        self.units = tuple(worth * lcm(*(_fraction(w).denominator for w in _all(s)), 1) for s in wished)
        self._weights = [
            {f.name: int(_fraction(getattr(s, f.name)) * unit) for f in fields(Weights)}
            for s, unit in zip(wished, self.units, strict=True)
        ]
        self._values = values

    def weight(self, at: int, name: str) -> int:
        """A weight of the set at a position, in its integers."""
        return self._weights[at][name]

    def value(self, at: int, name: str, weight: str) -> int:
        """What a creature is worth under a weight of a set, in its integers."""
        return int(self._values[name] * self._weights[at][weight])

    def loss(self, at: int, name: str) -> int:
        """What it is worth to the side that a creature leaves: less than 0 for an own one."""
        own = (name in self.attackers) == (self.side == "attackers")
        return -self.value(at, name, "mine") if own else self.value(at, name, "theirs")

    @property
    def sign(self) -> int:
        """1 where harm to what is attacked is good for the side, else -1."""
        return 1 if self.side == "attackers" else -1

    def life(self, at: int, attacked: int, active: int) -> int:
        """The worth of life that the attacked players and the active player gain (or lose)."""
        mine, theirs = self.weight(at, "my_life"), self.weight(at, "their_life")
        if self.side == "attackers":
            return mine * active - theirs * attacked
        return mine * attacked - theirs * active

    def score(self, board: Board, dealt: Dealt) -> Score:
        """The score of what one step's damage did, set by set."""
        total = [0] * len(self.wish)
        attacked = active = 0
        for player, n in dealt.gained.items():
            if player in board.recipients:
                attacked += n
            else:
                active += n
        for name, received in dealt.received.items():
            fate = dealt.fates[name]
            if PLAYER in received.after.kinds:
                attacked -= board.recipients[name].life - received.after.life
            for at in range(len(total)):
                total[at] += self._one(at, board, name, received, fate)
        return tuple(n + self.life(at, attacked, active) for at, n in enumerate(total))

    def _one(self, at: int, board: Board, name: str, received: Received, fate: Fate) -> int:
        before = board.recipients[name]
        weights = self._weights[at]
        if name in self._values:
            found = self.loss(at, name) if fate.leaves else 0
            own = (name in self.attackers) == (self.side == "attackers")
            if weights["waste"] and not own:
                found -= weights["waste"] * (received.idle + max(0, received.total - before.need))
            return found
        found = weights["face"] * received.total + weights["poison"] * received.poison
        if PLAYER in before.kinds:
            found += weights["win"] * fate.leaves
        gone = before.loyalty - received.after.loyalty + before.defense - received.after.defense
        return (found + weights["loyalty"] * gone) * self.sign


def _all(weights: Weights) -> list[Weight]:
    return [getattr(weights, field.name) for field in fields(Weights)]


def _fraction(weight: Weight) -> Fraction:
    return Fraction(str(weight)) if isinstance(weight, float) else Fraction(weight)
