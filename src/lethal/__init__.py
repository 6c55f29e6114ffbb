"""Exact answers about assigning damage in card games: how many legal ways there are, and which is best."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lethal.models.document import DocumentError
    from lethal.scenario import Check, Scenario, load, loads
    from lethal.solver.assignments import Assignment, Assignments
    from lethal.solver.engine import EngineError, TooWide, Unsupported

    __version__: str

_HOME = {
    "Assignment": "lethal.solver.assignments",
    "Assignments": "lethal.solver.assignments",
    "Check": "lethal.scenario",
    "DocumentError": "lethal.models.document",
    "EngineError": "lethal.solver.engine",
    "Scenario": "lethal.scenario",
    "TooWide": "lethal.solver.engine",
    "Unsupported": "lethal.solver.engine",
    "load": "lethal.scenario",
    "loads": "lethal.scenario",
}

__all__ = [
    "Assignment",
    "Assignments",
    "Check",
    "DocumentError",
    "EngineError",
    "Scenario",
    "TooWide",
    "Unsupported",
    "__version__",
    "load",
    "loads",
]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that importing the package costs next to nothing."""
    if name == "__version__":
        from importlib.metadata import version

        return version("lethal")
    if name not in _HOME:
        raise AttributeError(f"module 'lethal' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
