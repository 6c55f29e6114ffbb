"""Shuffles in words for people: what was instructed, what came of it by which rule, and orders from the top.

An order is written as decklists are, top first, runs of a card with their number: `Bear | 2 Forest | Swamp`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from lethal.models.document import hint
from lethal.models.shuffle import resolve
from lethal.models.shuffle_orders import asked, fact_words, ordered, position
from lethal.models.shuffle_types import LIBRARY, Event, Instruction, Resolution, Shuffle, Shuffled, Watcher
from lethal.models.words import Told

BETWEEN = " | "
_SPECIAL = re.compile(r"[|→\"]|->|^\s|\s$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_PIECE = re.compile(rf'(?:[^|"]|{_QUOTED.pattern})+')
WHEN = {
    "player": "when a player shuffles",
    "you": "when its controller shuffles",
    "opponent": "when an opponent shuffles",
    "spell-or-ability": "when a spell or ability causes a player to shuffle",
    "its-controller": "when a spell or ability causes its controller to shuffle",
}


def describe(value: Shuffle) -> Iterator[Told]:
    """The libraries, each instruction with what it did and by which rule, triggers, and what is known at the
    end."""
    done = resolve(value)
    whose = f"the library of {asked(value, done).owner} " if len(value.libraries) > 1 else ""
    yield f"rules {value.rules}, {whose}seen by {value.viewer}; position 1 is the top"
    yield ""
    rows: list[tuple[str, ...]] = [
        (f"library of {owner}", _number(len(library.places), "card"), _listed(library.cards))
        for owner, library in value.libraries.items()
    ]
    rows += [
        (zone, _number(len(cards), "card"), _listed(cards)) for zone, cards in value.zones.items() if cards
    ]
    yield tuple(rows)
    yield ""
    for number, instruction in enumerate(value.instructions):
        yield f"instruction {number + 1}: {_instructed(instruction)}"
        for step in done.steps:
            if step.instruction == number:
                yield from (f"  {line}" for line in _step(value, step))
    yield _times(done)
    yield from (f"  {_event(event)}" for event in done.events)
    yield from (f"  {_trigger(watcher, done.triggers[watcher.name])}" for watcher in value.watchers)
    yield from (f"note: {note}" for note in done.notes)
    known = list(_known(value, done))
    if known:
        yield f"known to {value.viewer} now: {', '.join(known)}"


def write(value: Shuffle, amounts: Mapping[str, Mapping[str, int]]) -> str:
    """An order from the top."""
    del value
    return runs(ordered(amounts)) or "no card"


def runs(names: Iterable[str]) -> str:
    """Names in order, those that follow themselves as one with their number."""
    counted = ((name, len(list(same))) for name, same in groupby(names))
    return BETWEEN.join(_copies(n, name) for name, n in counted)


def _copies(n: int, name: str) -> str:
    written = json.dumps(name, ensure_ascii=False) if not name or _SPECIAL.search(name) else name
    return written if n == 1 and not name[:1].isdigit() else f"{n} {written}"


def read(value: Shuffle, text: str) -> dict[str, dict[str, int]] | None:
    """The amounts of an order that `write` wrote; None for a text in the notation of assignments.

    Raises ValueError for a card that is not there, or another number of cards than lie in the library.
    """
    if re.search("→|->", _QUOTED.sub("", text)) or text.strip() in ("", "nothing"):
        return None
    library = asked(value, resolve(value))
    cards = set(library.cards)
    order: list[str] = []
    for piece in _PIECE.findall(text):
        first, _, rest = piece.strip().partition(" ")
        n, name = 1, _name(piece)
        if re.fullmatch("[0-9]{1,5}", first) and (_name(rest) in cards or name not in cards):
            n, name = int(first), _name(rest)
        if name not in cards:
            raise ValueError(f"no card of the library is named {name!r}{hint(name, cards)}")
        order += [name] * n
    if len(order) != len(library.places):
        raise ValueError(f"an order of {len(library.places)} cards is asked for, not of {len(order)}")
    amounts: dict[str, dict[str, int]] = {}
    for at, name in enumerate(order):
        amounts.setdefault(name, {})[position(at)] = 1
    return amounts


def _name(text: str) -> str:
    """A name that may be quoted."""
    stripped = text.strip()
    return str(json.loads(stripped)) if _QUOTED.fullmatch(stripped) else stripped


def _listed(names: Iterable[str]) -> str:
    """What is there, the most copies first."""
    counted = sorted(Counter(names).items(), key=lambda one: (-one[1], one[0]))
    return BETWEEN.join(f"{n} {name}" for name, n in counted)


def _number(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _often(n: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")


def _and(names: Sequence[str]) -> str:
    return ", ".join(names)


def _instructed(one: Instruction) -> str:
    """What an instruction says, without who says it."""
    match one.do:
        case "shuffle":
            return "shuffle" if one.pile is None else f"shuffle the pile {one.pile}"
        case "search":
            return _search(one)
        case "shuffle-in":
            what = _and(one.objects) or ("an empty set" if one.a_set else "nothing")
            return f"shuffle {what} from the {one.expected} into the library"
        case "put":
            return f"put {_and(one.objects)} {_where(LIBRARY, one.at)}"
        case "randomise":
            kept = f" but for the positions {_and([str(at + 1 if at >= 0 else at) for at in one.keep])}"
            return f"a judge puts the library into random order{kept if one.keep else ''}"
        case "together":
            return " and at the same time ".join(map(_instructed, one.parts))


def _search(one: Instruction) -> str:
    if not one.found:
        return "search, find nothing, shuffle"
    places: dict[tuple[str, int], list[str]] = {}
    for name in one.found:
        places.setdefault(one.apart.get(name, (one.to, one.at)), []).append(name)
    put = ", ".join(f"put {_and(names)} {_where(*where)}" for where, names in places.items())
    found = f"search for {_and(one.found)}"
    return f"{found}, shuffle, {put}" if one.put == "after" else f"{found}, {put}, shuffle"


def _where(zone: str, at: int) -> str:
    if zone != LIBRARY:
        return f"into the {zone}"
    return {0: "on top", -1: "at the bottom"}.get(at, f"at position {at + 1}")


def _step(value: Shuffle, step: Shuffled) -> Iterator[str]:
    """What an instruction did to one library or pile."""
    whose = f"library of {step.library}" if step.library in value.libraries else f"pile {step.library}"
    rule = f" by {step.rule}" if step.rule else ""
    yield f"{whose}: {'shuffled' if step.shuffled else 'not shuffled'}{rule}: {step.words}"
    if step.shuffled or step.took_part:
        yield f"  takes part: {_number(len(step.took_part), 'card')}"
    if step.added:
        yield f"  among them, shuffled in: {_and(step.added)}"
    if step.excluded:
        yield f"  takes no part: {_and(step.excluded)}"
    if step.fixed:
        yield f"  fixed: {_placed(step.fixed.items())}"
    for viewer, lost in step.erased.items():
        yield f"  no longer known to {viewer}: {_placed(lost)}"


def _placed(cards: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{name} at {at + 1}" for at, name in cards)


def _times(done: Resolution) -> str:
    if not done.shuffle_events:
        return "as the game sees it, nothing was shuffled"
    return f"as the game sees it, shuffled {_often(done.shuffle_events)}:"


def _event(event: Event) -> str:
    kind = f"{'an' if event.cause == 'ability' else 'a'} {event.cause}"
    cause = f"caused by {kind} of {event.controller}" if event.controller else f"caused by {kind}"
    at_once = f", {_often(event.times)} at the same time" if event.times > 1 else ""
    return f"the library of {event.library}, by {event.player}, {cause}{at_once}"


def _trigger(watcher: Watcher, times: int) -> str:
    return f"{watcher.name} of {watcher.controller} ({WHEN[watcher.when]}) triggers: {_often(times)}"


def _known(value: Shuffle, done: Resolution) -> Iterator[str]:
    library = asked(value, done)
    for at, place in enumerate(library.places):
        if place.held is not None and value.viewer in place.known_to:
            yield f"{place.held} at {at + 1}"
    for fact in value.facts:
        yield fact_words(fact, len(library.places))
