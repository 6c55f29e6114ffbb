"""The best line of play, held to trying everything: every assignment of both sides in every step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from effects import effective
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from test_outcomes import wishes

import lethal
from lethal.models.combat import ACTIVE, DEFENDING, build
from lethal.models.combat_outcome import Board
from lethal.models.combat_steps import after_step, assigners, step_names
from lethal.models.combat_types import Combat
from lethal.models.combat_wishes import Scale, wish
from lethal.solver.assignments import Assignment, Assignments

PAIRS = 60


class TooMuch(Exception):
    """More pairs of assignments than a test has time for."""


class Exhaustive:
    """Minimax over all assignments, from nothing but legality, dealing and scoring."""

    def __init__(self, scale: Scale, cooperative: bool, reply: Any = None) -> None:
        self.scale = scale
        self.cooperative = cooperative
        self.reply: dict[str, Any] = reply or {}
        self.known: dict[str, tuple[int, ...] | None] = {}
        self.pairs = 0

    def pick(self, player: str) -> Any:
        mine = (player == ACTIVE) == (self.scale.side == "attackers")
        return max if mine or self.cooperative else min

    def solve(self, combat: Combat) -> tuple[int, ...] | None:
        key = repr(combat)
        if key not in self.known:
            self.known[key] = self._solve(combat)
        return self.known[key]

    def allowed(self, combat: Combat, one: Any) -> list[Assignment]:
        """A side's legal assignments; the one that is given, where it is legal among those that are left."""
        legal = Assignments(build(replace(combat, assigning=one)))
        if legal.count() > PAIRS:
            raise TooMuch
        given = self.reply.get(combat.step) if one != self.scale.side else None
        if given is None:
            return list(legal)
        here = {source for source, _ in legal.columns}
        left = {source: shares for source, shares in given.items() if source in here}
        return [a for a in legal if a == left] or list(legal)

    def _solve(self, combat: Combat) -> tuple[int, ...] | None:
        legal = [self.allowed(combat, one) for one in ("attackers", "blockers")]
        self.pairs += len(legal[0]) * len(legal[1])
        if self.pairs > PAIRS * 20 or len(legal[0]) * len(legal[1]) > PAIRS:
            raise TooMuch
        who, board = assigners(combat), Board(combat)
        announced: dict[Any, list[tuple[int, ...]]] = {}
        for mine in legal[0]:
            for theirs in legal[1]:
                dealt = board.deal(mine.to_dict(), theirs.to_dict())
                score = self.scale.score(board, dealt)
                following = after_step(combat, dealt)
                if following is not None:
                    later = self.solve(following)
                    if later is None:
                        continue
                    score = tuple(a + b for a, b in zip(score, later, strict=True))
                told = frozenset(g for one in (mine, theirs) for g in one.given if who[g[0]] == ACTIVE)
                announced.setdefault(told, []).append(score)
        answers = [self.pick(DEFENDING)(scores) for scores in announced.values()]
        return self.pick(ACTIVE)(answers) if answers else None


def test_counters_take_power_from_who_strikes_in_the_next_step():
    """The worst reply leaves A2 alive with a power of 1: what it then has to assign is prevented, and waste."""
    document = {
        "kind": "combat",
        "rules": "stack",
        "attackers": [
            {"name": "A1", "power": 2, "toughness": 1, "keywords": ["Trample", "First strike"]},
            {"name": "A2", "power": 2, "toughness": 3, "keywords": ["Trample"]},
        ],
        "blockers": [
            {
                "name": "B1",
                "power": 3,
                "toughness": 1,
                "keywords": ["First strike"],
                "blocks": ["A1"],
                "prevent_next": 1,
            },
            {
                "name": "B2",
                "power": 3,
                "toughness": 1,
                "keywords": ["First strike", "Infect"],
                "blocks": ["A1", "A2"],
                "shield_counters": 1,
            },
        ],
    }
    line = lethal.load(document).line("face")
    assert line is not None
    assert line.score == (0, 0, 4, -1)
    assert str(line.steps[0].blockers) == "B1 → A1 3; B2 → A1 2, A2 1"


