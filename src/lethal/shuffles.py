"""From a scenario of kind "shuffle" to what its instructions did and to what its viewer may believe after
them.
"""

from __future__ import annotations

from lethal.belief import Belief, Some
from lethal.models.shuffle import resolve
from lethal.models.shuffle_orders import asked, fact_words
from lethal.models.shuffle_types import Resolution, Shuffle
from lethal.scenario import Scenario


def shuffle_of(scenario: Scenario) -> Shuffle:
    """The scenario's value; raises ValueError for another kind, DocumentError for a defective document."""
    value = scenario.value
    if not isinstance(value, Shuffle):
        raise ValueError(f"a scenario of kind {scenario.kind!r} shuffles nothing")
    return value


def resolution(scenario: Scenario) -> Resolution:
    """What the instructions do, one after the other: shuffles, events, triggers, what is fixed and what
    forgotten."""
    return resolve(shuffle_of(scenario))


def belief(scenario: Scenario, viewer: str | None = None) -> Belief:
    """What a viewer (by default the document's) may believe of the library asked about after the instructions.

    The document's facts are the document's viewer's own and are left out for any other.
    """
    value = shuffle_of(scenario)
    who = value.viewer if viewer is None else viewer
    library = asked(value, resolve(value))
    found = Belief.of(sorted(library.cards))
    for at, place in enumerate(library.places):
        if place.held is not None and who in place.known_to:
            found = found.see([place.held], at, words=f"{{}} is known at position {at + 1}")
    if who == value.viewer:
        for fact in value.facts:
            words = fact_words(fact, len(library.places))
            found = found.learn(
                Some(fact.names, fact.least, fact.most, positions=fact.positions), words=words
            )
    return found
