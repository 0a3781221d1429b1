"""What form fields and annotations draw on a page: text of its own kind, read as the page's own text is.

PDFium reads page contents only. So a page that has such annotations is copied, their appearances are drawn into the copy's contents
(PDFium calls it flattening), and the copy is read: fonts, places and separators are those of any other text. What has a value and no
appearance is a line in its rectangle. The state of a box or a radio button is a sign, ☒ or ☐, whatever draws it.

Links, pop-ups, closed notes and mere marks on the page's own text draw no text, and what is hidden is not there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from pageindex.document import Box, KindRange, Line, TextKind
from pageindex.document.edition import open_line
from pageindex.document.offsets import byte_size
from pageindex.reading.pdf.api import FLOATS, Document, api, handle, wide_string
from pageindex.reading.pdf.batch import Rect, char_boxes, text_objects
from pageindex.reading.pdf.fonts import Frame
from pageindex.reading.pdf.joining import Printed, Spot

__all__ = ["NOTHING", "Marks", "ShownPage", "shown_page"]

MOST_ANNOTATIONS = 5000  #: Looked at on one page.
LARGEST = 12.0  #: Points of a value that has no appearance, at most.

CHECKED, UNCHECKED = "\u2612", "\u2610"

_FREE_TEXT, _WIDGET = 3, 20
#: Kinds of annotations that may draw text: lines and shapes with captions, stamps, carets, watermarks, redactions.
_DRAWING = frozenset((_FREE_TEXT, 4, 5, 6, 7, 8, 13, 14, 15, _WIDGET, 24, 27, 28))
_HIDDEN, _NO_VIEW = 2, 32
_CHOICES, _PASSWORD = frozenset((4, 5)), 1 << 13  # FPDF_FORMFIELD_*; field flag 14
_TEXT_FIELD = 6
_FLATTENED = 1

_TEXT_OBJECT, _FORM_OBJECT = 1, 5
_DEEPEST_FORM = 8


class Mark(NamedTuple):
    """An annotation that draws something.

    ``text`` is what it draws where it has no appearance for it; else empty.
    """

    kind: TextKind
    rect: Rect  # left, top, right, bottom in page coordinates
    text: str = ""


@dataclass(frozen=True)
class Marks:
    """What the annotations of a page draw.

    Attributes:
        objects: Handles of the text objects that their appearances are made of.
    """

    marks: tuple[Mark, ...] = ()
    objects: frozenset[int] = field(default_factory=frozenset)

    def with_values(self, printed: Printed, number: int, frame: Frame, font: int) -> Printed:
        """The lines of a page, and those of values without appearance behind them."""
        lines, objects, spots = list(printed.lines), list(printed.objects), list(printed.spots)
        for place, mark in enumerate(self.marks):
            for line in _value_lines(mark, number, frame, font):
                lines.append(line)
                objects.append(None)
                spots.append(((0, -1 - place, len(line.text)),))
        return Printed(lines, objects, spots)

    def drawn(self, printed: Printed) -> frozenset[int]:
        """The places of the lines that begin with what they draw."""
        if not self.marks:
            return frozenset()
        parts = zip(printed.objects, printed.spots, strict=True)
        return frozenset(n for n, (item, spots) in enumerate(parts) if spots[0][1] < 0 or item in self.objects)

    def kinds_of(self, text_page: int, lines: list[Line], spots: list[tuple[Spot, ...]]) -> tuple[KindRange, ...]:
        """The byte ranges of a finished page's text that they draw, in order."""
        page = handle(text_page)
        found: list[KindRange] = []
        for line, parts in zip(lines, spots, strict=True):
            for at, index, length in parts:
                kind = self.marks[-1 - index].kind if index < 0 else self._kind(page, index)
                if kind is not None:
                    start = line.start + byte_size(line.text[:at])
                    found.append(KindRange(kind, start, start + byte_size(line.text[at : at + length])))
        return tuple(found)

    def _kind(self, page: object, index: int) -> TextKind | None:
        if text_objects(page, [index])[0] not in self.objects:
            return None
        ((left, top, right, bottom),) = char_boxes(page, [index])
        x, y = (left + right) / 2, (top + bottom) / 2
        for mark in self.marks:
            if mark.rect[0] <= x <= mark.rect[2] and mark.rect[3] <= y <= mark.rect[1]:
                return mark.kind
        return TextKind.ANNOTATION


NOTHING = Marks()


class ShownPage(NamedTuple):
    """A page as it is shown."""

    page: int  # handle of the page whose text is to be read: with what its annotations draw
    own: int  # handle of the document's own page, which has its links and tags
    marks: Marks


@contextmanager
def shown_page(document: Document, index: int) -> Iterator[ShownPage]:
    """A page (0-based) as it is shown, closed on exit; handles are 0 when PDFium cannot load it. The document stays as it is."""
    with document.page(index) as page:
        marks = _marks(document, page) if page and api.FPDFPage_GetAnnotCount(page) > 0 else []
        if all(mark.text for mark in marks):
            yield ShownPage(page, page, Marks(tuple(marks)) if marks else NOTHING)
            return
        with _flattened(document, index) as (copy, objects):
            yield ShownPage(copy or page, page, Marks(tuple(marks), objects))


