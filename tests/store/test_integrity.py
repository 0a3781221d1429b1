"""Each flipped or deleted byte of a library is found and named; what an older version stored without digests is still read."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pageindex.errors import CorruptRecordError, NotFoundError, PageIndexError
from pageindex.store.base import Attempt
from pageindex.store.cache import BoundedCache
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.files import DocumentFiles
from pageindex.store.disk.layout import Layout
from pageindex.store.disk.library import DiskLibrary

PAGES = ("# One\nalpha beta “quoted” 10²", "# Two\ngamma")
FLIPS = 12  #: Of each file, besides its first and last byte.


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with one of every kind of file, for tests to copy."""
    return _made(tmp_path_factory.mktemp("sound") / "library")


def _made(root: Path) -> Path:
    library = DiskLibrary.open(root)
    library.create_folder("Reports")
    record = library.add(sample_addition("/a/report.txt", PAGES)).record
    library.add(sample_addition("/a/report.txt", ("# One\nchanged",)))
    library.put_file(record.doc_id, "runs", "r.json", b'{"calls": 3}\n')
    library.record_attempt(Attempt("t", "/a/report.txt", "0" * 64, "added", record.doc_id))
    library.list()
    library.search("alpha")
    assert library.doctor() == []
    return root


def _stored(root: Path) -> list[Path]:
    """All files that are not derived from others."""
    return [
        path for path in sorted(root.rglob("*")) if path.is_file() and path.suffix != ".sqlite" and path.name != "lock"
    ]


def _named(root: Path, copy: Path, path: Path) -> bool:
    name = path.relative_to(root).as_posix()
    try:
        library = DiskLibrary.open(copy, strict=False)
        return name in {finding.path for finding in library.doctor()}
    except PageIndexError as error:
        return name in error.message


def test_every_kind_of_file_is_there(sound: Path) -> None:
    names = {"-".join(path.name.split("-")[:1]) for path in _stored(sound)}
    assert names == {
        *(
            "library.json",
            "folders.json",
            "attempts.jsonl",
            "attempts.head.json",
            "document.json",
            "r.json",
            "source",
            "source.txt",
        ),
        *("edition.json", "pages.json", "lines.json.gz", "tree.json", "summaries.json"),
    }


def test_each_flipped_byte_is_found(sound: Path, tmp_path: Path) -> None:
    draw, copy, missed = random.Random(5), tmp_path / "copy", []
    shutil.copytree(sound, copy)
    for path in _stored(sound):
        data, place = path.read_bytes(), copy / path.relative_to(sound)
        for at in {0, len(data) - 1, *draw.choices(range(len(data)), k=FLIPS)}:
            place.write_bytes(data[:at] + bytes([data[at] ^ draw.randrange(1, 256)]) + data[at + 1 :])
            if not _named(sound, copy, path):
                missed.append((path.name, at))
        place.write_bytes(data)
    assert missed == []


def test_each_cut_and_each_deleted_file_is_found(sound: Path, tmp_path: Path) -> None:
    copy, missed = tmp_path / "copy", []
    shutil.copytree(sound, copy)
    for path in _stored(sound):
        data, place = path.read_bytes(), copy / path.relative_to(sound)
        middle = len(data) // 2
        place.write_bytes(data[:middle] + data[middle + 1 :])
        missed += [] if _named(sound, copy, path) else [(path.name, "cut")]
        place.unlink()
        missed += [] if _named(sound, copy, path) else [(path.name, "deleted")]
        place.write_bytes(data)
    assert missed == []


def test_a_read_refuses_what_was_not_written(sound: Path, tmp_path: Path) -> None:
    """A letter of a page, a title of the tree: both parse, and neither is handed out."""
    copy = tmp_path / "copy"
    shutil.copytree(sound, copy)
    current = DiskLibrary.open(copy).list().documents[0]
    for name, old, new in (("tree.json", b"One", b"Two"), ("pages.json", b"changed", b"charged")):
        path = copy / "documents" / current.doc_id / "editions" / current.edition.id / name
        path.write_bytes(path.read_bytes().replace(old, new))
        library = DiskLibrary.open(copy)
        with pytest.raises(CorruptRecordError, match=name):
            library.tree(current.doc_id) if name == "tree.json" else library.edition(current.doc_id)


