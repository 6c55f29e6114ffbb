"""Writing streams of rows in bounded memory: as text, as JSON, as CSV or as a NumPy array."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from lethal.cli.digits import lines
from lethal.cli.progress import Progress
from lethal.cli.rows import First, Rows
from lethal.cli.screen import as_json, complain, emit, screen
from lethal.cli.views import Wording
from lethal.models.document import DocumentError
from lethal.solver.assignments import Assignment


def answer(rows: Rows, args: argparse.Namespace, wording: Wording) -> int:
    """Write the rows as the arguments ask: to standard output, or to a file with a line on what was written."""
    if args.output is not None:
        return _to_file(rows, args, wording)
    form = args.format or ("json" if args.json else None)
    if form is None:
        _as_text(rows, wording)
    elif form == "npy":
        if sys.stdout.isatty():
            raise DocumentError(["--format npy: not for a terminal; give --output FILE"])
        sys.stdout.flush()
        _as_npy(rows, sys.stdout.buffer)
    else:
        WRITERS[form](rows, sys.stdout)
    return 0


def _as_text(rows: Rows, wording: Wording) -> None:
    out = screen()
    for block in rows:
        for row in block.tolist():
            out.line(wording.write(Assignment(rows.columns, row)))
    if not rows.complete and isinstance(rows, First):
        of = "" if rows.count is None else f" of {rows.count}"
        complain("note", f"only the first {rows.written}{of} {wording.units} are listed")


def _as_json(rows: Rows, out: IO[str]) -> None:
    """One object: what is known before the rows stands before them, the rest behind."""
    before: dict[str, Any] = {"columns": rows.columns}
    known = rows.count is not None
    if known:
        before = {"count": rows.count, **before}
    out.write(as_json(before, out)[:-1])
    out.write(', "rows": [')
    skip = 2
    for block in rows:
        out.write(lines(block, ", [", ", ", "]")[skip:])
        skip = 0
    behind: dict[str, Any] = {"complete": rows.complete}
    out.write(f"], {as_json(behind if known else {'count': rows.count, **behind}, out)[1:]}\n")


def _as_csv(rows: Rows, out: IO[str]) -> None:
    """A head of `source → recipient`, then one line a row."""
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow([f"{s} → {r}" for s, r in rows.columns])
    out.write(head.getvalue())
    for block in rows:
        out.write(lines(block, "", ",", "\n"))


def _as_npy(rows: Rows, out: IO[bytes]) -> None:
    """NumPy's format, one column a share. The head says how many rows there are: if need be, it is written again."""
    import numpy as np

    if rows.length is None and not out.seekable():
        raise DocumentError(
            ["--format npy: this engine learns how many rows there are last; give --output FILE"]
        )

    def head(length: int, kind: np.dtype[Any]) -> None:
        shape = (length, len(rows.columns))
        descr = np.lib.format.dtype_to_descr(kind)
        np.lib.format.write_array_header_1_0(out, {"descr": descr, "fortran_order": False, "shape": shape})

    kind: np.dtype[Any] | None = None
    for block in rows:
        if kind is None:
            kind = block.dtype
            head(rows.length or 0, kind)
        out.write(np.ascontiguousarray(block).data)
    if kind is None:
        head(0, np.dtype(np.int64))
    elif rows.length is None:
        out.seek(0)
        head(rows.written, kind)  # as long as before: NumPy pads the head for any number of rows


WRITERS: dict[str, Callable[[Rows, IO[Any]], None]] = {"json": _as_json, "csv": _as_csv, "npy": _as_npy}


def _to_file(rows: Rows, args: argparse.Namespace, wording: Wording) -> int:
    path = Path(args.output)
    form = args.format or path.suffix.lstrip(".").lower()
    if form not in WRITERS:
        known = ", ".join(WRITERS)
        raise DocumentError([f"--output: no format in the ending of {args.output!r}; give --format: {known}"])
    with Progress("writing", rows.length) as bar, _replacing(path, binary=form == "npy") as out:
        rows.watch = bar.advance
        started = time.perf_counter()
        WRITERS[form](rows, out)
        seconds = time.perf_counter() - started
    if args.json:
        emit(
            {
                "count": rows.count,
                "columns": rows.columns,
                "complete": rows.complete,
                "written": rows.written,
                "output": args.output,
            }
        )
    else:
        rate = f", {rows.written / seconds:,.0f} a second" if seconds > 0 else ""
        of = "" if rows.complete or rows.count is None else f" of {rows.count}"
        screen().line(f"{rows.written}{of} {wording.units} written to {args.output}{rate}")
    return 0


@contextlib.contextmanager
def _replacing(path: Path, *, binary: bool) -> Iterator[IO[Any]]:
    """The file to be written; it takes its name only once complete, unless it is a pipe or a device."""
    part = path.with_name(f"{path.name}.part") if path.is_file() or not path.exists() else path
    out: IO[Any]
    try:
        out = part.open("wb") if binary else part.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    with out:
        try:
            yield out
        except BaseException:
            if part != path:
                part.unlink()
            raise
    if part != path:
        os.replace(part, path)
