"""An objective as one integer a row, the sum of a weight an arc: lexicographic scores in mixed radix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lethal.solver.diagram.layers import Diagram, Layer
from lethal.solver.problem import AMOUNT, Meter, Objective, Problem, Table


class Scoring:
    """The weights of an objective over a problem.

    `problem` has the objective's meters too; `read` are those whose final readings a weight depends on in a
    way that does not split over the shares, so that the diagram has to note them.
    """

    def __init__(self, problem: Problem, objective: Objective) -> None:
        meters = problem.meters + objective.meters
        shares: dict[int, list[list[Any]]] = {}
        readings: dict[int, list[list[Any]]] = {}
        spans = []
        for number, score in enumerate(objective.scores):
            span = 0
            for at, table in score.shares:
                values = problem.shares[at].values
                shares.setdefault(at, []).append([number, table, None])
                low, high = table.extremes(values)
                span += high - low
            for at, table in score.meters:
                meter = meters[at]
                if not meter.terms:
                    continue
                low, high = table.extremes(range(meter.full + 1))
                slope = _slope(problem, meter, table)
                if slope is not None:
                    for share, gain in meter.terms:
                        shares.setdefault(share, []).append([number, gain, ("by", slope)])
                elif len(meter.terms) == 1:
                    share, gain = meter.terms[0]
                    shares.setdefault(share, []).append([number, gain, ("clip", meter.full, table)])
                else:
                    readings.setdefault(at, []).append([number, table, None])
                span += high - low
            spans.append(span)
        self.radix = [1] * len(spans)
        for number in range(len(spans) - 2, -1, -1):
            self.radix[number] = self.radix[number + 1] * (spans[number + 1] + 1)
        self._shares, self._readings = shares, readings
        self.read = frozenset(readings)
        extended = any(at >= len(problem.meters) for at in readings)
        self.problem = problem.with_meters(objective.meters) if extended else problem
        self.meters = meters
        self.objective = objective

    def over(self, share: int, values: Sequence[int]) -> list[int]:
        """What each of these values of a share adds."""
        sums = [0] * len(values)
        for number, table, how in self._shares.get(share, ()):
            entries = values if table is AMOUNT else table.over(values)
            by = self.radix[number]
            if how is not None:
                if how[0] == "by":
                    by *= how[1]
                else:
                    entries = how[2].over([min(how[1], entry) for entry in entries])
            sums = [a + b * by for a, b in zip(sums, entries, strict=True)]
        return sums

    def column(self, share: int, column: Sequence[int]) -> list[int]:
        """What each entry of a column of a share's values adds."""
        values = list(set(column))
        known = dict(zip(values, self.over(share, values), strict=True))
        return [known[value] for value in column]

    def weight(self, share: int, value: int) -> int:
        """What a share's value adds."""
        return self.over(share, (value,))[0]

    def noted(self, meter: int, reading: int) -> int:
        """What a noted reading adds."""
        return sum(table(reading) * self.radix[number] for number, table, _ in self._readings[meter])

    def arcs(self, layer: Layer) -> list[int]:
        """The weight of every arc of a layer of lists."""
        if layer.share in self._shares:
            result = self.column(layer.share, layer.value)
        else:
            result = [0] * len(layer.value)
        for meter, readings in layer.reads.items():
            if meter in self._readings:
                noted = {reading: self.noted(meter, reading) for reading in set(readings)}
                result = [a + noted[reading] for a, reading in zip(result, readings, strict=True)]
        return result

    def arrays(self, layer: Layer, safe: bool) -> Any:
        """The weight of every arc of a layer of arrays, int64 if that is safe, else objects."""
        import numpy as np

        kind: Any = np.int64 if safe else object

        def look_up(of: Any, weight: Any) -> Any:
            keys, inverse = np.unique(of, return_inverse=True)
            return np.array([weight(int(key)) for key in keys], dtype=kind)[inverse]

        result: Any = np.zeros(len(layer.value), dtype=kind)
        if layer.share in self._shares:
            result = result + look_up(layer.value, lambda value: self.weight(layer.share, value))
        for meter, readings in layer.reads.items():
            if meter in self._readings:
                result = result + look_up(readings, lambda reading, meter=meter: self.noted(meter, reading))
        return result

    def safe(self) -> bool:
        """Whether every sum of weights fits 64 bits."""
        bound = 0
        for share, terms in self._shares.items():
            values = self.problem.shares[share].values
            for number, table, how in terms:
                low, high = table.extremes(values)
                size = max(abs(low), abs(high))
                if how is not None:
                    if how[0] == "by":
                        size *= abs(how[1])
                    else:
                        size = max(map(abs, how[2].extremes(range(how[1] + 1))))
                bound += size * self.radix[number]
        for meter, noted in self._readings.items():
            for number, table, _ in noted:
                bound += (
                    max(map(abs, table.extremes(range(self.meters[meter].full + 1)))) * self.radix[number]
                )
        return bound < 1 << 62


