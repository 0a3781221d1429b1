"""The printed-heading validator against proposals made from real documents' own outlines: precision and recall.

True proposals are entries of the outline whose words are printed on their page from the start of a line on (a number or letter before them
aside), outside its running lines: an outline may word a heading in its own way, or name what only a sentence or a navigation bar holds. False ones, as many of each kind:

- ``random_line``: a whole line of a paragraph, its first and last ones included (the document's commonest style, 30 characters or more,
  directly above or below another line of the same style)
- ``fragment``: three to six consecutive words from inside such a line
- ``running_head``: a line that the reader found to be a running head or foot, on a page where no entry of the outline has that title
- ``wrong_page``: a true title, one page before or after its own, where the outline does not have it (nor, on slides, a line of its own:
  a frame's title stands again on the slides that go on with it)
- ``paraphrase``: a true title with a word replaced, dropped, added, or two words exchanged
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from pageindex.document import Edition, Line, Position, Span
from pageindex.errors import PageIndexError
from pageindex.evidence.lines import page_lines
from pageindex.reading import read
from pageindex.refine.validator import HeadingValidator, Proposal

__all__ = ["add_arguments", "run"]

RESULTS = Path(__file__).parent / "results" / "headings.md"
FALSE_KINDS = ("random_line", "fragment", "running_head", "wrong_page", "paraphrase")


@dataclass(frozen=True, slots=True)
class Case:
    """One proposal and what the validator said of it; ``reason`` is empty when it was admitted."""

    document: str
    kind: str
    title: str
    page: int
    reason: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--per-kind", type=int, default=4, help="false proposals of each kind a document")
    parser.add_argument("--true", type=int, default=10, help="true proposals a document")
    parser.add_argument("--pages", type=int, default=700, help="leave out longer documents")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=30, help="wrongly judged proposals to print")
    parser.add_argument("--check", action="store_true", help="write nothing")


def run(options: argparse.Namespace) -> int:
    """Judge all proposals and write the table; 2 without a corpus."""
    if options.corpus is None or not (options.corpus / "dev" / "manifest.json").exists():
        print("--corpus must name a folder with dev/manifest.json", file=sys.stderr)
        return 2
    manifest = json.loads((options.corpus / "dev" / "manifest.json").read_text())
    began, cases, documents, left_out = time.process_time(), [], 0, 0
    for entry in manifest:
        if entry["pages"] <= options.pages:
            documents += 1
            found, missing = _document(options, entry)
            cases, left_out = cases + found, left_out + missing
    report = _report(cases, documents, left_out, options.seed, time.process_time() - began)
    print(report)
    for case in islice(_wrong(cases), options.show):
        print(
            f"{case.kind:13} {case.document[:34]:34} p{case.page:<4} {case.reason or 'ADMITTED':16} {case.title[:90]!r}"
        )
    if not options.check:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(report + "\n")
    return 0


def _document(options: argparse.Namespace, entry: dict[str, Any]) -> tuple[list[Case], int]:
    """The judged proposals of a document, and how many of its outline's printed entries do not begin a line of their page."""
    gold = json.loads((options.corpus / entry["files"]["gold"]).read_text())["outline"]
    try:
        edition = read(options.corpus / entry["files"]["orig"])
    except PageIndexError as error:
        print(f"{entry['id']}: {error.message}", file=sys.stderr)
        return [], 0
    chance = random.Random(f"{options.seed} {entry['id']}")
    printed = [item for item in gold if item["printed"]]
    titles = [(item["title"], item["page"]) for item in printed if _stands(edition, item)]
    cases = [("true", *pick) for pick in chance.sample(titles, min(options.true, len(titles)))]
    for kind in FALSE_KINDS:
        makers = {
            "random_line": _random_lines(edition, titles, chance),
            "fragment": _fragments(edition, titles, chance),
            "running_head": _running_heads(edition, titles, chance),
            "wrong_page": _wrong_pages(edition, titles, chance, slides=entry["kind"] == "slides"),
            "paraphrase": _paraphrases(titles, chance),
        }
        cases += [(kind, *pick) for pick in islice(makers[kind], options.per_kind)]
    validator = HeadingValidator(edition)
    judged = [Case(entry["id"], kind, title, page, _judge(validator, title, page)) for kind, title, page in cases]
    return judged, len(printed) - len(titles)


def _stands(edition: Edition, item: dict[str, Any]) -> bool:
    """Whether the words of an entry begin a line of its page, numbers aside."""
    if not 1 <= item["page"] <= edition.page_count:
        return False
    words = _bare(_unnumbered(item["title"])) or _bare(item["title"])
    running = edition.page(item["page"]).running
    lines = [
        line.text
        for line in page_lines(edition, item["page"])
        if not any(low <= line.start and line.end <= high for low, high in running)
    ]
    return any(
        _bare(text).startswith(words)
        for index in range(len(lines))
        for whole in ["\n".join(lines[index : index + 4])]
        for text in (whole, _unnumbered(whole))
    )


def _unnumbered(text: str) -> str:
    return re.sub(r"^(?:[\W\d]+|[A-Z][.\s]+)", "", text)


def _judge(validator: HeadingValidator, title: str, page: int) -> str:
    proposal = Proposal(title, page, 1, range(page, page + 1))
    headings, refusals = validator.admit([proposal], Span(Position(1, 0), validator.edition.end), "")
    return "" if headings else refusals[0].reason


# ---------------------------------------------------------------- false proposals


