"""Lines set like the headings of a trusted outline: what its author left out ("References") is printed as the rest is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.facts import Facts
from pageindex.structure.titles import join

__all__ = ["find_headings"]

MIN_KNOWN = 3  #: Fewest headings of one style that make it a style of headings.
MIN_PURE = 0.7  #: Share of a style's lines that must be known headings.
MAX_LINES = 3  #: Most lines of one heading.


def find_headings(frame: SourceHeadings, facts: Facts, passed: Container[int] = ()) -> SourceHeadings:
    """Candidates for every stretch of lines in a style that is hardly used but for the frame's headings, known ones included.

    What stands before the first known heading (title, authors) is left out.

    Args:
        frame: A trusted result with printed headings.
        facts: Of the document.
        passed: Lines that are never headings.
    """
    known = _known(frame, facts)
    first = min(known, default=len(facts.lines))
    by_style: dict[int, list[int]] = defaultdict(list)
    for i, style in enumerate(facts.style.tolist()):
        if i >= first:
            by_style[style].append(i)
    body = int(facts.style[facts.body]) if facts.body >= 0 else -1
    found: list[Candidate] = []
    for style, lines in by_style.items():
        free = [i for i in lines if not facts.running[i] and i not in passed and len(facts.folded[i]) >= 2]
        usable = sorted({*free, *(i for i in lines if i in known)})
        levels = [known[i] for i in usable if i in known]
        if style == body or len(levels) < MIN_KNOWN or len(levels) < MIN_PURE * len(usable):
            continue
        level = max(set(levels), key=levels.count)
        found += [_candidate(stretch, level, facts) for stretch in _stretches(usable, known, facts)]
    return SourceHeadings(
        TreeSource.LAYOUT, tuple(sorted(found, key=lambda c: (c.page, c.byte))), 1.0 if found else 0.0
    )


def _known(frame: SourceHeadings, facts: Facts) -> dict[int, int]:
    """Level of each line that is part of a printed heading of the frame."""
    found: dict[int, int] = {}
    for candidate in frame.candidates:
        if candidate.heading is None:
            continue
        start, end = candidate.heading
        for i in facts.on(candidate.page):
            if start <= facts.lines[i].start < end:
                found[i] = candidate.level
    return found


def _stretches(lines: list[int], known: dict[int, int], facts: Facts) -> list[list[int]]:
    """Lines that follow each other directly are one heading, unless one of them is known by itself or has its own number."""
    stretches: list[list[int]] = []
    for i in lines:
        last = stretches[-1] if stretches else []
        follows = bool(last) and i == last[-1] + 1 and len(last) < MAX_LINES and facts.page[i] == facts.page[last[-1]]
        if follows and (last[-1] in known) == (i in known) and facts.numbers[i] is None:
            last.append(i)
        else:
            stretches.append([i])
    return stretches


def _candidate(stretch: list[int], level: int, facts: Facts) -> Candidate:
    first, last = facts.lines[stretch[0]], facts.lines[stretch[-1]]
    return Candidate(
        title=join([facts.texts[i] for i in stretch]),
        page=first.page,
        byte=first.start,
        heading=(first.start, last.end),
        level=level,
        source=TreeSource.LAYOUT,
        why="set like the headings of the outline",
        confidence=0.5,
    )
