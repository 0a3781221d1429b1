"""One file and many through reading and structure into a library: outcomes, failures, progress, any executor."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from pageindex.app import ingest
from pageindex.app.ingest import Ingested, IngestOptions, Request
from pageindex.config import Optimize, Settings, SummaryMode
from pageindex.document.codec import decode_edition, decode_json, tree_from_json
from pageindex.errors import (
    BudgetError,
    DamagedFileError,
    InputError,
    LimitError,
    NotFoundError,
    PageIndexError,
    PasswordError,
    SettingsError,
    UnsupportedFormatError,
)
from pageindex.limits import DEFAULT_LIMITS
from pageindex.llm import ScriptedModel
from pageindex.progress import Progress
from pageindex.store.base import Outcome
from pageindex.store.memory import MemoryLibrary
from tests.support.memos import FORMATS, TITLES, write_memo
from tests.support.odd_files import encrypted_pdf, ruined_page_pdf


@pytest.fixture
def library() -> Iterator[MemoryLibrary]:
    yield MemoryLibrary()


def by_name(results: list[Ingested]) -> dict[str, Ingested]:
    return {done.request.title: done for done in results}


def test_a_converted_file_is_what_the_library_stores(tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".pdf")
    converted = ingest.convert(path, path.name)
    assert set(converted.files) == {"edition.json", "pages.json", "lines.json.gz", "tree.json", "summaries.json"}
    edition = decode_edition(
        converted.files["edition.json"], converted.files["pages.json"], converted.files["lines.json.gz"]
    )
    tree = tree_from_json(decode_json(converted.files["tree.json"]))
    assert edition.id == converted.edition_id == tree.edition
    assert converted.source_sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert converted.facts["sections"] == len(tree.by_id)
    assert converted.facts["page_count"] == edition.page_count
    assert converted.facts["status"] == "completed"


def test_bytes_and_file_give_the_same_files(tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".pdf")
    assert ingest.convert(path.read_bytes(), path.name) == ingest.convert(path, path.name)


def test_a_worker_gives_what_the_process_itself_gives(tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".md")
    assert ingest.convert_isolated(Request(path)) == ingest.convert(path, path.name)


def test_the_same_bytes_are_unchanged_and_changed_bytes_a_new_edition(tmp_path: Path, library: MemoryLibrary) -> None:
    path = write_memo(tmp_path, ".md")
    first = ingest.ingest_one(library, Request(path))
    again = ingest.ingest_one(library, Request(path))
    path.write_text(path.read_text() + "\n# Appendix\n\nMore.\n")
    changed = ingest.ingest_one(library, Request(path))
    assert [i.outcome for i in (first, again, changed)] == [Outcome.ADDED, Outcome.UNCHANGED, Outcome.NEW_EDITION]
    assert first.record is not None and changed.record is not None
    assert changed.record.doc_id == first.record.doc_id
    assert len(changed.record.editions) == 2
    assert changed.record.sections == first.record.sections + 1


def test_two_files_of_one_name_are_two_documents(tmp_path: Path, library: MemoryLibrary) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "note.md").write_text(f"# In {folder}\n\nText.\n")
    results = list(
        ingest.ingest(library, [Request(tmp_path / folder / "note.md") for folder in ("a", "b")], IngestOptions(jobs=1))
    )
    assert {i.outcome for i in results} == {Outcome.ADDED}
    assert len({i.record.doc_id for i in results if i.record}) == 2


def test_bad_files_are_named_and_the_others_kept(tmp_path: Path, library: MemoryLibrary) -> None:
    good = write_memo(tmp_path, ".pdf")
    empty, fake, cut, image = (tmp_path / name for name in ("empty.pdf", "page.pdf", "cut.pdf", "x.png"))
    empty.write_bytes(b"")
    fake.write_text("<!doctype html><html><body><h1>Not found</h1><p>No such file here.</p></body></html>")
    cut.write_bytes(good.read_bytes()[:300])
    image.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    missing = tmp_path / "gone.pdf"
    results = by_name(
        list(
            ingest.ingest(
                library, map(Request, [empty, fake, good, cut, image, missing, tmp_path]), IngestOptions(jobs=2)
            )
        )
    )
    assert results["memo.pdf"].outcome is Outcome.ADDED
    assert isinstance(results["empty.pdf"].error, DamagedFileError)
    assert isinstance(results["cut.pdf"].error, DamagedFileError)
    assert isinstance(results["x.png"].error, UnsupportedFormatError)
    assert isinstance(results["gone.pdf"].error, NotFoundError)
    assert results[tmp_path.name].error is not None and results[tmp_path.name].error.code == "IS_A_FOLDER"
    assert isinstance(results["page.pdf"].error, InputError)
    assert all(i.error.next_step for i in results.values() if i.error)
    assert library.list().total == 1, "nothing of a file that failed is stored"


def test_attempts_are_written_down_failures_included(tmp_path: Path, library: MemoryLibrary) -> None:
    path, bad = write_memo(tmp_path, ".txt"), tmp_path / "bad.pdf"
    bad.write_bytes(b"")
    list(ingest.ingest(library, [Request(path), Request(bad), Request(path)], IngestOptions(jobs=1)))
    attempts = library.attempts()
    outcomes = sorted((Path(attempt.source_path).name, attempt.outcome) for attempt in attempts)
    assert ("bad.pdf", "DAMAGED_FILE") in outcomes or any(
        name == "bad.pdf" and "EMPTY" in code for name, code in outcomes
    )
    assert ("memo.txt", "added") in outcomes
    assert all(attempt.at.startswith("20") and attempt.sha256 for attempt in attempts)
    failed = next(attempt for attempt in attempts if attempt.source_path.endswith("bad.pdf"))
    assert failed.message and not failed.doc_id


def test_password(tmp_path: Path, library: MemoryLibrary) -> None:
    path = encrypted_pdf(tmp_path / "secret.pdf", user="sesame")
    for password in (None, "wrong"):
        with pytest.raises(PasswordError):
            ingest.ingest_one(library, Request(path, password=password))
    done = ingest.ingest_one(library, Request(path, password="sesame"))
    assert done.record is not None and done.record.page_count == 1


def test_a_damaged_page_is_named_and_makes_the_document_partial(tmp_path: Path, library: MemoryLibrary) -> None:
    done = ingest.ingest_one(library, Request(ruined_page_pdf(tmp_path / "ruined.pdf", pages=4, ruined=3)))
    assert done.record is not None
    assert done.record.page_count == 4
    state = {page: state for state, pages in done.record.page_states.items() for page in pages}
    assert state.get(3) in ("failed", "blank", "image_only")
    assert {1, 2, 4}.isdisjoint(state)
    if state[3] == "failed":
        assert done.record.status == "partial"


def test_bytes_need_a_name_and_are_stored_without_a_path(tmp_path: Path, library: MemoryLibrary) -> None:
    data = b"# Title\n\nWords.\n"
    with pytest.raises(InputError, match="name"):
        ingest.ingest_one(library, Request(data))
    done = ingest.ingest_one(library, Request(data, name="given.md"))
    assert done.record is not None
    assert (done.record.name, done.record.source_path) == ("given.md", "")
    assert library.source(done.record.doc_id).read_bytes() == data


def test_metadata_and_folder_travel_with_the_file(tmp_path: Path, library: MemoryLibrary) -> None:
    folder = library.create_folder("Memos")
    request = Request(write_memo(tmp_path, ".md"), metadata={"year": 2022}, folder_id=folder.folder_id)
    done = ingest.ingest_one(library, request)
    assert done.record is not None
    assert dict(done.record.metadata) == {"year": 2022}
    assert done.record.folder_id == folder.folder_id


def test_limits_are_kept(tmp_path: Path, library: MemoryLibrary) -> None:
    path = write_memo(tmp_path, ".pdf")
    with pytest.raises(LimitError) as caught:
        ingest.ingest_one(library, Request(path), IngestOptions(limits=replace(DEFAULT_LIMITS, file_bytes=100)))
    assert caught.value.code == "FILE_TOO_LARGE"
    with pytest.raises(LimitError):
        ingest.ingest_one(library, Request(path), IngestOptions(limits=replace(DEFAULT_LIMITS, seconds=0.01)))


def test_progress_tells_pages_and_ends_once_per_file(tmp_path: Path, library: MemoryLibrary) -> None:
    steps: list[Progress] = []
    lock = threading.Lock()

    def collect(step: Progress) -> None:
        with lock:
            steps.append(step)

    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7\nnothing")
    list(
        ingest.ingest(
            library, [Request(write_memo(tmp_path, ".pdf")), Request(bad)], IngestOptions(jobs=1), progress=collect
        )
    )
    of_memo = [step for step in steps if step.file == "memo.pdf"]
    assert [step.stage for step in of_memo if step.stage in ("done", "failed")] == ["done"]
    assert {"reading", "structure", "done"} <= {step.stage for step in of_memo}
    assert any(step.total == 1 and step.done == 1 for step in of_memo if step.stage == "reading")
    assert [step.stage for step in steps if step.file == "bad.pdf"][-1] == "failed"


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_any_executor_will_do(tmp_path: Path, library: MemoryLibrary, kind: str) -> None:
    requests = [Request(write_memo(tmp_path, suffix)) for suffix in FORMATS]
    pool = ThreadPoolExecutor(2) if kind == "threads" else ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    with pool:
        results = list(ingest.ingest(library, requests, IngestOptions(jobs=2, executor=pool)))
    assert all(i.outcome is Outcome.ADDED for i in results), [i.error for i in results]
    assert library.list().total == len(FORMATS)


def test_requests_are_taken_only_as_fast_as_they_are_worked_off(tmp_path: Path, library: MemoryLibrary) -> None:
    taken = 0

    def requests() -> Iterator[Request]:
        nonlocal taken
        for number in range(40):
            taken += 1
            yield Request(f"# {number}\n\ntext\n".encode(), name=f"{number}.md")

    results = ingest.ingest(library, requests(), IngestOptions(jobs=1))
    next(results)
    assert taken < 10
    results.close()  # type: ignore[attr-defined]


def test_a_fault_of_a_reader_is_an_error_of_that_file(tmp_path: Path, library: MemoryLibrary) -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            return super().submit(lambda: 1 / 0)

    with Broken(1) as pool:
        (done,) = ingest.ingest(library, [Request(write_memo(tmp_path, ".md"))], IngestOptions(executor=pool))
    assert type(done.error) is PageIndexError
    assert done.error.code == "READER_FAILED"
    assert "ZeroDivisionError" in done.error.message


def test_find_files(tmp_path: Path) -> None:
    (tmp_path / "sub" / ".hidden").mkdir(parents=True)
    for name in ("b.pdf", "a.md", "c.png", ".d.pdf", "sub/e.TXT", "sub/.hidden/f.pdf"):
        (tmp_path / name).write_bytes(b"x")
    names = [one.path.relative_to(tmp_path).as_posix() for one in ingest.find_files([tmp_path])]
    assert names == ["a.md", "b.pdf", "sub/e.TXT"]
    assert [one.path.name for one in ingest.find_files([str(tmp_path / "**" / "*.pdf")])] != []
    assert [one.path.name for one in ingest.find_files([tmp_path / "c.png"])] == ["c.png"], (
        "a named file is always taken"
    )
    assert len(ingest.find_files([tmp_path / "b.pdf", tmp_path, tmp_path / "sub" / ".." / "b.pdf"])) == 3
    for nothing in ("none.pdf", "*.docx"):
        with pytest.raises(NotFoundError, match=r"does not exist|matches no file"):
            ingest.find_files([tmp_path / nothing])
    (tmp_path / "bare").mkdir()
    with pytest.raises(NotFoundError, match="holds no file"):
        ingest.find_files([tmp_path / "bare"])


def test_a_plan_says_what_would_be_done(tmp_path: Path, library: MemoryLibrary) -> None:
    path = write_memo(tmp_path, ".md")

    def planned(options: IngestOptions | None = None) -> ingest.Plan:
        (plan,) = ingest.plan(library, [Request(path)], options)
        return plan

    assert planned().action == "add"
    ingest.ingest_one(library, Request(path))
    assert planned().action == "unchanged"
    flat = planned(IngestOptions(limits=replace(DEFAULT_LIMITS, depth=1)))
    assert (flat.action, flat.reason) == ("rebuild", "depth is 1, was 64")
    path.write_text("# Other\n")
    assert planned().action == "new edition"
    assert [plan.action for plan in ingest.plan(None, [Request(path)])] == ["add"]


def depth_of(library: MemoryLibrary, done: Ingested) -> int:
    assert done.record is not None
    return max(level for _, level in library.tree(done.record.doc_id).walk())


def test_limits_reach_the_tree_and_are_part_of_what_unchanged_means(tmp_path: Path, library: MemoryLibrary) -> None:
    path = tmp_path / "deep.md"
    path.write_text("".join(f"{'#' * level} Level {level}\n\nText.\n\n" for level in range(1, 5)))
    shallow = IngestOptions(limits=replace(DEFAULT_LIMITS, depth=2))
    first = ingest.ingest_one(library, Request(path), shallow)
    assert (first.outcome, depth_of(library, first)) == (Outcome.ADDED, 2)
    assert ingest.ingest_one(library, Request(path), shallow).outcome is Outcome.UNCHANGED
    deep = ingest.ingest_one(library, Request(path))
    assert (deep.outcome, deep.reason, depth_of(library, deep)) == (Outcome.REBUILT, "depth is 64, was 2", 4)
    assert deep.record is not None and first.record is not None
    assert deep.record.edition == first.record.edition, "the text is the same, so handles hold"
    assert deep.record.sections == 4 > first.record.sections - 1
    assert library.attempts()[0].outcome == "rebuilt"


HANDBOOK = "# Handbook\n\n" + "".join(f"## Rule {number}\n\nDo this.\n\n" for number in range(60))


def test_settings_of_words_reach_the_worker_and_are_part_of_what_unchanged_means(
    tmp_path: Path, library: MemoryLibrary
) -> None:
    path = tmp_path / "long.md"
    path.write_text("# One\n\n" + "Many words are said here. " * 40)

    def taken_in(**settings: int) -> tuple[Outcome | None, int, str]:
        done = ingest.ingest_one(library, Request(path), IngestOptions(Settings(**settings)))
        assert done.record is not None
        words = library.summaries(done.record.doc_id).sections["0001"].text
        return done.outcome, len(words), done.reason

    plain = taken_in()
    assert plain == (Outcome.ADDED, plain[1], "")
    assert taken_in() == (Outcome.UNCHANGED, plain[1], "")
    outcome, short, reason = taken_in(summary_tokens=20)
    assert (outcome, reason) == (Outcome.REBUILT, "summary tokens is 20, was not set")
    assert short < plain[1] / 2
    assert taken_in(timeout=7)[0] is Outcome.REBUILT, "back to the default"
    assert taken_in(timeout=8) == (Outcome.UNCHANGED, plain[1], "")


def test_refining_is_asked_for_by_its_options_alone(tmp_path: Path, library: MemoryLibrary) -> None:
    request = Request(HANDBOOK.encode(), "handbook.md")
    plain = ingest.ingest_one(library, request)
    assert plain.refinement is None and plain.record is not None
    merged = ingest.ingest_one(library, request, IngestOptions(Settings(optimize=Optimize.MERGE)))
    assert (merged.outcome, merged.reason) == (Outcome.UNCHANGED, "")
    assert merged.refinement is not None and merged.record is not None
    assert merged.record.sections < plain.record.sections == 61
    again = ingest.ingest_one(library, request, IngestOptions(Settings(optimize=Optimize.MERGE)))
    assert (again.outcome, again.refinement) == (Outcome.UNCHANGED, None), "done once"
    kept = ingest.ingest_one(library, request)
    assert kept.record is not None and kept.record.sections == merged.record.sections, "no wish, so nothing is undone"


def test_other_refine_options_build_the_tree_anew(library: MemoryLibrary) -> None:
    request = Request(HANDBOOK.encode(), "handbook.md")
    first = ingest.ingest_one(library, request, IngestOptions(Settings(optimize=Optimize.MERGE)))
    other = IngestOptions(Settings(optimize=Optimize.OFF, summaries=SummaryMode.NONE))
    second = ingest.ingest_one(library, request, other)
    assert first.record is not None and second.record is not None
    assert second.outcome is Outcome.REBUILT
    assert "optimize is off, was merge" in second.reason
    assert second.record.sections == 61, "built anew, not from the merged tree"
    assert library.summaries(second.record.doc_id).sections == {}


def test_one_budget_holds_for_all_files_of_a_run(tmp_path: Path, library: MemoryLibrary) -> None:
    def broke(_: object) -> BudgetError:
        return BudgetError("the budget is spent")

    paths = [tmp_path / f"{number}.md" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_text(f"# Chapter {number}\n\n" + f"The word number {number} is long. " * 200)
    model = ScriptedModel(broke)
    options = IngestOptions(Settings(model="scripted"), jobs=1)
    done = list(ingest.ingest(library, map(Request, paths), options, model=model))
    assert [one.outcome for one in done] == [Outcome.ADDED] * 3, "every file is taken in"
    assert [one.refinement is not None for one in done] == [True, False, False]
    assert [one.stopped.code for one in done if one.stopped] == ["BUDGET_EXHAUSTED"] * 3, "and each says so"


@pytest.mark.parametrize("suffix", list(FORMATS))
def test_one_memo_has_the_same_titles_in_every_format(tmp_path: Path, suffix: str, library: MemoryLibrary) -> None:
    done = ingest.ingest_one(library, Request(write_memo(tmp_path, suffix)))
    assert done.record is not None
    tree = library.tree(done.record.doc_id)
    titles = [section.title.lstrip("0123456789. ") for section, _ in tree.walk()]
    assert [title for title in titles if title in TITLES] == TITLES
    levels = {section.title.lstrip("0123456789. "): level for section, level in tree.walk()}
    assert levels["Trains"] == levels["Flights"] == levels["Rules"] + 1 == levels["Purpose"] + 1


def test_a_known_file_takes_new_metadata_and_another_folder(tmp_path: Path, library: MemoryLibrary) -> None:
    path = write_memo(tmp_path, ".md")
    ingest.ingest_one(library, Request(path, metadata={"year": 2022, "kind": "memo"}))
    folder = library.create_folder("Memos").folder_id
    again = ingest.ingest_one(library, Request(path, metadata={"year": 2023}, folder_id=folder))
    assert again.outcome is Outcome.UNCHANGED and again.record is not None
    assert dict(again.record.metadata) == {"year": 2023, "kind": "memo"}
    assert again.record.folder_id == folder
    kept = ingest.ingest_one(library, Request(path))
    assert kept.record == again.record, "what is not given stays"


@pytest.mark.parametrize("limit", [{"depth": 0}, {"seconds": -1}, {"pages": float("nan")}, {"memory_bytes": None}])
def test_a_limit_that_means_nothing_is_refused(limit: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(limit))):
        replace(DEFAULT_LIMITS, **limit)


def loaded_by(code: str) -> set[str]:
    """Names of the modules that a Python process has loaded when some code has run."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_a_file_is_converted_without_tokenizer_models_or_evidence(tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".pdf")
    code = (
        f"from pathlib import Path; from pageindex.app.ingest import convert; convert(Path({str(path)!r}), 'memo.pdf')"
    )
    loaded = loaded_by(code)
    assert "pypdfium2" in loaded, "this is what runs in a worker"
    assert loaded.isdisjoint({"tiktoken", "litellm", "pageindex.llm", "pageindex.evidence", "pageindex.refine.run"})


def test_who_takes_files_in_never_loads_the_engines(tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".pdf")
    code = (
        "from pathlib import Path; from pageindex.app.ingest import Request, ingest_one\n"
        "from pageindex.store.memory import MemoryLibrary\n"
        "library = MemoryLibrary()\n"
        f"for _ in range(2): ingest_one(library, Request(Path({str(path)!r})))"
    )
    engines = {"pypdfium2", "pypdf", "numpy", "tiktoken", "pageindex.structure.build", "pageindex.reading.pdf.reader"}
    assert loaded_by(code).isdisjoint(engines)
