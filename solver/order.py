"""Independent components of a problem and the order of shares in which rows are listed, the same for every engine.

Rows rise lexicographically along `listing(problem)`: component after component, inside one the order that keeps
the frontier (open totals, open meters) narrow, and the order of the shares where that is as good as any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import TypeAlias

from lethal.solver.problem import Full, Literal, Partly, Problem, Short, Used

BIT = 0.7
"""The bits that a gated meter needs once it is closed, or before it opens; while it is open its reading tells."""

Edge: TypeAlias = tuple[int, str, tuple[int, ...], float]
"""Its number, what it is, the shares between which it is open, and how many bits it needs there."""


def literal_shares(problem: Problem, literal: Literal) -> tuple[int, ...]:
    """The shares that a literal reads, those of its meter included."""
    match literal:
        case Used(share, _):
            return (share,)
        case Full(meter, _) | Partly(meter):
            return tuple(at for at, _ in problem.meters[meter].terms)
        case Short(share, meter):
            return (share, *(at for at, _ in problem.meters[meter].terms))


def couplings(problem: Problem, read: Sequence[int] = ()) -> list[tuple[int, ...]]:
    """The sets of shares that something ties together: totals, gates, at-mosts, and the meters in `read`."""
    sets = [total.shares for total in problem.totals]
    meters = problem.meters
    for gate in problem.gates:
        sets.append((gate.share, *(at for meter in gate.meters for at, _ in meters[meter].terms)))
    for bound in problem.at_most:
        sets.append(tuple(at for literal in bound.literals for at in literal_shares(problem, literal)))
    sets += [tuple(at for at, _ in meters[meter].terms) for meter in read]
    return sets + _turns(problem)


def _turns(problem: Problem) -> list[tuple[int, ...]]:
    """In a sequential problem a source has one turn: the shares of each that waits for others."""
    if not problem.sequential:
        return []
    waiting = {problem.shares[gate.share].source for gate in problem.gates}
    waiting |= {owner for bound in problem.at_most if (owner := problem.owner(bound)) is not None}
    if len(waiting) < 2:
        return []
    turns: dict[str, list[int]] = {}
    for at, share in enumerate(problem.shares):
        if share.source in waiting:
            turns.setdefault(share.source, []).append(at)
    return [tuple(shares) for shares in turns.values()]


def components(problem: Problem, read: Sequence[int] = ()) -> list[list[int]]:
    """The independent groups of shares, each rising, ordered by their first share."""
    parent = list(range(len(problem.shares)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = at = parent[parent[at]]
        return at

    for tied in couplings(problem, read):
        if len(tied) > 1:
            first = root(tied[0])
            for at in tied[1:]:
                other = root(at)
                if other != first:
                    low, first = (first, other) if first < other else (other, first)
                    parent[first] = low
                    first = low
    groups: dict[int, list[int]] = {}
    for at in range(len(parent)):
        groups.setdefault(root(at), []).append(at)
    return list(groups.values())


def listing(problem: Problem) -> list[int]:
    """The order of shares along which rows are listed."""
    return [at for group in along(problem, components(problem)) for at in group]


def along(problem: Problem, groups: Sequence[list[int]]) -> list[list[int]]:
    """The components of a problem, one after the other, each along the listing."""
    totals: dict[int, int] = {}
    for total in problem.totals:
        if len(total.shares) > 1:
            totals[total.shares[0]] = totals.get(total.shares[0], 0) + 1
    joint = any(len(meter.terms) > 1 for meter in problem.meters)
    wide = [len(group) > 2 and (joint or sum(totals.get(at, 0) for at in group) > 1) for group in groups]
    if not any(wide):
        return list(groups)
    found = _edges(problem)
    return [_narrow(group, found) if narrow else group for group, narrow in zip(groups, wide, strict=True)]


def _narrow(group: Sequence[int], found: Mapping[int, Sequence[Edge]]) -> list[int]:
    """An order of a component's shares whose frontier is narrow."""
    edges = [edge[1:] for edge in sorted(edge for at in group for edge in found.get(at, ()))]
    by_total = [shares for kind, shares, _ in edges if kind == "total"]
    by_meter = [shares for kind, shares, _ in edges if kind == "meter"]
    if len(by_total) <= 1 and not any(len(shares) > 1 for shares in by_meter):
        return list(group)
    sets = [(shares, width) for _, shares, width in edges]
    best = list(group)
    least = _cost(best, sets)
    for blocks in (by_total, by_meter):
        if len(blocks) > 1:
            order = _grouped(group, blocks, sets)
            cost = _cost(order, sets)
            if cost < least - 1e-9:
                best, least = order, cost
    return best


