"""Documents, their trees, sections and pages as resources: ``pageindex://documents/{document}/…``."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import mcp_types as types
from mcp.shared.exceptions import MCPError

from pageindex.app import shapes
from pageindex.app.document import OpenDocument
from pageindex.app.library import Library, list_documents
from pageindex.app.reader import Reader
from pageindex.document import DocumentRecord
from pageindex.document.codec import encode_json
from pageindex.errors import PageIndexError
from pageindex.serve.mcp.wiring import Template
from pageindex.tools.pagination import page_ranges, span_ranges

__all__ = ["DOCUMENTS", "TEMPLATES", "Resources", "document_uri"]

DOCUMENTS = "pageindex://documents"
_PAGE = 100  # documents of one page of the listing
_JSON, _TEXT, _PNG = "application/json", "text/plain", "image/png"

TEMPLATES = (
    Template(f"{DOCUMENTS}/{{document}}", "document", "What is known of a document: pages, labels, state, metadata.", _JSON),
    Template(f"{DOCUMENTS}/{{document}}/structure", "structure", "The section tree of a document.", _JSON),
    Template(f"{DOCUMENTS}/{{document}}/sections/{{section}}", "section", "The text of a section with all below it.", _TEXT),
    Template(f"{DOCUMENTS}/{{document}}/pages/{{page}}", "page", "The text of a page, by its physical number or its label.", _TEXT),
    Template(f"{DOCUMENTS}/{{document}}/pages/{{page}}/image", "page image", "The picture of a page of a PDF.", _PNG),
)  # fmt: skip

Contents = types.TextResourceContents | types.BlobResourceContents


def document_uri(record: DocumentRecord) -> str:
    """The address of a document, by its id."""
    return f"{DOCUMENTS}/{record.doc_id}"


@dataclass(frozen=True)
class Resources:
    """The resources that a reader may see. What it is given of a page counts as read."""

    library: Library
    reader: Reader

    def listed(self, cursor: str | None) -> types.ListResourcesResult:
        """The list of documents, and each document; newest first, a hundred at a time."""
        start = _offset(cursor)
        shown, total = self._some_records(start)
        made = [_resource(DOCUMENTS, "documents", "All documents, newest first.", _JSON)] if start == 0 else []
        made += [_resource(document_uri(each), each.name, _described(each), _JSON) for each in shown]
        following = start + len(shown)
        return types.ListResourcesResult(resources=made, next_cursor=_cursor(following, total))

    def read(self, uri: str) -> Sequence[Contents]:
        """A resource by its address.

        Raises:
            MCPError: There is none, or it may not be seen; the message says what is near.
        """
        parts = urlsplit(uri)
        steps = [unquote(step) for step in f"{parts.netloc}{parts.path}".split("/")]
        if parts.scheme != "pageindex" or steps[0] != "documents":
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri!r}: they begin with {DOCUMENTS}")
        try:
            match steps[1:]:
                case []:
                    return [_json(uri, {"documents": [shapes.document_info(each) for each in self._records()]})]
                case [document]:
                    return [_json(uri, shapes.document_info(self.reader.resolve(document)))]
                case [document, "structure"]:
                    return [_json(uri, shapes.structure(self.reader.open(document)))]
                case [document, "sections", section]:
                    return [self._section(uri, self.reader.open(document), section)]
                case [document, "pages", page]:
                    return [self._page(uri, self.reader.open(document), page)]
                case [document, "pages", page, "image"]:
                    return [self._image(uri, self.reader.open(document), page)]
        except PageIndexError as error:
            raise MCPError(types.INVALID_PARAMS, f"{error.message}. {error.next_step}", {"code": error.code}) from error
        raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri!r}; there are {_spellings()}")

    def completions(self, argument: str, begun: str, others: Mapping[str, str]) -> list[str]:
        """How the value of a name in an address, or of a prompt's argument, may go on."""
        if argument == "document":
            names = (name for each in self._records() for name in (each.name, each.doc_id))
            return _fitting(names, begun)
        try:
            document = self.reader.open(others.get("document"))
            if argument == "page":
                return _fitting(map(str, range(1, document.edition.page_count + 1)), begun)
            if argument == "section":
                return _sections(document, begun)
        except PageIndexError:
            pass  # no such document yet: nothing to propose
        return []

    def _some_records(self, start: int) -> tuple[Sequence[DocumentRecord], int]:
        """One page of the documents, newest first, and how many there are."""
        if self.reader.scope is not None:
            records = self.reader.records_in_scope()
            return records[start : start + _PAGE], len(records)
        listing = list_documents(self.library, limit=_PAGE, offset=start)
        return listing.documents, listing.total

    def _records(self) -> list[DocumentRecord]:
        if self.reader.scope is not None:
            return self.reader.records_in_scope()
        return list(list_documents(self.library, limit=self.library.list(limit=1).total or 1).documents)

    # ------------------------------------------------------------ what is read

    def _section(self, uri: str, document: OpenDocument, section: str) -> Contents:
        found = document.section(section)
        self.reader.hand_over(document.edition.id, span_ranges(document.edition, found.section.span), found.text)
        return types.TextResourceContents(uri=uri, mime_type=_TEXT, text=found.text)

    def _page(self, uri: str, document: OpenDocument, page: str) -> Contents:
        found = document.page(document.page_number(page))
        self.reader.hand_over(document.edition.id, page_ranges(document.edition, [found.page.number]), found.text)
        return types.TextResourceContents(uri=uri, mime_type=_TEXT, text=found.text)

    def _image(self, uri: str, document: OpenDocument, page: str) -> Contents:
        picture = base64.b64encode(document.image(page)).decode()
        return types.BlobResourceContents(uri=uri, mime_type=_PNG, blob=picture)


def _resource(uri: str, name: str, description: str, media_type: str) -> types.Resource:
    return types.Resource(uri=uri, name=name, description=description, mime_type=media_type)


def _described(record: DocumentRecord) -> str:
    return record.description or f"{record.page_count} pages"


def _json(uri: str, value: Any) -> Contents:
    return types.TextResourceContents(uri=uri, mime_type=_JSON, text=encode_json(value).decode())


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    try:
        return max(0, int(base64.urlsafe_b64decode(cursor)))
    except (ValueError, binascii.Error):
        raise MCPError(types.INVALID_PARAMS, "the cursor is none of this server's; list from the start") from None


def _cursor(offset: int, total: int) -> str | None:
    return base64.urlsafe_b64encode(str(offset).encode()).decode() if offset < total else None


def _spellings() -> str:
    return ", ".join([DOCUMENTS, *(each.uri for each in TEMPLATES)])


def _fitting(values: Iterator[str] | Sequence[str] | map[str], begun: str) -> list[str]:
    wanted = begun.casefold()
    return [value for value in dict.fromkeys(values) if value.casefold().startswith(wanted)]


def _sections(document: OpenDocument, begun: str) -> list[str]:
    """Ids of sections whose id or title goes on from what was begun; ids are what an address takes."""
    wanted = begun.casefold()
    found = [
        section.node_id
        for top in document.tree.sections
        for section, _ in top.walk()
        if section.node_id.startswith(begun) or section.title.casefold().startswith(wanted)
    ]
    return [quote(each) for each in found]
