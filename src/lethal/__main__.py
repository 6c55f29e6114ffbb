"""The command line: `lethal`, or `python -m lethal`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
PIPE_CLOSED = 141
"""What a shell reports for a program that SIGINT or SIGPIPE ended."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 where the answer is no, 2 where the input is at fault."""
    from lethal.cli.parser import parse
    from lethal.cli.screen import prepare

    prepare()
    try:
        args = parse(sys.argv[1:] if argv is None else argv)
        if isinstance(args, int):
            status = args
        else:
            from lethal.cli.running import run

            status = run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return PIPE_CLOSED
    return status


def _drop_stdout() -> None:
    """Point standard output nowhere, so that the interpreter's last flush does not complain of the closed pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
