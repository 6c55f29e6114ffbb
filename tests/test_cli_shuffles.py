"""What people read of shuffles: what was done by which rule, and orders from the top instead of shares."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from commandline import EXAMPLES, Run, runner

TUTOR, GUILE, COLOSSUS = (str(EXAMPLES / f"shuffle-{name}.toml") for name in ("tutor", "guile", "colossus"))
ORDER = re.compile(r"(?:[1-9][0-9]* )?[A-Z][A-Za-z ]+(?: \| (?:[1-9][0-9]* )?[A-Z][A-Za-z ]+)+")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


def document(**keys: Any) -> str:
    library = {"owner": "P1", "cards": [["Forest", 2], "Bear", "Swamp"]}
    return json.dumps({"kind": "shuffle", "library": library, **keys})


def test_solve_says_what_was_shuffled_by_which_rule_what_is_fixed_and_what_forgotten(run: Run) -> None:
    assert run("solve", TUTOR).out == (
        """Search, shuffle, put the found card on top: it takes no part in the shuffle
rules 2026, seen by you; position 1 is the top

  library of you  37 cards  24 Swamp | 4 Dark Ritual | 4 Duress | 3 Vampiric Tutor | 2 Necropotence

instruction 1: search for Necropotence, shuffle, put Necropotence on top
  library of you: shuffled by 701.24b: found cards take no part
    takes part: 36 cards
    takes no part: Necropotence
    fixed: Necropotence at 1
    no longer known to you: Swamp at 1, Duress at 2
as the game sees it, shuffled once:
  the library of you, by you, caused by a spell of you
  Cosi's Trickster of opponent (when an opponent shuffles) triggers: once
known to you now: Necropotence at 1

possible orders: 173482529220000

for example:
  Necropotence | 3 Vampiric Tutor | 24 Swamp | Necropotence | 4 Duress | 4 Dark Ritual
  Necropotence | 3 Vampiric Tutor | 24 Swamp | Necropotence | 3 Duress | Dark Ritual | Duress | 3 Dark Ritual
  Necropotence | 3 Vampiric Tutor | 24 Swamp | Necropotence | 3 Duress | 2 Dark Ritual | Duress | 2 Dark Ritual
  Necropotence | 3 Vampiric Tutor | 24 Swamp | Necropotence | 3 Duress | 3 Dark Ritual | Duress | Dark Ritual
  Necropotence | 3 Vampiric Tutor | 24 Swamp | Necropotence | 3 Duress | 4 Dark Ritual | Duress
