"""``doctor``, ``verify`` and ``gc``: what is wrong with a library on disk, and putting it right without losing anything.

Nothing is ever repaired by guessing: a document that cannot be trusted is moved, whole, to ``set-aside/``, where a person can look at it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from pageindex.atomic import TEMPORARY
from pageindex.document import DocumentRecord, EditionEntry, Summaries
from pageindex.document.codec import (
    EDITION_FILE,
    PAGES_FILE,
    decode_edition,
    decode_json,
    encode_json,
    summaries_to_json,
)
from pageindex.errors import CorruptRecordError, FormatVersionError
from pageindex.store import records
from pageindex.store.base import Attempt, Finding
from pageindex.store.disk.attempts import BEGINNING, Head, encoded_head, read_head
from pageindex.store.disk.attempts_check import Inspection, inspect, renewed
from pageindex.store.disk.commit import Committer
from pageindex.store.disk.files import REMEDY
from pageindex.store.disk.layout import AREAS, DOCUMENT, EDITIONS, NEXT, SUMMARIES, TREE, Layout
from pageindex.store.disk.spending import sorted_out

__all__ = ["Checkup"]

ADD_AGAIN = "Add the original file again."


@dataclass(frozen=True, slots=True)
class Checkup:
    """Checks of a library's documents; the caller holds the writer's lock where something is changed."""

    committer: Committer

    @property
    def layout(self) -> Layout:
        return self.committer.files.layout

    # ------------------------------------------------------------ doctor

    def documents(self, *, repair: bool) -> Iterator[Finding]:
        """A finding for each file of a document that is missing or not as it was written.

        ``repair`` puts aside what is damaged: a file beside the editions or summaries alone, else the document as a whole.
        """
        for doc_id in self.layout.doc_ids():
            found = list(self.problems(doc_id))
            if not repair or not found:
                yield from found
            elif all(self._is_apart(doc_id, finding) for finding in found):
                yield from [self._without(doc_id, finding) for finding in found]
            elif any(finding.code == FormatVersionError.default_code for finding in found):
                yield from found  # sound, but not for us: never set aside
            else:
                aside = self._set_aside(self.layout.document(doc_id))
                remedy = f"It was moved to {aside}. {self._add_again(aside)}"
                yield from [replace(finding, repaired=True, remedy=remedy) for finding in found]

    def problems(self, doc_id: str) -> Iterator[Finding]:
        """What is wrong with one document: every file against its digest, every page against its hash, every part against the others."""
        files, folder = self.committer.files, self.layout.document(doc_id)
        if files.status(doc_id, DOCUMENT) is None:
            text = "the document has lost its record"
            yield self._finding("MISSING_FILE", folder / DOCUMENT, text, doc_id, REMEDY)
            return
        try:
            record = files.record(doc_id)
        except (CorruptRecordError, FormatVersionError) as error:
            yield self._finding(error.code, folder / DOCUMENT, error.message, doc_id, error.next_step)
            return
        yield from self._strangers(record)
        for name, digest in record.files.items():
            yield from self._checked(record, name, lambda n=name, d=digest: files.read_checked(doc_id, n, d))  # type: ignore[misc]
        for entry in record.editions:
            yield from self._source(record, entry)
            yield from self._edition(record, entry)

    def _checked(self, record: DocumentRecord, name: str, load: Callable[[], object]) -> Iterator[Finding]:
        path = self.layout.document(record.doc_id) / name
        try:
            self.committer.files.trusted(path, load)
        except CorruptRecordError as error:
            yield self._finding(
                error.code, Path(str(error.details["file"])), error.message, record.doc_id, error.next_step
            )
        except FormatVersionError as error:
            yield self._finding(error.code, path, error.message, record.doc_id, error.next_step)

    def _source(self, record: DocumentRecord, entry: EditionEntry) -> Iterator[Finding]:
        path = self.layout.document(record.doc_id) / entry.source_file
        ahead = self.layout.document(record.doc_id) / NEXT / entry.source_file
        path = ahead if ahead.is_file() else path
        if not path.is_file():
            yield self._finding(
                "MISSING_SOURCE", path, "the library's copy of the original is missing", record.doc_id, ADD_AGAIN
            )
            return
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != entry.source_sha256:
            text = f"the library's copy of the original has SHA-256 {found}, and {entry.source_sha256} was read"
            yield self._finding("HASH_MISMATCH", path, text, record.doc_id, ADD_AGAIN)

    def _edition(self, record: DocumentRecord, entry: EditionEntry) -> Iterator[Finding]:
        files, doc_id, place = self.committer.files, record.doc_id, f"{EDITIONS}/{entry.id}"
        loads: dict[str, Callable[[], object]] = {
            PAGES_FILE: lambda: len(files.edition(doc_id, entry.id).lines),
            TREE: lambda: files.tree(doc_id, entry.id),
            SUMMARIES: lambda: files.summaries(doc_id, entry.id),
        }
        found = [finding for name, load in loads.items() for finding in self._checked(record, f"{place}/{name}", load)]
        yield from (self._naming_pages(record, entry, finding) for finding in found)
        if not found:
            yield from self._agreement(record, entry)

    def _agreement(self, record: DocumentRecord, entry: EditionEntry) -> Iterator[Finding]:
        """Pages against the hashes of the edition, the edition against its id, the tree against the pages."""
        files, doc_id, folder = (
            self.committer.files,
            record.doc_id,
            self.layout.document(record.doc_id) / EDITIONS / entry.id,
        )
        edition, tree = files.edition(doc_id, entry.id), files.tree(doc_id, entry.id)
        stated = decode_json(files.read(doc_id, f"{EDITIONS}/{entry.id}/{EDITION_FILE}"))["page_sha256"]
        texts = []
        if len(stated) != edition.page_count:
            texts.append((PAGES_FILE, f"{edition.page_count} pages, where {len(stated)} were read"))
        else:
            texts += [
                (PAGES_FILE, f"the text of page {page.number} is not what was read")
                for page, digest in zip(edition.pages, stated, strict=True)
                if page.sha256 != digest
            ]
        if edition.id != entry.id:
            texts.append((EDITION_FILE, f"it hashes to edition {edition.id}"))
        if tree.end != edition.end:
            texts.append((TREE, f"it ends at {tree.end}, not {edition.end}"))
        for name, text in texts:
            yield self._finding("HASH_MISMATCH", folder / name, text, doc_id, f"Remove {record.name} and add it again.")

    def _naming_pages(self, record: DocumentRecord, entry: EditionEntry, finding: Finding) -> Finding:
        """The finding on a page file that still can be parsed, with the pages whose text is not what was read."""
        if not finding.path.endswith(f"/{PAGES_FILE}"):
            return finding
        files, place = self.committer.files, f"{EDITIONS}/{entry.id}"
        try:
            head, body = (files.read(record.doc_id, f"{place}/{name}") for name in (EDITION_FILE, PAGES_FILE))
            stated, pages = decode_json(head)["page_sha256"], decode_edition(head, body).pages
            changed = [page.number for page, digest in zip(pages, stated, strict=True) if page.sha256 != digest]
        except (ValueError, KeyError, TypeError, OSError):
            return finding
        text = f" (page {', '.join(map(str, changed))})" if changed else ""
        return replace(finding, message=f"{finding.message}{text}")

    def _strangers(self, record: DocumentRecord) -> Iterator[Finding]:
        """Files in a document's folder that its record does not know; nothing removes them but a person."""
        folder = self.layout.document(record.doc_id)
        known = {DOCUMENT, NEXT, *(entry.source_file for entry in record.editions), *record.files}
        known |= {f"{EDITIONS}/{entry.id}" for entry in record.editions}
        inner = [path for area in (EDITIONS, *sorted(AREAS)) for path in sorted((folder / area).glob("[!.]*"))]
        outer = [path for path in sorted(folder.glob("[!.]*")) if path.name not in (EDITIONS, *AREAS)]
        vouched = {str(PurePath(name)) for name in known}
        for path in (*outer, *inner):
            name = path.relative_to(folder).as_posix()
            if name not in vouched and not (name.partition("/")[0] in AREAS and not record.edition.files):
                text = "the document's record does not know it"
                yield self._finding(
                    "UNKNOWN_FILE",
                    path,
                    text,
                    record.doc_id,
                    "Look at it, and remove it by hand if it is nothing of yours.",
                )

    def _is_apart(self, doc_id: str, finding: Finding) -> bool:
        """Whether the document lives on without the file: summaries, files beside the editions, and what is not its own."""
        name = Path(finding.path).relative_to(self.layout.relative(self.layout.document(doc_id))).as_posix()
        return finding.code == "UNKNOWN_FILE" or name.partition("/")[0] in AREAS or name.endswith(f"/{SUMMARIES}")

    def _without(self, doc_id: str, finding: Finding) -> Finding:
        if finding.code == "UNKNOWN_FILE":
            return finding
        folder, path = self.layout.document(doc_id), self.layout.root / finding.path
        self.committer.settle(doc_id)
        aside = self._set_aside(path) if path.exists() else ""
        record, name = self.committer.files.record(doc_id), path.relative_to(folder).as_posix()
        if path.name == SUMMARIES:
            edition_id = path.parent.name
            empty = {SUMMARIES: encode_json(summaries_to_json(Summaries(edition_id)))}
            updated, made = records.with_derived(record, edition_id, empty), {name: empty[SUMMARIES]}
        else:
            updated, made = replace(record, files={n: d for n, d in record.files.items() if n != name}), {}
        self.committer.replace(updated, made)
        moved = f"It was moved to {aside}. " if aside else ""
        what = (
            "Make the summaries again: 'pageindex refine'."
            if path.name == SUMMARIES
            else "The document lives on without it."
        )
        return replace(finding, repaired=True, remedy=moved + what)

    def put_aside(self, path: Path) -> None:
        """Move a file or folder to ``set-aside/``, where there is one."""
        if path.exists():
            self._set_aside(path)

    def _set_aside(self, path: Path) -> str:
        target = self._free_name(path)
        self.committer.writer.move(path, target)
        return self.layout.relative(target)

    def _free_name(self, path: Path) -> Path:
        """A name in ``set-aside/`` that nothing has yet."""
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        target = self.layout.set_aside / f"{path.name}-{stamp}"
        number = 1
        while target.exists():
            number += 1
            target = target.with_name(f"{path.name}-{stamp}-{number}")
        return target

    def _add_again(self, aside: str) -> str:
        """How to get a set-aside document back: from its own copy of the original, where that is there."""
        copies = sorted((self.layout.root / aside).glob("source*"))
        return f"Add its original again: pageindex add '{copies[-1]}'." if copies else ADD_AGAIN

    def file(self, path: Path, load: Callable[[], object], fresh: bytes, *, repair: bool) -> Iterator[Finding]:
        """A finding when a file of the library itself is missing or cannot be trusted; repair sets it aside and puts ``fresh`` there."""
        try:
            self.committer.files.trusted(path, load)
        except CorruptRecordError as error:
            finding = Finding(error.code, self.layout.relative(path), error.message, error.next_step)
            if repair:
                remedy = f"It was moved to {self._set_aside(path)}." if path.exists() else "It was made anew."
                self.committer.writer.write(path, fresh)
                finding = replace(finding, repaired=True, remedy=remedy)
            yield finding

    def attempts(self, *, counted: bool, repair: bool) -> Iterator[Finding]:
        """Findings when lines of the log are torn, changed or missing, or when its head is; repair keeps what is left, and notes the loss.

        ``counted`` says that the library is known to keep a head.
        """
        path, place = self.layout.attempts, self.layout.attempts_head
        head, reason = self._head_of_log(place, counted=counted)
        data = path.read_bytes() if path.exists() else b""  # after the head: the log is never behind it
        found = inspect(data, head)
        lost = self._losses(path, found, missing=head is not None and head.lines > 0 and not path.exists())
        remedy = ""
        if repair and lost:
            remedy = self._renew_log(data, found, "; ".join(finding.message for finding in lost))
        elif repair and reason:
            self.committer.writer.write(place, encoded_head(found.head if found.head.seal else BEGINNING))
        yield from [replace(one, repaired=True, remedy=remedy) if repair else one for one in lost]
        if reason:
            done = (
                "It was made anew from the log."
                if repair
                else "Run 'pageindex doctor --repair': it is made anew from the log."
            )
            yield Finding(
                "MISSING_FILE" if not place.exists() else "CORRUPT_RECORD",
                self.layout.relative(place),
                reason,
                done,
                repaired=repair,
            )

    def _head_of_log(self, place: Path, *, counted: bool) -> tuple[Head | None, str]:
        """The head of the log, or why there is none that can be believed; empty for a library of before there was one."""
        try:
            return read_head(place), ""
        except FileNotFoundError:
            return None, "how many attempts the log should hold is missing" if counted else ""
        except (OSError, ValueError, TypeError, KeyError, FormatVersionError) as error:
            return None, f"how many attempts the log should hold cannot be trusted: {error}"

    def _losses(self, path: Path, found: Inspection, *, missing: bool) -> list[Finding]:
        name, losses = self.layout.relative(path), []
        remedy = "No document is concerned; what those lines said is lost. Run 'pageindex doctor --repair' to keep the others and note the loss."
        if found.changed:
            text = f"{len(found.changed):,} of the lines in {name} are torn or changed; the others are read"
            losses.append(Finding("CORRUPT_RECORD", name, text, "Run 'pageindex doctor --repair' to set them aside."))
        if found.problems:
            text = f"{name} is not as it was written: {'; '.join(found.problems)}"
            losses.append(Finding("MISSING_FILE" if missing else "CORRUPT_RECORD", name, text, remedy))
        return losses

    def _renew_log(self, data: bytes, found: Inspection, why: str) -> str:
        """Put the log aside as it is, and one of its sound lines and a note in its place; returns what to tell."""
        writer, path = self.committer.writer, self.layout.attempts
        told = "The others are kept, and the loss is noted in the log."
        if data:
            aside = self._free_name(path)
            writer.folder(aside.parent)
            writer.write(aside, data)
            told = f"The log as it was is {self.layout.relative(aside)}. {told}"
        note = Attempt(records.now(), "", "", "CORRUPT_RECORD", message=why)
        log, head = renewed(found.lines, note)
        writer.write(path, log)
        writer.write(self.layout.attempts_head, encoded_head(head))
        return told

    def spending(self, *, repair: bool) -> Iterator[Finding]:
        """A finding when lines of the log of costs are torn or changed; repair puts them aside and keeps the others."""
        path = self.layout.spending
        good, bad = sorted_out(path)
        if not bad:
            return
        count, name = len(bad.splitlines()), self.layout.relative(path)
        text = f"{count} of the lines in {name} are torn or changed; the others are read"
        finding = Finding("CORRUPT_RECORD", name, text, "Run 'pageindex doctor --repair' to set them aside.")
        if repair:
            aside = self._free_name(path)
            self.committer.writer.folder(aside.parent)
            self.committer.writer.write(aside, bad)
            self.committer.writer.write(path, good)
            finding = replace(finding, repaired=True, remedy=f"They were moved to {self.layout.relative(aside)}.")
        yield finding

    def _finding(self, code: str, path: Path, message: str, doc_id: str, remedy: str) -> Finding:
        return Finding(code, self.layout.relative(path), message, remedy, doc_id)

    # ------------------------------------------------------------ gc

    def garbage(self) -> Sequence[Path]:
        """What killed commands left: files and folders under a temporary name. Nothing else is ever garbage, whatever no record names."""
        found = [path for folder in self._folders() for path in sorted(folder.glob(f"{TEMPORARY}*"))]
        for doc_id in self.layout.doc_ids():
            found.extend(self._garbage_of(doc_id))
        return found

    def _garbage_of(self, doc_id: str) -> Iterator[Path]:
        folder = self.layout.document(doc_id)
        for inner in (
            folder,
            folder / EDITIONS,
            *sorted((folder / EDITIONS).glob("[!.]*")),
            *(folder / a for a in sorted(AREAS)),
        ):
            yield from sorted(inner.glob(f"{TEMPORARY}*"))

    def unfinished(self) -> Sequence[str]:
        """Documents with a published change that was not moved to its place."""
        return [doc_id for doc_id in self.layout.doc_ids() if (self.layout.document(doc_id) / NEXT).is_dir()]

    def _folders(self) -> Sequence[Path]:
        return (self.layout.root, self.layout.documents, self.layout.cache, self.layout.set_aside)
