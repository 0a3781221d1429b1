"""A page that kills its reader, or takes more than it may, is named as failed; the others are kept."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from math import isfinite
from pathlib import Path

import pytest

from pageindex.document import Edition, PageState
from pageindex.errors import DamagedFileError, LimitError
from pageindex.limits import Limits
from pageindex.reading import WorkerPool, read_isolated
from pageindex.reading.workers import steps
from tests.support.pdf import raw

ROOT = Path(__file__).parents[2]

#: Enough for every other page.
SMALL = Limits(memory_bytes=160 << 20)

FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def stream(content: str, head: str = "") -> str:
    return f"<< {head} /Length {len(content)} >>\nstream\n{content}\nendstream"


def form(draws: str, content: str = "/F Do /F Do") -> str:
    box = "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
    return stream(content, f"{box} /Resources << /XObject << /F {draws} >> >>")


def document(contents: Mapping[int, str], pages: int, objects: Mapping[int, str | bytes], extra: str = "") -> bytes:
    """A file of pages that print ``sheet N``, some with further drawing instructions; ``/B`` is object 90."""
    found: dict[int, str | bytes] = {
        1: f"<< /Type /Catalog /Pages 2 0 R {extra} >>",
        2: f"<< /Type /Pages /Count {pages} /Kids [{' '.join(f'{10 + n} 0 R' for n in range(pages))}] >>",
        3: FONT,
        **objects,
    }
    for n in range(pages):
        resources = "/Resources << /Font << /F1 3 0 R >> /XObject << /B 90 0 R >> >>"
        found[10 + n] = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] {resources} /Contents {40 + n} 0 R >>"
        found[40 + n] = stream(f"BT /F1 12 Tf 20 200 Td (sheet {n + 1}) Tj ET {contents.get(n + 1, '')}")
    return raw(found)


def packed_form(content: bytes) -> bytes:
    body = zlib.compress(content, 9)
    head = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Filter /FlateDecode /Length %d >>" % len(body)
    return head + b"\nstream\n" + body + b"\nendstream"


#: A few kilobytes that become hundreds of megabytes of lines.
BOMB = {90: packed_form(b"0 0 m 9 9 l S " * 1_000_000)}
#: A form that draws itself, and one that does so by way of another, whose resources stand in an object of their own.
ITSELF = {90: form("90 0 R")}
IN_A_CIRCLE = {
    90: form("91 0 R", "/F Do /F Do BT /F1 9 Tf 1 1 Td (kept) Tj ET"),
    91: stream("/F Do /F Do", "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources 92 0 R"),
    92: "<< /XObject << /F 90 0 R >> >>",
}
#: Forms that each draw the next one twice: 2 to the 40th of the last.
DOUBLING = {n: form(f"{n + 1} 0 R") for n in range(90, 130)} | {130: form("130 0 R", "0 0 m")}


def states(edition: Edition) -> list[str]:
    return [page.state.value for page in edition.pages]


def test_a_page_that_fills_the_memory_is_failed_and_the_others_are_kept() -> None:
    edition = read_isolated(document({4: "/B Do"}, 7, BOMB), limits=SMALL)
    assert states(edition) == ["text"] * 3 + ["failed"] + ["text"] * 3
    assert [page.text for page in edition.pages if page.number != 4] == [f"sheet {n}" for n in (1, 2, 3, 5, 6, 7)]
    assert "160 MiB" in edition.page(4).problem
    assert [(note.code, note.page) for note in edition.notes] == [("PAGE_FAILED", 4)]


def test_many_such_pages_cost_no_page_between_them() -> None:
    bad = (1, 2, 6, 9)
    edition = read_isolated(document(dict.fromkeys(bad, "/B Do"), 9, BOMB), limits=SMALL)
    assert [page.number for page in edition.pages if page.state is PageState.FAILED] == list(bad)
    assert [page.number for page in edition.pages if page.state is PageState.TEXT] == [3, 4, 5, 7, 8]


def test_more_than_the_limit_leaves_the_rest_unread() -> None:
    limits = Limits(memory_bytes=160 << 20, crashes=2)
    edition = read_isolated(document(dict.fromkeys((2, 4, 6), "/B Do"), 7, BOMB), limits=limits)
    assert states(edition) == ["text", "failed", "text", "failed", "failed", "failed", "failed"]
    assert edition.page(7).problem.startswith("Not read")


def test_a_page_that_takes_too_long_is_failed() -> None:
    begin = time.monotonic()
    edition = read_isolated(document({2: "/B Do"}, 3, DOUBLING), limits=Limits(page_seconds=0.5))
    assert states(edition) == ["text", "failed", "text"]
    assert "0.5 seconds" in edition.page(2).problem
    assert time.monotonic() - begin < 60


def test_the_time_of_a_file_is_no_page_s_fault() -> None:
    with pytest.raises(LimitError) as caught:
        read_isolated(document({2: "/B Do"}, 3, DOUBLING), limits=Limits(seconds=0.3, page_seconds=20))
    assert caught.value.code == "TIME_LIMIT"


@pytest.mark.parametrize("forms", [ITSELF, IN_A_CIRCLE], ids=["itself", "in a circle"])
def test_a_form_that_draws_itself_costs_nothing_but_that(forms: dict[int, str]) -> None:
    edition = read_isolated(document({2: "/B Do"}, 3, forms), limits=SMALL)
    assert states(edition) == ["text"] * 3
    assert edition.page(2).text.split("\r\n")[0].startswith("sheet 2")
    assert ("kept" in edition.page(2).text) is (forms is IN_A_CIRCLE)
    assert [(note.code, note.page) for note in edition.notes] == [("REPAIRED", 2)]


def test_a_circle_elsewhere_does_not_save_a_bomb() -> None:
    objects = {**BOMB, **{number + 10: body.replace("90 0 R", "100 0 R") for number, body in ITSELF.items()}}
    edition = read_isolated(document({2: "/B Do"}, 3, objects), limits=SMALL)
    assert states(edition) == ["text", "failed", "text"]


def test_labels_that_kill_are_left_out() -> None:
    labels = {80: "<< /Kids [80 0 R] /Limits [0 9] >>"}
    edition = read_isolated(document({}, 3, labels, "/PageLabels 80 0 R"))
    assert states(edition) == ["text"] * 3
    assert [note.code for note in edition.notes] == ["PART_UNREADABLE"]
    assert "page labels" in edition.notes[0].message


def test_a_file_that_kills_at_once_is_an_error() -> None:
    with pytest.raises((DamagedFileError, LimitError)):
        read_isolated(document({1: "/B Do"}, 1, BOMB), limits=Limits(memory_bytes=1 << 20))


def test_the_outcome_is_the_same_each_time() -> None:
    data = document({2: "/B Do"}, 3, BOMB)
    assert read_isolated(data, limits=SMALL).id == read_isolated(data, limits=SMALL).id


def test_an_error_that_nobody_foresaw_fails_its_page_only() -> None:
    """Of a reader that raises what it should not, on the second of three pages."""
    with WorkerPool(1, readable=[ROOT]) as pool:
        first = pool.submit("os:getpid").result()
        found = pool.submit(clumsy, b"", "a.pdf", None).result()
        assert pool.submit("os:getpid").result() == first
    assert list(found) == ["page 2"]
    assert "ZeroDivisionError" in found["page 2"]


def clumsy(data: bytes, name: str, password: str | None, avoid: dict[str, str] | None = None) -> dict[str, str]:
    """Reads three pages, and fails on the second unless it is left out."""
    del data, name, password
    for page in (1, 2, 3):
        if f"page {page}" not in (avoid or {}):
            steps.enter("page", page)
            1 // (page - 2)
    return avoid or {}


def test_a_matrix_without_numbers_is_read() -> None:
    huge = "BT /F1 12 Tf 1e39 1e39 -1e39 1e39 20 100 Tm (odd) Tj ET"
    edition = read_isolated(document({2: huge}, 3, {90: "null"}))
    assert states(edition) == ["text"] * 3
    assert all(isfinite(line.size) for line in edition.lines)
