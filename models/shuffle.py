"""What effects that shuffle do, under the dated texts of the rule (701.15 in 2012, 701.24 in 2026).

A library is shuffled even where no card moves: `resolve` never asks whether there are cards before it asks
whether the rule shuffles. Positions that are fixed at the same time are taken out before the rest is put in
random order. Triggers are counted, and resolve only after the instruction that caused them has been carried
out in full (603.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lethal.models.shuffle_types import (
    LIBRARY,
    STAYS,
    UNRESOLVED,
    VINTAGES,
    Card,
    Event,
    Instruction,
    Library,
    Resolution,
    Shuffle,
    Shuffled,
    Vintage,
    Watcher,
)


def resolve(scenario: Shuffle) -> Resolution:
    """Carry out all instructions, one after the other; raises ValueError for a card that is not where it must
    be."""
    table = _Table(
        VINTAGES[scenario.rules],
        scenario.players,
        dict(scenario.owners),
        dict(scenario.libraries),
        {zone: list(cards) for zone, cards in scenario.zones.items()},
    )
    for number, instruction in enumerate(scenario.instructions):
        table.number = number
        table.do(instruction)
    return Resolution(
        tuple(table.steps),
        tuple(table.events),
        dict(table.libraries),
        {zone: tuple(cards) for zone, cards in table.zones.items()},
        {watcher.name: triggers(watcher, table.events) for watcher in scenario.watchers},
        tuple(dict.fromkeys(table.notes)),
    )


def triggers(watcher: Watcher, events: Iterable[Event]) -> int:
    """How often a watcher's ability triggers on these events (603.2; 701.24f where several are simultaneous)."""
    return sum(event.times for event in events if _sees(watcher, event))


def _sees(watcher: Watcher, event: Event) -> bool:
    caused = event.cause in ("spell", "ability")
    own = event.library == event.player  # what such cards say is "shuffle their library"
    match watcher.when:
        case "player":
            return True
        case "you":
            return event.player == watcher.controller
        case "opponent":
            return own and event.player != watcher.controller
        case "spell-or-ability":
            return own and caused
        case "its-controller":
            return own and caused and event.controller == event.player


