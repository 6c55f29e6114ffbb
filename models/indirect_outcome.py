"""What assigned damage does in Marvel Champions: dealt and taken kept apart, one instance all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from lethal.models.indirect import attacked, blocks, ignored
from lethal.models.indirect_flow import Flow, flow_of, order_of, redirected
from lethal.models.indirect_rules import EDITIONS, NEWEST, reading
from lethal.models.indirect_types import SOURCE, Character, Effect, Indirect
from lethal.models.pools import reader_meter
from lethal.solver.problem import Meter, Problem

Amounts: TypeAlias = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Outcome:
    """What one instance of damage did, by character; only those it was dealt to appear.

    Cards that test damage *dealt* read `dealt`, those that test *taking* damage `taken`; `excess_dealt` is
    what was dealt beyond the remaining hit points, `excess_taken` what was taken beyond them, and `spilled`
    what overkill passed on. `stored` went to things that are no characters, `advanced` are villains' next
    stages.
    """

    dealt: Mapping[str, int]
    taken: Mapping[str, int]
    tough_spent: Mapping[str, int]
    excess_dealt: Mapping[str, int]
    excess_taken: Mapping[str, int]
    defeated: tuple[str, ...]
    characters: Mapping[str, Character]
    """Every character as it is afterwards: damage and Tough cards."""
    spilled: Mapping[str, int] = field(default_factory=dict)
    stored: Mapping[str, int] = field(default_factory=dict)
    advanced: Mapping[str, int] = field(default_factory=dict)
    eliminated: tuple[str, ...] = ()
    attacked: str | None = None
    attacked_player: str | None = None
    ignored: int = 0
    paid: bool | None = None
    """Whether a cost is paid; None where the damage is none."""
    absorbed: Mapping[str, int] = field(default_factory=dict)
    """What Tough cards stopped."""

    @property
    def damaged(self) -> tuple[str, ...]:
        """Who took damage; prevented damage damages nobody."""
        return tuple(name for name, n in self.taken.items() if n)

    @property
    def attacked_and_damaged(self) -> bool:
        """Whether the attacked character also took damage."""
        return self.attacked is not None and self.taken.get(self.attacked, 0) > 0

    @property
    def exactly_defeated(self) -> tuple[str, ...]:
        """Those defeated with no excess dealt."""
        return tuple(name for name in self.defeated if not self.excess_dealt.get(name))

    @property
    def removed(self) -> tuple[str, ...]:
        """Characters that are not defeated and yet leave play with their eliminated player."""
        return tuple(
            c.name
            for c in self.characters.values()
            if c.player in self.eliminated and c.name not in self.defeated
        )

    def plain(self) -> dict[str, Any]:
        """The outcome in plain values: the keys of the scenario format, and those that cards test."""
        return {
            "defeated": list(self.defeated),
            "taken": dict(self.taken),
            "dealt": dict(self.dealt),
            "tough_spent": dict(self.tough_spent),
            "ignored": self.ignored,
            "eliminated": list(self.eliminated),
            "excess_dealt": dict(self.excess_dealt),
            "excess_taken": dict(self.excess_taken),
            "spilled": dict(self.spilled),
            "stored": dict(self.stored),
            "damage": {name: self.characters[name].damage for name in self.damaged},
            "attacked": self.attacked,
            "paid": self.paid,
        }


@dataclass(frozen=True)
class Settings:
    """What applies to one instance of damage besides whom it is dealt to.

    `spills` names who takes a character's excess where `keywords` hold overkill; `pierced` are the
    characters whose Tough cards piercing discards if they would be dealt damage.
    """

    rules: str = NEWEST
    source: str = SOURCE
    effects: tuple[Effect, ...] = ()
    keywords: frozenset[str] = frozenset()
    spills: Mapping[str, str] = field(default_factory=dict)
    pierced: frozenset[str] = frozenset()
    redirected: str = "same-instance"


def resolve(
    characters: Iterable[Character], assigned: Mapping[str, int], settings: Settings | None = None
) -> Outcome:
    """Deal all of one instance at once.

    Raises ValueError for unknown names, negative amounts and redirects in a circle.
    """
    state = _Instance({c.name: c for c in characters}, settings or Settings())
    for name, amount in assigned.items():
        if name not in state.characters:
            raise ValueError(f"there is no character {name!r}")
        if amount < 0:
            raise ValueError(f"{name!r} cannot be assigned {amount!r}")
    return state.run(assigned)


class _Instance:
    """The bookkeeping of one instance."""

    def __init__(self, characters: dict[str, Character], settings: Settings) -> None:
        self.characters = characters
        self.settings = settings
        self.edition = EDITIONS[settings.rules]
        self.dealt: dict[str, int] = {}
        self.taken: dict[str, int] = {}
        self.spent: dict[str, int] = {}
        self.stored: dict[str, int] = {}
        self.absorbed: dict[str, int] = {}

    def run(self, assigned: Mapping[str, int]) -> Outcome:
        arrived: dict[str, int] = {}
        for name in order_of(self.characters, self.settings.effects):
            flow = self._flow(name)
            own, more = flow.deal(assigned.get(name, 0)), arrived.get(name, 0)
            if own and more and self.settings.redirected == "new-instance":
                self._pass(name, own, arrived)
                self._pass(name, more, arrived)
            elif own or more:
                self._pass(name, own + more, arrived)
        self.stored = {name: n for name, n in arrived.items() if name not in self.characters}
        spilled = self._overkill() if "overkill" in self.settings.keywords else {}
        return self._finish(spilled)

    def _flow(self, name: str, *, plain: bool = False) -> Flow:
        """A character's flow with the Tough cards it has left; `plain`: no interrupt acts a second time."""
        character = self.characters[name]
        left = character.tough - self.spent.get(name, 0)
        effects = [e for e in self.settings.effects if not plain or e.kind == "increase"]
        pierced = name in self.settings.pierced
        return flow_of(replace(character, tough=left), effects, source=self.settings.source, pierced=pierced)

    def _pass(self, name: str, dealt: int, arrived: dict[str, int], *, plain: bool = False) -> None:
        flow = self._flow(name, plain=plain or name in self.taken)
        passed = flow.settle(dealt)
        self.dealt[name] = self.dealt.get(name, 0) + dealt
        self.taken[name] = self.taken.get(name, 0) + passed.taken
        if passed.absorbed:
            self.absorbed[name] = self.absorbed.get(name, 0) + passed.absorbed
        if passed.spent:
            self.spent[name] = self.spent.get(name, 0) + passed.spent
        for (_, to), moved in zip(flow.steps, passed.moved, strict=True):
            if to is not None and moved:
                arrived[to] = arrived.get(to, 0) + moved

    def _excess(self, name: str, amounts: Mapping[str, int]) -> int:
        left = self.characters[name].remaining
        return 0 if left is None else max(0, amounts[name] - left)

    def _overkill(self) -> dict[str, int]:
        """Pass excess on: damage of the attack, which Tough may stop, but no attack on its recipient."""
        spilled: dict[str, int] = {}
        for name in list(self.taken):
            to = self.settings.spills.get(name)
            if to is None or self.spent.get(name):
                continue
            basis = self.taken if self.edition.overkill == "taken" else self.dealt
            excess = self._excess(name, basis)
            if excess:
                extra = [e.amount or 0 for e in self.settings.effects if self._raises_excess(e, name)]
                spilled[to] = spilled.get(to, 0) + excess + sum(extra)
        for to, amount in spilled.items():
            if self.edition.increase_spills:
                everywhere = [e for e in self.settings.effects if e.kind == "increase" and e.stage == "dealt"]
                amount += sum(e.amount or 0 for e in everywhere if e.character is None)
            self._pass(to, amount, {}, plain=True)
        return spilled

    @staticmethod
    def _raises_excess(effect: Effect, name: str) -> bool:
        return effect.kind == "increase" and effect.stage == "excess" and effect.character in (None, name)

    def _finish(self, spilled: dict[str, int]) -> Outcome:
        after: dict[str, Character] = {}
        defeated, advanced = [], {}
        for name, character in self.characters.items():
            damage = character.damage + self.taken.get(name, 0)
            tough = character.tough - self.spent.get(name, 0)
            after[name] = replace(character, damage=damage, tough=tough)
            if name not in self.taken or after[name].remaining != 0:
                continue
            if character.stages:
                after[name] = replace(
                    after[name], hit_points=character.stages[0], stages=character.stages[1:], damage=0
                )
                advanced[name] = character.stages[0]
            else:
                defeated.append(name)
        identities = [self.characters[name] for name in defeated if self.characters[name].identity]
        return Outcome(
            self.dealt,
            self.taken,
            self.spent,
            {name: n for name in self.dealt if (n := self._excess(name, self.dealt))},
            {name: n for name in self.taken if (n := self._excess(name, self.taken))},
            tuple(defeated),
            after,
            spilled,
            self.stored,
            advanced,
            tuple(dict.fromkeys(c.player for c in identities if c.player is not None)),
            absorbed=self.absorbed,
        )


