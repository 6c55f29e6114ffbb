"""Magic's combat damage: the creatures of one side assign theirs under a vintage of the rules, as a Problem.

Legality looks only at what is assigned: marked damage counts, prevention, protection, indestructible,
regeneration, shields and doubling do not (510.1c, 702.19b). Sources are divided among those who assign (banding,
702.22j-k); the active player assigns first, and each one's check sees what was fixed before and their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lethal.models.combat_types import Combat, Creature
from lethal.models.vintages import VINTAGES, Vintage
from lethal.solver.problem import (
    AMOUNT,
    AtMost,
    Gate,
    Meter,
    Partly,
    Problem,
    Share,
    Short,
    Table,
    Total,
    Used,
    Values,
    step,
)

ACTIVE, DEFENDING = "active player", "defending player"


def assigns_now(creature: Creature, step_name: str) -> bool:
    """Whether a creature assigns damage in a step (510.4, 702.4, 702.7).

    In the regular step those with double strike do, and those that did not deal first-strike damage.
    """
    if step_name == "only":
        return True
    double = "double strike" in creature.keywords
    first = "first strike" in creature.keywords
    if step_name == "first-strike":
        return first or double
    dealt = creature.dealt_first_strike_damage
    return double or not (first if dealt is None else dealt)


def amount_of(creature: Creature) -> int:
    """The damage that a creature assigns; none if its power is 0 or less (510.1a, 107.1b)."""
    if creature.assigns == "nothing":
        return 0
    return max(0, creature.toughness if creature.assigns == "toughness" else creature.power)


def need_of(creature: Creature, zero_power_lethal: int = 1) -> int:
    """The further damage that is lethal to a creature (120.6); 0 where marked damage already covers it."""
    if creature.lethal_by == "power":
        return max(0, max(zero_power_lethal, creature.power) - creature.damage)
    return max(0, creature.toughness - creature.damage)


def blocks(combat: Combat) -> dict[str, tuple[str, ...]]:
    """The attackers that each blocker blocks; blocking a member of a band blocks them all (702.22h)."""
    members: dict[str, list[str]] = {}
    for attacker in combat.attackers:
        if attacker.band is not None:
            members.setdefault(attacker.band, []).append(attacker.name)
    if not members:
        return {blocker.name: blocker.blocks for blocker in combat.blockers}
    band = {attacker.name: attacker.band for attacker in combat.attackers if attacker.band is not None}
    found = {}
    for blocker in combat.blockers:
        whole = [m for name in blocker.blocks for m in (members[band[name]] if name in band else [name])]
        found[blocker.name] = tuple(dict.fromkeys(whole))
    return found


def build(combat: Combat) -> Problem:
    """The problem of assigning the damage of `combat.assigning`'s creatures in `combat.step`."""
    return _Builder(combat).problem()


