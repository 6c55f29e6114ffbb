"""What holds in every row: smaller domains, gates without implied meters, at-mosts without known literals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from lethal.solver.engine import TooWide
from lethal.solver.problem import Full, Literal, Partly, Problem, Short, Used, Values


@dataclass(frozen=True, slots=True)
class Need:
    """A gate in short: the share, the values that trigger it, the meters it then needs full."""

    share: int
    values: Values
    meters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """An at-most in short; `owner` is the source in whose turn a sequential problem checks it."""

    most: int
    literals: tuple[Literal, ...]
    owner: str | None


@dataclass
class Reduced:
    """A problem as the compiler reads it; `possible` is False where even the parts without shares fail."""

    problem: Problem
    domains: list[Values]
    needs: list[Need]
    bounds: list[Bound]
    possible: bool

    # By a share that they concern, so that each component finds its own.

    @cached_property
    def totals_at(self) -> dict[int, list[int]]:
        """The totals' numbers."""
        numbered = enumerate(self.problem.totals)
        return _by_share((total.shares[0], at) for at, total in numbered if total.shares)

    @cached_property
    def bounds_at(self) -> dict[int, list[int]]:
        """The bounds' numbers."""
        return _by_share((anchor(self.problem, bound), at) for at, bound in enumerate(self.bounds))

    @cached_property
    def thin_at(self) -> dict[int, list[Need]]:
        """The needs without what others imply."""
        return _by_share((need.share, need) for need in thin(self))


Of = TypeVar("Of")


def _by_share(pairs: Iterable[tuple[int, Of]]) -> dict[int, list[Of]]:
    found: dict[int, list[Of]] = {}
    for share, one in pairs:
        found.setdefault(share, []).append(one)
    return found


def anchor(problem: Problem, bound: Bound) -> int:
    """One share that the bound reads."""
    literal = bound.literals[0]
    return literal.share if isinstance(literal, Used | Short) else problem.meters[literal.meter].terms[0][0]


def reduce(problem: Problem, amount_limit: int) -> Reduced:
    """An equivalent, smaller reading of the problem; raises TooWide where a share has too many values."""
    domains, possible = _tighten(problem)
    for share, values in zip(problem.shares, domains, strict=True):
        if len(values) > amount_limit:
            raise TooWide(
                f"{share} has {len(values)} possible values; the diagram compiles at most {amount_limit} "
                "a share (option amount_limit), the engine 'cpsat' takes larger ones"
            )
    low, high = _extremes(problem, domains)
    fulls = [meter.full for meter in problem.meters]
    needs = []
    for gate in problem.gates:
        sure = _sure(problem, domains, low, problem.shares[gate.share].source)
        meters = tuple(dict.fromkeys(at for at in gate.meters if sure(at) < fulls[at]))
        if not meters:
            continue
        if any(high[at] < fulls[at] for at in meters):
            kept = tuple(value for value in domains[gate.share] if value not in gate.values)
            if not kept:
                return Reduced(problem, domains, [], [], False)
            domains[gate.share] = kept
        else:
            needs.append(Need(gate.share, gate.values, meters))
    bounds = []
    for at_most in problem.at_most:
        most = at_most.most
        literals: list[Literal] = []
        sure = _sure(problem, domains, low, problem.owner(at_most))
        for literal in at_most.literals:
            known = _decided(problem, literal, sure, high)
            if isinstance(known, bool):
                most -= known
            else:
                literals.append(known)
        possible = possible and most >= 0
        if len(literals) > most:
            bounds.append(Bound(most, tuple(literals), problem.owner(at_most)))
    return Reduced(problem, domains, needs, bounds, possible)


def _tighten(problem: Problem) -> tuple[list[Values], bool]:
    """Domains without values that a total excludes on its own."""
    domains: list[Values] = [share.values for share in problem.shares]
    pending = list(problem.totals)
    for _ in range(2):
        changed: set[int] = set()
        for total in pending:
            least, most = total.least, total.most
            low = sum([domains[at][0] for at in total.shares])
            high = sum([domains[at][-1] for at in total.shares])
            if low > most or high < least:
                return domains, False
            for at in total.shares:
                values = domains[at]
                first, last = values[0], values[-1]
                top, bottom = most - low + first, least - high + last
                if top < last or bottom > first:
                    kept = _between(values, bottom, top)
                    if not kept:
                        return domains, False
                    low += kept[0] - first
                    high += kept[-1] - last
                    domains[at] = kept
                    changed.add(at)
        pending = [total for total in pending if not changed.isdisjoint(total.shares)]
        if not pending:
            break
    return domains, True


