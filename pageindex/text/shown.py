"""Shown text: what people and models read of a page, made of the anchor without changing it.

The anchor is every character that stands on a page. Shown text leaves out running heads, feet and folios, joins words that a line's end
divided, writes every line break as ``\\n``, and holds no control characters and no white space at the ends of lines. Pages follow each
other as lines do. It is a ``Delivery``: each of its characters knows the page and the bytes it came from.

Use it wherever somebody reads::

    shown_page(edition, 7).text                      # a page
    shown(edition, section.span).text                # a section, over its pages
    shown(edition, section.span).source(10, 60)      # the bytes of the pages that these characters came from
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pageindex.document import Edition, Page, PageRange, Span
from pageindex.document.offsets import byte_size, whole
from pageindex.text.delivery import Delivery, Piece

__all__ = ["kept_bytes", "shown", "shown_page", "shown_ranges"]

_HYPHENS = "-\u2010\u00ad\x02\ufffe"  # the last two are how PDFium may report one at a line's end
_BREAKS = "\n\v\f\r\x1c-\x1e\x85\u2028\u2029"
#: Controls but tab and line breaks, soft hyphens, marks of direction that override what is printed, byte order marks, no characters.
_UNSEEN = "\x00-\x01\x03-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\uffff"
_EVENT = re.compile(
    f"(?P<hyphen>(?<=[^\\W_])(?:[{_HYPHENS}](?P<end>[ \t]*[{_BREAKS}]\\s*)|[\x02\ufffe])(?=[^\\W_]))"
    "|(?P<bare>[\x02\ufffe])"
    f"|(?P<line>[ \t\u00a0{_UNSEEN}]*(?:\r\n|[{_BREAKS}]))"
    f"|(?P<unseen>[{_UNSEEN}]+)"
)
_SPACE = re.compile(r"\s+")
_BREAK = re.compile(f"[{_BREAKS}]")
_MARK = "\ue000"  # stands for the hyphen of a divided word while words are counted
_WORD = re.compile(rf"{_MARK}?[^\W\d_]+(?:[-\u2010{_MARK}][^\W\d_]+)*{_MARK}?")
_BEFORE = re.compile(r"(?:[^\W\d_]+[-\u2010])*[^\W\d_]+\Z")
_AFTER = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_DIVIDED = re.compile(f"[{_HYPHENS}][ \t]*[{_BREAKS}]\\s*|[\x02\ufffe\u00ad]")
_PAIR = re.compile(f"([^\\W\\d_]+)[-\u2010\x02\ufffe][ \t]*[{_BREAKS}]\\s*([^\\W\\d_]+)")
_NEW_LINE = re.compile(
    r"\d[^\w\n]\s*[A-Z]|[^\W\d_]\W+\d+[^\W\d_]"
)  # a dash behind a number and a new sentence; a note's mark and its text
_ADDRESS = re.compile(r"[\d_@/\\]|\w[.:]\w")
_YEAR = re.compile(rb"(?:19|20)\d\d")
_LONGEST = 80  # characters of a word's half; more is no word
_LEAST_HALF = 3  # letters of a half that may be a word of its own
_SURROGATE = re.compile("[\ud800-\udfff]")


def shown_page(edition: Edition, number: int, start: int = 0, end: int | None = None) -> Delivery:
    """A page, or bytes ``[start, end)`` of it, as they are read. Raises IndexError when there is no such page."""
    length = len(edition.page(number).data)
    return shown_ranges(edition, [PageRange(number, start, length if end is None else min(end, length))])


def shown(edition: Edition, span: Span) -> Delivery:
    """A section, or any other span, as it is read: pages follow each other as lines do."""
    pages = (edition.page(number) for number in span.pages)
    return shown_ranges(edition, (PageRange(p.number, *span.on_page(p.number, len(p.data))) for p in pages))


def shown_ranges(edition: Edition, ranges: Iterable[PageRange]) -> Delivery:
    """Ranges of pages, in the order given, as one text; bytes are widened to whole characters."""
    raw = _Raw.of(edition, ranges)
    if _EVENT.search(raw.text) is None:
        return _Builder(raw).copied(0, len(raw.text)).done()
    return _shown(raw, edition)


def kept_bytes(page: Page, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The byte ranges of ``[start, end)`` of a page that are shown: what is left without running lines and their line breaks."""
    data = page.data
    stop = len(data) if end is None else min(end, len(data))
    kept: list[tuple[int, int]] = []
    at, fresh = start, True  # fresh: nothing is kept of the line yet
    for first, last in sorted(page.running):
        first, last = max(first, at), min(last, stop)
        if first >= last or _heads_a_column(page, first, last):
            continue
        line = max(data.rfind(b"\n", at, first), data.rfind(b"\r", at, first)) + 1
        fresh = not data[line or at : first].strip() and (fresh or line > 0)
        begin = max(line, at) if fresh else first
        if begin > at:
            kept.append((at, begin))
        at = _behind(data, last, stop) if fresh else last
    if at < stop:
        kept.append((at, stop))
    return kept


