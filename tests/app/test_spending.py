"""What calls cost is written down by document and day, as they are made, and outlives everything."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pageindex.app.library import open_library
from pageindex.app.spending import costs_by_day, recorder
from pageindex.client import PageIndexClient
from pageindex.errors import InputError
from pageindex.llm import Usage
from pageindex.store.base import Spent
from pageindex.store.memory import MemoryLibrary
from tests.support.chat_library import report_library
from tests.support.chat_server import GOOD, asking, read, serving
from tests.support.memos import write_memo
from tests.support.model_server import Answer, ModelServer
from tests.support.terminal import run_here


def test_rows_are_by_day_document_task_and_model() -> None:
    library, record = report_library()
    for at, doc_ids, task, usd in (
        ("2026-01-02T10:00:00+00:00", (record.doc_id,), "index", 0.5),
        ("2026-01-02T11:00:00+00:00", (record.doc_id,), "index", 0.25),
        ("2026-01-02T12:00:00+00:00", (record.doc_id,), "chat", 0.125),
        ("2026-01-03T12:00:00+00:00", ("gone",), "index", 1.0),
        ("2026-01-03T12:00:00+00:00", (record.doc_id, "gone"), "chat", 2.0),
    ):
        library.record_spent(Spent(at, task, doc_ids, "m", calls=1, prompt_tokens=10, completion_tokens=1, usd=usd))
    found = costs_by_day(library)
    rows = [(row.day, row.name, row.doc_id, row.task, row.calls, row.usd) for row in found.rows]
    assert rows == [
        ("2026-01-02", "acme.txt", record.doc_id, "chat", 1, 0.125),
        ("2026-01-02", "acme.txt", record.doc_id, "index", 2, 0.75),
        ("2026-01-03", "", "", "chat", 1, 2.0),
        ("2026-01-03", "", "gone", "index", 1, 1.0),
    ]
    assert (found.total.calls, found.total.prompt_tokens, found.total.usd) == (5, 50, 3.875)
    assert [row.day for row in costs_by_day(library, since="2026-01-03").rows] == ["2026-01-03"] * 2
    assert costs_by_day(library, ["acme.txt"]).total.usd == 0.875
    with pytest.raises(InputError):
        costs_by_day(library, since="yesterday")


def test_keys_in_a_models_name_are_masked_and_replies_of_the_cache_are_no_lines() -> None:
    library = MemoryLibrary()
    record = recorder(library, "chat", lambda: ["d"])
    record("openai/sk-abcdef123456", Usage(calls=1))
    record("m", Usage(replayed=1))
    assert [spent.model for spent in library.spent()] == ["openai/***"]


def test_what_a_run_and_a_conversation_cost_is_what_their_usage_says(tmp_path: Path) -> None:
    source = write_memo(tmp_path, ".md")
    reply = json.dumps({"summary": "words", "description": "words", "headings": []})
    with ModelServer([reply], repeat=True) as server:
        index = {"model": "m", "base_url": server.base_url, "api_key": "k", "summary_threshold": 1}
        with PageIndexClient(storage_path=tmp_path / "library", index=index) as client:
            done = client.submit_document(source)
            found = client.get_spending()
    assert done["usage"]["calls"] == found["total"]["calls"] == server.calls > 0
    assert [(row["name"], row["task"]) for row in found["rows"]] == [(source.name, "index")]
    assert found["total"]["prompt_tokens"] == done["usage"]["prompt_tokens"]
    assert found["total"]["usd"] is None  # no price is known
    shown = run_here("costs", "--library", tmp_path / "library")
    assert source.name in shown.stdout and "unknown" in shown.stdout


def test_failed_attempts_are_written_down() -> None:
    library, record = report_library()
    from pageindex.chat import open_session
    from pageindex.chat.run import answer

    with serving([Answer(status=500), read("3"), GOOD], retries=2) as (model, _):
        answer(open_session(library, record.doc_id), asking(), model)
    (row,) = costs_by_day(library).rows
    assert (row.doc_id, row.task, row.calls, row.failed) == (record.doc_id, "chat", 2, 1)


def test_a_torn_line_costs_only_itself_and_doctor_sets_it_aside(tmp_path: Path) -> None:
    library = open_library(tmp_path / "library")
    spent = [Spent(f"2026-01-0{n}T00:00:00+00:00", "index", (), "m", calls=n) for n in (1, 2, 3)]
    library.record_spent(spent[0])
    log = tmp_path / "library" / "spending.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole + whole[:40])  # killed in the middle of a line
    library.record_spent(spent[2])
    assert list(library.spent()) == [spent[0], spent[2]]
    (finding,) = library.doctor(repair=True)
    assert finding.path == "spending.jsonl" and finding.repaired
    assert list(library.spent()) == [spent[0], spent[2]]
    assert not library.doctor()


def test_threads_and_processes_lose_no_line(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    library = open_library(folder)
    code = (
        "import sys; from pageindex.app.library import open_library; from pageindex.store.base import Spent; "
        "library = open_library(sys.argv[1]); "
        "[library.record_spent(Spent(f'{sys.argv[2]}-{n}', 'index', (), 'm')) for n in range(50)]"
    )
    children = [subprocess.Popen([sys.executable, "-c", code, str(folder), str(number)]) for number in range(2)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: library.record_spent(Spent(f"t-{n}", "index", (), "m")), range(100)))
    assert [child.wait(60) for child in children] == [0, 0]
    assert len({spent.at for spent in library.spent()}) == len(library.spent()) == 200
