"""The tools in the loops of the real agent SDKs, against servers that answer from a script."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pageindex import PageIndexClient
from tests.support.memos import write_memo
from tests.support.model_server import Answer, Asked, ModelServer, tool_call


@pytest.fixture
def client(tmp_path: Path) -> Iterator[PageIndexClient]:
    """A library with the memo, and a document that nobody may see."""
    with PageIndexClient(storage_path=tmp_path / "library") as made:
        made.submit_document(write_memo(tmp_path, ".md"))
        made.submit_document(b"# Secret\nThe code is 4711.\n", name="secret.md")
        yield made


def script(asked: Asked) -> Answer:
    """Search, then answer from what was found."""
    results = [message for message in asked.messages if message["role"] == "tool"]
    if not results:
        return Answer("", tool_calls=(tool_call("search_documents", {"query": "trains secret code"}, "call_1"),))
    return Answer(f"Seen: {results[-1]['content']!s}")


def test_the_openai_agents_sdk_runs_the_tools(client: PageIndexClient) -> None:
    agents = pytest.importorskip("agents", reason="openai-agents is not installed")
    openai = pytest.importorskip("openai")
    agents.set_tracing_disabled(True)
    config = client.openai_agent_config(doc_id="memo.md", name="Reader")
    assert all(isinstance(tool, agents.FunctionTool) for tool in config["tools"])
    with ModelServer(script, repeat=True) as server:

        async def main() -> Any:
            api = openai.AsyncOpenAI(base_url=server.base_url, api_key="k")
            model = agents.OpenAIChatCompletionsModel(model="scripted", openai_client=api)
            try:
                return await agents.Runner.run(agents.Agent(**{**config, "model": model}), "Which trains?")
            finally:
                await api.close()

        result = asyncio.run(main())
    assert "Trains" in result.final_output and "4711" not in result.final_output


def test_the_anthropic_runner_runs_the_tools(client: PageIndexClient) -> None:
    anthropic = pytest.importorskip("anthropic")
    config = client.anthropic_runner_config("anthropic/scripted", doc_id="memo.md", max_turns=3)
    assert config["model"] == "scripted" and config["max_iterations"] == 3
    by_name = {tool.name: tool for tool in config["tools"]}
    assert "remove_document" not in by_name
    assert by_name["search_documents"].to_dict()["input_schema"]["required"] == ["query"]
    found = by_name["search_documents"].call({"query": "trains secret code"})
    assert "Trains" in found and "4711" not in found
    again = client.anthropic_runner_config("m", asynchronous=True, doc_id="memo.md")["tools"]
    assert isinstance(again[0], anthropic.lib.tools.BetaAsyncFunctionTool)
    read = next(tool for tool in again if tool.name == "get_page_content")
    assert "Purpose" in asyncio.run(read.call({"pages": "1"}))


def test_the_claude_agent_sdk_gets_a_server(client: PageIndexClient) -> None:
    pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed")
    config = client.claude_agent_config(doc_id="memo.md", server_name="library", model="m")
    assert config["allowed_tools"] == ["mcp__library"] and config["model"] == "m"
    entry = config["mcp_servers"]["library"]
    assert entry["type"] == "sdk" and entry["name"] == "library"
    assert client.as_claude_mcp()["type"] == "sdk"
