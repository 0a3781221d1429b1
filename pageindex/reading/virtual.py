"""Formats without pages: a text and what is known of it become an Edition.

Virtual pages are slices of the text, in order and without gaps, so offsets, spans and quotes work as on printed pages. A page begins at
each heading that follows some text (headings stacked on each other stay together), and a page that grows past ``PAGE_CHARS`` is cut at
the last paragraph, line or space before that. Where the lines stand is made up in ``typeset``.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pageindex.document import (
    Edition,
    Extractor,
    Flag,
    HeadingTag,
    KindRange,
    Line,
    Note,
    Page,
    PageState,
    Source,
    TextKind,
    Unread,
    UnreadReason,
)
from pageindex.errors import LimitError
from pageindex.limits import Limits
from pageindex.reading.typeset import FONTS, LINE_BREAK, Heading, Styled, Typesetter

__all__ = ["Content", "Drawn", "Heading", "Styled", "clean_title", "make_edition"]

PAGE_CHARS = 4_000  #: About a printed page and a half: small enough to read under a budget.
MOST_BROKEN = 0.02  #: Share of a page's characters that may be undecodable before the page means nothing.

_SPACES = re.compile(r"\s+")
_BROKEN = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A stretch of the text, in characters, that is not the body's own."""

    start: int
    end: int
    kind: TextKind


@dataclass(frozen=True, slots=True)
class Content:
    """What a reader found.

    Attributes:
        text: All of it, in reading order.
        headings: Marked headings, in order of offset.
        styled: Stretches in another style than the body's, in order, apart.
        drawn: Stretches that are not the body's own, in order.
        pictures: Offsets at which something is shown that is not read.
        cuts: Further offsets at which a page must begin (form feeds, page breaks).
        info: As ``Edition.info``.
        notes: What was met.
        marked: Whether the format marks headings, so that what is not marked is not one.
        guessed: The encoding is a guess that nothing supports: pages with other characters than ASCII mean nothing.
        lost: Something of the file could not be read, nobody knows where; the last page says so.
        flowing: A line of the text is a paragraph, which is displayed on several lines with space around it.
    """

    text: str
    headings: Sequence[Heading] = ()
    styled: Sequence[Styled] = ()
    drawn: Sequence[Drawn] = ()
    pictures: Sequence[int] = ()
    cuts: Sequence[int] = ()
    info: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[Note] = ()
    marked: bool = True
    guessed: bool = False
    lost: bool = False
    flowing: bool = False


def clean_title(text: str) -> str:
    """One line, spaces folded."""
    return _SPACES.sub(" ", text).strip()


def make_edition(source: Source, extractor: Extractor, content: Content, limits: Limits) -> Edition:
    """Build an edition whose pages are slices of the content's text.

    Raises:
        LimitError: More pages than ``limits`` allow.
    """
    text = content.text.encode("utf-8", "replace").decode(
        "utf-8"
    )  # a lone surrogate becomes "?": an anchor is valid UTF-8
    starts = list(_page_starts(text, content.headings, content.cuts))
    if len(starts) > limits.pages:
        raise LimitError(f"{source.name} would make {len(starts)} pages of at most {limits.pages}")
    typesetter = Typesetter(content.headings, content.styled, content.flowing)
    pages: list[Page] = []
    lines: list[Line] = []
    tags: list[HeadingTag] = []
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
        sheet = typesetter.page(number, text, start, end)
        lines += sheet.lines
        tags += [HeadingTag(one.title, one.level, number, byte) for one, byte in sheet.headings]
        pages.append(_page(number, text[start:end], start, content, sheet.width, sheet.height))
    return Edition(
        source=source,
        extractor=extractor,
        pages=tuple(pages),
        lines=tuple(lines),
        fonts=FONTS,
        tags=tuple(tags),
        tag_coverage=1.0 if content.marked and tags else 0.0,
        info=dict(content.info),
        notes=(*content.notes, *_garbled(pages)),
    )


def _page(number: int, body: str, start: int, content: Content, width: float, height: float) -> Page:
    end = start + len(body)
    kinds = tuple(
        KindRange(one.kind, _byte(body, one.start - start), _byte(body, one.end - start))
        for one in content.drawn
        if one.start < end and start < one.end
    )
    last = bisect_left(content.pictures, end) if end < len(content.text) else len(content.pictures)
    pictured = bisect_left(content.pictures, start) < last
    unread = [UnreadReason.PICTURE] * pictured + [UnreadReason.FAILED] * (content.lost and end == len(content.text))
    return Page(
        number,
        body,
        _state(body, content.guessed, pictured),
        width=width,
        height=height,
        flags=(Flag("virtual", {"characters": len(body)}),),
        kinds=kinds,
        unread_parts=tuple(Unread(reason) for reason in unread),
    )


def _byte(body: str, offset: int) -> int:
    return len(body[: max(0, offset)].encode())


def _state(body: str, guessed: bool, pictured: bool) -> PageState:
    if not body.strip():
        return PageState.IMAGE_ONLY if pictured else PageState.BLANK
    broken = len(_BROKEN.findall(body)) + sum(unicodedata.category(c) in ("Cn", "Co") for c in body if c > "\u2fff")
    if broken > MOST_BROKEN * len(body) or (guessed and not body.isascii()):
        return PageState.GARBLED
    return PageState.TEXT


def _garbled(pages: Sequence[Page]) -> Iterator[Note]:
    found = [page.number for page in pages if page.state is PageState.GARBLED]
    if found:
        message = f"{len(found)} of {len(pages)} pages hold characters without meaning, the first page {found[0]}"
        yield Note("GARBLED_TEXT", message, found[0])


def _page_starts(text: str, headings: Sequence[Heading], cuts: Sequence[int]) -> Iterator[int]:
    """Offsets at which pages begin; the first is 0."""
    wanted = sorted({0, *cuts, *_section_starts(text, headings)})
    for start, end in zip(wanted, [*wanted[1:], len(text)], strict=True):
        yield start
        while end - start > PAGE_CHARS:
            start = _cut_before(text, start, start + PAGE_CHARS)
            yield start


def _section_starts(text: str, headings: Sequence[Heading]) -> Iterator[int]:
    """Headings that follow some text since the last page began."""
    previous_end = 0
    for heading in headings:
        if text[previous_end : heading.offset].strip():
            yield heading.offset
        line_end = LINE_BREAK.search(text, max(heading.offset, heading.end))
        previous_end = line_end.end() if line_end else len(text)
        following = LINE_BREAK.search(text, previous_end)
        underline = text[previous_end : following.start() if following else len(text)].strip()
        if underline and set(underline) <= {"=", "-"}:  # the line below an underlined heading is part of it
            previous_end = following.end() if following else len(text)


def _cut_before(text: str, start: int, end: int) -> int:
    """The best place to cut in (start, end]: behind a blank line, a line, or a space in the second half; else hard at ``end``."""
    half = start + (end - start) // 2
    for mark in ("\n\n", "\r\n\r\n", "\n", " "):
        found = text.rfind(mark, half, end)
        if found >= 0:
            return found + len(mark)
    if text[end - 1] == "\r" and text[end : end + 1] == "\n":
        return end - 1
    return end
