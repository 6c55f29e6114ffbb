"""Documents of kind "combat": their keys, defaults and defects, and the plain value that models work on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from lethal.models.combat_types import ANY, NOTHING, Combat, Creature, Defender
from lethal.models.document import Defects, DocumentError, at_key, copies, hint, read
from lethal.models.keywords import FIRST_STRIKES, KNOWN, fold, is_known

MOST = 10**12
"""The largest amount in a document; sums of amounts then stay well within machine integers."""

Integer: TypeAlias = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
Order: TypeAlias = dict[str, tuple[str, ...] | Literal["any"]]


class CreatureKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The keys of an attacker or a blocker."""

    name: Name
    power: Integer
    toughness: Natural
    damage: Natural = 0
    keywords: tuple[str, ...] = ()
    value: float | None = None
    colors: tuple[str, ...] = ()
    count: Count | None = None
    protection_from: tuple[str, ...] = ()
    prevent_next: Natural = 0
    indestructible: bool = False
    regeneration_shields: Natural = 0
    shield_counters: Natural = 0
    assigns: Literal["power", "toughness", "nothing"] = "power"
    as_though_unblocked: bool = False
    lethal_by: Literal["toughness", "power"] = "toughness"
    divides_freely: bool = False
    band: Name | None = None
    deals_multiplier: Natural = 1
    dealt_first_strike_damage: bool | None = None
    unpreventable: bool = False


