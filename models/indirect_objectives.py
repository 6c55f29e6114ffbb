"""What players may want of an assignment of indirect damage, as scores over shares and meters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from lethal.models.indirect_flow import Flow, flow_of, redirected
from lethal.models.indirect_outcome import Settings, settings_of
from lethal.models.indirect_types import Character, Indirect
from lethal.models.pools import first, tabulate
from lethal.solver.problem import Meter, NotASum, Objective, Problem, Score, Table

NAMES = ("survive", "tough", "ready", "weighted")
SCORES = {
    "survive": (
        "identities kept",
        "value of allies kept",
        "damage taken",
        "Tough cards spent",
        "damage on identities",
    ),
    "tough": (
        "identities kept",
        "damage absorbed by Tough",
        "Tough cards spent",
        "value of allies kept",
        "damage on identities",
    ),
    "ready": (
        "identities kept",
        "identities ready for the next activation",
        "value of allies kept",
        "damage on identities",
        "damage taken",
        "Tough cards spent",
    ),
}
"""The scores of each objective in their order; `weighted` is a single sum."""


def value_of(character: Character) -> Fraction:
    """What keeping a character is worth: its `value`, or its maximum hit points."""
    if character.value is not None:
        return Fraction(str(character.value))
    return Fraction(character.hit_points or 0)


def objective(value: Indirect, problem: Problem, name: str) -> Objective:
    """The objective of that name over a problem of indirect damage.

    `survive`: identities kept, then the value of allies kept, then least damage taken, then Tough cards
    kept, then least damage on identities. `tough`: identities kept, then most damage absorbed by Tough,
    with fewest cards. `ready`: identities kept, then those that outlive `next_activation` more damage (or
    hold a Tough card against it), then allies, then least damage on identities and on all. `weighted`: the
    document's weights of all of these in one sum. Raises ValueError for an unknown name, NotASum where
    effects act on one another in ways that no sum can say.
    """
    if name not in NAMES:
        raise ValueError(f"there is no objective {name!r} for indirect damage; there are {', '.join(NAMES)}")
    parts = _Parts(value, problem)
    kept = parts.score("identities kept", lambda c: _identity(c) and parts.kept(c, Fraction(1)))
    allies = parts.score("value of allies kept", lambda c: not _identity(c) and parts.kept(c, value_of(c)))
    taken = parts.score("damage taken", lambda c: parts.reading(c, "taken", -1))
    spent = parts.score("Tough cards spent", lambda c: parts.reading(c, "spent", -1))
    hurt = parts.score("damage on identities", lambda c: _identity(c) and parts.reading(c, "taken", -1))
    scores: tuple[_Sum, ...]
    if name == "survive":
        scores = (kept, allies, taken, spent, hurt)
    elif name == "tough":
        absorbed = parts.score("damage absorbed by Tough", lambda c: parts.reading(c, "absorbed", 1))
        scores = (kept, absorbed, spent, allies, hurt)
    else:
        ready = parts.score(
            "identities ready for the next activation", lambda c: _identity(c) and parts.ready(c, Fraction(1))
        )
        scores = (kept, ready, allies, hurt, taken, spent)
        if name == "weighted":
            weight = {key: Fraction(str(n)) for key, n in value.weights.items()}
            wanted = zip(
                (*scores[:3], taken, spent),
                (weight["identity"], weight["ready"], weight["ally"], weight["taken"], weight["tough"]),
                strict=True,
            )
            scores = (parts.sum("weighted sum", list(wanted)),)
    return Objective(name, tuple(parts.scored(s) for s in scores), tuple(parts.meters))


def _identity(character: Character) -> bool:
    return character.identity


Entry = tuple[Fraction, Table]


@dataclass
class _Sum:
    """A score being made: per character what one unit of its table is worth."""

    name: str
    terms: list[tuple[str, Fraction, Table]] = field(default_factory=list)


class _Parts:
    """Where each character's damage is read, and the tables over it."""

    def __init__(self, value: Indirect, problem: Problem) -> None:
        self.value, self.problem = value, problem
        self.settings: Settings = settings_of(value)
        self.meters: list[Meter] = []
        self.at = {share.recipient: at for at, share in enumerate(problem.shares)}
        self.meter: dict[str, int] = {}
        self.flows = {
            c.name: flow_of(c, value.effects, source=value.source, pierced=c.name in self.settings.pierced)
            for c in value.characters.values()
        }
        self._refuse()
        for name in dict.fromkeys(e.to for e in value.effects if e.kind == "redirect"):
            if name in value.characters:
                self._receive(str(name))

    def _refuse(self) -> None:
        effects = self.value.effects
        sources = {e.character for e in effects if e.kind == "redirect"}
        targets = {e.to for e in effects if e.kind == "redirect"}
        if sources & targets:
            raise NotASum("no sum follows damage that is redirected twice")
        tough = [
            n for n in redirected(self.value) & set(self.value.characters) if self.value.characters[n].tough
        ]
        if self.settings.redirected == "new-instance" and set(tough) & targets:
            raise NotASum("no sum follows redirected damage that meets a second Tough card")
        if "overkill" in self.settings.keywords and any(e.kind == "increase" for e in effects):
            raise NotASum("no sum follows increased damage that overkill passes on")

    def _receive(self, name: str) -> None:
        """A meter of all that is dealt to a character: its own share and what others' damage moves to it."""
        terms: list[tuple[int, Table]] = []
        if name in self.at:
            at = self.at[name]
            terms.append((at, self.flows[name].table(self._top(at), "dealt")))
        for other, flow in self.flows.items():
            for step, (_, to) in enumerate(flow.steps):
                if to == name and other in self.at:
                    at = self.at[other]
                    terms.append((at, flow.table(self._top(at), "moved", step)))
        merged: dict[int, list[Table]] = {}
        for at, table in terms:
            merged.setdefault(at, []).append(table)
        full = sum(t.extremes(self.problem.shares[at].values)[1] for at, t in terms)
        self.meter[name] = len(self.problem.meters) + len(self.meters)
        summed = tuple((at, _added(tables, self._top(at))) for at, tables in merged.items())
        self.meters.append(Meter(f"damage dealt to {name}", max(1, full), summed))

    def _top(self, share: int) -> int:
        return self.problem.shares[share].values[-1]

    def _range(self, name: str) -> tuple[int, bool] | None:
        """The greatest amount at which its damage is read, and whether that is its share; None if never."""
        if name in self.meter:
            return self.meters[self.meter[name] - len(self.problem.meters)].full, False
        return (self._top(self.at[name]), True) if name in self.at else None

    def reading(self, character: Character, read: str, worth: int) -> Entry | None:
        """A reading of the character's flow, each unit worth that much."""
        reach = self._range(character.name)
        if reach is None:
            return None
        return Fraction(worth), self.flows[character.name].table(reach[0], read, assigned=reach[1])

    def kept(self, character: Character, worth: Fraction) -> Entry | None:
        """The worth of a character while it is not defeated."""
        left = character.remaining
        return None if left is None else self._while(character, worth, lambda taken, _: taken < left)

    def ready(self, character: Character, worth: Fraction) -> Entry | None:
        """The worth of an identity that can be dealt the next activation's damage and live."""
        left, due = character.remaining, self.value.next_activation
        if left is None:
            return None

        def safe(taken: int, spent: int) -> bool:
            return left - taken > due or (left > taken and character.tough > spent)

        return self._while(character, worth, safe)

    def _while(
        self, character: Character, worth: Fraction, holds: Callable[[int, int], bool]
    ) -> Entry | None:
        """A worth that is lost from the first amount on at which the condition fails."""
        reach = self._range(character.name)
        if reach is None:
            return None
        top, own = reach
        flow: Flow = self.flows[character.name]

        def lost(amount: int) -> bool:
            passed = flow.settle(flow.deal(amount) if own else amount)
            return not holds(passed.taken, passed.spent)

        end = first(lost, top)
        return worth, tabulate(lambda x: int(end is None or x < end), [] if end is None else [end], top)

    def score(self, name: str, entry: Callable[[Character], Entry | bool | None]) -> _Sum:
        """A score from what each character adds, False and None adding nothing."""
        found = _Sum(name)
        for character in self.value.characters.values():
            got = entry(character)
            if isinstance(got, tuple):
                found.terms.append((character.name, *got))
        return found

    @staticmethod
    def sum(name: str, parts: list[tuple[_Sum, Fraction]]) -> _Sum:
        """One score that weighs several."""
        return _Sum(name, [(who, worth * w, table) for part, w in parts for who, worth, table in part.terms])

    def scored(self, parts: _Sum) -> Score:
        """The score over shares and meters, scaled to integers."""
        unit = lcm(*(worth.denominator for _, worth, _ in parts.terms)) if parts.terms else 1
        found: dict[str, list[Table]] = {}
        for who, worth, table in parts.terms:
            factor = int(worth * unit)
            scaled = tuple((start, base * factor, slope * factor) for start, base, slope in table.pieces)
            found.setdefault(who, []).append(Table(scaled))
        shares, meters = [], []
        for who, tables in found.items():
            reach = self._range(who)
            table = tables[0] if len(tables) == 1 else _added(tables, reach[0] if reach else 0)
            if who in self.meter:
                meters.append((self.meter[who], table))
            elif any(base or slope for _, base, slope in table.pieces):
                shares.append((self.at[who], table))
        return Score(parts.name, tuple(shares), tuple(meters), unit)


def _added(tables: list[Table], top: int) -> Table:
    """The sum of tables of one share."""
    starts = {start for table in tables for start, _, _ in table.pieces}
    ends = {start - 1 for start in starts}
    return tabulate(lambda x: sum(table(x) for table in tables), starts | ends, top)