def attack_damage(amount: int, defence: int = 0) -> int:
    """The damage an attack deals to a hero who defends with DEF; where it is 0, no Tough card is lost."""
    return max(0, amount - defence)


def settings_of(value: Indirect) -> Settings:
    """What applies to an instance of indirect damage: effects, its attack's keywords, readings."""
    keywords = value.attack.keywords if value.attack else frozenset()
    options = dict(value.options)
    pierced: set[str] = set()
    if "piercing" in keywords:
        everyone = reading("piercing", options, value.grim) == "damaged"
        target = attacked(value)
        pierced = set(value.characters) if everyone else {target} if target else set()
    spills = {}
    for character in value.characters.values():
        identity = value.identity_of(character.player) if character.player else None
        if character.type == "ally" and identity is not None:
            spills[character.name] = identity.name
    return Settings(
        value.rules,
        value.source,
        value.effects,
        keywords,
        spills,
        frozenset(pierced),
        reading("redirected", options, value.grim) or "same-instance",
    )


def assigned_of(value: Indirect, amounts: Amounts) -> dict[str, int]:
    """What each character is assigned; raises ValueError for a source or character that is not there."""
    found: dict[str, int] = {}
    for source, shares in amounts.items():
        if source != value.source:
            raise ValueError(f"the source is {value.source!r}, not {source!r}")
        for name, amount in shares.items():
            if name not in value.characters:
                raise ValueError(f"there is no character {name!r}")
            if amount:
                found[name] = amount
    return found


