"""Bookmarks are read as facts, however their targets are given, and a broken outline is told from none."""

from __future__ import annotations

import itertools
import time

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String

from pageindex.document import Edition
from pageindex.reading import read_bytes
from tests.support.pdf import Text, bookmarked, draw, edited, raw

TITLES = [("Preface", 1), ("Methods", 4), ("Results", 8), ("Annex", 10)]


def ten_pages() -> bytes:
    return draw(*([Text(72, 100, f"Text of sheet {n}")] for n in range(1, 11)))


def pages_of(edition: Edition) -> list[tuple[str, int | None]]:
    return [(bookmark.title, bookmark.page) for bookmark in edition.bookmarks]


def chain(pdf: Pdf, targets: list[Dictionary]) -> list[Dictionary]:
    """An outline of the four titles whose entries carry what ``targets`` hold."""
    for (title, _), target in zip(TITLES, targets, strict=True):
        target.Title = String(title)
    items = [pdf.make_indirect(target) for target in targets]
    for before, after in itertools.pairwise(items):
        before.Next, after.Prev = after, before
    root = pdf.make_indirect(Dictionary(Type=Name.Outlines, First=items[0], Last=items[-1], Count=4))
    for item in items:
        item.Parent = root
    pdf.Root.Outlines = root
    return items


def explicit(pdf: Pdf, page: int) -> Array:
    return Array([pdf.pages[page - 1].obj, Name.XYZ, 0, 700, 0])


def with_explicit(pdf: Pdf) -> None:
    chain(pdf, [Dictionary(Dest=explicit(pdf, page)) for _, page in TITLES])


def with_flat_names(pdf: Pdf) -> None:
    pdf.Root.Dests = Dictionary({f"/{title}": explicit(pdf, page) for title, page in TITLES})
    chain(pdf, [Dictionary(Dest=Name("/" + title)) for title, _ in TITLES])


def with_name_tree(pdf: Pdf) -> None:
    ordered = sorted(TITLES)
    kids = []
    for half in (ordered[:2], ordered[2:]):
        names = [part for title, page in half for part in (String(title), Dictionary(D=explicit(pdf, page)))]
        limits = [String(half[0][0]), String(half[-1][0])]
        kids.append(pdf.make_indirect(Dictionary(Names=Array(names), Limits=Array(limits))))
    pdf.Root.Names = Dictionary(Dests=Dictionary(Kids=Array(kids)))
    chain(pdf, [Dictionary(Dest=String(title)) for title, _ in TITLES])


def with_actions(pdf: Pdf) -> None:
    chain(pdf, [Dictionary(A=Dictionary(S=Name.GoTo, D=explicit(pdf, page))) for _, page in TITLES])


def with_integers(pdf: Pdf) -> None:
    chain(pdf, [Dictionary(Dest=Array([page - 1, Name.Fit])) for _, page in TITLES])


@pytest.mark.parametrize("change", [with_explicit, with_flat_names, with_name_tree, with_actions, with_integers])
def test_every_kind_of_target_gives_the_same_pages(change) -> None:  # type: ignore[no-untyped-def]
    edition = read_bytes(edited(ten_pages(), change), "kinds.pdf")
    assert pages_of(edition) == TITLES
    assert [bookmark.level for bookmark in edition.bookmarks] == [1, 1, 1, 1]
    assert edition.notes == ()


def test_a_height_is_measured_from_the_top_of_the_page() -> None:
    edition = read_bytes(edited(ten_pages(), with_explicit), "heights.pdf")
    assert [bookmark.y for bookmark in edition.bookmarks] == [92.0] * 4


def test_integers_are_pages_counted_from_zero() -> None:
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>"
    objects = {1: "<< /Type /Catalog /Pages 2 0 R /Outlines 20 0 R >>"}
    objects[2] = f"<< /Type /Pages /Count 10 /Kids [{' '.join(f'{n} 0 R' for n in range(3, 13))}] >>"
    objects |= dict.fromkeys(range(3, 13), page)
    objects[20] = "<< /First 21 0 R /Last 23 0 R /Count 3 >>"
    for number, (title, target) in enumerate([("one", 0), ("four", 3), ("eight", 7)], start=21):
        following = f"/Next {number + 1} 0 R" if number < 23 else ""
        objects[number] = f"<< /Title ({title}) /Parent 20 0 R /Dest [{target} /Fit] {following} >>"
    edition = read_bytes(raw(objects), "integers.pdf")
    assert pages_of(edition) == [("one", 1), ("four", 4), ("eight", 8)]


