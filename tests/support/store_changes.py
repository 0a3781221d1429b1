"""Every kind of change of a library, and everything of a library that a reader can see."""

from __future__ import annotations

from collections.abc import Callable

from pageindex.store.base import Attempt
from pageindex.store.conformance.samples import sample_addition, sample_summaries, sample_tree
from pageindex.store.disk.library import DiskLibrary

__all__ = ["CHANGES", "DOC", "NEW", "OLD", "state_of"]

OLD = ("# One\nalpha", "# Two\nbeta")
NEW = ("# Changed\ngamma",)
DOC = sample_addition("/a/report.txt", OLD).source_sha256[:10]


def _replace(library: DiskLibrary) -> object:
    edition = library.edition(DOC)
    tree = sample_tree(edition, "de")
    summaries = sample_summaries(tree, {"0000": "new summary"})
    return library.replace_derived(DOC, edition.id, tree=tree, summaries=summaries, facts={"description": "new"})


CHANGES: dict[str, Callable[[DiskLibrary], object]] = {
    "add": lambda library: library.add(sample_addition("/b/other.txt", NEW)),
    "new edition": lambda library: library.add(sample_addition("/a/report.txt", NEW)),
    "replace derived": _replace,
    "update": lambda library: library.update(DOC, metadata={"year": 1}),
    "remove": lambda library: library.remove(DOC) if library.list().total else None,
    "folder": lambda library: library.create_folder("F"),
    "file": lambda library: library.put_file(DOC, "runs", "r.json", b"1"),
    "attempt": lambda library: library.record_attempt(Attempt("t", "/a", "", "added")),
}


def state_of(library: DiskLibrary) -> object:
    """Everything that a reader can see, without times and random ids."""
    documents = []
    for record in library.list(limit=100).documents:
        edition_ids = [entry.id for entry in record.editions]
        assert library.get(record.doc_id) == record
        documents.append(
            (
                record.doc_id,
                edition_ids,
                record.description,
                record.metadata,
                [library.edition(record.doc_id, e) for e in edition_ids],
                [library.tree(record.doc_id, e) for e in edition_ids],
                [library.summaries(record.doc_id, e) for e in edition_ids],
                [library.source(record.doc_id, e).read_bytes() for e in edition_ids],
                [(n, library.get_file(record.doc_id, "runs", n)) for n in library.list_files(record.doc_id, "runs")],
            )
        )
    found = sorted((hit.doc_id, hit.page) for hit in library.search("alpha gamma").hits)
    folders = [f.name for f in library.list_folders()]
    return sorted(documents, key=lambda d: str(d[0])), folders, library.attempts(), found
