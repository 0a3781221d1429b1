"""``pageindex refine`` and ``pageindex add --model``, from a file to the library and back, over a real HTTP server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pageindex.cli.root import app
from tests.refine.test_refine import PARTS, answer
from tests.support.model_server import Answer, ModelServer
from tests.support.refine_editions import paragraph


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Markdown book of two long chapters whose parts are headed in words set as text, so that only a model finds them."""
    rows = []
    for chapter in ("1 One", "2 Two"):
        rows.append(f"# {chapter}\n")
        for number, (name, _) in enumerate(PARTS):
            rows.append(f"{name}\n")
            rows += [" ".join(paragraph(number * 10 + n, 8)) + "\n" for n in range(12)]
    source = tmp_path / "book.md"
    source.write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("MODEL", "BASE_URL", "API_KEY", "LIBRARY", "CONFIG"):
        monkeypatch.delenv(f"PAGEINDEX_{name}", raising=False)
    return tmp_path / "library"


def run(library: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    done = CliRunner().invoke(app, [*words, "--json", "--library", str(library)])
    return done.exit_code, json.loads(done.stdout) if done.stdout.strip() else {}, done.stderr


def point_at(server: ModelServer, monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    for name, value in {"BASE_URL": server.base_url, "API_KEY": "k", "MODEL": "m", "RETRIES": "0", **more}.items():
        monkeypatch.setenv(f"PAGEINDEX_{name}", value)


def test_a_stored_document_is_refined_and_stays_so(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(library, "add", "book.md")[0] == 0
    with ModelServer(answer) as server:
        point_at(server, monkeypatch)
        code, plan, _ = run(library, "refine", "book.md", "--dry-run")
        assert (code, server.calls) == (0, 0)
        assert plan["calls"] > 0
        code, report, _ = run(library, "refine", "book.md")
        assert (code, report["status"]) == (0, "completed")
        assert report["costs"]["after"]["expected_tokens"] <= report["costs"]["before"]["expected_tokens"]
        assert report["usage"]["calls"] == server.calls > 0
        before = server.calls
        code, again, _ = run(library, "refine", "book.md")
        assert (code, again["usage"]["calls"], server.calls) == (0, 0, before)
    shown = run(library, "show", "book.md")[1]
    assert "A book on committees." in json.dumps(shown)


def test_a_dead_key_ends_with_its_own_status_and_keeps_the_document(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(library, "add", "book.md")[0] == 0
    with ModelServer([Answer(status=401, error="bad key")], repeat=True) as server:
        point_at(server, monkeypatch)
        code, report, complaint = run(library, "refine", "book.md")
        assert (code, report["status"], server.calls) == (9, "failed", 1)
        assert "MODEL_CREDENTIALS" in complaint
    assert run(library, "tree", "book.md")[0] == 0


def test_a_spent_budget_ends_with_its_own_status_and_the_next_run_goes_on(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(answer) as server:
        point_at(server, monkeypatch, REPLY_TOKENS="200")
        code, _, _ = run(library, "add", "book.md", "--budget-tokens", "6000")
        assert code == 10
        assert server.calls > 0
        paid = len(server.answered)
        code, report, _ = run(library, "refine", "book.md")
        assert (code, report["status"]) == (0, "completed")
        assert server.calls > paid
        assert len({asked.prompt for asked in server.asked}) == server.calls


def test_folding_needs_no_model(library: Path) -> None:
    assert run(library, "add", "book.md")[0] == 0
    code, report, _ = run(library, "refine", "book.md", "--optimize", "merge")
    assert (code, report["status"], report["usage"]["calls"]) == (0, "completed", 0)
    code, _, complaint = run(library, "refine", "book.md", "--optimize", "most")
    assert code == 2
    assert "INVALID_SETTING" in complaint
