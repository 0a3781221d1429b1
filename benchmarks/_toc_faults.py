"""What went wrong in a tree, counted by the kind of fault, for people who have to mend the kind."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Any

from rapidfuzz import fuzz, process

from pageindex.structure.numbering.marks import bare_title

__all__ = ["bookmark_figures", "faults_of", "folded"]


def folded(title: str) -> str:
    """Letters and digits only, compatibility forms and case folded."""
    text = unicodedata.normalize("NFKC", title).casefold()
    return "".join(c for c in text if c.isalnum()) or text


def faults_of(predicted: list[dict[str, Any]], gold: list[dict[str, Any]], most: int = 3) -> str:
    """Missed and extra headings by kind of fault, with the most frequent kinds first and one example each."""
    true = [row for row in gold if row["printed"] and row["page"] is not None]
    by_page: dict[int, list[str]] = {}
    for row in predicted:
        by_page.setdefault(row["page"], []).extend(_forms(row["title"]))
    gold_page: dict[int, list[str]] = {}
    for row in gold:
        gold_page.setdefault(row["page"] or 0, []).extend(_forms(row["title"]))
    missed = [(_miss(row, by_page), row["title"]) for row in true]
    repeats = Counter(folded(row["title"]) for row in predicted)
    extra = [(_extra(row, gold_page, repeats), row["title"]) for row in predicted]
    return f"missed: {_counted(missed, most)}; extra: {_counted(extra, most)}"


def _counted(found: list[tuple[str, str]], most: int) -> str:
    kinds = Counter(kind for kind, _ in found if kind)
    examples = dict(reversed(found))
    parts = [f"{count} {kind} ({_short(examples[kind])})" for kind, count in kinds.most_common(most)]
    return ", ".join(parts) or "none"


def _short(title: str) -> str:
    text = " ".join(title.split()).replace("|", "/")
    return text if len(text) <= 40 else text[:39] + "…"


def _near(title: str, titles: list[str]) -> float:
    best = process.extractOne(title, titles, scorer=fuzz.ratio) if titles else None
    return best[1] if best else 0.0


def _forms(title: str) -> list[str]:
    return [form for form in {folded(title), folded(bare_title(title))} if form]


def _found(title: str, titles: list[str]) -> bool:
    return any(_near(form, titles) >= 90 for form in _forms(title))


def _miss(row: dict[str, Any], by_page: dict[int, list[str]]) -> str:
    title, page = folded(row["title"]), row["page"]
    here = by_page.get(page, [])
    if _found(row["title"], here):
        return ""
    if any(len(other) > 3 and (other in title or title in other) for other in here):
        return "cut or joined wrongly"
    if _found(row["title"], by_page.get(page - 1, []) + by_page.get(page + 1, [])):
        return "on the next page"
    head = row["title"][:1]
    return f"numbered level {row['level']}" if head.isdigit() else f"plain level {row['level']}"


def _extra(row: dict[str, Any], gold_page: dict[int, list[str]], repeats: Counter[str]) -> str:
    title, page = folded(row["title"]), row["page"]
    if _found(row["title"], gold_page.get(page, [])):
        return ""
    if repeats[title] > 2:
        return "repeated text"
    if _found(row["title"], gold_page.get(page - 1, []) + gold_page.get(page + 1, [])):
        return "true on the next page"
    if len(row["title"]) > 100 or row["title"].rstrip()[-1:] in ".;,":
        return "sentence"
    return f"numbered level {row['level']}" if row["title"][:1].isdigit() else f"plain level {row['level']}"


def bookmark_figures(predicted: list[dict[str, Any]], gold: list[dict[str, Any]]) -> tuple[int, int, int]:
    """Bookmarks whose title stands at their page, bookmarks that have a page, and headings that stand twice on one page."""
    here = Counter((folded(row["title"]), row["page"]) for row in predicted)
    wanted = Counter((folded(row["title"]), row["page"]) for row in gold if row["page"] is not None and row["title"])
    kept = sum(min(count, here[key]) for key, count in wanted.items())
    doubles = sum(count - max(1, wanted[key]) for key, count in here.items() if count > max(1, wanted[key]))
    return kept, sum(wanted.values()), doubles
