"""Lines that could be a heading, as whole printed units: wrapped lines joined, numbers put before their titles, run-in leads cut out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pageindex.document import Line, Run
from pageindex.document.offsets import byte_of, byte_size
from pageindex.structure.facts import Bools
from pageindex.structure.layout.table import END_PAUSE, START_LOWER, LineTable, Scalars
from pageindex.structure.numbering.marks import Number, System, parse
from pageindex.structure.titles import MAX_TITLE
from pageindex.structure.titles import join as joined_title

__all__ = ["Block", "blocks_of"]

MOST_LINES = 5  #: More joined lines than this are a paragraph in a display style.
MOST_CHARS = 250  #: A longer title is a paragraph.
_LEAD_TAIL = 12  #: Characters of body text that must follow a run-in lead on its line.


class Block(NamedTuple):
    """One printed unit.

    Attributes:
        first, last: Indices of its first and last line.
        style: Index of the line whose style is the unit's.
        start, end: Bytes at which it begins and ends on its page.
        title: One line; spaces folded, hyphenation undone.
        number: The mark it begins with, not settled.
        lead: Style of a unit that shares its line with body text (a run-in lead, or a heading that follows on a line), else None.
        split: Whether the number stood on a line or in a cell of its own.
    """

    first: int
    last: int
    style: int
    start: int
    end: int
    title: str
    number: Number | None
    lead: Run | None = None
    split: bool = False


def blocks_of(table: LineTable) -> list[Block]:
    """All units that could be a heading, in reading order. Costs a few microseconds a line that is not plain body text."""
    seeds = np.flatnonzero(_seeds(table)).tolist()
    lines = Scalars(table)
    taken = -1
    blocks = []
    for index in seeds:
        if index <= taken:
            continue
        block = _block_at(lines, index)
        if block is not None:
            blocks.append(block)
            taken = block.last
    return blocks


def _seeds(table: LineTable) -> Bools:
    """Lines worth a closer look: set apart by style, number, capitals or white, and not the middle of a paragraph."""
    numbered = np.array([number is not None for number in table.facts.numbers], dtype=bool)
    display = table.bold | table.ink | (table.size >= 1.04 * table.body_size)
    other = (table.style != table.body_style) & (table.size >= 0.84 * table.body_size)
    short = table.x1 - table.x0 < 0.8 * np.maximum(table.right - table.left, 1.0)
    above = np.append(np.inf, table.gap)
    below = np.append(table.gap, np.inf)
    loose = table.leading + 0.25 * table.body_size
    apart = (above > loose) & (below > table.leading + 0.1 * table.body_size) & short
    turned = np.append(True, table.rank[1:] != table.rank[:-1]) | (above > loose)
    capitals = np.array([text.isupper() and len(text) > 2 for text in table.texts], dtype=bool)
    leads = np.array([bool(line.runs) for line in table.facts.lines], dtype=bool) & (turned | (above > -np.inf))
    worth = numbered | display | capitals | (other & turned) | apart | (leads & _lead_styles(table))
    return np.asarray(worth & table.usable & (table.chars <= MOST_CHARS))


def _lead_styles(table: LineTable) -> Bools:
    """Lines whose first run is in a heavier or slanted face than the body."""
    marks = np.zeros(len(table), dtype=bool)
    for index, line in enumerate(table.facts.lines):
        if line.runs and line.runs[0].font != table.font[table.body_line]:
            marks[index] = True
    return marks


def _block_at(table: Scalars, index: int) -> Block | None:
    line = table.facts.lines[index]
    part = _lead(table, line) or _tail(table, line) if line.runs else None
    if part is not None:
        return _part(index, line, *part)
    members = [index]
    style = index
    number = table.facts.numbers[index]
    split = number is not None and number.end >= len(table.texts[index])
    if split:
        following = _title_of_mark(table, index)
        if following is None:
            return None if not _names_itself(table, index, number) else _finish(table, members, style, split=False)
        style = following
        members.append(following)
    while len(members) <= MOST_LINES and _continues(table, members, style):
        members.append(members[-1] + 1)
    if len(members) > MOST_LINES:
        return None
    return _finish(table, members, style, split=split)


def _part(index: int, line: Line, run: Run, start: int, stop: int) -> Block | None:
    """The unit that stands in the characters from ``start`` to ``stop`` of one line."""
    title = joined_title([line.text[start:stop]])
    before = byte_of(line.text, start)
    length = byte_size(line.text[start:stop].rstrip())
    begin = line.start + before
    return Block(index, index, index, begin, begin + length, title, parse(title), run) if _has_name(title) else None


def _finish(table: Scalars, members: list[int], style: int, *, split: bool) -> Block | None:
    first = table.texts[members[0]]
    plain = len(members) == 1 and len(first) <= MAX_TITLE and first.isprintable()
    title = " ".join(first.split()) if plain else joined_title([table.texts[i] for i in members])
    if len(title) > MOST_CHARS or not _has_name(title):
        return None
    number = table.facts.numbers[members[0]] if plain and title == first else parse(title)
    start, end = table.facts.lines[members[0]].start, table.facts.lines[members[-1]].end
    return Block(members[0], members[-1], style, start, end, title, number, None, split)


def _has_name(title: str) -> bool:
    return title[:1].isalnum() or any(map(str.isalnum, title[:40]))


def _names_itself(table: Scalars, index: int, number: Number | None) -> bool:
    """Whether a mark alone may be a title ("Part I", "A" in an index): a word or a letter, and set apart from the body."""
    named = number is not None and (bool(number.prefix) or number.system is not System.ARABIC)
    display = table.bold[index] or table.size[index] > 1.1 * table.body_size
    return named and bool(
        display or (number is not None and number.prefix and table.rank[index] != table.rank[table.body_line])
    )


def _title_of_mark(table: Scalars, index: int) -> int | None:
    """The line that holds the title of a number which stands alone: in the next cell of its row, or right below it."""
    after = index + 1
    if after >= len(table) or not table.usable[after] or not table.same_page[index]:
        return None
    size = max(table.size[index], table.size[after])
    if table.row[after] == table.row[index]:
        return after if -1.0 <= table.x0[after] - table.x1[index] <= 7 * size else None
    number = table.facts.numbers[index]
    display = table.rank[index] != table.rank[table.body_line] or table.size[index] > 1.1 * table.body_size
    if not display or not table.flows[index] or table.gap[index] > 5 * size or number is None:
        return None
    if table.facts.numbers[after] is not None or table.rank[after] == table.rank[table.body_line]:
        return None
    return after if table.size[after] >= 0.8 * table.size[index] or table.size[after] > table.body_size else None


def _continues(table: Scalars, members: list[int], style: int) -> bool:
    """Whether the line after the last member goes on with the same heading."""
    here = members[-1]
    after = here + 1
    if after >= len(table) or not table.usable[after] or not table.flows[here]:
        return False
    size = table.size[style]
    if table.rank[after] != table.rank[style] and abs(table.size[after] - size) > 0.06 * size:
        return False
    if table.bold[after] != table.bold[style] or table.ink[after] != table.ink[style]:
        return False
    if table.gap[here] > max(0.62 * size, 1.15 * table.leading * size / table.body_size):
        return False
    if table.facts.numbers[after] is not None and _owns_number(table, after):
        return False
    return _aligned(table, members[0], here, after, size) and _cut(table, here, after, size)


def _owns_number(table: Scalars, index: int) -> bool:
    number = table.facts.numbers[index]
    return number is not None and (number.firm or bool(number.prefix)) and number.end < len(table.texts[index])


def _aligned(table: Scalars, first: int, here: int, after: int, size: float) -> bool:
    x0 = table.x0
    if abs(x0[after] - x0[here]) < 0.6 * size or 0 < x0[after] - x0[first] < 9 * size:
        return True
    middle = (table.x0[after] + table.x1[after] - table.x0[here] - table.x1[here]) / 2
    return bool(abs(middle) < 0.8 * size)


def _cut(table: Scalars, here: int, after: int, size: float) -> bool:
    """Whether a line ends because it was full, or plainly in the middle of something."""
    text, following = table.texts[here], table.texts[after]
    if table.end_class[here] == END_PAUSE and text[-1] not in ":：;":
        return True
    if table.start_class[after] == START_LOWER and " " in text and table.end_class[here] != 1:
        return True
    word = following.split(" ", 1)[0]
    if len(word) > 12 and not word.isascii():  # scripts without spaces break anywhere
        word = word[:1]
    need = (table.x1[after] - table.x0[after]) * (len(word) + 1) / max(len(following), 1)
    room = table.right[here] - table.x1[here]
    hanging = table.facts.numbers[here] is not None and table.x0[after] > table.x0[here]
    apart = abs(table.x0[after] - table.x0[here]) > 0.6 * size and table.x0[here] - table.left[here] > size
    if apart and not hanging:  # centred: white stands on both sides of it
        room += table.x0[here] - table.left[here]
        return bool(need > 0.8 * room)
    return bool(need > room)


# ---------------------------------------------------------------- run-in leads


def _lead(table: Scalars, line: Line) -> tuple[Run, int, int] | None:
    """The run of a lead at the start of a body line, and the offsets between which it stands; None where there is none."""
    runs = line.runs
    first = runs[0]
    body = table.facts.lines[table.body_line]
    if _is_body(first, body):
        return None
    stop = next((run.start for run in runs[1:] if _is_body(run, body)), None)
    if stop is None or len(line.text) - stop < _LEAD_TAIL or stop < 3:
        return None
    face = table.facts.edition.fonts[first.font]
    larger = first.size > 1.08 * body.size and stop > 4 and not line.text.isupper()  # small capitals are one heading
    heavy = face.bold or face.italic or first.weight > body.weight + 150 or larger
    mark = line.text[:stop].rstrip()[-1:]
    return (first, 0, stop) if heavy and (mark in ".:。：—–" or face.bold or larger) else None


def _tail(table: Scalars, line: Line) -> tuple[Run, int, int] | None:
    """A heading that the reader put on one line with the end of the text before it: larger, at the line's end."""
    first, last = line.runs[0], line.runs[-1]
    body = table.facts.lines[table.body_line]
    if not _is_body(first, body) or last.size < 1.15 * body.size or len(line.text) - last.start < 3:
        return None
    return last, last.start, len(line.text)


def _is_body(run: Run, body: Line) -> bool:
    return run.font == body.font and abs(run.size - body.size) < 0.5
