"""The best line of play: both sides' assignments over both damage steps, each side answering the other.

Within a step the active player announces first and the defending player answers knowing it (510.1); all
damage is then dealt at once. The search runs over distinct outcomes, never over assignments. What one
side's damage does depends on the other's only through who is left for the next step (and through life that
lifelink gives an attacked player), so the last step is solved for each side alone and remembered by what
it depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from msgspec.structs import replace as altered

from lethal.ceiling import Ceiling
from lethal.models.combat import ACTIVE, DEFENDING, assigns_now, blocks, build
from lethal.models.combat_meters import exact
from lethal.models.combat_outcome import Board, Dealt, Side
from lethal.models.combat_steps import STRIKES, StepName, after_step, assigners, together
from lethal.models.combat_types import Combat, Creature
from lethal.models.combat_wishes import Scale, Score, Wanted, wish
from lethal.models.damage_types import PLAYER, SHRINKING, Recipient
from lethal.outcomes import reached
from lethal.solver.assignments import Amounts, Assignment, Assignments
from lethal.solver.engine import DEFAULT
from lethal.solver.problem import Problem

Reply: TypeAlias = Literal["worst", "best"] | Mapping[str, Amounts]
"""How the other side plays: worst or best for the one asked about, or its amounts by the name of the step.

It plays worst in a step that is not named, and in the regular step where what happened before makes the
amounts impossible; those of creatures that are gone are left out.
"""
STEPS = get_args(StepName)
SIDES: tuple[Side, Side] = ("attackers", "blockers")


@dataclass(frozen=True)
class LineStep:
    """One step of a line: what both sides assign in it and what that does."""

    name: str
    attackers: Assignment
    blockers: Assignment
    outcome: dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of play with its score; `how` names what was used, `proved` says whether it is proved the best.

    `units` of a score's integers make one point. `outcome` is that of all steps together.
    """

    score: Score
    units: tuple[int, ...]
    steps: tuple[LineStep, ...]
    how: tuple[str, ...]
    proved: bool

    @property
    def outcome(self) -> dict[str, Any]:
        """What happens over all steps."""
        return together([step.outcome for step in self.steps])


class Move(NamedTuple):
    """Some of a side's assignments that do the same: one of them, what it does and its part of the score."""

    row: tuple[int, ...]
    dealt: Dealt
    score: Score


class Play(NamedTuple):
    """The best play of one step on: its score and both rows."""

    score: Score
    rows: tuple[tuple[int, ...], tuple[int, ...]]


def best_line(
    combat: Combat,
    wanted: Wanted = "trade",
    side: Side = "attackers",
    reply: Reply = "worst",
    engine: str = DEFAULT,
) -> Line | None:
    """The best line for a side, from the combat's step on; None if one side has no legal assignment.

    Raises ValueError for an unknown objective or an illegal given reply, TooWide where outcomes are too many.
    """
    if side not in SIDES:
        raise ValueError(f"there is no side {side!r}; there are {' and '.join(SIDES)}")
    if isinstance(reply, str) and reply not in ("worst", "best"):
        raise ValueError(f"a reply is 'worst', 'best' or amounts by step, not {reply!r}")
    if not isinstance(reply, str):
        _refuse(combat, reply, "blockers" if side == "attackers" else "attackers", engine)
    search = _Search(Scale(combat, wish(wanted), side), reply, engine)
    steps: list[LineStep] = []
    score: Score | None = None
    state: Combat | None = combat
    while state is not None:
        play = search.solve(state)
        if play is None:
            return None
        score = play.score if score is None else score
        board = Board(state)
        problems = [build(replace(state, assigning=one)) for one in SIDES]
        chosen = [Assignment(p.columns, row) for p, row in zip(problems, play.rows, strict=True)]
        dealt = board.deal(*(one.to_dict() for one in chosen))
        steps.append(LineStep(state.step, chosen[0], chosen[1], dealt.plain(board)))
        state = after_step(state, dealt)
    assert score is not None
    return Line(score, search.scale.units, tuple(steps), tuple(sorted(search.how)), search.proved)


