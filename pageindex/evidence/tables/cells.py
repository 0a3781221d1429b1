"""Words, rows and cells of a page, from where its characters stand.

Characters → words (by gap and white space) → rows (by baseline) → cells (by gap). Lengths are in points; gaps are measured in the
font size (em) of the word beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pageindex.document import Box, Line
from pageindex.document.offsets import byte_size
from pageindex.evidence.characters import Character
from pageindex.evidence.numbers.lexicon import unit_of
from pageindex.evidence.numbers.tokens import number_tokens

__all__ = ["Cell", "Row", "Word", "rows_of", "words_of", "words_of_lines"]

_WORD_GAP = 0.6  # em; characters this far apart are two words even without a space between them
_CELL_GAP = 0.95  # em; words further apart are two cells …
_NUMBER_GAP = 0.42  # … and two numbers already at this distance
_LONGEST_GAP = 30.0  # em; a currency sign may stand at the left edge of its column, far from a short number
_PRINTED_WORD = re.compile(r"(?:\S|(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d))+")  # spaces that group digits part no words
_TOGETHER = 8  # bytes between two words of one cell
_SAME_ROW = 0.45  # of the smaller height
_LEADER = re.compile(r"(?:[.·…_]\s?){3,}")
_DASH = re.compile("[-\u2010-\u2015\u2212]{1,3}|n/?a|n\\.a\\.|nm|\\*+|[.…]{1,3}", re.IGNORECASE)
_SPOKEN = re.compile(r"(?<![^\W\d_])[^\W\d_]{3,}")  # "4.5% due 2036" is a label
_OPENER = re.compile(r"[$€£¥]|[(\[<>≤≥±~]|[$€£¥] ?\(|US\$|[A-Z]{1,2}\$")  # stands apart from the number it belongs to
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_DAY = re.compile(r"0?[1-9]|[12]\d|3[01]")
_CURRENCY = re.compile(r"[$€£¥]|US\$|[A-Z]{1,2}\$")
_CLOSER = re.compile(r"[)\]%‰*†‡§¶]{1,4}|\([a-z0-9]{1,2}\)")


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a gap: their text, bytes in the page's text, box, font size and baseline."""

    text: str
    start: int
    end: int
    box: Box
    size: float
    baseline: float


@dataclass(frozen=True)
class Cell:
    """Words of one row that belong together."""

    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        return _LEADER.sub("", " ".join(word.text for word in self.words)).strip()

    @cached_property
    def box(self) -> Box:
        box = self.words[0].box
        for word in self.words[1:]:
            box = box.union(word.box)
        return box

    @cached_property
    def _span(self) -> tuple[int, int]:
        """The longest run of its words that stand together in the page's text, for a raised note mark may stand elsewhere in it."""
        runs: list[list[Word]] = []
        for word in sorted(self.words, key=lambda w: w.start):
            if runs and word.start - runs[-1][-1].end <= _TOGETHER:
                runs[-1].append(word)
            else:
                runs.append([word])
        best = max(runs, key=lambda run: sum(len(word.text) for word in run))
        return best[0].start, best[-1].end

    @property
    def start(self) -> int:
        return self._span[0]

    @property
    def end(self) -> int:
        return self._span[1]

    @cached_property
    def is_value(self) -> bool:
        """Whether the cell holds a number and next to nothing else, or stands for one (a dash, n/a); a bare year does."""
        if _DASH.fullmatch(self.text.lstrip("$€£¥ ")):
            return True
        if any(word.islower() and not unit_of(word) for word in _SPOKEN.findall(self.text)):
            return False
        tokens = list(number_tokens(self.text))
        letters = sum(c.isalpha() for c in self.text)
        if not 1 <= len(tokens) <= 3 or (self.is_period and letters > 1):
            return False
        covered = sum(token.end - token.start for token in tokens)
        return covered >= 0.6 * sum(not c.isspace() for c in self.text) and letters <= 4

    @cached_property
    def is_period(self) -> bool:
        """Whether the cell names a year or a date, as the head of a column does."""
        tokens = list(number_tokens(self.text))
        years = [token for token in tokens if _YEAR.fullmatch(token.core) and not (token.percent or token.currency)]
        days = [token for token in tokens if _DAY.fullmatch(token.core)]
        return bool(years) and len(years) + len(days) == len(tokens)


@dataclass(frozen=True)
class Row:
    """Cells on one baseline, from left to right; ``opens``: a year alone, flush with the labels below, which opens a section."""

    cells: tuple[Cell, ...]
    opens: bool = False

    @cached_property
    def box(self) -> Box:
        box = self.cells[0].box
        for cell in self.cells[1:]:
            box = box.union(cell.box)
        return box

    @cached_property
    def size(self) -> float:
        return max(word.size for cell in self.cells for word in cell.words)

    @cached_property
    def values(self) -> tuple[Cell, ...]:
        """Cells that hold a value; a value that opens the row while others follow is a label, as in a list of years."""
        return () if self.opens else tuple(cell for cell in self.cells if cell.is_value)


