"""Wide layers: states packed into several words, merged through tables or by sorting, and layers in chunks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import brute, problems

from lethal.solver.diagram import DiagramEngine, wide
from lethal.solver.problem import AMOUNT, Gate, Meter, Problem, Share, Total


@settings(max_examples=400, deadline=None)
@given(
    problem=problems(sequential=None),
    word=st.sampled_from([1, 4, 30, 1_000, wide.WORD]),
    short=st.sampled_from([1, 3, 12, wide.SHORT_WORD]),
    dense=st.sampled_from([0, 16, wide.DENSE]),
    chunk=st.sampled_from([1, 5, wide.CHUNK]),
    few=st.sampled_from([0, 40, wide.FEW]),
)
def test_packing_changes_nothing(
    problem: Problem, word: int, short: int, dense: int, chunk: int, few: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        limits = {"WORD": word, "SHORT_WORD": short, "DENSE": dense, "CHUNK": chunk, "FEW": few}
        for name, value in limits.items():
            patch.setattr(wide, name, value)
        engine = DiagramEngine(problem, narrow=0)
        assert list(engine.rows()) == brute(problem)


def test_states_of_more_than_one_word_are_told_apart() -> None:
    """Twelve meters up to 40 stay open over the whole diagram: their readings alone need more than 62 bits."""
    n, full = 12, 40
    first = [Share("a", f"m{at}", (0, 40)) for at in range(n)]
    second = [Share("b", f"m{at}", (0, 40)) for at in range(n)]
    meters = tuple(Meter(f"m{at}", full, ((at, AMOUNT), (n + at, AMOUNT))) for at in range(n))
    last = Share("b", "player", (0, 1))
    gate = Gate(2 * n, (1,), tuple(range(n)))
    totals = (Total(tuple(range(n)), 240, 240),)
    engine = DiagramEngine(Problem((*first, *second, last), totals, meters, (gate,)), narrow=0)
    # Six of twelve are full by a; b is free, and reaches the player only where it fills at least the other six.
    assert engine.count() == 924 * (2**12 + 2**6)
