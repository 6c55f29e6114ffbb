"""What the documents show is what happens: console sessions, Python sessions and pictures are run again."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import lethal
from lethal.__main__ import main
from lethal.games import GAMES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def fenced(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def sessions() -> list[tuple[str, str, str]]:
    found = []
    for page in PAGES:
        for block in fenced(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                found.append((page.name, command, output))
    return found


@pytest.mark.parametrize(("page", "command", "output"), sessions(), ids=lambda text: str(text)[:40])
def test_a_console_session_prints_what_it_shows(
    page: str, command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == "lethal", page
    assert main(arguments) in (0, 1)
    shown = [line.rstrip() for line in output.strip("\n").splitlines()]
    printed = [line.rstrip() for line in capsys.readouterr().out.strip("\n").splitlines()]
    assert printed == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_python_session_answers_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = "\n".join(fenced(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    assert page.name != "README.md" or len(test.examples) > 4


def test_the_picture_is_the_diagram_of_the_example() -> None:
    picture = (ROOT / "docs" / "palace-guard.svg").read_text(encoding="utf-8")
    assert picture == lethal.load(ROOT / "examples" / "palace-guard.toml").legal().svg()


def test_the_readme_names_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_the_readme_names_every_game_and_edition() -> None:
    table = {
        row[1].strip(" `"): row[2]
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        if len(row := line.strip("|").split(" | ")) == 3
    }
    for kind, game in GAMES.items():
        assert kind in table
        assert [name for name in game.vintages if f"`{name}`" not in table[kind]] == []
