"""The library over the Model Context Protocol: the SDK's own client against the server, in memory and as a process."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import jsonschema
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from pageindex import PageIndexClient
from pageindex.app.library import open_library
from pageindex.serve.mcp import resources
from pageindex.serve.mcp.catalogue import LibraryCatalogue, Offering
from pageindex.serve.mcp.wiring import make_server
from tests.support.memos import QUOTE, write_memo
from tests.support.pdf import Text, draw
from tests.support.served import serving

Use = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memo as Markdown, and a PDF of two pages."""
    home = tmp_path_factory.mktemp("mcp")
    with PageIndexClient(storage_path=home / "library") as client:
        client.submit_document(write_memo(home, ".md"))
        two = draw([Text(72, 700, "The first page.")], [Text(72, 700, "The second page.")])
        client.submit_document(two, name="two.pdf")
    return home / "library"


def over(library: Path, use: Use, mode: str = "auto", **offering: Any) -> Any:
    """What is done with a client in memory; an error of the protocol is raised as itself, not within a group."""
    opened = open_library(library)
    catalogue = LibraryCatalogue(opened, Offering(**offering))

    async def main() -> Any:
        async with Client(make_server(catalogue), mode=mode) as client:
            try:
                return await use(client)
            except MCPError as error:
                return error

    try:
        found = anyio.run(main)
        if isinstance(found, MCPError):
            raise found
        return found
    finally:
        catalogue.close()
        opened.close()


def server(library: Path, *options: str) -> StdioServerParameters:
    arguments = ["-m", "pageindex", "mcp", "--library", str(library), *options]
    return StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_command_speaks_both_generations_of_the_protocol(library: Path, mode: str) -> None:
    async def main() -> tuple[list[str], Any]:
        async with Client(server(library), mode=mode) as client:
            listed = await client.list_tools()
            read = await client.call_tool("get_page_content", {"doc_name": "two.pdf", "pages": "2"})
            return [tool.name for tool in listed.tools], read.structured_content

    names, read = anyio.run(main)
    assert "search_documents" in names and "get_page_image" in names
    assert "remove_document" not in names and "add_documents" not in names
    assert "The second page." in read["content"][0]["text"]


def test_tools_say_what_they_do_to_the_library(library: Path) -> None:
    async def use(client: Client) -> dict[str, types.ToolAnnotations]:
        return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}

    hints = over(library, use, management=True, folders=(library,))
    assert hints["remove_document"].destructive_hint and not hints["remove_document"].read_only_hint
    assert not hints["add_documents"].destructive_hint and not hints["add_documents"].read_only_hint
    assert hints["get_page_content"].read_only_hint


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browse_documents", {}),
        ("browse_documents", {"recursive": True, "query": "travel"}),
        ("search_documents", {"query": "trains"}),
        ("search_documents", {"query": "zeppelins"}),
        ("get_document", {"doc_name": "memo.md"}),
        ("get_document_structure", {"doc_name": "memo.md"}),
        ("get_page_content", {"doc_name": "memo.md", "pages": "1"}),
        ("get_page_tables", {"doc_name": "two.pdf", "page": "1"}),
        ("get_page_image", {"doc_name": "two.pdf", "page": "1"}),
        ("check_claims", {"doc_name": "memo.md", "claims": [{"text": QUOTE, "quotes": [{"text": QUOTE}]}]}),
        ("get_document", {"doc_name": "nothing"}),
        ("get_page_content", {"doc_name": "memo.md", "pages": "99"}),
        ("get_page_content", {"doc_name": "memo.md"}),
    ],
)
def test_what_a_tool_answers_keeps_to_its_schema(library: Path, tool: str, arguments: dict[str, Any]) -> None:
    async def use(client: Client) -> Any:
        schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
        return schemas[tool], await client.call_tool(tool, arguments)

    schema, result = over(library, use)
    jsonschema.validate(result.structured_content, schema)
    if not result.is_error:  # an error's details are its own
        assert set(result.structured_content) <= set(schema["properties"])
    assert result.is_error == ("errorCode" in result.structured_content)
    assert json.loads(result.content[0].text) == result.structured_content


