"""Printed contents: found without words, mapped to pages piece by piece, verified entry by entry, never sections themselves."""

from __future__ import annotations

import random

import pikepdf
import pytest

from pageindex.document import TreeSource
from pageindex.structure.contents.rows import read_label
from pageindex.structure.contents.source import find_headings
from pageindex.structure.facts import Facts
from tests.support.pdf import edited
from tests.support.structure_editions import Draft, Printed
from tests.support.structure_pdfs import Pages, chapters, codes, edition_of, found, named, titles, tree_of

TOPICS = [
    "Harbour dues", "Grain prices", "Timber and tar", "The winter court", "Roads to the north", "Mills on the river",
    "Wages of masons", "Salt and fish", "The great fire", "Bridges", "Bells and clocks", "Schools", "Paper", "Glass",
    "Letters home", "Ships lost", "Wool", "Taxes", "Weights", "Coin", "Gardens", "Wells", "Gates", "Walls", "Guilds",
    "Physicians", "Plays", "Inns", "Maps", "Census", "Tolls", "Ferries", "Quarries", "Vineyards", "Beacons", "Granaries",
    "Archives", "Stables", "Barracks", "Lanterns",
]  # fmt: skip


def contents_page(pages: Pages, entries: list[tuple[str, str]], dots: int | None = None) -> Pages:
    """A contents page, or several: at most 40 entries each."""
    for start in range(0, len(entries), 40):
        pages.page().heading("Contents")
        for title, label in entries[start : start + 40]:
            pages.entry(title, label, dots=dots)
    return pages


@pytest.mark.parametrize("dots", [None, 3, 0], ids=["many dots", "few dots", "no dots"])
def test_lines_of_a_contents_page_are_no_sections_and_one_word_headings_are(dots: int | None) -> None:
    names = [*TOPICS[:6], "References"]
    pages = contents_page(Pages(), [(name, str(page)) for page, name in enumerate(names, 2)], dots)
    tree = tree_of(chapters(names, pages=pages).pdf())
    rows = [row for row in found(tree) if row[0] != "Contents"]
    assert rows == [(name, page, 1) for page, name in enumerate(names, 2)]
    assert tree.toc_source is TreeSource.CONTENTS
    assert named(tree, "References").start_index == 8


def test_numbers_that_match_no_page_leave_the_titles_where_they_are_printed() -> None:
    names = TOPICS[:12]
    labels = [str(n) for n in (511, 530, 544, 561, 572, 590, 603, 628, 640, 655, 671, 699)]
    pages = contents_page(Pages(), list(zip(names, labels, strict=True)))
    for _ in range(20):
        pages.page().body().body()
    tree = tree_of(chapters(names, pages=pages).pdf())
    assert [row for row in found(tree) if row[0] in names] == [(name, page, 1) for page, name in enumerate(names, 22)]


def test_numbers_that_start_again_in_a_second_volume_and_a_misprint() -> None:
    first, second = TOPICS[:20], TOPICS[20:40]
    entries = [(name, str(2 * n + 1)) for n, name in enumerate(first)] + [
        (name, str(n + 1)) for n, name in enumerate(second)
    ]
    entries[7] = (first[7], "2900")
    pages = contents_page(Pages(), entries)
    pages = chapters(first, pages=pages, each=2)
    pages = chapters(second, pages=pages)
    tree = tree_of(pages.pdf())
    right = [(name, 2 + 2 * n, 1) for n, name in enumerate(first)] + [
        (name, 42 + n, 1) for n, name in enumerate(second)
    ]
    assert [row for row in found(tree) if row[0] in TOPICS] == right
    notes = [note.message for note in tree.notes if note.code == "CONTENTS_REPAIRED"]
    assert len(notes) == 1
    assert "2900" in notes[0]
    assert first[7] in notes[0]


def test_only_the_wrong_entry_is_repaired() -> None:
    names = TOPICS[:10]
    labels = [str(3 * n + 1) for n in range(10)]
    labels[4] = str(int(labels[4]) + 7)
    pages = contents_page(Pages(), list(zip(names, labels, strict=True)))
    found = find_headings(Facts(edition_of(chapters(names, pages=pages, each=3).pdf())))
    assert [(c.title, c.page) for c in found.candidates] == [(name, 2 + 3 * n) for n, name in enumerate(names)]
    assert [note.page for note in found.notes] == [14]