def test_life_gained_by_the_attacked_player_decides_between_moves_that_score_alike_alone():
    """Bringing the player to 0 life scores as much as waste does, but for the 3 life that B2 gains at once."""
    attackers = [{"name": f"A{at}", "power": 1, "toughness": 1, "keywords": ["Trample"]} for at in (1, 2, 3)]
    document = {
        "kind": "combat",
        "rules": "m10",
        "attackers": attackers,
        "blockers": [
            {"name": "B1", "power": 1, "toughness": 1, "blocks": ["A1", "A2", "A3"]},
            {"name": "B2", "power": 3, "toughness": 1, "blocks": ["A2", "A3"], "keywords": ["lifelink"]},
        ],
        "defenders": [{"name": "player", "life": 1}],
    }
    line = lethal.load(document).line([{"waste": -1, "win": 1}])
    assert line is not None
    assert line.score == (2,)
    assert str(line.steps[0].attackers) == "A1 → B1 1; A2 → B1 1; A3 → B1 1"


drawn = given(
    st.one_of(effective(limit=20, striking=True), effective(limit=30)),
    wishes,
    st.sampled_from(["attackers", "blockers"]),
    st.booleans(),
)


def is_the_best_of_all(document: dict[str, Any], wanted: Any, side: Any, cooperative: bool):
    scenario = lethal.load(document)
    exhaustive = Exhaustive(Scale(scenario.value, wish(wanted), side), cooperative)
    try:
        best = exhaustive.solve(scenario.value)
    except TooMuch:
        assume(False)
    line = scenario.line(wanted, side=side, reply="best" if cooperative else "worst")
    event(f"{document['rules']}, {len(line.steps) if line else 0} steps")
    if best is None:
        assert line is None
        return
    assert line is not None
    assert line.score == best
    assert line.proved
    total = replay(scenario.value, line, Scale(scenario.value, wish(wanted), side))
    assert total == best


@settings(deadline=None, max_examples=200)
@drawn
def test_the_line_is_the_best_of_all(document: dict[str, Any], wanted: Any, side: Any, cooperative: bool):
    is_the_best_of_all(document, wanted, side, cooperative)


@pytest.mark.slow
@settings(deadline=None, max_examples=10_000)
@drawn
def test_the_line_is_the_best_of_all_at_length(
    document: dict[str, Any], wanted: Any, side: Any, cooperative: bool
):
    is_the_best_of_all(document, wanted, side, cooperative)


@settings(deadline=None, max_examples=150)
@given(effective(limit=20, striking=True), wishes, st.sampled_from(["attackers", "blockers"]), st.data())
def test_the_line_is_the_best_against_given_replies(
    document: dict[str, Any], wanted: Any, side: Any, data: st.DataObject
):
    scenario = lethal.load(document)
    other: Any = "blockers" if side == "attackers" else "attackers"
    reply = {}
    for step in data.draw(st.sets(st.sampled_from(step_names(scenario.value)))):
        rows = Assignments(build(replace(scenario.value, assigning=other, step=step)))
        assume(0 < rows.count() < PAIRS)
        reply[step] = rows[data.draw(st.integers(0, rows.count() - 1))].to_dict()
    exhaustive = Exhaustive(Scale(scenario.value, wish(wanted), side), False, reply)
    try:
        best = exhaustive.solve(scenario.value)
    except TooMuch:
        assume(False)
    event(f"given: {', '.join(reply)}")
    line = scenario.line(wanted, side=side, reply=reply)
    assert (line.score if line else None) == best


def replay(combat: Combat, line: Any, scale: Scale) -> tuple[int, ...]:
    """The score of a line's own steps; each of them legal, and each following from the one before."""
    total = (0,) * len(scale.units)
    state: Combat | None = combat
    for step in line.steps:
        assert state is not None
        assert step.name == state.step
        for one in ("attackers", "blockers"):
            assert getattr(step, one) in Assignments(build(replace(state, assigning=one)))  # type: ignore[arg-type]
        board = Board(state)
        dealt = board.deal(step.attackers.to_dict(), step.blockers.to_dict())
        total = tuple(a + b for a, b in zip(total, scale.score(board, dealt), strict=True))
        assert step.outcome == dealt.plain(board)
        state = after_step(state, dealt)
    assert state is None
    return total


def creature(name: str, power: int, toughness: int, *keywords: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "power": power, "toughness": toughness, "keywords": list(keywords), **more}


