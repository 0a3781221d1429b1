"""HTML is read as a browser shows it."""

from __future__ import annotations

import pytest

from pageindex.document import Edition, PageState, TextKind, UnreadReason
from pageindex.errors import DamagedFileError
from pageindex.reading import read_bytes
from pageindex.structure import build_tree
from tests.support.virtual import assert_tags_point_at_their_titles, titles, whole


def read(markup: str | bytes) -> Edition:
    return read_bytes(markup if isinstance(markup, bytes) else markup.encode(), "a.html")


def notes(edition: Edition) -> list[str]:
    return [note.code for note in edition.notes]


def test_visible_text_only() -> None:
    edition = read(
        "<!doctype html><html lang=de><head><title> Der\nTitel </title><style>h1{}</style></head><body>"
        "<script>no()</script><!-- # no --><p hidden>no</p><h1>Eins <em>ä</em></h1><p>Erster  Satz.<br>Zweiter.</p>"
        "<h2>Zwei</h2><pre>a  b\n  c</pre><table><tr><th>x<th>y<tr><td>1<td>2</table><p>Ende</body></html>"
    )
    assert whole(edition) == "Eins ä\nErster Satz.\nZweiter.\n\nZwei\na  b\n  c\n\nx\ty\n1\t2\n\nEnde\n\n"
    assert titles(edition) == [(1, "Eins ä"), (2, "Zwei")]
    assert edition.info == {"title": "Der Titel", "language": "de"}
    assert_tags_point_at_their_titles(edition)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>un<b>break</b>able <a href=x>link</a>, end</p>", "unbreakable link, end\n\n"),
        ("<p>un&shy;break&#8203;able&nbsp;x</p>", "unbreakable\xa0x\n\n"),
        ("<p>10<sup>5</sup>, H<sub>2</sub>O, 1,234<sup>1</sup> and 1<sup>st</sup></p>", "10⁵, H₂O, 1,234¹ and 1st\n\n"),
        ("<ol start=3 type=a><li>x<li value=7>y</ol>", "c. x\ng. y\n\n"),
        ("<ol reversed><li>x<li>y</ol>", "2. x\n1. y\n\n"),
        ("<ul><li><p>x</p><li>y</ul>", "• x\n\n• y\n\n"),
        ("<ul style='list-style: none'><li>x</ul>", "x\n\n"),
        ("<p>x<svg><title>no</title><text>label</text></svg>", "x\nlabel\n\n"),
        ("<p><math><msup><mi>x</mi><mn>2</mn></msup><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "x²a/b\n\n"),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt></ruby>", "漢字(かんじ)\n"),
        ("<style>li {display: inline}</style><ul><li>a</li><li>b</li></ul>", "a b\n\n"),
        ("<div style='display:flex'><span>a</span><span>b</span></div>", "a\nb\n"),
    ],
)
def test_what_is_drawn(markup: str, text: str) -> None:
    assert whole(read(markup)) == text


def test_cells_of_data_and_cells_of_layout() -> None:
    edition = read(
        "<table><tr><th>Year<th>2023<th>2022<tr><td>Revenue<td><p>$</p><td><p>600</p><td>€<td><div>(5</div><td>)<td>%"
        "<tr><td>a<td><p>one</p><p>two</p></table>"
        "<table><tr><td>nav<td><h1>Page</h1><p>one</p><p>two</p></table>"
    )
    assert whole(edition) == "Year\t2023\t2022\nRevenue\t$ 600\t€ (5)%\na\tone two\n\nnav\n\nPage\none\n\ntwo\n\n"
    assert titles(edition) == [(1, "Page")]


