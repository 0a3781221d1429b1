"""JSON on disk and on the wire, for every noun. The inverse of each ``*_to_json`` is the ``*_from_json`` beside it.

Page texts, lines and the tree are separate files, so that a reader of one never parses another. Lines are stored as columns without
their text (the byte range gives it back), gzip-compressed.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, overload

import orjson

from pageindex.document.edition import (
    Bookmark,
    Edition,
    Extractor,
    Flag,
    Font,
    HeadingTag,
    KindRange,
    Line,
    Link,
    Note,
    Page,
    PageState,
    Run,
    Source,
    TextKind,
    Unread,
    UnreadReason,
    new_line,
)
from pageindex.document.position import Box, Position, Span
from pageindex.document.record import DocumentRecord, EditionEntry
from pageindex.document.summary import Summaries, Summary, SummaryKind
from pageindex.document.tree import MergedHeading, Section, Tree, TreeSource

__all__ = [
    "FORMAT",
    "decode_edition",
    "decode_json",
    "encode_edition",
    "encode_json",
    "record_from_json",
    "record_to_json",
    "section_to_json",
    "summaries_from_json",
    "summaries_to_json",
    "tree_from_json",
    "tree_to_json",
]

FORMAT = 2  #: Version of every record below.

EDITION_FILE, PAGES_FILE, LINES_FILE = "edition.json", "pages.json", "lines.json.gz"


def encode_json(value: Any, *, pretty: bool = False) -> bytes:
    """Compact (or indented) JSON with a final line break."""
    options = orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS | (orjson.OPT_INDENT_2 if pretty else 0)
    return orjson.dumps(value, option=options)


def decode_json(data: bytes) -> Any:
    """Parse JSON; raises ValueError on anything else."""
    return orjson.loads(data)


# ---------------------------------------------------------------- edition


def encode_edition(edition: Edition) -> dict[str, bytes]:
    """The files of an edition: ``edition.json``, ``pages.json`` and ``lines.json.gz``."""
    head = {
        "format": FORMAT,
        "id": edition.id,
        "source": _flat(edition.source),
        "extractor": _flat(edition.extractor),
        "page_count": edition.page_count,
        "page_sha256": [page.sha256 for page in edition.pages],
        "fonts": [_flat(font) for font in edition.fonts],
        "bookmarks": [_flat(bookmark) for bookmark in edition.bookmarks],
        "tags": [_flat(tag) for tag in edition.tags],
        "tag_coverage": edition.tag_coverage,
        "links": [[link.page, *_rounded(link.box), link.target, link.y] for link in edition.links],
        "info": dict(edition.info),
        "notes": [_flat(note) for note in edition.notes],
    }
    pages = {"format": FORMAT, "edition": edition.id, "pages": [_page_to_json(page) for page in edition.pages]}
    lines = gzip.compress(encode_json(_lines_to_columns(edition)), compresslevel=1, mtime=0)
    return {EDITION_FILE: encode_json(head), PAGES_FILE: encode_json(pages), LINES_FILE: lines}


def decode_edition(head: bytes, pages: bytes, lines: bytes | None = None) -> Edition:
    """Build an edition from its files; lines are parsed when they are first looked at, and absent without their file.

    Raises ValueError, KeyError or TypeError when a file is not what ``encode_edition`` writes.
    """
    top, body = decode_json(head), decode_json(pages)
    page_list = tuple(_page_from_json(item) for item in body["pages"])
    return Edition(
        source=Source(**top["source"]),
        extractor=Extractor(**top["extractor"]),
        pages=page_list,
        lines=_LazyLines(lines, page_list) if lines is not None else (),
        fonts=tuple(Font(**item) for item in top["fonts"]),
        bookmarks=tuple(Bookmark(**item) for item in top["bookmarks"]),
        tags=tuple(HeadingTag(**item) for item in top["tags"]),
        tag_coverage=top["tag_coverage"],
        links=tuple(Link(row[0], Box(*row[1:5]), row[5], row[6]) for row in top["links"]),
        info=top["info"],
        notes=tuple(Note(**item) for item in top["notes"]),
    )


def _flat(value: Any) -> dict[str, Any]:
    return {f.name: getattr(value, f.name) for f in fields(value)}


def _rounded(box: Box) -> list[float]:
    return [round(number, 2) for number in box]


def _page_to_json(page: Page) -> dict[str, Any]:
    item: dict[str, Any] = {"number": page.number, "state": page.state.value, "text": _storable(page.text)}
    item |= {"width": page.width, "height": page.height}
    if page.label is not None:
        item |= {"label": page.label, "label_source": page.label_source}
    if page.rotation:
        item["rotation"] = page.rotation
    if page.flags:
        item["flags"] = [{"name": flag.name, "evidence": dict(flag.evidence)} for flag in page.flags]
    if page.running:
        item["running"] = page.running
    if page.problem:
        item["problem"] = page.problem
    if page.kinds:
        item["kinds"] = [[one.kind.value, one.start, one.end] for one in page.kinds]
    if page.unread_parts:
        item["unread"] = [[part.reason.value, _rounded(part.box) if part.box else None] for part in page.unread_parts]
    return item


def _page_from_json(item: dict[str, Any]) -> Page:
    return Page(
        number=item["number"],
        text=item["text"],
        state=PageState(item["state"]),
        label=item.get("label"),
        label_source=item.get("label_source"),
        width=item["width"],
        height=item["height"],
        rotation=item.get("rotation", 0),
        flags=tuple(Flag(flag["name"], flag["evidence"]) for flag in item.get("flags", ())),
        running=tuple((start, end) for start, end in item.get("running", ())),
        problem=item.get("problem", ""),
        kinds=tuple(KindRange(TextKind(kind), start, end) for kind, start, end in item.get("kinds", ())),
        unread_parts=tuple(
            Unread(UnreadReason(reason), Box(*box) if box else None) for reason, box in item.get("unread", ())
        ),
    )


def _storable(text: str) -> str:
    # JSON holds no lone surrogates. Readers must not let one through: an anchor is valid UTF-8.
    text.encode("utf-8")
    return text


_COLUMNS = ("page", "start", "end", "size", "font", "weight", "color", "angle")


def _lines_to_columns(edition: Edition) -> dict[str, Any]:
    lines = edition.lines
    columns: dict[str, Any] = {name: [getattr(line, name) for line in lines] for name in _COLUMNS}
    columns["size"] = [round(size, 2) for size in columns["size"]]
    columns["box"] = [_rounded(line.box) for line in lines]
    columns["runs"] = {
        index: [[run.start, round(run.size, 2), run.font, run.weight, run.color] for run in line.runs]
        for index, line in enumerate(lines)
        if line.runs
    }
    return {"format": FORMAT, "edition": edition.id, "columns": columns}


class _LazyLines(Sequence[Line]):
    """The lines of an edition, parsed when first looked at."""

    def __init__(self, packed: bytes, pages: tuple[Page, ...]) -> None:
        self._packed, self._pages = packed, pages
        self._lines: tuple[Line, ...] | None = None

    def _load(self) -> tuple[Line, ...]:
        if self._lines is None:
            self._lines = _lines_from_columns(decode_json(gzip.decompress(self._packed))["columns"], self._pages)
        return self._lines

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Line, ...]: ...
    def __getitem__(self, index: int | slice) -> Line | tuple[Line, ...]:
        return self._load()[index]

    def __len__(self) -> int:
        return len(self._load())

    def __iter__(self) -> Iterator[Line]:
        return iter(self._load())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def _lines_from_columns(columns: dict[str, Any], pages: tuple[Page, ...]) -> tuple[Line, ...]:
    runs = {int(index): tuple(Run(*row) for row in rows) for index, rows in columns["runs"].items()}
    lines, data, current = [], b"", 0
    rows = zip(*(columns[name] for name in _COLUMNS), columns["box"], strict=True)
    for index, (page, start, end, size, font, weight, color, angle, box) in enumerate(rows):
        if page != current:
            data, current = pages[page - 1].data, page
        text = data[start:end].decode("utf-8")
        lines.append(new_line(page, start, end, text, Box(*box), size, font, weight, color, runs.get(index, ()), angle))
    return tuple(lines)


# ---------------------------------------------------------------- tree


def tree_to_json(tree: Tree) -> dict[str, Any]:
    """The stored form of a tree; sections as in ``spec/interop.md``, nested under ``structure``."""
    return {
        "format": FORMAT,
        "edition": tree.edition,
        "doc_title": tree.title,
        "language": tree.language,
        "toc_source": tree.toc_source.value,
        "confidence": tree.confidence,
        "end": list(tree.end),
        "structure": [section_to_json(section) for section in tree.sections],
        "notes": [_flat(note) for note in tree.notes],
    }


def section_to_json(section: Section, summaries: Mapping[str, Summary] | None = None) -> dict[str, Any]:
    """``{title, node_id, start_index, end_index, summary?, nodes?, start, end, label?, source, printed, sources, heading?, merged?}``.

    Beside a summary stands ``summary_kind`` and, for one that a model filled with numbers of its own, ``summary_note``. Pages are 1-based and inclusive. Written without recursion, since outlines may be thousands deep.
    """
    done: dict[str, dict[str, Any]] = {}
    for item, _ in reversed(list(section.walk())):
        node: dict[str, Any] = {
            "title": item.title,
            "node_id": item.node_id,
            "start_index": item.start_index,
            "end_index": item.end_index,
        }
        if summaries and item.node_id in summaries:
            node |= _shown_summary(summaries[item.node_id])
        node |= {"start": list(item.start), "end": list(item.end)}
        if item.label is not None:
            node["label"] = item.label
        node |= {"source": item.source.value, "printed": item.printed, "sources": list(item.sources)}
        if item.heading is not None:
            node["heading"] = list(item.heading)
        if item.merged:
            node["merged"] = [{"title": heading.title, "page": heading.page} for heading in item.merged]
        if item.children:
            node["nodes"] = [done.pop(child.node_id) for child in item.children]
        done[item.node_id] = node
    return done[section.node_id]


def tree_from_json(item: Mapping[str, Any]) -> Tree:
    """Inverse of ``tree_to_json``; raises KeyError, TypeError or ValueError (TreeError) on anything else."""
    return Tree(
        edition=item["edition"],
        title=item["doc_title"],
        language=item["language"],
        sections=tuple(_section_from_json(node) for node in item["structure"]),
        end=Position(*item["end"]),
        toc_source=TreeSource(item["toc_source"]),
        notes=tuple(Note(**note) for note in item["notes"]),
        confidence=item.get("confidence"),
    )


def _section_from_json(node: Mapping[str, Any]) -> Section:
    order, stack = [], [node]
    while stack:
        order.append(stack.pop())
        stack.extend(order[-1].get("nodes", ()))
    built: dict[str, Section] = {}
    for item in reversed(order):
        heading = item.get("heading")
        built[item["node_id"]] = Section(
            node_id=item["node_id"],
            title=item["title"],
            span=Span(Position(*item["start"]), Position(*item["end"])),
            source=TreeSource(item["source"]),
            sources=tuple(item["sources"] if "sources" in item else item["witnesses"]),  # as older trees say it
            printed=item["printed"],
            heading=(heading[0], heading[1]) if heading is not None else None,
            label=item.get("label"),
            children=tuple(built.pop(child["node_id"]) for child in item.get("nodes", ())),
            merged=tuple(MergedHeading(former["title"], former["page"]) for former in item.get("merged", ())),
        )
    return built[node["node_id"]]


# ---------------------------------------------------------------- summaries and records


def _shown_summary(summary: Summary) -> dict[str, Any]:
    item = {"summary": summary.text, "summary_kind": summary.kind.value}
    return item | ({"summary_note": summary.mark} if summary.mark else {})


def summaries_to_json(summaries: Summaries) -> dict[str, Any]:
    """The stored form of all derived text of an edition."""
    return {
        "format": FORMAT,
        "edition": summaries.edition,
        "description": {
            "text": summaries.description,
            "kind": summaries.description_kind.value,
            "model": summaries.description_model,
        },
        "sections": [_flat(summary) for summary in summaries.sections.values()],
    }


def summaries_from_json(item: Mapping[str, Any]) -> Summaries:
    """Inverse of ``summaries_to_json``."""
    sections = {}
    for row in item["sections"]:
        row = {**row, "kind": SummaryKind(row["kind"]), "unverified": tuple(row["unverified"])}
        sections[row["node_id"]] = Summary(**row)
    about = item["description"]
    return Summaries(item["edition"], sections, about["text"], SummaryKind(about["kind"]), about["model"])


def record_to_json(record: DocumentRecord) -> dict[str, Any]:
    """The stored form of ``document.json``."""
    item = {"format": FORMAT, **_flat(record)}
    item["editions"] = [_flat(entry) for entry in record.editions]
    return item


def record_from_json(item: Mapping[str, Any]) -> DocumentRecord:
    """Inverse of ``record_to_json``; unknown keys are refused with TypeError."""
    values = {key: value for key, value in item.items() if key != "format"}
    values["editions"] = tuple(EditionEntry(**entry) for entry in values["editions"])
    for key in ("page_states", "flags"):
        values[key] = {name: tuple(pages) for name, pages in values[key].items()}
    values["notes"] = tuple(values["notes"])
    return DocumentRecord(**values)
