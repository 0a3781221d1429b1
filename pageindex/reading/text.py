"""Plain text: pages at form feeds and by size. Nothing in it is marked, so headings are for the layout rules to find.

A typewriter has no bold and no sizes; its writers set off titles in other ways. As a stand-in for style, these lines are given as bold:

- a line with a row of ``=``, ``-``, ``~`` or the like below it: larger too, the first kind of row that is met the most;
- a short line between empty ones that is in capitals, begins with a number (``2.1  Scope``), or is a word with a number (``CHAPTER II``).

Whether such a line is a heading is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pageindex.document import Edition, Extractor, Source
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.decoding import decode_text
from pageindex.reading.typeset import BODY_SIZE, LINE_BREAK, Style, Styled
from pageindex.reading.virtual import Content, make_edition

__all__ = ["read"]

EXTRACTOR = Extractor("text", "2")

LONGEST_TITLE = 80
_FORM_FEED = re.compile(r"\f")
_RULE = re.compile(r"([=\-~^*\"'#+`:._])\1{2,}")
_NUMBERED = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVXLC]{1,6})[.)]?\s+[^\W\d_]")
_COUNTED = re.compile(r"[^\W\d_]+\s+(?:\d{1,3}(?:\.\d{1,3})*|[IVXLCDM]+)(?:[.:]?|\s*[.:–—-]\s+\S.*)")
_NUMERAL = re.compile(r"(?:\d{1,3}|[IVXLC]{1,6})\.?")
_ENDS = tuple(".,;:!?…。，、")


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read plain text. Raises DamagedFileError when empty, UnsupportedFormatError when the bytes are no text."""
    decoded = decode_text(data, source.name)
    text = decoded.text
    cuts = [match.end() for match in _FORM_FEED.finditer(text) if match.end() < len(text)]
    styled = list(_set_off(text))
    content = Content(text, styled=styled, cuts=cuts, notes=decoded.notes, marked=False, guessed=decoded.guessed)
    return make_edition(source, EXTRACTOR, content, limits)


def _set_off(text: str) -> Iterator[Styled]:
    """The lines that a writer set off from the body, in order."""
    rows = _rows(text)
    shown = ["", *(text[start:end].strip() for start, end in rows), "", ""]
    rules: list[str] = []  # kinds of rows below titles, in order of appearance
    above = False  # whether the line above is a chapter's number, which its title may follow
    for (start, end), before, row, after, below in zip(rows, shown, shown[1:], shown[2:], shown[3:], strict=False):
        style = None
        counted = _COUNTED.fullmatch(row) is not None
        if not 0 < len(row) <= LONGEST_TITLE or _RULE.fullmatch(row):
            pass
        elif _underlines(after, row) and (not before or _RULE.fullmatch(before)):
            rules += [after[0]] if after[0] not in rules else []
            style = Style(BODY_SIZE + max(1.0, 6.0 - 2.0 * rules.index(after[0])), bold=True)
        elif not after:
            style = Style(bold=True) if (not before and _is_title(row)) or (above and not row.endswith(_ENDS)) else None
        elif counted and not before and not below and len(after) <= LONGEST_TITLE:
            style = Style(bold=True)
        above = style is not None and counted
        if style is not None:
            yield Styled(start, end, style)


def _rows(text: str) -> list[tuple[int, int]]:
    rows, at = [], 0
    for found in LINE_BREAK.finditer(text):
        rows.append((at, found.start()))
        at = found.end()
    return [*rows, (at, len(text))]


def _underlines(rule: str, title: str) -> bool:
    return _RULE.fullmatch(rule) is not None and len(title) * 0.6 <= len(rule) <= max(len(title) * 1.5, len(title) + 4)


def _is_title(row: str) -> bool:
    if _COUNTED.fullmatch(row) or _NUMERAL.fullmatch(row):
        return True
    letters = [character for character in row if character.isalpha()]
    capitals = len(letters) >= 3 and row == row.upper() and row != row.lower()
    if capitals:
        return not row.endswith((",", ";"))
    return len(letters) >= 2 and _NUMBERED.match(row) is not None and not row.endswith(_ENDS)
