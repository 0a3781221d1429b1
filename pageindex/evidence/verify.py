"""Whether an edition is still what it says: against its own records, against its source, and, with ``deep``, read anew.

A page file that was edited, a source that drifted or went missing, and an extractor of another version are three different things,
and are reported by different names. Another version of the extractor is not tampering.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageindex.document import Edition, Extractor
from pageindex.errors import PageIndexError

__all__ = ["EditionFinding", "Recorded", "verify"]

_CHUNK = 1 << 20
_ADD_AGAIN = "Run 'pageindex add' on the source to record a new edition."


@dataclass(frozen=True, slots=True)
class EditionFinding:
    """One thing that is not as recorded.

    Attributes:
        code: ``MISSING_SOURCE``, ``SOURCE_CHANGED``, ``EXTRACTOR_VERSION_SKEW``, ``PAGE_EDITED``, ``PAGE_FORGED``,
            ``EDITION_MISMATCH``, ``PAGE_COUNT_DIFFERS`` or ``SOURCE_UNREADABLE``.
        message: What is wrong, with the values.
        remedy: What to do.
        page: The page concerned, if it is one.
    """

    code: str
    message: str
    remedy: str
    page: int | None = None

    def to_json(self) -> dict[str, Any]:
        """``{code, message, remedy, page}``."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy, "page": self.page}


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was written down when the edition was made: its id, and the hash of every page's text."""

    edition: str
    page_sha256: tuple[str, ...]

    @classmethod
    def of(cls, head: Mapping[str, Any]) -> Recorded:
        """From the decoded ``edition.json``; raises KeyError or TypeError when it is not one."""
        return cls(str(head["id"]), tuple(head["page_sha256"]))


def verify(
    edition: Edition,
    source: Path | None,
    *,
    recorded: Recorded | None = None,
    deep: bool = False,
    read: Callable[[Path], Edition] | None = None,
    current: Extractor | None = None,
) -> list[EditionFinding]:
    """Compare an edition with everything it rests on; an empty list means that nothing changed.

    Args:
        edition: As loaded.
        source: The file it was read from; None when that is not known.
        recorded: The edition's own record, to notice edited page files.
        deep: Extract the source again and compare every page byte for byte.
        read: How to extract; the reading room's reader unless given (a password, limits).
        current: The extractor in use; taken from the fresh reading when that is done.
    """
    findings = [*_against_record(edition, recorded), *_against_source(edition, source)]
    usable = not any(f.code in ("MISSING_SOURCE", "SOURCE_CHANGED", "SOURCE_UNREADABLE") for f in findings)
    if deep and source is not None and usable:
        findings += _read_anew(edition, source, read or _read)
    elif current is not None:
        findings += _skew(edition, current)
    return findings


def _against_record(edition: Edition, recorded: Recorded | None) -> Iterator[EditionFinding]:
    if recorded is None:
        return
    if len(recorded.page_sha256) != edition.page_count:
        message = f"{edition.page_count} pages are stored, {len(recorded.page_sha256)} were recorded"
        yield EditionFinding("PAGE_COUNT_DIFFERS", message, _ADD_AGAIN)
    edited = [page.number for page, sha in zip(edition.pages, recorded.page_sha256, strict=False) if page.sha256 != sha]
    for number in edited:
        message = f"the stored text of page {number} is not the text that was recorded"
        yield EditionFinding("PAGE_EDITED", message, _ADD_AGAIN, number)
    if edition.id != recorded.edition and not edited:
        message = f"the edition's parts give {edition.id[:12]}, its record says {recorded.edition[:12]}"
        yield EditionFinding("EDITION_MISMATCH", message, _ADD_AGAIN)


def _against_source(edition: Edition, source: Path | None) -> Iterator[EditionFinding]:
    if source is None or not source.is_file():
        where = f" at {source}" if source is not None else ""
        yield EditionFinding("MISSING_SOURCE", f"{edition.source.name} is not there{where}", "Put the file back.")
        return
    digest = hashlib.sha256()
    try:
        with source.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        yield EditionFinding(
            "SOURCE_UNREADABLE", f"{source} cannot be read: {error.strerror}", "Check its permissions."
        )
        return
    if digest.hexdigest() != edition.source.sha256:
        message = f"the bytes of {source} are not those that were read"
        yield EditionFinding("SOURCE_CHANGED", message, _ADD_AGAIN)


def _read(source: Path) -> Edition:
    from pageindex import reading

    return reading.read(source)


def _read_anew(edition: Edition, source: Path, read: Callable[[Path], Edition]) -> Iterator[EditionFinding]:
    try:
        fresh = read(source)
    except PageIndexError as error:
        yield EditionFinding("SOURCE_UNREADABLE", f"reading {source} failed: {error.message}", error.next_step)
        return
    skew = _skew(edition, fresh.extractor)
    yield from skew
    if fresh.page_count != edition.page_count:
        message = f"the source has {fresh.page_count} pages, the edition {edition.page_count}"
        yield EditionFinding("PAGE_COUNT_DIFFERS", message, _ADD_AGAIN)
    if skew:  # another extractor may well give another text: nobody touched the page
        return
    for page, again in zip(edition.pages, fresh.pages, strict=False):
        if page.data != again.data or page.state is not again.state:
            message = f"page {page.number} does not come out of its source as it is stored"
            yield EditionFinding("PAGE_FORGED", message, _ADD_AGAIN, page.number)


def _skew(edition: Edition, current: Extractor) -> Sequence[EditionFinding]:
    if current == edition.extractor:
        return ()
    message = (
        f"read with {edition.extractor.id} {edition.extractor.version}, "
        f"{current.id} {current.version} is installed; the stored text may differ from a new reading"
    )
    return (EditionFinding("EXTRACTOR_VERSION_SKEW", message, _ADD_AGAIN),)
