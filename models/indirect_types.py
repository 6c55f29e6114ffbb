"""Indirect damage as a plain value: validated, expanded, every default resolved. What the models work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

IDENTITIES = frozenset({"identity", "hero", "alter-ego"})
FRIENDLY = IDENTITIES | {"ally"}
SOURCE = "indirect damage"


@dataclass(frozen=True, slots=True)
class Character:
    """Something with hit points; `hit_points` is the maximum, None where they are infinite."""

    name: str
    type: str
    hit_points: int | None
    damage: int = 0
    tough: int = 0
    cannot_take_damage: bool | frozenset[str] = False
    reduce: int = 0
    value: float | None = None
    player: str | None = None
    stages: tuple[int, ...] = ()
    """Hit points of a villain's further stages; defeat moves on to the next, where no damage carries over."""

    @property
    def remaining(self) -> int | None:
        """Hit points left, None where they are infinite."""
        return None if self.hit_points is None else max(0, self.hit_points - self.damage)

    @property
    def identity(self) -> bool:
        return self.type in IDENTITIES

    def immune(self, source: str) -> bool:
        """Whether it cannot take damage from a source."""
        immune = self.cannot_take_damage
        return immune if isinstance(immune, bool) else source in immune


@dataclass(frozen=True, slots=True)
class Player:
    """A player and the characters they control, the identity among them."""

    name: str
    characters: tuple[Character, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """Something a caller attaches to what happens after assignment, in the order in which it happens.

    `prevent` and `redirect` act on the damage that `character` would take, up to `amount` (None: all of it);
    `increase` raises what is dealt to it, what it takes, or its excess (`stage`), for everyone where
    `character` is None. What `to` names takes redirected damage; a name that is no character just stores
    it.
    """

    kind: Literal["prevent", "redirect", "increase"]
    character: str | None
    amount: int | None = None
    to: str | None = None
    stage: Literal["dealt", "taken", "excess"] = "dealt"


@dataclass(frozen=True, slots=True)
class Attack:
    """The enemy attack that deals the damage: whom it was made against, who defends, and its keywords."""

    player: str
    defender: str | None = None
    defence: int = 0
    keywords: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Indirect:
    """One instance of indirect damage, under one edition of the rules.

    `to` are the players concerned (one of them for scope player); `among` the character types that may be
    assigned damage. `options` answers the open questions of `indirect_rules`, `next_activation` is the
    damage expected next.
    """

    rules: str
    amount: int
    players: tuple[Player, ...]
    to: tuple[str, ...]
    scope: Literal["player", "group", "each-player"] = "player"
    mode: Literal["effect", "enemy-attack", "cost"] = "effect"
    source: str = SOURCE
    cost_of: Literal["taken", "dealt"] = "taken"
    division: Literal["free", "even"] = "free"
    capped: bool = True
    among: frozenset[str] = FRIENDLY
    attack: Attack | None = None
    effects: tuple[Effect, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    grim: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)
    next_activation: int = 0

    @cached_property
    def characters(self) -> dict[str, Character]:
        """Every character by name, friendly or not, in document order."""
        return {c.name: c for player in self.players for c in player.characters}

    @cached_property
    def controlled(self) -> dict[str, tuple[Character, ...]]:
        """Each player's characters."""
        return {player.name: player.characters for player in self.players}

    def identity_of(self, player: str) -> Character | None:
        """A player's identity."""
        return next((c for c in self.controlled[player] if c.identity), None)
