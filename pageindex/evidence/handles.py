"""From a handle back to the words it stands for: recompute and compare, with no registry, key or session, and never the nearest thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pageindex.document import Edition, Evidence, Handle, text_sha256
from pageindex.errors import EvidenceError

__all__ = ["SHORT_SPAN", "Delivered", "Resolved", "resolve"]

SHORT_SPAN = 12  #: Bytes; a shorter span could be guessed together with its hash.
Delivered = Callable[[str, int, int, int], bool]
"""``(edition, page, start, end)`` → whether those bytes were delivered in this session."""

_AGAIN = "Send the quoted words instead; handles are only ever copied."


@dataclass(frozen=True, slots=True)
class Resolved:
    """A handle that checks: the evidence, and the words it stands for."""

    evidence: Evidence
    text: str


def resolve(handle: str | Handle, editions: Iterable[Edition], delivered: Delivered | None = None) -> Resolved:
    """Recompute a handle.

    Args:
        handle: As it was copied.
        editions: The current editions in scope.
        delivered: Asked for spans under 12 bytes; without it those are refused.

    Raises:
        EvidenceError: INVALID_LOCATOR when the text is no handle or does not check; SOURCE_CHANGED when no current edition
            begins with its digits, as after the source was replaced.
    """
    parsed = Handle.parse(handle) if isinstance(handle, str) else handle
    if isinstance(handle, str) and str(parsed) != handle.strip():
        raise EvidenceError(f"{handle!r} is not written as a handle is", _AGAIN)
    known = [edition for edition in editions if edition.id.startswith(parsed.edition)]
    if not known:
        message = f"{parsed} belongs to another edition than the current one"
        raise EvidenceError(message, "The source was read anew: locate the words again.", code="SOURCE_CHANGED")
    for edition in known:
        found = _in_edition(parsed, edition)
        if found is not None:
            _assert_not_guessed(parsed, edition, delivered)
            return found
    raise EvidenceError(f"{parsed} does not match the text it points to", _AGAIN)


def _in_edition(handle: Handle, edition: Edition) -> Resolved | None:
    if handle.page > edition.page_count or handle.start >= handle.end:
        return None
    data = edition.page(handle.page).data
    if handle.end > len(data):
        return None
    try:
        text = data[handle.start : handle.end].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # cuts a character in two
        return None
    digest = text_sha256(text)
    if digest[:8] != handle.digest:
        return None
    return Resolved(Evidence(edition.id, handle.page, handle.start, handle.end, digest), text)


def _assert_not_guessed(handle: Handle, edition: Edition, delivered: Delivered | None) -> None:
    if handle.end - handle.start >= SHORT_SPAN:
        return
    if delivered is None or not delivered(edition.id, handle.page, handle.start, handle.end):
        raise EvidenceError(f"{handle} is short and was not delivered in this session", _AGAIN)
