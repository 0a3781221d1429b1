"""Every line of sampled pages proposed as a heading: which wrong ones come in, and which true ones do.

Twenty documents of each corpus, no two of one family, ten pages of each: up to six that the outline names, the others drawn. True are the
lines that the document's own outline names. An outline is coarse, so what is admitted beside it was looked at by hand on the page:
``heading_lines_checked.json`` says of each, by a hash of its letters, whether it is a heading. What nobody has looked at counts as wrong.

The layout model was trained on ``dev``; no document of ``dev2``, nor any of its families, was seen in training.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.headings import _bare, _stands
from pageindex.document import Edition, Position, Span
from pageindex.errors import PageIndexError
from pageindex.evidence.lines import page_lines
from pageindex.reading import read
from pageindex.refine.validator import HeadingValidator, Proposal

__all__ = ["add_arguments", "run"]

RESULTS = Path(__file__).parent / "results" / "heading_lines.md"
CHECKED = Path(__file__).parent / "heading_lines_checked.json"
NAMED_PAGES = 6  # of a document's sample, at most
SHORTEST, LONGEST = 7, 240  # pages of documents that are taken
MOST_OF_A_KIND = 4


@dataclass
class Tally:
    """What came of one document."""

    id: str
    kind: str
    pages: int
    lines: int = 0
    named: list[tuple[int, str, bool]] = field(default_factory=list)  # entries of the outline: page, title, admitted
    beside: list[tuple[int, str, bool | None]] = field(
        default_factory=list
    )  # admitted beside it: page, words, looked at
    inside: int = 0  # units admitted that the outline names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=int, default=20, help="of each corpus")
    parser.add_argument("--pages", type=int, default=10, help="of each document")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="dev,dev2", help="corpora")
    parser.add_argument(
        "--show", action="store_true", help="print what was admitted beside the outline, and what was lost of it"
    )
    parser.add_argument("--check", action="store_true", help="write nothing")


def run(options: argparse.Namespace) -> int:
    """Propose all lines and write the table; 2 without a corpus."""
    if options.corpus is None or not (options.corpus / "dev" / "manifest.json").exists():
        print("--corpus must name a folder with dev/manifest.json", file=sys.stderr)
        return 2
    checked = json.loads(CHECKED.read_text()) if CHECKED.exists() else {}
    began, found = time.process_time(), {}
    for name in options.only.split(","):
        found[name] = [tally for entry in _documents(options, name) if (tally := _tally(options, entry, checked))]
    report = _report(found, options.seed, time.process_time() - began)
    print(report)
    if options.show:
        _show([tally for tallies in found.values() for tally in tallies])
    if not options.check:
        RESULTS.write_text(report + "\n")
    return 0


def _documents(options: argparse.Namespace, name: str) -> Iterator[dict[str, Any]]:
    """One document of each family, at most four of a kind. Slides have no lines that are text: they are left out."""
    entries = json.loads((options.corpus / name / "manifest.json").read_text())
    entries = [e for e in entries if SHORTEST <= e["pages"] <= LONGEST and e["kind"] != "slides"]
    random.Random(options.seed).shuffle(entries)
    kinds: Counter[str] = Counter()
    families: set[str] = set()
    for entry in entries:
        if (
            entry["group"] not in families
            and kinds[entry["kind"]] < MOST_OF_A_KIND
            and len(families) < options.documents
        ):
            families.add(entry["group"])
            kinds[entry["kind"]] += 1
            yield entry


def _tally(
    options: argparse.Namespace, entry: dict[str, Any], checked: Mapping[str, Mapping[str, bool]]
) -> Tally | None:
    try:
        edition = read(options.corpus / entry["files"]["orig"])
    except PageIndexError as error:
        print(f"{entry['id']}: {error.message}", file=sys.stderr)
        return None
    gold = json.loads((options.corpus / entry["files"]["gold"]).read_text())["outline"]
    gold = [item for item in gold if item["printed"] and item["page"]]
    pages = _pages(edition, gold, options.pages, random.Random(f"{options.seed} {entry['id']}"))
    validator = HeadingValidator(edition)
    tally = Tally(entry["id"], entry["kind"], len(pages))
    for page in pages:
        entries = [item for item in gold if item["page"] == page]
        for item in entries:
            if _stands(edition, item):
                tally.named.append((page, item["title"], _admitted(validator, item["title"], page) is not None))
        _propose_lines(edition, validator, page, [item["title"] for item in entries], tally, checked.get(tally.id, {}))
    return tally


def _pages(edition: Edition, gold: Sequence[dict[str, Any]], most: int, chance: random.Random) -> list[int]:
    named = sorted({item["page"] for item in gold})
    taken = chance.sample(named, min(NAMED_PAGES, len(named)))
    others = [page.number for page in edition.pages if len(page.text) > 200 and page.number not in taken]
    return sorted([*taken, *chance.sample(others, min(most - len(taken), len(others)))])


def _admitted(validator: HeadingValidator, title: str, page: int) -> tuple[int, str] | None:
    """Where the heading begins that a proposal became, and its words; None where it was refused."""
    whole = Span(Position(1, 0), validator.edition.end)
    headings, _ = validator.admit([Proposal(title, page, 1, range(page, page + 1))], whole, "")
    return (headings[0].line[0], headings[0].title) if headings else None


def _propose_lines(
    edition: Edition,
    validator: HeadingValidator,
    page: int,
    titles: Sequence[str],
    tally: Tally,
    checked: Mapping[str, bool],
) -> None:
    found: dict[int, str] = {}
    for line in page_lines(edition, page):
        if line.text.strip():
            tally.lines += 1
            if (heading := _admitted(validator, line.text.strip(), page)) is not None:
                found[heading[0]] = heading[1]
    known = {_bare(title) for title in titles}
    for words in found.values():
        letters = _bare(words)
        if any(title and (letters.endswith(title) or title.endswith(letters)) for title in known if letters):
            tally.inside += 1
        else:
            tally.beside.append((page, words, checked.get(_key(page, words))))


def _key(page: int, words: str) -> str:
    return f"{page} {hashlib.sha256(_bare(words).encode()).hexdigest()[:12]}"


def _show(tallies: Sequence[Tally]) -> None:
    for tally in tallies:
        print(f"## {tally.id}")
        for page, title, admitted in tally.named:
            if not admitted:
                print(f"lost    p{page:<4} {title[:90]!r}")
        for page, words, looked in tally.beside:
            told = {True: "heading", False: "WRONG", None: "?"}[looked]
            print(f"{told:7} p{page:<4} {words[:90]!r} {_key(page, words)}")


def _report(found: Mapping[str, Sequence[Tally]], seed: int, seconds: float) -> str:
    lines = [
        "### Every line proposed as a heading",
        "",
        f"Seed {seed}; {seconds:.0f} CPU s, reading included. What was admitted beside the outline was looked at by hand; what nobody "
        "has looked at counts as wrong. The layout model was trained on documents of `dev`, and on none of `dev2`.",
        "",
        "| corpus | documents | pages | lines | admitted | wrong | of those admitted | of wrong lines | in the outline | kept |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, tallies in found.items():
        lines.append(_row(f"`{name}`", tallies))
    every = [tally for tallies in found.values() for tally in tallies]
    lines += [_row(kind, [t for t in every if t.kind == kind]) for kind in sorted({tally.kind for tally in every})]
    return "\n".join([*lines, _row("**together**", every)])


def _row(name: str, tallies: Sequence[Tally]) -> str:
    wrong = sum(looked is not True for tally in tallies for _, _, looked in tally.beside)
    admitted = sum(tally.inside + len(tally.beside) for tally in tallies)
    lines, named = sum(tally.lines for tally in tallies), [item for tally in tallies for item in tally.named]
    kept = sum(item[2] for item in named)
    right = admitted - wrong
    return (
        f"| {name} | {len(tallies)} | {sum(t.pages for t in tallies)} | {lines:,} | {admitted} | {wrong} | "
        f"{wrong / max(admitted, 1):.1%} | {wrong / max(lines - right, 1):.2%} | {len(named)} | {kept / max(len(named), 1):.1%} |"
    )
