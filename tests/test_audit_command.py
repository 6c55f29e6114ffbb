"""`lethal audit-shuffle -- COMMAND`: any program that shuffles lines is tested, and faults are told apart
from bias.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from lethal.__main__ import main

PROGRAM = """
import random, sys
rng = random.Random(SEED)
for line in sys.stdin:
    cards = line.split()
    CHANGE
    print(*cards)
"""
FEW = ["--samples", "700"]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return tmp_path / "program.py"


def run(program: Path, change: str, *options: str, seed: str = "3") -> int:
    program.write_text(PROGRAM.replace("CHANGE", change).replace("SEED", seed), encoding="utf-8")
    return main(["audit-shuffle", *(options or FEW), "--", sys.executable, str(program)])


def test_a_program_that_shuffles_passes(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(program, "rng.shuffle(cards)") == 0
    told = capsys.readouterr().out
    assert "no departure from uniform was found in 700 shuffles" in told
    assert "FAILED" not in told


def test_a_program_that_cuts_does_not_pass_and_its_tests_are_named(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = "at = rng.randrange(len(cards)); cards = cards[at:] + cards[:at]"
    assert run(program, cut, *FEW, "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["uniform"] is False
    assert "neighbours kept" in [test["test"] for test in answer["tests"] if not test["passed"]]


def test_a_program_started_anew_with_the_same_seed_repeats_itself(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--each", "--samples", "45", "--small", "2", "--size", "8"]
    assert run(program, "rng.shuffle(cards)", *options) == 1
    assert "orders after one another" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("cards = cards[1:]", "line 1 of the answer is no order of 0 … 4: '1 2 3 4'"),
        ("cards[0] = 'ace'", "is no order"),
        ("sys.exit(3)", "ended with status 3"),
        ("break", "answered 700 lines with 0"),
    ],
)
def test_a_program_that_gives_no_orders_is_at_fault(
    program: Path, capsys: pytest.CaptureFixture[str], change: str, words: str
) -> None:
    assert run(program, change) == 2
    assert words in capsys.readouterr().err


def test_a_program_that_is_not_there_or_hangs_is_at_fault(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit-shuffle", "--", str(program / "none")]) == 2
    assert run(program, "import time; time.sleep(30)", *FEW, "--timeout", "0.3") == 2
    assert "more than 0.3 seconds" in capsys.readouterr().err


def test_too_few_samples_are_refused_before_the_program_runs(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(program, "sys.exit(3)", "--samples", "10") == 2
    assert "need 600 samples" in capsys.readouterr().err
