"""Every limit in one place, each with its unit and its reason."""

from __future__ import annotations

from dataclasses import dataclass, fields

from pageindex.errors import SettingsError

__all__ = ["DEFAULT_LIMITS", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits under which one file is read.

    Attributes:
        seconds: CPU seconds for one file, reading and structure together; the worker is killed after that. How busy the machine is
            does not count.
        page_seconds: CPU seconds for one page, or for one of the other parts of a file (its outline, its labels); a page beyond is
            ``failed``, and the others are read without it.
        wall_seconds: Wall-clock seconds after which a worker is given up, whatever it waits for.
        memory_bytes: Address space beyond what the worker needs to start; a page that needs more is ``failed``.
        crashes: Most pages of one file that may kill their reader or exceed their limits; the pages behind are then left unread.
        file_bytes: Largest source file.
        unpacked_bytes: Most bytes that the parts of a container (DOCX) may unpack to, whatever it says of their sizes.
        pages: Most pages of one file.
        page_chars: Most characters of one page; what is beyond is cut and the page is flagged ``truncated``.
        bookmarks: Most outline entries.
        depth: Deepest level of an outline, a tag tree or a section tree; deeper entries are put at this level.
    """

    seconds: float = 120.0
    page_seconds: float = 20.0
    wall_seconds: float = 3600.0
    memory_bytes: int = 1 << 30
    crashes: int = 100
    file_bytes: int = 1 << 30
    unpacked_bytes: int = 1 << 27
    pages: int = 50_000
    page_chars: int = 2_000_000
    bookmarks: int = 100_000
    depth: int = 64

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not value > 0:
                raise SettingsError(f"the limit {limit.name} is {value!r}", "Give a number above 0.")


DEFAULT_LIMITS = Limits()