def tied(problem: Problem, objective: Objective) -> frozenset[int]:
    """The meters that a scoring reads: those with several shares over which their scores do not split."""
    meters = problem.meters + objective.meters
    return frozenset(
        at
        for score in objective.scores
        for at, table in score.meters
        if len(meters[at].terms) > 1 and _slope(problem, meters[at], table) is None
    )


def _slope(problem: Problem, meter: Meter, table: Table) -> int | None:
    """The slope of a score that splits over the meter's shares: a linear one of a meter that never clips.

    The constant part of the score is the same in every row and may be left out.
    """
    if not table.is_linear:
        return None
    most = sum(gain.extremes(problem.shares[at].values)[1] for at, gain in meter.terms)
    return table.pieces[0][2] if most <= meter.full else None


def tops(diagram: Diagram, scoring: Scoring) -> tuple[list[Any], list[Any]]:
    """The weights of every layer's arcs, and for every layer and the terminals each node's best suffix."""
    if diagram.wide:
        return _wide(diagram, scoring)
    weights = [scoring.arcs(layer) for layer in diagram.layers]
    below = [0] * diagram.ends
    result = [below]
    for layer, weight in zip(reversed(diagram.layers), reversed(weights), strict=True):
        each = [a + below[child] for a, child in zip(weight, layer.child, strict=True)]
        start = layer.start
        below = [max(each[start[i] : start[i + 1]]) for i in range(len(start) - 1)]
        result.append(below)
    result.reverse()
    return weights, result


def _wide(diagram: Diagram, scoring: Scoring) -> tuple[list[Any], list[Any]]:
    import numpy as np

    safe = scoring.safe()
    weights = [scoring.arrays(layer, safe) for layer in diagram.layers]
    below: Any = np.zeros(diagram.ends, dtype=np.int64 if safe else object)
    result = [below]
    for layer, weight in zip(reversed(diagram.layers), reversed(weights), strict=True):
        below = np.maximum.reduceat(weight + below[layer.child], np.asarray(layer.start)[:-1])
        result.append(below)
    result.reverse()
    return weights, result


def first(diagram: Diagram, weights: Sequence[Any], top: Sequence[Any]) -> list[int]:
    """Along the layers, the first row of those with the greatest weight."""
    node, values = 0, []
    for depth, layer in enumerate(diagram.layers):
        goal = top[depth][node]
        weight, below = weights[depth], top[depth + 1]
        arc = next(arc for arc in layer.arcs(node) if weight[arc] + below[layer.child[arc]] == goal)
        values.append(int(layer.value[arc]))
        node = int(layer.child[arc])
    return values


def tight(diagram: Diagram, scoring: Scoring) -> Diagram:
    """The diagram of just the rows with the greatest weight."""
    if diagram.empty:
        return diagram
    weights, top = tops(diagram, scoring)
    reached: dict[int, int] = {0: 0}
    layers = []
    for depth, layer in enumerate(Diagram(diagram.layers, diagram.wide).lists):
        below: dict[int, int] = {}
        start, value, child = [0], list[int](), list[int]()
        reads: dict[int, list[int]] = {meter: [] for meter in layer.reads}
        for node in reached:
            goal = top[depth][node]
            for arc in layer.arcs(node):
                to = layer.child[arc]
                if weights[depth][arc] + top[depth + 1][to] == goal:
                    value.append(layer.value[arc])
                    child.append(below.setdefault(to, len(below)))
                    for meter, of in layer.reads.items():
                        reads[meter].append(of[arc])
            start.append(len(value))
        layers.append(Layer(layer.share, start, value, child, dict(reads)))
        reached = below
    ends = diagram.end_columns
    kept = None if ends is None else [ends[end] for end in reached]
    return Diagram(layers, False, len(reached) or 1, kept, diagram.end_keys)
