"""The five vintages of Magic's combat damage rules, one row of data each; a model asks the row, never the year.

| vintage | period | order | deathtouch in assigning | check |
| --- | --- | --- | --- | --- |
| stack | 1999 - June 2009 | none | none (a trigger) | joint |
| m10 | July 2009 - 2010 | announced | frees the dividing | sequential |
| m11 | July 2010 - September 2011 | announced | one point is lethal | sequential |
| ordered | September 2011 - November 2024 | announced | one point is lethal | joint |
| foundations | November 2024 on | none | one point is lethal | joint |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Vintage:
    """One vintage: what binds, and the numbers of the rules that say so."""

    name: str
    ordered: bool
    deathtouch: Literal["none", "free", "lethal"]
    sequential: bool
    over_planeswalkers: bool
    amount: str
    unblocked: str
    divide: str
    divide_blocker: str
    trample: str
    trample_over: str = "702.19c"


VINTAGES = {
    row.name: row
    for row in (
        Vintage("stack", False, "none", False, False, "310.2", "310.2", "310.2c", "310.2d", "502.9b"),
        Vintage("m10", True, "free", True, False, "510.1a", "510.1b", "510.1c", "510.1d", "702.17b"),
        Vintage("m11", True, "lethal", True, False, "510.1a", "510.1b", "510.1c", "510.1d", "702.17b"),
        Vintage("ordered", True, "lethal", False, True, "510.1a", "510.1b", "510.1c", "510.1d", "702.19b"),
        Vintage(
            "foundations", False, "lethal", False, True, "510.1a", "510.1b", "510.1c", "510.1d", "702.19b"
        ),
    )
}
"""All vintages by name, oldest first."""

NEWEST = "foundations"
