"""What may differ between a quote and the page, and what may not; beyond the statuses themselves, which ``test_locate`` walks down."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pageindex import reading
from pageindex.evidence import QuoteStatus, Weight, locate
from pageindex.evidence.quotes.gaps import Around, same_gap
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.reading.pdf.reader import characters
from tests.support.evidence_editions import text_edition

PAGE = (
    "The “Group” reported revenue of 1,204 million in 2022. Use -e to set it and --all for all.\r\n"
    "It was not able to pay. A well-known case: 10 kHz at 5 mW, as 7° or 8 km/h.\r\n"
    "Rent 12 - 15 - -\r\nFuel - 3 - 4 5\r\n"
    "See foo_bar and getName in the IT of the US. The margin rose — as planned — to 5%.\r\n"
    "COSTS OF SALES AND OTHERS were $ 12 and are ≥ 5 or < 3 here.\r\n"
    "• first item of it\r\n• second item of it\r\n"
    "He said “it’s fine (really)” then. The sum is 3 + 8 + 24 = 35, and x − y = −z is C++.\r\n"
    "Then came the re-\r\nstructuring of it.\r\n"
    "Ещё один отчёт о работе. 控制系统的设计，需要大量的数据。كتاب علي يحكي\r\n"
)
EDITION = text_edition(PAGE)


def printed(quote: str) -> str:
    located = locate(EDITION, quote, 1)
    return "".join(EDITION.page(p.page).data[p.start : p.end].decode() for p in located.evidence)


@pytest.mark.parametrize(
    "quote",
    [
        "“The ‘Group’ reported revenue”",
        "**\"The 'Group' reported revenue.\"**",
        "> The “Group” reported\n> revenue of 1,204 million",
        "… reported revenue of 1,204 million …",
        "[...] reported revenue of 1,204 million [...]",
        "« reported revenue of 1,204 million »",
        "「reported revenue of 1,204 million。」",
        "``reported revenue of 1,204 million''",
        "- “reported revenue of 1,204 million”",
        "• 2022. Use -e to set it",
        "<q>reported <b>revenue</b> of 1,204 million</q>",
        "```text\nreported revenue of 1,204 million\n```",
        "reported **revenue** of 1,204 million",
        "[R]eported revenue of 1,204 million",
        "Reported revenue of 1,204 million,",
        "REPORTED REVENUE OF 1,204 MILLION",
        "r e p o r t e d  r e v e n u e  o f 1,204",
        "reported reve-\nnue of 1,204 million",
        "reported reve\u00adnue of 1,204\u2009million",
        "~~reported revenue of 1,204 million~~",
        "-e to set it and --all",
        "| Rent | 12 | - | 15 | - | - |",
        "Rent 12 — 15 — —",
        "rose--as planned--to 5%",
        "rose—as planned—to 5 %",
        "Costs of Sales and Others were $ 12",
        "- first item of it\n- second item of it",
        "first item of it second item of it",
        'He said "it\'s fine (really)" then',
        "foo_bar and getName in",
        "foo\\_bar and getName in",
        "Еще один отчет о работе",
        "控制系统的设计,需要大量的数据.",
        "كتاب علی یحکی",
        "x - y = -z is C++",
        "are ≥ 5 or &lt; 3 here",
    ],
)
def test_typesetting_and_wrapping_pass(quote: str) -> None:
    located = locate(EDITION, quote, 1)
    assert located.weight is Weight.PASS, located


@pytest.mark.parametrize(
    "quote",
    [
        "It was notable to pay",
        "It was not-able to pay",
        "A wellknown case",
        "A well known case",
        "known case: 10 kHz",  # well-known
        "case: 10 khz at 5 mW",
        "10 kHz at 5 MW",
        "A WELL-KNOWN CASE: 10 KHZ AT 5 MW",  # still not 5 mW
        "Use -E to set it",
        "Use e to set it",
        "e to set it and --all",
        "to set it and -all for",
        "See foobar and",
        "See foo bar and",
        "bar and getName",
        "foo_bar and getname in the",
        "getName in the it of",
        "in the IT of the us.",
        "rose as planned to 5%",
        "are ≤ 5 or < 3",
        "≥ 5 or 3 here",
        "x y = −z",
        "x − y = z",
        "−z is C",
        "He said it’s fine (really) then",
        "He said “its fine (really)”",
        "said “it’s fine really” then",
        "It was not able, to pay",
        "pay? A well-known case",
    ],
)
def test_what_makes_another_word_or_sign_is_near(quote: str) -> None:
    located = locate(EDITION, quote, 1)
    assert (located.status, located.weight) == (QuoteStatus.NEAR, Weight.REVIEW), located
    assert located.message


@pytest.mark.parametrize(
    "quote",
    ["Rent 12 15 - - -", "Rent - 12 15 - -", "Rent 12 - 15 Fuel - - - 3 - 4 5", "Fuel 3 - - 4 5", "Fuel - 3 4 - 5", "Rent 12 - 15 - - -", "Rent 12 15"],
)  # fmt: skip
def test_a_lone_dash_is_a_value(quote: str) -> None:
    located = locate(EDITION, quote, 1)
    assert located.weight >= Weight.REVIEW, located
    assert located.status not in ("altered", "missing")


@pytest.mark.parametrize(
    ("page", "quote", "passes"),
    [
        ("capacitance\r\n–\r\n–\r\n– pF", "capacitance – – pF", False),
        ("capacitance\r\n–\r\n–\r\n– pF", "capacitance – – – pF", True),
        ("capacitance\r\n– pF", "capacitance pF", False),
        ("Questions like:\r\n- why is it", "Questions like: why is it", True),
        ("It features:\r\n• 8 bits\r\n• 3 lines", "It features:\n- 8 bits\n- 3 lines", True),
        ("It features:\r\n8 bits", "It features:\n- 8 bits", False),
        ("of $4.1 billion in all", "$4.1 billion in all", True),
        ("of $4.1 billion in all", "£4.1 billion in all", False),
        ("of 4.1 billion in all", "$4.1 billion in all", False),
        ("for research and development¹ .", "research and development1% .", False),
        ("① Press the key", "1 Press the key", True),
        ("die CO2-Emissionen von", "die CO2 -Emissionen von", True),
        ("the well-known one", "the well -known one", False),
        ("draw (1,2)--cycle;", "draw (1,2)-cycle", False),
        ("the one—and the other", "the one--and the other", True),
        ("见图２．１，共（３）个", "见图2.1,共(3)个", True),
        ("见图2.1,共(3)个", "见图２．１，共（３）个", True),
        ("见图２．１，共（３）个", "见图2.2,共(3)个", False),
        ("at its foot\r\n4We saw it there", "We saw it there", True),
        ("about 4We saw it", "about 4", False),
        ("container environments.⁸\r\n5 Threats", "container environments. 85 Threats", False),
        ("container environments.⁸\r\n5 Threats", "container environments.8 5 Threats", True),
        ("in all 1\u202f204 units", "in all 1204 units", True),
        ("the fourth edi-\r\ntion of it", "the fourth edi-", True),
        ("the fourth edi-\r\ntion of it", "the fourth edi", False),
        ("the fourth edi-\r\ntion of it", "tion of it", True),
        ("the fourth edition of it", "tion of it", False),
        ("let x1, . . . , xn be", "let x1 , .  .  . , xn be", True),
        ("use <i>name</i> & x<0\\\\ here", "use &lt;i&gt;name&lt;/i&gt; &amp; x&lt;0\\\\ here", True),
        ("само\u00ad\r\nстоятельно ищет", "само\u00ad стоятельно ищет", True),
    ],
)
def test_bullets_currencies_and_marks(page: str, quote: str, passes: bool) -> None:
    located = locate(text_edition(page), quote, 1)
    assert (located.weight is Weight.PASS) is passes, located


def test_numbers_written_in_another_way_are_near() -> None:
    assert locate(EDITION, "revenue of 1204 million", 1).status is QuoteStatus.NEAR
    assert locate(EDITION, "revenue of 1.204 million", 1).status is QuoteStatus.NUMBERS_DIFFER
    assert locate(EDITION, "were € 12 and are", 1).weight >= Weight.REVIEW


@pytest.mark.parametrize(
    ("quote", "found", "said"),
    [
        ("able to pay", "not able to pay", "right behind 'not'"),
        ("revenue of 1,204", "revenue of 1,204 million", "unit 'million'"),
        ("5 or < 3", "≥ 5 or < 3", "right behind '≥'"),
        ("12 and are", "$ 12 and are", ""),
        ("A well-known case: 10", "A well-known case: 10 kHz", "unit 'kHz'"),
        ("8 + 24 = 35", "+ 8 + 24 = 35", "right behind '+'"),
        ("It was", "It was not", "right before 'not'"),
        ("structuring of it", "re-\r\nstructuring of it", "begins inside re…"),
    ],
)
def test_a_hit_is_widened_and_says_so(quote: str, found: str, said: str) -> None:
    located = locate(EDITION, quote, 1)
    assert located.weight is Weight.PASS
    assert printed(quote) == found
    assert said in located.message


@pytest.mark.parametrize(
    ("quote", "status"),
    [
        ("The “Group” reported … in 2022. Use -e", "gapped"),
        ("The “Group” reported [...] to pay. A well-known case", "gapped"),
        ("to pay. A well-known case … reported revenue", "altered"),
        ("The “Group” reported … of a thing that is nowhere", "missing"),
    ],
)
def test_an_ellipsis(quote: str, status: str) -> None:
    located = locate(EDITION, quote, 1)
    assert located.status == status, located
    assert located.weight >= Weight.REVIEW


def test_parts_far_apart_fail() -> None:
    far = text_edition("the beginning of it all " + "and more words of it " * 80 + "to the very end of it")
    located = locate(far, "the beginning of it all … to the very end of it", 1)
    assert (located.status, located.weight) == (QuoteStatus.ALTERED, Weight.FAIL)
    assert "apart" in located.message


def test_near_is_said_of_a_quote_that_is_near_elsewhere() -> None:
    edition = text_edition("nothing here", PAGE)
    assert locate(edition, "A wellknown case: 10 kHz").status is QuoteStatus.NEAR
    located = locate(edition, "A wellknown case: 10 kHz", 1)
    assert (located.status, located.page) == (QuoteStatus.ELSEWHERE, 2)
    assert "well-known" in located.message


def test_running_lines_that_a_copy_took_along_do_not_hide_a_quote() -> None:
    edition = text_edition("the committee went on to\r\n7\r\n", "Annual Report\r\nexamine every figure of it\r\n")
    located = locate(edition, "went on to 7 Annual Report examine every figure")
    assert located.status is QuoteStatus.SPAN


def drawn(path: Path) -> Path:
    canvas = Canvas(str(path))
    for row, parts in enumerate(
        (("about 2·10", "10", " units of it were sold."), ("the agreement", "12", " was signed by all."), ("emissions of CO", "2", " fell again."))
    ):  # fmt: skip
        text = canvas.beginText(72, 700 - 40 * row)
        text.setFont("Helvetica", 12)
        text.textOut(parts[0])
        text.setRise(-3 if parts[0].endswith("CO") else 5)
        text.setFont("Helvetica", 7)
        text.textOut(parts[1])
        text.setRise(0)
        text.setFont("Helvetica", 12)
        text.textOut(parts[2])
        canvas.drawText(text)
    canvas.save()
    return path


@pytest.mark.parametrize("looked", [True, False])
@pytest.mark.parametrize(
    ("quote", "weight"),
    [
        ("about 2·10¹⁰ units", Weight.PASS),
        ("about 2·10^10 units", Weight.PASS),
        ("about 2·10**10 units", Weight.PASS),
        ("about 2·1010 units", Weight.REVIEW),
        ("about 2·10^11 units", Weight.FAIL),
        ("about 2·10 units", Weight.FAIL),
        ("the agreement was signed", Weight.PASS),
        ("the agreement¹² was signed", Weight.PASS),
        ("the agreement12 was signed", Weight.PASS),
        ("emissions of CO2 fell", Weight.PASS),
        ("emissions of CO₂ fell", Weight.PASS),
        ("emissions of CO fell", Weight.FAIL),
    ],
)
def test_raised_digits_are_known_by_where_they_stand(tmp_path: Path, quote: str, weight: Weight, looked: bool) -> None:
    path = drawn(tmp_path / "raised.pdf")
    edition = reading.read(path)
    located = locate(edition, quote, 1, characters=(lambda page: characters(path, page)) if looked else None)
    assert (located.weight is Weight.PASS) == (weight is Weight.PASS), located
    if quote == "about 2·1010 units":
        assert "1010 for 10¹⁰" in located.message
    if looked:
        assert located.weight is weight, located


@pytest.mark.parametrize(
    ("quoted", "printed", "around", "same"),
    [
        (" ", "\r\n", Around("a", "b"), True),
        ("", " ", Around("a", "b"), False),
        ("", " ", Around("设", "计"), True),
        ("-", "-\r\n", Around("a", "b"), True),
        ("", "-\r\n", Around("a", "b"), True),
        (" ", "-\r\n", Around("a", "b"), False),
        ("", "\x02", Around("a", "b"), True),
        ("—", " – ", Around("a", "b"), True),
        ("-", " - ", Around("a", "b"), False),
        (" - ", " ", Around("2", "b"), False),
        (" -", " - ", Around("=", "b"), False),
        (" −", " - ", Around("=", "b"), True),
        (" ", " ..... ", Around("n", "5"), True),
        (" ", "†", Around("t", "w", 9), False),
        ("† ", " ", Around("t", "w", 9), False),
        (" ", "† ", Around("t", "w", 9), True),
        (" ", "* ", Around("t", "w", 1), False),
        ("'", '"', Around("5", "b"), False),
        ("'", '"', Around("a", "b"), True),
        ("", "_", Around("a", "b"), False),
        ("،", ",", Around("a", "b"), True),
    ],
)
def test_gaps(quoted: str, printed: str, around: Around, same: bool) -> None:
    assert same_gap(quoted, printed, around) is same


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("“- 0.30 were”", "- 0.30 were"),  # a minus is no bullet
        ("- were booked", "were booked"),
        ("> 5 were", "5 were"),
        (">5 were", ">5 were"),
        ("0.034***", "0.034***"),
        ("*0.034*", "0.034"),
        ("(0.044)", "(0.044)"),
        ("$ 12.", "$ 12"),
        ("#5 of it", "#5 of it"),
        ("## It is", "It is"),
    ],
)
def test_what_is_taken_off_a_quote(quote: str, text: str) -> None:
    assert Wanted.of(quote).text == text


LISTED = text_edition(
    "Options are these.\r\n--all takes Brand\u2122 goods in.\r\nOur Plan\u2122 ........... 12\r\nSummary.........ES-1\r\n"
    "\u25cf\u200b first of them\r\n\u25cf\u200b second of them (page 24)\r\n\u2022 \u201cthird\u201d of them\r\n\u00a9 2015 by the makers of it"
)


@pytest.mark.parametrize(
    "quote",
    [
        "--all takes Brand goods in",
        "Our Plan\u2122 12",
        "Our Plan 12",
        "Summary ES-1",
        "\u25cf first of them\n\u25cf second of them (page 24)",
        "first of them\n- second of them (page 24)\n- \u201cthird\u201d of them",
        "- \u00a9 2015 by the makers of it",
        ".........12",
    ],
)
def test_lists_leaders_and_marks_as_they_are_copied(quote: str) -> None:
    located = locate(LISTED, quote, 1)
    assert located.weight is Weight.PASS, located


@pytest.mark.parametrize(
    "quote", ["-all takes Brand\u2122 goods", "* -all takes Brand\u2122 goods", "- 12 is no number"]
)
def test_an_option_with_one_dash_is_another(quote: str) -> None:
    assert locate(LISTED, quote, 1).weight is not Weight.PASS
