"""Hit points, type and Tough of named characters, from one file of the community card database that a user supplies.

No card data is part of the project. The file is a JSON list of cards, one pack or all of them. Its traps: variable
hit points are 0 or marked with a star, duplicates only point to another card, and keywords stand only in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lethal.models.document import DocumentError, hint

TYPES = {
    "hero": "hero",
    "alter_ego": "alter-ego",
    "ally": "ally",
    "minion": "minion",
    "villain": "villain",
    "leader": "leader",
}
_TAG = re.compile(r"<[^>]*>|\[\[|\]\]")
_REMINDER = re.compile(r"\s*\([^()]*\)")
_TOUGHNESS = re.compile(r"(?:^|[.\n] *)Toughness(?=[.\n]|$)")
_IMMUNE = re.compile(r"cannot take (?:any )?damage", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says of its character; `hit_points` is None where they vary."""

    code: str
    name: str
    subname: str | None
    type: str
    hit_points: int | None
    per_player: bool
    tough: int
    mentions_immunity: bool
    """Its text says of something that it cannot take damage; of what, and when, only a reader can tell."""


@dataclass(frozen=True)
class Cards:
    """The characters of a file, to be found by code or name."""

    cards: tuple[Card, ...]

    def find(self, name: str, kind: str | None = None) -> Card:
        """The one card with this code, this name, or `name (subname)`, of a type if several share the name.

        Raises KeyError naming the nearest name, or all cards that it could be.
        """
        wanted = name.casefold()
        found = [c for c in self.cards if c.code.casefold() == wanted]
        found = found or [c for c in self.cards if wanted in _names(c)]
        if kind is not None:
            of_kind = [c for c in found if c.type == kind or (kind == "identity" and c.type in _IDENTITY)]
            found = of_kind or found
        alike = {(c.type, c.hit_points, c.per_player, c.tough) for c in found}
        if len(alike) == 1:
            return found[0]
        if found:
            told = ", ".join(f"{c.code} ({c.type}, {_points(c)})" for c in found)
            raise KeyError(f"{name!r} could be any of {told}")
        close = hint(name, [c.name for c in self.cards])
        raise KeyError(f"no character in the file is named {name!r}{close}")


_IDENTITY = ("hero", "alter-ego")


def _names(card: Card) -> set[str]:
    names = {card.name.casefold()}
    return names | {f"{card.name} ({card.subname})".casefold()} if card.subname else names


def _points(card: Card) -> str:
    return "variable hit points" if card.hit_points is None else f"{card.hit_points} hit points"


def read_cards(path: str | Path) -> Cards:
    """The characters in a file; raises OSError where it cannot be read, DocumentError with every defect."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as error:
        raise DocumentError([f"cards: not JSON: {error}"]) from None
    return cards_of(entries)


def cards_of(entries: object) -> Cards:
    """The characters among decoded entries, duplicates resolved; raises DocumentError with every defect."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise DocumentError(["cards: expected a list of cards"])
    by_code = {entry["code"]: entry for entry in entries if isinstance(entry.get("code"), str)}
    defects: list[str] = []
    found = []
    for at, entry in enumerate(entries):
        if "code" not in entry:
            defects.append(f"cards[{at}]: key 'code' is missing")
            continue
        original = by_code.get(entry.get("duplicate_of"), {})
        whole = {**original, **entry}
        if "duplicate_of" in entry and not original and "type_code" not in entry:
            continue  # a reprint of a card in another pack's file: nothing here says what it is
        if whole.get("type_code") in TYPES:
            found += _card(whole, f"cards[{at}]", defects)
    if defects:
        raise DocumentError(defects)
    return Cards(tuple(found))


def _card(entry: Mapping[str, Any], place: str, defects: list[str]) -> list[Card]:
    name, health, text = entry.get("name"), entry.get("health"), entry.get("text") or ""
    if not isinstance(name, str) or not name:
        defects.append(f"{place}.name: expected a name, got {name!r}")
        return []
    if health is not None and (not isinstance(health, int) or isinstance(health, bool) or health < 0):
        defects.append(f"{place}.health: expected hit points, got {health!r}")
        return []
    if not isinstance(text, str):
        defects.append(f"{place}.text: expected a string, got {text!r}")
        return []
    plain = _TAG.sub("", text)
    return [
        Card(
            str(entry["code"]),
            name,
            entry.get("subname"),
            TYPES[entry["type_code"]],
            None if not health or entry.get("health_star") else health,
            bool(entry.get("health_per_hero") or entry.get("health_per_group")),
            1 if _TOUGHNESS.search(_REMINDER.sub("", plain)) else 0,
            bool(_IMMUNE.search(plain)),
        )
    ]


def fill(document: Mapping[str, Any], cards: Cards) -> tuple[dict[str, Any], list[str]]:
    """A document of kind "indirect" with what its characters lack, from cards of their names, and warnings.

    A character may name its card under `card` (a code, a name, or `name (subname)`). Keys that the document states are
    left alone; where it says nothing of Tough, a character with Toughness has the card it enters play with. Raises
    DocumentError for characters without a card of their own, and for variable hit points that are not stated.
    """
    defects: list[str] = []
    warnings: list[str] = []
    players = []
    for p, player in enumerate(_tables(document.get("players"))):
        characters = []
        for at, told in enumerate(_tables(player.get("characters"))):
            place = f"players[{p}].characters[{at}]"
            wanted = told.get("card", told.get("name"))
            own = {key: value for key, value in told.items() if key != "card"}
            if "card" not in told and {"type", "hit_points"} <= set(own):
                characters.append(own)
                continue
            try:
                card = cards.find(str(wanted), str(own["type"]) if "type" in own else None)
            except KeyError as error:
                defects.append(f"{place}: {error.args[0]}")
                continue
            characters.append(_filled(own, card, len(document["players"]), place, defects, warnings))
        players.append({**player, "characters": characters})
    if defects:
        raise DocumentError(defects)
    return {**document, "players": players}, warnings


def fill_from(document: Mapping[str, Any], path: str | Path) -> tuple[dict[str, Any], list[str]]:
    """The same from a file of cards; raises OSError where it cannot be read too."""
    return fill(document, read_cards(path))


def _filled(
    own: dict[str, Any], card: Card, players: int, place: str, defects: list[str], warnings: list[str]
) -> dict[str, Any]:
    """One character with its card's type, hit points and Tough where it has none of its own."""
    if card.hit_points is None and "hit_points" not in own:
        defects.append(f"{place}.hit_points: they vary for {card.name!r} ({card.code}), so state them")
    if card.mentions_immunity and "cannot_take_damage" not in own:
        warnings.append(f"{card.name} ({card.code}): its text says that something cannot take damage")
    points = (card.hit_points or 0) * (players if card.per_player else 1)
    filled = {"name": card.name, "type": card.type, "hit_points": points}
    if card.tough:
        filled["tough"] = card.tough
    return {**filled, **own}


def _tables(value: object) -> Iterable[Mapping[str, Any]]:
    """The tables in a list; whatever else stands there is left for the document's own reader to name."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []
