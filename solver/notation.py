"""The written form of one assignment: `A → X 2, Y 3; B → player 6`, which reads back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

NOTHING = "nothing"
_SPECIAL = re.compile(r"[,;→\"]|->|^\s|\s$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_AMOUNT = re.compile(r"-?[0-9]+$")


def write(amounts: Mapping[str, Mapping[str, int]]) -> str:
    """The text of a nested mapping source → recipient → amount; zero shares are left out."""
    parts = []
    for source, shares in amounts.items():
        given = [f"{_name(recipient)} {amount}" for recipient, amount in shares.items() if amount]
        if given:
            parts.append(f"{_name(source)} → {', '.join(given)}")
    return "; ".join(parts) or NOTHING


def _name(name: str) -> str:
    return json.dumps(name, ensure_ascii=False) if not name or _SPECIAL.search(name) else name


def read(text: str, columns: Iterable[tuple[str, str]] = ()) -> dict[str, dict[str, int]]:
    """The nested mapping that a text writes; `->` is read as `→`.

    `columns` are the known pairs: unquoted names among them may contain commas. Raises ValueError naming the part that
    cannot be read, or a pair that is given twice.
    """
    known = {recipient for _, recipient in columns}
    amounts: dict[str, dict[str, int]] = {}
    if text.strip() in ("", NOTHING):
        return amounts
    for clause in _split(text, ";"):
        pieces = _split(clause.replace("->", "→") if '"' not in clause else _arrows(clause), "→")
        if len(pieces) != 2:
            raise ValueError(f"expected 'source → recipient amount', got {clause.strip()!r}")
        source = _unquote(pieces[0])
        shares = amounts.setdefault(source, {})
        for item in _items(pieces[1], known):
            recipient, amount = _share(item)
            if recipient in shares:
                raise ValueError(f"{source!r} gives {recipient!r} damage twice in {text!r}")
            shares[recipient] = amount
    return amounts


def _arrows(clause: str) -> str:
    out, at = "", 0
    for quoted in _QUOTED.finditer(clause):
        out += clause[at : quoted.start()].replace("->", "→") + quoted.group()
        at = quoted.end()
    return out + clause[at:].replace("->", "→")


def _split(text: str, mark: str) -> list[str]:
    """Parts between marks that stand outside quotes."""
    parts, start, at = [], 0, 0
    while at < len(text):
        quoted = _QUOTED.match(text, at) if text[at] == '"' else None
        if quoted:
            at = quoted.end()
            continue
        if text[at] == mark:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [*parts, text[start:]]


def _items(text: str, known: set[str]) -> list[str]:
    """Shares between commas; a comma inside a known name does not part them."""
    items: list[str] = []
    held = ""
    for part in _split(text, ","):
        held = f"{held},{part}" if held else part
        stripped = held.strip()
        cut = stripped.rsplit(None, 1)
        if (
            len(cut) == 2
            and _AMOUNT.match(cut[1])
            and (_unquote(cut[0]) in known or not _open(cut[0], known))
        ):
            items.append(stripped)
            held = ""
    if held:
        items.append(held.strip())
    return items


def _open(name: str, known: set[str]) -> bool:
    """Whether a longer known name begins like this one and goes on with a comma."""
    return any(other.startswith((f"{name} ", f"{name},")) for other in known if "," in other)


def _share(item: str) -> tuple[str, int]:
    cut = item.rsplit(None, 1)
    if len(cut) != 2 or not _AMOUNT.match(cut[1]):
        raise ValueError(f"expected 'recipient amount', got {item!r}")
    return _unquote(cut[0]), int(cut[1])


def _unquote(name: str) -> str:
    name = name.strip()
    if name.startswith('"'):
        try:
            value = json.loads(name)
        except json.JSONDecodeError as error:
            raise ValueError(f"a quoted name cannot be read: {name!r}") from error
        return str(value)
    if not name:
        raise ValueError("a name is missing")
    return name
