"""Two small charts as SVG, written by hand: bars, and lines on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

__all__ = ["bars", "figure", "lines"]

COLORS = ("#9aa0a6", "#d9822b", "#5b8def", "#2e7d5b", "#8e5bd0")
WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 34, 52


def figure(panels: Sequence[str]) -> str:
    """Panels side by side in one SVG."""
    moved = "".join(f'<g transform="translate({index * WIDTH},0)">{panel}</g>' for index, panel in enumerate(panels))
    size = f'width="{WIDTH * len(panels)}" height="{HEIGHT}" viewBox="0 0 {WIDTH * len(panels)} {HEIGHT}"'
    style = 'font-family="system-ui, sans-serif" font-size="11" fill="#333"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}><rect width="100%" height="100%" fill="#fff"/>{moved}</svg>\n'


def bars(title: str, groups: Mapping[str, Mapping[str, float]], unit: str) -> str:
    """One group of bars per key, one colour per inner key, on a logarithmic axis."""
    names = list(next(iter(groups.values())))
    top = max(value for group in groups.values() for value in group.values())
    bottom = min(value for group in groups.values() for value in group.values())
    axis = _Log(10 ** math.floor(math.log10(bottom)), 10 ** math.ceil(math.log10(top)), HEIGHT - BOTTOM, TOP)
    parts = [_title(title), *_grid(axis, unit)]
    step = (WIDTH - LEFT - RIGHT) / len(groups)
    width = step * 0.8 / len(names)
    for index, (group, values) in enumerate(groups.items()):
        start = LEFT + index * step + step * 0.1
        parts.append(_text(start + step * 0.4, HEIGHT - BOTTOM + 16, group, "middle"))
        for at, name in enumerate(names):
            y = axis.place(values[name])
            x = start + at * width
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 2:.1f}" height="{HEIGHT - BOTTOM - y:.1f}" fill="{COLORS[at]}"/>')  # fmt: skip
            parts.append(_text(x + width / 2, y - 3, f"{values[name]:,.0f}", "middle", 8))
    return "".join([*parts, _legend(names)])


def lines(title: str, series: Mapping[str, Sequence[tuple[float, float]]], unit: str, along: str) -> str:
    """One line per key over ``(x, y)`` points, both axes logarithmic."""
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    across = _Log(min(xs), max(xs), LEFT, WIDTH - RIGHT)
    up = _Log(10 ** math.floor(math.log10(min(ys))), 10 ** math.ceil(math.log10(max(ys))), HEIGHT - BOTTOM, TOP)
    parts = [_title(title), *_grid(up, unit)]
    parts += [_text(across.place(x), HEIGHT - BOTTOM + 16, f"{x:,.0f}", "middle") for x in sorted(set(xs))]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 30, along, "middle"))
    for index, points in enumerate(series.values()):
        path = " ".join(f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[index]}" stroke-width="2"/>')
        parts += [f'<circle cx="{across.place(x):.1f}" cy="{up.place(y):.1f}" r="3" fill="{COLORS[index]}"/>' for x, y in points]  # fmt: skip
    return "".join([*parts, _legend(list(series))])


class _Log:
    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    def place(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def _grid(axis: _Log, unit: str) -> list[str]:
    parts, value = [], axis.low
    while value <= axis.high * 1.001:
        y = axis.place(value)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e4e4e4"/>')
        parts.append(_text(LEFT - 6, y + 4, f"{value:,.0f}", "end"))
        value *= 10
    return [*parts, _text(LEFT - 6, TOP - 10, unit, "end", 10)]


def _title(text: str) -> str:
    return f'<text x="{LEFT}" y="16" font-size="13" font-weight="600">{escape(text)}</text>'


def _text(x: float, y: float, text: str, anchor: str, size: int = 11) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'


def _legend(names: Sequence[str]) -> str:
    parts, x = [], float(LEFT)
    for index, name in enumerate(names):
        parts.append(f'<rect x="{x:.0f}" y="{HEIGHT - 14}" width="9" height="9" fill="{COLORS[index]}"/>')
        parts.append(_text(x + 12, HEIGHT - 6, name, "start", 10))
        x += 22 + 5.4 * len(name)
    return "".join(parts)
