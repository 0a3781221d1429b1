"""A library is put right without losing what can be made anew; every door says what was left out; both copies of a source are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.app import ingest
from pageindex.app.checks import verify
from pageindex.app.document import OpenDocument
from pageindex.app.ingest import Request
from pageindex.app.library import list_documents
from pageindex.app.search import search
from pageindex.app.upkeep import checkup
from pageindex.document import DocumentRecord
from pageindex.store.disk.library import DiskLibrary
from tests.support.terminal import run_here


@pytest.fixture
def stored(tmp_path: Path) -> tuple[DiskLibrary, DocumentRecord]:
    path = tmp_path / "report.md"
    path.write_text("# Report\nalpha words\n\n## Part\nbeta words\n")
    library = DiskLibrary.open(tmp_path / "library")
    folder = library.create_folder("Reports").folder_id
    done = ingest.ingest_one(library, Request(path, metadata={"year": 2024}, folder_id=folder))
    assert done.record is not None
    return library, done.record


def _edition(library: DiskLibrary, record: DocumentRecord) -> Path:
    return library.root / "documents" / record.doc_id / "editions" / record.edition.id


@pytest.mark.parametrize("name", ["pages.json", "edition.json", "lines.json.gz", "tree.json"])
@pytest.mark.parametrize("how", ["changed", "deleted"])
def test_a_damaged_edition_is_read_anew_in_its_place(
    name: str, how: str, stored: tuple[DiskLibrary, DocumentRecord]
) -> None:
    library, record = stored
    pages, tree = library.edition(record.doc_id).pages, library.tree(record.doc_id)
    path = _edition(library, record) / name
    path.write_bytes(b"\0" + path.read_bytes()[1:]) if how == "changed" else path.unlink()
    fresh = DiskLibrary.open(library.root)
    assert checkup(fresh)
    found = checkup(fresh, repair=True)
    assert found and all(one.repaired and "read anew" in one.remedy for one in found)
    assert checkup(fresh) == []
    again = fresh.get(record.doc_id)
    assert (again.metadata, again.folder_id, again.source_path) == (
        record.metadata,
        record.folder_id,
        record.source_path,
    )
    assert fresh.edition(record.doc_id).pages == pages and fresh.tree(record.doc_id) == tree
    assert [hit.page for hit in fresh.search("beta").hits] == [2]
    assert not (library.root / "set-aside").exists()


def test_a_document_whose_source_is_damaged_too_is_set_aside(stored: tuple[DiskLibrary, DocumentRecord]) -> None:
    library, record = stored
    (_edition(library, record) / "pages.json").write_bytes(b"{}")
    library.source(record.doc_id).write_bytes(b"something else")
    assert all(one.repaired for one in checkup(DiskLibrary.open(library.root), repair=True))
    assert DiskLibrary.open(library.root).list().total == 0
    assert list((library.root / "set-aside").rglob("pages.json"))


def test_lists_and_searches_name_what_they_left_out(stored: tuple[DiskLibrary, DocumentRecord], tmp_path: Path) -> None:
    library, record = stored
    other = tmp_path / "other.md"
    other.write_text("# Other\nalpha words")
    assert ingest.ingest_one(library, Request(other)).ok
    (_edition(library, record) / "pages.json").write_bytes(b"{}")
    fresh = DiskLibrary.open(library.root)
    found = search(fresh, "alpha")
    assert ([hit.record.name for hit in found.hits], list(found.unreadable)) == (["other.md"], [record.doc_id])
    shown = run_here("search", "alpha", "-L", library.root)
    assert shown.returncode == 0 and f"1 damaged document left out: {record.doc_id}" in shown.stdout
    (library.root / "documents" / record.doc_id / "document.json").write_bytes(b"{}")
    DiskLibrary.open(library.root)._catalogue.rebuild()  # which holds a sealed copy of the record until then
    assert list(list_documents(DiskLibrary.open(library.root)).unreadable) == [record.doc_id]
    listed = run_here("list", "-L", library.root)
    assert record.doc_id in listed.stdout and "other.md" in listed.stdout


def test_both_copies_of_the_source_are_compared(stored: tuple[DiskLibrary, DocumentRecord]) -> None:
    library, record = stored
    original = Path(record.source_path)

    def states() -> tuple[dict[str, str], list[str]]:
        found = verify(OpenDocument.open(DiskLibrary.open(library.root), record.doc_id))
        return {copy.which: copy.state for copy in found.copies}, [one.code for one in found.findings]

    assert states() == ({"library": "UNCHANGED", "original": "UNCHANGED"}, [])
    original.write_text("# Other words")
    assert states() == ({"library": "UNCHANGED", "original": "SOURCE_CHANGED"}, ["SOURCE_CHANGED"])
    original.unlink()
    assert states() == ({"library": "UNCHANGED", "original": "MISSING_SOURCE"}, [])
    shown = run_here("verify", record.doc_id, "-L", library.root)
    assert shown.returncode == 0 and "MISSING_SOURCE  the file it was added from" in shown.stdout
    library.source(record.doc_id).unlink()
    assert states()[0]["library"] == "MISSING_SOURCE"
