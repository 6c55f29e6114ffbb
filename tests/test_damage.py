"""What damage does by kind of source and recipient, what prevents it, and state-based actions on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lethal.models.damage import _merit, deal, receive
from lethal.models.damage_types import DamageEvent, Recipient, Source

CREATURE = frozenset({"creature"})


def source(*keywords: str, name: str = "S", **more: object) -> Source:
    return replace(Source(name, "you", frozenset(keywords)), **more)  # type: ignore[arg-type]


def hit(n: int, *keywords: str, combat: bool = True, **more: object) -> DamageEvent:
    return DamageEvent(source(*keywords, **more), n, combat)  # type: ignore[arg-type]


def creature(toughness: int = 4, **more: object) -> Recipient:
    return replace(Recipient("C", CREATURE, "them", 2, toughness), **more)  # type: ignore[arg-type]


def player(**more: object) -> Recipient:
    return replace(Recipient("them", frozenset({"player"}), "them", life=20), **more)  # type: ignore[arg-type]


class TestResults:
    def test_a_player_loses_life_120_3a(self):
        assert receive(player(), [hit(3)]).after.life == 17

    def test_infect_gives_poison_and_takes_no_life_120_3b(self):
        received = receive(player(), [hit(3, "infect"), hit(2)])
        assert (received.after.life, received.poison) == (18, 3)

    def test_wither_and_infect_put_counters_instead_of_marks_120_3d(self):
        received = receive(creature(), [hit(1, "wither"), hit(1, "infect"), hit(1)])
        assert (received.after.toughness, received.after.power, received.after.marked) == (2, 0, 1)
        assert received.counters == 2

    def test_wither_is_plain_for_players_702_80a(self):
        assert receive(player(), [hit(3, "wither")]).after.life == 17

    def test_a_planeswalker_loses_loyalty_120_3c(self):
        received, fate = deal(Recipient("W", frozenset({"planeswalker"}), loyalty=3), hit(3))
        assert received.after.loyalty == 0
        assert fate.rules == ("704.5i",)
        assert not fate.destroyed

    def test_a_battle_loses_defense_120_3h(self):
        assert deal(Recipient("B", frozenset({"battle"}), defense=3), hit(2))[1].after.defense == 1
        assert deal(Recipient("B", frozenset({"battle"}), defense=3), hit(5))[1].rules == ("704.5v",)

    def test_a_planeswalker_creature_is_marked_and_loses_loyalty(self):
        both = replace(creature(5), kinds=frozenset({"creature", "planeswalker"}), loyalty=3)
        received = receive(both, [hit(6)])
        assert (received.after.marked, received.after.loyalty) == (6, 0)

    def test_lifelink_gains_what_is_dealt_702_15b(self):
        doubled = hit(3, "lifelink", multiplier=2)
        assert receive(creature(prevent_next=1), [doubled]).gained == (("you", 4),)

    def test_lifelink_counts_once_for_each_source_702_15e(self):
        assert receive(creature(), [hit(3, "lifelink"), hit(2, "lifelink", name="T")]).gained == (("you", 5),)

    def test_toxic_adds_poison_to_combat_damage_to_players_702_164c(self):
        received = receive(player(), [hit(1, "toxic 2", "toxic 1")])
        assert (received.after.life, received.poison) == (19, 3)
        assert receive(player(), [hit(1, "toxic 2", combat=False)]).poison == 0
        assert receive(creature(), [hit(1, "toxic 2")]).poison == 0
        assert receive(player(), [hit(2, "toxic 1", "infect")]).poison == 3

    def test_toxic_needs_damage_to_be_dealt_120_8(self):
        assert receive(player(prevent_next=1), [hit(1, "toxic 2")]).poison == 0

    def test_no_damage_is_no_event_120_8(self):
        assert receive(creature(), [hit(0, "deathtouch", plus=2), hit(-3)]).after == creature()


class TestPrevention:
    def test_protection_prevents_all_from_that_quality_702_16e(self):
        green = hit(9, colors=frozenset({"green"}))
        guarded = creature(protection=frozenset({"green"}))
        assert receive(guarded, [green]).total == 0
        assert receive(guarded, [hit(9, colors=frozenset({"red"}))]).total == 9

    @pytest.mark.parametrize("quality", ["S", "creatures", "everything", "you", "multicolored"])
    def test_protection_by_name_kind_player_and_from_everything_702_16(self, quality: str):
        event = hit(3, colors=frozenset({"red", "green"}))
        assert receive(creature(protection=frozenset({quality})), [event]).total == 0

    def test_a_shield_prevents_that_much_and_is_used_up_615_7(self):
        received = receive(creature(prevent_next=3), [hit(2), hit(2)])
        assert (received.total, received.after.prevent_next) == (1, 0)

    def test_what_cannot_be_prevented_leaves_the_shield_615_12(self):
        received = receive(creature(prevent_next=3), [hit(2, unpreventable=True)])
        assert (received.total, received.after.prevent_next) == (2, 3)

    def test_unpreventable_damage_ignores_protection_615_12(self):
        guarded = creature(protection=frozenset({"everything"}))
        assert receive(guarded, [hit(2, unpreventable=True)]).total == 2

    def test_one_shield_counter_prevents_all_damage_of_one_time_122_1c(self):
        received = receive(creature(shield_counters=2), [hit(5), hit(5, "deathtouch")])
        assert (received.total, received.after.shield_counters) == (0, 1)

    def test_a_shield_counter_goes_even_where_damage_cannot_be_prevented_122_1c(self):
        received = receive(creature(shield_counters=1), [hit(2, unpreventable=True), hit(2)])
        assert (received.total, received.after.shield_counters) == (2, 0)

    def test_a_shield_counter_does_not_stop_destruction_by_marked_damage_122_1c(self):
        """State-based actions are no effect, so the counter replaces nothing there."""
        received, fate = deal(creature(2, shield_counters=1), hit(2, unpreventable=True))
        assert received.after.shield_counters == 0
        assert fate.destroyed

    def test_what_multiplies_or_adds_comes_after_prevention_616_1(self):
        assert receive(creature(prevent_next=3), [hit(4, multiplier=2)]).total == 2
        assert receive(creature(prevent_next=4), [hit(4, plus=2)]).total == 0


class TestShieldChoice:
    def test_deathtouch_is_prevented_before_plain_damage(self):
        _, fate = deal(creature(4, prevent_next=1), hit(2), hit(1, "deathtouch", name="T"))
        assert not fate.destroyed

    def test_worst_lets_the_deathtouch_through(self):
        events = [hit(2), hit(1, "deathtouch", name="T")]
        assert deal(creature(4, prevent_next=1), *events, choice="worst")[1].destroyed

    def test_just_enough_to_survive_and_the_rest_from_lifelink(self):
        """Two from the doubled source leave it alive; the third point is better spent on the lifelinker."""
        events = [hit(3, multiplier=2), hit(2, "lifelink", name="L")]
        received = receive(creature(4, prevent_next=3), events)
        assert received.dealt == (2, 1)

    def test_a_given_choice_is_followed(self):
        events = [hit(2, name="A"), hit(2, name="B")]
        received = receive(creature(prevent_next=2), events, {"A": 1, "B": 1})
        assert received.dealt == (1, 1)

    @pytest.mark.parametrize("choice", [{"A": 3}, {"A": 1}, {"B": -1, "A": 3}, {}])
    def test_an_impossible_choice_is_refused(self, choice: dict[str, int]):
        events = [hit(2, name="A"), hit(2, name="B")]
        with pytest.raises(ValueError, match="cannot prevent"):
            receive(creature(prevent_next=2), events, choice)

    @settings(deadline=None, max_examples=150)
    @given(st.data())
    def test_the_default_is_the_best_of_all_ways(self, data: st.DataObject):
        words = st.sets(st.sampled_from(["deathtouch", "lifelink", "wither", "infect", "toxic 1"]))
        events = [
            hit(
                data.draw(st.integers(1, 4)),
                *data.draw(words),
                name=str(at),
                multiplier=data.draw(st.integers(1, 2)),
            )
            for at in range(data.draw(st.integers(1, 3)))
        ]
        shield = data.draw(st.integers(1, 6))
        target = data.draw(
            st.sampled_from(
                [
                    creature(data.draw(st.integers(1, 8)), prevent_next=shield),
                    creature(3, prevent_next=shield, regeneration_shields=1),
                    player(life=data.draw(st.integers(1, 8)), prevent_next=shield),
                ]
            )
        )
        amounts = [event.amount for event in events]
        used = min(shield, sum(amounts))
        every = [way for way in product(*(range(n + 1) for n in amounts)) if sum(way) == used]
        merits = [_merit(target, events, amounts, way) for way in every]
        for choice, wanted in (("best", max(merits)), ("worst", min(merits))):
            received = receive(target, events, choice)  # type: ignore[arg-type]
            way = [
                n - d // event.source.multiplier
                for n, d, event in zip(amounts, received.dealt, events, strict=True)
            ]
            assert _merit(target, events, amounts, way) == wanted
            assert received.after.prevent_next == shield - used


class TestStateBasedActions:
    def test_damage_marked_before_counts_704_5g(self):
        assert deal(creature(4, marked=2), hit(2))[1].destroyed
        assert not deal(creature(4, marked=1), hit(2))[1].destroyed

    def test_toughness_nought_is_not_destruction_704_5f(self):
        _, fate = deal(creature(2, indestructible=True, regeneration_shields=3), hit(2, "wither"))
        assert fate.leaves
        assert not fate.destroyed
        assert fate.regenerated == 0
        assert fate.rules == ("704.5f",)

    def test_counters_and_marks_together_destroy_704_5g(self):
        assert deal(creature(4), hit(2, "wither"), hit(2))[1].destroyed

    def test_indestructible_keeps_its_marks_702_12b(self):
        _, fate = deal(creature(2, indestructible=True), hit(7))
        assert not fate.leaves
        assert fate.after.marked == 7

    def test_one_regeneration_for_one_check_701_19(self):
        _, fate = deal(creature(2, regeneration_shields=2), hit(7), hit(9))
        assert (fate.regenerated, fate.after.regeneration_shields, fate.after.marked) == (1, 1, 0)

    def test_what_cannot_regenerate_is_destroyed_701_19c(self):
        _, fate = deal(creature(2, regeneration_shields=2, cannot_regenerate=True), hit(2))
        assert fate.destroyed
        assert fate.regenerated == 0

    def test_lethal_by_power_needs_damage_for_power_nought(self):
        odd = replace(creature(9, lethal_by="power"), power=0)
        assert deal(odd, hit(1))[1].destroyed
        assert not deal(odd)[1].leaves

    def test_a_player_at_no_life_or_with_ten_poison_loses_704_5a_c(self):
        assert deal(player(life=3), hit(3))[1].rules == ("704.5a",)
        assert deal(player(poison=8), hit(2, "infect"))[1].rules == ("704.5c",)
        assert not deal(player(life=3), hit(2))[1].leaves


class TestExcess:
    @pytest.mark.parametrize(
        ("target", "excess"),
        [
            (creature(4), 2),
            (creature(4, marked=3), 5),
            (creature(9), 0),
            (Recipient("W", frozenset({"planeswalker"}), loyalty=5), 1),
            (Recipient("B", frozenset({"battle"}), defense=2), 4),
            (replace(creature(5), kinds=frozenset({"creature", "planeswalker"}), loyalty=3), 3),
        ],
    )
    def test_excess_is_beyond_lethal_loyalty_or_defense_120_10(self, target: Recipient, excess: int):
        assert receive(target, [hit(6)]).excess == excess
