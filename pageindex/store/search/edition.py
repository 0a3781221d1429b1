"""The words of one edition, indexed in memory when it is first searched: about 10 ms for 120 pages.

SQLite's FTS5 counts the words; what a ranking by sections and lines needs beside that is worked out for single pages on demand.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from pageindex.document import Edition, Section, Tree
from pageindex.store.search.pointers import Pointable
from pageindex.store.search.spelling import near_spellings
from pageindex.store.search.wording import searchable
from pageindex.text.words import Stemmer, is_number, spaced, words

__all__ = ["EditionIndex", "Term"]

TOKENIZER = "unicode61 remove_diacritics 2"
LISTING_LINES = 8  #: Lines below which a page is no list of contents.
LONGEST_FOLIO = 3  #: Digits of a page number.
LISTED = 0.4  #: Share of lines that are entries, from which on a page is a list of contents.
LEAST_LED = 3  #: Lines with leaders that are more than a blank to fill in.
SHORTEST_OPEN = 3  #: Letters of the last word of a phrase that may have an ending.

_SCHEMA = f"""
create virtual table pages using fts5(body, content='', tokenize='{TOKENIZER}');
create virtual table counts using fts5vocab(pages, 'instance');
create virtual table vocabulary using fts5vocab(pages, 'row');
"""


@dataclass(frozen=True, slots=True)
class Term:
    """A query word as one document prints it: its forms, and how often each page has any of them.

    ``function`` words carry the grammar of the question. Where the document has no form of the word, ``near`` are words spelled almost like
    it, which are counted instead.
    """

    word: str
    weight: float
    forms: frozenset[str]
    counts: Mapping[int, int]
    function: bool = False
    near: tuple[str, ...] = ()


@dataclass
class EditionIndex:
    """One edition and its tree, ready to be searched. Threads may share it."""

    edition: Edition
    tree: Tree
    _lock: Lock = field(default_factory=Lock, repr=False)
    _lines: dict[int, Sequence[Sequence[str]]] = field(default_factory=dict, repr=False)
    _listings: dict[int, float] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.stemmer = Stemmer(self.tree.language)
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.executescript(_SCHEMA)
        texts = [searchable(page.text) for page in self.edition.pages]
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

    def term(
        self, word: str, weight: float, others: Sequence[str] = (), *, beginning: bool = False, function: bool = False
    ) -> Term:
        """A query word as this document prints it; with ``beginning``, every word that begins with it."""
        with self._lock:
            forms = self._beginning_with(word) if beginning else self._forms(word)
            forms |= {word, *others}
            counts: Counter[int] = Counter()
            for form in forms:
                counts.update(dict(self._connection.execute(_COUNT, (form,))))
        return Term(word, weight, frozenset(forms), counts, function)

    def pages_with(self, phrase: Sequence[str], *, whole: bool = False) -> Sequence[int]:
        """The pages that hold folded words side by side, the last one perhaps with an ending unless they are to be ``whole``."""
        opened = not whole and phrase[-1].isalpha() and len(phrase[-1]) > SHORTEST_OPEN
        expression = f'"{" ".join(phrase)}"' + ("*" if opened else "")
        with self._lock:
            return [page for (page,) in self._connection.execute(_PHRASE, (expression,))]

    def near(self, word: str) -> Sequence[str]:
        """Words of the document that are spelled almost as a word that it has not, those on most pages first."""
        return near_spellings(word, self._vocabulary)

    @cached_property
    def _vocabulary(self) -> Mapping[str, int]:
        """The words of the document, with the number of pages that each is on."""
        with self._lock:
            return dict(self._connection.execute("select term, doc from vocabulary"))

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

    @cached_property
    def title_words(self) -> frozenset[str]:
        """All words of titles."""
        return frozenset(word for _, title in self.headings for word in title)

    @cached_property
    def pointable(self) -> Pointable:
        """What pointers may lead to."""
        labels = [(page.label or "").lower() for page in self.edition.pages]
        sections = [(section, searchable(section.title)) for section, _ in self.tree.walk()]
        return Pointable(self._texts, labels, sections, lambda page: self.listing(page) >= LISTED)

    def listing(self, page: int) -> float:
        """The share of a page's lines that end in a small number, after words and at most a number of their own, or after leaders."""
        if page not in self._listings:
            led = len(_LED.findall(self._texts[page - 1]))
            lines = self.lines(page)
            led_share = led / len(lines) if led >= LEAST_LED else 0.0
            self._listings[page] = max(_listing(lines), min(1.0, led_share))
        return self._listings[page]

    def _beginning_with(self, prefix: str) -> set[str]:
        found = self._connection.execute(_WITH_PREFIX, (prefix, prefix + "\U0010ffff"))
        return {form for (form,) in found}

    def _forms(self, word: str) -> set[str]:
        """The words of the document that have the word's stem."""
        if is_number(word) or len(word) < 3 or not word.isalpha():
            return set()
        stem, prefix = self.stemmer.stem(word), self.stemmer.prefix(word)
        found = self._connection.execute(_WITH_PREFIX, (prefix, prefix + "\U0010ffff"))
        return {form for (form,) in found if self.stemmer.stem(form) == stem}


#: A line that ends in leaders and a page number.
_LED = re.compile(
    r"(?:(?<!\.)\.{4}|(?<!\. )(?:\. ){3}\.|(?<!\u2026)\u2026{2})[. \u2026]{0,300}[\w-]{1,8}[ \t]*$", re.MULTILINE
)
_COUNT = "select doc, count(*) from counts where term = ? group by doc"
_PHRASE = "select rowid from pages where pages match ?"
_WITH_PREFIX = "select term from vocabulary where term >= ? and term < ?"


def _listing(lines: Sequence[Sequence[str]]) -> float:
    if len(lines) <= LISTING_LINES:
        return 0.0
    entries = sum(
        len(line) > 1
        and line[-1].isdigit()
        and len(line[-1]) <= LONGEST_FOLIO
        and not is_number(line[0])
        and sum(map(str.isdigit, line)) <= 2
        for line in lines
    )
    return entries / len(lines)


def _digit_share(text: str) -> float:
    digits = sum(map(text.count, "0123456789"))
    return digits / len(text) if digits else 0.0


def _title_words(title: str) -> frozenset[str]:
    return frozenset(word for word in words(searchable(title)) if not is_number(word))
