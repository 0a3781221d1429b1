"""Byte-level fuzzers: each takes inputs changed at random through one door, and fails on anything but a result or a clear error.

``TARGETS`` has them by name. A fuzzer is a context (made once: a pool, a library) that gives a function of a random generator, which
makes one execution and raises ``FoundError`` when something is wrong.
"""

from __future__ import annotations

import io
import random
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from pageindex.app import checks
from pageindex.app.document import OpenDocument
from pageindex.config.sources import load
from pageindex.errors import EvidenceError, InputError, PageIndexError
from pageindex.limits import Limits
from pageindex.reading import WorkerPool, read_isolated
from pageindex.store.base import Attempt
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary
from tests.support.memos import write_memo

__all__ = ["TARGETS", "FoundError", "changed", "fuzz"]

LIMITS = Limits(seconds=10, page_seconds=2, memory_bytes=256 << 20, crashes=5)
LONGEST = 120.0  #: Seconds of wall clock for one execution, far above every limit.

#: What a file of strangers may end with; every other code is a fault of ours.
CLEAR = frozenset(
    [
        "DAMAGED_FILE",
        "NO_PAGES",
        "NOT_WHAT_IT_SAYS",
        "EMPTY_FILE",
        "PASSWORD_REQUIRED",
        "UNSUPPORTED_ENCRYPTION",
        "UNSUPPORTED_FORMAT",
        "READER_CRASHED",
        "MEMORY_LIMIT",
        "TIME_LIMIT",
        "TOO_MANY_PAGES",
        "TOO_DEEP",
        "TOO_LARGE",
    ]
)
_NUMBERS = (b"0", b"-1", b"7", b"65536", b"2147483648", b"9223372036854775808", b"1e400", b"nan")
_TOKENS: Mapping[str, tuple[bytes, ...]] = {
    ".pdf": (
        b"/Kids [1 0 R]",
        b"/Count 99999",
        b"/Length 0",
        b"<<",
        b">>",
        b"endobj",
        b"null",
        b"/Filter /FlateDecode",
    ),
    ".docx": (
        b"<w:p>",
        b"</w:p>",
        b"<w:tbl>",
        b"&#0;",
        b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
        b"<w:instrText>",
        b"xmlns:w=''",
    ),
    ".html": (
        b"<table>",
        b"</div>",
        b"<svg>",
        b"<!--",
        b"&#x110000;",
        b"<h1>",
        b"<base href=//x>",
        b"<meta charset=punycode>",
    ),
    ".md": (b"```", b"# ", b"| - |", b"[^1]:", b"---\n", b"<div>", b"\\", b"> " * 40),
    "": (b"-", b",", b"~", b".", b"p", b"\xff", b"\x00", b" ", b"label:", b"=", b"[", b"]", b"'", b"e9"),
}


class FoundError(AssertionError):
    """Something a fuzzer found that must not be."""


Execution = Callable[[random.Random], None]


