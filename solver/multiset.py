"""Orders of a multiset: how many, the one with a number, and the number of one, in rising order of the labels
given.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial, prod

Parts = Sequence[tuple[int, int]]
"""Labels, each with how often it occurs."""


def arrangements(counts: Sequence[int]) -> int:
    """The multinomial coefficient: how many different orders a multiset has."""
    return factorial(sum(counts)) // prod(map(factorial, counts))


def place(parts: Parts, index: int) -> list[int]:
    """The order with that number, from 0; raises IndexError where there are fewer."""
    left = [n for _, n in parts]
    size, ways = sum(left), arrangements(left)
    if not 0 <= index < ways:
        raise IndexError(f"a multiset with {ways} orders has no number {index!r}")
    order = []
    for rest in range(size, 0, -1):
        for at, n in enumerate(left):
            here = ways * n // rest
            if index < here:
                order.append(parts[at][0])
                left[at], ways = n - 1, here
                break
            index -= here
    return order


def position(parts: Parts, order: Sequence[int]) -> int:
    """The number of an order; raises ValueError where it is not one of this multiset."""
    left = [n for _, n in parts]
    at_label = {label: at for at, (label, _) in enumerate(parts)}
    ways, index, rest = arrangements(left), 0, sum(left)
    if len(order) != rest:
        raise ValueError(f"an order of {rest} items has not {len(order)}: {order!r}")
    for label in order:
        mine = at_label.get(label, -1)
        if mine < 0 or not left[mine]:
            raise ValueError(f"not an order of this multiset: {order!r}")
        index += sum(ways * n // rest for n in left[:mine])
        ways = ways * left[mine] // rest
        left[mine] -= 1
        rest -= 1
    return index
