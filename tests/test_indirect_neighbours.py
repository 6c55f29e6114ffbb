"""The games next door: the same language for Star Wars: Unlimited, Arkham Horror and Riftbound."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lethal
from lethal.solver.evaluate import holds

BOTH = pytest.mark.parametrize("engine", ["diagram", "cpsat"])
Row = tuple[int, ...]


def rows(document: dict[str, Any], engine: str = "diagram") -> list[Row]:
    return sorted(a.row for a in lethal.load(document).legal(engine))


def compositions(amount: int, parts: int) -> list[Row]:
    return [row for row in product(range(amount + 1), repeat=parts) if sum(row) == amount]


def best(document: dict[str, Any], objective: str | None = None, engine: str = "diagram") -> Row:
    found = lethal.load(document).best(objective, engine)
    assert found is not None
    return found.assignment.row


# Star Wars: Unlimited -----------------------------------------------------------------------------


def unlimited(amount: int, *hit_points: int, **keys: Any) -> dict[str, Any]:
    units = [{"name": f"U{at}", "hit_points": n} for at, n in enumerate(hit_points)]
    return {"kind": "unlimited", "amount": amount, "units": units, **keys}


@BOTH
def test_five_among_units_of_three_and_one_and_the_base_in_eight_ways(engine: str) -> None:
    assert len(rows(unlimited(5, 3, 1), engine)) == 8


@BOTH
def test_the_base_takes_any_amount_so_nothing_is_ever_ignored(engine: str) -> None:
    assert rows(unlimited(90, 1), engine) == [(0, 90), (1, 89)]


def test_shields_neither_move_the_cap_nor_are_they_used() -> None:
    document = unlimited(2)
    document["units"] = [{"name": "Shielded", "hit_points": 2, "shields": 1}]
    assert len(rows(document)) == 3
    found = lethal.load(document).outcome({"indirect damage": {"Shielded": 2}})
    assert found["defeated"] == found["damaged"] == ["Shielded"]


def test_damage_on_a_unit_lowers_its_cap() -> None:
    document = unlimited(2)
    document["units"] = [{"name": "Hurt", "hit_points": 3, "damage": 2}]
    assert rows(document) == [(0, 2), (1, 1)]


@BOTH
def test_the_damaged_player_keeps_units_and_the_sources_controller_defeats_them(engine: str) -> None:
    kept = lethal.load(unlimited(3, 2, 1)).outcome(
        {
            "indirect damage": dict(
                zip(("U0", "U1", "base"), best(unlimited(3, 2, 1), engine=engine), strict=True)
            )
        }
    )
    assert kept["defeated"] == []
    assert best(unlimited(3, 2, 1, assigns="source-controller"), engine=engine) == (2, 1, 0)


def test_a_base_about_to_fall_is_kept_before_any_unit() -> None:
    base = {"hit_points": 30, "damage": 28}
    assert best(unlimited(4, 3, base=base)) == (3, 1)
    assert best(unlimited(4, 3, base=base, assigns="source-controller"))[1] >= 2
    assert lethal.load(unlimited(4, 3, base=base)).outcome({"indirect damage": {"base": 2}})["base_destroyed"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 6), st.lists(st.integers(1, 4), max_size=3))
def test_unlimited_agrees_with_brute_force(amount: int, hit_points: list[int]) -> None:
    caps = [*hit_points, amount]
    expected = [
        r for r in compositions(amount, len(caps)) if all(a <= b for a, b in zip(r, caps, strict=True))
    ]
    assert rows(unlimited(amount, *hit_points)) == sorted(expected)


# Arkham Horror ------------------------------------------------------------------------------------


DOG = {"name": "Guard Dog", "health": 3, "sanity": 1}


def arkham(damage: int, horror: int, *assets: dict[str, Any], **keys: Any) -> dict[str, Any]:
    who = {"health": 7, "sanity": 7} | keys.pop("investigator", {})
    return {
        "kind": "arkham",
        "damage": damage,
        "horror": horror,
        "investigator": who,
        "assets": list(assets),
        **keys,
    }


@BOTH
def test_two_damage_and_one_horror_with_a_guard_dog_in_six_ways(engine: str) -> None:
    assert len(rows(arkham(2, 1, DOG), engine)) == 6


def test_an_asset_without_sanity_takes_no_horror() -> None:
    made = lethal.load(arkham(1, 1, {"name": "Armor", "health": 4}))
    assert ("horror", "Armor") not in made.problem.columns
    assert len(list(made.legal())) == 2


def test_an_asset_takes_at_most_what_defeats_it_and_the_investigator_the_rest() -> None:
    assert rows(arkham(5, 0, DOG)) == [(0, 5), (1, 4), (2, 3), (3, 2)]
    assert rows(arkham(50, 0, DOG | {"damage": 2})) == [(0, 50), (1, 49)]


def test_direct_damage_goes_to_the_investigator_alone() -> None:
    made = lethal.load(arkham(1, 0, DOG, direct_damage=2))
    assert [a.to_dict()["direct damage"] for a in made.legal()] == [{"investigator": 2}] * 2


def test_prevention_comes_after_assignment_and_before_placing() -> None:
    document = arkham(3, 0, DOG, prevent=[{"recipient": "Guard Dog", "damage": 1}])
    assert len(rows(document)) == 4
    found = lethal.load(document).outcome({"damage": {"Guard Dog": 3}})
    assert found == {
        "defeated": [],
        "damage": {"Guard Dog": 2},
        "horror": {},
        "investigator_defeated_by": [],
    }


def test_either_resource_defeats() -> None:
    made = lethal.load(arkham(7, 1, DOG))
    found = made.outcome({"damage": {"investigator": 7}, "horror": {"Guard Dog": 1}})
    assert found["defeated"] == ["Guard Dog"]
    assert found["investigator_defeated_by"] == ["damage"]


@BOTH
def test_the_investigator_is_kept_first_then_assets(engine: str) -> None:
    hurt = {"health": 2, "sanity": 9}
    assert best(arkham(3, 0, DOG, investigator=hurt), engine=engine) == (2, 1)
    assert best(arkham(3, 0, DOG), engine=engine) == (2, 1)
    assert best(arkham(3, 0, DOG | {"value": 0}), engine=engine) == (3, 0)
    assert best(arkham(4, 0, DOG, investigator=hurt), engine=engine) == (3, 1)


def test_direct_damage_and_prevention_count_in_the_objective() -> None:
    hurt = {"health": 4, "sanity": 9}
    assert best(arkham(3, 0, DOG | {"value": 9}, investigator=hurt, direct_damage=2)) == (2, 1, 2)
    assert best(arkham(4, 0, DOG | {"value": 9}, investigator=hurt, direct_damage=2)) == (3, 1, 2)
    saved = [{"recipient": "Guard Dog", "damage": 1}]
    assert best(arkham(4, 0, DOG, investigator=hurt, prevent=saved)) == (3, 1)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 4),
    st.integers(0, 3),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=2),
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
    st.integers(0, 2),
)
def test_arkham_agrees_with_brute_force_and_so_does_its_best(
    damage: int, horror: int, told: list[tuple[int, int]], who: tuple[int, int], direct: int
) -> None:
    assets = [{"name": f"A{at}", "health": h, "sanity": s} for at, (h, s) in enumerate(told)]
    keys = {"investigator": {"health": who[0], "sanity": who[1]}, "direct_horror": direct}
    document = arkham(damage, horror, *assets, **keys)
    found = set()
    for d in compositions(damage, len(assets) + 1):
        for h in compositions(horror, len(assets) + 1):
            if all(x <= a["health"] and y <= a["sanity"] for x, y, a in zip(d, h, assets, strict=False)):
                found.add((d, h))
    made = lethal.load(document)
    listed = {_split(a.to_dict(), assets) for a in made.legal()}
    assert listed == found
    assert made.legal().count() == len(found)

    def worth(d: Row, h: Row) -> tuple[int, int, int]:
        stands = d[-1] < who[0] and h[-1] + direct < who[1]
        kept = [a for x, y, a in zip(d, h, assets, strict=False) if _lives(x, y, a)]
        return (stands, sum(a["health"] + a["sanity"] for a in kept), -d[-1] - h[-1] - direct)

    chosen = made.best()
    assert chosen is not None
    assert worth(*_split(chosen.assignment.to_dict(), assets)) == max(worth(d, h) for d, h in found)


def _lives(damage: int, horror: int, asset: dict[str, Any]) -> bool:
    return not (damage and damage >= asset["health"]) and not (horror and horror >= asset["sanity"])


def _split(amounts: dict[str, dict[str, int]], assets: list[dict[str, Any]]) -> tuple[Row, Row]:
    names = [*(a["name"] for a in assets), "investigator"]
    return (
        tuple(amounts.get("damage", {}).get(n, 0) for n in names),
        tuple(amounts.get("horror", {}).get(n, 0) for n in names),
    )


# Riftbound ----------------------------------------------------------------------------------------


def riftbound(might: int, *units: dict[str, Any], **keys: Any) -> dict[str, Any]:
    defenders = [{"name": f"D{at}"} | unit for at, unit in enumerate(units)]
    return {"kind": "riftbound", "attackers": [{"name": "A", "might": might}], "defenders": defenders, **keys}


def unit(might: int, *keywords: str, **keys: Any) -> dict[str, Any]:
    return {"might": might, "keywords": list(keywords), **keys}


@BOTH
def test_four_against_five_and_three_fills_one_before_the_next(engine: str) -> None:
    assert rows(riftbound(4, unit(5), unit(3)), engine) == [(1, 3), (4, 0)]


@BOTH
def test_tank_is_filled_first(engine: str) -> None:
    assert rows(riftbound(4, unit(5), unit(3, "Tank")), engine) == [(1, 3)]


@BOTH
def test_where_one_point_is_lethal_four_damage_on_four_units_has_one_way(engine: str) -> None:
    assert rows(riftbound(4, *[unit(5, lethal=1)] * 4), engine) == [(1, 1, 1, 1)]


@BOTH
def test_the_other_published_reading_divides_freely_but_keeps_tank_first(engine: str) -> None:
    assert len(rows(riftbound(4, unit(5), unit(3), rules="free-split"), engine)) == 5
    assert rows(riftbound(4, unit(5), unit(3, "Tank"), rules="free-split"), engine) == [(0, 4), (1, 3)]


def test_both_readings_are_counted_side_by_side() -> None:
    assert lethal.load(riftbound(4, unit(5), unit(3))).diff() == {"fill-first": 2, "free-split": 5}


def test_backline_comes_last() -> None:
    assert rows(riftbound(4, unit(5, "Backline"), unit(3))) == [(1, 3)]
    assert rows(riftbound(2, unit(5, "Backline"), unit(3))) == [(0, 2)]


def test_several_backline_units_are_open_once_the_others_are_lethal() -> None:
    found = rows(riftbound(4, unit(3, "Backline"), unit(3, "Backline"), unit(3)))
    assert found == [(0, 1, 3), (1, 0, 3)]


def test_damage_beyond_lethal_is_assigned_only_when_nobody_is_left() -> None:
    assert rows(riftbound(9, unit(3))) == [(9,)]
    assert rows(riftbound(7, unit(3), unit(3))) == [(3, 4), (4, 3)]
    assert lethal.load(riftbound(9, unit(3))).outcome({"attackers": {"D0": 9}})["excess"] == {"D0": 6}


def test_doubled_damage_needs_half_rounded_up() -> None:
    assert rows(riftbound(4, unit(5, multiplier=2), unit(5))) == [(0, 4), (3, 1)]


def test_prevention_counts_towards_lethal_and_prevented_altogether_is_never_lethal() -> None:
    assert rows(riftbound(4, unit(2, prevented=1), unit(5))) == [(0, 4), (3, 1)]
    assert rows(riftbound(4, unit(2, "Tank", prevented="all"), unit(1))) == [(4, 0)]


def test_stunned_units_add_no_might_and_still_need_all_of_theirs() -> None:
    document = riftbound(4, unit(3, stunned=True), assigning="defenders")
    assert rows(document) == [(0,)]
    assert rows(riftbound(4, unit(3, stunned=True), unit(3))) == [(1, 3), (3, 1)]


def test_both_sides_assign_independently() -> None:
    document = riftbound(4, unit(5), unit(3), assigning="both")
    document["attackers"].append({"name": "B", "might": 2})
    both = lethal.load(document).legal().count()
    one = [lethal.load(document | {"assigning": side}).legal().count() for side in ("attackers", "defenders")]
    assert both == one[0] * one[1]


@BOTH
def test_kills_prefers_the_unit_worth_more(engine: str) -> None:
    assert best(riftbound(4, unit(4, value=1), unit(3, value=2)), engine=engine) == (1, 3)
    assert best(riftbound(4, unit(4), unit(3)), engine=engine) == (4, 0)


UNITS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from([(), ("Tank",), ("Backline",)]), st.integers(1, 2)),
    min_size=1,
    max_size=3,
)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 7), UNITS)
def test_fill_first_is_what_assigning_unit_after_unit_reaches(might: int, told: list[Any]) -> None:
    """Independent of meters and gates: play the rule forward, choosing who is next within a class."""
    needs = [-(-m // times) for m, _, times in told]
    ranks = [{(): 1, ("Tank",): 0, ("Backline",): 2}[words] for _, words, _ in told]

    def play(left: int, given: Row) -> set[Row]:
        open_units = [at for at, n in enumerate(given) if n < needs[at]]
        if left == 0:
            return {given}
        if not open_units:
            spread = compositions(left, len(given))
            return {tuple(a + b for a, b in zip(given, more, strict=True)) for more in spread}
        first = min(ranks[at] for at in open_units)
        found: set[Row] = set()
        for at in open_units:
            if ranks[at] == first:
                n = min(left, needs[at])
                found |= play(left - n, (*given[:at], n, *given[at + 1 :]))
        return found

    units = [unit(m, *words, multiplier=times) for m, words, times in told]
    assert rows(riftbound(might, *units)) == sorted(play(might, (0,) * len(told)))


# Documents ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (unlimited(-1), "amount"),
        (unlimited(1, base={"name": "U0"}) | {"units": [{"name": "U0", "hit_points": 1}]}, "units"),
        (arkham(1, 1, DOG, prevent=[{"recipient": "Dog"}]), "prevent[0].recipient"),
        (arkham(1, 1, DOG, DOG), "assets"),
        (riftbound(1, unit(1), rules="fill"), "rules"),
        (riftbound(1, unit(1, name="A")), "units"),
    ],
)
def test_every_defect_names_its_place(document: dict[str, Any], place: str) -> None:
    (defect,) = lethal.load(document).problems()
    assert defect.startswith(f"{place}:")


@pytest.mark.parametrize("document", [unlimited(2, 1), arkham(1, 1, DOG), riftbound(1, unit(1))])
def test_names_that_are_not_there_are_refused(document: dict[str, Any]) -> None:
    made = lethal.load(document)
    source = made.problem.columns[0][0]
    for wrong in ({source: {"Nobody": 1}}, {"Nothing": {"Nobody": 1}}):
        with pytest.raises(ValueError, match="there is no"):
            made.outcome(wrong)
    with pytest.raises(ValueError, match="no objective 'best'"):
        made.best("best")


@BOTH
@pytest.mark.parametrize(
    "document", [unlimited(4, 3, 2), arkham(2, 2, DOG), riftbound(5, unit(3), unit(2), unit(2, "Tank"))]
)
def test_engines_list_what_the_language_means(document: dict[str, Any], engine: str) -> None:
    problem = lethal.load(document).problem
    every = product(*(share.values for share in problem.shares))
    assert rows(document, engine) == sorted(row for row in every if holds(problem, row))
