"""Word documents are read as Word shows them."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from docx import Document

from pageindex.document import Edition, PageState, TextKind, UnreadReason
from pageindex.errors import DamagedFileError, LimitError
from pageindex.limits import Limits
from pageindex.reading import read_bytes
from pageindex.structure import build_tree
from tests.support.docx import package, paragraph, run
from tests.support.virtual import assert_tags_point_at_their_titles, titles, whole

HEADING_1 = '<w:outlineLvl w:val="0"/>'
HEADING_2 = '<w:outlineLvl w:val="1"/>'


def read(data: bytes, limits: Limits | None = None) -> Edition:
    return read_bytes(data, "a.docx", limits=limits or Limits())


def body(content: str, **parts: str) -> Edition:
    return read(package(content, parts))


def saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def notes(edition: Edition) -> list[str]:
    return [note.code for note in edition.notes]


def cell(*paragraphs: str) -> str:
    return f"<w:tc>{''.join(paragraphs)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


class TestText:
    def test_headings_tables_and_info(self) -> None:
        document = Document()
        document.core_properties.title = "Report"
        document.add_heading("The report", 0)
        document.add_paragraph("Before.")
        document.add_heading("Purpose", 1)
        document.add_paragraph("Some text.")
        document.add_heading("Detail", 2)
        table = document.add_table(2, 2)
        for index, one in enumerate(one for line in table.rows for one in line.cells):
            one.text = f"c{index}"
        document.add_paragraph("After.")
        edition = read(saved(document))
        assert titles(edition) == [(0, "The report"), (1, "Purpose"), (2, "Detail")]
        assert whole(edition) == "The report\nBefore.\nPurpose\nSome text.\nDetail\nc0\tc1\nc2\tc3\n\nAfter.\n"
        assert edition.info["title"] == "Report"
        assert_tags_point_at_their_titles(edition)

    @pytest.mark.parametrize(
        ("content", "text"),
        [
            (
                run("kept ") + "<w:ins>" + run("new") + "</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>",
                "kept new",
            ),
            (run("10") + run("5", '<w:vertAlign w:val="superscript"/>'), "10⁵"),
            (run("H") + run("2", '<w:vertAlign w:val="subscript"/>') + run("O"), "H₂O"),
            ('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>' + run(" yes"), "☑ yes"),
            (
                "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>",
                "x²",
            ),
            ("<w:r><w:fldChar/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>" + run("7"), "7"),
            ("<w:sdt><w:sdtPr/><w:sdtContent>" + run("in a control") + "</w:sdtContent></w:sdt>", "in a control"),
            (
                "<w:r><w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='A'/><w:listEntry w:val='B'/></w:ddList></w:ffData></w:r>",
                "B",
            ),
            ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:softHyphen/><w:noBreakHyphen/><w:t>c</w:t></w:r>", "a\tb\u2011c"),
        ],
    )
    def test_what_is_drawn(self, content: str, text: str) -> None:
        assert whole(body(paragraph(content))) == f"{text}\n"

    def test_a_dropped_capital_begins_its_paragraph(self) -> None:
        dropped = paragraph("T", '<w:framePr w:dropCap="drop"/>')
        assert whole(body(dropped + paragraph("he harbour"))) == "The harbour\n"

    def test_text_boxes_follow_their_paragraph(self) -> None:
        box = f"<w:r><w:pict><w:txbxContent>{paragraph('boxed', HEADING_1)}</w:txbxContent></w:pict></w:r>"
        edition = body(paragraph(run("outer ") + box + run("goes on")))
        assert whole(edition) == "outer goes on\nboxed\n"
        assert titles(edition) == [(1, "boxed")]

    def test_cells_of_data_stand_side_by_side_and_headings_in_cells_are_headings(self) -> None:
        data = row(
            cell(paragraph("a"), paragraph("b")), f"<w:sdt><w:sdtContent>{cell(paragraph('c'))}</w:sdtContent></w:sdt>"
        )
        layout = row(cell(paragraph("In a cell", HEADING_2), paragraph("words")))
        gone = row(cell(paragraph("gone")), properties="<w:del/>")
        edition = body(paragraph("One", HEADING_1) + f"<w:tbl>{data}{gone}{layout}</w:tbl>" + paragraph("After"))
        assert whole(edition) == "One\na b\tc\nIn a cell\nwords\n\nAfter\n"
        assert titles(edition) == [(1, "One"), (2, "In a cell")]

    def test_tables_may_nest_deep(self) -> None:
        depth = 500
        edition = body(
            "<w:tbl><w:tr><w:tc>" * depth + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * depth + paragraph("after")
        )
        assert whole(edition) == "deep\n\nafter\n"


class TestHeadings:
    def test_a_style_inherits_its_level_and_body_level_is_none(self) -> None:
        styles = (
            '<w:style w:type="paragraph" w:styleId="H3"><w:name w:val="heading 3"/></w:style>'
            '<w:style w:type="paragraph" w:styleId="Mine"><w:basedOn w:val="H3"/></w:style>'
            '<w:style w:type="paragraph" w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>'
        )
        mine = paragraph("Inherited", '<w:pStyle w:val="Mine"/>')
        none = paragraph("Only body", '<w:pStyle w:val="H3"/><w:outlineLvl w:val="9"/>')
        loop = paragraph("text", '<w:pStyle w:val="Loop"/>')
        assert titles(body(mine + none + loop, styles=styles)) == [(3, "Inherited")]

    def test_without_a_styles_part_the_id_tells(self) -> None:
        assert titles(body(paragraph("One", '<w:pStyle w:val="Heading2"/>') + paragraph("t"))) == [(2, "One")]

    @pytest.mark.parametrize(
        "level",
        ['<w:outlineLvl w:val="x"/>', "<w:outlineLvl/>", '<w:outlineLvl w:val="99"/>', '<w:outlineLvl w:val="-1"/>'],
    )
    def test_a_level_without_sense_is_none(self, level: str) -> None:
        edition = body(paragraph("Before") + paragraph("Heading", level) + paragraph("After"))
        assert titles(edition) == []
        assert whole(edition) == "Before\nHeading\nAfter\n"

    def test_numbers_are_part_of_titles_as_they_are_printed(self) -> None:
        levels = "".join(
            f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/><w:pStyle w:val="H{at}"/></w:lvl>'
            for at, (form, text) in enumerate(
                [("upperRoman", "Article %1"), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")]
            )
        )
        numbering = f'<w:abstractNum w:abstractNumId="5">{levels}</w:abstractNum><w:num w:numId="2"><w:abstractNumId w:val="5"/></w:num>'
        styles = "".join(
            f'<w:style w:type="paragraph" w:styleId="H{at}"><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr><w:outlineLvl w:val="{at}"/></w:pPr></w:style>'
            for at in range(3)
        )
        order = [
            (0, "Scope"),
            (1, "Ships"),
            (2, "Sails"),
            (2, "Oars"),
            (1, "Docks"),
            (0, "Terms"),
            (1, "Days"),
            (2, "Hours"),
        ]
        content = "".join(paragraph(title, f'<w:pStyle w:val="H{at}"/>') for at, title in order)
        assert [title for _, title in titles(body(content, styles=styles, numbering=numbering))] == [
            "Article I Scope",
            "I.1 Ships",
            "(a) Sails",
            "(b) Oars",
            "I.2 Docks",
            "Article II Terms",
            "II.1 Days",
            "(a) Hours",
        ]

    def test_headings_made_by_hand_become_sections(self) -> None:
        made = [f"{n}. Part of the harbour" for n in range(1, 5)]
        text = paragraph("words of the harbour text. " * 20)
        content = "".join(paragraph(title, "", '<w:b/><w:sz w:val="32"/>') + text for title in made)
        assert [section.title for section, _ in build_tree(body(content)).walk()] == made


class TestLists:
    def numbered(self, *items: tuple[str, int, str]) -> str:
        numbering = (
            '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
            '<w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>'
            '<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/>'
            '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr></w:lvl></w:abstractNum>'
            '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>'
            '<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        )
        content = "".join(
            paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>')
            for num, level, text in items
        )
        return whole(body(content, numbering=numbering))

    def test_numbers_bullets_levels_and_restarts(self) -> None:
        items = [
            ("1", 0, "a"),
            ("1", 1, "b"),
            ("1", 1, "c"),
            ("2", 0, "x"),
            ("1", 0, "d"),
            ("1", 1, "e"),
            ("3", 0, "f"),
            ("0", 0, "g"),
        ]
        assert self.numbered(*items) == "1. a\niii) b\niv) c\n• x\n2. d\niii) e\n1. f\ng\n"


class TestApart:
    def test_what_a_reviewer_moved_stands_once(self) -> None:
        moved = "<w:moveFrom>" + run("Moved") + "</w:moveFrom>"
        edition = body(
            paragraph("One", HEADING_1)
            + paragraph(moved, HEADING_1)
            + paragraph("Two", HEADING_1)
            + paragraph("<w:moveTo>" + run("Moved") + "</w:moveTo>", HEADING_1)
        )
        assert titles(edition) == [(1, "One"), (1, "Two"), (1, "Moved")]
        assert notes(edition) == ["TRACKED_CHANGES"]

    @pytest.mark.parametrize(("style", "own"), [("", "<w:vanish/>"), ("<w:vanish/>", "")])
    def test_hidden_text_is_neither_text_nor_title(self, style: str, own: str) -> None:
        styles = f'<w:style w:type="paragraph" w:styleId="S"><w:rPr>{style}</w:rPr></w:style>'
        edition = body(
            paragraph("Hidden", f'<w:pStyle w:val="S"/>{HEADING_1}', own) + paragraph("shown"), styles=styles
        )
        assert titles(edition) == []
        assert whole(edition).split() == ["shown"]
        assert [(note.code, note.message.split()[0]) for note in edition.notes] == [("HIDDEN_TEXT", "6")]

    def test_notes_comments_headers_and_footers_are_told_apart(self) -> None:
        note = (
            '<w:footnote w:type="separator" w:id="0"/><w:footnote w:id="7">' + paragraph(" A note.") + "</w:footnote>"
        )
        edition = body(
            paragraph(run("Text") + '<w:r><w:footnoteReference w:id="7"/></w:r>' + run(" goes on.")),
            footnotes=note,
            comments=f'<w:comment w:author="Ann">{paragraph("Why?")}</w:comment>',
            header1=paragraph("Head"),
            header2=paragraph("Head"),
            footer1=paragraph("Foot"),
        )
        found = [(page.text, {kind.kind for kind in page.kinds}) for page in edition.pages]
        assert found == [
            ("Text¹ goes on.\n", set()),
            ("¹ A note.\n", {TextKind.NOTE}),
            ("Ann: Why?\n", {TextKind.COMMENT}),
            ("Head\nFoot\n", {TextKind.HEADER, TextKind.FOOTER}),
        ]
        last = edition.page(4)
        assert [last.data[kind.start : kind.end].decode() for kind in last.kinds] == ["Head", "Foot"]

    def test_pictures_are_named_where_they_stand(self) -> None:
        picture = '<w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/></w:drawing></w:r>'
        edition = body(
            paragraph("A", HEADING_1) + paragraph(run("x") + picture) + paragraph("B", HEADING_1) + paragraph("t")
        )
        assert [[part.reason for part in page.unread] for page in edition.pages] == [[UnreadReason.PICTURE], []]
        assert notes(edition) == ["PICTURES_NOT_READ"]
        assert [page.state for page in body(paragraph(picture)).pages] == [PageState.IMAGE_ONLY]


class TestContainer:
    def test_damaged_and_empty(self) -> None:
        for data in (b"PK\x03\x04 not a zip", package("")[:-30]):
            with pytest.raises(DamagedFileError):
                read(data)
        with pytest.raises(DamagedFileError) as empty:
            read(saved(Document()))
        assert empty.value.code == "EMPTY_FILE"

    def test_unpacking_is_bounded_whatever_the_container_says(self) -> None:
        data = package(paragraph("x" * 3_000_000))
        lying = bytearray(data)
        entry = data.rfind(b"PK\x01\x02", 0, data.rfind(b"word/document.xml"))
        struct.pack_into("<I", lying, entry + 24, 0xFFFFFFF0)
        for one in (data, bytes(lying)):
            with pytest.raises(LimitError) as caught:
                read(one, Limits(unpacked_bytes=1_000_000))
            assert caught.value.code == "TOO_LARGE"

    def test_a_size_that_is_not_true_harms_nobody(self) -> None:
        data = bytearray(package(paragraph("words")))
        entry = data.rfind(b"PK\x01\x02", 0, data.rfind(b"word/document.xml"))
        struct.pack_into("<I", data, entry + 24, 0xFFFFFFF0)
        assert whole(read(bytes(data))) == "words\n"

    def test_parts_that_are_not_read_are_not_unpacked(self) -> None:
        buffer = io.BytesIO(package(paragraph("words")))
        with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/media/image1.png", b"\0" * 5_000_000)
        assert whole(read(buffer.getvalue(), Limits(unpacked_bytes=1_000_000))) == "words\n"

    @pytest.mark.parametrize(
        "declaration",
        [
            '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
            '<!DOCTYPE d [<!ENTITY a "ha ha ha "><!ENTITY e "&a;&a;&a;&a;">]>',
        ],
    )
    def test_entities_are_not_resolved(self, declaration: str) -> None:
        edition = read(package(paragraph("a &e; b"), declaration=declaration))
        assert whole(edition) == "a  b\n"
        assert notes(edition) == ["ENTITIES_NOT_READ"]

    def test_what_can_be_read_of_broken_parts_is_kept_and_the_page_says_that_something_is_missing(self) -> None:
        broken = body(paragraph("one") + paragraph("two") + "<w:p><w:r><w:t>three</w:t>")
        assert whole(broken) == "one\ntwo\nthree\n"
        assert notes(broken) == ["XML_DAMAGED"]
        assert [part.reason for part in broken.pages[-1].unread] == [UnreadReason.FAILED]
        data = package(paragraph("words"), {"comments": f"<w:comment>{paragraph('lost')}</w:comment>"})
        at = data.index(b"word/comments.xml") + len("word/comments.xml") + 5
        edition = read(data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + 10]) + data[at + 10 :])
        assert whole(edition) == "words\n"
        assert notes(edition) == ["PART_NOT_READ"]
        assert edition.pages[-1].unread != ()