def _between(values: Values, bottom: int, top: int) -> Values:
    if isinstance(values, range):
        return range(max(values[0], bottom), min(values[-1], top) + 1)
    return tuple(value for value in values if bottom <= value <= top)


def _extremes(problem: Problem, domains: Sequence[Values]) -> tuple[list[int], list[int]]:
    """The least and the greatest unclipped reading of every meter."""
    low, high = [], []
    for meter in problem.meters:
        least = most = 0
        for at, table in meter.terms:
            a, b = table.extremes(domains[at])
            least += a
            most += b
        low.append(least)
        high.append(most)
    return low, high


def _sure(
    problem: Problem, domains: Sequence[Values], low: Sequence[int], source: str | None
) -> Callable[[int], int]:
    """The least reading of a meter; in a sequential problem, where only this source has joined."""
    if not problem.sequential or source is None:
        return low.__getitem__
    return lambda at: sum(
        table.extremes(domains[share])[0]
        for share, table in problem.meters[at].terms
        if problem.shares[share].source == source
    )


def _decided(
    problem: Problem, literal: Literal, low: Callable[[int], int], high: Sequence[int]
) -> Literal | bool:
    """Whether the literal holds in every row or in none; otherwise a literal that reads the same."""
    if isinstance(literal, Used):
        return literal
    full = problem.meters[literal.meter].full
    always, never = low(literal.meter) >= full, high[literal.meter] < full
    match literal:
        case Full(_, wanted):
            return (always is wanted) if always or never else literal
        case Partly(meter):
            return False if always or not high[meter] else literal
        case Short(share, _):
            return False if always else Used(share) if never else literal


def thin(reduced: Reduced) -> list[Need]:
    """The gates without meters that others of their meters imply, given that every gate holds.

    A meter with a single term is full only where its share takes certain values; if all of those trigger a
    gate, the gate's meters are full too. Used only where these implications form no circle.
    """
    problem, needs = reduced.problem, reduced.needs
    if not any(len(need.meters) > 1 for need in needs):
        return needs
    of_share: dict[int, list[Need]] = {}
    for need in needs:
        of_share.setdefault(need.share, []).append(need)
    implied: dict[int, tuple[int, ...]] = {}
    for at in {at for need in needs for at in need.meters}:
        meter = problem.meters[at]
        if len(meter.terms) == 1 and meter.terms[0][0] in of_share:
            share, table = meter.terms[0]
            filling = [value for value in reduced.domains[share] if table(value) >= meter.full]
            found = [n.meters for n in of_share[share] if all(value in n.values for value in filling)]
            if found:
                implied[at] = tuple({m for meters in found for m in meters})
    reach = _closure(implied)
    if reach is None:
        return needs
    result = []
    for need in needs:
        kept = list(need.meters)
        for at in need.meters:
            if any(other != at and reach.get(other, 0) >> at & 1 for other in kept):
                kept.remove(at)
        result.append(Need(need.share, need.values, tuple(kept)))
    return result


def _closure(edges: dict[int, tuple[int, ...]]) -> dict[int, int] | None:
    """The nodes that each node reaches, as bit masks; None if there is a circle."""
    reach: dict[int, int] = {}
    for start in edges:
        stack, path = [start], set[int]()
        while stack:
            at = stack[-1]
            if at in reach:
                stack.pop()
                continue
            waiting = [to for to in edges[at] if to in edges and to not in reach]
            if waiting:
                path.add(at)
                if any(to in path for to in waiting):
                    return None
                stack.extend(waiting)
                continue
            mask = 0
            for to in edges[at]:
                mask |= 1 << to | reach.get(to, 0)
            reach[at] = mask
            path.discard(at)
            stack.pop()
    return reach
