"""Summaries: origin, language, figures."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from pageindex.chat.rendering import _outline
from pageindex.config import Settings, SummaryMode
from pageindex.document import Position, Section, Span, SummaryKind, TreeSource, text_sha256
from pageindex.document.codec import section_to_json
from pageindex.llm import ScriptedModel
from pageindex.refine import refine
from pageindex.refine.entry import outline_entry
from pageindex.refine.own_words import first_words
from pageindex.refine.prompts import in_language
from pageindex.refine.summarize import Summarizer, stray_figures
from tests.support.evidence_editions import text_edition
from tests.support.refine_editions import Chapter, book

SUMMARIES = Settings(summaries=SummaryMode.MODEL, optimize="off")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "summary", "text", "stray"),
    [
        ("", "Sales rose to 1,204 in 2019.", "in 2019, sales were 1,204 units", ()),
        ("", "Sales rose to 1204.", "sales were 1,204 units", ()),
        ("", "Sales rose to 1,294.", "sales were 1,204 units", ("1,294",)),
        ("", "It names ٣ rules.", "there are 3 rules", ()),
        ("", "No figures here, and the first one least.", "", ()),
        ("en", "Twelve and 12.5%", "12.5 of 100", ("Twelve",)),
        ("en", "Twelve million units", "12,000,000 units", ()),
        ("en", "Sales of $1,204 million", "(in millions) sales 1,204", ()),
        ("en", "Sales of $1,204 billion", "(in millions) sales 1,204", ("$1,204 billion",)),
        ("de", "Siebzehn von zwölf", "12 Fälle", ("Siebzehn",)),
        ("fr", "deux cent trente et un cas", "230 cas", ("deux cent trente et un",)),
        ("es", "cinco casos y siete", "5 casos", ("siete",)),
        ("pt-BR", "sete casos", "5 casos", ("sete",)),
        ("ru", "двенадцать и тринадцать", "12 случаев", ("тринадцать",)),
        ("zh", "共有十三个", "12 个", ("十三",)),
        ("ja", "十三件", "12件", ("十三",)),
        ("ar", "ثلاثة عشر", "12", ("ثلاثة عشر",)),
        ("fa", "سیزده", "12", ("سیزده",)),
    ],
)
def test_figures_must_stand_in_the_text(language: str, summary: str, text: str, stray: tuple[str, ...]) -> None:
    assert stray_figures(summary, text, language) == stray


def test_a_summary_in_another_language_is_read_in_it() -> None:
    assert stray_figures("Zwölf Fälle", "twelve cases", "en", "de") == ()
    assert stray_figures("Dreizehn Fälle", "twelve cases", "en", "de") == ("Dreizehn",)


def test_one_rule_decides_what_is_its_own_summary() -> None:
    words = "alpha beta gamma delta "
    settings = Settings(summary_threshold=120, summary_tokens=20, summaries=SummaryMode.TEXT)
    for spaces in (" ", "  \n"):  # white space differs by format; the outcome must not
        for count, kind in ((25, SummaryKind.TEXT), (60, SummaryKind.FALLBACK)):
            edition = text_edition((words * count).replace(" ", spaces))
            section = Section("1", "T", Span(Position(1, 0), edition.end), TreeSource.PAGE)
            summary = Summarizer(edition, settings, "", None).without_model(section)
            assert summary.kind is kind
            assert summary.source_sha256 == text_sha256(edition.pages[0].text)
            if kind is SummaryKind.TEXT:
                assert summary.text == (words * count).strip()
            else:
                assert summary.text.endswith("…")
                assert (words * count).startswith(summary.text[:-1])


def test_the_heading_is_not_part_of_its_own_summary() -> None:
    edition, tree = book(Chapter("1 Größe und Zahl", lines=2))
    summary = refine(edition, tree, Settings()).summaries.sections["0001"]
    assert summary.kind is SummaryKind.TEXT
    assert "Größe" not in summary.text
    assert summary.text.endswith(".")


def test_first_words_end_at_a_word() -> None:
    assert first_words("one two three four five six", 3) == "one two three…"
    assert first_words("one two incomprehensibilities", 3) == "one two…"
    assert first_words("short", 10) == "short"


def test_a_wrong_figure_is_sent_back_once_then_the_sections_own_words_stand() -> None:
    edition, tree = book(Chapter("1 One", lines=40))
    replies = ['{"summary": "About 77 cases."}', '{"summary": "About the committee."}', '{"description": "A book."}']
    model = ScriptedModel(replies)
    summary = refine(edition, tree, SUMMARIES, model).summaries.sections["0001"]
    assert (summary.text, summary.kind, summary.model, summary.unverified) == (
        "About the committee.",
        "model",
        "scripted",
        (),
    )
    assert "77" in model.script.requests[1].messages[-1]["content"]
    stubborn = ScriptedModel(
        ['{"summary": "About 77 cases."}', '{"summary": "Some 78 cases."}', '{"description": "A book."}']
    )
    refined = refine(edition, tree, SUMMARIES, stubborn)
    marked = refined.summaries.sections["0001"]
    own = Summarizer(edition, SUMMARIES, "", None).without_model(tree.sections[0])
    assert (marked.text, marked.kind, marked.unverified) == (own.text, SummaryKind.FALLBACK, ("78",))
    assert refined.replaced == refined.to_json()["replaced"] == 1
    assert len(stubborn.script.requests) == 3


def test_numbers_of_a_models_own_are_marked_wherever_the_summary_is_shown() -> None:
    edition, tree = book(Chapter("1 One", lines=40))
    model = ScriptedModel(lambda request: '{"summary": "Some 78 cases in seventy towns.", "description": "A book."}')
    refined = refine(edition, tree, SUMMARIES, model)
    summary = refined.summaries.sections["0001"]
    assert summary.unverified == ("78", "seventy")
    shown = [
        outline_entry(refined.tree.sections[0], 100, summary=summary),
        section_to_json(refined.tree.sections[0], refined.summaries.sections),
    ]
    for entry in shown:
        assert "78" not in entry["summary"]
        assert "78, seventy" in entry["summary_note"]
    text = "\n".join(_outline([shown[0]]))
    assert "a model's summary stated 78, seventy" in text
    old = replace(
        summary, kind=SummaryKind.MODEL, text="Some 78 cases.", unverified=("78",)
    )  # as older libraries hold it
    assert outline_entry(refined.tree.sections[0], 100, summary=old)["summary_note"] == "not in the section: 78"


@pytest.mark.parametrize(
    ("document", "chosen", "asked"),
    [
        ("de", "", "in German"),
        ("ja", "", "in Japanese"),
        ("ja", "pt-BR", "in Portuguese"),
        ("", "", "in the language of the text"),
        ("xx", "", "BCP 47 tag 'xx'"),
    ],
)
def test_summaries_are_in_the_documents_language_or_the_one_set(document: str, chosen: str, asked: str) -> None:
    edition, tree = book(Chapter("1 One", lines=40), language=document)
    model = ScriptedModel(lambda request: '{"summary": "s", "description": "d"}')
    refine(edition, tree, SUMMARIES.changed(language=chosen), model)
    assert len(model.script.requests) == 2
    for request in model.script.requests:
        assert asked in request.messages[-1]["content"]
    assert asked in in_language(chosen or document)


def test_a_giant_page_is_summarised_whole_in_parts() -> None:
    words = [f"w{i}" for i in range(6_000)]
    edition = text_edition(" ".join(words))
    section = Section("1", "T", Span(Position(1, 0), edition.end), TreeSource.PAGE)
    model = ScriptedModel(lambda request: '{"summary": "a part"}')
    settings = Settings(prompt_tokens=2_000, summaries=SummaryMode.MODEL)
    summary = asyncio.run(Summarizer(edition, settings, "", model).summary(section, {}, 0.0))
    assert summary.text == "a part"
    prompts = [str(request.messages[-1]["content"]) for request in model.script.requests]
    seen = {word for prompt in prompts[:-1] for word in re.findall(r"w\d+", prompt)}
    missing = set(words) - seen
    assert len(missing) <= len(prompts)  # a cut may fall inside a word; its pieces are still there
    assert all(len(prompt) < 2_000 * 5 for prompt in prompts)
    assert "a part" in prompts[-1]
