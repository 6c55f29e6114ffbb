"""Every fault of a document is named, each at its place, whatever else is wrong."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest
from combats import creature, document, two_on_one
from hypothesis import given, settings
from hypothesis import strategies as st

from lethal.models.combat_document import (
    AttackerKeys,
    BlockerKeys,
    CombatDocument,
    DefenderKeys,
    Options,
    defects,
)
from lethal.models.document import Defects, DocumentError, decode
from lethal.models.mending import mend


def test_all_defects_are_named_not_only_the_first() -> None:
    faulty = document(
        rule="ordered",
        assigning="attacker",
        attackers=[
            {"nam": "Wurm", "power": "6", "toughness": -4, "attacks": "playr", "blocked": 3},
            {"name": "Slime", "power": True, "toughness": 2.5, "value": "high", "keywords": "Trample"},
            "Bear",
            {"power": 2, "toughness": 2},
        ],
        blockers=[creature("Guard", damage=None, blocks=["Wrum", 7, "Slime"])],
        order={"Slime": ["Guard"], "Wurm": {}},
        options={"joint": "al", "zero_power_lethal": True},
    )
    assert defects(faulty) == [
        "rule: unknown key; did you mean 'rules'?",
        "assigning: expected \"attackers\" or \"blockers\", got 'attacker'; did you mean 'attackers'?",
        "attackers[0].nam: unknown key; did you mean 'name'?",
        "attackers[0].power: expected an integer, got '6'",
        "attackers[0].toughness: expected at least 0, got -4",
        "attackers[0].blocked: expected true or false, got 3",
        "attackers[1].power: expected an integer, got True",
        "attackers[1].toughness: expected an integer, got 2.5",
        "attackers[1].value: expected a number, got 'high'",
        "attackers[1].keywords: expected a list, got 'Trample'",
        "attackers[2]: expected a table of keys, got 'Bear'",
        "attackers[3].name: missing",
        "blockers[0].damage: expected an integer, got None",
        "blockers[0].blocks[1]: expected a string, got 7",
        'order.Wurm: expected a list or "any", got {}',
        "options.joint: expected \"all\" or \"assigner\", got 'al'; did you mean 'all'?",
        "options.zero_power_lethal: expected 0 or 1, got True",
        "blockers[0].blocks[0]: no attacker is named 'Wrum'; did you mean 'Wurm'?",
        "attackers[0].attacks: nothing to attack is named 'playr'; did you mean 'player'?",
    ]


TABLES = {
    "attackers[0]": AttackerKeys,
    "blockers[0]": BlockerKeys,
    "defenders[0]": DefenderKeys,
    "options": Options,
    "": CombatDocument,
}
EVERY_KEY = [
    (place, key) for place, kind in TABLES.items() for key in kind.__struct_fields__ if key != "kind"
]


def full_document() -> dict[str, Any]:
    return document(
        attackers=[creature("A", attacks="Ann")],
        blockers=[creature("B", blocks=["A"])],
        defenders=[{"name": "Ann"}],
        options={},
    )


def table_at(scenario: dict[str, Any], place: str) -> dict[str, Any]:
    found: dict[str, Any] = scenario
    if place.endswith("[0]"):
        found = scenario[place.removesuffix("[0]")][0]
    elif place:
        found = scenario[place]
    return found


@pytest.mark.parametrize(("place", "key"), EVERY_KEY)
def test_every_key_with_a_value_of_the_wrong_type_is_a_defect_at_its_place(place: str, key: str) -> None:
    scenario = full_document()
    wrong = object()
    table_at(scenario, place)[key] = wrong
    at = f"{place}.{key}" if place else key
    assert f"{at}: expected " in "\n".join(defects(scenario))
    assert all(line.startswith(at) for line in defects(scenario))


@pytest.mark.parametrize(("place", "key"), EVERY_KEY)
def test_every_misspelt_key_is_a_defect_that_names_the_right_one(place: str, key: str) -> None:
    scenario = full_document()
    misspelt = key[:-1] + "x" if len(key) < 6 else key[:2] + key[3:]
    table_at(scenario, place)[misspelt] = None
    at = f"{place}.{misspelt}" if place else misspelt
    assert f"{at}: unknown key; did you mean {key!r}?" in defects(scenario)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_a_value_is_a_finite_number(value: Any) -> None:
    found = defects(document(attackers=[creature("A", value=value)]))
    assert len(found) == 1
    assert found[0].startswith("attackers[0].value: expected a")


@pytest.mark.parametrize("power", [10**12 + 1, -(10**12) - 1, 10**30])
def test_amounts_have_a_limit(power: int) -> None:
    assert "attackers[0].power: expected at " in defects(document(attackers=[creature("A", power)]))[0]
    assert defects(document(attackers=[creature("A", 10**12)])) == []


def test_a_fault_of_meaning_at_the_place_of_one_of_form_is_its_echo() -> None:
    found = Defects()
    found.add("a[1].b", "form")
    found.form_is_known()
    for place in ("a[1].b", "a[1].b.c", "a[1].b[0]", "a[1]"):
        found.add(place, "echo")
    for place in ("a[1].bc", "a[10]", "b"):
        found.add(place, "own")
    assert found.lines == ["a[1].b: form", "a[1].bc: own", "a[10]: own", "b: own"]


# Any document at all ------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["A", "any"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def replaced(value: Any, at: int, new: Any) -> Any:
    """The document with the `at`-th part of it, counted from the outside in, replaced."""
    left = [at]

    def walk(part: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            left[0] = 10**9
            return new
        if isinstance(part, dict):
            return {key: walk(item) for key, item in part.items()}
        if isinstance(part, list):
            return [walk(item) for item in part]
        return part

    return walk(value)


@given(st.integers(1, 30), JSON, st.integers(1, 30), JSON)
@settings(max_examples=300, deadline=None)
def test_any_damage_to_a_document_is_either_harmless_or_named(
    at: int, new: Any, then: int, more: Any
) -> None:
    whole = two_on_one(order={"Wurm": ["Wall", "Cadet"]}, defenders=[{"name": "Ann", "life": 3}], options={})
    scenario = replaced(replaced(copy.deepcopy(whole), at, new), then, more)
    if not isinstance(scenario, dict):
        return
    found = defects(scenario)
    assert all(": " in line and "\n" not in line for line in found)
    form = Defects()
    mend(scenario, CombatDocument, form)
    try:
        msgspec.convert(scenario, CombatDocument)
    except msgspec.ValidationError:
        assert form.found, "the walk misses what the decoder refuses"
    else:
        assert not form.found, "the walk refuses what the decoder takes"


class Pair(msgspec.Struct, forbid_unknown_fields=True):
    cards: list[str | tuple[str, int]]
    limit: int | bool = 0


def test_documents_of_other_kinds_are_decoded_the_same_way() -> None:
    assert decode({"cards": ["a", ["b", 2]]}, Pair).cards == ["a", ("b", 2)]
    with pytest.raises(DocumentError) as error:
        decode({"cards": ["a", ["b", "2"], ["c"], 7], "limits": 1}, Pair)
    assert error.value.defects == (
        "cards[1][1]: expected an integer, got '2'",
        "cards[2]: expected a string or a list of 2, got ['c']",
        "cards[3]: expected a string or a list of 2, got 7",
        "limits: unknown key; did you mean 'limit'?",
    )
