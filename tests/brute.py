"""Every legal assignment of a Magic combat, found by trying all of them: the slow second opinion.

Written from the rules alone and sharing nothing with the package that it judges. A scenario document is a
dict as read from TOML. Each source's amount is divided among its possible recipients in every way, the ways
of all sources that one player divides are combined, and each combination is put to the rules as a whole.

Pinned where the rules are silent: the active player's division is checked before, and without, what the
defending player divides (banding, 702.22j-k); each later check counts what is already fixed. Trample over
planeswalkers is plain trample where no planeswalker is attacked. Who deals damage as though unblocked does
just what an unblocked creature would: none, if it attacks nothing any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from math import comb
from typing import Any

Triple = tuple[str, str, int]
Shares = tuple[tuple[str, int], ...]  # what one source gives, recipient by recipient, zeros left out
Document = Mapping[str, Any]
Creature = dict[str, Any]

VINTAGES = ("stack", "m10", "m11", "ordered", "foundations")
ORDERED = {"m10", "m11", "ordered"}  # 509.2 and 510.1c as they stood from 2009 to 2024
SEQUENTIAL = {"m10", "m11"}  # 510.1e before Innistrad: creature after creature
TOUCH_IS_LETHAL = {"m11", "ordered", "foundations"}  # 702.2b-c since Magic 2011
OVER_PLANESWALKERS = {"ordered", "foundations"}  # 702.19c since Modern Horizons 2
ANY = "any"


@dataclass(frozen=True)
class Reading:
    """One way in which a source may deal its damage: among creatures, then on to what lies behind them."""

    amount: int
    among: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()  # what it attacks, then that planeswalker's controller
    order: tuple[str, ...] | str | None = None  # None: free

    @property
    def recipients(self) -> tuple[str, ...]:
        return self.among + self.behind


@dataclass(frozen=True)
class Source:
    name: str
    readings: tuple[Reading, ...]
    deathtouch: bool
    defender_divides: bool

    def ways(self) -> list[Shares]:
        """Every division that some reading has room for, legal or not."""
        found = {
            tuple(sorted((name, n) for name, n in zip(reading.recipients, parts, strict=True) if n))
            for reading in self.readings
            for parts in compositions(reading.amount, len(reading.recipients))
        }
        return sorted(found)


@dataclass(frozen=True)
class Tally:
    """What has been assigned so far: to whom how much, and who was touched by a source with deathtouch."""

    amounts: dict[str, int]
    touched: frozenset[str]

    def plus(self, assigned: Iterable[tuple[Source, Shares]]) -> Tally:
        amounts, touched = dict(self.amounts), set(self.touched)
        for source, shares in assigned:
            for recipient, n in shares:
                amounts[recipient] = amounts.get(recipient, 0) + n
                if source.deathtouch:
                    touched.add(recipient)
        return Tally(amounts, frozenset(touched))


NOTHING = Tally({}, frozenset())


def compositions(amount: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ordered ways to write `amount` as a sum of `parts` numbers that are at least zero."""
    if parts == 0:
        if amount == 0:
            yield ()
        return
    if parts == 1:
        yield (amount,)
        return
    for first in range(amount + 1):
        for rest in compositions(amount - first, parts - 1):
            yield (first, *rest)


def legal(document: Document) -> set[frozenset[Triple]]:
    """All legal assignments of the `assigning` side, as sets of non-zero (source, recipient, amount)."""
    return set(_legal(Combat(document)))


def count(document: Document) -> int:
    """How many legal assignments there are."""
    return sum(1 for _ in _legal(Combat(document)))


def attempts(document: Document) -> Iterator[frozenset[Triple]]:
    """Every division of every source's amount among those it may reach in some way, legal or not."""
    sources = Combat(document).sources()
    for ways in product(*(s.ways() for s in sources)):
        yield _together(zip(sources, ways, strict=True))


def size(document: Document) -> int:
    """How many raw combinations the brute force would have to try, at most; exact without alternatives."""
    total = 1
    for source in Combat(document).sources():
        total *= sum(
            comb(r.amount + len(r.recipients) - 1, r.amount) if r.recipients else 1 for r in source.readings
        )
    return total


def bounds(assignments: Iterable[frozenset[Triple]]) -> dict[tuple[str, str], tuple[int, int]]:
    """Least and most of every share that is ever non-zero, over assignments as `legal` returns them."""
    rows = list(assignments)
    seen: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        for source, recipient, n in row:
            seen.setdefault((source, recipient), []).append(n)
    return {pair: (min(ns) if len(ns) == len(rows) else 0, max(ns)) for pair, ns in seen.items()}


def received(assignment: frozenset[Triple], recipient: str) -> int:
    """What all sources together assign to one recipient."""
    return sum(n for _, to, n in assignment if to == recipient)


def triples(assignment: Mapping[str, Mapping[str, int]]) -> frozenset[Triple]:
    """A nested mapping, as files and answers spell it, in the form that `legal` returns."""
    return frozenset(
        (source, to, n) for source, shares in assignment.items() for to, n in shares.items() if n
    )


