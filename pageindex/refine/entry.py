"""The outline entry of a section: one function makes it, whether it is printed for a reader or only priced."""

from __future__ import annotations

from typing import Any

from pageindex.document import Section, Summary, SummaryKind
from pageindex.document.codec import encode_json
from pageindex.evidence.fence import clean
from pageindex.text.tokens import count_tokens

__all__ = ["entry_tokens", "outline_entry"]

#: Characters of a summary that are shown: a model's says what a section holds, first words hardly do.
_SUMMARY_CHARS = {SummaryKind.MODEL: 400, SummaryKind.TEXT: 160, SummaryKind.FALLBACK: 100}
_NOTE_CHARS = 160
_FRAME = 2  # tokens of brackets and commas round an entry, a little more than on the average


def outline_entry(
    section: Section, tokens: int, *, summary: Summary | None = None, children: int | None = None
) -> dict[str, Any]:
    """``{title, node_id, start_index, end_index, label?, tokens, summary?, summary_note?, children?}``.

    Args:
        section: The section, without its subsections.
        tokens: What reading its text costs.
        summary: Shown as far as its kind is worth it.
        children: How many subsections are not shown; None where they are, or where there are none.
    """
    item: dict[str, Any] = {
        "title": clean(section.title),
        "node_id": section.node_id,
        "start_index": section.start_index,
        "end_index": section.end_index,
    }
    if section.label is not None:
        item["label"] = section.label
    item["tokens"] = tokens
    if summary is not None and summary.text:
        item["summary"] = clean(_first(summary.text, _SUMMARY_CHARS[summary.kind]))
        if summary.mark:
            item["summary_note"] = clean(_first(summary.mark, _NOTE_CHARS))
    return item | ({"children": children} if children is not None else {})


def entry_tokens(entry: dict[str, Any]) -> int:
    """What an entry costs in an outline."""
    return count_tokens(encode_json(entry).decode()) + _FRAME


def _first(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most]}…"
