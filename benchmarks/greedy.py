"""How often, and by how much, the exact best beats the usual rule of thumb: `python -m benchmarks.greedy`.

The rule of thumb, as combat simulators document it: each attacker by itself fills its blockers in their order
with lethal damage (1 point with deathtouch), and what is left goes to the player with trample, else to the last
blocker it reached. `aware` is the same with an eye for what earlier attackers have assigned. Both are
scored by what happens, as the exact one is: players defeated, then the value of creatures that die, then damage
to the player.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import lethal
from lethal.models.combat_outcome import Board
from lethal.models.combat_wishes import Scale, wish

WANTED: list[dict[str, float]] = [{"win": 1}, {"theirs": 1}, {"face": 1}]
Amounts = dict[str, dict[str, int]]


def combat(rng: random.Random, rules: str) -> dict[str, Any]:
    """A random combat of one to four attackers and one to six blockers, some of which block two."""
    attackers = [
        _creature(rng, f"a{i}", {"trample": 0.3, "deathtouch": 0.12}) for i in range(rng.randint(1, 4))
    ]
    names = [a["name"] for a in attackers]
    blockers = []
    for i in range(rng.randint(1, 6)):
        faced = rng.sample(names, 2 if len(names) > 1 and rng.random() < 0.25 else 1)
        blockers.append({**_creature(rng, f"b{i}", {"indestructible": 0.05}), "blocks": sorted(faced)})
    return {
        "kind": "combat",
        "rules": rules,
        "attackers": attackers,
        "blockers": blockers,
        "defenders": [{"name": "player", "life": rng.randint(1, 20)}],
    }


def _creature(rng: random.Random, name: str, chances: dict[str, float]) -> dict[str, Any]:
    toughness = rng.randint(1, 6)
    return {
        "name": name,
        "power": rng.randint(1, 7),
        "toughness": toughness,
        "damage": rng.randint(0, toughness - 1) if rng.random() < 0.15 else 0,
        "keywords": [word for word, chance in chances.items() if rng.random() < chance],
    }


def greedy(document: dict[str, Any], *, aware: bool) -> Amounts:
    """What the rule of thumb assigns."""
    found: Amounts = {}
    need = {b["name"]: b["toughness"] - b["damage"] for b in document["blockers"]}
    for attacker in document["attackers"]:
        mine = [b["name"] for b in document["blockers"] if attacker["name"] in b["blocks"]]
        left, shares = attacker["power"], dict[str, int]()
        deadly = "deathtouch" in attacker["keywords"]
        for name in mine:
            shares[name] = min(left, min(1, need[name]) if deadly else need[name])
            left -= shares[name]
        if not mine or "trample" in attacker["keywords"]:
            shares["player"] = left
        elif left:
            shares[mine[-1]] += left
        if aware:
            for name in mine:
                need[name] = 0 if deadly and shares[name] else max(0, need[name] - shares[name])
        found[attacker["name"]] = {name: n for name, n in shares.items() if n}
    return found


def compare(number: int, seed: int, rules: str) -> dict[str, Any]:
    """Scores of the rule of thumb, alone and aware, against the exact best over so many random combats."""
    rng = random.Random(seed)
    totals = {name: {"beaten": 0, "wins": 0, "value": 0.0, "face": 0} for name in ("alone", "aware")}
    seconds = 0.0
    for _ in range(number):
        scenario = lethal.load(combat(rng, rules))
        start = time.perf_counter()
        best = scenario.choose(WANTED)
        seconds += time.perf_counter() - start
        assert best is not None
        assert best.proved
        board, scale = Board(scenario.value), Scale(scenario.value, wish(WANTED))
        for name, total in totals.items():
            amounts = greedy(scenario.document, aware=name == "aware")
            assert amounts in scenario.legal(), (scenario.document, amounts)
            score = scale.score(board, board.deal(amounts))
            assert score <= best.score
            win, value, face = ((b - s) / u for b, s, u in zip(best.score, score, best.units, strict=True))
            total["beaten"] += score != best.score
            total["wins"] += int(win)
            if not win:
                total["value"] += value
                total["face"] += int(face) if not value else 0
    rows = {
        name: {
            "beaten": total["beaten"] / number,
            "wins_missed": total["wins"] / number,
            "value_lost_where_beaten": total["value"] / max(1, total["beaten"] - total["wins"]),
            "damage_lost_alone": total["face"],
        }
        for name, total in totals.items()
    }
    return {"rules": rules, "combats": number, "seed": seed, "seconds_each": seconds / number, **rows}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.greedy", description=__doc__)
    parser.add_argument("--combats", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", nargs="*", default=["foundations", "ordered"])
    parser.add_argument("--json", type=Path, help="write the figures there")
    wanted = parser.parse_args()
    figures = [compare(wanted.combats, wanted.seed, rules) for rules in wanted.rules]
    for one in figures:
        print(f"{one['rules']}: {one['combats']} combats, {one['seconds_each'] * 1e6:.0f} µs each")
        for name in ("alone", "aware"):
            row = one[name]
            print(
                f"  {name}: beaten in {row['beaten']:.1%}; a win missed in {row['wins_missed']:.1%}; where it is beaten"
                f" without one, creatures worth {row['value_lost_where_beaten']:.2f} more die on average"
            )
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
