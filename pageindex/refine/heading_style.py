"""How a printed line stands in its document: as text does, or apart; and two kinds of heading that are not lines of their own.

``pageindex.evidence.quotes.headings`` says whether a title is a printed line. Most lines of a document are printed lines and no headings; what
sets a heading apart is measured here against the document's own styles, without any list of words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from statistics import median

from pageindex.document import Edition, Line, Run, Span
from pageindex.document.offsets import byte_size
from pageindex.evidence.lines import page_lines
from pageindex.evidence.quotes.headings import HeadingFound, HeadingReason, printed_heading
from pageindex.text import normal

__all__ = ["HeadingStyle"]

_COMMON = 0.12  # share of a document's characters above which a style is one of its text styles
_CLOSE = 1.25  # of the style's line pitch; more than that above and below sets a line apart
_TIGHT = 1.3  # of the font size: lines as close as this are one block in any document
_BLOCK = 2  # lines of its own style round a line that make it one of a block, where the style is rare
_SIZE_STEP = 0.05  # relative difference of font size that still is one style
_SHORT = 0.75  # of the column; a numbered line so short may be a heading though its style is the text's
_EVERYWHERE = 0.5  # share of pages on which a running line is furniture wherever it stands
_FULL = 0.9  # of the widest line of the page
_SAME_WEIGHT = 120  # difference of weights, as PDFium reports them, that is no change to bold
_MOST_WRAPPED = 4
_BULLET = re.compile(r"\s*[•‣▶►▸◦●○■□▪▫◆◇❖✓✔➢➤–—*·\uf0b7\uf0a7-]\s*\S")
_NUMBERED = re.compile(r"\s*(?:\(?[\dA-Za-z]{1,3}[.)]\s*|\d+(?:\.\d+)*\s+)\S")
_NUMBER = re.compile(r"\d+[a-z]?|[a-z]\d*|[ivxlcdm]+")
_TITLE_NUMBER = re.compile(r"\s*(\d+(?:[.\-]\d+)*)[.):]?\s")
_MOST_NUMBER = 12  # characters of a heading's number, folded
_STOP = re.compile(r"[.!?:;。！？：；।؟]['\")\]»]*\s*$")
_RUN_IN_END = re.compile(r"[.:。：—–](?=\s)|[。：]")
_MOST_STOPS = 4
_LEAST_DIGITS = 4  # letters and digits of a title that has hardly a letter, such as a year or a version


@dataclass(frozen=True, slots=True)
class _Style:
    """A style in which much of a document is set; ``pitch`` is the median distance of its lines, in points."""

    font: int
    size: float
    weight: int
    pitch: float = 0.0

    def holds(self, line: Line) -> bool:
        same_face = line.font == self.font and line.weight == self.weight
        return same_face and abs(line.size - self.size) <= _SIZE_STEP * max(self.size, 1.0)


class HeadingStyle:
    """Judges the lines of one edition."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def fault(self, found: HeadingFound, title: str) -> str | None:
        """Why lines that say a title are no heading all the same; None when they may be one.

        ``running_line``: the words run through the document. ``number_missing``: the title proposed has a number, and neither the line
        nor what stands before it has it. ``list_item``: text behind a bullet. ``body_line``: set as the text round it
        is. A line in one of the document's text styles is a heading only when white space on both sides, another style, capitals, or a
        number on a short line after a finished sentence set it apart.
        """
        lines = page_lines(self._edition, found.page)
        inside = [i for i, line in enumerate(lines) if found.start <= line.start and line.end <= found.end]
        if self._furniture[normal.heading(found.text)] > _EVERYWHERE * self._edition.page_count:
            return "running_line"
        if not inside or not self._styles:
            return None
        first, last = inside[0], inside[-1]
        style = next((style for style in self._styles if all(style.holds(lines[i]) for i in inside)), None)
        if not _numbered_there(title, found.text, lines, first):
            return "number_missing"
        if style is not None and _BULLET.match(found.text):
            return "list_item"
        if _in_capitals(found.text) or (style is not None and _opens_paragraph(lines, first, last)):
            return None
        neighbours = _block(lines, first, last, (style or self._styles[0]).pitch)
        full = lines[last].box.width >= _FULL * max(line.box.width for line in lines)
        below = lines[last + 1] if last + 1 < len(lines) else None
        if full and below is not None and _flows_on(lines[last], below, (style or self._styles[0]).pitch):
            return "body_line"
        return "body_line" if neighbours >= (1 if style is not None or full else _BLOCK) else None

    def otherwise(self, title: str, page: int, span: Span, reason: HeadingReason) -> HeadingFound | None:
        """A title that the strict rule refused, for ``reason``, and that is a heading nevertheless.

        That is: behind an appendix letter (*A Proofs*); amid a contents page, in a style of its own (*List of Figures*); run into its paragraph in a style of its own (*3.1 Scope.* The rest …); or with
        hardly a letter in it (*2011*, *v2.02*), alone on its line in a style that is not the text's.
        """
        low, high = span.on_page(page, len(self._edition.page(page).data))
        lines = page_lines(self._edition, page)
        inside = [index for index, line in enumerate(lines) if low <= line.start < high]
        if sum(c.isalpha() for c in title) < 2:
            return self._bare_number(title, page, lines, inside)
        if reason is HeadingReason.CONTENTS_LINE:
            return self._above_a_list(title, page, lines, inside)
        return self._lettered(title, page, span, lines, inside) or self._run_in(title, page, lines, inside)

    @cached_property
    def _styles(self) -> list[_Style]:
        """The document's text styles, the commonest first."""
        sizes: Counter[tuple[int, float, int]] = Counter()
        for line in self._edition.lines:
            sizes[(line.font, round(line.size, 1), line.weight)] += line.end - line.start
        least = _COMMON * sum(sizes.values())
        common = [_Style(*key) for key, size in sizes.most_common(5) if size >= least]
        steps: list[list[float]] = [[] for _ in common]
        for above, below in pairwise(self._edition.lines):
            step = below.box.y0 - above.box.y0
            if above.page == below.page and 0 < step < 3 * below.size:
                for style, found in zip(common, steps, strict=True):
                    if style.holds(above) and style.holds(below):
                        found.append(step)
        pairs = zip(common, steps, strict=True)
        return [_Style(s.font, s.size, s.weight, median(found) if found else 0.0) for s, found in pairs]

    @cached_property
    def _furniture(self) -> Counter[str]:
        """On how many pages each running line stands, by its words."""
        words: Counter[str] = Counter()
        for page in self._edition.pages:
            words.update({normal.heading(page.words(start, end)) for start, end in page.running})
        return words

    def _lettered(
        self, title: str, page: int, span: Span, lines: Sequence[Line], inside: Sequence[int]
    ) -> HeadingFound | None:
        wanted = normal.heading(title)
        for index in inside:
            for words in _joined(lines, index):
                folded = normal.heading(words)
                if _same(wanted, folded):
                    found = printed_heading(self._edition, words, page, span)
                    if isinstance(found, HeadingFound):
                        return found
                if len(folded) > len(wanted) + _MOST_NUMBER:
                    break
        return None

    def _run_in(self, title: str, page: int, lines: Sequence[Line], inside: Sequence[int]) -> HeadingFound | None:
        """Words at the start of a line that begins in another style than it ends, and not in a text style."""
        wanted = normal.heading(title)
        for line in (lines[index] for index in inside):
            if len(line.runs) < 2 or self._is_text(line.runs[0]) or _same_style(line.runs[0], line.runs[-1]):
                continue
            for head in self._heads(line):
                if line.text[len(head) :].strip() and _same(wanted, normal.heading(head)):
                    return HeadingFound(page, line.start, line.start + byte_size(head), normal.quote(head).strip())
        return None

    def _heads(self, line: Line) -> Iterator[str]:
        """Where a heading that runs into its paragraph may end: at a stop or colon, wherever the style is seen to change (readers look at
        a few places of a line only), or where a text style is seen to begin."""
        for stop in islice(_RUN_IN_END.finditer(line.text), _MOST_STOPS):
            yield line.text[: stop.end()]
        if (begins := next((run.start for run in line.runs if self._is_text(run)), None)) is not None:
            yield line.text[:begins].rstrip()

    def _is_text(self, run: Run) -> bool:
        return any(
            run.font == style.font
            and run.weight == style.weight
            and abs(run.size - style.size) <= _SIZE_STEP * style.size
            for style in self._styles
        )

    def _above_a_list(self, title: str, page: int, lines: Sequence[Line], inside: Sequence[int]) -> HeadingFound | None:
        wanted = normal.heading(title)
        for index in inside:
            line, beside = lines[index], [*lines[max(0, index - 1) : index], *lines[index + 1 : index + 2]]
            if (
                normal.heading(line.text) != wanted
                or _within(line, self._edition.page(page).running)
                or _in_row(lines, index)
            ):
                continue
            if not any(style.holds(line) for style in self._styles) and not any(_alike(line, o, 1e9) for o in beside):
                return HeadingFound(page, line.start, line.end, normal.quote(line.text).strip())
        return None

    def _bare_number(self, title: str, page: int, lines: Sequence[Line], inside: Sequence[int]) -> HeadingFound | None:
        wanted = normal.heading(title)
        if sum(c.isalnum() for c in wanted) < _LEAST_DIGITS:
            return None
        running = self._edition.page(page).running
        for index in inside:
            line = lines[index]
            if _within(line, running) or _in_row(lines, index) or not _same(wanted, normal.heading(line.text)):
                continue
            if _opens_paragraph(lines, index, index) or not any(style.holds(line) for style in self._styles):
                return HeadingFound(page, line.start, line.end, normal.quote(line.text).strip())
        return None


