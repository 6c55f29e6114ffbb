"""A combat as a plain value: validated, expanded, every default resolved. What models work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

ANY: Literal["any"] = "any"
NOTHING = "nothing"


class Creature(Struct, frozen=True):
    """An attacking or blocking creature: current power and toughness, keywords in lower case."""

    name: str
    power: int
    toughness: int
    damage: int = 0
    keywords: frozenset[str] = frozenset()
    attacks: str | None = None
    blocked: bool = False
    blocks: tuple[str, ...] = ()
    value: float | None = None
    colors: tuple[str, ...] = ()
    protection_from: tuple[str, ...] = ()
    prevent_next: int = 0
    indestructible: bool = False
    regeneration_shields: int = 0
    shield_counters: int = 0
    assigns: Literal["power", "toughness", "nothing"] = "power"
    as_though_unblocked: bool = False
    lethal_by: Literal["toughness", "power"] = "toughness"
    divides_freely: bool = False
    band: str | None = None
    deals_multiplier: int = 1
    dealt_first_strike_damage: bool | None = None
    unpreventable: bool = False


@dataclass(frozen=True, slots=True)
class Defender:
    """What can be attacked: a player with life, a planeswalker with loyalty, a battle with defense."""

    name: str
    kind: Literal["player", "planeswalker", "battle"] = "player"
    life: int | None = None
    loyalty: int | None = None
    defense: int | None = None
    controller: str | None = None
    poison: int = 0


@dataclass(frozen=True, slots=True)
class Combat:
    """One combat, and whose damage is assigned under which vintage.

    `order` holds the announced damage assignment orders (`"any"`: not announced yet); `joint` and
    `zero_power_lethal` are the readings that the rules leave open.
    """

    rules: str
    assigning: Literal["attackers", "blockers"]
    step: Literal["only", "first-strike", "regular"]
    attackers: tuple[Creature, ...]
    blockers: tuple[Creature, ...]
    defenders: tuple[Defender, ...]
    order: Mapping[str, tuple[str, ...] | Literal["any"]] = field(default_factory=dict)
    order_any: bool = False
    joint: Literal["assigner", "all"] = "assigner"
    zero_power_lethal: int = 1
    title: str | None = None
    source: str | None = None
    note: str | None = None