def test_form_fields_show_their_values() -> None:
    edition = read(
        "<form>Name <input value=Seagull><select><option>A<option selected>B</select><input type=hidden value=no>"
        "<input type=password value=no><textarea>a note</textarea></form>"
    )
    page = edition.page(1)
    assert page.text == "Name Seagull B a note\n"
    drawn = page.data.decode()[5:]
    assert {kind.kind for kind in page.kinds} == {TextKind.FORM}
    assert page.kinds_in(0, 4) == frozenset()
    assert page.kinds_in(5, 12) == {TextKind.FORM}
    assert drawn.startswith("Seagull")


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("<h1>Annual<br>Report</h1>", "Annual Report"),
        ('<h1>Title<a class="headerlink" href="#a">¶</a></h1>', "Title"),
        ("<h1><a href='#a' aria-hidden=true><svg></svg></a>C#</h1>", "C#"),
        ("<h1>C <a href='#a'>#</a></h1>", "C"),
        ("<h1>History<span>[<a href=/edit>edit</a>]</span></h1>", "History"),
        ("<h1>See <a href='#b'>Section 2</a></h1>", "See Section 2"),
        ("<h1>Top<script>var a=1</script><style>x{}</style><b hidden>no</b></h1>", "Top"),
        ("<h1><img src=a alt='Harbour map'></h1>", "Harbour map"),
        ("<div role=heading aria-level=1>Role</div>", "Role"),
        ("<ol><li><h1>Listed</h1></ol>", "Listed"),
    ],
)
def test_titles(heading: str, title: str) -> None:
    edition = read(f"{heading}<p>text</p>")
    assert titles(edition) == [(1, title)]
    assert [section.title for section, _ in build_tree(edition).walk()] == [title]


def test_the_page_is_called_by_its_own_part_of_the_title() -> None:
    edition = read("<title>Harbour - Encyclopedia</title><h2>Contents</h2><p>x</p><h1>Harbour</h1><p>text</p>")
    assert edition.info["title"] == "Harbour"
    assert build_tree(edition).title == "Harbour"
    assert read("<title>Another - Site</title><h1>Harbour</h1><p>text</p>").info["title"] == "Another - Site"


def test_levels_of_roles() -> None:
    edition = read(
        "<p role=heading>a</p><h2 aria-level=4>b</h2><h3 role=presentation>c</h3><h3 role=heading aria-level=x>d</h3>"
    )
    assert titles(edition) == [(2, "a"), (4, "b"), (3, "d")]


def test_both_lines_of_a_heading_are_its_lines() -> None:
    edition = read("<h1>Annual<br>Report</h1><p>text</p>")
    assert [(line.text, line.weight) for line in edition.lines] == [("Annual", 700), ("Report", 700), ("text", 400)]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div style='display: none'>{}</div>",
        "<div hidden>{}</div>",
        "<dialog>{}</dialog>",
        "<style>.pop {{ display: none }}</style><div class='pop'>{}</div>",
        "<style>p {{ display: block }} #pop {{ visibility: hidden }}</style><div id=pop>{}</div>",
        "<div style='position: absolute; left: -9999px'>{}</div>",
        "<div style='position: absolute; clip: rect(0, 0, 0, 0)'>{}</div>",
        "<div style='opacity: 0'>{}</div>",
        "<div style='font-size: 0'>{}</div>",
    ],
)
def test_what_styles_hide_is_neither_text_nor_title_and_is_counted(hidden: str) -> None:
    edition = read(hidden.format("<h1>Subscribe</h1>") + "<h2>Real</h2><p>text</p>")
    assert titles(edition) == [(2, "Real")]
    assert whole(edition) == "Real\ntext\n\n"
    assert [(note.code, note.message.split()[0]) for note in edition.notes] == [("HIDDEN_TEXT", "9")]


