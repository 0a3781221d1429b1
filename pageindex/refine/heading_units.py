"""Where a proposed heading stands among a document's printed units, and whether that one stands as a heading does.

What is a unit, and how much it looks like a heading of its document, is the layout's to say (``pageindex.structure.layout.units``): it
measures what stands before, behind, above and below against the document's own styles. Here a title is found among the units, and what
the layout doubts is held to the strict rule for printed headings and to what such lines mostly are: items, captions, rows of tables.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Set
from functools import cached_property

from pageindex.document import Edition, Position, Span
from pageindex.evidence.lines import page_lines
from pageindex.evidence.quotes.headings import HeadingFound, HeadingReason, HeadingRefused, printed_heading
from pageindex.structure.layout.units import PrintedUnits, Unit
from pageindex.text import normal

__all__ = ["FAULTS", "HeadingUnits"]

LEAST = 0.05  #: Score below which a unit is no heading, whoever proposes it.
SURE = 0.3  #: Score from which the layout's word is enough.

FAULTS = {
    "running_line": "stands where running heads and feet stand",
    "number_missing": "stands without its number",
    "list_item": "is an item of a list",
    "body_line": "is set as the text round it is",
    "caption": "is counted as figures and tables are, and not as sections",
    "table_row": "stands amid the rows of a table",
}  #: By the reason: how a title that is refused for it stands.

_NUMBER = re.compile(r"\d+[a-z]?|[a-z]\d*|[ivxlcdm]+")
_TITLE_NUMBER = re.compile(r"\s*(\d+(?:[.\-]\d+)*)[.):]?\s")
_STOP = re.compile(r"[.!?:;,。！？：；，।؟؛،]['\")\]»”]*\s*$")
_PLAIN = frozenset({"text/plain", "text/markdown"})  # what is written without a style has no layout to judge by
_MOST_PLAIN = 100  # characters
_MOST_NUMBER = 12  # characters of a heading's number, folded
_BULLETS = frozenset(
    {"Cc", "Co", "So", "Sm", "Pd", "Cf"}
)  # categories of characters that stand before an item of a list
_MARKS = "·•*"
_MOST_FIGURES = 2  # that a title without a letter may hold: a number and a year


class HeadingUnits:
    """The units of one edition as headings that may be proposed."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self._units = PrintedUnits(edition)
        self._plain = edition.source.media_type in _PLAIN

    def places(self, title: str, page: int, span: Span) -> Iterator[tuple[HeadingFound, Unit | None]]:
        """The units of a page that say a title inside ``span``, in reading order; else those of which it says some of the lines, and runs
        of lines that say it and begin with a unit."""
        low, high = span.on_page(page, len(self._edition.page(page).data))
        units = [unit for unit in self._units.on(page) if low <= unit.start < high]
        wanted = normal.heading(title)
        whole = [unit for unit in units if _says(wanted, unit.title)]
        for unit in whole:
            yield HeadingFound(page, unit.start, unit.end, normal.quote(unit.title).strip()), unit
        line = printed_heading(self._edition, title, page, span) if not whole or self._plain else None
        if isinstance(line, HeadingFound) and self._plain:
            yield line, None
        elif isinstance(line, HeadingFound):
            for unit in units:
                if unit.start <= line.start and line.end <= unit.end:
                    yield HeadingFound(page, unit.start, unit.end, normal.quote(unit.title).strip()), unit
                elif unit.start == line.start:
                    yield line, unit

    def why_none(self, title: str, page: int, span: Span) -> tuple[str, str]:
        """Why no unit of a page says a title: a reason, and words for it."""
        found = printed_heading(self._edition, title, page, span)
        if isinstance(found, HeadingRefused):
            return found.reason.value, found.message
        words = self._edition.page(page).words(found.start, found.end)
        number = _TITLE_NUMBER.match(title)
        fault = "list_item" if _is_item(words.lstrip(" ")) else "body_line"
        fault = "number_missing" if number is not None and number[1] not in words else fault
        return fault, f"{title!r} on page {page} {FAULTS[fault]}"

    def fault(self, found: HeadingFound, unit: Unit | None, title: str, counted: Set[str]) -> str | None:
        """Why a unit is no heading all the same; None when it may be one.

        ``running_line``: it stands where running heads and feet do. ``number_missing``: the title proposed has a number, and neither the
        unit nor the line before it has. ``body_line``: set as text is. ``list_item``, ``caption`` (a word and a number that sections are not
        counted by, neither in the tree, whose words are ``counted``, nor in the document), ``table_row``, and the reasons of the strict rule: what the layout doubts.
        """
        if unit is None:
            return self._in_plain_text(found)
        if unit.running:
            return "running_line"
        if unit.score < SURE and not self._numbered_there(title, unit):
            return "number_missing"
        if len(unit.title.split()) > _MOST_FIGURES and not any(map(str.isalpha, unit.title)):
            return "table_row"
        if unit.score >= SURE:
            return None
        return self._doubt(unit, counted) or ("body_line" if unit.score < LEAST else None)

    def _in_plain_text(self, found: HeadingFound) -> str | None:
        """The same where nothing is set in a style: a heading is a short paragraph of one line that no sentence ends."""
        data = self._edition.page(found.page).data
        alone = data[: found.start].rstrip(b" ")[-2:] in (b"", b"\n", b"\n\n")
        alone &= data[found.end :].lstrip(b" ")[:2] in (b"", b"\n", b"\n\n")
        if _is_item(found.text):
            return "list_item"
        short = len(found.text) <= _MOST_PLAIN and not found.text[:1].islower() and not _STOP.search(found.text)
        return None if alone and short else "body_line"

    def _doubt(self, unit: Unit, counted: Set[str]) -> str | None:
        number = unit.number
        if number is not None and number.prefix and number.prefix not in self._counting | counted:
            return "caption"
        if _is_item(unit.title):
            return "list_item"
        if unit.amid:
            return "table_row"
        letters = sum(map(str.isalpha, unit.title))
        if " " in unit.title and letters < sum(map(str.isdigit, unit.title)):
            return "table_row"
        if number is None and " " in unit.title and unit.title[:1].islower():
            return "body_line"
        if unit.mixed:
            return "body_line"
        if unit.lead:
            return None
        strict = printed_heading(
            self._edition, unit.title, unit.page, Span(Position(unit.page, unit.start), Position(unit.page, unit.end))
        )
        if isinstance(strict, HeadingRefused) and strict.reason in _STRICT:
            return strict.reason.value
        return None

    @cached_property
    def _counting(self) -> Set[str]:
        """Words that the document counts sections by: of what is numbered with one of them, a quarter at least surely is a heading (the
        rest are mentions of it, in contents and in text)."""
        scores: defaultdict[str, list[float]] = defaultdict(list)
        for unit in self._units:
            if unit.number is not None and unit.number.prefix:
                scores[unit.number.prefix].append(unit.score)
        return {word for word, found in scores.items() if sorted(found)[3 * (len(found) - 1) // 4] >= SURE}

    def _numbered_there(self, title: str, unit: Unit) -> bool:
        """Whether the number that a title begins with, if it does, is in the unit or in the line before it."""
        number = _TITLE_NUMBER.match(title)
        if number is None or number[1] in unit.title:
            return True
        before = [line.text for line in page_lines(self._edition, unit.page) if line.end <= unit.start]
        return bool(before) and before[-1].strip().startswith(number[1])


_STRICT = frozenset(
    {
        HeadingReason.RUNNING_LINE,
        HeadingReason.CONTENTS_LINE,
        HeadingReason.TABLE_CELL,
        HeadingReason.MID_SENTENCE,
    }
)


def _is_item(title: str) -> bool:
    first = title[:1]
    return bool(first) and (first in _MARKS or unicodedata.category(first) in _BULLETS)


def _says(wanted: str, title: str) -> bool:
    """Whether a unit says a title, perhaps with a remark in parentheses behind it."""
    remark = title.find(" (")
    return _same(wanted, normal.heading(title)) or (remark > 0 and _same(wanted, normal.heading(title[:remark])))


def _same(wanted: str, head: str) -> bool:
    """Equal, or equal but for a number that one of them begins with."""
    if not wanted or not head:
        return False
    longer, shorter = (wanted, head) if len(wanted) > len(head) else (head, wanted)
    if not longer.endswith(shorter):
        return False
    number = longer[: len(longer) - len(shorter)]
    return not number or (len(number) <= _MOST_NUMBER and _NUMBER.fullmatch(number) is not None)
