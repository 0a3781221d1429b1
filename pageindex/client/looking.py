"""A page as a picture, and the words behind a handle."""

from __future__ import annotations

from pageindex.client.shapes import Block
from pageindex.document import DocumentRecord, Edition, Tree
from pageindex.document.pagespec import parse_pages
from pageindex.document.position import Position
from pageindex.errors import InputError, UnsupportedFormatError
from pageindex.limits import Limits
from pageindex.store.base import Library

__all__ = ["block", "page_image"]


def page_image(library: Library, record: DocumentRecord, edition: Edition, page: str | int, limits: Limits) -> bytes:
    """A page drawn as PNG, in a worker of its own: what PDFium may do to its process stays there."""
    from pageindex.reading import run_isolated
    from pageindex.reading.formats import by_media_type

    kind = by_media_type(record.media_type)
    render = kind.function("image") if kind is not None else None
    if render is None:
        raise UnsupportedFormatError(
            f"{record.name} has no printed pages: it is {record.media_type}", "Read its text instead."
        )
    numbers = parse_pages(page, edition.page_count, [p.label for p in edition.pages])
    if len(numbers) > 1:
        raise InputError(f"{page!r} names {len(numbers)} pages", "Name one page.")
    picture: bytes = run_isolated(render, library.source(record.doc_id), numbers[0], limits=limits)
    return picture


def block(record: DocumentRecord, edition: Edition, tree: Tree, handle: str) -> Block:
    """The words that a handle stands for, recomputed: a handle that does not check is an error, never something near."""
    from pageindex.evidence.handles import resolve

    # Whoever holds the document may read any of it, so a short span needs no proof that it was delivered.
    found = resolve(handle, [edition], lambda edition, page, start, end: True)
    evidence = found.evidence
    piece = Block(
        doc_id=record.doc_id,
        block_id=str(evidence.handle),
        page=evidence.page,
        start=evidence.start,
        end=evidence.end,
        node_id=tree.at(Position(evidence.page, evidence.start)).node_id,
        text=found.text,
        sha256=evidence.sha256,
    )
    label = edition.page(evidence.page).label
    if label is not None and label != str(evidence.page):
        piece["label"] = label
    return piece
