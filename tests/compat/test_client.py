"""What users of the public package call, with the results they expect, over a library on this machine."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pageindex
from pageindex import PageIndexClient, utils
from pageindex.errors import NotFoundError, SettingsError
from tests.support.memos import TITLES, write_memo
from tests.support.model_server import Answer, Asked, ModelServer

KEY = "pi-0123456789abcdef0123456789abcdef"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[PageIndexClient]:
    """A library with the memo."""
    with PageIndexClient(storage_path=tmp_path / "library") as made:
        made.submit_document(str(write_memo(tmp_path, ".md")), wait=True)
        yield made


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize("given", [(KEY,), ()])
def test_a_key_of_the_hosted_service_is_refused_at_once_and_kept_nowhere(
    tmp_path: Path, given: tuple[str, ...]
) -> None:
    """It was taken for the name of a model once, sent to a provider, and written into three files."""
    folder = tmp_path / "library"
    with pytest.raises(SettingsError) as caught:
        PageIndexClient(*given, **({} if given else {"api_key": KEY}), storage_path=folder)
    assert KEY not in str(caught.value) and KEY not in caught.value.next_step
    assert "needs no key" in caught.value.next_step
    assert not folder.exists()


def test_its_variable_is_never_read(client: PageIndexClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PAGEINDEX_API_KEY is that service's in many environments: no model provider may see it."""
    monkeypatch.setenv("PAGEINDEX_API_KEY", KEY)
    seen: list[str] = []

    def answer(asked: Asked) -> Answer:
        seen.append(json.dumps(dict(asked.headers)))
        return Answer("I do not know.")

    with ModelServer(answer, repeat=True) as server:
        chat = {"model": "openai/scripted", "base_url": server.base_url, "retries": 0}
        with PageIndexClient(storage_path=tmp_path / "library", chat=chat) as made:
            try:
                made.chat("Which trains?")
            except pageindex.PageIndexError as error:
                assert KEY not in str(error)
    assert not any(KEY in headers for headers in seen)
    for path in (tmp_path / "library").rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("options", [{"index": "cloud"}, {"chat": "pageindex-cloud"}, {"index": {"mode": "cloud"}}])
def test_the_hosted_sides_are_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="hosted service"):
        PageIndexClient(storage_path=tmp_path / "library", **options)
    with pytest.raises(SettingsError, match="PageIndexCloudClient"):
        pageindex.PageIndexCloudClient(KEY)


# ---------------------------------------------------------------- options


