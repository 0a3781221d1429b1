"""Pages of sources that are not drawn: a reader of pages that gives what it was made with."""

from __future__ import annotations

from pathlib import Path

from pageindex.app.pages import PageReader

__all__ = ["Drawn"]


class Drawn(PageReader):
    """Gives one picture for every page, and keeps which were asked for."""

    def __init__(self, picture: bytes) -> None:
        super().__init__()
        self.picture, self.asked = picture, list[int]()

    def image(self, media_type: str, path: Path, page: int, password: str | None = None) -> bytes | None:
        self.asked.append(page)
        return self.picture
