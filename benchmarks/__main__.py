"""Run the benchmarks: `python -m benchmarks [NAME ...] [--json FILE] [--plot FILE]`, from the top folder.

Every figure is a ratio or a time of one run; times are medians. Nothing here is a test.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import lethal
from benchmarks import shuffles
from benchmarks.families import SPECS, Document, full, shared, typical


def timed(work: Callable[[], Any], least: float = 0.2, most: int = 2000) -> tuple[float, Any]:
    """Median seconds of a call after one warm-up, and its last result."""
    start = time.perf_counter()
    result = work()
    if time.perf_counter() - start > 2.0:
        return time.perf_counter() - start, result
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - begin < least and len(times) < most):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return median(times), result


def growth(names: list[str]) -> list[dict[str, Any]]:
    """Counting each family along its sizes, from a scenario object."""
    rows = []
    for name in names:
        for size in SPECS[name].sizes:
            scenario = lethal.load(SPECS[name].build(size))
            problem = scenario.problem
            seconds, count = timed(lambda p=problem: lethal.Assignments(p).count())
            rows.append({"family": name, "size": size, "seconds": seconds, "count": str(count)})
            print(f"{name:8} {size:4}  count {_short(count):>16}  {seconds * 1e3:10.3f} ms", flush=True)
    return rows


def _short(count: int) -> str:
    return f"{count:,}" if count < 10**12 else f"{str(count)[0]}.{str(count)[1:4]}e{len(str(count)) - 1}"


def listing(limit: int | None) -> dict[str, Any]:
    """Listing the full 4x4 against copying the same bytes and against CP-SAT's rate, in one run.

    Listing and copying take turns, the median of three turns counts.
    """
    problem = lethal.load(full(4)).problem
    lethal.Assignments(problem).count()
    # More than caches hold, as the whole list is.
    source, target = np.ones(1 << 26, np.uint8), np.zeros(1 << 26, np.uint8)
    listed: list[float] = []
    shares: list[float] = []
    for _ in range(3):
        rows, sizes, start = 0, 0, time.perf_counter()
        for block in lethal.Assignments(problem).blocks(65536):
            rows += len(block)
            sizes += block.nbytes
            if limit is not None and rows >= limit:
                break
        listed.append(time.perf_counter() - start)
        copied, begin = 0, time.perf_counter()
        while copied < sizes:
            np.copyto(target, source)
            copied += source.nbytes
        shares.append((time.perf_counter() - begin) * sizes / copied / listed[-1])
    seconds, share = median(listed), median(shares)
    begin, slow = time.perf_counter(), 0
    for _ in lethal.Assignments(problem, "cpsat").engine.rows():
        slow += 1
        if slow == 20_000:
            break
    rate = slow / (time.perf_counter() - begin)
    result = {
        "rows": rows,
        "rows_per_second": rows / seconds,
        "of_copying": share,
        "cpsat_rows_per_second": rate,
        "times_cpsat": rows / seconds / rate,
    }
    print(
        f"listing  {rows:,} rows at {rows / seconds / 1e6:.1f} million a second: {share:.2f} of copying's speed "
        f"({min(shares):.2f} to {max(shares):.2f}), {rows / seconds / rate:,.0f} times cpsat ({rate:,.0f}/s)"
    )
    return result


def best(name: str, document: Document) -> dict[str, Any]:
    """The best assignment of a combat, from a new scenario object to the result, by both engines.

    The engines take turns, so that a busy moment hurts both; CP-SAT has one worker.
    """
    times: dict[str, list[float]] = {"diagram": [], "cpsat": [], "document": []}
    scores: set[tuple[int, ...]] = set()
    for turn in range(-20, 400):
        for engine in ("diagram", "cpsat") if turn % 10 == 0 else ("diagram",):
            begin = time.perf_counter()
            scenario = lethal.load(document)
            start = time.perf_counter()
            found = scenario.best("kills", engine=engine)
            end = time.perf_counter()
            scores.add(found.score)
            if turn >= 0:
                times[engine].append(end - start)
                if engine == "diagram":
                    times["document"].append(end - begin)
    assert len(scores) == 1, scores
    fast, slow, whole = (median(times[name]) for name in ("diagram", "cpsat", "document"))
    print(
        f"best of {name:7s} {fast * 1e6:.0f} µs ({whole * 1e6:.0f} µs with reading the document), "
        f"cpsat {slow * 1e6:.0f} µs: {slow / fast:.1f} times faster"
    )
    return {"diagram": fast, "cpsat": slow, "times": slow / fast, "with_reading": whole}


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """The growth curves as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "lethal"  # the same figures draw the same file
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for name in dict.fromkeys(row["family"] for row in rows):
        points = [row for row in rows if row["family"] == name]
        axes.plot([p["size"] for p in points], [p["seconds"] * 1e3 for p in points], marker="o", label=name)
    axes.set(
        xscale="log", yscale="log", xlabel="size", ylabel="milliseconds to count", title="Counting, exactly"
    )
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None} if path.suffix == ".svg" else None)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", help=f"{', '.join(SPECS)}, listing, best, shuffles (default: all)"
    )
    parser.add_argument("--rows", type=int, help="list only so many rows")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--plot", type=Path, help="draw the growth curves there (needs matplotlib)")
    wanted = parser.parse_args()
    names = wanted.names or [*SPECS, "listing", "best", "shuffles"]
    figures: dict[str, Any] = {"growth": growth([n for n in names if n in SPECS])}
    if "listing" in names:
        figures["listing"] = listing(wanted.rows)
    if "best" in names:
        figures["best"] = {of.__name__: best(of.__name__, of()) for of in (typical, shared)}
    if "shuffles" in names:
        figures["shuffles"] = shuffles.measure()
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {figures['peak_mb']:.0f} MB")
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=1))
    if wanted.plot:
        plot(figures["growth"], wanted.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
