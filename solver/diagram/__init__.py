"""The exact engine: a problem compiled into a decision diagram, on which every question is a short walk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lethal.solver.diagram.engine import DiagramEngine

__all__ = ["DiagramEngine"]


def __getattr__(name: str) -> Any:
    if name == "DiagramEngine":
        from lethal.solver.diagram.engine import DiagramEngine

        return DiagramEngine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
