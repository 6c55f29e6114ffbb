"""Shuffling as plain values: the dated rules, what effects instruct, who watches, and what came of it.

| vintage | named objects, none where expected | all of them moved elsewhere instead | found card to another zone |
| --- | --- | --- | --- |
| 2011 | not shuffled (701.15c) | not shuffled (701.15d) | takes part |
| 2012 | not shuffled (701.15c) | shuffled; the text is silent | takes part |
| 2026 | shuffled (701.24c) | shuffled (701.24c) | takes no part (701.24b) |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Cause: TypeAlias = Literal["spell", "ability", "rule", "judge"]
When: TypeAlias = Literal["player", "you", "opponent", "spell-or-ability", "its-controller"]
Do: TypeAlias = Literal["shuffle", "search", "shuffle-in", "put", "randomise", "together"]

LIBRARY = "library"
STAYS = "stays"
"""Where a replacement effect keeps an object that would have moved."""


@dataclass(frozen=True, slots=True)
class Vintage:
    """One dated text of the rule: what it decides, and the letters under which it does."""

    name: str
    absent_shuffles: bool
    replaced_shuffles: bool
    elsewhere_excluded: bool
    randomise: str
    found: str
    named: str
    replaced: str | None
    a_set: str
    small: str
    times: str
    fixed: str | None


VINTAGES = {
    row.name: row
    for row in (
        Vintage(
            "2011", False, False, False,
            "701.15a", "701.15b", "701.15c", "701.15d", "701.15e", "701.15f", "701.15g", None,
        ),
        Vintage(
            "2012", False, True, False,
            "701.15a", "701.15b", "701.15c", None, "701.15d", "701.15e", "701.15f", None,
        ),
        Vintage(
            "2026", True, True, True,
            "701.24a", "701.24b", "701.24c", "701.24c", "701.24d", "701.24e", "701.24f", "701.24g",
        ),
    )
}  # fmt: skip
"""All vintages by name, oldest first. What 2011 and 2012 say otherwise is the same text."""

NEWEST = "2026"
UNRESOLVED = "608.2b"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One thing that an effect (or a rule, or a judge) does; which keys count depends on `do`.

    shuffle: the libraries, or the face-down pile `pile`. search: `found` cards are put `to` a zone (for the library,
    at `at`: 0 top, -1 bottom) after the shuffle, or before it; those in `apart` each to a zone and place of its own.
    shuffle-in: `objects`, specific ones expected in
    the zone `expected`, or `a_set` of them. put: `objects` at `at`. randomise: all but the positions `keep`,
    by a judge, which is no shuffle in the game. together: `parts` at the same time.
    """

    do: Do
    libraries: tuple[str, ...] = ()
    pile: str | None = None
    found: tuple[str, ...] = ()
    to: str = LIBRARY
    at: int = 0
    apart: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    put: Literal["after", "before"] = "after"
    shown: bool = False
    objects: tuple[str, ...] = ()
    expected: str = "graveyard"
    a_set: bool = False
    replaced: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[int, ...] = ()
    parts: tuple[Instruction, ...] = ()
    player: str | None = None
    cause: Cause = "spell"
    controller: str | None = None
    resolves: bool = True


@dataclass(frozen=True, slots=True)
class Watcher:
    """An ability that triggers on shuffles: whose, and for which cause.

    `opponent`, `spell-or-ability` and `its-controller` ask for players who shuffle their own library, as cards do.
    """

    name: str
    controller: str
    when: When = "player"


@dataclass(frozen=True, slots=True)
class Card:
    """A place in a library: a card that lies there for certain (None: some card of the shuffled ones)."""

    held: str | None
    known_to: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Library:
    """Places from the top, and the cards that lie in random order in those without a certain one."""

    owner: str
    places: tuple[Card, ...]
    pool: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards, the certain ones from the top first."""
        return (*(place.held for place in self.places if place.held is not None), *self.pool)


@dataclass(frozen=True, slots=True)
class Event:
    """A shuffle as abilities see it: `times` is how often they trigger on it."""

    library: str
    player: str
    cause: Cause
    controller: str | None
    times: int = 1


@dataclass(frozen=True, slots=True)
class Shuffled:
    """What one instruction did to one library or pile, and by which rule."""

    instruction: int
    library: str
    shuffled: bool
    rule: str
    words: str
    took_part: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    fixed: Mapping[int, str] = field(default_factory=dict)
    erased: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Shuffle:
    """A whole document: libraries, other zones, what is instructed, who watches, and whose view is asked for."""

    rules: str
    libraries: Mapping[str, Library]
    zones: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    owners: Mapping[str, str] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    watchers: tuple[Watcher, ...] = ()
    viewer: str | None = None
    facts: tuple[Fact, ...] = ()
    about: str | None = None
    """Whose library is asked about: the first where nobody is named."""


@dataclass(frozen=True, slots=True)
class Fact:
    """After the instructions between `least` and `most` cards of these names lie at these positions."""

    names: tuple[str, ...]
    positions: tuple[int, ...]
    least: int = 1
    most: int | None = None


@dataclass(frozen=True)
class Resolution:
    """What the instructions did, in order, and how everything lies after them."""

    steps: tuple[Shuffled, ...]
    events: tuple[Event, ...]
    libraries: Mapping[str, Library]
    zones: Mapping[str, tuple[str, ...]]
    triggers: Mapping[str, int]
    notes: tuple[str, ...]

    @property
    def shuffled(self) -> bool:
        """Whether anything was shuffled as the game sees it."""
        return bool(self.events)

    @property
    def shuffle_events(self) -> int:
        """How often abilities that watch every shuffle trigger."""
        return sum(event.times for event in self.events)
