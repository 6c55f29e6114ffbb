"""What of an assignment decides what happens: meters that tell outcomes apart, and wishes as objectives
over them.

A recipient is *simple* if its fate follows from a sum over its shares and it has no shield; regeneration that saves it
from everything and a shield counter that prevents everything follow from sums too. The shares of any other recipient,
with a shield that could prevent one damage or another, are read one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from lethal.models.combat_outcome import ACTIVE, Board
from lethal.models.combat_wishes import Scale
from lethal.models.damage import protected
from lethal.models.damage_types import CREATURE, PLAYER, Source
from lethal.models.state_actions import POISON
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Meter,
    Objective,
    Problem,
    Score,
    Share,
    Table,
    Used,
    linear,
    step,
)

Term = tuple[int, Table]


@dataclass(frozen=True, slots=True)
class Signature:
    """What tells one outcome from another: shares, readings of further meters, and whether still others
    are full."""

    shares: tuple[int, ...]
    meters: tuple[Meter, ...]
    fulls: tuple[Meter, ...]

    def added(self, problem: Problem) -> tuple[Problem, tuple[int, ...], tuple[int, ...]]:
        """The problem with a last share for each of `fulls`, 1 where it is full, and what to read: shares,
        meters.

        Rows correspond one to one; a reading that only matters as full or not is forgotten as soon as that
        is known.
        """
        first, flags, bounds = len(problem.meters) + len(self.meters), list[Share](), list[AtMost]()
        for at, meter in enumerate(self.fulls):
            flag = len(problem.shares) + at
            flags.append(Share("what happens", meter.name, (0, 1)))
            bounds.append(AtMost(1, (Used(flag, (1,)), Full(first + at, False))))
            bounds.append(AtMost(1, (Used(flag, (0,)), Full(first + at))))
        more = replace(
            problem,
            shares=problem.shares + tuple(flags),
            meters=problem.meters + self.meters + self.fulls,
            at_most=problem.at_most + tuple(bounds),
        )
        shares = (*self.shares, *range(len(problem.shares), len(more.shares)))
        return more, shares, tuple(range(len(problem.meters), first))


@dataclass
class _Scores:
    """One objective being put together: its meters, and the terms of each of its scores."""

    problem: Problem
    meters: list[Meter] = field(default_factory=list)
    shares: list[Term] = field(default_factory=list)
    read: list[Term] = field(default_factory=list)

    def meter(self, name: str, full: int, terms: Sequence[Term]) -> int:
        """The number of a meter over these terms; an equal one is used again."""
        made = Meter(name, full, tuple(terms))
        for at, known in enumerate(self.meters):
            if (known.full, known.terms) == (made.full, made.terms):
                return len(self.problem.meters) + at
        self.meters.append(made)
        return len(self.problem.meters) + len(self.meters) - 1


class Reading:
    """One side's problem read as damage that is dealt."""

    def __init__(self, board: Board, problem: Problem) -> None:
        self.board = board
        self.problem = problem
        self.hits: dict[str, list[int]] = {}
        for at, share in enumerate(problem.shares):
            self.hits.setdefault(share.recipient, []).append(at)

    def source(self, at: int) -> Source:
        """The source of a share."""
        return self.board.sources[self.problem.shares[at].source]

    def most(self, shares: Iterable[int]) -> int:
        """More than these shares can deal together."""
        return sum(self.problem.shares[at].values[-1] * self.source(at).multiplier for at in shares)

    def dealing(self, name: str) -> list[int]:
        """The shares that deal damage to a recipient: its protection, or a shield counter, prevents the
        others."""
        recipient = self.board.recipients[name]
        counter = recipient.shield_counters and not recipient.prevent_next
        return [
            at
            for at in self.hits[name]
            if self.source(at).multiplier > 0
            and (self.source(at).unpreventable or not (counter or protected(recipient, self.source(at))))
        ]

    def simple(self, name: str) -> bool:
        """Whether the recipient's fate follows from sums over its shares."""
        recipient = self.board.recipients[name]
        if recipient.prevent_next or recipient.shield_counters or recipient.regeneration_shields:
            return False
        if CREATURE not in recipient.kinds:
            return True
        if recipient.toughness <= 0 or recipient.need == 0:
            return recipient.indestructible and recipient.toughness > 0
        return recipient.lethal_by == "toughness" or not any(
            self.source(at).shrinks for at in self.dealing(name)
        )

    def saved(self, name: str) -> bool:
        """Whether a shield saves the recipient from all that these sources can do: regeneration, in one check."""
        recipient = self.board.recipients[name]
        if not recipient.regeneration_shields or recipient.cannot_regenerate or recipient.toughness <= 0:
            return False
        if recipient.prevent_next or recipient.shield_counters or recipient.need == 0:
            return False
        sources = [self.source(at) for at in self.dealing(name)]
        triggers = self.board.triggers and any(source.has("deathtouch") for source in sources)
        return not triggers and not any(source.shrinks for source in sources)

    def shielded(self, name: str) -> bool:
        """Whether a shield counter prevents all that these sources deal."""
        recipient = self.board.recipients[name]
        if any(self.source(at).unpreventable for at in self.hits[name]):
            return False
        return recipient.shield_counters > 0 and not recipient.prevent_next and recipient.need > 0

    def summed(self, name: str) -> bool:
        """Whether all that becomes of the recipient follows from sums over its shares."""
        return self.simple(name) or self.saved(name) or self.shielded(name)

    def amounts(self, shares: Iterable[int]) -> list[Term]:
        """Each share's damage."""
        return [(at, linear(self.source(at).multiplier)) for at in shares]

    def lethal(self, name: str) -> tuple[int, list[Term]] | None:
        """When a creature leaves or regenerates: the sum that does it and its terms; None if nothing here
        can."""
        recipient, shares = self.board.recipients[name], self.dealing(name)
        if recipient.indestructible:
            shares = [at for at in shares if self.source(at).shrinks]
            return (recipient.toughness, self.amounts(shares)) if shares else None
        full = recipient.need
        terms = [
            (at, step(1, full) if self.source(at).has("deathtouch") else linear(self.source(at).multiplier))
            for at in shares
        ]
        return (full, terms) if terms else None

    def poison(self, name: str) -> list[Term]:
        """The poison that each share gives a player."""
        terms = []
        for at in self.dealing(name):
            source = self.source(at)
            slope = source.multiplier if source.has("infect") else 0
            if slope or source.toxic:
                terms.append((at, Table(((0, 0, 0), (1, slope + source.toxic, slope)))))
        return terms

    def gains(self, counts: Callable[[str], bool]) -> dict[bool, list[Term]]:
        """The life that each share of the recipients that count gives by lifelink, to the active player or
        not."""
        found: dict[bool, list[Term]] = {True: [], False: []}
        for name in self.hits:
            if counts(name):
                for at in self.dealing(name):
                    source = self.source(at)
                    if source.has("lifelink") and source.controller is not None:
                        found[source.controller == ACTIVE].append((at, linear(source.multiplier)))
        return found


