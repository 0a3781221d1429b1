"""Files that were cut, shifted or patched: what is still there is read, in order, and a note says what had to be done."""

from __future__ import annotations

import io
import random
import re

import pikepdf
import pytest

from pageindex.document import Edition
from pageindex.errors import DamagedFileError
from pageindex.reading import read_bytes
from pageindex.reading.pdf.api import LOCK
from pageindex.reading.pdf.characters import characters_of
from pageindex.reading.pdf.repair import open_document
from pageindex.reading.pdf.salvage import page_marks, salvage
from tests.support.pdf import Text, draw, encrypted, raw

PAGES = 12
SHEETS = [f"sheet {n} of the bundle" for n in range(PAGES)]


def plain() -> bytes:
    """Objects in the open, an index at the end."""
    return draw(*([Text(72, 100, text)] for text in SHEETS))


def packed() -> bytes:
    """Objects in object streams, as most writers store them."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(plain())) as pdf:
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert b"/ObjStm" in out.getvalue()
    return out.getvalue()


def texts(edition: Edition) -> list[str]:
    return [page.text for page in edition.pages]


def codes(edition: Edition) -> list[str]:
    return [note.code for note in edition.notes]


BOTH = pytest.mark.parametrize("data", [plain(), packed()], ids=["plain", "packed"])


@BOTH
def test_a_sound_file_needs_no_repair(data: bytes) -> None:
    edition = read_bytes(data, "sound.pdf")
    assert texts(edition) == SHEETS
    assert edition.notes == ()
    assert page_marks(data) == PAGES


@BOTH
def test_without_an_index_every_page_is_found(data: bytes) -> None:
    cut = data[: max(data.rfind(b"\nxref"), data.rfind(b"/XRef") - 40)]
    edition = read_bytes(cut, "no-index.pdf")
    assert texts(edition) == SHEETS
    assert "REPAIRED" in codes(edition)


def test_a_cut_off_file_keeps_the_pages_that_arrived() -> None:
    data = plain()
    at = data.index(b"endobj", data.index(b"/Contents", len(data) // 3))
    edition = read_bytes(data[:at], "cut.pdf")
    assert codes(edition)[:2] == ["REPAIRED", "CUT_OFF"]
    assert 0 < edition.page_count <= PAGES


@BOTH
@pytest.mark.parametrize("size", [10, 900, 5_000, 300_000])
def test_what_stands_before_the_header_is_passed_over(data: bytes, size: int) -> None:
    mail = (b"X-Header: from a server\r\n" * (size // 25 + 1))[:size]
    edition = read_bytes(mail + data, "mail.pdf")
    assert texts(edition) == SHEETS
    assert codes(edition) == (["REPAIRED"] if size > 1024 else [])


def test_a_text_that_mentions_a_pdf_is_none() -> None:
    with pytest.raises(DamagedFileError) as caught:
        read_bytes(b"words " * 400 + b"The header %PDF-1.7 is looked for.", "words.pdf")
    assert caught.value.code == "NOT_WHAT_IT_SAYS"


def recounted(count: int) -> bytes:
    data = plain()
    return re.sub(rb"/Count 12\b", b"/Count %d" % count, data)


@pytest.mark.parametrize("count", [1, 2, 11, 13, 40_000])
def test_pages_are_counted_and_not_believed(count: int) -> None:
    edition = read_bytes(recounted(count), "count.pdf")
    assert texts(edition) == SHEETS
    assert codes(edition) == ["REPAIRED"]
    assert f"{count:,}" in edition.notes[0].message
    assert str(PAGES) in edition.notes[0].message


def test_a_count_in_an_object_stream_is_not_believed_either() -> None:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(plain())) as pdf:
        pdf.Root.Pages.Count = 2
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    assert texts(read_bytes(out.getvalue(), "count.pdf")) == SHEETS


def test_pages_of_a_former_version_do_not_count() -> None:
    """An update appends new objects, and leaves the old ones where they were."""
    data = plain()
    page = re.search(rb"\n(3) 0 obj\n(.*?/Type /Page\n.*?)endobj", data, re.DOTALL)
    assert page
    place = len(data)
    update = b"%d 0 obj\n%sendobj\n" % (int(page[1]), page[2])
    root = re.search(rb"/Root (\d+) 0 R", data)
    size = re.search(rb"/Size (\d+)", data)
    assert root and size
    previous = re.findall(rb"startxref\s+(\d+)", data)[-1]
    table = b"xref\n%s 1\n%010d 00000 n \n" % (page[1], place)
    trailer = b"trailer\n<< /Size %s /Root %s 0 R /Prev %s >>\n" % (size[1], root[1], previous)
    updated = data + update + table + trailer + b"startxref\n%d\n%%%%EOF\n" % (place + len(update))
    edition = read_bytes(updated, "updated.pdf")
    assert texts(edition) == SHEETS
    assert edition.notes == ()
    assert page_marks(updated) == PAGES + 1


def test_pages_whose_parent_is_lost_take_its_place() -> None:
    objects: dict[int, str | bytes] = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: "<< /Type /Pages /Count 4 /Kids [10 0 R 3 0 R 13 0 R] >>",  # 3, which held 11 and 12, is lost
        4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    for number, parent in ((10, 2), (11, 3), (12, 3), (13, 2)):
        font = "/Resources << /Font << /F1 4 0 R >> >>"
        objects[number] = (
            f"<< /Type /Page /Parent {parent} 0 R /MediaBox [0 0 300 300] {font} /Contents {number + 10} 0 R >>"
        )
        content = f"BT /F1 12 Tf 20 200 Td (leaf {number}) Tj ET"
        objects[number + 10] = f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
    edition = read_bytes(raw(objects, tail=b""), "lost.pdf")
    assert texts(edition) == ["leaf 10", "leaf 11", "leaf 12", "leaf 13"]


def test_without_a_list_the_pages_stand_as_in_the_file() -> None:
    data = plain()
    data = data[: data.rindex(b"xref\n0")]
    data = data.replace(b"/Type /Catalog", b"/Type /Catalox").replace(b"/Type /Pages", b"/Type /Pagex")
    edition = read_bytes(data, "no-list.pdf")
    assert sorted(texts(edition)) == sorted(SHEETS)
    assert "order in which they stand" in edition.notes[0].message


def test_encrypted_files_keep_their_password() -> None:
    data = encrypted(plain(), user="reader")
    broken = data[: data.rfind(b"startxref")] + b"startxref\n7\n%%EOF\n"
    assert texts(read_bytes(broken, "locked.pdf", password="reader")) == SHEETS


def test_characters_are_those_of_the_repaired_file() -> None:
    data = recounted(2)
    with LOCK, open_document(data, "count.pdf") as document:
        assert "".join(char.text for char in characters_of(document, 9)) == SHEETS[8].replace(" ", "")


def test_the_same_bytes_open_the_same_way() -> None:
    data = plain()[:-700]
    assert read_bytes(data, "cut.pdf").id == read_bytes(data, "cut.pdf").id


@pytest.mark.parametrize("seed", range(4))
def test_noise_is_an_edition_or_a_clear_error(seed: int) -> None:
    rng = random.Random(seed)
    for source in (plain(), packed()):
        for _ in range(25):
            data = bytearray(source)
            for _ in range(rng.choice((1, 10, 40))):
                at = rng.randrange(len(data))
                if rng.random() < 0.5:
                    data[at] = rng.randrange(256)
                else:
                    del data[at : at + rng.randrange(1, 80)]
            found = salvage(bytes(data))
            if found is not None:
                assert found.pages > 0
                assert found.data.endswith(b"%%EOF\n")
            if rng.random() < 0.5:
                data = data[: rng.randrange(len(data) // 4, len(data))]
            try:
                edition = read_bytes(bytes(data), "noise.pdf")
            except DamagedFileError as error:
                assert error.next_step
            else:
                assert edition.page_count > 0
