"""`lethal diagram` writes a picture or Graphviz text, and refuses what is too large."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lethal.__main__ import main

EXAMPLE = str(Path(__file__).parent.parent / "examples" / "palace-guard.toml")


def test_it_writes_a_stand_alone_picture(tmp_path: Path) -> None:
    target = tmp_path / "out.svg"
    assert main(["diagram", EXAMPLE, "--svg", str(target)]) == 0
    assert ElementTree.fromstring(target.read_text(encoding="utf-8")).tag.endswith("svg")


def test_it_prints_graphviz_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagram", EXAMPLE]) == 0
    assert capsys.readouterr().out.startswith("digraph")
    assert main(["diagram", EXAMPLE, "--json"]) == 0
    assert "Palace Guard" in json.loads(capsys.readouterr().out)["dot"]


def test_a_combat_too_large_to_be_drawn_is_the_inputs_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    creatures = "".join(
        f'[[attackers]]\nname = "a{i}"\npower = 99\ntoughness = 1\nkeywords = ["trample"]\n' for i in range(9)
    ) + "".join(
        f'[[blockers]]\nname = "b{i}"\npower = 1\ntoughness = 9\nblocks = ["a{i}"]\n' for i in range(9)
    )
    file = tmp_path / "large.toml"
    file.write_text(f'kind = "combat"\n{creatures}', encoding="utf-8")
    assert main(["diagram", str(file), "--svg", str(tmp_path / "x.svg")]) == 2
    assert "too large to be drawn" in capsys.readouterr().err
