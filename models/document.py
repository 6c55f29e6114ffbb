"""Reading documents of any game: text to a document, a document to checked values, all defects named."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
V = TypeVar("V")

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class DocumentError(ValueError):
    """A document that cannot be used: `defects` lists every fault as `place: message`, one line each."""

    def __init__(self, defects: Sequence[str]) -> None:
        self.defects = tuple(defects)
        super().__init__("\n".join(self.defects))

    def __reduce__(self) -> tuple[type[DocumentError], tuple[tuple[str, ...]]]:
        return DocumentError, (self.defects,)


class Defects:
    """Faults found so far, each at a place in the document.

    Once `form_is_known`, a further fault at, above or below the place of one found before is its echo (a name
    that could not be read is also a name that nothing bears) and is left out.
    """

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
        self._form: tuple[str, ...] = ()

    def add(self, place: str, message: str) -> None:
        if not any(_related(place, known) for known in self._form):
            self.found.append((place, message))

    def form_is_known(self) -> None:
        """From here on faults are of meaning."""
        self._form = tuple(place for place, _ in self.found)

    def hides_names(self, group: str) -> bool:
        """Whether the list at `group`, or a name in it, could not be read: an unknown name may be that one."""
        return any(re.fullmatch(re.escape(group) + r"(\[[0-9]+\](\.name)?)?", place) for place in self._form)

    @property
    def lines(self) -> list[str]:
        return list(dict.fromkeys(f"{place}: {message}" for place, message in self.found))


def _related(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and long[len(short) : len(short) + 1] in ("", ".", "[")


def parse(text: str, ending: str = "") -> dict[str, Any]:
    """The document that a text spells: TOML or JSON, by the file's ending or else by content.

    Raises DocumentError naming line and column where it cannot be read, or the key that JSON gives twice.
    """
    text = text.removeprefix("\ufeff")
    ending = ending.casefold().lstrip(".")
    as_json = ending == "json" or (ending != "toml" and text.lstrip().startswith("{"))
    try:
        document = json.loads(text, object_pairs_hook=_once) if as_json else tomllib.loads(text)
    except DocumentError:
        raise
    except RecursionError:
        raise DocumentError(["document: nested too deeply"]) from None
    except ValueError as error:  # both readers' own errors, and integers of more digits than Python reads
        raise DocumentError([f"document: not {'JSON' if as_json else 'TOML'}: {error}"]) from None
    if not isinstance(document, dict):
        raise DocumentError([f"document: expected a table of keys, got {show(document)}"])
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, in which no key may come twice: TOML has the same rule."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = dict.fromkeys(key for key in keys if keys.count(key) > 1)
        raise DocumentError([f"document: the key {key!r} is given twice in one table" for key in twice])
    return table


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that a misspelt name most likely means, or None; case counts for nothing."""
    folded: dict[str, str] = {}
    for known in names:
        folded.setdefault(known.casefold(), known)
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def hint(name: object, names: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing where no name is near."""
    close = nearest(name, names) if isinstance(name, str) else None
    return f"; did you mean {close!r}?" if close is not None else ""


def at_key(place: str, key: object) -> str:
    """The place of a key in the table at `place`, quoted as TOML would where it is not a bare word."""
    word = str(key) if _BARE.fullmatch(str(key)) else json.dumps(str(key), ensure_ascii=False)
    return f"{place}.{word}" if place else word


def show(value: Any) -> str:
    """A value for a message: short and on one line."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def copies(name: str, count: int) -> tuple[str, ...]:
    """The names of `count` copies: `Saproling 1` …; a count of 1 is numbered too."""
    return tuple(f"{name} {number}" for number in range(1, count + 1))


def decode(document: Mapping[str, Any], kind: type[T]) -> T:
    """The document as a msgspec structure; raises DocumentError with *all* defects of type and key."""
    return read(document, kind, lambda keys, _: keys)


def read(document: Mapping[str, Any], kind: type[T], meaning: Callable[[T, Defects], V]) -> V:
    """What a document means: decoded as the msgspec structure `kind`, read by `meaning`, which adds defects.

    The decoder stops at its first fault; only then is the document walked for every one, mended and read
    all the same, so that faults of meaning are found beside those of form. Raises DocumentError with all.
    """
    import msgspec

    defects = Defects()
    try:
        keys = msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        from lethal.models.mending import mend

        mended = mend(document, kind, defects)
        if not defects.found:
            defects.add("document", str(error))
        defects.form_is_known()
        if mended is not None:
            meaning(mended, defects)
        raise DocumentError(defects.lines) from None
    value = meaning(keys, defects)
    if defects.found:
        raise DocumentError(defects.lines)
    return value