def signature(board: Board, problem: Problem, *, marks: Iterable[str] = (), waste: bool = False) -> Signature:
    """What tells the outcomes of a problem's assignments apart.

    Marked damage on survivors counts only for the creatures in `marks`, damage beyond lethal only with
    `waste`.
    """
    reading = Reading(board, problem)
    wanted = set(marks)
    shares: list[int] = []
    made, fulls = _Scores(problem), _Scores(problem)
    for name in reading.hits:
        recipient = board.recipients[name]
        dealing = reading.dealing(name)
        if not reading.summed(name):
            shares += reading.hits[name]
            continue
        if CREATURE not in recipient.kinds:
            made.meter(f"damage to {name}", reading.most(dealing), reading.amounts(dealing))
            if PLAYER in recipient.kinds and reading.poison(name):
                most = reading.most(dealing) + sum(reading.source(at).toxic for at in dealing)
                made.meter(f"poison of {name}", most, reading.poison(name))
            continue
        shares += _creature(reading, name, made, fulls, name in wanted)
        if waste:
            idle = [at for at in reading.hits[name] if at not in dealing]
            made.meter(f"damage to {name}", reading.most(dealing), reading.amounts(dealing))
            made.meter(f"idle on {name}", sum(_most(problem, at) for at in idle), _plain(idle))
    for terms in reading.gains(reading.summed).values():
        if terms:
            made.meter("life gained", reading.most(at for at, _ in terms), terms)
    return Signature(tuple(sorted(set(shares))), tuple(made.meters), tuple(fulls.meters))


def _most(problem: Problem, at: int) -> int:
    return problem.shares[at].values[-1]


def _plain(shares: Iterable[int]) -> list[Term]:
    return [(at, AMOUNT) for at in shares]


def _creature(reading: Reading, name: str, made: _Scores, fulls: _Scores, marks: bool) -> list[int]:
    """Add what tells a simple creature's fates apart; the shares that must be read one by one."""
    recipient, dealing = reading.board.recipients[name], reading.dealing(name)
    shrinking = [at for at in dealing if reading.source(at).shrinks]
    if marks and shrinking:
        return reading.hits[name]
    if reading.shielded(name):
        fulls.meter(f"shield of {name}", 1, [(at, step(1, 1)) for at in reading.hits[name]])
    lethal = reading.lethal(name)
    if lethal is not None:
        (made if marks else fulls).meter(f"lethal for {name}", *lethal)
    if shrinking and not recipient.indestructible:
        fulls.meter(f"counters on {name}", recipient.toughness, reading.amounts(shrinking))
    if marks and recipient.indestructible:
        made.meter(f"damage to {name}", reading.most(dealing), reading.amounts(dealing))
    return []


