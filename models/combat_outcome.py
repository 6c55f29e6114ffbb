"""What assigned combat damage does, in one step: from a combat and amounts to creatures lost, life and
poison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from lethal.models.combat_types import Combat, Creature, Defender
from lethal.models.damage import Choice, receive
from lethal.models.damage_types import (
    BATTLE,
    CREATURE,
    PLANESWALKER,
    PLAYER,
    DamageEvent,
    Fate,
    Received,
    Recipient,
    Source,
)
from lethal.models.state_actions import settle
from lethal.models.vintages import VINTAGES

Amounts: TypeAlias = Mapping[str, Mapping[str, int]]
Side: TypeAlias = Literal["attackers", "blockers"]
ACTIVE = "active player"


def outcome(combat: Combat, amounts: Amounts) -> dict[str, Any]:
    """What one side's assigned damage does, dealt at once in the combat's step, in the scenario format's
    terms.

    `destroyed`, `dies` and `regenerated` are names, `survives` each other creature of the side that is
    dealt damage with what is then marked on it, `damage_to` the damage dealt to every defender,
    `life_gained` and `poison` go by player. Raises ValueError for names that the combat has not, or that
    deal no damage to each other.
    """
    board = Board(combat)
    receiving: Side = "blockers" if combat.assigning == "attackers" else "attackers"
    return board.deal(amounts).plain(board, (receiving,))


@dataclass(frozen=True)
class Dealt:
    """What became of everything that damage was dealt to at one time."""

    received: Mapping[str, Received]
    fates: Mapping[str, Fate]

    @cached_property
    def gained(self) -> dict[str, int]:
        """Life that lifelink gave, by player."""
        return _gained(self.received)

    def plain(self, board: Board, sides: tuple[Side, ...] = ("attackers", "blockers")) -> dict[str, Any]:
        """The outcome in plain values, for the creatures of these sides and all that can be attacked."""
        creatures = [name for side in sides for name in board.sides[side]]
        order = [*creatures, *board.attacked]
        fates = [(name, self.fates[name]) for name in order if name in self.fates]
        permanents = [(name, fate) for name, fate in fates if PLAYER not in fate.after.kinds]
        gone = {name for name, fate in permanents if fate.leaves}
        marked = {
            name: self.fates[name].after.marked if name in self.fates else board.recipients[name].marked
            for name in creatures
            if name not in gone
        }
        return {
            "destroyed": [name for name, fate in permanents if fate.destroyed],
            "dies": [name for name, fate in permanents if fate.leaves],
            "survives": marked,
            "regenerated": [name for name, fate in permanents if fate.regenerated],
            "damage_to": {
                name: self.received[name].total if name in self.received else 0 for name in board.attacked
            },
            "life_gained": dict(self.gained),
            "poison": {name: r.poison for name, r in self.received.items() if r.poison},
        }


class Board:
    """A combat as sources and recipients of damage."""

    def __init__(self, combat: Combat) -> None:
        self.combat = combat
        self.vintage = VINTAGES[combat.rules]
        self.sides: dict[Side, tuple[str, ...]] = {
            "attackers": tuple(c.name for c in combat.attackers),
            "blockers": tuple(c.name for c in combat.blockers),
        }
        attackers = {c.name: c for c in combat.attackers}
        self.sources: dict[str, Source] = {}
        self.recipients: dict[str, Recipient] = {}
        for defender in combat.defenders:
            self.recipients[defender.name] = as_recipient(defender)
        for defender in combat.defenders:
            if defender.controller is not None and defender.controller not in self.recipients:
                self.recipients[defender.controller] = as_recipient(Defender(defender.controller))
        self.attacked = tuple(self.recipients)
        self._known: dict[tuple[str, tuple[tuple[str, int], ...]], tuple[Received, Fate]] = {}
        for creature in combat.attackers:
            self._add(creature, ACTIVE)
        for creature in combat.blockers:
            self._add(creature, self._controller(creature, attackers))

    def _add(self, creature: Creature, controller: str | None) -> None:
        self.sources[creature.name] = as_source(creature, controller)
        self.recipients[creature.name] = creature_recipient(
            creature, controller, self.combat.zero_power_lethal
        )

    def _controller(self, blocker: Creature, attackers: Mapping[str, Creature]) -> str | None:
        """The defending player of the attacker that it blocks (802.4a), or else the first player there is."""
        defenders = {d.name: d for d in self.combat.defenders}
        for name in blocker.blocks:
            attacker = attackers.get(name)
            defender = defenders.get(str(attacker.attacks)) if attacker else None
            if defender is not None:
                return defender.name if defender.kind == "player" else defender.controller
        return next((d.name for d in self.combat.defenders if d.kind == "player"), None)

    def deal(self, *assigned: Amounts, choices: Mapping[str, Choice] | None = None) -> Dealt:
        """Deal what was assigned, all at once (510.2), then check state-based actions (704.3).

        `choices` says by recipient what a limited shield prevents, `best` for the affected player by
        default. Life that lifelink gives is there before they are checked (120.3f); before July 2009 it was
        not: there it and deathtouch triggered. Raises ValueError for unknown names.
        """
        received: dict[str, Received] = {}
        fates: dict[str, Fate] = {}
        for name, events in self._hits(assigned).items():
            received[name], fates[name] = self._suffer(name, events, (choices or {}).get(name, "best"))
        return self.with_gains(Dealt(received, fates))

    def _suffer(self, name: str, hits: list[tuple[str, int]], choice: Choice) -> tuple[Received, Fate]:
        """What these hits do to one recipient, remembered: outcomes differ in few recipients at a time."""
        key = (name, tuple(hits)) if choice == "best" else None
        if key is not None and key in self._known:
            return self._known[key]
        events = [DamageEvent(self.sources[source], n) for source, n in hits]
        received = receive(self.recipients[name], events, choice)
        found = received, settle(received.after, deathtouch_triggers=self.triggers)
        if key is not None:
            self._known[key] = found
        return found

    @property
    def triggers(self) -> bool:
        """Whether deathtouch and lifelink trigger, as before July 2009."""
        return self.vintage.deathtouch == "none"

    def with_gains(self, dealt: Dealt) -> Dealt:
        """The same with the life that attacked players gain by lifelink, which may keep them in the game."""
        if self.triggers:
            return dealt
        fates = dict(dealt.fates)
        for player, n in dealt.gained.items():
            if player in fates and fates[player].leaves:
                after = dealt.received[player].after
                fates[player] = settle(replace(after, life=after.life + n))
        return Dealt(dealt.received, fates)

    def _hits(self, assigned: Iterable[Amounts]) -> dict[str, list[tuple[str, int]]]:
        """What hits each recipient, in the order of the sources."""
        hits: dict[str, list[tuple[str, int]]] = {}
        for amounts in assigned:
            for name, shares in amounts.items():
                if name not in self.sources:
                    raise ValueError(f"no creature in this combat is called {name!r}")
                for recipient, n in shares.items():
                    if recipient not in self.recipients:
                        raise ValueError(
                            f"{name} cannot deal damage to {recipient!r}: there is no such recipient"
                        )
                    if n > 0:
                        hits.setdefault(recipient, []).append((name, n))
        return hits


def _gained(received: Mapping[str, Received]) -> dict[str, int]:
    total: dict[str, int] = {}
    for found in received.values():
        for player, n in found.gained:
            total[player] = total.get(player, 0) + n
    return total


def as_source(creature: Creature, controller: str | None) -> Source:
    """A creature as a source of combat damage."""
    return Source(
        creature.name,
        controller,
        frozenset(creature.keywords),
        frozenset(color.casefold() for color in creature.colors),
        multiplier=creature.deals_multiplier,
        unpreventable=creature.unpreventable,
    )


def creature_recipient(creature: Creature, controller: str | None, zero_power_lethal: int = 1) -> Recipient:
    """A creature as a recipient of damage."""
    words = [word for word in creature.keywords if word.startswith(_PROTECTION)]
    return Recipient(
        creature.name,
        frozenset({CREATURE}),
        controller,
        power=creature.power,
        toughness=creature.toughness,
        marked=creature.damage,
        indestructible=creature.indestructible or "indestructible" in creature.keywords,
        protection=frozenset((*creature.protection_from, *(word[len(_PROTECTION) :] for word in words))),
        prevent_next=creature.prevent_next,
        shield_counters=creature.shield_counters,
        regeneration_shields=creature.regeneration_shields,
        lethal_by=creature.lethal_by,
        zero_power_lethal=zero_power_lethal,
    )


def as_recipient(defender: Defender) -> Recipient:
    """What can be attacked, as a recipient of damage."""
    if defender.kind == "planeswalker":
        loyalty = defender.loyalty or 0
        return Recipient(defender.name, frozenset({PLANESWALKER}), defender.controller, loyalty=loyalty)
    if defender.kind == "battle":
        return Recipient(
            defender.name, frozenset({BATTLE}), defender.controller, defense=defender.defense or 0
        )
    life = 20 if defender.life is None else defender.life
    return Recipient(defender.name, frozenset({PLAYER}), defender.name, life=life, poison=defender.poison)


_PROTECTION = "protection from "
