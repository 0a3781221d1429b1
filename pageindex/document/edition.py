"""What was read: an Edition is one reading of one source by one extractor, and never changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from pageindex.document.offsets import byte_of, byte_size, char_of, encoded, words_of
from pageindex.document.position import Box, Position

__all__ = [
    "Bookmark",
    "Edition",
    "Extractor",
    "Flag",
    "Font",
    "HeadingTag",
    "KindRange",
    "Line",
    "Link",
    "Note",
    "Page",
    "PageState",
    "Run",
    "Source",
    "TextKind",
    "Unread",
    "UnreadReason",
    "close_lines",
    "new_line",
    "new_run",
    "open_line",
    "text_sha256",
]


Value = TypeVar("Value")


def text_sha256(text: str) -> str:
    """SHA-256 of a text's UTF-8 bytes, in hex. Lone surrogates are hashed as their three-byte form."""
    return hashlib.sha256(encoded(text)).hexdigest()


class PageState(StrEnum):
    """The one state in which a page ends."""

    TEXT = "text"
    BLANK = "blank"  # nothing is drawn on it
    IMAGE_ONLY = "image_only"  # something is drawn, and none of it is text
    GARBLED = "garbled"  # text whose characters mean nothing
    FAILED = "failed"  # could not be read; the note says why

    @property
    def readable(self) -> bool:
        """Whether the page's text can be taken at its word; a blank page can."""
        return self in (PageState.TEXT, PageState.BLANK)


class TextKind(StrEnum):
    """What text is that is no part of the page's own content."""

    FORM = "form"  # the value that a form field shows
    ANNOTATION = "annotation"  # a note, a stamp or a comment
    COMMENT = "comment"  # of a reviewer, in the margin
    HEADER = "header"  # stands above every page of a format that keeps it apart
    FOOTER = "footer"  # stands below every page
    NOTE = "note"  # a footnote or an endnote


class KindRange(NamedTuple):
    """A byte range of a page's text, and what drew it."""

    kind: TextKind
    start: int
    end: int


class UnreadReason(StrEnum):
    """Why something that a page shows is not in its text."""

    PICTURE = "picture"  # a picture that may hold text
    OUTLINES = "outlines"  # letters drawn as lines and curves
    ENCODING = "encoding"  # characters whose codes have no meaning
    TRUNCATED = "truncated"  # more characters than the limit
    FAILED = "failed"  # the page could not be read


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that a page shows, or may show, and that no reader turned into text.

    Attributes:
        reason: Why.
        box: Where on the displayed page; None for all of it, and where the place is not known.
    """

    reason: UnreadReason
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes that were read."""

    name: str
    sha256: str
    size: int
    media_type: str = "application/pdf"


@dataclass(frozen=True, slots=True)
class Extractor:
    """What turned the bytes into text. Another id or version may give another text for the same bytes."""

    id: str
    version: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Something worth knowing of a page, with the figures that raised it."""

    name: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """A warning kept with the document: what was met and what was done about it."""

    code: str
    message: str
    page: int | None = None


_UNREAD_STATES = {
    PageState.IMAGE_ONLY: UnreadReason.PICTURE,
    PageState.GARBLED: UnreadReason.ENCODING,
    PageState.FAILED: UnreadReason.FAILED,
}


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        number: Physical, 1-based.
        text: The anchor: exactly what the extractor gave, never edited; all offsets count its UTF-8 bytes. Of a PDF: lines in reading order
            that end with a line feed, cells of one row parted by two blanks, hyphens as drawn, no control characters. (Editions of the
            first text version have PDFium's own text: lines in the file's order, CRLF, U+0002 for a hyphen at a line's end.)
        state: The one state in which the page ended.
        label: The printed page number where one is known, else None.
        label_source: ``pdf`` (/PageLabels) or ``folio`` (inferred from printed numbers); None without a label.
        width, height: In points, as displayed (after rotation); 0 where a format has no page size.
        rotation: Degrees clockwise, from the file.
        flags: See ``spec``: table, figure, numeric, scanned, rotated, rtl, …, each with its evidence.
        running: Byte ranges of running heads, feet and folios in ``text``.
        problem: Why the page failed; empty unless it did.
        kinds: The ranges of ``text`` that form fields and annotations draw, in order; all other text is the page's own.
        unread_parts: Parts of the page that its reader saw and could not turn into text; ask ``unread``, which knows more.
    """

    number: int
    text: str
    state: PageState = PageState.TEXT
    label: str | None = None
    label_source: str | None = None
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    flags: tuple[Flag, ...] = ()
    running: tuple[tuple[int, int], ...] = ()
    problem: str = ""
    kinds: tuple[KindRange, ...] = ()
    unread_parts: tuple[Unread, ...] = ()

    def __post_init__(self) -> None:
        if self.number < 1:
            raise ValueError(f"page numbers start at 1, not {self.number}")

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What the page shows, or may show, besides its text; empty where the text is all there is.

        Nobody may say that something is not on a page unless this is empty.
        """
        known = {part.reason for part in self.unread_parts}
        more = [_UNREAD_STATES.get(self.state), UnreadReason.TRUNCATED if self.has_flag("truncated") else None]
        return (*[Unread(reason) for reason in more if reason and reason not in known], *self.unread_parts)

    def kinds_in(self, start: int, end: int) -> frozenset[TextKind]:
        """The kinds of text, other than the page's own, that a byte range touches."""
        return frozenset(one.kind for one in self.kinds if one.start < end and start < one.end)

    @property
    def data(self) -> bytes:
        """The text as the UTF-8 bytes that all offsets count."""
        return encoded(self.text)

    @property
    def printed_label(self) -> str | None:
        """The printed page number where one is known and differs from the physical one."""
        return self.label if self.label != str(self.number) else None

    def words(self, start: int, end: int) -> str:
        """The text of a byte range, widened to whole characters."""
        return self.text[start:end] if self.text.isascii() else words_of(self.data, start, end)

    def byte(self, char: int) -> int:
        """The byte at which a character of the text begins."""
        return byte_of(self.text, char)

    def char(self, byte: int) -> int:
        """The character of the text that a byte belongs to."""
        return min(byte, len(self.text)) if self.text.isascii() else char_of(self.data, byte)

    @property
    def sha256(self) -> str:
        return text_sha256(self.text)

    def has_flag(self, name: str) -> bool:
        return any(flag.name == name for flag in self.flags)


