"""Every noun survives its JSON form."""

from __future__ import annotations

import pytest

from pageindex.document import (
    Bookmark,
    Box,
    DocumentRecord,
    Edition,
    EditionEntry,
    Extractor,
    Flag,
    Font,
    HeadingTag,
    KindRange,
    Line,
    Link,
    MergedHeading,
    Note,
    Page,
    PageState,
    Position,
    Run,
    Section,
    Source,
    Span,
    Summaries,
    Summary,
    SummaryKind,
    TextKind,
    Tree,
    TreeSource,
    Unread,
    UnreadReason,
)
from pageindex.document.codec import (
    decode_edition,
    decode_json,
    encode_edition,
    encode_json,
    record_from_json,
    record_to_json,
    summaries_from_json,
    summaries_to_json,
    tree_from_json,
    tree_to_json,
)


@pytest.fixture
def edition() -> Edition:
    text = "1 Größe 😀\r\nbody"
    return Edition(
        source=Source("a.pdf", "0" * 64, 12),
        extractor=Extractor("test", "1"),
        pages=(
            Page(1, text, label="i", label_source="pdf", width=595.0, height=842.0, running=((0, 3),)),
            Page(2, "", PageState.IMAGE_ONLY, flags=(Flag("scanned", {"characters": 0}),), rotation=90),
            Page(3, "", PageState.FAILED, problem="broken stream"),
            Page(
                4,
                "Name: Ada\nseen",
                kinds=(KindRange(TextKind.FORM, 6, 9), KindRange(TextKind.ANNOTATION, 10, 14)),
                unread_parts=(
                    Unread(UnreadReason.PICTURE, Box(1, 2, 30.5, 40)),
                    Unread(UnreadReason.OUTLINES),
                ),
            ),
        ),
        lines=(
            Line(
                1, 0, 14, "1 Größe 😀", Box(1, 2, 3, 4), 12.5, 0, 700, 255, (Run(0, 18, 0), Run(2, 12.5, 0, 700, 255))
            ),
            Line(1, 16, 20, "body", Box(1, 20, 3, 24), 10, 1, angle=90),
        ),
        fonts=(Font("A-Bold", bold=True), Font("B", mono=True)),
        bookmarks=(Bookmark("Größe", 1, 1, 2.0), Bookmark("web", 2, None, kind="uri")),
        tags=(HeadingTag("Größe", 1, 1, 2),),
        tag_coverage=0.5,
        links=(Link(1, Box(0, 0, 1, 1), 3, 4.0),),
        info={"title": "T"},
        notes=(Note("X", "y", 2),),
    )


def test_edition_survives(edition: Edition) -> None:
    files = encode_edition(edition)
    again = decode_edition(files["edition.json"], files["pages.json"], files["lines.json.gz"])
    assert again == edition
    assert again.id == edition.id
    assert encode_edition(again) == files


def test_lines_are_optional(edition: Edition) -> None:
    files = encode_edition(edition)
    assert list(decode_edition(files["edition.json"], files["pages.json"]).lines) == []


def test_lone_surrogates_are_refused(edition: Edition) -> None:
    broken = Edition(edition.source, edition.extractor, (Page(1, "\ud800"),))
    with pytest.raises(UnicodeEncodeError):
        encode_edition(broken)


def test_tree_survives_and_may_be_deep() -> None:
    span = Span(Position(3, 0), Position(3, 4))
    section = Section("00999", "leaf", span, TreeSource.LAYOUT, merged=(MergedHeading("former", 3),))
    for depth in range(998, 900, -1):
        span = Span(Position(1, 0), Position(3, 4))
        section = Section(
            f"{depth:05}", f"s{depth}", span, TreeSource.BOOKMARK, ("bookmark",), True, (0, 5), "i-2", (section,)
        )
    tree = Tree("e", "T", (section,), Position(3, 4), TreeSource.BOOKMARK, "de", (Note("A", "b"),))
    assert tree_from_json(decode_json(encode_json(tree_to_json(tree)))) == tree


def test_summaries_and_record_survive() -> None:
    summaries = Summaries(
        "e", {"0001": Summary("0001", "s", SummaryKind.MODEL, "m", "h", ("12",))}, "d", SummaryKind.MODEL, "m"
    )
    assert summaries_from_json(decode_json(encode_json(summaries_to_json(summaries)))) == summaries
    record = DocumentRecord(
        "d1", "a.pdf", "T", "completed", "t0", "t1", 3, "application/pdf", "/x/a.pdf",
        (EditionEntry("e", "s", "source.pdf", "t0"),), "layout", page_states={"blank": (3,)}, flags={"table": (1,)},
        metadata={"year": 2022}, notes=({"code": "X", "message": "y", "page": None},),
    )  # fmt: skip
    assert record_from_json(decode_json(encode_json(record_to_json(record)))) == record
