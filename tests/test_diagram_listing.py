"""Blocks put together from tables of suffixes, and reduced diagrams: the same rows however they are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, problems

from lethal.solver.diagram import DiagramEngine, count, listing, suffixes
from lethal.solver.diagram.layers import Diagram
from lethal.solver.diagram.reduce import reduced
from lethal.solver.problem import Problem, Share, Total


@st.composite
def sizes(draw: st.DrawFn) -> dict[Any, dict[str, int]]:
    """How much tables may hold, and how much is put together at a time."""
    return {
        suffixes: {
            "LOWEST": draw(st.sampled_from([0, 1, 8, 40, 300])),
            "TABLES": draw(st.sampled_from([0, 1_000, 10_000, 1_000_000])),
            "LEVELS": draw(st.integers(0, 3)),
            "REMEMBERED": draw(st.sampled_from([0, 500, 1_000_000])),
            "COLUMN": draw(st.sampled_from([0, 40, 1_000_000])),
        },
        listing: {"PAGE": draw(st.sampled_from([1, 2, 7, 1_000]))},
    }


NARROW = st.sampled_from([0, 600])
every = settings(max_examples=300, deadline=None)


@every
@given(problems(sequential=None), NARROW, sizes(), st.integers(1, 40))
def test_blocks_are_the_rows_whatever_is_held_in_tables(
    problem: Problem, narrow: int, held: dict[Any, dict[str, int]], size: int
) -> None:
    blocks_are_the_rows(problem, narrow, held, size)


@pytest.mark.slow
@settings(every, max_examples=10_000)
@given(problems(sequential=None), NARROW, sizes(), st.integers(1, 40))
def test_blocks_are_the_rows_whatever_is_held_in_tables_at_length(
    problem: Problem, narrow: int, held: dict[Any, dict[str, int]], size: int
) -> None:
    blocks_are_the_rows(problem, narrow, held, size)


def blocks_are_the_rows(problem: Problem, narrow: int, held: dict[Any, dict[str, int]], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module, values in held.items():
            for name, value in values.items():
                patch.setattr(module, name, value)
        found = list(DiagramEngine(problem, narrow=narrow).blocks(size))
    expected = brute(problem)
    assert [tuple(row) for block in found for row in block.tolist()] == expected
    assert [len(block) for block in found[:-1]] == [size] * (len(found) - 1)
    assert all(block.shape[1] == len(problem.shares) for block in found)


def test_tables_of_several_layers_are_used() -> None:
    """Else the test above would say nothing about tables filled from tables."""
    engine = DiagramEngine(_compositions(), narrow=0)
    whole = engine._whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suffixes, "LOWEST", 100)
        patch.setattr(suffixes, "TABLES", 100_000)
        lowest, cut = suffixes._cuts(whole, count.counts(whole), 1)
        tables = suffixes.Tables(whole, count.counts(whole), np.dtype(np.uint8))
    assert lowest - cut >= 3
    assert tables.top == cut - suffixes.LEVELS > 0


def _compositions() -> Problem:
    shares = tuple(Share(f"s{at}", "r", range(8)) for at in range(8))
    return Problem(shares, (Total(tuple(range(8)), 9, 9), Total((0, 2, 4, 6), 3, 6)))


def _nodes(diagram: Diagram) -> list[int]:
    return [len(layer.start) - 1 for layer in diagram.layers]


def _suffixes(diagram: Diagram, depth: int, node: int) -> frozenset[tuple[int, ...]]:
    if depth == len(diagram.layers):
        return frozenset({(-1 - node,)})  # terminal nodes are kept apart
    layer = diagram.layers[depth]
    return frozenset(
        (int(layer.value[arc]), *behind)
        for arc in layer.arcs(node)
        for behind in _suffixes(diagram, depth + 1, int(layer.child[arc]))
    )


@settings(max_examples=150, deadline=None)
@given(problem=problems(sequential=None), narrow=st.sampled_from([0, 600]))
def test_a_reduced_diagram_has_the_same_rows_and_no_two_equal_nodes(problem: Problem, narrow: int) -> None:
    engine = DiagramEngine(problem, narrow=narrow)
    diagram = engine.diagram
    assert list(listing.rows(diagram, engine._listing)) == brute(problem)
    if diagram.empty:
        return
    for depth, nodes in enumerate(_nodes(diagram)):
        assert len({_suffixes(diagram, depth, node) for node in range(nodes)}) == nodes


def test_reducing_a_wide_diagram_merges_nodes() -> None:
    engine = DiagramEngine(_compositions(), narrow=0)
    states, fewest = _nodes(engine._whole), _nodes(engine.diagram)
    assert sum(fewest) <= sum(states)
    assert fewest == _nodes(reduced(engine.diagram)) == _nodes(DiagramEngine(_compositions()).diagram)
