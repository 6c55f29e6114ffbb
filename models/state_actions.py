"""State-based actions on what was dealt damage: rules 704.5a, c, f-i and v, with regeneration in place of
destruction."""

from __future__ import annotations

from dataclasses import replace

from lethal.models.damage_types import BATTLE, CREATURE, PLANESWALKER, PLAYER, Fate, Recipient

POISON = 10


def settle(recipient: Recipient, *, deathtouch_triggers: bool = False) -> Fate:
    """Apply state-based actions until none applies any more (704.3).

    With `deathtouch_triggers` (before July 2009) deathtouch does not act here: it destroys as an effect,
    afterwards.
    """
    trigger = deathtouch_triggers and recipient.touched
    state = replace(recipient, touched=False) if deathtouch_triggers else recipient
    fate = _checked(state)
    if trigger and not fate.leaves:
        fate = _destroyed_by_effect(fate)
    return fate


def _checked(state: Recipient) -> Fate:
    rules: list[str] = []
    regenerated = 0
    while True:
        found = _graveyard(state)
        destroying = _destroying(state)
        if not found and not destroying:
            return Fate(replace(state, touched=False), regenerated=regenerated, rules=tuple(rules))
        rules += found or destroying
        if found:
            return Fate(
                replace(state, touched=False), leaves=True, regenerated=regenerated, rules=tuple(rules)
            )
        if not _regenerates(state):
            after = replace(state, touched=False)
            return Fate(after, destroyed=True, leaves=True, regenerated=regenerated, rules=tuple(rules))
        state = _regenerate(state)
        regenerated += 1


def _graveyard(state: Recipient) -> list[str]:
    """Rules that take it away without destroying it."""
    found = []
    if PLAYER in state.kinds:
        if state.life <= 0:
            found.append("704.5a")
        if state.poison >= POISON:
            found.append("704.5c")
    if CREATURE in state.kinds and state.toughness <= 0:
        found.append("704.5f")
    if PLANESWALKER in state.kinds and state.loyalty <= 0:
        found.append("704.5i")
    if BATTLE in state.kinds and state.defense <= 0:
        found.append("704.5v")
    return found


def _destroying(state: Recipient) -> list[str]:
    """Rules that would destroy it; both together are one event, which one replacement replaces (704.7)."""
    if CREATURE not in state.kinds or state.indestructible or state.toughness <= 0:
        return []
    found = []
    if state.marked > 0 and state.need == 0:
        found.append("704.5g")
    if state.touched:
        found.append("704.5h")
    return found


def _regenerates(state: Recipient) -> bool:
    return state.regeneration_shields > 0 and not state.cannot_regenerate


def _regenerate(state: Recipient) -> Recipient:
    """One shield is used up, all marked damage is removed (701.19a); the caller removes it from combat."""
    return replace(state, regeneration_shields=state.regeneration_shields - 1, marked=0, touched=False)


def _destroyed_by_effect(fate: Fate) -> Fate:
    """The destruction by an effect of a permanent that is still there: a shield counter may take its place
    (122.1c)."""
    state, rules = fate.after, (*fate.rules, "502.63")
    if state.indestructible:
        return replace(fate, rules=rules)
    if _regenerates(state):
        return replace(fate, after=_regenerate(state), regenerated=fate.regenerated + 1, rules=rules)
    if state.shield_counters:
        after = replace(state, shield_counters=state.shield_counters - 1)
        return replace(fate, after=after, rules=rules)
    return replace(fate, destroyed=True, leaves=True, rules=rules)