def exact(
    board: Board, problem: Problem, scale: Scale, sign: int = 1, unwasted: Collection[str] = ()
) -> Objective | None:
    """A wish over what happens as an objective over shares and meters; None where it is no such sum.

    `sign` -1 turns it round: what is worst for the side. Only what this problem's side deals is counted;
    nothing dealt to those in `unwasted` counts as waste.
    """
    reading = Reading(board, problem)
    if not all(reading.summed(name) for name in reading.hits):
        return None
    made = _Scores(problem)
    scores = []
    for at, unit in enumerate(scale.units):
        made.shares, made.read = [], []
        for name in reading.hits:
            if CREATURE in board.recipients[name].kinds:
                _creature_score(reading, name, scale, at, made, name not in unwasted)
            elif not _attacked_score(reading, name, scale, at, made):
                return None
        for active, terms in reading.gains(reading.summed).items():
            worth = scale.life(at, 0, 1) if active else scale.life(at, 1, 0)
            made.shares += [(share, _times(table, worth)) for share, table in terms if worth]
        scores.append(
            Score(
                f"wish {at + 1}",
                tuple((share, _times(table, sign)) for share, table in made.shares),
                tuple((meter, _times(table, sign)) for meter, table in made.read),
                unit,
            )
        )
    return Objective("what happens", tuple(scores), tuple(made.meters))


def unshielded(board: Board) -> Board:
    """The same without shields against the next so much damage: nobody's damage does less there."""
    bare = Board(board.combat)
    bare.recipients = {name: replace(one, prevent_next=0) for name, one in board.recipients.items()}
    return bare


def _creature_score(
    reading: Reading, name: str, scale: Scale, at: int, made: _Scores, wastes: bool = True
) -> None:
    lethal, loss = None if reading.saved(name) else reading.lethal(name), scale.loss(at, name)
    if lethal is not None and loss:
        made.read.append((made.meter(f"lethal for {name}", *lethal), step(lethal[0], loss)))
    waste = scale.weight(at, "waste")
    own = (name in scale.attackers) == (scale.side == "attackers")
    if waste and wastes and not own:
        need, dealing = reading.board.recipients[name].need, reading.dealing(name)
        made.shares += [(share, _times(table, -waste)) for share, table in reading.amounts(dealing)]
        made.shares += [(share, linear(-waste)) for share in reading.hits[name] if share not in dealing]
        if need and dealing:
            made.read.append((made.meter(f"room of {name}", need, reading.amounts(dealing)), linear(waste)))


def _attacked_score(reading: Reading, name: str, scale: Scale, at: int, made: _Scores) -> bool:
    """Add what a player, planeswalker or battle brings; False if that is no sum."""
    recipient, shares = reading.board.recipients[name], reading.dealing(name)
    sign, weight = scale.sign, scale.weight
    made.shares += [(s, _times(table, sign * weight(at, "face"))) for s, table in reading.amounts(shares)]
    if PLAYER not in recipient.kinds:
        left = recipient.loyalty + recipient.defense
        if weight(at, "loyalty") and left:
            meter = made.meter(f"left of {name}", left, reading.amounts(shares))
            made.read.append((meter, linear(sign * weight(at, "loyalty"))))
        return True
    marking = [s for s in shares if not reading.source(s).has("infect")]
    poison = reading.poison(name)
    made.shares += [(s, _times(table, scale.life(at, -1, 0))) for s, table in reading.amounts(marking)]
    made.shares += [(s, _times(table, sign * weight(at, "poison"))) for s, table in poison]
    win = sign * weight(at, "win")
    if not win:
        return True
    ways = []
    if recipient.life <= 0 or recipient.poison >= POISON:
        return False
    if reading.most(marking) >= recipient.life:
        ways.append((f"life of {name}", recipient.life, reading.amounts(marking)))
    room = POISON - recipient.poison
    if poison and sum(table(reading.problem.shares[s].values[-1]) for s, table in poison) >= room:
        ways.append((f"poison of {name}", room, poison))
    if len(ways) > 1:
        return False
    made.read += [(made.meter(*way), step(way[1], win)) for way in ways]
    return True


def _times(table: Table, factor: int) -> Table:
    if factor == 1:
        return table
    return Table(tuple((start, factor * base, factor * slope) for start, base, slope in table.pieces))
