"""What the step after this one can bring the active player at most: a bound that spares solving it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from lethal.models.combat import amount_of
from lethal.models.combat_outcome import Board, Dealt
from lethal.models.combat_types import Combat, Creature
from lethal.models.combat_wishes import Scale, Score, Weights
from lethal.models.damage_types import PLAYER

SIDES = ("win", "theirs", "mine")
"""Weights that are bounded one by one; all others by the damage that there is to deal."""


class Ceiling:
    """Bounds for one combat before its first-strike step, in the view of whoever wants scores times `sign`
    high.

    Kills are bounded as in a knapsack whose last piece may be cut, players by the damage that could reach
    them, everything else by all damage at its greatest worth. Each set of weights is bounded by itself,
    which bounds the sets in order too.
    """

    def __init__(
        self,
        combat: Combat,
        board: Board,
        scale: Scale,
        sign: int,
        later: Iterable[str],
        facing: Iterable[str],
    ) -> None:
        strikers = set(later)
        self.board = board
        self.scale = scale
        self.sign = sign
        self.facing = frozenset(facing)
        self.attackers = [c for c in combat.attackers if c.name in strikers]
        self.blockers = [c for c in combat.blockers if c.name in strikers]
        self.own = [c.name for c in combat.attackers]
        self.deadly = any("deathtouch" in c.keywords for c in self.attackers)
        self.poisonous = any(
            word == "infect" or word.startswith("toxic") for c in self.attackers for word in c.keywords
        )
        self.lives = [found.life for found in board.recipients.values() if PLAYER in found.kinds]
        self.worth = [
            sum(abs(scale.weight(at, f.name)) for f in fields(Weights) if f.name not in SIDES)
            for at in range(len(scale.wish))
        ]

    def above(self, mine: Dealt, theirs: Dealt) -> Score:
        """No play of the next step scores more, times the sign, after these were dealt in this one."""
        dealing = sum(_dealing(c) for c in self.attackers if not _gone(theirs, c.name))
        struck = sum(_dealing(c) for c in self.blockers if not _gone(mine, c.name))
        living = [name for name in self.facing if not _gone(mine, name)]
        face = sum(received.total for name, received in mine.received.items() if name in self.board.attacked)
        reach = self.poisonous or any(dealing + face >= life for life in self.lives)
        found = []
        for at in range(len(self.scale.wish)):
            total = self._kills(at, living, mine, dealing) + self.worth[at] * (dealing + struck)
            total += sum(max(0, self.sign * self.scale.loss(at, name)) for name in self.own)
            if reach:
                total += abs(self.scale.weight(at, "win")) * len(self.lives)
            found.append(total)
        return tuple(found)

    def _kills(self, at: int, living: Iterable[str], mine: Dealt, dealing: int) -> int:
        items = []
        for name in living:
            gain = max(0, self.sign * self.scale.loss(at, name))
            if gain:
                fate = mine.fates.get(name)
                after = fate.after if fate is not None else self.board.recipients[name]
                easy = self.deadly or after.lethal_by == "power"  # counters may lower power too
                items.append((gain, min(after.need, 1) if easy else after.need))
        items.sort(key=lambda item: item[1] / item[0])
        total = 0
        for gain, need in items:
            if need <= dealing:
                total += gain
                dealing -= need
            else:
                return total - (-gain * dealing // need)
        return total


def _dealing(creature: Creature) -> int:
    """More than the creature can deal and gain for: its damage, and what toxic adds."""
    toxic = sum(int(w.split()[1]) for w in creature.keywords if w.startswith("toxic ") and w[6:].isdigit())
    return (amount_of(creature) + toxic) * max(1, creature.deals_multiplier)


def _gone(dealt: Dealt, name: str) -> bool:
    fate = dealt.fates.get(name)
    return fate is not None and (fate.leaves or fate.regenerated > 0)
