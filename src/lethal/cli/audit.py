"""`lethal audit-shuffle -- COMMAND`: the uniformity audit of any program that shuffles lines.

The program reads lines from standard input, each a list of numbers 0 … n-1 with spaces between them, and
writes each one back in random order. With --each it is started anew for every line, as often as there are
samples: that shows a generator that is seeded from the clock.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from lethal.cli.screen import complain, emit, screen

if TYPE_CHECKING:
    import numpy as np

AT_FAULT = 2


def add(commands: Any, epilog: str) -> None:
    """Add the command to the parser's; imports nothing heavy."""
    parser = commands.add_parser(
        "audit-shuffle",
        help="test whether a program shuffles uniformly",
        description=__doc__,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--size", type=int, default=60, metavar="N", help="items of the larger list (60)")
    parser.add_argument("--small", type=int, default=5, metavar="N", help="items of the smaller list (5)")
    parser.add_argument("--samples", type=int, default=6000, metavar="N", help="shuffles of each list (6000)")
    parser.add_argument(
        "--alpha",
        type=float,
        default=1e-4,
        metavar="P",
        help="how often a uniform program may fail the whole audit (0.0001)",
    )
    parser.add_argument("--each", action="store_true", help="start the program anew for every shuffle")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="seconds for a list (300)")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument(
        "program", nargs="+", metavar="COMMAND", help="the program and its arguments, after --"
    )
    parser.set_defaults(act=act)


def act(args: argparse.Namespace) -> int:
    """Run the audit: 0 where the program passes, 1 where it does not, 2 where it cannot be tested."""
    import subprocess

    from lethal.audit import audit_orders, check_sizes

    try:
        check_sizes(args.size, args.small, args.samples, args.alpha)
        small, large = (_orders(args, size) for size in (args.small, args.size))
        found = audit_orders(small, large, alpha=args.alpha)
    except subprocess.TimeoutExpired as error:
        complain("error", f"the program took more than {error.timeout:g} seconds")
        return AT_FAULT
    except OSError as error:
        complain("error", f"{args.program[0]}: {error.strerror}")
        return AT_FAULT
    except ValueError as error:
        complain("error", str(error))
        return AT_FAULT
    if args.json:
        tests = [
            {"test": t.name, "statistic": t.statistic, "p": t.p, "passed": t.passed, "words": t.words}
            for t in found.tests
        ]
        emit({"uniform": found.uniform, "alpha": found.alpha, "samples": found.samples, "tests": tests})
        return 0 if found.uniform else 1
    out = screen()
    rows = [[t.name, "passed" if t.passed else "FAILED", f"{t.p:.2g}", t.words] for t in found.tests]
    out.table(["test", "", "p", "what it looks at"], rows, numbers={2})
    if found.uniform:
        out.line(f"no departure from uniform was found in {found.samples} shuffles", "green")
    else:
        failed = ", ".join(t.name for t in found.failed)
        out.line(f"not uniform (alpha {found.alpha:g} for all tests together): {failed}", "red")
    return 0 if found.uniform else 1


def _orders(args: argparse.Namespace, size: int) -> np.ndarray:
    """What the program makes of a list, as often as asked; raises ValueError for what is no answer."""
    import subprocess

    import numpy as np

    line = " ".join(map(str, range(size)))
    runs, lines = (args.samples, 1) if args.each else (1, args.samples)
    told: list[str] = []
    for _ in range(runs):
        done = subprocess.run(
            args.program,
            input=f"{line}\n" * lines,
            stdout=subprocess.PIPE,
            stderr=sys.stderr if _has_file(sys.stderr) else None,
            text=True,
            timeout=args.timeout,
            check=False,
        )
        if done.returncode:
            raise ValueError(f"the program ended with status {done.returncode}")
        given = [text for text in done.stdout.splitlines() if text.strip()]
        if len(given) != lines:
            raise ValueError(f"the program answered {lines} lines with {len(given)}")
        told += given
    wanted = set(range(size))
    orders = np.empty((args.samples, size), dtype=np.int32)
    for at, text in enumerate(told):
        try:
            order = [int(word) for word in text.split()]
        except ValueError:
            order = []
        if len(order) != size or set(order) != wanted:
            shown = text if len(text) <= 60 else f"{text[:57]}..."
            raise ValueError(f"line {at + 1} of the answer is no order of 0 … {size - 1}: {shown!r}")
        orders[at] = order
    return orders


def _has_file(stream: Any) -> bool:
    """Whether a stream can be handed to a program."""
    try:
        stream.fileno()
    except (AttributeError, OSError, ValueError):
        return False
    return True
