"""A Problem as a CP-SAT model whose helper variables all follow from the shares, so that solutions are rows.

A literal is reified in both directions, a product of a literal and a sum takes exactly one value, a table is
linear or a sum of interval literals, one for each piece and never one for each value. The share variables
come first and have their shares' numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ortools.sat.python import cp_model

from lethal.solver.engine import TooWide
from lethal.solver.order import listing
from lethal.solver.problem import (
    AtMost,
    Full,
    Gate,
    Literal,
    Meter,
    Objective,
    Partly,
    Problem,
    Short,
    Table,
    Total,
    Used,
    Values,
)

LARGEST = 2**58
"""No amount, sum or score may be larger: the solver computes in 64 bits and adds some of these."""


class Pin(NamedTuple):
    """One score of an objective is held between `least` and `most`, both included; None is open."""

    objective: Objective
    at: int
    least: int | None
    most: int | None


@dataclass(frozen=True, eq=False)
class Quantity:
    """An integer expression and the values that it can take, or a range around them."""

    expr: cp_model.LinearExprT
    values: Values

    def __post_init__(self) -> None:
        if max(abs(self.values[0]), abs(self.values[-1])) > LARGEST:
            raise TooWide(f"CP-SAT cannot compute with amounts as large as {self.values[-1]!r}")

    @property
    def least(self) -> int:
        return self.values[0]

    @property
    def most(self) -> int:
        return self.values[-1]


class Built:
    """The model of a Problem: its share variables in their order, and what quantities and literals it needs.

    Raises TooWide where amounts do not fit the solver's integers.
    """

    def __init__(self, problem: Problem, pins: Iterable[Pin] = ()) -> None:
        self.problem = problem
        self.model = cp_model.CpModel()
        self.shares = [_variable(self.model, str(share), share.values) for share in problem.shares]
        self._amounts = [
            Quantity(x, share.values) for x, share in zip(self.shares, problem.shares, strict=True)
        ]
        self._true: cp_model.BoolVarT = self.model.new_constant(1)
        self._false: cp_model.BoolVarT = self._true.negated()
        self._members: dict[tuple[Quantity, tuple[int, ...]], cp_model.BoolVarT] = {}
        self._tables: dict[tuple[Quantity, Table], Quantity] = {}
        self._meters: dict[Meter, Quantity] = {}
        self._readings: dict[Meter, Quantity] = {}
        self._joint()
        if problem.sequential:
            for circle in circles(problem):
                self._rounds(circle)
        for pin in pins:
            self.hold(self.score(pin.objective, pin.at), pin.least, pin.most)

    def hold(self, quantity: Quantity, least: int | None, most: int | None) -> None:
        """Keep a quantity between two bounds."""
        low, high = quantity.least, quantity.most
        least = low if least is None else min(max(least, low), high + 1)
        most = high if most is None else max(min(most, high), low - 1)
        if least > most:  # the solver would drop an empty interval around a constant
            self.model.add_bool_or([])
        else:
            self.model.add_linear_constraint(quantity.expr, least, most)

    def list_in_order(self) -> list[int]:
        """Make the solver decide share after share, each from its least value up; the order of the shares."""
        order = listing(self.problem)
        self.model.add_decision_strategy(
            [self.shares[at] for at in order], cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE
        )
        return order

    def score(self, objective: Objective, at: int) -> Quantity:
        """One score of an objective."""
        score = objective.scores[at]
        meters = self.problem.meters + objective.meters
        terms = [self._table(self._amounts[share], table) for share, table in score.shares]
        terms += [self._table(self._reading(meters[meter]), table) for meter, table in score.meters]
        return _sum(terms)

    # Quantities.

    def _table(self, quantity: Quantity, table: Table) -> Quantity:
        """A table's entry: a linear expression, else a sum of steps, else a variable that pieces fix."""
        if (quantity, table) not in self._tables:
            self._tables[quantity, table] = self._entry(quantity, table)
        return self._tables[quantity, table]

    def _entry(self, quantity: Quantity, table: Table) -> Quantity:
        first = max(0, bisect_right([start for start, _, _ in table.pieces], quantity.least) - 1)
        pieces = [
            piece for at, piece in enumerate(table.pieces[first:]) if not at or piece[0] <= quantity.most
        ]
        least, most = table.extremes(quantity.values)
        values = range(least, most + 1)
        if len(pieces) == 1:
            return Quantity(_line(quantity, pieces[0]), values)
        reached = [self._true, *(self._member(quantity, start, quantity.most) for start, _, _ in pieces[1:])]
        if not any(slope for _, _, slope in pieces):
            bases = [base for _, base, _ in pieces]
            steps = [b - a for a, b in pairwise(bases)]
            return Quantity(bases[0] + cp_model.LinearExpr.weighted_sum(reached[1:], steps), values)
        entry = _variable(self.model, "", values)
        for piece, begun, over in zip(pieces, reached, [*reached[1:], self._false], strict=True):
            here = self.model.add(entry == _line(quantity, piece))
            here.only_enforce_if(begun, self._not(over))
        return Quantity(entry, values)

    def _meter(self, meter: Meter) -> Quantity:
        """What a meter's terms add up to, not clipped."""
        if meter not in self._meters:
            self._meters[meter] = _sum([self._table(self._amounts[at], table) for at, table in meter.terms])
        return self._meters[meter]

    def _reading(self, meter: Meter) -> Quantity:
        """What a meter reads."""
        if meter not in self._readings:
            total = self._meter(meter)
            if total.most > meter.full:
                values = range(min(total.least, meter.full), meter.full + 1)
                reading = _variable(self.model, f"{meter.name} reads", values)
                self.model.add_min_equality(reading, [total.expr, meter.full])
                total = Quantity(reading, values)
            self._readings[meter] = total
        return self._readings[meter]

    def _times(self, literal: cp_model.BoolVarT, quantity: Quantity) -> Quantity:
        """The quantity where the literal holds, and 0 where it does not."""
        if literal is self._true or quantity.values == range(1):
            return quantity
        if literal is self._false:
            return Quantity(0, range(1))
        values = range(min(0, quantity.least), max(0, quantity.most) + 1)
        product = _variable(self.model, "", values)
        self.model.add(product == quantity.expr).only_enforce_if(literal)
        self.model.add(product == 0).only_enforce_if(literal.negated())
        return Quantity(product, values)

    # Literals.

    def _not(self, literal: cp_model.BoolVarT) -> cp_model.BoolVarT:
        if literal is self._true:
            return self._false
        return self._true if literal is self._false else literal.negated()

    def _member(self, quantity: Quantity, least: int, most: int) -> cp_model.BoolVarT:
        """Literal: the quantity lies between two bounds, both included."""
        least, most = max(least, quantity.least), min(most, quantity.most)
        return self._in(quantity, cp_model.Domain(least, most)) if least <= most else self._false

    def _in(self, quantity: Quantity, wanted: cp_model.Domain) -> cp_model.BoolVarT:
        """Literal: the quantity lies in a set."""
        domain = _domain(quantity.values)
        inside = domain.intersection_with(wanted)
        outside = domain.intersection_with(wanted.complement())
        if inside.is_empty():
            return self._false
        if outside.is_empty():
            return self._true
        key = (quantity, tuple(inside.flattened_intervals()))
        if key not in self._members:
            literal = self.model.new_bool_var("")
            expr = quantity.expr
            self.model.add_linear_expression_in_domain(expr, inside).only_enforce_if(literal)
            self.model.add_linear_expression_in_domain(expr, outside).only_enforce_if(literal.negated())
            self._members[key] = literal
        return self._members[key]

    def _all(self, literals: Sequence[cp_model.BoolVarT]) -> cp_model.BoolVarT:
        """Literal: all of these hold."""
        asked = [x for x in literals if x is not self._true]
        if len(asked) <= 1 or any(x is self._false for x in asked):
            return next((x for x in asked if x is self._false), asked[0] if asked else self._true)
        literal = self.model.new_bool_var("")
        self.model.add_bool_and(asked).only_enforce_if(literal)
        self.model.add_bool_or([literal, *(x.negated() for x in asked)])
        return literal

    def _used(self, share: int, values: Values | None) -> cp_model.BoolVarT:
        amount = self._amounts[share]
        if values is None:
            return self._not(self._member(amount, 0, 0))
        return self._in(amount, _domain(values)) if len(values) else self._false

    def _full(self, meter: Meter, total: Quantity) -> cp_model.BoolVarT:
        return self._member(total, meter.full, max(meter.full, total.most))

    def _literal(self, literal: Literal) -> cp_model.BoolVarT:
        meters = self.problem.meters
        match literal:
            case Used(share, values):
                return self._used(share, values)
            case Full(meter, wanted):
                full = self._full(meters[meter], self._meter(meters[meter]))
                return full if wanted else self._not(full)
            case Partly(meter):
                return self._member(self._meter(meters[meter]), 1, meters[meter].full - 1)
            case Short(share, meter):
                return self._short(share, meters[meter], self._meter(meters[meter]))

    def _short(self, share: int, meter: Meter, total: Quantity) -> cp_model.BoolVarT:
        return self._all([self._used(share, None), self._not(self._full(meter, total))])

    # Constraints.

    def _joint(self) -> None:
        """Totals, and gates and bounds read off the whole row: if sequential, necessary, not sufficient."""
        problem = self.problem
        for total in problem.totals:
            self._total(total)
        for gate in problem.gates:
            for at in gate.meters:
                meter = problem.meters[at]
                full = self._full(meter, self._meter(meter))
                self.model.add_implication(self._used(gate.share, gate.values), full)
        for bound in problem.at_most:
            self.hold(_count([self._literal(literal) for literal in bound.literals]), None, bound.most)

    def _total(self, total: Total) -> None:
        self.hold(_sum([self._amounts[at] for at in total.shares]), total.least, total.most)

    def _rounds(self, circle: Sequence[str]) -> None:
        """The least fixed point over sources that may wait for one another: in each round some join.

        All others count from the start: whoever they wait for is outside the circle or not waiting itself.
        """
        gates: dict[str, list[Gate]] = {source: [] for source in circle}
        bounds: dict[str, list[AtMost]] = {source: [] for source in circle}
        for gate in self.problem.gates:
            gates.setdefault(self.problem.shares[gate.share].source, []).append(gate)
        for bound in self.problem.at_most:
            bounds.setdefault(self.problem.owner(bound) or "", []).append(bound)
        joined = dict.fromkeys(circle, self._false)
        for left in reversed(range(len(circle))):
            able = {}
            for source in circle:
                view = _View(self, circle, joined, source)
                conditions = [
                    self._not(self._all([self._used(gate.share, gate.values), self._not(view.full(at))]))
                    for gate in gates[source]
                    for at in gate.meters
                ]
                conditions += [view.bound(bound) for bound in bounds[source]]
                if not left:
                    self.model.add_bool_and(conditions)
                    continue
                able[source] = self._all(conditions)
                self.model.add_implication(joined[source], able[source])
            joined = able or joined


