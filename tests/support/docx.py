"""Word documents written part by part, for what no library writes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

__all__ = ["package", "paragraph", "run"]

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def run(text: str, properties: str = "") -> str:
    """A ``w:r`` with a ``w:t``."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str, properties: str = "", run_properties: str = "") -> str:
    """A ``w:p``; text that begins with ``<`` is taken as its content."""
    content = text if text.startswith("<") else run(text, run_properties)
    return f"<w:p><w:pPr>{properties}</w:pPr>{content}</w:p>"


def package(body: str, parts: Mapping[str, str] | None = None, *, declaration: str = "") -> bytes:
    """A document with that body.

    Args:
        parts: Content of other parts by their name without suffix (``styles``, ``numbering``, ``footnotes``, ``comments``, ``header1`` …),
            each the children of the part's root.
        declaration: Put before the root of the document's part.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f"{declaration}<w:document {_W} {_M}><w:body>{body}</w:body></w:document>"
        )
        related = []
        for name, content in (parts or {}).items():
            kind = name.rstrip("0123456789")
            root = {"header": "hdr", "footer": "ftr"}.get(kind, kind)
            archive.writestr(f"word/{name}.xml", f"<w:{root} {_W} {_M}>{content}</w:{root}>")
            related.append(f'<Relationship Id="{name}" Type="x/{kind}" Target="{name}.xml"/>')
        relations = f'<Relationships xmlns="{_RELATIONS}">{"".join(related)}</Relationships>'
        archive.writestr("word/_rels/document.xml.rels", relations)
    return buffer.getvalue()