def _front_and_body() -> tuple[Pages, list[tuple[str, int, int]]]:
    """Pages i-iv, then 1 and on, with the numbers printed at the foot."""
    names = TOPICS[:9]
    entries = [("Foreword", "iii"), *((name, str(n + 1)) for n, name in enumerate(names))]
    pages = Pages().page().heading("The whole account", 26).folio("i")
    contents_page(pages, entries).folio("ii")
    pages.page().heading("Foreword").body().folio("iii").page().body().folio("iv")
    for n, name in enumerate(names, 1):
        pages.page().heading(name).body().folio(str(n))
    return pages, [("Foreword", 3, 1), *((name, n, 1) for n, name in enumerate(names, 5))]


@pytest.mark.parametrize("labelled", [False, True], ids=["folios only", "page labels"])
def test_physical_pages_and_printed_numbers_are_kept_apart(labelled: bool) -> None:
    pages, right = _front_and_body()

    def label(pdf: pikepdf.Pdf) -> None:
        roman = pikepdf.Dictionary(S=pikepdf.Name("/r"))
        arabic = pikepdf.Dictionary(S=pikepdf.Name("/D"))
        pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array([0, roman, 4, arabic]))

    data = edited(pages.pdf(), label) if labelled else pages.pdf()
    tree = tree_of(data)
    wanted = {title for title, _, _ in right}
    assert [row for row in found(tree) if row[0] in wanted] == right
    first = named(tree, TOPICS[0])
    assert (first.start_index, first.end_index) == (5, 5)
    assert (first.label, named(tree, "Foreword").label) == ("1", "iii-iv")


def test_a_book_with_pages_removed_fits_no_single_offset() -> None:
    names = TOPICS[:20]
    pages = contents_page(Pages(), [(name, str(2 * n + 1)) for n, name in enumerate(names)])
    whole = chapters(names, pages=pages, each=2).pdf()

    def cut(pdf: pikepdf.Pdf) -> None:
        del pdf.pages[15:25]  # the chapters with numbers 15 to 23

    tree = tree_of(edited(whole, cut))
    kept = [name for n, name in enumerate(names) if not 7 <= n <= 11]
    right = [(name, 2 + 2 * n, 1) for n, name in enumerate(kept)]
    assert [row for row in found(tree) if row[0] in names] == right
    lost = [note.message for note in tree.notes if note.code == "CONTENTS_NOT_FOUND"]
    assert len(lost) == 5


def test_a_list_of_plates_that_runs_backwards_spoils_no_range() -> None:
    names = TOPICS[:8]
    entries = [(name, str(2 * n + 2)) for n, name in enumerate(names)] + [
        ("Plate 1", "3"),
        ("Plate 2", "5"),
        ("Plate 3", "9"),
    ]
    pages = contents_page(Pages(), entries)
    chapters(names, pages=pages, each=2)
    for plate, page in ((1, 3), (2, 5), (3, 9)):
        pages.pages[page - 1].extend(Pages([[]], 600).at(250, 640, f"Plate {plate}", 9).pages[0])
    tree = tree_of(pages.pdf())
    spans = [(s.title, s.start_index, s.end_index) for s, _ in tree.walk() if s.title in names]
    assert spans == [(name, 2 + 2 * n, 3 + 2 * n) for n, name in enumerate(names)]


def test_wrapped_entries_numbers_of_chapters_and_indents() -> None:
    pages = Pages().page().heading("Inhalt")
    pages.entry("1 Boden und Wasser", "1-1", font="Helvetica-Bold")
    pages.entry("1.1 Ein Titel, der so lang ist, dass er", "", indent=20, dots=0).entry(
        "auf zwei Zeilen steht", "1-1", indent=44
    )
    pages.entry("1.2 Messung", "1-2", indent=20)
    pages.entry("2 Luft", "2-1", font="Helvetica-Bold").entry("2.1 Wind", "2-1", indent=20).entry(
        "2.2 Regen", "2-3", indent=20
    )
    pages.page().heading("1 Boden und Wasser").heading(
        "1.1 Ein Titel, der so lang ist, dass er auf zwei Zeilen steht", 12
    ).body()
    pages.page().heading("1.2 Messung", 12).body()
    pages.page().heading("2 Luft").heading("2.1 Wind", 12).body().page().body().page().heading("2.2 Regen", 12).body()
    tree = tree_of(pages.pdf())
    long = "1.1 Ein Titel, der so lang ist, dass er auf zwei Zeilen steht"
    right = [
        ("1 Boden und Wasser", 2, 1),
        (long, 2, 2),
        ("1.2 Messung", 3, 2),
        ("2 Luft", 4, 1),
        ("2.1 Wind", 4, 2),
        ("2.2 Regen", 6, 2),
    ]
    assert [row for row in found(tree) if row[0] != "Inhalt"] == right


