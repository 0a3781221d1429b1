"""Citations of finished answers, questions without a model, and the tools in other people's shapes."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pageindex.chat import (
    agent_instructions,
    agent_tools,
    answer_tool_calls,
    as_anthropic_tools,
    as_openai_tools,
    as_response_tools,
    check_answer,
    citation_prompt,
    find_passages,
    get_citations,
    open_session,
    resolve_citations,
)
from pageindex.document import Box, Line
from pageindex.errors import InputError
from pageindex.evidence.ledger import Exposure
from pageindex.store.memory import MemoryLibrary
from pageindex.tools import Reader
from tests.support.chat_library import Sheet, add, edition_of, report_library
from tests.support.model_server import tool_call

REVENUE = "Revenue rose to 4,512 million dollars in the fiscal year"


def test_citations_of_both_forms_are_read_with_their_quotes() -> None:
    text = (
        f'It says "{REVENUE}" [acme.txt, p. 3], and more <cite doc="annual report.pdf" page="7-8"/>; array[3] is none.'
    )
    found = get_citations(text)
    assert [(c.document, c.pages, c.quotes) for c in found] == [
        ("acme.txt", "3", (REVENUE,)),
        ("annual report.pdf", "7-8", ()),
    ]


@pytest.mark.parametrize(
    ("citation", "status"),
    [
        ("[acme.txt, p. 3]", "cited"),
        ("[acme.txt, p. 999]", "page_out_of_range"),
        ("[acme.txt, p. 4]", "quote_fails"),
        ("[nothing.txt, p. 3]", "unknown_document"),
    ],
)
def test_a_citation_is_resolved_only_where_it_holds(citation: str, status: str) -> None:
    library, record = report_library()
    (found,) = resolve_citations(f'"{REVENUE}" {citation}', open_session(library))
    assert found["status"] == status and found["resolved"] is (status == "cited")
    if status == "cited":
        assert (found["doc_id"], found["pages"], found["label"]) == (record.doc_id, [3], "1")
        assert found["quotes"][0]["page"] == 3 and found["quotes"][0]["handles"][0].startswith(record.edition.id[:6])
    else:
        assert not [quote for quote in found["quotes"] if quote["handles"]]


def test_a_citation_gives_the_rectangle_of_its_words() -> None:
    from dataclasses import replace

    text = "The quick brown fox jumps over the lazy dog tonight."
    edition = edition_of("fox.txt", [Sheet(text)])
    line = Line(1, 0, len(text), text, Box(72, 100, 72 + 5 * len(text), 112), 10.0, 0)
    library = MemoryLibrary()
    add(library, "fox.txt", [], edition=replace(edition, lines=(line,)))
    (found,) = resolve_citations('"brown fox jumps over the lazy dog" [fox.txt, p. 1]', open_session(library))
    box = found["quotes"][0]["rectangles"][0]
    assert box["page"] == 1 and (box["y0"], box["y1"]) == (100, 112)
    assert box["x0"] == pytest.approx(72 + 5 * text.index("brown")) and box["x1"] == pytest.approx(
        72 + 5 * text.index(" tonight")
    )


def test_a_citation_of_a_document_out_of_scope_is_not_resolved() -> None:
    library, record = report_library()
    add(library, "other.txt", ["# Other\n" + REVENUE])
    (found,) = resolve_citations(f'"{REVENUE}" [other.txt, p. 1]', open_session(library, record.doc_id))
    assert found["resolved"] is False and found["status"] == "unknown_document"


def test_the_form_that_the_prompt_asks_for_is_the_form_that_is_read() -> None:
    prompt = citation_prompt()
    assert [(c.document, c.pages) for c in get_citations(prompt)] == [("document", "N")]
    library, _ = report_library()
    instructions = agent_instructions(open_session(library))
    assert prompt in instructions and "acme.txt" not in instructions


# ---------------------------------------------------------------- without a model


def test_a_question_without_a_model_finds_the_passage_with_a_handle_that_holds() -> None:
    library, record = report_library()
    session = open_session(library)
    found = find_passages(session, "How much was the cost of sales?")
    first = found.found[0]
    assert (first.document, first.page, first.label) == ("acme.txt", 3, "1")
    assert "2,871" in " ".join(text for text, _ in first.quotes)
    from pageindex.evidence.handles import resolve

    assert resolve(first.quotes[0][1], [library.edition(record.doc_id)]).text.split() == first.quotes[0][0].split()
    assert found.coverage == "searched 5 pages of 1 document; without text: acme.txt 5"
    assert session.ledger(record.edition.id).pages(Exposure.DELIVERED) == []
    with pytest.raises(InputError):
        find_passages(session, "  ")


def test_a_question_over_five_hundred_pages_takes_less_than_a_second() -> None:
    library = MemoryLibrary()
    filler = "The committee met again and spoke about the usual matters of the season. " * 40
    sheets = [f"# Chapter {n}\n{filler}" for n in range(1, 501)]
    sheets[376] = f"# Chapter 377\n{filler}\nThe treasurer of the lighthouse fund is Ottoline Vance.\n"
    add(library, "minutes.txt", sheets)
    began = time.perf_counter()
    found = find_passages(open_session(library), "Who is the treasurer of the lighthouse fund?")
    took = time.perf_counter() - began
    assert found.found[0].page == 377 and found.pages_scanned == 500
    assert took < 3.0  # one second on a quiet machine


# ---------------------------------------------------------------- tools for other loops


def test_tools_have_the_shapes_that_the_providers_want() -> None:
    library, _ = report_library()
    session = Reader(library)
    names = [tool["function"]["name"] for tool in as_openai_tools(session)]
    assert [tool["name"] for tool in as_response_tools(session)] == names
    anthropic = as_anthropic_tools(session)
    assert [tool["name"] for tool in anthropic] == names
    assert all(set(tool) == {"name", "description", "input_schema"} for tool in anthropic)


def test_plain_functions_answer_with_text_and_never_raise() -> None:
    library, _ = report_library()
    tools = {tool.__name__: tool for tool in agent_tools(Reader(library))}
    assert "4,512" in tools["get_page_content"](pages="3")
    assert json.loads(tools["get_page_content"](pages="99"))["errorCode"] == "PAGE_OUT_OF_RANGE"
    assert tools["search_documents"].__doc__


def test_tool_calls_of_another_loop_are_answered_and_counted_as_sent() -> None:
    library, record = report_library()
    session = Reader(library)
    messages = answer_tool_calls(
        session, [tool_call("get_page_content", {"pages": "3"}, "a"), tool_call("x", "{", "b")]
    )
    assert [message["tool_call_id"] for message in messages] == ["a", "b"]
    assert "4,512" in messages[0]["content"] and "error" in messages[1]["content"]
    assert session.ledger(record.edition.id).pages(Exposure.SENT) == [3]
    assert check_answer(session, f'"{REVENUE}" [acme.txt, p. 3]').verdict == "PASS"


def test_the_room_imports_neither_litellm_nor_a_pdf_engine() -> None:
    import subprocess
    import sys

    code = "import sys, pageindex.chat; print([m for m in ('litellm', 'openai', 'pypdfium2', 'pypdf') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert out.stdout.strip() == "[]"
