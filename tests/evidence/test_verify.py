"""An edition against its records and its source: each kind of change by its own name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pageindex import reading
from pageindex.document import Edition, Extractor
from pageindex.document.codec import decode_edition, encode_edition
from pageindex.evidence import Recorded, verify


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    canvas = Canvas(str(path), invariant=1)
    for number in range(3):
        canvas.drawString(72, 700, f"Page {number + 1} says that revenue was 1,204 million in 2022.")
        canvas.showPage()
    canvas.save()
    return path


def codes(edition: Edition, source: Path | None, **options: object) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.page) for finding in verify(edition, source, **options)]  # type: ignore[arg-type]


def forged(edition: Edition, number: int, old: str, new: str) -> Edition:
    assert old in edition.page(number).text
    pages = tuple(replace(p, text=p.text.replace(old, new)) if p.number == number else p for p in edition.pages)
    return replace(edition, pages=pages, lines=())


def test_nothing_changed(source: Path) -> None:
    edition = reading.read(source)
    recorded = Recorded.of(json.loads(encode_edition(edition)["edition.json"]))
    assert codes(edition, source, recorded=recorded, deep=True) == []
    assert codes(edition, source, current=edition.extractor) == []


def test_one_changed_byte_of_the_source_is_drift(source: Path) -> None:
    edition = reading.read(source)
    data = bytearray(source.read_bytes())
    data[-2] ^= 1
    source.write_bytes(data)
    assert codes(edition, source) == [("SOURCE_CHANGED", None)]
    assert codes(edition, source, deep=True) == [("SOURCE_CHANGED", None)]


def test_a_missing_source_is_named(source: Path) -> None:
    edition = reading.read(source)
    assert codes(edition, source.with_name("gone.pdf"), deep=True) == [("MISSING_SOURCE", None)]
    assert codes(edition, None) == [("MISSING_SOURCE", None)]


def test_an_edited_page_file_is_seen_without_the_source(source: Path) -> None:
    files = encode_edition(reading.read(source))
    edited = files["pages.json"].replace(b"Page 2 says", b"Page 2 lies")
    edition = decode_edition(files["edition.json"], edited, files["lines.json.gz"])
    recorded = Recorded.of(json.loads(files["edition.json"]))
    assert codes(edition, source, recorded=recorded) == [("PAGE_EDITED", 2)]


def test_a_forged_page_with_forged_hashes_is_seen_by_reading_anew(source: Path) -> None:
    edition = forged(reading.read(source), 3, "1,204", "1,294")
    recorded = Recorded.of(json.loads(encode_edition(edition)["edition.json"]))
    assert codes(edition, source, recorded=recorded) == []
    assert codes(edition, source, recorded=recorded, deep=True) == [("PAGE_FORGED", 3)]


def test_parts_that_do_not_give_the_recorded_edition(source: Path) -> None:
    edition = reading.read(source)
    recorded = Recorded("0" * 64, tuple(page.sha256 for page in edition.pages))
    assert codes(edition, source, recorded=recorded) == [("EDITION_MISMATCH", None)]
    short = Recorded(edition.id, recorded.page_sha256[:2])
    assert codes(edition, source, recorded=short) == [("PAGE_COUNT_DIFFERS", None)]


def test_another_extractor_version_is_skew_and_no_forgery(source: Path) -> None:
    edition = replace(forged(reading.read(source), 1, "1,204", "1204"), extractor=Extractor("pdfium", "0.1"))
    assert codes(edition, source, deep=True) == [("EXTRACTOR_VERSION_SKEW", None)]
    assert codes(edition, source, current=Extractor("pdfium", "0.2")) == [("EXTRACTOR_VERSION_SKEW", None)]


def test_a_source_that_can_no_longer_be_read_is_named(source: Path) -> None:
    edition = reading.read(source)
    garbage = source.with_name("garbage.pdf")
    garbage.write_bytes(b"%PDF-1.7 nothing")
    import hashlib

    same = replace(edition, source=replace(edition.source, sha256=hashlib.sha256(garbage.read_bytes()).hexdigest()))
    (finding,) = verify(same, garbage, deep=True)
    assert finding.code == "SOURCE_UNREADABLE"
    assert finding.remedy
    assert finding.to_json()["page"] is None
