"""Whole runs, over a real HTTP server and through the real LiteLLM."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pageindex.config import Mode, Optimize, Secret, Settings, SummaryMode
from pageindex.document import Position, Section, Span, TreeSource
from pageindex.errors import BudgetError, CredentialError, ModelRequestError, SettingsError
from pageindex.llm import Backoff, Model, Reply, Request, ScriptedModel
from pageindex.progress import Progress
from pageindex.refine import Refined, RefineStatus, arefine, refine
from pageindex.refine.estimate import estimate
from pageindex.text.shown import shown_page
from pageindex.text.tokens import count_tokens
from tests.support.evidence_editions import edition_of, text_edition
from tests.support.model_server import Answer, Asked, ModelServer
from tests.support.refine_editions import Chapter, book, heading, page_tree, paragraph

PARTS = tuple((f"1.{n} Part {name}", n * 3) for n, name in enumerate(("alpha", "beta", "gamma", "delta"), 0))
BOOK, TREE = book(Chapter("1 One", PARTS, pages=12), Chapter("2 Two", (), pages=2), Chapter("3 Three", PARTS, pages=12))
SETTINGS = Settings(optimize=Optimize.FULL, summaries=SummaryMode.MODEL, expand_tokens=1_500)


def headings_of(prompt: str) -> str:
    """What an honest model says: every heading line of the pages in a prompt, with its page."""
    found, page = [], 0
    for line in prompt.splitlines():
        if mark := re.fullmatch(r"\[page (\d+)\]", line):
            page = int(mark[1])
        elif re.match(r"\d\.\d Part", line):
            found.append({"title": line.strip(), "page": page, "level": 1})
    return json.dumps({"headings": found})


def honest(prompt: str) -> str:
    if "List the headings" in prompt:
        return headings_of(prompt)
    return json.dumps({"summary": "What the committee did.", "description": "A book on committees."})


def answer(asked: Asked) -> str:
    return honest(asked.prompt)


def script(request: Request) -> str:
    return honest(str(request.messages[1]["content"]))


def server_model(server: ModelServer, **given: object) -> Model:
    values = {"model": "m", "base_url": server.base_url, "api_key": Secret("k"), "timeout": 20.0, **given}
    return Model(Settings(**values), backoff=Backoff(1, base=0.01))  # type: ignore[arg-type]


def titles(refined: Refined) -> list[tuple[int, str]]:
    return [(level, section.title) for section, level in refined.tree.walk()]


FULL = [
    (1, "1 One"), *((2, name) for name, _ in PARTS), (1, "2 Two"), (1, "3 Three"), *((2, name) for name, _ in PARTS),
]  # fmt: skip


def test_printed_headings_become_sections_and_everything_is_described() -> None:
    seen: list[Progress] = []
    with ModelServer(answer) as server:
        refined = refine(BOOK, TREE, SETTINGS, server_model(server), seen.append)
    assert titles(refined) == FULL
    assert refined.status is RefineStatus.COMPLETED
    assert refined.added == 8
    assert refined.after.worst < refined.before.worst
    assert refined.after.expected < refined.before.expected
    first = refined.tree.sections[0]
    assert [child.start_index for child in first.children] == [1, 4, 7, 10]
    assert {child.source for child in first.children} == {TreeSource.MODEL}
    assert all(child.printed for child in first.children)
    assert [section.node_id for section, _ in refined.tree.walk()] == [f"{n:04d}" for n in range(1, 12)]
    assert {s.kind for s in refined.summaries.sections.values()} == {"model"}
    assert list(refined.summaries.sections) == list(refined.tree.by_id)
    assert refined.summaries.description == "A book on committees."
    assert refined.usage.calls == server.calls
    assert (seen[-1].stage, seen[-1].done, seen[-1].total) == ("refine", 11, 11)
    assert any("tokens" in step.note for step in seen)


def test_children_are_summarised_before_their_parents_from_their_summaries() -> None:
    model = ScriptedModel(script)
    refine(BOOK, TREE, SETTINGS, model)
    prompts = [str(r.messages[-1]["content"]) for r in model.script.requests]
    order = [match[1] for p in prompts if (match := re.match(r"Section: (.*)", p))]
    for parent in ("1 One", "3 Three"):
        inside = prompts[next(i for i, p in enumerate(prompts) if p.startswith(f"Section: {parent}"))]
        assert inside.count("What the committee did.") == 4
    assert order.index("1 One") > order.index("1.3 Part delta")


def test_a_settled_subtree_is_summarised_while_others_still_expand() -> None:
    edition, tree = book(*(Chapter(f"{n} Chapter", PARTS, pages=12) for n in range(6)))
    with ModelServer(lambda asked: Answer(answer(asked), delay=0.02)) as server:
        refine(edition, tree, SETTINGS, server_model(server, concurrency=1))
        prompts = [asked.messages[-1]["content"] for asked in server.asked]
    summary = next(i for i, p in enumerate(prompts) if p.startswith("Section: 1.0 Part alpha"))
    expansions = [
        i for i, p in enumerate(prompts) if "List the headings" in p
    ]  # in whatever order the chapters were ready
    assert len(expansions) == 6
    assert summary < expansions[-1]


def test_a_model_that_never_ends_its_list_is_asked_a_bounded_number_of_times() -> None:
    endless = Answer('{"headings": [{"title": "1.0 Part alpha", "page": 1, "level": 1}, {"ti', finish_reason="length")
    with ModelServer([endless], repeat=True) as server:
        refined = refine(BOOK, TREE, SETTINGS.changed(summaries="none"), server_model(server))
        assert server.calls <= 2 * 24  # two chapters of twelve pages: a binary tree of halves over each
    assert refined.status is RefineStatus.COMPLETED
    assert refined.tree.sections[-1].end == BOOK.end


def test_a_log_of_twins_that_fails_every_check_still_covers_all_pages() -> None:
    edition = edition_of(*([f"Amendment to section {n}", *paragraph(5, 30)] for n in range(20)))
    settings = SETTINGS.changed(mode=Mode.STANDARD, summaries="none")
    reply = json.dumps({"headings": [{"title": "Amendment to the rules", "page": n, "level": 1} for n in range(1, 21)]})
    refined = refine(edition, page_tree(edition), settings, ScriptedModel(lambda request: reply))
    assert refined.tree.sections[0].start_index == 1
    assert refined.tree.sections[-1].end_index == 20
    assert len(refined.refusals) >= 20


def test_invented_headings_never_enter() -> None:
    invented = [{"title": name, "page": 2, "level": 1} for name in ("Outlook", "a", "Summary of findings")]

    def lying(asked: Asked) -> str:
        reply = json.loads(answer(asked))
        if "headings" in reply:
            reply["headings"] = sorted(reply["headings"] + invented, key=lambda item: item["page"])
        return json.dumps(reply)

    with ModelServer(lying) as server:
        refined = refine(BOOK, TREE, SETTINGS, server_model(server))
    assert titles(refined) == FULL
    assert sorted(r.title for r in refined.refusals if r.section == "0001") == ["Outlook", "Summary of findings", "a"]
    assert all(r.reason and r.message for r in refined.refusals)


def tampered(text: str) -> list[Answer | str]:
    return [
        f"Sure! ```json\n{text}``` hope it helps",
        f"<think>headings? {{}}</think>{text}",
        text.replace('"page": 4', '"page": "4.0"').replace('"level": 1', '"level": "1"'),
        Answer(text[:100], finish_reason="length" if len(text) > 100 else "stop"),
        "",
        '{"titles": []}',
    ]


@pytest.mark.parametrize("index", range(6))
def test_odd_replies_give_the_same_tree(index: int) -> None:
    def odd(asked: Asked) -> Answer | str:
        text = answer(asked)
        first = len(asked.messages) == 2 and "headings" in text
        return tampered(text)[index] if first else text

    with ModelServer(odd) as server:
        refined = refine(BOOK, TREE, SETTINGS.changed(summaries="text"), server_model(server))
    assert titles(refined) == FULL
    assert refined.status is RefineStatus.COMPLETED


def test_a_refused_json_mode_gives_the_same_tree() -> None:
    def plain_only(asked: Asked) -> Answer | str:
        if "response_format" in asked.body:
            return Answer(status=400, error="response_format json_schema is not supported")
        return answer(asked)

    with ModelServer(plain_only) as server:
        refined = refine(BOOK, TREE, SETTINGS, server_model(server, concurrency=1))
        assert sum("response_format" in asked.body for asked in server.asked) == 1
    assert titles(refined) == FULL


def test_one_failing_section_goes_without_and_is_named() -> None:
    def failing(asked: Asked) -> Answer | str:
        bad = "Section: 3 Three" in asked.prompt and "List the headings" in asked.prompt
        return "I would rather not." if bad or "Section: 2 Two" in asked.prompt else answer(asked)

    with ModelServer(failing) as server:
        refined = refine(BOOK, TREE, SETTINGS, server_model(server))
    assert [name for _, name in titles(refined)] == ["1 One", *(name for name, _ in PARTS), "2 Two", "3 Three"]
    assert refined.status is RefineStatus.PARTIAL
    assert [(p.section, p.stage, p.error.code) for p in refined.problems] == [
        ("0006", "summary", "MODEL_REPLY"),
        ("0007", "expand", "MODEL_REPLY"),
    ]
    assert refined.summaries.sections["0006"].kind == "fallback"
    assert [note.message.split(":")[0] for note in refined.notes()] == [
        "summary of section 0006",
        "expand of section 0007",
    ]


def test_a_dead_key_costs_one_call_and_loses_nothing() -> None:
    with ModelServer([Answer(status=401, error="bad key")], repeat=True) as server:
        refined = refine(BOOK, TREE, SETTINGS, server_model(server))
        assert server.calls == 1
    assert refined.status is RefineStatus.FAILED
    assert isinstance(refined.stopped, CredentialError)
    assert refined.tree.sections == TREE.sections
    (note,) = refined.notes()
    assert note.code == "MODEL_CREDENTIALS"
    assert note.message.startswith(f"{len(refined.problems)} calls were not answered or not made: ")
    assert {s.kind for s in refined.summaries.sections.values()} <= {"fallback", "text"}
    assert all(s.text for s in refined.summaries.sections.values())


def test_a_provider_that_is_down_is_not_asked_for_every_section() -> None:
    with ModelServer([Answer(status=503)], repeat=True) as server:
        refined = refine(BOOK, TREE, SETTINGS, server_model(server))
        assert server.calls == 2  # the attempts of one call
    assert refined.status is RefineStatus.FAILED


def test_a_budget_stops_in_time_and_a_rerun_goes_on(tmp_path: Path) -> None:
    with ModelServer(answer) as server:
        poor = server_model(server, budget_tokens=14_000, reply_tokens=500, concurrency=1)
        first = refine(BOOK, TREE, SETTINGS, poor, cache_dir=tmp_path)
        assert first.status is RefineStatus.PARTIAL
        assert isinstance(first.stopped, BudgetError)
        assert first.resumable
        assert 0 < poor.usage.tokens <= 14_000
        paid = server.calls
        rich = server_model(server, reply_tokens=500)
        second = refine(BOOK, TREE, SETTINGS, rich, cache_dir=tmp_path)
        assert titles(second) == FULL
        assert second.status is RefineStatus.COMPLETED
        assert second.usage.calls == server.calls - paid
        assert len({asked.prompt for asked in server.answered}) == server.calls  # nothing was asked twice
        third = refine(BOOK, TREE, SETTINGS, rich, cache_dir=tmp_path)
        assert third.usage.calls == 0
        assert (third.tree, third.summaries) == (second.tree, second.summaries)


def test_money_without_a_price_is_an_error_before_any_call() -> None:
    with ModelServer(answer) as server:
        with pytest.raises(SettingsError, match="price"):
            refine(BOOK, TREE, SETTINGS, server_model(server, budget_usd=1.0))
        assert server.calls == 0


VICTIM = """
import sys
from pathlib import Path
from pageindex.config import Secret, Settings
from pageindex.llm import Model
from pageindex.refine import refine
from tests.refine.test_refine import BOOK, SETTINGS, TREE
model = Model(Settings(model="m", base_url=sys.argv[1], api_key=Secret("k"), concurrency=2))
refine(BOOK, TREE, SETTINGS, model, cache_dir=Path(sys.argv[2]))
print("finished")
"""


def test_a_killed_run_resumes_without_a_repeated_paid_call(tmp_path: Path) -> None:
    release = threading.Event()

    def stuck_after_six(asked: Asked) -> Answer:
        held = asked.number >= 6 and not release.is_set()
        return Answer(answer(asked), hold=release if held else None)

    with ModelServer(stuck_after_six) as server:
        root = Path(__file__).parents[2]
        victim = tmp_path / "victim.py"
        victim.write_text(VICTIM)
        arguments = [sys.executable, str(victim), server.base_url, str(tmp_path / "cache")]
        process = subprocess.Popen(
            arguments, cwd=root, env={"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        )
        deadline = time.monotonic() + 60
        while len(server.answered) < 6 or server.calls < 8:  # both places wait for a reply that does not come
            assert time.monotonic() < deadline, "the victim did not get so far"
            time.sleep(0.02)
        process.kill()
        assert process.wait() == -9
        paid = {asked.prompt for asked in server.answered}
        assert len(paid) == 6
        before = server.calls
        release.set()
        refined = refine(BOOK, TREE, SETTINGS, server_model(server), cache_dir=tmp_path / "cache")
        assert titles(refined) == FULL
        later = [asked.prompt for asked in server.asked[before:]]
        assert not paid & set(later)
        assert len(later) == len(set(later)) == refined.usage.calls
        assert refined.usage.replayed == 6
    unbroken = refine(BOOK, TREE, SETTINGS, ScriptedModel(script, name="m"))
    assert (refined.tree, refined.summaries) == (unbroken.tree, unbroken.summaries)


def test_a_cached_reply_passes_the_same_gate(tmp_path: Path) -> None:
    with ModelServer(answer) as server:
        refine(BOOK, TREE, SETTINGS.changed(summaries="none"), server_model(server), cache_dir=tmp_path)
        for file in tmp_path.glob("*/*.json"):  # somebody else's cache: its headings are as unproven as fresh ones
            file.write_text(file.read_text().replace("Part beta", "Part omega"))
        refined = refine(BOOK, TREE, SETTINGS.changed(summaries="none"), server_model(server), cache_dir=tmp_path)
        assert refined.usage.calls == 0
    assert [name for _, name in titles(refined) if "omega" in name or "beta" in name] == []
    assert {(r.title, r.reason) for r in refined.refusals} == {("1.1 Part omega", "not_printed")}


def test_a_300_page_section_goes_in_prompts_within_the_budget() -> None:
    parts = tuple((f"1.{n} Part {n}", n * 40) for n in range(7))
    edition, tree = book(Chapter("1 One", parts, pages=300, lines=12))
    with ModelServer(answer) as server:
        settings = SETTINGS.changed(prompt_tokens=4_000, summaries="none")
        refined = refine(edition, tree, settings, server_model(server))
        assert [name for _, name in titles(refined)] == ["1 One", *(name for name, _ in parts)]
        assert refined.tree.sections[0].children[-1].end == edition.end
        assert server.calls > 5
        assert max(count_tokens(asked.prompt) for asked in server.asked) <= 4_000
        sent = "".join(asked.prompt for asked in server.asked)
        assert all(f"[page {page.number}]\n{shown_page(edition, page.number).text}" in sent for page in edition.pages)


def test_a_giant_page_goes_in_parts_and_all_words_arrive() -> None:
    words = " ".join(f"word{n}" for n in range(20_000))
    edition = text_edition(words)
    model = ScriptedModel(script)
    refined = refine(edition, page_tree(edition), SETTINGS.changed(prompt_tokens=4_000, summaries="none"), model)
    sent = "".join(
        str(r.messages[-1]["content"]).split("[page 1]\n", 1)[1].rsplit("\n</text", 1)[0] for r in model.script.requests
    )
    assert sent == words
    assert refined.tree.sections[0].end == edition.end


def test_expansions_that_do_not_pay_are_refused() -> None:
    # twelve pages, but every heading is crowded into the first: splitting saves next to nothing
    crowd = tuple((f"1.{n} Part {n}", 0) for n in range(9))
    edition, tree = book(Chapter("1 One", crowd, pages=12), Chapter("2 Two"))
    refined = refine(edition, tree, SETTINGS.changed(summaries="none"), ScriptedModel(script))
    assert [name for _, name in titles(refined)] == ["1 One", "2 Two"]
    assert [r.reason for r in refined.refusals] == ["no_gain"]


def test_present_subsections_are_kept_when_the_text_before_them_is_split() -> None:
    names = tuple((f"1.{n} Part {n}", n * 5) for n in range(4))
    edition, tree = book(Chapter("1 One", names, pages=20))
    first = tree.sections[0]
    at = Position(16, 0)
    known = Section("0002", "1.3 Part 3", Span(at, first.end), TreeSource.LAYOUT, ("layout",), True, (0, 10))
    tree = replace(tree, sections=(replace(first, children=(known,)),))
    refined = refine(edition, tree, SETTINGS.changed(summaries="none"), ScriptedModel(script))
    assert [name for _, name in titles(refined)] == ["1 One", *(name for name, _ in names)]
    assert [c.source for c in refined.tree.sections[0].children] == ["model", "model", "model", "layout"]


def test_without_a_model_nothing_is_called_and_nothing_changes() -> None:
    refined = refine(BOOK, TREE, Settings())
    assert refined.tree.sections == TREE.sections
    assert refined.usage.calls == 0
    assert {s.kind for s in refined.summaries.sections.values()} <= {"text", "fallback"}
    assert refined.summaries.description.startswith("A Book: 1 One; 2 Two")
    assert refine(BOOK, TREE, Settings(summaries=SummaryMode.NONE)).summaries.sections == {}


def test_half_a_page_is_kept_by_default_and_stays_when_merging_is_dearer() -> None:
    edition, tree = book(*(Chapter(f"{n} Short", lines=15) for n in range(1, 7)))
    for optimize in (None, Optimize.MERGE):
        assert len(refine(edition, tree, Settings(optimize=optimize)).tree.sections) == 6


def test_both_doors_work_inside_a_running_loop() -> None:
    async def inside() -> tuple[Refined, Refined]:
        model = ScriptedModel(script)
        return refine(BOOK, TREE, SETTINGS, model), await arefine(BOOK, TREE, SETTINGS, model)

    one, other = asyncio.run(inside())
    assert titles(one) == titles(other) == FULL


def test_cancelling_stops_the_calls() -> None:
    with ModelServer(lambda asked: Answer(answer(asked), delay=0.3)) as server:
        model = server_model(server, concurrency=1)

        async def stop_early() -> None:
            task = asyncio.create_task(arefine(BOOK, TREE, SETTINGS, model))
            while not server.answered:
                await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(stop_early())
        time.sleep(0.5)
        settled = server.calls
        time.sleep(0.7)
        assert server.calls == settled < 6


# ---------------------------------------------------------------- standard mode

FLAT = edition_of(
    *[[heading(f"{n} Part {n}"), *paragraph(n, 30)] if n % 3 == 0 else paragraph(n, 30) for n in range(12)]
)


def whole(prompt: str) -> str:
    found, page = [], 0
    for line in prompt.splitlines():
        if mark := re.fullmatch(r"\[page (\d+)\]", line):
            page = int(mark[1])
        elif re.match(r"\d Part", line):
            found.append({"title": line.strip(), "page": page, "level": 1})
    return json.dumps({"headings": [*found, {"title": "Made up", "page": 12, "level": 1}]})


def test_standard_mode_finds_the_tree_where_layout_found_nothing() -> None:
    settings = SETTINGS.changed(mode=Mode.STANDARD, summaries="none", prompt_tokens=3_000)
    with ModelServer(lambda asked: whole(asked.prompt)) as server:
        refined = refine(FLAT, page_tree(FLAT, "Flat"), settings, server_model(server))
    assert [(s.title, s.start_index) for s in refined.tree.sections] == [
        ("0 Part 0", 1), ("3 Part 3", 4), ("6 Part 6", 7), ("9 Part 9", 10),
    ]  # fmt: skip
    assert refined.tree.toc_source is TreeSource.MODEL
    assert "Made up" in {r.title for r in refined.refusals}


def test_a_model_that_sees_only_the_beginning_does_not_shorten_the_document() -> None:
    def lazy(asked: Asked) -> str:
        return whole(asked.prompt) if "[page 4]" in asked.prompt else '{"headings": []}'

    edition = edition_of(*[paragraph(99, 30), *([heading(f"{n} Part {n}"), *paragraph(n, 30)] for n in range(3)), *(paragraph(n, 30) for n in range(20, 28))])  # fmt: skip
    settings = SETTINGS.changed(mode=Mode.STANDARD, summaries="none", prompt_tokens=3_000)
    with ModelServer(lazy) as server:
        refined = refine(edition, page_tree(edition), settings, server_model(server))
    sections = refined.tree.sections
    assert sections[0].source is TreeSource.PAGE
    assert (sections[0].start_index, sections[0].end_index) == (1, 1)
    assert sections[-1].title == "2 Part 2"
    assert sections[-1].end_index == 12


def test_flash_mode_never_asks_for_a_tree() -> None:
    model = ScriptedModel(lambda request: '{"headings": []}')
    refined = refine(FLAT, page_tree(FLAT), SETTINGS.changed(summaries="none", optimize="merge"), model)
    assert model.script.requests == []
    assert refined.tree.toc_source is TreeSource.PAGE


def test_a_contents_page_without_numbers_gives_its_titles_without_a_call() -> None:
    names = ["Purpose of this guide", "Who should apply", "How to apply", "What happens next", "Complaints"]
    edition = edition_of(
        [heading("Contents"), *names], *([heading(name), *paragraph(i, 20)] for i, name in enumerate(names))
    )
    model = ScriptedModel([ModelRequestError("never asked")])
    settings = SETTINGS.changed(mode=Mode.STANDARD, summaries="none")
    refined = refine(edition, page_tree(edition), settings, model)
    assert [(s.title, s.start_index) for s in refined.tree.sections] == [
        ("Page 1", 1),
        *((n, i) for i, n in enumerate(names, 2)),
    ]
    assert refined.tree.toc_source is TreeSource.CONTENTS
    assert model.script.requests == []


# ---------------------------------------------------------------- dry run


def test_an_estimate_makes_no_call_and_is_near_the_truth() -> None:
    with ModelServer(lambda asked: Answer(answer(asked), prompt_tokens=count_tokens(asked.prompt))) as server:
        model = server_model(server, prompt_price=1.0, completion_price=2.0)
        guess = estimate(BOOK, TREE, SETTINGS, model)
        assert server.calls == 0
        refined = refine(BOOK, TREE, SETTINGS, model)
    # (12 + 12 + 2 pages at 1.5 pages a heading foresee 17 sections; 8 are there)
    assert refined.usage.calls <= guess.calls <= 2 * refined.usage.calls
    assert 0.7 <= guess.prompt_tokens / refined.usage.prompt_tokens <= 2
    assert guess.usd == pytest.approx((guess.prompt_tokens + 2 * guess.completion_tokens) / 1e6)
    assert {stage.name: stage.calls > 0 for stage in guess.stages} == {
        "standard": False, "expand": True, "summaries": True, "description": True,
    }  # fmt: skip


@pytest.mark.parametrize("prompt_tokens", [1_500, 4_000, 12_000])
@pytest.mark.parametrize("optimize", [Optimize.OFF, Optimize.FULL])
def test_a_dry_run_counts_the_calls_that_the_run_makes(prompt_tokens: int, optimize: Optimize) -> None:
    settings = SETTINGS.changed(prompt_tokens=prompt_tokens, optimize=optimize)

    def nothing_new(request: Request) -> str:
        words = " ".join(["words"] * settings.summary_tokens)
        return json.dumps({"headings": [], "summary": words, "description": words})

    model = ScriptedModel(nothing_new, settings)
    guess = {stage.name: stage.calls for stage in estimate(BOOK, TREE, settings, model).stages}
    assert refine(BOOK, TREE, settings, model).status == "completed"
    asked = [str(request.response_format) for request in model.script.requests]
    made = {
        name: sum(f"'name': '{name}'" in shape for shape in asked) for name in ("headings", "summary", "description")
    }
    assert guess["expand"] == made["headings"]
    assert guess["description"] == made["description"] == 1
    if optimize is Optimize.OFF:  # else it foresees summaries of subsections to be found
        assert guess["summaries"] == made["summary"]
    else:
        assert guess["summaries"] > made["summary"]


def test_a_reply_with_thinking_only_is_repaired() -> None:
    calls = iter(range(100))

    def thinking_first(request: Request) -> Reply | str:
        return Reply("<think>so long") if next(calls) == 0 else script(request)

    refined = refine(BOOK, TREE, SETTINGS, ScriptedModel(thinking_first, SETTINGS.changed(concurrency=1)))
    assert titles(refined) == FULL