class _Search:
    """The search for one wish, with what it remembers."""

    def __init__(self, scale: Scale, reply: Reply, engine: str) -> None:
        self.scale = scale
        self.reply = reply
        self.engine = engine
        self.how: set[str] = set()
        self.proved = True
        self.other: Side = "blockers" if scale.side == "attackers" else "attackers"
        self._solved: dict[Any, Play | None] = {}
        self._alone: dict[Any, tuple[Score, tuple[int, ...]] | None] = {}

    def sign(self, assigner: str) -> int:
        """1 if who assigns wants the score high, -1 if low."""
        if self.reply == "best":
            return 1
        mine = assigner == ACTIVE if self.scale.side == "attackers" else assigner != ACTIVE
        return 1 if mine else -1

    def solve(self, combat: Combat) -> Play | None:
        """The best play from a state on."""
        key = _key(combat)
        if key not in self._solved:
            self._solved[key] = self._alone_each(combat) or self._searched(combat)
        return self._solved[key]

    # The last step, each side alone ------------------------------------------------------------------

    def _alone_each(self, combat: Combat) -> Play | None:
        """The best of a last step in which neither side's damage bears on the other's; None if this is
        none."""
        if combat.step == "first-strike" or self._given(combat) is not None or _bound(combat):
            return None
        found = []
        for one in SIDES:
            names = {c.name for c in getattr(combat, one)}
            players = {player for name, player in assigners(combat).items() if name in names}
            if len(players) > 1:
                return None
            found.append(self._best_alone(combat, one, self.sign(players.pop()) if players else 1))
        if found[0] is None or found[1] is None:
            return None
        return Play(_add(found[0][0], found[1][0]), (found[0][1], found[1][1]))

    def _best_alone(self, combat: Combat, one: Side, sign: int) -> tuple[Score, tuple[int, ...]] | None:
        key = (one, sign, _key_alone(combat, one))
        if key not in self._alone:
            self._alone[key] = self._find_alone(combat, one, sign)
        return self._alone[key]

    def _find_alone(self, combat: Combat, one: Side, sign: int) -> tuple[Score, tuple[int, ...]] | None:
        problem = build(replace(combat, assigning=one))
        if not problem.shares:
            return (0,) * len(self.scale.units), ()
        board = Board(combat)
        objective = exact(board, problem, self.scale, sign)
        if objective is None:
            moves = self._moves(combat, board, problem, one)
            best = max(moves, key=lambda move: _times(move.score, sign), default=None)
            return None if best is None else (best.score, best.row)
        found = Assignments(problem, self.engine).best(objective)
        if found is None:
            return None
        self.how.add(found.engine)
        self.proved = self.proved and found.proved
        return _times(found.score, sign), found.assignment.row

    # Any step, over pairs of outcomes ----------------------------------------------------------------

    def _searched(self, combat: Combat) -> Play | None:
        """The best over pairs of outcomes: the active player announces, the defending player answers."""
        board = Board(combat)
        groups = [self._groups(combat, board, one) for one in SIDES]
        active, defending = self.sign(ACTIVE), self.sign(DEFENDING)
        best: Play | None = None
        above = self._ceiling(combat, board, active) if active != defending else None
        if above is not None and groups[0] and groups[1] and groups[1][0]:
            reply = groups[1][0][0]
            groups[0].sort(
                key=lambda group: max(
                    _add(_times(a.score, active), above(a.dealt, reply.dealt)) for a in group
                ),
                reverse=True,
            )
        for mine in groups[0]:
            for theirs in groups[1]:
                bound = None if best is None else _times(best.score, active)
                found = self._answered(combat, board, mine, theirs, defending, active, bound, above)
                if found is not None and (
                    best is None or _times(found.score, active) > _times(best.score, active)
                ):
                    best = found
        return best

    def _answered(
        self,
        combat: Combat,
        board: Board,
        mine: Sequence[Move],
        theirs: Sequence[Move],
        defending: int,
        active: int,
        bound: Score | None,
        above: Callable[[Dealt, Dealt], Score] | None,
    ) -> Play | None:
        """The defending player's best answer; None once it is no better for the active player than
        `bound`."""
        best: Play | None = None
        for a in mine:
            for b in theirs:
                if above is not None and bound is not None:
                    most = _add(_times(_add(a.score, b.score), active), above(a.dealt, b.dealt))
                    if most <= bound:
                        return None
                score = self._pair(combat, board, a, b)
                if score is None:
                    continue
                if best is None or _times(score, defending) > _times(best.score, defending):
                    best = Play(score, (a.row, b.row))
                    if active != defending and bound is not None and _times(score, active) <= bound:
                        return None
        return best

    def _ceiling(self, combat: Combat, board: Board, active: int) -> Callable[[Dealt, Dealt], Score] | None:
        """A bound on the score, in the active player's view, of what follows; None where none is known."""
        if combat.step != "first-strike" or _bound(combat):
            return None
        later = [c.name for c in (*combat.attackers, *combat.blockers) if _strikes_later(c)]
        return Ceiling(combat, board, self.scale, active, later, _facing(combat, "blockers")).above

    def _pair(self, combat: Combat, board: Board, a: Move, b: Move) -> Score | None:
        """The score of two moves dealt at once, and of the best play after them."""
        dealt = Dealt({**a.dealt.received, **b.dealt.received}, {**a.dealt.fates, **b.dealt.fates})
        score = _add(a.score, b.score)
        if any(player in board.recipients for player in dealt.gained):
            dealt = board.with_gains(dealt)
            score = self.scale.score(board, dealt)
        following = after_step(combat, dealt)
        if following is None:
            return score
        play = self.solve(following)
        return None if play is None else _add(score, play.score)

    def _groups(self, combat: Combat, board: Board, one: Side) -> list[list[Move]]:
        """A side's moves by what the active player announces of them; the defending player picks within a
        group."""
        problem, who = build(replace(combat, assigning=one)), assigners(combat)
        given = self._given(combat)
        if given is not None and one == self.other:
            return [[self._as_given(board, given)]]
        announced = [at for at, share in enumerate(problem.shares) if who[share.source] == ACTIVE]
        mixed = 0 < len(announced) < len(problem.shares)
        moves = self._moves(combat, board, problem, one, announced if mixed else ())
        if mixed:
            grouped: dict[tuple[int, ...], list[Move]] = {}
            for move in moves:
                grouped.setdefault(tuple(move.row[at] for at in announced), []).append(move)
            return list(grouped.values())
        if announced:
            return [[move] for move in moves]
        return [moves]

    def _moves(
        self, combat: Combat, board: Board, problem: Problem, one: Side, also: Sequence[int] = ()
    ) -> list[Move]:
        """What a side can bring about, each once: by score and by what it leaves for the next step."""
        self.how.add("outcomes")
        marks = _facing(combat, "blockers" if one == "attackers" else "attackers")
        waste = one == self.scale.side and any(weights.waste for weights in self.scale.wish)
        first, bound = combat.step == "first-strike", _bound(combat)
        found: dict[Any, Move] = {}
        told = marks | _weakened(combat, problem)
        for each in reached(board, problem, self.engine, marks=told, waste=waste, also=also):
            move = Move(each.row, each.dealt, self.scale.score(board, each.dealt))
            creatures = frozenset(_creatures_left(each.dealt, marks)) if first else None
            players = frozenset(_players_left(each.dealt)) if first or bound else None
            gained = tuple(sorted(each.dealt.gained.items()))
            key = (move.score, creatures, players, gained, tuple(each.row[at] for at in also))
            found.setdefault(key, move)
        return sorted(found.values(), key=lambda move: move.score, reverse=self.scale.side == one)

    def _given(self, combat: Combat) -> Assignment | None:
        """The other side's amounts in a step, where they are given and possible there."""
        given = None if isinstance(self.reply, str) else self.reply.get(combat.step)
        if given is None:
            return None
        legal = Assignments(build(replace(combat, assigning=self.other)), self.engine)
        here = {source for source, _ in legal.columns}
        left = {source: shares for source, shares in given.items() if source in here}
        if legal.check(left):
            return None
        return Assignment(legal.columns, [left.get(s, {}).get(r, 0) for s, r in legal.columns])

    def _as_given(self, board: Board, given: Assignment) -> Move:
        dealt = board.deal(given.to_dict())
        return Move(given.row, dealt, self.scale.score(board, dealt))