def _heads_a_column(page: Page, first: int, last: int) -> bool:
    """Whether a running range is the year of a column: one that stands beside other text, on a line that is not dropped as a whole."""
    data = page.data
    if _YEAR.fullmatch(data[first:last]) is None:
        return False
    low = max(data.rfind(b"\n", 0, first), data.rfind(b"\r", 0, first)) + 1
    high = min((at for mark in (b"\n", b"\r") if (at := data.find(mark, last)) >= 0), default=len(data))
    line = bytearray(data[low:high])
    for start, end in page.running:
        start, end = max(start, low), min(end, high)
        if start < end:
            line[start - low : end - low] = b" " * (end - start)
    return bool(line.strip())


def _behind(data: bytes, at: int, stop: int) -> int:
    """Where what follows a running line begins: behind the blanks, and the line break, that belong to it."""
    while at < stop and data[at] in b" \t":
        at += 1
    if data[at:stop].startswith(b"\r\n"):
        return at + 2
    return at + 1 if at < stop and data[at] in b"\r\n" else at


@dataclass(frozen=True, slots=True)
class _Raw:
    """What is kept of the anchors, pages parted by a line break, and where each stretch of it comes from."""

    text: str
    at: list[int]  # characters at which stretches begin
    places: list[tuple[int, int, int]]  # page and first byte of each stretch, and its length in characters

    @classmethod
    def of(cls, edition: Edition, ranges: Iterable[PageRange]) -> _Raw:
        parts: list[str] = []
        at: list[int] = []
        places: list[tuple[int, int, int]] = []
        length = 0
        for place in ranges:
            stretches = _stretches(edition.page(place.page), place.start, place.end)
            if stretches and parts:
                parts.append("\n")
                length += 1
            for byte, text in stretches:
                at.append(length)
                places.append((place.page, byte, len(text)))
                parts.append(text)
                length += len(text)
        return cls("".join(parts), at, places)


def _stretches(page: Page, start: int, end: int) -> list[tuple[int, str]]:
    """First byte and text of what is shown of a page's range, without empty lines before it and white space behind it."""
    found = [(low, page.words(low, high)) for low, high in kept_bytes(page, *whole(page.data, start, end))]
    while found and not found[0][1].strip():
        found.pop(0)
    while found and not found[-1][1].strip():
        found.pop()
    if found:
        byte, text = found[0]
        blank = len(text) - len(text.lstrip())
        line = max(text.rfind(mark, 0, blank) for mark in "\n\r\v\f") + 1
        found[0] = (byte + byte_size(text[:line]), text[line:])
        byte, text = found[-1]
        found[-1] = (byte, text.rstrip())
    return found


