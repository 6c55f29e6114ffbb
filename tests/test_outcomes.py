"""Distinct outcomes and what is chosen among them, held to trying every assignment."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from effects import effective
from hypothesis import given, settings
from hypothesis import strategies as st

import lethal
from lethal.models.combat_outcome import Board
from lethal.models.combat_wishes import WISHES, Scale, wish
from lethal.scenario import Scenario

WEIGHTS = ["win", "theirs", "mine", "face", "their_life", "my_life", "poison", "loyalty", "waste"]
wishes = st.one_of(
    st.sampled_from(sorted(WISHES)),
    st.dictionaries(st.sampled_from(WEIGHTS), st.sampled_from([1, 2, 0.5, -1, 10]), min_size=1),
    st.lists(
        st.dictionaries(st.sampled_from(WEIGHTS), st.sampled_from([1, 0.25, -1])), min_size=1, max_size=3
    ),
)


def told(outcome: dict[str, Any]) -> str:
    """An outcome as something to count."""
    return json.dumps(
        {key: sorted(v) if isinstance(v, list) else v for key, v in outcome.items()}, sort_keys=True
    )


def unmarked(outcome: dict[str, Any]) -> dict[str, Any]:
    return {**outcome, "survives": dict.fromkeys(outcome["survives"])}


@settings(deadline=None, max_examples=150)
@given(effective())
def test_distinct_outcomes_are_those_of_all_assignments_with_their_counts(document: dict[str, Any]):
    scenario = lethal.load(document)
    every = [scenario.outcome(a) for a in scenario.legal()]
    for marks, expected in ((True, every), (False, [unmarked(o) for o in every])):
        found = scenario.outcomes(marks=marks)
        assert Counter({told(one.outcome): one.assignments for one in found}) == Counter(map(told, expected))
        assert len({told(one.outcome) for one in found}) == len(found)
        for one in found:
            assert one.example in scenario.legal()
            does = scenario.outcome(one.example)
            assert told(does if marks else unmarked(does)) == told(one.outcome)


@settings(deadline=None, max_examples=100)
@given(effective())
def test_an_outcome_is_left_out_only_if_another_is_as_good_in_everything(document: dict[str, Any]):
    scenario = lethal.load(document)
    every, kept = scenario.outcomes(marks=True), scenario.outcomes(marks=True, undominated=True)
    kept_texts = {told(one.outcome) for one in kept}
    assert kept_texts <= {told(one.outcome) for one in every}
    for one in every:
        better = [other for other in every if dominates(other.outcome, one.outcome)]
        assert (told(one.outcome) in kept_texts) is (not better)


def dominates(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """At least as good for who assigns in every respect, and better in one."""
    pairs = []
    for name in {n for o in (a, b) for n in (*o["dies"], *o["survives"])}:
        pairs.append(tuple(hurt(o, name) for o in (a, b)))
    for key in ("damage_to", "life_gained", "poison"):
        for name in {*a[key], *b[key]}:
            pairs.append(((a[key].get(name, 0), 0), (b[key].get(name, 0), 0)))
    return all(x >= y for x, y in pairs) and any(x > y for x, y in pairs)


def hurt(outcome: dict[str, Any], name: str) -> tuple[int, int]:
    if name in outcome["dies"]:
        return (2, 0)
    return (1, 0) if name in outcome["regenerated"] else (0, outcome["survives"].get(name) or 0)


def best_of_all(scenario: Scenario, wanted: Any) -> tuple[int, ...] | None:
    board = Board(scenario.value)
    scale = Scale(scenario.value, wish(wanted), scenario.value.assigning)
    return max((scale.score(board, board.deal(a.to_dict())) for a in scenario.legal()), default=None)


@settings(deadline=None, max_examples=150)
@given(effective(), wishes)
def test_the_chosen_assignment_is_the_best_of_all(document: dict[str, Any], wanted: Any):
    scenario = lethal.load(document)
    chosen = scenario.choose(wanted)
    best = best_of_all(scenario, wanted)
    if best is None:
        assert chosen is None
        return
    assert chosen is not None
    assert chosen.score == best
    assert chosen.proved
    assert chosen.assignment in scenario.legal()
    board = Board(scenario.value)
    scale = Scale(scenario.value, wish(wanted), scenario.value.assigning)
    assert scale.score(board, board.deal(chosen.assignment.to_dict())) == best


def one_block(**blocker: Any) -> Scenario:
    return lethal.load(
        {
            "kind": "combat",
            "attackers": [{"name": "A", "power": 5, "toughness": 5}],
            "blockers": [
                {"name": "B", "power": 0, "toughness": 3, "blocks": ["A"], **blocker},
                {"name": "C", "power": 0, "toughness": 2, "blocks": ["A"]},
                {"name": "D", "power": 0, "toughness": 2, "blocks": ["A"]},
            ],
        }
    )


def test_what_happens_is_chosen_on_the_diagram_where_it_is_a_sum():
    chosen = one_block(value=1).choose("kills")
    assert chosen is not None
    assert chosen.how == "diagram"
    assert chosen.outcome["dies"] == ["C", "D"]


@pytest.mark.parametrize(
    "guard", ["indestructible", "protection_from", "regeneration_shields", "prevent_next"]
)
def test_what_cannot_die_is_not_worth_its_damage(guard: str):
    """Whether the guard is assigned lethal damage does not matter: what happens does."""
    keys = {"indestructible": True, "protection_from": ["A"], "regeneration_shields": 1, "prevent_next": 5}
    scenario = one_block(value=9, **{guard: keys[guard]})
    chosen = scenario.choose("kills")
    assert chosen is not None
    assert chosen.outcome["dies"] == ["C", "D"]
    assert chosen.how == ("outcomes" if guard == "prevent_next" else "diagram")


def test_weights_decide_between_a_creature_and_the_player():
    scenario = lethal.load(
        {
            "kind": "combat",
            "attackers": [{"name": "A", "power": 5, "toughness": 5, "as_though_unblocked": True}],
            "blockers": [{"name": "B", "power": 0, "toughness": 3, "blocks": ["A"]}],
        }
    )
    for weights, dies in (({"theirs": 1, "face": 0.5}, ["B"]), ({"theirs": 1, "face": 0.7}, [])):
        chosen = scenario.choose(weights)
        assert chosen is not None
        assert chosen.outcome["dies"] == dies


@pytest.mark.parametrize("wanted", ["slaughter", {"kils": 1}, {"win": "much"}, [{"win": True}]])
def test_an_unknown_wish_is_refused(wanted: Any):
    with pytest.raises(ValueError, match=r"there is no|must be a number"):
        one_block().choose(wanted)
