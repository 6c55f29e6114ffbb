"""Documents of kind "shuffle": their keys, defaults and defects, and the plain value that models work on.

Positions count from 1 at the top, -1 is the bottom. A library's `cards` say what is in it, never in which
order: what lies where is only what `knowledge` says, before the instructions; its `facts` hold after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from lethal.models.document import Defects, at_key, hint, read, show
from lethal.models.shuffle_orders import check
from lethal.models.shuffle_types import (
    LIBRARY,
    NEWEST,
    Card,
    Cause,
    Fact,
    Instruction,
    Library,
    Shuffle,
    Watcher,
    When,
)

Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
# A pair is spelt as a tuple of any length: msgspec 0.23 corrupts memory over `Name | tuple[Name, Count]` in a
# Struct.
Cards: TypeAlias = tuple[Name | tuple[Name | Count, ...], ...]
Place: TypeAlias = Literal["top", "bottom"] | Annotated[int, msgspec.Meta(ge=1)]


class LibraryKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A library: whose, and which cards are in it, names or pairs of a name and its copies."""

    owner: Name = "player"
    cards: Cards = ()


class InstructionKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """One thing that an effect, a rule or a judge does; see `shuffle_types.Instruction`."""

    do: Literal["shuffle", "search", "shuffle-in", "put", "randomise", "together"]
    library: Name | None = None
    libraries: tuple[Name, ...] = ()
    pile: Name | None = None
    found: tuple[Name, ...] = ()
    to: Name = LIBRARY
    at: Place = "top"
    apart: dict[str, Name | Annotated[int, msgspec.Meta(ge=1)]] = {}
    put: Literal["after", "before"] = "after"
    shown: bool = False
    objects: tuple[Name, ...] = ()
    expected: Name = "graveyard"
    set: bool = False
    replaced: dict[str, Name] = {}
    keep: tuple[int, ...] = ()
    parts: tuple[InstructionKeys, ...] = ()
    player: Name | None = None
    cause: Cause = "spell"
    controller: Name | None = None
    resolves: bool = True


class WatcherKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """An ability that triggers on shuffles."""

    name: Name
    controller: Name
    when: When = "player"


class FactKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """How many cards of these names lie at these positions after the instructions."""

    names: tuple[Name, ...]
    positions: tuple[int, ...]
    least: Natural = 1
    most: Natural | None = None


class KnowledgeKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """What a viewer knows of a library: names from the top, names up to the bottom, names at positions."""

    viewer: Name | None = None
    library: Name | None = None
    top: tuple[Name, ...] = ()
    bottom: tuple[Name, ...] = ()
    at: dict[str, Name] = {}
    facts: tuple[FactKeys, ...] = ()


