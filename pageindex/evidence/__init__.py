"""Evidence: what was read, where it says so, what was seen, what follows. A model proposes; the code of this room disposes."""

from pageindex.evidence.headings import HeadingFound, HeadingReason, HeadingRefused, printed_heading
from pageindex.evidence.index import FoldedEdition, folded

__all__ = ["FoldedEdition", "HeadingFound", "HeadingReason", "HeadingRefused", "folded", "printed_heading"]
