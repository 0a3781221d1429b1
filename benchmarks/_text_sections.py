"""Sections against what stands between their headings on the page, as MuPDF's lines have it.

Only pages of one column are compared, since there the order of the lines is beyond doubt: from top to foot.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks import _outside

MOST_PAGES = 60  #: Pages of a file that are compared.
TOLERANCE = 12  #: Characters by which a stretch may differ: marks that one reader decodes and the other does not.
EDGE = 0.12  #: Share of the page's height in which heads and feet stand.


def _fold(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def compare(file: Path, ours: dict[str, Any], timeout: float) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Counts by kind (``stretches``, ``differ``, ``empty``, ``shown``, ``running``, ``late`` …), and the faults."""
    counts: Counter[str] = Counter()
    faults: list[dict[str, Any]] = []
    nodes = [node for node in ours["nodes"] if node["source"] != "page"]
    texts = {page["page"]: page["text"].encode("utf-8", "surrogatepass") for page in ours["pages"]}
    starts: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for node in nodes:
        starts[node["start"][0]].append(node)
    wanted = [page for page in starts if page in texts]
    step = max(1, len(wanted) // MOST_PAGES)
    every = {sheet.number: sheet for sheet in _outside.sheets(file, sorted(wanted)[::step], timeout)}
    heads = running_lines(file, len(texts), timeout)
    for number, sheet in every.items():
        if _outside.one_column(sheet):
            _page(counts, faults, sheet, starts[number], texts[number], heads.get(number, set()))
    for node in nodes:
        _whole(counts, faults, node, nodes, texts, heads)
    return counts, faults


def _page(
    counts: Counter[str],
    faults: list[dict[str, Any]],
    sheet: _outside.Sheet,
    nodes: list[dict[str, Any]],
    data: bytes,
    heads: set[str],
) -> None:
    """Running lines, as the outside reader finds them, are left out on both sides: no section has them."""
    printed = (line for line in sheet.lines if line.text.strip() and _mask(line.text) not in heads)
    lines = sorted(printed, key=lambda line: line.box[1] + line.box[3])
    folded = [_fold(line.text) for line in lines]
    places = []
    for node in nodes:
        found = _heading(folded, _fold(node["title"]))
        if found is None:
            return  # the page's headings are not all found: nothing is said of it
        places.append((found, node))
    places.sort(key=lambda place: place[0])
    if [node["title"] for _, node in places] != [node["title"] for node in nodes] or len(
        {at for at, _ in places}
    ) < len(places):
        counts["order"] += 1
        faults.append({"kind": "order", "page": sheet.number, "titles": [node["title"] for node in nodes]})
        return
    for index, (at, node) in enumerate(places):
        until = places[index + 1][0] if index + 1 < len(places) else len(lines)
        theirs = Counter("".join(folded[at:until]))
        end = nodes[index + 1]["start"][1] if index + 1 < len(nodes) else len(data)
        own = data[node["start"][1] : end].decode("utf-8", "replace").splitlines()
        mine = Counter(_fold("".join(line for line in own if _mask(line) not in heads)))
        different = ((theirs - mine) + (mine - theirs)).total()
        counts["stretches"] += 1
        if different > max(TOLERANCE, 0.02 * theirs.total()):
            counts["differ"] += 1
            faults.append(
                {
                    "kind": "section",
                    "page": sheet.number,
                    "title": node["title"],
                    "different": different,
                    "of": theirs.total(),
                }
            )


def _heading(folded: list[str], title: str) -> int | None:
    """The only line at which a title is printed, alone or over up to four lines, with or without its number; None when unsure."""
    found = []
    for index in range(len(folded)):
        joined = ""
        for line in folded[index : index + 4]:
            joined += line
            if joined == title or (
                len(title) > 6 and joined.endswith(title) and len(joined) - len(title) <= 6 and joined[0].isdigit()
            ):
                found.append(index)
                break
            if len(joined) > len(title) + 6:
                break
    return found[0] if len(found) == 1 else None


def _whole(
    counts: Counter[str],
    faults: list[dict[str, Any]],
    node: dict[str, Any],
    nodes: list[dict[str, Any]],
    texts: dict[int, bytes],
    heads: dict[int, set[str]],
) -> None:
    """A section as it is shown: not empty, without running lines, ending where its text ends."""
    counts["shown"] += 1
    (first, _begin), (last, end) = node["start"], node["end"]
    shown = node["shown"]
    if not _fold(shown):
        page = texts.get(first, b"")
        if _fold(page.decode("utf-8", "replace")):
            counts["empty"] += 1
            faults.append({"kind": "empty", "page": first, "title": node["title"]})
    masked = [_mask(line) for line in shown.split("\n") if line.strip()]
    here = set().union(*(heads.get(page, set()) for page in range(first, last + 1)))
    title = _mask(node["title"])
    if any(line in here and line != title and title not in line for line in masked):
        counts["running"] += 1
        line = next(line for line in masked if line in here and line != title)
        faults.append({"kind": "running", "page": first, "title": node["title"], "line": line})
    if node["last"] > node["first"] and last == node["last"]:
        counts["ends"] += 1
        rest = texts.get(last, b"")[:end].decode("utf-8", "replace")
        lines = [_mask(line) for line in rest.splitlines() if line.strip()]
        if lines and all(line in heads.get(last, set()) for line in lines):
            counts["late"] += 1
            faults.append({"kind": "late", "page": last, "title": node["title"]})


def _mask(line: str) -> str:
    return re.sub(r"\d+", "#", "".join(unicodedata.normalize("NFKC", line).casefold().split()))


def running_lines(file: Path, pages: int, timeout: float) -> dict[int, set[str]]:
    """Lines at the edges of pages that come back on at least four pages and a fifth of a run of pages, digits masked, by page."""
    found: dict[int, list[str]] = {}
    for sheet in _outside.sheets(file, list(range(1, pages + 1)), timeout):
        lines = [line for line in sheet.lines if line.upright and line.text.strip()]
        rows = sorted({round(line.box[1]) for line in lines})
        outer = {*rows[:2], *rows[-2:]}
        found[sheet.number] = [
            _mask(line.text)
            for line in lines
            if round(line.box[1]) in outer
            and (line.box[3] < EDGE * sheet.height or line.box[1] > (1 - EDGE) * sheet.height)
        ]
    near: dict[int, set[str]] = {}
    counted = Counter(line for lines in found.values() for line in set(lines))
    for number, lines in found.items():
        around = [set(found[other]) for other in range(number - 10, number + 11) if other in found]
        near[number] = {
            line
            for line in lines
            if line and counted[line] >= 4 and sum(line in other for other in around) >= max(4, len(around) // 4)
        }
    return near


def table(counts: Counter[str]) -> list[str]:
    """The figures as a Markdown table."""

    def share(part: str, whole: str) -> str:
        return f"{counts[part]:,} of {counts[whole]:,} ({counts[part] / max(counts[whole], 1):.2%})"

    return [
        "| sections | |",
        "|---|---|",
        f"| text differs from what stands between the headings (pages of one column) | {share('differ', 'stretches')} |",
        f"| headings of a page in another order than printed | {counts['order']:,} pages |",
        f"| empty though the page has text | {share('empty', 'shown')} |",
        f"| shown with a running line | {share('running', 'shown')} |",
        f"| end on a page of which they have the running head only | {share('late', 'ends')} |",
    ]
