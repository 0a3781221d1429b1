"""PDF → Edition by way of PDFium: pages with state and label, lines in reading order, bookmarks, tags, links."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from pageindex.document import Edition, Extractor, Flag, KindRange, Line, Note, Page, PageState, Source, Unread
from pageindex.errors import LimitError
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.reading.pdf import bookmarks as outline
from pageindex.reading.pdf import isolation, labels, links, running, states
from pageindex.reading.pdf import objects as pdfium_objects
from pageindex.reading.pdf.annotations import shown_page
from pageindex.reading.pdf.api import LOCK, VERSION, Document, api, wide_string
from pageindex.reading.pdf.characters import Character, characters, render
from pageindex.reading.pdf.cycles import without_cycles
from pageindex.reading.pdf.fonts import FontTable, Frame
from pageindex.reading.pdf.lines import PageText, text_read
from pageindex.reading.pdf.repair import open_document
from pageindex.reading.pdf.second_extractor import SecondLook, page_problems
from pageindex.reading.pdf.tags import TagReader
from pageindex.reading.pdf.unread import unread_parts, without_repeated
from pageindex.reading.workers import steps

__all__ = ["EXTRACTOR", "Character", "characters", "read", "read_lines", "render"]

#: Of what is made of PDFium's characters: which are kept, how they are put together, in which order. It decides the text too.
TEXT_VERSION = 5

EXTRACTOR = Extractor("pdfium", f"{VERSION}/{TEXT_VERSION}")

MOST_DOUBTED = 50  #: Entries below a single top entry, beyond which an outline is believed without a second look.
MOST_DOUBTED_PAGES = 500  #: Empty pages whose contents are looked at.
PROGRESS_STEP = 16  #: Pages between two progress messages.

_INFO = {"title": b"Title", "author": b"Author", "subject": b"Subject", "producer": b"Producer", "creator": b"Creator"}


@dataclass
class _Draft:
    """A page before labels and running lines are known."""

    text: str
    state: PageState
    frame: Frame | None = None
    flags: tuple[Flag, ...] = ()
    problem: str = ""
    kinds: tuple[KindRange, ...] = ()
    unread: tuple[Unread, ...] = ()
    lines: range = range(0)  # its lines among the document's


@dataclass
class _Reading:
    """What has been read of a document so far."""

    document: Document
    limits: Limits
    second: SecondLook
    tags: TagReader
    pages: list[_Draft] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    fonts: FontTable = field(default_factory=FontTable)
    links: list[links.RawLink] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)  # pages without any object, which may be blank or broken
    notes: list[Note] = field(default_factory=list)
    password: str | None = None
    acyclic: bytes | None = (
        None  # the file without forms that draw themselves, when it was asked for; empty when it has none
    )

    @property
    def frames(self) -> list[Frame | None]:
        return [page.frame for page in self.pages]


@contextmanager
def _without_collector() -> Iterator[None]:
    """Many small objects are made and none in a cycle: looking for cycles would be a tenth of the work."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_without_collector()
def read_lines(data: bytes, name: str, password: str | None = None, *, in_order: bool = True) -> list[Line]:
    """The lines of all pages with their styles, and nothing else of what ``read`` finds out.

    Args:
        in_order: In reading order, as in an edition; else in the file's order.

    Raises:
        DamagedFileError, PasswordError: It cannot be opened; see ``repair.open_document``.
    """
    lines: list[Line] = []
    fonts = FontTable()
    with LOCK, open_document(data, name, password) as document:
        for index in range(document.page_count):
            with (
                shown_page(document, index) as shown,
                text_read(
                    shown.page, index + 1, fonts, DEFAULT_LIMITS.page_chars, marks=shown.marks, in_order=in_order
                ) as read_text,
            ):
                if read_text:
                    lines += read_text[2].lines
    return lines


