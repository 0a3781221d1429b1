"""The outline of a PDF as facts, unjudged; a broken one is told apart from none."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from pageindex.document import Bookmark, Note
from pageindex.limits import Limits
from pageindex.reading.pdf.api import FLOATS, api, wide_string
from pageindex.reading.pdf.fonts import Frame

__all__ = ["Outline", "Target", "displayed_y", "is_inner", "read_outline", "resolve"]

_ACTION_KINDS = {1: "action", 2: "remote", 3: "uri", 4: "launch", 5: "remote"}  # FPDFAction_GetType
_XYZ, _FIT_H, _FIT_R, _FIT_BH = 1, 3, 5, 7  # FPDFDest_GetView
_TOP_PARAMETER = {_XYZ: 1, _FIT_H: 0, _FIT_R: 3, _FIT_BH: 0}

_NUMBER = ctypes.c_ulong()


class Target(NamedTuple):
    """Where a destination points: a page (0-based) and a height in that page's own coordinates."""

    page: int | None
    top: float | None
    kind: str


class Outline(NamedTuple):
    """The entries with their targets still in page coordinates, and what was odd about them."""

    entries: list[tuple[str, int, Target]]
    notes: list[Note]

    def bookmarks(self, frames: list[Frame | None]) -> tuple[Bookmark, ...]:
        """The entries with pages counted from 1 and heights on the displayed page."""
        return tuple(
            Bookmark(
                title,
                level,
                target.page + 1 if target.page is not None else None,
                displayed_y(target, frames),
                target.kind,
            )
            for title, level, target in self.entries
        )


def displayed_y(target: Target, frames: list[Frame | None]) -> float | None:
    """The target's height from the top of the displayed page, in points."""
    if target.page is None or target.top is None or target.page >= len(frames):
        return None
    frame = frames[target.page]
    if frame is None or frame.rotation in (90, 270):
        return None  # a height alone is a distance from the side there
    y = frame.top - target.top if frame.rotation == 0 else target.top - frame.bottom
    return round(min(max(y, 0.0), frame.size[1]), 2)


def read_outline(document: int, page_count: int, limits: Limits) -> Outline:
    """All entries in order. Cycles, excess depth and excess entries are cut, each with a note."""
    entries: list[tuple[str, int, Target]] = []
    problems: dict[str, int] = {}
    seen: set[int] = set()
    stack: list[tuple[int, int]] = []
    first = api.FPDFBookmark_GetFirstChild(document, None)
    if first:
        stack.append((first, 1))
    while stack:
        entry, level = stack.pop()
        if entry in seen:
            problems["cycle"] = problems.get("cycle", 0) + 1
            continue
        if len(entries) >= limits.bookmarks:
            problems["excess"] = problems.get("excess", 0) + 1
            break
        seen.add(entry)
        if level > limits.depth:
            problems["depth"] = problems.get("depth", 0) + 1
        title = wide_string(api.FPDFBookmark_GetTitle, entry)
        entries.append((title, min(level, limits.depth), _entry_target(document, entry, page_count)))
        following = api.FPDFBookmark_GetNextSibling(document, entry)
        if following:
            stack.append((following, level))
        child = api.FPDFBookmark_GetFirstChild(document, entry)
        if child:
            stack.append((child, level + 1))
    return Outline(entries, _notes(problems, limits))


def _notes(problems: dict[str, int], limits: Limits) -> list[Note]:
    notes = []
    if "cycle" in problems:
        notes.append(Note("OUTLINE_CYCLE", "The outline points back into itself; each entry is kept once."))
    if "depth" in problems:
        text = f"{problems['depth']} outline entries are deeper than {limits.depth} levels; they stand at level {limits.depth}."
        notes.append(Note("OUTLINE_TOO_DEEP", text))
    if "excess" in problems:
        notes.append(Note("OUTLINE_TOO_LONG", f"Only the first {limits.bookmarks} outline entries are kept."))
    return notes


def _entry_target(document: int, entry: int, page_count: int) -> Target:
    # The action first: PDFium would take the target of a link into another file for one in this file.
    action = api.FPDFBookmark_GetAction(entry)
    if action:
        return action_target(document, action, page_count)
    destination = api.FPDFBookmark_GetDest(document, entry)
    return resolve(document, destination, page_count, "explicit") if destination else Target(None, None, "none")


def is_inner(action: int) -> bool:
    """Whether an action goes to a place in the document."""
    return _ACTION_KINDS.get(api.FPDFAction_GetType(action)) == "action"


def action_target(document: int, action: int, page_count: int) -> Target:
    """Where an action leads; only /GoTo stays in the document."""
    kind = _ACTION_KINDS.get(api.FPDFAction_GetType(action), "none")
    if kind != "action":
        return Target(None, None, kind)
    destination = api.FPDFAction_GetDest(document, action)
    if not destination:
        return Target(None, None, "action")
    return resolve(document, destination, page_count, "action")


def resolve(document: int, destination: int, page_count: int, kind: str) -> Target:
    """Page and height of a destination; no page when it is outside the document."""
    page = api.FPDFDest_GetDestPageIndex(document, destination)
    if not 0 <= page < page_count:
        return Target(None, None, kind)
    view = api.FPDFDest_GetView(destination, ctypes.addressof(_NUMBER), ctypes.addressof(FLOATS))
    at = _TOP_PARAMETER.get(view)
    if at is None or at >= _NUMBER.value:
        return Target(page, None, kind)
    top = float(FLOATS[at])
    return Target(page, top if abs(top) < 1e6 and (top != 0.0 or view != _XYZ) else None, kind)
