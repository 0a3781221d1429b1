"""Pictures of pages on their way to a model that sees: each under a line that names its place, and none of a document that is no longer to be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pageindex.chat.prompts import PICTURE
from pageindex.errors import PageIndexError
from pageindex.llm import Message
from pageindex.tools import Envelope, Reader, Receipt
from pageindex.tools.shown import clean

__all__ = ["picture_message", "still_allowed"]

_GONE = "(the picture is not shown: its document was removed, replaced, or is out of scope)"
_PLACE = re.compile(
    re.escape(PICTURE) + r"(?P<page>\d{1,7}) of (?P<doc>[0-9a-f]{6,64}) as read in (?P<edition>[0-9a-f]{6})\b"
)


def picture_message(session: Reader, envelope: Envelope) -> Message | None:
    """The user's turn that shows the picture of an envelope; None where there is none."""
    image = envelope.get("image")
    if not isinstance(image, Mapping):
        return None
    document = session.open(envelope["doc_id"])
    place = f"{PICTURE}{envelope['page']} of {document.doc_id} as read in {document.record.edition.id[:6]}, {clean(document.name)}"
    url = f"data:{image['media_type']};base64,{image['data']}"
    return {
        "role": "user",
        "content": [{"type": "text", "text": place}, {"type": "image_url", "image_url": {"url": url}}],
    }


def still_allowed(session: Reader, messages: Sequence[Message]) -> tuple[list[Message], tuple[Receipt, ...]]:
    """The messages without pictures of documents that are not to be seen any more, and receipts of those that are."""
    kept: list[Message] = []
    receipts: list[Receipt] = []
    for message in messages:
        place = _place(message)
        if place is None:
            kept.append(message)
            continue
        receipt = _receipt(session, place)
        if receipt is None:
            kept.append({**message, "content": [*message["content"][:1], {"type": "text", "text": _GONE}]})
        else:
            kept.append(message)
            receipts.append(receipt)
    return kept, tuple(receipts)


def _place(message: Message) -> re.Match[str] | None:
    content: Any = message.get("content")
    if not isinstance(content, list) or not any(isinstance(part, Mapping) and "image_url" in part for part in content):
        return None
    first = content[0]
    text = first.get("text") if isinstance(first, Mapping) else None
    return _PLACE.match(text) if isinstance(text, str) else None


def _receipt(session: Reader, place: re.Match[str]) -> Receipt | None:
    """A receipt for a picture, if its document is in scope and still what it was."""
    try:
        record = session.library.get(place["doc"])
    except PageIndexError:
        return None
    page, edition = int(place["page"]), record.edition.id
    if not session.allows(record.doc_id) or not edition.startswith(place["edition"]) or page > record.page_count:
        return None
    return Receipt(edition, -page)
