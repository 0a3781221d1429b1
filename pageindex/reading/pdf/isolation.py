"""Parts of a PDF that are left out because they ended their reader, and how such pages are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from pageindex.document import Note
from pageindex.limits import Limits
from pageindex.reading.workers import steps

__all__ = ["NOTHING", "Parts", "may_try_again", "page_problem", "probe"]

NOTHING: Mapping[str, str] = MappingProxyType({})

_NAMES = {
    "contents": "whether its empty pages are broken",
    "outline": "the file's outline",
    "links": "its links",
    "labels": "its page labels",
    "details": "its title and author",
}


def page_problem(avoid: Mapping[str, str], page: int) -> str:
    """Why a page (1-based) is left out; empty when it is not."""
    if not avoid:
        return ""
    if problem := avoid.get(f"page {page}", ""):
        return problem
    for key, problem in avoid.items():
        stage, _, first = key.partition(" ")
        if stage == steps.REST and int(first) <= page:
            return problem
    return ""


def may_try_again(avoid: Mapping[str, str], page: int) -> bool:
    """Whether a page that ended its reader may be read from a copy of the file without forms that draw themselves."""
    return f"page {page}" in avoid and "again" not in avoid


@dataclass
class Parts:
    """The parts of a file behind its pages. ``notes`` tell which were left out."""

    avoid: Mapping[str, str]
    notes: list[Note] = field(default_factory=list)

    @contextmanager
    def part(self, name: str) -> Iterator[bool]:
        """A part begins; gives whether it is to be read."""
        if problem := self.avoid.get(name, ""):
            self.notes.append(Note("PART_UNREADABLE", f"Left out: {_NAMES[name]}. {problem}"))
            yield False
            return
        steps.enter(name)
        yield True
        steps.leave()


def probe(data: bytes, name: str, password: str | None, first: int, limits: Limits) -> None:
    """Read the pages from ``first`` (1-based) on as ``reader.read`` does, and keep nothing. One of them may end this process."""
    from pageindex.reading.pdf import reader

    reader.try_pages(data, name, password, first, limits)
