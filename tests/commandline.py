"""Running the command line within the test's own process, and scenarios to run it on."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lethal.__main__ import main

EXAMPLES = Path(__file__).parent.parent / "examples"
GUARD = str(EXAMPLES / "palace-guard.toml")
TEMPTING = "Acidic Slime → Palace Guard 2; Yavimaya Wurm → player 6"
FILE_COMMANDS = [
    ["solve"],
    ["count"],
    ["list"],
    ["best"],
    ["check", "--assignment", "nothing"],
    ["bounds"],
    ["sample"],
    ["outcomes"],
    ["diagram"],
    ["diff"],
]


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def errors(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("error: ")]


Run = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs a command on standard input and captures what it prints."""

    def running(*argv: str, stdin: str | bytes = "") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main(argv)
        return Ran(status, *capsys.readouterr())

    return running


def wide(power: int = 10**9) -> str:
    """A combat whose shares the diagram refuses."""
    attacker = {"name": "A", "power": power, "toughness": 1, "keywords": ["trample"]}
    blocker = {"name": "B", "power": 1, "toughness": 1, "blocks": ["A"]}
    return json.dumps({"kind": "combat", "attackers": [attacker], "blockers": [blocker]})


def many(attackers: int) -> str:
    """Attackers of power 9 with ten blockers each: 48,620 assignments for every one."""
    fighters = [{"name": f"A{n}", "power": 9, "toughness": 9} for n in range(attackers)]
    blockers = [
        {"name": f"B{n}", "power": 1, "toughness": 1, "count": 10, "blocks": [f"A{n}"]}
        for n in range(attackers)
    ]
    return json.dumps({"kind": "combat", "attackers": fighters, "blockers": blockers})
