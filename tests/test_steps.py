"""Both damage steps: who strikes when, and what one step leaves for the next."""

from __future__ import annotations

from typing import Any

import pytest

import lethal
from lethal.models.combat_steps import Change
from lethal.play import IllegalAssignment, Step


def creature(name: str, power: int, toughness: int, *keywords: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "power": power, "toughness": toughness, "keywords": list(keywords), **more}


def steps(attackers: list[dict[str, Any]], blockers: list[dict[str, Any]], **more: Any) -> Step:
    document = {"kind": "combat", "attackers": attackers, "blockers": blockers, **more}
    return lethal.load(document).steps()


class TestWhoStrikesWhen:
    def test_without_first_or_double_strike_there_is_one_step_510_4(self):
        step = steps([creature("A", 2, 2)], [])
        assert step.name == "only"
        after = step.deal()
        assert after.over
        assert after.name is None
        assert after.outcome["damage_to"] == {"player": 2}

    @pytest.mark.parametrize(
        ("keyword", "dealt"), [("First strike", (2, 0)), ("Double strike", (2, 2)), ("Flying", (0, 2))]
    )
    def test_an_attacker_by_its_strikes_702_4_702_7(self, keyword: str, dealt: tuple[int, int]):
        step = steps([creature("A", 2, 2, keyword), creature("B", 1, 1, "First strike")], [])
        first = step.deal()
        assert first.past[0]["damage_to"]["player"] - 1 == dealt[0]
        assert first.deal().past[1]["damage_to"]["player"] == dealt[1]

    def test_a_first_striking_blocker_makes_two_steps_510_4(self):
        step = steps([creature("A", 2, 2)], [creature("B", 2, 1, "First strike", blocks=["A"])])
        assert step.name == "first-strike"
        assert step.deal().deal().outcome["dies"] == ["A"]

    def test_gaining_first_strike_after_the_first_step_does_not_stop_the_second_702_7c(self):
        step = steps([creature("A", 2, 2), creature("B", 1, 1, "First strike")], [])
        done = step.deal(changes={"A": Change(gains=("First strike",))}).deal()
        assert done.past[1]["damage_to"] == {"player": 2}

    def test_losing_double_strike_in_the_first_step_stops_the_second_702_4c(self):
        step = steps([creature("A", 2, 2, "Double strike")], [])
        done = step.deal(changes={"A": Change(loses=("Double strike",))}).deal()
        assert done.past[1]["damage_to"] == {"player": 0}

    def test_a_change_of_power_between_the_steps_counts_510_1a(self):
        step = steps([creature("A", 2, 2, "Double strike")], [])
        done = step.deal(changes={"A": Change(power=5)}).deal()
        assert done.outcome["damage_to"] == {"player": 7}

    def test_a_change_to_a_creature_that_is_not_there_is_refused(self):
        step = steps([creature("A", 2, 2, "Double strike")], [])
        with pytest.raises(ValueError, match="'Z'"):
            step.deal(changes={"Z": Change()})


