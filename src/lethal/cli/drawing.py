"""`lethal diagram`: the decision diagram of a small scenario, as Graphviz text or as a picture."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lethal.cli.screen import emit
from lethal.scenario import Scenario


def diagram(scenario: Scenario, args: argparse.Namespace) -> int:
    """Writes the picture to `--svg` and the Graphviz text to `--dot`, or the text to standard output."""
    legal = scenario.legal()
    written: dict[str, str] = {}
    if args.svg:
        Path(args.svg).write_text(legal.svg(), encoding="utf-8")
        written["svg"] = args.svg
    if args.dot:
        Path(args.dot).write_text(legal.dot(), encoding="utf-8")
        written["dot"] = args.dot
    if args.json:
        emit(written or {"dot": legal.dot()})
    elif not written:
        sys.stdout.write(legal.dot())
    return 0
