"""Pictures of a small diagram show every layer, node and value, and large ones are refused."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from lethal.solver.assignments import Assignments
from lethal.solver.diagram import draw
from lethal.solver.engine import EngineError
from lethal.solver.problem import AMOUNT, Gate, Meter, Problem, Share, Total


def overflow(power: int = 3) -> Problem:
    """A source of 3 gives x or, once x has 2, y."""
    made = (Share("A & B", "x", range(power + 1)), Share("A & B", "<y>", range(power + 1)))
    gate = Gate(1, range(1, power + 1), (0,))
    return Problem(made, (Total((0, 1), power, power),), (Meter("x", 2, ((0, AMOUNT),)),), (gate,))


def test_every_path_of_the_drawing_is_an_assignment() -> None:
    drawn = draw.drawing(overflow())

    def paths(depth: int, at: int) -> list[tuple[int, ...]]:
        if depth == len(drawn.titles):
            return [()]
        found = [
            (value, *rest)
            for child, values in drawn.layers[depth][at].arcs.items()
            for value in values
            for rest in paths(depth + 1, child)
        ]
        return sorted(found)

    assert paths(0, 0) == [(2, 1), (3, 0)]
    assert drawn.titles == ["A & B → x", "A & B → <y>"]
    assert ["A & B: 1 left"] in [node.lines for node in drawn.layers[1]]


def test_the_svg_is_well_formed_and_names_what_is_there() -> None:
    root = ElementTree.fromstring(draw.svg(overflow()))
    words = [text for node in root.iter() for text in [(node.text or "").strip()] if text]
    assert root.tag.endswith("svg")
    assert {"A & B → x", "A & B → <y>", "A & B: 1 left", "start", "legal"} <= set(words)
    assert not re.search(r"https?://(?!www.w3.org/2000/svg)", draw.svg(overflow()))


def test_graphviz_text_quotes_names() -> None:
    made = (Share('the "Duke"', "x", range(2)), Share('the "Duke"', "y", range(2)))
    text = draw.dot(Problem(made, (Total((0, 1), 1, 1),)))
    assert 'label="the \\"Duke\\" → x"' in text
    assert text.count("->") == len(re.findall(r"n\d+_\d+ -> n\d+_\d+ \[label", text)) + 1


def test_a_large_diagram_is_refused_with_its_size() -> None:
    with pytest.raises(EngineError, match="too large to be drawn"):
        draw.svg(overflow(600))
    assert Assignments(overflow(600))._repr_svg_() is None
    assert "<svg" in str(Assignments(overflow())._repr_svg_())


def test_an_impossible_problem_is_drawn_too() -> None:
    assert "<svg" in draw.svg(Problem((Share("a", "x", range(2)),), (Total((0,), 5, 5),)))
