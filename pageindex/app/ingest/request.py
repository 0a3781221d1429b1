"""What is asked for: one file, with what the user wants kept beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageindex.errors import InputError, LimitError, PageIndexError
from pageindex.files import open_regular, spelled
from pageindex.store.base import ROOT_FOLDER

if TYPE_CHECKING:
    from pageindex.reading.workers.frames import Content

__all__ = ["Request", "source_sha256"]


@dataclass(frozen=True, slots=True)
class Request:
    """One file to index.

    Attributes:
        source: A file, or its bytes.
        name: File name the user will know it by; taken from the path when empty, and needed for bytes.
        password: For encrypted files.
        metadata, folder_id: The user's own.
        refused: Why it is not even opened, as ``find_files`` says; it ends in this error.
    """

    source: Path | bytes
    name: str = ""
    password: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    folder_id: str = ROOT_FOLDER
    refused: PageIndexError | None = None

    @property
    def title(self) -> str:
        """How the file is called in the library, in progress and errors; bytes of a name that are not UTF-8 are spelled out."""
        return spelled(self.name or (self.source.name if isinstance(self.source, Path) else "bytes"))

    def content(self, most_bytes: int) -> Content | bytes:
        """What a worker is sent: the bytes of the file, which it cannot open by itself."""
        from pageindex.reading.workers.frames import Content

        return Content(self.source, most_bytes) if isinstance(self.source, Path) else self.source

    @property
    def path(self) -> str:
        """Absolute path of the file, spelled as its title; empty for bytes."""
        return spelled(str(self.source.absolute())) if isinstance(self.source, Path) else ""


def source_sha256(request: Request, most_bytes: int) -> str:
    """Hash of a request's bytes, read in pieces.

    Raises:
        NotFoundError: There is no such file.
        InputError: It cannot be opened or read, is no regular file, or is bytes without a name.
        LimitError: FILE_TOO_LARGE.
    """
    if isinstance(request.source, bytes):
        if not request.name:
            raise InputError("bytes have no name", "Give a name with the suffix of the format, such as report.pdf.")
        _check_size(len(request.source), most_bytes, request.title)
        return hashlib.sha256(request.source).hexdigest()
    opened = open_regular(request.source, most_bytes)
    try:
        return opened.sha256()
    except OSError as error:
        text = f"{spelled(str(request.source))} cannot be read: {error.strerror}"
        raise InputError(text, "Check its disk, and copy it from there.", code="UNREADABLE") from error


def _check_size(size: int, most_bytes: int, name: str) -> None:
    if size > most_bytes:
        text = f"{name} has {size:,} bytes; at most {most_bytes:,} are read"
        raise LimitError(text, code="FILE_TOO_LARGE", limit=most_bytes)