def _bare(title: str) -> str:
    return "".join(c for c in title.casefold() if c.isalnum())


def _body_lines(edition: Edition, titles: Sequence[tuple[str, int]], chance: random.Random) -> Iterator[Line]:
    """Lines of paragraphs: the document's commonest style, close to another line of the same style."""
    style, _ = Counter(_style(line) for line in edition.lines).most_common(1)[0]
    known = {_bare(title) for title, _ in titles}
    pages = [page.number for page in edition.pages if len(page.text) > 300]
    chance.shuffle(pages)
    for number in pages:
        lines = page_lines(edition, number)
        close = {
            index
            for index, (above, below) in enumerate(pairwise(lines))
            if _style(above) == _style(below) == style and 0 < below.box.y0 - above.box.y0 < 1.5 * below.size
        }
        inside = [lines[i] for i in sorted(close | {i + 1 for i in close}) if len(lines[i].text) >= 30]
        if inside := [line for line in inside if _bare(line.text) not in known]:
            yield chance.choice(inside)


def _style(line: Line) -> tuple[int, float]:
    return line.font, round(line.size, 1)


def _random_lines(
    edition: Edition, titles: Sequence[tuple[str, int]], chance: random.Random
) -> Iterator[tuple[str, int]]:
    for line in _body_lines(edition, titles, chance):
        yield line.text.strip(), line.page


def _fragments(edition: Edition, titles: Sequence[tuple[str, int]], chance: random.Random) -> Iterator[tuple[str, int]]:
    for line in _body_lines(edition, titles, chance):
        words = line.text.split()
        if len(words) >= 6:
            first = chance.randint(1, len(words) - 5)
            yield " ".join(words[first : first + chance.randint(3, 4)]), line.page


def _running_heads(
    edition: Edition, titles: Sequence[tuple[str, int]], chance: random.Random
) -> Iterator[tuple[str, int]]:
    here = {(_bare(title), page) for title, page in titles}
    found = []
    for page in edition.pages:
        for start, end in page.running:
            text = page.data[start:end].decode("utf-8", "replace").strip()
            if sum(c.isalpha() for c in text) >= 4 and not any(
                p == page.number and (t in _bare(text) or _bare(text) in t) for t, p in here
            ):
                found.append((" ".join(text.split()), page.number))
    chance.shuffle(found)
    yield from found


def _wrong_pages(
    edition: Edition, titles: Sequence[tuple[str, int]], chance: random.Random, *, slides: bool
) -> Iterator[tuple[str, int]]:
    here = {(_bare(title), page) for title, page in titles}
    for title, page in chance.sample(list(titles), len(titles)):
        other = page + chance.choice((-1, 1))
        if not 1 <= other <= edition.page_count or (_bare(title), other) in here:
            continue
        if slides and any(_bare(line.text) == _bare(title) for line in page_lines(edition, other)):
            continue
        yield title, other


def _paraphrases(titles: Sequence[tuple[str, int]], chance: random.Random) -> Iterator[tuple[str, int]]:
    known = {_bare(title) for title, _ in titles}
    vocabulary = [word for title, _ in titles for word in title.split() if len(word) > 3 and word.isalpha()]
    for title, page in chance.sample(list(titles), len(titles)):
        words = title.split()
        if len(words) < 3 or not vocabulary:
            continue
        at, other = chance.randrange(1, len(words)), chance.choice(vocabulary)
        changed = {
            "replace": [*words[:at], other, *words[at + 1 :]],
            "drop": [*words[:at], *words[at + 1 :]],
            "add": [*words[:at], other, *words[at:]],
            "swap": [*words[: at - 1], words[at], words[at - 1], *words[at + 1 :]],
        }[chance.choice(("replace", "drop", "add", "swap"))]
        if _bare(" ".join(changed)) not in known:
            yield " ".join(changed), page


# ---------------------------------------------------------------- report


def _wrong(cases: Sequence[Case]) -> Iterator[Case]:
    yield from (case for case in cases if case.kind != "true" and not case.reason)
    yield from (case for case in cases if case.kind == "true" and case.reason)


def _report(cases: Sequence[Case], documents: int, left_out: int, seed: int, seconds: float) -> str:
    true = [case for case in cases if case.kind == "true"]
    false = [case for case in cases if case.kind != "true"]
    hits = sum(not case.reason for case in true)
    slips = sum(not case.reason for case in false)
    # Precision for equal numbers of both: there are fewer false proposals here than true ones.
    rate = hits / len(true), slips / len(false)
    lines = [
        "### Printed-heading validator",
        "",
        f"{documents} documents of the dev corpus, {len(true)} true and {len(false)} false proposals (seed {seed}). "
        f"{left_out:,} entries whose words begin no line of their page are not among the true ones. "
        f"Precision is given for as many false proposals as true ones. {seconds:.0f} CPU s, reading included.",
        "",
        "| | ours | at least |",
        "|---|---|---|",
        f"| precision | **{rate[0] / (rate[0] + rate[1]):.4f}** | .995 |",
        f"| recall | **{rate[0]:.4f}** | .97 |",
        "",
        "| proposals | number | admitted | refused for |",
        "|---|---|---|---|",
    ]
    for kind in ("true", *FALSE_KINDS):
        group = [case for case in cases if case.kind == kind]
        reasons = Counter(case.reason for case in group if case.reason)
        told = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
        lines.append(f"| {kind} | {len(group)} | {sum(not case.reason for case in group)} | {told} |")
    return "\n".join(lines)
