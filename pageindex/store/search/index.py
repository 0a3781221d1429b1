"""The library's search index: which documents to look into.

A derived SQLite file with three FTS5 tables: the pages with the titles and summaries of the sections that begin there, the documents
with their names and section titles, and the trigrams of what has no words to count by (identifiers, and scripts without spaces). It may
be deleted at any time. Ranking the pages of a document is done on its own words (``search_rank``).
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from pageindex.document import DocumentRecord, Edition, Summaries, Tree
from pageindex.store.disk.derived import create_schema, is_damage
from pageindex.store.search.query import Query, QueryWord
from pageindex.store.search.spelling import OF_LENGTH, near_spellings
from pageindex.store.search.wording import searchable
from pageindex.text.words import Stemmer, spaced

__all__ = ["Entry", "LibraryIndex"]

VERSION = 4
PAGE_BITS = 20  #: A row's number is the document's number and, in this many bits, the page's.
BUSY_SECONDS = 10.0
COMMON = 0.2  #: A word on more than this share of all pages is left out where rarer ones are there.
FEW_PAGES = 100  #: On so many pages a word is never too common.
FEWEST_WORDS, MOST_WORDS = 2, 12
SHORTEST_INFLECTED = 3  #: Letters of a word, and of what its forms have in common, for its inflection to be looked for.
MOST_FORMS = 20  #: Of one word.
PAGES_WEIGHED = 300
OPTIMIZED = (
    20_000  #: Pages up to which a removal also rewrites the index at once, so that no word of it stays in the file.
)

_TABLES = ("pages", "about", "grams")
_TOKENIZER = "tokenize='unicode61 remove_diacritics 2'"
# Constants only, hence no injection.
_SCHEMA = f"""
create table state (generation text not null);
insert into state values ('');
create table documents (number integer primary key autoincrement, doc_id text unique not null, signature text not null,
  language text not null, pages integer not null, digest blob not null);
create virtual table pages using fts5(body, titles, summaries, {_TOKENIZER});
create virtual table about using fts5(name, title, description, sections, {_TOKENIZER});
create virtual table grams using fts5(text, tokenize='trigram', detail=none);
create virtual table page_words using fts5vocab(pages, 'row');
create virtual table about_words using fts5vocab(about, 'row');
create view vocabulary as select term, doc from about_words union all select term, doc from page_words;
"""  # noqa: S608

# What a person may search by a part of: codes with digits and inner signs, and runs of unspaced scripts. Every repetition is bounded and
# none can share its characters with the next, so that no page takes more than linear time.
_UNWORDED = re.compile(
    r"\b(?=[\w\-./:]{0,30}\d)\w{1,60}(?:[-./:]\w{1,60}){1,8}|[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{3,}"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index takes in of a document; ``signature`` differs after every change of it."""

    record: DocumentRecord
    edition: Edition
    tree: Tree
    summaries: Summaries
    signature: str