@_without_collector()
def read(
    data: bytes,
    source: Source,
    limits: Limits = DEFAULT_LIMITS,
    *,
    password: str | None = None,
    progress: ProgressCallback = silent,
    avoid: Mapping[str, str] = isolation.NOTHING,
) -> Edition:
    """Read a PDF. Parts that are in ``avoid`` are left out, each with a note of what is wrong with it; see ``isolation``.

    Raises:
        DamagedFileError, PasswordError: It cannot be opened; see ``repair.open_document``.
        LimitError: It has more pages than ``limits.pages``.
    """
    with LOCK, open_document(data, source.name, password) as document:
        if document.page_count > limits.pages:
            text = f"{source.name} has {document.page_count} pages; the limit is {limits.pages}."
            raise LimitError(text, code="TOO_MANY_PAGES", limit=limits.pages)
        second = SecondLook(data, source.name, password)
        reading = _Reading(document, limits, second, TagReader(limits), password=password)
        reading.tags.active = bool(api.FPDFCatalog_IsTagged(document.handle))
        for index in range(document.page_count):
            if index % PROGRESS_STEP == 0:
                progress(Progress(source.name, "reading", index, document.page_count))
            problem = isolation.page_problem(avoid, index + 1)
            reading.pages.append(
                _page_without_cycles(reading, index, problem, avoid) if problem else _read_page(reading, index)
            )
        left_out = isolation.Parts(avoid)
        with left_out.part("contents") as wanted:
            if wanted:
                _tell_broken_from_blank(reading)
        with left_out.part("outline") as wanted:
            found = (
                outline.read_outline(document.handle, document.page_count, limits)
                if wanted
                else outline.Outline([], [])
            )
        with left_out.part("links") as wanted:
            targets = reading.links if wanted else []
            between = links.resolved(targets, document.handle, document.page_count, reading.frames)
        with left_out.part("labels") as wanted:
            own_labels = _own_labels(document) if wanted else []
        with left_out.part("details") as wanted:
            info = _info(document.handle) if wanted else {}
        repaired = _repair_notes(document)
    progress(Progress(source.name, "reading", len(reading.pages), len(reading.pages)))
    return Edition(
        source=source,
        extractor=EXTRACTOR,
        pages=_finished_pages(reading, own_labels),
        lines=tuple(reading.lines),
        fonts=tuple(reading.fonts.fonts),
        bookmarks=found.bookmarks(reading.frames),
        tags=tuple(reading.tags.tags),
        tag_coverage=reading.tags.coverage,
        links=between,
        info=info,
        notes=(
            *repaired,
            *found.notes,
            *(_outline_notes(data, found, reading.second) if "outline" not in avoid else ()),
            *left_out.notes,
            *reading.notes,
            *_page_notes(reading.pages),
        ),
    )


def try_pages(data: bytes, name: str, password: str | None, first: int, limits: Limits) -> None:
    """Read the pages from ``first`` (1-based) on as ``read`` does, and keep nothing."""
    with LOCK, open_document(data, name, password) as document:
        for index in range(first - 1, document.page_count):
            reading = _Reading(document, limits, SecondLook(data, name, password), TagReader(limits))
            reading.tags.active = bool(api.FPDFCatalog_IsTagged(document.handle))
            _read_page(reading, index)


def _read_page(reading: _Reading, index: int, stage: str = "page") -> _Draft:
    number = index + 1
    steps.enter(stage, number)
    with shown_page(reading.document, index) as shown:
        limit = reading.limits.page_chars
        with text_read(shown.page, number, reading.fonts, limit, marks=shown.marks) as read_text:
            if not read_text:
                problem = "The page cannot be loaded: its object is missing or broken."
                return _Draft("", PageState.FAILED, problem=problem)
            _, frame, found = read_text
            reading.tags.read(shown.own, number, found.lines, found.objects)
        # The links of a copy would outlive it.
        if stage == "page" and links.worth_reading(shown.own, index, found.lines):
            reading.links.extend(links.page_links(reading.document.handle, shown.own, index, frame))
        draft = _judge(reading, index, shown.page, frame, found)
        draft.kinds = found.kinds
    first = len(reading.lines)
    reading.lines += found.lines
    draft.lines = range(first, len(reading.lines))
    return draft