class _Builder:
    """Collects the parts of one combat's problem."""

    def __init__(self, combat: Combat) -> None:
        self.combat = combat
        self.vintage: Vintage = VINTAGES[combat.rules]
        self.shares: list[Share] = []
        self.totals: list[Total] = []
        self.gates: list[Gate] = []
        self.bounds: list[AtMost] = []
        self.meters: list[Meter] = []
        self.creatures = {c.name: c for c in (*combat.attackers, *combat.blockers)}
        self.defenders = {d.name: d for d in combat.defenders}
        self.blocks = blocks(combat)
        self.banding = {name for name, c in self.creatures.items() if "banding" in c.keywords}
        self.sources: dict[str, str] = {}
        """Who assigns each source's damage."""
        self.at: dict[tuple[str, str], int] = {}
        self._terms: dict[str, list[int]] = {}
        self._meter: dict[tuple[str, bool], int] = {}
        self._apart = False
        """Whether the active player's checks are told from the defending player's."""

    def problem(self) -> Problem:
        if self.combat.assigning == "attackers":
            plans = [(c, *self._attacker(c)) for c in self.combat.attackers if self._assigns(c)]
        else:
            plans = [(c, *self._blocker(c)) for c in self.combat.blockers if self._assigns(c)]
        self._apart = self.combat.joint != "all" and DEFENDING in self.sources.values()
        for creature, domains, rules in plans:
            self._open(creature, domains, idle=rules.idle)
        for recipient in self._terms:
            if recipient in self.creatures:
                self.meter(recipient, DEFENDING)
        for creature, domains, rules in plans:
            if domains:
                rules.apply(self, creature)
        return Problem(
            tuple(self.shares),
            tuple(self.totals),
            tuple(self.meters),
            tuple(self.gates),
            tuple(self.bounds),
            sequential=self.vintage.sequential,
            rule=self.vintage.divide if self.combat.assigning == "attackers" else self.vintage.divide_blocker,
        )

    def _assigns(self, creature: Creature) -> bool:
        return assigns_now(creature, self.combat.step) and amount_of(creature) > 0

    def _open(self, creature: Creature, domains: Sequence[tuple[str, Values]], *, idle: bool) -> None:
        """Add a creature's shares, which take all of its damage; or none of it, if it may be `idle`."""
        if not domains:
            return
        amount, first = amount_of(creature), len(self.shares)
        for recipient, values in domains:
            self.at[creature.name, recipient] = len(self.shares)
            self._terms.setdefault(recipient, []).append(len(self.shares))
            self.shares.append(Share(creature.name, recipient, values))
        mine = tuple(range(first, len(self.shares)))
        words = f"{creature.name} assigns {amount} damage in all"
        self.totals.append(Total(mine, 0 if idle else amount, amount, self.vintage.amount, words))
        if idle and any(len(values) > 2 for _, values in domains):
            meter = Meter(f"{creature.name} assigns", amount, tuple((at, AMOUNT) for at in mine))
            self.bounds.append(
                AtMost(0, (Partly(len(self.meters)),), self.vintage.amount, f"{words}, or none")
            )
            self.meters.append(meter)

    def _tramples(self, creature: Creature) -> bool:
        if "trample" in creature.keywords:
            return True
        return self.vintage.over_planeswalkers and "trample over planeswalkers" in creature.keywords

    # Recipients and their domains -----------------------------------------------------------------

    def _ordered(self, name: str, recipients: Sequence[str]) -> tuple[str, ...]:
        announced = self.combat.order.get(name)
        if announced is None or announced == "any":
            return tuple(recipients)
        return tuple(announced)

    def _blocker(self, creature: Creature) -> tuple[list[tuple[str, Values]], _Rules]:
        recipients = self._ordered(creature.name, self.blocks[creature.name])
        banded = not self.banding.isdisjoint(recipients)
        self.sources[creature.name] = ACTIVE if banded else DEFENDING
        values = range(amount_of(creature) + 1)
        rules = _Rules(recipients, free=banded, rule=self.vintage.divide_blocker)
        return [(name, values) for name in recipients], rules

    def _attacker(self, creature: Creature) -> tuple[list[tuple[str, Values]], _Rules]:
        amount = amount_of(creature)
        every: Values = range(amount + 1)
        whole: Values = (0, amount)
        mine = self._ordered(creature.name, [b for b, names in self.blocks.items() if creature.name in names])
        banded = not self.banding.isdisjoint(mine)
        self.sources[creature.name] = DEFENDING if banded else ACTIVE
        blocked = creature.blocked or bool(mine)
        tramples = self._tramples(creature)
        rules = _Rules(mine, free=banded, rule=self.vintage.divide)
        domains: list[tuple[str, Values]] = [(name, every) for name in mine]
        target = None if creature.attacks in (None, "nothing") else self.defenders[str(creature.attacks)]
        freely = creature.divides_freely and (bool(mine) or not blocked)
        rules.idle = creature.as_though_unblocked and blocked and (target is None or not (mine or tramples))
        if target is None:
            return self._at_nothing(domains, rules, every, blocked=blocked, freely=freely)
        rules.sink = target.name
        rules.tramples = tramples and bool(mine)
        rules.as_unblocked = creature.as_though_unblocked and bool(mine)
        over = (
            tramples
            and self.vintage.over_planeswalkers
            and "trample over planeswalkers" in creature.keywords
            and target.kind == "planeswalker"
            and target.controller is not None
        )
        player = target.name if target.kind == "player" else target.controller
        rules.freely = freely and player is not None
        if rules.freely:
            others = [b.name for b in self.combat.blockers if b.name not in mine]
            domains += [(name, every) for name in others]
            rules.others = tuple(others)
        if (
            tramples
            or not blocked
            or creature.as_though_unblocked
            or (rules.freely and player == target.name)
        ):
            open_sink = rules.tramples or over or rules.freely or not blocked
            if rules.freely and player != target.name and not (rules.tramples or over):
                open_sink = False
            domains.append((target.name, every if open_sink or (tramples and not mine) else whole))
        if over or (rules.freely and player != target.name):
            rules.over = over
            rules.controller = player
            domains.append((str(player), every))
        return domains, rules

    def _at_nothing(
        self, domains: list[tuple[str, Values]], rules: _Rules, every: Values, *, blocked: bool, freely: bool
    ) -> tuple[list[tuple[str, Values]], _Rules]:
        """What it attacked is gone (506.4c): only dividing freely still reaches the defending player (508.5)."""
        players = [d.name for d in self.combat.defenders if d.kind == "player"]
        if freely and players:
            rules.freely, rules.sink = True, players[0]
            rules.idle = rules.idle or not blocked
            held = [name for name, _ in domains]
            domains += [(b.name, every) for b in self.combat.blockers if b.name not in held]
            domains.append((players[0], every))
        return domains, rules

    # Meters ---------------------------------------------------------------------------------------

    def meter(self, recipient: str, assigner: str) -> int:
        """The meter of damage towards lethal that a check of `assigner` reads."""
        seen, partial = self._terms[recipient], False
        if self._apart and assigner == ACTIVE:
            everyone = len(seen)
            seen = [at for at in seen if self.sources[self.shares[at].source] == ACTIVE]
            partial = len(seen) < everyone
        found = self._meter.get((recipient, partial))
        if found is None:
            found = self._meter[recipient, partial] = len(self.meters)
            name = f"{recipient} by the {ACTIVE}" if partial else recipient
            full = self.full_of(recipient)
            terms = tuple([(at, self._term(at, recipient, full)) for at in seen])
            self.meters.append(Meter(name, full, terms, f"damage towards lethal for {recipient}"))
        return found

    def full_of(self, recipient: str) -> int:
        """The amount that is lethal: a creature's need, a planeswalker's loyalty (702.19c)."""
        if recipient in self.creatures:
            return need_of(self.creatures[recipient], self.combat.zero_power_lethal)
        return max(0, self.defenders[recipient].loyalty or 0)

    def _term(self, at: int, recipient: str, full: int) -> Table:
        if full <= 1 or self.vintage.deathtouch != "lethal" or recipient not in self.creatures:
            return AMOUNT
        return step(1, full) if "deathtouch" in self.creatures[self.shares[at].source].keywords else AMOUNT