@dataclass
class LibraryIndex:
    """An index in a file, opened for one call at a time, or in memory where ``path`` is None."""

    path: Path | None
    _memory: sqlite3.Connection | None = field(default=None, repr=False)
    _lock: RLock = field(default_factory=RLock, repr=False)

    @contextmanager
    def connect(self) -> Iterator[sqlite3.Connection]:
        """A connection to a prepared index; a file that is none is replaced."""
        if self.path is None:
            with self._lock:
                if self._memory is None:
                    self._memory = _prepared(None)
                yield self._memory
            return
        try:
            connection = _prepared(self.path)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self.delete()
            connection = _prepared(self.path)
        with closing(connection):
            yield connection

    def delete(self) -> None:
        """Forget everything."""
        if self.path is None:
            self._memory = None
            return
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    # ------------------------------------------------------------ keeping up

    def generation(self) -> str:
        """The catalogue's generation that the index stands at."""
        with self.connect() as connection:
            return str(connection.execute("select generation from state").fetchone()[0])

    def outdated(self, signatures: Mapping[str, str]) -> tuple[Sequence[str], Sequence[str]]:
        """Documents to take in, and documents to drop, so that the index holds just these."""
        with self.connect() as connection:
            known = dict(connection.execute("select doc_id, signature from documents"))
        return (
            [doc_id for doc_id, signature in signatures.items() if known.get(doc_id) != signature],
            [doc_id for doc_id in known if doc_id not in signatures],
        )

    def put(self, entry: Entry) -> None:
        """Take in a document, in place of what was known of it."""
        with self.connect() as connection, connection:
            connection.execute("begin immediate")
            _drop(connection, entry.record.doc_id)
            values = (entry.record.doc_id, entry.signature, entry.tree.language, entry.edition.page_count)
            insert = "insert into documents (doc_id, signature, language, pages, digest) values (?, ?, ?, ?, x'')"
            number = connection.execute(insert, values).lastrowid or 0
            connection.execute(
                "insert into about (rowid, name, title, description, sections) values (?, ?, ?, ?, ?)",
                (number, *_about(entry)),
            )
            rows = list(_rows(entry, number << PAGE_BITS))
            connection.executemany("insert into pages (rowid, body, titles, summaries) values (?, ?, ?, ?)", rows)
            grams = (
                (row, text) for row, body, *_ in rows if (text := " ".join(dict.fromkeys(_UNWORDED.findall(body))))
            )
            connection.executemany("insert into grams (rowid, text) values (?, ?)", grams)
            connection.execute(
                "update documents set digest = ? where number = ?", (_digest(connection, number), number)
            )

    def sign(self, doc_id: str, signature: str) -> None:
        """Note a change of a document that changed nothing that is searched."""
        with self.connect() as connection:
            connection.execute("update documents set signature = ? where doc_id = ?", (signature, doc_id))

    def drop(self, doc_id: str) -> None:
        """Forget a document."""
        with self.connect() as connection:
            with connection:
                connection.execute("begin immediate")
                _drop(connection, doc_id)
            if (connection.execute("select sum(pages) from documents").fetchone()[0] or 0) <= OPTIMIZED:
                _optimize(connection)

    def advance(self, generation: str, before: str | None = None) -> None:
        """Note the generation that the index stands at, but only if it stood at ``before`` where that is given."""
        with self.connect() as connection:
            statement = "update state set generation = ?1 where ?2 is null or generation = ?2"
            connection.execute(statement, (generation, before))

    def optimize(self) -> None:
        """Rewrite the index without what was dropped."""
        with self.connect() as connection:
            _optimize(connection)

    def problem(self) -> str:
        """What is wrong with the file: its pages, its words against its texts, its texts against their digests; else empty."""
        if self.path is None or not self.path.exists():
            return ""
        try:
            with closing(_prepared(self.path)) as connection:
                found = str(connection.execute("pragma integrity_check(1)").fetchone()[0])
                if found != "ok":
                    return f"it is damaged: {found}"
                for table in _TABLES:
                    connection.execute(f"insert into {table} ({table}) values ('integrity-check')")  # noqa: S608
                rows = connection.execute("select number, doc_id, digest from documents").fetchall()
                changed = (doc_id for number, doc_id, digest in rows if _digest(connection, number) != digest)
                return next((f"its text of {doc_id} is not what was written" for doc_id in changed), "")
        except sqlite3.DatabaseError as error:
            return f"it cannot be used: {error}"

    # ------------------------------------------------------------ asking

    def rank_documents(self, query: Query, scope: Sequence[str] | None, most: int) -> Sequence[tuple[str, float]]:
        """The documents of the scope (None is all) that fit best, with their scores, of which the first is 1."""
        with self.connect() as connection, connection:
            connection.execute("begin")  # one state of the index for all that follows
            _restrict(connection, scope)
            expression = _expression(connection, query)
            asked = {"pages": expression, "about": expression, "grams": _gram_expression(query)}
            scores = _combined({t: _weighed(connection, t, asked[t], scope is not None) for t in asked})
            best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
            name = "select doc_id from documents where number = ?"
            return [(connection.execute(name, (number,)).fetchone()[0], score) for number, score in best]

    def absent(self, asked: Sequence[QueryWord], scope: Sequence[str] | None) -> Sequence[tuple[str, Sequence[str]]]:
        """The words of which no document of the scope has any form, each with words of the library that are spelled almost like it."""
        with self.connect() as connection, connection:
            connection.execute("begin")
            _restrict(connection, scope)
            stemmers = [Stemmer(row[0]) for row in connection.execute("select distinct language from documents")]
            gone = [word for word in asked if not _stands(connection, word, stemmers, scoped=scope is not None)]
            found = []
            for word in gone:
                known = dict(connection.execute(OF_LENGTH, (len(word.word) - 2, len(word.word) + 2)).fetchall())
                near = [QueryWord(one, 1.0) for one in near_spellings(word.word, known)]
                # What only documents out of the scope have is not told.
                here = [one.word for one in near if _stands(connection, one, stemmers, scoped=scope is not None)]
                found.append((word.word, here))
            return found


# ---------------------------------------------------------------- rows


