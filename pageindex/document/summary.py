"""Derived text, kept apart from page text: summaries can be read and searched, and never quoted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Summaries", "Summary", "SummaryKind"]


class SummaryKind(StrEnum):
    """Where a summary came from."""

    TEXT = "text"  # the section's own words: it is short enough
    MODEL = "model"
    FALLBACK = "fallback"  # no model, or it failed: the section's first words


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of one section.

    Attributes:
        node_id: The section.
        text: The summary.
        kind: Where it came from.
        model: Name of the model, for ``model``.
        source_sha256: Hash of the text it was made from, so that a stale one is seen.
        unverified: Numbers that a model's summary stated, twice, and the section's text does not hold. That summary is not kept: the kind is
            then ``fallback``, and the text the section's own words. (Libraries written before hold such a summary itself, as ``model``.)
    """

    node_id: str
    text: str
    kind: SummaryKind
    model: str | None = None
    source_sha256: str = ""
    unverified: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """What has to be said wherever the summary is shown; empty where nothing is."""
        if not self.unverified:
            return ""
        numbers = ", ".join(self.unverified)
        if self.kind is SummaryKind.MODEL:
            return f"not in the section: {numbers}"
        return f"the section's own words; a model's summary stated {numbers}, not in the section"


@dataclass(frozen=True, slots=True)
class Summaries:
    """All derived text of one edition: per section, and one sentence for the document."""

    edition: str
    sections: Mapping[str, Summary] = field(default_factory=dict)
    description: str = ""
    description_kind: SummaryKind = SummaryKind.FALLBACK
    description_model: str | None = None
