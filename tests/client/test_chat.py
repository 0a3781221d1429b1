"""The client and the command line, with a model behind real HTTP and without one."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pageindex.chat import AnswerStream
from pageindex.client import AsyncPageIndexClient, PageIndexClient
from pageindex.errors import NotFoundError, SettingsError
from pageindex.store.disk.library import DiskLibrary
from tests.support.chat_library import REPORT, add
from tests.support.chat_server import GOOD, QUESTION, calls, read
from tests.support.model_server import Answer, ModelServer
from tests.support.terminal import run, run_here

SCRIPT = [read("3"), f"It was 4,512 million: {GOOD}."]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A library on disk with the report and a document that nobody asks for."""
    path = tmp_path / ".pageindex"
    with DiskLibrary.open(path, create=True) as library:
        add(library, "acme.txt", REPORT)
        add(library, "other.txt", ["# Other\nNothing of interest stands here."])
    yield path


def client(folder: Path, server: ModelServer) -> PageIndexClient:
    chat = {"model": "scripted", "base_url": server.base_url, "api_key": "k", "retries": 0}
    return PageIndexClient(storage_path=folder, chat=chat)


def test_a_client_answers_with_words_or_with_everything_it_checked(folder: Path) -> None:
    with ModelServer(SCRIPT * 2) as server, client(folder, server) as made:
        words = made.chat(QUESTION, doc_id="acme.txt")
        whole = made.answer(QUESTION, "acme.txt", max_turns=3)
    assert isinstance(words, str) and words == whole.text and "[^1]" in words
    assert whole.report.verdict == "PASS"
    assert (server.calls, whole.usage.calls, whole.usage.replayed) == (2, 0, 2), "the same question again costs nothing"
    assert "other.txt" not in server.asked[0].prompt


def test_a_client_speaks_protocols_and_streams(folder: Path) -> None:
    with ModelServer(SCRIPT * 2) as server, client(folder, server) as made:
        envelope = made.chat([{"role": "user", "content": QUESTION}], doc_id="acme.txt", protocol="messages")
        stream = made.chat(QUESTION, doc_id="acme.txt", stream=True)
        assert isinstance(stream, AnswerStream)
        text = "".join(stream)
    assert envelope["type"] == "message" and text == envelope["content"][0]["text"]


def test_the_client_of_coroutines_does_the_same(folder: Path) -> None:
    async def talk() -> tuple[object, object]:
        with ModelServer(SCRIPT * 2) as server:
            chat = {"model": "scripted", "base_url": server.base_url, "api_key": "k"}
            async with AsyncPageIndexClient(storage_path=folder, chat=chat) as made:
                return await made.chat(QUESTION, "acme.txt"), await made.chat(
                    QUESTION, "acme.txt", protocol="responses"
                )

    words, envelope = asyncio.run(talk())
    assert isinstance(words, str) and isinstance(envelope, dict) and envelope["object"] == "response"


def test_without_a_model_there_are_passages_and_a_clear_error_for_answers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PAGEINDEX_MODEL", "PAGEINDEX_CHAT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with PageIndexClient(storage_path=folder) as made:
        found = made.ask("What was the cost of sales?", "acme.txt")
        assert found["found"][0]["page"] == 3 and found["found"][0]["quotes"][0]["handle"]
        with pytest.raises(SettingsError, match="no model is set"):
            made.chat(QUESTION)
        with pytest.raises(NotFoundError):
            made.ask("What?", "nothing.txt")


def test_the_client_reads_resolves_and_lends_its_tools(folder: Path) -> None:
    with PageIndexClient(storage_path=folder) as made:
        assert made.get_citations(GOOD)[0]["page"] == "3"
        assert made.resolve_citations(GOOD)[0]["resolved"]
        assert not made.resolve_citations("[acme.txt, p. 999]")[0]["resolved"]
        tools = {tool.__name__ for tool in made.agent_tools("acme.txt", include_management=True)}
        assert {"get_page_content", "remove_document", "get_page_tables"} <= tools
        assert len(made.as_anthropic_tools()) == len(made.as_openai_tools())
        assert "other.txt" not in made.agent_instructions("acme.txt") and made.citation_prompt()


