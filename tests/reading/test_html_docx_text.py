"""HTML, Word and plain text become the same kind of Edition as everything else."""

from __future__ import annotations

import io
import zipfile

import pytest
from docx import Document
from docx.oxml import parse_xml

from pageindex.document import Edition, PageState, Source
from pageindex.errors import DamagedFileError, LimitError
from pageindex.limits import Limits
from pageindex.reading import text
from pageindex.reading.docx import reader as docx
from pageindex.reading.html import reader as html

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def source(name: str, data: bytes) -> Source:
    return Source(name, "0" * 64, len(data))


def whole(edition: Edition) -> str:
    return "".join(page.text for page in edition.pages)


def titles(edition: Edition) -> list[tuple[int, str]]:
    return [(tag.level, tag.title) for tag in edition.tags]


def assert_tags_point_at_their_titles(edition: Edition) -> None:
    for tag in edition.tags:
        assert tag.start is not None
        assert edition.page(tag.page).data[tag.start :].decode().startswith(tag.title)


class TestHtml:
    def read(self, markup: str | bytes) -> Edition:
        data = markup if isinstance(markup, bytes) else markup.encode()
        return html.read(data, source("a.html", data))

    def test_visible_text_only(self) -> None:
        edition = self.read(
            "<!doctype html><html lang=de><head><title> Der\nTitel </title><style>h1{}</style></head><body>"
            "<script>no()</script><!-- # no --><p hidden>no</p><h1>Eins <em>ä</em></h1><p>Erster  Satz.<br>Zweiter.</p>"
            "<h2>Zwei</h2><pre>a  b\n  c</pre><table><tr><th>x<th>y<tr><td>1<td>2</table><p>Ende</body></html>"
        )
        assert whole(edition) == "Eins ä\nErster Satz.\nZweiter.\n\nZwei\na  b\n  c\n\nx\ty\n1\t2\n\nEnde\n\n"
        assert titles(edition) == [(1, "Eins ä"), (2, "Zwei")]
        assert edition.info == {"title": "Der Titel", "language": "de"}
        assert_tags_point_at_their_titles(edition)

    def test_inline_elements_do_not_cut_words(self) -> None:
        assert whole(self.read("<p>un<b>break</b>able <a href=x>link</a>, end</p>")) == "unbreakable link, end\n\n"

    def test_declared_encodings(self) -> None:
        page = '<meta charset="iso-8859-5"><p>Привет</p>'
        assert "Привет" in whole(self.read(page.encode("iso-8859-5")))
        assert "naïve" in whole(self.read("<p>naïve</p>"))
        assert "日本" in whole(self.read('<?xml version="1.0" encoding="utf-8"?><html><p>日本</p></html>'))

    def test_deep_nesting_loses_nothing(self) -> None:
        edition = self.read("<div>" * 1_500 + "deep" + "</div>" * 1_500 + "<p>after</p>")
        assert whole(edition).split() == ["deep", "after"]

    @pytest.mark.parametrize(
        "markup", ["", "<html><head><title>only a title</title></head></html>", "<script>x</script>"]
    )
    def test_nothing_to_see_is_an_error(self, markup: str) -> None:
        with pytest.raises(DamagedFileError) as caught:
            self.read(markup)
        assert caught.value.code == "EMPTY_FILE"


class TestDocx:
    def read(self, data: bytes, limits: Limits | None = None) -> Edition:
        return docx.read(data, source("a.docx", data), limits or Limits())

    def saved(self, document: object) -> bytes:
        buffer = io.BytesIO()
        document.save(buffer)  # type: ignore[attr-defined]
        return buffer.getvalue()

    def test_headings_tables_and_info(self) -> None:
        document = Document()
        document.core_properties.title = "Report"
        document.add_heading("The report", 0)
        document.add_paragraph("Before.")
        document.add_heading("Purpose", 1)
        document.add_paragraph("Some text.")
        document.add_heading("Detail", 2)
        table = document.add_table(2, 2)
        for index, cell in enumerate(cell for row in table.rows for cell in row.cells):
            cell.text = f"c{index}"
        document.add_paragraph("After.")
        edition = self.read(self.saved(document))
        assert titles(edition) == [(0, "The report"), (1, "Purpose"), (2, "Detail")]
        assert whole(edition) == "The report\nBefore.\nPurpose\nSome text.\nDetail\nc0\tc1\nc2\tc3\n\nAfter.\n"
        assert edition.info["title"] == "Report"
        assert_tags_point_at_their_titles(edition)

    def test_custom_style_inherits_its_level_and_body_level_is_none(self) -> None:
        document = Document()
        mine = document.styles.add_style("Mine", 1)
        mine.base_style = document.styles["Heading 3"]
        document.add_paragraph("Inherited", style="Mine")
        body = document.add_paragraph("Only body", style="Heading 1")
        body._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl xmlns:w="{W}" w:val="9"/>'))
        document.add_paragraph("text")
        assert titles(self.read(self.saved(document))) == [(3, "Inherited")]

    def test_inserted_text_stays_and_deleted_text_goes(self) -> None:
        document = Document()
        paragraph = document.add_paragraph("kept ")
        paragraph._p.append(parse_xml(f'<w:ins xmlns:w="{W}"><w:r><w:t>new</w:t></w:r></w:ins>'))
        paragraph._p.append(parse_xml(f'<w:del xmlns:w="{W}"><w:r><w:delText>old</w:delText></w:r></w:del>'))
        control = (
            f'<w:sdt xmlns:w="{W}"><w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent></w:sdt>'
        )
        document.element.body.insert(0, parse_xml(control))
        assert whole(self.read(self.saved(document))) == "in a control\nkept new\n"

    def test_damaged_and_empty(self) -> None:
        with pytest.raises(DamagedFileError):
            self.read(b"PK\x03\x04 not a zip")
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("hello.txt", "x")
        with pytest.raises(DamagedFileError):
            self.read(buffer.getvalue())
        with pytest.raises(DamagedFileError) as empty:
            self.read(self.saved(Document()))
        assert empty.value.code == "EMPTY_FILE"

    def test_a_bomb_is_not_unpacked(self) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", b"\0" * 2_000_000)
        with pytest.raises(LimitError) as caught:
            self.read(buffer.getvalue(), Limits(unpacked_bytes=1_000_000))
        assert caught.value.code == "TOO_LARGE"


class TestText:
    def read(self, value: str) -> Edition:
        return text.read(value.encode(), source("a.txt", value.encode()))

    def test_form_feeds_are_pages(self) -> None:
        edition = self.read("one\n\ftwo\n\f\n\fthree")
        assert [page.text for page in edition.pages] == ["one\n\f", "two\n\f", "\n\f", "three"]
        assert edition.page(3).state is PageState.BLANK

    def test_nothing_is_taken_for_a_marked_heading(self) -> None:
        edition = self.read("Title\n=====\n\ntext\n")
        assert edition.tags == ()
        assert edition.tag_coverage == 0.0

    def test_one_endless_line_is_cut(self) -> None:
        value = "x" * 10_000
        edition = self.read(value)
        assert whole(edition) == value
        assert [len(page.text) for page in edition.pages] == [4_000, 4_000, 2_000]

    def test_too_many_pages_is_a_limit(self) -> None:
        with pytest.raises(LimitError):
            text.read(b"a\f" * 50, source("a.txt", b""), Limits(pages=10))

    def test_surrogates_never_reach_an_anchor(self) -> None:
        edition = text.read("a\ud800b".encode("utf-16", "surrogatepass"), source("a.txt", b""))
        assert whole(edition).encode("utf-8")
