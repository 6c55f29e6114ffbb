"""An assignment is written so that it reads back."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lethal.solver import notation
from lethal.solver.assignments import Assignment

NAMES = st.one_of(
    st.text(min_size=1, max_size=8),
    st.sampled_from(["Saproling 1", "Zilortha, Strength Incarnate", "a -> b", 'the "Duke"', "x;y", " pad "]),
)


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers(1, 99), min_size=1, max_size=3), max_size=3))
def test_any_amounts_read_back_from_their_text(amounts: dict[str, dict[str, int]]) -> None:
    assert notation.read(notation.write(amounts)) == amounts


def test_the_documented_form() -> None:
    amounts = {"Acidic Slime": {"Palace Guard": 2}, "Yavimaya Wurm": {"Palace Guard": 0, "player": 6}}
    text = "Acidic Slime → Palace Guard 2; Yavimaya Wurm → player 6"
    assert notation.write(amounts) == text
    assert Assignment.parse(text.replace("→", "->")) == Assignment.of(amounts)
    assert str(Assignment.of({"A": {"X 1": 2, "Y": 3}})) == "A → X 1 2, Y 3"


def test_a_comma_in_a_known_name_need_not_be_quoted() -> None:
    columns = [("A", "Zilortha, Strength Incarnate"), ("A", "player")]
    read = notation.read("A → Zilortha, Strength Incarnate 3, player 1", columns)
    assert read == {"A": {"Zilortha, Strength Incarnate": 3, "player": 1}}


def test_nothing_assigned_has_a_text_too() -> None:
    assert str(Assignment((), ())) == "nothing"
    assert Assignment.parse("nothing") == Assignment.parse("") == Assignment((("a", "b"),), (0,))


@pytest.mark.parametrize("text", ["A", "A → ", "A → X", "A → X two", "→ X 1", "A → X 1; A → X 2", 'A → "X 1'])
def test_text_that_cannot_be_read_says_where(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|twice|missing|cannot be read"):
        Assignment.parse(text)


def test_an_assignment_is_a_value() -> None:
    one = Assignment((("a", "x"), ("a", "y")), (1, 0))
    assert one == Assignment((("a", "x"),), (1,)) == {"a": {"x": 1}}
    assert len({one, Assignment((("a", "x"),), (1,))}) == 1
    assert one["a"] == {"x": 1, "y": 0}
    assert pickle.loads(pickle.dumps(one)) == one
    assert eval(repr(one)) == one
    with pytest.raises(AttributeError):
        one.row = (2, 2)
    with pytest.raises(KeyError):
        one["b"]