def test_a_picture_comes_as_a_picture(library: Path) -> None:
    async def use(client: Client) -> Any:
        return await client.call_tool("get_page_image", {"doc_name": "two.pdf", "page": "1"})

    result = over(library, use)
    assert [each.type for each in result.content] == ["text", "image"]
    assert result.content[1].mime_type == "image/png" and "data" not in result.content[0].text
    without = over(library, lambda client: client.list_tools(), vision=False)
    assert "get_page_image" not in [tool.name for tool in without.tools]


def test_an_unknown_tool_is_an_error_that_names_the_known_ones(library: Path) -> None:
    with pytest.raises(MCPError, match="there is no tool 'delete_everything'; there are: browse_documents"):
        over(library, lambda client: client.call_tool("delete_everything", {}))


# ---------------------------------------------------------------- resources


def text(result: types.ReadResourceResult) -> str:
    (content,) = result.contents
    assert isinstance(content, types.TextResourceContents)
    return content.text


def test_documents_are_resources_down_to_a_page(library: Path) -> None:
    async def use(client: Client) -> dict[str, str]:
        listed = (await client.list_resources()).resources
        by_name = {each.name: each.uri for each in listed}
        memo, two = by_name["memo.md"], by_name["two.pdf"]
        return {
            "all": text(await client.read_resource(by_name["documents"])),
            "document": text(await client.read_resource(memo)),
            "structure": text(await client.read_resource(f"{memo}/structure")),
            "section": text(await client.read_resource(f"{memo}/sections/0003")),
            "page": text(await client.read_resource(f"{two}/pages/2")),
            "named": text(await client.read_resource("pageindex://documents/two.pdf/pages/1")),
            "image": (await client.read_resource(f"{two}/pages/1/image")).contents[0].mime_type or "",
        }

    found = over(library, use)
    assert [each["name"] for each in json.loads(found["all"])["documents"]] == ["two.pdf", "memo.md"]
    assert json.loads(found["document"])["pageNum"] >= 1
    assert next(each["title"] for each in json.loads(found["structure"])["structure"]) == "Purpose"
    assert "Trains are preferred" in found["section"] and "Flights need" not in found["section"]
    assert (found["page"], found["named"]) == ("The second page.", "The first page.")
    assert found["image"] == "image/png"


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("pageindex://documents/nothing", "nothing"),
        ("pageindex://documents/memo.md/pages/99", "there is no page 99"),
        ("pageindex://documents/memo.md/sections/zz", "has no section 'zz'"),
        ("pageindex://documents/memo.md/elsewhere", "there is no resource"),
        ("pageindex://secrets", "there is no resource"),
        ("file:///etc/passwd", "there is no resource"),
    ],
)
def test_a_resource_that_is_not_there_is_an_error_with_a_remedy(library: Path, uri: str, said: str) -> None:
    with pytest.raises(MCPError) as caught:
        over(library, lambda client: client.read_resource(uri))
    assert said in caught.value.error.message


