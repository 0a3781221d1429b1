"""The whole way from a file to its tree: last resorts, edges of pages, titles, languages, parts."""

from __future__ import annotations

import io

import pikepdf
import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pageindex.document import Position, TreeSource
from pageindex.limits import Limits
from pageindex.reading import read_bytes
from pageindex.structure import build_tree, doc_title
from pageindex.structure.facts import Facts
from pageindex.text import language
from tests.support.structure_editions import Draft, Printed
from tests.support.structure_pdfs import NAMES, Pages, chapters, codes, edition_of, found, named, titles, tree_of


def test_a_memo_of_one_page_without_headings_is_a_page_node() -> None:
    tree = tree_of(Pages().page().body(4).pdf())
    assert [(s.title, s.source, s.start_index, s.end_index) for s, _ in tree.walk()] == [
        ("Page 1", TreeSource.PAGE, 1, 1)
    ]
    assert tree.toc_source is TreeSource.PAGE
    assert "NO_HEADINGS" in codes(tree)


def test_a_scan_has_all_its_pages_named() -> None:
    from PIL import Image

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for _ in range(23):
        canvas.drawImage(ImageReader(Image.new("L", (40, 40), 90)), 50, 50, 400, 600)
        canvas.showPage()
    canvas.save()
    tree = tree_of(buffer.getvalue())
    assert [s.title for s in tree.sections] == ["Pages 1-10", "Pages 11-20", "Pages 21-23"]
    assert [s.start_index for s, _ in tree.walk() if not s.children] == list(range(1, 24))


def test_a_heading_at_the_foot_of_a_page_begins_on_that_page() -> None:
    pages = Pages().page().heading(NAMES[0]).body(30).page().body(40)
    pages.y = 735
    pages.heading(NAMES[1]).page().body(30).page().heading(NAMES[2]).body(20)
    section = named(tree_of(pages.pdf()), NAMES[1])
    assert (section.start_index, section.end_index) == (2, 3)


def test_long_numbered_items_make_no_long_titles_and_all_text_is_reachable() -> None:
    pages = Pages().page().heading("Rules of the house")
    for n in range(1, 12):
        words = f"{n}. Every member who wishes to bring a guest shall enter the name of the guest in the book kept at the door, "
        pages.at(72, pages.y, words[:100]).at(
            72, pages.y + 13, words[100:] + "and shall answer for the guest while he stays."
        )
        pages.y += 32
    data = pages.pdf()
    tree, edition = tree_of(data), edition_of(data)
    assert max(len(s.title) for s, _ in tree.walk()) <= 200
    texts = [edition.text(s.own_span.start, s.own_span.end) for s, _ in tree.walk()]
    assert "".join(texts) == edition.pages[0].text


def test_four_papers_in_one_file_are_four_parts_with_their_own_abstracts() -> None:
    merged = pikepdf.Pdf.new()
    names = [
        "Tides of the northern bay",
        "On the cutting of millstones",
        "A census of marsh birds",
        "Glass from river sand",
    ]
    for name in names:
        pages = Pages().page().heading(name, 22).body(2)
        for title, label in (("Abstract", "1"), ("1 Introduction", "1"), ("2 Methods", "2"), ("3 Results", "2")):
            pages.entry(title, label)
        pages.heading("Abstract", 13).body(6).heading("1 Introduction", 13).body()
        pages.page().heading("2 Methods", 13).body(12).heading("3 Results", 13).body(12)
        with pikepdf.Pdf.open(io.BytesIO(pages.pdf())) as part:
            merged.pages.extend(part.pages)
    buffer = io.BytesIO()
    merged.save(buffer)
    tree = tree_of(buffer.getvalue())
    assert [(s.title, s.start_index, s.end_index) for s in tree.sections] == [
        (n, 2 * k + 1, 2 * k + 2) for k, n in enumerate(names)
    ]
    assert [[child.title for child in s.children] for s in tree.sections] == [
        ["Abstract", "1 Introduction", "2 Methods", "3 Results"]
    ] * 4


def test_depth_is_capped_by_the_limit() -> None:
    text = "\n\n".join(f"{'#' * level} Title {level}\n\ntext" for level in range(1, 7))
    tree = build_tree(read_bytes(text.encode(), "deep.md"), limits=Limits(depth=3))
    assert max(level for _, level in tree.walk()) == 3


def test_the_tree_is_the_same_every_time() -> None:
    data = chapters(NAMES).pdf()
    assert tree_of(data) == tree_of(data)