class _Rules:
    """What binds one creature's shares."""

    def __init__(self, mine: Sequence[str], *, free: bool, rule: str) -> None:
        self.mine = tuple(mine)
        self.free = free
        self.rule = rule
        self.others: tuple[str, ...] = ()
        self.sink: str | None = None
        self.controller: str | None = None
        self.tramples = self.as_unblocked = self.freely = self.over = self.idle = False

    def apply(self, b: _Builder, creature: Creature) -> None:
        """Add the gates and bounds of the creature to the builder."""
        name, amount = creature.name, amount_of(creature)
        assigner = b.sources[name]
        positive = range(1, amount + 1)
        if self._is_ordered(b, creature):
            self._order(b, creature, assigner, positive)
        if self.freely and b.defenders[str(self.sink)].kind == "player":
            return
        lethal = tuple(b.meter(r, assigner) for r in self.mine)
        sink = b.at.get((name, str(self.sink)))
        over = b.at.get((name, str(self.controller))) if self.controller else None
        trample = b.vintage.trample
        words = f"{name} may assign damage to {self.sink} only once all its blockers have lethal damage"
        if sink is not None and self.tramples:
            if self.as_unblocked and self.over and over is not None:
                self._unless_unblocked(b, name, lethal, sink, over, words)
            else:
                values = range(1, amount) if self.as_unblocked else positive
                b.gates.append(Gate(sink, values, lethal, trample, words))
        if over is not None and sink is not None and self.over:
            self._over(b, name, sink, over, lethal, assigner, positive)
        if self.freely and sink is not None:
            self._either(b, name, sink, over)

    def _is_ordered(self, b: _Builder, creature: Creature) -> bool:
        if not b.vintage.ordered or self.free or len(self.mine) < 2:
            return False
        if b.vintage.deathtouch == "free" and "deathtouch" in creature.keywords:
            return False
        return not self.freely

    def _order(self, b: _Builder, creature: Creature, assigner: str, positive: range) -> None:
        name = creature.name
        meters = [b.meter(r, assigner) for r in self.mine]
        if b.combat.order_any or b.combat.order.get(name) == "any":
            shorts = tuple(Short(b.at[name, r], meter) for r, meter in zip(self.mine, meters, strict=True))
            words = f"{name} may leave one creature with damage that is not lethal, the last that it damages"
            b.bounds.append(AtMost(1, shorts, self.rule, words))
            return
        for k in range(1, len(self.mine)):
            words = f"{name} may assign damage to {self.mine[k]} only once those before it have lethal damage"
            b.gates.append(Gate(b.at[name, self.mine[k]], positive, tuple(meters[:k]), self.rule, words))

    def _unless_unblocked(
        self, b: _Builder, name: str, lethal: Iterable[int], sink: int, over: int, words: str
    ) -> None:
        """Either no blocker gets damage, or past the blockers only once all have lethal damage."""
        for recipient in self.mine:
            used = Used(b.at[name, recipient])
            for meter in lethal:
                b.bounds.append(AtMost(1, (used, Short(sink, meter)), b.vintage.trample, words))
                if self.freely:
                    b.bounds.append(
                        AtMost(2, (used, Used(sink), Short(over, meter)), b.vintage.trample, words)
                    )
                else:
                    b.bounds.append(AtMost(1, (used, Short(over, meter)), b.vintage.trample, words))

    def _over(
        self,
        b: _Builder,
        name: str,
        sink: int,
        over: int,
        lethal: Sequence[int],
        assigner: str,
        positive: range,
    ) -> None:
        """Trample over planeswalkers: its controller only once the planeswalker has its loyalty too."""
        walker = b.meter(str(self.sink), assigner)
        words = f"{name} may assign damage to {self.controller} only once {self.sink} and all blockers are dealt with"
        needed = (walker,) if self.as_unblocked else (*lethal, walker)
        if self.freely:
            for meter in needed:
                b.bounds.append(AtMost(1, (Used(sink), Short(over, meter)), b.vintage.trample_over, words))
        else:
            b.gates.append(Gate(over, positive, needed, b.vintage.trample_over, words))

    def _either(self, b: _Builder, name: str, sink: int, over: int | None) -> None:
        """Dividing freely leaves out the planeswalker or battle that is attacked."""
        foreign = [b.at[name, r] for r in self.others]
        if over is not None and not self.over:
            foreign.append(over)
        words = f"{name} divides freely, or assigns to {self.sink}, not both"
        for at in foreign:
            b.bounds.append(AtMost(1, (Used(sink), Used(at)), self.rule, words))
