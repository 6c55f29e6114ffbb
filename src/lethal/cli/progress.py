"""A progress bar on standard error: rows done, of how many, and how many a second; nothing but on a terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


class Progress:
    """A context in which `advance` moves the bar, if there is one."""

    def __init__(self, title: str, total: int | None) -> None:
        self._bar: Bar | None = None
        if sys.stderr.isatty():
            self._bar, self._task = _bar(title, total)

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def advance(self, rows: int) -> None:
        """That many more rows are done."""
        if self._bar is not None:
            self._bar.advance(self._task, rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _bar(title: str, total: int | None) -> tuple[Bar, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Rows done, of the exact total where it is known, and rows a second."""

        def render(self, task: Task) -> Text:
            of = "" if total is None else f" of {total:,}"
            rate = task.finished_speed or task.speed
            return Text(f"{int(task.completed):,}{of}{'' if rate is None else f', {rate:,.0f} a second'}")

    console = Console(file=sys.stderr)
    bar = Progress(
        TextColumn(title), BarColumn(), Rate(), TimeRemainingColumn(), console=console, transient=True
    )
    return bar, bar.add_task(title, total=total)