def test_options_become_settings(tmp_path: Path) -> None:
    made = PageIndexClient(
        storage_path=tmp_path / "library",
        index={"model": "m", "backend": {"api_base": "http://localhost:1", "default_headers": {"X": "1"}}},
        summary_max_words=60,
        summary_concurrency=7,
        optimize="merge",
        retrieve_model="c",
        chat_backend={"base_url": "http://localhost:2"},
    )
    settings = made.index_settings
    assert (settings.index_model, settings.summary_tokens, settings.concurrency) == ("m", 80, 7)
    assert settings.optimize == "merge" and settings.base_url == "http://localhost:1"
    assert settings.headers == {"X": "1"}
    assert (made.retrieve_model, made.chat_settings.base_url) == ("c", "http://localhost:2")
    assert isinstance(pageindex.PageIndexLocalClient(storage_path=tmp_path / "library"), PageIndexClient)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"index": {"backend": {"region": "x"}}}, "no 'region'"),
        ({"use_embedded_toc": False}, "use_embedded_toc"),
        ({"index_model": "a", "summary_model": "b"}, "names"),
        ({"index": {"model": "a", "summary_model": "b"}}, "two models"),
        ({"index": {"nonsense": 1}}, "nonsense"),
    ],
)
def test_an_option_that_cannot_be_honoured_is_said(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        _ = PageIndexClient(storage_path=tmp_path / "library", **options).index_settings


# ---------------------------------------------------------------- results


def test_trees_pages_and_text_have_their_shapes(client: PageIndexClient) -> None:
    doc_id = client.get_document_id("memo.md")
    assert client.is_retrieval_ready(doc_id)
    tree = client.get_tree(doc_id, node_summary=True)
    assert {"doc_id", "status", "retrieval_ready", "result"} <= set(tree)
    assert {"title", "node_id", "start_index", "end_index", "summary", "text"} <= set(tree["result"][0])
    by_node = client.get_ocr(doc_id, format="node")["result"]
    assert by_node[0]["title"] == TITLES[0]
    pages = client.get_ocr(doc_id)["result"]
    assert {"page_index", "markdown"} <= set(pages[0])
    listed = client.list_documents(limit=5)
    assert {"documents", "total", "limit", "offset"} <= set(listed)


def test_a_query_is_submitted_and_fetched(client: PageIndexClient) -> None:
    submitted = client.submit_query("memo.md", "trains")
    found = client.get_retrieval(submitted["retrieval_id"])
    assert found["status"] == "completed" and found["query"] == "trains"
    node = found["retrieved_nodes"][0]
    assert node["title"] == "Trains"
    assert "Trains are preferred" in node["relevant_contents"][0]["relevant_content"]
    with pytest.raises(NotFoundError, match="nothing"):
        client.get_retrieval("nothing")


def test_folders_go_by_path(client: PageIndexClient) -> None:
    top = client.create_folder("Research")["id"]
    inner = client.create_folder("Papers", parent_folder_id=top)["id"]
    client.update_document("memo.md", folder_id=inner)
    assert [folder["name"] for folder in client.list_folders()["folders"]] == ["Research"]
    assert client.get_folder_path(inner) == "Research/Papers"
    assert client.get_folder_id("Research/Papers") == inner
    assert client.get_document_path("memo.md") == "Research/Papers/memo.md"
    assert client.get_document_id("memo.md") in client.folder_context(top)
    assert client.folder_context("root") == ""
    with pytest.raises(NotFoundError) as caught:
        client.get_folder_id("Research/Reports")
    assert "Folders there: Papers" in caught.value.next_step


def test_a_documents_name_never_stands_in_its_context(client: PageIndexClient) -> None:
    said = client.document_context("memo.md")
    assert client.get_document_id("memo.md") in said and "memo.md" not in said


def test_citations_are_looked_up_and_numbered(client: PageIndexClient) -> None:
    page = client.search("trains")["hits"][0]["page"]
    cited = f'Seats are booked by the desk <cite doc="memo.md" page="{page}"/>, as said [memo.md, p. {page}]. Or not [memo.md, p. 99].'
    found = client.get_citations(cited)
    doc_id = client.get_document_id("memo.md")
    assert next((one["document"], one["doc_id"], one["page"]) for one in found) == ("memo.md", doc_id, page)
    resolved = client.resolve_citations(cited)
    assert resolved["answer"].startswith("Seats are booked by the desk [[1]](#pageindex-citation-01), as said [[1]]")
    assert resolved["answer"].endswith("Or not [[2]](#pageindex-citation-02).")
    assert [one["resolved"] for one in resolved["citations"]] == [True, False]


@pytest.mark.parametrize(
    ("method", "arguments", "said"),
    [
        ("create_metadata_schema", ("root", {}), "update_document"),
        ("get_metadata_schema", ("root",), "update_document"),
        ("delete_metadata_schema", ("root",), "update_document"),
        ("get_document_image", ("memo.md", "img-1.jpeg"), "get_page_image"),
    ],
)
def test_what_has_no_counterpart_names_what_does_the_job(
    client: PageIndexClient, method: str, arguments: tuple[Any, ...], said: str
) -> None:
    with pytest.raises(pageindex.PageIndexAPIError) as caught:
        getattr(client, method)(*arguments)
    assert said in caught.value.next_step  # type: ignore[attr-defined]


# ---------------------------------------------------------------- answers


def scripted(tmp_path: Path, server: ModelServer, **options: Any) -> PageIndexClient:
    chat = {"model": "scripted", "backend": {"base_url": server.base_url, "api_key": "k"}, "retries": 0}
    return PageIndexClient(storage_path=tmp_path / "library", chat=chat, **options)


def test_chat_completions_gives_the_envelope_and_the_streams(client: PageIndexClient, tmp_path: Path) -> None:
    with ModelServer(lambda asked: "Nobody said.", repeat=True) as server, scripted(tmp_path, server) as made:
        envelope = made.chat_completions("Which trains?", doc_id="memo.md", enable_citations=True)
        text = "".join(made.chat_completions("Which trains?", stream=True, doc_id="memo.md"))
        chunks = list(made.chat_completions("Which trains?", stream=True, stream_metadata=True, doc_id="memo.md"))
    assert isinstance(envelope, dict) and envelope["choices"][0]["message"]["content"]
    assert "Nobody said." in text
    assert all(isinstance(chunk, dict) for chunk in chunks) and chunks[0]["object"] == "chat.completion.chunk"
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop" and chunks[-1]["usage"]


def test_options_of_one_answer_reach_the_model(client: PageIndexClient, tmp_path: Path) -> None:
    folder = client.create_folder("Empty")["id"]
    with ModelServer(lambda asked: "Nobody said.", repeat=True) as server:
        with scripted(tmp_path, server, instructions="Answer like a captain.") as made:
            made.chat("Which trains?", instructions="Be brief.")
            made.chat("Which trains?", model="other", extra_headers={"X-Team": "a"}, temperature=0.5)
            with pytest.raises(SettingsError, match="reasoning_effort"):
                made.chat("Which trains?", reasoning_effort="high")
            with pytest.raises(SettingsError, match="both"):
                made.chat("Which trains?", doc_id="memo.md", folder_id=folder)
        first, last = server.asked[0], server.asked[-1]
    assert "Answer like a captain." in first.prompt and "Be brief." in first.prompt
    assert last.body["model"] == "other" and last.headers["x-team"] == "a" and last.body["temperature"] == 0.5


# ---------------------------------------------------------------- functions and helpers


def test_a_file_becomes_a_tree_without_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    pdf = write_memo(tmp_path, ".pdf")
    tree = pageindex.page_index(str(pdf), if_add_node_text="yes")
    titles = [node["title"] for node in utils.structure_to_list(tree["structure"])]
    assert set(TITLES) <= set(titles) and tree["doc_name"] == "memo.pdf"
    assert {"node_id", "summary", "text"} <= set(tree["structure"][0])
    plain = pageindex.page_index_main(str(pdf), {"if_add_node_summary": "no", "if_add_node_id": "no"})
    assert not {"node_id", "summary", "text"} & set(plain["structure"][0])
    assert pageindex.page_index_flash(pdf.read_bytes(), optimize=False)["structure"]
    made = asyncio.run(pageindex.md_to_tree(write_memo(tmp_path, ".md"), if_add_node_summary="yes", if_thinning=True))
    assert made["structure"][0]["summary"]
    assert list(scratch.iterdir()) == []
    with pytest.raises(SettingsError, match="optimize_tree"):
        pageindex.optimize_tree({})


def test_helpers_over_trees(client: PageIndexClient, capsys: pytest.CaptureFixture[str]) -> None:
    tree = client.get_tree("memo.md")["result"]
    flat = utils.structure_to_list(tree)
    mapping = utils.create_node_mapping(tree)
    assert list(mapping) == [node["node_id"] for node in flat]
    inner = next(node for node in flat if node["title"] == "Trains")
    assert utils.get_node(tree, inner["node_id"]) is inner
    assert utils.get_node_parent(tree, inner["node_id"])["title"] == "Rules"
    assert [node["title"] for node in utils.get_node_path(tree, inner["node_id"])] == ["Rules", "Trains"]
    assert utils.is_leaf_node(tree, inner["node_id"])
    assert "nodes" not in utils.get_nodes(tree)[1] and len(utils.get_nodes(tree)) == len(flat)
    ranges = utils.create_node_mapping(tree, include_page_ranges=True)
    assert ranges[inner["node_id"]]["start_index"] == inner["start_index"]
    without = utils.remove_fields(tree, ["text"])
    assert "text" not in without[0] and "text" in tree[0]
    utils.print_tree(tree)
    printed = json.loads(capsys.readouterr().out)
    assert printed[0]["title"] == TITLES[0] and "text" not in printed[0]
    utils.print_toc(tree)
    assert capsys.readouterr().out.splitlines()[2] == "  Trains"


def test_a_region_is_marked() -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow comes with the extra ocr")
    marked = pageindex.highlight_region(image.new("RGB", (100, 100), "white"), [500, 500, 1000, 1000])
    assert marked.getpixel((10, 10)) == (255, 255, 255) and marked.getpixel((75, 75)) != (255, 255, 255)
