"""Markdown: CommonMark headings, front matter, fences; one text and one offset base."""

from __future__ import annotations

import pytest

from pageindex.document import Edition, Source, text_sha256
from pageindex.errors import DamagedFileError, UnsupportedFormatError
from pageindex.reading import markdown
from pageindex.structure import build_tree


def read(text: str | bytes) -> Edition:
    data = text if isinstance(text, bytes) else text.encode()
    return markdown.read(data, Source("a.md", "0" * 64, len(data), "text/markdown"))


def titles(edition: Edition) -> list[tuple[int, str]]:
    return [(tag.level, tag.title) for tag in edition.tags]


def whole(edition: Edition) -> str:
    return "".join(page.text for page in edition.pages)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("intro\n\n# One\ntext\n", [(1, "One")]),
        ("no heading at all\n", []),
        ("Setext One\n==========\n\nSetext Two\n---\n\ntext\n", [(1, "Setext One"), (2, "Setext Two")]),
        ("# One #\n\n## Two ##   \n", [(1, "One"), (2, "Two")]),
        ("~~~\n# no\n~~~\n# yes\n", [(1, "yes")]),
        ("````\n```\n# no\n```\n````\n# yes\n", [(1, "yes")]),
        ("```bash\n# comment\n```\n    # indented code\n\n<!--\n# in a comment\n-->\n\n# yes\n", [(1, "yes")]),
        ("# A *b* `c` [d](e) ![f](g)\n", [(1, "A b c d f")]),
        ("> # quoted\n\n- # in a list\n\n# yes\n", [(1, "yes")]),
        ("<h2 align=center>Raw <b>HTML</b></h2>\n\ntext\n", [(2, "Raw HTML")]),
        ("#nospace\n\n####### seven\n\n#\n", []),
        ("```\ntool -h\n-----\n# x\n```\n# yes\n", [(1, "yes")]),
    ],
)
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    edition = read(text)
    assert titles(edition) == expected
    assert whole(edition) == text  # every line stands in some page, nothing is added


def test_levels_are_as_written() -> None:
    edition = read("".join(f"{'#' * level} H{n}\n\nt\n\n" for n, level in enumerate([3, 1, 6, 2, 1, 3, 2])))
    assert [tag.level for tag in edition.tags] == [3, 1, 6, 2, 1, 3, 2]


def test_tag_offsets_point_at_the_heading_line() -> None:
    text = "Größe 😀 vorweg\r\n\r\n# Eins\r\ntext\r\n\r\n```\r\ncode ä\r\n```\r\n\r\n## Zwei\r\nmehr\r\n"
    edition = read(text)
    assert whole(edition) == text
    for tag, line in zip(edition.tags, ["# Eins", "## Zwei"], strict=True):
        assert tag.start is not None
        assert edition.page(tag.page).data[tag.start :].decode().startswith(line + "\r\n")


def test_every_line_is_its_byte_range() -> None:
    edition = read("  eins ä\n\n\tzwei\n# drei\n")
    assert [line.text for line in edition.lines] == ["eins ä", "zwei", "# drei"]
    for line in edition.lines:
        assert edition.page(line.page).data[line.start : line.end].decode() == line.text


def test_front_matter_counts_only_when_it_is_one() -> None:
    good = "---\ntitle: The title\nlang: de\n---\n# One\n"
    edition = read(good)
    assert edition.info == {"title": "The title", "language": "de"}
    assert titles(edition) == [(1, "One")]
    assert whole(edition) == good

    unclosed = read("---\ntitle: x\n\n# One\n\ntext\n")
    assert unclosed.info == {"title": "One"}  # the first of the highest headings
    assert titles(unclosed) == [(1, "One")]

    thematic = read("---\n\nSome text.\n\n---\n\n# One\n")
    assert thematic.info == {"title": "One"}
    assert titles(thematic) == [(1, "One")]
    assert "Some text." in whole(thematic)


