"""The slow walk over a document that could not be decoded: every defect of form, and the rest of it.

Run on failure only. What is at fault is replaced by something harmless, so that the rest of the document can
still be read for faults of meaning.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
import msgspec.inspect as mi

from lethal.models.document import Defects, at_key, hint, nearest, show

T = TypeVar("T")


def mend(document: Any, kind: type[T], defects: Defects) -> T | None:
    """The document as `kind`, what is at fault replaced, or None where that fails; adds every defect."""
    whole = _mend(document, mi.type_info(kind), "", defects)
    try:
        return msgspec.convert(whole, kind)
    except msgspec.ValidationError:
        return None


def _mend(value: Any, info: Any, place: str, defects: Defects) -> Any:
    """The value made to fit the type that `info` describes."""
    if not _fits(value, info):
        defects.add(place or "document", f"expected {_wanted(info)}, got {show(value)}{_meant(value, info)}")
        return _harmless(info, place)
    match info:
        case mi.StructType():
            return _struct(value, info, place, defects)
        case mi.ListType() | mi.VarTupleType():
            return [_mend(x, info.item_type, f"{place}[{at}]", defects) for at, x in enumerate(value)]
        case mi.TupleType():
            pairs = zip(value, info.item_types, strict=True)
            return [_mend(x, kind, f"{place}[{at}]", defects) for at, (x, kind) in enumerate(pairs)]
        case mi.DictType():
            return {
                str(key): _mend(item, info.value_type, at_key(place, key), defects)
                for key, item in value.items()
            }
        case mi.UnionType():
            return _mend(value, next(kind for kind in info.types if _fits(value, kind)), place, defects)
    fault = _out_of_range(value, info)
    if fault:
        defects.add(place, f"{fault}, got {show(value)}")
        return _harmless(info, place)
    return value


def _struct(value: Mapping[Any, Any], info: mi.StructType, place: str, defects: Defects) -> dict[str, Any]:
    """A table of known keys. A misspelt key is read as the one it means, unless that is there as well."""
    fields = {field.encode_name: field for field in info.fields}
    mended: dict[str, Any] = {}
    for key, item in value.items():
        at, means = at_key(place, key), key if key in fields else None
        if means is None:
            if not info.forbid_unknown_fields:
                continue
            defects.add(at, f"unknown key{hint(key, fields)}")
            close = nearest(str(key), fields)
            means = close if close not in value and close not in mended else None
        if means is not None:
            mended[means] = _mend(item, fields[means].type, at, defects)
    for name, field in fields.items():
        if name not in mended and field.required:
            defects.add(at_key(place, name), "missing")
            mended[name] = _harmless(field.type, at_key(place, name))
    return mended


def _fits(value: Any, info: Any) -> bool:
    """Whether the value has the type's shape; what is inside it, and its range, are looked at later."""
    match info:
        case mi.AnyType():
            return True
        case mi.StructType() | mi.DictType():
            return isinstance(value, Mapping)
        case mi.ListType() | mi.VarTupleType():
            return isinstance(value, list | tuple | set | frozenset)
        case mi.TupleType():
            return isinstance(value, list | tuple) and len(value) == len(info.item_types)
        case mi.UnionType():
            return any(_fits(value, kind) for kind in info.types)
        case mi.LiteralType():
            return any(value == known and type(value) is type(known) for known in info.values)
        case mi.BoolType():
            return isinstance(value, bool)
        case mi.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case mi.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case mi.StrType():
            return isinstance(value, str)
        case mi.NoneType():
            return value is None
    raise TypeError(f"documents have no values of type {info!r}")


def _out_of_range(value: Any, info: Any) -> str | None:
    """What a number or a string breaks of its type's bounds."""
    if isinstance(info, mi.FloatType) and abs(value) > sys.float_info.max:
        return "expected a number within range"
    least, most = getattr(info, "ge", None), getattr(info, "le", None)
    if least is not None and not value >= least:
        return f"expected at least {least}"
    if most is not None and not value <= most:
        return f"expected at most {most}"
    shortest = getattr(info, "min_length", None)
    if shortest is not None and len(value) < shortest:
        return "must not be empty"
    return None


def _harmless(info: Any, place: str) -> Any:
    """Something of the type that says nothing; a string that no name equals."""
    match info:
        case mi.StructType():
            return _struct({}, info, place, Defects())
        case mi.ListType() | mi.VarTupleType():
            return []
        case mi.TupleType():
            return [_harmless(kind, place) for kind in info.item_types]
        case mi.DictType():
            return {}
        case mi.UnionType():
            return _harmless(next(kind for kind in info.types if not isinstance(kind, mi.NoneType)), place)
        case mi.LiteralType():
            return info.values[0]
        case mi.BoolType():
            return False
        case mi.IntType() | mi.FloatType():
            return info.ge or 0
        case mi.StrType():
            return f"\0{place}"
    return None


_NAMES: tuple[tuple[Any, str], ...] = (
    (mi.IntType, "an integer"),
    (mi.FloatType, "a number"),
    (mi.StrType, "a string"),
    (mi.BoolType, "true or false"),
    (mi.ListType, "a list"),
    (mi.VarTupleType, "a list"),
    (mi.DictType, "a table of keys"),
    (mi.StructType, "a table of keys"),
)


def _wanted(info: Any) -> str:
    """The type in words; that a key may also be absent goes without saying."""
    if isinstance(info, mi.UnionType):
        return " or ".join(_wanted(kind) for kind in info.types if not isinstance(kind, mi.NoneType))
    if isinstance(info, mi.LiteralType):
        return " or ".join(json.dumps(value) for value in info.values)
    if isinstance(info, mi.TupleType):
        return f"a list of {len(info.item_types)}"
    return next(words for kind, words in _NAMES if isinstance(info, kind))


def _meant(value: Any, info: Any) -> str:
    kinds: Iterable[Any] = info.types if isinstance(info, mi.UnionType) else (info,)
    return hint(
        value, [str(known) for kind in kinds if isinstance(kind, mi.LiteralType) for known in kind.values]
    )
