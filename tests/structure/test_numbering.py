"""Numbers of headings: what one line can be read as, and what a sequence makes of it."""

from __future__ import annotations

import pytest

from pageindex.structure.numbering.marks import Number, bare_title, follows, parse, roman_value
from pageindex.structure.numbering.sequence import settle


def number(text: str) -> Number:
    found = parse(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("text", "form", "values", "title"),
    [
        ("1 INTRODUCTION", "1", (1,), "INTRODUCTION"),
        ("1. Scope", "1.", (1,), "Scope"),
        ("1.2 Terms", "1.1", (1, 2), "Terms"),
        ("1.2.3. Units", "1.1.1", (1, 2, 3), "Units"),
        ("1   Title", "1", (1,), "Title"),
        ("2-3 Wiring", "1-1", (2, 3), "Wiring"),
        ("IV. RESULTS", "I.", (4,), "RESULTS"),
        ("xii) last", "i)", (12,), "last"),
        ("B. Proofs", "A.", (2,), "Proofs"),
        ("A.1 Lemmas", "A.1", (1, 1), "Lemmas"),
        ("II.A Setting", "I.A", (2, 1), "Setting"),
        ("(a) first", "(a)", (1,), "first"),
        ("(12) twelfth", "(1)", (12,), "twelfth"),
        ("第三章 方法", "第章 一", (3,), "方法"),
        ("第十二条 适用", "第条 一", (12,), "适用"),
        ("第2节　结果", "第节 1", (2,), "结果"),
        ("一、总论", "一、", (1,), "总论"),
        ("（二）细则", "(一)", (2,), "细则"),
        ("1引言", "1", (1,), "引言"),
        ("1.1背景", "1.1", (1, 1), "背景"),
        ("제1장 서론", "제장 1", (1,), "서론"),
        ("나. 범위", "가.", (2,), "범위"),
        ("ウ. 附則", "ア.", (3,), "附則"),
        ("Глава 3. Метод", "глава 1.", (3,), "Метод"),
        ("б) второй", "а)", (2,), "второй"),
        ("Приложение В", "приложение А", (3,), ""),
        ("١.٢ مقدمة", "1.1", (1, 2), "مقدمة"),
        ("ج. الخاتمة", "أ.", (3,), "الخاتمة"),
        ("الف) کلیات", "الف)", (1,), "کلیات"),
        ("فصل ۳ روش", "فصل 1", (3,), "روش"),
        ("§ 12 Haftung", "§ 1", (12,), "Haftung"),
        ("Kapitel 3: Methode", "kapitel 1:", (3,), "Methode"),
        ("Sec. 9-1 Fees", "sec. 1-1", (9, 1), "Fees"),
        ("Part II", "part I", (2,), ""),
        ("③ third", "①", (3,), "third"),
    ],
)
def test_a_mark_in_each_script_is_read(text: str, form: str, values: tuple[int, ...], title: str) -> None:
    found = number(text)
    readings = {reading.form: reading.values for reading in (found, *found.others)}
    assert readings.get(form) == values
    assert text[found.end :] == title


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Introduction",
        "e.g. this",
        "U.S. law",
        "10% of it",
        "2nd edition",
        "1,234 units",
        "12.05.2019",
        "3.14159",
        "Civil law",
        "…",
    ],
)
def test_ordinary_words_and_figures_are_no_marks(text: str) -> None:
    assert parse(text) is None


def test_the_letter_behind_an_item_number_is_a_suffix() -> None:
    assert [(n.values, n.suffix) for n in map(number, ["Item 1. Business", "Item 1A. Risks"])] == [((1,), 0), ((1,), 1)]


@pytest.mark.parametrize(
    ("text", "value"), [("IV", 4), ("XIX", 19), ("XLII", 42), ("IIII", 0), ("MIX", 0), ("", 0), ("C", 100)]
)
def test_roman_numerals_are_checked(text: str, value: int) -> None:
    assert roman_value(text) == value


def test_what_may_follow_what() -> None:
    good = [
        ("1", "2"),
        ("1", "1.1"),
        ("1.1", "1.2"),
        ("1.2.3", "2"),
        ("Item 1.", "Item 1A."),
        ("A.1", "A.2"),
        ("1.9", "2"),
    ]
    bad = [("1", "3"), ("1", "1.2"), ("1.1", "2.2"), ("A.1", "B.2"), ("Item 1.", "Part 2."), ("2", "1")]
    assert [follows(number(a + " X"), number(b + " X")) for a, b in good] == [True] * len(good)
    assert [follows(number(a + " X"), number(b + " X")) for a, b in bad] == [False] * len(bad)


def forms(*texts: str) -> list[str | None]:
    return [n.form if n else None for n in settle([parse(text) for text in texts])]


def test_appendices_a_to_i_stay_letters() -> None:
    assert forms(*(f"Appendix {letter}" for letter in "ABCDEFGHI")) == ["appendix A"] * 9


def test_parts_are_roman_from_the_first() -> None:
    assert forms("PART I", "1. Scope", "PART II", "1. Fees") == ["part I", "1.", "part I", "1."]


def test_letters_between_roman_chapters_are_told_apart() -> None:
    marks = [f"{mark}. Title" for mark in ("I", "A", "B", "C", "D", "II", "A", "B", "III", "IV", "A", "B", "V", "VI")]
    assert forms(*marks) == ["I.", "A.", "A.", "A.", "A.", "I.", "A.", "A.", "I.", "I.", "A.", "A.", "I.", "I."]


def test_the_ninth_letter_is_a_letter_after_h() -> None:
    assert forms(*(f"({letter}) text" for letter in "abcdefghij"))[8] == "(a)"
    assert forms("(i) text", "(ii) text", "(iii) text") == ["(i)"] * 3


def test_a_word_counts_only_when_it_comes_back_with_a_rising_number() -> None:
    assert forms("Chapter 1", "The 3 apples", "Chapter 2", "Vitamin C") == ["chapter 1", None, "chapter 1", None]


def test_a_sentence_that_starts_with_a_is_no_appendix() -> None:
    assert forms("A man came", "A Proofs", "B Tables") == [None, "A", "A"]


def test_a_title_loses_its_number_but_never_all_of_itself() -> None:
    assert bare_title("2.1 Results") == "Results"
    assert bare_title("Chapter 3") == "Chapter 3"
    assert bare_title("Results") == "Results"