def test_an_unknown_option_is_refused(folder: Path) -> None:
    with (
        ModelServer(["x"]) as server,
        client(folder, server) as made,
        pytest.raises(SettingsError, match="unknown option"),
    ):
        made.chat(QUESTION, max_rounds=3)


# ---------------------------------------------------------------- command line


def test_ask_without_a_model_prints_passages_handles_coverage_and_the_next_command(folder: Path) -> None:
    done = run_here("ask", "What was the cost of sales?", "acme.txt", "--library", folder)
    assert done.returncode == 0
    assert "1. acme.txt, page 3 (printed 1)" in done.stdout and "2,871" in done.stdout
    assert "searched 5 pages of 1 document; without text: acme.txt 5" in done.stdout
    following = next(line for line in done.stdout.splitlines() if line.startswith("next: ")).removeprefix("next: ")
    again = run_here(*following.split()[1:], "--library", folder)
    assert again.returncode == 0 and "cost of sales" in again.stdout


def test_ask_prints_json_and_says_when_nothing_is_found(folder: Path) -> None:
    done = run_here("ask", "zeppelin", "--library", folder, "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["found"] == []
    empty = run_here("ask", "  ", "--library", folder, "--json")
    assert empty.returncode == 2 and json.loads(empty.stderr)["error"]["code"] == "EMPTY_QUERY"


def environment(server: ModelServer) -> dict[str, str]:
    return {
        "PAGEINDEX_CHAT_MODEL": "scripted",
        "PAGEINDEX_BASE_URL": server.base_url,
        "PAGEINDEX_MODEL_API_KEY": "k",
        "PAGEINDEX_RETRIES": "0",
    }


def test_ask_with_a_model_answers_on_stdout_and_tells_its_steps_on_stderr(folder: Path) -> None:
    with ModelServer(SCRIPT) as server:
        done = run("ask", QUESTION, "acme.txt", "--library", folder, env=environment(server))
    assert done.returncode == 0, done.stderr
    assert "It was 4,512 million" in done.stdout and "**Evidence**" in done.stdout
    assert "→ get_page_content pages=3" in done.stderr and "2 calls" in done.stderr


@pytest.mark.slow
def test_a_model_that_fails_on_the_way_leaves_what_was_read_and_a_status(folder: Path) -> None:
    with ModelServer([read("3"), Answer(status=400, error="no more")]) as server:
        done = run("ask", QUESTION, "acme.txt", "--library", folder, env=environment(server))
    assert done.returncode == 9 and "1 of 6 pages read (3)" in done.stdout and "no more" in done.stderr


@pytest.mark.slow
def test_a_conversation_goes_on_with_what_was_said(folder: Path) -> None:
    script = [
        calls(("get_page_content", {"doc_name": "acme.txt", "pages": "3"})),
        f"It was {GOOD}.",
        f"As said: {GOOD}.",
    ]
    with ModelServer(script) as server:
        talk = subprocess.run(
            [sys.executable, "-m", "pageindex", "chat", "--library", str(folder)],
            input=f"{QUESTION}\nSure?\n\n",
            capture_output=True,
            text=True,
            timeout=110,
            check=False,
            env={**os.environ, **environment(server)},
        )
    assert talk.returncode == 0, talk.stderr
    assert "It was" in talk.stdout and "As said" in talk.stdout
    assert [m["role"] for m in server.asked[-1].messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]


def test_chat_without_a_model_says_what_to_do(folder: Path) -> None:
    done = run("chat", "--library", folder)
    assert done.returncode == 2 and "NO_MODEL" in done.stderr and "pageindex ask" in done.stderr


def test_ask_says_first_which_words_stand_nowhere(folder: Path) -> None:
    done = run_here("ask", "What was the zzqqxx of revenue?", "acme.txt", "--library", folder)
    before, _, _ = done.stdout.partition("1. acme.txt")
    assert '"zzqqxx" stands nowhere' in before
    found = run_here("ask", "What was the zzqqxx of revenue?", "acme.txt", "--library", folder, "--json")
    assert '"zzqqxx" stands nowhere' in " ".join(json.loads(found.stdout)["remarks"])
