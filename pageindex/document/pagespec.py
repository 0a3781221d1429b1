"""Page specifications as people and models write them: ``5``, ``3,7``, ``5-10``, ``iv-vi``, ``label:12``.

A specification is checked as a whole before anything is built from it, so that no spelling of it can cost memory or time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pageindex.errors import PageRangeError

__all__ = ["LABEL_PREFIX", "format_pages", "parse_pages"]

LABEL_PREFIX = "label:"  #: Says that what follows is a printed page number, even where it looks like a physical one.

_MOST_CHARACTERS = 10_000
_MOST_DIGITS = 9
_DASHES = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-"})
_NUMBER = re.compile(r"[0-9]+")
_RANGE = re.compile(r"([0-9]+)\s*-\s*([0-9]+)")


def parse_pages(
    spec: str | int, page_count: int, labels: Sequence[str | None] = (), *, as_asked: bool = False
) -> tuple[int, ...]:
    """The physical pages (1-based) that a specification names: each once, in document order, or in the order of their first mention.

    Numbers and ranges of numbers are physical pages. Anything else is looked up among the printed labels (``iv``, ``A-3``), and
    ``label:`` forces that for one part (``label:12``, ``label:12-14``). Parts are separated by commas; spaces do not matter.

    Args:
        spec: What was asked for.
        page_count: Pages of the document.
        labels: Printed label of each page in order, None where a page has none.
        as_asked: Keep the order of the specification.

    Raises:
        PageRangeError: INVALID_PAGE_SPEC when the text is no specification; PAGE_OUT_OF_RANGE when it names a page that the
            document does not have. Both carry the valid range and an example.
    """
    text = str(spec).translate(_DASHES).strip()
    if not text:
        raise _malformed(text, page_count, "no pages are named")
    if len(text) > _MOST_CHARACTERS:
        raise _malformed(text, page_count, f"it is longer than {_MOST_CHARACTERS:,} characters")
    finder = _Labels(labels)
    spans = [_part(part.strip(), text, page_count, finder) for part in text.split(",")]
    pages: dict[int, None] = {}
    for first, last in spans:
        pages.update(dict.fromkeys(range(first, last + 1)))
    return tuple(pages if as_asked else sorted(pages))


def format_pages(pages: Sequence[int], *, as_asked: bool = False) -> str:
    """The shortest specification of some pages: ``[1, 2, 3, 7]`` is ``1-3,7``; ``as_asked`` keeps their order: ``[7, 1, 2]`` is ``7,1-2``."""
    spans: list[list[int]] = []
    for page in dict.fromkeys(pages) if as_asked else sorted(set(pages)):
        if spans and page == spans[-1][1] + 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


class _Labels:
    """Pages by printed label; exact spelling first, then without regard to case."""

    def __init__(self, labels: Sequence[str | None]) -> None:
        self.exact: dict[str, list[int]] = {}
        self.folded: dict[str, list[int]] = {}
        for number, label in enumerate(labels, start=1):
            if label is not None and label.strip():
                self.exact.setdefault(label.strip(), []).append(number)
                self.folded.setdefault(label.strip().casefold(), []).append(number)

    def find(self, label: str, page_count: int) -> int | None:
        pages = self.exact.get(label) or self.folded.get(label.casefold())
        if pages is None:
            return None
        if len(pages) > 1:
            raise PageRangeError(
                f"{len(pages)} pages are labelled {label!r}: physical pages {format_pages(pages)}",
                "Name the physical page instead.",
                code="AMBIGUOUS_LABEL",
                pages=pages,
                page_count=page_count,
            )
        return pages[0]


def _part(part: str, whole: str, page_count: int, labels: _Labels) -> tuple[int, int]:
    if part.casefold().startswith(LABEL_PREFIX):
        return _labelled(part[len(LABEL_PREFIX) :].strip(), page_count, labels, whole)
    if _NUMBER.fullmatch(part):
        page = _physical(part, page_count)
        return page, page
    if match := _RANGE.fullmatch(part):
        first, last = (_physical(number, page_count) for number in match.groups())
        if first > last:
            raise _malformed(whole, page_count, f"{first}-{last} runs backwards")
        return first, last
    return _labelled(part, page_count, labels, whole)


def _physical(digits: str, page_count: int) -> int:
    number = int(digits) if len(digits) <= _MOST_DIGITS else None
    if number is None or not 1 <= number <= page_count:
        shown = digits if len(digits) <= 12 else f"{digits[:12]}…"
        raise PageRangeError(
            f"there is no page {shown}: the document has {_range(page_count)}",
            f"Name pages between 1 and {page_count}, for example {_example(page_count)!r}.",
            page_count=page_count,
        )
    return number


def _labelled(part: str, page_count: int, labels: _Labels, whole: str) -> tuple[int, int]:
    if not part:
        raise _malformed(whole, page_count, "a part of it is empty")
    page = labels.find(part, page_count)
    if page is not None:
        return page, page
    # A label may itself hold dashes ("A-3"), so every dash is tried as the one that divides a range.
    for dash in (index for index, character in enumerate(part) if character == "-"):
        left, right = part[:dash].strip(), part[dash + 1 :].strip()
        first = labels.find(left, page_count) if left else None
        last = labels.find(right, page_count) if right else None
        if first is not None and last is not None:
            if first > last:
                raise _malformed(whole, page_count, f"{part} runs backwards")
            return first, last
    shown = part if len(part) <= 40 else f"{part[:40]}…"
    raise _malformed(whole, page_count, f"{shown!r} is neither a page, a range, nor a page label")


def _malformed(spec: str, page_count: int, why: str) -> PageRangeError:
    shown = spec if len(spec) <= 60 else f"{spec[:60]}…"
    return PageRangeError(
        f"{shown!r} does not name pages: {why}; the document has {_range(page_count)}",
        f"Write single pages, lists or ranges, for example {_example(page_count)!r}.",
        code="INVALID_PAGE_SPEC",
        page_count=page_count,
    )


def _range(page_count: int) -> str:
    return "1 page" if page_count == 1 else f"pages 1-{page_count}"


def _example(page_count: int) -> str:
    if page_count < 3:
        return "1"
    return f"1-{min(3, page_count)}" if page_count < 6 else f"2,{min(5, page_count)}-{min(7, page_count)}"
