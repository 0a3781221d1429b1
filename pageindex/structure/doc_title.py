"""The document's own title: what is printed largest at its start, or what the file says where that is printed or nothing is."""

from __future__ import annotations

from collections.abc import Iterator

from pageindex.structure.facts import Facts
from pageindex.structure.titles import clean, join
from pageindex.text import normal

__all__ = ["find"]

FIRST_PAGES = 3  #: The title is looked for on the first pages that have text, this many at most.
MAX_LINES = 6
LONGEST = 200


def find(facts: Facts) -> str:
    """The title, or an empty string."""
    stated = clean(facts.edition.info.get("title", ""))
    tagged = next((clean(tag.title) for tag in facts.edition.tags if tag.level == 0), "")
    if tagged:
        return tagged
    printed = next(_largest(facts), "")
    if stated and _is_printed(stated, facts):
        return stated
    if printed:
        return printed
    return stated if _says_something(stated) else ""


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


def _largest(facts: Facts) -> Iterator[str]:
    """Titles by the largest style of each of the first pages, where it is larger than the body's."""
    for lines in _pages(facts):
        usable = [i for i in lines if not facts.lines[i].angle and len(facts.folded[i]) >= 2]
        if not usable:
            continue
        size = max(float(facts.size[i]) for i in usable)
        if size < facts.body_size * 1.15:
            continue
        chosen = [i for i in usable if facts.size[i] >= size * 0.97][:MAX_LINES]
        title = join([facts.texts[i] for i in _together(chosen)])
        letters = sum(map(str.isalpha, title))
        if 3 <= len(title) <= LONGEST and letters > len(title.replace(" ", "")) / 2:
            yield title


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
