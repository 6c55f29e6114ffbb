"""Pictures of a small diagram: Graphviz text and a stand-alone SVG, made of strings alone.

A node says what is still open there (what a source has left, what a meter reads), an arc the values that lead on. Arcs
between the same two nodes are drawn as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from lethal.solver.diagram.engine import DiagramEngine
from lethal.solver.engine import EngineError
from lethal.solver.problem import Problem

MOST_NODES = 400
_STATES = 4_000


@dataclass
class Node:
    """A node as drawn: its layer, the lines of its label, the arcs (child, values) out of it."""

    layer: int
    lines: list[str]
    arcs: dict[int, list[int]] = field(default_factory=dict)


@dataclass
class Drawing:
    """Layers of nodes and a title for each layer of arcs."""

    layers: list[list[Node]]
    titles: list[str]


def drawing(problem: Problem, most: int = MOST_NODES) -> Drawing:
    """The nodes and arcs of a problem's diagram; raises EngineError if there are more than `most` nodes."""
    engine = DiagramEngine(problem)
    whole = engine.diagram.lists
    size = 1 + sum(max(len(layer.start) - 1, 0) for layer in whole)
    if size > most:
        raise EngineError(f"a diagram of {size} nodes is too large to be drawn (at most {most})")
    order = [layer.share for layer in whole]
    paths: list[list[set[tuple[int, ...]]]] = [[{()}]]
    for layer in whole:
        below: list[set[tuple[int, ...]]] = [set() for _ in range(max([*layer.child, 0]) + 1)]
        for number, prefixes in enumerate(paths[-1]):
            for arc in layer.arcs(number):
                kept = below[layer.child[arc]]
                for prefix in prefixes:
                    if len(kept) < _STATES:
                        kept.add((*prefix, layer.value[arc]))
        paths.append(below)
    levels = []
    for depth, level in enumerate(paths):
        nodes = [Node(depth, _label(problem, order, depth, prefixes)) for prefixes in level]
        if depth < len(whole):
            for at, node in enumerate(nodes):
                for arc in whole[depth].arcs(at):
                    node.arcs.setdefault(whole[depth].child[arc], []).append(whole[depth].value[arc])
        levels.append(nodes)
    return Drawing(levels, [str(problem.shares[at]) for at in order])


def _label(problem: Problem, order: Sequence[int], depth: int, prefixes: set[tuple[int, ...]]) -> list[str]:
    """What is open at a node: parts of the state between their first and their last share."""
    seen, ahead = set(order[:depth]), set(order[depth:])
    place = {at: position for position, at in enumerate(order)}
    lines = []
    for total in problem.totals:
        if seen & set(total.shares) and ahead & set(total.shares):
            mine = [place[at] for at in total.shares if at in seen]
            left = {total.most - sum(prefix[p] for p in mine) for prefix in prefixes}
            lines.append(f"{problem.shares[total.shares[0]].source}: {_span(left)} left")
    read = {at for gate in problem.gates for at in gate.meters}
    for number, meter in enumerate(problem.meters):
        shares = {at for at, _ in meter.terms}
        if number in read and seen & shares and ahead & shares:
            values = {
                min(meter.full, sum(table(prefix[place[at]]) for at, table in meter.terms if at in seen))
                for prefix in prefixes
            }
            lines.append(f"{meter.name}: {_span(values)} of {meter.full}")
    return lines


def _span(values: set[int]) -> str:
    low, high = min(values, default=0), max(values, default=0)
    return str(low) if low == high else f"{low} to {high}"


def _values(values: Sequence[int]) -> str:
    """`0`, `1 to 4`, or `0, 3`."""
    if len(values) > 1 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))


