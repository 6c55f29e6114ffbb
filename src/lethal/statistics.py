"""Tail probabilities for tests of randomness: chi-square and normal, without a statistics library."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, lgamma, log, sqrt


def normal_tails(z: float) -> float:
    """The probability that a standard normal value is at least as far from 0, on either side."""
    return erfc(abs(z) / sqrt(2))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The probability that chi-square with so many degrees of freedom is at least this.

    Series or continued fraction of the incomplete gamma function (Abramowitz and Stegun 6.5.29, 6.5.31).
    """
    if freedom < 1:
        raise ValueError(f"chi-square needs a degree of freedom, not {freedom!r}")
    shape, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        at = shape
        while term > total * 1e-16:
            at += 1
            term *= x / at
            total += term
        return max(0.0, 1 - total * scale)
    # Lentz's method for the continued fraction.
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    fraction, step = d, 0
    while step < 100_000:
        step += 1
        a = -step * (step - shape)
        b += 2
        d = 1 / ((a * d + b) or tiny)
        c = (b + a / c) or tiny
        change = d * c
        fraction *= change
        if abs(change - 1) < 1e-15:
            break
    return min(1.0, fraction * scale)


def goodness_of_fit(seen: Sequence[int], expected: Sequence[float], least: float = 5) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; neighbouring cells are pooled until each expects `least`.

    Raises ValueError where fewer than two cells are left: there were too few observations.
    """
    cells: list[list[float]] = []
    for n, mean in zip(seen, expected, strict=True):
        if not cells or cells[-1][1] >= least:
            cells.append([0.0, 0.0])
        cells[-1][0] += n
        cells[-1][1] += mean
    if len(cells) > 1 and cells[-1][1] < least:
        rest = cells.pop()
        cells[-1][0] += rest[0]
        cells[-1][1] += rest[1]
    if len(cells) < 2:
        raise ValueError(f"too few observations for a test: {sum(seen)}")
    return sum((n - mean) ** 2 / mean for n, mean in cells), len(cells) - 1