def test_a_document_without_its_record_is_no_garbage(sound: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sound, copy)
    [document] = (copy / "documents").iterdir()
    (document / "document.json").unlink()
    library = DiskLibrary.open(copy)
    assert library.gc() == []
    assert document.is_dir()
    [finding] = library.doctor()
    assert (finding.code, finding.path) == ("MISSING_FILE", f"documents/{document.name}/document.json")
    [finding] = library.doctor(repair=True)
    [source] = (copy / "set-aside").rglob("source.txt")
    assert "pageindex add" in finding.remedy
    assert source.read_bytes() == (sound / "documents" / document.name / "source.txt").read_bytes()


def test_damage_beside_the_editions_costs_only_itself(sound: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sound, copy)
    [document] = (copy / "documents").iterdir()
    (document / "runs" / "r.json").write_bytes(b"{}")
    (document / "notes.txt").write_text("mine")
    library = DiskLibrary.open(copy)
    with pytest.raises(CorruptRecordError, match=r"r\.json"):
        library.get_file(document.name, "runs", "r.json")
    assert {(f.code, f.repaired) for f in library.doctor(repair=True)} == {
        ("CORRUPT_RECORD", True),
        ("UNKNOWN_FILE", False),
    }
    assert list(library.list_files(document.name, "runs")) == []
    assert library.edition(document.name).page(1).text == "# One\nchanged"
    assert (document / "notes.txt").read_text() == "mine"


def _as_format_1(root: Path) -> None:
    """The library as the first format stored it: no seals, no digests, no file for folders that were never made."""
    for path in _stored(root):
        if path.suffix == ".json":
            item = json.loads(path.read_bytes())
            item = {key: value for key, value in item.items() if key not in ("seal", "files", "attempts_counted")} | {
                "format": 1
            }
            for entry in item.get("editions", ()):
                del entry["files"]
            path.write_text(json.dumps(item))
    (root / "folders.json").unlink()
    shutil.rmtree(root / "cache")


def test_the_first_format_is_read_and_lifted_by_the_next_change(sound: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(sound, copy)
    shutil.rmtree(next((copy / "documents").iterdir()) / "runs")
    (copy / "attempts.jsonl").unlink()
    (copy / "attempts.head.json").unlink()
    _as_format_1(copy)
    library = DiskLibrary.open(copy)
    assert library.doctor() == []
    [record] = library.list().documents
    assert record.edition.files == {}
    assert library.edition(record.doc_id).page(1).text == "# One\nchanged"
    library.update(record.doc_id, metadata={"year": 2022})
    path = copy / "documents" / record.doc_id / "document.json"
    assert json.loads(path.read_bytes())["format"] == 2
    path.write_bytes(path.read_bytes().replace(b"2022", b"2023"))
    with pytest.raises(CorruptRecordError, match=r"document\.json"):
        DiskLibrary.open(copy).get(record.doc_id)


# ---------------------------------------------------------------- what is derived


@pytest.mark.parametrize("name", ["cache/catalogue.sqlite", "search.sqlite"])
def test_damaged_databases_answer_as_before(sound: Path, tmp_path: Path, name: str) -> None:
    """Whatever a flipped stretch of a database does to it, lookups and searches answer, and doctor sees what it still can."""
    draw, wrong = random.Random(9), []
    for number in range(12):
        copy = tmp_path / str(number)
        shutil.copytree(sound, copy)
        path = copy / name
        data = bytearray(path.read_bytes())
        at = draw.randrange(len(data) - 64)
        data[at : at + 64] = draw.randbytes(64)
        path.write_bytes(data)
        library = DiskLibrary.open(copy)
        [record] = library.list().documents
        found = [hit.page for hit in library.search("changed").hits]
        if (record.name, library.resolve("report.txt").doc_id, found) != ("report.txt", record.doc_id, [1]):
            seen = [finding.path for finding in DiskLibrary.open(copy).doctor()]
            if name not in seen:
                wrong.append((number, at, found))
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("cache/catalogue.sqlite", "update documents set record = replace(record, 'report', 'rapport')"),
        ("cache/catalogue.sqlite", "update documents set folded = 'other'"),
        ("search.sqlite", "update documents set language = 'xx'"),
        ("search.sqlite", "update pages_content set c0 = 'nothing'"),
        ("search.sqlite", "update about_content set c0 = 'nothing'"),
    ],
)
def test_changed_rows_are_found_and_made_anew(tmp_path: Path, name: str, statement: str) -> None:
    root = _made(tmp_path / "library")
    with closing(sqlite3.connect(root / name)) as connection, connection:
        connection.execute(statement)
    library = DiskLibrary.open(root)
    assert [(f.code, f.path) for f in library.doctor()] == [("INDEX_DAMAGED", name)]
    assert [f.repaired for f in library.doctor(repair=True)] == [True]
    assert library.doctor() == []
    assert library.resolve("report.txt").name == "report.txt"
    assert [hit.page for hit in library.search("changed").hits] == [1]