def _within(line: Line, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(low <= line.start and line.end <= high for low, high in ranges)


def _same_style(one: Run, other: Run) -> bool:
    return (one.font, one.weight) == (other.font, other.weight) and abs(one.size - other.size) <= _SIZE_STEP * one.size


def _joined(lines: Sequence[Line], first: int) -> Iterator[str]:
    """The line, and it with the lines below it."""
    for last in range(first, min(first + _MOST_WRAPPED, len(lines))):
        yield "\n".join(line.text for line in lines[first : last + 1])


def _opens_paragraph(lines: Sequence[Line], first: int, last: int) -> bool:
    """Whether a numbered short line without a stop stands between a finished sentence and a new one."""
    if not _NUMBERED.match(lines[first].text) or _STOP.search(lines[last].text):
        return False
    width = max(line.box.width for line in lines)
    above = lines[first - 1].text if first else ""
    below = lines[last + 1].text.lstrip() if last + 1 < len(lines) else ""
    finished = not above.strip() or _STOP.search(above) is not None or _same_page_number(above)
    return (
        lines[last].box.width < _SHORT * width and finished and not below[:1].islower() and not _NUMBERED.match(below)
    )


def _same_page_number(text: str) -> bool:
    return len(text.strip()) <= 5 and any(c.isdigit() for c in text)  # a folio above the first line


def _block(lines: Sequence[Line], first: int, last: int, pitch: float) -> int:
    """How many lines directly above and below are set as the first and last one, with no more than usual space between."""
    count = 0
    for start, step in ((first, -1), (last, 1)):
        at = start
        while 0 <= at + step < len(lines) and count < _BLOCK and _alike(lines[at], lines[at + step], pitch):
            at, count = at + step, count + 1
    return count


def _alike(one: Line, other: Line, pitch: float) -> bool:
    if (one.font, one.weight) != (other.font, other.weight) or abs(one.size - other.size) > _SIZE_STEP * one.size:
        return False
    return 0 < abs(other.box.y0 - one.box.y0) <= max(_CLOSE * pitch, _TIGHT * one.size)


def _flows_on(line: Line, below: Line, pitch: float) -> bool:
    """Whether the next line is set like this one but for its face: in mixed scripts the face changes from line to line."""
    if abs(line.size - below.size) > _SIZE_STEP * line.size or abs(line.weight - below.weight) > _SAME_WEIGHT:
        return False
    return 0 < below.box.y0 - line.box.y0 <= max(_CLOSE * pitch, _TIGHT * line.size)


def _numbered_there(title: str, text: str, lines: Sequence[Line], first: int) -> bool:
    """Whether the number that a title begins with, if it does, is in the line or in the one before it."""
    number = _TITLE_NUMBER.match(title)
    before = lines[first - 1].text if first else ""
    return number is None or number[1] in text or before.strip().startswith(number[1])


def _in_capitals(text: str) -> bool:
    """Whether most letters are capitals and none is small; a script without case is neither."""
    letters = [c for c in text if c.isalpha()]
    return text.isupper() and sum(c.isupper() for c in letters) > len(letters) / 2


def _in_row(lines: Sequence[Line], index: int) -> bool:
    """Whether another line stands beside this one at its height."""
    box = lines[index].box
    return any(
        other is not lines[index] and min(box.y1, other.box.y1) - max(box.y0, other.box.y0) > 0.5 * box.height
        for other in lines[max(0, index - 6) : index + 7]
    )


def _same(wanted: str, head: str) -> bool:
    """Equal, or equal but for a number that one of them begins with."""
    if not wanted or not head:
        return False
    longer, shorter = (wanted, head) if len(wanted) > len(head) else (head, wanted)
    if not longer.endswith(shorter):
        return False
    number = longer[: len(longer) - len(shorter)]
    return not number or (len(number) <= _MOST_NUMBER and _NUMBER.fullmatch(number) is not None)
