"""The brute force itself, against sets written out by hand and against every stated count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import comb
from pathlib import Path
from typing import Any

import brute
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import LIMIT, combats

Case = dict[str, Any]

CASES = Path(__file__).parent / "cases"
SEEN: list[Case] = json.loads((CASES / "combat.json").read_text(encoding="utf-8"))
WORKED: list[Case] = json.loads((CASES / "worked.json").read_text(encoding="utf-8"))
WALKER = {"name": "walker", "loyalty": 3, "controller": "player"}
BATTLE = {"name": "battle", "defense": 2, "controller": "player"}
PLAYER = {"name": "player", "life": 20}

vintages = pytest.mark.parametrize("rules", brute.VINTAGES)


def slow_if_large(case: Case, *values: object, name: str) -> Any:
    marks = [pytest.mark.slow] if brute.size(case["scenario"]) > 20_000 else []
    return pytest.param(case, *values, marks=marks, id=name)


def a(name: str, power: int, toughness: int, *keywords: str, **more: object) -> Case:
    return {"name": name, "power": power, "toughness": toughness, "keywords": list(keywords), **more}


def combat(rules: str, attackers: list[Case], blockers: Iterable[Case] = (), **more: object) -> Case:
    return {"kind": "combat", "rules": rules, "attackers": attackers, "blockers": list(blockers), **more}


def shares(document: Case, source: str, *recipients: str) -> set[tuple[int, ...]]:
    """The legal divisions of the only source, as tuples over the recipients."""
    found = set()
    for row in brute.legal(document):
        given = {to: n for name, to, n in row if name == source}
        assert len(given) == len(row)
        assert set(given) <= set(recipients)
        found.add(tuple(given.get(to, 0) for to in recipients))
    return found


def splits(amount: int, parts: int) -> set[tuple[int, ...]]:
    return set(brute.compositions(amount, parts))


@pytest.mark.parametrize("case", [slow_if_large(c, name=f"{c['id']}-{c['rules']}") for c in SEEN])
def test_cases_seen_elsewhere_have_their_stated_answers(case: Case) -> None:
    expected, scenario = case["expected"], case["scenario"]
    legal = brute.legal(scenario)
    assert len(legal) == expected["count"]
    assert brute.count({**scenario, "assigning": "blockers"}) == expected["count_blockers"]
    through = [brute.received(row, "player") for row in legal]
    assert (min(through), max(through)) == (expected["least_to_player"], expected["most_to_player"])
    assert all(brute.triples(row) in legal for row in expected.get("legal", []))
    assert not any(brute.triples(row) in legal for row in expected.get("illegal", []))


@pytest.mark.parametrize(
    ("case", "rules"),
    [slow_if_large(c, rules, name=f"{c['id']}-{rules}") for c in WORKED for rules in brute.VINTAGES],
)
def test_worked_examples_have_their_stated_answers(case: Case, rules: str) -> None:
    legal = brute.legal({**case["scenario"], "rules": rules})
    assert len(legal) == case["counts"][rules]
    assert all(brute.triples(row) in legal for row in case.get("legal", {}).get(rules, []))
    assert not any(brute.triples(row) in legal for row in case.get("illegal", {}).get(rules, []))
    if rules in case.get("most_to_player", {}):
        assert max(brute.received(row, "player") for row in legal) == case["most_to_player"][rules]


def test_every_worked_example_says_where_it_is_from_and_counts_every_vintage() -> None:
    assert len({case["id"] for case in WORKED}) == len(WORKED)
    assert all(case["source"] and tuple(case["counts"]) == brute.VINTAGES for case in WORKED)


@given(st.integers(0, 6), st.integers(0, 5))
def test_compositions_are_all_of_them_once(amount: int, parts: int) -> None:
    found = list(brute.compositions(amount, parts))
    assert all(len(row) == parts and sum(row) == amount and min(row, default=0) >= 0 for row in found)
    assert len(set(found)) == len(found) == (comb(amount + parts - 1, amount) if parts else int(amount == 0))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(combats())
def test_random_combats_keep_to_their_limit_and_always_have_an_answer(document: Case) -> None:
    legal = brute.legal(document)
    attempts = list(brute.attempts(document))
    assert set(attempts) >= legal != set()
    assert len(attempts) == len(set(attempts)) <= brute.size(document) <= LIMIT
    assert all(brute.triples(brute.nested(row)) == row for row in legal)


class TestOrder:
    WURM = a("Wurm", 6, 4)
    LINE = (a("Wall", 0, 3, blocks=["Wurm"]), a("Cadet", 1, 1, blocks=["Wurm"]))

    @pytest.mark.parametrize("rules", ["m10", "m11", "ordered"])
    def test_the_second_waits_for_lethal_damage_to_the_first(self, rules: str) -> None:
        found = shares(combat(rules, [self.WURM], self.LINE), "Wurm", "Wall", "Cadet")
        assert found == {(3, 3), (4, 2), (5, 1), (6, 0)}

    def test_an_announced_order_replaces_that_of_the_document(self) -> None:
        document = combat("ordered", [self.WURM], self.LINE, order={"Wurm": ["Cadet", "Wall"]})
        assert shares(document, "Wurm", "Wall", "Cadet") == splits(6, 2) - {(6, 0)}

    @pytest.mark.parametrize("order", ["any", {"Wurm": "any"}])
    def test_any_order_allows_what_some_order_allows(self, order: object) -> None:
        wall, cadet = a("Wall", 0, 5, blocks=["Wurm"]), a("Cadet", 1, 4, blocks=["Wurm"])
        found = shares(combat("ordered", [self.WURM], [wall, cadet], order=order), "Wurm", "Wall", "Cadet")
        assert found == {(5, 1), (6, 0), (2, 4), (1, 5), (0, 6)}

    @pytest.mark.parametrize("rules", ["stack", "foundations"])
    def test_there_was_none_before_2009_and_is_none_since_foundations(self, rules: str) -> None:
        document = combat(rules, [self.WURM], self.LINE, order={"Wurm": ["Wall", "Cadet"]})
        assert shares(document, "Wurm", "Wall", "Cadet") == splits(6, 2)

    def test_marked_damage_shortens_the_wait_down_to_nothing(self) -> None:
        wall = a("Wall", 0, 3, blocks=["Wurm"], damage=4)
        document = combat("ordered", [self.WURM], [wall, self.LINE[1]])
        assert shares(document, "Wurm", "Wall", "Cadet") == splits(6, 2)

    def test_a_blocker_of_several_keeps_its_own_order(self) -> None:
        attackers = [a("A", 1, 2), a("B", 1, 2)]
        document = combat("ordered", attackers, [a("X", 3, 3, blocks=["B", "A"])], assigning="blockers")
        assert shares(document, "X", "A", "B") == {(0, 3), (1, 2)}

    def test_an_order_must_name_whom_the_creature_fights(self) -> None:
        with pytest.raises(ValueError, match="Wurm"):
            brute.legal(combat("ordered", [self.WURM], self.LINE, order={"Wurm": ["Wall"]}))

    @given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=6))
    def test_some_order_is_one_where_at_most_one_is_given_damage_short_of_lethal(
        self, line: list[tuple[bool, bool]]
    ) -> None:
        assert brute.some_order(tuple(line)) == (line.count((True, False)) <= 1)


class TestDeathtouch:
    LINE = (a("X", 0, 3, blocks=["D"]), a("Y", 0, 3, blocks=["D"]))

    @pytest.mark.parametrize(
        ("rules", "expected"),
        [
            ("stack", splits(4, 2)),
            ("m10", splits(4, 2)),
            ("m11", splits(4, 2) - {(0, 4)}),
            ("ordered", splits(4, 2) - {(0, 4)}),
            ("foundations", splits(4, 2)),
        ],
    )
    def test_among_ordered_blockers(self, rules: str, expected: set[tuple[int, ...]]) -> None:
        document = combat(rules, [a("D", 4, 4, "Deathtouch")], self.LINE)
        assert shares(document, "D", "X", "Y") == expected

    @pytest.mark.parametrize(("rules", "least"), [("stack", 3), ("m10", 3), ("m11", 1), ("foundations", 1)])
    def test_one_point_is_lethal_for_trample_since_m11(self, rules: str, least: int) -> None:
        document = combat(rules, [a("D", 4, 4, "deathtouch", "TRAMPLE")], self.LINE[:1])
        assert shares(document, "D", "X", "player") == {(n, 4 - n) for n in range(least, 5)}

    def test_it_belongs_to_the_recipient_not_to_the_source(self) -> None:
        attackers = [a("D", 1, 1, "Deathtouch"), a("T", 2, 2, "Trample")]
        document = combat("m11", attackers, [a("X", 0, 9, blocks=["D", "T"])])
        snake = ("D", "X", 1)
        assert brute.legal(document) == {
            frozenset({snake, ("T", "player", 2)}),
            frozenset({snake, ("T", "X", 1), ("T", "player", 1)}),
            frozenset({snake, ("T", "X", 2)}),
        }


class TestJointAndSequential:
    def test_crossed_orders_fill_each_other_only_when_checked_jointly(self) -> None:
        def both(*given: int) -> frozenset[brute.Triple]:
            ax, ay, bx, by = given
            return brute.triples({"A": {"X": ax, "Y": ay}, "B": {"X": bx, "Y": by}})

        attackers = [a("A", 2, 2), a("B", 2, 2)]
        blockers = [a("X", 2, 2, blocks=["A", "B"]), a("Y", 2, 2, blocks=["A", "B"])]
        order = {"A": ["X", "Y"], "B": ["Y", "X"]}
        ordered = brute.legal(combat("ordered", attackers, blockers, order=order))
        assert ordered == {both(2, 0, 0, 2), both(1, 1, 1, 1), both(0, 2, 2, 0)}
        assert brute.legal(combat("m11", attackers, blockers, order=order)) == {both(2, 0, 0, 2)}

    def test_two_tramplers_both_connect_only_when_checked_jointly(self) -> None:
        attackers = [a("A", 4, 4, "Trample"), a("B", 4, 4, "Trample")]
        blockers = [a("X", 0, 4, blocks=["A", "B"])]

        def legal(rules: str) -> set[tuple[int, int]]:
            rows = brute.legal(combat(rules, attackers, blockers))
            return {
                (n.get("A", 0), n.get("B", 0)) for n in ({s: k for s, to, k in r if to == "X"} for r in rows)
            }

        joint = {(i, j) for i in range(5) for j in range(5) if i + j >= 4}
        assert legal("foundations") == joint
        assert legal("m10") == {(i, j) for i, j in joint if 4 in (i, j)}


class TestUnblockedAndBlocked:
    def test_unblocked_all_goes_to_what_it_attacks(self) -> None:
        document = combat("foundations", [a("A", 3, 3, attacks="walker")], defenders=[PLAYER, WALKER])
        assert shares(document, "A", "walker") == {(3,)}

    def test_attacking_nothing_it_assigns_nothing(self) -> None:
        assert brute.legal(combat("ordered", [a("A", 3, 3, attacks="nothing")])) == {frozenset()}

    def test_a_trampler_that_attacks_nothing_gives_all_to_its_blockers(self) -> None:
        document = combat(
            "ordered", [a("A", 3, 3, "Trample", attacks="nothing")], [a("X", 0, 1, blocks=["A"])]
        )
        assert shares(document, "A", "X") == {(3,)}

    @vintages
    def test_blocked_with_no_blocker_left(self, rules: str) -> None:
        assert brute.legal(combat(rules, [a("A", 3, 3, blocked=True)])) == {frozenset()}
        trampler = combat(rules, [a("A", 3, 3, "Trample", blocked=True)])
        assert shares(trampler, "A", "player") == {(3,)}

    @pytest.mark.parametrize("power", [0, -2])
    def test_no_power_assigns_nothing(self, power: int) -> None:
        document = combat("foundations", [a("A", power, 3, "Trample")], [a("X", 0, 1, blocks=["A"])])
        assert brute.legal(document) == {frozenset()}

    def test_damage_that_already_kills_lets_all_of_it_trample(self) -> None:
        document = combat("ordered", [a("A", 2, 2, "Trample")], [a("X", 0, 2, damage=2, blocks=["A"])])
        assert shares(document, "A", "X", "player") == splits(2, 2)

    def test_trample_does_nothing_for_a_blocker(self) -> None:
        document = combat(
            "ordered", [a("A", 1, 1)], [a("X", 3, 3, "Trample", blocks=["A"])], assigning="blockers"
        )
        assert shares(document, "X", "A") == {(3,)}

    def test_plain_trample_reaches_a_planeswalker_or_battle_and_no_further(self) -> None:
        for defender in (WALKER, BATTLE):
            attacker = a("A", 6, 6, "Trample", attacks=defender["name"])
            document = combat(
                "ordered", [attacker], [a("X", 0, 2, blocks=["A"])], defenders=[PLAYER, defender]
            )
            assert shares(document, "A", "X", str(defender["name"])) == {(n, 6 - n) for n in range(2, 7)}


class TestTrampleOverPlaneswalkers:
    def test_the_controller_comes_after_loyalty_and_that_after_the_blockers(self) -> None:
        attacker = a("A", 6, 6, "Trample over planeswalkers")
        document = combat("ordered", [attacker], [a("X", 0, 2, blocks=["A"])], defenders=[WALKER, PLAYER])
        assert shares(document, "A", "X", "walker", "player") == {
            (x, w, p) for x, w, p in splits(6, 3) if (x >= 2 or w + p == 0) and (w >= 3 or p == 0)
        }

    def test_others_may_supply_the_loyalty(self) -> None:
        attackers = [a("A", 2, 2), a("B", 2, 2, "Trample over planeswalkers")]
        document = combat("foundations", attackers, defenders=[WALKER, PLAYER])
        assert {brute.received(row, "player") for row in brute.legal(document)} == {0, 1}

    def test_deathtouch_does_not_make_one_damage_enough_for_a_planeswalker(self) -> None:
        attacker = a("A", 4, 4, "Trample over planeswalkers", "Deathtouch")
        document = combat("foundations", [attacker], defenders=[WALKER, PLAYER])
        assert shares(document, "A", "walker", "player") == {(3, 1), (4, 0)}

    @pytest.mark.parametrize("rules", ["stack", "m10", "m11"])
    def test_before_it_existed_it_is_no_kind_of_trample(self, rules: str) -> None:
        attacker = a("A", 6, 6, "Trample over planeswalkers")
        document = combat(rules, [attacker], [a("X", 0, 2, blocks=["A"])], defenders=[WALKER, PLAYER])
        assert shares(document, "A", "X") == {(6,)}


class TestOtherDivisions:
    def test_as_though_unblocked_is_all_or_as_usual(self) -> None:
        attacker = a("A", 3, 3, as_though_unblocked=True)
        document = combat("ordered", [attacker], [a("X", 0, 5, blocks=["A"])])
        assert shares(document, "A", "X", "player") == {(3, 0), (0, 3)}

    def test_as_though_unblocked_may_be_declined_when_no_blocker_is_left(self) -> None:
        document = combat("ordered", [a("A", 3, 3, as_though_unblocked=True, blocked=True)])
        assert shares(document, "A", "player") == {(0,), (3,)}

    def test_dividing_freely_reaches_the_player_and_all_their_creatures(self) -> None:
        attacker = a("A", 2, 2, divides_freely=True)
        blockers = [a("X", 0, 9, blocks=["A"]), a("Y", 0, 9, blocks=[])]
        assert shares(combat("ordered", [attacker], blockers), "A", "X", "Y", "player") == splits(2, 3)
        assert shares(combat("ordered", [attacker], blockers[1:]), "A", "Y", "player") == splits(2, 2)

    def test_dividing_freely_ends_with_the_last_blocker(self) -> None:
        attacker = a("A", 2, 2, divides_freely=True, blocked=True)
        assert brute.legal(combat("ordered", [attacker], [a("Y", 0, 9, blocks=[])])) == {frozenset()}

    @pytest.mark.parametrize(("kind", "amount"), [("power", 1), ("toughness", 4), ("nothing", 0)])
    def test_the_amount_may_be_something_else_than_power(self, kind: str, amount: int) -> None:
        document = combat("m10", [a("A", 1, 4, assigns=kind)])
        assert shares(document, "A", "player") == {(amount,)}

    @pytest.mark.parametrize(
        ("power", "damage", "least"), [(2, 0, 2), (2, 1, 1), (0, 0, 1), (0, 1, 0), (-1, 0, 1)]
    )
    def test_lethal_by_power_needs_at_least_one(self, power: int, damage: int, least: int) -> None:
        blocker = a("X", power, 9, lethal_by="power", damage=damage, blocks=["A"])
        document = combat("foundations", [a("A", 3, 3, "Trample")], [blocker])
        assert shares(document, "A", "X", "player") == {(n, 3 - n) for n in range(least, 4)}


class TestBanding:
    @vintages
    def test_a_banding_blocker_frees_the_attacker_from_the_order(self, rules: str) -> None:
        blockers = [a("X", 0, 3, blocks=["A"]), a("Y", 0, 3, "Banding", blocks=["A"])]
        assert shares(combat(rules, [a("A", 4, 4)], blockers), "A", "X", "Y") == splits(4, 2)

    @vintages
    def test_a_banding_attacker_frees_what_blocks_it_from_the_order(self, rules: str) -> None:
        attackers = [a("A", 1, 3), a("B", 1, 3, "banding")]
        document = combat(rules, attackers, [a("X", 4, 4, blocks=["A", "B"])], assigning="blockers")
        assert shares(document, "X", "A", "B") == splits(4, 2)

    def test_it_gives_the_spill_of_trample_no_more_room(self) -> None:
        blockers = [a("X", 0, 1, blocks=["A"]), a("Y", 0, 2, "Banding", blocks=["A"])]
        found = shares(combat("ordered", [a("A", 4, 4, "Trample")], blockers), "A", "X", "Y", "player")
        assert found == {(x, y, p) for x, y, p in splits(4, 3) if p == 0 or (x >= 1 and y >= 2)}

    def test_the_active_player_cannot_count_on_what_the_defending_player_divides(self) -> None:
        attackers = [a("T", 2, 2, "Trample"), a("B", 4, 4)]
        blockers = [a("X", 0, 4, blocks=["T", "B"]), a("Y", 0, 1, "Banding", blocks=["B"])]
        legal = brute.legal(combat("foundations", attackers, blockers))
        assert legal == {brute.triples({"T": {"X": 2}, "B": {"X": x, "Y": y}}) for x, y in splits(4, 2)}

    def test_the_defending_player_counts_what_the_active_player_has_fixed(self) -> None:
        attackers = [a("A", 2, 2), a("T", 2, 2, "Trample")]
        blockers = [a("X", 0, 2, blocks=["A", "T"]), a("Y", 0, 1, "Banding", blocks=["T"])]
        legal = brute.legal(combat("m10", attackers, blockers))
        assert legal == {
            brute.triples({"A": {"X": 2}, "T": {"X": x, "Y": y, "player": p}})
            for x, y, p in splits(2, 3)
            if p == 0 or y >= 1
        }


class TestSteps:
    SIDE = (a("F", 1, 1, "First strike"), a("D", 1, 1, "Double strike"), a("N", 1, 1))

    def sources(self, *attackers: Case, **more: object) -> set[str]:
        (row,) = brute.legal({**combat("foundations", list(attackers)), **more})
        return {source for source, _, _ in row}

    def test_each_step_has_its_creatures(self) -> None:
        assert self.sources(*self.SIDE) == {"F", "D"}
        assert self.sources(*self.SIDE, step="first-strike") == {"F", "D"}
        assert self.sources(*self.SIDE, step="regular") == {"D", "N"}
        assert self.sources(self.SIDE[2]) == {"N"}

    def test_first_strike_on_the_other_side_makes_two_steps_too(self) -> None:
        document = combat("foundations", [self.SIDE[2]], [a("X", 1, 1, "First strike", blocks=["N"])])
        assert brute.legal(document) == {frozenset()}

    def test_who_dealt_first_strike_damage_needs_double_strike_to_deal_again(self) -> None:
        lost = a("L", 1, 1, dealt_first_strike_damage=True)
        again = a("D", 1, 1, "Double strike", dealt_first_strike_damage=True)
        assert self.sources(lost, again, step="regular") == {"D"}


class TestCount:
    def test_a_bare_name_means_all_of_them(self) -> None:
        document = combat("foundations", [a("A", 2, 2)], [a("S", 1, 1, blocks=["A"], count=3)])
        assert shares(document, "A", "S 1", "S 2", "S 3") == splits(2, 3)
        attackers = [a("A", 1, 1, count=2)]
        blocking = combat("foundations", attackers, [a("X", 2, 2, blocks=["A"])], assigning="blockers")
        assert shares(blocking, "X", "A 1", "A 2") == splits(2, 2)

    def test_an_order_may_name_them_together(self) -> None:
        blockers = [a("S", 1, 1, blocks=["A"], count=2), a("X", 1, 2, blocks=["A"])]
        document = combat("ordered", [a("A", 3, 3)], blockers, order={"A": ["X", "S"]})
        assert shares(document, "A", "X", "S 1", "S 2") == {(3, 0, 0), (2, 1, 0)}
