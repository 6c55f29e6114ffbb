"""What damage does once it is dealt: prevention, what multiplies it, and its results by kind (120.3-120.4).

`receive` deals every hit that one recipient gets at one time; `lethal.models.state_actions.settle` is what
state-based actions then do. Recipients do not influence one another here, so a combat is its recipients,
one by one; life that lifelink gains is handed back to whoever adds it up. Nothing here knows of combats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

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

Choice: TypeAlias = Literal["best", "worst"] | Mapping[str, int]
"""What a limited shield prevents: best or worst for the affected player, or how much from each source by
name."""


def protected(recipient: Recipient, source: Source) -> bool:
    """Whether the recipient has protection from the source (702.16): by colour, kind, name, or from
    everything."""
    if not recipient.protection:
        return False
    qualities = {source.name.casefold(), "everything", *source.colors, *source.kinds}
    qualities |= {f"{kind}s" for kind in source.kinds}
    if source.controller is not None:
        qualities.add(source.controller.casefold())
    if len(source.colors) > 1:
        qualities.add("multicolored")
    return any(quality.casefold() in qualities for quality in recipient.protection)


def receive(recipient: Recipient, events: Sequence[DamageEvent], choice: Choice = "best") -> Received:
    """Deal these events to one recipient at the same time (120.4b-c). An event of 0 or less is none
    (120.8).

    Prevention comes first, then what multiplies or adds: of the orders that the affected player may choose
    among (616.1) it is the best for them. `choice` says which damage a shield against the next so much
    prevents (615.7). Raises ValueError for a given choice that prevents more than the shield or the damage.
    """
    left = [max(0, event.amount) for event in events]
    for at, event in enumerate(events):
        if (recipient.prevent_all or protected(recipient, event.source)) and not event.source.unpreventable:
            left[at] = 0
    if any(left) and _uses_counter(recipient, events, left):
        recipient = replace(recipient, shield_counters=recipient.shield_counters - 1)
        left = [n if event.source.unpreventable else 0 for n, event in zip(left, events, strict=True)]
    can = [0 if event.source.unpreventable else n for n, event in zip(left, events, strict=True)]
    if recipient.prevent_next > 0 and any(can):
        prevented = _prevented(recipient, events, left, can, choice)
        recipient = replace(recipient, prevent_next=recipient.prevent_next - sum(prevented))
        left = [n - p for n, p in zip(left, prevented, strict=True)]
    return _results(recipient, events, left)


def deal(
    recipient: Recipient, *events: DamageEvent, choice: Choice = "best", deathtouch_triggers: bool = False
) -> tuple[Received, Fate]:
    """Deal these events to one recipient at the same time, and what state-based actions do at once
    thereafter.

    Between the two there is no moment in which anybody could do anything (704.3).
    """
    received = receive(recipient, events, choice)
    return received, settle(received.after, deathtouch_triggers=deathtouch_triggers)


def _uses_counter(recipient: Recipient, events: Sequence[DamageEvent], left: Sequence[int]) -> bool:
    """A shield counter prevents all damage dealt at one time (122.1c), unless another shield already can."""
    if recipient.shield_counters < 1 or recipient.kinds == {PLAYER}:
        return False
    unpreventable = any(n and event.source.unpreventable for n, event in zip(left, events, strict=True))
    return unpreventable or sum(left) > recipient.prevent_next


def _results(recipient: Recipient, events: Sequence[DamageEvent], left: Sequence[int]) -> Received:
    """Turn what is not prevented into damage, and the damage into its results (120.3)."""
    dealt = tuple(_multiplied(e.source, n) for e, n in zip(events, left, strict=True))
    plain = shrink = toxic = 0
    touched = False
    gained: dict[str, int] = {}
    for event, n in zip(events, dealt, strict=True):
        if n == 0:
            continue
        source = event.source
        if _shrinks(recipient, source):
            shrink += n
        else:
            plain += n
        touched = touched or source.has("deathtouch")
        if event.combat:
            toxic += source.toxic
        if source.has("lifelink") and source.controller is not None:
            gained[source.controller] = gained.get(source.controller, 0) + n
    after, poison = _after(recipient, plain, shrink, toxic, touched)
    excess = _excess(recipient, plain + shrink, touched)
    counters = shrink if CREATURE in recipient.kinds else 0
    idle = sum(max(0, event.amount) for event, n in zip(events, dealt, strict=True) if n == 0)
    return Received(after, dealt, tuple(sorted(gained.items())), counters, poison, excess, idle)


def _multiplied(source: Source, n: int) -> int:
    return n * source.multiplier + source.plus if n > 0 else 0


def _shrinks(recipient: Recipient, source: Source) -> bool:
    """Whether damage has the form of counters instead of marks or lost life (120.3b, 120.3d)."""
    if CREATURE in recipient.kinds:
        return source.shrinks
    return PLAYER in recipient.kinds and source.has("infect")


def _after(recipient: Recipient, plain: int, shrink: int, toxic: int, touched: bool) -> tuple[Recipient, int]:
    """The recipient with these results, and the poison counters it gets."""
    if not plain + shrink:
        return recipient, 0
    kinds = recipient.kinds
    if PLAYER in kinds:
        poison = shrink + toxic
        return replace(recipient, life=recipient.life - plain, poison=recipient.poison + poison), poison
    creature = CREATURE in kinds
    return (
        replace(
            recipient,
            marked=recipient.marked + plain if creature else recipient.marked,
            power=recipient.power - shrink if creature else recipient.power,
            toughness=recipient.toughness - shrink if creature else recipient.toughness,
            touched=recipient.touched or (creature and touched),
            loyalty=max(0, recipient.loyalty - plain - shrink)
            if PLANESWALKER in kinds
            else recipient.loyalty,
            defense=max(0, recipient.defense - plain - shrink) if BATTLE in kinds else recipient.defense,
        ),
        0,
    )


def _excess(recipient: Recipient, total: int, touched: bool) -> int:
    """Damage beyond lethal, loyalty or defense: the greatest over what the recipient is (120.10)."""
    found = [0]
    if CREATURE in recipient.kinds:
        found.append(total - (min(1, recipient.need) if touched else recipient.need))
    if PLANESWALKER in recipient.kinds:
        found.append(total - recipient.loyalty)
    if BATTLE in recipient.kinds:
        found.append(total - recipient.defense)
    return max(found)


def _prevented(
    recipient: Recipient,
    events: Sequence[DamageEvent],
    left: Sequence[int],
    can: Sequence[int],
    choice: Choice,
) -> list[int]:
    """How much of each event the next-n shield prevents; it prevents as much as it can (615.7)."""
    shield = recipient.prevent_next
    if sum(can) <= shield:
        return list(can)
    if not isinstance(choice, str):
        given = [choice.get(event.source.name, 0) for event in events]
        if any(not 0 <= p <= n for p, n in zip(given, can, strict=True)) or sum(given) != shield:
            raise ValueError(f"a shield of {shield} on {recipient.name} cannot prevent {dict(choice)!r}")
        return given
    ways = _ways(recipient, events, left, can)
    ranked = [(_merit(recipient, events, left, way), way) for way in ways]
    return list((max if choice == "best" else min)(ranked)[1])


def _ways(
    recipient: Recipient, events: Sequence[DamageEvent], left: Sequence[int], can: Sequence[int]
) -> list[tuple[int, ...]]:
    """Ways to use up the shield: of those with the same damage, counters and deathtouch, the extremes of
    life.

    A forward pass over the events keeps, for each state that the recipient can be left in, the way that
    gives the least life and the one that gives the most, so the number of ways stays near the number of
    states.
    """
    states: dict[tuple[int, int, int, bool, int], list[tuple[int, tuple[int, ...]]]]
    states = {(recipient.prevent_next, 0, 0, False, 0): [(0, ())]}
    for at, event in enumerate(events):
        later = sum(can[at + 1 :])
        grown: dict[tuple[int, int, int, bool, int], list[tuple[int, tuple[int, ...]]]] = {}
        for (shield, plain, shrink, touched, toxic), ways in states.items():
            for prevented in range(max(0, shield - later), min(shield, can[at]) + 1):
                n = _multiplied(event.source, left[at] - prevented)
                shrinks = _shrinks(recipient, event.source)
                key = (
                    shield - prevented,
                    plain + (0 if shrinks else n),
                    shrink + (n if shrinks else 0),
                    touched or (n > 0 and event.source.has("deathtouch")),
                    toxic + (event.source.toxic if n and event.combat else 0),
                )
                life = _life(recipient, event.source, n)
                grown.setdefault(key, []).extend((gain + life, (*way, prevented)) for gain, way in ways)
        states = {key: [min(ways), max(ways)] for key, ways in grown.items()}
    return [way for ways in states.values() for _, way in ways]


def _life(recipient: Recipient, source: Source, n: int) -> int:
    """Life that others than the affected player gain."""
    if not source.has("lifelink"):
        return 0
    owner = recipient.name if PLAYER in recipient.kinds else recipient.controller
    return -n if source.controller == owner else n


def _merit(
    recipient: Recipient, events: Sequence[DamageEvent], left: Sequence[int], way: Sequence[int]
) -> tuple[int, ...]:
    """How well a use of the shield serves the affected player: surviving, then life, counters and marks."""
    received = _results(recipient, events, [n - p for n, p in zip(left, way, strict=True)])
    fate = settle(received.after)
    life = sum(_life(recipient, e.source, n) for e, n in zip(events, received.dealt, strict=True))
    lost = recipient.life - received.after.life + 2 * received.poison if PLAYER in recipient.kinds else 0
    kept = received.after.loyalty + received.after.defense
    return (-fate.leaves, -fate.regenerated, -lost - life, kept, -received.counters, -received.after.marked)