def test_the_list_of_documents_goes_on(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PAGE", 1)

    async def use(client: Client) -> list[str]:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        assert second.next_cursor is None
        with pytest.raises(MCPError, match="cursor"):
            await client.list_resources(cursor="!!")
        return [each.name for each in (*first.resources, *second.resources)]

    assert over(library, use) == ["documents", "two.pdf", "memo.md"]


def test_a_resource_that_was_read_counts_as_read(library: Path) -> None:
    claims = {"doc_name": "memo.md", "claims": [{"id": "1", "text": QUOTE, "quotes": [{"text": QUOTE}]}]}

    async def use(client: Client) -> list[str]:
        before = await client.call_tool("check_claims", claims)
        page = (await client.call_tool("search_documents", {"query": "trains"})).structured_content["hits"][0]["page"]
        await client.read_resource(f"pageindex://documents/memo.md/pages/{page}")
        after = await client.call_tool("check_claims", claims)
        return [each.structured_content["verdict"] for each in (before, after)]

    before, after = over(library, use)
    assert (before, after) != ("PASS", "PASS") and after == "PASS"


def test_names_in_addresses_and_prompts_are_completed(library: Path) -> None:
    page = types.ResourceTemplateReference(uri="pageindex://documents/{document}/pages/{page}")
    prompt = types.PromptReference(name="answer_with_citations")

    async def use(client: Client) -> list[list[str]]:
        found = [
            await client.complete(prompt, {"name": "document", "value": "me"}),
            await client.complete(page, {"name": "page", "value": ""}, context_arguments={"document": "two.pdf"}),
            await client.complete(
                page, {"name": "section", "value": "trai"}, context_arguments={"document": "memo.md"}
            ),
            await client.complete(page, {"name": "page", "value": ""}, context_arguments={"document": "nothing"}),
        ]
        return [each.completion.values for each in found]

    assert over(library, use) == [["memo.md"], ["1", "2"], ["0003"], []]


def test_a_prompt_names_the_document_by_its_id(library: Path) -> None:
    """A document's name is an attacker's word: it never stands in a prompt."""

    async def use(client: Client) -> str:
        got = await client.get_prompt("answer_with_citations", {"question": "Which trains?", "document": "memo.md"})
        return str(got.messages[0].content.text)

    filled = over(library, use)
    assert "Which trains?" in filled and "memo.md" not in filled and "doc_id" in filled
    with pytest.raises(MCPError, match="needs question"):
        over(library, lambda client: client.get_prompt("answer_with_citations", {}))
    with pytest.raises(MCPError, match="there is no prompt"):
        over(library, lambda client: client.get_prompt("poem", {}))


def test_a_scope_hides_the_other_documents_everywhere(library: Path) -> None:
    with PageIndexClient(storage_path=library) as client:
        shown, hidden = client.get_document("two.pdf")["id"], client.get_document("memo.md")["id"]

    async def use(client: Client) -> None:
        assert [each.name for each in (await client.list_resources()).resources] == ["documents", "two.pdf"]
        listed = await client.call_tool("browse_documents", {"recursive": True})
        assert [each["name"] for each in listed.structured_content["documents"]] == ["two.pdf"]
        for reference in (hidden, "memo.md"):
            with pytest.raises(MCPError):
                await client.read_resource(f"pageindex://documents/{reference}/pages/1")
        completed = await client.complete(types.PromptReference(name="check_answer"), {"name": "document", "value": ""})
        assert set(completed.completion.values) == {"two.pdf", shown}
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "add_documents" not in names  # what would come in, the scope could not see

    over(library, use, scope=(shown,), folders=(library,))


# ---------------------------------------------------------------- taking files in


def test_files_are_taken_in_with_progress_and_a_result_each(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    write_memo(docs, ".md")
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 nothing more")
    steps: list[tuple[float, float | None, str | None]] = []

    async def heard(done: float, total: float | None, message: str | None) -> None:
        steps.append((done, total, message))

    async def use(client: Client) -> tuple[Any, Any]:
        taken = await client.call_tool("add_documents", {"paths": ["."]}, progress_callback=heard)
        refused = await client.call_tool("add_documents", {"paths": [str(tmp_path / "elsewhere.md")]})
        return taken.structured_content, refused.structured_content

    taken, refused = over(tmp_path / "library", use, folders=(docs,))
    by_name = {Path(row["path"]).name: row for row in taken["results"]}
    assert by_name["memo.md"]["outcome"] == "added"
    assert by_name["broken.pdf"]["errorCode"] == "DAMAGED_FILE"
    assert refused["errorCode"] == "NOT_ALLOWED"
    assert steps[-1] == (2, 2, "done") and [step[0] for step in steps] == sorted(step[0] for step in steps)


def test_a_cancelled_call_takes_no_further_file_and_keeps_what_is_in(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(40):
        (docs / f"{number:02}.md").write_text(f"# Report {number}\n\nThe figure of report {number} is {number * 7}.\n")

    async def use(client: Client) -> int:
        begun = anyio.Event()

        async def heard(done: float, total: float | None, message: str | None) -> None:
            if done >= 1:
                begun.set()

        async with anyio.create_task_group() as tasks:

            async def add() -> None:
                await client.call_tool("add_documents", {"paths": ["."]}, progress_callback=heard)

            tasks.start_soon(add)
            await begun.wait()
            tasks.cancel_scope.cancel()
        with anyio.move_on_after(20):  # files under way end
            kept = -1
            while kept != (kept := len((await client.list_resources()).resources)):
                await anyio.sleep(1)
        return kept - 1

    kept = over(tmp_path / "library", use, folders=(docs,))
    assert 1 <= kept < 40


def test_folders_of_a_nearer_layer_replace_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pageindex.config import load

    library = tmp_path / "library"
    library.mkdir()
    (tmp_path / "pageindex.toml").write_text('allow = ["/from/file"]\n')
    file = tmp_path / "pageindex.toml"
    assert load(file=file, library=library).settings.allow == ("/from/file",)
    monkeypatch.setenv("PAGEINDEX_ALLOW", os.pathsep.join(["/from/a", "/from/b"]))
    assert load(file=file, library=library).settings.allow == ("/from/a", "/from/b")
    assert load(file=file, library=library, allow=["/from/flag"]).settings.allow == ("/from/flag",)


# ---------------------------------------------------------------- as a process


def test_standard_output_carries_the_protocol_alone(library: Path) -> None:
    """Whatever prints meanwhile, a library that warns or a thread that talks, the client hears nothing but answers."""
    noisy = (
        "import os, sys, threading, time, warnings\n"
        "def talk():\n"
        "    while True:\n"
        "        print('noise', flush=True); os.write(1, b'raw noise\\n'); warnings.warn('noise'); time.sleep(0.001)\n"
        "import mcp.server.stdio as stdio\n"
        "claim = stdio._claim_fd\n"
        "def claimed(fd, *rest):\n"
        "    made = claim(fd, *rest)\n"
        "    if fd == 1: threading.Thread(target=talk, daemon=True).start()\n"
        "    return made\n"
        "stdio._claim_fd = claimed\n"
        "import pageindex.cli.root as root\n"
        f"root.app(['mcp', '--library', {str(library)!r}])\n"
    )
    heard: list[Exception] = []

    async def main() -> None:
        async def handler(message: Any) -> None:
            if isinstance(message, Exception):
                heard.append(message)

        parameters = StdioServerParameters(command=sys.executable, args=["-c", noisy], env=dict(os.environ))
        async with Client(parameters, message_handler=handler) as client:
            for _ in range(5):
                found = await client.call_tool("search_documents", {"query": "trains"})
                assert not found.is_error

    anyio.run(main)
    assert heard == []


@pytest.fixture
def served(library: Path) -> Iterator[Callable[..., str]]:
    """Starts the command over HTTP; gives the address."""
    with serving() as start:
        yield lambda *options: start(["pageindex", "mcp", "--library", str(library), "--http", "127.0.0.1:0", *options])


def test_over_http_each_connection_has_read_what_it_was_shown(served: Callable[..., str]) -> None:
    address = served()
    claims = {"doc_name": "memo.md", "claims": [{"id": "1", "text": QUOTE, "quotes": [{"text": QUOTE}]}]}

    async def main() -> list[str]:
        async with Client(address, mode="legacy") as reader, Client(address, mode="legacy") as other:
            await reader.call_tool("get_page_content", {"doc_name": "memo.md", "node_id": "0003"})
            checked = [await each.call_tool("check_claims", claims) for each in (reader, other)]
            return [each.structured_content["verdict"] for each in checked]

    assert anyio.run(main)[0] == "PASS"
    assert anyio.run(main)[1] != "PASS"


def test_over_http_a_token_is_asked_for_and_foreign_hosts_are_turned_away(served: Callable[..., str]) -> None:
    address = served("--token", "sesame")
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    kinds = {"accept": "application/json, text/event-stream"}
    bearing = kinds | {"authorization": "Bearer sesame"}
    with httpx.Client() as client:
        assert client.post(address, json=body, headers=kinds).status_code == 401
        assert client.post(address, json=body, headers=kinds | {"authorization": "Bearer sesam"}).status_code == 401
        assert client.post(address, json=body, headers=bearing | {"host": "evil.example"}).status_code in (403, 421)
        assert client.post(address, json=body, headers=bearing | {"origin": "http://evil.example"}).status_code == 403

    async def main() -> int:
        async with (
            httpx.AsyncClient(headers={"authorization": "Bearer sesame"}) as transport,
            Client(streamable_http_client(address, http_client=transport)) as client,
        ):
            return len((await client.list_tools()).tools)

    assert anyio.run(main) > 5


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--http", "0.0.0.0:8000"], "INVALID_SETTING", "no token is set"),
        (["--http", "nowhere"], "INVALID_INPUT", "is no address"),
        (["--allow", "/no/such/folder"], "NOT_A_FOLDER", "is no folder"),
        (["nothing.pdf"], "NOT_FOUND", "nothing.pdf"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(library: Path, options: list[str], code: str, said: str) -> None:
    from tests.support.terminal import run_here

    result = run_here("mcp", *options, "--library", str(library))
    assert result.returncode != 0 and said in result.stderr and code != ""
