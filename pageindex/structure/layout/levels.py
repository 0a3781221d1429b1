"""Levels of headings from what is printed: number, contents, style, order.

Headings of one kind (same style and same form of number) share a rank. For each pair of kinds a small trained model says whether one
stands above the other, from what can be measured of both (size, weight, numbers, level in the printed contents, which comes first, which
restarts after which). A heading is then the child of the nearest heading before it whose kind stands above its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pageindex.structure.facts import Floats, Ints
from pageindex.structure.layout.model import Trees, stored_arrays
from pageindex.structure.numbering.marks import Number, System

__all__ = ["LEVELS_FILE", "PAIR_COLUMNS", "Heading", "Kinds", "kinds_of", "levels_of", "load", "nested", "pair_rows"]

LEVELS_FILE = "levels.npz"

SURE = 0.4  #: How sure it must be that a kind stands above another; the third answer is that they are equal.

_SYSTEMS = {
    System.ARABIC: 1.0,
    System.ROMAN: 2.0,
    System.ROMAN_LOWER: 3.0,
    System.LETTER: 4.0,
    System.LETTER_LOWER: 5.0,
    System.HAN: 6.0,
    System.CIRCLED: 7.0,
}


@dataclass(frozen=True, slots=True)
class Heading:
    """What decides a level; sizes and lengths are relative to the body text's size.

    Attributes:
        size: Of the type.
        bold, italic, caps, ink, lead: Heavier, slanted, in capitals, in colour, run in to its paragraph.
        number: Settled mark, if any.
        listed: Level in the printed contents (1 is the top), 0 where it is not listed.
        indent, above, centred, top, body_below, chars: As the features of these names.
    """

    size: float
    bold: bool
    italic: bool
    caps: bool
    ink: bool
    lead: bool
    number: Number | None
    listed: int = 0
    indent: float = 0.0
    above: float = 0.0
    centred: float = 1.0
    top: float = 0.0
    body_below: float = 0.0
    chars: float = 0.0

    @property
    def kind(self) -> tuple[object, ...]:
        """Headings with equal keys are of one kind."""
        form = self.number.form if self.number is not None else ""
        return (round(self.size * 16), self.bold, self.italic, self.caps, self.ink, self.lead, form)


@dataclass(frozen=True)
class Kinds:
    """The kinds of a document's headings.

    Attributes:
        of: Kind of each heading; shape (headings,).
        own: Measures of each kind, means over its members; shape (kinds, len(_OWN)).
        between: Measures of each ordered pair of kinds; shape (len(_BETWEEN), kinds, kinds).
    """

    of: Ints
    own: Floats
    between: Floats


_OWN = (
    *("size", "bold", "italic", "caps", "ink", "lead", "numbered", "depth", "system", "prefix", "bracket", "listed"),
    *("indent", "above", "centred", "top", "body_below", "chars", "count", "first"),
)
_BETWEEN = ("follows", "holds", "restarts", "tracks")
_DIFFERENCES = ("bold", "italic", "caps", "ink", "lead", "indent", "above", "centred", "top", "body_below", "chars")
_BOTH = ("numbered", "depth", "system", "prefix", "bracket", "listed", "count", "first")

#: Columns of ``pair_rows``.
PAIR_COLUMNS: tuple[str, ...] = (
    "size_ratio",
    *(f"{name}_more" for name in _DIFFERENCES),
    *(f"one_{name}" for name in _BOTH),
    *(f"other_{name}" for name in _BOTH),
    *("deeper", "listed_deeper", "earlier", "more_often"),
    *_BETWEEN,
    *(f"{name}_back" for name in _BETWEEN),
    "kinds",
)


def levels_of(headings: Sequence[Heading]) -> list[int]:
    """A level for each heading, 1 at the top; each is at most one deeper than the heading before it."""
    if not headings:
        return []
    kinds = kinds_of(headings)
    count = len(kinds.own)
    above = load().scores(pair_rows(kinds)).reshape(count, count)
    return nested(kinds.of, above)


def nested(kind_of: Ints, above: Floats) -> list[int]:
    """Levels by a stack: a heading's parent is the nearest open heading whose kind stands above its own.

    Args:
        kind_of: Kind of each heading; shape (headings,).
        above: How sure (0-1) it is that one kind stands above another; shape (kinds, kinds).
    """
    stands = ((above > above.T) & (above >= SURE)).tolist()
    levels: list[int] = []
    stack: list[int] = []
    for kind in kind_of.tolist():
        while stack and not stands[stack[-1]][kind]:
            stack.pop()
        stack.append(kind)
        levels.append(len(stack))
    return levels


@lru_cache(maxsize=1)
def load() -> Trees:
    """The shipped model over ``PAIR_COLUMNS``, read once per process."""
    return Trees.of(stored_arrays(LEVELS_FILE), PAIR_COLUMNS)


# ---------------------------------------------------------------- measures of kinds and pairs


def kinds_of(headings: Sequence[Heading]) -> Kinds:
    """Sort headings into kinds and measure these."""
    known: dict[tuple[object, ...], int] = {}
    of = np.array([known.setdefault(heading.kind, len(known)) for heading in headings], dtype=np.int64)
    rows = np.array([_measures(heading) for heading in headings])
    count = np.bincount(of).astype(np.float64)
    own = np.stack([np.bincount(of, weights=rows[:, column]) / count for column in range(rows.shape[1])], axis=1)
    listed = _OWN.index("listed")
    named = np.bincount(of, weights=rows[:, listed] > 0)
    # The mean over those that are listed: a kind of which some are missing from the contents keeps its level.
    own[:, listed] = np.where(named > 0, np.bincount(of, weights=rows[:, listed]) / np.maximum(named, 1), 0.0)
    first = np.array([int(np.argmax(of == kind)) for kind in range(len(count))]) / max(len(headings), 1)
    own = np.concatenate([own, np.log1p(count)[:, None], first[:, None]], axis=1)
    return Kinds(of, own, _between(headings, of, len(count)))


def _measures(heading: Heading) -> tuple[float, ...]:
    number = heading.number
    return (
        *(heading.size, float(heading.bold), float(heading.italic), float(heading.caps), float(heading.ink)),
        float(heading.lead),
        float(number is not None),
        float(number.depth) if number is not None else 0.0,
        _SYSTEMS.get(number.systems[0], 8.0) if number is not None else 0.0,
        float(bool(number.prefix)) if number is not None else 0.0,
        float(number.style in ("()", ")", "[]", "）")) if number is not None else 0.0,
        float(heading.listed),
        *(heading.indent, heading.above, heading.centred, heading.top, heading.body_below, heading.chars),
    )


def _between(headings: Sequence[Heading], of: Ints, count: int) -> Floats:
    """How kinds stand to each other in order, for each pair (one, other).

    ``follows``: share of the other's members that come right after one of the first. ``holds``: share of the first's members with some of
    the other before the next of the first. ``restarts``: of the other's members right behind the first's stretch, the share that counts
    from 1. ``tracks``: share of the other's members whose number begins with that of the first before it.
    """
    follows, holds, restarts, fresh, tracks = (np.zeros((count, count)) for _ in range(5))
    total = np.bincount(of, minlength=count).astype(np.float64)
    since = np.ones((count, count), dtype=bool)  # since[a, b]: b was met since the last a
    last_value: list[tuple[int, ...]] = [()] * count
    before = -1
    for heading, kind in zip(headings, of.tolist(), strict=True):
        number = heading.number
        if before >= 0:
            follows[before, kind] += 1
        new = ~since[:, kind]
        holds[:, kind] += new
        fresh[:, kind] += new
        if number is not None:
            restarts[:, kind] += new * (number.values[-1] <= 1)
            if len(number.values) > 1:
                for other in range(count):
                    tracks[other, kind] += last_value[other] == number.values[:-1]
            last_value[kind] = number.values
        since[:, kind] = True
        since[kind, :] = False
        before = kind
    return np.stack(
        [
            follows / total[None, :],
            holds / total[:, None],
            np.where(fresh > 0, restarts / np.maximum(fresh, 1), -1.0),
            tracks / total[None, :],
        ]
    )


def pair_rows(kinds: Kinds) -> Floats:
    """One row for each ordered pair of kinds (one, other), ``one`` varying slowest; columns as ``PAIR_COLUMNS``."""
    own, count = kinds.own, len(kinds.own)
    column = {name: own[:, index] for index, name in enumerate(_OWN)}

    def one(values: Floats) -> Floats:
        return np.repeat(values, count)

    def other(values: Floats) -> Floats:
        return np.tile(values, count)

    def both(name: str, wanted: Floats) -> Floats:
        a, b = one(column[name]), other(column[name])
        return np.where((one(wanted) > 0) & (other(wanted) > 0), b - a, 0.0)

    columns = [np.log(np.maximum(one(column["size"]), 0.01) / np.maximum(other(column["size"]), 0.01))]
    columns += [one(column[name]) - other(column[name]) for name in _DIFFERENCES]
    columns += [one(column[name]) for name in _BOTH] + [other(column[name]) for name in _BOTH]
    columns += [both("depth", column["numbered"]), both("listed", column["listed"])]
    columns += [other(column["first"]) - one(column["first"]), one(column["count"]) - other(column["count"])]
    columns += [part.reshape(-1) for part in kinds.between] + [part.T.reshape(-1) for part in kinds.between]
    columns.append(np.full(count * count, float(count)))
    return np.stack(columns, axis=1)
