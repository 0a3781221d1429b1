"""A format is declared once; whatever depends on formats follows from the declaration."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pageindex.app.ingest import find_files
from pageindex.document import Extractor
from pageindex.errors import DamagedFileError, UnsupportedFormatError
from pageindex.reading import formats, read
from pageindex.reading.formats import DOCX, FORMATS, HTML, MARKDOWN, PDF, TEXT, Format
from pageindex.reading.inspect import PageInspector
from pageindex.reading.sniff import detect
from tests.support.memos import FORMATS as MEMOS
from tests.support.memos import write_memo


def zipped(*members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member in members:
            archive.writestr(member, "x")
    return buffer.getvalue()


def test_no_two_formats_claim_the_same() -> None:
    for claims in (
        [kind.name for kind in FORMATS],
        [kind.media_type for kind in FORMATS],
        [kind.extractor for kind in FORMATS],
        [suffix for kind in FORMATS for suffix in kind.suffixes],
    ):
        assert len(claims) == len(set(claims))


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_the_declaration_is_true(kind: Format) -> None:
    assert kind.suffixes
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in kind.suffixes)
    assert formats.by_media_type(kind.media_type) is kind
    installed = formats.installed_extractor(kind.extractor)
    assert isinstance(installed, Extractor)
    assert installed == kind.reader().EXTRACTOR
    assert installed.id == kind.extractor
    for suffix in kind.suffixes:
        assert formats.by_suffix(f"Report{suffix.upper()}") is kind
    if kind.inspector:
        assert issubclass(kind.inspector_class(), PageInspector)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", sorted(MEMOS))
def test_a_file_of_each_format_is_read_by_its_own_reader(suffix: str, tmp_path: Path) -> None:
    kind = formats.by_suffix(f"memo{suffix}")
    assert kind is not None
    edition = read(write_memo(tmp_path, suffix))
    assert (edition.source.media_type, edition.extractor.id) == (kind.media_type, kind.extractor)


def test_every_format_has_a_memo() -> None:
    assert {formats.by_suffix(f"a{suffix}") for suffix in MEMOS} == set(FORMATS)


def test_a_folder_holds_what_a_file_may_be(tmp_path: Path) -> None:
    for suffix in formats.suffixes():
        (tmp_path / f"named{suffix}").write_text("x")
    (tmp_path / "other.xlsx").write_text("x")
    assert {found.path.suffix for found in find_files([tmp_path])} == formats.suffixes()
    assert {".rst", ".log", ".mdown"} < formats.suffixes()


def test_what_is_no_format_is_told_what_is() -> None:
    for data in (zipped("xl/workbook.xml"), b"\x89PNG\r\n", b"\x7fELF\0\0"):
        with pytest.raises(UnsupportedFormatError) as caught:
            detect(data, "thing")
        assert all(kind.name in caught.value.next_step for kind in FORMATS)


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"junk %PDF-1.4", "x", PDF),
        (b"%PDF-1.4", "x.html", PDF),
        (b"the header of a PDF is %PDF-1.4", "x.md", MARKDOWN),
        (b"<title>What %PDF-1.4 means</title>", "x.html", HTML),
        (zipped("word/document.xml"), "x", DOCX),
        (zipped("word/document.xml"), "x.txt", DOCX),
        (b"<html><p>quoted", "x.txt", TEXT),
        ("<!doctype html><p>x".encode("utf-16"), "x", HTML),
        (b"plain", "x", TEXT),
        ("plain".encode("utf-32"), "x", TEXT),
        ("plain".encode("utf-32-be"), "x.txt", TEXT),
    ],
)
def test_told_by_bytes_and_then_by_name(data: bytes, name: str, kind: Format) -> None:
    assert detect(data, name) is kind


@pytest.mark.parametrize("name", ["x.pdf", "x.docx"])
def test_a_binary_format_must_show_its_header(name: str) -> None:
    for data in (b"<html><p>404", b"plain words"):
        with pytest.raises(DamagedFileError) as caught:
            detect(data, name)
        assert caught.value.code == "NOT_WHAT_IT_SAYS"


def test_the_help_follows() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "pageindex", "add", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert formats.names() in " ".join(help_text.split())


def test_knowing_the_formats_loads_no_reader() -> None:
    code = (
        "import sys, pageindex.reading.formats as f, pageindex.reading.sniff;"
        "print(sorted({'pypdfium2', 'lxml', 'docx', 'markdown_it'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
