"""Every combat that was reported somewhere: what may be assigned, and what it does in one step or both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from playing import outcomes
from reported import cases, document, rules_of

import lethal
from lethal.models.combat_outcome import Board
from lethal.models.combat_steps import Change
from lethal.models.damage import deal, receive
from lethal.models.damage_types import DamageEvent, Source
from lethal.models.state_actions import settle
from lethal.play import Step
from lethal.scenario import Scenario
from lethal.solver.problem import AMOUNT, Objective, Score, linear

CASES = cases()
TOLD = [(name, rules) for name, case in CASES.items() for rules in rules_of(case)]
CHANGES = {
    "steps-zero-power-first-striker": {"Rograkh": Change(power=1, toughness=2)},
    "steps-first-strike-lost-double-strike-gained": {
        "Centaur": Change(gains=("double strike",), loses=("first strike",))
    },
    "steps-anthem-dies-no-second-hit": {"Angel": Change(loses=("first strike",))},
}
WRONG = {
    "order-who-orders-10-10": "three blockers of power 1, 2 and 8 deal 11 to the 10/10: it dies too",
}
"""Cases whose `dies_if` leaves out a death, and which."""
AN_EFFECT = {"simul-test-of-lifelink-static"}
"""Cases that turn on an effect no scenario can say; a test of their own adds it."""


def scenario(name: str, rules: str | None = None, assigning: str = "attackers") -> Scenario:
    return lethal.load(document(CASES[name], rules=rules, assigning=assigning))


def played(name: str) -> Step:
    """The case, to be played from its first step on."""
    return scenario(name).steps()


def having(key: str) -> list[str]:
    return [name for name, case in CASES.items() if key in case["expected"]]


def told(key: str) -> Any:
    """Parametrize over every case (and vintage) that says something under a key."""
    return pytest.mark.parametrize(
        ("name", "rules"), [(n, r) for n, r in TOLD if key in CASES[n]["expected"]]
    )


def expected(name: str, key: str) -> Any:
    return CASES[name]["expected"][key]


class TestWhatMayBeAssigned:
    @told("count_attacking_side")
    def test_count_of_the_attackers(self, name: str, rules: str):
        assert scenario(name, rules).legal().count() == expected(name, "count_attacking_side")

    @pytest.mark.parametrize("name", having("count_defending_side"))
    def test_count_of_the_blockers(self, name: str):
        assert scenario(name, assigning="blockers").legal().count() == expected(name, "count_defending_side")

    @pytest.mark.parametrize("name", having("count_attacking_side_sequential_2009_2011"))
    def test_count_while_creatures_assigned_one_after_another(self, name: str):
        found = scenario(name, "m11").legal().count()
        assert found == expected(name, "count_attacking_side_sequential_2009_2011")

    @pytest.mark.parametrize("name", having("count_under_foundations"))
    def test_count_without_an_order(self, name: str):
        assert scenario(name, "foundations").legal().count() == expected(name, "count_under_foundations")

    @told("max_to_player")
    def test_the_most_to_the_player(self, name: str, rules: str):
        assert to_player(scenario(name, rules), 1) == expected(name, "max_to_player")

    @told("min_to_player")
    def test_the_least_to_the_player(self, name: str, rules: str):
        assert to_player(scenario(name, rules), -1) == expected(name, "min_to_player")

    @pytest.mark.parametrize("key", ["legal", "legal_examples", "kills_both", "illegal"])
    def test_named_assignments(self, key: str):
        for name, rules in TOLD:
            legal = scenario(name, rules).legal()
            for given in CASES[name]["expected"].get(key, []):
                assignment = given.get("assignment", given)
                assert (assignment in legal) is (key != "illegal"), (name, rules, assignment)

    @pytest.mark.parametrize("key", ["legal_defending", "illegal_defending"])
    def test_named_assignments_of_the_blockers(self, key: str):
        for name in having(key):
            legal = scenario(name, assigning="blockers").legal()
            for given in expected(name, key):
                assert (given.get("assignment", given) in legal) is (key == "legal_defending"), (name, given)

    @pytest.mark.parametrize("name", having("default_assignment"))
    def test_the_default_of_a_vague_player_is_legal(self, name: str):
        assert expected(name, "default_assignment") in scenario(name).legal()

    @pytest.mark.parametrize("name", having("chooser"))
    def test_the_defending_player_divides_and_can_keep_all_from_trampling(self, name: str):
        """What the divider can force is the least, as the other side has no say in it."""
        assert expected(name, "chooser") == "defending player"
        assert to_player(scenario(name), -1) == expected(name, "defender_can_force")

    def test_a_blocked_free_divider_without_blocker_assigns_nothing(self):
        assert scenario("orgg-blocker-gone").legal().columns == ()
        assert expected("orgg-blocker-gone", "assigns") == 0

    def test_tripled_damage_does_not_help_past_a_blocker_of_toughness_four(self):
        keys = document(CASES["triple-emancipation"])
        keys["attackers"][0]["power"] = keys["blockers"][0]["toughness"] = 4
        most = expected("triple-emancipation", "variant_4_power_vs_4_toughness")["max_to_player"]
        assert to_player(lethal.load(keys), 1) == most


def to_player(of: Scenario, sign: int) -> int:
    """The most (or with -1 the least) damage that is assigned to the player by all attackers together."""
    legal = of.legal()
    table = AMOUNT if sign > 0 else linear(-1)
    shares = tuple((at, table) for at, (_, to) in enumerate(legal.columns) if to == "player")
    best = legal.best(Objective("face", (Score("face", shares),)))
    assert best is not None
    return best.score[0] * sign


def line(text: str) -> dict[str, dict[str, int]] | None:
    """`Hurt=1,Fresh=3` as amounts of the only attacker; None if the text is in words."""
    parts = re.findall(r"(\w+)=(\d+)", text)
    return {"": {name: int(n) for name, n in parts}} if parts and ":" not in text else None


def attacker(name: str) -> str:
    return str(CASES[name]["scenario"]["attackers"][0]["id"])


def stated() -> Iterator[tuple[str, str]]:
    for name in having("dies_if"):
        for text in expected(name, "dies_if"):
            yield name, text


SPECIAL: dict[tuple[str, str], tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]] = {
    ("joint-two-tramplers-two-shared-blockers", "S1:C1=4,C2=4;S2:player=8;C1->S1:2;C2->S1:2"): (
        {"S1": {"C1": 4, "C2": 4}, "S2": {"player": 8}},
        {"C1": {"S1": 2}, "C2": {"S1": 2}},
    ),
    ("band-three-attackers-cooperate", "2/1+1/2 and all 8 on Bear"): (
        {"NE1": {"G1": 2}, "NE2": {"G1": 1, "G2": 1}, "Bear": {"G2": 2}},
        {"G1": {"Bear": 3}, "G2": {"Bear": 3}, "DBear": {"Bear": 2}},
    ),
}


class TestWhoDies:
    @pytest.mark.parametrize("name", [name for name in having("dies") if name not in AN_EFFECT])
    def test_in_every_line(self, name: str):
        found = {frozenset(done["dies"]) for done in outcomes(played(name), CHANGES.get(name))}
        assert found == {frozenset(expected(name, "dies"))}

    @pytest.mark.parametrize(("name", "text"), list(stated()))
    def test_in_the_stated_line(self, name: str, text: str):
        dead = set(expected(name, "dies_if")[text])
        step = played(name)
        if text == "any":
            assert all(dead <= set(done["dies"]) for done in outcomes(step))
            return
        found = finished(step, *self.amounts(name, text))
        if name in WRONG:
            assert dead < set(found["dies"])
            assert set(found["dies"]) - dead == {attacker(name)}
        else:
            assert set(found["dies"]) == dead

    @staticmethod
    def amounts(name: str, text: str) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]] | None]:
        if (name, text) in SPECIAL:
            return SPECIAL[name, text]
        mine = line(text)
        assert mine is not None, text
        return {attacker(name): mine[""]}, None

    @pytest.mark.parametrize("name", having("dies_possible"))
    def test_possibly(self, name: str):
        found = {frozenset(done["dies"]) for done in outcomes(played(name))}
        assert {frozenset(dead) for dead in expected(name, "dies_possible")} <= found

    @pytest.mark.parametrize("name", having("max_kills"))
    def test_at_most(self, name: str):
        blockers = {c["id"] for c in CASES[name]["scenario"]["blockers"]}
        found = [len(blockers & set(done["dies"])) for done in outcomes(played(name))]
        assert max(found) == expected(name, "max_kills")

    @pytest.mark.parametrize("name", having("killable_sets_max"))
    def test_the_largest_sets_that_can_die(self, name: str):
        blockers = {c["id"] for c in CASES[name]["scenario"]["blockers"]}
        found = {frozenset(blockers & set(done["dies"])) for done in outcomes(played(name))}
        largest = {dead for dead in found if not any(dead < other for other in found)}
        assert largest == {frozenset(dead) for dead in expected(name, "killable_sets_max")}

    @pytest.mark.parametrize("name", having("optimal"))
    def test_the_best_kill(self, name: str):
        best = scenario(name).best("kills")
        assert best is not None
        wanted = expected(name, "optimal")
        assert best.assignment.to_dict() in [
            {s: {c: shares.get(c, 0) for c in best.assignment[s]} for s, shares in given.items()}
            for given in wanted["assignment_any_of"]
        ]
        done = finished(played(name), best.assignment.to_dict())
        assert set(wanted["dies"]) <= set(done["dies"])

    def test_both_blockers_cannot_die_to_six_points(self):
        assert expected("order-ai-pseudo-banding", "cannot") == ["kill both (needs 7)"]
        assert not any(
            {"Small", "Big"} <= set(d["dies"]) for d in outcomes(played("order-ai-pseudo-banding"))
        )


def finished(
    step: Step, mine: Mapping[str, Mapping[str, int]], theirs: Mapping[str, Mapping[str, int]] | None = None
) -> dict[str, Any]:
    """The outcome of one line, later steps having no choice."""
    while not step.over:
        own = {s: shares for s, shares in mine.items() if any(c[0] == s for c in step.attackers.columns)}
        step = step.deal(own or None, theirs)
    return step.outcome


class TestBothSteps:
    @pytest.mark.parametrize("name", having("total_max_to_player"))
    def test_the_most_to_the_player_over_both(self, name: str):
        found = outcomes(played(name), CHANGES.get(name))
        assert max(done["damage_to"]["player"] for done in found) == expected(name, "total_max_to_player")

    def test_an_indestructible_blocker_with_lethal_damage_needs_none_in_the_second(self):
        name = "lethal-zero-indestructible-god"
        first = played(name)
        assert first.attackers.bounds()[-1].most == expected(name, "first_step")["max_to_player"]
        second = first.deal()
        bounds = {b.recipient: b for b in second.attackers.bounds()}
        assert bounds["player"].most == expected(name, "second_step")["max_to_player"]
        assert bounds["God"].least == expected(name, "second_step")["lethal_still_needed"]

    def test_a_double_striker_that_killed_its_blocker_goes_through(self):
        name = "steps-double-strike-trample-kills-sole-blocker"
        second = played(name).deal({"D": {"T": 2}})
        assert second.combat is not None
        wanted = expected(name, "second_step")
        assert [c.name for c in second.combat.blockers] == wanted["live_blockers"]
        (bound,) = second.attackers.bounds()
        assert (bound.least, bound.most) == (wanted["min_to_player"], wanted["max_to_player"])

    def test_a_double_striking_blocker_and_its_attacker_die_in_the_second(self):
        name = "steps-double-striker-2-2-vs-4-4"
        second = played(name).deal()
        assert second.outcome["survives"]["Four"] == expected(name, "first_step")["Four_marked"]
        fates = second.dealt().received
        assert fates["Four"].after.marked == expected(name, "second_step")["Four_marked"]
        assert fates["DS"].after.marked == expected(name, "second_step")["DS_marked"]

    def test_a_first_striker_of_no_power_does_not_strike_later(self):
        name = "steps-zero-power-first-striker"
        first = played(name)
        second = first.deal(changes=CHANGES[name])
        assert len(first.attackers.columns) == expected(name, "first_step")["assigns"]
        assert len(second.attackers.columns) == expected(name, "second_step")["assigns"]

    def test_losing_first_strike_after_the_first_step_brings_no_second_hit(self):
        name = "steps-anthem-dies-no-second-hit"
        (done,) = outcomes(played(name), CHANGES[name])
        assert done["survives"]["Nymris"] == expected(name, "Nymris_damage")

    def test_a_first_striking_gang_leaves_the_player_alive(self):
        name = "steps-first-strike-gang-survival"
        found = outcomes(played(name))
        most = max(done["damage_to"]["player"] for done in found)
        (line,) = [done for done in found if done["damage_to"]["player"] == most]
        assert (most < CASES[name]["scenario"]["life"]["player"]) is expected(name, "survives")
        assert line["dies"] == expected(name, "dies_if_attacker_maximises")

    def test_a_first_striker_kills_two_damaged_blockers_before_they_strike(self):
        name = "steps-damaged-double-block-chainwhirler"
        for given in expected(name, "kills_both"):
            assert finished(played(name), given)["dies"] == expected(name, "dies_if_kills_both")


class TestResults:
    def test_eleven_blockers_deal_all_their_damage(self):
        name = "order-breaker-of-armies"
        dealt = played(name).dealt({"Breaker": {"P1": 10}})
        assert dealt.received["Breaker"].total == expected(name, "damage_to_attacker")

    def test_one_more_point_to_each_kills_what_was_left_wounded(self):
        name = "order-kill-the-first"
        step = played(name)
        dealt = step.dealt(expected(name, "default_assignment"))
        ping = DamageEvent(Source("Ping", "anyone"), 1, combat=False)
        dead = [n for n, fate in dealt.fates.items() if n[0] == "B" and fate.leaves]
        after = step.deal(expected(name, "default_assignment")).past[-1]["survives"]
        board = Board(step.combat)  # type: ignore[arg-type]
        for survivor, marked in after.items():
            if deal(replace(board.recipients[survivor], marked=marked), ping)[1].leaves:
                dead.append(survivor)
        assert dead == expected(name, "dies_after_1_to_each_with_default")

    def test_tripled_damage_is_dealt_not_assigned(self):
        name = "triple-emancipation"
        self.dealt(name, "Three", lambda board: None)

    def test_added_damage_is_dealt_not_assigned(self):
        def plus_two(board: Board) -> None:
            board.sources["Torbran"] = replace(board.sources["Torbran"], plus=2)

        self.dealt("plus-two-torbran", "Torbran", plus_two)

    @staticmethod
    def dealt(name: str, source: str, change: Callable[[Board], None]) -> None:
        for text, wanted in expected(name, "dealt").items():
            amounts = line(text)
            assert amounts is not None
            board = Board(scenario(name).value)
            change(board)
            found = board.deal({source: amounts[""]})
            assert {to: found.received[to].total for to in wanted} == wanted

    def test_a_protected_player_is_dealt_nothing_and_lifelink_gains_only_what_is_dealt(self):
        name = "prot-player-lifelink"
        board = Board(scenario(name).value)
        board.recipients["player"] = replace(board.recipients["player"], protection=frozenset({"red"}))
        ((text, gained),) = expected(name, "life_gained_if").items()
        amounts = line(text)
        assert amounts is not None
        found = board.deal({"Scion": amounts[""]})
        assert found.received["player"].total == expected(name, "dealt_to_player")
        assert sum(found.gained.values()) == gained

    def test_infect_past_a_blocker_gives_poison_and_counters(self):
        name = "infect-trample"
        ((text, wanted),) = expected(name, "results_if").items()
        amounts = line(text)
        assert amounts is not None
        found = Board(scenario(name).value).deal({"Plague": amounts[""]})
        assert found.received["player"].poison == wanted["poison"]
        assert 20 - found.received["player"].after.life == wanted["life_lost"]
        assert {"Chump": found.received["Chump"].counters} == wanted["minus1_counters"]

    def test_wither_with_deathtouch_and_lifelink(self):
        name = "wither-deathtouch-kills"
        dealt = played(name).dealt()
        assert {"Four": dealt.received["Four"].counters} == expected(name, "results")["minus1_counters"]
        assert sum(dealt.gained.values()) == expected(name, "results")["life_gained"]

    def test_excess_over_two_types_is_the_greater(self):
        name = "excess-multitype"
        board = Board(scenario(name).value)
        board.recipients["Walker"] = replace(
            board.recipients["Walker"], kinds=frozenset({"creature", "planeswalker"}), loyalty=3
        )
        found = board.deal({"Six": {"Walker": 6}})
        assert {"Walker": found.received["Walker"].excess} == expected(name, "excess")

    def test_life_from_lifelink_is_there_before_state_based_actions(self):
        """An effect that counts life sees it, and makes the creature tougher before it could be destroyed."""
        name = "simul-test-of-lifelink-static"
        wanted = expected(name, "results")
        board = Board(scenario(name).value)
        found = board.deal({"Tank": {"Blk": 3}, "Link": {"player": 2}}, {"Blk": {"Tank": 3}})
        life = CASES[name]["scenario"]["life"]["active"] + sum(found.gained.values())
        assert life == wanted["active_life"]
        tank = receive(board.recipients["Tank"], [DamageEvent(board.sources["Blk"], 3)]).after
        tank = replace(tank, toughness=tank.toughness + (2 if life >= 27 else 0))
        assert tank.toughness == wanted["Tank_toughness_at_sba"]
        assert not settle(tank).leaves
        assert found.fates["Blk"].destroyed


HELD = {
    "max_to_player",
    "min_to_player",
    "legal",
    "illegal",
    "count_attacking_side",
    "count_defending_side",
    "count_attacking_side_sequential_2009_2011",
    "count_under_foundations",
    "dies",
    "dies_if",
    "dies_possible",
    "legal_defending",
    "illegal_defending",
    "killable_sets_max",
    "optimal",
    "cannot",
    "default_assignment",
    "dies_after_1_to_each_with_default",
    "max_kills",
    "legal_examples",
    "damage_to_attacker",
    "first_step",
    "second_step",
    "total_max_to_player",
    "survives",
    "dies_if_attacker_maximises",
    "Nymris_damage",
    "kills_both",
    "dies_if_kills_both",
    "dealt",
    "variant_4_power_vs_4_toughness",
    "dealt_to_player",
    "life_gained_if",
    "chooser",
    "defender_can_force",
    "assigns",
    "results_if",
    "results",
    "excess",
}


def test_every_expectation_of_every_case_is_held():
    assert len(CASES) == 78
    assert {key for case in CASES.values() for key in case["expected"]} == HELD


def test_the_line_in_which_a_case_is_wrong_is_wrong_as_stated():
    assert set(WRONG) <= set(having("dies_if"))
