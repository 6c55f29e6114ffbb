"""The lazy result: what it answers, what it refuses, and that narrowing is the same as filtering."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import lethal
from lethal.solver.assignments import Assignment, Assignments

CROSSED: dict[str, Any] = {
    "kind": "combat",
    "rules": "ordered",
    "attackers": [
        {"name": "a", "power": 5, "toughness": 4, "keywords": ["trample"]},
        {"name": "b", "power": 4, "toughness": 4, "keywords": ["trample"]},
    ],
    "blockers": [
        {"name": "x", "power": 1, "toughness": 3, "blocks": ["a", "b"]},
        {"name": "y", "power": 2, "toughness": 2, "blocks": ["a", "b"]},
    ],
    "order": {"a": ["x", "y"], "b": ["y", "x"]},
}


@pytest.fixture
def legal(engine: str) -> Assignments:
    return lethal.load(CROSSED).legal(engine=engine)


def test_nothing_is_computed_until_asked(engine: str) -> None:
    assert "engine" not in vars(lethal.load(CROSSED).legal(engine=engine))


def test_counting_listing_and_membership_agree(legal: Assignments) -> None:
    found = list(legal)
    assert legal.count() == len(legal) == len(found) == len(set(found)) > 40
    assert bool(legal)
    assert all(one in legal and one.to_dict() in legal for one in found)
    assert {"a": {"y": 5}, "b": {"x": 4}} in legal  # each skips its first blocker: the other fills it
    assert {"a": {"y": 5}, "b": {"x": 1, "y": 3}} not in legal
    assert {"a": {"z": 5}} not in legal
    with pytest.raises(TypeError):
        assert 7 in legal


def test_a_limit_is_complete_exactly_where_it_reaches_the_count(legal: Assignments) -> None:
    count = legal.count()
    assert legal.rows(count)[1] is True
    assert legal.rows(count - 1)[1] is False
    assert len(legal.rows(3)[0]) == 3
    assert legal.rows()[1] is True


def test_blocks_hold_the_rows_in_order(legal: Assignments) -> None:
    blocks = list(legal.blocks(7))
    assert all(len(block) <= 7 for block in blocks)
    assert [tuple(map(int, row)) for block in blocks for row in block] == [one.row for one in legal]
    with pytest.raises(ValueError, match="at least one row"):
        legal.blocks(0)


@pytest.mark.parametrize(
    ("amounts", "keeps"),
    [
        ({"a": {"player": 2}}, lambda a: a["a"]["player"] == 2),
        (
            {"a": {"player": (1, None)}, "b": {"y": (None, 2)}},
            lambda a: a["a"]["player"] >= 1 and a["b"]["y"] <= 2,
        ),
        ({"a": {"x": (1, 2)}}, lambda a: 1 <= a["a"]["x"] <= 2),
        ({"a": {"x": 99}}, lambda a: False),
    ],
)
def test_narrowing_shares_is_filtering(legal: Assignments, amounts: Any, keeps: Any) -> None:
    assert list(legal.where(amounts)) == [one for one in legal if keeps(one)]


def test_narrowing_by_lethal_damage_is_filtering(legal: Assignments) -> None:
    def lethal_to(name: str, need: int) -> set[Assignment]:
        return {one for one in legal if one["a"][name] + one["b"][name] >= need}

    assert set(legal.where(full=["x"])) == lethal_to("x", 3)
    assert set(legal.where(full=["y"], not_full=["x"])) == lethal_to("y", 2) - lethal_to("x", 3)
    with pytest.raises(KeyError):
        legal.where(full=["nobody"])
    with pytest.raises(KeyError):
        legal.where({"a": {"nobody": 1}})


def test_bounds_are_reached_and_not_passed(legal: Assignments) -> None:
    found = list(legal)
    for at, bound in enumerate(legal.bounds()):
        values = [one.row[at] for one in found]
        assert (bound.least, bound.most) == (min(values), max(values))
    assert legal.where({"a": {"x": 99}}).bounds() == []


def test_best_ranked_and_optima_tell_the_same(legal: Assignments) -> None:
    objective = legal.objective("kills")
    ranked = list(legal.ranked(objective))
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    assert Counter(one.assignment for one in ranked) == Counter(legal)
    best = legal.best("kills")
    assert best is not None
    assert (best.score, best.assignment, best.proved) == (ranked[0].score, ranked[0].assignment, True)
    optima = legal.optima("kills")
    assert list(optima) == [one.assignment for one in ranked if one.score == best.score]
    assert optima.count() == scores.count(best.score)
    assert legal.where({"a": {"x": 99}}).best("kills") is None


def test_unknown_objectives_and_engines_are_named(legal: Assignments) -> None:
    with pytest.raises(ValueError, match="glory"):
        legal.best("glory")
    with pytest.raises(ValueError, match="no engine 'abacus'"):
        lethal.load(CROSSED).legal(engine="abacus").count()


def test_positions_and_ranks_are_inverse() -> None:
    legal = lethal.load(CROSSED).legal()
    found = list(legal)
    assert [legal[at] for at in range(len(found))] == found
    assert [legal.rank(one) for one in found] == list(range(len(found)))
    assert legal[-1] == found[-1]
    for at in (len(found), -len(found) - 1):
        with pytest.raises(IndexError):
            legal[at]
    with pytest.raises(ValueError, match="not a legal assignment"):
        legal.rank({"a": {"y": 5}})


def test_samples_are_uniform_and_reproducible() -> None:
    legal = lethal.load(CROSSED).legal()
    drawn = Counter(legal.sample(np.random.default_rng(5), 20_000))
    expected = 20_000 / legal.count()
    statistic = sum((drawn[one] - expected) ** 2 / expected for one in legal)
    degrees = legal.count() - 1
    assert (
        abs(statistic - degrees) < 5 * (2 * degrees) ** 0.5
    )  # five standard deviations: once in two million
    again = legal.sample(np.random.default_rng(5), 10)
    assert again == legal.sample(np.random.default_rng(5), 10)


@pytest.mark.parametrize(
    "ask", [lambda x: x[0], lambda x: x.rank(next(iter(x))), lambda x: list(x.outcomes())]
)
def test_what_cpsat_cannot_names_who_can(ask: Any) -> None:
    with pytest.raises(lethal.Unsupported, match="diagram"):
        ask(lethal.load(CROSSED).legal(engine="cpsat"))
    with pytest.raises(lethal.Unsupported, match="diagram"):
        lethal.load(CROSSED).legal(engine="cpsat").sample(np.random.default_rng(1), 2)


def test_a_million_is_answered_all_the_same() -> None:
    document = {
        "kind": "combat",
        "attackers": [{"name": "a", "power": 1_000_000, "toughness": 1_000_000, "keywords": ["trample"]}],
        "blockers": [{"name": f"b{i}", "power": 1, "toughness": i + 1, "blocks": ["a"]} for i in range(3)],
    }
    scenario = lethal.load(document)
    legal = scenario.legal()
    most = {"a": {"b0": 1, "b1": 2, "b2": 3, "player": 999_994}}
    assert most in legal
    assert {"a": {"b0": 1, "b1": 2, "b2": 2, "player": 999_995}} not in legal
    best = legal.best("kills")
    assert best is not None
    assert best.assignment == most
    assert best.proved
    assert [(b.least, b.most) for b in legal.bounds()][-1] == (0, 999_994)
    check = scenario.check({"a": {"b0": 1, "b1": 2, "b2": 2, "player": 999_995}})
    assert not check.legal
    assert check.nearest == most
    with pytest.raises(lethal.TooWide, match=r"1,?000,?001|limit"):
        legal.count()
