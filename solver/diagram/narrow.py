"""Compiles a plan on plain integers: the quickest way for small components, and it needs no NumPy."""

from __future__ import annotations

from collections.abc import Sequence

from lethal.solver.diagram.layers import Diagram, Layer, TooManyArcs, empty_diagram
from lethal.solver.diagram.steps import Code, Op, Step

State = tuple[int, ...]

TOTAL, GAIN, MARK, FORBID, SETTLE, MUST, CLOSE, COUNT, SHORT, BOUND, REST, READ, KEEP, CALL = (
    int(c) for c in Code
)


Arcs = list[tuple[int, int, State]]
"""The arcs out of a node, by rising value: value, child, noted readings."""


def build(steps: Sequence[Step], limit: int, ordered_ends: bool = False) -> Diagram:
    """The component's diagram, reduced; raises TooManyArcs if a layer has more than `limit` of them.

    With `ordered_ends` the terminal nodes are kept apart, one for each state left.
    """
    levels: list[list[Arcs]] = []
    states: dict[State, int] = {(): 0}
    for step in steps:
        if len(states) * len(step.values) > limit:
            raise TooManyArcs(step.share, limit)
        following: dict[State, int] = {}
        levels.append([_expand(step, state, following) for state in states])
        states = following
        if not states:
            return empty_diagram([step.share for step in steps])
    return _reduced(steps, levels, list(states), ordered_ends)


def _expand(step: Step, state: State, following: dict[State, int]) -> Arcs:
    """The arcs out of a state: value, child, noted readings."""
    start = [0] * len(step.slots)
    for column, value in zip(step.ins, state, strict=True):
        start[column.slot] = value
    out = [column.slot for column in step.outs]
    arcs = []
    low, high = _range(step, start)
    for t, value in enumerate(step.values):
        if not low <= value <= high:
            continue
        x = start[:]
        noted = run(step.ops, x, t)
        if noted is not None:
            key = tuple([x[slot] for slot in out])
            arcs.append((value, following.setdefault(key, len(following)), noted))
    return arcs


def _range(step: Step, x: list[int]) -> tuple[int, int]:
    """Between which values the step's totals leave the share: where one closes that is often a single one."""
    low, high = step.values[0], step.values[-1]
    for op in step.ops:
        if op[0] != TOTAL:
            break
        so_far = x[op[1]]
        low, high = max(low, op[3] - so_far), min(high, op[4] - so_far)
    return low, high


def run(ops: Sequence[Op], x: list[int], t: int) -> State | None:
    """Runs a step's program for the value at `t`; the noted readings, or None if the state dies."""
    noted: State = ()
    for op in ops:
        code = op[0]
        if code == TOTAL:
            _, slot, values, low, high, free_low, free_high = op
            n = x[slot] + values[t]
            if not low <= n <= high:
                return None
            x[slot] = free_low if free_low <= n <= free_high else n
        elif code == GAIN:
            _, slot, gains, full = op
            n = x[slot] + gains[t]
            x[slot] = n if n < full else full
        elif code == MARK:
            if op[2][t] and x[op[3]] < op[4]:
                x[op[1]] = 1
        elif code == FORBID:
            if op[2][t] and x[op[1]]:
                return None
        elif code == SETTLE:
            _, slot, full, rest, owed, bits = op
            if x[slot] >= full:
                if owed >= 0:
                    x[owed] = 0
                for bit in bits:
                    x[bit] = 0
            elif owed >= 0 and x[owed] and x[slot] + rest < full:
                return None
        elif code == MUST:
            if x[op[1]] + op[3] < op[2]:
                return None
        elif code == COUNT:
            x[op[1]] += op[2][t]
        elif code == SHORT:
            if x[op[2]]:
                x[op[1]] += op[3][t]
        elif code == BOUND:
            n = x[op[1]]
            if n > op[2]:
                return None
            if n < op[3]:
                x[op[1]] = op[3]
        elif code == REST:
            _, slot, full, rest, floor, bits = op
            if bits is not None and not any(map(x.__getitem__, bits)):
                x[slot] = full
            elif x[slot] > floor and x[slot] + rest < full:
                x[slot] = floor
        elif code == READ:
            noted += (x[op[1]],)
        elif code == KEEP:
            x[op[1]] = op[2][t]
        elif code == CALL:
            if not op[1](x, t):
                return None
        else:
            close(op, x)
    return noted


def close(op: Op, x: list[int]) -> None:
    """A meter's last share is known: what waited for it is decided."""
    _, slot, full, lacking, counts, fulls, partlys = op
    short = x[slot] < full
    for counter, wanted in fulls:
        x[counter] += short is not wanted
    if short:
        for bit in lacking:
            x[bit] = 1
        for counter, bit in counts:
            x[counter] += x[bit]
        if x[slot] > 0:
            for counter in partlys:
                x[counter] += 1


def _reduced(
    steps: Sequence[Step],
    levels: Sequence[Sequence[Arcs]],
    ends: list[State],
    ordered_ends: bool,
) -> Diagram:
    """Bottom-up: arcs into dead ends go, nodes with equal arcs become one."""
    rename: list[int] = list(range(len(ends))) if ordered_ends else [0] * len(ends)
    nodes: list[list[tuple[tuple[int, int, State], ...]]] = []
    for expanded in reversed(levels):
        merged: dict[tuple[tuple[int, int, State], ...], int] = {}
        above = []
        for arcs in expanded:
            kept = tuple([(v, rename[c], r) for v, c, r in arcs if rename[c] >= 0])
            above.append(merged.setdefault(kept, len(merged)) if kept else -1)
        nodes.append(list(merged))
        rename = above
    nodes.reverse()
    if not nodes[0]:
        return empty_diagram([step.share for step in steps])
    layers = []
    for step, level in zip(steps, nodes, strict=True):
        start, value, child = [0], list[int](), list[int]()
        meters = [op[2] for op in step.ops if op[0] == READ]
        reads: dict[int, list[int]] = {at: [] for at in meters}
        for node in level:
            for v, c, noted in node:
                value.append(v)
                child.append(c)
                for at, reading in zip(meters, noted, strict=True):
                    reads[at].append(reading)
            start.append(len(value))
        layers.append(Layer(step.share, start, value, child, dict(reads)))
    if not ordered_ends:
        return Diagram(layers, False)
    return Diagram(layers, False, len(ends), ends, [column.key for column in steps[-1].outs])
