"""A stored document through a model and back, in one commit; what was paid for is not paid for twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.app import ingest
from pageindex.client import PageIndexClient
from pageindex.config import Settings
from pageindex.document import DocumentRecord, SummaryKind
from pageindex.errors import ModelUnavailableError, SettingsError
from pageindex.llm import Request as Asked
from pageindex.llm import ScriptedModel
from pageindex.store.memory import MemoryLibrary
from tests.support.memos import write_memo


def answer(request: Asked) -> str:
    """Whatever is asked for, in its shape."""
    text = request.text()
    if '"headings"' in text:
        return '{"headings": []}'
    if '"description"' in text:
        return '{"description": "Rules for travel."}'
    return '{"summary": "What the section says."}'


@pytest.fixture
def library() -> MemoryLibrary:
    return MemoryLibrary()


@pytest.fixture
def record(library: MemoryLibrary, tmp_path: Path) -> DocumentRecord:
    done = ingest.ingest_one(library, ingest.Request(write_memo(tmp_path, ".md")))
    assert done.record is not None
    return done.record


def test_without_a_model_sections_speak_in_their_own_words(library: MemoryLibrary, record: DocumentRecord) -> None:
    summaries = library.summaries(record.doc_id)
    assert set(summaries.sections) == set(library.tree(record.doc_id).by_id)
    assert {summary.kind for summary in summaries.sections.values()} <= {SummaryKind.TEXT, SummaryKind.FALLBACK}
    assert record.description == summaries.description != ""
    assert ingest.refine_report(library, record) is None


def test_tree_summaries_and_facts_are_committed_together(library: MemoryLibrary, record: DocumentRecord) -> None:
    model = ScriptedModel(answer)
    done = ingest.refine_document(library, record.doc_id, Settings(model="scripted"), model)
    assert done.record == library.get(record.doc_id)
    assert done.record.description == "Rules for travel."
    assert done.record.usage["calls"] == len(model.script.requests) > 0
    assert done.record.status == "completed"
    kinds = {summary.kind for summary in library.summaries(record.doc_id).sections.values()}
    assert SummaryKind.MODEL in kinds
    report = ingest.refine_report(library, done.record)
    assert report is not None and report.completed
    assert report.options["model"] == "scripted"


def test_a_run_that_stopped_is_partial_and_goes_on_later(library: MemoryLibrary, record: DocumentRecord) -> None:
    broken = ScriptedModel(lambda request: ModelUnavailableError("down"))
    done = ingest.refine_document(library, record.doc_id, Settings(model="scripted"), broken)
    assert done.record.status == "partial"
    assert any(note["code"] == "MODEL_UNAVAILABLE" for note in done.record.notes)
    report = ingest.refine_report(library, done.record)
    assert report is not None and not report.completed
    again = ingest.refine_document(library, record.doc_id, Settings(model="scripted"), ScriptedModel(answer))
    assert again.record.status == "completed"
    assert not any(note["code"].startswith("MODEL") for note in again.record.notes), "old complaints are gone"


def test_the_client_refines_what_it_takes_in_once(library: MemoryLibrary, tmp_path: Path) -> None:
    client = PageIndexClient("scripted", library=library)
    model = ScriptedModel(answer, client.index_settings)
    client.__dict__["_indexer"] = model  # the seam a real provider sits behind
    path = write_memo(tmp_path, ".md")
    first = client.submit_document(path)
    calls = len(model.script.requests)
    assert first["usage"]["calls"] == calls > 0
    again = client.submit_document(path)
    assert (again["outcome"], len(model.script.requests)) == ("unchanged", calls)


def test_standard_mode_needs_a_model(library: MemoryLibrary, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="standard"):
        PageIndexClient(library=library).submit_document(write_memo(tmp_path, ".md"), mode="standard")


def test_an_estimate_calls_nobody(tmp_path: Path) -> None:
    settings = Settings(model="gpt-4o-mini", base_url="http://127.0.0.1:9/v1")
    estimate = ingest.estimate_file(ingest.Request(write_memo(tmp_path, ".md")), settings)
    assert estimate.calls > 0
    assert estimate.prompt_tokens > 0