# ---------------------------------------------------------------- one bad document among others


def test_a_bad_document_is_left_out_of_searches_and_named(tmp_path: Path) -> None:
    library = DiskLibrary.open(tmp_path / "library")
    good, bad = (library.add(sample_addition(f"/a/{n}.txt", (f"alpha {n}",))).record for n in ("good", "bad"))
    library.search("alpha")
    pages = tmp_path / "library" / "documents" / bad.doc_id / "editions" / bad.edition.id / "pages.json"
    pages.write_bytes(pages.read_bytes().replace(b"alpha", b"alphb"))
    fresh = DiskLibrary.open(tmp_path / "library")
    found = fresh.search("alpha")
    assert [hit.doc_id for hit in found.hits] == [good.doc_id]
    assert found.unreadable == [bad.doc_id]
    assert good.doc_id in {hit.record.doc_id for hit in fresh.search_documents("alpha")}
    with pytest.raises(CorruptRecordError, match=r"pages\.json"):
        fresh.search("alpha", doc_ids=[bad.doc_id])


def test_a_document_removed_while_it_is_read_is_gone_and_not_broken(tmp_path: Path) -> None:
    library = DiskLibrary.open(tmp_path / "library")
    record = library.add(sample_addition("/a/x.txt", PAGES)).record
    edition = library.edition(record.doc_id)
    shutil.rmtree(tmp_path / "library" / "documents" / record.doc_id)
    files = DocumentFiles(Layout(tmp_path / "library"), BoundedCache(0))
    for read in (files.edition, files.tree, files.source):
        with pytest.raises(NotFoundError):
            read(record.doc_id, edition.id)
    path = tmp_path / "library" / "documents" / record.doc_id / "editions" / edition.id / "tree.json"
    with pytest.raises(NotFoundError, match="removed"):
        files.trusted(path, path.read_bytes)


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("search.sqlite", "drop table about"),
        ("search.sqlite", "drop table grams"),
        ("search.sqlite", "drop view vocabulary"),
        ("search.sqlite", "alter table documents rename to papers"),
        ("search.sqlite", "drop table state"),
        ("cache/catalogue.sqlite", "drop table documents"),
        ("cache/catalogue.sqlite", "drop table pending"),
        ("cache/catalogue.sqlite", "alter table state rename to states"),
    ],
)
def test_a_table_that_is_gone_is_damage_and_made_anew(tmp_path: Path, name: str, statement: str) -> None:
    """SQLite calls it an operational error, like a full disk; it is none of the surroundings."""
    library = DiskLibrary.open(tmp_path / "library")
    library.add(sample_addition("/a/report.txt", ("# One\nalpha beta",)))
    library.search("alpha")
    with closing(sqlite3.connect(tmp_path / "library" / name)) as connection, connection:
        connection.execute(statement)
    again = DiskLibrary.open(tmp_path / "library")
    assert again.list().total == 1
    assert len(again.search("alpha").hits) == 1
    assert len(again.search_documents("alpha")) == 1
    again.doctor(repair=True)
    assert again.doctor() == []


def test_a_search_names_a_document_that_lost_its_record(tmp_path: Path) -> None:
    """Its folder is there: it was not removed, for a document goes as a whole."""
    library = DiskLibrary.open(tmp_path / "library")
    record = library.add(sample_addition("/a/report.txt", ("# One\nalpha beta",))).record
    library.add(sample_addition("/a/other.txt", ("# Two\nalpha gamma",)))
    library.search("alpha")
    (tmp_path / "library" / "documents" / record.doc_id / "document.json").unlink()
    found = DiskLibrary.open(tmp_path / "library").search("alpha")
    assert (len(found.hits), list(found.unreadable)) == (1, [record.doc_id])
