"""Documents of kind "indirect": their keys, defaults and defects, and the plain value that models work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from lethal.models.document import DocumentError, copies, decode, hint
from lethal.models.indirect_flow import order_of
from lethal.models.indirect_rules import EDITIONS, IMMUNE, QUESTIONS, SILENT, TOUGH
from lethal.models.indirect_types import (
    FRIENDLY,
    SOURCE,
    Attack,
    Character,
    Effect,
    Indirect,
    Player,
)

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Name = Annotated[str, msgspec.Meta(min_length=1)]


class CharacterKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of a character; `type` is identity (or hero, alter-ego), ally, or what takes no share."""

    name: Name
    type: Name
    hit_points: Natural | Literal["infinite"]
    damage: Natural = 0
    tough: Natural = 0
    cannot_take_damage: bool | tuple[str, ...] = False
    reduce: Natural = 0
    value: float | None = None
    count: Positive | None = None


class PlayerKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A player and their characters."""

    name: Name
    characters: tuple[CharacterKeys, ...] = ()


class AttackKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The enemy attack behind the damage: the attacked player, the defending character, DEF, keywords."""

    player: str | None = None
    defender: str | None = None
    defence: Natural = 0
    keywords: tuple[str, ...] = ()


class EffectKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """Something attached to what happens after assignment; without an amount it prevents or moves all."""

    kind: Literal["prevent", "redirect", "increase"]
    character: str | None = None
    amount: Natural | None = None
    to: str | None = None
    stage: Literal["dealt", "taken", "excess"] = "dealt"


class WeightKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """What the objective `weighted` gives for each thing kept, and takes for each point of damage taken."""

    identity: float = 100
    ally: float = 1
    ready: float = 10
    tough: float = 1
    taken: float = 1


class OptionKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True, omit_defaults=True):
    """Readings of what the rules leave open; unset ones take the recommended reading, or the grim one."""

    each_player: Literal["in-turn", "at-once"] | None = None
    hero_defence: Literal["before", "none"] | None = None
    ally_defends: Literal["player", "defender"] | None = None
    other_defends: Literal["defending-player", "attacked-player"] | None = None
    piercing: Literal["attacked", "damaged"] | None = None
    immune: Literal["ineligible", "eligible"] | None = None
    redirected: Literal["same-instance", "new-instance"] | None = None


