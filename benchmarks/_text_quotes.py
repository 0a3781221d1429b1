"""Quotes as other readers give them: MuPDF's blocks, poppler's paragraphs, and sentences over a page break.

A reader that takes columns, cells or notes together, or parts words, gives quotes which stand nowhere on the page as one text. So each
quote is also looked for in the text of the other outside reader, word by word: what both have is what every reader should find, and what
only one has is counted apart. Blocks with a running line in them are no quotes.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from benchmarks import _outside
from benchmarks._text_sections import plain_line, running_lines

EACH = 8  #: Quotes of each kind a file.
LONGEST_HEAD = 12  #: Words of a running line.
READERS = ("MuPDF block", "poppler paragraph")  #: Kinds that another reader may agree to.
PASSES = ("exact", "folded", "span")
_WORD = re.compile(r"\w{2,}")
_ANY_WORD = re.compile(r"\w+")
_MARK = re.compile(r"\(\s*\w{1,5}\s*\)$")


def taken(file: Path, sheets: Mapping[int, _outside.Sheet], timeout: float) -> list[dict[str, Any]]:
    """Quotes from the pages of a file: ``{"kind", "text", "page", "page_end"?, "agreed"}``."""
    draw = random.Random(file.name)
    running = {page: printed.running for page, printed in running_lines(list(sheets.values())).items()}
    texts = {page: _outside.seen(text) for page, text in _outside.some_texts(file, list(sheets), timeout).items()}
    drawn = _outside.some_texts(file, list(sheets), timeout, "-raw")
    poppler = {page: (_words(text), _words(drawn.get(page, ""))) for page, text in texts.items()}
    mupdf = {page: (_words("\n".join(line.text for line in sheet.lines)),) for page, sheet in sheets.items()}
    quotes = [*_blocks(sheets, running, draw), *_paragraphs(texts, running, draw), *_breaks(texts, draw)]
    for quote in quotes:
        other = poppler if quote["kind"] == "MuPDF block" else mupdf
        words = _words(quote["text"])
        quote["agreed"] = quote["kind"] not in READERS or any(words in text for text in other.get(quote["page"], ()))
    return quotes


def judged(
    quotes: Sequence[dict[str, Any]], found: Sequence[dict[str, Any]]
) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Counts ``KIND`` and ``KIND:located``, ``KIND, agreed`` and so on, and the quotes that were not located on their page."""
    counts: Counter[str] = Counter()
    faults = []
    for quote, place in zip(quotes, found, strict=True):
        kinds = [quote["kind"], *([f"{quote['kind']}, agreed"] if quote["agreed"] else ())]
        counts.update(kinds)
        if place["status"] in PASSES and quote["page"] in place["found_pages"]:
            counts.update(f"{kind}:located" for kind in kinds)
        else:
            faults.append(
                {**quote, "kind": f"quote {quote['kind']}", "status": place["status"], "found": place["found_pages"]}
            )
    return counts, faults


def _words(text: str) -> str:
    """What is compared of a text: its words one by one, those that a line's end divides whole."""
    whole = re.sub("[-\u2010\u00ad]\\s*\n\\s*", "", text)
    return f" {' '.join(_ANY_WORD.findall(_outside.plain(whole).casefold()))} "


def _has_running(text: str, running: Set[str]) -> bool:
    return any(plain_line(line) in running for line in text.split("\n"))


def _is_prose(text: str) -> bool:
    words = _WORD.findall(text)
    letters = sum(char.isalpha() for char in text)
    return len(words) >= 8 and len(text) >= 60 and letters >= 0.65 * len("".join(text.split()))


def _cut(text: str) -> str:
    """At most some fifty words, whole ones."""
    return text if len(text) <= 320 else text[:320].rpartition(" ")[0]


def _blocks(
    sheets: Mapping[int, _outside.Sheet], running: Mapping[int, Set[str]], draw: random.Random
) -> list[dict[str, Any]]:
    found = []
    for sheet in sheets.values():
        blocks = ["\n".join(line.text for line in block if line.text.strip()) for block in sheet.blocks]
        found += [
            {"kind": "MuPDF block", "text": _cut(text), "page": sheet.number}
            for text in blocks
            if _is_prose(text) and not _has_running(text, running.get(sheet.number, frozenset()))
        ]
    return draw.sample(found, min(EACH, len(found)))


def _paragraphs(texts: Mapping[int, str], running: Mapping[int, Set[str]], draw: random.Random) -> list[dict[str, Any]]:
    found = [
        {"kind": "poppler paragraph", "text": _cut(part), "page": number}
        for number, text in texts.items()
        for part in _outside.paragraphs(text)
        if _is_prose(part) and not _has_running(part, running.get(number, frozenset()))
    ]
    return draw.sample(found, min(EACH, len(found)))


def _breaks(texts: Mapping[int, str], draw: random.Random) -> list[dict[str, Any]]:
    """A sentence that goes on over a page's end: the last words of one page and the first of the next, folios and heads left out."""
    repeated = Counter(line for text in texts.values() for line in {_masked(line) for line in text.splitlines()})
    bodies = {
        number: [line for line in text.splitlines() if line.strip() and not _is_running(line, repeated)]
        for number, text in texts.items()
    }
    found = []
    for number, above in bodies.items():
        below = bodies.get(number + 1)
        if not above or not below:
            continue
        last, first = above[-1].strip(), below[0].strip()
        if len(last.split()) >= 6 and len(first.split()) >= 6 and last[-1].isalpha() and first[0].islower():
            text = f"{' '.join(last.split()[-12:])} {' '.join(first.split()[:12])}"
            found.append({"kind": "over a page break", "text": text, "page": number, "page_end": number + 1})
            found.append({"kind": "over a page break, end not said", "text": text, "page": number})
    pairs = [found[i : i + 2] for i in range(0, len(found), 2)]
    return [quote for pair in draw.sample(pairs, min(EACH, len(pairs))) for quote in pair]


def _masked(line: str) -> str:
    return re.sub(r"\d+", "#", line.strip())


def _is_running(line: str, repeated: Counter[str]) -> bool:
    if _MARK.search(line.strip()) or len(line.split()) > LONGEST_HEAD:
        return False  # "(3)" and "-5(3)" count the paragraph that follows, not the page alone; agreements of one wording repeat whole lines
    masked = _masked(line)
    return repeated[masked] >= 3 or re.fullmatch(r"[\W_]*(?:[ivxlc]+|[A-Z]?-?#)[\W_]*", masked) is not None


def table(counts: Counter[str]) -> list[str]:
    """The figures as a Markdown table."""
    out = [
        "| quotes of another reader | number | located on their page | those that the other reader has too | located |",
        "|---|---|---|---|---|",
    ]
    for kind in ("MuPDF block", "poppler paragraph", "over a page break", "over a page break, end not said"):
        agreed = f"{kind}, agreed"
        row = f"| {kind} | {counts[kind]:,} | {counts[f'{kind}:located'] / max(counts[kind], 1):.2%} |"
        both = f" {counts[agreed]:,} | {counts[f'{agreed}:located'] / max(counts[agreed], 1):.2%} |"
        out.append(row + (both if kind in READERS else " – | – |"))
    return out
