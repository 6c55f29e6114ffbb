"""What mixing slots does to one branch of knowledge: facts about some of the slots become facts about all of
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lethal.solver.branch import MOST_BRANCHES, Branch, Claim, Kind, Pin
from lethal.solver.engine import TooWide
from lethal.solver.reduction import Fact


@dataclass(slots=True)
class _Case:
    """How many items of each kind are known to be among the mixed slots, and the facts that say so."""

    among: dict[int, int] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    parts: list[tuple[frozenset[int], dict[int, int]]] = field(default_factory=list)


def mixed(branch: Branch, slots: frozenset[int], words: str, *, weigh: bool) -> Iterator[Branch]:
    """The branches that a branch becomes; their weights are right in proportion, or all 1 unless `weigh`."""
    plain, whole, touched = _sorted_claims(branch, slots)
    pinned = _tally(pin.kind for slot, pin in branch.pins.items() if slot in slots)
    cases = list(_cases(branch, slots, touched, pinned))
    for case in cases:
        before = 0
        if weigh or case.facts:
            before = branch.orders.given(case.facts).count()
            if not before:
                continue
        claims = [*plain, *whole, *(_rest(branch, claim, slots, case) for claim in touched)]
        kinds, moved = _rehomed(branch, slots, case, pinned, words)
        pins = {slot: Pin(moved[p.kind], p.words) for slot, p in branch.pins.items() if slot not in slots}
        new = _settled(Branch(kinds, pins, tuple(dict.fromkeys(claims)), branch.weight))
        if before:
            new = replace(new, weight=branch.weight * before / new.orders.count())
        yield new


def _tally(kinds: Iterator[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return found


def _sorted_claims(branch: Branch, slots: frozenset[int]) -> tuple[list[Claim], list[Claim], list[Claim]]:
    """The claims that say nothing of these slots, those about all of them, and those that tell them apart.

    Slots whose item is known are taken out first, and put back where a claim is about all the others.
    """
    known = {slot: branch.kinds[pin.kind].name for slot, pin in branch.pins.items() if slot in slots}
    loose = slots.difference(known)
    plain, whole, touched = [], [], []
    for claim in branch.claims:
        there = sum(known[slot] in claim.names for slot in claim.slots if slot in known)
        rest = claim.slots.difference(known)
        least, most = claim.least - there, claim.most - there
        if most >= 0 and least <= 0 and most >= len(rest):
            continue
        if not rest & slots:
            plain.append(replace(claim, slots=rest, least=least, most=most))
        elif loose <= rest:
            every = sum(name in claim.names for name in known.values())
            whole.append(replace(claim, slots=rest | slots, least=least + every, most=most + every))
        else:
            touched.append(replace(claim, slots=rest, least=least, most=most))
    return plain, whole, touched


def _cases(
    branch: Branch, slots: frozenset[int], touched: Sequence[Claim], pinned: Mapping[int, int]
) -> Iterator[_Case]:
    """Every way in which the touched claims and the straddling homes may be settled."""
    atoms: dict[int, set[int]] = {}
    for slot in slots.difference(branch.pins):
        mark = sum(1 << number for number, claim in enumerate(touched) if slot in claim.slots)
        if mark:
            atoms.setdefault(mark, set()).add(slot)
    places = [frozenset(atoms[mark]) for mark in sorted(atoms)]
    straddling = [
        at
        for at, kind in enumerate(branch.kinds)
        if kind.home is not None
        and kind.copies
        and kind.home & slots
        and not kind.home <= slots
        and not slots <= kind.home
    ]
    made = 0
    for case in _compositions(branch, places, _Case()):
        for full in _straddled(branch, slots, straddling, case, pinned):
            made += 1
            if made > 4 * MOST_BRANCHES:
                raise TooWide(f"mixing splits this knowledge into more than {4 * MOST_BRANCHES} cases")
            yield full


def _compositions(branch: Branch, places: Sequence[frozenset[int]], case: _Case) -> Iterator[_Case]:
    """Every choice of kinds for the items of each place, as far as numbers of copies allow."""
    if not places:
        yield case
        return
    place = places[0]
    able = [at for at, k in enumerate(branch.kinds) if k.copies and (k.home is None or k.home & place)]
    for chosen in _multisets(branch, able, len(place), case.among):
        among = dict(case.among)
        for kind, n in chosen.items():
            among[kind] = among.get(kind, 0) + n
        facts = [Fact(frozenset([kind]), place, n, n) for kind, n in chosen.items()]
        yield from _compositions(
            branch, places[1:], _Case(among, [*case.facts, *facts], [*case.parts, (place, chosen)])
        )


def _multisets(
    branch: Branch, able: Sequence[int], size: int, taken: Mapping[int, int]
) -> Iterator[dict[int, int]]:
    if not able:
        if not size:
            yield {}
        return
    kind = able[0]
    for n in range(min(size, branch.kinds[kind].copies - taken.get(kind, 0)) + 1):
        for rest in _multisets(branch, able[1:], size - n, taken):
            yield {kind: n, **rest} if n else rest


def _straddled(
    branch: Branch, slots: frozenset[int], straddling: Sequence[int], case: _Case, pinned: Mapping[int, int]
) -> Iterator[_Case]:
    """For each kind whose home lies partly among the slots every number of its items that may be there."""
    if not straddling:
        yield case
        return
    at = straddling[0]
    kind = branch.kinds[at]
    assert kind.home is not None
    inside = kind.home & slots
    placed = case.among.get(at, 0)
    for n in range(placed, kind.copies - pinned.get(at, 0) + 1):
        both = n + pinned.get(at, 0)
        facts = [*case.facts, Fact(frozenset([at]), inside, both, both)]
        further = _Case({**case.among, at: n}, facts, case.parts)
        yield from _straddled(branch, slots, straddling[1:], further, pinned)


def _rest(branch: Branch, claim: Claim, slots: frozenset[int], case: _Case) -> Claim:
    """What a settled claim still says of the slots that were not mixed."""
    there = sum(
        n
        for place, chosen in case.parts
        if place <= claim.slots
        for kind, n in chosen.items()
        if branch.kinds[kind].name in claim.names
    )
    return replace(claim, slots=claim.slots - slots, least=claim.least - there, most=claim.most - there)


def _rehomed(
    branch: Branch, slots: frozenset[int], case: _Case, pinned: Mapping[int, int], words: str
) -> tuple[tuple[Kind, ...], dict[int, int]]:
    """The kinds after the mixing, and where each old kind is found among them."""
    kinds: list[Kind] = []
    moved: dict[int, int] = {}
    guests: dict[int, tuple[int, str]] = {}
    seen = {pin.kind: pin.words for slot, pin in branch.pins.items() if slot in slots}
    for at, kind in enumerate(branch.kinds):
        inside = case.among.get(at, 0) + pinned.get(at, 0)
        home = kind.home
        if home is not None and home <= slots:
            inside = kind.copies
        elif home is not None and not slots <= home:
            home = home - slots
        if inside:
            n, said = guests.get(kind.name, (0, ""))
            guests[kind.name] = n + inside, said or kind.words or seen.get(at) or words
        moved[at] = len(kinds)
        kinds.append(Kind(kind.name, kind.copies - inside, home, kind.words))
    kinds += [Kind(name, n, slots, said) for name, (n, said) in guests.items()]
    return tuple(kinds), moved


def _settled(branch: Branch) -> Branch:
    """The branch without kinds that have no items, without homes that say nothing, and alike kinds as one."""
    size = sum(kind.copies for kind in branch.kinds)
    loose = frozenset(range(size)).difference(branch.pins)
    found: dict[tuple[int, frozenset[int] | None], int] = {}
    kinds: list[Kind] = []
    moved: dict[int, int] = {}
    for at, kind in enumerate(branch.kinds):
        home = None if kind.home is not None and loose <= kind.home else kind.home
        key = kind.name, home
        if key not in found:
            # The first kind of every name stays, copies or not, so that names keep their numbers.
            if not kind.copies and any(k.name == kind.name for k in branch.kinds[:at]):
                continue
            found[key] = len(kinds)
            kinds.append(Kind(kind.name, kind.copies, home, kind.words if home else ""))
        else:
            old = kinds[found[key]]
            kinds[found[key]] = replace(old, copies=old.copies + kind.copies)
        moved[at] = found[key]
    pins = {slot: Pin(moved[pin.kind], pin.words) for slot, pin in branch.pins.items()}
    claims = tuple(c for c in branch.claims if c.least > 0 or c.most < len(c.slots))
    return Branch(tuple(kinds), pins, claims, branch.weight)
