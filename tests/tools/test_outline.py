"""Outlines in slices: within the budget, every section reachable."""

from __future__ import annotations

from typing import Any

import pytest

from pageindex.store.memory import MemoryLibrary
from pageindex.tools import Reader, call_tool, get_document_structure
from pageindex.tools.declare import cost
from tests.support.chat_library import add, report_library


def rows(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found, stack = [], list(reversed(nodes))
    while stack:
        row = stack.pop()
        found.append(row)
        stack.extend(reversed(row.get("nodes", ())))
    return found


def walk_all(session: Reader, budget: int) -> tuple[dict[str, dict[str, Any]], int]:
    """Every entry that can be reached by parts and by opening closed entries, and how many calls that took."""
    seen: dict[str, dict[str, Any]] = {}
    queue: list[dict[str, Any]] = [{}]
    calls = 0
    while queue:
        arguments = queue.pop()
        reply = call_tool(session, "get_document_structure", arguments)
        calls += 1
        assert reply["success"] and cost(reply) <= budget, (arguments, cost(reply))
        for row in rows(reply["structure"]):
            seen[row["node_id"]] = row
            if "children" in row:
                queue.append({"node_id": row["node_id"]})
        if reply["pagination"]["has_more"]:
            queue.append({**arguments, "part": reply["pagination"]["part"] + 1})
    return seen, calls


@pytest.fixture(scope="module")
def wide() -> MemoryLibrary:
    """3,000 sections, 2,000 of them siblings."""
    library = MemoryLibrary()
    text = [f"# Order {n}\nwords\n" for n in range(2_000)]
    text += [f"{'#' if n % 100 == 0 else '##' if n % 10 == 0 else '###'} Part {n}\nwords\n" for n in range(1_000)]
    pages = ["".join(text[at : at + 30]) for at in range(0, 3_000, 30)]
    add(library, "wide.txt", pages)
    return library


@pytest.mark.parametrize("budget", [1_000, 8_000])
def test_each_slice_keeps_its_budget_and_every_section_can_be_reached(wide: MemoryLibrary, budget: int) -> None:
    seen, calls = walk_all(Reader(wide, reply_tokens=budget), budget)
    assert len(seen) == 3_000
    assert calls < 400


def test_a_small_outline_is_shown_whole_with_pages_labels_and_token_cost() -> None:
    library, _ = report_library()
    reply = get_document_structure(Reader(library))
    assert [row["title"] for row in rows(reply["structure"])] == [
        "Overview",
        "Company history",
        "Results",
        "Costs",
        "Outlook",
        "Risks",
    ]
    results = reply["structure"][1]
    assert (results["start_index"], results["end_index"]) == (3, 5)
    assert results["tokens"] >= sum(child["tokens"] for child in results["nodes"])
    assert reply["pagination"] == {"part": 1, "total_parts": 1, "has_more": False}


def test_a_cut_level_says_how_many_children_are_hidden_and_opens_by_id() -> None:
    library, _ = report_library()
    session = Reader(library)
    reply = get_document_structure(session, depth=1)
    assert [row.get("children") for row in reply["structure"]] == [1, 2, None]
    step = reply["next_steps"]["options"][0]
    opened = call_tool(session, step["tool"], step["arguments"])
    assert opened["section"]["path"] == "Overview" and opened["structure"][0]["title"] == "Company history"


def test_summaries_give_way_before_levels_do() -> None:
    library = MemoryLibrary()
    pages = [f"# Chapter {n}\n## Inner {n}\nwords" for n in range(30)]
    long = {f"{n:04}": "what this section says, at some length, " * 8 for n in range(1, 61)}
    add(library, "s.txt", pages, summaries=long)
    full = get_document_structure(Reader(library, reply_tokens=24_000))
    assert "summary" in full["structure"][0]
    short = get_document_structure(Reader(library, reply_tokens=3_000))
    assert len(rows(short["structure"])) == 60 and "summary" not in str(short["structure"])


def test_a_part_that_is_not_there_proposes_the_first() -> None:
    library, _ = report_library()
    session = Reader(library)
    reply = get_document_structure(session, part=9)
    assert reply["errorCode"] == "PART_OUT_OF_RANGE"
    step = reply["next_steps"]["options"][0]
    assert call_tool(session, step["tool"], step["arguments"])["success"]


def test_a_leaf_says_that_it_has_nothing_below_and_proposes_to_read_it() -> None:
    library, _ = report_library()
    session = Reader(library)
    reply = get_document_structure(session, node_id="0006")
    assert reply["structure"] == []
    step = reply["next_steps"]["options"][0]
    assert call_tool(session, step["tool"], step["arguments"])["section"]["node_id"] == "0006"