def _refuse(combat: Combat, reply: Mapping[str, Amounts], other: Side, engine: str) -> None:
    """Raise ValueError for a step or creature that there is not, or amounts that are illegal at once."""
    names = {c.name for c in getattr(combat, other)}
    for step, given in reply.items():
        if step not in STEPS:
            raise ValueError(f"there is no step {step!r}; there are {', '.join(STEPS)}")
        strange = [name for name in given if name not in names]
        if strange:
            raise ValueError(f"the given reply is not legal: {strange[0]!r} is none of the {other}")
    if combat.step in reply:
        problem = build(replace(combat, assigning=other))
        broken = Assignments(problem, engine).check(reply[combat.step])
        if broken:
            raise ValueError(f"the given reply is not legal: {broken[0].rule}: {broken[0].message}")


def _add(a: Score, b: Score) -> Score:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _times(score: Score, sign: int) -> Score:
    return score if sign == 1 else tuple(-n for n in score)


def _bound(combat: Combat) -> bool:
    """Whether one side's damage bears on the other's result: attacked players gain life by lifelink."""
    return any("lifelink" in c.keywords for c in combat.blockers)


def _facing(combat: Combat, side: Side) -> frozenset[str]:
    """The creatures of a side that may be dealt damage in the step after this one."""
    if combat.step != "first-strike":
        return frozenset()
    pairs = {(blocker, name) for blocker, names in blocks(combat).items() for name in names}
    if side == "attackers":
        strikers = {c.name for c in combat.blockers if _strikes_later(c)}
        return frozenset(name for blocker, name in pairs if blocker in strikers)
    strikers = {c.name for c in combat.attackers if _strikes_later(c)}
    if any(c.divides_freely and c.name in strikers for c in combat.attackers):
        return frozenset(c.name for c in combat.blockers)
    return frozenset(blocker for blocker, name in pairs if name in strikers)