class _View:
    """What a source sees in one round: its own shares, those of who joined, all from outside the circle."""

    def __init__(
        self, built: Built, circle: Sequence[str], joined: dict[str, cp_model.BoolVarT], source: str
    ) -> None:
        self.built, self.joined = built, joined
        self.waiting = [other for other in circle if other != source]
        self.totals: dict[int, Quantity] = {}

    def total(self, at: int) -> Quantity:
        if at not in self.totals:
            problem = self.built.problem
            parts: dict[str, list[tuple[int, Table]]] = {}
            for share, table in problem.meters[at].terms:
                source = problem.shares[share].source
                parts.setdefault(source if source in self.waiting else "", []).append((share, table))
            sums = []
            for source, terms in parts.items():
                part = _sum([self.built._table(self.built._amounts[share], table) for share, table in terms])
                sums.append(self.built._times(self.joined[source], part) if source else part)
            self.totals[at] = _sum(sums)
        return self.totals[at]

    def full(self, at: int) -> cp_model.BoolVarT:
        return self.built._full(self.built.problem.meters[at], self.total(at))

    def bound(self, bound: AtMost) -> cp_model.BoolVarT:
        meters = self.built.problem.meters
        shorts = [
            self.built._short(literal.share, meters[literal.meter], self.total(literal.meter))
            for literal in bound.literals
            if isinstance(literal, Short)
        ]
        return self.built._member(_count(shorts), min(0, bound.most), bound.most)