def settle(value: Indirect, amounts: Amounts) -> Outcome:
    """The outcome of an assignment; raises ValueError for names that the document has not."""
    assigned = assigned_of(value, amounts)
    found = resolve(value.characters.values(), assigned, settings_of(value))
    paid = None
    if value.mode == "cost":
        counted = found.taken if value.cost_of == "taken" else found.dealt
        due = sum(block.amount for block in blocks(value))
        paid = sum(counted.values()) >= due
    return replace(
        found,
        attacked=attacked(value),
        attacked_player=value.attack.player if value.attack else None,
        ignored=ignored(value),
        paid=paid,
    )


def outcome(value: Indirect, amounts: Amounts) -> dict[str, Any]:
    """What assigned damage does, in the scenario format's terms; raises ValueError for unknown names."""
    return settle(value, amounts).plain()


def after(value: Indirect, amounts: Amounts) -> Indirect:
    """The board once an assignment has happened: damage and Tough as they are then, the defeated gone.

    Attack and effects were of that instance and are left out; `dataclasses.replace` states the next one.
    """
    found = settle(value, amounts)
    gone = {*found.defeated, *found.removed}
    players = tuple(
        replace(p, characters=tuple(found.characters[c.name] for c in p.characters if c.name not in gone))
        for p in value.players
    )
    return replace(value, players=players, attack=None, effects=(), mode="effect")


RESULT = ("defeated", "taken", "tough_spent", "eliminated", "spilled", "stored", "ignored", "paid")
"""The keys on which outcomes count as different: what is on the table afterwards, not how it was dealt."""


def result(value: Indirect, amounts: Amounts) -> dict[str, Any]:
    """The part of an outcome by which assignments are alike: no amounts that were dealt to no effect."""
    plain = outcome(value, amounts)
    order = list(value.characters)
    return {name: _effective(plain[name], order) for name in RESULT}


def _effective(told: Any, order: list[str]) -> Any:
    """A map without its zeros, in the order of the document; anything else as it is."""
    if not isinstance(told, dict):
        return told
    known = {name: told[name] for name in order if told.get(name)}
    return known | {name: n for name, n in told.items() if n}


def readings(
    value: Indirect, problem: Problem, reads: Sequence[str] = ("taken", "spent")
) -> tuple[list[int], list[Meter]]:
    """Shares and meters on which an assignment's result depends, to group assignments by what they do."""
    settings = settings_of(value)
    coupled = set(redirected(value))
    if "overkill" in settings.keywords:
        coupled |= set(value.characters)
    shares, meters = [], []
    for at, share in enumerate(problem.shares):
        if share.recipient in coupled:
            shares.append(at)
            continue
        pierced = share.recipient in settings.pierced
        character = value.characters[share.recipient]
        flow = flow_of(character, value.effects, source=value.source, pierced=pierced)
        top = share.values[-1]
        for read in reads:
            meters.append(reader_meter(f"{share.recipient} {read}", at, flow.table(top, read), share.values))
    return shares, meters