"""
    )


def test_solve_says_why_nothing_was_shuffled_and_what_is_known_still(run: Run) -> None:
    told = run("solve", GUILE, "--rules", "2012").out.splitlines()
    assert told[6:12] == [
        "instruction 1: shuffle Guile from the graveyard into the library",
        "  library of you: not shuffled by 701.15c: none of the objects is where it is expected",
        "as the game sees it, nothing was shuffled",
        "  Psychogenic Probe of opponent (when a spell or ability causes a player to shuffle) triggers: never",
        "known to you now: Mulldrifter at 1",
        "",
    ]
    assert "possible orders: 3" in told


def test_what_happens_at_the_same_time_and_what_was_heard_are_told(run: Run) -> None:
    told = run("solve", COLOSSUS).out
    assert (
        "instruction 1: shuffle Darksteel Colossus from the battlefield into the library "
        "and at the same time put Gravebane Zombie on top\n"
    ) in told
    assert "    among them, shuffled in: Darksteel Colossus\n" in told
    assert "known to you now: Gravebane Zombie at 1, Bear at 2\n" in told


@pytest.mark.parametrize(
    ("instruction", "lines"),
    [
        (
            {"do": "search", "found": ["Bear", "Swamp"], "apart": {"Swamp": "hand"}},
            ["search for Bear, Swamp, shuffle, put Bear on top, put Swamp into the hand"],
        ),
        (
            {"do": "search", "found": ["Bear"], "to": "hand", "put": "before", "cause": "ability"},
            ["search for Bear, put Bear into the hand, shuffle", "caused by an ability of P1"],
        ),
        ({"do": "search"}, ["search, find nothing, shuffle"]),
        ({"do": "search", "found": ["Bear"], "at": 3}, ["put Bear at position 3", "fixed: Bear at 3"]),
        ({"do": "shuffle", "pile": "pile"}, ["shuffle the pile pile", "pile pile: shuffled by 701.24a"]),
        (
            {"do": "shuffle-in", "set": True},
            ["shuffle an empty set from the graveyard into the library", "shuffled by 701.24d"],
        ),
        (
            {"do": "shuffle-in", "objects": ["x"], "replaced": {"x": "exile"}},
            ["all objects are kept or moved elsewhere instead"],
        ),
        (
            {"do": "randomise", "keep": [-1], "cause": "judge"},
            [
                "a judge puts the library into random order but for the positions -1",
                "not shuffled by IPG 1.3",
            ],
        ),
        (
            {"do": "together", "parts": [{"do": "shuffle"}, {"do": "shuffle", "cause": "rule"}]},
            ["shuffle and at the same time shuffle", "shuffled twice:", "by P1, caused by a rule"],
        ),
        (
            {"do": "together", "parts": [{"do": "shuffle"}] * 3},
            ["caused by a spell of P1, 3 times at the same time"],
        ),
        ({"do": "shuffle", "resolves": False}, ["not shuffled by 608.2b: no legal target: nothing happens"]),
    ],
)
def test_every_instruction_has_words(run: Run, instruction: dict[str, Any], lines: list[str]) -> None:
    keys = {"zones": {"pile": ["q"], "graveyard": ["x"]}, "knowledge": {"bottom": ["Forest"]}}
    told = run("solve", "-", stdin=document(instructions=[instruction], **keys))
    assert told.status == 0
    for line in lines:
        assert line in told.out
    assert not re.search(r"[\[{]|\bTrue\b|\bFalse\b|\bNone\b", told.out)


def test_where_nothing_is_instructed_nothing_is_shuffled(run: Run) -> None:
    told = run("solve", "-", stdin=document()).out
    assert "as the game sees it, nothing was shuffled\n" in told
    assert "possible orders: 12\n" in told


@pytest.mark.parametrize("command", [["list", "--limit", "5"], ["sample", "-n", "5", "--seed", "1"]])
def test_orders_are_one_a_line_from_the_top_with_runs_gathered(run: Run, command: list[str]) -> None:
    told = run(*command, TUTOR)
    lines = told.out.splitlines()
    assert len(lines) == 5
    for line in lines:
        assert ORDER.fullmatch(line)
        parts = [re.fullmatch("(?:([0-9]+) )?(.*)", part) for part in line.split(" | ")]
        assert sum(int(part[1] or 1) for part in parts if part) == 37
        assert all(one and two and one[2] != two[2] for one, two in pairwise(parts))
    assert told.err in (
        "warning: a seed this short draws at most one in 2^16 of the orders\n",
        "note: only the first 5 of 173482529220000 orders are listed\n",
    )


def test_a_seed_that_has_bits_enough_is_not_warned_of(run: Run) -> None:
    assert run("sample", TUTOR, "--seed", str(2**50)).err == ""


def test_outcomes_are_told_once_for_all_orders(run: Run) -> None:
    told = run("outcomes", TUTOR)
    assert told.status == 0
    assert "  library of you: shuffled by 701.24b: found cards take no part\n" in told.out
    assert told.out.endswith("\nthe same in each possible order; there are 173482529220000\n")
    some = run("outcomes", GUILE, "--limit", "2").out.splitlines()
    assert some[-3:] == [
        "the same in each possible order; there are 12",
        "  Mulldrifter | 2 Island | Cryptic Command",
        "  Mulldrifter | Island | Cryptic Command | Island",
    ]


def test_outcomes_as_json_are_one_for_each_order_and_refused_where_there_are_too_many(run: Run) -> None:
    answer = run("outcomes", COLOSSUS, "--json").json
    assert (len(answer["outcomes"]), answer["complete"]) == (60, True)
    assert {one["assignments"] for one in answer["outcomes"]} == {1}
    refused = run("outcomes", TUTOR, "--json")
    assert refused.status == 2
    assert refused.errors == [
        "error: 173482529220000 orders, each of them an outcome of its own, are too many; --limit looks at the first"
    ]
    assert len(run("outcomes", TUTOR, "--json", "--limit", "3").json["outcomes"]) == 3


def test_an_objective_makes_one_the_best(run: Run) -> None:
    told = run("solve", COLOSSUS, "--objective", "early:Swamp").out
    assert (
        "best (early:Swamp): Gravebane Zombie | Bear | Swamp | 2 Forest | Darksteel Colossus | Bear\n" in told
    )
    assert "  score: Swamp early -3\n" in told
    assert "for example" not in told
    assert "best" not in run("solve", COLOSSUS).out
    plain = run("best", GUILE).out
    assert plain == "Mulldrifter | 2 Island | Cryptic Command\n"


@pytest.mark.parametrize("example", [TUTOR, GUILE, COLOSSUS])
def test_an_order_as_it_is_listed_can_be_checked(run: Run, example: str) -> None:
    (listed,) = run("sample", example, "--seed", "2").out.splitlines()
    assert run("check", example, "--assignment", listed).out == "legal\n"


def test_a_wrong_order_is_told_what_is_wrong_and_shown_one_that_is_near(run: Run) -> None:
    told = run(
        "check", COLOSSUS, "--assignment", "Bear|Bear|Swamp|2 Forest|Darksteel Colossus|Gravebane Zombie"
    )
    assert told.status == 1
    assert told.out.splitlines() == [
        "not legal",
        "  701.24a: Bear → position 1 may not be 1",
        "  701.24a: Gravebane Zombie → position 1 may not be 0",
        "nearest possible order: Gravebane Zombie | Bear | Swamp | 2 Forest | Darksteel Colossus | Bear",
    ]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("Bear | Swomp", "no card of the library is named 'Swomp'; did you mean 'Swamp'?"),
        ("Bear | 2 Forest", "an order of 7 cards is asked for, not of 3"),
        ("99999 Bear", "an order of 7 cards is asked for, not of 99999"),
    ],
)
def test_an_order_that_cannot_be_is_refused_with_words(run: Run, order: str, words: str) -> None:
    told = run("check", COLOSSUS, "--assignment", order)
    assert (told.status, told.errors) == (2, [f"error: assignment: {words}"])


def test_a_card_whose_name_begins_with_a_number_reads_back(run: Run) -> None:
    cards = json.dumps(
        {
            "kind": "shuffle",
            "library": {"cards": [["2 Forest", 2], ["Forest", 2], "a | b", "a -> b", 'say "q"']},
        }
    )
    for line in run("list", "-", "--limit", "99", stdin=cards).out.splitlines():
        assert run("check", "-", "--assignment", line, stdin=cards).out == "legal\n"


def test_knowledge_that_contradicts_itself_is_answered_with_the_facts_that_do(run: Run) -> None:
    facts = [
        {"names": ["Bear"], "positions": [1]},
        {"names": ["Swamp"], "positions": [1, 2], "least": 1, "most": 1},
        {"names": ["Swamp"], "positions": [3, 4]},
        {"names": ["Forest"], "positions": [4, 1, 2, 3], "most": 2},
    ]
    told = run("solve", "-", stdin=document(knowledge={"facts": facts}))
    assert told.status == 0
    assert told.out.splitlines()[-3:] == [
        "no order is possible",
        "  1 of Swamp at 1, 2",
        "  at least 1 of Swamp at 3, 4",
    ]


def test_positions_in_a_row_are_told_as_a_span(run: Run) -> None:
    facts = [{"names": ["Forest", "Bear"], "positions": [4, -2, 1, 2], "least": 2, "most": 3}]
    told = run("solve", "-", stdin=document(knowledge={"facts": facts})).out
    assert "known to P1 now: 2 to 3 of Forest, Bear at 1 to 4\n" in told


def test_every_order_is_called_so(run: Run) -> None:
    assert run("diff", GUILE).out.splitlines()[0].split() == ["rules", "orders"]
