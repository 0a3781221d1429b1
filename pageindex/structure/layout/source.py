"""The source of layout: headings and their levels from what is printed, without a model of language.

Printed units (``blocks``) are measured against their document and their group (``features``) and scored by a small trained model
(``model``), and as many of them are taken as the document's own scores warrant (``selection``). Levels come from numbers, the printed
contents and style (``levels``); how well all of it is likely to agree with the makers' own list is told as well (``confidence``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.facts import Bools, Facts, Floats
from pageindex.structure.layout import confidence
from pageindex.structure.layout.blocks import Block, blocks_of
from pageindex.structure.layout.features import FEATURES, Features, features_of
from pageindex.structure.layout.levels import Heading, levels_of
from pageindex.structure.layout.model import load
from pageindex.structure.layout.selection import chosen, completed
from pageindex.structure.layout.slides import SlideSection, is_deck, outline_frames, trackers
from pageindex.structure.layout.table import LineTable
from pageindex.structure.numbering.marks import parse

__all__ = ["allowed_of", "find", "heading_of", "scored"]

SMALL = 0.95  #: Of the body's size: a line below it is set in small type.
MOSTLY = 0.9  #: Share of capitals from which a title is set in them.
MIN_ENTRIES = 5  #: Fewest verified entries of contents that say which words count sections.
MIN_TRACKED = 3  #: Fewer sections in a deck's navigation are too few to be all there is.


def find(facts: Facts, contents: SourceHeadings | None = None) -> SourceHeadings:
    """What layout says of a document.

    Args:
        facts: Its lines.
        contents: What the printed contents say; they weigh heavily where they verify.

    Returns:
        Candidates in document order, each with its level (1 is the top), the reason and its score as confidence.
    """
    if not facts.lines:
        return SourceHeadings(TreeSource.LAYOUT)
    table = LineTable(facts)
    blocks = blocks_of(table)
    if not blocks:
        return SourceHeadings(TreeSource.LAYOUT)
    if is_deck(table) and len(sections := trackers(table)) >= MIN_TRACKED:
        return SourceHeadings(TreeSource.LAYOUT, tuple(_of_deck(table, sections)), 1.0, complete=True)
    features = features_of(table, blocks, contents)
    scores = load().scores(features.rows) * allowed_of(table, features, contents)
    marks = completed(chosen(scores), scores, features.group, features.numbers)
    taken = np.flatnonzero(marks).tolist()
    levels = levels_of([heading_of(features, i) for i in taken])
    found = [
        _candidate(table, blocks[i], features, i, level, float(scores[i]))
        for i, level in zip(taken, levels, strict=True)
    ]
    trust = float(np.mean(scores[taken])) if taken else 0.0
    sure = float(np.clip(confidence.load().log_odds(confidence.confidence_row(features, scores, marks))[0], 0.0, 1.0))
    if is_deck(table) and (sections := outline_frames(table)):
        found = _under_sections(table, sections, found)
    return SourceHeadings(TreeSource.LAYOUT, tuple(found), trust, complete=True, confidence=sure)


def scored(facts: Facts, contents: SourceHeadings | None = None) -> tuple[list[Block], Floats]:
    """All printed units of a document that could be a heading, and how much each looks like one (0 to 1)."""
    table = LineTable(facts)
    blocks = blocks_of(table)
    if not blocks:
        return [], np.zeros(0)
    features = features_of(table, blocks, contents)
    return blocks, np.asarray(load().scores(features.rows) * allowed_of(table, features, contents))


def _of_deck(table: LineTable, sections: Sequence[SlideSection]) -> Iterator[Candidate]:
    """Sections of a deck: each begins with its page, and is printed where the navigation or the outline names it."""
    for section in sections:
        line = table.facts.lines[section.line]
        heading = (line.start, line.end)
        yield Candidate(
            section.title, section.page, 0, heading, section.level, TreeSource.LAYOUT, "named by the deck's navigation"
        )


def _under_sections(table: LineTable, sections: Sequence[SlideSection], found: Sequence[Candidate]) -> list[Candidate]:
    """Frame titles one level below the sections; what stands on the outline frames themselves is no section."""
    pages = {section.page for section in sections}
    first = min(pages)
    below = [replace(c, level=c.level + (c.page > first)) for c in found if c.page not in pages]
    return sorted([*_of_deck(table, sections), *below], key=lambda c: (c.page, c.byte))


def allowed_of(table: LineTable, features: Features, contents: SourceHeadings | None) -> Bools:
    """Facts that outrank every score: lines that list headings are none, and captions are none."""
    column = {name: features.rows[:, FEATURES.index(name)] for name in ("listed", "contents", "size", "bold")}
    worded = np.array([number is not None and bool(number.prefix) for number in features.numbers], dtype=bool)
    listed, main = _counting_words(table, contents)
    caption = np.array(
        [
            number is not None
            and bool(number.prefix)
            and number.prefix not in main
            and (number.prefix in listed or (bool(main) and number.depth > 1))
            for number in features.numbers
        ],
        dtype=bool,
    )
    small = worded & (column["size"] < SMALL) & (column["bold"] == 0)  # "Table 2.1" in small type
    title = np.asarray(features.first == _title_of_list(table, contents))
    return np.asarray((column["listed"] == 0) & ~((caption | small | title) & (column["contents"] == 0)))


def _title_of_list(table: LineTable, contents: SourceHeadings | None) -> int:
    """The line right above the first entry of the document's contents, which names the list; -1 without contents or such a line."""
    if contents is None or not contents.candidates or not contents.listed:
        return -1
    first = min(contents.listed)
    alone = first > 0 and table.page[first - 1] == table.page[first] and table.facts.numbers[first - 1] is None
    return first - 1 if alone else -1


