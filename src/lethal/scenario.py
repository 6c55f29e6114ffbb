"""A scenario: one document, the problem its game makes of it, and the questions people ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lethal.games import GAMES, Game
from lethal.models.document import DocumentError, nearest, parse
from lethal.solver.assignments import Amounts, Assignment, Assignments, Best
from lethal.solver.engine import DEFAULT, EngineError
from lethal.solver.evaluate import Violation
from lethal.solver.problem import NotASum, Objective, Problem, Score, Table

if TYPE_CHECKING:
    from lethal.line import Line, Reply
    from lethal.models.combat_wishes import Side, Wanted
    from lethal.outcomes import Chosen, Outcome
    from lethal.play import Step


@dataclass(frozen=True, slots=True)
class Check:
    """Whether an assignment is legal, every rule it breaks, and the nearest legal one (fewest points
    moved)."""

    legal: bool
    violations: tuple[Violation, ...]
    nearest: Assignment | None


class Scenario:
    """One document of any kind. Making one never fails on its content: `problems()` lists every defect,
    and any question asked of a defective document raises DocumentError with all of them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document: dict[str, Any] = dict(document)
        self._heard: list[str] = []

    @property
    def kind(self) -> str:
        """The document's `kind`; raises DocumentError if there is no such game."""
        kind = self.document.get("kind")
        if not isinstance(kind, str) or kind not in GAMES:
            close = nearest(str(kind), GAMES) if kind is not None else None
            hint = f"; did you mean {close!r}?" if close else f"; there are {', '.join(GAMES)}"
            raise DocumentError([f"kind: no such kind of scenario: {kind!r}{hint}"])
        return kind

    @cached_property
    def game(self) -> Game:
        return GAMES[self.kind]

    @cached_property
    def _read(self) -> tuple[Any, list[str]]:
        return self.game.read(self.document)

    @property
    def value(self) -> Any:
        """The document as its game's own value, validated and expanded; raises DocumentError."""
        return self._read[0]

    @property
    def warnings(self) -> list[str]:
        """What was understood but ignored, such as unknown keywords, and what a card file leaves open."""
        return [*self._heard, *self._read[1]]

    @property
    def title(self) -> str | None:
        title = self.document.get("title")
        return title if isinstance(title, str) else None

    def problems(self) -> list[str]:
        """Every defect of the document, each with its place; empty if there is none."""
        try:
            _ = self._read
        except DocumentError as error:
            return list(error.defects)
        return []

    @cached_property
    def problem(self) -> Problem:
        """The scenario in the constraint language."""
        return self.game.build(self.value)

    def legal(self, engine: str = DEFAULT, **options: Any) -> Assignments:
        """All legal assignments; nothing is computed until asked."""
        return Assignments(self.problem, engine, self.objective, **options)

    def objective(self, name: Wanted) -> Objective:
        """The game's objective of that name, in a combat also one of weights.

        Raises ValueError for an unknown one, NotASum where what happens can be chosen by but not ranked by.
        """
        return self.game.objective(self.value, self.problem, name)

    def best(self, objective: Wanted | None = None, engine: str = DEFAULT, **options: Any) -> Best | None:
        """The first best assignment, or None if nothing is legal; exact on what happens, where it is no sum
        too."""
        wanted = self.game.default_objective if objective is None else objective
        try:
            return self.legal(engine, **options).best(self.objective(wanted))
        except NotASum:
            chosen = self.choose(wanted, engine)
        if chosen is None:
            return None
        return Best(chosen.score, chosen.assignment, chosen.proved, chosen.how)

    def check(self, assignment: Assignment | Amounts | str, engine: str = DEFAULT) -> Check:
        """Every violation of an assignment, and the nearest legal one if it is illegal."""
        legal = self.legal(engine)
        given = Assignment.parse(assignment, legal.columns) if isinstance(assignment, str) else assignment
        found = tuple(legal.check(given))
        if not found:
            return Check(True, (), None)
        best = legal.best(_distance(self.problem, given))
        return Check(False, found, best.assignment if best else None)

    def outcome(self, assignment: Assignment | Amounts) -> dict[str, Any]:
        """What the assigned damage does, as the game's outcome in plain values."""
        if self.game.outcome is None:
            raise EngineError(f"outcomes of kind {self.kind!r} are not known yet")
        amounts = assignment.to_dict() if isinstance(assignment, Assignment) else assignment
        return self.game.outcome(self.value, amounts)

    def outcomes(
        self, *, marks: bool = False, undominated: bool = False, engine: str = DEFAULT
    ) -> list[Outcome]:
        """The distinct outcomes of the assignments, with exact counts and one assignment each.

        In a combat `marks` tells outcomes apart by marked damage on survivors too; `undominated` leaves out what
        another one beats.
        """
        from lethal.alike import alike
        from lethal.models.combat_types import Combat
        from lethal.outcomes import distinct
        from lethal.play import combat_of

        if not isinstance(self.value, Combat) and self.game.outcomes and not (marks or undominated):
            return alike(self, engine)
        return distinct(combat_of(self), engine, marks=marks, undominated=undominated)

    def choose(self, objective: Wanted | None = None, engine: str = DEFAULT) -> Chosen | None:
        """The best assignment by what it does, for an objective by name or, in a combat, as weights; None if
        nothing is legal."""
        from lethal import alike, outcomes
        from lethal.models.combat_types import Combat

        wanted = self.game.default_objective if objective is None else objective
        if isinstance(self.value, Combat):
            return outcomes.choose(self.value, wanted, engine)
        return alike.choose(self, str(wanted), engine)

    def line(
        self,
        objective: Wanted = "trade",
        *,
        side: Side = "attackers",
        reply: Reply = "worst",
        engine: str = DEFAULT,
    ) -> Line | None:
        """The best line of play for a side over all damage steps, the other side playing worst for it by
        default.

        `reply="best"` has both sides work together; a mapping gives the other side's amounts by step.
        """
        from lethal.line import best_line
        from lethal.play import combat_of

        return best_line(combat_of(self), objective, side, reply, engine)

    def steps(self, engine: str = DEFAULT) -> Step:
        """The first combat damage step, to play the combat through; raises ValueError for another kind."""
        from lethal.play import Step, combat_of

        return Step(combat_of(self), engine=engine)

    def with_rules(self, rules: str) -> Scenario:
        """The same document under another vintage."""
        scenario = Scenario({**self.document, "rules": rules})
        scenario._heard = self._heard
        return scenario

    def filled(self, path: str | Path) -> Scenario:
        """The same with what a card file of the user's says of those it names; warnings are kept.

        Raises ValueError where the game reads no cards, DocumentError with every defect, OSError.
        """
        document, warnings = self.game.fill(self.document, str(path))
        scenario = Scenario(document)
        scenario._heard = [*self._heard, *warnings]
        return scenario

    def diff(self, engine: str = DEFAULT) -> dict[str, int]:
        """The number of legal assignments under every vintage, oldest first."""
        return {name: self.with_rules(name).legal(engine).count() for name in self.game.vintages}

    def __repr__(self) -> str:
        return f"<Scenario {self.document.get('kind')!r} {self.title or 'untitled'!r}>"


def _distance(problem: Problem, given: Assignment | Amounts) -> Objective:
    """Fewest points moved: minus the sum of differences from an assignment."""
    amounts = given.to_dict() if isinstance(given, Assignment) else given
    terms = []
    for at, (source, recipient) in enumerate(problem.columns):
        wanted = dict(amounts.get(source, {})).get(recipient, 0)
        terms.append((at, Table(((wanted - 1, -1, 1), (wanted, 0, -1)))))
    return Objective("nearest", (Score("points moved", tuple(terms)),))


def load(source: str | Path | Mapping[str, Any]) -> Scenario:
    """A scenario from a path (TOML or JSON, by its ending or content) or from the document as a dict.

    Raises DocumentError where the text cannot be read, OSError where the file cannot.
    """
    if isinstance(source, Mapping):
        return Scenario(source)
    path = Path(source)
    return Scenario(parse(path.read_text(encoding="utf-8"), path.suffix))


def loads(text: str) -> Scenario:
    """A scenario from the text of a document, TOML or JSON by its content."""
    return Scenario(parse(text))
