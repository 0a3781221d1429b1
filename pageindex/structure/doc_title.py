"""The document's own title: what is printed largest at its start, or what the file says where that is printed or nothing is."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from pageindex.structure.facts import Facts
from pageindex.structure.numbering.marks import parse
from pageindex.structure.titles import clean, join
from pageindex.text import normal

__all__ = ["find"]

FIRST_PAGES = 3  #: The title is looked for on the first pages that have text, this many at most.
MAX_LINES = 6
LISTED = 3  #: Entries of a contents list that stand under its title.
LONGEST = 200

_LAST_NUMBER = re.compile(r"\d{1,5}\Z")


def find(facts: Facts, listed: Container[int] = ()) -> str:
    """The title, or an empty string.

    Args:
        facts: Of the document.
        listed: Lines of contents lists: neither they nor what stands over them is the title.
    """
    stated = clean(facts.edition.info.get("title", ""))
    tagged = next((clean(tag.title) for tag in facts.edition.tags if tag.level == 0), "")
    if tagged:
        return tagged
    if stated and _is_printed(stated, facts):
        return stated
    printed = list(_largest(facts, listed))
    plain = next((title for title in printed if not _is_numbered(title)), "")
    if plain or _says_something(stated):
        return plain or stated
    return next(iter(printed), "")


def _is_numbered(title: str) -> bool:
    """The heading of a section, such as "1 Introduction"."""
    number = parse(title)
    return number is not None and number.firm and number.end < len(title)


def _pages(facts: Facts) -> Iterator[list[int]]:
    """Indices of the lines of the first pages that have any."""
    found = 0
    for page in range(1, facts.edition.page_count + 1):
        lines = [i for i in facts.on(page) if not facts.running[i] and any(map(str.isalpha, facts.texts[i]))]
        if lines:
            yield lines
            found += 1
        if found == FIRST_PAGES:
            return


def _largest(facts: Facts, listed: Container[int]) -> Iterator[str]:
    """Titles by the largest style of each of the first pages, where it is larger than the body's."""
    for lines in _pages(facts):
        usable = [i for i in lines if not facts.lines[i].angle and len(facts.folded[i]) >= 2]
        if not usable:
            continue
        size = max(float(facts.size[i]) for i in usable)
        if size < facts.body_size * 1.15:
            continue
        chosen = [i for i in usable if facts.size[i] >= size * 0.97][:MAX_LINES]
        together = _together(chosen)
        if _heads_list(together[-1], facts, listed):
            continue
        title = join([facts.texts[i] for i in together])
        letters = sum(map(str.isalpha, title))
        if 3 <= len(title) <= LONGEST and letters > len(title.replace(" ", "")) / 2:
            yield title


def _heads_list(last: int, facts: Facts, listed: Container[int]) -> bool:
    """Whether the rows right under a line are entries of a contents list, whether or not that could be read as one."""
    rows: list[int] = []  # last cell of each row
    for i in range(last + 1, facts.on(facts.lines[last].page).stop):
        if rows and facts.lines[i].box.y0 < facts.lines[rows[-1]].box.y1 - 1:
            rows[-1] = i
        elif len(rows) == LISTED:
            break
        else:
            rows.append(i)
    numbers = [_LAST_NUMBER.search(facts.texts[i]) for i in rows]
    rising = [int(number[0]) for number in numbers if number is not None]
    entries = all(i in listed for i in rows) or (len(rising) == LISTED and rising == sorted(rising))
    return len(rows) == LISTED and entries


def _together(indices: list[int]) -> list[int]:
    """The first of the lines and those that follow it directly."""
    kept = indices[:1]
    for i in indices[1:]:
        if i - kept[-1] > 1:
            break
        kept.append(i)
    return kept


def _is_printed(title: str, facts: Facts) -> bool:
    """Whether the stated title is printed on the first pages, line breaks apart."""
    wanted = normal.title(title)
    return len(wanted) >= 4 and any(wanted in "".join(facts.folded[i] for i in lines) for lines in _pages(facts))


def _says_something(title: str) -> bool:
    """Not a file name or a program's default."""
    return " " in title and not title.lower().startswith(("microsoft word", "untitled")) and "." not in title[-5:]
