"""The container of a DOCX: parts, relationships and their XML (ECMA-376, part 2), under limits and without trust.

Sizes are counted while unpacking, since a container may say anything of them. Entities are never resolved. XML that is not well formed is
kept as far as it can be read, and noted.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from typing import Any, NamedTuple

from pageindex.document import Note
from pageindex.errors import DamagedFileError, LimitError
from pageindex.limits import Limits

__all__ = ["Package", "Relationship"]

_CHUNK = 1 << 20
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)


class Relationship(NamedTuple):
    """A relationship of a part: its kind (the last word of the type), and the name of the part it points to."""

    kind: str
    target: str


class Package:
    """An open container.

    Attributes:
        notes: What was met while parts were read.
        lost: Whether some of what the parts hold could not be read.
    """

    def __init__(self, data: bytes, name: str, limits: Limits) -> None:
        """Raises DamagedFileError when the container cannot be opened."""
        self.name = name
        self.notes: list[Note] = []
        self.lost = False
        self._left = limits.unpacked_bytes
        self._limit = limits.unpacked_bytes
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            self._names = {_folded(entry.filename): entry for entry in self._archive.infolist()}
        except _DAMAGE as error:
            raise DamagedFileError(f"{name} cannot be opened as a Word document: {error}") from error

    def __contains__(self, part: str) -> bool:
        return _folded(part) in self._names

    def read(self, part: str) -> bytes:
        """The bytes of a part.

        Raises:
            DamagedFileError: It cannot be unpacked, or is not there.
            LimitError: TOO_LARGE, when all that was read is more than the limit.
        """
        chunks = []
        try:
            with self._archive.open(self._names[_folded(part)]) as stream:
                while chunk := stream.read(_CHUNK):
                    self._left -= len(chunk)
                    if self._left < 0:
                        message = f"{self.name} unpacks to more than {self._limit} bytes"
                        raise LimitError(message, code="TOO_LARGE", limit=self._limit)
                    chunks.append(chunk)
        except KeyError:
            raise DamagedFileError(f"{self.name} has no part {part}") from None
        except _DAMAGE as error:
            raise DamagedFileError(f"{part} of {self.name} cannot be unpacked: {error}") from error
        return b"".join(chunks)

    def xml(self, part: str) -> Any:
        """The root element of a part; None when there is no such part, or nothing of it can be read (a note says so).

        Raises:
            LimitError: As ``read``.
        """
        from lxml import etree

        if part not in self:
            return None
        try:
            data = self.read(part)
        except DamagedFileError as error:
            self.lost = True
            self.notes.append(Note("PART_NOT_READ", f"{part} is left out: {error.message}"))
            return None
        options: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": True}
        try:
            root = etree.fromstring(data, etree.XMLParser(**options))
        except etree.XMLSyntaxError as error:
            self.lost = True
            self.notes.append(
                Note("XML_DAMAGED", f"{part} is not well formed ({error}); what can be read of it is kept")
            )
            root = _recovered(data, options)
        if root is not None and root.getroottree().docinfo.internalDTD is not None:
            self.notes.append(
                Note("ENTITIES_NOT_READ", f"{part} declares entities, which such a file may not; none is read")
            )
        return root

    def relationships(self, part: str) -> dict[str, Relationship]:
        """By id, those of a part (of the package, for an empty name) that point to other parts."""
        folder, base = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        found = {}
        for item in root.iter("{*}Relationship") if root is not None else ():
            if item.get("TargetMode") != "External":
                target = item.get("Target", "")
                full = (
                    target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
                )
                found[item.get("Id", "")] = Relationship(item.get("Type", "").rpartition("/")[2], full)
        return found


def _recovered(data: bytes, options: dict[str, Any]) -> Any:
    """What a parser that goes on after errors makes of a part; None where there is not even an element to begin with."""
    from lxml import etree

    try:
        return etree.fromstring(data, etree.XMLParser(**options, recover=True))
    except etree.XMLSyntaxError:
        return None


def _folded(part: str) -> str:
    """Part names compare without case; some writers use the wrong slash."""
    return part.replace("\\", "/").lstrip("/").lower()