def nested(assignment: frozenset[Triple]) -> dict[str, dict[str, int]]:
    """The inverse of `triples`."""
    answer: dict[str, dict[str, int]] = {}
    for source, to, n in sorted(assignment):
        answer.setdefault(source, {})[to] = n
    return answer


def _legal(combat: Combat) -> Iterator[frozenset[Triple]]:
    # 510.1, 702.22j-k: the active player divides first; that check knows nothing of the defender's amounts.
    sources = combat.sources()
    first = [s for s in sources if not s.defender_divides]
    second = [s for s in sources if s.defender_divides]
    for early in product(*(s.ways() for s in first)):
        given = list(zip(first, early, strict=True))
        if not combat.allows(given, NOTHING):
            continue
        fixed = NOTHING.plus(given)
        for late in product(*(s.ways() for s in second)):
            rest = list(zip(second, late, strict=True))
            if combat.allows(rest, fixed):
                yield _together(given + rest)


def _together(given: Iterable[tuple[Source, Shares]]) -> frozenset[Triple]:
    return frozenset((source.name, to, n) for source, shares in given for to, n in shares)


class Combat:
    """A scenario document with its defaults filled in and `count` spelled out."""

    def __init__(self, document: Document) -> None:
        self.rules: str = document.get("rules", "foundations")
        if self.rules not in VINTAGES:
            raise ValueError(f"unknown vintage: {self.rules!r}")
        self.by_attackers = document.get("assigning", "attackers") == "attackers"
        self.groups: dict[str, list[str]] = {}
        self.attackers = self._spelled_out(document.get("attackers", []))
        self.blockers = self._spelled_out(document.get("blockers", []))
        self.creatures = {c["name"]: c for c in self.attackers + self.blockers}
        self.defenders = list(document.get("defenders") or [{"name": "player", "life": 20}])
        order = document.get("order", {})
        self.order: dict[str, Any] = (
            dict.fromkeys(self.creatures, ANY)
            if order == ANY
            else {name: given for key, given in order.items() for name in self._bearers(key)}
        )
        early = any(has(c, "first strike") or has(c, "double strike") for c in self.creatures.values())
        self.step = document.get("step", "first-strike" if early else "only")

    def _spelled_out(self, entries: Sequence[Creature]) -> list[Creature]:
        creatures = []
        for entry in entries:
            if "count" not in entry:
                creatures.append(entry)
                continue
            names = [f"{entry['name']} {i}" for i in range(1, entry["count"] + 1)]
            self.groups[entry["name"]] = names
            creatures += [{**entry, "name": name} for name in names]
        return creatures

    def _bearers(self, name: str) -> list[str]:
        return self.groups.get(name, [name])

    def _all_bearers(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(bearer for name in names for bearer in self._bearers(name))

    def sources(self) -> list[Source]:
        """The creatures that assign damage in this step (510.1a, 510.4), with all that each may do."""
        side = self.attackers if self.by_attackers else self.blockers
        faced = self.faced()
        found = []
        for creature in side:
            amount = deals(creature)
            if amount <= 0 or not self._in_step(creature):
                continue
            facing = faced[creature["name"]]
            banding = any(has(self.creatures[name], "banding") for name in facing)
            readings = self._attacks(creature, amount, facing) if self.by_attackers else []
            if not self.by_attackers:
                readings = [self._among(creature, amount, facing)]
            # 702.22j-k: banding hands the division to the banding creature's controller.
            divides = banding if self.by_attackers else not banding
            found.append(Source(creature["name"], tuple(readings), has(creature, "deathtouch"), divides))
        return found

    def _in_step(self, creature: Creature) -> bool:
        first, double = has(creature, "first strike"), has(creature, "double strike")
        if self.step == "first-strike":
            return first or double
        if self.step == "regular":
            return double or not (first or creature.get("dealt_first_strike_damage", False))
        return True

    def faced(self) -> dict[str, tuple[str, ...]]:
        """Whom each creature fights, in the order of the document."""
        blocks = {b["name"]: self._all_bearers(b.get("blocks", [])) for b in self.blockers}
        attackers = (a["name"] for a in self.attackers)
        return {name: tuple(b for b, faced in blocks.items() if name in faced) for name in attackers} | blocks

    def _among(self, creature: Creature, amount: int, facing: tuple[str, ...]) -> Reading:
        """Among the creatures that it fights alone (510.1c-d); no amount is assigned where none is left."""
        if not facing:
            return Reading(0)
        freed = any(has(self.creatures[name], "banding") for name in facing)
        if self.rules == "m10" and has(creature, "deathtouch"):
            freed = True
        if self.rules not in ORDERED or freed:
            return Reading(amount, facing)
        given = self.order.get(creature["name"], facing)
        order = ANY if given == ANY else self._all_bearers(given)
        if order != ANY and sorted(order) != sorted(facing):
            raise ValueError(f"the order of {creature['name']!r} does not name what it fights: {order!r}")
        return Reading(amount, facing, order=order)

    def _attacks(self, creature: Creature, amount: int, facing: tuple[str, ...]) -> list[Reading]:
        over = has(creature, "trample over planeswalkers") and self.rules in OVER_PLANESWALKERS
        tramples = over or has(creature, "trample")
        behind = self._behind(creature, over)
        past = Reading(amount, behind=behind) if behind else Reading(0)  # 510.1b, 506.4c
        blocked = bool(facing) or creature.get("blocked", False)
        if not blocked:
            readings = [past]
        elif not facing:
            readings = [past if tramples else Reading(0)]  # 509.1h, 702.19d
        else:
            stopped = self._among(creature, amount, facing)
            readings = [Reading(amount, facing, behind if tramples else (), stopped.order)]
        if creature.get("as_though_unblocked", False):
            readings.append(past)
        if creature.get("divides_freely", False) and not (blocked and not facing):
            readings.append(Reading(amount, (*(b["name"] for b in self.blockers), self._player(creature))))
        return readings

    def _target(self, creature: Creature) -> dict[str, Any] | None:
        name = creature.get("attacks", self.defenders[0]["name"])
        return next((d for d in self.defenders if d["name"] == name), None)

    def _behind(self, creature: Creature, over: bool) -> tuple[str, ...]:
        target = self._target(creature)
        if target is None:
            return ()
        name: str = target["name"]
        return (name, target["controller"]) if over and "loyalty" in target else (name,)

    def _player(self, creature: Creature) -> str:
        target = self._target(creature) or next(d for d in self.defenders if "controller" not in d)
        name: str = target.get("controller", target["name"])
        return name

    def allows(self, given: Sequence[tuple[Source, Shares]], fixed: Tally) -> bool:
        """Whether one player's division stands (510.1e), on top of what is already fixed."""
        if self.rules not in SEQUENTIAL:
            tally = fixed.plus(given)
            return all(self._stands(source, shares, tally) for source, shares in given)
        return any(self._stands_in_turn(turn, fixed) for turn in permutations(given))

    def _stands_in_turn(self, turn: Sequence[tuple[Source, Shares]], tally: Tally) -> bool:
        for source, shares in turn:
            tally = tally.plus([(source, shares)])
            if not self._stands(source, shares, tally):
                return False
        return True

    def _stands(self, source: Source, shares: Shares, tally: Tally) -> bool:
        return any(self._fits(reading, dict(shares), tally) for reading in source.readings)

    def _fits(self, reading: Reading, shares: dict[str, int], tally: Tally) -> bool:
        if sum(shares.values()) != reading.amount or not shares.keys() <= set(reading.recipients):
            return False
        if reading.order is not None and not self._in_order(reading.order, reading.among, shares, tally):
            return False
        if any(name in shares for name in reading.behind):  # 702.19b
            if not all(self._lethal(name, tally) for name in reading.among):
                return False
            if len(reading.behind) == 2 and reading.behind[1] in shares:  # 702.19c
                loyalty: int = next(d["loyalty"] for d in self.defenders if d["name"] == reading.behind[0])
                return tally.amounts.get(reading.behind[0], 0) >= loyalty
        return True

    def _in_order(
        self, order: tuple[str, ...] | str, among: tuple[str, ...], shares: dict[str, int], tally: Tally
    ) -> bool:
        if order == ANY:
            return some_order(tuple(sorted((name in shares, self._lethal(name, tally)) for name in among)))
        return in_order([(name in shares, self._lethal(name, tally)) for name in order])

    def _lethal(self, name: str, tally: Tally) -> bool:
        if self.rules in TOUCH_IS_LETHAL and name in tally.touched:
            return True
        return tally.amounts.get(name, 0) >= need(self.creatures[name])


def has(creature: Creature, keyword: str) -> bool:
    return any(keyword == k.casefold() for k in creature.get("keywords", []))


def deals(creature: Creature) -> int:
    kind = creature.get("assigns", "power")
    amount: int = 0 if kind == "nothing" else creature[kind]
    return amount


def need(creature: Creature) -> int:
    """What is still missing to lethal damage before this step (120.6)."""
    by_power = creature.get("lethal_by", "toughness") == "power"
    full: int = max(1, creature["power"]) if by_power else creature["toughness"]
    marked: int = creature.get("damage", 0)
    return max(0, full - marked)


def in_order(line: Sequence[tuple[bool, bool]]) -> bool:
    """Whether each that is (given damage) comes after none but the (lethally assigned)."""
    return all(all(lethal for _, lethal in line[:k]) for k, (given, _) in enumerate(line) if given)


@cache
def some_order(line: tuple[tuple[bool, bool], ...]) -> bool:
    """Whether the line could have been announced in an order in which it stands: every permutation is tried.

    Permutations of equal pairs are the same, so the set of them is built place by place instead of listed.
    """
    return _some_order((), Counter(line))


def _some_order(front: tuple[tuple[bool, bool], ...], left: Counter[tuple[bool, bool]]) -> bool:
    if not +left:
        return in_order(front)
    return any(_some_order((*front, pair), left - Counter([pair])) for pair in +left)
