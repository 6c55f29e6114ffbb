"""How long something takes, for tests of floors."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def quickest(work: Callable[[], Any], times: int = 5) -> float:
    """The least seconds that a call took of so many."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)
