"""Deathtouch and what it does to whom: a test for each sentence of rule 702.2 and its rulings on results."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as altered

from lethal.models.combat_outcome import outcome
from lethal.models.combat_types import Combat, Creature, Defender
from lethal.models.damage import deal, receive
from lethal.models.damage_types import DamageEvent, Recipient, Source
from lethal.models.state_actions import settle

CREATURE = frozenset({"creature"})
DEADLY = frozenset({"deathtouch"})
SLIME = Source("Acidic Slime", "you", DEADLY)
PLAIN = Source("Runeclaw Bear", "you")


def creature(toughness: int = 5, **more: object) -> Recipient:
    return replace(Recipient("Mastodon", CREATURE, "them", 3, toughness), **more)  # type: ignore[arg-type]


def fights(attackers: list[Creature], blockers: list[Creature], rules: str = "ordered") -> Combat:
    ready = tuple(altered(a, attacks="player") for a in attackers)
    return Combat(rules, "attackers", "only", ready, tuple(blockers), (Defender("player", life=20),))


def test_one_point_from_deathtouch_destroys_whatever_the_toughness_702_2b():
    _, fate = deal(creature(100), DamageEvent(SLIME, 1))
    assert fate.destroyed
    assert fate.rules == ("704.5h",)


def test_the_same_point_without_deathtouch_does_not_704_5g():
    assert not deal(creature(100), DamageEvent(PLAIN, 1))[1].destroyed


def test_destruction_is_a_state_based_action_that_ends_with_its_check_702_2c():
    """Damage since the last check counts; once a check has passed (here regenerated), it does not again."""
    _, fate = deal(creature(regeneration_shields=1), DamageEvent(SLIME, 1))
    assert fate.regenerated == 1
    assert not settle(fate.after).leaves


@pytest.mark.parametrize("zone", ["battlefield", "hand", "library", "graveyard", "exile", "stack", "command"])
def test_deathtouch_works_from_any_zone_702_2d(zone: str):
    source = replace(SLIME, zone=zone)
    assert deal(creature(), DamageEvent(source, 1, combat=False))[1].destroyed


def test_a_source_that_moved_is_judged_by_its_last_known_state_702_2e():
    gone = Source("Slime", "you", keywords=frozenset(), zone="graveyard", moved=True, last_known=DEADLY)
    assert deal(creature(), DamageEvent(gone, 1))[1].destroyed


def test_a_source_that_moved_without_deathtouch_does_not_gain_it_where_it_went_702_2e():
    gone = Source("Slime", "you", keywords=DEADLY, zone="graveyard", moved=True, last_known=frozenset())
    assert not deal(creature(), DamageEvent(gone, 1))[1].destroyed


def test_a_source_that_did_not_move_is_judged_as_it_is_now_702_2e():
    lost = Source("Slime", "you", keywords=frozenset(), last_known=DEADLY)
    assert not deal(creature(), DamageEvent(lost, 1))[1].destroyed


def test_two_deathtouch_sources_are_replaced_by_one_regeneration_702_2f():
    twice = [DamageEvent(SLIME, 1), DamageEvent(replace(SLIME, name="Another"), 1)]
    _, fate = deal(creature(regeneration_shields=1), *twice)
    assert not fate.destroyed
    assert fate.after.regeneration_shields == 0


@pytest.mark.parametrize(("amounts", "dead"), [((1, 1, 0), {"Wurm", "Mastodon"}), ((2, 0, 0), {"Wurm"})])
def test_each_creature_that_the_slime_damages_is_destroyed_702_2b(amounts: tuple[int, ...], dead: set[str]):
    slime = Creature("Slime", 2, 2, keywords=DEADLY)
    sizes = {"Wurm": (5, 4), "Mastodon": (3, 5), "Bear": (2, 2)}
    combat = fights([slime], [Creature(n, p, t, blocks=("Slime",)) for n, (p, t) in sizes.items()])
    done = outcome(combat, {"Slime": dict(zip(sizes, amounts, strict=True))})
    assert set(done["destroyed"]) == dead
    assert set(done["survives"]) == set(sizes) - dead


def test_a_trampler_with_deathtouch_destroys_what_it_gives_one_and_deals_the_rest_to_the_player_702_19b():
    wurm = Creature("Wurm", 7, 5, keywords=frozenset({"trample", "deathtouch"}))
    combat = fights([wurm], [Creature("Mastodon", 3, 5, blocks=("Wurm",))])
    done = outcome(combat, {"Wurm": {"Mastodon": 1, "player": 6}})
    assert done["destroyed"] == ["Mastodon"]
    assert done["damage_to"] == {"player": 6}


def test_the_slime_alone_destroys_the_guard_while_the_wurm_goes_through_510_1e():
    slime = Creature("Slime", 2, 2, keywords=DEADLY)
    wurm = Creature("Wurm", 6, 4, keywords=frozenset({"trample"}))
    combat = fights([slime, wurm], [Creature("Guard", 1, 4, blocks=("Slime", "Wurm"))])
    done = outcome(combat, {"Slime": {"Guard": 2}, "Wurm": {"player": 6}})
    assert done["destroyed"] == ["Guard"]
    assert done["damage_to"] == {"player": 6}


def test_damage_that_is_not_combat_damage_destroys_too_704_5h():
    assert deal(creature(), DamageEvent(SLIME, 1, combat=False))[1].destroyed


def test_a_regeneration_shield_saves_from_deathtouch_701_19():
    _, fate = deal(creature(regeneration_shields=1), DamageEvent(SLIME, 2))
    assert not fate.leaves
    assert fate.after.marked == 0


def test_lethal_damage_and_deathtouch_together_are_one_destruction_704_7():
    _, fate = deal(creature(2, regeneration_shields=1), DamageEvent(SLIME, 2))
    assert fate.rules == ("704.5g", "704.5h")
    assert fate.regenerated == 1
    assert not fate.leaves


def test_nothing_fits_between_damage_and_destruction_704_3():
    """A shield that comes only after the damage is too late; before it, it is in time."""
    received, fate = deal(creature(), DamageEvent(SLIME, 1))
    assert received.after.touched
    assert fate.destroyed
    too_late = replace(fate.after, regeneration_shields=1)
    assert fate.leaves
    assert settle(too_late).regenerated == 0


def test_deathtouch_damage_must_be_dealt_not_only_assigned_704_5h():
    for guarded in (creature(prevent_next=1), creature(protection=frozenset({"Acidic Slime"}))):
        received, fate = deal(guarded, DamageEvent(SLIME, 1))
        assert received.total == 0
        assert not fate.destroyed


def test_indestructible_is_not_destroyed_by_deathtouch_702_12b():
    assert not deal(creature(indestructible=True), DamageEvent(SLIME, 9))[1].leaves


def test_deathtouch_does_nothing_to_planeswalkers_players_and_battles_702_2b():
    for kind, more in (
        ("player", {"life": 20}),
        ("planeswalker", {"loyalty": 5}),
        ("battle", {"defense": 5}),
    ):
        target = Recipient("target", frozenset({kind}), **more)  # type: ignore[arg-type]
        assert not deal(target, DamageEvent(SLIME, 1))[1].leaves


def test_excess_takes_one_point_of_deathtouch_for_lethal_120_10():
    assert receive(creature(5), [DamageEvent(SLIME, 4)]).excess == 3
    assert receive(creature(5), [DamageEvent(PLAIN, 4)]).excess == 0


def test_before_july_2009_deathtouch_triggered_and_needed_a_second_regeneration_502_63():
    slime = Creature("Slime", 2, 2, keywords=DEADLY)
    for shields, saved in ((1, False), (2, True)):
        guard = Creature("Guard", 1, 2, blocks=("Slime",), regeneration_shields=shields)
        done = outcome(fights([slime], [guard], "stack"), {"Slime": {"Guard": 2}})
        assert (done["dies"] == []) is saved
        now = outcome(fights([slime], [guard], "m10"), {"Slime": {"Guard": 2}})
        assert now["dies"] == []
