"""What assigned damage does in Marvel Champions: the official answers, one test each, dealt against taken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import lethal
from lethal.models.indirect_outcome import Settings, after, attack_damage, resolve, result, settle
from lethal.models.indirect_rules import EDITIONS
from lethal.models.indirect_types import Character, Effect

SOURCE = "indirect damage"
LATE = [name for name, edition in EDITIONS.items() if edition.overkill == "taken"]
EARLY = [name for name, edition in EDITIONS.items() if edition.overkill == "dealt"]


def ally(name: str = "Ally", hit_points: int | None = 3, **keys: Any) -> Character:
    return Character(name, "ally", hit_points, player="P", **keys)


def hero(name: str = "Hero", hit_points: int = 9, **keys: Any) -> Character:
    return Character(name, "hero", hit_points, player="P", **keys)


def scenario(amount: int, *characters: dict[str, Any], **keys: Any) -> lethal.Scenario:
    players = [{"name": "P", "characters": list(characters)}]
    return lethal.load({"kind": "indirect", "amount": amount, "players": players, **keys})


HERO = {"name": "Hero", "type": "hero", "hit_points": 9}
ALLY = {"name": "Ally", "type": "ally", "hit_points": 3}


# Tough, reductions, prevention --------------------------------------------------------------------


def test_one_tough_card_is_spent_per_instance_however_many_there_are() -> None:
    found = resolve([ally(tough=2)], {"Ally": 3})
    assert (found.taken["Ally"], found.tough_spent["Ally"]) == (0, 1)
    assert found.characters["Ally"].tough == 1


def test_a_tough_character_has_not_taken_damage_but_was_dealt_it() -> None:
    found = resolve([hero(tough=1)], {"Hero": 4})
    assert found.dealt == {"Hero": 4}
    assert found.damaged == ()
    assert found.defeated == ()


def test_a_constant_reduction_to_nothing_keeps_the_tough_card() -> None:
    found = resolve([ally(tough=1, reduce=2)], {"Ally": 2})
    assert (found.taken["Ally"], found.tough_spent) == (0, {})
    assert resolve([ally(tough=1, reduce=1)], {"Ally": 2}).tough_spent == {"Ally": 1}


def test_def_that_reduces_an_attack_to_nothing_keeps_the_tough_card() -> None:
    found = resolve([hero(tough=1)], {"Hero": attack_damage(2, 2)})
    assert (found.dealt, found.tough_spent) == ({}, {})


def test_an_interrupt_does_not_come_before_tough() -> None:
    prevent = Effect("prevent", "Ally")
    found = resolve([ally(tough=1)], {"Ally": 2}, Settings(effects=(prevent,)))
    assert found.tough_spent == {"Ally": 1}


def test_additional_damage_is_the_same_instance_and_one_tough_card_stops_all_of_it() -> None:
    more = Effect("increase", "Ally", 3)
    found = resolve([ally(tough=1)], {"Ally": 1}, Settings(effects=(more,)))
    assert found.dealt == {"Ally": 4}
    assert found.taken == {"Ally": 0}
    assert found.tough_spent == {"Ally": 1}


def test_prevention_lowers_what_is_taken_never_what_is_dealt() -> None:
    found = resolve([ally()], {"Ally": 3}, Settings(effects=(Effect("prevent", "Ally", 1),)))
    assert (found.dealt, found.taken) == ({"Ally": 3}, {"Ally": 2})


def test_cards_that_test_damage_dealt_see_it_though_it_was_prevented() -> None:
    found = resolve([ally()], {"Ally": 3}, Settings(effects=(Effect("prevent", "Ally"),)))
    assert found.dealt == {"Ally": 3}
    assert found.damaged == ()


def test_def_lowers_what_an_attack_deals() -> None:
    assert attack_damage(5, 2) == 3
    assert attack_damage(1, 4) == 0


def test_echo_reduces_what_is_assigned_to_her_and_is_still_capped_at_her_hit_points() -> None:
    made = scenario(4, HERO, ALLY | {"name": "Echo", "reduce": 1})
    assert max(a[SOURCE]["Echo"] for a in made.legal("cpsat")) == 3
    assert made.outcome({SOURCE: {"Hero": 1, "Echo": 3}})["taken"] == {"Hero": 1, "Echo": 2}


def test_who_cannot_take_damage_takes_none_that_is_moved_to_it() -> None:
    moved = Effect("redirect", "Ally", None, "Rock")
    found = resolve([ally(), ally("Rock", cannot_take_damage=True)], {"Ally": 2}, Settings(effects=(moved,)))
    assert found.taken == {"Ally": 0, "Rock": 0}


# Piercing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "spent"), [("attacked", {"Hero": 1, "Ally": 1}), ("damaged", {"Hero": 1, "Ally": 2})]
)
def test_piercing_strips_the_attacked_or_everyone_who_is_dealt_damage(
    reading: str, spent: dict[str, int]
) -> None:
    made = scenario(
        3,
        HERO | {"tough": 1},
        ALLY | {"tough": 2},
        mode="enemy-attack",
        attack={"keywords": ["Piercing"]},
        options={"piercing": reading},
    )
    found = made.outcome({SOURCE: {"Hero": 1, "Ally": 2}})
    assert found["taken"]["Hero"] == 1
    assert found["tough_spent"] == spent
    assert found["taken"]["Ally"] == (2 if reading == "damaged" else 0)


def test_piercing_that_deals_nothing_strips_nothing() -> None:
    made = scenario(3, HERO | {"tough": 1}, ALLY, mode="enemy-attack", attack={"keywords": ["piercing"]})
    assert made.outcome({SOURCE: {"Ally": 3}})["tough_spent"] == {}


def test_piercing_removes_every_tough_card() -> None:
    found = resolve([hero(tough=2)], {"Hero": 1}, Settings(pierced=frozenset({"Hero"})))
    assert (found.tough_spent, found.taken) == ({"Hero": 2}, {"Hero": 1})


# Redirects ----------------------------------------------------------------------------------------


def test_redirects_come_after_assignment_so_a_character_may_take_more_than_its_cap() -> None:
    made = scenario(
        6,
        HERO,
        ALLY,
        ALLY | {"name": "Spider", "hit_points": 5},
        effects=[{"kind": "redirect", "character": "Ally", "to": "Spider"}],
    )
    found = made.outcome({SOURCE: {"Ally": 3, "Spider": 3}})
    assert found["taken"] == {"Ally": 0, "Spider": 6}
    assert found["defeated"] == ["Spider"]
    assert found["excess_taken"] == {"Spider": 1}
    assert not made.check({SOURCE: {"Spider": 6}}, engine="cpsat").legal


def test_damage_can_be_stored_on_what_is_no_character() -> None:
    ice = Effect("redirect", "Hero", 8, "Ice Wall")
    found = resolve([hero(hit_points=20)], {"Hero": 10}, Settings(effects=(ice,)))
    assert (found.stored, found.taken) == ({"Ice Wall": 8}, {"Hero": 2})


@pytest.mark.parametrize(("reading", "taken"), [("same-instance", 0), ("new-instance", 2)])
def test_redirected_damage_joins_the_instance_or_meets_tough_anew(reading: str, taken: int) -> None:
    moved = Effect("redirect", "Ally", 2, "Spider")
    settings = Settings(effects=(moved,), redirected=reading)
    found = resolve([ally(), ally("Spider", 5, tough=1)], {"Ally": 2, "Spider": 1}, settings)
    assert found.taken["Spider"] == taken
    assert found.tough_spent == {"Spider": 1}


def test_a_second_tough_card_meets_damage_redirected_as_a_new_instance() -> None:
    settings = Settings(effects=(Effect("redirect", "Ally", 2, "Spider"),), redirected="new-instance")
    found = resolve([ally(), ally("Spider", 5, tough=2)], {"Ally": 2, "Spider": 1}, settings)
    assert (found.taken["Spider"], found.tough_spent) == (0, {"Spider": 2})


def test_damage_is_moved_on_only_once_all_of_it_has_arrived() -> None:
    chain = (Effect("redirect", "C", None, "B"), Effect("redirect", "B", None, "A"))
    board = [ally("A", 9), ally("B", 9), ally("C", 9)]
    found = resolve(board, {"A": 1, "B": 1, "C": 1}, Settings(effects=chain))
    assert found.taken == {"C": 0, "B": 0, "A": 3}


def test_redirects_in_a_circle_are_refused() -> None:
    circle = (Effect("redirect", "A", None, "B"), Effect("redirect", "B", None, "A"))
    with pytest.raises(ValueError, match="circle"):
        resolve([ally("A"), ally("B")], {"A": 1}, Settings(effects=circle))


# Defeat, elimination, sequence --------------------------------------------------------------------


def test_all_defeats_of_one_instance_happen_at_once() -> None:
    found = resolve([hero(hit_points=1), ally("A", 1), ally("B", 1)], {"A": 1, "Hero": 1, "B": 1})
    assert found.defeated == ("Hero", "A", "B")


def test_damage_and_interrupt_come_before_defeat_so_a_sacrifice_can_save_one() -> None:
    board = [ally("Valkyrie", 1), ally("A", 1), ally("B", 1)]
    saved = Effect("prevent", "A")
    found = resolve(board, {"Valkyrie": 1, "A": 1, "B": 1}, Settings(effects=(saved,)))
    assert found.defeated == ("Valkyrie", "B")


def test_a_defeated_identity_eliminates_its_player_and_what_they_control_leaves() -> None:
    made = scenario(10, HERO, ALLY)
    found = settle(made.value, {SOURCE: {"Hero": 9, "Ally": 1}})
    assert found.eliminated == ("P",)
    assert found.defeated == ("Hero",)
    assert found.removed == ("Ally",)


def test_damage_to_two_targets_is_simultaneous() -> None:
    found = resolve([ally("A", 2), ally("B", 2)], {"A": 2, "B": 2})
    assert found.defeated == ("A", "B")


def test_exactly_defeated_means_no_excess_was_dealt() -> None:
    assert resolve([ally()], {"Ally": 3}).exactly_defeated == ("Ally",)
    assert resolve([ally()], {"Ally": 4}).exactly_defeated == ()
    kept = Settings(effects=(Effect("prevent", "Ally", 1),))
    assert resolve([ally()], {"Ally": 4}, kept).exactly_defeated == ()


def test_the_next_instance_starts_from_what_the_first_left() -> None:
    made = scenario(3, HERO, ALLY | {"tough": 1})
    first = after(made.value, {SOURCE: {"Ally": 2, "Hero": 1}})
    assert first.characters["Hero"].damage == 1
    assert first.characters["Ally"].tough == 0
    second = after(replace(first, amount=5), {SOURCE: {"Ally": 3, "Hero": 2}})
    assert list(second.characters) == ["Hero"]
    assert second.characters["Hero"].remaining == 6


def test_a_villain_stage_carries_no_damage_over_to_the_next() -> None:
    villain = Character("Villain", "villain", 4, stages=(15,))
    found = resolve([villain], {"Villain": 9})
    assert found.advanced == {"Villain": 15}
    assert found.characters["Villain"].remaining == 15
    assert found.defeated == ()


# Attacked and damaged -----------------------------------------------------------------------------


def test_the_attacked_character_counts_though_it_is_assigned_nothing() -> None:
    made = scenario(3, HERO, ALLY, mode="enemy-attack")
    found = settle(made.value, {SOURCE: {"Ally": 3}})
    assert found.attacked == "Hero"
    assert not found.attacked_and_damaged
    assert found.damaged == ("Ally",)


def test_an_attack_on_you_is_one_on_the_player_even_where_an_ally_defends() -> None:
    made = scenario(3, HERO, ALLY, mode="enemy-attack", attack={"defender": "Ally"})
    found = settle(made.value, {SOURCE: {"Hero": 3}})
    assert (found.attacked, found.attacked_player) == ("Ally", "P")


def test_fully_prevented_damage_leaves_nobody_attacked_and_damaged() -> None:
    prevent = [{"kind": "prevent", "character": "Hero"}]
    made = scenario(3, HERO, ALLY, mode="enemy-attack", effects=prevent)
    assert not settle(made.value, {SOURCE: {"Hero": 3}}).attacked_and_damaged


# Overkill and excess ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EDITIONS)
def test_without_other_abilities_indirect_damage_has_no_excess_and_overkill_spills_nothing(
    rules: str,
) -> None:
    made = scenario(9, HERO, ALLY, mode="enemy-attack", attack={"keywords": ["Overkill"]}, rules=rules)
    for assignment in made.legal("cpsat"):
        found = made.outcome(assignment)
        assert (found["excess_dealt"], found["excess_taken"], found["spilled"]) == ({}, {}, {})


def overkill(rules: str, *effects: Effect, tough: int = 0, amount: int = 6) -> Any:
    settings = Settings(rules, effects=effects, keywords=frozenset({"overkill"}), spills={"Ally": "Hero"})
    return resolve([hero(), ally(tough=tough)], {"Ally": amount}, settings)


@pytest.mark.parametrize("rules", EDITIONS)
def test_overkill_passes_the_excess_to_the_controllers_identity(rules: str) -> None:
    found = overkill(rules)
    assert found.spilled == {"Hero": 3}
    assert found.taken == {"Ally": 6, "Hero": 3}


@pytest.mark.parametrize("rules", EDITIONS)
def test_a_tough_ally_lets_nothing_spill(rules: str) -> None:
    assert overkill(rules, tough=1).spilled == {}


@pytest.mark.parametrize(("editions", "spilled"), [(EARLY, 3), (LATE, 2)])
def test_overkill_counts_damage_dealt_in_older_editions_and_taken_since(
    editions: list[str], spilled: int
) -> None:
    for rules in editions:
        assert overkill(rules, Effect("prevent", "Ally", 1)).spilled == {"Hero": spilled}


@pytest.mark.parametrize(("editions", "total"), [(EARLY, 1), (LATE, 2)])
def test_general_extra_damage_adds_once_with_overkill_and_twice_in_the_newest(
    editions: list[str], total: int
) -> None:
    for rules in editions:
        plain, more = overkill(rules), overkill(rules, Effect("increase", None, 1))
        assert more.taken["Hero"] - plain.taken["Hero"] == total


def test_excess_counts_what_is_dealt_and_overkill_what_is_taken() -> None:
    found = overkill("rrg-1.8", Effect("prevent", "Ally", 1))
    assert found.excess_dealt == {"Ally": 3}
    assert found.excess_taken == {"Ally": 2}


def test_an_increase_after_assignment_is_what_makes_excess() -> None:
    made = scenario(
        3,
        HERO,
        ALLY,
        mode="enemy-attack",
        attack={"keywords": ["Overkill"]},
        effects=[{"kind": "increase", "amount": 1}],
    )
    found = made.outcome({SOURCE: {"Ally": 3}})
    assert found["excess_dealt"] == {"Ally": 1}
    assert found["spilled"] == {"Hero": 1}


def test_spilled_damage_meets_tough_on_its_recipient() -> None:
    settings = Settings(keywords=frozenset({"overkill"}), spills={"Ally": "Hero"})
    found = resolve([hero(tough=1), ally()], {"Ally": 6}, settings)
    assert (found.taken["Hero"], found.tough_spent) == (0, {"Hero": 1})


def test_an_effect_that_raises_excess_only_does_so_where_there_is_some() -> None:
    more = Effect("increase", "Ally", 1, stage="excess")
    assert overkill("rrg-1.8", more).spilled == {"Hero": 4}
    assert overkill("rrg-1.8", more, amount=3).spilled == {}


# Distinct outcomes --------------------------------------------------------------------------------


def outcomes_of(made: lethal.Scenario) -> list[int]:
    """How many assignments lead to each distinct outcome; each example leads to what it stands for."""
    groups = made.outcomes()
    for group in groups:
        assert result(made.value, group.example.to_dict()) == group.outcome
    return [group.assignments for group in groups]


def test_forty_two_assignments_lead_to_twenty_six_outcomes() -> None:
    tough = [ALLY | {"name": name, "hit_points": n, "tough": 1} for name, n in (("A", 5), ("B", 3), ("C", 2))]
    found = outcomes_of(scenario(5, HERO | {"hit_points": 10}, *tough))
    assert (sum(found), len(found)) == (42, 26)


def test_with_one_tough_character_every_assignment_has_its_own_outcome() -> None:
    board = (HERO | {"hit_points": 10}, ALLY | {"hit_points": 4, "tough": 1}, ALLY | {"name": "B"})
    found = outcomes_of(scenario(6, *board))
    assert (sum(found), len(found)) == (19, 19)


@pytest.mark.parametrize("wrong", [{"Furnax": {"Hero": 1}}, {SOURCE: {"Nobody": 1}}])
def test_outcomes_refuse_names_that_are_not_there(wrong: dict[str, dict[str, int]]) -> None:
    with pytest.raises(ValueError, match=r"'Furnax'|'Nobody'"):
        scenario(1, HERO).outcome(wrong)


def test_negative_damage_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        resolve([ally()], {"Ally": -1})
