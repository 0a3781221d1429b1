"""The words of one edition, indexed in memory when it is first searched: about 10 ms for 120 pages.

SQLite's FTS5 counts the words; what a ranking by sections and lines needs beside that is worked out for single pages on demand.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from pageindex.document import Edition, Section, Tree
from pageindex.text import normal
from pageindex.text.words import Stemmer, is_number, spaced, words

__all__ = ["EditionIndex", "Term"]

TOKENIZER = "unicode61 remove_diacritics 2"

_SCHEMA = f"""
create virtual table pages using fts5(body, content='', tokenize='{TOKENIZER}');
create virtual table counts using fts5vocab(pages, 'instance');
create virtual table vocabulary using fts5vocab(pages, 'row');
"""


@dataclass(frozen=True, slots=True)
class Term:
    """A query word as one document prints it: its forms, and how often each page has any of them."""

    word: str
    weight: float
    forms: frozenset[str]
    counts: Mapping[int, int]


@dataclass
class EditionIndex:
    """One edition and its tree, ready to be searched. Threads may share it."""

    edition: Edition
    tree: Tree
    _lock: Lock = field(default_factory=Lock, repr=False)
    _lines: dict[int, Sequence[Sequence[str]]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.stemmer = Stemmer(self.tree.language)
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.executescript(_SCHEMA)
        texts = [normal.search(page.text) for page in self.edition.pages]
        rows = ((number, spaced(text)) for number, text in enumerate(texts, start=1))
        self._connection.executemany("insert into pages (rowid, body) values (?, ?)", rows)
        self._texts = texts
        #: Words of each page, and the share of its characters that are digits.
        self.lengths = [len(text.split()) for text in texts]
        self.digit_shares = [_digit_share(text) for text in texts]

    @property
    def cost(self) -> int:
        """Bytes that it takes, roughly."""
        return 4 * sum(map(len, self._texts))

    @cached_property
    def average_length(self) -> float:
        """Words of a page that has any."""
        filled = [length for length in self.lengths if length]
        return sum(filled) / len(filled) if filled else 1.0

    def term(self, word: str, weight: float, others: Sequence[str] = ()) -> Term:
        """A query word as this document prints it."""
        with self._lock:
            forms = self._forms(word) | {word, *others}
            counts: Counter[int] = Counter()
            for form in forms:
                counts.update(dict(self._connection.execute(_COUNT, (form,))))
        return Term(word, weight, frozenset(forms), counts)

    def text(self, page: int) -> str:
        """A page's folded text."""
        return self._texts[page - 1]

    def lines(self, page: int) -> Sequence[Sequence[str]]:
        """The words of each line of a page that has any."""
        if page not in self._lines:
            split = (words(line) for line in self._texts[page - 1].splitlines())
            self._lines[page] = [line for line in split if line]
        return self._lines[page]

    @cached_property
    def headings(self) -> Sequence[tuple[Section, frozenset[str]]]:
        """Every section with the words of its title."""
        return [(section, _title_words(section.title)) for section, _ in self.tree.walk()]

    def _forms(self, word: str) -> set[str]:
        """The words of the document that have the word's stem."""
        if is_number(word) or len(word) < 3 or not word.isalpha():
            return set()
        stem, prefix = self.stemmer.stem(word), self.stemmer.prefix(word)
        found = self._connection.execute(_WITH_PREFIX, (prefix, prefix + "\U0010ffff"))
        return {form for (form,) in found if self.stemmer.stem(form) == stem}


_COUNT = "select doc, count(*) from counts where term = ? group by doc"
_WITH_PREFIX = "select term from vocabulary where term >= ? and term < ?"


def _digit_share(text: str) -> float:
    digits = sum(map(text.count, "0123456789"))
    return digits / len(text) if digits else 0.0


def _title_words(title: str) -> frozenset[str]:
    return frozenset(word for word in words(normal.search(title)) if not is_number(word))
