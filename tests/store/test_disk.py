"""What only a library on disk has: a place, modes, locks, damage, repair, and a format."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from pageindex.document.codec import record_to_json
from pageindex.errors import (
    CorruptRecordError,
    FormatVersionError,
    InputError,
    LockedError,
    NotFoundError,
)
from pageindex.store import records
from pageindex.store.base import Outcome
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.files import DocumentFiles
from pageindex.store.disk.layout import Found, find_library, locate_library
from pageindex.store.disk.library import DiskLibrary
from pageindex.store.disk.migrations import sealed

PAGES = ("# One\nalpha beta", "# Two\ngamma")


@pytest.fixture
def library(tmp_path: Path) -> DiskLibrary:
    return DiskLibrary.open(tmp_path / "library")


# ---------------------------------------------------------------- finding and opening


def test_found_like_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAGEINDEX_LIBRARY", raising=False)
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_library(inner) == inner / ".pageindex"
    (tmp_path / "a" / ".pageindex").mkdir()
    assert find_library(inner) == tmp_path / "a" / ".pageindex"
    monkeypatch.setenv("PAGEINDEX_LIBRARY", str(tmp_path / "env"))
    assert find_library(inner) == tmp_path / "env"
    assert find_library(inner, tmp_path / "named") == tmp_path / "named"


def test_the_search_ends_at_home_at_a_ceiling_and_never_before_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAGEINDEX_LIBRARY", raising=False)
    (tmp_path / ".pageindex").mkdir()
    inner = tmp_path / "home" / "work"
    inner.mkdir(parents=True)
    monkeypatch.delenv("PAGEINDEX_CEILING")
    assert find_library(inner) == tmp_path / ".pageindex"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert locate_library(inner) == Found(inner / ".pageindex", "new")
    (tmp_path / "home" / ".pageindex").mkdir()
    assert locate_library(inner) == Found(tmp_path / "home" / ".pageindex", "above")
    monkeypatch.setenv("PAGEINDEX_CEILING", os.pathsep.join(["/nowhere", str(tmp_path / "home")]))
    assert find_library(inner) == inner / ".pageindex"
    assert locate_library(tmp_path / "home") == Found(tmp_path / "home" / ".pageindex", "here")


def test_the_search_ends_at_the_border_of_a_file_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PAGEINDEX_LIBRARY", raising=False)
    monkeypatch.delenv("PAGEINDEX_CEILING")
    (tmp_path / ".pageindex").mkdir()
    inner = tmp_path / "mounted" / "a"
    inner.mkdir(parents=True)
    stat = Path.stat

    def mounted(path: Path, **options: Any) -> os.stat_result:
        found = stat(path, **options)
        if path.is_relative_to(tmp_path / "mounted"):
            return os.stat_result((*found[:2], found.st_dev + 1, *found[3:]))
        return found

    monkeypatch.setattr(Path, "stat", mounted)
    assert find_library(inner) == inner / ".pageindex"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system keeps no owners")
def test_a_library_of_another_user_is_refused_unless_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAGEINDEX_LIBRARY", raising=False)
    found = tmp_path / ".pageindex"
    DiskLibrary.open(found)
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    monkeypatch.delenv("SUDO_UID", raising=False)
    (tmp_path / "a").mkdir()
    for start in (tmp_path, tmp_path / "a"):
        with pytest.raises(InputError, match="belongs to another user") as caught:
            find_library(start)
        assert caught.value.code == "FOREIGN_LIBRARY"
        assert f"--library {found}" in caught.value.next_step
    assert DiskLibrary.open(found, create=False).root == found
    monkeypatch.setenv("PAGEINDEX_LIBRARY", str(found))
    assert find_library(tmp_path) == found


@pytest.mark.parametrize(
    "address", ["postgresql://u:secret@h/db", "sqlite:///x.db", "https://h/l", "s3://bucket/l", "file:/x"]
)
def test_an_address_is_no_folder(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for named in (address, Path(address)):
        with pytest.raises(InputError, match="names an address") as caught:
            DiskLibrary.open(named)
        assert caught.value.code == "NOT_A_FOLDER"
        assert "secret" not in caught.value.message
    monkeypatch.setenv("PAGEINDEX_LIBRARY", address)
    with pytest.raises(InputError, match=r"\$PAGEINDEX_LIBRARY names an address"):
        DiskLibrary.open()
    assert list(tmp_path.iterdir()) == []


def test_not_made_unless_asked(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no library") as caught:
        DiskLibrary.open(tmp_path / "none", create=False)
    assert caught.value.code == "LIBRARY_NOT_FOUND"
    assert not (tmp_path / "none").exists()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"x")
    with pytest.raises(InputError) as caught:
        DiskLibrary.open(tmp_path)
    assert caught.value.code == "NOT_A_LIBRARY"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["photo.jpg"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_everything_is_private(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    library.put_file(record.doc_id, "runs", "r", b"")
    library.create_folder("F")
    library.list()
    for path in (library.root, *library.root.rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


# ---------------------------------------------------------------- a library that moves and lets go


def test_moved_while_open_and_read_from_elsewhere(library: DiskLibrary, tmp_path: Path) -> None:
    original = tmp_path / "report.txt"
    original.write_bytes(b"# One\nalpha beta\f# Two\ngamma")
    addition = sample_addition(str(original), PAGES)
    record = library.add(replace(addition, source=original)).record
    original.unlink()
    library.close()
    library.root.rename(tmp_path / "elsewhere")
    moved = DiskLibrary.open(tmp_path / "elsewhere", create=False)
    assert moved.resolve("report.txt") == record
    assert moved.edition(record.doc_id).page(2).text == PAGES[1]
    assert moved.source(record.doc_id).read_bytes() == b"# One\nalpha beta\f# Two\ngamma"
    stored = b"".join(p.read_bytes() for p in moved.root.rglob("*.json"))
    assert str(library.root).encode() not in stored


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc")
def test_no_descriptor_stays_open(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    with pytest.raises(NotFoundError):
        library.edition(record.doc_id, "ffff")
    library.list()
    library.tree(record.doc_id)
    held = [
        os.readlink(f"/proc/self/fd/{fd}")
        for fd in os.listdir("/proc/self/fd")
        if os.path.exists(f"/proc/self/fd/{fd}")
    ]
    assert not [name for name in held if str(library.root) in name]


def test_read_only_libraries_can_be_read(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    shutil.rmtree(library.root / "cache")
    (library.root / "cache").write_bytes(b"")  # whoever runs the tests, no catalogue can be made here
    assert library.resolve("x.txt") == record
    assert library.list().total == 1


# ---------------------------------------------------------------- several at once


def test_many_adders(library: DiskLibrary) -> None:
    outcomes: list[Outcome] = []

    def work(name: str) -> None:
        mine = DiskLibrary.open(library.root)
        for number in range(8):
            outcomes.append(mine.add(sample_addition(f"/{name}/{number}", (f"shared {number}",))).outcome)
            mine.add(sample_addition(f"/{name}/own{number}", (f"{name} {number}",)))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(Outcome.ADDED) == 8
    assert outcomes.count(Outcome.UNCHANGED) == 24
    assert library.list().total == 8 + 4 * 8
    assert library.doctor() == []


def test_a_busy_library_says_so_and_can_be_read(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    impatient = DiskLibrary.open(library.root, lock_seconds=0.05)
    with library._writing():
        caught: list[Exception] = []

        def write() -> None:
            try:
                impatient.update(record.doc_id, metadata={"a": 1})
            except LockedError as error:
                caught.append(error)
            assert impatient.list().total == 1
            assert impatient.edition(record.doc_id).page(1).text == PAGES[0]

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(10)
    assert [type(error) for error in caught] == [LockedError]
    assert library.get(record.doc_id).metadata == {}


def test_another_process_sees_changes_at_once(library: DiskLibrary) -> None:
    other = DiskLibrary.open(library.root)
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    assert other.resolve("x.txt") == record
    assert other.tree(record.doc_id).sections[0].title == "One"
    library.add(sample_addition("/a/x.txt", ("# New\n",)))
    assert other.tree(record.doc_id).sections[0].title == "New"
    library.remove(record.doc_id)
    assert other.list().total == 0
    with pytest.raises(NotFoundError):
        other.tree(record.doc_id)


def test_threads_share_a_library(library: DiskLibrary) -> None:
    ids = [
        library.add(sample_addition(f"/a/{n}", (f"# Title {n}\ncommon needle{n}", "more"))).record.doc_id
        for n in range(6)
    ]
    library.close()
    failures: list[object] = []

    def work(number: int) -> None:
        for turn in range(6):
            doc_id = ids[(number + turn) % 6]
            which = ids.index(doc_id)
            text = library.edition(doc_id).page(1).text
            hits = library.search(f"needle{which}").hits
            if text != f"# Title {which}\ncommon needle{which}" or [hit.doc_id for hit in hits] != [doc_id]:
                failures.append((doc_id, text, hits))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_no_call_opens_every_document(library: DiskLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        library.add(sample_addition(f"/a/{number}.txt", (f"common word{number}",), metadata={"n": number}))
    opened: list[str] = []
    read = DocumentFiles.read

    def counted(self: DocumentFiles, doc_id: str, name: str) -> bytes:
        opened.append(doc_id)
        return read(self, doc_id, name)

    monkeypatch.setattr(DocumentFiles, "read", counted)
    fresh = DiskLibrary.open(library.root)
    calls: dict[str, tuple[Callable[[], object], int]] = {
        "list": (lambda: fresh.list(limit=10), 0),
        "list where": (lambda: fresh.list(limit=10, where={"n": {"gte": 30}}), 0),
        "resolve": (lambda: fresh.resolve("7.txt"), 1),
        "known": (lambda: fresh.known("0" * 64), 0),
        "search documents": (lambda: fresh.search_documents("common", limit=5), 5),
        "search": (lambda: fresh.search("common"), 12),
        "add": (lambda: fresh.add(sample_addition("/a/new.txt", ("new",))), 1),
    }
    for name, (call, most) in calls.items():
        opened.clear()
        call()
        assert len(set(opened)) <= most, f"{name} opens {len(set(opened))} documents"


# ---------------------------------------------------------------- damage


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _misshape(path: Path) -> None:
    path.write_bytes(b'{"format": 1, "hello": []}\n')


def _list_instead(path: Path) -> None:
    path.write_bytes(b"[]")


DAMAGES = (_empty, _truncate, _misshape, _list_instead)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["document.json", "edition.json", "pages.json", "tree.json", "lines.json.gz"])
def test_a_bad_file_is_named_and_set_aside_and_others_open(
    library: DiskLibrary, name: str, damage: Callable[[Path], None]
) -> None:
    good = library.add(sample_addition("/a/good.txt", ("fine",))).record
    addition = sample_addition("/a/bad.txt", PAGES)
    bad = library.add(addition).record
    path = next((library.root / "documents" / bad.doc_id).rglob(name))
    damage(path)

    fresh = DiskLibrary.open(library.root)
    with pytest.raises(CorruptRecordError) as caught:
        fresh.get(bad.doc_id)
        fresh.tree(bad.doc_id)
        len(fresh.edition(bad.doc_id).lines)
    assert str(path) in str(caught.value.message)
    assert "doctor" in caught.value.next_step
    assert fresh.edition(good.doc_id).page(1).text == "fine"
    assert good.doc_id in {record.doc_id for record in fresh.list().documents}

    before = path.read_bytes()
    [finding] = fresh.doctor()
    assert (finding.doc_id, finding.path) == (bad.doc_id, path.relative_to(library.root).as_posix())
    assert path.read_bytes() == before
    if name == "document.json":
        with pytest.raises(CorruptRecordError, match=r"document\.json"):
            fresh.add(addition)
        assert path.read_bytes() == before, "never overwritten"

    [finding] = fresh.doctor(repair=True)
    assert finding.repaired
    assert fresh.doctor() == []
    assert [record.doc_id for record in fresh.list().documents] == [good.doc_id]
    [kept] = (library.root / "set-aside").rglob(name)
    assert kept.read_bytes() == before
    assert fresh.add(addition).outcome is Outcome.ADDED


def test_bad_summaries_cost_the_summaries_only(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    path = next(library.root.rglob("summaries.json"))
    path.write_bytes(b"{")
    with pytest.raises(CorruptRecordError, match=r"summaries\.json"):
        library.summaries(record.doc_id)
    [finding] = library.doctor(repair=True)
    assert finding.repaired and finding.path.endswith("summaries.json")
    assert library.summaries(record.doc_id).sections == {}
    assert library.edition(record.doc_id).page(1).text == PAGES[0]
    assert library.doctor() == []


@pytest.mark.parametrize("name", ["library.json", "folders.json"])
def test_a_bad_head_is_named_and_repaired(library: DiskLibrary, name: str) -> None:
    library.create_folder("F")
    library.add(sample_addition("/a/x.txt", PAGES))
    _empty(library.root / name)
    with pytest.raises(CorruptRecordError, match=name):
        DiskLibrary.open(library.root).list_folders()
    patient = DiskLibrary.open(library.root, strict=False)
    [finding] = patient.doctor(repair=True)
    assert finding.path == name and finding.repaired
    assert DiskLibrary.open(library.root).list().total == 1


def test_an_unreadable_record_is_told_apart_from_no_record(library: DiskLibrary) -> None:
    library.add(sample_addition("/a/good.txt", ("fine",)))
    bad = library.add(sample_addition("/a/bad.txt", PAGES)).record
    _empty(library.root / "documents" / bad.doc_id / "document.json")
    shutil.rmtree(library.root / "cache")
    listing = library.list()
    assert listing.total == 1
    assert list(listing.unreadable) == [bad.doc_id]


def test_verify_sees_one_changed_letter(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    assert library.verify(record.doc_id) == []
    pages = next(library.root.rglob("pages.json"))
    pages.write_bytes(pages.read_bytes().replace(b"gamma", b"gamna"))
    [finding] = library.verify(record.doc_id)
    assert (finding.code, Path(finding.path).name) == ("CORRUPT_RECORD", "pages.json")
    assert "page 2" in finding.message


def test_verify_sees_a_changed_or_missing_source(library: DiskLibrary) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    source = library.source(record.doc_id)
    source.write_bytes(b"other")
    assert [f.code for f in library.verify(record.doc_id)] == ["HASH_MISMATCH"]
    source.unlink()
    assert [f.code for f in library.verify(record.doc_id)] == ["MISSING_SOURCE"]
    with pytest.raises(CorruptRecordError, match="missing"):
        library.source(record.doc_id)


# ---------------------------------------------------------------- the derived catalogue


@pytest.mark.parametrize("damage", [_empty, lambda path: path.write_bytes(b"x" * 5000), lambda path: path.unlink()])
def test_the_catalogue_is_rebuilt(library: DiskLibrary, damage: Callable[[Path], None]) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    damage(library.root / "cache" / "catalogue.sqlite")
    assert library.resolve("x.txt") == record
    assert library.list().total == 1


def test_documents_that_come_and_go_by_hand_are_seen(library: DiskLibrary, tmp_path: Path) -> None:
    other = DiskLibrary.open(tmp_path / "other")
    record = other.add(sample_addition("/a/x.txt", PAGES)).record
    assert library.list().total == 0
    shutil.copytree(other.root / "documents" / record.doc_id, library.root / "documents" / record.doc_id)
    assert library.resolve("x.txt") == record
    shutil.rmtree(library.root / "documents" / record.doc_id)
    assert library.list().total == 0


# ---------------------------------------------------------------- format


@pytest.mark.parametrize("name", ["document.json", "tree.json", "edition.json"])
def test_a_newer_format_is_refused_and_kept(library: DiskLibrary, name: str) -> None:
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    path = next(library.root.rglob(name))
    newer = sealed({**json.loads(path.read_text()), "format": 99})
    path.write_bytes(newer)
    if name != "document.json":
        changed = records.with_derived(record, record.edition.id, {name: newer})
        library.root.joinpath("documents", record.doc_id, "document.json").write_bytes(sealed(record_to_json(changed)))
    with pytest.raises(FormatVersionError, match="99") as caught:
        fresh = DiskLibrary.open(library.root)
        fresh.tree(record.doc_id)
        fresh.edition(record.doc_id)
    assert "Upgrade" in caught.value.next_step
    findings = DiskLibrary.open(library.root, strict=False).doctor(repair=True)
    assert [finding.code for finding in findings] == ["FORMAT_VERSION"]
    assert not (library.root / "set-aside").exists(), "what is newer is not broken"


def test_a_newer_library_is_not_touched_at_all(library: DiskLibrary) -> None:
    library.add(sample_addition("/a/x.txt", PAGES))
    (library.root / "library.json").write_bytes(b'{"format": 99}')
    with pytest.raises(FormatVersionError, match="99"):
        DiskLibrary.open(library.root)
    with pytest.raises(FormatVersionError, match="99"):
        DiskLibrary.open(library.root, strict=False).doctor(repair=True)
    assert (library.root / "library.json").read_bytes() == b'{"format": 99}'


def test_a_writer_waits_for_as_long_as_others_get_their_turns(tmp_path: Path) -> None:
    """One holder that does not let go is an error after the wait; many that come and go are not."""
    library = DiskLibrary.open(tmp_path / "library", lock_seconds=0.2)
    lock = FileLock(str(library.root / "lock"), thread_local=False)
    with lock, pytest.raises(LockedError):
        library.create_folder("F")
    stop = threading.Event()

    def in_turns() -> None:
        for turn in range(16):  # the lock is held all the time, by one holder after the other
            os.utime(library.root / "lock", ns=(turn, turn))
            stop.wait(0.05)
        lock.release()

    lock.acquire()
    holder = threading.Thread(target=in_turns)
    holder.start()
    assert library.create_folder("F").name == "F"
    holder.join()
