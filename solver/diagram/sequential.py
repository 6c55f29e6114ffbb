"""Sequential problems: sources join while their gates hold, counting those that joined before; all must join.

Whether everybody joins is a least fixed point over the set of sources that joined. For every source with gates a
state holds a truth table, a bit for each set of such sources: `bad`, the sets with which its gates fail. Everything
is monotone (who joins only fills meters), so once nothing about a source is open it can be eliminated: put its
own condition where others ask for it (Bekić's theorem), then free its place in the tables.

This is exact. It costs, beside the joint state, up to 2^k bits for each of the k sources that wait at a time, at most
six (ACTIVE), and the states of a layer are expanded one by one in Python, at most a million arcs: some hundred times
slower than the joint reading's arrays. More of either raises TooWide, and CP-SAT, which unrolls the rounds of joining,
still answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from lethal.solver.diagram.compile import plan
from lethal.solver.diagram.presolve import Bound, Need, Reduced
from lethal.solver.diagram.steps import Code, Column, Key, Step
from lethal.solver.engine import TooWide
from lethal.solver.problem import Literal, Problem, Short, Used

ACTIVE = 6
"""How many sources with gates may wait for one another at a time: tables have two to the power of it bits."""

Fill = Callable[[list[int], int], bool]


def gated(reduced: Reduced, group: Sequence[int]) -> list[str]:
    """The sources in a component that have to wait for something."""
    shares, inside = reduced.problem.shares, set(group)
    found = {shares[need.share].source: None for need in reduced.needs if need.share in inside}
    for bound in reduced.bounds:
        if bound.owner is not None and _share_of(bound) in inside:
            found[bound.owner] = None
    return list(found)


def _share_of(bound: Bound) -> int:
    """A share of an owned bound; all its literals have one."""
    return _share(bound.literals[0])


def _share(literal: Literal) -> int:
    """The share of a literal of an owned bound: Short, or Used where presolve decided the meter."""
    if isinstance(literal, Short | Used):
        return literal.share
    raise TypeError(f"only a literal with a share can be checked in a source's turn: {literal!r}")


def sequential_plan(
    reduced: Reduced,
    order: Sequence[int],
    read: frozenset[int],
    keep: tuple[Sequence[int], Sequence[int]],
) -> list[Step]:
    """The steps of a component whose sources join one after the other; raises TooWide if too many wait."""
    steps = plan(reduced, order, read, keep, joint=False)
    _Sequencer(reduced, order, steps).extend()
    return steps


class _Sequencer:
    def __init__(self, reduced: Reduced, order: Sequence[int], steps: list[Step]) -> None:
        self.problem: Problem = reduced.problem
        self.place = place = {at: layer for layer, at in enumerate(order)}
        self.steps = steps
        self.needs: list[Need] = [need for need in reduced.needs if need.share in place]
        self.bounds = [b for b in reduced.bounds if b.owner is not None and _share_of(b) in place]
        self.ops: list[list[Fill]] = [[] for _ in steps]
        self.spans: dict[Key, tuple[int, int]] = {}
        self.sources = gated(reduced, order)
        self.asking = self._asking()
        self.last = {
            at: max(place[s] for s, _ in self.problem.meters[at].terms if s in place) for at in self.asking
        }
        self.ends = {source: self._end(source) for source in self.sources}
        self.spot = self._spots()
        self.width = 1 + max(self.spot.values())
        self.all = (1 << (1 << self.width)) - 1
        sets = range(1 << self.width)
        self.with_ = [sum(1 << t for t in sets if t >> spot & 1) for spot in range(self.width)]

    def _source(self, share: int) -> str:
        return self.problem.shares[share].source

    def _asking(self) -> dict[int, list[str]]:
        """The sources that ask about each meter."""
        found: dict[int, dict[str, None]] = {}
        for need in self.needs:
            for at in need.meters:
                found.setdefault(at, {})[self._source(need.share)] = None
        for bound in self.bounds:
            for literal in bound.literals:
                if isinstance(literal, Short) and bound.owner is not None:
                    found.setdefault(literal.meter, {})[bound.owner] = None
        return {at: list(sources) for at, sources in sorted(found.items())}

    def _end(self, source: str) -> int:
        """The layer after which nothing about the source is open."""
        layers = [self.place[need.share] for need in self.needs if self._source(need.share) == source]
        for bound in self.bounds:
            if bound.owner == source:
                layers += [self.place[_share(x)] for x in bound.literals]
        for at, sources in self.asking.items():
            gives = any(self._source(share) == source for share, _ in self.problem.meters[at].terms)
            if gives or source in sources:
                layers.append(self.last[at])
        return max(layers)

    def _spots(self) -> dict[str, int]:
        """A place in the tables for every source from its first share to its end."""
        first = {source: len(self.steps) for source in self.sources}
        for at, layer in self.place.items():
            source = self._source(at)
            if source in first:
                first[source] = min(first[source], layer)
        for at, sources in self.asking.items():
            opened = min(self.place[s] for s, _ in self.problem.meters[at].terms if s in self.place)
            for source in sources:
                first[source] = min(first[source], opened)
        taken: dict[str, int] = {}
        for source in sorted(self.sources, key=lambda source: first[source]):
            busy = {spot for other, spot in taken.items() if self.ends[other] >= first[source]}
            taken[source] = next(spot for spot in range(len(busy) + 1) if spot not in busy)
        if max(taken.values()) >= ACTIVE:
            raise TooWide(
                f"more than {ACTIVE} sources with gates wait for one another in a sequential problem; "
                "the engine 'cpsat' still answers 'best' and 'bounds'"
            )
        return taken

    def extend(self) -> None:
        """Adds programs and columns to the steps."""
        for at in self.asking:
            self._gains(at)
        for need in self.needs:
            self._gate(need)
        for number, bound in enumerate(self.bounds):
            self._literals(number, bound)
        for at in self.asking:
            self._close(at)
        for source in self.sources:
            self._touch(("bad", source), self.ends[source])
        for layer in range(len(self.steps)):
            self.ops[layer].append(self._alive(layer))
        for at in self.asking:
            self._tidy(at)
        for source in sorted(self.sources, key=lambda source: self.ends[source]):
            self._eliminate(source)
        for layer, (step, fills) in enumerate(zip(self.steps, self.ops, strict=True)):
            step.ops += [(Code.CALL, fill) for fill in fills]
            step.outs += [
                Column(key, step.slot(key), 0, 1) for key, (a, b) in self.spans.items() if a <= layer < b
            ]
        for before, step in pairwise(self.steps):
            step.ins = [column._replace(slot=step.slot(column.key)) for column in before.outs]

    def _touch(self, key: Key, layer: int) -> int:
        """The slot of a part of the state in a layer; it lives between its first and last touch."""
        first, last = self.spans.get(key, (layer, layer))
        self.spans[key] = (min(first, layer), max(last, layer))
        return self.steps[layer].slot(key)

    def _givers(self, at: int) -> list[Key]:
        """The columns of what a meter has got: from each source with gates, and from all others."""
        sources = [self._source(share) for share, _ in self.problem.meters[at].terms if share in self.place]
        return list(dict.fromkeys(("part", at, s if s in self.spot else None) for s in sources))

    def _gains(self, at: int) -> None:
        meter = self.problem.meters[at]
        for share, table in meter.terms:
            layer, source = self.place[share], self._source(share)
            gains = tuple(table(value) for value in self.steps[layer].values)
            slot = self._touch(("part", at, source if source in self.spot else None), layer)

            def gain(x: list[int], t: int, slot: int = slot, gains: tuple[int, ...] = gains) -> bool:
                x[slot] = min(meter.full, x[slot] + gains[t])
                return True

            self.ops[layer].append(gain)

    def _gate(self, need: Need) -> None:
        layer, source = self.place[need.share], self._source(need.share)
        on = tuple(value in need.values for value in self.steps[layer].values)
        bad = self._touch(("bad", source), layer)
        owed, lacking = [], []
        for at in need.meters:
            if self.last[at] < layer:
                lacking.append(self._touch(("lacking", at, source), layer))
            else:
                owed.append(self._touch(("owed", at, source), layer))

        def gate(x: list[int], t: int) -> bool:
            if on[t]:
                for slot in owed:
                    x[slot] = 1
                for slot in lacking:
                    x[bad] |= x[slot]
            return True

        self.ops[layer].append(gate)

    def _literals(self, number: int, bound: Bound) -> None:
        source = str(bound.owner)
        for literal in bound.literals:
            share = _share(literal)
            layer = self.place[share]
            on = tuple(value != 0 for value in self.steps[layer].values)
            if isinstance(literal, Short) and self.last[literal.meter] >= layer:
                slot = self._touch(("waits", share, literal.meter), layer)

                def wait(x: list[int], t: int, slot: int = slot, on: tuple[bool, ...] = on) -> bool:
                    x[slot] = int(on[t])
                    return True

                self.ops[layer].append(wait)
                continue
            known = (
                self._touch(("lacking", literal.meter, source), layer) if isinstance(literal, Short) else -1
            )
            add = self._adder(number, bound, layer)

            def count(
                x: list[int],
                t: int,
                known: int = known,
                on: tuple[bool, ...] = on,
                add: Callable[[list[int], int], None] = add,
            ) -> bool:
                if on[t]:
                    add(x, x[known] if known >= 0 else self.all)
                return True

            self.ops[layer].append(count)

    def _adder(self, number: int, bound: Bound, layer: int) -> Callable[[list[int], int], None]:
        """Counts one more literal in the sets of a table: a table says where at least 1, 2, ... hold."""
        tables = [self._touch(("count", number, bound.owner, k), layer) for k in range(bound.most)]
        tables.append(self._touch(("bad", bound.owner), layer))

        def add(x: list[int], where: int) -> None:
            for above, below in zip(reversed(tables), [*reversed(tables[:-1]), -1], strict=True):
                x[above] |= where & (x[below] if below >= 0 else self.all)

        return add

    def _close(self, at: int) -> None:
        layer, full = self.last[at], self.problem.meters[at].full
        parts = self._givers(at)
        fixed = [self._touch(key, layer) for key in parts if isinstance(key, tuple) and key[2] is None]
        spots = {
            self.spot[key[2]]: self._touch(key, layer)
            for key in parts
            if isinstance(key, tuple) and key[2] is not None
        }
        for source in self.asking[at]:
            owed = self._touch(("owed", at, source), layer)
            bad = self._touch(("bad", source), layer)
            lacking = self._touch(("lacking", at, source), layer)
            waits = [
                (self._touch(("waits", literal.share, at), layer), self._adder(number, bound, layer))
                for number, bound in enumerate(self.bounds)
                for literal in bound.literals
                if isinstance(literal, Short)
                and literal.meter == at
                and bound.owner == source
                and self.place[literal.share] <= layer
            ]
            own = self.spot[source]

            def close(
                x: list[int],
                t: int,
                owed: int = owed,
                bad: int = bad,
                lacking: int = lacking,
                waits: list[tuple[int, Callable[[list[int], int], None]]] = waits,
                own: int = own,
            ) -> bool:
                short = self._short(full - sum(x[slot] for slot in fixed), x, spots, own)
                x[lacking] = short
                if x[owed]:
                    x[bad] |= short
                for slot, add in waits:
                    if x[slot]:
                        add(x, short)
                return True

            self.ops[layer].append(close)

    def _short(self, lack: int, x: list[int], spots: dict[int, int], own: int) -> int:
        """The sets of sources that, with the own one, do not give what is lacking."""
        if own in spots:
            lack -= x[spots[own]]
        if lack <= 0:
            return 0
        givers = [(self.with_[spot], x[slot]) for spot, slot in spots.items() if spot != own and x[slot]]

        def within(at: int, lack: int) -> int:
            if lack <= 0:
                return 0
            if at == len(givers):
                return self.all
            mask, gives = givers[at]
            return mask & within(at + 1, lack - gives) | self.all & ~mask & within(at + 1, lack)

        return within(0, lack)

    def _alive(self, layer: int) -> Fill:
        """A source that fails even with all others joined ends it."""
        bad = [
            self.steps[layer].slot(("bad", source))
            for source in self.sources
            if self.spans[("bad", source)][0] <= layer <= self.spans[("bad", source)][1]
        ]
        top = 1 << ((1 << self.width) - 1)
        return lambda x, t: not any(x[slot] & top for slot in bad)

    def _tidy(self, at: int) -> None:
        """Forgets what a meter has got where nobody waits for it, or where sources without gates fill it."""
        full, last = self.problem.meters[at].full, self.last[at]
        asked = [self.place[need.share] for need in self.needs if at in need.meters]
        keys: list[Key] = [("owed", at, source) for source in self.asking[at]]
        for bound in self.bounds:
            for literal in bound.literals:
                if isinstance(literal, Short) and literal.meter == at:
                    asked.append(self.place[literal.share])
                    keys.append(("waits", literal.share, at))
        for layer in range(last):
            step = self.steps[layer]
            parts = [key for key in self._givers(at) if self.spans[key][0] <= layer]
            slots = [step.slot(key) for key in parts]
            waiting = [step.slot(key) for key in keys if self.spans.get(key, (last, 0))[0] <= layer]
            fixed = [step.slot(key) for key in parts if isinstance(key, tuple) and key[2] is None]
            quiet = max(asked) <= layer

            def tidy(
                x: list[int],
                t: int,
                slots: list[int] = slots,
                waiting: list[int] = waiting,
                fixed: list[int] = fixed,
                quiet: bool = quiet,
            ) -> bool:
                if fixed and x[fixed[0]] >= full:
                    for slot in waiting:
                        x[slot] = 0
                    for slot in slots:
                        x[slot] = full if slot == fixed[0] else 0
                elif quiet and not any(x[slot] for slot in waiting):
                    for slot in slots:
                        x[slot] = 0
                return True

            self.ops[layer].append(tidy)

    def _eliminate(self, source: str) -> None:
        """Puts the source's condition where the tables of others ask whether it joined."""
        layer, spot = self.ends[source], self.spot[source]
        step = self.steps[layer]
        tables = []
        for key, (first, last) in self.spans.items():
            if isinstance(key, tuple) and key[0] in ("bad", "lacking", "count") and first <= layer <= last:
                owner = key[1] if key[0] == "bad" else key[2]
                if owner != source and self.ends[owner] >= layer:
                    tables.append((step.slot(key), self.spot[owner]))
        bad = step.slot(("bad", source))
        top = 1 << ((1 << self.width) - 1)

        def eliminate(x: list[int], t: int) -> bool:
            if x[bad] & top:
                return False
            joins = self.all & ~x[bad]
            for slot, own in tables:
                if x[slot]:
                    zero, one = self._cofactor(x[slot], spot, 0), self._cofactor(x[slot], spot, 1)
                    x[slot] = self._cofactor(one & joins | zero & ~joins, own, 0)
            return True

        self.ops[layer].append(eliminate)

    def _cofactor(self, table: int, spot: int, bit: int) -> int:
        """The table with one source's membership fixed."""
        if bit:
            kept = table & self.with_[spot]
            return kept | kept >> (1 << spot)
        kept = table & ~self.with_[spot]
        return kept | kept << (1 << spot)