def test_a_list_of_figures_is_not_taken_for_contents() -> None:
    names = TOPICS[:8]
    pages = contents_page(Pages(), [(name, str(n + 3)) for n, name in enumerate(names)])
    pages.page().heading("Figures")
    for n in range(8):
        pages.entry(f"{n + 1} Trade of {TOPICS[n + 10].lower()}", str(n + 3))
    for n, name in enumerate(names):
        pages.page().heading(name).body().at(72, 500, f"Figure {n + 1}: Trade of {TOPICS[n + 10].lower()}", 9)
    tree = tree_of(pages.pdf())
    assert [t for t in titles(tree) if "Trade of" in t] == []
    assert [row[:2] for row in found(tree) if row[0] in names] == [(name, n) for n, name in enumerate(names, 3)]


def test_two_columns_of_contents_are_read_one_after_the_other() -> None:
    names = TOPICS[:20]
    pages = Pages().page().heading("Contents")
    top = pages.y
    for n, name in enumerate(names):
        left, y = (72, top + 14 * n) if n < 10 else (320, top + 14 * (n - 10))
        pages.at(left, y, name).at_right(left + 200, y, str(n + 2))
    found = find_headings(Facts(edition_of(chapters(names, pages=pages).pdf())))
    assert [(c.title, c.page) for c in found.candidates] == [(name, n) for n, name in enumerate(names, 2)]


def test_contents_that_run_from_right_to_left() -> None:
    names = ["مقدمه", "روش کار", "داده‌ها", "تحلیل نتایج", "بحث و بررسی", "پیوست‌ها"]
    digits = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
    draft, rows = Draft(), []
    for n, name in enumerate(names):
        indent, y = (20 if n in (2, 3) else 0), 100.0 + 14 * n
        rows.append(Printed(str(n + 2).translate(digits), x=72, x1=78, y=y))
        rows.append(Printed(name, x=540 - indent - 5 * len(name), x1=540 - indent, y=y))
    draft.page(*rows)
    for name in names:
        draft.page(Printed(name, 14, bold=True, x=400, x1=540), "این متن صفحه است و چیزی نمی‌گوید")
    found = find_headings(Facts(draft.edition()))
    assert [(c.title, c.page, c.level) for c in found.candidates] == [
        (name, n + 2, 2 if n in (2, 3) else 1) for n, name in enumerate(names)
    ]


def test_a_table_of_figures_with_rising_numbers_is_no_contents_page() -> None:
    rng = random.Random(5)
    pages = Pages().page().heading("Harvest by parish")
    for n in range(25):
        pages.entry(f"{TOPICS[n]} {rng.randint(100, 999)}", str(20 + 3 * n), dots=0)
    chapters([f"Chapter of {name.lower()}" for name in TOPICS[25:33]], pages=pages)
    assert find_headings(Facts(edition_of(pages.pdf()))).candidates == ()


def test_every_entry_keeps_where_it_came_from() -> None:
    names = TOPICS[:6]
    pages = contents_page(Pages(), [(name, str(page)) for page, name in enumerate(names, 2)])
    tree = tree_of(chapters(names, pages=pages).pdf())
    section = named(tree, names[3])
    assert section.source is TreeSource.CONTENTS
    assert "contents" in section.sources
    assert section.printed
    assert "CONTENTS_NOT_FOUND" not in codes(tree)


@pytest.mark.parametrize(
    ("text", "series", "value"),
    [("17", "1", 17), ("xiv", "i", 14), ("2-3", "2-", 3), ("A-1", "A-", 1), ("(12)", "1", 12), ("٤٢", "1", 42)],
)
def test_page_numbers_belong_to_a_series(text: str, series: str, value: int) -> None:
    label = read_label(text)
    assert label is not None
    assert (label.series, label.value) == (series, value)


@pytest.mark.parametrize("text", ["", "abc", "12345", "1.5", "-3"])
def test_other_text_is_no_page_number(text: str) -> None:
    assert read_label(text) is None


