"""How quotes are matched: alterations none of which may pass, true quotes in many presentations, and what is said of those refused."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks._evidence_mutations import MUTATIONS, Sources
from benchmarks._evidence_presentations import TYPOGRAPHIC, WRAPPING
from benchmarks._evidence_samples import Drawn, Sample, key
from pageindex.evidence import Located

Find = Callable[[str, int], Located]
PASSES = ("exact", "folded", "span", "ocr")
_REFUSED_WORDS = ("altered", "missing")


@dataclass
class Matching:
    """Counts over all files, and every fault."""

    total: Counter[tuple[str, str]] = field(default_factory=Counter)  # by group and kind
    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)  # by group and status
    sure: Counter[str] = field(
        default_factory=Counter
    )  # presentations of quotes that pass as another reader gives them
    sure_passed: Counter[str] = field(default_factory=Counter)
    equal: Counter[str] = field(
        default_factory=Counter
    )  # letters and digits in order, by whether the word for it is honest
    standing: dict[tuple[str, int, str], bool] = field(
        default_factory=dict
    )  # whether a true quote is in one piece in our text
    faults: list[dict[str, Any]] = field(default_factory=list)

    def note(
        self, group: str, kind: str, sample: Sample, path: Path, quote: str, found: Located, page_key: str
    ) -> None:
        good = found.status in PASSES and sample.page in {piece.page for piece in found.evidence}
        self.total[group, kind] += 1
        self.passed[group, kind] += found.status in PASSES if group == "altered" else good
        self.statuses[group, found.status.value] += 1
        if self.standing.get((path.name, sample.page, sample.text)):
            self.sure[group] += 1
            self.sure_passed[group] += good
        in_order = (
            bool(key(quote))
            and key(quote) in page_key
            and bool(self.standing.get((path.name, sample.page, sample.text)))
        )
        if in_order:
            self.equal["all"] += 1
            self.equal["dishonest"] += found.status in _REFUSED_WORDS
        wrong = found.status in PASSES if group == "altered" else not good
        if wrong or (in_order and found.status in _REFUSED_WORDS):
            self.faults.append(
                {
                    "group": group,
                    "kind": kind,
                    "file": path.name,
                    "page": sample.page,
                    "true": sample.text,
                    "quote": quote,
                    "status": found.status.value,
                    "message": found.message,
                    "in_order": in_order,
                }
            )


def measure(drawn: Drawn, find: Find, result: Matching, each: int, alterations: int, seed: int = 0) -> None:
    """All kinds on the samples of one file: ``each`` of every presentation at most, and as many ``alterations`` of every kind."""
    rng = random.Random(f"{seed} {drawn.path.name}")
    for sample in (*drawn.prose, *drawn.rows):
        found = find(sample.text, sample.page)
        result.standing[drawn.path.name, sample.page, sample.text] = found.status in PASSES
    keys = {page: key(text) for page, text in drawn.pages.items()}
    for group, kinds in (("typographic", TYPOGRAPHIC), ("wrapping", WRAPPING)):
        for kind, present in kinds.items():
            for sample, quote in _presented(drawn, present, rng, each, plain=kind.startswith("as another")):
                result.note(group, kind, sample, drawn.path, quote, find(quote, sample.page), keys[sample.page])
    third = _Third(drawn.path)
    for kind in MUTATIONS:
        for sample, quote in _altered(drawn, kind, rng, alterations):
            found = find(quote, sample.page)
            if found.status in PASSES and third.prints(quote, sample.page):
                continue  # both readers lost what the alteration put back
            result.note("altered", kind, sample, drawn.path, quote, found, keys[sample.page])
    for sample in drawn.powers[: 2 * each]:
        for name, quote in zip(("superscript", "caret", "two stars"), sample.raised, strict=True):
            result.note("typographic", f"exponent: {name}", sample, drawn.path, quote, find(quote, sample.page), "")
        result.note(
            "altered", "exponent as plain digits", sample, drawn.path, sample.flat, find(sample.flat, sample.page), ""
        )
    for sample in drawn.notes[: 2 * each]:
        found = find(sample.unmarked, sample.page)
        result.note("typographic", "note marks left out", sample, drawn.path, sample.unmarked, found, "")


@dataclass
class _Third:
    """A third reader, pypdf, which is asked where an alteration passes: whether the page may say so after all."""

    path: Path

    def prints(self, quote: str, page: int) -> bool:
        import pypdf

        try:
            text = pypdf.PdfReader(self.path).pages[page - 1].extract_text()
        except (pypdf.errors.PyPdfError, ValueError, KeyError, TypeError):  # a damaged page does not say so
            return False
        return _unspaced(quote) in _unspaced(text)


def _unspaced(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def _presented(
    drawn: Drawn, present: Any, rng: random.Random, count: int, *, plain: bool
) -> Iterator[tuple[Sample, str]]:
    pool = rng.sample(drawn.prose, len(drawn.prose)) + rng.sample(drawn.rows, len(drawn.rows))[: count if plain else 0]
    made = 0
    for sample in pool:
        quote = present(sample.text, rng)
        if made >= count:
            return
        if quote and (plain or quote != sample.text):
            made += 1
            yield sample, quote


def _altered(drawn: Drawn, kind: str, rng: random.Random, count: int) -> Iterator[tuple[Sample, str]]:
    rows = any(word in kind for word in ("dash", "number", "cell", "parenthes", "year", "percent", "minus"))
    pool = rng.sample(drawn.prose, len(drawn.prose)) + rng.sample(drawn.rows, len(drawn.rows))
    if rows:
        pool = rng.sample(pool, len(pool))
    made = 0
    for sample in pool:
        if made >= count:
            return
        text = " ".join(sample.text.split())
        changed = MUTATIONS[kind](text, rng, _sources(drawn, sample))
        if changed and not _stands_there(changed, text, drawn.pages[sample.page]):
            made += 1
            yield sample, changed


def _sources(drawn: Drawn, sample: Sample) -> Sources:
    if sample.page not in drawn.sources:
        same = [" ".join(s.text.split()) for s in drawn.prose if s.page == sample.page]
        others = [" ".join(s.text.split()) for s in drawn.prose[:40] if s.page != sample.page]
        drawn.sources[sample.page] = Sources(drawn.words, same, others)
    return drawn.sources[sample.page]


def _stands_there(changed: str, text: str, page: str) -> bool:
    """Whether an alteration came out as words that the page has, or only cut the quote short."""
    plain = _spaced(changed)
    if plain in _spaced(text) or plain in _spaced(page):
        return True
    joined = re.sub(r"[-\u2010\u00ad]\s*\n\s*", "", page), re.sub(r"([-\u2010])\s*\n\s*", r"\1", page)
    return any(plain in _spaced(other) for other in joined)


def _spaced(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:!?…\"'“”‘’•●▪·*")


# ---------------------------------------------------------------- the table


def table(result: Matching, documents: int, quotes: int) -> list[str]:
    """The section of the results file."""
    rows = [
        _row(result, "altered", "meaning-changing alterations: pass", "0"),
        _row(result, "typographic", "true quotes, typographic presentations: pass on their page", "≥ 99.5 %"),
        _row(result, "wrapping", "true quotes, wrapping presentations: pass on their page", "≥ 95 %"),
    ]
    rows += [
        f"| the same, of the quotes that pass as another reader gives them ({group}) | | {result.sure[group]:,} | **{result.sure_passed[group] / max(1, result.sure[group]):.2%}** | |"
        for group in ("typographic", "wrapping")
    ]
    equal = result.equal
    rows.append(
        f"| `altered` or `missing` with all letters and digits in order | – | {equal['all']:,} | **{equal['dishonest']:,}** | 0 |"
    )
    return [
        "## Matching",
        f"Quotes cut with poppler and MuPDF from {documents} files ({quotes:,} stretches both agree on), altered and presented by code that shares nothing with the "
        "matcher; every quote is sought on the page it was cut from.",
        "",
        "| | kinds | number | measured | target |\n|---|---|---|---|---|",
        *rows,
        "",
        *_worst(result),
        "",
        f"Alterations end as {_statuses(result, 'altered')}.",
    ]


def _row(result: Matching, group: str, what: str, target: str) -> str:
    kinds = sum(1 for g, _ in result.total if g == group)
    number = sum(count for (g, _), count in result.total.items() if g == group)
    passed = sum(count for (g, _), count in result.passed.items() if g == group)
    measured = f"**{passed:,}**" if group == "altered" else f"**{passed / max(1, number):.2%}**"
    return f"| {what} | {kinds} | {number:,} | {measured} | {target} |"


def _worst(result: Matching, most: int = 12) -> list[str]:
    shares = [
        (result.passed[g, kind] / count, g, kind, count)
        for (g, kind), count in result.total.items()
        if g != "altered" and result.passed[g, kind] < count
    ]
    if not shares:
        return []
    rows = [f"| {kind} ({g}) | {count:,} | {share:.1%} |" for share, g, kind, count in sorted(shares)[:most]]
    return ["| presentations that pass least | number | pass |\n|---|---|---|", *rows]


def _statuses(result: Matching, group: str) -> str:
    found = Counter({status: count for (g, status), count in result.statuses.items() if g == group})
    return ", ".join(f"`{status}` {count:,}" for status, count in found.most_common())


def alteration_rows(result: Matching) -> Sequence[str]:
    """One line per kind of alteration, for the appendix of the results."""
    kinds = sorted(kind for g, kind in result.total if g == "altered")
    return [f"{kind} {result.total['altered', kind]:,}/{result.passed['altered', kind]}" for kind in kinds]