def _edges(problem: Problem) -> dict[int, list[Edge]]:
    """What stays open between its first and last share, with the bits its state needs, by one of its shares."""
    found: list[tuple[int, str, tuple[int, ...], float]] = []
    for total in problem.totals:
        if len(total.shares) > 1:
            most = max(0, min(total.most, _most(problem, total.shares)))  # a total may be negative
            found.append((total.shares[0], "total", total.shares, log2(1 + most)))
    gated: dict[int, set[int]] = {}
    for gate in problem.gates:
        for meter in gate.meters:
            gated.setdefault(meter, set()).add(gate.share)
    needed = set(gated)
    for bound in problem.at_most:
        needed.update(x.meter for x in bound.literals if isinstance(x, Full | Partly | Short))
    for meter in needed:
        shares = tuple(at for at, _ in problem.meters[meter].terms)
        if shares:
            waiting = gated.get(meter)
            width = log2(1 + problem.meters[meter].full) - (BIT if waiting else 0)
            found.append((shares[0], "meter", shares, max(0.0, width)))
            if waiting:
                found.append((shares[0], "gate", tuple({*shares, *waiting}), BIT))
    edges: dict[int, list[Edge]] = {}
    for number, (at, kind, shares, width) in enumerate(found):
        edges.setdefault(at, []).append((number, kind, shares, width))
    return edges


def _most(problem: Problem, shares: Sequence[int]) -> int:
    return max(1, sum(problem.shares[at].values[-1] for at in shares))


def _cost(order: Sequence[int], sets: Sequence[tuple[tuple[int, ...], float]]) -> float:
    """The sum over layers of the states that the frontier could hold, as its logarithm's maximum and mean."""
    place = {at: position for position, at in enumerate(order)}
    change = [0.0] * (len(order) + 1)
    for shares, width in sets:
        places = [place[at] for at in shares if at in place]
        first, last = min(places), max(places)
        change[first] += width
        change[last] -= width
    total = width = 0.0
    for delta in change:
        width += delta
        total += 2.0 ** min(width, 200.0)
    return log2(total)


def _grouped(
    group: Sequence[int], blocks: Sequence[tuple[int, ...]], sets: Sequence[tuple[tuple[int, ...], float]]
) -> list[int]:
    """Block after block, each time the one that leaves the least open; ties in the given order."""
    touching: dict[int, list[int]] = {at: [] for at in group}
    for number, (shares, _) in enumerate(sets):
        for at in shares:
            if at in touching:
                touching[at].append(number)
    remaining = [len([at for at in shares if at in touching]) for shares, _ in sets]
    size = list(remaining)
    waiting = list(range(len(blocks)))
    order: list[int] = []
    done: set[int] = set()

    def change(block: Sequence[int]) -> float:
        touched: dict[int, int] = {}
        for at in block:
            if at not in done:
                for number in touching[at]:
                    touched[number] = touched.get(number, 0) + 1
        growth = 0.0
        for number, count in touched.items():
            opened = remaining[number] < size[number]
            closed = remaining[number] == count
            growth += sets[number][1] * ((0 if closed else 1) - (1 if opened else 0))
        return growth

    of_set: list[set[int]] = [set() for _ in sets]
    for number, block in enumerate(blocks):
        for at in block:
            for tied in touching.get(at, ()):
                of_set[tied].add(number)
    known = [change(block) for block in blocks]
    while waiting:
        at = min(waiting, key=lambda number: (known[number], number))
        waiting.remove(at)
        stale: set[int] = set()
        for share in sorted(share for share in blocks[at] if share not in done):
            done.add(share)
            order.append(share)
            for number in touching[share]:
                remaining[number] -= 1
                stale |= of_set[number]
        for number in stale:
            known[number] = change(blocks[number])
    order += [at for at in group if at not in done]
    return order
