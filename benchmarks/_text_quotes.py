"""Quotes as other readers give them: MuPDF's blocks, poppler's paragraphs, and sentences over a page break of filings."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import _outside

EACH = 8  #: Quotes of each kind a file.
LONGEST_HEAD = 12  #: Words of a running line.
PASSES = ("exact", "folded", "span")
_WORD = re.compile(r"\w{2,}")
_MARK = re.compile(r"\(\s*\w{1,5}\s*\)$")


def compare(file: Path, pages: int, timeout: float) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Counts ``KIND`` and ``KIND:located``, and the quotes that were not located on their page."""
    draw = random.Random(file.name)
    texts = _outside.page_texts(file, timeout)[:pages]
    quotes = [
        *_blocks(file, pages, draw, timeout),
        *_paragraphs(texts, draw),
        *_breaks(texts, draw),
    ]
    if not quotes:
        return Counter(), []
    command = [sys.executable, "-m", "benchmarks._library", str(file), "--quotes"]
    done = subprocess.run(
        command,
        input=json.dumps(quotes),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    counts: Counter[str] = Counter()
    faults = []
    for quote, found in zip(quotes, json.loads(done.stdout), strict=True):
        counts[quote["kind"]] += 1
        if found["status"] in PASSES and quote["page"] in found["found_pages"]:
            counts[f"{quote['kind']}:located"] += 1
        else:
            faults.append(
                {**quote, "kind": f"quote {quote['kind']}", "status": found["status"], "found": found["found_pages"]}
            )
    return counts, faults


def _is_prose(text: str) -> bool:
    words = _WORD.findall(text)
    letters = sum(char.isalpha() for char in text)
    return len(words) >= 8 and len(text) >= 60 and letters >= 0.65 * len("".join(text.split()))


def _cut(text: str) -> str:
    """At most some fifty words, whole ones."""
    return text if len(text) <= 320 else text[:320].rpartition(" ")[0]


def _blocks(file: Path, pages: int, draw: random.Random, timeout: float) -> list[dict[str, Any]]:
    sample = draw.sample(range(1, pages + 1), min(pages, 2 * EACH))
    found = []
    for sheet in _outside.sheets(file, sorted(sample), timeout):
        blocks = ["\n".join(line.text for line in block if line.text.strip()) for block in sheet.blocks]
        found += [
            {"kind": "MuPDF block", "text": _cut(text), "page": sheet.number} for text in blocks if _is_prose(text)
        ]
    return draw.sample(found, min(EACH, len(found)))


def _paragraphs(texts: list[str], draw: random.Random) -> list[dict[str, Any]]:
    found = [
        {"kind": "poppler paragraph", "text": _cut(part), "page": number}
        for number, text in enumerate(texts, start=1)
        for part in _outside.paragraphs(text)
        if _is_prose(part)
    ]
    return draw.sample(found, min(EACH, len(found)))


def _breaks(texts: list[str], draw: random.Random) -> list[dict[str, Any]]:
    """A sentence that goes on over a page's end: the last words of one page and the first of the next, folios and heads left out."""
    repeated = Counter(line for text in texts for line in {_masked(line) for line in text.splitlines()})
    bodies = [
        [line for line in text.splitlines() if line.strip() and not _is_running(line, repeated)] for text in texts
    ]
    found = []
    for number, (above, below) in enumerate(pairwise(bodies), start=1):
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
    out = ["| quotes of another reader | number | located on their page |", "|---|---|---|"]
    for kind in ("MuPDF block", "poppler paragraph", "over a page break", "over a page break, end not said"):
        number, located = counts[kind], counts[f"{kind}:located"]
        out.append(f"| {kind} | {number:,} | {located / max(number, 1):.2%} |")
    return out
