"""A tool's envelope as the text a model gets, and back: which pieces of pages such a text holds.

Page texts follow the JSON of the rest as they are, each under a line that names its page; inside JSON every line break would cost extra.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pageindex.app.document import OpenDocument
from pageindex.document import PageRange
from pageindex.document.codec import decode_json, encode_json
from pageindex.errors import PageIndexError
from pageindex.evidence.handles import resolve
from pageindex.text.passages import passage_words
from pageindex.tools import Envelope, Reader
from pageindex.tools.envelope import Refusal
from pageindex.tools.shown import clean

__all__ = ["remember", "render"]

_SHOWN = {
    "success",
    "next_steps",
    "content",
    "structure",
    "hits",
    "requested_pages",
    "returned_pages",
    "query",
    "documents_scanned",
}
_UNFINISHED = {"omitted", "pagination"}
_LEGEND = "outline: node_id title · pages (printed) · tokens to read +subsections that are not shown"
_BLOCK = re.compile(
    r"^=== (?:(?P<name>[^\n]+?) · )?page (?P<page>\d{1,7})\b(?:[^\n]*? · handle (?P<handle>\S+)$|[^\n]*)\n?(?P<text>(?:(?!=== )[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
_NUMBERED = re.compile(r"^\[(?P<number>\d{1,5})\] (?P<words>[^\n]+)$", re.MULTILINE)


def render(envelope: Envelope) -> str:
    """The text of a tool message: a line of JSON without what the rest shows, then pages, outline or hits in their own short forms."""
    rows = _rows(envelope)
    if rows is None:
        return encode_json(_without_image(envelope)).decode().strip()
    return "\n".join([encode_json(_head(envelope)).decode().strip(), *rows])


def _rows(envelope: Envelope) -> list[str] | None:
    name = str(envelope.get("doc_name", ""))
    if envelope.get("content"):
        return [_piece(name, item) for item in envelope["content"]]
    if envelope.get("structure"):
        return [_LEGEND, *_outline(envelope["structure"])]
    if envelope.get("hits"):
        return [_hit(name, hit) for hit in envelope["hits"]]
    return None


def _head(envelope: Envelope) -> dict[str, Any]:
    """What a reader of the rows still has to know: where this is, what was left out, and the call that goes on."""
    head = {key: value for key, value in envelope.items() if key not in _SHOWN and value not in (None, "", [], {})}
    if not (envelope.get("pagination") or {}).get("has_more"):
        head.pop("pagination", None)
    steps = envelope["next_steps"]
    if head.keys() & _UNFINISHED or any("state" in item for item in envelope.get("content") or ()):
        calls = [option for option in steps["options"] if isinstance(option, Mapping)]
        head["next_steps"] = {"summary": steps["summary"], "options": calls[:1]}
    return head


def _outline(nodes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    stack = [(node, 0) for node in reversed(nodes)]
    while stack:
        node, level = stack.pop()
        first, last = node["start_index"], node["end_index"]
        pages = str(first) if first == last else f"{first}-{last}"
        label = f" ({node['label']})" if "label" in node else ""
        hidden = f" +{node['children']}" if "children" in node else ""
        yield f"{'  ' * level}{node['node_id']} {node['title']} · {pages}{label} · {node['tokens']}{hidden}"
        if "summary" in node:
            note = f" [{node['summary_note']}]" if "summary_note" in node else ""
            yield f"{'  ' * level}  {node['summary']}{note}"
        stack.extend((child, level + 1) for child in reversed(node.get("nodes", ())))


def _hit(name: str, hit: Mapping[str, Any]) -> str:
    document = "" if name else f"{hit['doc_name']} · "
    label = f" (printed {hit['label']})" if "label" in hit else ""
    where = f"{document}page {hit['page']}{label} · section {hit['node_id']} {hit['section']}"
    if "passages" in hit:
        whole = " · whole page" if hit.get("whole") else ""
        return f"=== {name + ' · ' if name else ''}{where}{whole}\n{hit['passages']}"
    return f"{where}: {hit['snippet']}" if "snippet" in hit else where


def _without_image(envelope: Envelope) -> Envelope:
    return {**envelope, "image": "attached"} if "image" in envelope else envelope


def _piece(name: str, item: Mapping[str, Any]) -> str:
    label = f" (printed {item['label']})" if "label" in item else ""
    state = f" · {item['state']}" if "state" in item else ""
    section = f" · section {item['node_id']}" if "node_id" in item else ""
    handle = f" · handle {item['handles'][0]}" if item["handles"] else ""
    mark = f"=== {name} · page {item['page']}{label}{state}{section}{handle}"
    if item.get("already_delivered"):
        return f"{mark}\n(this text stands earlier in the conversation)"
    # PDFium writes CRLF, and U+0002 for a hyphen at a line's end; quotes are matched without regard to either.
    return f"{mark}\n{item['text'].replace(chr(13), '').replace(chr(2), '-')}"


def remember(session: Reader, messages: Sequence[Mapping[str, Any]]) -> int:
    """Note as delivered what the tool messages of an earlier conversation hold; returns how many pieces and passages that were.

    Handles prove themselves against the current editions, and numbered passages by their words, so what has changed since is not taken
    for read.
    """
    count = 0
    for message in messages:
        text = message.get("content")
        if isinstance(text, str) and (message.get("role") == "tool" or text.startswith("Result of ")):
            count += _remember(session, text)
    return count


def _remember(session: Reader, text: str) -> int:
    blocks = list(_BLOCK.finditer(text))
    if not blocks:
        return 0
    line = next((line for line in text.splitlines() if line.startswith("{")), "{}")
    try:
        head = decode_json(line.encode())
        doc_id = head.get("doc_id")
    except (ValueError, AttributeError):
        return 0  # a message of another program
    count = 0
    for block in blocks:
        try:
            document = session.open(doc_id or block["name"])
            count += _recall_piece(session, document, block["handle"]) + _recall_passages(session, document, block)
        except (Refusal, PageIndexError):
            continue  # of a document that is gone, or a page
    return count


def _recall_piece(session: Reader, document: OpenDocument, handle: str | None) -> int:
    if handle is None:
        return 0
    found = resolve(handle, [document.edition], lambda *_: True).evidence
    session.ledger(document.edition.id).deliver([PageRange(found.page, found.start, found.end)])
    return 1


def _recall_passages(session: Reader, document: OpenDocument, block: re.Match[str]) -> int:
    """The numbered passages of a page whose words are still printed there, under the numbers they had."""
    page = int(block["page"])
    if not 1 <= page <= document.edition.page_count:
        return 0
    printed = {clean(passage_words(document.edition, passage)): passage for passage in document.passages(page)}
    count = 0
    for line in _NUMBERED.finditer(block["text"]):
        passage = printed.get(line["words"])
        if passage is not None and session.passages.recall(int(line["number"]), document, passage):
            session.ledger(document.edition.id).deliver([passage.range])
            count += 1
    return count
