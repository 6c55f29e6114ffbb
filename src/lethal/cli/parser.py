"""The arguments of every command. Imports nothing heavy, so that help and version come at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from lethal.cli import audit

ENGINES = ("diagram", "cpsat")
"""The names in `lethal.solver.engine.ENGINES`, repeated here so that help need not import it."""

FORMATS = ("json", "csv", "npy")

_EPILOG = """exit status: 0 on success, 1 where the answer is no (check), 2 where the input is at fault"""


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line as every other fault of the input: `error:` lines and status 2."""

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"error: {message}; see {self.prog} --help\n")
        raise SystemExit(2)


class _Version(argparse.Action):
    """Prints the version; the installed metadata is read only now."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version and stop")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from lethal import __version__

        sys.stdout.write(f"lethal {__version__}\n")
        raise SystemExit(0)


def parse(argv: Sequence[str]) -> argparse.Namespace | int:
    """The arguments, or the exit status where help, a version or a fault has said it all."""
    try:
        return _parser().parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise argparse.ArgumentTypeError(f"expected a whole number of 0 or more, got {text!r}")
    return int(text)


def _positive(text: str) -> int:
    number = _natural(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more, got {text!r}")
    return number


def _parser() -> _Parser:
    parser = _Parser(
        prog="lethal",
        description="How many legal ways are there to assign this damage, and which is best?",
        epilog=_EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, help: str, description: str | None = None) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=help,
            description=f"{description or help[0].upper() + help[1:]}.",
            epilog=_EPILOG,
            allow_abbrev=False,
            parents=[_common()],
        )

    solve = command("solve", "show the scenario, the best assignment and what it does")
    _objective(solve)
    command("count", "count the legal assignments, exactly")
    listing = command("list", "list the legal assignments")
    listing.add_argument("--limit", type=_natural, metavar="N", help="list no more than the first N")
    _output(listing)
    best = command("best", "find the best assignments")
    _objective(best)
    best.add_argument("--top", type=_positive, default=1, metavar="K", help="the K best, the best first")
    check = command("check", "check an assignment", "Name every rule that an assignment breaks")
    check.add_argument(
        "--assignment",
        required=True,
        metavar="JSON_OR_TEXT",
        help="such as 'Acidic Slime -> Palace Guard 2; Yavimaya Wurm -> player 6'",
    )
    command("bounds", "show the least and the most that every share can be")
    sample = command("sample", "draw legal assignments, each as likely as any other")
    sample.add_argument("-n", type=_natural, default=1, metavar="N", help="how many, independently (1)")
    sample.add_argument("--seed", type=_natural, metavar="S", help="the same seed draws the same ones")
    _output(sample)
    outcomes = command("outcomes", "group the legal assignments by what they do")
    outcomes.add_argument("--limit", type=_natural, metavar="N", help="look only at the first N assignments")
    outcomes.add_argument(
        "--unmarked", action="store_true", help="whatever damage is marked on those who survive (combat)"
    )
    outcomes.add_argument(
        "--undominated", action="store_true", help="only those that no other one beats in everything (combat)"
    )
    diagram = command("diagram", "draw the decision diagram of a small scenario")
    diagram.add_argument("--svg", metavar="FILE", help="write a stand-alone picture there")
    diagram.add_argument(
        "--dot", metavar="FILE", help="write Graphviz text there (default: to standard output)"
    )
    line = command("line", "find the best line of play over all damage steps of a combat")
    line.add_argument("--objective", metavar="O", help="a name, or weights in JSON (trade)")
    line.add_argument(
        "--side", choices=("attackers", "blockers"), default="attackers", help="for whom it is best"
    )
    line.add_argument(
        "--reply",
        default="worst",
        metavar="R",
        help="how the other side plays: worst for it (the default), best for both, or given as JSON"
        """ such as '{"only": {"Bear": {"Wolf": 2}}}', its amounts by step""",
    )
    command("diff", "count the legal assignments under every vintage of the rules")
    audit.add(commands, _EPILOG)
    return parser


def _common() -> _Parser:
    common = _Parser(add_help=False)
    common.add_argument("file", metavar="FILE", help="a scenario in TOML or JSON; - for standard input")
    common.add_argument("--json", action="store_true", help="answer in JSON")
    common.add_argument("--rules", metavar="V", help="the vintage of the rules, instead of the document's")
    common.add_argument(
        "--cards", metavar="FILE", help="a card file of your own, for what the document leaves out (indirect)"
    )
    common.add_argument("--engine", choices=ENGINES, default=ENGINES[0], help=f"who computes ({ENGINES[0]})")
    return common


def _objective(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--objective",
        metavar="O",
        help="what best means: a name (the game's own default), in a combat also weights in JSON",
    )


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, help="rows as JSON, as CSV or as a NumPy array")
    parser.add_argument("--output", metavar="FILE", help="write there instead of standard output")
