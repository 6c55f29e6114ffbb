"""What each command answers, in JSON for programs and in words for people."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice
from typing import Any

from lethal.cli import assignment, drawing, listing, views
from lethal.cli.progress import Progress
from lethal.cli.rows import Draws, First, known_count
from lethal.cli.screen import Screen, complain, emit, screen
from lethal.scenario import Scenario
from lethal.solver.assignments import Assignments, Best
from lethal.solver.engine import EngineError, TooWide
from lethal.solver.problem import Objective

SCREENFUL = 100
"""How many assignments are listed on a terminal where no limit is given."""

OTHERS = 4
"""How many assignments `solve` shows besides the best."""


def count(scenario: Scenario, args: argparse.Namespace) -> int:
    """The number of legal assignments."""
    number = scenario.legal(args.engine).count()
    if args.json:
        emit({"count": number})
    else:
        screen().line(str(number))
    return 0


def best(scenario: Scenario, args: argparse.Namespace) -> int:
    """The best assignments, with their scores and outcomes."""
    name, objective = _objective(scenario, args)
    found = _best(scenario.legal(args.engine), objective, args.top)
    proved = all(one.proved for one in found)
    if args.json:
        emit({"objective": name, "best": _answers(scenario, objective, found), "proved": proved})
        return 0
    out = screen()
    for one in found:
        out.line(str(one.assignment), "bold")
        _consequences(out, scenario, objective, one)
    if not found:
        out.line("no assignment is legal")
    elif not proved:
        out.line("not proved to be the best")
    return 0


def check(scenario: Scenario, args: argparse.Namespace) -> int:
    """Whether an assignment is legal, every rule that it breaks, and the nearest legal one."""
    found = scenario.check(assignment.read(args.assignment, scenario), args.engine)
    status = 0 if found.legal else 1
    if args.json:
        violations = [
            {"rule": v.rule, "source": v.source, "recipient": v.recipient, "message": v.message}
            for v in found.violations
        ]
        nearest = None if found.nearest is None else found.nearest.to_dict()
        emit({"legal": found.legal, "violations": violations, "nearest": nearest})
        return status
    out = screen()
    out.line("legal" if found.legal else "not legal", "green" if found.legal else "red")
    for violation in found.violations:
        out.line(f"  {violation.rule}: {violation.message}" if violation.rule else f"  {violation.message}")
    if found.nearest is not None:
        out.line(f"nearest legal assignment: {found.nearest}")
    return status


def bounds(scenario: Scenario, args: argparse.Namespace) -> int:
    """The least and the most that every share can be."""
    found = scenario.legal(args.engine).bounds()
    if args.json:
        emit({"bounds": [bound._asdict() for bound in found]})
    else:
        rows = [[b.source, b.recipient, str(b.least), str(b.most)] for b in found]
        screen().table(["source", "recipient", "least", "most"], rows, numbers={2, 3})
    return 0


def sample(scenario: Scenario, args: argparse.Namespace) -> int:
    """Legal assignments drawn uniformly and independently; a seed that was not given is named."""
    import numpy as np

    legal = scenario.legal(args.engine)
    seed = args.seed
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
        complain("seed", str(seed))
    return listing.answer(Draws(legal, np.random.default_rng(seed), args.n), args)


def list_(scenario: Scenario, args: argparse.Namespace) -> int:
    """The legal assignments in the order of the listing."""
    people = not (args.json or args.format or args.output) and sys.stdout.isatty()
    limit = SCREENFUL if args.limit is None and people else args.limit
    return listing.answer(First(scenario.legal(args.engine), limit), args)


def outcomes(scenario: Scenario, args: argparse.Namespace) -> int:
    """The distinct outcomes, in the order in which the listing first reaches them."""
    legal = scenario.legal(args.engine)
    groups: dict[str, dict[str, Any]] = {}
    looked = 0
    complete = True
    with Progress("looking", known_count(legal)) as progress:
        for one in legal:
            if looked == args.limit:
                complete = False
                break
            looked += 1
            happens = scenario.outcome(one)
            group = groups.setdefault(
                json.dumps(happens, sort_keys=True), {"outcome": happens, "assignments": 0, "example": one}
            )
            group["assignments"] += 1
            progress.advance(1)
    if args.json:
        answers = [{**group, "example": group["example"].to_dict()} for group in groups.values()]
        emit({"outcomes": answers, "complete": complete})
        return 0
    out = screen()
    for group in groups.values():
        number = group["assignments"]
        out.line(f"{number} assignment{'s' if number != 1 else ''}, such as {group['example']}", "bold")
        for line in views.consequences(scenario.kind, group["outcome"]):
            out.line(f"  {line}")
    if not complete:
        out.line(f"only the first {looked} assignments were looked at")
    return 0


def diff(scenario: Scenario, args: argparse.Namespace) -> int:
    """The number of legal assignments under every vintage of the rules."""
    counts = scenario.diff(args.engine)
    if args.json:
        emit({"counts": counts})
    else:
        screen().table(["rules", "assignments"], [[k, str(n)] for k, n in counts.items()], numbers={1})
    return 0


def solve(scenario: Scenario, args: argparse.Namespace) -> int:
    """The scenario, how many assignments are legal, the best with what it does, and a few others."""
    name, objective = _objective(scenario, args)
    legal = scenario.legal(args.engine)
    try:
        number: int | None = legal.count()
    except TooWide:
        number = None
    try:
        found = _best(legal, objective, 1 + OTHERS)
    except TooWide:
        found = _best(legal, objective, 1)
    if args.json:
        answer = {"title": scenario.title, "kind": scenario.kind, "count": number, "objective": name}
        proved = all(one.proved for one in found)
        emit({**answer, "best": _answers(scenario, objective, found), "proved": proved})
        return 0
    out = screen()
    out.line(scenario.title or f"A scenario of kind {scenario.kind}", "bold")
    views.describe(out, scenario)
    out.line()
    if not found:
        out.line("No assignment is legal.")
        return 0
    counted = "too many to count exactly" if number is None else f"{number}"
    out.line(f"legal assignments: {counted}")
    out.line()
    out.line(
        f"best ({name}): {found[0].assignment}" if found[0].proved else f"found: {found[0].assignment}",
        "bold",
    )
    _consequences(out, scenario, objective, found[0])
    if found[1:]:
        out.line()
        out.line("next best:")
        for one in found[1:]:
            out.line(f"  {one.assignment}")
    return 0


COMMANDS: dict[str, Callable[[Scenario, argparse.Namespace], int]] = {
    "solve": solve,
    "count": count,
    "list": list_,
    "best": best,
    "check": check,
    "bounds": bounds,
    "sample": sample,
    "outcomes": outcomes,
    "diagram": drawing.diagram,
    "diff": diff,
}


def _objective(scenario: Scenario, args: argparse.Namespace) -> tuple[str, Objective]:
    name = args.objective or scenario.game.default_objective
    return name, scenario.objective(name)


def _best(legal: Assignments, objective: Objective, top: int) -> list[Best]:
    """The best ones; a single one may come from an engine that can optimise what is too wide to rank."""
    if top > 1:
        return list(islice(legal.ranked(objective), top))
    found = legal.best(objective)
    return [found] if found is not None else []


def _points(objective: Objective, score: Iterable[int]) -> list[int | float]:
    """Scores in points: some are kept as integers of a smaller unit."""
    points = [Fraction(n, part.unit) for n, part in zip(score, objective.scores, strict=True)]
    return [int(n) if n.denominator == 1 else float(n) for n in points]


def _answers(scenario: Scenario, objective: Objective, found: Iterable[Best]) -> list[dict[str, Any]]:
    return [
        {
            "assignment": one.assignment.to_dict(),
            "score": _points(objective, one.score),
            "outcome": _outcome(scenario, one),
        }
        for one in found
    ]


def _outcome(scenario: Scenario, one: Best) -> dict[str, Any] | None:
    """What it does, or None where the game has no outcomes."""
    try:
        return scenario.outcome(one.assignment)
    except EngineError:
        return None


def _consequences(out: Screen, scenario: Scenario, objective: Objective, one: Best) -> None:
    happens = _outcome(scenario, one)
    if happens is not None:
        for line in views.consequences(scenario.kind, happens):
            out.line(f"  {line}")
    points = zip(objective.scores, _points(objective, one.score), strict=True)
    out.line(f"  score: {', '.join(f'{part.name} {n}' for part, n in points)}", "dim")