def _weakened(combat: Combat, problem: Problem) -> frozenset[str]:
    """The creatures that strike in the next step too, with less power where this problem's damage is counters."""
    if combat.step != "first-strike":
        return frozenset()
    creatures = {c.name: c for c in (*combat.attackers, *combat.blockers)}
    return frozenset(
        share.recipient
        for share in problem.shares
        if creatures[share.source].keywords & SHRINKING
        and share.recipient in creatures
        and _strikes_later(creatures[share.recipient])
    )


def _strikes_later(creature: Creature) -> bool:
    struck = bool(creature.keywords & STRIKES)
    return assigns_now(altered(creature, dealt_first_strike_damage=struck), "regular")


def _players_left(dealt: Dealt) -> Iterator[tuple[str, Recipient]]:
    """What is left of the players who were dealt damage."""
    for name, fate in dealt.fates.items():
        if PLAYER in fate.after.kinds:
            yield name, dealt.received[name].after


def _creatures_left(dealt: Dealt, marks: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """What the next step finds of everything else that was dealt damage."""
    counted = set(marks)
    for name, fate in dealt.fates.items():
        if PLAYER in fate.after.kinds:
            continue
        if fate.leaves:
            yield name, None
        else:
            after = replace(fate.after, marked=fate.after.marked if name in counted else 0)
            yield name, (after, fate.regenerated > 0)


def _key(combat: Combat) -> Any:
    """What a state is, as something to remember it by."""
    order = tuple(sorted(combat.order.items()))
    return combat.step, combat.attackers, combat.blockers, combat.defenders, order


def _key_alone(combat: Combat, one: Side) -> Any:
    """What one side's damage depends on."""
    if one == "attackers":
        return _dealing(combat.attackers), combat.blockers, combat.defenders
    return _dealing(combat.blockers), combat.attackers


def _dealing(creatures: Iterable[Creature]) -> tuple[Creature, ...]:
    """Creatures without what matters only to damage that is dealt to them."""
    return tuple(
        altered(c, damage=0, prevent_next=0, shield_counters=0, regeneration_shields=0) for c in creatures
    )