def test_unclosed_fence_hides_one_paragraph_only() -> None:
    text = "# One\n\nt\n\n# Two\n\nt\n\n# Three\n\n```sh\n# comment\nls\n\n# Four\n\nt\n"
    edition = read(text)
    assert titles(edition) == [(1, "One"), (1, "Two"), (1, "Three"), (1, "Four")]
    assert [(note.code, note.message.split(":")[0]) for note in edition.notes] == [("UNCLOSED_FENCE", "line 11")]
    assert whole(edition) == text


def test_pages_begin_at_headings_and_stay_small() -> None:
    text = "# A\n## B\nshort\n## C\n" + "word " * 5_000 + "\n"
    edition = read(text)
    assert edition.page(1).text == "# A\n## B\nshort\n"  # stacked headings stay together
    assert edition.page(2).text.startswith("## C\n")
    assert all(len(page.text) <= 4_000 for page in edition.pages)
    assert whole(edition) == text


def test_a_page_list_means_pages() -> None:
    lines = [f"line {n}" for n in range(1, 121)]
    for number, title in ((5, "# A"), (10, "# B"), (50, "# C"), (100, "# D")):
        lines[number - 1] = title
    edition = read("\n".join(lines))
    pages = {tag.title: tag.page for tag in edition.tags}
    assert edition.page(pages["B"]).text == "\n".join(lines[9:49]) + "\n"
    assert edition.page(pages["D"]).text == "\n".join(lines[99:])


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(DamagedFileError) as empty:
        read(b" \n\xef\xbb\xbf")
    assert empty.value.code == "EMPTY_FILE"
    with pytest.raises(UnsupportedFormatError):
        read(b"ab\x00\x01\x02cd")
    latin = read("# Grün\n".encode("cp1252"))
    assert titles(latin) == [(1, "Grün")]
    assert [note.code for note in latin.notes] == ["ENCODING_GUESSED"]
    assert titles(read("# Grün\n".encode("utf-16"))) == [(1, "Grün")]


def test_hash_of_the_pages_is_of_the_text_as_it_stands() -> None:
    edition = read("# A\r\ntext\r\n")
    assert edition.page(1).sha256 == text_sha256("# A\r\ntext\r\n")


@pytest.mark.parametrize(
    "deep",
    [
        "".join("  " * level + "- x\n" for level in range(10)),
        "".join("  " * level + "- x\n" for level in range(100)),
        "".join("    " * level + "1. x\n" for level in range(15)),
        "- " * 1_000 + "x\n",
        ">" * 5_000 + "x\n",
        "[" * 2_000 + "\n",
    ],
    ids=["lists", "many lists", "numbers", "one line", "quotes", "brackets"],
)
def test_deep_nesting_loses_no_heading(deep: str) -> None:
    text = f"# One\n\n{deep}\n# Two\n\ntext\n"
    edition = read(text)
    assert titles(edition) == [(1, "One"), (1, "Two")]
    assert whole(edition) == text


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# Name {#id .class}", "Name"),
        ("# C# {x}", "C# {x}"),
        ("# A <br> B", "A B"),
        ("<h1 align=center><img src=x alt=Logo><br>Name &amp; Co</h1>", "Logo Name & Co"),
        ("<h1>Top<script>no()</script></h1>", "Top"),
    ],
)
def test_titles_without_markup(heading: str, title: str) -> None:
    assert titles(read(f"{heading}\n\ntext\n")) == [(1, title)]


def test_the_documents_title_has_no_mark() -> None:
    assert build_tree(read("# pageindex\n\n" + "text of it. " * 30 + "\n\n## Use\n\ntext\n")).title == "pageindex"
    assert read("+++\ntitle = 'The title'\n+++\n# One\n").info == {"title": "The title"}


def test_two_headings_in_one_line_of_markup_are_two() -> None:
    assert titles(read("<h1>A</h1><h2>B</h2>\n\ntext\n")) == [(1, "A"), (2, "B")]
