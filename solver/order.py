"""Independent components of a problem and the order of shares in which rows are listed, the same for every engine.

Rows rise lexicographically along `listing(problem)`: component after component, inside one the order that keeps
the frontier (open totals, open meters) narrow, and the order of the shares where that is as good as any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import log2
from typing import NamedTuple

from lethal.solver.problem import Full, Literal, Partly, Problem, Short, Table, Used

BIT = 0.7
"""The bits that a gated meter needs once it is closed, or before it opens; while it is open its reading tells."""
FEW = 64
"""Up to how many values of a share its different readings are counted."""


class Edge(NamedTuple):
    """What stays open between its first and last share: an amount up to `most`, by `steps` from each share.

    The bits that its state needs are log2(1 + the amount so far), and `more`.
    """

    kind: str
    steps: Mapping[int, int]
    most: int
    more: float = 0.0

    def bits(self, so_far: int) -> float:
        """How many bits the states need that differ in it."""
        return self.more + log2(1 + min(self.most, so_far))


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
    edges = _edges(problem)
    return [_narrow(group, edges) if narrow else group for group, narrow in zip(groups, wide, strict=True)]


def _narrow(group: Sequence[int], found: Mapping[int, Sequence[Edge]]) -> list[int]:
    """An order of a component's shares whose frontier is narrow."""
    edges = [edge for at in group for edge in found.get(at, ())]
    by_total = [tuple(edge.steps) for edge in edges if edge.kind == "total"]
    by_meter = [tuple(edge.steps) for edge in edges if edge.kind == "meter"]
    if len(by_total) <= 1 and not any(len(shares) > 1 for shares in by_meter):
        return list(group)
    best = list(group)
    least = _cost(best, edges)
    for blocks in (by_total, by_meter):
        if len(blocks) > 1:
            order = _grouped(group, blocks, edges)
            cost = _cost(order, edges)
            if cost < least - 1e-9:
                best, least = order, cost
    return best


def _edges(problem: Problem) -> dict[int, list[Edge]]:
    """What the frontier of a component may hold, by the first of its shares."""
    values = [share.values for share in problem.shares]
    edges: list[Edge] = []
    for total in problem.totals:
        if len(total.shares) > 1:
            steps = {at: values[at][-1] - values[at][0] for at in total.shares}
            edges.append(Edge("total", steps, max(0, min(total.most, sum(steps.values())))))
    gated: dict[int, set[int]] = {}
    for gate in problem.gates:
        for number in gate.meters:
            gated.setdefault(number, set()).add(gate.share)
    read = {x.meter for bound in problem.at_most for x in bound.literals if not isinstance(x, Used)}
    for number in sorted(gated.keys() | read):
        meter = problem.meters[number]
        steps = {at: _step(values[at], table, meter.full) for at, table in meter.terms}
        if steps:
            waiting = gated.get(number)
            edges.append(Edge("meter", steps, meter.full, -BIT if waiting else 0.0))
            if waiting:
                edges.append(Edge("gate", dict.fromkeys((*steps, *waiting), 0), 0, BIT))
    found: dict[int, list[Edge]] = {}
    for edge in edges:
        found.setdefault(next(iter(edge.steps)), []).append(edge)
    return found


def _step(values: Sequence[int], table: Table, full: int) -> int:
    """How many readings a share adds to those that its meter may have: one where it needs but one damage."""
    if len(values) > FEW:
        return min(full, table(values[-1]))
    return len({min(full, table(value)) for value in values}) - 1


def _cost(order: Sequence[int], edges: Sequence[Edge]) -> float:
    """The number of states that the frontier could hold, summed over the layers, as a logarithm."""
    place = {at: position for position, at in enumerate(order)}
    change = [0.0] * (len(order) + 1)
    for edge in edges:
        so_far, bits = 0, 0.0
        steps = sorted([(place[at], step) for at, step in edge.steps.items() if at in place])
        for position, step in steps:
            so_far += step
            now = edge.bits(so_far)
            change[position] += now - bits
            bits = now
        change[steps[-1][0]] -= bits
    total = width = 0.0
    for delta in change:
        width += delta
        total += 2.0 ** min(width, 200.0)
    return log2(total)


def _grouped(group: Sequence[int], blocks: Sequence[tuple[int, ...]], edges: Sequence[Edge]) -> list[int]:
    """Block after block, each time the one that leaves the least open; ties in the given order."""
    touching: dict[int, list[int]] = {at: [] for at in group}
    for number, edge in enumerate(edges):
        for at in edge.steps:
            if at in touching:
                touching[at].append(number)
    left = [sum(at in touching for at in edge.steps) for edge in edges]
    so_far = [0] * len(edges)
    open_bits = [0.0] * len(edges)
    order: list[int] = []
    done: set[int] = set()

    def change(block: Sequence[int]) -> float:
        touched: dict[int, tuple[int, int]] = {}
        for at in block:
            if at not in done:
                for number in touching[at]:
                    count, step = touched.get(number, (0, 0))
                    touched[number] = count + 1, step + edges[number].steps[at]
        growth = 0.0
        for number, (count, step) in touched.items():
            after = edges[number].bits(so_far[number] + step) if count < left[number] else 0.0
            growth += after - open_bits[number]
        return round(growth, 6)

    of_edge: list[set[int]] = [set() for _ in edges]
    for number, block in enumerate(blocks):
        for at in block:
            for tied in touching.get(at, ()):
                of_edge[tied].add(number)
    known: list[float | None] = [change(block) for block in blocks]
    heap = [(growth, number) for number, growth in enumerate(known)]
    heapify(heap)
    while heap:
        growth, at = heappop(heap)
        if growth != known[at]:
            continue
        known[at] = None
        stale: set[int] = set()
        for share in sorted(share for share in blocks[at] if share not in done):
            done.add(share)
            order.append(share)
            for number in touching[share]:
                left[number] -= 1
                so_far[number] += edges[number].steps[share]
                open_bits[number] = edges[number].bits(so_far[number]) if left[number] else 0.0
                stale |= of_edge[number]
        for number in stale:
            if known[number] is not None and (now := change(blocks[number])) != known[number]:
                known[number] = now
                heappush(heap, (now, number))
    order += [at for at in group if at not in done]
    return order