def test_a_link_tells_where_an_entry_leads_whatever_number_is_printed() -> None:
    """Every title stands alone on two pages; the printed numbers are those of another edition; the links know."""
    titles_ = ["Origins", "Members", "Accounts", "Outlook", "Sources"]
    pages = Pages().page().heading("Contents")
    rows = []
    for number, title in enumerate(titles_):
        rows.append(pages.y)
        pages.entry(title, str(901 + 7 * number))
    for title in titles_:
        pages.page().body().heading(title).body(3)  # named here …
        pages.page().heading(title).body()  # … and begun here
    data = pages.pdf()

    def linked(pdf: pikepdf.Pdf) -> None:
        height = float(pdf.pages[0].mediabox[3])
        pdf.pages[0].Annots = pdf.make_indirect(
            pikepdf.Array(
                pdf.make_indirect(
                    pikepdf.Dictionary(
                        Type=pikepdf.Name.Annot,
                        Subtype=pikepdf.Name.Link,
                        Rect=[72, height - y - 4, 540, height - y + 12],
                        Dest=[pdf.pages[2 * n + 2].obj, pikepdf.Name.XYZ, 0, height, 0],
                    )
                )
                for n, y in enumerate(rows)
            )
        )

    found = find_headings(Facts(edition_of(edited(data, linked))))
    assert [(c.title, c.page) for c in found.candidates] == [(t, 3 + 2 * n) for n, t in enumerate(titles_)]
    plain = find_headings(Facts(edition_of(data)))
    assert [c.page for c in plain.candidates] != [c.page for c in found.candidates]


def test_a_title_that_a_page_holds_several_times_is_aligned_with_its_places() -> None:
    draft = Draft()
    entries = [("Harbour dues", 2), ("Aims", 2), ("Grain prices", 2), ("Aims", 2), ("Bridges", 3), ("Aims", 3)]
    entries += [("The great fire", 4)]
    listed = []
    for n, (title, label) in enumerate(entries):
        y = 100.0 + 14 * n
        listed += [Printed(title, x=72, y=y), Printed(str(label), x=530, x1=540, y=y)]
    draft.page(*listed)
    for page in (2, 3, 4):
        lines: list[Printed | str] = []
        for title, label in entries:
            if label == page:
                lines += [
                    Printed(title, 14, bold=True),
                    f"nothing but plain text below, of {title.lower()} and page {page}",
                ]
        draft.page(*lines)
    facts = Facts(draft.edition())
    candidates = find_headings(facts).candidates
    assert [(c.title, c.page) for c in candidates] == entries
    assert len({(c.page, c.heading) for c in candidates}) == len(entries)


def test_a_title_with_its_page_is_no_counting_word_though_it_comes_again() -> None:
    """Ragged contents without leaders: "Streams 2" and "Streams 4" are a title and its pages, not streams."""
    draft = Draft()
    entries = [("Harbour dues", 2), ("Streams", 2), ("Grain prices", 3), ("Streams", 3), ("Bridges", 5), ("Streams", 5)]
    draft.page(*(f"{title} {label}" for title, label in entries))
    for page in range(2, 7):
        lines: list[Printed | str] = []
        for title, label in entries:
            if label == page:
                lines += [
                    Printed(title, 14, bold=True),
                    f"nothing but plain text below, of {title.lower()} and page {page}",
                ]
        draft.page(*lines, *(f"more plain words of page {page}, line {k}" for k in range(5)))
    candidates = find_headings(Facts(draft.edition())).candidates
    assert [(c.title, c.page) for c in candidates] == entries


def test_a_table_that_comes_back_on_every_page_is_no_contents() -> None:
    draft = Draft()
    for page in range(1, 9):
        lines: list[Printed | str] = [Printed(f"Screen {page}", 14, bold=True, y=72.0)]
        for n, field in enumerate(
            ("Command code", "Name control", "Caution flag", "Cycle of update", "Offer in dispute")
        ):
            y = 110.0 + 16 * n
            lines += [Printed(field, x=216, y=y), Printed(str(n + 1), x=520, x1=526, y=y)]
        draft.page(*lines)
    assert not find_headings(Facts(draft.edition())).candidates


def test_the_title_of_the_list_is_no_line_of_its_first_entry() -> None:
    draft = Draft()
    listed = [Printed("Contents", 18, bold=True, y=72.0)]
    for n, name in enumerate(TOPICS[:5]):
        y = 96.0 + 14 * n
        listed += [Printed(name, x=72, y=y), Printed(str(n + 2), x=530, x1=540, y=y)]
    draft.page(*listed)
    for name in TOPICS[:5]:
        draft.page(Printed(name, 14, bold=True), f"nothing but the text below {name.lower()}")
    assert [c.title for c in find_headings(Facts(draft.edition())).candidates] == TOPICS[:5]
