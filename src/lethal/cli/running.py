"""Running one command: reading its scenario, and turning every fault of the input into `error:` lines."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lethal.cli.screen import complain, integers_of_any_size
from lethal.models.document import DocumentError, parse
from lethal.scenario import Scenario
from lethal.solver.engine import EngineError

AT_FAULT = 2


def run(args: argparse.Namespace) -> int:
    """The exit status of a command; faults of the input are reported on standard error, one line each."""
    if "act" in args:  # a command that is about no scenario
        status: int = args.act(args)
        return status
    try:
        scenario = read(args.file, args.rules)
        if args.cards is not None:
            scenario = _filled(scenario, args.cards)
        for warning in scenario.warnings:
            complain("warning", warning)
        from lethal.cli.commands import COMMANDS

        with integers_of_any_size():
            return COMMANDS[args.command](scenario, args)
    except BrokenPipeError:
        raise
    except DocumentError as error:
        faults = error.defects
    except OSError as error:
        faults = (f"{error.filename}: {error.strerror}" if error.filename is not None else str(error),)
    except MemoryError:
        faults = ("out of memory",)
    except (EngineError, ValueError, OverflowError, RecursionError) as error:
        faults = (str(error) or type(error).__name__,)
    for fault in faults:
        complain("error", fault)
    return AT_FAULT


def read(file: str, rules: str | None = None) -> Scenario:
    """The scenario in a file, `-` being standard input; raises DocumentError or OSError."""
    data = _standard_input() if file == "-" else Path(file).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"not UTF-8 text: byte {data[error.start]:#04x} at position {error.start}"
        raise DocumentError([f"document: {message}"]) from None
    scenario = Scenario(parse(text, "" if file == "-" else Path(file).suffix))
    return scenario if rules is None else scenario.with_rules(rules)


def _filled(scenario: Scenario, path: str) -> Scenario:
    try:
        return scenario.filled(path)
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError([f"--cards: {error}"]) from None


def _standard_input() -> bytes:
    binary = getattr(sys.stdin, "buffer", None)
    data: bytes = sys.stdin.read().encode() if binary is None else binary.read()
    return data
