"""Sections against what stands between their headings on the page, as MuPDF's lines have it.

Only pages of one column are compared, since there the order of the lines is beyond doubt: from top to foot. Running lines are left out
on both sides, and so is turned text, as of a stamp along the page's edge: it stands beside all sections and in none.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from benchmarks import _outside

TOLERANCE = 12  #: Characters by which a stretch may differ: marks that one reader decodes and the other does not.
EDGE = 0.12  #: Share of the page's height in which heads and feet stand.
SAME_PLACE = 4.0  #: Points by which the lines of one row, and a running line from page to page, may wander.


def _fold(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def compare(ours: dict[str, Any], sheets: Mapping[int, _outside.Sheet]) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Counts by kind (``stretches``, ``differ``, ``empty``, ``shown``, ``running``, ``late`` …), and the faults.

    Args:
        ours: What the package makes of the file; see ``_library``.
        sheets: The pages that are looked at. A section is judged as a whole where its first and last page are among them.
    """
    counts: Counter[str] = Counter()
    faults: list[dict[str, Any]] = []
    nodes = [node for node in ours["nodes"] if node["source"] != "page"]
    texts = {page["page"]: page["text"].encode("utf-8", "surrogatepass") for page in ours["pages"]}
    starts: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for node in nodes:
        starts[node["start"][0]].append(node)
    heads = running_lines(list(sheets.values()))
    for number in sorted(starts.keys() & sheets.keys() & texts.keys()):
        sheet = sheets[number]
        if _outside.one_column(sheet):
            _page(counts, faults, sheet, starts[number], texts[number], heads.get(number, Printed()).running)
    for node in nodes:
        if node["start"][0] in texts and node["end"][0] in texts:
            _whole(counts, faults, node, ours["count"], texts, heads)
    return counts, faults


def _page(
    counts: Counter[str],
    faults: list[dict[str, Any]],
    sheet: _outside.Sheet,
    nodes: list[dict[str, Any]],
    data: bytes,
    heads: Set[str],
) -> None:
    """The stretches between the headings of a page."""
    heads = heads | {plain_line(line.text) for line in sheet.lines if not line.upright}
    printed = (line for line in sheet.lines if line.text.strip() and plain_line(line.text) not in heads)
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
        mine = Counter(_fold("".join(line for line in own if plain_line(line) not in heads)))
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
    pages: int,
    texts: dict[int, bytes],
    printed: dict[int, Printed],
) -> None:
    """A section as it is shown: not empty, without running lines, ending where its text ends."""
    counts["shown"] += 1
    (first, _begin), (last, end) = node["start"], node["end"]
    shown = node["shown"]
    if not _fold(shown):
        page = texts.get(first, b"").decode("utf-8", "replace").splitlines()
        heads = printed.get(first, Printed()).running
        if _fold("".join(line for line in page if plain_line(line) not in heads)):
            counts["empty"] += 1
            faults.append({"kind": "empty", "page": first, "title": node["title"]})
    lines = Counter(plain_line(line) for line in shown.split("\n") if line.strip())
    here = [printed.get(page, Printed()) for page in range(first, last + 1)]
    title = plain_line(node["title"])
    # "12" may also be the number of a row: what is shown more often than it is printed elsewhere on these pages is the running line
    shown_heads = [
        line
        for line, times in lines.items()
        if title not in line
        and any(line in page.running for page in here)
        and times > sum(page.others[line] for page in here)
    ]
    if shown_heads:
        counts["running"] += 1
        line = shown_heads[0]
        faults.append({"kind": "running", "page": first, "title": node["title"], "line": line})
    if node["last"] > node["first"] and last == node["last"] and (last < pages or end < len(texts[last])):
        counts["ends"] += 1
        rest = texts.get(last, b"")[:end].decode("utf-8", "replace")
        before = [plain_line(line) for line in rest.splitlines() if line.strip()]
        if before and all(line in printed.get(last, Printed()).running for line in before):
            counts["late"] += 1
            faults.append({"kind": "late", "page": last, "title": node["title"]})


def plain_line(line: str) -> str:
    """A line as it is compared: without white space and case."""
    return "".join(unicodedata.normalize("NFKC", line).casefold().split())


@dataclass(frozen=True)
class Printed:
    """What is printed on a page: its running lines, alone and put together where they stand in one row, and how often each other line."""

    running: Set[str] = frozenset()
    others: Counter[str] = field(default_factory=Counter)


def running_lines(sheets: Sequence[_outside.Sheet]) -> dict[int, Printed]:
    """The lines of each page.

    Running lines stand at the edge, and come back, digits masked, at the same height on at least four pages and a fourth of a run of pages.
    """
    rows: dict[int, list[list[_outside.Line]]] = {}
    places: dict[int, dict[str, list[float]]] = {}
    lines: dict[int, list[_outside.Line]] = {}
    counted: Counter[str] = Counter()
    for sheet in sheets:
        rows[sheet.number], lines[sheet.number] = _edge_rows(sheet), sheet.lines
        found: dict[str, list[float]] = defaultdict(list)
        for line in (line for row in rows[sheet.number] for line in row):
            found[_mask(line.text)].append(line.box[1])
        places[sheet.number] = found
        counted.update(found.keys())

    def is_running(line: _outside.Line, number: int) -> bool:
        mask, around = _mask(line.text), [places[other] for other in range(number - 10, number + 11) if other in places]
        same = sum(any(abs(at - line.box[1]) <= SAME_PLACE for at in other.get(mask, ())) for other in around)
        return counted[mask] >= 4 and same >= max(4, len(around) // 4)

    found_on: dict[int, Printed] = {}
    for number, each in rows.items():
        known = [[line for line in row if is_running(line, number)] for row in each]
        alone = {id(line) for row in known for line in row}
        running = {plain_line(line.text) for row in known for line in row}
        running |= {"".join(plain_line(line.text) for line in row) for row in known}
        others = Counter(plain_line(line.text) for line in lines[number] if id(line) not in alone)
        found_on[number] = Printed(running - {""}, others)
    return found_on


def _edge_rows(sheet: _outside.Sheet) -> list[list[_outside.Line]]:
    """The two outermost rows of lines at the head and the foot of a page, each from left to right."""
    rows: list[list[_outside.Line]] = []
    for line in sorted(
        (line for line in sheet.lines if line.upright and line.text.strip()), key=lambda line: line.box[1]
    ):
        if rows and line.box[1] - rows[-1][0].box[1] <= SAME_PLACE:
            rows[-1].append(line)
        else:
            rows.append([line])
    outer = rows if len(rows) <= 4 else [*rows[:2], *rows[-2:]]
    low, high = EDGE * sheet.height, (1 - EDGE) * sheet.height
    kept = [[line for line in row if line.box[3] < low or line.box[1] > high] for row in outer]
    return [sorted(row, key=lambda line: line.box[0]) for row in kept if row]


def _mask(line: str) -> str:
    return re.sub(r"\d+", "#", plain_line(line))


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
