"""Marvel Champions' indirect damage as a Problem: who may be assigned how much, in blocks divided together.

Legality looks only at what is assigned. The cap is the remaining hit points as they are: Tough, reductions
and prevention never move it. What nobody can be assigned is ignored. A cost differs: all of it has to be
taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lethal.models.indirect_rules import EDITIONS, IMMUNE, reading
from lethal.models.indirect_types import FRIENDLY, Attack, Character, Indirect
from lethal.models.pools import Shares, Sink, capacity, level
from lethal.solver.problem import Problem

GROUP = "the players as a group"


@dataclass(frozen=True, slots=True)
class Block:
    """An amount that one decider divides among characters; `assigned` of it can and must be."""

    decider: str
    amount: int
    characters: tuple[Character, ...]
    assigned: int
    pool: tuple[Character, ...] = ()
    """All of the decider's friendly characters, eligible or not."""

    @property
    def ignored(self) -> int:
        """What nobody can be assigned."""
        return self.amount - self.assigned

    def forced(self, character: Character) -> int:
        """The least that a character is assigned: what the others have no room for."""
        others = [Sink(c.name, c.remaining) for c in self.characters if c.name != character.name]
        return self.assigned - capacity(others, self.assigned)


def eligible(value: Indirect, character: Character) -> bool:
    """Whether a character may be assigned any: a type that counts, hit points left, able to take damage."""
    if character.type not in value.among or character.remaining == 0:
        return False
    if not character.immune(value.source):
        return True
    stated = IMMUNE in EDITIONS[value.rules].states
    return not stated and reading("immune", dict(value.options), value.grim) == "eligible"


def attacked(value: Indirect) -> str | None:
    """Who counts as attacked: the defender, or the attacked player's identity; None where nothing attacks."""
    if value.attack is None:
        return None
    if value.attack.defender is not None:
        return value.attack.defender
    identity = value.identity_of(value.attack.player)
    return identity.name if identity else None


def blocks(value: Indirect) -> tuple[Block, ...]:
    """What is divided together, by whom: one block for a player or a group, one a player for each-player."""
    if value.scope == "group":
        everyone = [c for name in value.to for c in value.controlled[name]]
        return (_block(value, GROUP, value.amount, everyone),)
    if value.scope == "each-player":
        return tuple(_block(value, name, value.amount, value.controlled[name]) for name in value.to)
    if value.attack is None:
        return (_block(value, value.to[0], value.amount, value.controlled[value.to[0]]),)
    return (_attack_block(value, value.attack),)


def _block(value: Indirect, decider: str, amount: int, characters: Sequence[Character]) -> Block:
    able = tuple(c for c in characters if eligible(value, c))
    sinks = [Sink(c.name, c.remaining if value.capped else None) for c in able]
    friendly = tuple(c for c in characters if c.type in FRIENDLY)
    return Block(decider, amount, able, capacity(sinks, amount), friendly)


def _attack_block(value: Indirect, attack: Attack) -> Block:
    """The block of an attack's damage, by the readings of who may be assigned it; grim takes the worst."""
    options = dict(value.options)
    amount = value.amount
    defender = None if attack.defender is None else value.characters[attack.defender]
    if defender is not None and defender.type in ("hero", "identity"):
        lowered = reading("hero_defence", options, value.grim) == "before"
        amount = max(0, amount - attack.defence) if lowered else amount
    pools: list[tuple[str, Sequence[Character]]] = [(attack.player, value.controlled[attack.player])]
    if defender is not None and defender.player is not None and defender.player != attack.player:
        pools.append((defender.player, value.controlled[defender.player]))
        wanted = reading("other_defends", options, value.grim)
        if wanted is not None:
            pools = pools[:1] if wanted == "attacked-player" else pools[1:]
    if defender is not None and defender.type == "ally":
        alone: tuple[str, Sequence[Character]] = (str(defender.player), (defender,))
        wanted = reading("ally_defends", options, value.grim)
        pools = [*pools, alone] if wanted is None else [alone] if wanted == "defender" else pools
    return min((_block(value, name, amount, pool) for name, pool in pools), key=_comfort)


def _comfort(block: Block) -> tuple[int, int]:
    """How well off the players are: the identity's hit points after what is forced, then what is ignored."""
    left = [c.remaining - block.forced(c) for c in block.characters if c.identity and c.remaining is not None]
    return (min(left, default=block.assigned + 1), -block.assigned)


def build(value: Indirect) -> Problem:
    """The problem of assigning one instance; its columns are the characters that may be assigned any.

    For a cost all friendly characters are columns; one that cannot be paid in full has no solutions.
    """
    rule = EDITIONS[value.rules].rule
    parts = Shares()
    for block in blocks(value):
        if value.mode == "cost":
            sinks = [_paying(value, c) for c in block.pool]
            words = f"{block.decider} must pay all {block.amount} of the cost"
            parts.divide(value.source, sinks, block.amount, block.amount, block.amount, "RRG, Cost", words)
            continue
        if value.division == "even":
            sinks = _evenly(value, block)
        else:
            sinks = [Sink(c.name, c.remaining if value.capped else None) for c in block.characters]
        words = f"{block.decider} must assign {block.assigned} of {block.amount}"
        parts.divide(value.source, sinks, block.amount, block.assigned, block.assigned, rule, words)
    return Problem(tuple(parts.shares), tuple(parts.totals), rule=rule)


def _paying(value: Indirect, character: Character) -> Sink:
    """A character that can pay: damage *taken* as a cost may not meet Tough, a reduction or an effect."""
    held = character.tough > 0 or character.reduce > 0
    held = held or any(e.character == character.name and e.kind != "increase" for e in value.effects)
    able = eligible(value, character) and not (held and value.cost_of == "taken")
    return Sink(character.name, character.remaining if able else 0)


def _evenly(value: Indirect, block: Block) -> list[Sink]:
    caps = [
        block.assigned if c.remaining is None or not value.capped else min(block.assigned, c.remaining)
        for c in block.characters
    ]
    values = level(caps, block.assigned)
    return [Sink(c.name, None, v) for c, v in zip(block.characters, values, strict=True)]


def turns(value: Indirect) -> tuple[Indirect, ...]:
    """The instances of an each-player one, one for every player in turn; any other instance alone."""
    if value.scope != "each-player":
        return (value,)
    return tuple(replace(value, scope="player", to=(name,)) for name in value.to)


def ignored(value: Indirect) -> int:
    """The part of the amount that nobody can be assigned."""
    return sum(block.ignored for block in blocks(value))
