"""`lethal line`: the best line of play of a combat over all its damage steps, with what each step does."""

from __future__ import annotations

import argparse
import json
from typing import Any

from lethal.cli import views
from lethal.cli.screen import emit, screen
from lethal.line import Line
from lethal.scenario import Scenario

DEFAULT = "trade"


def line(scenario: Scenario, args: argparse.Namespace) -> int:
    """The best line for a side; exit status 1 where one of the sides has no legal assignment."""
    wanted = _wanted(args.objective)
    found = scenario.line(wanted, side=args.side, reply=args.reply, engine=args.engine)
    if args.json:
        emit({"objective": wanted, "side": args.side, "reply": args.reply, "line": _answer(found)})
    elif found is None:
        screen().line("a side has no legal assignment")
    else:
        _show(scenario, found)
    return 0 if found is not None else 1


def _wanted(text: str | None) -> Any:
    """An objective's name, or weights in JSON; raises ValueError where neither can be read."""
    if text is None:
        return DEFAULT
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"--objective: not JSON: {error}") from None


def _points(found: Line) -> list[int | float]:
    return [
        n // unit if n % unit == 0 else n / unit for n, unit in zip(found.score, found.units, strict=True)
    ]


def _answer(found: Line | None) -> dict[str, Any] | None:
    if found is None:
        return None
    steps = [
        {
            "step": step.name,
            "attackers": step.attackers.to_dict(),
            "blockers": step.blockers.to_dict(),
            "outcome": step.outcome,
        }
        for step in found.steps
    ]
    return {
        "score": _points(found),
        "steps": steps,
        "outcome": found.outcome,
        "how": list(found.how),
        "proved": found.proved,
    }


def _show(scenario: Scenario, found: Line) -> None:
    out = screen()
    for step in found.steps:
        if len(found.steps) > 1:
            out.line(f"{step.name} damage")
        for name, assignment in (("attackers", step.attackers), ("blockers", step.blockers)):
            out.line(f"{name}: {assignment}", "bold")
        for words in views.consequences(scenario, step.outcome):
            out.line(f"  {words}")
    out.line(f"score {', '.join(map(str, _points(found)))}{'' if found.proved else ', not proved the best'}")