def _counting_words(table: LineTable, contents: SourceHeadings | None) -> tuple[frozenset[str], frozenset[str]]:
    """Words before numbers in lists that are not the contents (of figures, of tables), and in the contents themselves.

    With contents, a word with a dotted number ("Table 6.4", "Theorem 2.1") that these do not list counts something else than sections.
    The second set holds the empty word where there are contents, so that it is empty only without them.
    """
    if contents is None or len(contents.candidates) < MIN_ENTRIES:
        return frozenset(), frozenset()
    listed = {n.prefix for i in contents.listed if (n := table.facts.numbers[i]) is not None and n.prefix}
    main = {n.prefix for entry in contents.candidates if (n := parse(entry.title)) is not None}
    return frozenset(listed), frozenset(main | {""})


def heading_of(features: Features, index: int) -> Heading:
    """What decides the level of a block that is taken for a heading."""
    row = dict(zip(FEATURES, features.rows[index].tolist(), strict=True))
    return Heading(
        row["size"],
        bool(features.bold[index]),
        bool(features.italic[index]),
        bool(features.caps[index] > MOSTLY),
        bool(features.ink[index]),
        row["lead"] > 0,
        features.numbers[index],
        int(row["contents_level"]),
        row["indent"],
        row["above"],
        row["centred"],
        row["top"],
        row["body_below"],
        row["chars"],
    )


def _candidate(table: LineTable, block: Block, features: Features, index: int, level: int, score: float) -> Candidate:
    line = table.facts.lines[block.first]
    title = block.title
    return Candidate(
        title=title,
        page=line.page,
        byte=block.start,
        heading=(block.start, block.end),
        level=level,
        source=TreeSource.LAYOUT,
        why=_why(features, index),
        confidence=round(score, 3),
    )


def _why(features: Features, index: int) -> str:
    number = features.numbers[index]
    parts: Sequence[str] = [
        f"numbering {number.form}" if number is not None else "",
        "in the printed contents" if features.contents[index] >= 0 else "",
        "bold" if features.bold[index] else "",
        f"{features.size[index]:.1f} pt",
    ]
    return ", ".join(part for part in parts if part)
