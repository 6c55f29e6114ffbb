"""Random boards of indirect damage against a brute force that shares nothing with the model."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice, pairwise, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import lethal
from lethal.models.indirect_flow import Flow
from lethal.models.indirect_objectives import NAMES
from lethal.models.indirect_outcome import Outcome, result, settle

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
    mode = draw(st.sampled_from(["effect", "effect", "cost", "enemy-attack"]))
    attack = {"keywords": draw(st.lists(st.sampled_from(["overkill", "piercing"]), unique=True))}
    return {
        "kind": "indirect",
        "rules": draw(st.sampled_from(["rrg-1.6", "rrg-1.8"])),
        "amount": draw(st.integers(0, 7)),
        "scope": "player"
        if mode == "enemy-attack"
        else draw(st.sampled_from(["player", "group", "each-player"])),
        "mode": mode,
        **({"attack": attack} if mode == "enemy-attack" else {}),
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


@settings(max_examples=200, deadline=None)
@given(boards())
def test_an_outcome_is_what_the_order_of_events_makes_of_it(board: Board) -> None:
    made = lethal.load(board)
    for assignment in islice(made.legal(), 40):
        given = {r: n for (_, r), n in zip(assignment.columns, assignment.row, strict=True) if n}
        taken, tough, spilled = simulate(board, given)
        found = settle(made.value, assignment.to_dict())
        assert {n: c.damage for n, c in found.characters.items()} == {
            c["name"]: c["damage"] + taken[c["name"]] for p in board["players"] for c in p["characters"]
        }
        assert {n: c.tough for n, c in found.characters.items()} == tough
        assert dict(found.spilled) == spilled


def simulate(board: Board, given: dict[str, int]) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Damage taken, Tough cards left and overkill of one instance: each character's events in order.

    There is at most one redirect, so its source goes first and its target after everyone else.
    """
    told = {c["name"]: c for p in board["players"] for c in p["characters"]}
    owner = {c["name"]: p["characters"][0]["name"] for p in board["players"] for c in p["characters"]}
    keywords = board.get("attack", {}).get("keywords", [])
    taken, dealt, arrived = dict.fromkeys(told, 0), dict.fromkeys(told, 0), dict.fromkeys(told, 0)
    tough = {name: c["tough"] for name, c in told.items()}
    absorbing: set[str] = set()

    def raised(name: str, stage: str) -> int:
        return sum(
            e["amount"]
            for e in board["effects"]
            if e["kind"] == "increase" and e["stage"] == stage and e["character"] in (None, name)
        )

    def strike(name: str, amount: int, interrupts: bool) -> None:
        c = told[name]
        if amount <= 0:
            return
        dealt[name] += amount
        if "piercing" in keywords and name == board["players"][0]["characters"][0]["name"]:
            tough[name] = 0
        due = amount + raised(name, "taken") - c["reduce"]
        if due <= 0 or c["cannot_take_damage"] in (True, [SOURCE]):
            return
        if tough[name]:
            tough[name] -= 1
            absorbing.add(name)
            return
        for e in board["effects"] if interrupts else []:
            if e["kind"] != "increase" and e["character"] == name:
                gone = min(e["amount"], due)
                due -= gone
                if e["kind"] == "redirect":
                    arrived[e["to"]] += gone
        taken[name] += due

    targets = {e["to"] for e in board["effects"] if e["kind"] == "redirect"}
    for name in sorted(told, key=lambda n: n in targets):
        own = given.get(name, 0)
        strike(name, (own + raised(name, "dealt") if own else 0) + arrived[name], True)
    spilled: dict[str, int] = {}
    if "overkill" in keywords:
        for name, c in told.items():
            basis = taken if board["rules"] == "rrg-1.8" else dealt
            excess = basis[name] - (c["hit_points"] - min(c["damage"], c["hit_points"]))
            if c["type"] == "ally" and basis[name] and excess > 0 and name not in absorbing:
                spilled[owner[name]] = spilled.get(owner[name], 0) + excess
    general = sum(
        e["amount"]
        for e in board["effects"]
        if e["kind"] == "increase" and e["stage"] == "dealt" and e["character"] is None
    )
    for name, amount in spilled.items():
        strike(name, amount + (general if board["rules"] == "rrg-1.8" else 0), False)
    return taken, tough, spilled


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 9),
    st.integers(-9, 9),
    st.booleans(),
    st.lists(st.tuples(st.one_of(st.none(), st.integers(0, 9)), st.sampled_from([None, "X"])), max_size=3),
    st.sampled_from(["dealt", "taken", "spent", "absorbed", "moved"]),
    st.booleans(),
)
def test_a_table_reads_what_the_flow_does_at_every_amount(
    increase: int, constant: int, tough: bool, steps: list[Any], read: str, assigned: bool
) -> None:
    flow = Flow(increase, constant, tough, False, tuple(steps))
    for step in range(len(steps)) if read == "moved" else [0]:
        table = flow.table(60, read, step, assigned=assigned)
        for amount in range(61):
            passed = flow.settle(flow.deal(amount) if assigned else amount)
            assert table(amount) == (passed.moved[step] if read == "moved" else getattr(passed, read))


