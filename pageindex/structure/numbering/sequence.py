"""What marks mean in sequence: roman or letter, a counting word or just a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pageindex.structure.numbering.marks import Number, System

__all__ = ["rising_share", "settle", "whole"]

_ROMANS = (System.ROMAN, System.ROMAN_LOWER)


def whole(number: Number) -> Number:
    """A number that counts what its parts are parts of: ``1.0`` before ``1.1`` is ``1``."""
    if number.depth == 2 and number.values[1] == 0 and number.systems[1] is System.ARABIC and number.separator == ".":
        return number._replace(values=number.values[:1], systems=number.systems[:1], separator="")
    return number


def settle(numbers: Sequence[Number | None]) -> list[Number | None]:
    """Decide doubtful marks by those around them; same length and order as given, None where a mark counts nothing.

    Marks that may be roman or letter ("I", "C") take the reading that continues a sequence. Words before a number stay a prefix only
    where the same word comes back with a rising number. Marks that are not firm stay only as part of a chain that starts at 1.
    """
    settled: list[Number | None] = list(numbers)
    _settle_systems(settled)
    groups: dict[str, list[int]] = {}
    for index, number in enumerate(settled):
        if number is not None and not number.firm:
            groups.setdefault(number.form, []).append(index)
    for members in groups.values():
        chosen = [n for i in members if (n := settled[i]) is not None]
        keep = _counting(chosen) if chosen[0].prefix else _chained(chosen)
        for position, index in enumerate(members):
            if position not in keep:
                settled[index] = None
    return settled


def _settle_systems(numbers: list[Number | None]) -> None:
    """Choose, in place, among the readings of each mark: the one that continues what came before or is continued by what follows."""
    families: dict[tuple[str, str, int, bool], list[int]] = {}
    for index, number in enumerate(numbers):
        if number is not None and number.systems[0] in _LETTERLIKE:
            key = (number.prefix, number.style, number.depth, number.systems[0] in _LOWER)
            families.setdefault(key, []).append(index)
    for members in families.values():
        if not any(n.others for i in members if (n := numbers[i]) is not None):
            continue
        last: dict[System, int] = {}
        for position, index in enumerate(members):
            number = numbers[index]
            if number is None:
                continue
            if number.others:
                ahead = [n for i in members[position + 1 : position + 40] if (n := numbers[i]) is not None]
                number = numbers[index] = _choose(number, last, ahead)
            last[number.systems[0]] = number.values[0]


_LETTERLIKE = (
    System.LETTER,
    System.LETTER_LOWER,
    System.ROMAN,
    System.ROMAN_LOWER,
    System.ABJAD,
    System.PERSIAN,
)
_LOWER = (System.LETTER_LOWER, System.ROMAN_LOWER)


def _choose(number: Number, last: dict[System, int], ahead: Sequence[Number]) -> Number:
    def score(reading: Number) -> float:
        system, value = reading.systems[0], reading.values[0]
        before = last.get(system)
        points = 0.0
        if before is not None and before + 1 == value:
            points += 4.0 if value > 1 else 0.0
        elif before is not None and before == value and reading.depth > 1:
            points += 4.0
        elif value == 1 or (before is not None and 0 < value - before <= 3):
            points += 1.0
        if any(_reads(other, system, value + 1) for other in ahead):
            points += 1.5
        return points

    readings = (number, *number.others)
    best = max(readings, key=score)  # the likelier reading comes first and wins ties
    return best._replace(others=())


def _reads(number: Number, system: System, value: int) -> bool:
    return any(r.systems[0] is system and r.values[0] == value for r in (number, *number.others))


def rising_share(values: Iterable[tuple[int, ...]]) -> float:
    """Share of steps between different neighbours that go up; 1 for a sequence without steps."""
    up = steps = 0
    before: tuple[int, ...] | None = None
    for value in values:
        if before is not None and value != before:
            steps += 1
            up += value > before
        before = value
    return up / steps if steps else 1.0


def _counting(numbers: Sequence[Number]) -> frozenset[int]:
    """All of them where a word counts: two different numbers or more, mostly rising. Else none."""
    values = [(*n.values, n.suffix) for n in numbers]
    good = len(set(values)) >= 2 and rising_share(values) >= 0.5
    return frozenset(range(len(numbers))) if good else frozenset()


def _chained(numbers: Sequence[Number]) -> frozenset[int]:
    """Positions of marks that stand in a chain 1, 2, …; the latest possible predecessor is taken, so that stray first marks fall out."""
    latest: dict[tuple[int, ...], int] = {}
    chain: dict[int, int] = {}
    heads: set[int] = set()
    for position, number in enumerate(numbers):
        value = number.values
        if value[-1] == 1:
            heads.add(position)
        elif (before := latest.get((*value[:-1], value[-1] - 1))) is not None and (before in heads or before in chain):
            chain[position] = before
        latest[value] = position
    return frozenset(chain) | (heads & frozenset(chain.values()))
