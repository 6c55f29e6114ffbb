"""Orders as a problem: the engine for them agrees with the diagram row by row, and answers for whole decks."""

from __future__ import annotations

from itertools import permutations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

import lethal
from lethal.models.shuffle_document import read_shuffle
from lethal.models.shuffle_orders import build
from lethal.solver.engine import Unsupported, make
from lethal.solver.orders_engine import OrdersEngine, orders_engine
from lethal.solver.problem import Objective, Problem, Share, Total


def deck(cards: list[Any], **knowledge: Any) -> dict[str, Any]:
    return {"kind": "shuffle", "library": {"owner": "P1", "cards": cards}, "knowledge": knowledge}


DECKS = [
    deck([["a", 2], "b", ["c", 2]]),
    deck([["a", 2], "b", ["c", 2]], top=["c"]),
    deck([["a", 3], ["b", 2]], facts=[{"names": ["a"], "positions": [1, 2], "least": 1, "most": 1}]),
    deck(["a", "b", "c", "d"], bottom=["b"], facts=[{"names": ["a", "c"], "positions": [1], "least": 1}]),
]
SIXTY = [["Land", 24], *([f"s{at}", 4] for at in range(9))]


@pytest.mark.parametrize("document", DECKS)
def test_both_exact_engines_give_the_same_rows_numbers_and_bounds(document: dict[str, Any]) -> None:
    problem = build(read_shuffle(document)[0])
    orders = orders_engine(problem, wide=0)
    diagram = make("diagram", problem)
    assert orders is not None
    assert not isinstance(diagram, OrdersEngine)
    rows = list(diagram.rows())
    assert list(orders.rows()) == rows
    assert orders.count() == diagram.count() == len(rows)
    assert orders.bounds() == diagram.bounds()
    assert [orders.rank(row) for row in rows] == list(range(len(rows)))
    assert [orders.row(at) for at in range(len(rows))] == rows
    assert [tuple(map(int, row)) for block in orders.blocks(2) for row in block] == rows
    drawn = {tuple(map(int, row)) for row in orders.sample(np.random.default_rng(0), 400)}
    assert drawn == set(rows)
    nothing = Objective("first", ())
    assert list(orders.ranked(nothing)) == list(diagram.ranked(nothing))
    assert orders.best(nothing) == diagram.best(nothing)


@pytest.mark.parametrize("seed", range(20))
def test_the_orders_of_a_document_are_those_permutations_that_agree_with_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cards = [str(name) for name in rng.choice(list("abcd"), int(rng.integers(3, 7)))]
    size = len(cards)
    facts = [
        {
            "names": sorted({str(name) for name in rng.choice(cards, 2)}),
            "positions": sorted({int(at) + 1 for at in rng.integers(0, size, 2)}),
            "least": int(rng.integers(0, 2)),
            "most": int(rng.integers(1, 3)),
        }
        for _ in range(int(rng.integers(0, 3)))
    ]
    found = str(rng.choice(cards))
    document = deck(list(cards), facts=facts, top=[cards[0]])
    document["instructions"] = [{"do": "search", "found": [found], "at": "bottom"}] if seed % 2 else []
    legal = lethal.load(document).legal()
    wanted = {
        order
        for order in permutations(cards)
        if (order[-1] == found if seed % 2 else order[0] == cards[0])
        and all(
            f["least"] <= sum(order[at - 1] in f["names"] for at in f["positions"]) <= f["most"]
            for f in facts
        )
    }
    listed = {
        tuple(
            next(name for name in set(cards) if one[name].get(f"position {at}")) for at in range(1, size + 1)
        )
        for one in legal
    }
    assert listed == wanted
    assert legal.count() == len(wanted)


def test_a_whole_deck_is_counted_sampled_and_checked_through_the_front_door() -> None:
    legal = lethal.load(deck(SIXTY, top=["s1", "s2"])).legal()
    assert legal.count() == factorial(58) // (factorial(24) * factorial(4) ** 7 * factorial(3) ** 2)
    (drawn,) = legal.sample(np.random.default_rng(4))
    assert drawn in legal
    assert drawn["s1"]["position 1"] == 1
    assert legal.bounds()[0][2:] == (0, 0)
    with pytest.raises(Unsupported, match="outcomes"):
        list(legal.outcomes())


def test_a_deck_of_ninety_nine_is_listed_and_numbered() -> None:
    """Thousands of shares: listing them must not go a call deeper for each."""
    cards = [["Land", 36], *(f"c{at}" for at in range(63))]
    legal = lethal.load(deck(cards, facts=[{"names": ["c1", "c2"], "positions": [1, 2, 3]}])).legal()
    rows, complete = legal.rows(3)
    assert (len(set(rows)), complete) == (3, False)
    assert [legal.rank(legal[at]) for at in (1, legal.count() // 3)] == [1, legal.count() // 3]
    assert [legal[at] for at in range(3)] == [lethal.Assignment(legal.columns, row) for row in rows]
    with pytest.raises(ValueError, match="not a legal row"):
        legal.engine.rank([0] * len(rows[0]))
    with pytest.raises(ValueError, match="not a legal row"):
        legal.engine.rank([1] * len(rows[0]))


def test_facts_about_positions_condition_a_whole_deck() -> None:
    fact = {"names": ["Land"], "positions": list(range(1, 8)), "least": 2, "most": 5}
    free, told = (lethal.load(deck(SIXTY, facts=facts)).legal().count() for facts in ([], [fact]))
    hands = sum(comb(24, k) * comb(36, 7 - k) for k in range(2, 6))
    assert told * comb(60, 7) == free * hands


def test_a_scenario_of_kind_shuffle_answers_like_any_other() -> None:
    document = {
        "kind": "shuffle",
        "library": {"owner": "P1", "cards": ["a", "b", "c", "d"]},
        "instructions": [{"do": "search", "found": ["c"], "at": "top"}],
    }
    scenario = lethal.load(document)
    assert scenario.legal().count() == 6
    found = scenario.best("early:d")
    assert found is not None
    outcome = scenario.outcome(found.assignment)
    assert outcome["order"][:2] == ["c", "d"]
    assert outcome["shuffle_events"] == 1
    assert not scenario.check({"a": {"position 1": 1}}).legal
    assert set(scenario.diff()) == {"2011", "2012", "2026"}
    with pytest.raises(ValueError, match="early:NAME"):
        scenario.best("kills")


@pytest.mark.parametrize(
    "totals",
    [
        (Total((0, 1), 1, 1), Total((2, 3), 1, 1), Total((0, 2), 1, 1)),  # copies of one source are open
        (Total((0, 1), 1, 1), Total((0, 2), 1, 1), Total((1, 3), 1, 1)),  # a recipient may get none
        (Total((0, 3), 1, 1),),  # no rectangle
    ],
)
def test_problems_that_are_no_orders_are_left_to_the_diagram(totals: tuple[Total, ...]) -> None:
    shares = tuple(Share(source, recipient, (0, 1)) for recipient in "xy" for source in "ab")
    assert orders_engine(Problem(shares, totals), wide=0) is None
