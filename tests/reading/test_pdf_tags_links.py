"""Heading tags with their role map, links between pages, facts of the file, and the second extractor."""

from __future__ import annotations

from pathlib import Path

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String

from pageindex.errors import PasswordError
from pageindex.reading import read_bytes
from pageindex.reading.pdf.second_extractor import page_text
from tests.support.pdf import Text, draw, edited, encrypted

Block = tuple[str, str]  # structure type, text


def tagged(pages: list[list[Block]], roles: dict[str, str] | None = None) -> bytes:
    """A tagged PDF: one line of text for each block, marked and tied to its structure element."""

    def change(pdf: Pdf) -> None:
        root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, RoleMap=Dictionary()))
        for custom, standard in (roles or {}).items():
            root.RoleMap["/" + custom] = Name("/" + standard)
        document = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.Document, P=root, K=Array()))
        root.K = document
        numbers = Array()
        for index, blocks in enumerate(pages):
            page = pdf.pages[index]
            page.StructParents = index
            page.Resources = Dictionary(
                Font=Dictionary(F=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
            )
            parts, parents = [], Array()
            for mark, (kind, text) in enumerate(blocks):
                y = 700 - 30 * mark
                parts.append(f"/{kind} <</MCID {mark}>> BDC BT /F 11 Tf 72 {y} Td ({text}) Tj ET EMC")
                element = pdf.make_indirect(
                    Dictionary(Type=Name.StructElem, S=Name("/" + kind), P=document, Pg=page.obj, K=mark)
                )
                document.K.append(element)
                parents.append(element)
            page.Contents = pdf.make_stream("\n".join(parts).encode())
            numbers.extend([index, pdf.make_indirect(parents)])
        root.ParentTree = pdf.make_indirect(Dictionary(Nums=numbers))
        pdf.Root.StructTreeRoot = root
        pdf.Root.MarkInfo = Dictionary(Marked=True)

    return edited(draw(*([] for _ in pages)), change)


def test_headings_by_tag_with_levels_and_places() -> None:
    pages = [
        [
            ("Title", "A report"),
            ("H1", "Methods"),
            ("P", "Body of the methods"),
            ("H2", "Sampling"),
            ("P", "More body"),
        ],
        [("H1", "Results"), ("P", "Body of the results")],
    ]
    edition = read_bytes(tagged(pages), "tagged.pdf")
    assert [(tag.title, tag.level, tag.page) for tag in edition.tags] == [
        ("A report", 0, 1),
        ("Methods", 1, 1),
        ("Sampling", 2, 1),
        ("Results", 1, 2),
    ]
    for tag in edition.tags:
        assert tag.start is not None
        assert edition.page(tag.page).data[tag.start :].decode().startswith(tag.title)
    assert edition.tag_coverage == 1.0


def test_the_role_map_is_followed() -> None:
    pages = [[("Heading#20One", "Scope"), ("Body", "Text below it")]]
    edition = read_bytes(tagged(pages, {"Heading One": "H1", "Heading#20One": "H1", "Body": "P"}), "roles.pdf")
    assert [(tag.title, tag.level) for tag in edition.tags] == [("Scope", 1)]


def test_paragraph_tags_alone_give_no_heading() -> None:
    edition = read_bytes(tagged([[("P", "One"), ("P", "Two")]]), "paragraphs.pdf")
    assert edition.tags == ()
    assert edition.tag_coverage == 1.0


def test_a_heading_on_a_late_page_of_many_is_found() -> None:
    pages = [[("H1" if n % 25 == 0 else "P", f"Sheet {n} begins"), ("P", f"body {n}")] for n in range(100)]
    edition = read_bytes(tagged(pages), "many.pdf")
    assert [(tag.title, tag.page) for tag in edition.tags] == [(f"Sheet {n} begins", n + 1) for n in range(0, 100, 25)]


def test_an_untagged_file_has_no_tags() -> None:
    edition = read_bytes(draw([Text(72, 100, "words")]), "plain.pdf")
    assert (edition.tags, edition.tag_coverage) == ((), 0.0)


def test_links_to_pages() -> None:
    def change(pdf: Pdf) -> None:
        def link(x: float, target: Dictionary) -> Dictionary:
            rect = Array([x, 680, x + 100, 700])
            return pdf.make_indirect(Dictionary({"/Type": Name.Annot, "/Subtype": Name.Link, "/Rect": rect, **target}))

        go_to = Dictionary(S=Name.GoTo, D=Array([pdf.pages[2].obj, Name.XYZ, 0, 500, 0]))
        away = Dictionary(S=Name.URI, URI=String("https://example.org/"))
        pdf.pages[0].Annots = Array(
            [
                link(72, {"/Dest": Array([pdf.pages[1].obj, Name.Fit])}),
                link(200, {"/A": go_to}),
                link(330, {"/A": away}),
            ]
        )

    data = edited(draw(*([Text(72, 100, f"sheet {n}")] for n in range(3))), change)
    edition = read_bytes(data, "links.pdf")
    assert [(link.page, link.target, link.y) for link in edition.links] == [(1, 2, None), (1, 3, 292.0)]
    assert tuple(edition.links[0].box) == (72.0, 92.0, 172.0, 112.0)


def list_page(start: int, step: int) -> list[Text]:
    return [Text(72, 100 + 20 * n, f"Part with a name {start + step * n}") for n in range(12)]


def test_of_lists_far_back_only_those_with_rising_numbers_give_links() -> None:
    def change(pdf: Pdf) -> None:
        for page in (pdf.pages[26], pdf.pages[27]):
            annotation = Dictionary(
                {
                    "/Type": Name.Annot,
                    "/Subtype": Name.Link,
                    "/Rect": Array([72, 680, 172, 700]),
                    "/Dest": Array([pdf.pages[3].obj, Name.Fit]),
                }
            )
            page.Annots = Array([pdf.make_indirect(annotation)])

    plain = [[Text(72, 100, f"sheet {n}")] for n in range(26)]
    data = edited(draw(*plain, list_page(1, 2), list_page(40, -3)), change)
    assert [(link.page, link.target) for link in read_bytes(data, "links.pdf").links] == [(27, 4)]


def test_facts_of_the_file() -> None:
    def change(pdf: Pdf) -> None:
        pdf.docinfo["/Title"] = "Über alles Mögliche"
        pdf.docinfo["/Author"] = "A. Writer"
        pdf.Root.Lang = String("de-DE")

    info = read_bytes(edited(draw([Text(72, 100, "words")]), change), "info.pdf").info
    assert info["title"] == "Über alles Mögliche"
    assert info["author"] == "A. Writer"
    assert info["language"] == "de-DE"


class TestSecondLane:
    def test_pages_by_number(self, tmp_path: Path) -> None:
        path = tmp_path / "other.pdf"
        path.write_bytes(draw(*([Text(72, 100, f"sheet {n}")] for n in range(1, 5))))
        assert {n: text.strip() for n, text in page_text(path, [2, 4]).items()} == {2: "sheet 2", 4: "sheet 4"}

    def test_a_password(self, tmp_path: Path) -> None:
        path = tmp_path / "other.pdf"
        path.write_bytes(encrypted(draw([Text(72, 100, "words")]), user="reader", revision=3))
        assert page_text(path, [1], "reader")[1].strip() == "words"
        with pytest.raises(PasswordError):
            page_text(path, [1], "guess")
