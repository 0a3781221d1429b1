"""Tables drawn by code, with the truth of every cell: stacked headers, sections, repeated labels, blank cells, currency columns."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from reportlab.pdfgen.canvas import Canvas

__all__ = ["Drawn", "draw", "random_table"]

CAPTION = "Table 7. Figures of the undertaking by kind and by period, as reported to the board"
_LABELS = (
    "Net sales", "Cost of sales", "Operating profit", "Interest, net", "Income taxes", "Depreciation", "Provisions", "Goodwill",
    "Deferred charges", "Trade receivables", "Inventories", "Cash at bank", "Lease liabilities", "Share premium",
)  # fmt: skip
_REPEATED = ("Domestic", "International", "Intersegment eliminations")
_SECTIONS = ("Revenue", "Expenses", "Capital employed")
_LEAVES = (("2021", "2022", "2023"), ("Actual", "Budget", "Prior year"), ("First half", "Second half", "Full year"))
_GROUPS = ("Group", "Parent company", "Joint ventures")


@dataclass
class Drawn:
    """A one-page PDF and its truth: ``(row path, column header, printed value)``; a blank cell is an empty string."""

    pdf: bytes
    cells: list[tuple[str, str, str]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def value(self, row: str, column: str) -> str:
        return next(text for r, c, text in self.cells if (r, c) == (row, column))


@dataclass(frozen=True)
class Style:
    """How a table is drawn."""

    size: float = 9.0
    column_major: bool = False
    currency: bool = False
    rules: bool = False
    centred_headers: bool = False


def draw(headers: list[tuple[str, ...]], rows: list[tuple[str, str, list[str]]], style: Style = Style()) -> Drawn:
    """Draw a table. ``headers`` gives the stacked header of each column, ``rows`` is ``(section, label, values)``; no values: a section."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(612, 792), invariant=1)
    size, lead = style.size, style.size * 1.45
    rights = [612 - 60 - (len(headers) - 1 - i) * min(85.0, 384.0 / len(headers)) for i in range(len(headers))]
    y = 700.0
    texts: list[tuple[int, float, float, str, str]] = [(0, 60, y, CAPTION + ".", "left")]
    y -= 2.2 * lead
    for level in range(len(headers[0])):
        texts += _header_line(headers, rights, level, y, style)
        y -= lead
    truth = Drawn(b"", columns=[" ".join(dict.fromkeys(parts)) for parts in headers])
    for section, label, values in rows:
        path = f"{section} › {label}" if section else label
        indent = 12 if section and values else 0
        texts.append((0, 60 + indent, y, label, "left"))
        if values:
            truth.rows.append(path)
        for index, value in enumerate(values):
            truth.cells.append((path, truth.columns[index], value))
            if value and style.currency and not value.startswith("("):
                texts.append((index + 1, rights[index] - 48, y, "$", "left"))
            texts.append((index + 1, rights[index], y, value, "right"))
        y -= lead
    texts.append(
        (0, 60, y - 2 * lead, "The notes on the pages that follow are an integral part of these statements.", "left")
    )
    ordered = sorted(texts, key=lambda item: item[0]) if style.column_major else texts
    for _, x, height, text, side in ordered:
        canvas.setFont("Helvetica", size)
        {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}[side](
            x, height, text
        )
    canvas.showPage()
    canvas.save()
    truth.pdf = out.getvalue()
    return truth


def _header_line(
    headers: list[tuple[str, ...]], rights: list[float], level: int, y: float, style: Style
) -> Iterator[tuple[int, float, float, str, str]]:
    """Equal neighbours are drawn once, centred over all their columns; the lowest level stands over each column."""
    index = 0
    lowest = level == len(headers[0]) - 1
    while index < len(headers):
        last = index
        while not lowest and last + 1 < len(headers) and headers[last + 1][: level + 1] == headers[index][: level + 1]:
            last += 1
        if lowest and not style.centred_headers:
            yield index + 1, rights[index], y, headers[index][level], "right"
        else:
            yield index + 1, (rights[index] - 20 + rights[last] - 20) / 2, y, headers[index][level], "centre"
        index = last + 1


def random_table(rng: random.Random) -> Drawn:
    """A table of a random shape and style; all its values differ."""
    leaves = rng.choice(_LEAVES)[: rng.randrange(2, 4)]
    groups = _GROUPS[: rng.choice([1, 2, 2])] if rng.random() < 0.5 else ()
    headers = [(group, leaf) for group in groups for leaf in leaves] if groups else [(leaf,) for leaf in leaves]
    used: set[str] = set()
    rows: list[tuple[str, str, list[str]]] = []
    if rng.random() < 0.5:
        for section in rng.sample(_SECTIONS, 2):
            rows.append(("", section, []))
            rows += [(section, label, _values(rng, len(headers), used)) for label in _REPEATED[: rng.randrange(2, 4)]]
    else:
        rows = [("", label, _values(rng, len(headers), used)) for label in rng.sample(_LABELS, rng.randrange(4, 11))]
    style = Style(
        size=rng.choice([7.0, 8.0, 9.0, 10.0]),
        column_major=rng.random() < 0.4,
        currency=rng.random() < 0.3,
        centred_headers=rng.random() < 0.3,
    )
    return draw(headers, rows, style)


def _values(rng: random.Random, count: int, used: set[str]) -> list[str]:
    values: list[str] = []
    full = rng.randrange(count)  # a row without any value would be a section
    for index in range(count):
        if index != full and rng.random() < 0.12:
            values.append("")
            continue
        while (text := _value(rng)) in used:
            pass
        used.add(text)
        values.append(text)
    return values


def _value(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.5:
        return f"{rng.randrange(1000, 99999):,}"
    if kind < 0.7:
        return f"({rng.randrange(10, 9999):,})"
    return f"{rng.uniform(0, 99):.1f}" if kind < 0.85 else f"{rng.randrange(10, 999)}"
