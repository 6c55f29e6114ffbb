"""Random boards of indirect damage against a brute force that shares nothing with the model."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import lethal
from lethal.models.indirect_objectives import NAMES
from lethal.models.indirect_outcome import RESULT, Outcome, readings, settle
from lethal.solver.assignments import Assignments

SOURCE = "indirect damage"
Board = dict[str, Any]

CHARACTERS = st.fixed_dictionaries(
    {
        "hit_points": st.integers(1, 5),
        "damage": st.integers(0, 3),
        "tough": st.sampled_from([0, 0, 1, 2]),
        "cannot_take_damage": st.sampled_from([False, False, False, True, [SOURCE], ["another"]]),
        "reduce": st.sampled_from([0, 0, 0, 1]),
        "type": st.sampled_from(["ally", "ally", "ally", "support"]),
        "value": st.sampled_from([None, 0.5, 3]),
    }
)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    players = []
    for name in ("P", "Q")[: draw(st.integers(1, 2))]:
        others = draw(st.lists(CHARACTERS, max_size=2))
        identity = draw(CHARACTERS) | {"type": draw(st.sampled_from(["identity", "hero", "alter-ego"]))}
        characters = [c | {"name": f"{name}{at}"} for at, c in enumerate([identity, *others])]
        players.append({"name": name, "characters": characters})
    names = [c["name"] for p in players for c in p["characters"]]
    effects: list[dict[str, Any]] = []
    if draw(st.booleans()):
        effects.append(
            {
                "kind": "prevent",
                "character": draw(st.sampled_from(names)),
                "amount": draw(st.integers(0, 3)),
            }
        )
    if len(names) > 1 and draw(st.booleans()):
        moved, to = draw(st.permutations(names))[:2]
        effects.append({"kind": "redirect", "character": moved, "to": to, "amount": draw(st.integers(0, 3))})
    if draw(st.booleans()):
        who = draw(st.sampled_from([None, *names]))
        stage = draw(st.sampled_from(["dealt", "taken"]))
        effects.append(
            {"kind": "increase", "character": who, "amount": draw(st.integers(0, 2)), "stage": stage}
        )
    return {
        "kind": "indirect",
        "amount": draw(st.integers(0, 7)),
        "scope": draw(st.sampled_from(["player", "group", "each-player"])),
        "mode": draw(st.sampled_from(["effect", "effect", "cost"])),
        "cost_of": draw(st.sampled_from(["taken", "dealt"])),
        "players": players,
        "effects": effects,
        "options": {"each_player": "at-once"},
        "next_activation": draw(st.integers(0, 3)),
    }


def brute(board: Board) -> set[tuple[tuple[str, int], ...]]:
    """Every legal division: all vectors of amounts, put to the rule as it is written."""
    pools = {
        "player": [board["players"][0]["characters"]],
        "group": [[c for p in board["players"] for c in p["characters"]]],
        "each-player": [p["characters"] for p in board["players"]],
    }[board["scope"]]
    touched = {e["character"] for e in board["effects"] if e["kind"] != "increase"}
    found: list[set[tuple[tuple[str, int], ...]]] = []
    for pool in pools:
        room = {}
        for c in pool:
            immune = c["cannot_take_damage"]
            left = c["hit_points"] - c["damage"]
            if c["type"] != "support" and left > 0 and immune is not True and immune != [SOURCE]:
                room[c["name"]] = left
        total = board["amount"] if board["mode"] == "cost" else min(board["amount"], sum(room.values()))
        legal = set()
        for amounts in product(*(range(n + 1) for n in room.values())):
            given = dict(zip(room, amounts, strict=True))
            stopped = any(
                given.get(c["name"], 0) and (c["tough"] or c["reduce"] or c["name"] in touched) for c in pool
            )
            unpaid = board["mode"] == "cost" and board["cost_of"] == "taken" and stopped
            if sum(amounts) == total and not unpaid:
                legal.add(tuple((n, x) for n, x in given.items() if x))
        found.append(legal)
    return {tuple(part for block in choice for part in block) for choice in product(*found)}


def division(assignment: lethal.Assignment) -> tuple[tuple[str, int], ...]:
    return tuple((r, n) for (_, r), n in zip(assignment.columns, assignment.row, strict=True) if n)


@settings(max_examples=150, deadline=None)
@given(boards())
def test_the_exact_engine_lists_what_brute_force_finds(board: Board) -> None:
    legal = lethal.load(board).legal("diagram")
    listed = [division(a) for a in legal]
    assert len(listed) == len(set(listed)) == legal.count()
    assert set(listed) == brute(board)


@settings(max_examples=25, deadline=None)
@given(boards())
def test_both_engines_list_the_same_in_the_same_order(board: Board) -> None:
    made = lethal.load(board)
    assert list(made.legal("diagram")) == list(made.legal("cpsat"))
    assert made.legal("diagram").bounds() == made.legal("cpsat").bounds()


@settings(max_examples=100, deadline=None)
@given(boards())
def test_assignments_grouped_by_the_engine_differ_just_where_outcomes_do(board: Board) -> None:
    made = lethal.load(board)
    shares, meters = readings(made.value, made.problem)
    problem = made.problem.with_meters(meters)

    def result(assignment: lethal.Assignment) -> str:
        plain = settle(made.value, assignment.to_dict()).plain()
        return repr([_nonzero(plain[name]) for name in RESULT])

    listed: dict[str, int] = {}
    for assignment in made.legal():
        listed[result(assignment)] = listed.get(result(assignment), 0) + 1
    grouped: dict[str, int] = {}
    columns = [problem.columns[at] for at in shares]
    for group in Assignments(problem).outcomes(columns, [m.name for m in meters]):
        key = result(group.example)
        grouped[key] = grouped.get(key, 0) + group.assignments
    assert grouped == listed


def _nonzero(told: Any) -> Any:
    return {name: n for name, n in sorted(told.items()) if n} if isinstance(told, dict) else told


@settings(max_examples=100, deadline=None)
@given(boards(), st.sampled_from(NAMES))
def test_the_best_assignment_scores_what_its_outcome_is_worth_and_none_is_better(
    board: Board, name: str
) -> None:
    """Scores are read off outcomes, not off the objective's tables."""
    made = lethal.load(board)
    pool = {recipient for _, recipient in made.problem.columns}
    pool |= {e["to"] for e in board["effects"] if e["kind"] == "redirect" and e["character"] in pool}
    found = made.best(name)
    scores = [worth(board, settle(made.value, a.to_dict()), name, pool) for a in made.legal()]
    if not scores:
        assert found is None
        return
    assert found is not None
    assert worth(board, settle(made.value, found.assignment.to_dict()), name, pool) == max(scores)