@contextmanager
def _flattened(document: Document, index: int) -> Iterator[tuple[int, frozenset[int]]]:
    """A copy of a page into which its annotations are drawn, and the text objects that are theirs; 0 where PDFium makes none."""
    copy = api.FPDF_CreateNewDocument()
    page = 0
    try:
        if api.FPDF_ImportPagesByIndex(copy, document.handle, (ctypes.c_int * 1)(index), 1, 0):
            page = api.FPDF_LoadPage(copy, 0) or 0
        own = _flatten(page) if page else -1
        if own < 0:
            yield 0, frozenset()
            return
        api.FPDF_ClosePage(page)
        page = api.FPDF_LoadPage(copy, 0) or 0
        yield page, _text_objects(page, own) if page else frozenset()
    finally:
        if page:
            api.FPDF_ClosePage(page)
        api.FPDF_CloseDocument(copy)


def _flatten(page: int) -> int:
    """Draws the annotations of a page into it, boxes and radio buttons left out; how many objects it had before, -1 on failure."""
    own: int = api.FPDFPage_CountObjects(page)
    for number in range(min(api.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        with _annotation(page, number) as item:
            if item and api.FPDFAnnot_GetSubtype(item) == _WIDGET and _state(item):
                api.FPDFAnnot_SetFlags(item, _HIDDEN)
    return own if api.FPDFPage_Flatten(page, 0) == _FLATTENED else -1


def _text_objects(page: int, own: int) -> frozenset[int]:
    """The text objects of a page, in forms, from its ``own``-th object on."""
    found: set[int] = set()
    pending = [
        (api.FPDFPage_GetObject(handle(page), place) or 0, 0) for place in range(own, api.FPDFPage_CountObjects(page))
    ]
    while pending:
        item, depth = pending.pop()
        kind = api.FPDFPageObj_GetType(handle(item)) if item else 0
        if kind == _TEXT_OBJECT:
            found.add(item)
        elif kind == _FORM_OBJECT and depth < _DEEPEST_FORM:
            inner = range(api.FPDFFormObj_CountObjects(item))
            pending += [(api.FPDFFormObj_GetObject(item, place) or 0, depth + 1) for place in inner]
    return frozenset(found)


@contextmanager
def _annotation(page: int, number: int) -> Iterator[int]:
    item = api.FPDFPage_GetAnnot(page, number) or 0
    try:
        yield item
    finally:
        if item:
            api.FPDFPage_CloseAnnot(item)


def _marks(document: Document, page: int) -> list[Mark]:
    """What the annotations of a loaded page may draw."""
    found = []
    for number in range(min(api.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)):
        item = api.FPDFPage_GetAnnot(page, number)
        if item:
            kind = api.FPDFAnnot_GetSubtype(item)
            if kind in _DRAWING and not api.FPDFAnnot_GetFlags(item) & (_HIDDEN | _NO_VIEW):
                mark = _mark(document, item, kind)
                if mark is not None:
                    found.append(mark)
            api.FPDFPage_CloseAnnot(item)
    return found


def _mark(document: Document, item: int, kind: int) -> Mark | None:
    if not api.FPDFAnnot_GetRect(item, ctypes.addressof(FLOATS)):
        return None
    x0, y0, x1, y1 = FLOATS[:4]
    rect = min(x0, x1), max(y0, y1), max(x0, x1), min(y0, y1)
    drawn = api.FPDFAnnot_GetAP(item, 0, None, 0) > 2
    if kind == _WIDGET:
        text = _state(item) or ("" if drawn else _field_value(document.form, item))
        return Mark(TextKind.FORM, rect, text) if text or drawn else None
    text = "" if drawn or kind != _FREE_TEXT else wide_string(api.FPDFAnnot_GetStringValue, item, b"Contents")
    return Mark(TextKind.ANNOTATION, rect, text) if text.strip() or drawn else None


def _state(item: int) -> str:
    """The sign of a box or a radio button; empty for any other field."""
    state = wide_string(api.FPDFAnnot_GetStringValue, item, b"AS")
    return "" if not state else UNCHECKED if state == "Off" else CHECKED


def _value_lines(mark: Mark, number: int, frame: Frame, font: int) -> list[Line]:
    texts = [text for text in mark.text.splitlines() if text.strip()]
    box = frame.box(*mark.rect)
    if not texts or box.x1 <= 0 or box.y1 <= 0 or box.x0 >= frame.size[0] or box.y0 >= frame.size[1]:
        return []
    height = box.height / len(texts)
    lines = []
    for row, text in enumerate(texts):
        clean = "".join(char if char.isprintable() else " " for char in text).strip()
        size = round(min(max(0.75 * height, 1.0), LARGEST), 2)
        middle = box.y0 + (row + 0.5) * height
        place = Box(box.x0, middle - size / 2, min(box.x1, box.x0 + 0.55 * size * len(clean)), middle + size / 2)
        lines.append(open_line(number, clean, place, size, font, 400, 0, (), 0))
    return lines


def _field_value(form: int, item: int) -> str:
    """What a text field holds or which options are chosen; empty for other fields and for passwords."""
    if not form:
        return ""
    kind = api.FPDFAnnot_GetFormFieldType(form, item)
    if kind in _CHOICES:
        count = min(max(api.FPDFAnnot_GetOptionCount(form, item), 0), MOST_ANNOTATIONS)
        chosen = [place for place in range(count) if api.FPDFAnnot_IsOptionSelected(form, item, place)]
        if chosen:
            return "\n".join([wide_string(api.FPDFAnnot_GetOptionLabel, form, item, place) for place in chosen])
    elif kind != _TEXT_FIELD or api.FPDFAnnot_GetFormFieldFlags(form, item) & _PASSWORD:
        return ""
    return wide_string(api.FPDFAnnot_GetFormFieldValue, form, item)
