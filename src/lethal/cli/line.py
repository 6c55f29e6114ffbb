"""`lethal line`: the best line of play of a combat over all its damage steps, with what each step does."""

from __future__ import annotations

import argparse
from typing import Any

from lethal.cli import ranking, views
from lethal.cli.assignment import faults, from_json
from lethal.cli.screen import emit, screen
from lethal.line import Line
from lethal.models.combat_wishes import title, wish
from lethal.models.combat_words import STEPS
from lethal.models.document import DocumentError
from lethal.scenario import Scenario

DEFAULT = "trade"


def line(scenario: Scenario, args: argparse.Namespace) -> int:
    """The best line for a side; exit status 1 where one of the sides has no legal assignment."""
    wanted = ranking.read(args.objective)
    wanted = DEFAULT if wanted is None else wanted
    reply = _reply(args.reply)
    found = scenario.line(wanted, side=args.side, reply=reply, engine=args.engine)
    if args.json:
        emit({"objective": wanted, "side": args.side, "reply": reply, "line": _answer(found)})
    elif found is None:
        screen().line("a side has no legal assignment")
    else:
        _show(scenario, found, [title(weights) for weights in wish(wanted)])
    return 0 if found is not None else 1


def _reply(text: str) -> Any:
    """`worst`, `best`, or amounts by step from JSON; raises DocumentError where it cannot be read."""
    if not text.lstrip().startswith("{"):
        return text
    given = from_json(text, "--reply")
    unknown = [step for step in given if step not in STEPS]
    found = [f"--reply: there is no step {step!r}; there are {', '.join(STEPS)}" for step in unknown]
    found += [fault for step, amounts in given.items() for fault in faults(amounts, f"--reply.{step}")]
    if found:
        raise DocumentError(found)
    return given


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


def _show(scenario: Scenario, found: Line, titles: list[str]) -> None:
    out = screen()
    for step in found.steps:
        if len(found.steps) > 1:
            out.line(f"{step.name} damage")
        for name, assignment in (("attackers", step.attackers), ("blockers", step.blockers)):
            out.line(f"{name}: {assignment}", "bold")
        for words in views.consequences(scenario, step.outcome):
            out.line(f"  {words}")
    scores = ", ".join(f"{name} {n}" for name, n in zip(titles, _points(found), strict=True))
    out.line(f"score: {scores}{'' if found.proved else ', not proved the best'}")