def test_important_and_specific_rules_win() -> None:
    edition = read(
        "<style>p.a {display: none} p {display: block} .b {display: none !important} #c {display: block} .d {display: none}</style>"
        "<p class=a>no</p><p class=b style='display: block'>no</p><p class=d id=c>yes</p>"
    )
    assert whole(edition) == "yes\n\n"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ('<meta charset="iso-8859-5"><p>Привет'.encode("iso-8859-5"), "Привет"),
        ('<?xml version="1.0" encoding="iso-8859-5"?><html><p>Привет'.encode("iso-8859-5"), "Привет"),
        ('<?xml version="1.0" encoding="utf-8"?><html><p>日本'.encode(), "日本"),
        ("<p>naïve".encode(), "naïve"),
        ("<p>naïve café".encode("cp1252"), "naïve"),
        ("<meta charset=utf-16><p>naïve".encode(), "naïve"),
        ("<meta charset=idna><p>naïve café".encode("cp1252"), "naïve"),
        ("<meta charset=undefined><p>naïve café".encode("cp1252"), "naïve"),
        ("<meta charset=utf-32><p>naïve café".encode("cp1252"), "naïve"),
        ("<meta charset=x-user-defined><p>naïve".encode("cp1252"), "naïve"),
        ("<p>naïve".encode("utf-16"), "naïve"),
        ("<html><body><p>naïve words".encode("utf-16-le"), "naïve"),
        ("<p>naïve".encode("utf-32"), "naïve"),
        (b" " * 3000 + "<meta charset=koi8-r><p>Привет".encode("koi8-r"), "Привет"),
        ("<p>これは港の記録です。".encode("shift_jis"), "記録"),
    ],
)
def test_encodings_as_in_browsers(data: bytes, word: str) -> None:
    edition = read(data)
    assert word in whole(edition)
    assert {page.state for page in edition.pages} == {PageState.TEXT}


def test_a_label_that_is_a_trap_costs_nothing() -> None:
    assert whole(read(b"<meta charset=punycode><p>" + b"x-" * 20_000)).startswith("x-x-")


def test_what_cannot_be_decoded_is_garbled() -> None:
    edition = read(("<meta charset=utf-8><p>" + "naïve café " * 30).encode("cp1252"))
    assert edition.page(1).state is PageState.GARBLED
    assert notes(edition) == ["ENCODING_ERRORS", "GARBLED_TEXT"]


def test_deep_nesting_loses_nothing() -> None:
    edition = read("<h1>A</h1>" + "<div>" * 20_000 + "deep" + "</div>" * 20_000 + "<h1>B</h1><p>after</p>")
    assert whole(edition).split() == ["A", "deep", "B", "after"]
    assert titles(edition) == [(1, "A"), (1, "B")]
    assert notes(edition) == ["NESTING_FLATTENED"]


def test_pictures_and_frames_are_named_where_they_stand() -> None:
    edition = read(
        "<h1>A</h1><p>x<img src=a alt=Chart></p><h1>B</h1><p>y<img src=a alt=''><img src=i width=16></p><h1>C</h1><p>z</p><iframe></iframe>"
    )
    reasons = [[part.reason for part in page.unread] for page in edition.pages]
    assert reasons == [[UnreadReason.PICTURE], [], [UnreadReason.PICTURE]]
    assert notes(edition) == ["PICTURES_NOT_READ", "EMBEDDED_NOT_READ"]


def test_a_page_of_pictures_is_no_empty_file() -> None:
    assert [page.state for page in read("<img src=a.png>").pages] == [PageState.IMAGE_ONLY]


@pytest.mark.parametrize("markup", ["", "<html><head><title>only a title</title></head></html>", "<script>x</script>"])
def test_nothing_to_see_is_an_error(markup: str) -> None:
    with pytest.raises(DamagedFileError) as caught:
        read(markup)
    assert caught.value.code == "EMPTY_FILE"


@pytest.mark.parametrize(
    "heading",
    [
        "<p style='font-size: 18px; font-weight: bold'>{}</p>",
        "<p class=big>{}</p>",
        "<p><font size=5><b>{}</b></font></p>",
        "<p style='font: bold 14pt Arial'>{}</p>",
    ],
)
def test_headings_made_by_hand_become_sections(heading: str) -> None:
    style = "<style>.big {font-size: 150%; font-weight: 700} body {font-size: 12px}</style>"
    made = [f"{n}. Part of the harbour" for n in range(1, 5)]
    text = "<p>" + "words of the harbour text. " * 20 + "</p>"
    edition = read(style + "".join(heading.format(title) + text for title in made))
    assert [section.title for section, _ in build_tree(edition).walk()] == made
