"""Plain text: its encodings, its pages, and what its writers set off."""

from __future__ import annotations

import random

import pytest

from pageindex.document import Edition, PageState
from pageindex.errors import DamagedFileError, LimitError, UnsupportedFormatError
from pageindex.limits import Limits
from pageindex.reading import read_bytes
from pageindex.structure import build_tree
from tests.support.virtual import whole

GERMAN = "Grün ist die Hoffnung, und über die Brücke fährt täglich ein Zug nach Köln.\n"
RUSSIAN = "Это история порта и его глубины. Порт построен давно.\n"


def read(value: str | bytes, limits: Limits | None = None) -> Edition:
    return read_bytes(value if isinstance(value, bytes) else value.encode(), "a.txt", limits=limits or Limits())


def notes(edition: Edition) -> list[str]:
    return [note.code for note in edition.notes]


def test_form_feeds_are_pages() -> None:
    edition = read("one\n\ftwo\n\f\n\fthree")
    assert [page.text for page in edition.pages] == ["one\n\f", "two\n\f", "\n\f", "three"]
    assert edition.page(3).state is PageState.BLANK


def test_nothing_is_taken_for_a_marked_heading() -> None:
    edition = read("Title\n=====\n\ntext\n")
    assert edition.tags == ()
    assert edition.tag_coverage == 0.0


def test_one_endless_line_is_cut_and_displayed_on_many() -> None:
    value = "x" * 10_000
    edition = read(value)
    assert whole(edition) == value
    assert [len(page.text) for page in edition.pages] == [4_000, 4_000, 2_000]
    assert "".join(line.text for line in edition.lines) == value
    assert max(len(line.text) for line in edition.lines) <= 100


def test_too_many_pages_is_a_limit() -> None:
    with pytest.raises(LimitError):
        read(b"a\f" * 50, Limits(pages=10))


def test_surrogates_never_reach_an_anchor() -> None:
    assert whole(read("a\ud800b".encode("utf-16", "surrogatepass"))).encode("utf-8")


@pytest.mark.parametrize(
    ("text", "codec", "noted"),
    [
        (GERMAN, "utf-8", False),
        (GERMAN, "utf-8-sig", False),
        (GERMAN, "utf-16", False),
        (GERMAN, "utf-32", False),
        (GERMAN, "utf-16-le", False),
        (GERMAN, "utf-16-be", False),
        (GERMAN, "cp1252", True),
        (RUSSIAN, "koi8-r", True),
        (RUSSIAN, "cp1251", True),
        (RUSSIAN, "cp866", True),
        ("これは港の記録です。水深は十メートル。\n", "shift_jis", True),
        ("これは港の記録です。水深は十メートル。\n", "euc_jp", True),
        ("これは港の記録です。水深は十メートル。\n", "iso2022_jp", True),
        ("港口的记录。水深为十米。\n", "gb18030", True),
        ("港口的記錄。水深為十公尺。\n", "big5", True),
        ("항구의 기록입니다. 수심은 십미터입니다.\n", "euc_kr", True),
        ("Το λιμάνι είναι βαθύ και ωραίο.\n", "iso-8859-7", True),
        ("It’s “quoted” – yes…\n", "cp1252", True),
    ],
)
def test_encodings_are_told_and_guesses_are_noted(text: str, codec: str, noted: bool) -> None:
    edition = read(text.encode(codec))
    assert whole(edition) == text
    assert edition.page(1).state is PageState.TEXT
    assert notes(edition) == (["ENCODING_GUESSED"] if noted else [])


@pytest.mark.parametrize("codec", ["cp437", "cp850", "mac_roman"])
def test_what_nobody_can_tell_is_garbled_never_mojibake_in_text(codec: str) -> None:
    edition = read(("plain words\n" * 400 + "\f" + GERMAN).encode(codec))
    states = [page.state for page in edition.pages]
    assert states[-1] is PageState.GARBLED
    assert set(states[:-1]) == {PageState.TEXT}  # what is plain ASCII means what it says
    assert notes(edition) == ["ENCODING_GUESSED", "GARBLED_TEXT"]


def test_some_broken_bytes_do_not_make_another_encoding() -> None:
    edition = read(GERMAN.encode() * 20 + b"\xff\n")
    assert whole(edition) == GERMAN * 20 + "\ufffd\n"
    assert notes(edition) == ["ENCODING_ERRORS"]


def test_bytes_that_are_no_text() -> None:
    for data in (b"ab\x00\x01\x02cd", bytes(range(1, 32)) * 50 + b"\xff"):
        with pytest.raises(UnsupportedFormatError):
            read(data)
    with pytest.raises(DamagedFileError) as empty:
        read(b" \n\xef\xbb\xbf")
    assert empty.value.code == "EMPTY_FILE"


PARAGRAPH = "The harbour was built long ago, and ships\ncame there from many ports with their cargo.\n\n" * 3
NAMES = ["Docks", "Ships", "Storms", "Tides"]


@pytest.mark.parametrize(
    "heading",
    [
        "CHAPTER {roman}",
        "Chapter {n}: The {name}",
        "Chapter {n}\nThe {name}",
        "{n}.  {name} and more",
        "{upper}",
        "{name}\n======",
        "{roman}.",
    ],
)
def test_what_a_writer_sets_off_becomes_sections(heading: str) -> None:
    made = [
        heading.format(n=n, name=name, upper=name.upper(), roman=["I", "II", "III", "IV"][n - 1])
        for n, name in enumerate(NAMES, 1)
    ]
    tree = build_tree(read("".join(f"{one}\n\n{PARAGRAPH}" for one in made)))
    wanted = [" ".join(one.replace("=", "").split()) for one in made]
    assert [" ".join(section.title.split()) for section, _ in tree.walk()] == wanted


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH * 4,
        "".join(f"{n}. buy some {name.lower()} and more of the same.\n\n" for n, name in enumerate(NAMES, 1)),
        "".join(f"2024-01-{n:02d} 10:00 INFO started\n" for n in range(1, 60)),
    ],
)
def test_what_nobody_set_off_does_not(text: str) -> None:
    assert [section.title for section, _ in build_tree(read(text)).walk()] == ["Page 1"]


@pytest.mark.parametrize("name", ["log.txt", "log.md"])
def test_nul_bytes_of_a_crash_cost_no_more_than_themselves(name: str) -> None:
    """A log has a run of them where its disk was not written; the text before and after is read, and a note says so."""
    line = b"2030-01-01 12:00 the pump was started\n"
    found = read_bytes(line * 300 + bytes(4096) + line * 300 + b"one\0more\n", name)
    text = "".join(page.text for page in found.pages)
    assert text.count("the pump was started") == 600 and "\0" not in text
    assert text.count("\ufffd") == 2
    assert [note.message for note in found.notes if note.code == "ENCODING_ERRORS"] == ["4,097 NUL bytes, in 2 places"]
    assert {page.state for page in found.pages} == {PageState.TEXT}


def test_a_program_named_like_text_is_no_text() -> None:
    data = random.Random(2).randbytes(3000)
    for junk in (data, b"\x7fELF\x02\x01\x01" + bytes(9) + bytes(range(32)) * 20 + b"text" * 100, data + bytes(3000)):
        with pytest.raises(UnsupportedFormatError):
            read_bytes(junk, "program.txt")
