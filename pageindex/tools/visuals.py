"""``get_page_image`` and ``get_page_tables``: what text alone does not show."""

from __future__ import annotations

import base64
import re
from typing import Annotated, Any

from pageindex.app.checks import extract_tables
from pageindex.app.document import OpenDocument
from pageindex.app.reader import Reader
from pageindex.document import Evidence, PageRange
from pageindex.errors import PageIndexError, PageRangeError
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.tables.output import to_markdown
from pageindex.evidence.tables.rebuild import Table
from pageindex.tools.declare import cost, tool
from pageindex.tools.envelope import Envelope, Refusal, call, success
from pageindex.tools.results import ImageResult, TablesResult
from pageindex.tools.shown import clean

__all__ = ["get_page_image", "get_page_tables"]

_OVERHEAD = 260
_WHOLE = re.compile(r"\d+\.0")


@tool(needs="vision")
def get_page_image(reader: Reader, page: str, doc_name: str | None = None) -> Annotated[Envelope, ImageResult]:
    """The picture of one page, for figures and scans.

    Args:
        page: The physical page, or a printed label such as "iv".
        doc_name: A document's name or doc_id. May be left out when there is only one document.

    Returns:
        `doc_name, doc_id, page, label?, image: {media_type, data}`; `data` is base64, and counts as viewed when it is sent
    """
    document = reader.open(doc_name)
    number = _one_page(document, page, "get_page_image")
    text = call("get_page_content", doc_name=document.name, pages=str(number))
    if not reader.vision:
        error = PageIndexError("pictures cannot be shown here", "Read the page's text.", code="VISION_UNAVAILABLE")
        raise Refusal(error, text)
    try:
        picture = document.image(number)
    except PageIndexError as error:
        raise Refusal(error, text) from error
    reader.expose(document.edition.id, Exposure.VIEWED, [PageRange(number, 0, 1)])
    image = {"media_type": "image/png", "data": base64.b64encode(picture).decode()}
    return success(
        {**_head(document, number), "image": image}, "What is read off a picture is not checked text.", [text]
    )


@tool()
def get_page_tables(reader: Reader, page: str, doc_name: str | None = None) -> Annotated[Envelope, TablesResult]:
    """The tables of one page, rebuilt as grids. A grid is derived: quote the page's text, or name row and column of a number.

    Args:
        page: The physical page, or a printed label such as "iv".
        doc_name: A document's name or doc_id. May be left out when there is only one document.

    Returns:
        `doc_name, doc_id, page, label?, tables: [{markdown, rows, columns, handle}], omitted, quotable: false`
    """
    document = reader.open(doc_name)
    number = _one_page(document, page, "get_page_tables")
    found = extract_tables(document, number).tables
    text = call("get_page_content", doc_name=document.name, pages=str(number))
    if not found:
        return success({**_head(document, number), "tables": []}, "No table was recognised; read the page's text.", [text])  # fmt: skip
    items, left = [], reader.room() - _OVERHEAD
    for table in found:
        item = _item(document, table)
        left -= cost(item)
        if left < 0:
            break
        items.append(item)
    data = {**_head(document, number), "tables": items, "omitted": len(found) - len(items), "quotable": False}
    summary = f"{len(items)} of {len(found)} tables. Cite a number with its row and column; quote the page's own text."
    return success(data, summary, [text])


def _one_page(document: OpenDocument, page: str, name: str) -> int:
    if _WHOLE.fullmatch(page):
        page = page.removesuffix(".0")  # as some models write a number
    try:
        return document.page_number(page)
    except PageRangeError as error:
        several = error.code == "TOO_MANY_PAGES"
        raise Refusal(
            error, call(name, doc_name=document.name, page=document.page_numbers(page)[0] if several else 1)
        ) from error


def _head(document: OpenDocument, number: int) -> dict[str, Any]:
    head: dict[str, Any] = {"doc_name": clean(document.name), "doc_id": document.record.doc_id, "page": number}
    label = document.label(number)
    return head | ({"label": label} if label is not None else {})


def _item(document: OpenDocument, table: Table) -> dict[str, Any]:
    cells = [cell for row in table.rows for cell in row.cells if cell]
    item: dict[str, Any] = {
        "markdown": clean(to_markdown([table])),
        "rows": len(table.rows),
        "columns": len(table.columns),
    }
    if cells:
        start, end = min(cell.start for cell in cells), max(cell.end for cell in cells)
        item["handle"] = str(Evidence.of(document.edition, table.page, start, end).handle)
    return item