def dot(problem: Problem, most: int = MOST_NODES) -> str:
    """The diagram as Graphviz text."""
    drawn = drawing(problem, most)
    lines = ["digraph assignments {", "  rankdir=TB; node [shape=box, style=rounded]; edge [arrowsize=0.6];"]
    for depth, nodes in enumerate(drawn.layers):
        for at, node in enumerate(nodes):
            text = _quoted("\n".join(node.lines) or _anchor(drawn, depth))
            lines.append(f"  n{depth}_{at} [label={text}];")
            lines += [
                f"  n{depth}_{at} -> n{depth + 1}_{child} [label={_quoted(_values(values))}];"
                for child, values in node.arcs.items()
            ]
        if depth < len(drawn.titles):
            lines.append(f"  t{depth} [shape=plaintext, label={_quoted(drawn.titles[depth])}];")
            lines.append(f"  {{ rank=same; t{depth}; n{depth}_0; }}")
            if depth:
                lines.append(f"  t{depth - 1} -> t{depth} [style=invis];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _anchor(drawn: Drawing, depth: int) -> str:
    return "start" if depth == 0 else "legal" if depth == len(drawn.layers) - 1 else "·"


WIDTH, HEIGHT, LINE, CHARACTER = 26, 92, 14, 6.6


def svg(problem: Problem, most: int = MOST_NODES) -> str:
    """The diagram as a stand-alone SVG document."""
    drawn = drawing(problem, most)
    labels = [
        [node.lines or [_anchor(drawn, depth)] for node in nodes] for depth, nodes in enumerate(drawn.layers)
    ]
    widths = [[max(len(line) for line in lines) * CHARACTER + 16 for lines in level] for level in labels]
    left = max([len(title) * CHARACTER for title in drawn.titles] or [0]) + 30
    across = max(sum(level) + WIDTH * (len(level) + 1) for level in widths)
    deepest = max(len(lines) for level in labels for lines in level) * LINE + HEIGHT
    centres: list[list[tuple[float, float]]] = []
    for depth, level in enumerate(widths):
        x = left + (across - sum(level) - WIDTH * (len(level) - 1)) / 2
        row: list[tuple[float, float]] = []
        for width in level:
            row.append((x + width / 2, 30 + depth * deepest))
            x += width + WIDTH
        centres.append(row)
    arcs, boxes = [], []
    for depth, nodes in enumerate(drawn.layers):
        if depth < len(drawn.titles):
            boxes.append(_text(14, 30 + (depth + 0.5) * deepest, [drawn.titles[depth]], "start", "title"))
        for at, node in enumerate(nodes):
            for child, values in node.arcs.items():
                arcs.append(
                    _arc(centres[depth][at], centres[depth + 1][child], len(labels[depth][at]), values)
                )
            boxes.append(_box(centres[depth][at], widths[depth][at], labels[depth][at]))
    full_height = 60 + (len(drawn.layers) - 1) * deepest + deepest - HEIGHT
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + across:.0f} {full_height:.0f}" '
        f'width="{left + across:.0f}" height="{full_height:.0f}" font-family="sans-serif" font-size="12">'
    )
    style = (
        "<style>.box{fill:#f4f6fb;stroke:#4a5a88}.arc{fill:none;stroke:#8b94ad}.title{font-weight:bold;fill:#4a5a88}"
        ".value{fill:#a03b2a;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>"
    )
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, style, ground, *arcs, *boxes, "</svg>"]) + "\n"


def _box(centre: tuple[float, float], width: float, lines: Sequence[str]) -> str:
    x, y = centre
    height = len(lines) * LINE + 8
    return (
        f'<rect class="box" x="{x - width / 2:.1f}" y="{y - 12:.1f}" width="{width:.1f}" height="{height}" rx="6"/>'
        + _text(x, y + 2, lines, "middle", "label")
    )


def _text(x: float, y: float, lines: Sequence[str], anchor: str, kind: str) -> str:
    spans = "".join(
        f'<tspan x="{x:.1f}" dy="{LINE if at else 0}">{escape(line)}</tspan>' for at, line in enumerate(lines)
    )
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{spans}</text>'


def _arc(start: tuple[float, float], end: tuple[float, float], lines: int, values: Sequence[int]) -> str:
    (x, y), (u, v) = start, end
    y, v = y - 4 + lines * LINE, v - 12
    bend = (v - y) / 2
    path = f'<path class="arc" d="M{x:.1f} {y:.1f}C{x:.1f} {y + bend:.1f} {u:.1f} {v - bend:.1f} {u:.1f} {v:.1f}"/>'
    across, down = _bend(x, x, u, u), _bend(y, y + bend, v - bend, v)
    return path + _text(across, down + 4, [_values(values)], "middle", "value")


def _bend(a: float, b: float, c: float, d: float, t: float = 0.4) -> float:
    """A point of a cubic curve."""
    s = 1 - t
    return s**3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t**3 * d
