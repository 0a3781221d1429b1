"""What a terminal can show: colour where it is wanted, columns that align in every script, plain text when piped."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

__all__ = ["Column", "Screen", "counted", "fit", "harmless", "one_line", "pad", "printable", "text_width"]

_NARROWEST = 10  #: Columns that a flexible cell keeps even where the line is wider than the screen for it.
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_COLOUR = re.compile("(\x1b\\[(?:{0})(?:;(?:{0}))*m)".format("|".join(["0", *_STYLES.values()])))
#: C0 and C1 controls but the tab, separators of lines, marks and overrides of direction, halves of characters.
_STEERING = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = "\r\x0b\x0c\x85\u2028\u2029"


def printable(text: str) -> str:
    """One line that cannot steer a terminal: control and format characters are shown as spaces or dropped."""
    cleaned = (" " if character.isspace() else character for character in text)
    return "".join(c for c in cleaned if unicodedata.category(c) not in ("Cc", "Cf", "Cs")).strip()


def one_line(text: str) -> str:
    """A line of output with nothing in it that begins another line or steers a terminal, but for our own colours."""
    if not _STEERING.search(text):
        return text
    parts = _COLOUR.split(text)
    parts[::2] = [harmless(part.replace("\r\n", " ").replace("\n", " ")) for part in parts[::2]]
    return "".join(parts)


def harmless(text: str) -> str:
    """Text of many lines without what steers a terminal or turns the direction of what follows."""
    return _STEERING.sub(lambda found: found[0] if found[0] == "\n" else " " if found[0] in _BREAKS else "", text)


def counted(number: int, noun: str) -> str:
    """``1 page``, ``80 pages``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def text_width(text: str) -> int:
    """Columns that a text takes: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if not unicodedata.combining(character):
            width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def fit(text: str, width: int) -> str:
    """The text, cut with an ellipsis where it is wider than ``width`` columns."""
    if text_width(text) <= width:
        return text
    kept, used = [], 1
    for character in text:
        used += text_width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text filled with spaces up to ``width`` columns."""
    space = " " * max(0, width - text_width(text))
    return space + text if right else text + space


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a listing; ``flexible`` ones give way where the screen is narrow."""

    head: str
    right: bool = False
    style: str = ""
    flexible: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """Where output goes. ``width`` is None when it is no terminal: nothing is cut or coloured then."""

    color: bool = False
    width: int | None = None

    @classmethod
    def of(cls, stream: TextIO | None = None) -> Screen:
        """The screen behind a stream (standard output unless another is named); honours NO_COLOR and TERM=dumb."""
        stream = stream if stream is not None else sys.stdout
        if not stream.isatty():
            return cls()
        dumb = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
        return cls(color=not dumb, width=max(40, shutil.get_terminal_size().columns))

    def paint(self, text: str, *styles: str) -> str:
        """The text in some styles, where the screen has colour."""
        codes = ";".join(_STYLES[style] for style in styles if style)
        return f"\x1b[{codes}m{text}\x1b[0m" if self.color and codes and text else text

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Aligned lines under a head; flexible columns are cut so that each line fits the screen."""
        cells = [[printable(cell) for cell in row] for row in rows]
        widths = [
            max([text_width(column.head), *(text_width(row[index]) for row in cells)])
            for index, column in enumerate(columns)
        ]
        self._narrow(columns, widths)
        yield self._line(columns, widths, [column.head for column in columns], head=True)
        for row in cells:
            yield self._line(columns, widths, row)

    def _narrow(self, columns: Sequence[Column], widths: list[int]) -> None:
        if self.width is None:
            return
        flexible = [index for index, column in enumerate(columns) if column.flexible]
        over = sum(widths) + 2 * (len(widths) - 1) - self.width
        while over > 0 and flexible:
            widest = max(flexible, key=lambda index: widths[index])
            if widths[widest] <= _NARROWEST:
                break
            widths[widest] -= 1
            over -= 1

    def _line(self, columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str], head: bool = False) -> str:
        parts = []
        last = len(columns) - 1
        for index, (column, width, cell) in enumerate(zip(columns, widths, cells, strict=True)):
            text = fit(cell, width) if column.flexible and self.width is not None else cell
            if index < last or column.right:
                text = pad(text, width, right=column.right)
            parts.append(self.paint(text, "dim") if head else self.paint(text, column.style))
        return "  ".join(parts).rstrip()