def scenario(attackers: list[Any], blockers: list[Any], **more: Any) -> lethal.Scenario:
    return lethal.load({"kind": "combat", "attackers": attackers, "blockers": blockers, **more})


def test_first_strikers_kill_what_would_strike_back():
    """Five points kill either the big one or the two small ones; only the latter leaves no blow to fear."""
    of = scenario(
        [creature("A", 5, 4, "First strike")],
        [
            creature("Big", 3, 5, blocks=["A"]),
            creature("S1", 2, 2, blocks=["A"]),
            creature("S2", 2, 3, blocks=["A"]),
        ],
    )
    line = of.line("trade")
    assert line is not None
    assert line.outcome["dies"] == ["S1", "S2"]
    assert line.outcome["survives"] == {"A": 3, "Big": 0}
    greedy = of.line("kills")
    assert greedy is not None


def test_the_defending_player_answers_knowing_what_was_announced():
    """The blocker's damage goes where it hurts most, and the active player cannot help it."""
    attackers = [creature("A", 1, 3, value=9), creature("B", 1, 3, value=1)]
    blockers = [creature("X", 3, 9, blocks=["A", "B"])]
    for reply, value in (("worst", -9), ("best", 0)):
        line = scenario(attackers, blockers).line({"mine": 1}, reply=reply)  # type: ignore[arg-type]
        assert line is not None
        assert line.score == (value,)


def test_a_given_reply_is_taken_as_it_is():
    of = scenario(
        [creature("A", 1, 3, value=9), creature("B", 1, 3, value=1)], [creature("X", 3, 9, blocks=["A", "B"])]
    )
    line = of.line({"mine": 1}, reply={"only": {"X": {"A": 2, "B": 1}}})
    assert line is not None
    assert line.score == (0,)
    with pytest.raises(ValueError, match="not legal"):
        of.line({"mine": 1}, reply={"only": {"X": {"A": 1}}})


def test_in_a_step_that_is_not_given_the_other_side_plays_worst():
    attackers = [creature("A", 1, 3, "First strike", value=9), creature("B", 1, 3, value=1)]
    of = scenario(attackers, [creature("X", 3, 9, blocks=["A", "B"])])
    for reply, value in (
        ({"first-strike": {}}, -9),
        ({"regular": {"X": {"B": 3}}}, -1),
        ("best", 0),
    ):
        line = of.line({"mine": 1}, reply=reply)  # type: ignore[arg-type]
        assert line is not None
        assert line.score == (value,)


def test_a_given_reply_counts_only_where_its_creatures_are_left():
    """The reply to the regular step is known; the best line kills the creature that would give it."""
    of = scenario(
        [creature("A", 3, 3, "First strike", value=9)],
        [creature("X", 3, 3, blocks=["A"], value=1), creature("Y", 1, 3, blocks=["A"], value=5)],
    )
    line = of.line({"mine": 1, "theirs": 1}, reply={"regular": {"X": {"A": 3}, "Y": {"A": 1}}})
    assert line is not None
    assert line.outcome["dies"] == ["X"]
    assert line.score == (1,)
    with pytest.raises(ValueError, match="none of the blockers"):
        of.line("trade", reply={"regular": {"Z": {"A": 3}}})


@pytest.mark.parametrize(
    "wrong", [{"side": "left"}, {"reply": "sometimes"}, {"reply": {"second": {}}}, {"objective": "joy"}]
)
def test_what_is_not_known_is_refused(wrong: dict[str, Any]):
    with pytest.raises(ValueError, match=r"there is no|a reply is"):
        scenario([creature("A", 1, 1)], []).line(**wrong)


def test_the_answer_says_how_it_was_found():
    plain = scenario(
        [creature("A", 5, 5)], [creature("X", 0, 3, blocks=["A"]), creature("Y", 0, 3, blocks=["A"])]
    )
    line = plain.line()
    assert line is not None
    assert (line.how, line.proved) == (("diagram",), True)
    shielded = scenario(
        [creature("A", 5, 5)],
        [creature("X", 0, 3, blocks=["A"], prevent_next=3), creature("Y", 0, 3, blocks=["A"])],
    )
    line = shielded.line()
    assert line is not None
    assert line.how == ("outcomes",)
    assert line.outcome["dies"] == ["Y"]