class IndirectDocument(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A whole document of kind "indirect"."""

    kind: Literal["indirect"]
    amount: Natural
    players: tuple[PlayerKeys, ...]
    rules: Literal["rrg-1.3", "rrg-1.5", "rrg-1.6", "rrg-1.8"] = "rrg-1.8"
    source: Name = SOURCE
    mode: Literal["effect", "enemy-attack", "cost"] = "effect"
    scope: Literal["player", "group", "each-player"] = "player"
    to: str | tuple[str, ...] | None = None
    cost_of: Literal["taken", "dealt"] = "taken"
    division: Literal["free", "even"] = "free"
    capped: bool = True
    among: tuple[Literal["identity", "hero", "alter-ego", "ally"], ...] | None = None
    attack: AttackKeys | None = None
    effects: tuple[EffectKeys, ...] = ()
    options: OptionKeys = OptionKeys()
    grim: bool = False
    weights: WeightKeys = WeightKeys()
    next_activation: Natural = 0
    title: str | None = None
    note: str | None = None


ATTACK_KEYWORDS = frozenset({"piercing", "overkill", "ranged"})


def read_indirect(document: Mapping[str, Any]) -> tuple[Indirect, list[str]]:
    """The instance of indirect damage that a document describes, and warnings.

    Raises DocumentError with every defect: unknown keys, wrong types, names that nothing bears or two bear,
    an attack without the mode, redirects in a circle.
    """
    keys = decode(document, IndirectDocument)
    reader = _Reader(keys)
    value = reader.read()
    if reader.defects:
        raise DocumentError(reader.defects)
    return value, reader.warnings


class _Reader:
    """Expands one decoded document, collecting defects of meaning."""

    def __init__(self, keys: IndirectDocument) -> None:
        self.keys = keys
        self.defects: list[str] = []
        self.warnings: list[str] = []
        self.stands: dict[str, tuple[str, ...]] = {}
        """What each character's name in the document stands for."""

    def read(self) -> Indirect:
        keys = self.keys
        players = tuple(
            Player(p.name, self._characters(p, f"players[{at}]")) for at, p in enumerate(keys.players)
        )
        self._unique_players()
        if not players:
            self.defects.append("players: there must be at least one player")
        value = Indirect(
            keys.rules,
            keys.amount,
            players,
            self._to([p.name for p in players]),
            scope=keys.scope,
            mode=keys.mode,
            source=keys.source,
            cost_of=keys.cost_of,
            division=keys.division,
            capped=keys.capped,
            among=self._among(),
            effects=tuple(
                effect for at, e in enumerate(keys.effects) for effect in self._effect(e, f"effects[{at}]")
            ),
            options={name: got for name in QUESTIONS if (got := getattr(keys.options, name)) is not None},
            grim=keys.grim,
            weights={name: getattr(keys.weights, name) for name in WeightKeys.__struct_fields__},
            next_activation=keys.next_activation,
        )
        if players and value.to:
            value = self._attack(value)
        self._circles(value)
        self._identities(value)
        self._silent(value)
        return value

    def _characters(self, player: PlayerKeys, place: str) -> tuple[Character, ...]:
        found = []
        for at, keys in enumerate(player.characters):
            names = copies(keys.name, keys.count) if keys.count else [keys.name]
            for name in {keys.name, *names}:
                if name in self.stands:
                    self.defects.append(
                        f"{place}.characters[{at}].name: {name!r} is already a character's name"
                    )
            self.stands.update({name: (name,) for name in names})
            self.stands[keys.name] = tuple(names)
            immune = keys.cannot_take_damage
            for name in names:
                if keys.tough > 1:
                    self.warnings.append(f"{name}: more than one Tough card only where a card says so")
                found.append(
                    Character(
                        name,
                        keys.type.strip().casefold(),
                        None if keys.hit_points == "infinite" else int(keys.hit_points),
                        keys.damage,
                        keys.tough,
                        immune if isinstance(immune, bool) else frozenset(immune),
                        keys.reduce,
                        keys.value,
                        player.name,
                    )
                )
        return tuple(found)

    def _unique_players(self) -> None:
        seen: set[str] = set()
        for at, player in enumerate(self.keys.players):
            if player.name in seen:
                self.defects.append(f"players[{at}].name: {player.name!r} is already a player's name")
            seen.add(player.name)

    def _to(self, names: list[str]) -> tuple[str, ...]:
        given, scope = self.keys.to, self.keys.scope
        wanted = (given,) if isinstance(given, str) else given
        if wanted is None:
            return tuple(names[:1] if scope == "player" else names)
        for name in wanted:
            if name not in names:
                self.defects.append(f"to: no player is named {name!r}{hint(name, names)}")
        if scope == "player" and len(wanted) != 1:
            self.defects.append(f"to: one player for scope 'player', got {list(wanted)!r}")
        if not wanted:
            self.defects.append("to: name at least one player")
        if len(set(wanted)) < len(wanted):
            self.defects.append(f"to: a player is named twice: {list(wanted)!r}")
        return tuple(name for name in wanted if name in names)

    def _among(self) -> frozenset[str]:
        """The types that may be assigned; `identity` means heroes and alter-egos too."""
        if self.keys.among is None:
            return FRIENDLY
        found = {str(kind) for kind in self.keys.among}
        if "identity" in found:
            found |= {"hero", "alter-ego"}
        elif found & {"hero", "alter-ego"}:
            self.warnings += [
                f"{c.name}: an identity whose form is not given counts for neither hero nor alter-ego"
                for p in self.keys.players
                for c in p.characters
                if c.type.strip().casefold() == "identity"
            ]
        return frozenset(found)

    def _effect(self, keys: EffectKeys, place: str) -> list[Effect]:
        """The effect, one for each copy that a bare name stands for."""
        if keys.kind == "increase" and keys.amount is None:
            self.defects.append(f"{place}: an increase needs an amount")
        if keys.kind == "redirect" and keys.to is None:
            self.defects.append(f"{place}: a redirect needs 'to'")
        if keys.kind != "redirect" and keys.to is not None:
            self.defects.append(f"{place}.to: only a redirect moves damage, not {keys.kind!r}")
        if keys.character is None:
            if keys.kind != "increase":
                self.defects.append(f"{place}: key 'character' is missing")
            return [Effect(keys.kind, None, keys.amount, keys.to, keys.stage)]
        if keys.character not in self.stands:
            close = hint(keys.character, self.stands)
            self.defects.append(f"{place}.character: no character is named {keys.character!r}{close}")
            return []
        if keys.to is not None and len(self.stands.get(keys.to, (keys.to,))) > 1:
            self.defects.append(f"{place}.to: {keys.to!r} stands for several characters")
        names = self.stands[keys.character]
        return [Effect(keys.kind, name, keys.amount, keys.to, keys.stage) for name in names]

    def _attack(self, value: Indirect) -> Indirect:
        keys, mode = self.keys.attack, self.keys.mode
        if mode != "enemy-attack":
            if keys is not None:
                self.defects.append(f"attack: only for mode 'enemy-attack', not {mode!r}")
            return value
        keys = keys or AttackKeys()
        player = keys.player or value.to[0]
        if self.keys.scope != "player":
            self.defects.append(f"scope: an attack is made against one player, not {self.keys.scope!r}")
        if player not in value.controlled:
            close = hint(player, value.controlled)
            self.defects.append(f"attack.player: no player is named {player!r}{close}")
        elif keys.player is not None and self.keys.to is not None and value.to != (player,):
            self.defects.append(f"attack.player: {player!r} is attacked, but 'to' is {self.keys.to!r}")
        defender = value.characters.get(keys.defender) if keys.defender is not None else None
        if keys.defender is not None and (defender is None or defender.type not in FRIENDLY):
            close = hint(keys.defender, value.characters) if defender is None else ""
            self.defects.append(f"attack.defender: no friendly character is named {keys.defender!r}{close}")
        elif defender is not None and defender.type == "alter-ego":
            self.defects.append(f"attack.defender: an alter-ego cannot defend: {keys.defender!r}")
        if keys.defence and (defender is None or defender.type not in ("hero", "identity")):
            self.defects.append(f"attack.defence: only a defending hero has DEF, got {keys.defence!r}")
        words = frozenset(word.strip().casefold() for word in keys.keywords)
        for word in sorted(words - ATTACK_KEYWORDS):
            self.warnings.append(
                f"attack: keyword {word!r} is not known and ignored{hint(word, ATTACK_KEYWORDS)}"
            )
        return replace(value, attack=Attack(player, keys.defender, keys.defence, words))

    def _circles(self, value: Indirect) -> None:
        try:
            order_of(value.characters, value.effects)
        except ValueError as error:
            self.defects.append(f"effects: {error}")
        if value.scope != "each-player" or value.options.get("each_player") == "at-once":
            return
        for effect in value.effects:
            ends = [value.characters.get(name or "") for name in (effect.character, effect.to)]
            if effect.kind == "redirect" and all(ends) and len({c.player for c in ends if c}) > 1:
                self.defects.append(
                    f"effects: {effect.character!r} moves damage to another player's {effect.to!r} "
                    "between two turns; state each player's part alone, or set option each_player = 'at-once'"
                )

    def _identities(self, value: Indirect) -> None:
        for at, player in enumerate(value.players):
            identities = [c.name for c in player.characters if c.identity]
            if len(identities) > 1:
                self.defects.append(f"players[{at}]: one identity a player, got {', '.join(identities)}")

    def _silent(self, value: Indirect) -> None:
        """Warnings for what the edition does not say and the scenario depends on."""
        edition = EDITIONS[value.rules]
        used = set()
        if any(c.tough for c in value.characters.values()):
            used.add(TOUGH)
        if any(c.immune(value.source) for c in value.characters.values()):
            used.add(IMMUNE)
        for point in sorted(used - edition.states):
            self.warnings.append(f"{value.rules} does not say {SILENT[point]}; read as later editions say")
