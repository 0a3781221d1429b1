"""Words of a document where they are shown without a fence."""

from __future__ import annotations

from pageindex.document import Page
from pageindex.evidence.fence import scrub
from pageindex.text.delivery import derived

__all__ = ["clean", "printed_label"]


def clean(text: str) -> str:
    """Words of a document that are shown outside a fence (titles, summaries, snippets, names), scrubbed as fenced text is."""
    return scrub(derived(text))[0].text


def printed_label(page: Page) -> str | None:
    """The printed page number where it is known and differs from the physical one."""
    return page.label if page.label is not None and page.label != str(page.number) else None
