"""What is known of each printed unit that could be a heading, as numbers relative to its document.

``features_of`` gives one row per block. Three kinds stand side by side: of the block itself (style, place, text, number), of the style
and the group it belongs to (a group is style × form of number × capitals: what a reader takes for one kind of line), and of the
document. Nothing depends on a language, a font name or a vendor; sizes are relative to the body text, counts to pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pageindex.structure.candidate import Testimony
from pageindex.structure.echoes import echo_of, folded_forms, listing_share
from pageindex.structure.facts import Bools, Floats, Ints, fold
from pageindex.structure.layout_blocks import Block
from pageindex.structure.layout_table import (
    END_DIGIT,
    END_PAUSE,
    END_STOP,
    START_LOWER,
    START_UPPER,
    LineTable,
    codes,
)
from pageindex.structure.numbering import Number, System, parse
from pageindex.structure.sequence import rising_share, settle

__all__ = ["FEATURES", "Features", "features_of"]

Columns = dict[str, npt.NDArray[Any]]

FAR = 8.0  #: White above the first line of a column or page, in body sizes; larger gaps are cut to it.


@dataclass(frozen=True)
class Features:
    """Rows of numbers, and what later stages need beside them.

    Attributes:
        rows: Shape (blocks, len(FEATURES)); NaN does not occur.
        group, rank: Number of each block's group, and of its style alone.
        numbers: Settled marks.
        contents: Index of the contents entry that names the block, -1 without one.
        size, bold, italic: Style of each block.
    """

    rows: Floats
    group: Ints
    rank: Ints
    numbers: list[Number | None]
    contents: Ints
    size: Floats
    bold: Bools
    italic: Bools
    ink: Bools
    caps: Floats
    first: Ints
    page: Ints


def features_of(table: LineTable, blocks: Sequence[Block], contents: Testimony | None) -> Features:
    """All features of all blocks of one document."""
    columns: Columns = {}
    first = np.array([block.first for block in blocks], dtype=np.int64)
    last = np.array([block.last for block in blocks], dtype=np.int64)
    style = np.array([block.style for block in blocks], dtype=np.int64)
    shape = _style_of(table, blocks, style)
    numbers = settle([block.number for block in blocks])
    caps = np.array([_caps(block.title) for block in blocks])
    forms = codes_of([number.form if number is not None else "" for number in numbers])
    lead = np.array([block.lead is not None for block in blocks])
    rank = codes(
        np.rint(shape.size * 2).astype(np.int64) * 16 + shape.bold * 8 + shape.italic * 4 + shape.ink * 2 + lead
    )
    group = codes((rank * (forms.max(initial=0) + 1) + forms) * 2 + (caps > 0.9))
    place = _Place(table, first, last)
    columns |= _style_columns(table, shape, style)
    columns |= _place_columns(table, place, blocks)
    columns |= _text_columns(table, place, blocks, caps)
    columns |= _kinship_columns(table, shape, place)
    folded = [folded_forms(block) for block in blocks]
    columns |= _heard_columns(table, place, folded)
    columns |= _number_columns(numbers)
    columns |= _context_columns(table, place, shape, rank)
    inside = _in_contents(table, blocks, contents)
    listing = listing_share(table)
    columns |= _contents_columns(table, place, folded, listing, inside, contents, numbers)
    for name, key in (("rank", rank), ("group", group)):
        columns |= _group_columns(name, key, columns, place, table.pages)
    columns |= _sequence_columns(group, numbers)
    columns |= _order_columns(group, blocks, place, table)
    columns |= _document_columns(table, blocks, numbers, contents)
    rows = np.stack([np.asarray(columns[name], dtype=np.float64) for name in FEATURES], axis=1)
    return Features(
        rows, group, rank, numbers, inside, shape.size, shape.bold, shape.italic, shape.ink, caps, first, place.page
    )


def codes_of(words: Sequence[str]) -> Ints:
    """Consecutive numbers for equal words, in order of appearance."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int64)


# ---------------------------------------------------------------- style


@dataclass(frozen=True)
class _Shape:
    size: Floats
    font: Ints
    weight: Ints
    bold: Bools
    italic: Bools
    ink: Bools


def _style_of(table: LineTable, blocks: Sequence[Block], style: Ints) -> _Shape:
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
    return _Shape(size, font, weight, bold, italic, ink)


def _style_columns(table: LineTable, shape: _Shape, style: Ints) -> Columns:
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
    pages = _pages_per(key, table.page)
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