def _page_without_cycles(reading: _Reading, index: int, problem: str, avoid: Mapping[str, str]) -> _Draft:
    """A page that ended its reader, read from a copy of the file in which no form draws itself; failed where that is not why."""
    original = reading.document
    if isolation.may_try_again(avoid, index + 1):
        steps.enter("again", index + 1)
        if reading.acyclic is None:
            reading.acyclic = without_cycles(original.data) or b""
        if reading.acyclic:
            with Document(reading.acyclic, original.name, reading.password) as copy:
                reading.document = copy
                draft = _read_page(reading, index, "again")
            reading.document = original
            reading.notes.append(Note("REPAIRED", "Forms on it draw themselves; it was read without that.", index + 1))
            return draft
    return _Draft("", PageState.FAILED, problem=problem)


def _judge(reading: _Reading, index: int, page: int, frame: Frame, found: PageText) -> _Draft:
    """State and flags of a page that was loaded."""
    width, height = frame.size
    hidden = reading.fonts.invisible
    facts = states.PageFacts(found.text, found.lines, width, height, frame.rotation, found.left_out, hidden)
    blank = not found.lines and not found.text.strip()
    if blank and api.FPDFPage_CountObjects(page) <= 0:
        reading.empty.append(index)
        return _Draft(found.text, PageState.BLANK, frame)
    drawing = pdfium_objects.look_at(page, frame)
    if blank and not drawing.images and not drawing.paths:
        return _Draft(found.text, PageState.BLANK, frame)  # text objects that draw no character
    facts.images, facts.paths = drawing.images, drawing.paths
    facts.image_share, facts.largest_image = drawing.image_share, drawing.largest_image
    state, flags = states.judge(facts)
    layer = any(flag.name == "ocr_layer_suspected" for flag in flags)
    unread = unread_parts(drawing, found.lines, garbled=state is PageState.GARBLED, layer=layer)
    return _Draft(found.text, state, frame, (*flags, *_kind_flags(found.kinds)), unread=unread)


def _kind_flags(kinds: Sequence[KindRange]) -> list[Flag]:
    """A flag for each kind of text besides the page's own, with its bytes."""
    sizes: Counter[str] = Counter()
    for kind, start, end in kinds:
        sizes[kind.value] += end - start
    return [Flag(name, {"bytes": size}) for name, size in sorted(sizes.items())]


def _unread_flags(parts: Sequence[Unread]) -> list[Flag]:
    """A flag for a page that shows something besides its text, with how many parts of each kind."""
    counts = Counter([part.reason.value for part in parts])
    return [Flag("unread", dict(sorted(counts.items())))] if counts else []


def _tell_broken_from_blank(reading: _Reading) -> None:
    """PDFium shows a page whose contents cannot be unpacked as an empty one. Such pages alone are copied out, since the second extractor
    would take longer to open the whole file than PDFium to read it."""
    indices = reading.empty[:MOST_DOUBTED_PAGES]
    copy = reading.document.extract(indices) if indices else b""
    for index, problem in zip(indices, page_problems(copy, "copy") if copy else [], strict=False):
        if problem:
            reading.pages[index].state, reading.pages[index].problem = PageState.FAILED, problem


def _own_labels(document: Document) -> list[str]:
    """The file's labels, one per page; empty when it has none."""
    if not wide_string(api.FPDF_GetPageLabel, document.handle, 0, limit=1024):
        return []  # a number tree that says nothing of the first page is not valid
    count = document.page_count
    return [wide_string(api.FPDF_GetPageLabel, document.handle, index, limit=1024) for index in range(count)]


def _say_nothing(own: list[str], inferred: Sequence[tuple[str, int | None] | None]) -> bool:
    """Whether the file's labels merely count its pages, while its pages print something else."""
    if not own or own != [str(number) for number in range(1, len(own) + 1)]:
        return False
    printed = [label[0] for label in inferred if label is not None]
    differ = sum(label is not None and label[0] != text for label, text in zip(inferred, own, strict=True))
    return len(printed) > len(own) / 2 and differ > len(own) / 2


