"""Listing to files and pipes: every format holds the same rows, whole or not at all, and streams end quietly."""

from __future__ import annotations

import csv
import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lethal
from lethal.__main__ import INTERRUPTED, PIPE_CLOSED, main
from lethal.cli import commands, digits, rows
from lethal.solver.engine import engine_names

ROOT = Path(__file__).parent.parent
SHARED = str(ROOT / "examples" / "shared-blocker.toml")
SAPROLINGS = str(ROOT / "examples" / "ten-saprolings.toml")


def lethal_command(*argv: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "lethal", *argv], capture_output=True, timeout=120, **more)


def read(path: Path) -> tuple[list[list[int]], list[str] | None]:
    """The rows in a file, and its column names where it has any."""
    if path.suffix == ".npy":
        return np.load(path).tolist(), None
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        answer = json.loads(text)
        return answer["rows"], [f"{source} → {recipient}" for source, recipient in answer["columns"]]
    head, *body = csv.reader(text.splitlines())
    return [[int(cell) for cell in row] for row in body], head


# Formats ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", engine_names())
@pytest.mark.parametrize("form", ["json", "csv", "npy"])
@pytest.mark.parametrize("limit", [None, 0, 4])
def test_every_format_holds_the_rows_of_the_listing(
    tmp_path: Path, form: str, limit: int | None, engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"rows.{form}"
    limited = [] if limit is None else ["--limit", str(limit)]
    assert main(["list", SHARED, "--output", str(path), "--engine", engine, "--json", *limited]) == 0
    legal = lethal.load(SHARED).legal()
    expected = [list(one.row) for one in legal][:limit]
    found, head = read(path)
    assert found == expected
    assert head in (None, [f"{source} → {recipient}" for source, recipient in legal.columns])
    summary = json.loads(capsys.readouterr().out)
    assert (summary["count"], summary["complete"]) == (15, limit is None)
    assert (summary["written"], summary["output"]) == (len(expected), str(path))
    assert [path] == list(tmp_path.iterdir())


def test_the_format_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    assert main(["list", SHARED, "--output", str(path), "--format", "csv"]) == 0
    assert path.read_text(encoding="utf-8").count("\n") == 16


def test_a_listing_of_many_blocks_is_whole(tmp_path: Path) -> None:
    for form in ("json", "csv", "npy"):
        assert main(["list", SAPROLINGS, "--output", str(tmp_path / f"rows.{form}")]) == 0
    array = np.load(tmp_path / "rows.npy")
    assert array.shape == (92378, 10)
    assert array.shape[0] > rows.BLOCK
    assert (array.sum(axis=1) == 10).all()
    assert (np.array(read(tmp_path / "rows.json")[0]) == array).all()
    assert (np.array(read(tmp_path / "rows.csv")[0]) == array).all()


def test_draws_can_be_written_too(tmp_path: Path) -> None:
    path = tmp_path / "draws.npy"
    assert main(["sample", SAPROLINGS, "-n", "70000", "--seed", "1", "--output", str(path)]) == 0
    drawn = np.load(path)
    assert drawn.shape == (70000, 10)
    assert (drawn.sum(axis=1) == 10).all()


@pytest.mark.parametrize("form", ["json", "csv", "npy"])
def test_formats_go_to_standard_output_too(form: str, tmp_path: Path) -> None:
    ran = lethal_command("list", SHARED, "--format", form)
    path = tmp_path / f"rows.{form}"
    path.write_bytes(ran.stdout)
    assert read(path)[0] == [list(one.row) for one in lethal.load(SHARED).legal()]
    assert ran.stderr == b""


def test_an_array_to_a_pipe_needs_its_length_first() -> None:
    ran = lethal_command("list", SHARED, "--format", "npy", "--engine", "cpsat")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"give --output FILE" in ran.stderr


def test_a_listing_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("old")
    spelled = digits.lines

    def full(block: np.ndarray, *marks: str) -> str:
        if block[0, 0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return spelled(block, *marks)

    monkeypatch.setattr("lethal.cli.listing.lines", full)
    monkeypatch.setattr("lethal.cli.rows.BLOCK", 4)
    assert main(["list", SHARED, "--output", str(path)]) == 2
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_not_replaced() -> None:
    assert main(["list", SHARED, "--output", os.devnull, "--format", "csv"]) == 0
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize(
    "block",
    [
        np.array([[0, 10, 255], [200, 9, 1]], dtype=np.uint8),
        np.array([[0, 10**12], [-5, 7]], dtype=np.int64),
        np.array([[-1], [-10], [3]], dtype=np.int32),
        np.empty((2, 0), dtype=np.int64),
        np.empty((0, 3), dtype=np.int64),
        np.asfortranarray(np.arange(12, dtype=np.uint16).reshape(4, 3)),
    ],
    ids=str,
)
def test_numbers_are_spelled_as_json_spells_them(block: np.ndarray) -> None:
    text = digits.lines(block, ", [", ", ", "]")
    assert f"[{text[2:]}]" == json.dumps(block.tolist())


# Pipes, interrupts, encodings, terminals --------------------------------------------------------------


def test_a_closed_pipe_ends_a_listing_quietly() -> None:
    ran = subprocess.Popen(
        [sys.executable, "-m", "lethal", "list", SAPROLINGS], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert ran.stdout is not None
    assert ran.stderr is not None
    assert ran.stdout.readline().startswith(b"Gigantosaurus \xe2\x86\x92 Saproling 10 10")
    ran.stdout.close()
    assert ran.wait(60) == PIPE_CLOSED
    assert ran.stderr.read() == b""
    ran.stderr.close()


def test_an_interrupt_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(commands.COMMANDS, "count", interrupted)
    assert main(["count", SHARED]) == INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_an_output_without_unicode_gets_escapes_and_json_stays_json() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    document = '{"kind": "combat", "attackers": [{"name": "Æther", "power": 1, "toughness": 1}]}'.encode()
    plain = lethal_command("list", "-", input=document, env=environment)
    assert (plain.returncode, plain.stdout) == (0, b"\\xc6ther \\u2192 player 1\n")
    answer = lethal_command("list", "-", "--json", input=document, env=environment)
    assert json.loads(answer.stdout)["columns"] == [["Æther", "player"]]


def test_a_module_run_and_the_installed_command_are_the_same() -> None:
    assert lethal_command("count", SHARED).stdout == b"15\n"
    assert lethal_command("count", "nowhere").returncode == 2


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(option: str) -> None:
    heavy = {"numpy", "ortools", "rich", "msgspec", "lethal.solver", "lethal.models", "lethal.scenario"}
    code = (
        "import sys; from lethal.__main__ import main; status = main(sys.argv[1:]); "
        f"sys.stderr.write(' '.join({heavy!r} & set(sys.modules))); sys.exit(status)"
    )
    ran = subprocess.run([sys.executable, "-c", code, option], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "lethal" in ran.stdout


def test_counting_loads_neither_ortools_nor_rich() -> None:
    code = (
        "import sys; from lethal.__main__ import main; status = main(sys.argv[1:]); "
        "sys.stderr.write(' '.join({'ortools', 'rich'} & set(sys.modules))); sys.exit(status)"
    )
    argv = [sys.executable, "-c", code, "count", SHARED]
    ran = subprocess.run(argv, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "15\n", "")


def on_a_terminal(*argv: str) -> Iterator[bytes]:
    """What the command writes where its output and errors are a terminal."""
    import pty  # not there on every system

    control, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, "-m", "lethal", *argv],
        stdout=terminal,
        stderr=terminal,
        stdin=subprocess.DEVNULL,
        env=environment,
    ):
        os.close(terminal)
        try:
            while data := os.read(control, 65536):
                yield data
        except OSError as error:
            if error.errno != errno.EIO:  # how Linux says that the other side has closed
                raise
        finally:
            os.close(control)


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pseudo-terminal as Linux ends it")
def test_a_terminal_gets_tables_a_screenful_and_a_bar(tmp_path: Path) -> None:
    table = b"".join(on_a_terminal("diff", SHARED)).decode()
    assert "\x1b[" in table
    assert "─" in table
    listing = b"".join(on_a_terminal("list", SAPROLINGS)).decode()
    assert listing.count("→") == commands.SCREENFUL
    assert f"only the first {commands.SCREENFUL} of 92378 assignments are listed" in listing
    path = tmp_path / "rows.csv"
    writing = b"".join(on_a_terminal("list", SAPROLINGS, "--output", str(path))).decode()
    assert "92,378 of 92,378" in writing
    assert "92378 assignments written to" in writing
    assert path.read_text(encoding="utf-8").count("\n") == 92379
