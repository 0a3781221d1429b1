"""Measures of printed units: their words, where these come back, and their kin among the larger lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from pageindex.structure.facts import Floats
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.features_place import Columns, Place, Shape, pages_per
from pageindex.structure.layout.table import END_DIGIT, END_PAUSE, END_STOP, LineTable, codes, codes_of
from pageindex.text import normal

__all__ = ["capitals", "heard_columns", "kinship_columns", "text_columns"]

_NO_LETTER = re.compile(r"[\W\d_]+")
_DIGITS = re.compile(r"\d+")
_ASCII_OTHERS = bytes(code for code in range(128) if not chr(code).isalpha())


def capitals(title: str) -> float:
    """Share of capitals among letters that have case; -1 where fewer than two have."""
    upper = sum(map(str.isupper, title))
    lower = sum(map(str.islower, title))
    return upper / (upper + lower) if upper + lower >= 2 else -1.0


def letters_of(title: str) -> str:
    """Its letters."""
    return title.encode().translate(None, _ASCII_OTHERS).decode() if title.isascii() else _NO_LETTER.sub("", title)


def without_digits(title: str) -> str:
    return title.encode().translate(None, b"0123456789").decode() if title.isascii() else _DIGITS.sub("", title)


def text_columns(table: LineTable, place: Place, blocks: Sequence[Block], caps: Floats) -> Columns:
    titles = [block.title for block in blocks]
    length = np.array([len(title) for title in titles], dtype=np.float64)
    words_only = [letters_of(title) for title in titles]
    letters = np.array([len(text) for text in words_only], dtype=np.float64)
    digits = length - np.array([len(without_digits(title)) for title in titles], dtype=np.float64)
    end = table.end_class[place.last]
    lead = np.array([block.lead is not None for block in blocks])
    tail = [title[-1:] for title in titles]
    start = [
        title[block.number.end :][:1] if block.number else title[:1]
        for title, block in zip(titles, blocks, strict=True)
    ]
    folded = codes_of([text or "#" for text in words_only])
    spread = pages_per(folded, place.page)
    spot = codes(folded * 4096 + np.clip(table.y0[place.first] / 6, 0, 4095).astype(np.int64))
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
        "upper_words": np.array([_upper_words(title) for title in titles], dtype=np.float64),
        "lower_start": np.array([char.islower() for char in start], dtype=np.float64),
        "mark_start": np.array([not char.isalnum() for char in start], dtype=np.float64),
        "leaders": np.array([".." in title or ". ." in title or "…" in title for title in titles], dtype=np.float64),
        "same_text": np.minimum(count[folded], 30.0),
        "same_text_pages": spread[folded] / max(table.pages, 1),
        "same_place": np.minimum(pages_per(spot, place.page)[spot], 30.0),
    }


def _upper_words(title: str) -> float:
    """Share of the words of four letters and more that begin with a capital: titles in some languages; -1 where there are none."""
    words = [word for word in title.split() if len(word) > 3 and word[0].isalpha()]
    return sum(word[0].isupper() for word in words) / len(words) if words else -1.0


def kinship_columns(table: LineTable, shape: Shape, place: Place) -> Columns:
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


def heard_columns(table: LineTable, place: Place, folded: Sequence[tuple[str, str]]) -> Columns:
    """Whether the block's words come back in running heads, and whether the same words stood on the page before."""
    running = Counter(normal.title(_SIZES.sub("", table.texts[i])) for i in np.flatnonzero(table.running).tolist())
    running += Counter(table.facts.titles[i] for i in np.flatnonzero(table.running).tolist())
    heard, again = np.zeros(len(folded)), np.zeros(len(folded))
    last: dict[str, int] = {}
    pages = place.page.tolist()
    for index, (whole, bare) in enumerate(folded):
        key = bare or whole
        if running and len(key) > 2:
            heard[index] = max(running[key], running[without_digits(whole)])
        again[index] = 1.0 if pages[index] - last.get(key, -9) <= 1 else 0.0
        last[key] = pages[index]
    return {"heard": np.minimum(heard, 10.0), "again": again}