def _prepared(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path or ":memory:", timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        version = connection.execute("pragma user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"search index of version {version}")
        connection.execute("pragma synchronous = off")  # derived data: an outage may lose it
        connection.execute("pragma secure_delete = on")
        if version == 0:
            create_schema(connection, path, _SCHEMA.split(";\n")[:-1], VERSION)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _digest(connection: sqlite3.Connection, number: int) -> bytes:
    """SHA-256 over all that is kept of a document."""
    digest, first = hashlib.sha256(), number << PAGE_BITS
    last = first + (1 << PAGE_BITS)
    for query, values in (
        ("select doc_id, language, pages from documents where number = ?", (number,)),
        ("select name, title, description, sections from about where rowid = ?", (number,)),
        ("select rowid, body, titles, summaries from pages where rowid >= ? and rowid < ?", (first, last)),
        ("select rowid, text from grams where rowid >= ? and rowid < ?", (first, last)),
    ):
        for row in connection.execute(query, values):
            digest.update("\x1f".join(map(str, row)).encode("utf-8", "surrogatepass"))
    return digest.digest()


def _about(entry: Entry) -> tuple[str, str, str, str]:
    titles = " . ".join(section.title for section, _ in entry.tree.walk())
    texts = (entry.record.name, entry.record.title, entry.summaries.description, titles)
    name, title, description, sections = (spaced(searchable(text)) for text in texts)
    return name, title, description, sections


def _rows(entry: Entry, base: int) -> Iterator[tuple[int, str, str, str]]:
    titles: dict[int, list[str]] = defaultdict(list)
    summaries: dict[int, list[str]] = defaultdict(list)
    for section, _ in entry.tree.walk():
        titles[section.start_index].append(section.title)
        summary = entry.summaries.sections.get(section.node_id)
        if summary is not None:
            summaries[section.start_index].append(summary.text)
    for page in entry.edition.pages:
        texts = (page.text, " . ".join(titles[page.number]), " . ".join(summaries[page.number]))
        body, heading, summary_text = (spaced(searchable(text)) for text in texts)
        yield base + page.number, body, heading, summary_text


def _drop(connection: sqlite3.Connection, doc_id: str) -> None:
    found = connection.execute("select number from documents where doc_id = ?", (doc_id,)).fetchone()
    if found is None:
        return
    first = found[0] << PAGE_BITS
    for table, low, high in (("pages", first, first + (1 << PAGE_BITS)), ("grams", first, first + (1 << PAGE_BITS))):
        connection.execute(f"delete from {table} where rowid >= ? and rowid < ?", (low, high))  # noqa: S608
    connection.execute("delete from about where rowid = ?", found)
    connection.execute("delete from documents where number = ?", found)


def _optimize(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(f"insert into {table} ({table}) values ('optimize')")  # noqa: S608


# ---------------------------------------------------------------- expressions


def _expression(connection: sqlite3.Connection, query: Query) -> str:
    """Any of the query's words in any form, without those that are on too many pages to tell documents apart."""
    total = connection.execute("select sum(pages) from documents").fetchone()[0] or 0
    stemmers = [Stemmer(row[0]) for row in connection.execute("select distinct language from documents")]
    asked = {word: entry.weight for entry in query.words for word in (entry.word, *entry.forms)}
    printed = {word: _printed(connection, word, stemmers) for word in asked}
    for entry in query.words:
        if entry.beginning:
            printed[entry.word] = _beginning_with(connection, entry.word)
        elif entry.telling and not printed[entry.word]:
            span = (len(entry.word) - 2, len(entry.word) + 2)
            near = dict(connection.execute(OF_LENGTH, span).fetchall()) if len(entry.word) > SHORTEST_INFLECTED else {}
            printed |= {word: {word: near[word]} for word in near_spellings(entry.word, near)}
            asked |= {word: entry.weight / 2 for word in printed if word not in asked}
    having = {word: sum(forms.values()) for word, forms in printed.items()}
    order = sorted((word for word in having if having[word]), key=lambda word: (-asked[word], having[word]))
    kept = [word for word in order if having[word] <= max(FEW_PAGES, COMMON * total)]
    if len(kept) < FEWEST_WORDS:
        kept = order[:FEWEST_WORDS]
    return " OR ".join(part for word in kept[:MOST_WORDS] for part in _parts(word, list(printed[word])))


def _parts(word: str, forms: Sequence[str]) -> Iterator[str]:
    """The word, and what all its forms begin with as one term: forms that were counted apart would each be rare, and add up.

    A word without other forms counts twice too, so that codes and abbreviations, which have none, do not weigh as much as words.
    """
    if word in forms:
        yield _quoted(word)
    if forms != [word] or (word.isalpha() and len(word) > SHORTEST_INFLECTED):
        shared = _shared_beginning([*forms, word])
        yield f"{_quoted(shared)}*"


def _shared_beginning(forms: Sequence[str]) -> str:
    first, last = min(forms), max(forms)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:length]


def _restrict(connection: sqlite3.Connection, scope: Sequence[str] | None) -> None:
    """Note the documents of a scope where statements can join them."""
    if scope is None:
        return
    connection.execute("create temp table if not exists scope (number integer primary key)")
    connection.execute("delete from scope")
    numbers = "insert into scope select number from documents where doc_id = ?"
    connection.executemany(numbers, ((doc_id,) for doc_id in scope))


def _stands(connection: sqlite3.Connection, word: QueryWord, stemmers: Sequence[Stemmer], *, scoped: bool) -> bool:
    """Whether any document of the scope has any form of a word, on its pages or in its name and titles."""
    forms = [form for one in (word.word, *word.forms) for form in _printed(connection, one, stemmers)]
    expression = f"{_quoted(word.word)}*" if word.beginning else " OR ".join(map(_quoted, forms))
    if not expression:
        return False
    for table, bits in (("pages", PAGE_BITS), ("about", 0)):
        within = "and (rowid >> ?2) in (select number from scope)" if scoped else "and ?2 is not null"
        found = f"select 1 from {table} where {table} match ?1 {within} limit 1"  # noqa: S608
        if connection.execute(found, (expression, bits)).fetchone():
            return True
    return False


def _printed(connection: sqlite3.Connection, word: str, stemmers: Sequence[Stemmer]) -> Mapping[str, int]:
    """The forms in which the index holds a word, those on most pages first, each with the number of these pages."""
    forms = dict(connection.execute("select term, doc from vocabulary where term = ?", (word,)).fetchall())
    if word.isalpha() and len(word) >= SHORTEST_INFLECTED:
        for stemmer in stemmers:
            stem, prefix = stemmer.stem(word), stemmer.prefix(word)
            if len(prefix) >= SHORTEST_INFLECTED:
                within = "select term, doc from vocabulary where term >= ? and term < ?"
                found = connection.execute(within, (prefix, prefix + "\U0010ffff"))
                forms |= {term: pages for term, pages in found if stemmer.stem(term) == stem}
    return dict(sorted(forms.items(), key=lambda pair: -pair[1])[:MOST_FORMS])


def _beginning_with(connection: sqlite3.Connection, beginning: str) -> Mapping[str, int]:
    """Words that begin so, those on most pages first."""
    within = "select term, sum(doc) from vocabulary where term >= ? and term < ? group by term order by sum(doc) desc limit ?"
    return dict(connection.execute(within, (beginning, beginning + "\U0010ffff", MOST_FORMS)).fetchall())


def _gram_expression(query: Query) -> str:
    runs = dict.fromkeys(run for run in _UNWORDED.findall(searchable(query.text)) if len(run) >= 3)
    # Without positions in the index, a run is the conjunction of its trigrams.
    return " OR ".join(
        "(" + " AND ".join(_quoted(run[i : i + 3]) for i in range(len(run) - 2)) + ")"
        for run in list(runs)[:MOST_WORDS]
    )


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


# Of each table's columns, and of each table beside the pages: set on coarse steps by how often the right one of 50 documents comes first.
_WEIGHTS = {"pages": "bm25(1.0, 2.0, 1.0)", "about": "bm25(10.0, 6.0, 2.0, 0.5)", "grams": "bm25(1.0)"}
_SHARES = {"pages": 1.0, "about": 0.5, "grams": 0.3}
BEST_ROWS, NEXT_ROW = 8, 0.8  #: Rows of a document that count, each next one so much of the one before.


def _weighed(
    connection: sqlite3.Connection, table: str, expression: str, scoped: bool
) -> Mapping[int, Sequence[float]]:
    """The scores of the best rows, by document, best first."""
    if not expression:
        return {}
    bits = 0 if table == "about" else PAGE_BITS
    within = "and (rowid >> ?3) in (select number from scope)" if scoped else ""
    # Table names and clauses are constants of this module; every value is bound.
    select = f"select rowid >> ?3, -rank from {table} where {table} match ?1 and rank match ?2"  # noqa: S608
    statement = f"{select} {within} order by rank limit ?4"
    scores: dict[int, list[float]] = defaultdict(list)
    for number, score in connection.execute(statement, (expression, _WEIGHTS[table], bits, PAGES_WEIGHED)):
        scores[number].append(score)
    return scores


def _combined(parts: Mapping[str, Mapping[int, Sequence[float]]]) -> Mapping[int, float]:
    """One score per document: over the tables, the sum of its best rows beside the best document's."""
    sums: dict[int, float] = defaultdict(float)
    for table, part in parts.items():
        values = {n: sum(s * NEXT_ROW**i for i, s in enumerate(scores[:BEST_ROWS])) for n, scores in part.items()}
        best = max(values.values(), default=0.0)
        for number, value in values.items():
            sums[number] += _SHARES[table] * value / best if best > 0 else 0.0
    top = max(sums.values(), default=0.0)
    return {number: value / top if top > 0 else 0.0 for number, value in sums.items()}