@dataclass
class _Plan:
    """What one moment does to one library: what goes in, what is put where, and how often it is shuffled."""

    added: list[Card] = field(default_factory=list)
    put: list[tuple[int, list[Card]]] = field(default_factory=list)
    reasons: list[tuple[Instruction, str, str]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Table:
    """The state that instructions change."""

    vintage: Vintage
    players: tuple[str, ...]
    owners: dict[str, str]
    libraries: dict[str, Library]
    zones: dict[str, list[str]]
    number: int = 0
    steps: list[Shuffled] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def do(self, instruction: Instruction) -> None:
        """One instruction, which may have parts that happen together."""
        match instruction.do:
            case "search":
                self._search(instruction)
            case "randomise":
                self._randomise(instruction)
            case "together":
                self._moment(instruction.parts)
            case _:
                self._moment([instruction])

    def _targets(self, instruction: Instruction) -> tuple[str, ...]:
        """The libraries concerned: those named, else those of the objects' owners, else the only player's."""
        if instruction.libraries:
            return instruction.libraries
        owners = dict.fromkeys(self.owners[name] for name in instruction.objects if name in self.owners)
        return tuple(owners) or (next(iter(self.libraries)),)

    def _moment(self, parts: Sequence[Instruction]) -> None:
        """Instructions carried out at the same time: one random order each, though it may be shuffled twice."""
        plans: dict[str, _Plan] = {}
        for part in parts:
            if part.do not in ("shuffle", "shuffle-in", "put"):
                raise ValueError(f"{part.do!r} cannot happen together with something else")
            if not part.resolves:
                for library in self._targets(part):
                    plans.setdefault(library, _Plan()).refused.append(
                        (UNRESOLVED, "no legal target: nothing happens")
                    )
            elif part.do == "shuffle" and part.pile is not None:
                self._pile(part, part.pile)
            elif part.do == "shuffle":
                for library in self._targets(part):
                    reason = (part, self.vintage.randomise, "an effect shuffles it")
                    plans.setdefault(library, _Plan()).reasons.append(reason)
            elif part.do == "put":
                self._put(part, plans)
            else:
                self._shuffle_in(part, plans)
        for owner, plan in plans.items():
            self._carry_out(owner, plan)

    def _shuffle_in(self, part: Instruction, plans: dict[str, _Plan]) -> None:
        vintage = self.vintage
        present = [name for name in part.objects if name in self.zones.get(part.expected, ())]
        moving = [name for name in present if name not in part.replaced]
        for name in present:
            if part.replaced.get(name) != STAYS:
                self._take(name, part.expected)
            if name in part.replaced and part.replaced[name] != STAYS:
                self.zones.setdefault(part.replaced[name], []).append(name)
        for owner in self._targets(part):
            plan = plans.setdefault(owner, _Plan())
            mine = [name for name in moving if self.owners.get(name, owner) == owner]
            seen = frozenset(self.players)
            plan.added += [Card(name, seen) for name in mine]
            if part.a_set:
                plan.reasons.append((part, vintage.a_set, "a set is shuffled in, be it empty"))
            elif not present and not vintage.absent_shuffles:
                plan.refused.append((vintage.named, "none of the objects is where it is expected"))
            elif not present:
                plan.reasons.append((part, vintage.named, "the objects are not where they are expected"))
            elif moving:
                plan.reasons.append((part, vintage.randomise, "objects are shuffled into it"))
            elif vintage.replaced_shuffles:
                rule = vintage.replaced or vintage.randomise
                plan.reasons.append((part, rule, "all objects are kept or moved elsewhere instead"))
                if vintage.replaced is None:
                    self.notes.append(
                        f"the {vintage.name} text does not say what happens where all objects go elsewhere; "
                        "as none of its exceptions applies, the library counts as shuffled"
                    )
            else:
                plan.refused.append(
                    (vintage.replaced or "", "all objects are kept or moved elsewhere instead")
                )

    def _put(self, part: Instruction, plans: dict[str, _Plan]) -> None:
        for owner in self._targets(part):
            mine = [name for name in part.objects if self.owners.get(name, owner) == owner]
            for name in mine:
                self._take(name, part.expected)
            known = frozenset(self.players) if part.shown else frozenset([_player(part, owner)])
            plans.setdefault(owner, _Plan()).put.append((part.at, [Card(name, known) for name in mine]))

    def _search(self, part: Instruction) -> None:
        """Search, shuffle, put: what was found takes no part where the rule or its leaving says so (701.24b)."""
        (owner,) = self._targets(part)
        if not part.resolves:
            self._refuse(owner, UNRESOLVED, "no legal target: nothing happens")
            return
        before = self.libraries[owner]
        self._without(owner, part.found)  # are they there?
        self.libraries[owner] = before
        goes = {name: part.apart.get(name, (part.to, part.at)) for name in part.found}
        away = [name for name in part.found if goes[name][0] != LIBRARY]
        # Put back first, or found and still in the library: such cards are shuffled with the others.
        left = away if part.put == "before" else []
        excluded = [n for n in part.found if n not in away or self.vintage.elsewhere_excluded]
        if part.put == "before":
            excluded = []
        known = frozenset(self.players if part.shown else [_player(part, owner)])
        put: dict[int, list[Card]] = {}
        for name in excluded:
            if name not in away:
                put.setdefault(goes[name][1], []).append(Card(name, known))
        at = self._without(owner, [*excluded, *left])
        rule, words = self.vintage.randomise, "an effect shuffles it"
        if excluded:
            rule, words = self.vintage.found, "found cards take no part"
        # Positions from the top downwards, the bottom last: so each card ends up where it is put.
        plan = _Plan(
            put=sorted(put.items(), key=lambda one: (one[0] < 0, one[0])), reasons=[(part, rule, words)]
        )
        self._carry_out(owner, plan, tuple(excluded), at)
        self._without(owner, [name for name in away if name not in excluded and name not in left])
        for name in away:
            self.zones.setdefault(goes[name][0], []).append(name)

    def _without(self, owner: str, names: Sequence[str]) -> list[int]:
        """Take cards out of a library, and say which positions are left; raises ValueError for one not there."""
        left = list(range(len(self.libraries[owner].places)))
        for name in names:
            self.libraries[owner], at = _without(self.libraries[owner], name)
            del left[at]
        return left

    def _randomise(self, part: Instruction) -> None:
        """A judge's remedy: known portions keep their places and no game event happens (IPG 1.3)."""
        for owner in self._targets(part):
            library = self.libraries[owner]
            size = len(library.places)
            kept = {at % size for at in part.keep} if size else set()
            random, step = _randomised(library, kept)
            self.libraries[owner] = random
            self.steps.append(
                replace(
                    step,
                    instruction=self.number,
                    shuffled=False,
                    rule="IPG 1.3",
                    words="randomised, no shuffle",
                )
            )

    def _pile(self, part: Instruction, pile: str) -> None:
        """A face-down pile: nobody knows its order, and it is no library, so library triggers stay silent."""
        cards = tuple(self.zones.get(pile, ()))
        self.steps.append(
            Shuffled(self.number, pile, True, self.vintage.randomise, "a face-down pile is shuffled", cards)
        )

    def _carry_out(
        self, owner: str, plan: _Plan, found: tuple[str, ...] = (), before: Sequence[int] | None = None
    ) -> None:
        """Do to a library what was planned; `before` are its cards' positions before those found were taken."""
        for rule, words in plan.refused:
            self._refuse(owner, rule, words)
        library = self.libraries[owner]
        if plan.reasons:
            _, rule, words = plan.reasons[0]
            library, step = _randomised(library, set(), [card.held or "" for card in plan.added])
            fixed_now = [card for _, cards in plan.put for card in cards]
            if fixed_now and not found:
                rule = self.vintage.fixed or rule
                if self.vintage.fixed is None:
                    self.notes.append(
                        f"the {self.vintage.name} text has no rule for a card put in a fixed place at the same time; "
                        "it is kept out of the shuffle, as 701.24g has it"
                    )
            library = _inserted(library, plan.put)
            fixed = {at: card.held for at, card in enumerate(library.places) if card.held is not None}
            self.steps.append(
                replace(
                    step,
                    instruction=self.number,
                    rule=rule,
                    words=words,
                    excluded=(*found, *(card.held or "" for card in fixed_now if card.held not in found)),
                    added=tuple(card.held or "" for card in plan.added),
                    fixed=fixed,
                    erased={
                        viewer: tuple((at if before is None else before[at], name) for at, name in lost)
                        for viewer, lost in step.erased.items()
                    },
                )
            )
            self.events += _announced(owner, [reason for reason, _, _ in plan.reasons])
        else:
            library = _inserted(library, plan.put)
        self.libraries[owner] = library

    def _refuse(self, owner: str, rule: str, words: str) -> None:
        self.steps.append(Shuffled(self.number, owner, False, rule, words))

    def _take(self, name: str, zone: str) -> None:
        if name not in self.zones.get(zone, ()):
            raise ValueError(f"{name} is not in {zone}")
        self.zones[zone].remove(name)


def _player(part: Instruction, owner: str) -> str:
    """Who is told to shuffle: the library's owner where nobody is named."""
    return part.player or owner


def _announced(owner: str, parts: Sequence[Instruction]) -> list[Event]:
    """The events of one library's shuffles at one moment; equal ones are one event that triggers several
    times."""
    found: dict[Event, int] = {}
    for part in parts:
        if part.cause == "judge":
            continue
        caused = part.cause in ("spell", "ability")
        player = _player(part, owner)
        event = Event(owner, player, part.cause, (part.controller or player) if caused else None)
        found[event] = found.get(event, 0) + 1
    return [replace(event, times=times) for event, times in found.items()]


def _without(library: Library, name: str) -> tuple[Library, int]:
    """The library without one card, and where it lay: a certain one, else any of those in random order."""
    places = list(library.places)
    at = next((at for at, place in enumerate(places) if place.held == name), None)
    if at is not None:
        del places[at]
        return replace(library, places=tuple(places)), at
    if name not in library.pool:
        raise ValueError(f"{name} is not in {library.owner}'s library")
    pool = list(library.pool)
    pool.remove(name)
    # The last of them, so that what was put at a position from the top stays there.
    at = max(at for at, place in enumerate(places) if place.held is None)
    del places[at]
    return replace(library, places=tuple(places), pool=tuple(pool)), at


def _randomised(library: Library, kept: set[int], added: Sequence[str] = ()) -> tuple[Library, Shuffled]:
    """The library, with the added cards, in random order but for the kept positions, and what that did."""
    erased: dict[str, list[tuple[int, str]]] = {}
    places, mixed = [], list(library.pool)
    for at, card in enumerate(library.places):
        if at in kept and card.held is not None:
            places.append(card)
            continue
        places.append(Card(None))
        if card.held is not None:
            mixed.append(card.held)
            for viewer in sorted(card.known_to):
                erased.setdefault(viewer, []).append((at, card.held))
    places += [Card(None)] * len(added)
    mixed += added
    fixed: Mapping[int, str] = {at: card.held for at, card in enumerate(places) if card.held is not None}
    return Library(library.owner, tuple(places), tuple(mixed)), Shuffled(
        0,
        library.owner,
        True,
        "",
        "",
        took_part=tuple(mixed),
        excluded=tuple(fixed.values()),
        fixed=fixed,
        erased={viewer: tuple(lost) for viewer, lost in erased.items()},
    )


def _inserted(library: Library, put: Sequence[tuple[int, list[Card]]]) -> Library:
    places = list(library.places)
    for at, cards in put:
        place = len(places) + 1 + at if at < 0 else at
        places[place:place] = cards
    return replace(library, places=tuple(places))