class ShuffleDocument(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A whole document of kind "shuffle"."""

    kind: Literal["shuffle"]
    rules: Literal["2011", "2012", "2026"] = NEWEST  # type: ignore[assignment]
    title: str | None = None
    source: str | None = None
    note: str | None = None
    library: LibraryKeys | None = None
    libraries: tuple[LibraryKeys, ...] = ()
    zones: dict[str, Cards] = {}
    owners: dict[str, Name] = {}
    players: tuple[Name, ...] = ()
    instructions: tuple[InstructionKeys, ...] = ()
    watchers: tuple[WatcherKeys, ...] = ()
    knowledge: KnowledgeKeys = KnowledgeKeys()


def read_shuffle(document: Mapping[str, Any]) -> tuple[Shuffle, list[str]]:
    """The shuffle that a document describes, and warnings (there are none yet).

    Raises DocumentError with every defect: unknown keys, wrong types, cards or libraries that are not there,
    positions beyond the library, two cards known at one position.
    """
    return read(document, ShuffleDocument, _meaning), []


def _meaning(keys: ShuffleDocument, defects: Defects) -> Shuffle:
    value = _Reader(keys, defects).read()
    if not defects.found:
        try:
            check(value)
        except ValueError as error:
            defects.add("instructions" if keys.instructions else "knowledge", str(error))
    return value


def _expanded(cards: Cards, place: str, defects: Defects) -> list[str]:
    names: list[str] = []
    for at, entry in enumerate(cards):
        match entry:
            case str():
                names.append(entry)
            case (str() as name, int() as copies):
                names += [name] * copies
            case _:
                defects.add(
                    f"{place}[{at}]", f"expected a name or a pair of name and copies, got {show(entry)}"
                )
    return names


def _place(where: str | int) -> tuple[str, int]:
    """The zone and position that a document means by `top`, `bottom`, a position from 1, or another zone."""
    if isinstance(where, int):
        return LIBRARY, where - 1
    return (LIBRARY, {"top": 0, "bottom": -1}[where]) if where in ("top", "bottom") else (where, 0)


class _Reader:
    """Resolves names and positions of one decoded document."""

    def __init__(self, keys: ShuffleDocument, defects: Defects) -> None:
        self.keys, self.defects = keys, defects
        self.contents: dict[str, list[str]] = {}
        self.zones = {
            zone: _expanded(cards, at_key("zones", zone), defects) for zone, cards in keys.zones.items()
        }

    def read(self) -> Shuffle:
        keys = self.keys
        listed = [("library", keys.library)] if keys.library else []
        listed += [(f"libraries[{at}]", library) for at, library in enumerate(keys.libraries)]
        if not listed:
            self.defects.add("library", "there must be a library")
            listed = [("library", LibraryKeys())]
        for place, library in listed:
            if library.owner in self.contents:
                self.defects.add(f"{place}.owner", f"{library.owner!r} already has a library")
            self.contents.setdefault(library.owner, _expanded(library.cards, f"{place}.cards", self.defects))
        self._owners()
        instructions = tuple(
            self._instruction(i, f"instructions[{at}]") for at, i in enumerate(keys.instructions)
        )
        first = next(iter(self.contents))
        viewer = keys.knowledge.viewer or first
        told = [first, *self.contents, *keys.players, viewer, *(w.controller for w in keys.watchers)]
        self._unique([w.name for w in keys.watchers], "watchers")
        players = tuple(dict.fromkeys(told))
        libraries = {owner: self._library(owner, viewer) for owner in self.contents}
        return Shuffle(
            keys.rules,
            libraries,
            {zone: tuple(cards) for zone, cards in self.zones.items()},
            dict(keys.owners),
            players,
            instructions,
            tuple(Watcher(w.name, w.controller, w.when) for w in keys.watchers),
            viewer,
            tuple(Fact(f.names, self._positions(f.positions), f.least, f.most) for f in keys.knowledge.facts),
            keys.knowledge.library,
        )

    def _unique(self, names: list[str], place: str) -> None:
        for at, name in enumerate(names):
            if name in names[:at]:
                self.defects.add(f"{place}[{at}].name", f"{name!r} is already a watcher's name")

    def _owners(self) -> None:
        for name, owner in self.keys.owners.items():
            self._owner(owner, f"owners.{name}")

    def _owner(self, owner: str, place: str) -> None:
        if owner not in self.contents:
            self.defects.add(place, f"{owner!r} has no library{hint(owner, self.contents)}")

    def _positions(self, positions: Iterable[int]) -> tuple[int, ...]:
        return tuple(position - 1 if position > 0 else position for position in positions)

    def _library(self, owner: str, viewer: str) -> Library:
        known, mine = self.keys.knowledge, self.contents[owner]
        size, pins = len(mine), dict[int, str]()
        about = known.library or next(iter(self.contents))
        if known.library is not None:
            self._owner(known.library, "knowledge.library")
        if owner == about:
            for place, at, name in self._named(known, size):
                where = f"knowledge.{place}"
                if not 0 <= at < size:
                    self.defects.add(where, f"there is no such position in a library of {size}")
                elif pins.setdefault(at, name) != name:
                    self.defects.add(where, f"position {at + 1} is known to be {pins[at]!r}, so not {name!r}")
        pool = list(mine)
        for at, name in pins.items():
            if name in pool:
                pool.remove(name)
            else:
                message = f"position {at + 1}: no {name!r} is left in the library{hint(name, mine)}"
                self.defects.add("knowledge", message)
        places = [
            Card(pins.get(at), frozenset([viewer]) if at in pins else frozenset()) for at in range(size)
        ]
        return Library(owner, tuple(places), tuple(pool))

    def _named(self, known: KnowledgeKeys, size: int) -> Iterator[tuple[str, int, str]]:
        """The key, the position from 0 and the name of everything known of a library of that size."""
        for at, name in enumerate(known.top):
            yield f"top[{at}]", at, name
        for at, name in enumerate(known.bottom):
            yield f"bottom[{at}]", size - len(known.bottom) + at, name
        for text, name in known.at.items():
            try:
                position = int(text)
            except ValueError:
                self.defects.add(at_key("knowledge.at", text), f"a position is a number, not {text!r}")
                continue
            yield (
                at_key("at", text),
                position - 1 if position > 0 else size + position if position else -1,
                name,
            )

    def _instruction(self, keys: InstructionKeys, place: str) -> Instruction:
        libraries = (keys.library,) if keys.library else keys.libraries
        for owner in libraries:
            self._owner(owner, f"{place}.library")
        held = [name for owner in libraries or self.contents for name in self.contents.get(owner, ())]
        everywhere = [name for cards in self.zones.values() for name in cards] + held
        for at, name in enumerate(keys.found):
            if name not in everywhere:
                message = f"no {name!r} is in the library{hint(name, held)}"
                self.defects.add(f"{place}.found[{at}]", message)
        for name in keys.apart:
            if name not in keys.found:
                where = at_key(f"{place}.apart", name)
                self.defects.add(where, f"no {name!r} is found{hint(name, keys.found)}")
        for at, name in enumerate(keys.objects):
            if name not in everywhere and name not in keys.replaced:
                message = f"there is no {name!r} in any zone{hint(name, everywhere)}"
                self.defects.add(f"{place}.objects[{at}]", message)
        if keys.do == "search" and len(libraries or list(self.contents)[:1]) != 1:
            self.defects.add(f"{place}.libraries", "a search is of one library")
        if keys.pile is not None and keys.pile not in self.zones:
            self.defects.add(f"{place}.pile", f"there is no {keys.pile!r}{hint(keys.pile, self.zones)}")
        if keys.do == "together" and not keys.parts:
            self.defects.add(f"{place}.parts", "there must be parts that happen together")
        if keys.do != "together" and keys.parts:
            self.defects.add(f"{place}.parts", f"{keys.do!r} has no parts")
        return Instruction(
            keys.do,
            libraries,
            keys.pile,
            keys.found,
            keys.to,
            _place(keys.at)[1],
            {name: _place(where) for name, where in keys.apart.items()},
            keys.put,
            keys.shown,
            keys.objects,
            keys.expected,
            keys.set,
            dict(keys.replaced),
            self._positions(keys.keep),
            tuple(self._instruction(part, f"{place}.parts[{at}]") for at, part in enumerate(keys.parts)),
            keys.player,
            keys.cause,
            keys.controller,
            keys.resolves,
        )
