"""What each command answers, in JSON for programs and in words for people."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

from lethal.cli import assignment, drawing, grouping, line, listing, ranking, views
from lethal.cli.rows import Draws, First
from lethal.cli.screen import Screen, complain, emit, screen
from lethal.scenario import Scenario
from lethal.solver.engine import DEFAULT, TooWide

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
    name, found = ranking.best(scenario, ranking.read(args.objective), args.engine, args.top)
    if args.json:
        emit({"objective": name, **_best(found)})
        return 0
    out, words = screen(), views.wording(scenario)
    for one in found:
        out.line(words.write(one.assignment), "bold")
        _consequences(out, scenario, one)
    if not found:
        _none(out, scenario)
    elif not all(one.proved for one in found):
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
    out, words = screen(), views.wording(scenario)
    out.line("legal" if found.legal else "not legal", "green" if found.legal else "red")
    for violation in found.violations:
        out.line(f"  {violation.rule}: {violation.message}" if violation.rule else f"  {violation.message}")
    if found.nearest is not None:
        out.line(f"nearest {words.allowed} {words.unit}: {words.write(found.nearest)}")
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

    from lethal.randomness import seed_bits

    seed = int(np.random.SeedSequence().generate_state(1)[0]) if args.seed is None else args.seed
    rng, words = np.random.default_rng(seed), views.wording(scenario)
    draws = Draws(scenario.legal(args.engine), rng, args.n)
    short = ((draws.count or 1) - 1).bit_length() - seed_bits(rng)
    if short > 0:
        complain("warning", f"a seed this short draws at most one in 2^{short} of the {words.units}")
    if args.seed is None:
        complain("note", f"--seed {seed} draws the same ones")
    return listing.answer(draws, args, words)


def list_(scenario: Scenario, args: argparse.Namespace) -> int:
    """The legal assignments in the order of the listing."""
    people = not (args.json or args.format or args.output) and sys.stdout.isatty()
    limit = SCREENFUL if args.limit is None and people else args.limit
    return listing.answer(First(scenario.legal(args.engine), limit), args, views.wording(scenario))


def outcomes(scenario: Scenario, args: argparse.Namespace) -> int:
    """The distinct outcomes, those that most assignments lead to first."""
    if scenario.game.settled and not args.json:
        return _settled(scenario, args)
    groups, complete = grouping.outcomes(
        scenario, args.engine, args.limit, unmarked=args.unmarked, undominated=args.undominated
    )
    if args.json:
        answers = [
            {"outcome": one.outcome, "assignments": one.assignments, "example": one.example.to_dict()}
            for one in groups
        ]
        emit({"outcomes": answers, "complete": complete})
        return 0
    out, words = screen(), views.wording(scenario)
    for one in groups:
        out.line(f"{words.number(one.assignments)}, such as {words.write(one.example)}", "bold")
        for told in views.consequences(scenario, one.outcome):
            out.line(f"  {told}")
    if not complete:
        out.line(f"only the first {args.limit} {words.units} were looked at")
    return 0


def _settled(scenario: Scenario, args: argparse.Namespace) -> int:
    """The one outcome that all assignments have, and the first of them where a limit is given."""
    out, words, legal = screen(), views.wording(scenario), scenario.legal(args.engine)
    views.describe(out, scenario)
    out.line()
    if not legal:
        _none(out, scenario)
        return 0
    try:
        number = f"there are {legal.count()}"
    except TooWide:
        number = "there are too many to count exactly"
    out.line(f"the same in each {words.allowed} {words.unit}; {number}", "bold")
    for one in islice(legal, args.limit or 0):
        out.line(f"  {words.write(one)}")
    return 0


def diff(scenario: Scenario, args: argparse.Namespace) -> int:
    """The number of legal assignments under every vintage of the rules."""
    counts = scenario.diff(args.engine)
    if args.json:
        emit({"counts": counts})
    else:
        screen().table(
            ["rules", views.wording(scenario).units], [[k, str(n)] for k, n in counts.items()], numbers={1}
        )
    return 0


def solve(scenario: Scenario, args: argparse.Namespace) -> int:
    """The scenario, how many assignments are legal, the best with what it does, and a few others."""
    try:
        number: int | None = scenario.legal(args.engine).count()
    except TooWide:
        number = None
    wanted = ranking.read(args.objective)
    name, found = ranking.first_of(scenario, wanted, args.engine, 1 + OTHERS)
    if args.json:
        answer = {"title": scenario.title, "kind": scenario.kind, "count": number, "objective": name}
        emit({**answer, **_best(found)})
        return 0
    out, words = screen(), views.wording(scenario)
    out.line(scenario.title or f"A scenario of kind {scenario.kind}", "bold")
    views.describe(out, scenario)
    out.line()
    if not found:
        _none(out, scenario)
        return 0
    many = "too many to count exactly" if number is None else number
    out.line(f"{words.allowed} {words.units}: {many}")
    out.line()
    if not found[0].score:  # an objective of no score prefers nothing
        out.line("for example:", "bold")
        for one in found:
            out.line(f"  {words.write(one.assignment)}")
        return 0
    by = name if isinstance(name, str) else "weights"
    title = f"best ({by})" if found[0].proved else f"found ({by}), not proved to be the best"
    out.line(f"{title}: {words.write(found[0].assignment)}", "bold")
    _consequences(out, scenario, found[0])
    if found[1:]:
        out.line()
        out.line("next best:")
        for one in found[1:]:
            out.line(f"  {words.write(one.assignment)}")
    return 0


def _best(found: list[ranking.Found]) -> dict[str, Any]:
    """The best of an answer in JSON; `how` names who found them."""
    return {
        "best": [one.to_dict() for one in found],
        "proved": all(one.proved for one in found),
        "how": found[0].how if found else None,
    }


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
    "line": line.line,
    "diff": diff,
}


def _none(out: Screen, scenario: Scenario) -> None:
    """That the rules allow nothing, and which facts about an order contradict each other."""
    from lethal.solver.orders_engine import contradiction

    words = views.wording(scenario)
    out.line(f"no {words.unit} is {words.allowed}")
    for reason in contradiction(scenario.problem):
        out.line(f"  {reason}")


def _consequences(out: Screen, scenario: Scenario, one: ranking.Found) -> None:
    if one.outcome is not None:
        for words in views.consequences(scenario, one.outcome):
            out.line(f"  {words}")
    if not one.score:
        return
    scores = [f"{name} {n}" for name, n in zip(one.names, one.score, strict=True)] if one.names else one.score
    by = "" if one.how == DEFAULT else f"; found by {one.how}"
    out.line(f"  score: {', '.join(map(str, scores))}{by}", "dim")
