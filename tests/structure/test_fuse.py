"""Heading sources become one list: the frame stays, peers and numbered children join it, duplicates dissolve."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pageindex.document import TreeSource
from pageindex.structure.candidate import Candidate, SourceHeadings
from pageindex.structure.facts import Facts
from pageindex.structure.fuse import fuse, pick_frame
from pageindex.structure.spans import depths
from tests.support.structure_editions import Draft, Printed

B, C, L, T = TreeSource.BOOKMARK, TreeSource.CONTENTS, TreeSource.LAYOUT, TreeSource.TAG


def facts_of(*titles: str, bold: tuple[str, ...] = ()) -> Facts:
    """One title on each page, above some text."""
    draft = Draft()
    for n, title in enumerate(titles):
        draft.page(Printed(title, 14, bold=title in bold), *(f"plain words of page {n} and line {k}" for k in range(6)))
    return Facts(draft.edition())


def seen(
    title: str, page: int, level: int, source: TreeSource, *, printed: bool = True, confidence: float = 0.5
) -> Candidate:
    return Candidate(
        title, page, 0, (0, len(title.encode())) if printed else None, level, source, confidence=confidence
    )


def rows(results: list[SourceHeadings], facts: Facts) -> list[tuple[str, int, int]]:
    headings, _ = fuse(results, facts)
    return [(h.title, h.page, d) for h, d in zip(headings, depths([h.level for h in headings], 64), strict=True)]


def test_no_source_no_headings() -> None:
    assert fuse([SourceHeadings(B), SourceHeadings(L)], facts_of("One")) == ([], TreeSource.PAGE)


def test_the_most_trusted_source_with_something_to_say_gives_the_frame() -> None:
    strong = SourceHeadings(B, (seen("One", 1, 1, B),), 0.95)
    weak = SourceHeadings(B, (seen("One", 1, 1, B),), 0.2)
    listed = SourceHeadings(C, tuple(seen(f"T{n}", n, 1, C) for n in range(1, 6)), 0.9)
    layout = SourceHeadings(L, (seen("One", 1, 1, L),), 0.4)
    assert pick_frame([strong, listed, layout]) is strong
    assert pick_frame([weak, listed, layout]) is listed
    assert pick_frame([weak, layout]) is layout
    assert pick_frame([weak]) is weak
    assert pick_frame([SourceHeadings(B, (seen("chap1.tex", 1, 1, B),), 0.0)]) is None


def test_tags_of_a_few_headings_do_not_close_the_frame_when_layout_is_sure_of_many() -> None:
    tags = SourceHeadings(T, tuple(seen(f"T{n}", n, 1, T) for n in range(1, 7)), 0.8, complete=True)
    many = tuple(seen(f"T{n}", n, 1, L) for n in range(1, 14))
    sure = SourceHeadings(L, many, 0.9)
    assert pick_frame([tags, sure]) is sure
    assert pick_frame([tags, SourceHeadings(L, many, 0.5)]) is tags
    assert pick_frame([tags, SourceHeadings(L, many[:9], 0.9)]) is tags


def test_a_twin_under_another_number_is_one_heading_with_both_sources() -> None:
    facts = facts_of("4 Results")
    frame = SourceHeadings(B, (seen("Results", 1, 1, B, printed=False),), 0.95, complete=True)
    headings, source = fuse([frame, SourceHeadings(L, (seen("4 Results", 1, 3, L),), 0.9)], facts)
    assert source is B
    assert [(h.title, h.sources, h.heading) for h in headings] == [("Results", (B, L), (0, 9))]


def test_like_titles_with_other_numbers_in_them_stay_two_sections() -> None:
    facts = facts_of("Methods of 1998", "Methods of 1999")
    frame = SourceHeadings(B, (seen("Methods of 1998", 1, 1, B),), 0.95)
    other = SourceHeadings(L, (seen("Methods of 1998", 1, 1, L), seen("Methods of 1999", 2, 1, L)), 0.9)
    assert [title for title, _, _ in rows([frame, other], facts)] == ["Methods of 1998", "Methods of 1999"]


def test_a_rich_frame_takes_missing_peers_but_no_new_kind_of_heading() -> None:
    titles = ["Alpha", "Beta", "Gamma", "Delta"]
    facts = facts_of(*titles, "a caption", "a note", bold=tuple(titles))
    frame = SourceHeadings(B, tuple(seen(t, p, 1, B) for p, t in enumerate(titles[:3], 1)), 0.95, complete=True)
    layout = SourceHeadings(
        L,
        (*(seen(t, p, 1, L) for p, t in enumerate(titles, 1)), seen("a caption", 5, 2, L), seen("a note", 6, 2, L)),
        0.8,
    )
    assert rows([frame, layout], facts) == [(t, p, 1) for p, t in enumerate(titles, 1)]


def test_a_frame_of_chapters_gets_deeper_levels_from_a_sure_source() -> None:
    facts = facts_of("Alpha", "Seeds", "Soil", "Beta", "Rain", bold=("Alpha", "Beta"))
    frame = SourceHeadings(B, (seen("Alpha", 1, 1, B), seen("Beta", 4, 1, B)), 0.95)
    layout = SourceHeadings(
        L,
        tuple(
            seen(t, p, 1 if t in ("Alpha", "Beta") else 2, L, confidence=0.9)
            for p, t in enumerate(["Alpha", "Seeds", "Soil", "Beta", "Rain"], 1)
        ),
        0.9,
    )
    assert rows([frame, layout], facts) == [
        ("Alpha", 1, 1),
        ("Seeds", 2, 2),
        ("Soil", 3, 2),
        ("Beta", 4, 1),
        ("Rain", 5, 2),
    ]


def test_numbers_that_go_on_below_a_heading_of_the_frame_join_it() -> None:
    titles = ["1 Start", "1.1 Aim", "1.1.1 Near", "1.1.2 Far", "1.2 Means", "3.3.3 Stray"]
    facts = facts_of(*titles, bold=("1 Start", "1.1 Aim", "1.2 Means"))
    frame = SourceHeadings(
        B,
        tuple(
            seen(t, titles.index(t) + 1, t.count(".") + 1, B) for t in ("1 Start", "1.1 Aim", "1.2 Means", "1 Start")
        ),
        0.95,
        complete=True,
    )
    layout = SourceHeadings(
        L, tuple(seen(t, p, 1, L) for p, t in enumerate(titles, 1) if t not in ("1 Start", "1.1 Aim", "1.2 Means")), 0.8
    )
    assert rows([frame, layout], facts) == [
        ("1 Start", 1, 1),
        ("1.1 Aim", 2, 2),
        ("1.1.1 Near", 3, 3),
        ("1.1.2 Far", 4, 3),
        ("1.2 Means", 5, 2),
    ]


def test_contents_that_stop_at_chapters_say_nothing_of_what_lies_below() -> None:
    titles = ["Alpha", "Seeds", "Soil", "Beta", "Rain", "Snow"]
    facts = facts_of(*titles, bold=("Alpha", "Beta"))
    listed = SourceHeadings(C, (seen("Alpha", 1, 1, C), seen("Beta", 4, 1, C)) * 3, 0.95, complete=True)
    layout = SourceHeadings(
        L,
        tuple(seen(t, p, 2 + (t not in ("Alpha", "Beta")), L, confidence=0.3) for p, t in enumerate(titles, 1)),
        0.5,
    )
    assert rows([listed, layout], facts) == [(t, p, 1 + (p not in (1, 4))) for p, t in enumerate(titles, 1)]


def test_what_a_source_adds_stands_where_it_stands_in_its_own_tree() -> None:
    """One level of layout may be two of the frame: what counts is the parent, and the siblings that the frame knows."""
    titles = ["Part", "One", "Aim", "Two", "Means", "Tools", "Three", "Costs"]
    facts = facts_of(*titles)
    frame = SourceHeadings(B, tuple(seen(t, titles.index(t) + 1, 1, B) for t in ("One", "Two", "Three")), 0.95)
    inner = {"Part": 1, "One": 2, "Aim": 3, "Two": 2, "Means": 3, "Tools": 4, "Three": 2, "Costs": 3}
    layout = SourceHeadings(L, tuple(seen(t, p, inner[t], L, confidence=0.9) for p, t in enumerate(titles, 1)), 0.9)
    assert rows([frame, layout], facts) == [(t, p, inner[t]) for p, t in enumerate(titles, 1)]


def test_nothing_comes_between_a_heading_of_the_frame_and_its_parent() -> None:
    titles = ["One", "Summary", "Aim", "Means", "Two"]
    facts = facts_of(*titles)
    frame = SourceHeadings(
        C, tuple(seen(t, titles.index(t) + 1, n, C) for t, n in (("One", 1), ("Aim", 2), ("Means", 2), ("Two", 1))), 0.9
    )
    inner = {"One": 1, "Summary": 2, "Aim": 3, "Means": 3, "Two": 1}
    layout = SourceHeadings(L, tuple(seen(t, p, inner[t], L) for p, t in enumerate(titles, 1)), 0.9)
    assert rows([frame, layout], facts) == [(t, p, min(inner[t], 2)) for p, t in enumerate(titles, 1)]


def test_a_chapter_never_lies_deeper_than_its_own_section() -> None:
    facts = facts_of("1 INTRODUCTION", "1.1 Scope", "1.1.1 Terms")
    layout = SourceHeadings(
        L, (seen("1 INTRODUCTION", 1, 3, L), seen("1.1 Scope", 2, 2, L), seen("1.1.1 Terms", 3, 2, L)), 0.8
    )
    assert rows([layout], facts) == [("1 INTRODUCTION", 1, 1), ("1.1 Scope", 2, 2), ("1.1.1 Terms", 3, 3)]


def test_a_format_that_marks_its_headings_takes_no_others() -> None:
    facts = facts_of("One", "Two")
    marked = SourceHeadings(T, (seen("One", 1, 1, T),), 1.0, complete=True)
    layout = SourceHeadings(L, (seen("One", 1, 1, L), seen("Two", 2, 1, L, confidence=1.0)), 0.9)
    assert rows([marked, layout], facts) == [("One", 1, 1)]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(1, 4), st.sampled_from(["Wind", "Rain", "Snow", "1.1 Hail"])),
        max_size=12,
    ),
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(1, 4), st.sampled_from(["Wind", "Rain", "2 Snow", "Hail"])),
        max_size=12,
    ),
    st.booleans(),
)
def test_the_tree_never_has_less_than_its_frame(
    first: list[tuple[int, int, str]], second: list[tuple[int, int, str]], complete: bool
) -> None:
    facts = facts_of("Wind", "Rain", "Snow", "Hail", "Frost")
    frame = SourceHeadings(
        B, tuple(seen(t, p, level, B, printed=False) for p, level, t in sorted(first)), 0.95, complete
    )
    layout = SourceHeadings(L, tuple(seen(t, p, level, L) for p, level, t in sorted(second)), 0.9)
    kept = {(title, page) for title, page, _ in rows([frame, layout], facts)}
    best = pick_frame([frame, layout])
    assert {(c.title, c.page) for c in (best.candidates if best else ())} <= kept


def test_an_outline_whose_numbers_disagree_with_its_nesting_throughout_is_nested_by_numbers() -> None:
    titles = ["1 Start", "1.1 Aim", "1.2 Means", "2 Work", "2.1 Tools", "2.1.1 Saws", "3 End"]
    facts = facts_of(*titles)
    flat = SourceHeadings(B, tuple(seen(t, p, 1, B) for p, t in enumerate(titles, 1)), 0.95, complete=True)
    assert rows([flat], facts) == [(t, p, t.split()[0].count(".") + 1) for p, t in enumerate(titles, 1)]


def test_a_number_on_the_line_above_a_title_of_the_outline_is_no_heading_of_its_own() -> None:
    draft = Draft()
    draft.page(Printed("Chapter 7", 14), Printed("Rain", 20), "plain words below it")
    facts = Facts(draft.edition())
    frame = SourceHeadings(B, (Candidate("Rain", 1, 10, (10, 14), 1, B),), 0.95)
    layout = SourceHeadings(L, (Candidate("Chapter 7", 1, 0, (0, 9), 1, L, confidence=0.9),), 0.9)
    assert [title for title, _, _ in rows([frame, layout], facts)] == ["Rain"]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 5),
    st.lists(st.integers(0, 3), min_size=2, max_size=5),
    st.lists(st.integers(0, 2), min_size=2, max_size=9),
    st.sampled_from(["contents of chapters", "outline of chapters", "contents of all"]),
    st.floats(0.35, 1.0),
)
def test_the_tree_is_at_least_as_good_as_its_best_source(
    chapters: int, sections: list[int], notes: list[int], kind: str, sure: float
) -> None:
    """Documents of three levels, of which one source knows the upper ones and layout all: none forbids what the other knows."""
    truth: list[tuple[str, int]] = []
    for c in range(chapters):
        truth.append((f"Chapter of {WORDS[c]}", 1))
        for s in range(sections[c % len(sections)]):
            truth.append((f"Section {WORDS[s]} on {WORDS[c]}", 2))
            truth += [(f"Note {WORDS[n]} to {WORDS[s]} and {WORDS[c]}", 3) for n in range(notes[(c + s) % len(notes)])]
    facts = facts_of(*(title for title, _ in truth), bold=tuple(title for title, level in truth if level < 3))
    source = B if kind.startswith("outline") else C
    known = [(t, p, n) for p, (t, n) in enumerate(truth, 1) if kind.endswith("all") or n == 1]
    partial = SourceHeadings(source, tuple(seen(t, p, n, source) for t, p, n in known), 0.95, kind.endswith("all"))
    layout = SourceHeadings(L, tuple(seen(t, p, n, L, confidence=sure) for p, (t, n) in enumerate(truth, 1)), sure)
    assert rows([partial, layout], facts) == [(t, p, n) for p, (t, n) in enumerate(truth, 1)]


def test_contents_set_all_alike_are_ranked_by_the_type_of_the_headings_they_name() -> None:
    names = ["Wind", "Gales", "Calms", "Rain", "Drizzle", "Snow", "Powder", "Slush"]
    large = {"Wind", "Rain", "Snow"}
    draft = Draft()
    for name in names:
        draft.page(Printed(name, 18 if name in large else 12), *(f"plain words {k} of {name}" for k in range(4)))
    facts = Facts(draft.edition())
    flat = SourceHeadings(C, tuple(seen(t, p, 1 + (p == 2), C) for p, t in enumerate(names, 1)), 0.95, complete=True)
    layout = SourceHeadings(L, tuple(seen(t, p, 2 - (t in large), L) for p, t in enumerate(names, 1)), 0.9)
    wanted = [(t, p, 2 - (t in large)) for p, t in enumerate(names, 1)]
    assert rows([flat, layout], facts) == wanted


WORDS = ("wind", "rain", "snow", "hail", "frost", "fog", "dew", "sleet")
