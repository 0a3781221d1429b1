"""Encrypted, damaged, looping and exploding PDFs: an edition or one clear error, in time, and the caller lives."""

from __future__ import annotations

import time
import zlib
from pathlib import Path

import pytest

from pageindex.errors import DamagedFileError, InputError, LimitError, NotFoundError, PageIndexError, PasswordError
from pageindex.limits import Limits
from pageindex.reading import read, read_bytes, read_isolated
from tests.support.pdf import Text, draw, encrypted, raw

PLAIN = draw([Text(72, 100, "The secret of the first page")], [Text(72, 100, "and of the second")])
TEXTS = ["The secret of the first page", "and of the second"]

REVISIONS = pytest.mark.parametrize("revision", [2, 3, 4, 6], ids=["rc4-40", "rc4-128", "aes-128", "aes-256"])


def texts(data: bytes, password: str | None = None) -> list[str]:
    return [page.text for page in read_bytes(data, "file.pdf", password=password).pages]


class TestEncryption:
    @REVISIONS
    def test_an_empty_user_password_opens(self, revision: int) -> None:
        assert texts(encrypted(PLAIN, revision=revision)) == TEXTS

    @REVISIONS
    def test_either_password_gives_the_same_text(self, revision: int) -> None:
        data = encrypted(PLAIN, user="reader", owner="writer", revision=revision)
        assert texts(data, "reader") == texts(data, "writer") == TEXTS

    @REVISIONS
    def test_no_and_wrong_passwords_are_named(self, revision: int) -> None:
        data = encrypted(PLAIN, user="reader", owner="writer", revision=revision)
        with pytest.raises(PasswordError) as missing:
            texts(data)
        assert missing.value.code == "PASSWORD_REQUIRED"
        with pytest.raises(PasswordError) as wrong:
            texts(data, "guess")
        assert wrong.value.code == "PASSWORD_WRONG"
        assert "password" in wrong.value.next_step

    def test_letters_beyond_ascii(self) -> None:
        assert texts(encrypted(PLAIN, user="Größe", owner="w"), "Größe") == TEXTS

    def test_a_password_for_a_file_without_one_is_ignored(self) -> None:
        assert texts(PLAIN, "needless") == TEXTS

    def test_the_edition_does_not_depend_on_the_password(self) -> None:
        data = encrypted(PLAIN, user="reader", owner="writer")
        ids = {read_bytes(data, "file.pdf", password=word).id for word in ("reader", "writer")}
        assert len(ids) == 1


class TestNoPdf:
    @pytest.mark.parametrize(
        ("data", "code", "word"),
        [
            (b"", "EMPTY_FILE", "empty"),
            (b"\0" * 500, "EMPTY_FILE", "blanks"),
            (b"<!DOCTYPE html><html><body>404</body></html>", "NOT_WHAT_IT_SAYS", "HTML"),
            (b"\n<!-- saved --><html><p>404", "NOT_WHAT_IT_SAYS", "HTML"),
            (b"Just a few words, no PDF at all.", "NOT_WHAT_IT_SAYS", "header"),
            (PLAIN[:40], "DAMAGED_FILE", "PDF"),
            (
                raw({1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 0 /Kids [] >>"}),
                "NO_PAGES",
                "page",
            ),
        ],
    )
    def test_each_is_one_clear_error(self, tmp_path: Path, data: bytes, code: str, word: str) -> None:
        path = tmp_path / "file.pdf"
        path.write_bytes(data)
        with pytest.raises(DamagedFileError, match=word) as caught:
            read(path)
        assert caught.value.code == code
        assert caught.value.next_step
        assert "file.pdf" in str(caught.value)

    def test_a_folder_and_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError) as folder:
            read(tmp_path)
        assert folder.value.code == "IS_A_FOLDER"
        with pytest.raises(NotFoundError):
            read(tmp_path / "none.pdf")

    def test_too_large_and_too_many_pages(self, tmp_path: Path) -> None:
        path = tmp_path / "file.pdf"
        path.write_bytes(PLAIN)
        with pytest.raises(LimitError):
            read(path, limits=Limits(file_bytes=100))
        with pytest.raises(LimitError) as caught:
            read(path, limits=Limits(pages=1))
        assert caught.value.code == "TOO_MANY_PAGES"

    def test_junk_before_the_header_is_no_fault(self) -> None:
        assert texts(b"HTTP/1.1 200 OK\r\n\r\n" + PLAIN) == TEXTS


def page(number: int, contents: str = "") -> str:
    return f"<< /Type /Page /Parent {number} 0 R /MediaBox [0 0 300 300] {contents} >>"


class TestLoops:
    def test_xref_tables_that_point_at_each_other(self) -> None:
        objects = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>", 3: page(2)}
        data = raw(objects)
        place = data.rindex(b"xref\n0")
        data = data.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % place)
        begin = time.monotonic()
        outcome = ended(data)
        assert time.monotonic() - begin < 10
        assert outcome in ("1 page", "DAMAGED_FILE")

    def test_a_page_tree_that_contains_itself(self) -> None:
        objects = {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Count 4 /Kids [3 0 R 2 0 R 4 0 R] >>",
            3: page(2),
            4: "<< /Type /Pages /Parent 2 0 R /Count 2 /Kids [2 0 R 4 0 R] >>",
        }
        begin = time.monotonic()
        outcome = ended(raw(objects))
        assert time.monotonic() - begin < 10
        assert outcome in ("1 page", "4 pages", "NO_PAGES")

    def test_a_form_that_draws_itself(self) -> None:
        form = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> /Length 6 >>\nstream\n/F Do \nendstream"
        objects: dict[int, str | bytes] = {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            3: page(2, "/Resources << /XObject << /F 5 0 R >> >> /Contents 4 0 R"),
            4: "<< /Length 6 >>\nstream\n/F Do \nendstream",
            5: form,
        }
        assert ended(raw(objects)) in ("1 page", "READER_CRASHED", "MEMORY_LIMIT")

    def test_a_stream_that_unpacks_to_gigabytes(self) -> None:
        once = zlib.compress(b"0 0 m " * (200 << 20 >> 2), 9)
        twice = zlib.compress(once, 9)
        body = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n" % len(twice) + twice + b"\nendstream"
        objects: dict[int, str | bytes] = {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            3: page(2, "/Contents 4 0 R"),
            4: body,
        }
        limits = Limits(seconds=20, memory_bytes=256 << 20)
        begin = time.monotonic()
        assert ended(raw(objects), limits) in ("1 page", "READER_CRASHED", "MEMORY_LIMIT", "TIME_LIMIT")
        assert time.monotonic() - begin < 30


def ended(data: bytes, limits: Limits | None = None) -> str:
    """How reading ends in a worker: the number of pages, or the code of the error."""
    try:
        edition = read_isolated(data, name="hostile.pdf", limits=limits or Limits(seconds=20))
    except PageIndexError as error:
        assert error.next_step
        return error.code
    return f"{edition.page_count} page{'s' if edition.page_count > 1 else ''}"
