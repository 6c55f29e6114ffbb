"""Writing for people: plain text in a pipe, colours and tables through rich on a terminal only."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def prepare() -> None:
    """Let characters that the streams' encoding lacks be written as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def one_line(text: str) -> str:
    """A text without line breaks or terminal codes, which a name in a document may hold."""
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], text)


def complain(kind: str, message: str) -> None:
    """One line on standard error: `error: …` or `warning: …`."""
    sys.stderr.write(f"{kind}: {one_line(message)}\n")


def emit(answer: Any) -> None:
    """An answer in JSON on one line of standard output; integers of any size."""
    sys.stdout.write(as_json(answer, sys.stdout) + "\n")


def as_json(value: Any, stream: IO[str]) -> str:
    """JSON for a stream: readable where it is Unicode, in ASCII escapes where it is not."""
    unicode = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")
    return json.dumps(value, ensure_ascii=not unicode)


@contextlib.contextmanager
def integers_of_any_size() -> Iterator[None]:
    """Lift Python's limit on the digits of a printed integer: counts may have more."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


class Screen(Protocol):
    """What people read; `style` is for terminals only."""

    terminal: bool

    def line(self, text: str = "", style: str = "") -> None:
        """One line."""
        ...

    def table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()
    ) -> None:
        """Rows under heads (none if all are empty); the columns in `numbers` are aligned to the right."""
        ...


def screen() -> Screen:
    """The screen for standard output."""
    return _Rich() if sys.stdout.isatty() else _Plain()


class _Plain:
    terminal = False

    def line(self, text: str = "", style: str = "") -> None:
        sys.stdout.write(f"{one_line(text)}\n")

    def table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()
    ) -> None:
        every = [[one_line(cell) for cell in row] for row in ([head] if any(head) else []) + list(rows)]
        if not every:
            return
        widths = [max(len(row[at]) for row in every) for at in range(len(head))]
        for row in every:
            cells = [
                cell.rjust(width) if at in numbers else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.line(f"  {'  '.join(cells)}".rstrip())


class _Rich:
    terminal = True

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def line(self, text: str = "", style: str = "") -> None:
        self._console.print(one_line(text), style=style or None)

    def table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[int] = ()
    ) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD if any(head) else None, show_header=any(head), pad_edge=True)
        for at, title in enumerate(head):
            table.add_column(title, justify="right" if at in numbers else "left")
        for row in rows:
            table.add_row(*(one_line(cell) for cell in row))
        self._console.print(table, soft_wrap=False)
