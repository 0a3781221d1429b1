"""Sets of byte ranges, kept sorted and apart."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

__all__ = ["Intervals"]


class Intervals:
    """Half-open ranges ``[start, end)``; touching ranges are one, so that nothing counts twice."""

    def __init__(self, ranges: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in ranges:
            self.add(start, end)

    def add(self, start: int, end: int) -> None:
        """Put a range in; an empty one changes nothing. Raises ValueError for a range that is no range."""
        if start < 0 or end < start:
            raise ValueError(f"{start}-{end} is no range")
        if start == end:
            return
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last], self._ends[first:last] = [start], [end]

    def covers(self, start: int, end: int) -> bool:
        """Whether every byte of a range is in."""
        index = bisect_right(self._starts, start) - 1
        return start >= end or (index >= 0 and self._ends[index] >= end)

    def gaps(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The parts of a range that are not in."""
        position = start
        for low, high in self:
            if high <= position:
                continue
            if low >= end:
                break
            if low > position:
                yield position, low
            position = max(position, high)
        if position < end:
            yield position, end

    @property
    def total(self) -> int:
        return sum(self._ends) - sum(self._starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(list(zip(self._starts, self._ends, strict=True)))

    def __bool__(self) -> bool:
        return bool(self._starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Intervals) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Intervals({list(self)})"
