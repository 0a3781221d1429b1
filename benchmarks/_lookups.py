"""Questions of the QA sets that a careful reader looks up, and a judge of answers that is code.

A question counts as one to look up when its set ties it to one page with text, to no figure or chart, and what the set gives as its answer is
printed on that page: every number of it, and most of its words. What has to be computed, counted or judged is left out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageindex.document import Edition
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.wording import content_words, language_of, stem_set

__all__ = ["Lookup", "files_of", "is_right", "lookups"]

_TEXTUAL = {"Pure-text (Plain-text)", "Table", "Generalized-text (Layout)"}
_MARK = re.compile(r"\[\d+\]")
_MOST = 0.6  #: Share of the answer's words that an answer, or a page, has to hold.
_LEAST_TEXT = 200  #: Characters of the page.


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question, its document and page, and the answer of its set."""

    set: str
    file: str
    question: str
    answer: str
    page: int


def lookups(corpus: Path, editions: Mapping[str, Edition], most: int) -> list[Lookup]:
    """So many questions, the same ones every time: taken by turns from the documents, in an order that nobody chose."""
    found = [one for one in _single_page(corpus) if one.file in editions and _is_printed(one, editions[one.file])]
    by_file: dict[str, list[Lookup]] = {}
    for one in sorted(found, key=lambda one: hashlib.sha256(one.question.encode()).hexdigest()):
        by_file.setdefault(one.file, []).append(one)
    taken: list[Lookup] = []
    while len(taken) < most and any(by_file.values()):
        for file in sorted(by_file):
            if by_file[file] and len(taken) < most:
                taken.append(by_file[file].pop(0))
    return taken


def files_of(corpus: Path) -> list[str]:
    """The documents of all questions that may be taken."""
    return sorted({one.file for one in _single_page(corpus)})


def is_right(answer: str, gold: str) -> bool:
    """Whether an answer says what its set gives: all its numbers, and where it has none, most of its words."""
    answer = _MARK.sub(" ", answer)  # numbers of passages are no numbers of the answer
    wanted = _numbers(gold)
    if wanted:
        said = _numbers(answer)
        return all(any(_same(number, other) for other in said) for number in wanted)
    return _share(gold, answer) >= _MOST


def _single_page(corpus: Path) -> Iterator[Lookup]:
    for name in ("financebench", "mmlongbench"):
        for item in json.loads((corpus / "qa" / f"{name}.json").read_text(encoding="utf-8")):
            pages = set(item.get("evidence_pages") or [evidence["page"] for evidence in item.get("evidence", ())])
            sources = set(item.get("evidence_sources") or ())
            if len(pages) != 1 or not sources <= _TEXTUAL or not (corpus / item["file"]).exists():
                continue
            if name == "mmlongbench" and (not sources or item["answer_format"] == "None"):
                continue
            yield Lookup(name, item["file"], item["question"], _plain(item["answer"]), next(iter(pages)))


def _plain(answer: Any) -> str:
    """The first sentence of an answer, or its items."""
    text = "; ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    return text.split(". ")[0] if len(text) > 120 else text


def _is_printed(one: Lookup, edition: Edition) -> bool:
    if not 1 <= one.page <= edition.page_count:
        return False
    text = edition.page(one.page).text
    if len(text) < _LEAST_TEXT:
        return False
    printed = _numbers(text)
    numbers = all(any(_same(number, other) for other in printed) for number in _numbers(one.answer))
    return numbers and (bool(_numbers(one.answer)) or _share(one.answer, text) >= _MOST)


def _numbers(text: str) -> list[float]:
    return [abs(float(token.magnitude)) for token in number_tokens(text) if token.magnitude is not None]


def _same(one: float, other: float) -> bool:
    """Whether two figures are one, in whatever unit of thousands they are told."""
    return any(abs(one - other * scale) <= 0.005 * max(one, 1e-9) for scale in (1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9))


def _share(wanted: str, text: str) -> float:
    language = language_of(wanted)
    stems = [word.stem for word in content_words(wanted, language)]
    held = stem_set([text], language)
    return sum(stem in held for stem in stems) / len(stems) if stems else 0.0
