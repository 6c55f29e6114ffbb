"""Options for all tests: a test that takes `engine` runs once for each engine, or for those of --engine."""

from __future__ import annotations

import pytest

from lethal.solver.engine import engine_names


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engine",
        action="append",
        choices=engine_names(),
        help="run engine tests on this one only; may be given again (default: all)",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    by_itself = any("engine" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if "engine" in metafunc.fixturenames and not by_itself:
        metafunc.parametrize("engine", metafunc.config.getoption("--engine") or engine_names())