def test_the_tree_covers_the_document_from_the_first_byte_to_the_last() -> None:
    data = chapters(NAMES, pages=Pages().page().body()).pdf()
    tree, edition = tree_of(data), edition_of(data)
    assert (tree.sections[0].start, tree.end) == (Position(1, 0), edition.end)
    assert (tree.sections[0].source, titles(tree)) == (TreeSource.PAGE, NAMES)
    assert [row[1] for row in found(tree)] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("The members of the committee said that this is for the good of all and with no cost to the town. " * 3, "en"),
        (
            "Die Mitglieder sind der Meinung, dass das nicht ohne den Rat der Stadt von einem werden kann und ist. "
            * 3,
            "de",
        ),
        ("Les membres des comités disent que dans une ville pour tous il est sur la route avec les autres. " * 3, "fr"),
        ("Los miembros de la ciudad dicen que el camino por las tierras del norte para una casa con los. " * 3, "es"),
        ("Члены комитета сказали, что это хорошо для города и не стоит ничего. " * 3, "ru"),
        ("委员会的成员说这对城市有好处而且没有任何费用我们应该继续下去直到完成为止。" * 3, "zh"),
        ("委員会のメンバーは、これは町のためになり、費用もかからないと言いました。" * 3, "ja"),
        ("위원회 위원들은 이것이 도시에 좋고 비용이 들지 않는다고 말했다. " * 3, "ko"),
        ("قال أعضاء اللجنة إن هذا جيد للمدينة ولا يكلف شيئا على الإطلاق في هذا العام. " * 3, "ar"),
        ("اعضای کمیته گفتند که این برای شهر خوب است و هیچ هزینه‌ای ندارد و گزارش چاپ شد. " * 3, "fa"),
        ("כל חברי הוועדה אמרו שזה טוב לעיר ואינו עולה דבר. " * 3, "he"),
        ("12 34 56", ""),
    ],
)
def test_the_language_is_guessed_from_the_text(text: str, tag: str) -> None:
    assert language.guess(Draft().page(text).edition()) == tag


def test_a_declared_language_stands_where_there_is_no_text() -> None:
    assert language.guess(Draft().page("12").edition(info={"language": "pt-BR"})) == "pt"


BODY = [f"plain words of the first page, line {n}, that say nothing in particular" for n in range(12)]


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("", "A Survey of Wells and Rivers"),
        ("report_final_v3.docx", "A Survey of Wells and Rivers"),
        ("Wells and Rivers", "Wells and Rivers"),
        ("Some other thing entirely", "A Survey of Wells and Rivers"),
    ],
    ids=["none stated", "file name", "stated and printed", "stated, not printed"],
)
def test_the_title_is_what_is_printed_largest_unless_the_stated_one_is_printed(stated: str, title: str) -> None:
    draft = Draft().page("Office of Maps", Printed("A Survey of Wells", 24), Printed("and Rivers", 24), *BODY)
    assert doc_title.find(Facts(draft.edition(info={"title": stated}))) == title


def test_neither_the_title_of_a_list_nor_a_numbered_heading_is_the_documents_title() -> None:
    rows = ["Wells 3", "Rivers 7", "Lakes 12", "Seas 20"]
    listed = Draft().page(Printed("Contents", 20), *rows).page(Printed("Waters of the north", 18), *BODY)
    assert doc_title.find(Facts(listed.edition())) == "Waters of the north"  # by their rising numbers
    revised = Draft().page(Printed("Shading language", 20), "Version 4.40", "Revision 8", "22 January 2014", *BODY)
    assert doc_title.find(Facts(revised.edition())) == "Shading language"
    numbered = Draft().page(Printed("1 Introduction", 14), *BODY)
    assert (
        doc_title.find(Facts(numbered.edition(info={"title": "Event transport standard"})))
        == "Event transport standard"
    )
    assert doc_title.find(Facts(numbered.edition())) == "1 Introduction"


def test_without_a_larger_style_a_stated_title_stands_if_it_says_something() -> None:
    draft = Draft().page(*BODY)
    assert (
        doc_title.find(Facts(draft.edition(info={"title": "Annual account of the town"})))
        == "Annual account of the town"
    )
    assert doc_title.find(Facts(draft.edition(info={"title": "untitled"}))) == ""
    assert doc_title.find(Facts(draft.edition(info={"title": "Microsoft Word - a b.doc"}))) == ""