@dataclass(frozen=True, slots=True)
class Font:
    """A font face. ``bold`` and ``italic`` are what its name and descriptor say; compare weights with the body's."""

    name: str
    bold: bool = False
    italic: bool = False
    mono: bool = False
    serif: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a line in one style.

    Attributes:
        start: Offset into the line's text, in characters; the run ends where the next begins.
        size: Font size in points, as displayed.
        font: Index into ``Edition.fonts``.
        weight: As the extractor reports it (not absolute: compare with the body's).
        color: 0xRRGGBB.
    """

    start: int
    size: float
    font: int
    weight: int = 400
    color: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line, or one cell of it where a wide gap splits it.

    Attributes:
        page: Physical, 1-based.
        start, end: Byte range in the page's text; ``end`` is without the line break.
        text: The characters of that range.
        box: Where it stands on the displayed page.
        size, font, weight, color: Of its dominant style, as in ``Run``.
        runs: The stretches of one font and size each, where there is more than one; else empty. Of a PDF, a stretch of a character or two
            between others of one style may be missed.
        angle: Degrees by which the text is turned on the displayed page; 0 for upright text.
    """

    page: int
    start: int
    end: int
    text: str
    box: Box
    size: float
    font: int
    weight: int = 400
    color: int = 0
    runs: tuple[Run, ...] = ()
    angle: int = 0

    @property
    def position(self) -> Position:
        return Position(self.page, self.start)


def _open(closed: type) -> Any:
    """A class with the fields of a frozen one, which may still be written."""
    return make_dataclass(f"_Open{closed.__name__}", [(one.name, one.type) for one in fields(closed)], slots=True)


_open_line = cast("Callable[[int, int, int, str, Box, float, int, int, int, tuple[Run, ...], int], Line]", _open(Line))


def open_line(
    page: int,
    text: str,
    box: Box,
    size: float,
    font: int,
    weight: int,
    color: int,
    runs: tuple[Run, ...],
    angle: int,
) -> Line:
    """A line whose place in the page's text is not known yet; only ``close_lines`` makes it one.

    For those who make lines by the hundred thousand: a frozen dataclass sets each field through ``object.__setattr__``, which takes
    four times as long as setting them as usual and closing the class at the end.
    """
    return _open_line(page, 0, 0, text, box, size, font, weight, color, runs, angle)


def close_lines(lines: Sequence[Line], starts: Sequence[int], ends: Sequence[int]) -> None:
    """Gives open lines their byte ranges in the page's text; then each is a ``Line`` like any other."""
    for line, start, end in zip(lines, starts, ends, strict=True):
        line.start = start  # type: ignore[misc]
        line.end = end  # type: ignore[misc]
        line.__class__ = Line


def new_line(
    page: int,
    start: int,
    end: int,
    text: str,
    box: Box,
    size: float,
    font: int,
    weight: int,
    color: int,
    runs: tuple[Run, ...],
    angle: int,
) -> Line:
    """The same as ``Line(...)`` in a fourth of the time; see ``open_line``."""
    line = _open_line(page, start, end, text, box, size, font, weight, color, runs, angle)
    line.__class__ = Line
    return line


_open_run = cast("Callable[[int, float, int, int, int], Run]", _open(Run))


def new_run(start: int, size: float, font: int, weight: int, color: int) -> Run:
    """The same as ``Run(...)``, as ``new_line`` is the same as ``Line(...)``."""
    run = _open_run(start, size, font, weight, color)
    run.__class__ = Run
    return run


@dataclass(frozen=True, slots=True)
class Bookmark:
    """One entry of the file's outline, as a fact, unjudged.

    Attributes:
        title: As stored.
        level: 1 is the top.
        page: Physical page of the target; None where the entry has none in this file.
        y: Height of the target on the displayed page, from the top, in points; None when the target gives none.
        kind: How the target is given: ``explicit``, ``named``, ``action``, ``integer``, ``remote``, ``uri``, ``launch`` or ``none``.
    """

    title: str
    level: int
    page: int | None
    y: float | None = None
    kind: str = "explicit"


@dataclass(frozen=True, slots=True)
class HeadingTag:
    """A heading of a tagged PDF, or of a format in which headings are marked.

    ``level`` is 0 for a document title (``/Title``) and 1-based otherwise; ``/H`` takes its level from its nesting. ``start`` is the
    byte where the heading's text begins on its page, when it was found there.
    """

    title: str
    level: int
    page: int
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link on a page to a page of the same document."""

    page: int
    box: Box
    target: int
    y: float | None = None


@dataclass(frozen=True)
class Edition:
    """One reading of one source.

    Attributes:
        source: The bytes that were read.
        extractor: What read them.
        pages: All pages, in physical order: ``pages[i].number == i + 1``.
        lines: All lines in reading order: by page, then by band and column within the page.
        fonts: The faces that lines and runs point into.
        bookmarks: The file's outline in order; empty when it has none or it cannot be read (a note says which).
        tags: Headings marked as such.
        tag_coverage: Share of the text (0-1) that stands under any tag.
        links: Links between pages.
        info: Title, author, language and the like, as the file states them: ``title, author, subject, language, producer, creator``.
        notes: What was met while reading.
    """

    source: Source
    extractor: Extractor
    pages: tuple[Page, ...]
    lines: Sequence[Line] = ()
    fonts: tuple[Font, ...] = ()
    bookmarks: tuple[Bookmark, ...] = ()
    tags: tuple[HeadingTag, ...] = ()
    tag_coverage: float = 0.0
    links: tuple[Link, ...] = ()
    info: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if not self.pages:
            raise ValueError("an edition has at least one page")
        for index, page in enumerate(self.pages):
            if page.number != index + 1:
                raise ValueError(f"page {index + 1} is numbered {page.number}")

    @cached_property
    def id(self) -> str:
        """64 hex digits over the source, the extractor and the text of every page."""
        digest = hashlib.sha256()
        digest.update(f"{self.source.sha256}\n{self.extractor.id}\n{self.extractor.version}\n".encode())
        for page in self.pages:
            digest.update(f"{page.state.value} {page.sha256}\n".encode())
        return digest.hexdigest()

    @property
    def page_count(self) -> int:
        return len(self.pages)

    def page(self, number: int) -> Page:
        """The page of a physical number; raises IndexError when there is none."""
        if not 1 <= number <= len(self.pages):
            raise IndexError(f"page {number} of {len(self.pages)}")
        return self.pages[number - 1]

    @cached_property
    def end(self) -> Position:
        """The position behind the last byte."""
        last = self.pages[-1]
        return Position(last.number, len(last.data))

    def derived(self, make: Callable[[Edition], Value]) -> Value:
        """What a function makes of this edition: made once, and kept as long as the edition is, by whoever holds it.

        Threads that ask at once may each make it, and all get the same.
        """
        kept: dict[Callable[[Edition], Any], Any] = self.__dict__.setdefault("_derived", {})
        if make not in kept:
            kept.setdefault(make, make(self))
        found: Value = kept[make]
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_derived"}

    def text(self, start: Position, end: Position) -> str:
        """The text from ``start`` up to ``end``, pages joined by a form feed."""
        parts = []
        for number in range(start.page, end.page + 1):
            page = self.page(number)
            first = start.byte if number == start.page else 0
            last = end.byte if number == end.page else byte_size(page.text)
            if number == end.page and last == 0 and number > start.page:
                break
            parts.append(page.words(first, last))
        return "\f".join(parts)
