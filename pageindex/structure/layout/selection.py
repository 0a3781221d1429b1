"""Which units to take as headings of one document: as many of the best as its scores warrant, and what their numbers complete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from pageindex.structure.facts import Bools, Floats, Ints
from pageindex.structure.numbering.marks import Number, System

__all__ = ["chosen", "completed"]

LEAST = 0.15  #: A unit that scores less is no heading, even where nothing scores more.
MIN_RUN = 3  #: Fewest members of a numbered run that is completed.
MIN_SHARE = 0.5  #: Share of a run that must be taken, or have taken parts below it, before the rest is.
MIN_SCORE = 0.02  #: A member that scores less stays out of a run that is completed.


def chosen(scores: Floats) -> Bools:
    """The blocks to take: as many of the best as give the highest expected F1, if scores are probabilities.

    With the ``k`` best taken, expected F1 is about ``2 Σ_k p / (k + Σ p)``. So a document in which every score is low gets headings,
    too, and one with many sure headings does not take the doubtful ones. (The plug-in rule for the F-measure; Ye, Chai, Lee and
    Chieu, "Optimizing F-measure", ICML 2012.) Nothing is taken where nothing looks like a heading at all.
    """
    taken = np.zeros(len(scores), dtype=bool)
    if not len(scores):
        return taken
    order = np.argsort(-scores, kind="stable")
    running = np.cumsum(scores[order])
    quality = 2 * running / (np.arange(1, len(scores) + 1) + running[-1])
    taken[order[: int(np.argmax(quality)) + 1]] = True
    return np.asarray(taken & (scores >= LEAST))


def completed(taken: Bools, scores: Floats, group: Ints, numbers: Sequence[Number | None]) -> Bools:
    """What was taken, with the rest of numbered runs: headings of one style whose numbers rise are sections together or not at all.

    A run is completed where half of it is taken. A run I, II, III or A, B, C is taken as a whole where parts that start again below
    half of its members are: nothing else restarts them. A run 1, 2, 3 is completed where one of its members has taken parts of its own.
    """
    runs: dict[int, list[int]] = {}
    for index, (key, number) in enumerate(zip(group.tolist(), numbers, strict=True)):
        if number is not None:
            runs.setdefault(key, []).append(index)
    result = taken.copy()
    for members in sorted(
        runs.values(), key=lambda run: -_depth(numbers[run[0]])
    ):  # parts before what they are parts of
        share = float(taken[members].mean())
        values = [number.values for i in members if (number := numbers[i]) is not None]
        if share == 1.0 or (len(members) < MIN_RUN and not _siblings(values)):
            continue
        if share >= MIN_SHARE:
            if all(before < after for before, after in pairwise(values)):
                result[[i for i in members if scores[i] > MIN_SCORE]] = True
        elif values == [(n,) for n in range(1, len(values) + 1)] and _restarted(members, taken, group, numbers):
            result[members] = True
        elif values == [(n,) for n in range(1, len(values) + 1)] and _divided(members, result, numbers):
            result[[i for i in members if scores[i] > MIN_SCORE]] = True
    return result


def _depth(number: Number | None) -> int:
    return number.depth if number is not None else 0


def _divided(members: Sequence[int], taken: Bools, numbers: Sequence[Number | None]) -> bool:
    """Whether a taken member of a run 1, 2, 3 has at least two taken parts (2.1, 2.2) before the next: then the run counts sections."""
    ends = [*members[1:], len(numbers)]
    for start, end, value in zip(members, ends, range(1, len(members) + 1), strict=True):
        inside = [n.values for i in range(start + 1, end) if taken[i] and (n := numbers[i]) is not None]
        if taken[start] and sum(len(v) == 2 and v[0] == value for v in inside) > 1:
            return True
    return False


def _siblings(values: Sequence[tuple[int, ...]]) -> bool:
    """Whether a short run counts one parent's parts from 1, so that none of it can be there without the others: 2.1, 2.2."""
    return len(values) > 1 and values == [(*values[0][:-1], n) for n in range(1, len(values) + 1)]


def _restarted(members: Sequence[int], taken: Bools, group: Ints, numbers: Sequence[Number | None]) -> bool:
    """Whether most members of a run of capitals (roman or letters) are followed by a taken part that counts from 1."""
    first = numbers[members[0]]
    if first is None or first.system not in (System.ROMAN, System.LETTER):
        return False
    ends = [*members[1:], len(numbers)]
    opened = sum(
        any(
            taken[i]
            and (n := numbers[i]) is not None
            and n.depth == 1
            and n.values[0] <= 1
            and group[i] != group[start]
            for i in range(start + 1, end)
        )
        for start, end in zip(members, ends, strict=True)
    )
    return opened >= max(2.0, MIN_SHARE * len(members))