def circles(problem: Problem) -> list[list[str]]:
    """The sets of two sources or more that may wait for one another, directly or through others.

    Outside of them sequential and joint reading agree: a source waits only for sources that do not wait for
    it, and in a legal row these all join.
    """
    asked: dict[str, set[int]] = {}
    for gate in problem.gates:
        asked.setdefault(problem.shares[gate.share].source, set()).update(gate.meters)
    for bound in problem.at_most:
        owner = problem.owner(bound)
        if owner is not None:
            asked.setdefault(owner, set()).update(x.meter for x in bound.literals if isinstance(x, Short))
    feeds = [{problem.shares[at].source for at, _ in meter.terms} for meter in problem.meters]
    awaited = {
        source: {other for at in meters for other in feeds[at] if other in asked and other != source}
        for source, meters in asked.items()
    }
    for middle in awaited:  # the transitive closure
        for source in awaited:
            if middle in awaited[source]:
                awaited[source] |= awaited[middle]
    found: list[list[str]] = []
    for source in awaited:
        if source in awaited[source] and not any(source in circle for circle in found):
            found.append([x for x in awaited if x in awaited[source] and source in awaited[x]])
    return found


def _variable(model: cp_model.CpModel, name: str, values: Values) -> cp_model.IntVar:
    if max(abs(values[0]), abs(values[-1])) > LARGEST:
        raise TooWide(f"CP-SAT cannot compute with amounts as large as {values[-1]!r}")
    return model.new_int_var_from_domain(_domain(values), name)


def _domain(values: Values) -> cp_model.Domain:
    if isinstance(values, range):
        return cp_model.Domain(values[0], values[-1])
    return cp_model.Domain.from_values(list(values))


def _line(quantity: Quantity, piece: tuple[int, int, int]) -> cp_model.LinearExprT:
    start, base, slope = piece
    offset = base - slope * start
    if abs(offset) > LARGEST or abs(slope) > LARGEST:
        raise TooWide(f"CP-SAT cannot compute with a table's piece {piece!r}")
    return slope * quantity.expr + offset


def _sum(terms: Sequence[Quantity]) -> Quantity:
    if len(terms) == 1:
        return terms[0]
    least, most = sum(term.least for term in terms), sum(term.most for term in terms)
    return Quantity(cp_model.LinearExpr.sum([term.expr for term in terms]), range(least, most + 1))


def _count(literals: Sequence[cp_model.BoolVarT]) -> Quantity:
    return Quantity(cp_model.LinearExpr.sum(list(literals)), range(len(literals) + 1))
