"""What the fuzzers found, each as the smallest input of its kind."""

from __future__ import annotations

import io
import zipfile

import pytest

from pageindex.errors import DamagedFileError
from pageindex.reading import read_bytes
from tests.support.docx import package, paragraph


def test_markdown_nested_deeper_than_its_parser_goes_keeps_its_text() -> None:
    edition = read_bytes(b"> " * 40 + b"words below forty quotes", "deep.md")
    assert "words below forty quotes" in edition.pages[0].text


@pytest.mark.parametrize("content", [b"", b"\0\0", b"no markup"])
def test_a_part_of_a_package_without_a_single_element(content: bytes) -> None:
    """A damaged document is said to be one; a damaged part beside it is left out."""

    def with_part(name: str) -> bytes:
        out = io.BytesIO()
        whole = package(paragraph("Words that stay."), {"styles": ""})
        with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w") as new:
            for part in old.namelist():
                new.writestr(part, content if part == name else old.read(part))
        return out.getvalue()

    assert "Words that stay." in read_bytes(with_part("word/styles.xml"), "x.docx").pages[0].text
    with pytest.raises(DamagedFileError):
        read_bytes(with_part("word/document.xml"), "x.docx")