def words_of(characters: Iterable[Character]) -> list[Word]:
    """Group characters, in the order of the text, into words."""
    words: list[Word] = []
    run: list[Character] = []
    for character in characters:
        if character.text.isspace() or not character.text or character.box.x1 < character.box.x0:
            _close(run, words)
        else:
            if run and _apart(run[-1], character):
                _close(run, words)
            run.append(character)
    _close(run, words)
    return words


def _apart(one: Character, other: Character) -> bool:
    size = max(one.size, other.size, 1.0)
    gap = other.box.x0 - one.box.x1
    if other.start > one.end:  # blanks are not printed, and so are not among the characters
        return True
    if other.text in "$€£¥" and gap > 0.1 * size:
        return True  # the currency of the next column, set close to this one's number
    return gap > _WORD_GAP * size or gap < -1.5 * size or abs(other.baseline - one.baseline) > 0.7 * size


def _close(run: list[Character], words: list[Word]) -> None:
    if run:
        box = run[0].box
        for character in run[1:]:
            box = box.union(character.box)
        text = "".join("-" if c.text == "\x02" else c.text for c in run)
        middle = run[len(run) // 2]
        size = max(c.size for c in run)
        words.append(
            Word(
                text,
                run[0].start,
                run[-1].end,
                box,
                size,
                max(c.baseline for c in run if c.size >= 0.8 * size or c is middle),
            )
        )
        run.clear()


def words_of_lines(lines: Iterable[Line]) -> Iterator[Word]:
    """Words of lines, each given its share of the line's box: good enough for tables whose cells are lines of their own."""
    for line in lines:
        if line.angle or line.box.width <= 0:
            continue
        step = line.box.width / max(1, len(line.text))
        byte, position = line.start, 0
        for match in _PRINTED_WORD.finditer(line.text):
            byte += byte_size(line.text[position : match.start()])
            size = byte_size(match.group())
            x0, x1 = line.box.x0 + match.start() * step, line.box.x0 + match.end() * step
            box = Box(x0, line.box.y0, x1, line.box.y1)
            yield Word(match.group(), byte, byte + size, box, line.size or line.box.height, line.box.y1)
            byte, position = byte + size, match.end()


def rows_of(words: Iterable[Word]) -> list[Row]:
    """Rows from top to bottom. Words belong to one row when their boxes share most of the smaller one's height."""
    groups: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w.box.y0 + w.box.y1, w.box.x0)):
        home = next((group for group in reversed(groups[-4:]) if _level(group, word)), None)
        if home is None:
            groups.append([word])
        else:
            home.append(word)
    rows = [Row(tuple(_cells(sorted(group, key=lambda w: w.box.x0)))) for group in groups]
    return sorted(rows, key=lambda row: row.box.y0)


def _level(group: Sequence[Word], word: Word) -> bool:
    anchor = max(group, key=lambda w: w.size)
    overlap = min(anchor.box.y1, word.box.y1) - max(anchor.box.y0, word.box.y0)
    smaller = min(anchor.box.height, word.box.height)
    near = abs(anchor.baseline - word.baseline) <= 0.3 * max(anchor.size, word.size)
    return near or overlap > _SAME_ROW * max(smaller, 0.1)


def _cells(words: Sequence[Word]) -> Iterator[Cell]:
    run: list[Word] = []
    for word, following in zip(words, [*words[1:], None], strict=True):
        if run and _new_cell(run, word, following):
            yield Cell(tuple(run))
            run = []
        run.append(word)
    if run:
        yield Cell(tuple(run))


def _new_cell(run: Sequence[Word], word: Word, following: Word | None) -> bool:
    last = run[-1]
    size = max(last.size, word.size, 1.0)
    gap = word.box.x0 - last.box.x1
    if len(run) == 1 and _OPENER.fullmatch(last.text) and _starts_number(word.text):
        return gap > _LONGEST_GAP * size
    if _CURRENCY.fullmatch(word.text) and (_CURRENCY.match(run[0].text) or _opens(word, following)):
        return True  # the currency of the next column
    if _CLOSER.fullmatch(word.text) and any(c.isdecimal() for c in last.text):
        return gap > 3 * size
    if gap > _NUMBER_GAP * size and _numeric(last.text) and _numeric(word.text):
        return True
    return gap > _CELL_GAP * size


def _opens(word: Word, following: Word | None) -> bool:
    """Whether a currency sign stands before its number; the euro sign may as well stand behind one."""
    return following is not None and not word.text.endswith("€") and _starts_number(following.text)


def _starts_number(text: str) -> bool:
    return any(c.isdecimal() for c in text[:3]) or bool(_DASH.fullmatch(text))


def _numeric(text: str) -> bool:
    solid = [c for c in text if c not in "$€£¥()%.,-−–+*"]
    return (bool(solid) and all(c.isdecimal() for c in solid)) or bool(_DASH.fullmatch(text))