def worth(board: Board, found: Outcome, name: str, pool: set[str]) -> tuple[float, ...]:
    """An outcome's scores, from the outcome alone; characters nothing can happen to are left out."""
    told = {c["name"]: c for p in board["players"] for c in p["characters"] if c["name"] in pool}
    identities = [n for n, c in told.items() if c["type"] in ("identity", "hero", "alter-ego")]
    dead = {n for n in told if found.characters[n].remaining == 0}
    kept = sum(n not in dead for n in identities)
    allies = sum(
        told[n]["hit_points"] if told[n]["value"] is None else told[n]["value"]
        for n in told
        if n not in identities and n not in dead
    )
    taken = -sum(found.taken.values())
    spent = -sum(found.tough_spent.values())
    hurt = -sum(found.taken.get(n, 0) for n in identities)
    ready = sum(_ready(found, n, board["next_activation"]) for n in identities)
    absorbed = sum(
        max(0, found.dealt[n] - told[n]["reduce"] + _more(board, n)) for n in found.tough_spent if n in told
    )
    return {
        "survive": (kept, allies, taken, spent, hurt),
        "tough": (kept, absorbed, spent, allies, hurt),
        "ready": (kept, ready, allies, hurt, taken, spent),
        "weighted": (100 * kept + 10 * ready + allies + taken + spent,),
    }[name]


def _more(board: Board, name: str) -> int:
    return sum(
        e["amount"] for e in board["effects"] if e.get("stage") == "taken" and e["character"] in (None, name)
    )


def _ready(found: Outcome, name: str, due: int) -> bool:
    left = found.characters[name].remaining
    assert left is not None
    return left > due or (left > 0 and found.characters[name].tough > 0)


@settings(max_examples=100, deadline=None)
@given(boards())
def test_least_and_most_follow_the_closed_form(board: Board) -> None:
    if board["mode"] == "cost":
        board = board | {"mode": "effect"}
    made = lethal.load(board)
    everywhere = brute(board)
    for bound in made.legal().bounds():
        amounts = [dict(d).get(bound.recipient, 0) for d in everywhere]
        assert (bound.least, bound.most) == (min(amounts), max(amounts))