def _pages_per(key: Ints, page: Ints) -> Floats:
    """For each key the number of different pages on which it occurs."""
    if not len(key):
        return np.zeros(0)
    pairs = np.unique(key * (int(page.max()) + 1) + page)
    return np.bincount(pairs // (int(page.max()) + 1), minlength=int(key.max()) + 1).astype(np.float64)


# ---------------------------------------------------------------- place


class _Place:
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


def _place_columns(table: LineTable, place: _Place, blocks: Sequence[Block]) -> Columns:
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


# ---------------------------------------------------------------- text

_NO_LETTER = re.compile(r"[\W\d_]+")
_DIGITS = re.compile(r"\d+")


def _caps(title: str) -> float:
    """Share of capitals among letters that have case; -1 where fewer than two have."""
    upper = sum(map(str.isupper, title))
    lower = sum(map(str.islower, title))
    return upper / (upper + lower) if upper + lower >= 2 else -1.0


def _text_columns(table: LineTable, place: _Place, blocks: Sequence[Block], caps: Floats) -> Columns:
    titles = [block.title for block in blocks]
    length = np.array([len(title) for title in titles], dtype=np.float64)
    words_only = [_NO_LETTER.sub("", title) for title in titles]
    letters = np.array([len(text) for text in words_only], dtype=np.float64)
    digits = length - np.array([len(_DIGITS.sub("", title)) for title in titles], dtype=np.float64)
    end = table.end_class[place.last]
    lead = np.array([block.lead is not None for block in blocks])
    tail = [title[-1:] for title in titles]
    start = [
        title[block.number.end :][:1] if block.number else title[:1]
        for title, block in zip(titles, blocks, strict=True)
    ]
    folded = codes_of([text or "#" for text in words_only])
    spread = _pages_per(folded, place.page)
    count = np.bincount(folded) if len(folded) else np.zeros(0)
    words = np.array([title.count(" ") + 1 for title in titles], dtype=np.float64)
    return {
        "chars": np.minimum(length, 200.0),
        "words": np.minimum(words, 40.0),
        "caps": caps,
        "letters": letters / np.maximum(length, 1.0),
        "digits": digits / np.maximum(length, 1.0),
        "stop": np.where(lead, 0.0, (end == END_STOP) * 1.0),
        "pause": np.where(lead, 0.0, (end == END_PAUSE) * 1.0),
        "colon": np.array([char in ":：" for char in tail], dtype=np.float64),
        "end_digit": (end == END_DIGIT) * 1.0,
        "lower_start": np.array([char.islower() for char in start], dtype=np.float64),
        "mark_start": np.array([not char.isalnum() for char in start], dtype=np.float64),
        "leaders": np.array([".." in title or ". ." in title or "…" in title for title in titles], dtype=np.float64),
        "same_text": np.minimum(count[folded], 30.0),
        "same_text_pages": spread[folded] / max(table.pages, 1),
    }


def _kinship_columns(table: LineTable, shape: _Shape, place: _Place) -> Columns:
    """Share of the larger lines of the document that are set in the block's face family and in its colour: headings are kin."""
    large = table.usable & ~table.running & (table.size >= 1.12 * table.body_size)
    family = codes_of([_family(font.name) for font in table.facts.edition.fonts] or [""])
    total = max(int(large.sum()), 1)
    faces = np.bincount(family[table.font[large]], minlength=int(family.max()) + 1) / total
    colors = dict(zip(*(part.tolist() for part in np.unique(table.color[large], return_counts=True)), strict=True))
    own = table.color[place.first].tolist()
    return {
        "kin_face": faces[family[shape.font]],
        "kin_ink": np.array([colors.get(color, 0) / total for color in own]),
        "body_family": (family[shape.font] == family[table.font[table.body_line]]) * 1.0,
    }


_SIZES = re.compile(r"[\d\s]+")


def _family(name: str) -> str:
    """A face's name without the design sizes in it: CMBX12 and CMBX10 are one."""
    return _SIZES.sub("", name)


def _heard_columns(table: LineTable, place: _Place, folded: Sequence[tuple[str, str]]) -> Columns:
    """Whether the block's words come back in running heads, and whether the same words stood on the page before."""
    running = Counter(fold(_SIZES.sub("", table.texts[i])) for i in np.flatnonzero(table.running).tolist())
    running += Counter(table.facts.titles[i] for i in np.flatnonzero(table.running).tolist())
    heard, again = np.zeros(len(folded)), np.zeros(len(folded))
    last: dict[str, int] = {}
    pages = place.page.tolist()
    for index, (whole, bare) in enumerate(folded):
        key = bare or whole
        if running and len(key) > 2:
            heard[index] = max(running[key], running[_DIGITS.sub("", whole)])
        again[index] = 1.0 if pages[index] - last.get(key, -9) <= 1 else 0.0
        last[key] = pages[index]
    return {"heard": np.minimum(heard, 10.0), "again": again}


# ---------------------------------------------------------------- numbers

_KINDS = {
    System.ARABIC: 1.0,
    System.ROMAN: 2.0,
    System.ROMAN_LOWER: 3.0,
    System.LETTER: 4.0,
    System.LETTER_LOWER: 5.0,
    System.CIRCLED: 7.0,
}


def _number_columns(numbers: Sequence[Number | None]) -> Columns:
    """What a mark says alone: how it is written, how deep, how high, and whether its parent and its elder sibling came before."""
    kind, depth, value, prefix, bracket, parent, elder, opens = ([0.0] * len(numbers) for _ in range(8))
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for index, number in enumerate(numbers):
        if number is None:
            continue
        values, word = number.values, number.prefix
        kind[index] = _KINDS.get(number.systems[0], 6.0)
        depth[index], value[index] = float(number.depth), min(float(values[-1]), 200.0)
        prefix[index] = 1.0 if word else 0.0
        bracket[index] = 2.0 if len(number.style) == 2 else 1.0 if number.style in (")", "）") else 0.0
        opens[index] = 1.0 if values[-1] <= 1 else 0.0
        if number.depth > 1:
            parent[index] = 1.0 if (word, values[:-1]) in seen or ("", values[:-1]) in seen else -1.0
        if values[-1] > 1:
            elder[index] = 1.0 if (word, (*values[:-1], values[-1] - 1)) in seen else -1.0
        seen.add((word, values))
    names = ("kind", "depth", "value", "prefix", "bracket", "parent", "elder", "opens")
    lists = (kind, depth, value, prefix, bracket, parent, elder, opens)
    return {f"number_{name}": np.array(values) for name, values in zip(names, lists, strict=True)}


def _sequence_columns(group: Ints, numbers: Sequence[Number | None]) -> Columns:
    """How the marks of a group run through the document: share of rising steps, of firsts, of values met twice."""
    members: dict[int, list[Number]] = {}
    for key, number in zip(group.tolist(), numbers, strict=True):
        if number is not None:
            members.setdefault(key, []).append(number)
    rising, firsts, doubles = ({} for _ in range(3))
    for key, found in members.items():
        values = [number.values for number in found]
        rising[key] = rising_share(values)
        firsts[key] = sum(v[-1] <= 1 for v in values) / len(values)
        doubles[key] = 1.0 - len(set(values)) / len(values)
    keys = group.tolist()
    return {
        "group_rising": np.array([rising.get(key, -1.0) for key in keys]),
        "group_firsts": np.array([firsts.get(key, -1.0) for key in keys]),
        "group_doubles": np.array([doubles.get(key, -1.0) for key in keys]),
    }


def _order_columns(group: Ints, blocks: Sequence[Block], place: _Place, table: LineTable) -> Columns:
    """Share of a group's steps that go up in the alphabet (indexes, glossaries, references of functions), and how its left edges vary."""
    order = np.argsort(group, kind="stable")
    initials = [blocks[i].title[:4].casefold() for i in order.tolist()]
    same = group[order][1:] == group[order][:-1]
    up = np.array([a <= b for a, b in pairwise(initials)], dtype=bool)
    count = np.bincount(group)
    steps = np.bincount(group[order][1:], weights=same * 1.0, minlength=len(count))
    rises = np.bincount(group[order][1:], weights=(same & up) * 1.0, minlength=len(count))
    x0 = table.x0[place.first]
    mean = np.bincount(group, weights=x0) / count
    spread = np.sqrt(np.bincount(group, weights=(x0 - mean[group]) ** 2) / count) / table.body_size
    return {
        "group_alphabet": np.where(steps > 0, rises / np.maximum(steps, 1), -1.0)[group],
        "group_edge": np.minimum(spread[group], 20.0),
    }


# ---------------------------------------------------------------- context


def _context_columns(table: LineTable, place: _Place, shape: _Shape, rank: Ints) -> Columns:
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


# ---------------------------------------------------------------- contents


def _in_contents(table: LineTable, blocks: Sequence[Block], contents: Testimony | None) -> Ints:
    """For each block the contents entry verified at its place, else -1."""
    inside = np.full(len(blocks), -1, dtype=np.int64)
    if contents is None or not contents.candidates:
        return inside
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for index, entry in enumerate(contents.candidates):
        if entry.heading is not None:
            spans.setdefault(entry.page, []).append((*entry.heading, index))
    for index, block in enumerate(blocks):
        line = table.facts.lines[block.first]
        for start, end, entry_index in spans.get(line.page, ()):
            if start < block.end and block.start < end:
                inside[index] = entry_index
                break
    return inside


def _contents_columns(
    table: LineTable,
    place: _Place,
    folded: Sequence[tuple[str, str]],
    listing: Floats,
    inside: Ints,
    contents: Testimony | None,
    numbers: Sequence[Number | None],
) -> Columns:
    levels = _dense([entry.level for entry in contents.candidates]) if contents is not None else []
    listed = contents.listed if contents is not None else frozenset()
    return {
        "listing": listing[place.first],
        "listed": np.array([index in listed for index in place.first.tolist()], dtype=np.float64),
        "echo": np.array(echo_of(table, folded, place.page.tolist(), listing), dtype=np.float64),
        "contents": (inside >= 0) * 1.0,
        "contents_beyond": _beyond(numbers, contents),
        "contents_level": np.array([levels[index] if index >= 0 else 0 for index in inside.tolist()], dtype=np.float64),
    }


def _beyond(numbers: Sequence[Number | None], contents: Testimony | None) -> Floats:
    """How much deeper a block's number is than the deepest that the contents list; 0 without a number or without contents."""
    found = [parse(entry.title) for entry in contents.candidates] if contents is not None else []
    deepest = max((number.depth for number in found if number is not None), default=0)
    depths = np.array([number.depth if number is not None else 0 for number in numbers], dtype=np.float64)
    return np.where((depths > 0) & (deepest > 0), depths - deepest, 0.0)


def _dense(levels: Sequence[int]) -> list[int]:
    """Levels counted from 1 without holes."""
    known = {level: index for index, level in enumerate(sorted(set(levels)), 1)}
    return [known[level] for level in levels]


# ---------------------------------------------------------------- groups and document

_MEANS = (
    "above",
    "below",
    "stop",
    "chars",
    "next_body",
    "echo",
    "contents",
    "cells",
    "top",
    "lower_start",
    "listing",
    "body_below",
    "stacked",
)


def _group_columns(name: str, key: Ints, columns: Columns, place: _Place, pages: int) -> Columns:
    """Means and counts over the blocks of one key."""
    count = np.bincount(key) if len(key) else np.zeros(0)
    result = {
        f"{name}_count": np.log1p(count)[key],
        f"{name}_density": (count / np.maximum(_pages_per(key, place.page), 1))[key],
        f"{name}_pages": (_pages_per(key, place.page) / max(pages, 1))[key],
    }
    for column in _MEANS:
        if column in columns:
            result[f"{name}_{column}"] = (np.bincount(key, weights=columns[column]) / count)[key]
    return result


def _document_columns(
    table: LineTable, blocks: Sequence[Block], numbers: Sequence[Number | None], contents: Testimony | None
) -> Columns:
    pages = max(table.pages, 1)
    numbered = sum(number is not None for number in numbers) / max(len(blocks), 1)
    landscape = float(table.width.mean() > table.height.mean()) if len(table) else 0.0
    values = {
        "doc_pages": float(np.log1p(pages)),
        "doc_landscape": landscape,
        "doc_chars": min(float(table.chars.sum()) / pages, 8000.0),
        "doc_blocks": len(blocks) / pages,
        "doc_numbered": numbered,
        "doc_contents": min(len(contents.candidates) / pages, 5.0) if contents is not None else 0.0,
        "doc_contents_trust": contents.trust if contents is not None else 0.0,
        "doc_body": float(table.chars[table.body].sum()) / max(float(table.chars.sum()), 1.0),
    }
    return {name: np.full(len(blocks), value) for name, value in values.items()}


_GROUPED = ("count", "density", "pages", *_MEANS)

#: Names of the columns, in the order in which the model knows them.
FEATURES: tuple[str, ...] = (
    *("size", "bold", "italic", "ink", "mono", "body_font", "weight", "larger_share", "style_share", "style_lines"),
    *("style_pages", "style_chars", "style_ends", "style_low", "style_cells", "style_run"),
    *("above", "below", "above_below", "above_leading", "top", "end", "y", "indent", "x", "width", "centred", "cells"),
    *("lines", "lead", "split", "running"),
    *("chars", "words", "caps", "letters", "digits", "stop", "pause", "colon", "end_digit", "lower_start"),
    *("mark_start", "leaders", "same_text", "same_text_pages"),
    *(f"number_{name}" for name in ("kind", "depth", "value", "prefix", "bracket", "parent", "elder", "opens")),
    *("group_rising", "group_firsts", "group_doubles"),
    *("next_body", "next_size", "next_chars", "next_filled", "next_lower", "next_upper", "next_bold"),
    *("previous_body", "previous_stop", "previous_pause", "previous_filled", "previous_size", "stacked"),
    *("stacked_before", "page_blocks", "page_lines", "body_below"),
    *("listing", "listed", "echo", "contents", "contents_level", "contents_beyond"),
    *("kin_face", "kin_ink", "body_family", "heard", "again", "group_alphabet", "group_edge"),
    *(f"rank_{name}" for name in _GROUPED),
    *(f"group_{name}" for name in _GROUPED),
    *(
        "doc_pages",
        "doc_landscape",
        "doc_chars",
        "doc_blocks",
        "doc_numbered",
        "doc_contents",
        "doc_contents_trust",
        "doc_body",
    ),
)
