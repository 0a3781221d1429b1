"""Names and values of WordprocessingML, transitional and strict alike."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["child", "integer", "name", "switch", "value"]

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "urn:schemas-microsoft-com:vml": "v",
}
_OFF = frozenset(["0", "false", "off", "none"])


def name(element: Any) -> str:
    """``w:p``; empty for comments, entities and elements of other vocabularies."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    namespace, _, local = tag[1:].rpartition("}")
    prefix = _PREFIXES.get(namespace, "")
    return f"{prefix}:{local}" if prefix else ""


def child(element: Any, path: str) -> Any:
    """The first element at a path of local names below ``element``; None when there is none, or no element."""
    return None if element is None else element.find("/".join(f"{{*}}{step}" for step in path.split("/")))


def value(element: Any, attribute: str = "val") -> str:
    """An attribute in the element's own vocabulary; empty when it or the element is missing."""
    if element is None:
        return ""
    namespace = element.tag.rpartition("}")[0]
    found: str = element.get(f"{namespace}}}{attribute}", "")
    return found


def integer(element: Any, attribute: str = "val") -> int | None:
    """An attribute that is a whole number; None for anything else."""
    found = value(element, attribute).strip()
    return int(found) if re.fullmatch(r"-?\d{1,9}", found) else None


def switch(properties: Any, wanted: str) -> bool | None:
    """A property that is on or off; None when it is not given."""
    found = child(properties, wanted)
    return None if found is None else value(found).lower() not in _OFF
