"""Contracts of keeping documents: adding, reading back, listing, changing, removing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pageindex.errors import InputError, NotFoundError
from pageindex.store.base import Attempt, Library, Outcome, Spent
from pageindex.store.conformance.kit import contract, expect, expect_error
from pageindex.store.conformance.samples import sample_addition, sample_summaries, sample_tree

PAGES = ("# One\nalpha beta", "", "# Two\ngamma")


@contract("An addition can be read back byte for byte.")
def _reads_back(library: Library) -> None:
    addition = sample_addition("/a/report.txt", PAGES, metadata={"year": 2022})
    result = library.add(addition)
    record = result.record
    expect(result.outcome is Outcome.ADDED, f"outcome {result.outcome}")
    expect((record.name, record.page_count, record.metadata) == ("report.txt", 3, {"year": 2022}), f"record {record}")
    edition = library.edition(record.doc_id)
    expect([page.text for page in edition.pages] == list(PAGES), "page texts")
    expect(edition.id == addition.edition_id == record.edition.id, "edition id")
    expect([s.title for s in library.tree(record.doc_id).sections] == ["One", "Two"], "section titles")
    expect(library.summaries(record.doc_id).description == "About One.", "description")
    expect(library.source(record.doc_id).read_bytes() == addition.source, "source bytes")


@contract("The same bytes added twice are one document, and the outcome says so, from another path too.")
def _same_bytes(library: Library) -> None:
    first = library.add(sample_addition("/a/report.txt", PAGES))
    for path in ("/a/report.txt", "/b/copy.txt", ""):
        again = library.add(sample_addition(path, PAGES))
        expect(again.outcome is Outcome.UNCHANGED, f"{path}: {again.outcome}")
        expect(again.record == first.record, f"{path}: the record is unchanged")
    expect(library.list().total == 1, "one document")


@contract("Changed bytes at the same path are a new edition of the same document, and the old one stays readable.")
def _new_edition(library: Library) -> None:
    first = library.add(sample_addition("/a/report.txt", PAGES, metadata={"tag": "x"})).record
    second = library.add(sample_addition("/a/report.txt", ("# New\ndelta",)))
    expect(second.outcome is Outcome.NEW_EDITION, f"outcome {second.outcome}")
    expect(second.record.doc_id == first.doc_id, "doc_id is stable")
    expect(len(second.record.editions) == 2 and second.record.page_count == 1, "two editions, new facts")
    expect(second.record.metadata == {"tag": "x"}, "the user's metadata stays")
    expect(library.edition(first.doc_id).page(1).text == "# New\ndelta", "the new one is current")
    old = library.edition(first.doc_id, first.edition.id[:6])
    expect(old.page(1).text == PAGES[0], "the old one is readable, by six digits of its id")
    expect(library.source(first.doc_id, first.edition.id).read_bytes() == "\f".join(PAGES).encode(), "the old source")
    expect(library.verify(first.doc_id) == [], "both verify")


@contract("A file that goes back to earlier bytes makes the earlier edition current again.")
def _back_again(library: Library) -> None:
    first = library.add(sample_addition("/a/report.txt", PAGES)).record
    library.add(sample_addition("/a/report.txt", ("other",)))
    third = library.add(sample_addition("/a/report.txt", PAGES))
    expect(third.record.doc_id == first.doc_id and third.record.edition.id == first.edition.id, "first is current")
    expect(len(third.record.editions) == 2, f"{len(third.record.editions)} editions, not two")
    expect(library.edition(first.doc_id).page(1).text == PAGES[0], "its text")
    expect(library.verify(first.doc_id) == [], "verifies")


@contract("Two files of one name from two folders are two documents, and the name alone is ambiguous.")
def _one_name(library: Library) -> None:
    first = library.add(sample_addition("/a/report.txt", PAGES)).record
    second = library.add(sample_addition("/b/report.txt", ("other",))).record
    expect(first.doc_id != second.doc_id and library.list().total == 2, "two documents")
    error = expect_error(NotFoundError, lambda: library.resolve("report.txt"), "AMBIGUOUS")
    expect(set(error.details["ids"]) == {first.doc_id, second.doc_id}, "both ids are listed")
    expect(library.resolve("/b/report.txt").doc_id == second.doc_id, "the path tells them apart")


@contract("Bytes that another document once had, at a new path, are a document of their own.")
def _former_bytes(library: Library) -> None:
    first = library.add(sample_addition("/a/report.txt", PAGES)).record
    library.add(sample_addition("/a/report.txt", ("other",)))
    copy = library.add(sample_addition("/b/report.txt", PAGES))
    expect(copy.outcome is Outcome.ADDED and copy.record.doc_id != first.doc_id, "a new id")
    expect(library.edition(copy.record.doc_id).page(1).text == PAGES[0], "its text")


@contract("known() finds a document by its current bytes only.")
def _known(library: Library) -> None:
    addition = sample_addition("/a/report.txt", PAGES)
    expect(library.known(addition.source_sha256) is None, "nothing is known at first")
    record = library.add(addition).record
    expect(library.known(addition.source_sha256) == record, "known after the addition")
    library.add(sample_addition("/a/report.txt", ("other",)))
    expect(library.known(addition.source_sha256) is None, "former bytes are not current")


@contract("A source that is not what was read is refused, and nothing is stored.")
def _wrong_source(library: Library) -> None:
    addition = sample_addition("/a/report.txt", PAGES)
    other = replace(addition, source=b"something else")
    expect_error(InputError, lambda: library.add(other), "SOURCE_CHANGED")
    expect(library.list().total == 0 and library.known(addition.source_sha256) is None, "nothing is stored")
    expect(library.add(addition).outcome is Outcome.ADDED, "the right one can be added then")


@contract("References resolve by id, name in any letter case, beginning of an id, and path; near names are suggested.")
def _resolve(library: Library) -> None:
    record = library.add(sample_addition("/a/Annual Report 2022.txt", PAGES)).record
    for reference in (record.doc_id, record.name, record.name.upper(), record.doc_id[:5], record.source_path):
        expect(library.resolve(reference) == record, f"{reference!r} resolves")
    error = expect_error(NotFoundError, lambda: library.resolve("anual report"), "NOT_FOUND")
    expect(error.details["near"] == [record.name], f"near names {error.details['near']}")
    for reference in ("", "   ", "../../etc", "*", "%", "\x00"):
        expect_error(NotFoundError, lambda reference=reference: library.resolve(reference))  # type: ignore[misc]


@contract("An unknown or malformed id is NotFoundError in every call.")
def _unknown_id(library: Library) -> None:
    record = library.add(sample_addition("/a/report.txt", PAGES)).record
    for doc_id in ("ffffffffff", "", "../x", "a/b"):
        for call in (library.get, library.edition, library.tree, library.summaries, library.source, library.verify):
            expect_error(NotFoundError, lambda call=call, doc_id=doc_id: call(doc_id))  # type: ignore[misc]
        expect_error(NotFoundError, lambda doc_id=doc_id: library.remove(doc_id))  # type: ignore[misc]
        expect_error(NotFoundError, lambda doc_id=doc_id: library.update(doc_id, metadata={}))  # type: ignore[misc]
    expect_error(NotFoundError, lambda: library.edition(record.doc_id, "ffffff"))


@contract("Listings are paged, newest first, with the total.")
def _listing(library: Library) -> None:
    ids = [library.add(sample_addition(f"/a/{n}.txt", (f"text {n}",))).record.doc_id for n in range(5)]
    expect([r.doc_id for r in library.list(limit=2).documents] == [ids[4], ids[3]], "the first page")
    last = library.list(offset=4, limit=2)
    expect([r.doc_id for r in last.documents] == [ids[0]] and last.total == 5, "the last page")
    expect(library.list(offset=9).documents in ([], ()), "beyond the end")
    for offset, limit in ((-1, 5), (0, 0)):
        expect_error(InputError, lambda offset=offset, limit=limit: library.list(offset=offset, limit=limit))  # type: ignore[misc]


@contract("where compares metadata by value, order, list and content; what is not there never matches.")
def _where(library: Library) -> None:
    rows: Sequence[dict[str, object]] = (
        {"year": 2020, "tags": ["a", "b"]},
        {"year": 2022, "kind": "Annual report"},
        {"year": "2022"},
        {},
    )
    for name, metadata in zip("wxyz", rows, strict=True):
        library.add(sample_addition(f"/a/{name}", (f"text of {name}",), metadata=metadata))
    asked: Sequence[tuple[dict[str, object], str]] = (
        ({"year": 2022}, "x"),
        ({"year": {"eq": "2022"}}, "y"),
        ({"year": {"gte": 2020, "lte": 2021}}, "w"),
        ({"year": {"in": [2020, 2022]}}, "wx"),
        ({"tags": {"contains": "a"}}, "w"),
        ({"kind": {"contains": "annual"}}, "x"),
        ({"year": 2022, "kind": "no"}, ""),
        ({"year": True}, ""),
    )
    for where, expected in asked:
        found = "".join(sorted(r.name for r in library.list(where=where).documents))
        expect(found == expected, f"{where} finds {found!r}, not {expected!r}")
    for wrong in ({"year": {"near": 1}}, {"year": {"in": 5}}, {"year": {"gte": [1]}}):
        expect_error(InputError, lambda wrong=wrong: library.list(where=wrong), "INVALID_FILTER")  # type: ignore[misc]


@contract("Folders nest, a listing takes one with or without those below it, and a document can be moved.")
def _folders(library: Library) -> None:
    outer = library.create_folder("Reports")
    inner = library.create_folder("2022", outer.folder_id)
    expect(library.create_folder("2022", outer.folder_id) == inner, "making it again gives the same")
    record = library.add(sample_addition("/a/x.txt", PAGES, folder_id=inner.folder_id)).record
    expect(library.list(folder_id=outer.folder_id).total == 1, "found below the outer one")
    expect(library.list(folder_id=outer.folder_id, recursive=False).total == 0, "not directly in it")
    expect(list(library.list(recursive=False, folder_id="root").folders) == [outer], "the root's folders")
    expect([f.name for f in library.folder_path(inner.folder_id)] == ["Reports", "2022"], "path")
    moved = library.update(record.doc_id, folder_id="root")
    expect(moved.folder_id == "root" and library.list(folder_id=outer.folder_id).total == 0, "moved")
    expect_error(NotFoundError, lambda: library.update(record.doc_id, folder_id="nowhere"))
    expect_error(NotFoundError, lambda: library.add(sample_addition("/q", ("q",), folder_id="nowhere")))
    expect_error(NotFoundError, lambda: library.list(folder_id="nowhere"))
    expect_error(InputError, lambda: library.create_folder(" "))


@contract("Tree, summaries and facts of an edition are replaced in one step; those of another edition are refused.")
def _derived(library: Library) -> None:
    record = library.add(sample_addition("/a/report.txt", PAGES)).record
    edition = library.edition(record.doc_id)
    tree = sample_tree(edition, "de")
    summaries = sample_summaries(tree, {"0001": "gamma, in short"})
    updated = library.replace_derived(
        record.doc_id, edition.id, tree=tree, summaries=summaries, facts={"description": "D", "usage": {"calls": 2}}
    )
    expect(library.get(record.doc_id) == updated and updated.description == "D", "facts")
    expect(library.tree(record.doc_id).language == "de", "tree")
    expect(library.summaries(record.doc_id).sections["0001"].text == "gamma, in short", "summaries")
    expect(updated.updated_at > record.updated_at and updated.created_at == record.created_at, "times")
    alien = sample_tree(replace(edition, pages=edition.pages[:1]))
    expect_error(InputError, lambda: library.replace_derived(record.doc_id, edition.id, tree=alien), "WRONG_EDITION")
    expect_error(InputError, lambda: library.replace_derived(record.doc_id, edition.id, facts={"doc_id": "x"}))
    expect(library.verify(record.doc_id) == [], "verifies")


@contract("A removed document is gone from every call, and its bytes can be added anew.")
def _remove(library: Library) -> None:
    addition = sample_addition("/a/report.txt", PAGES)
    record = library.add(addition).record
    library.put_file(record.doc_id, "cards", "one.json", b"{}")
    library.remove(record.doc_id)
    expect(library.list().total == 0 and library.known(addition.source_sha256) is None, "not listed, not known")
    for call in (library.get, library.edition, library.tree, library.source, library.resolve):
        expect_error(NotFoundError, lambda call=call: call(record.doc_id))  # type: ignore[misc]
    expect(library.add(addition).outcome is Outcome.ADDED, "added anew")
    expect(list(library.list_files(record.doc_id, "cards")) == [], "without what was beside it")


@contract("Small files are kept beside a document, in known areas and under plain names only.")
def _beside(library: Library) -> None:
    record = library.add(sample_addition("/a/report.txt", PAGES)).record
    library.put_file(record.doc_id, "ledgers", "s1.json", b"1")
    library.put_file(record.doc_id, "ledgers", "s1.json", b"2")
    expect(library.get_file(record.doc_id, "ledgers", "s1.json") == b"2", "the last one written")
    expect(list(library.list_files(record.doc_id, "ledgers")) == ["s1.json"], "listed")
    expect(list(library.list_files(record.doc_id, "runs")) == [], "an empty area")
    expect_error(NotFoundError, lambda: library.get_file(record.doc_id, "ledgers", "no.json"))
    for area, name in (("secrets", "x"), ("runs", "../x"), ("runs", ""), ("runs", ".x"), ("runs", "a/b")):
        expect_error(InputError, lambda area=area, name=name: library.put_file(record.doc_id, area, name, b""))  # type: ignore[misc]


@contract("Attempts are logged, newest first, and bounded by the limit.")
def _attempts(library: Library) -> None:
    for number in range(3):
        library.record_attempt(Attempt(f"t{number}", "/a", "s", "DAMAGED_FILE", message="né", seconds=0.5))
    found = library.attempts(2)
    expect([attempt.at for attempt in found] == ["t2", "t1"], f"{found}")
    expect(found[0] == Attempt("t2", "/a", "s", "DAMAGED_FILE", message="né", seconds=0.5), "fields")


@contract("What calls cost is kept, oldest first, with every field.")
def _spent(library: Library) -> None:
    first = Spent("t0", "index", ("d",), "né", calls=1, prompt_tokens=7, completion_tokens=2, usd=0.25, estimated=1)
    second = Spent("t1", "chat", (), "m", failed=1, unpriced=1, cached_tokens=3)
    library.record_spent(first)
    library.record_spent(second)
    expect(list(library.spent()) == [first, second], f"{library.spent()}")


@contract("A sound library gives doctor and gc nothing to do.")
def _sound(library: Library) -> None:
    record = library.add(sample_addition("/a/report.txt", PAGES)).record
    library.add(sample_addition("/a/report.txt", ("other",)))
    library.replace_derived(record.doc_id, library.get(record.doc_id).edition.id, facts={"description": "D"})
    expect(list(library.doctor()) == [] and list(library.doctor(repair=True)) == [], "doctor")
    expect(list(library.gc(dry_run=True)) == [] and list(library.gc()) == [], "gc")
    expect(library.list().total == 1, "still there")
