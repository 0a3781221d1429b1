"""Measures of printed units: style, place and surroundings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pageindex.structure.facts import Bools, Floats, Ints
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.table import END_DIGIT, END_PAUSE, END_STOP, START_LOWER, START_UPPER, LineTable

__all__ = [
    "Columns",
    "Place",
    "Shape",
    "context_columns",
    "near_columns",
    "pages_per",
    "place_columns",
    "style_columns",
    "style_of",
]

Columns = dict[str, npt.NDArray[Any]]

NEAR = 3  #: Lines on each side of a unit that are its neighbourhood.
FAR = 8.0  #: White above the first line of a column or page, in body sizes; larger gaps are cut to it.


@dataclass(frozen=True)
class Shape:
    size: Floats
    font: Ints
    weight: Ints
    bold: Bools
    italic: Bools
    ink: Bools


def style_of(table: LineTable, blocks: Sequence[Block], style: Ints) -> Shape:
    """Style of each block: that of its lead where it is one, else that of its line."""
    size, font, weight = table.size[style].copy(), table.font[style].copy(), table.weight[style].copy()
    bold, italic, ink = table.bold[style].copy(), table.italic[style].copy(), table.ink[style].copy()
    body = table.body_line
    for index, block in enumerate(blocks):
        if (run := block.lead) is not None:
            face = table.facts.edition.fonts[run.font]
            size[index], font[index], weight[index] = run.size, run.font, run.weight
            bold[index] = (face.bold and not table.bold_face[body]) or run.weight > table.weight[body] + 150
            italic[index] = face.italic and not table.italic_face[body]
        elif (runs := table.facts.lines[block.style].runs) and runs[0].size > size[index] and block.title.isupper():
            size[index] = runs[0].size  # small capitals: the first letter tells the size
    return Shape(size, font, weight, bold, italic, ink)


def style_columns(table: LineTable, shape: Shape, style: Ints) -> Columns:
    body = table.body_line
    usable = table.usable & ~table.running
    key = table.style
    lines = np.bincount(key, weights=usable) + 1e-9
    chars = np.bincount(key, weights=table.chars * usable)
    ends = np.bincount(key, weights=usable & ((table.end_class == END_STOP) | (table.end_class == END_PAUSE)))
    low = np.bincount(key, weights=usable & (table.start_class == START_LOWER))
    cells = np.bincount(key, weights=usable & (table.cells > 1))
    fresh = np.append(True, (key[1:] != key[:-1]) | ~table.same_page) if len(key) else np.zeros(0, dtype=bool)
    runs = np.bincount(key, weights=usable & fresh) + 1e-9
    pages = pages_per(key, table.page)
    mine = key[style]
    total = max(float(chars.sum()), 1.0)
    order = np.argsort(-table.size, kind="stable")
    larger = np.cumsum(table.chars[order])
    position = np.searchsorted(-table.size[order], -(shape.size + 0.3), side="right")
    return {
        "size": shape.size / table.body_size,
        "bold": shape.bold * 1.0,
        "italic": shape.italic * 1.0,
        "ink": shape.ink * 1.0,
        "mono": table.mono_face[style] * 1.0 - float(table.mono_face[body]),
        "body_font": (shape.font == table.font[body]) * 1.0,
        "weight": (shape.weight - int(table.weight[body])) / 100.0,
        "larger_share": np.append(0.0, larger)[position] / max(float(table.chars.sum()), 1.0),
        "style_share": chars[mine] / total,
        "style_lines": np.minimum(lines[mine] / np.maximum(pages[mine], 1), 60.0),
        "style_pages": pages[mine] / max(table.pages, 1),
        "style_chars": np.minimum(chars[mine] / lines[mine], 120.0),
        "style_ends": ends[mine] / lines[mine],
        "style_low": low[mine] / lines[mine],
        "style_cells": cells[mine] / lines[mine],
        "style_run": np.minimum(lines[mine] / runs[mine], 20.0),
    }


def pages_per(key: Ints, page: Ints) -> Floats:
    """For each key the number of different pages on which it occurs."""
    if not len(key):
        return np.zeros(0)
    pairs = np.unique(key * (int(page.max()) + 1) + page)
    return np.bincount(pairs // (int(page.max()) + 1), minlength=int(key.max()) + 1).astype(np.float64)


class Place:
    """Where blocks stand and what surrounds them."""

    def __init__(self, table: LineTable, first: Ints, last: Ints) -> None:
        self.first, self.last = first, last
        self.page = table.page[first] if len(first) else first
        count = len(table)
        self.before = np.maximum(first - 1, 0)
        self.after = np.minimum(last + 1, max(count - 1, 0))
        self.has_before = (first > 0) & (table.page[self.before] == self.page)
        self.has_after = (last < count - 1) & (table.page[self.after] == self.page)
        above = np.append(np.inf, table.gap)[first] if count else np.zeros(0)
        below = np.append(table.gap, np.inf)[last] if count else np.zeros(0)
        body = table.body_size
        self.above = np.clip(above / body, -1.0, FAR)
        self.below = np.clip(below / body, -1.0, FAR)
        self.leading = table.leading / body
        tops = np.full(table.pages + 2, np.inf)
        np.minimum.at(tops, table.page, np.where(table.usable & ~table.running, table.y0, np.inf))
        ends = np.full(table.pages + 2, -np.inf)
        np.maximum.at(ends, table.page, np.where(table.usable & ~table.running, table.y1, -np.inf))
        self.is_top = table.y0[first] <= tops[self.page] + 1.0
        self.is_end = table.y1[last] >= ends[self.page] - 1.0


def place_columns(table: LineTable, place: Place, blocks: Sequence[Block]) -> Columns:
    first, last, body = place.first, place.last, table.body_size
    x0, x1 = np.minimum(table.x0[first], table.x0[last]), np.maximum(table.x1[first], table.x1[last])
    left, right = table.left[first], table.right[first]
    wide = np.maximum(right - left, body)
    slack = (right - x1) - (x0 - left)
    return {
        "above": place.above,
        "below": place.below,
        "above_below": place.above - np.minimum(place.below, 3.0),
        "above_leading": np.minimum(place.above - place.leading, FAR),
        "top": place.is_top * 1.0,
        "end": place.is_end * 1.0,
        "y": table.y0[first] / np.maximum(table.height[first], 1.0),
        "indent": np.clip((x0 - left) / body, 0.0, 40.0),
        "x": x0 / np.maximum(table.width[first], 1.0),
        "width": (x1 - x0) / wide,
        "centred": np.where(x0 - left > body, np.abs(slack) / wide, 1.0),
        "cells": np.minimum(table.cells[first], 8.0),
        "lines": last - first + 1.0,
        "lead": np.array([block.lead is not None for block in blocks], dtype=np.float64),
        "split": np.array([block.split for block in blocks], dtype=np.float64),
        "running": table.running[first] * 1.0,
    }


def context_columns(table: LineTable, place: Place, shape: Shape, rank: Ints) -> Columns:
    before, after, has_before, has_after = place.before, place.after, place.has_before, place.has_after
    width = np.maximum(table.right - table.left, table.body_size)
    filled = (table.x1 - table.x0) / width
    same = np.zeros(len(rank), dtype=bool)
    same_before = same.copy()
    if len(rank) > 1:
        touching = (
            (place.first[1:] == place.last[:-1] + 1) & (rank[1:] == rank[:-1]) & (place.page[1:] == place.page[:-1])
        )
        same[:-1], same_before[1:] = touching, touching
    per_page = np.bincount(place.page) if len(place.page) else np.zeros(1)
    lines = np.bincount(table.page) if len(table) else np.zeros(1)
    body = np.cumsum(np.append(0, table.body & ~table.running))
    following = np.append(place.first[1:], len(table))
    return {
        "next_body": np.where(has_after, table.body[after], -1.0),
        "next_size": np.where(has_after, table.size[after] / np.maximum(shape.size, 0.1), 0.0).clip(0.0, 3.0),
        "next_chars": np.where(has_after, np.minimum(table.chars[after], 120.0), 0.0),
        "next_filled": np.where(has_after, filled[after], 0.0),
        "next_lower": np.where(has_after, table.start_class[after] == START_LOWER, -1.0),
        "next_upper": np.where(has_after, table.start_class[after] == START_UPPER, -1.0),
        "next_bold": np.where(has_after, table.bold[after], -1.0),
        "previous_body": np.where(has_before, table.body[before], -1.0),
        "previous_stop": np.where(has_before, table.end_class[before] == END_STOP, -1.0),
        "previous_pause": np.where(has_before, table.end_class[before] == END_PAUSE, -1.0),
        "previous_filled": np.where(has_before, filled[before], 0.0),
        "previous_size": np.where(has_before, table.size[before] / np.maximum(shape.size, 0.1), 0.0).clip(0.0, 3.0),
        "stacked": same * 1.0,
        "stacked_before": same_before * 1.0,
        "page_blocks": np.minimum(per_page[place.page], 80.0),
        "page_lines": np.minimum(lines[place.page], 150.0),
        "body_below": np.minimum(body[following] - body[place.last + 1], 60.0),
    }


def near_columns(table: LineTable, place: Place, shape: Shape, style: Ints) -> Columns:
    """What tells a heading in the body's own size from a label: tables around it, its place against the text's edge, its rank of size."""
    cells, digits = table.cells > 1, table.end_class == END_DIGIT
    edge = _text_edge(table)
    sizes = np.rint(shape.size * 2)
    larger = np.unique(np.rint(table.size[table.usable & ~table.running & table.display] * 2))
    runs = np.array([len(table.facts.lines[index].runs) > 1 for index in style.tolist()], dtype=bool)
    upper = np.array([table.texts[index].isupper() for index in style.tolist()], dtype=bool)
    return {
        "near_cells": _share(cells, place.first, place.last),
        "near_digits": _share(digits, place.first, place.last),
        "outdent": np.clip((edge[place.first] - table.x0[place.first]) / table.body_size, -20.0, 20.0),
        "larger_sizes": np.minimum(len(larger) - np.searchsorted(larger, sizes, side="right"), 12.0),
        "small_caps": (runs & upper) * 1.0,
    }


def _share(marks: Bools, first: Ints, last: Ints) -> Floats:
    """Share of marked lines among those near a unit, itself apart."""
    total = np.cumsum(np.append(0, marks))
    start, stop = np.maximum(first - NEAR, 0), np.minimum(last + 1 + NEAR, len(marks))
    count = (stop - start) - (last + 1 - first)
    return np.asarray((total[stop] - total[start] - (total[last + 1] - total[first])) / np.maximum(count, 1))


def _text_edge(table: LineTable) -> Floats:
    """For each line the left edge at which most body text of pages of its parity begins."""
    result = np.zeros(len(table))
    for parity in (0, 1):
        mine = table.page % 2 == parity
        body = mine & table.body & ~table.running
        if body.any():
            slots, counts = np.unique(np.rint(table.x0[body]).astype(np.int64), return_counts=True)
            result[mine] = float(slots[int(np.argmax(counts))])
    return result