def _finished_pages(reading: _Reading, own_labels: list[str]) -> tuple[Page, ...]:
    edges, folios, inner = _edges(reading)
    inferred = labels.from_folios([[*found, *more] for found, more in zip(folios, inner, strict=True)])
    if _say_nothing(own_labels, inferred):
        own_labels = []
    printed = {label[1] for label in inferred if label is not None and label[1] is not None} | labels.rising(inner)
    landscape = sum(f is not None and f.size[0] > f.size[1] for f in reading.frames) > len(reading.pages) / 2
    body = _body_size(reading.lines)
    found = running.furniture(reading.lines, edges, printed, len(reading.pages), body, landscape=landscape)
    pages = []
    unread = without_repeated([draft.unread for draft in reading.pages])
    for index, draft in enumerate(reading.pages):
        label, source = _label(index, own_labels, inferred)
        width, height = draft.frame.size if draft.frame else (0.0, 0.0)
        ranges = sorted((reading.lines[i].start, reading.lines[i].end) for i in draft.lines if i in found)
        pages.append(
            Page(
                number=index + 1,
                text=draft.text,
                state=draft.state,
                label=label,
                label_source=source,
                width=round(width, 2),
                height=round(height, 2),
                rotation=draft.frame.rotation if draft.frame else 0,
                flags=(*draft.flags, *_unread_flags(unread[index])),
                running=tuple(ranges),
                problem=draft.problem,
                kinds=draft.kinds,
                unread_parts=unread[index],
            )
        )
    return tuple(pages)


def _label(
    index: int, own: list[str], inferred: Sequence[tuple[str, int | None] | None]
) -> tuple[str | None, str | None]:
    if own:
        return (own[index], "pdf") if own[index] else (None, None)
    found = inferred[index]
    return (found[0], "folio") if found is not None else (None, None)


def _edges(reading: _Reading) -> tuple[list[running.EdgeLine], list[list[labels.Folio]], list[list[labels.Folio]]]:
    """Lines at the edges of all pages and of their text, the page numbers that the former may print, and those that the latter are."""
    edges: list[running.EdgeLine] = []
    folios: list[list[labels.Folio]] = []
    inner: list[list[labels.Folio]] = []
    for index, draft in enumerate(reading.pages):
        if draft.frame is None or not draft.lines:
            folios.append([])
            inner.append([])
            continue
        top, foot = labels.edge_lines(reading.lines, draft.lines, draft.frame.size[1])
        first, last = labels.inner_lines(reading.lines, draft.lines, (*top, *foot))
        for lines, at_top, within in (
            (top, True, False),
            (foot, False, False),
            (first, True, True),
            (last, False, True),
        ):
            edges.extend(running.EdgeLine(index, line, at_top, within) for line in lines)
        folios.append(labels.folios(reading.lines, [*foot, *top]))
        inner.append(labels.whole_folios(reading.lines, [*last, *first]))
    return edges, folios, inner


def _body_size(lines: Sequence[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += line.end - line.start
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _outline_notes(data: bytes, found: outline.Outline, second: SecondLook) -> list[Note]:
    """Tells a broken outline from an absent one. PDFium hides both an entry that follows itself and an outline it cannot read, so
    the second extractor is asked where either is possible: no entries though the file mentions an outline, or a single top entry."""
    tops = sum(level == 1 for _, level, _ in found.entries)
    if (tops == 0 and b"/Outlines" not in data) or tops > 1 or len(found.entries) > MOST_DOUBTED or found.notes:
        return []
    problem = second.outline_problem()
    if problem == "cycle":
        text = "The outline's first entry follows itself; the entries that can be reached are kept."
        return [Note("OUTLINE_CYCLE", text)]
    if problem == "unreadable" and tops == 0:
        return [
            Note("OUTLINE_UNREADABLE", "The file has an outline that cannot be read; the headings come from elsewhere.")
        ]
    return []


def _repair_notes(document: Document) -> list[Note]:
    notes = [Note("REPAIRED", document.repair)] if document.repair else []
    if document.cut_off:
        text = "The end of the file is missing, and pages may be missing with it; it was most likely not transferred as a whole."
        notes.append(Note("CUT_OFF", text))
    return notes


def _page_notes(pages: Sequence[_Draft]) -> list[Note]:
    return [Note("PAGE_FAILED", page.problem, number) for number, page in enumerate(pages, start=1) if page.problem]


def _info(document: int) -> dict[str, str]:
    info = {}
    for name, key in _INFO.items():
        value = wide_string(api.FPDF_GetMetaText, document, key, limit=1 << 16).strip()
        if value:
            info[name] = value
    language = wide_string(api.FPDFCatalog_GetLanguage, document, limit=256).strip()
    if language:
        info["language"] = language
    return info
