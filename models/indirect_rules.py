"""The editions of Marvel Champions' rules on indirect damage, one row of data each, and what they leave open.

| edition | era | states beyond the divided total and the cap | overkill counts |
| --- | --- | --- | --- |
| rrg-1.3 | 2020–2022 | a player or a group of players divides | dealt |
| rrg-1.5 | 2023 | the cap ignores other abilities; attacks deal it after defending | dealt |
| rrg-1.6 | 2024 | assign first, all at once; Tough; who cannot take damage; the rest is ignored | dealt |
| rrg-1.8 | July 2026 | as 1.6; additional damage counts again on who takes overkill | taken |

Which edition a text is was inferred from its content where it carries no number. An edition that is silent
is read as the later ones settle it, and the reader of the document says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TOUGH, IMMUNE, IGNORED, ABILITIES, ATTACK = "tough", "immune", "ignored", "abilities", "attack"

_LATE = frozenset({TOUGH, IMMUNE, IGNORED, ABILITIES, ATTACK})


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition: the points it states, and the data on which editions differ."""

    name: str
    era: str
    states: frozenset[str]
    overkill: Literal["dealt", "taken"]
    """Whether overkill passes on damage dealt, or damage taken, beyond the remaining hit points."""
    increase_spills: bool
    """Whether a general increase of damage counts again for who takes the excess."""

    @property
    def rule(self) -> str:
        """The rule that binds a division, for violations."""
        return f"RRG {self.name.removeprefix('rrg-')}, Indirect Damage"


EDITIONS = {
    row.name: row
    for row in (
        Edition("rrg-1.3", "2020-2022", frozenset(), "dealt", False),
        Edition("rrg-1.5", "2023", frozenset({ABILITIES, ATTACK}), "dealt", False),
        Edition("rrg-1.6", "2024", _LATE, "dealt", False),
        Edition("rrg-1.8", "July 2026", _LATE, "taken", True),
    )
}
"""All editions by name, oldest first."""

NEWEST = "rrg-1.8"

SILENT = {
    TOUGH: "what a Tough character may be assigned",
    IMMUNE: "whether a character that cannot take damage may be assigned any",
    IGNORED: "what becomes of damage that nobody can be assigned",
    ABILITIES: "whether other abilities move the cap",
    ATTACK: "who counts as attacked when an attack deals indirect damage",
}
"""The points in words, for warnings about editions that do not state them."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something the rules leave open: the readings, the recommended one, and the worst one for the players.

    `grim` is None where the worst reading depends on the case; the model then compares what is forced.
    """

    name: str
    readings: tuple[str, ...]
    default: str
    grim: str | None
    about: str


QUESTIONS = {
    row.name: row
    for row in (
        Question(
            "each_player",
            ("in-turn", "at-once"),
            "in-turn",
            "in-turn",
            "whether indirect damage to each player is settled player by player or assigned by all first",
        ),
        Question(
            "hero_defence",
            ("before", "none"),
            "before",
            "none",
            "whether a defending hero's DEF lowers the amount before it is divided",
        ),
        Question(
            "ally_defends",
            ("player", "defender"),
            "player",
            None,
            "whether all characters of an ally's controller may be assigned damage of an attack it defends",
        ),
        Question(
            "other_defends",
            ("defending-player", "attacked-player"),
            "defending-player",
            None,
            "whose characters may be assigned damage where another player's character defends",
        ),
        Question(
            "piercing",
            ("attacked", "damaged"),
            "attacked",
            "damaged",
            "whether piercing strips Tough from the attacked character or from all that are dealt damage",
        ),
        Question(
            "immune",
            ("ineligible", "eligible"),
            "ineligible",
            "ineligible",
            "whether, in editions that do not say, who cannot take damage may be assigned some",
        ),
        Question(
            "redirected",
            ("same-instance", "new-instance"),
            "same-instance",
            "new-instance",
            "whether redirected damage joins the instance that its recipient's Tough card absorbs",
        ),
    )
}
"""Every open question by name; a document answers them under `[options]`, or `grim = true` does."""


def reading(name: str, options: dict[str, str], grim: bool) -> str | None:
    """The reading of a question: the document's own, else the worst if `grim`, else the recommended one."""
    question = QUESTIONS[name]
    if name in options:
        return options[name]
    return question.grim if grim else question.default