class _Builder:
    """Puts the shown text together with its map."""

    def __init__(self, raw: _Raw) -> None:
        self.raw = raw
        self.parts: list[str] = []
        self.pieces: list[Piece] = []
        self.length = 0

    def copied(self, start: int, end: int) -> _Builder:
        """Characters of the raw text as they are."""
        for low, high, page, byte in self._stretches(start, end):
            text = self.raw.text[low:high]
            self.pieces.append(Piece(self.length + low - start, high - low, page, byte, byte_size(text)))
        self.parts.append(self.raw.text[start:end])
        self.length += end - start
        return self

    def replaced(self, start: int, end: int, text: str) -> None:
        """One character in place of several."""
        found = next(iter(self._stretches(start, end)), None)
        if found is not None:
            low, high, page, byte = found
            self.pieces.append(Piece(self.length, len(text), page, byte, byte_size(self.raw.text[low:high])))
        self.parts.append(text)
        self.length += len(text)

    def dropped(self, start: int, end: int) -> None:
        """Characters that are not shown: they belong to the one before, where that is of the same page."""
        for low, high, page, byte in self._stretches(start, end):
            last = self.pieces[-1] if self.pieces else None
            if last is None or (last.page, last.byte + last.size) != (page, byte):
                return
            size = byte_size(self.raw.text[low:high])
            own = last.size if last.length == 1 else byte_size(self.parts[-1][-1])
            if last.length > 1:
                self.pieces[-1] = Piece(last.at, last.length - 1, page, last.byte, last.size - own)
            else:
                self.pieces.pop()
            self.pieces.append(Piece(last.at + last.length - 1, 1, page, byte - own, own + size))

    def _stretches(self, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
        """``(low, high, page, byte)`` of every stretch of a page within a range of the raw text."""
        index = max(0, bisect_right(self.raw.at, start) - 1)
        while index < len(self.raw.at) and self.raw.at[index] < end:
            at, (page, byte, length) = self.raw.at[index], self.raw.places[index]
            low, high = max(start, at), min(end, at + length)
            if low < high:
                yield low, high, page, byte + byte_size(self.raw.text[at:low])
            index += 1

    def done(self) -> Delivery:
        return Delivery(_SURROGATE.sub("\ufffd", "".join(self.parts)), tuple(self.pieces))


def _shown(raw: _Raw, edition: Edition) -> Delivery:
    """The raw text with every change made."""
    builder, position = _Builder(raw), 0
    for start, end, new in sorted(_changes(raw.text, edition)):
        builder.copied(position, start)
        if new:
            builder.replaced(start, end, new)
        else:
            builder.dropped(start, end)
        position = end
    return _trimmed(builder.copied(position, len(raw.text)).done())


def _trimmed(read: Delivery) -> Delivery:
    """Without empty lines before it and white space behind it, which may be left where something was dropped."""
    start, end = read.text.rfind("\n", 0, len(read.text) - len(read.text.lstrip())) + 1, len(read.text.rstrip())
    return read.cut(start, max(start, end)) if (start, end) != (0, len(read.text)) else read


def _changes(text: str, edition: Edition) -> Iterator[tuple[int, int, str]]:
    """``(start, end, new)`` of everything that is shown in another way than it stands there."""
    for match in _EVENT.finditer(text):
        start, end = match.span()
        if match["hyphen"]:
            yield from _hyphen(text, start, end, edition)
        elif match["bare"]:
            yield start, end, "-"
        elif match["line"] is None:
            yield start, end, ""
        elif match["line"] != "\n":
            yield start, end, "\n"


def _hyphen(text: str, start: int, end: int, edition: Edition) -> Iterator[tuple[int, int, str]]:
    """A hyphen between two words or numbers, at a line's end: the whole word stands on its first line, and the line break behind it."""
    if end > start + 1 and _NEW_LINE.match(text, start - 1):
        yield start, start + 1, "-"
        yield start + 1, end, "\n"
        return
    if _divided(edition, text, start, end):
        yield start, end, ""
    else:
        yield start, start + 1, "\u2010" if text[start] == "\u2010" else "-"
        yield start + 1, end, ""
    space = _SPACE.search(text, end)
    if end > start + 1 and space is not None and not _BREAK.search(space.group()):
        yield *space.span(), "\n"


def _divided(edition: Edition, text: str, start: int, end: int) -> bool:
    """Whether the hyphen of ``text[start:end]`` only divides a word over two lines, and is not printed where it stands within one."""
    if text[start] == "\u00ad":
        return True
    first = _BEFORE.search(text, max(0, start - _LONGEST), start)
    second = _AFTER.match(text, end, end + _LONGEST)
    if first is None or second is None or _ADDRESS.search(text[max(0, start - _LONGEST) : start].split()[-1]):
        return False  # COVID-19, 2019-2020, www.where-it-is
    one, other = first.group(), second.group()
    if not _cased(one[-1]) or (other[0].isupper() and not one[-1].isupper()):
        return False  # Anglo-Saxon
    return edition.derived(_Habits.of).divides(_plain(one), _plain(other))


def _cased(letter: str) -> bool:
    return letter.upper() != letter.lower()


def _plain(word: str) -> str:
    return word.casefold().replace("\u2010", "-")


@dataclass(frozen=True)
class _Habits:
    """How a document writes words.

    Attributes:
        words: How often each word is printed within a line.
        hyphenates: Whether its line ends divide words at all: most documents that do not justify their lines divide none.
    """

    words: Mapping[str, int]
    hyphenates: bool

    def divides(self, first: str, second: str) -> bool:
        """Whether two halves at a line's end are one word elsewhere, not two with a hyphen."""
        sure = _one_word(self.words, first, second)
        if sure is not None:
            return sure
        last, following = first.rpartition("-")[2], second.partition("-")[0]
        # Neither is printed elsewhere. The halves of a compound are words of the document more often than those of one word are.
        long = len(last) >= _LEAST_HALF and len(following) >= _LEAST_HALF
        return self.hyphenates and not (long and last in self.words and following in self.words)

    @classmethod
    def of(cls, edition: Edition) -> _Habits:
        text = _Raw.of(edition, (PageRange(page.number, 0, len(page.data)) for page in edition.pages)).text
        found = _WORD.findall(_DIVIDED.sub(_MARK, text))
        words = Counter(_plain(word) for word in found if _MARK not in word)
        pairs = [_one_word(words, *map(_plain, match.groups())) for match in _PAIR.finditer(text)]
        return cls(words, pairs.count(True) >= pairs.count(False))


def _one_word(words: Mapping[str, int], first: str, second: str) -> bool | None:
    """Whether two halves are printed as one word more often than with a hyphen, where they are printed in one of these ways."""
    last, following = first.rpartition("-")[2], second.partition("-")[0]
    for one, other in ((first, second), (last, following)):
        whole, apart = words.get(one + other, 0), words.get(f"{one}-{other}", 0)
        if whole != apart:
            return whole > apart
    return None