def test_targets_outside_the_file_keep_their_title_without_a_page() -> None:
    def change(pdf: Pdf) -> None:
        uri = Dictionary(S=Name.URI, URI=String("https://example.org/"))
        remote = Dictionary(S=Name.GoToR, F=String("other.pdf"), D=Array([0, Name.Fit]))
        launch = Dictionary(S=Name.Launch, F=String("tool"))
        chain(pdf, [Dictionary(A=uri), Dictionary(A=remote), Dictionary(A=launch), Dictionary()])

    edition = read_bytes(edited(ten_pages(), change), "outside.pdf")
    assert [(b.title, b.page, b.kind) for b in edition.bookmarks] == [
        ("Preface", None, "uri"),
        ("Methods", None, "remote"),
        ("Results", None, "launch"),
        ("Annex", None, "none"),
    ]


def test_pages_past_the_end_and_missing_arguments() -> None:
    def change(pdf: Pdf) -> None:
        targets = [Array([99, Name.Fit]), Array([pdf.pages[3].obj]), Array([pdf.pages[7].obj, Name.XYZ]), Array([])]
        chain(pdf, [Dictionary(Dest=target) for target in targets])

    edition = read_bytes(edited(ten_pages(), change), "odd.pdf")
    assert pages_of(edition) == [("Preface", None), ("Methods", 4), ("Results", 8), ("Annex", None)]
    assert [bookmark.y for bookmark in edition.bookmarks] == [None] * 4


def test_levels_follow_the_nesting() -> None:
    data = bookmarked(ten_pages(), [("A", 1, 1), ("A.1", 2, 2), ("A.1.1", 3, 3), ("A.2", 4, 2), ("B", 5, 1)])
    edition = read_bytes(data, "levels.pdf")
    assert [(b.title, b.level, b.page) for b in edition.bookmarks] == [
        ("A", 1, 1),
        ("A.1", 2, 2),
        ("A.1.1", 3, 3),
        ("A.2", 2, 4),
        ("B", 1, 5),
    ]


class TestBrokenOutlines:
    def test_an_entry_that_follows_itself(self) -> None:
        def change(pdf: Pdf) -> None:
            items = chain(pdf, [Dictionary(Dest=explicit(pdf, page)) for _, page in TITLES])
            items[0].Next = items[0]

        edition = read_bytes(edited(ten_pages(), change), "self.pdf")
        assert pages_of(edition) == [("Preface", 1)]
        assert [note.code for note in edition.notes] == ["OUTLINE_CYCLE"]

    def test_two_entries_that_are_each_others_child(self) -> None:
        def change(pdf: Pdf) -> None:
            items = chain(pdf, [Dictionary(Dest=explicit(pdf, page)) for _, page in TITLES])
            items[0].First, items[1].First = items[1], items[0]

        edition = read_bytes(edited(ten_pages(), change), "mutual.pdf")
        assert sorted(pages_of(edition)) == sorted(TITLES)
        assert [note.code for note in edition.notes] == ["OUTLINE_CYCLE"]

    def test_five_thousand_levels(self) -> None:
        def change(pdf: Pdf) -> None:
            items = [
                pdf.make_indirect(Dictionary(Title=String(f"level {n}"), Dest=explicit(pdf, 1 + n % 10)))
                for n in range(5000)
            ]
            for outer, inner in itertools.pairwise(items):
                outer.First = outer.Last = inner
            pdf.Root.Outlines = pdf.make_indirect(Dictionary(First=items[0], Last=items[0], Count=1))

        data = edited(ten_pages(), change)
        begin = time.monotonic()
        edition = read_bytes(data, "deep.pdf")
        assert time.monotonic() - begin < 5
        assert len(edition.bookmarks) == 5000
        assert [b.level for b in edition.bookmarks[:3]] == [1, 2, 3]
        assert edition.bookmarks[-1].level == 64
        assert [note.code for note in edition.notes] == ["OUTLINE_TOO_DEEP"]

    @pytest.mark.parametrize(
        "outline", ["(text)", "<< /First (text) /Count 4 >>", "<< /First 99 0 R /Last 99 0 R /Count 4 >>"]
    )
    def test_one_that_cannot_be_read_is_said_to_be_so(self, outline: str) -> None:
        objects = {
            1: f"<< /Type /Catalog /Pages 2 0 R /Outlines {outline} >>",
            2: "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>",
        }
        edition = read_bytes(raw(objects), "unreadable.pdf")
        assert edition.bookmarks == ()
        assert [note.code for note in edition.notes] == ["OUTLINE_UNREADABLE"]

    def test_an_absent_or_empty_one_is_no_fault(self) -> None:
        def change(pdf: Pdf) -> None:
            pdf.Root.Outlines = pdf.make_indirect(Dictionary(Type=Name.Outlines, Count=0))

        assert read_bytes(ten_pages(), "absent.pdf").notes == ()
        assert read_bytes(edited(ten_pages(), change), "empty.pdf").notes == ()


def test_pikepdf_agrees() -> None:
    data = bookmarked(ten_pages(), [(title, page, 1) for title, page in TITLES])
    with pikepdf.open(__import__("io").BytesIO(data)) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == [title for title, _ in TITLES]
    assert pages_of(read_bytes(data, "agree.pdf")) == TITLES
