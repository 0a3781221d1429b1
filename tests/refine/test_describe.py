"""One sentence on the document."""

from __future__ import annotations

import asyncio

from pageindex.config import Settings
from pageindex.document import Summary, SummaryKind
from pageindex.llm import ScriptedModel
from pageindex.refine.describe import describe
from pageindex.refine.own_words import plain_description
from pageindex.text.tokens import count_tokens
from tests.support.refine_editions import Chapter, book

EDITION, TREE = book(*(Chapter(f"{n} Chapter of the book") for n in range(1, 40)))


def test_without_a_model_it_is_the_documents_own_words() -> None:
    sentence, kind, model = plain_description(TREE, "a.pdf")
    assert sentence.startswith("A Book: 1 Chapter of the book; 2 Chapter of the book")
    assert len(sentence) <= 400
    assert (kind, model) == (SummaryKind.FALLBACK, None)


def test_a_sentence_with_figures_of_its_own_is_not_taken() -> None:
    for reply, kind in (
        ('{"description": "A book in 39 chapters."}', SummaryKind.MODEL),
        ('{"description": "A book of 1987 on 77 subjects."}', SummaryKind.FALLBACK),
    ):
        found = asyncio.run(describe(TREE, "a.pdf", {}, Settings(), "", ScriptedModel([reply])))
        assert found[1] is kind


def test_the_outline_it_is_made_from_fits_the_prompt() -> None:
    model = ScriptedModel(['{"description": "A book."}'])
    summaries = {s.node_id: Summary(s.node_id, "long words " * 200, SummaryKind.MODEL) for s, _ in TREE.walk()}
    asyncio.run(describe(TREE, "a.pdf", summaries, Settings(prompt_tokens=1_000), "de", model))
    prompt = "".join(str(message["content"]) for message in model.script.requests[0].messages)
    assert count_tokens(prompt) <= 1_000
    assert "1 Chapter of the book" in prompt
    assert "in German" in prompt