class TestWhatIsLeft:
    def test_marked_damage_counts_as_lethal_in_the_second_step_120_6(self):
        step = steps(
            [creature("A", 3, 9, "Double strike", "Trample")], [creature("B", 0, 4, blocks=["A"])]
        ).deal()
        (blocker, player) = step.attackers.bounds()
        assert (blocker.least, player.most) == (1, 2)

    def test_a_blocked_attacker_stays_blocked_once_its_blocker_died_509_1h(self):
        step = steps([creature("A", 3, 9, "Double strike")], [creature("B", 0, 3, blocks=["A"])]).deal()
        assert step.attackers.columns == ()
        assert step.deal().outcome["damage_to"] == {"player": 0}

    def test_a_trampler_whose_blocker_died_goes_through_702_19d(self):
        step = steps(
            [creature("A", 3, 9, "Double strike", "Trample")], [creature("B", 0, 3, blocks=["A"])]
        ).deal({"A": {"B": 3}})
        assert step.deal().outcome["damage_to"] == {"player": 3}

    def test_what_regenerates_is_out_of_combat_and_unmarked_701_19(self):
        step = steps(
            [creature("A", 2, 9, "Double strike")],
            [creature("B", 5, 2, blocks=["A"], regeneration_shields=1)],
        )
        second = step.deal()
        assert second.past[0]["regenerated"] == ["B"]
        done = second.deal().outcome
        assert done["dies"] == []
        assert done["survives"] == {"A": 0, "B": 0}

    def test_a_regenerated_attacker_deals_no_more_damage_506_4(self):
        step = steps(
            [creature("A", 2, 2, regeneration_shields=1)], [creature("B", 2, 9, "First strike", blocks=["A"])]
        )
        done = step.deal().deal().outcome
        assert done["survives"] == {"A": 0, "B": 0}

    def test_an_indestructible_attacker_with_lethal_damage_strikes_on_702_12b(self):
        step = steps(
            [creature("A", 2, 2, "Indestructible")], [creature("B", 2, 2, "First strike", blocks=["A"])]
        )
        done = step.deal().deal().outcome
        assert done["dies"] == ["B"]
        assert done["survives"] == {"A": 2}

    def test_counters_from_infect_weaken_the_blow_of_the_second_step_120_3d(self):
        step = steps([creature("A", 2, 9, "First strike", "Infect")], [creature("B", 5, 5, blocks=["A"])])
        assert step.deal().deal().outcome["survives"] == {"A": 3, "B": 0}

    def test_a_shield_and_a_shield_counter_last_over_both_steps(self):
        step = steps(
            [creature("A", 2, 9, "Double strike")],
            [creature("B", 0, 2, blocks=["A"], prevent_next=3)],
        )
        assert step.deal().deal().outcome["survives"]["B"] == 1
        counter = steps(
            [creature("A", 2, 9, "Double strike")],
            [creature("B", 0, 2, blocks=["A"], shield_counters=1)],
        )
        assert counter.deal().deal().outcome["dies"] == ["B"]

    def test_the_announced_order_keeps_its_places_without_what_died_509_2a(self):
        step = steps(
            [creature("A", 4, 9, "Double strike")],
            [creature(name, 0, n, blocks=["A"]) for name, n in (("X", 1), ("Y", 3), ("Z", 3))],
            rules="ordered",
            order={"A": ["Y", "X", "Z"]},
        ).deal({"A": {"Y": 3, "X": 1}})
        assert step.attackers.columns == (("A", "Z"),)

    def test_an_attacker_of_a_dead_planeswalker_deals_none_506_4c(self):
        defenders = [{"name": "player", "life": 20}, {"name": "Jace", "loyalty": 2, "controller": "player"}]
        step = steps(
            [creature("A", 2, 2, "First strike", attacks="Jace"), creature("B", 2, 2, attacks="Jace")],
            [],
            defenders=defenders,
        )
        second = step.deal()
        assert second.past[0]["dies"] == ["Jace"]
        assert second.deal().outcome["damage_to"] == {"player": 0, "Jace": 2}

    def test_nothing_follows_once_the_player_has_lost_704_5a(self):
        step = steps([creature("A", 20, 2, "Double strike")], [])
        assert step.deal().over

    def test_life_gained_in_time_keeps_the_player_in_the_game_120_3f(self):
        attackers = [creature("A", 3, 3, "First strike"), creature("B", 1, 3)]
        blockers = [creature("C", 2, 2, "Lifelink", "First strike", blocks=["B"])]
        defenders = [{"name": "player", "life": 3}]
        assert not steps(attackers, blockers, defenders=defenders).deal().over
        assert steps(attackers, blockers, defenders=defenders, rules="stack").deal().over

    def test_poison_adds_up_over_both_steps_704_5c(self):
        second = steps([creature("A", 4, 4, "Double strike", "Infect")], []).deal()
        assert second.combat is not None
        assert second.combat.defenders[0].poison == 4
        assert second.deal().outcome["poison"] == {"player": 8}


class TestBothSides:
    def test_both_sides_deal_at_once_510_2(self):
        step = steps([creature("A", 2, 2)], [creature("B", 2, 2, blocks=["A"])])
        assert step.deal().outcome["dies"] == ["A", "B"]

    def test_each_side_gains_its_own_life_702_15b(self):
        step = steps([creature("A", 2, 4, "Lifelink")], [creature("B", 3, 4, "Lifelink", blocks=["A"])])
        assert step.deal().outcome["life_gained"] == {"active player": 2, "player": 3}

    def test_an_illegal_assignment_is_refused_with_its_rule(self):
        step = steps([creature("A", 3, 3, "Trample")], [creature("B", 2, 2, blocks=["A"])])
        with pytest.raises(IllegalAssignment, match=r"702\.19b"):
            step.deal({"A": {"player": 3}})

    def test_a_side_with_a_choice_must_be_given(self):
        step = steps([creature("A", 3, 3, "Trample")], [creature("B", 2, 2, blocks=["A"])])
        with pytest.raises(ValueError, match="attackers have a choice"):
            step.deal()

    def test_no_step_follows_the_last(self):
        after = steps([creature("A", 3, 3)], []).deal()
        with pytest.raises(ValueError, match="over"):
            after.deal()

    def test_only_a_combat_has_steps(self):
        shuffle = {"kind": "indirect", "amount": 1, "players": [{"name": "P", "characters": []}]}
        with pytest.raises(ValueError):  # noqa: PT011 - the document itself may be refused first
            lethal.load(shuffle).steps()
