"""What refining a document gave, in a line; and what a tree costs its readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pageindex.cli.screen import Column, Screen, counted

if TYPE_CHECKING:
    from pageindex.app.ingest.refining import Refined

__all__ = ["cost_lines", "refined_line"]


def refined_line(refined: Refined) -> str:
    """Status, sections that came and went, cost before and after, and what the model took."""
    parts = [
        f"refined: {refined.status.value}",
        f"{refined.added:+,} sections proposed and printed" if refined.added else "",
        f"{counted(refined.merged, 'section')} merged" if refined.merged else "",
        f"{counted(len(refined.refusals), 'heading')} refused" if refined.refusals else "",
        f"{refined.replaced:,} summaries with numbers of the model's own replaced" if refined.replaced else "",
        f"worst reading cost {refined.before.worst:,} → {refined.after.worst:,} tokens",
    ]
    usage = refined.usage
    if usage.calls or usage.replayed:
        money = "" if usage.unpriced else f", ${usage.usd:.4f}"
        replayed = f" and {usage.replayed:,} from the cache" if usage.replayed else ""
        parts.append(f"{counted(usage.calls, 'call')}{replayed}, {usage.tokens:,} tokens{money}")
    return ", ".join(part for part in parts if part)


def cost_lines(costs: Mapping[str, Mapping[str, Any]], screen: Screen) -> Iterator[str]:
    """A table with a row for each state of the tree: as it was read, as it is, as merging would leave it."""
    columns = [
        Column("tree"),
        Column("sections", right=True),
        Column("outline", right=True),
        Column("worst", right=True),
        Column("expected", right=True),
        Column("worst pages", right=True),
        Column("average pages", right=True),
    ]
    rows = [
        (
            name.replace("_", " "),
            f"{row['sections']:,}",
            f"{row['outline_tokens']:,}",
            f"{row['worst_tokens']:,}",
            f"{row['expected_tokens']:,.0f}",
            f"{row['worst_pages']:,}",
            f"{row['average_pages']:,.1f}",
        )
        for name, row in costs.items()
    ]
    yield from screen.table(columns, rows)
    text = next(iter(costs.values()))["text_tokens"]
    yield screen.paint(
        f"Tokens to find an answer; reading all of it takes {text:,}. A choice counts as one page.", "dim"
    )
