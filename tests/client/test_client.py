"""The client's getters: the shapes that callers know, exact spans, errors with a next step, sync inside a running loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pageindex.client import AsyncPageIndexClient, PageIndexClient
from pageindex.document.codec import decode_edition, encode_edition
from pageindex.errors import (
    EvidenceError,
    InputError,
    NotFoundError,
    PageIndexError,
    PageRangeError,
    SettingsError,
    UnsupportedFormatError,
)
from pageindex.store.conformance.samples import sample_addition
from pageindex.store.memory import MemoryLibrary
from tests.support.memos import write_memo

PAGES = [
    "Preface words.\n",
    "# Alpha\nAlpha body.\n# Beta\nBeta body.\n",
    "Beta goes on and on with seven further words: über 5 %.\n# Gamma\nEnd.\n",
    "",
]


@pytest.fixture
def client() -> Iterator[PageIndexClient]:
    library = MemoryLibrary()
    library.add(sample_addition("/a/report.txt", PAGES, metadata={"year": 2022}, summaries={"0001": "About alpha."}))
    library.add(sample_addition("/b/other.txt", ["# Solo\nNothing else.\n"], metadata={"year": 2023}))
    with PageIndexClient(library=library) as opened:
        yield opened


def test_listing_is_newest_first_and_paged(client: PageIndexClient) -> None:
    listing = client.list_documents()
    assert [document["name"] for document in listing["documents"]] == ["other.txt", "report.txt"]
    assert (listing["total"], listing["limit"], listing["offset"]) == (2, 50, 0)
    second = client.list_documents(limit=1, offset=1)
    assert [document["name"] for document in second["documents"]] == ["report.txt"]
    assert second["total"] == 2


def test_listing_filters_on_metadata(client: PageIndexClient) -> None:
    found = client.list_documents(where={"year": {"gte": 2023}})
    assert [document["name"] for document in found["documents"]] == ["other.txt"]


@pytest.mark.parametrize("arguments", [{"limit": 0}, {"limit": -1}, {"offset": -1}])
def test_a_listing_without_sense_is_refused(client: PageIndexClient, arguments: dict[str, int]) -> None:
    with pytest.raises(InputError):
        client.list_documents(**arguments)


def test_a_document_carries_the_known_keys_and_ours(client: PageIndexClient) -> None:
    document = client.get_document("report.txt")
    assert document["id"] == document["doc_id"] == client.get_document_id("report.txt")
    assert document["pageNum"] == document["page_count"] == 4
    assert document["status"] == "completed"
    assert document["createdAt"].endswith("Z") or "+00:00" in document["createdAt"]
    assert document["page_states"] == {"blank": [4]}
    assert document["metadata"] == {"year": 2022}


def test_an_unknown_name_is_told_with_near_ones(client: PageIndexClient) -> None:
    with pytest.raises(NotFoundError) as caught:
        client.get_document("reprot.txt")
    assert "report.txt" in caught.value.details["near"]


def test_tree_envelope(client: PageIndexClient) -> None:
    doc_id = client.get_document_id("report.txt")
    envelope = client.get_tree(doc_id, node_summary=True)
    assert set(envelope) == {"doc_id", "status", "retrieval_ready", "result", "metadata"}
    assert envelope["doc_id"] == doc_id
    assert envelope["retrieval_ready"] is True
    _, alpha, beta, _ = envelope["result"]
    assert (alpha["title"], alpha["start_index"], alpha["end_index"], alpha["page_index"]) == ("Alpha", 2, 2, 2)
    assert (beta["start_index"], beta["end_index"]) == (2, 3)
    assert alpha["summary"] == "About alpha."
    assert "summary" not in beta
    assert alpha["text"] == "# Alpha\nAlpha body."
    assert beta["text"] == "# Beta\nBeta body.\nBeta goes on and on with seven further words: über 5 %."
    raw = client.get_tree(doc_id, raw=True)["result"][2]["text"]
    assert raw == "# Beta\nBeta body.\n\fBeta goes on and on with seven further words: über 5 %.\n"


def test_texts_of_sections_join_to_the_document(client: PageIndexClient) -> None:
    nodes = client.get_tree("report.txt", raw=True)["result"]
    raw = client.get_ocr("report.txt", format="raw", raw=True)["result"]
    joined = "".join(node["text"] for node in nodes)
    assert joined.replace("\f", "") == str(raw).replace("\f", "") == "".join(PAGES)


def test_structure_is_bare_and_without_text(client: PageIndexClient) -> None:
    nodes = client.get_document_structure("report.txt")
    assert [node["title"] for node in nodes] == ["Front matter", "Alpha", "Beta", "Gamma"]
    assert nodes[1]["summary"] == "About alpha."
    assert all("text" not in node for node in nodes)
    assert all(node["source"] == "layout" for node in nodes)


def test_page_content_has_each_page_once_in_order(client: PageIndexClient) -> None:
    pages = client.get_page_content("report.txt", "3,2-3")
    assert [page["page_index"] for page in pages] == [2, 3]
    assert pages[1]["markdown"] == PAGES[2].rstrip()
    assert client.get_page_content("report.txt", 3, raw=True)[0]["markdown"] == PAGES[2]
    assert client.get_page_content("report.txt", 4)[0]["state"] == "blank"


@pytest.mark.parametrize("spec", ["all", "5-", "3-2", "0", "-3", "", "1-999999999", "5"])
def test_a_bad_page_specification_is_an_error(client: PageIndexClient, spec: str) -> None:
    with pytest.raises(PageRangeError) as caught:
        client.get_page_content("report.txt", spec)
    assert caught.value.details["page_count"] == 4


def test_ocr_in_its_three_formats(client: PageIndexClient) -> None:
    assert [page["page_index"] for page in client.get_ocr("report.txt")["result"]] == [1, 2, 3, 4]  # type: ignore[index, union-attr]
    assert client.get_ocr("report.txt", "node")["result"][1]["title"] == "Alpha"  # type: ignore[index, typeddict-item]
    assert client.get_ocr("report.txt", "raw")["result"] == "\f".join(page.rstrip() for page in PAGES)
    assert client.get_ocr("report.txt", "raw", raw=True)["result"] == "\f".join(PAGES)
    wrong: Any = "yaml"
    with pytest.raises(InputError, match="yaml"):
        client.get_ocr("report.txt", wrong)


def test_text_is_shown_without_running_lines_and_divided_words() -> None:
    library = MemoryLibrary()
    made = sample_addition("/c/plan.txt", ["Plan 7\n# One\nA common exam-\n", "Plan 8\nple here.\n", "# Two\ncommon\n"])
    edition = decode_edition(*(made.files[name] for name in ("edition.json", "pages.json", "lines.json.gz")))
    pages = tuple(replace(p, running=((0, 6),) if p.text.startswith("Plan") else ()) for p in edition.pages)
    library.add(replace(made, files={**made.files, **encode_edition(replace(edition, pages=pages))}))
    client = PageIndexClient(library=library)
    one = next(node for node in client.get_structure("plan.txt")["structure"] if node["title"] == "One")
    assert client.get_section("plan.txt", one["node_id"])["text"] == "# One\nA common example\nhere."
    assert client.get_section("plan.txt", one["node_id"], raw=True)["text"].count("Plan") == 1
    assert [page["markdown"] for page in client.get_page_content("plan.txt", "1-2")] == [
        "# One\nA common exam-",
        "ple here.",
    ]
    assert client.search("example")["hits"] == [] or "Plan" not in client.search("common")["hits"][0]["snippets"][0]


def test_a_section_is_exact_and_short_ids_do(client: PageIndexClient) -> None:
    section = client.get_section("report.txt", "2")
    assert section["node_id"] == "0002"
    assert section["text"] == "# Beta\nBeta body.\nBeta goes on and on with seven further words: über 5 %."
    exact = "# Beta\nBeta body.\n\fBeta goes on and on with seven further words: über 5 %.\n"
    assert client.get_section("report.txt", "2", raw=True)["text"] == exact
    assert section["path"] == ["Beta"]
    with pytest.raises(NotFoundError, match="0099"):
        client.get_section("report.txt", "0099")


def test_find_gives_byte_ranges_in_the_page(client: PageIndexClient) -> None:
    (hit,) = client.find("report.txt", "ÜBER 5")["hits"]
    assert (hit["page"], hit["node_id"], hit["section"]) == (3, "0002", "Beta")
    data = PAGES[2].encode()
    assert [data[start:end].decode() for start, end in hit["matches"]] == ["über", "5"]
    assert [found["page"] for found in client.find("report.txt", '"beta body"')["hits"]] == [2]
    assert [found["page"] for found in client.find("report.txt", '"alpha alpha"')["hits"]] == [2], (
        "a line break is a space"
    )
    assert client.find("report.txt", "alpha gamma") == {"query": "alpha gamma", "pages": 0, "hits": []}
    with pytest.raises(InputError):
        client.find("report.txt", " ")


def test_search_over_the_library_and_in_scope(client: PageIndexClient) -> None:
    found = client.search('"further words"')
    assert found["query"] == '"further words"'
    hit = found["hits"][0]
    assert (hit["name"], hit["page"], hit["section"]) == ("report.txt", 3, "Beta")
    assert any("further words" in snippet for snippet in hit["snippets"])
    assert client.search("further words", "other.txt")["hits"] == []
    assert client.search("nothing", ["report.txt", "other.txt"])["hits"][0]["name"] == "other.txt"
    assert client.search("nothing", where={"year": 2022})["hits"] == []
    with pytest.raises(NotFoundError):
        client.search("further", "gone.txt")


def test_readiness(client: PageIndexClient) -> None:
    assert client.is_retrieval_ready("report.txt") is True
    assert client.is_retrieval_ready("nothing.txt") is False


def test_delete_leaves_nothing(client: PageIndexClient) -> None:
    doc_id = client.get_document_id("report.txt")
    assert client.delete_document(doc_id) == {"doc_id": doc_id, "name": "report.txt", "deleted": True}
    assert client.list_documents()["total"] == 1
    with pytest.raises(NotFoundError):
        client.get_page_content(doc_id, "1")


def test_folders_and_metadata(client: PageIndexClient) -> None:
    outer = client.create_folder("Reports")
    inner = client.create_folder("2022", outer["id"])
    client.update_document("report.txt", folder_id=inner["id"], metadata={"kind": "annual"})
    assert [folder["name"] for folder in client.get_folder_path(inner["id"])] == ["Reports", "2022"]
    assert [folder["name"] for folder in client.list_folders()] == ["Reports"]
    inside = client.list_documents(folder_id=outer["id"])
    assert [document["metadata"] for document in inside["documents"]] == [{"kind": "annual"}]
    assert client.list_documents(folder_id=outer["id"], recursive=False)["total"] == 0


def test_settings_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        PageIndexClient(storage_path=tmp_path, library=MemoryLibrary())
    with pytest.raises(SettingsError, match="warp"):
        PageIndexClient(library=MemoryLibrary()).submit_document("x.pdf", mode="warp")


def test_models_are_chosen_narrowest_first() -> None:
    client = PageIndexClient(model="a/b", chat_model="c/d", library=MemoryLibrary())
    assert (client.index_model, client.chat_model) == ("a/b", "c/d")
    options = {"model": "e/f", "base_url": "http://localhost:1/v1", "api_key": "k"}
    settings = PageIndexClient(index=options, library=MemoryLibrary()).index_settings
    assert (settings.for_index, settings.base_url) == ("e/f", "http://localhost:1/v1")
    assert "k'" not in repr(settings), "keys are never shown"
    assert PageIndexClient(library=MemoryLibrary()).index_model is None
    with pytest.raises(SettingsError, match="index_model"):
        PageIndexClient("a/b", index="e/f", library=MemoryLibrary())


def test_a_quote_is_located_and_a_claim_checked(client: PageIndexClient) -> None:
    located = client.locate("report.txt", "Beta goes on and on with seven further words: über 5 %")
    assert (located["status"], located["found_pages"]) == ("exact", [3])
    assert client.locate("report.txt", "Beta goes on and on with seven further words: über 6 %")["weight"] == "fail"
    claim = {
        "id": "1",
        "text": "Beta goes on.",
        "quotes": [{"text": "Beta goes on and on with seven further words: über 5 %", "page": 3}],
    }
    assert client.check_claims("report.txt", [claim])["claims"][0]["quotes"][0]["status"] == "exact"
    assert (
        client.check_claims("report.txt", {"claims": [claim]})["edition"]
        == client.get_document("report.txt")["edition"]
    )
    with pytest.raises(InputError):
        client.check_claims("report.txt", [])


def test_a_handle_gives_its_words_back(client: PageIndexClient) -> None:
    located = client.locate("report.txt", "Beta goes on and on with seven further words: über 5 %")
    (handle,) = located["handles"]
    block = client.get_block("report.txt", handle)
    assert block["text"] == "Beta goes on and on with seven further words: über 5 %"
    assert (block["page"], block["node_id"], block["block_id"]) == (3, "0002", handle)
    with pytest.raises(EvidenceError):
        client.get_block("report.txt", handle[:-1] + ("0" if handle[-1] != "0" else "1"))
    with pytest.raises(EvidenceError):
        client.get_block("other.txt", handle)


def test_a_page_is_drawn(tmp_path: Path) -> None:
    client = PageIndexClient(library=MemoryLibrary())
    doc_id = client.submit_document(write_memo(tmp_path, ".pdf"))["doc_id"]
    assert client.get_page_image(doc_id, 1).startswith(b"\x89PNG")
    with pytest.raises(PageRangeError):
        client.get_page_image(doc_id, 99)
    note = client.submit_document(write_memo(tmp_path, ".md"))["doc_id"]
    with pytest.raises(UnsupportedFormatError):
        client.get_page_image(note, 1)


def test_a_document_verifies_until_its_reader_is_another(client: PageIndexClient) -> None:
    done = client.submit_document(b"# Title\n\nWords.\n", name="note.md")
    assert client.verify_document("note.md") == {**client.verify_document(done["doc_id"]), "findings": []}
    with pytest.raises(InputError, match="compare cannot be"):
        client.verify_document("note.md", compare="all")
    (finding,) = client.verify_document("report.txt")["findings"]
    assert finding["code"] == "EXTRACTOR_VERSION_SKEW", "it was made by a reader of the tests"


def test_sync_calls_work_inside_a_running_loop_and_have_twins(client: PageIndexClient) -> None:
    async def both() -> tuple[Any, Any]:
        twin = AsyncPageIndexClient(library=client.library)
        async with twin:
            return client.get_document_structure("report.txt"), await twin.get_document_structure("report.txt")

    sync, coroutine = asyncio.run(both())
    assert sync == coroutine
    assert sync


def test_many_files_come_in_from_a_coroutine(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"")
    paths = [write_memo(tmp_path, ".md"), write_memo(tmp_path, ".txt"), bad]

    async def take_in() -> list[Any]:
        async with AsyncPageIndexClient(library=MemoryLibrary()) as client:
            return [result async for result in client.submit_documents(paths, jobs=1)]

    results = asyncio.run(take_in())
    assert sorted(result["name"] for result in results if isinstance(result, dict)) == ["memo.md", "memo.txt"]
    (error,) = [result for result in results if isinstance(result, PageIndexError)]
    assert error.exit_code == 4
