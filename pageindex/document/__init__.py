"""The nouns: what was read, its section tree, what is derived from it, and where a quote stands."""

from pageindex.document.edition import (
    Bookmark,
    Edition,
    Extractor,
    Flag,
    Font,
    HeadingTag,
    KindRange,
    Line,
    Link,
    Note,
    Page,
    PageState,
    Run,
    Source,
    TextKind,
    Unread,
    UnreadReason,
    text_sha256,
)
from pageindex.document.evidence import Evidence, Handle
from pageindex.document.passage import Passage, PassageKind
from pageindex.document.position import Box, PageRange, Position, Span
from pageindex.document.record import DocumentRecord, EditionEntry
from pageindex.document.summary import Summaries, Summary, SummaryKind
from pageindex.document.tree import MergedHeading, Section, Tree, TreeError, TreeSource

__all__ = [
    "Bookmark",
    "Box",
    "DocumentRecord",
    "Edition",
    "EditionEntry",
    "Evidence",
    "Extractor",
    "Flag",
    "Font",
    "Handle",
    "HeadingTag",
    "KindRange",
    "Line",
    "Link",
    "MergedHeading",
    "Note",
    "Page",
    "PageRange",
    "PageState",
    "Passage",
    "PassageKind",
    "Position",
    "Run",
    "Section",
    "Source",
    "Span",
    "Summaries",
    "Summary",
    "SummaryKind",
    "TextKind",
    "Tree",
    "TreeError",
    "TreeSource",
    "Unread",
    "UnreadReason",
    "text_sha256",
]