class AttackerKeys(CreatureKeys, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """An attacker's keys: what it attacks, and whether it became blocked."""

    attacks: str | None = None
    blocked: bool | None = None


class BlockerKeys(CreatureKeys, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A blocker's keys: the attackers that it blocks."""

    blocks: tuple[str, ...] = ()


class DefenderKeys(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """What can be attacked: a player unless it has loyalty or defense."""

    name: Name
    life: Integer | None = None
    loyalty: Natural | None = None
    defense: Natural | None = None
    controller: Name | None = None


class Options(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """Readings that the rules leave open, with the recommended defaults."""

    joint: Literal["assigner", "all"] = "assigner"
    zero_power_lethal: Literal[0, 1] = 1


class CombatDocument(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A whole document of kind "combat"."""

    kind: Literal["combat"]
    rules: Literal["stack", "m10", "m11", "ordered", "foundations"] = "foundations"
    assigning: Literal["attackers", "blockers"] = "attackers"
    step: Literal["first-strike", "regular", "only"] | None = None
    title: str | None = None
    source: str | None = None
    note: str | None = None
    attackers: tuple[AttackerKeys, ...] = ()
    blockers: tuple[BlockerKeys, ...] = ()
    defenders: tuple[DefenderKeys, ...] = ()
    order: Literal["any"] | Order = {}
    options: Options = Options()


def read_combat(document: Mapping[str, Any]) -> tuple[Combat, list[str]]:
    """The combat that a document describes, and warnings for what is kept and ignored (unknown keywords).

    Raises DocumentError with every defect: unknown keys, wrong types, names that nothing bears or that two
    bear, orders that do not name exactly the creatures they order.
    """
    warnings: list[str] = []
    combat = read(document, CombatDocument, lambda keys, defects: _Reader(keys, defects, warnings).combat())
    return combat, warnings


def defects(document: Mapping[str, Any]) -> list[str]:
    """Every defect of a document of kind "combat", each as `place: message`; empty if there is none."""
    try:
        read_combat(document)
    except DocumentError as error:
        return list(error.defects)
    return []


class _Reader:
    """Expands one decoded document, collecting defects of meaning."""

    def __init__(self, keys: CombatDocument, defects: Defects, warnings: list[str]) -> None:
        self.keys = keys
        self.defects = defects
        self.warnings = warnings
        self.attackers = _stands_for(keys.attackers)
        self.blockers = _stands_for(keys.blockers)
        self._bearers = sum([1 + (c.count or 0) for c in (*keys.attackers, *keys.blockers)])

    def combat(self) -> Combat:
        keys = self.keys
        defenders = self._defenders()
        self._names_are_unique(defenders)
        blocks = [
            self._names(blocker.blocks, f"blockers[{at}].blocks", self.attackers, self.blockers, "attacker")
            for at, blocker in enumerate(keys.blockers)
        ]
        held = self._held(blocks)
        attackers = tuple(self._attackers(defenders, held))
        blockers = tuple(
            creature
            for at, (blocker, names) in enumerate(zip(keys.blockers, blocks, strict=True))
            for creature in self._creatures(blocker, f"blockers[{at}]", blocks=names)
        )
        for at, blocker in enumerate(keys.blockers):
            if blocker.band is not None:
                self.warnings.append(
                    f"blockers[{at}].band: only attackers form bands; {blocker.band!r} is ignored"
                )
        return Combat(
            keys.rules,
            keys.assigning,
            self._step(attackers, blockers),
            attackers,
            blockers,
            defenders,
            self._order(attackers, blockers) if keys.order else {},
            keys.order == ANY,
            keys.options.joint,
            keys.options.zero_power_lethal,
            keys.title,
            keys.source,
            keys.note,
        )

    # Names ----------------------------------------------------------------------------------------

    def _names_are_unique(self, defenders: Sequence[Defender]) -> None:
        names = {*self.attackers, *self.blockers}
        names.update([defender.name for defender in defenders])
        if len(names) == self._bearers + len(defenders) and NOTHING not in names:
            return
        seen: dict[str, str] = {}
        groups: tuple[tuple[str, Sequence[CreatureKeys | DefenderKeys]], ...] = (
            ("attackers", self.keys.attackers),
            ("blockers", self.keys.blockers),
            ("defenders", self.keys.defenders),
        )
        for group, entries in groups:
            for at, entry in enumerate(entries):
                place, name = f"{group}[{at}].name", entry.name
                count = entry.count if isinstance(entry, CreatureKeys) else None
                every = (name, *copies(name, count)) if count else (name,)
                twice = next((one for one in every if one in seen), None)
                if twice is not None:
                    self.defects.add(place, f"{twice!r} is also the name at {seen[twice]}")
                elif name == NOTHING:
                    self.defects.add(place, f"{name!r} is reserved: it says that nothing is attacked")
                for one in every:
                    seen.setdefault(one, place)
        for defender in defenders[len(self.keys.defenders) :]:
            if defender.name in seen:
                self.defects.add(
                    seen[defender.name], f"{defender.name!r} is also the name of the defending player"
                )

    def _names(
        self,
        names: Sequence[str],
        place: str,
        stands: Mapping[str, tuple[str, ...]],
        others: Mapping[str, tuple[str, ...]],
        role: str,
    ) -> tuple[str, ...]:
        """The creatures that a list of names means, a bare name standing for all its copies."""
        found: dict[str, None] = {}
        for at, name in enumerate(names):
            known = stands.get(name)
            if known is None:
                close = f"; {name!r} is on the other side" if name in others else hint(name, stands)
                if close or not self.defects.hides_names(f"{role}s"):
                    self.defects.add(f"{place}[{at}]", f"no {role} is named {name!r}{close}")
                continue
            for one in known:
                if one in found:
                    self.defects.add(f"{place}[{at}]", f"{one!r} is named twice")
                found[one] = None
        return tuple(found)

    # What can be attacked -------------------------------------------------------------------------

    def _defenders(self) -> tuple[Defender, ...]:
        """Those listed, then players who only control one; with none listed, one player at 20 life."""
        if not self.keys.defenders:
            return (Defender("player", life=20),)
        players = [d.name for d in self.keys.defenders if d.loyalty is None and d.defense is None]
        implied: dict[str, None] = {}
        found = []
        for at, keys in enumerate(self.keys.defenders):
            place = f"defenders[{at}]"
            points = [key for key in ("life", "loyalty", "defense") if getattr(keys, key) is not None]
            if len(points) > 1:
                self.defects.add(
                    place, f"has {' and '.join(points)}; a defender has one of life, loyalty, defense"
                )
            controller = keys.controller
            if keys.loyalty is None and keys.defense is None:
                if controller is not None:
                    self.defects.add(f"{place}.controller", f"a player has no controller, got {controller!r}")
                life = 20 if keys.life is None else keys.life
                found.append(Defender(keys.name, "player", life))
                continue
            if controller is None:
                controller = players[0] if players else "player"
            elif players and controller not in players:
                self.defects.add(
                    f"{place}.controller", f"no player is named {controller!r}{hint(controller, players)}"
                )
            if not players:
                implied[controller] = None
            kind: Literal["planeswalker", "battle"] = "battle" if keys.loyalty is None else "planeswalker"
            found.append(Defender(keys.name, kind, None, keys.loyalty, keys.defense, controller))
        return (*found, *(Defender(name, life=20) for name in implied))

    # Creatures ------------------------------------------------------------------------------------

    def _held(self, blocks: Sequence[tuple[str, ...]]) -> set[str]:
        """The attackers that some blocker blocks, and with one its whole band (702.22h)."""
        held = {name for names in blocks for name in names}
        bands = {keys.band for keys in self.keys.attackers if keys.band is not None}
        if bands:
            members = [(keys.band, self.attackers[keys.name]) for keys in self.keys.attackers]
            touched = {band for band, names in members if not held.isdisjoint(names)} & bands
            held.update(name for band, names in members if band in touched for name in names)
        return held

    def _attackers(self, defenders: Sequence[Defender], held: set[str]) -> list[Creature]:
        found: list[Creature] = []
        attackable = [d.name for d in defenders]
        for at, keys in enumerate(self.keys.attackers):
            attacks = attackable[0] if keys.attacks is None else keys.attacks
            if attacks not in attackable and attacks != NOTHING:
                close = hint(attacks, [*attackable, NOTHING])
                if close or not self.defects.hides_names("defenders"):
                    message = f"nothing to attack is named {attacks!r}{close}"
                    self.defects.add(f"attackers[{at}].attacks", message)
            for creature in self._creatures(keys, f"attackers[{at}]", attacks, held):
                if keys.blocked is False and creature.name in held:
                    message = f"expected true, because {creature.name!r} is being blocked"
                    self.defects.add(f"attackers[{at}].blocked", message)
                found.append(creature)
        return found

    def _creatures(
        self,
        keys: CreatureKeys,
        place: str,
        attacks: str | None = None,
        held: set[str] | frozenset[str] = frozenset(),
        blocks: tuple[str, ...] = (),
    ) -> list[Creature]:
        """The creatures that one entry stands for."""
        words = frozenset([fold(word) for word in keys.keywords]) if keys.keywords else frozenset()
        for word in words:
            if not is_known(word):
                close = hint(word, sorted(KNOWN))
                self.warnings.append(f"{place}.keywords: no keyword {word!r} is known here, ignored{close}")
        if keys.value is not None and not isfinite(keys.value):
            self.defects.add(f"{place}.value", f"expected a finite number, got {keys.value!r}")
        blocked = bool(getattr(keys, "blocked", None))
        return [
            Creature(
                name,
                keys.power,
                keys.toughness,
                keys.damage,
                words,
                attacks,
                blocked or name in held,
                blocks,
                keys.value,
                keys.colors,
                keys.protection_from,
                keys.prevent_next,
                keys.indestructible or "indestructible" in words,
                keys.regeneration_shields,
                keys.shield_counters,
                keys.assigns,
                keys.as_though_unblocked,
                keys.lethal_by,
                keys.divides_freely,
                keys.band,
                keys.deals_multiplier,
                keys.dealt_first_strike_damage,
                keys.unpreventable,
            )
            for name in ((keys.name,) if keys.count is None else copies(keys.name, keys.count))
        ]

    def _step(
        self, attackers: Sequence[Creature], blockers: Sequence[Creature]
    ) -> Literal["only", "first-strike", "regular"]:
        """The step named, or the first there is: one only if nothing has first or double strike (510.4)."""
        step = self.keys.step
        if step is not None and step != "only":
            return step
        quick = next((c.name for c in (*attackers, *blockers) if c.keywords & FIRST_STRIKES), None)
        if quick is None:
            return "only"
        if step == "only":
            self.defects.add("step", f'expected "first-strike" or "regular", because {quick!r} strikes first')
        return "first-strike"

    # Orders ---------------------------------------------------------------------------------------

    def _order(self, attackers: Sequence[Creature], blockers: Sequence[Creature]) -> Order:
        """The announced orders by creature, a bare name standing for each of its copies."""
        found: Order = {}
        if isinstance(self.keys.order, str):
            return found
        reach = self._reach(attackers, blockers)
        for name, order in self.keys.order.items():
            place = at_key("order", name)
            mine, theirs, role = self.attackers, self.blockers, "blocker"
            if name not in mine:
                mine, theirs, role = theirs, mine, "attacker"
            if name not in mine:
                close = hint(name, [*self.attackers, *self.blockers])
                if close or not (
                    self.defects.hides_names("attackers") or self.defects.hides_names("blockers")
                ):
                    self.defects.add(place, f"no creature is named {name!r}{close}")
                continue
            names = order if isinstance(order, str) else self._names(order, place, theirs, mine, role)
            for one in mine[name]:
                if names != ANY:
                    self._is_complete(place, one, names, reach[one])
                found[one] = names
        return found

    @staticmethod
    def _reach(attackers: Sequence[Creature], blockers: Sequence[Creature]) -> dict[str, dict[str, None]]:
        """What each creature may divide its damage among; blocking one of a band blocks all (702.22h)."""
        bands: dict[str, list[str]] = {}
        for attacker in attackers:
            if attacker.band is not None:
                bands.setdefault(attacker.band, []).append(attacker.name)
        whole = {name: members for members in bands.values() for name in members}
        reach: dict[str, dict[str, None]] = {creature.name: {} for creature in (*attackers, *blockers)}
        for blocker in blockers:
            for named in blocker.blocks:
                for attacker_name in whole.get(named, (named,)):
                    reach[blocker.name][attacker_name] = None
                    reach[attacker_name][blocker.name] = None
        return reach

    def _is_complete(self, place: str, one: str, names: Sequence[str], due: Mapping[str, None]) -> None:
        for at, name in enumerate(names):
            if name not in due:
                self.defects.add(f"{place}[{at}]", f"{name!r} and {one!r} do not block each other")
        for name in due:
            if name not in names:
                self.defects.add(place, f"{name!r} is missing; it and {one!r} block each other")


def _stands_for(creatures: Sequence[CreatureKeys]) -> dict[str, tuple[str, ...]]:
    """What each name in the document means: itself, or all its copies; a copy's own name too."""
    stands: dict[str, tuple[str, ...]] = {}
    for creature in creatures:
        if creature.count is None:
            stands[creature.name] = (creature.name,)
        else:
            stands[creature.name] = copies(creature.name, creature.count)
            stands.update((name, (name,)) for name in stands[creature.name])
    return stands
