"""From facts about which items lie where to small contingency tables: only what facts tell apart is kept
apart.

Kinds that no fact distinguishes become one class, places that no fact distinguishes one block; what the facts
force is taken out; what is left and still looks alike is merged again and split into independent tables. A
99-card deck of different cards with a few facts so becomes a table of a few rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import factorial, prod

from lethal.solver.tables import Bound, Tables


@dataclass(frozen=True, slots=True)
class Fact:
    """Between `least` and `most` of the items at these slots are of these kinds."""

    kinds: frozenset[int]
    slots: frozenset[int]
    least: int
    most: int
    words: str = ""


@dataclass(slots=True)
class Group:
    """Members (classes of kinds, or blocks of slots) that a table treats alike, with what each has left."""

    members: list[int]
    amounts: list[int]

    @property
    def amount(self) -> int:
        return sum(self.amounts)


@dataclass(slots=True)
class Part:
    """One independent table: its rows are groups of classes, its columns groups of blocks."""

    tables: Tables
    rows: list[Group]
    columns: list[Group]


@dataclass(slots=True)
class Reduction:
    """Pinned slots, classes, blocks, forced cells (class, block → number) and the tables that are left.

    `factor` is the number of layouts for each layout of the tables.
    """

    possible: bool = False
    pins: dict[int, int] = field(default_factory=dict)
    copies: list[int] = field(default_factory=list)
    classes: list[list[int]] = field(default_factory=list)
    blocks: list[list[int]] = field(default_factory=list)
    forced: dict[tuple[int, int], int] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    factor: int = 0


NARROW = 500
"""States that a row of a table may have for the table to be kept."""

Rectangle = tuple[list[int], list[int], int, int]


def reduce(copies: Sequence[int], facts: Sequence[Fact]) -> Reduction:
    """The reduction of these facts about `sum(copies)` slots, numbered from 0."""
    found = Reduction(copies=list(copies))
    rest = _take_pins(found, facts)
    if rest is None:
        return found
    rectangles = _classify(found, rest)
    cells = _force(found, rectangles)
    if cells is None:
        return found
    found.possible = True
    _split(found, cells, rectangles)
    return found


def _take_pins(found: Reduction, facts: Sequence[Fact]) -> list[Fact] | None:
    """Note the slots whose kind one fact gives, and state the other facts about what is left; None:
    impossible."""
    pins, copies = found.pins, found.copies
    others = []
    for fact in facts:
        if fact.least > fact.most:
            return None
        if fact.least == 1 and len(fact.slots) == 1 and len(fact.kinds) == 1:
            ((slot,), (kind,)) = fact.slots, fact.kinds
            if pins.setdefault(slot, kind) != kind:
                return None
        else:
            others.append(fact)
    for kind in pins.values():
        copies[kind] -= 1
        if copies[kind] < 0:
            return None
    rest = []
    for fact in others:
        known = [slot for slot in fact.slots if slot in pins] if pins else []
        there = sum(pins[slot] in fact.kinds for slot in known)
        slots = fact.slots.difference(known) if known else fact.slots
        kinds = frozenset(kind for kind in fact.kinds if copies[kind])
        least, most = fact.least - there, fact.most - there
        if most < 0 or least > min(len(slots), sum(copies[kind] for kind in kinds)):
            return None
        if slots and kinds:
            rest.append(Fact(kinds, slots, least, most, fact.words))
    return rest


def _classify(found: Reduction, facts: Sequence[Fact]) -> list[Rectangle]:
    """Group kinds and slots by the facts that name them; each fact is a rectangle of classes and blocks."""
    slots = [0] * (sum(found.copies) + len(found.pins))
    kinds = [0] * len(found.copies)
    for number, fact in enumerate(facts):
        for slot in fact.slots:
            slots[slot] |= 1 << number
        for kind in fact.kinds:
            kinds[kind] |= 1 << number
    blocks: dict[int, list[int]] = {}
    for slot, mark in enumerate(slots):
        if slot not in found.pins:
            blocks.setdefault(mark, []).append(slot)
    classes: dict[int, list[int]] = {}
    for kind, mark in enumerate(kinds):
        if found.copies[kind]:
            classes.setdefault(mark, []).append(kind)
    found.blocks, found.classes = list(blocks.values()), list(classes.values())
    return [
        (
            [at for at, mark in enumerate(classes) if mark >> number & 1],
            [at for at, mark in enumerate(blocks) if mark >> number & 1],
            fact.least,
            fact.most,
        )
        for number, fact in enumerate(facts)
    ]


@dataclass(slots=True)
class _Cells:
    """Which cells are still open, and what classes, blocks and rectangles still have to place."""

    open_blocks: list[frozenset[int]]
    open_classes: list[frozenset[int]]
    rows: list[int]
    columns: list[int]


def _force(found: Reduction, rectangles: list[Rectangle]) -> _Cells | None:
    """Narrow every cell until nothing moves, note those with one value left; None: impossible."""
    rows = [sum(found.copies[kind] for kind in members) for members in found.classes]
    columns = [len(slots) for slots in found.blocks]
    width = len(columns)
    low = [0] * (len(rows) * width)
    high = [min(m, b) for m in rows for b in columns]
    sums: list[tuple[list[int], int, int]] = [
        ([r * width + c for r in of_rows for c in of_columns], least, most)
        for of_rows, of_columns, least, most in rectangles
    ]
    sums += list(_empty(rectangles, rows, columns))
    sums += [(list(range(r * width, (r + 1) * width)), m, m) for r, m in enumerate(rows)]
    sums += [(list(range(c, len(low), width)), b, b) for c, b in enumerate(columns)]
    if not _narrow(low, high, sums):
        return None
    open_blocks: list[set[int]] = [set() for _ in rows]
    open_classes: list[set[int]] = [set() for _ in columns]
    for at, (least, most) in enumerate(zip(low, high, strict=True)):
        r, c = divmod(at, width)
        if least == most:
            if least:
                found.forced[r, c] = least
                rows[r] -= least
                columns[c] -= least
        else:
            open_blocks[r].add(c)
            open_classes[c].add(r)
    return _Cells([frozenset(x) for x in open_blocks], [frozenset(x) for x in open_classes], rows, columns)


def _empty(
    rectangles: list[Rectangle], rows: list[int], columns: list[int]
) -> Iterator[tuple[list[int], int, int]]:
    """Cells that a rectangle leaves empty: it takes all of its columns, or of its rows."""
    width = len(columns)
    for of_rows, of_columns, least, _ in rectangles:
        if least >= sum([columns[c] for c in of_columns]):
            inside = set(of_rows)
            yield [r * width + c for r in range(len(rows)) if r not in inside for c in of_columns], 0, 0
        if least >= sum([rows[r] for r in of_rows]):
            inside = set(of_columns)
            yield [r * width + c for r in of_rows for c in range(width) if c not in inside], 0, 0


def _narrow(low: list[int], high: list[int], sums: Sequence[tuple[list[int], int, int]]) -> bool:
    """Bounds consistency of sums of cells, to the fixed point; False where a sum cannot be reached."""
    moved = True
    while moved:
        moved = False
        for cells, least, most in sums:
            room = most - sum([low[at] for at in cells])
            need = sum([high[at] for at in cells]) - least
            if room < 0 or need < 0:
                return False
            slack = room if room < need else need
            for at in cells:
                if high[at] - low[at] > slack:
                    floor, ceiling = low[at], high[at]
                    high[at] = min(ceiling, floor + room)
                    low[at] = max(floor, ceiling - need)
                    if low[at] > high[at]:
                        return False
                    moved = True
    return True


def _split(found: Reduction, cells: _Cells, rectangles: list[Rectangle]) -> None:
    """Merge what still looks alike, split what is independent, and count the layouts outside the tables."""
    active = _active(found, cells, rectangles)
    rows = _alike(cells.open_blocks, cells.rows, [of_rows for of_rows, _, _, _ in active])
    columns = _alike(cells.open_classes, cells.columns, [of_columns for _, of_columns, _, _ in active])
    column_of = {block: at for at, group in enumerate(columns) for block in group.members}
    row_of = {at: number for number, group in enumerate(rows) for at in group.members}
    is_open = [frozenset(column_of[b] for b in cells.open_blocks[group.members[0]]) for group in rows]
    bounds = [
        Bound(
            frozenset(row_of[r] for r in of_rows if r in row_of),
            frozenset(column_of[c] for c in of_columns if c in column_of),
            least,
            most,
        )
        for of_rows, of_columns, least, most in active
    ]
    for of_rows, of_columns in _components(is_open, len(columns), bounds):
        found.parts.append(_part(of_rows, of_columns, rows, columns, is_open, bounds))
    # Layouts = columns' factorials / cells' factorials, times each class's own layouts: in integers, per
    # level.
    factor = prod(factorial(len(slots)) for slots in found.blocks)
    under = prod(factorial(n) for n in found.forced.values())
    for members in found.classes:
        factor *= factorial(sum(found.copies[kind] for kind in members))
        under *= prod(factorial(found.copies[kind]) for kind in members)
    for part in found.parts:
        under *= prod(factorial(n) for group in part.columns for n in group.amounts)
        for group in part.rows:
            factor *= factorial(group.amount)
            under *= prod(factorial(n) for n in group.amounts)
    found.factor = factor // under


def _active(found: Reduction, cells: _Cells, rectangles: list[Rectangle]) -> list[Rectangle]:
    """The rectangles that still bind something, as bounds on what is left of the open cells."""
    active = []
    for of_rows, of_columns, least, most in rectangles:
        inside_r, inside_c = set(of_rows), set(of_columns)
        taken = sum(n for (r, c), n in found.forced.items() if r in inside_r and c in inside_c)
        least, most = max(0, least - taken), most - taken
        touched_r = [r for r in of_rows if cells.open_blocks[r] & inside_c]
        touched_c = [c for c in of_columns if cells.open_classes[c] & inside_r]
        most_there = min(sum(cells.rows[r] for r in touched_r), sum(cells.columns[c] for c in touched_c))
        least_there = max(
            sum(cells.rows[r] for r in touched_r if cells.open_blocks[r] <= inside_c),
            sum(cells.columns[c] for c in touched_c if cells.open_classes[c] <= inside_r),
        )
        if least > least_there or most < most_there:
            active.append((touched_r, touched_c, least, min(most, most_there)))
    return active


def _alike(is_open: list[frozenset[int]], amounts: list[int], bounds: list[list[int]]) -> list[Group]:
    """Members with something left to place, grouped by their open cells and the bounds that count them."""
    marks = [0] * len(amounts)
    for number, members in enumerate(bounds):
        for at in members:
            marks[at] |= 1 << number
    groups: dict[tuple[frozenset[int], int], Group] = {}
    for at, amount in enumerate(amounts):
        if amount:
            group = groups.setdefault((is_open[at], marks[at]), Group([], []))
            group.members.append(at)
            group.amounts.append(amount)
    return list(groups.values())


def _components(
    is_open: list[frozenset[int]], width: int, bounds: list[Bound]
) -> list[tuple[list[int], list[int]]]:
    """Rows and columns that open cells or bounds tie together."""
    height = len(is_open)
    parent = list(range(height + width))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = at = parent[parent[at]]
        return at

    ties = [[r, *(height + c for c in columns)] for r, columns in enumerate(is_open)]
    ties += [[*b.rows, *(height + c for c in b.columns)] for b in bounds]
    for tie in ties:
        for at in tie[1:]:
            parent[root(at)] = root(tie[0])
    found: dict[int, tuple[list[int], list[int]]] = {}
    for at in range(height + width):
        pair = found.setdefault(root(at), ([], []))
        pair[at >= height].append(at - height if at >= height else at)
    return list(found.values())


def _part(
    of_rows: list[int],
    of_columns: list[int],
    rows: list[Group],
    columns: list[Group],
    is_open: list[frozenset[int]],
    bounds: list[Bound],
) -> Part:
    row_at = {r: at for at, r in enumerate(of_rows)}
    column_at = {c: at for at, c in enumerate(of_columns)}
    mine = [
        Bound(
            frozenset(row_at[r] for r in b.rows), frozenset(column_at[c] for c in b.columns), b.least, b.most
        )
        for b in bounds
        if any(r in row_at for r in b.rows) or any(c in column_at for c in b.columns)
    ]
    tables = _tables(
        tuple(rows[r].amount for r in of_rows),
        tuple(columns[c].amount for c in of_columns),
        tuple(frozenset(column_at[c] for c in is_open[r]) for r in of_rows),
        tuple(mine),
    )
    return Part(tables, [rows[r] for r in of_rows], [columns[c] for c in of_columns])


def _tables(
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    is_open: tuple[frozenset[int], ...],
    bounds: tuple[Bound, ...],
) -> Tables:
    """The tables with these margins; narrow ones are kept, for what is learnt next often leaves the same."""
    if prod(n + 1 for n in sorted(columns)[:-1]) > NARROW:
        return Tables(rows, columns, is_open, bounds)
    return _kept(rows, columns, is_open, bounds)


@lru_cache(maxsize=512)
def _kept(
    rows: tuple[int, ...],
    columns: tuple[int, ...],
    is_open: tuple[frozenset[int], ...],
    bounds: tuple[Bound, ...],
) -> Tables:
    return Tables(rows, columns, is_open, bounds)