@settings(max_examples=100, deadline=None)
@given(boards())
def test_assignments_grouped_by_the_engine_differ_just_where_outcomes_do(board: Board) -> None:
    made = lethal.load(board)
    listed = Counter(json.dumps(result(made.value, a.to_dict())) for a in made.legal())
    assert {json.dumps(group.outcome): group.assignments for group in made.outcomes()} == listed


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
    assert (found.engine == "outcomes") is _passes_on_more(board)


@settings(max_examples=100, deadline=None)
@given(boards(), st.sampled_from(["survive", "ready", "weighted"]), st.data())
def test_what_no_sum_can_say_is_judged_one_by_one(board: Board, name: str, data: st.DataObject) -> None:
    names = [c["name"] for p in board["players"] for c in p["characters"]]
    chain = data.draw(st.permutations(names))[:3]
    moved = [
        {"kind": "redirect", "character": a, "to": b, "amount": data.draw(st.sampled_from([None, 1, 2]))}
        for a, b in pairwise(chain)
    ]
    more = {
        "each_player": "at-once",
        "redirected": data.draw(st.sampled_from(["same-instance", "new-instance"])),
    }
    effects = [e for e in board["effects"] if e["kind"] != "redirect"] + moved
    board = board | {
        "effects": [{k: v for k, v in e.items() if v is not None} for e in effects],
        "options": more,
    }
    for effect in board["effects"]:
        effect.setdefault("character", None)
    made = lethal.load(board)
    pool = set(names)
    found = made.choose(name)
    scores = [worth(board, settle(made.value, a.to_dict()), name, pool) for a in made.legal()]
    if not scores:
        assert found is None
        return
    assert found is not None
    sums = made.best(name)
    assert sums is not None
    for one in (found.assignment, sums.assignment):
        assert worth(board, settle(made.value, one.to_dict()), name, pool) == max(scores)


def _passes_on_more(board: Board) -> bool:
    """Whether increased damage may overkill, which no sum follows."""
    keywords = board.get("attack", {}).get("keywords", [])
    return "overkill" in keywords and any(e["kind"] == "increase" for e in board["effects"])


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
    stripped = {board["players"][0]["characters"][0]["name"]} if _pierces(board) else set()
    absorbed = sum(
        max(0, found.dealt[n] - told[n]["reduce"] + _more(board, n))
        for n in found.tough_spent
        if n in told and n not in stripped
    )
    return {
        "survive": (kept, allies, taken, spent, hurt),
        "tough": (kept, absorbed, spent, allies, hurt),
        "ready": (kept, ready, allies, hurt, taken, spent),
        "weighted": (100 * kept + 10 * ready + allies + taken + spent,),
    }[name]


def _pierces(board: Board) -> bool:
    return "piercing" in board.get("attack", {}).get("keywords", [])


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