def changed(data: bytes, draw: random.Random, tokens: tuple[bytes, ...] = _TOKENS[""]) -> bytes:
    """Bytes with a few of them flipped, cut, doubled, moved, or replaced by tokens and numbers."""
    out = bytearray(data)
    for _ in range(draw.choice((1, 1, 3, 10, 40))):
        at, what = draw.randrange(len(out) + 1), draw.random()
        if what < 0.3:
            out[at : at + 1] = bytes((draw.randrange(256),))
        elif what < 0.45:
            del out[at : at + draw.choice((1, 8, 300))]
        elif what < 0.6:
            out[at:at] = out[at : at + draw.choice((1, 10, 500))]
        elif what < 0.8:
            out[at:at] = draw.choice(tokens)
        elif what < 0.92:
            out[at : at + 4] = draw.choice(_NUMBERS)
        else:
            del out[draw.randrange(len(out) // 2 + 1) :]
    return bytes(out)


def _guarded(what: str, call: Callable[[], object], allowed: tuple[type[Exception], ...]) -> None:
    begun = time.monotonic()
    try:
        call()
    except allowed as error:
        if not getattr(error, "next_step", "-"):
            raise FoundError(f"{what}: {error!r} says nothing of what to do") from error
    except Exception as error:
        raise FoundError(f"{what}: {error!r}") from error
    if time.monotonic() - begun > LONGEST:
        raise FoundError(f"{what}: took {time.monotonic() - begun:.0f} s")


# ---------------------------------------------------------------- files


def _files(suffix: str) -> Callable[[Path], AbstractContextManager[Execution]]:
    @contextmanager
    def fuzzer(folder: Path) -> Iterator[Execution]:
        source = write_memo(folder, suffix).read_bytes()
        with WorkerPool(1) as pool:

            def once(draw: random.Random) -> None:
                data = _repacked(source, draw) if suffix == ".docx" else changed(source, draw, _TOKENS[suffix])

                def read() -> None:
                    try:
                        edition = read_isolated(data, name=f"fuzzed{suffix}", limits=LIMITS, pool=pool)
                    except PageIndexError as error:
                        if error.code not in CLEAR:
                            raise FoundError(f"{error.code}: {error.message}") from error
                        raise
                    if not edition.page_count:
                        raise FoundError("an edition without pages")

                _guarded(suffix, read, (PageIndexError,))

            yield once
            if pool.submit("operator:add", 2, 3).result() != 5:
                raise FoundError("the pool is of no more use")

    return fuzzer


def _repacked(package: bytes, draw: random.Random) -> bytes:
    """A package changed as a whole, or with one of its parts changed and packed again."""
    if draw.random() < 0.3:
        return changed(package, draw)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = [name for name in old.namelist() if name.endswith((".xml", ".rels"))]
        chosen = draw.choice(names)
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, changed(data, draw, _TOKENS[".docx"]) if name == chosen else data)
    return out.getvalue()


# ---------------------------------------------------------------- the store


@contextmanager
def _store(folder: Path) -> Iterator[Execution]:
    """Any file of a library changed at random: every stored one is named, and nothing but the truth is read."""
    sound, copy = folder / "sound", folder / "copy"
    library = DiskLibrary.open(sound)
    record = library.add(sample_addition("/a/report.txt", ("# One\nalpha beta", "# Two\ngamma"))).record
    library.put_file(record.doc_id, "runs", "r.json", b"{}\n")
    library.create_folder("F")
    for number in range(6):
        library.record_attempt(Attempt(str(number), "/a/report.txt", "0" * 64, "added", record.doc_id))
    library.search("alpha")
    truth = (library.edition(record.doc_id), library.tree(record.doc_id), library.get(record.doc_id))
    shutil.copytree(sound, copy)
    files = [path for path in sorted(sound.rglob("*")) if path.is_file() and path.name != "lock"]

    def once(draw: random.Random) -> None:
        path = draw.choice(files)
        data, place = path.read_bytes(), copy / path.relative_to(sound)
        mutated = _without_lines(data, draw) if draw.random() < 0.2 else changed(data, draw)
        if mutated == data:
            return
        if mutated or draw.random() < 0.5:
            place.write_bytes(mutated)
        else:
            place.unlink()
        name = path.relative_to(sound).as_posix()
        derived = ".sqlite" in name
        try:
            _guarded(name, lambda: _read(copy, truth), (PageIndexError,) if not derived else ())
            found: list[str] = []
            _guarded(name, lambda: found.extend(f.path for f in DiskLibrary.open(copy, strict=False).doctor()), ())
            if not derived and name not in found:
                raise FoundError(f"{name} was changed, and doctor names {found}")
        finally:
            shutil.rmtree(copy)
            shutil.copytree(sound, copy)

    yield once


def _without_lines(data: bytes, draw: random.Random) -> bytes:
    """Whole lines taken out, or all of them."""
    share = draw.choice((0.2, 0.8, 1.0))
    return b"".join(line for line in data.splitlines(keepends=True) if draw.random() >= share)


def _read(root: Path, truth: tuple[object, ...]) -> None:
    library = DiskLibrary.open(root)
    doc_id = library.search("alpha").hits
    listed = library.list()
    if not doc_id and not listed.unreadable and not library.search("alpha").unreadable:
        raise FoundError("a document is gone without a word")
    for record in listed.documents:
        seen = (library.edition(record.doc_id), library.tree(record.doc_id), library.get(record.doc_id))
        if seen != truth:
            raise FoundError("what was read is not what was written")


# ---------------------------------------------------------------- words of callers


def _words(
    make: Callable[[OpenDocument], tuple[list[str], Callable[[str], object]]],
) -> Callable[..., AbstractContextManager[Execution]]:
    @contextmanager
    def fuzzer(folder: Path) -> Iterator[Execution]:
        library = DiskLibrary.open(folder / "library")
        pages = [f"# Part {n}\nalpha beta {n} words" for n in range(1, 8)]
        record = library.add(sample_addition("/a/report.txt", pages)).record
        samples, call = make(OpenDocument.open(library, record.doc_id))

        def once(draw: random.Random) -> None:
            data = changed(draw.choice(samples).encode(), draw)
            text = data.decode("utf-8", draw.choice(("replace", "surrogateescape")))
            _guarded(repr(text), lambda: call(text), (EvidenceError, InputError))

        yield once

    return fuzzer


def _handles(document: OpenDocument) -> tuple[list[str], Callable[[str], object]]:
    from pageindex.app.search import search

    handles = [str(hit.handle) for hit in search(document.library, "alpha").hits]
    truth = {handle: document.block(handle) for handle in handles}

    def call(text: str) -> None:
        found = document.block(text)
        if found not in truth.values() and text not in truth:
            # Another valid handle would need eight right hex digits of a hash.
            raise FoundError(f"{text!r} stands for {found}")

    return handles, call


def _cursors(document: OpenDocument) -> tuple[list[str], Callable[[str], object]]:
    library = document.library
    cursors = [str(library.search("alpha", limit=n).next_cursor) for n in range(1, 4)]
    return cursors, lambda text: library.search("alpha", limit=2, cursor=text)


def _page_specs(document: OpenDocument) -> tuple[list[str], Callable[[str], object]]:
    def call(text: str) -> None:
        numbers = [page.page.number for page in document.pages(text)]
        if numbers != sorted(set(numbers)) or not set(numbers) <= set(range(1, 8)):
            raise FoundError(f"{text!r} gives pages {numbers}")

    return ["1", "1-3", "2,4-6", "label:3", "iv", "1-7,7"], call


def _claims(document: OpenDocument) -> tuple[list[str], Callable[[str], object]]:
    import json

    def call(text: str) -> None:
        try:
            claims = json.loads(text)
        except ValueError:
            return
        if isinstance(claims, dict | list):
            checks.check(document, checks.parse(claims))

    sample = {"claims": [{"text": "alpha", "quotes": [{"text": "alpha beta 1", "page": 1}], "numbers": ["1"]}]}
    return [json.dumps(sample), json.dumps(sample["claims"])], call


@contextmanager
def _configuration(folder: Path) -> Iterator[Execution]:
    sample = b'model = "openai/x"\nbase_url = "http://127.0.0.1:1"\nmax_usd = 2.5\nsummaries = "auto"\n[extra]\nkey = [1, 2]\n'
    path = folder / "pageindex.toml"

    def once(draw: random.Random) -> None:
        path.write_bytes(changed(sample, draw))
        path.chmod(0o600)
        _guarded("pageindex.toml", lambda: load(file=path, environment={}), (PageIndexError,))

    yield once


TARGETS: Mapping[str, Callable[[Path], AbstractContextManager[Execution]]] = {
    "pdf": _files(".pdf"),
    "docx": _files(".docx"),
    "html": _files(".html"),
    "markdown": _files(".md"),
    "store": _store,
    "handles": _words(_handles),
    "cursors": _words(_cursors),
    "page specs": _words(_page_specs),
    "claims": _words(_claims),
    "configuration": _configuration,
}


def fuzz(name: str, seconds: float, seed: int, folder: Path, least: int = 1) -> tuple[int, list[str]]:
    """Run a fuzzer for some seconds, and ``least`` executions; returns how many there were, and what it found, with the seed of each."""
    findings, number, end = [], 0, time.monotonic() + seconds
    with TARGETS[name](folder) as once:
        while number < least or time.monotonic() < end:
            try:
                once(random.Random(seed + number))
            except FoundError as finding:
                findings.append(f"seed {seed + number}: {finding}")
                if len(findings) >= 20:
                    return number + 1, findings
            number += 1
    return number, findings
