"""What the language means, read off one finished row: the reference that every engine must agree with.

It needs no engine, so it also answers for amounts that no engine could list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Full,
    Gate,
    Literal,
    Meter,
    Partly,
    Problem,
    Row,
    Share,
    Short,
    Used,
)


@dataclass(frozen=True, slots=True)
class Violation:
    """One constraint that a row breaks: its rule, the source and recipient concerned, and words."""

    rule: str
    message: str
    source: str | None = None
    recipient: str | None = None


def readings(problem: Problem, row: Row, counted: set[str] | None = None) -> list[int]:
    """What every meter reads; with `counted`, only the shares of those sources count."""
    if counted is None:
        return read(problem.meters, row)
    shares = problem.shares
    return [
        min(sum(table(row[at]) for at, table in meter.terms if shares[at].source in counted), meter.full)
        for meter in problem.meters
    ]


def read(meters: Sequence[Meter], row: Row) -> list[int]:
    """What these meters read in a row."""
    result = []
    for meter in meters:
        total = 0
        for at, table in meter.terms:
            total += row[at] if table is AMOUNT else table(row[at])
        result.append(total if total < meter.full else meter.full)
    return result


def holds(problem: Problem, row: Row) -> bool:
    """Whether a row (one value a share, in their order) satisfies the problem."""
    return next(_violations(problem, row), None) is None


def violations(problem: Problem, row: Row) -> list[Violation]:
    """Every constraint that a row breaks, in the order of the problem's parts; empty if it is legal."""
    return list(_violations(problem, row))


def _violations(problem: Problem, row: Row) -> Iterator[Violation]:
    if len(row) != len(problem.shares):
        raise ValueError(f"a row needs {len(problem.shares)} values, not {len(row)}")
    for value, share in zip(row, problem.shares, strict=True):
        if value not in share.values:
            yield Violation(
                problem.rule, _outside(share, value), source=share.source, recipient=share.recipient
            )
    for total in problem.totals:
        amount = sum(row[at] for at in total.shares)
        if not total.least <= amount <= total.most:
            sources = {problem.shares[at].source for at in total.shares}
            recipients = {problem.shares[at].recipient for at in total.shares}
            words = total.words or f"the total must lie between {total.least} and {total.most}"
            yield Violation(
                total.rule,
                f"{words}, not {amount}",
                _only(sources),
                _only(recipients) if len(sources) > 1 else None,
            )
    yield from _sequential(problem, row) if problem.sequential else _joint(problem, row)


def _outside(share: Share, value: int) -> str:
    """That a share cannot have a value: where it has a choice, how far it may go."""
    if len(share.values) > 1:
        if value > share.values[-1]:
            return f"{share} may be at most {share.values[-1]}, not {value}"
        if value < share.values[0]:
            return f"{share} must be at least {share.values[0]}, not {value}"
    return f"{share} may not be {value}"


def _only(names: set[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None


def _joint(problem: Problem, row: Row) -> Iterator[Violation]:
    full = readings(problem, row)
    for gate in problem.gates:
        yield from _gate(problem, gate, row, full)
    for bound in problem.at_most:
        yield from _bound(problem, bound, row, full)


def _sequential(problem: Problem, row: Row) -> Iterator[Violation]:
    """The least fixed point: sources join while their gates hold counting themselves and those that joined."""
    own_gates: dict[str, list[Gate]] = {share.source: [] for share in problem.shares}
    own_bounds: dict[str, list[AtMost]] = {source: [] for source in own_gates}
    late: list[AtMost] = []
    for gate in problem.gates:
        own_gates[problem.shares[gate.share].source].append(gate)
    for bound in problem.at_most:
        owner = problem.owner(bound)
        (late if owner is None else own_bounds[owner]).append(bound)
    joined: set[str] = set()
    waiting = list(own_gates)
    faults: dict[str, list[Violation]] = {}
    while waiting:
        faults = {}
        for source in waiting:
            full = readings(problem, row, joined | {source})
            faults[source] = [v for gate in own_gates[source] for v in _gate(problem, gate, row, full)]
            faults[source] += [v for bound in own_bounds[source] for v in _bound(problem, bound, row, full)]
        able = [source for source in waiting if not faults[source]]
        if not able:
            break
        joined.update(able)
        waiting = [source for source in waiting if source not in joined]
    for source in waiting:
        yield from faults[source]
    full = readings(problem, row)
    for bound in late:
        yield from _bound(problem, bound, row, full)


def _gate(problem: Problem, gate: Gate, row: Row, full: Sequence[int]) -> Iterator[Violation]:
    if row[gate.share] not in gate.values:
        return
    lacking = [problem.meters[at] for at in gate.meters if full[at] < problem.meters[at].full]
    if lacking:
        share = problem.shares[gate.share]
        short = ", ".join(
            f"{m.name} has {full[at]} of {m.full}"
            for at in gate.meters
            if full[at] < (m := problem.meters[at]).full
        )
        words = gate.words or f"{share} needs others full first"
        yield Violation(gate.rule, f"{words}: {short}", share.source, share.recipient)


def _bound(problem: Problem, bound: AtMost, row: Row, full: Sequence[int]) -> Iterator[Violation]:
    found = sum(true(literal, problem, row, full) for literal in bound.literals)
    if found > bound.most:
        words = bound.words or "too many at once"
        yield Violation(bound.rule, f"{words}: {found}, at most {bound.most}", problem.owner(bound))


def true(literal: Literal, problem: Problem, row: Row, full: Sequence[int]) -> bool:
    """Whether a literal holds in a row whose meters read `full`."""
    match literal:
        case Used(share, None):
            return row[share] != 0
        case Used(share, values):
            return values is not None and row[share] in values
        case Full(meter, wanted):
            return (full[meter] >= problem.meters[meter].full) is wanted
        case Partly(meter):
            return 0 < full[meter] < problem.meters[meter].full
        case Short(share, meter):
            return row[share] != 0 and full[meter] < problem.meters[meter].full
