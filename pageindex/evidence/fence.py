"""A fence round text that is handed to a model, for a page is data and never an instruction.

The fence carries a random nonce per read, so that no document can print its end. What could be taken for a fence, a chat role, a tool
call or an invisible instruction is scrubbed, counted, and marked by ``REMOVED``; the map to the page survives. Stored text is never
touched.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from pageindex.text.delivery import Delivery, derived, join

__all__ = ["REMOVED", "Fenced", "clean", "fence", "holds_fence", "scrub"]

REMOVED = "⟦removed⟧"  #: Stands where something was scrubbed; a quote that holds it is ``redacted``.
_MARK = "⟦document text "
_CLOSE = "⟦end of document text "

_SCRUBBED = re.compile(
    r"^[ \t]*(?:⟦|<<<|={3,}\s*(?:BEGIN|END)\b|-{3,}\s*(?:BEGIN|END)\b)[^\r\n]*"  # a line that begins as a fence does
    r"|⟦[^⟧\r\n]{0,80}⟧"
    r"|<\|[^|<>\r\n]{1,60}\|>"  # special tokens of chat templates
    r"|\[/?(?:INST|SYS)\]|<</?SYS>>"
    r"|</?(?:system|assistant|user|human|tool|tools|function|invoke|parameter)(?:[_\-:][\w\-:]*)?(?:\s[^<>\r\n]{0,200})?/?>"
    r"|^[ \t]*(?:system|assistant|user|human|tool)[ \t]*:[ \t]*(?=\r?$)"  # a role alone on its line …
    r"|(?:(?<=\n\n)|(?<=\n\r\n))(?:system|assistant|user|human)[ \t]*:"  # … or after an empty one
    r'|\{\s*"(?:tool_calls?|function_call|tool_use)"\s*:'
    "|[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]"  # bidi controls
    "|[\U000e0000-\U000e007f]+",  # tag characters
    re.IGNORECASE | re.MULTILINE,
)
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c\U000e0000-\U000e007f]+")


@dataclass(frozen=True, slots=True)
class Fenced:
    """Fenced text with its map, the nonce, and how many passages were scrubbed."""

    delivery: Delivery
    nonce: str
    scrubbed: int

    @property
    def text(self) -> str:
        return self.delivery.text


def fence(delivery: Delivery, nonce: str | None = None) -> Fenced:
    """Scrub a delivery and put it between two lines that hold a nonce, fresh unless one is given."""
    cleaned, count = scrub(delivery)
    mark = nonce or secrets.token_hex(8)
    head, foot = Delivery(f"{_MARK}{mark}⟧\n"), Delivery(f"\n{_CLOSE}{mark}⟧")
    return Fenced(join([head, cleaned, foot], quotable=delivery.quotable), mark, count)


def scrub(delivery: Delivery) -> tuple[Delivery, int]:
    """Take out what could pass for something other than page text; returns the rest and how many passages were taken.

    Invisible characters leave nothing behind, since nobody would miss them; everything else leaves ``REMOVED``.
    """
    changes = [
        (match.start(), match.end(), "" if _INVISIBLE.fullmatch(match.group()) else REMOVED)
        for match in _SCRUBBED.finditer(delivery.text)
    ]
    return (delivery.replaced(changes), len(changes)) if changes else (delivery, 0)


def clean(text: str) -> str:
    """Words of a document that are shown outside a fence (titles, summaries, snippets, names), scrubbed as fenced text is."""
    return scrub(derived(text))[0].text


def holds_fence(quote: str) -> bool:
    """Whether a quote holds marks that this module put in."""
    return REMOVED in quote or _MARK in quote or _CLOSE in quote
