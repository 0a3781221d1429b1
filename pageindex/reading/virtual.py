"""Formats without pages: a text, the headings marked in it and the places where it may be cut become an Edition.

Virtual pages are slices of the text, in order and without gaps, so offsets, spans and quotes work as on printed pages. A page begins at
each heading that follows some text (headings stacked on each other stay together), and a page that grows past ``PAGE_CHARS`` is cut at
the last paragraph, line or space before that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pageindex.document import (
    Box,
    Edition,
    Extractor,
    Flag,
    Font,
    HeadingTag,
    Line,
    Note,
    Page,
    PageState,
    Source,
)
from pageindex.errors import DamagedFileError, LimitError, UnsupportedFormatError
from pageindex.limits import Limits

__all__ = ["Heading", "clean_title", "decode_text", "make_edition"]

PAGE_CHARS = 4_000  #: About a printed page and a half: small enough to read under a budget.

BODY_SIZE, LINE_HEIGHT, LETTER_WIDTH = 10.0, 12.0, 5.0  # a typewriter's page, so that layout rules see indents and gaps

_BODY, _BOLD = 0, 1
_FONTS = (Font("body"), Font("heading", bold=True))
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_SPACES = re.compile(r"\s+")
_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})|<\?xml[^>]{0,100}encoding\s*=\s*["']([A-Za-z0-9_.-]{1,40})""",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A marked heading: offset of the first character of its line in the text, its level (0 is a document title) and its title."""

    offset: int
    level: int
    title: str


def clean_title(text: str) -> str:
    """One line, spaces folded."""
    return _SPACES.sub(" ", text).strip()


def decode_text(data: bytes, name: str, *, markup: bool = False) -> tuple[str, Note | None]:
    """Bytes to text: byte order mark, then (for ``markup``) the declared character set, then UTF-8, then Windows-1252 with a note.

    Raises DamagedFileError for an empty file and UnsupportedFormatError for bytes that are no text.
    """
    if not data.strip(b" \t\r\n\f\x00\xef\xbb\xbf"):
        raise DamagedFileError(f"{name} is empty", "Add a file that has some text.", code="EMPTY_FILE")
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return _decoded(data, encoding, name)
    declared = _CHARSET.search(data[:2048]) if markup else None
    if declared is not None:
        try:
            return _decoded(data, (declared[1] or declared[2]).decode("ascii"), name)
        except LookupError:  # an unknown name: fall through to what the bytes themselves say
            pass
    if b"\x00" in data:
        raise UnsupportedFormatError(f"{name} is not text: it holds NUL bytes")
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        if sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in data[:65_536]) > len(data[:65_536]) // 50:
            raise UnsupportedFormatError(f"{name} is not text: it holds control bytes") from error
        note = Note("ENCODING_GUESSED", f"not UTF-8 (byte {error.start}); read as Windows-1252")
        return data.decode("cp1252", "replace"), note


def _decoded(data: bytes, encoding: str, name: str) -> tuple[str, Note | None]:
    try:
        return data.decode(encoding), None
    except UnicodeDecodeError as error:
        text = data.decode(encoding, "replace")
        return text, Note("ENCODING_ERRORS", f"{name}: some bytes are not {encoding}, the first at {error.start}")


def make_edition(
    source: Source,
    extractor: Extractor,
    text: str,
    headings: Sequence[Heading],
    limits: Limits,
    *,
    cuts: Sequence[int] = (),
    info: Mapping[str, str] | None = None,
    notes: Sequence[Note] = (),
    marked: bool = True,
) -> Edition:
    """Build an edition whose pages are slices of ``text``.

    Args:
        headings: In order of offset.
        cuts: Further offsets at which a page must begin (form feeds, page breaks).
        marked: Whether the format marks headings, so that what is not marked is not one.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate becomes "?": an anchor is valid UTF-8
    starts = list(_page_starts(text, headings, cuts))
    if len(starts) > limits.pages:
        raise LimitError(f"{source.name} would make {len(starts)} pages of at most {limits.pages}")
    pages: list[Page] = []
    lines: list[Line] = []
    tags: list[HeadingTag] = []
    pending = list(reversed(headings))
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
        body = text[start:end]
        tagged: dict[int, Heading] = {}
        while pending and pending[-1].offset < end:
            heading = pending.pop()
            tagged[heading.offset - start] = heading
        page_lines, places = _page_lines(number, body, tagged)
        lines += page_lines
        tags += [HeadingTag(h.title, h.level, number, places.get(offset)) for offset, h in tagged.items()]
        state = PageState.TEXT if body.strip() else PageState.BLANK
        width = max((line.box.x1 for line in page_lines), default=0.0)
        height = max((line.box.y1 for line in page_lines), default=0.0)
        flags = (Flag("virtual", {"characters": len(body)}),)
        pages.append(Page(number, body, state, width=width, height=height, flags=flags))
    return Edition(
        source=source,
        extractor=extractor,
        pages=tuple(pages),
        lines=tuple(lines),
        fonts=_FONTS,
        tags=tuple(tags),
        tag_coverage=1.0 if marked and tags else 0.0,
        info=dict(info or {}),
        notes=tuple(notes),
    )


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
        line_end = _BREAK.search(text, heading.offset)
        previous_end = line_end.end() if line_end else len(text)
        following = _BREAK.search(text, previous_end)
        underline = text[previous_end : following.start() if following else len(text)].strip()
        if underline and set(underline) <= {"=", "-"}:  # the second line of an underlined heading is part of it
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


def _page_lines(number: int, body: str, tagged: Mapping[int, Heading]) -> tuple[list[Line], dict[int, int]]:
    """The printed lines of a page, and the byte at which the line of each tagged offset begins."""
    lines: list[Line] = []
    places: dict[int, int] = {}
    offset, position, row = 0, 0, 0
    breaks = [match.span() for match in _BREAK.finditer(body)]
    for end, following in [*breaks, (len(body), len(body))]:
        raw = body[offset:end]
        shown = raw.strip()
        heading = tagged.get(offset)  # every format reports the offset of the heading's line
        lead = raw[: len(raw) - len(raw.lstrip())]
        start = position + len(lead.encode())
        if heading is not None:
            places[offset] = start
        if shown:
            lines.append(_line(number, start, shown, len(lead.expandtabs(4)), row, heading))
        position += len(body[offset:following].encode())
        offset, row = following, row + 1
    return lines, places


def _line(page: int, start: int, text: str, indent: int, row: int, heading: Heading | None) -> Line:
    size = BODY_SIZE if heading is None else BODY_SIZE + 2.0 * max(1, 7 - heading.level)
    left, top = indent * LETTER_WIDTH, row * LINE_HEIGHT
    box = Box(left, top, left + len(text) * LETTER_WIDTH, top + BODY_SIZE)
    font, weight = (_BODY, 400) if heading is None else (_BOLD, 700)
    return Line(page, start, start + len(text.encode()), text, box, size, font, weight)
