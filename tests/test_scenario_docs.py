"""The reference of documents tells every key that the readers take, with its values and default, and no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from test_readme import ROOT, fenced

import lethal
from lethal.__main__ import main
from lethal.games import GAMES
from lethal.models import (
    arkham,
    combat_document,
    indirect_document,
    riftbound,
    shuffle_document,
    unlimited,
)

PAGE = ROOT / "docs" / "scenarios.md"
REQUIRED = "*required*"
TABLES: list[tuple[str, type[msgspec.Struct], type[msgspec.Struct] | None]] = [
    ("The document of a combat", combat_document.CombatDocument, None),
    ("Creatures", combat_document.CreatureKeys, None),
    ("Attackers also have", combat_document.AttackerKeys, combat_document.CreatureKeys),
    ("Blockers also have", combat_document.BlockerKeys, combat_document.CreatureKeys),
    ("Defenders", combat_document.DefenderKeys, None),
    ("What is left open: `[options]`", combat_document.Options, None),
    ("The document of indirect damage", indirect_document.IndirectDocument, None),
    ("Players", indirect_document.PlayerKeys, None),
    ("Characters", indirect_document.CharacterKeys, None),
    ("The attack", indirect_document.AttackKeys, None),
    ("What happens after assigning", indirect_document.EffectKeys, None),
    ("What is left open: `[options]` of indirect damage", indirect_document.OptionKeys, None),
    ("What counts", indirect_document.WeightKeys, None),
    ("The document of Unlimited's indirect damage", unlimited.UnlimitedDocument, None),
    ("The base", unlimited.BaseKeys, None),
    ("Units of Unlimited", unlimited.UnitKeys, None),
    ("The document of damage and horror", arkham.ArkhamDocument, None),
    ("The investigator", arkham.InvestigatorKeys, None),
    ("Assets", arkham.AssetKeys, None),
    ("What is prevented", arkham.PreventKeys, None),
    ("The document of a combat of Riftbound", riftbound.RiftboundDocument, None),
    ("Units of Riftbound", riftbound.UnitKeys, None),
    ("The document of a shuffle", shuffle_document.ShuffleDocument, None),
    ("Libraries", shuffle_document.LibraryKeys, None),
    ("What is done", shuffle_document.InstructionKeys, None),
    ("What triggers", shuffle_document.WatcherKeys, None),
    ("What is known: `[knowledge]`", shuffle_document.KnowledgeKeys, None),
    ("What is known in numbers", shuffle_document.FactKeys, None),
]
"""What stands above each table of keys, the struct that reads it, and the struct whose keys are told elsewhere."""


def tables() -> list[tuple[str, dict[str, tuple[str, str]]]]:
    """Each table of keys with the line above it: meaning and default by key."""
    found = []
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for at, line in enumerate(lines):
        if line == "| key | meaning | default |":
            above = next(text for text in reversed(lines[:at]) if text).lstrip("# ")
            rows = {}
            for row in lines[at + 2 :]:
                if not row.startswith("|"):
                    break
                key, meaning, default = row.strip("|").split(" | ")
                assert key.strip(" `") not in rows, key
                rows[key.strip(" `")] = (meaning, default.strip())
            found.append((above, rows))
    return found


def words(kind: Any) -> Iterator[str]:
    """The words among which a type chooses."""
    if get_origin(kind) is Literal:
        yield from (one for one in get_args(kind) if isinstance(one, str))
    elif not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        for part in get_args(kind):
            yield from words(part)


def unset(field: Any) -> Any:
    """What a key that is not given is read as."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def test_each_table_is_that_of_a_reader() -> None:
    assert len(tables()) == len(TABLES)
    for (above, _), (expected, _, _) in zip(tables(), TABLES, strict=True):
        assert above.startswith(expected)


@pytest.mark.parametrize("at", range(len(TABLES)), ids=[row[0][:40] for row in TABLES])
def test_a_table_tells_what_its_reader_takes(at: int) -> None:
    (_, rows), (_, reader, known) = tables()[at], TABLES[at]
    told = set(known.__struct_fields__) if known is not None else set()
    fields = {field.encode_name: field for field in msgspec.structs.fields(reader) if field.name not in told}
    assert rows.keys() == fields.keys()
    hints = get_type_hints(reader, include_extras=True)
    for key, (meaning, default) in rows.items():
        field = fields[key]
        assert (default == REQUIRED) is field.required, key
        if default.startswith("`"):
            assert msgspec.convert(json.loads(default.strip("`")), hints[field.name]) == unset(field), key
        elif not field.required:
            assert unset(field) in (None, (), {}), key
        for word in words(hints[field.name]):
            assert f'"{word}"' in meaning + default, (key, word)


def test_every_kind_of_document_has_an_example_that_answers() -> None:
    kinds = []
    for text in fenced(PAGE, "toml"):
        scenario = lethal.loads(text)
        assert scenario.problems() == []
        assert scenario.legal().count() > 0
        kinds.append(scenario.kind)
    assert sorted(kinds) == sorted(GAMES)


@pytest.mark.parametrize(
    "command", ["count", "list", "best", "check", "bounds", "sample", "outcomes", "diff"]
)
def test_the_answers_have_the_keys_that_are_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {
        cells[0].strip(" `"): [key.strip(" `") for key in cells[1].split(",")]
        for line in PAGE.read_text(encoding="utf-8").split("| command | keys |")[1].splitlines()
        if len(cells := line.strip("|").split(" | ")) == 2
    }
    more = {"check": ["--assignment", "Acidic Slime -> Palace Guard 1"], "sample": ["-n", "2"]}
    example = str(ROOT / "examples" / "palace-guard.toml")
    assert main([command, example, "--json", *more.get(command, [])]) in (0, 1)
    assert list(json.loads(capsys.readouterr().out)) == rows[command]
