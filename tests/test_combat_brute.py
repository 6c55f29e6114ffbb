"""Engines against the brute force on random combats: the same legal sets, bounds and membership."""

from __future__ import annotations

from random import Random
from typing import Any

import brute
import pytest
from hypothesis import HealthCheck, given, settings
from strategies import combats, past_blockers

import lethal
from lethal.solver.assignments import Assignments

quickly = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
at_length = settings(quickly, max_examples=20_000)


def the_same_set(document: dict[str, Any], legal: Assignments) -> None:
    """The engine lists what trying everything finds: each row once, as many as it counts, within its bounds."""
    expected = brute.legal(document)
    listed = [frozenset(assignment.given) for assignment in legal]
    assert set(listed) == expected
    assert legal.count() == len(listed) == len(expected)
    extremes = brute.bounds(expected)
    found = {(bound.source, bound.recipient): (bound.least, bound.most) for bound in legal.bounds()}
    assert found == {column: extremes.get(column, (0, 0)) for column in legal.columns}


@quickly
@given(document=combats())
def test_an_engine_lists_exactly_what_trying_everything_finds(engine: str, document: dict[str, Any]) -> None:
    the_same_set(document, lethal.load(document).legal(engine=engine))


@quickly
@given(document=combats())
def test_what_is_in_is_what_trying_everything_finds(engine: str, document: dict[str, Any]) -> None:
    legal = lethal.load(document).legal(engine=engine)
    expected = brute.legal(document)
    tried = sorted(brute.attempts(document), key=sorted)
    for attempt in Random(len(tried)).sample(tried, min(len(tried), 40)):
        assert (brute.nested(attempt) in legal) == (attempt in expected), brute.nested(attempt)


@pytest.mark.slow
@at_length
@given(document=combats(limit=20_000))
def test_larger_combats_have_exactly_what_trying_everything_finds(
    engine: str, document: dict[str, Any]
) -> None:
    the_same_set(document, lethal.load(document).legal(engine=engine))


@quickly
@given(document=past_blockers())
def test_who_may_go_past_blockers_does_just_that(engine: str, document: dict[str, Any]) -> None:
    the_same_set(document, lethal.load(document).legal(engine=engine))
