"""The steps of a plan, one a layer: a short program over slots, and the columns that go in and come out.

narrow.py runs the program on integers, operations.py on arrays. The operations, `x` with one entry a value of the
share:

| code | fields | meaning |
| --- | --- | --- |
| TOTAL | slot, x, low, high, free_low, free_high | add; outside low..high dies; inside free_* becomes free_low |
| GAIN | slot, x, full | add, clipped at full |
| MARK | bit, x, slot, full | where x and the reading is short: set the bit |
| FORBID | bit, x | where x and the bit is set: die |
| SETTLE | slot, full, rest, owed, bits | full clears owed and bits; owed and out of reach dies |
| MUST | slot, full, rest | out of reach dies |
| CLOSE | slot, full, owed, lacking, counts, fulls, partlys | the meter closes: bits become counts |
| COUNT | counter, x | add |
| SHORT | counter, bit, x | add x where the bit is set |
| BOUND | counter, most, base | more than most dies; less than base becomes base |
| REST | slot, full, rest, floor, bits | no bit set (of some): full; out of reach: at most floor |
| READ | slot, meter | note the closing meter's reading |
| KEEP | slot, x | remember |
| CALL | function | whatever a sequential problem needs; narrow only |
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from math import prod
from typing import Any, NamedTuple, TypeAlias


class Code(IntEnum):
    """The operations of a step."""

    TOTAL = auto()
    GAIN = auto()
    MARK = auto()
    FORBID = auto()
    SETTLE = auto()
    MUST = auto()
    CLOSE = auto()
    COUNT = auto()
    SHORT = auto()
    BOUND = auto()
    REST = auto()
    READ = auto()
    KEEP = auto()
    CALL = auto()


Op: TypeAlias = tuple[Any, ...]
Key: TypeAlias = Hashable


class Column(NamedTuple):
    """A part of the state after a layer: its slot there, its least value and the number of values."""

    key: Key
    slot: int
    base: int
    size: int


@dataclass(slots=True)
class Step:
    """A layer: its share, the values, the program, and the columns that go in and come out."""

    share: int
    values: tuple[int, ...]
    ops: list[Op] = field(default_factory=list)
    slots: dict[Key, int] = field(default_factory=dict)
    ins: list[Column] = field(default_factory=list)
    outs: list[Column] = field(default_factory=list)
    touched: int = 0
    """The program reads and writes the slots below this; columns in others pass unchanged."""

    def slot(self, key: Key) -> int:
        """The place of a part of the state while this step runs; 0 unless it came in."""
        return self.slots.setdefault(key, len(self.slots))


def width(steps: Sequence[Step]) -> int:
    """The most pairs of a state and a value that a layer could have, going by the sizes of the columns alone."""
    states, most = 1, 0
    for step in steps:
        pairs = states * len(step.values)
        most = max(most, pairs)
        states = min(pairs, prod(column.size for column in step.outs))
    return most
