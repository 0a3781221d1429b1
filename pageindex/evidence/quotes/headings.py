"""The printed-heading validator: is this title a line of its own on this page?

A title counts as printed when a whole line, or a run of wrapped lines, says the same after folding; its number may be missing on
either side. A phrase inside a sentence, a running head, an entry of a contents page and a cell of a table are refused, each by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pageindex.document import Edition, Line, Page, Span
from pageindex.errors import PageRangeError
from pageindex.evidence.lines import page_lines
from pageindex.evidence.quotes.index import folded
from pageindex.text.folding import fold, letters_text, skeleton_text

__all__ = ["HeadingFound", "HeadingReason", "HeadingRefused", "printed_heading"]

_MOST_LINES = 8  # a heading wrapped over more lines than this is a paragraph
_MOST_CHARACTERS = 400
_NUMBER = re.compile(
    r"\s*(?:第\s*[\d一二三四五六七八九十百零〇]+\s*[^\W\d_]\s*|[§#]?\s*(?:[^\W\d_]+\s+)?(?:\d+|[IVXLCDM]+|[ivxlcdm]+|[A-Z])[.):]\s*(?=[^\W\d]|$)"
    r"|[§#]?\s*(?:\d+|[A-Z](?=[.\-]\d)|[IVXLCDM]+)(?:[.\-]\d+)*[.):]?\s+)"
)
_LEADER = re.compile(r"(?:[.·•…_‥]\s?){3,}\s*[\divxlcdmIVXLCDM\-–.]*\s*$")
_FOLIO = re.compile(r"[\s.·…]*(?:\d{1,4}|[ivxlcdm]{1,7}|[A-Z\d]{1,3}[\-–.]\d{1,4})\s*")
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？：；।؟]['\")\]»]*\s*$")


class HeadingReason(StrEnum):
    """Why a title is not taken for a printed heading."""

    NOT_A_TITLE = "not_a_title"  # no two letters in it, or far too long
    NOT_PRINTED = "not_printed"
    OTHER_PAGE = "other_page"
    OUTSIDE_SECTION = "outside_section"
    PART_OF_LINE = "part_of_line"
    MID_SENTENCE = "mid_sentence"
    RUNNING_LINE = "running_line"
    CONTENTS_LINE = "contents_line"
    TABLE_CELL = "table_cell"


@dataclass(frozen=True, slots=True)
class HeadingFound:
    """The heading as printed: the bytes from its first line's start to its last line's end, and its words."""

    page: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class HeadingRefused:
    """A typed refusal; ``pages`` lists where the title stands as a line of its own instead, at most five."""

    reason: HeadingReason
    message: str
    pages: tuple[int, ...] = ()


def printed_heading(edition: Edition, title: str, page: int, span: Span | None = None) -> HeadingFound | HeadingRefused:
    """Find a title as a heading of its own on exactly the page cited, inside ``span`` when one is given.

    Several places may qualify; the first in reading order is returned. Raises PageRangeError for a page that does not exist.
    """
    if not 1 <= page <= edition.page_count:
        raise PageRangeError(f"page {page} of {edition.page_count}", f"Cite a page from 1 to {edition.page_count}.")
    letters = sum(c.isalpha() for c in title)
    if len(title) > _MOST_CHARACTERS or (letters < 2 and not any("\u2e80" <= c <= "\u9fff" for c in title)):
        return HeadingRefused(HeadingReason.NOT_A_TITLE, f"{title[:80]!r} cannot be a heading")
    refusal: HeadingRefused | None = None
    for found, reason in _judged(edition, title, page, span):
        if reason is None:
            return found
        refusal = refusal or HeadingRefused(reason, f"{title!r} is printed on page {page}, but as {reason.value}")
    return refusal or _elsewhere(edition, title, page)


def _judged(
    edition: Edition, title: str, page: int, span: Span | None
) -> Iterator[tuple[HeadingFound, HeadingReason | None]]:
    lines = page_lines(edition, page)
    for first, last in _places(lines, title):
        start, end = lines[first].start, max(line.end for line in lines[first : last + 1])
        text = " ".join(fold(line.text).text.strip() for line in lines[first : last + 1])
        yield HeadingFound(page, start, end, text), _fault(edition.page(page), lines, first, last, span)


def _places(lines: Sequence[Line], title: str) -> list[tuple[int, int]]:
    """Runs of lines that together say the title, as ``(first, last)`` indexes; those that also have its number come first."""
    wanted = _Key.of(title)
    whole, bare = [], []
    for first in range(len(lines)):
        for last, key in _joined(lines, first, len(wanted.whole)):
            if wanted.whole == key.whole:
                whole.append((first, last))
            elif not wanted.same(key):
                continue
            elif not (first and _is_number_of(lines[first - 1], lines[first])):
                bare.append((first, last))
            elif not wanted.numbered:
                bare.append((first - 1, last))
            break
    return whole + bare


def _joined(lines: Sequence[Line], first: int, wanted: int) -> Iterator[tuple[int, _Key]]:
    """The line, then it with the one below, and so on, until the text is longer than any heading that is wanted."""
    text = lines[first].text
    for last in range(first, min(first + _MOST_LINES, len(lines))):
        text = f"{text}\n{lines[last].text}" if last > first else text
        key = _Key.of(text)
        if not key.whole or len(key.bare) > wanted + 12:
            return
        yield last, key


def _is_number_of(cell: Line, line: Line) -> bool:
    """Whether a cell is the number of the heading beside it."""
    return _same_row(cell, line) and cell.box.x1 <= line.box.x0 and bool(_NUMBER.fullmatch(f"{cell.text.strip()} "))


@dataclass(frozen=True, slots=True)
class _Key:
    """A title as compared: its skeleton whole, and without its number."""

    whole: str
    bare: str

    @classmethod
    def of(cls, text: str) -> _Key:
        plain = fold(text).text.strip()
        match = _NUMBER.match(plain)
        cut = match.end() if match and any(c.isalpha() for c in plain[match.end() :]) else 0
        bare = skeleton_text(plain[cut:]).rstrip(".:")
        return cls(skeleton_text(plain[:cut]).rstrip(".):") + bare, bare)

    @property
    def numbered(self) -> bool:
        return self.whole != self.bare

    def same(self, other: _Key) -> bool:
        """Equal as a whole, or without the number where only one of the two has one."""
        if self.whole == other.whole:
            return True
        return self.numbered != other.numbered and bool(self.bare) and self.bare == other.bare


def _fault(page: Page, lines: Sequence[Line], first: int, last: int, span: Span | None) -> HeadingReason | None:
    start, end = lines[first].start, lines[last].end
    if any(low <= start and end <= high for low, high in page.running):
        return HeadingReason.RUNNING_LINE
    before = lines[first - 1] if first else None
    after = lines[last + 1] if last + 1 < len(lines) else None
    if _in_contents(lines, first, last, before, after):
        return HeadingReason.CONTENTS_LINE
    if before and _same_row(before, lines[first]) and not _is_number_of(before, lines[first]):
        return HeadingReason.TABLE_CELL
    if after and _same_row(lines[last], after):
        return HeadingReason.TABLE_CELL
    if (before and _runs_on(lines, before, lines[first])) or (
        after and _runs_on(lines, lines[last], after, lower=True)
    ):
        return HeadingReason.MID_SENTENCE
    if span is not None:
        low, high = span.on_page(page.number, len(page.data))
        if not low <= start < high:
            return HeadingReason.OUTSIDE_SECTION
    return None


def _in_contents(lines: Sequence[Line], first: int, last: int, before: Line | None, after: Line | None) -> bool:
    if _LEADER.search(lines[last].text):
        return True
    if after and _same_row(lines[last], after) and (_FOLIO.fullmatch(after.text) or _LEADER.search(after.text)):
        return True
    return bool(before and after and _like_entry(lines, first - 1) and _like_entry(lines, last + 1))


def _like_entry(lines: Sequence[Line], index: int) -> bool:
    """Whether the row that a line belongs to ends as an entry of a contents page does."""
    if _LEADER.search(lines[index].text) and any(c.isalnum() for c in lines[index].text):
        return True
    row = [line for line in lines[max(0, index - 2) : index + 3] if _same_row(line, lines[index])]
    return bool(row) and bool(_FOLIO.fullmatch(max([*row, lines[index]], key=lambda line: line.box.x0).text))


def _same_row(one: Line, other: Line) -> bool:
    """Whether two lines are cells of one printed row: side by side at one height."""
    if one is other or not one.box.height or not other.box.height:
        return False
    overlap = min(one.box.y1, other.box.y1) - max(one.box.y0, other.box.y0)
    apart = one.box.x1 <= other.box.x0 or other.box.x1 <= one.box.x0
    return apart and overlap > 0.6 * min(one.box.height, other.box.height)


def _runs_on(lines: Sequence[Line], upper: Line, lower_line: Line, *, lower: bool = False) -> bool:
    """Whether a sentence runs from one line into the next: one style, a tight gap, a full upper line without a stop.

    With ``lower`` the second line must also begin in lower case, for a heading above its text may well fill its line.
    """
    if not _one_style(upper, lower_line) or _ENDS_SENTENCE.search(upper.text):
        return False
    opening = next((c for c in lower_line.text if c.isalpha()), "")
    if opening.islower():
        return lower_line.text.lstrip()[:1].islower()
    return not lower and upper.box.width >= 0.92 * _column_width(lines, upper)


def _one_style(one: Line, other: Line) -> bool:
    if (one.font, one.weight) != (other.font, other.weight) or abs(one.size - other.size) > 0.03 * max(one.size, 1):
        return False
    gap = other.box.y0 - one.box.y1
    return -one.box.height < gap < 0.9 * max(one.box.height, one.size)


def _column_width(lines: Sequence[Line], line: Line) -> float:
    """The width of the widest line that begins where this one does."""
    return max(
        (other.box.width for other in lines if abs(other.box.x0 - line.box.x0) < 2 * max(line.size, 1)), default=0.0
    )


def _elsewhere(edition: Edition, title: str, page: int) -> HeadingRefused:
    key = _Key.of(title)
    hits = list(folded(edition).pages_with(letters_text(key.bare)))
    if page in hits:
        message = f"{title!r} occurs on page {page} only as a part of a line"
        return HeadingRefused(HeadingReason.PART_OF_LINE, message)
    pages = tuple(n for n in hits[:50] if _places(page_lines(edition, n), title))[:5]
    if pages:
        return HeadingRefused(HeadingReason.OTHER_PAGE, f"{title!r} is a line of page {pages[0]}, not of {page}", pages)
    return HeadingRefused(HeadingReason.NOT_PRINTED, f"{title!r} is not printed on page {page}")
