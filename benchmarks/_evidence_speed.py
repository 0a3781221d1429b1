"""How fast quotes are located, documents searched and editions verified. Quotes are cut from the text itself: only time is measured."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from pageindex.document import Edition, Extractor, Page, PageState, Source
from pageindex.evidence import locate
from pageindex.evidence.quotes.index import FoldedEdition, folded
from pageindex.evidence.status import QuoteStatus
from pageindex.evidence.verify import verify
from pageindex.text.folding import fold, letters_text


def measured(documents: Sequence[tuple[Path, Edition]], seed: int) -> str:
    """CPU time of locating, searching, folding and verifying, as a section of the results."""
    rng = random.Random(seed + 3)
    fold_ms = _fold_time(documents)
    quote_ms = _locate_time(documents, rng)
    rows = [
        f"| folding a page, CPU ms | {fold_ms:.2f} |",
        f"| located quote with its page cited, document already folded, CPU ms | median {statistics.median(quote_ms):.2f}, p95 {_p95(quote_ms):.2f} |",
    ]
    for size in (200, 1000):
        build, hit, miss = _search_time(documents, size, rng)
        rows.append(
            f"| search of {size} pages, no page cited, CPU ms | found {hit:.2f}, not found {miss:.2f} (folded once in {build:.0f}) |"
        )
    rows.append(f"| verify --deep, ratio to plain PDFium text of the same pages | {_verify_ratio(documents):.2f} |")
    return "\n".join(["## Speed", "| what | measured |\n|---|---|", *rows])


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _cut(text: str, rng: random.Random) -> str:
    """A dozen to forty words in a row; empty where there are not enough."""
    words = text.split(" ")
    if len(words) < 60:
        return ""
    start = rng.randrange(len(words) - 45)
    cut = " ".join(words[start : start + rng.randrange(12, 40)])
    return cut if any(c.isalpha() for c in cut) else ""


def _fold_time(documents: Sequence[tuple[Path, Edition]]) -> float:
    pages = [page for _, edition in documents for page in edition.pages]
    started = time.process_time()
    for page in pages:
        letters_text(fold(page.text).text)
    return (time.process_time() - started) * 1000 / len(pages)


def _locate_time(documents: Sequence[tuple[Path, Edition]], rng: random.Random) -> list[float]:
    times = []
    for _, edition in documents:
        locate(edition, "fold this document once", None)
        for _ in range(20):
            page = rng.choice(edition.pages)
            quote = _cut(page.text, rng)
            if quote:
                started = time.process_time()
                locate(edition, quote, page.number)
                times.append((time.process_time() - started) * 1000)
    return times


def _search_time(
    documents: Sequence[tuple[Path, Edition]], size: int, rng: random.Random
) -> tuple[float, float, float]:
    texts = [page.text for _, edition in documents for page in edition.pages if page.state is PageState.TEXT]
    rng.shuffle(texts)
    pages = tuple(Page(number, text) for number, text in enumerate(texts[:size], start=1))
    edition = Edition(Source(f"{size}.pdf", "0" * 64, 1), Extractor("joined", "1"), pages)
    started = time.process_time()
    list(FoldedEdition(edition).pages_with("warm up"))
    build = (time.process_time() - started) * 1000
    index = folded(edition)
    list(index.pages_with("x" * 20))
    list(index.breaks_with("x" * 20))
    words = sorted({word for page in pages for word in page.text.split() if word.isalpha()})
    hits, misses = [], []
    for _ in range(60):
        cut = _cut(rng.choice(pages).text, rng)
        if not cut:
            continue
        started = time.process_time()
        status = locate(edition, cut).status
        hits.append((time.process_time() - started) * 1000)
        assert status is not QuoteStatus.MISSING, cut
        quote = " ".join(rng.choices(words, k=20))
        started = time.process_time()
        locate(edition, quote)
        misses.append((time.process_time() - started) * 1000)
    return build, statistics.median(hits), statistics.median(misses)


def _verify_ratio(documents: Sequence[tuple[Path, Edition]]) -> float:
    import pypdfium2

    from pageindex import reading

    chosen = [path for path, edition in documents if 20 <= edition.page_count <= 400][:12]
    ratios = []
    for path in chosen:
        started = time.process_time()
        pdf = pypdfium2.PdfDocument(path)
        for index in range(len(pdf)):
            pdf[index].get_textpage().get_text_bounded()
        pdf.close()
        plain = time.process_time() - started
        edition = reading.read(path)
        started = time.process_time()
        findings = verify(edition, path, deep=True)
        assert not findings, findings[:3]
        ratios.append((time.process_time() - started) / plain)
    return statistics.geometric_mean(ratios)
