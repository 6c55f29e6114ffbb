"""From a component to a plan: what each layer's state holds and how a value of its share changes it.

A state is a row of small integers, its columns: partial totals, clipped readings of open meters, a bit `owed`
where a seen gate needs an open meter full, a bit `lacking` where a share still to come has a gate on meters that
closed without being full, a bit `pending` for a literal that waits for its meter, counters of the literals that
hold. A column lives only while a later layer needs it, and values that cannot differ in what follows become one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lethal.solver.diagram.presolve import Reduced
from lethal.solver.diagram.steps import Code, Column, Key, Step
from lethal.solver.problem import Full, Partly, Problem, Short, Table, Used


@dataclass(frozen=True, slots=True)
class Reading:
    """A meter as the plan follows it: terms by layer, first and last layer, who waits for it."""

    at: int
    full: int
    terms: dict[int, Table]
    first: int
    last: int
    gated: tuple[int, ...]
    partly: bool
    judged: bool
    pending: tuple[tuple[Key, int], ...]


def plan(
    reduced: Reduced,
    order: Sequence[int],
    read: frozenset[int] = frozenset(),
    keep: tuple[Sequence[int], Sequence[int]] = ((), ()),
    *,
    joint: bool = True,
) -> list[Step]:
    """The steps of a component along `order`.

    Meters in `read` are noted as they close; the shares and meters in `keep` stay in the state to the end. Without
    `joint` gates and the bounds that belong to a source are left out.
    """
    return _Planner(reduced, order, read, keep, joint).steps()


class _Planner:
    def __init__(
        self,
        reduced: Reduced,
        order: Sequence[int],
        read: frozenset[int],
        keep: tuple[Sequence[int], Sequence[int]],
        joint: bool,
    ) -> None:
        self.problem: Problem = reduced.problem
        self.order = order
        self.place = place = {at: layer for layer, at in enumerate(order)}
        self.domains = [reduced.domains[at] for at in order]
        mine = sorted(order)
        self.needs = [need for at in mine for need in reduced.thin_at.get(at, ())] if joint else []
        bounds = sorted(number for at in mine for number in reduced.bounds_at.get(at, ()))
        self.bounds = [b for b in map(reduced.bounds.__getitem__, bounds) if joint or b.owner is None]
        self.totals = sorted(number for at in mine for number in reduced.totals_at.get(at, ()))
        self.kept_shares = frozenset(keep[0]) & place.keys()
        self.kept_meters = frozenset(keep[1])
        self.read = read
        self.meters = self._readings()
        self.end = len(order)

    def _readings(self) -> dict[int, Reading]:
        place = self.place
        gated: dict[int, list[int]] = {}
        for need in self.needs:
            for at in need.meters:
                gated.setdefault(at, []).append(place[need.share])
        partly, judged = set(), set()
        pending: dict[int, dict[Key, int]] = {}
        for bound in self.bounds:
            for literal in bound.literals:
                match literal:
                    case Full(meter, _):
                        judged.add(meter)
                    case Partly(meter):
                        partly.add(meter)
                    case Short(share, meter):
                        pending.setdefault(meter, {})["pending", share, meter] = place[share]
        wanted = self.read | self.kept_meters
        noted = {at for at in wanted if any(share in place for share, _ in self.problem.meters[at].terms[:1])}
        used = gated.keys() | judged | partly | pending.keys() | noted
        result = {}
        for at in sorted(used):
            read = self.problem.meters[at]
            terms = {place[share]: table for share, table in read.terms if share in place}
            if terms:
                layers = tuple(sorted(gated.get(at, ())))
                waiting = tuple(pending.get(at, {}).items())
                first, last = min(terms), max(terms)
                result[at] = Reading(
                    at, read.full, terms, first, last, layers, at in partly, at in judged, waiting
                )
        return result

    def steps(self) -> list[Step]:
        """Every layer's program, with the columns of each step those that the one before left."""
        steps = [Step(at, tuple(self.domains[layer])) for layer, at in enumerate(self.order)]
        self._columns(steps)
        self._totals(steps)
        self._gains(steps)
        self._gates(steps)
        self._literals(steps)
        self._settle(steps)
        self._bounds(steps)
        self._rest(steps)
        for share in self.kept_shares:
            step = steps[self.place[share]]
            step.ops.append((Code.KEEP, step.slot(("kept", share)), step.values))
        for step in steps:
            step.touched = len(step.slots)
            step.outs = [column._replace(slot=step.slot(column.key)) for column in step.outs]
        for before, step in pairwise(steps):
            step.ins = [column._replace(slot=step.slot(column.key)) for column in before.outs]
        return steps

    def _live(self, steps: list[Step], key: Key, start: int, stop: int, base: int, size: int) -> None:
        """The column is part of the state after the layers start..stop - 1."""
        for layer in range(start, stop):
            steps[layer].outs.append(Column(key, -1, base, size))

    def _columns(self, steps: list[Step]) -> None:
        for reading in self.meters.values():
            at, last = reading.at, reading.last
            kept = at in self.kept_meters
            self._live(steps, ("meter", at), reading.first, self.end if kept else last, 0, reading.full + 1)
            start, stop = self._owed(reading)
            self._live(steps, ("owed", at), start, stop, 0, 2)
            for key, layer in reading.pending:
                self._live(steps, key, layer, last, 0, 2)
        for meters, layer in self._lacking().items():
            start = min(self.meters[at].last for at in meters)
            self._live(steps, ("lacking", meters), start, layer, 0, 2)
        for share in self.kept_shares:
            layer = self.place[share]
            values = steps[layer].values
            self._live(steps, ("kept", share), layer, self.end, values[0], values[-1] - values[0] + 1)

    def _owed(self, reading: Reading) -> tuple[int, int]:
        """The layers whose states hold the owed bit; later ones know it from the reading alone."""
        if not reading.gated:
            return 0, 0
        stop = reading.last
        loose = reading.at in self.read or reading.at in self.kept_meters
        if not (loose or reading.judged or reading.partly or reading.pending):
            stop = min(stop, max(reading.gated[-1], reading.first))
        return reading.gated[0], max(stop, reading.gated[0])

    def _lacking(self) -> dict[tuple[int, ...], int]:
        """The sets of meters that close before a share asks about them, with the last layer that asks."""
        result: dict[tuple[int, ...], int] = {}
        for need in self.needs:
            layer = self.place[need.share]
            early = self._early(need.meters, layer)
            if early:
                result[early] = max(layer, result.get(early, 0))
        for reading in self.meters.values():
            for _, layer in reading.pending:
                if reading.last < layer:
                    result[(reading.at,)] = max(layer, result.get((reading.at,), 0))
        return result

    def _early(self, meters: Sequence[int], layer: int) -> tuple[int, ...]:
        return tuple(sorted(at for at in meters if self.meters[at].last < layer))

    def _totals(self, steps: list[Step]) -> None:
        for number in self.totals:
            total = self.problem.totals[number]
            layers = sorted(self.place[at] for at in total.shares)
            least_rest = sum(steps[layer].values[0] for layer in layers)
            most_rest = sum(steps[layer].values[-1] for layer in layers)
            so_far_least = so_far_most = 0
            for at, layer in enumerate(layers):
                step = steps[layer]
                so_far_least += step.values[0]
                so_far_most += step.values[-1]
                least_rest -= step.values[0]
                most_rest -= step.values[-1]
                low = max(so_far_least, total.least - most_rest)
                high = min(so_far_most, total.most - least_rest)
                free = (total.least - least_rest, total.most - most_rest)
                free_low = max(free[0], low)
                key = ("total", number)
                step.ops.append((Code.TOTAL, step.slot(key), step.values, low, high, free_low, free[1]))
                stop = layers[at + 1] if at + 1 < len(layers) else layer
                self._live(steps, key, layer, stop, low, max(1, high - low + 1))

    def _gains(self, steps: list[Step]) -> None:
        for reading in self.meters.values():
            for layer, table in reading.terms.items():
                step = steps[layer]
                gains = tuple(min(reading.full, table(value)) for value in step.values)
                step.ops.append((Code.GAIN, step.slot(("meter", reading.at)), gains, reading.full))

    def _gates(self, steps: list[Step]) -> None:
        for need in self.needs:
            layer = self.place[need.share]
            step = steps[layer]
            on = tuple(value in need.values for value in step.values)
            for at in need.meters:
                reading = self.meters[at]
                if reading.last >= layer:
                    slot = step.slot(("meter", at))
                    step.ops.append((Code.MARK, step.slot(("owed", at)), on, slot, reading.full))
            early = self._early(need.meters, layer)
            if early:
                step.ops.append((Code.FORBID, step.slot(("lacking", early)), on))

    def _literals(self, steps: list[Step]) -> None:
        for reading in self.meters.values():
            for key, layer in reading.pending:
                if reading.last >= layer:
                    step = steps[layer]
                    on = tuple(value != 0 for value in step.values)
                    slot = step.slot(("meter", reading.at))
                    step.ops.append((Code.MARK, step.slot(key), on, slot, reading.full))

    def _settle(self, steps: list[Step]) -> None:
        lacking = self._lacking()
        for reading in self.meters.values():
            meter, owed = ("meter", reading.at), ("owed", reading.at)
            start, stop = self._owed(reading)
            seen = [layer for layer in reading.gated if layer <= reading.last]
            touched = sorted(set(reading.terms) | set(seen))
            for layer in touched:
                step, rest = steps[layer], self._rest_of(reading, layer)
                implicit = seen and layer > stop
                if implicit:
                    step.ops.append((Code.MUST, step.slot(meter), reading.full, rest))
                else:
                    bits = tuple(step.slot(key) for key, since in reading.pending if since <= layer)
                    bit = step.slot(owed) if seen and start <= layer else -1
                    step.ops.append((Code.SETTLE, step.slot(meter), reading.full, rest, bit, bits))
            self._close(steps[reading.last], reading, lacking)

    def _close(self, step: Step, reading: Reading, lacking: dict[tuple[int, ...], int]) -> None:
        counts, fulls, partlys = [], [], []
        for number, bound in enumerate(self.bounds):
            counter = ("count", number)
            for literal in bound.literals:
                match literal:
                    case Short(share, meter) if meter == reading.at:
                        if self.place[share] <= reading.last:
                            counts.append((step.slot(counter), step.slot(("pending", share, meter))))
                    case Full(meter, wanted) if meter == reading.at:
                        fulls.append((step.slot(counter), wanted))
                    case Partly(meter) if meter == reading.at:
                        partlys.append(step.slot(counter))
                    case _:
                        pass
        bits = tuple(step.slot(("lacking", meters)) for meters in lacking if reading.at in meters)
        slot = step.slot(("meter", reading.at))
        if bits or counts or fulls or partlys:
            step.ops.append(
                (Code.CLOSE, slot, reading.full, bits, tuple(counts), tuple(fulls), tuple(partlys))
            )
        if reading.at in self.read:
            step.ops.append((Code.READ, slot, reading.at))

    def _rest_of(self, reading: Reading, layer: int) -> int:
        """The most that the layers after this one can add."""
        return sum(
            reading.terms[later].extremes(self.domains[later])[1] for later in reading.terms if later > layer
        )

    def _bounds(self, steps: list[Step]) -> None:
        for number, bound in enumerate(self.bounds):
            key = ("count", number)
            layers: list[int] = []
            for literal in bound.literals:
                match literal:
                    case Used(share, values):
                        layer = self.place[share]
                        on = tuple(
                            int(v != 0 if values is None else v in values) for v in steps[layer].values
                        )
                        steps[layer].ops.append((Code.COUNT, steps[layer].slot(key), on))
                    case Short(share, meter) if self.meters[meter].last < self.place[share]:
                        layer = self.place[share]
                        step = steps[layer]
                        on = tuple(int(v != 0) for v in step.values)
                        bit = step.slot(("lacking", (meter,)))
                        step.ops.append((Code.SHORT, step.slot(key), bit, on))
                    case Short(_, meter) | Full(meter, _) | Partly(meter):
                        layer = self.meters[meter].last
                layers.append(layer)
            layers.sort()
            for at, layer in enumerate(layers):
                left = len(layers) - at - 1
                if left and layers[at + 1] == layer:
                    continue
                base = max(0, bound.most - left)
                steps[layer].ops.append((Code.BOUND, steps[layer].slot(key), bound.most, base))
                if left:
                    self._live(steps, key, layer, layers[at + 1], base, bound.most - base + 1)

    def _rest(self, steps: list[Step]) -> None:
        """States that differ only in a reading that nothing will ask about become one."""
        for reading in self.meters.values():
            if reading.at in self.read or reading.at in self.kept_meters:
                continue
            _, stop = self._owed(reading)
            waits = max([*reading.gated, *(layer for _, layer in reading.pending), -1])
            for layer in range(reading.first, reading.last):
                gated = [at for at in reading.gated if at == layer]
                asks = [since for _, since in reading.pending if since == layer]
                if layer not in reading.terms and not gated and not asks:
                    continue
                step = steps[layer]
                bits = None
                quiet = waits <= layer and not reading.judged and not reading.partly
                if quiet and (not reading.gated or layer <= stop):
                    waiting: list[Key] = [key for key, _ in reading.pending]
                    owed: list[Key] = [("owed", reading.at)] if reading.gated else []
                    bits = tuple(step.slot(key) for key in owed + waiting)
                slot = step.slot(("meter", reading.at))
                floor = 1 if reading.partly else 0
                step.ops.append((Code.REST, slot, reading.full, self._rest_of(reading, layer), floor, bits))
