"""``add --model`` against a real HTTP server, through real LiteLLM, in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.memos import write_memo
from tests.support.model_server import Answer, Asked, ModelServer
from tests.support.terminal import run, run_here

pytestmark = pytest.mark.slow  # LiteLLM takes seconds to import


def answer(asked: Asked) -> str:
    """Whatever is asked for, in its shape."""
    if '"headings"' in asked.prompt:
        return '{"headings": []}'
    if '"description"' in asked.prompt:
        return '{"description": "Rules for travel."}'
    return '{"summary": "What the section says."}'


def test_a_model_describes_and_a_second_run_pays_nothing(tmp_path: Path) -> None:
    path, library = write_memo(tmp_path, ".md"), tmp_path / "library"
    with ModelServer(answer) as server:
        environment = {"PAGEINDEX_BASE_URL": server.base_url, "PAGEINDEX_MODEL_API_KEY": "from-the-environment"}
        command = ("add", path, "--model", "openai/test", "--json", "--library", library)
        done = run(*command, env=environment)
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)["results"][0]
        assert result["document"]["description"] == "Rules for travel."
        assert result["document"]["usage"]["calls"] == server.calls > 0
        assert {asked.key for asked in server.asked} == {"from-the-environment"}
        paid = server.calls
        again = run(*command, env=environment)
        assert json.loads(again.stdout)["results"][0]["outcome"] == "unchanged"
        assert server.calls == paid


def test_a_dead_key_keeps_the_document_and_says_so(tmp_path: Path) -> None:
    path, library = write_memo(tmp_path, ".md"), tmp_path / "library"
    with ModelServer([Answer(status=401, error="no such key")], repeat=True) as server:
        environment = {"PAGEINDEX_BASE_URL": server.base_url, "PAGEINDEX_MODEL_API_KEY": "dead"}
        done = run("add", path, "--model", "openai/test", "--library", library, env=environment)
    assert done.returncode == 9, (done.stdout, done.stderr)
    assert "[MODEL_CREDENTIALS]" in done.stderr
    assert "added" in done.stdout
    assert json.loads(run("show", path.name, "--json", "--library", library).stdout)["status"] == "partial"


def test_a_dry_run_calls_nobody(tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".md")
    with ModelServer(answer) as server:
        environment = {"PAGEINDEX_BASE_URL": server.base_url, "PAGEINDEX_MODEL_API_KEY": "k"}
        command = ("add", path, "--dry-run", "--model", "openai/test", "--json", "--library", tmp_path / "none")
        done = run(*command, env=environment)
        assert server.calls == 0
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["plan"][0]["estimate"]["calls"] > 0


def test_a_file_that_came_with_the_library_gets_no_key_of_the_user_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    path, library = write_memo(tmp_path / "inner", ".md"), tmp_path / ".pageindex"
    with ModelServer(answer) as server:
        file = tmp_path / "pageindex.toml"
        file.write_text(f'model = "openai/test"\nbase_url = "{server.base_url}"\n')
        keys = {
            "PAGEINDEX_MODEL_API_KEY": "of-the-user-1234",
            "OPENAI_API_KEY": "also-of-the-user",
            "PAGEINDEX_HEADERS": '{"X-Mine": "1"}',
        }
        first = run("add", path, cwd=tmp_path, env=keys)
        assert (first.returncode, server.calls) == (0, 0), (
            "before there is a library, the file beside it gives no orders"
        )
        assert f"{file} is not used" in first.stderr
        assert library.is_dir()
        run("add", path, cwd=path.parent, env={**keys, "PAGEINDEX_LIBRARY": str(path.parent / "own")})
        assert server.calls == 0, "nor does a file in a folder above"
        done = run("add", path, cwd=tmp_path, env=keys)
        assert done.returncode == 0, done.stderr
        assert server.calls > 0
        sent = {asked.key for asked in server.asked} | {header for asked in server.asked for header in asked.headers}
    assert f"text goes to {server.base_url}, as {file} says" in done.stderr
    assert not sent & {"of-the-user-1234", "also-of-the-user", "x-mine"}
    assert "of-the-user" not in done.stdout + done.stderr + first.stderr


def test_one_call_answers_and_code_writes_the_quote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, library = write_memo(tmp_path, ".md"), tmp_path / "library"
    run_here("add", path, "--library", library)

    def once(asked: Asked) -> str:
        line = next(
            line for line in asked.prompt.splitlines() if line.startswith("[") and "Trains are preferred" in line
        )
        number = int(line[1 : line.index("]")])
        return json.dumps({"passages": [number], "answer": "Trains are preferred for distances under 600 kilometres."})

    with ModelServer(once) as server:
        for name, value in (("BASE_URL", server.base_url), ("API_KEY", "k"), ("PASSAGE_TOKENS", "400")):
            monkeypatch.setenv(f"PAGEINDEX_{name}", value)
        command = (
            "ask",
            "When are trains preferred?",
            "--mode",
            "once",
            "--model",
            "openai/test",
            "--library",
            library,
        )
        done, shown = run_here(*command, "--json"), run_here(*command)
    assert (done.returncode, shown.returncode, server.calls) == (22, 22, 1), (done.stdout, done.stderr)
    found = json.loads(done.stdout)
    quote = next(one for one in found["checks"] if one["kind"] == "quote")
    assert (
        quote["text"].startswith("Trains are preferred for all distances")
        and quote["handles"]
        and quote["status"] == "exact"
    )
    assert found["verdict"] == "PARTIAL" and "Trains are preferred for all distances" in shown.stdout
