"""Beliefs and orders against their floors: `python -m benchmarks.shuffles [--json FILE]`, from the top
folder.

Times are medians of one run on one core. Nothing here is a test.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import lethal
from lethal.belief import Belief, Some
from lethal.scenario import Scenario
from lethal.solver.reduction import _kept

DECK = [("Land", 24), *((f"spell {at}", 4) for at in range(9))]
SINGLETON = [("Land", 30), *((f"card {at}", 1) for at in range(69))]
BATCH = 10_000


def own() -> Belief:
    """One's own library after drawing seven cards and a scry of two, one of them to the bottom."""
    hand = ["Land", "Land", "Land", "spell 1", "spell 2", "spell 3", "spell 4"]
    return Belief.of(DECK).draw(7, seen=hand).scry(["spell 5"], ["Land"])


def theirs() -> Belief:
    """An opponent's deck: a hand that was kept, a card seen on the bottom, another seen and shuffled away."""
    kept = Belief.of(DECK).draw(7).see(["spell 2"]).shuffle().see(["spell 3"], at=-1)
    return kept.learn(Some("Land", 2, 5, "hand"), Some(["spell 4", "spell 5"], 1, None, "hand"))


def singleton() -> Belief:
    """A deck of 99 cards with 30 alike: a hand that was kept, two places known."""
    known = Belief.of(SINGLETON).draw(7).see(["card 1"]).see(["card 2"], at=-1)
    return known.learn(Some("Land", 2, 5, "hand"))


def distinct() -> Belief:
    """The same with 99 different cards, 30 of them lands."""
    names = [f"card {at}" for at in range(99)]
    known = Belief.of(names).draw(7).see(["card 31"]).see(["card 32"], at=-1)
    return known.learn(Some(names[:30], 2, 5, "hand"))


def document() -> Scenario:
    """99 different cards as a document, with some knowledge."""
    cards = [f"card {at}" for at in range(99)]
    known = {"top": ["card 3"], "facts": [{"names": ["card 1"], "positions": [2, 3, 4]}]}
    return lethal.load({"kind": "shuffle", "library": {"cards": cards}, "knowledge": known})


def forgetful(belief: Belief) -> Fraction:
    """A card seen and the next draw, every table made anew."""
    _kept.cache_clear()
    return belief.see(["Land"], 1).chance("Land")


def timed(work: Callable[[], Any], times: int = 200) -> float:
    """Median seconds of a call."""
    work()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return median(taken)


def measure() -> list[dict[str, Any]]:
    """Every figure with its floor in seconds, None where there is no floor."""
    rng = np.random.default_rng(0)
    mine, other, big = own(), theirs(), singleton()
    fresh: list[tuple[str, Callable[[], Any], float | None, int, int]] = [
        ("sample, own library", lambda: mine.sample(rng, BATCH), 50e-6, BATCH, 5),
        ("sample, opponent's cards", lambda: other.sample(rng, BATCH), 50e-6, BATCH, 5),
        ("next draw, own library", lambda: mine.chance("Land", 1), 200e-6, 1, 200),
        ("next draw, opponent's", lambda: other.chance("Land"), 200e-6, 1, 200),
        ("draw seen, then next draw", lambda: mine.draw(1, ["spell 5"]).chance("Land"), 200e-6, 1, 200),
        ("card seen, then opponent's next", lambda: other.see(["Land"], 1).chance("Land"), 200e-6, 1, 200),
        ("the same, no table kept", lambda: forgetful(other), 200e-6, 1, 200),
        ("at least one land in three", lambda: other.within("Land", 3), None, 1, 200),
        ("count a 99-card deck", lambda: singleton().count(), 10e-3, 1, 50),
        ("count 99 different cards", lambda: distinct().count(), 10e-3, 1, 50),
        ("read and count them as a document", lambda: document().legal().count(), None, 1, 10),
        ("sample, 99-card deck", lambda: big.sample(rng, BATCH), None, BATCH, 3),
    ]
    found = []
    for name, work, floor, per, times in fresh:
        seconds = timed(work, times) / per
        found.append({"name": name, "seconds": seconds, "floor": floor})
        limit = (
            "" if floor is None else f"floor {floor * 1e6:8.0f} µs {'met' if seconds <= floor else 'MISSED'}"
        )
        print(f"{name:34} {seconds * 1e6:10.1f} µs  {limit}", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shuffles", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures there")
    wanted = parser.parse_args()
    figures = measure()
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
