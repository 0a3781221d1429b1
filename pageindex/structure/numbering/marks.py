"""The grammar of heading numbers, in every script: what mark a line begins with, and what such marks mean in sequence.

``parse`` looks at one line and says how it could be numbered; it is called for every line of a document, so it decides by the first
character before any pattern is tried. Much of what it returns is only possible ("A Comparison …", "Table 3 shows …", "C."); ``settle``
looks at all marks of a document in order, keeps the readings that form sequences and drops the words that do not count anything.
There are no lists of words: what stands before a number ("Chapter", "Глава", "Item") counts because it comes back with a rising number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

__all__ = ["Number", "System", "bare_title", "follows", "parse", "roman_value"]


class System(StrEnum):
    """How one component of a number is written; the value is its first member."""

    ARABIC = "1"  # decimal digits of any script
    ROMAN = "I"
    ROMAN_LOWER = "i"
    LETTER = "A"
    LETTER_LOWER = "a"
    GREEK = "Α"
    CYRILLIC = "А"
    CYRILLIC_LOWER = "а"
    HAN = "一"
    CIRCLED = "①"
    HANGUL = "가"
    KANA = "ア"
    ABJAD = "أ"
    PERSIAN = "الف"
    HEBREW = "א"
    THAI = "ก"


class Number(NamedTuple):
    """One reading of the mark at the start of a line.

    Attributes:
        values: One integer per component: ``2.3.1`` is (2, 3, 1), ``IV`` is (4,), ``B.2`` is (2, 2).
        systems: How each component is written.
        prefix: Folded word that stands with the number: ``chapter``, ``item``, ``§``, ``第章``; empty without one.
        style: Punctuation that closes or surrounds it: ``.``, ``)``, ``()``, ``:``, ``、``, … or empty.
        separator: Between components: ``.`` or ``-``; empty with one component.
        suffix: 1 for the A of ``Item 1A``; 0 without one.
        end: Offset (characters) at which the title proper begins; equals the length of a line that is a number only.
        firm: False where the mark is as likely an ordinary word or figure; ``settle`` decides.
        others: Further readings of the same mark (roman or letter).
    """

    values: tuple[int, ...]
    systems: tuple[System, ...]
    prefix: str = ""
    style: str = ""
    separator: str = ""
    suffix: int = 0
    end: int = 0
    firm: bool = True
    others: tuple[Number, ...] = ()

    @property
    def depth(self) -> int:
        """Number of components."""
        return len(self.values)

    @property
    def system(self) -> System:
        """How the last component is written."""
        return self.systems[-1]

    @property
    def form(self) -> str:
        """What all numbers of one rank have in common, such as ``1.1``, ``(a)``, ``chapter 1``, ``A.1``."""
        mark = self.separator.join(self.systems)
        if len(self.style) == 2:
            mark = f"{self.style[0]}{mark}{self.style[1]}"
        elif self.depth == 1:  # "1.1" and "1.1." are one rank in most documents, "1" and "1." or "1)" are not
            mark += self.style
        return f"{self.prefix} {mark}" if self.prefix else mark


_ROMAN = re.compile(r"(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def roman_value(text: str) -> int:
    """1 to 99 for a well-formed roman numeral in capitals, else 0. ``C`` alone is 100."""
    if text == "C":
        return 100
    if not text or not _ROMAN.fullmatch(text):
        return 0
    total = 0
    for here, after in zip(text, text[1:] + " ", strict=True):
        value = _ROMAN_VALUES[here]
        total += -value if value < _ROMAN_VALUES.get(after, 0) else value
    return total


_ALPHABETS: tuple[tuple[System, str], ...] = (
    (System.LETTER, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    (System.LETTER_LOWER, "abcdefghijklmnopqrstuvwxyz"),
    (System.GREEK, "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"),
    (System.GREEK, "αβγδεζηθικλμνξοπρστυφχψω"),
    (System.CYRILLIC, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"),
    (System.CYRILLIC_LOWER, "абвгдежзиклмнопрстуфхцчшщэюя"),
    (System.HANGUL, "가나다라마바사아자차카타파하"),
    (System.KANA, "アイウエオカキクケコサシスセソタチツテト"),
    (System.ABJAD, "أبجدهوزحطيكلمن"),
    (System.PERSIAN, "ابپتثجچحخدذرزژسش"),
    (System.HEBREW, "אבגדהוזחטי"),
    (System.THAI, "กขคงจฉชซฌญ"),
    (System.CIRCLED, "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
)


def _readings_by_letter() -> dict[str, tuple[tuple[System, int], ...]]:
    found: dict[str, list[tuple[System, int]]] = {}
    for system, alphabet in _ALPHABETS:
        for value, letter in enumerate(alphabet, 1):
            found.setdefault(letter, []).append((system, value))
    for letter in "IVXLC":
        # I, V and X are more often roman; L and C more often letters. The first reading stands until ``settle`` knows better.
        for mark, system in ((letter, System.ROMAN), (letter.lower(), System.ROMAN_LOWER)):
            found[mark].insert(0 if letter in "IVX" else 1, (system, roman_value(letter)))
    found["الف"] = [(System.PERSIAN, 1), (System.ABJAD, 1)]
    return {letter: tuple(readings) for letter, readings in found.items()}


_LETTERS = _readings_by_letter()
_HAN_DIGITS = {c: v for v, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "壱": 1, "弐": 2, "参": 3}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}


def _han_value(text: str) -> int:
    total = current = 0
    for char in text:
        if char in _HAN_UNITS:
            total += (current or 1) * _HAN_UNITS[char]
            current = 0
        else:
            current = current * 10 + _HAN_DIGITS[char]
    return total + current


_HAN_CLASS = "〇零一二三四五六七八九十百千"
_GAP = r"[ \t\u00a0\u2000-\u200b\u3000]"
#: What separates a number from its title: space, and perhaps a dash or a bar between spaces.
_AFTER = re.compile(rf"{_GAP}*(?:[-–—|:]{_GAP}+|[—–]{_GAP}*)?")
_COMPONENT = r"(?:\d{1,3}|[A-Za-z])"
_CLOSE = r"(?P<close>[.．)）:：、،\]]?[.:]?)"
#: A mark without punctuation ends at a space, at the end of the line, or where another script begins ("1引言").
_STOP = rf"(?={_GAP}|$|[\u0600-\u06ff\u0900-\u0e7f\u2e80-\U0003ffff])"

_ARABIC = re.compile(
    rf"(?P<body>\d{{1,4}}(?:(?:[.．·]{_COMPONENT}(?![A-Za-z\d]))+|(?:[-‑–]\d{{1,3}}(?!\d))+(?:\.\d{{1,3}}(?!\d))*)?)"
    rf"(?P<suffix>[A-Za-z]?){_CLOSE}"
)
_LATIN = re.compile(
    rf"(?P<body>(?:[IVXLC]{{1,7}}|[ivxlc]{{1,6}}|[A-Za-z])(?:(?:[.．]{_COMPONENT}(?![A-Za-z\d]))+|(?:[-‑–]\d{{1,3}}(?!\d))+|\d{{1,2}}(?:\.\d{{1,3}})*)?)"
    rf"(?P<suffix>){_CLOSE}"
)
_LETTER = re.compile(rf"(?P<body>الف|[^\W\d_](?:[.．]\d{{1,3}}(?!\d))*)(?P<suffix>){_CLOSE}")
_BRACKET = re.compile(
    r"[(（\[【〔〈](?P<body>\d{1,3}(?:\.\d{1,3})*|[ivxlc]{1,6}|[IVXLC]{1,6}|الف|["
    + _HAN_CLASS
    + r"]{1,4}|[^\W\d_])[)）\]】〕〉][.:]?"
)
_HAN = re.compile(rf"(?P<body>[{_HAN_CLASS}]{{1,4}})(?P<close>[、．.，,:：]|(?={_GAP}))")
_ORDINAL = re.compile(
    rf"(?P<open>[第제]){_GAP}*(?P<body>\d{{1,4}}|[{_HAN_CLASS}]{{1,5}}){_GAP}*(?P<unit>[\u2e80-\u9fff가-힣])[:：.]?"
)
_WORD = re.compile(
    rf"(?P<word>[^\W\d_]{{2,16}}|[§¶])(?P<dot>\.?){_GAP}*(?<![^\W\d_])"
    rf"(?P<body>\d{{1,3}}(?:[.．\-–]\d{{1,3}}(?!\d))*|[IVXLC]{{1,7}}(?![^\W_])|[^\W\d_](?:[.\-]\d{{1,3}})*(?![^\W_]))"
    rf"(?P<suffix>[A-Z]?){_CLOSE}(?={_GAP}|$|[—–])"
)


def _title_start(text: str, at: int) -> int:
    found = _AFTER.match(text, at)
    return found.end() if found else at


def _component(mark: str) -> tuple[tuple[System, int], ...]:
    """The readings of one component, likeliest first."""
    if mark[0].isdecimal():
        return ((System.ARABIC, int(mark)),)
    if mark in _LETTERS:
        return _LETTERS[mark]
    if value := roman_value(mark):
        return ((System.ROMAN, value),)
    if value := roman_value(mark.upper()) if mark.islower() else 0:
        return ((System.ROMAN_LOWER, value),)
    if all(char in _HAN_CLASS for char in mark):
        return ((System.HAN, _han_value(mark)),)
    return ()


_BOUNDARY = re.compile(r"[.．·\-‑–]|(?<=[A-Za-z])(?=\d)")


def _build(body: str, head: Number) -> Number | None:
    """Read the components of ``body`` into copies of ``head``; the first reading carries the others."""
    parts = _BOUNDARY.split(body) if len(body) > 1 else (body,)
    if len(parts) > 1 and all(map(str.isdecimal, parts)):
        figures = tuple(map(int, parts))
        separator = "-" if any(dash in body for dash in "-–‑") else "."
        plain = head._replace(values=figures, systems=(System.ARABIC,) * len(figures), separator=separator)
        return plain if max(figures[1:]) <= 999 else None
    first = _component(parts[0])
    if len(parts) == 1:
        return _with_others([Number((value,), (system,), *head[2:]) for system, value in first])
    rest = [_component(part) for part in parts[1:]]
    if not first or not all(rest):
        return None
    # Behind a number, one letter is a letter ("1.C"); only the first component may be read both ways.
    tail = [
        next((r for r in readings if r[0] is not System.ROMAN and r[0] is not System.ROMAN_LOWER), readings[0])
        for readings in rest
    ]
    if any(value > 999 for _, value in tail):
        return None
    separator = "-" if any(dash in body for dash in "-–‑") else "."
    systems, values = zip(*tail, strict=True)
    head = head._replace(separator=separator)
    return _with_others([Number((value, *values), (system, *systems), *head[2:]) for system, value in first])


def _with_others(readings: list[Number]) -> Number | None:
    """The likeliest reading, which carries the others."""
    if len(readings) < 2:
        return readings[0] if readings else None
    return readings[0]._replace(others=tuple(readings[1:]))


def _arabic(text: str) -> Number | None:
    found = _ARABIC.match(text)
    if found is None:
        return None
    close, end = found["close"], found.end()
    following = text[end : end + 1]
    if not _may_end(following, bool(close)):
        return None
    body, suffix = found["body"], found["suffix"]
    # "2019" and "1500 items" are figures far more often than marks; so is "3D".
    plain = body.isdecimal()
    firm = not (plain and len(body) == 4) and not (suffix and not close)
    order = ord(suffix.upper()) - 64 if suffix else 0
    start = _title_start(text, end)
    if plain:
        return Number((int(body),), (System.ARABIC,), "", close[:1], "", order, start, firm)
    return _build(body, Number((), (), style=close[:1], suffix=order, end=start, firm=firm))


def _may_end(following: str, closed: bool) -> bool:
    if not following or following.isspace() or following in "\u200b—":
        return True
    return following.isalpha() if closed else following >= "\u0600" and following.isalpha()


def _latin(text: str) -> Number | None:
    second = text[1:2]
    if second.isalpha() and second not in "IVXLCivxlc":
        return _word(text) if text[0].isupper() else None
    found = _LATIN.match(text)
    number = _latin_mark(text, found) if found else None
    return number or (_word(text) if text[0].isupper() else None)


def _latin_mark(text: str, found: re.Match[str]) -> Number | None:
    body, close, end = found["body"], found["close"], found.end()
    following = text[end : end + 1]
    # "e.g." and "U.S." are no marks; "A.Title" is one only with a capital.
    if (
        following
        and not following.isspace()
        and not (close and following.isupper() and len(body) == 1 and text[end + 1 : end + 2].islower())
    ):
        return None
    if not close and body[0].islower():
        return None
    if len(body) > 1 and body.isalpha() and not roman_value(body.upper()):
        return None
    if body[-1].isalpha() and body[1:2] in (".", "．") and body[0] not in "IVX":
        return None
    # "L2 cache", "I think": marks only where others like them follow.
    firm = bool(close) or any(mark in body for mark in ".．-–")
    return _build(body, Number((), (), style=close[:1], end=_title_start(text, end), firm=firm))


def _letter(text: str) -> Number | None:
    """A letter of another alphabet with its punctuation ("가.", "б)", "Α.1"), else a word with a number."""
    found = _LETTER.match(text)
    if (
        found
        and (found["close"] or len(found["body"]) > 1)
        and (found["body"][0] in _LETTERS or found["body"] in _LETTERS)
    ):
        following = text[found.end() : found.end() + 1]
        if not following or following.isspace() or (found["close"] in (")", "）", "、") and following.isalpha()):
            return _build(found["body"], Number((), (), style=found["close"][:1], end=_title_start(text, found.end())))
    return _word(text) if not text[0].islower() else None


def _bracket(text: str) -> Number | None:
    found = _BRACKET.match(text)
    if found is None:
        return None
    style = "[]" if text[0] == "[" else "()"
    return _build(found["body"], Number((), (), style=style, end=_title_start(text, found.end())))


def _han(text: str) -> Number | None:
    found = _HAN.match(text)
    if found is None:
        return _letter(text)
    close = found["close"] or ""
    return _build(
        found["body"],
        Number(
            (),
            (),
            style="、" if close in "，," and close else close,
            end=_title_start(text, found.end()),
            firm=bool(close),
        ),
    )


def _ordinal(text: str) -> Number | None:
    found = _ORDINAL.match(text)
    if found is None:
        return None
    head = Number((), (), prefix=found["open"] + found["unit"], end=_title_start(text, found.end()))
    return _build(found["body"], head)


def _word(text: str) -> Number | None:
    found = _WORD.match(text)
    if found is None:
        return None
    suffix = found["suffix"]
    head = Number(
        (),
        (),
        prefix=found["word"].casefold() + found["dot"],
        style=found["close"][:1],
        suffix=ord(suffix) - 64 if suffix else 0,
        end=_title_start(text, found.end()),
        firm=found["word"] in "§¶",
    )
    return _build(found["body"], head)


def _by_first_character() -> dict[str, Callable[[str], Number | None]]:
    table: dict[str, Callable[[str], Number | None]] = {}
    table |= dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", _latin)
    table |= dict.fromkeys("0123456789", _arabic)
    table |= dict.fromkeys("(（[【〔〈", _bracket)
    table |= dict.fromkeys(_HAN_CLASS, _han)
    table |= dict.fromkeys("第제", _ordinal)
    table |= dict.fromkeys("§¶", _word)
    table |= dict.fromkeys("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳", _circled)
    return table


def _circled(text: str) -> Number | None:
    return _build(text[0], Number((), (), end=_title_start(text, 1)))


_FIRST = _by_first_character()


def parse(text: str) -> Number | None:
    """The mark with which a line begins, or None. Leading space must have been stripped; costs about a microsecond.

    The result may be wrong for the document (see ``Number.firm`` and ``others``) until ``sequence.settle`` has seen all of them.
    """
    if not text:
        return None
    first = text[0]
    reader = _FIRST.get(first)
    if reader is not None:
        return reader(text)
    if first.isdecimal():
        return _arabic(text)
    return _letter(text) if first.isalpha() else None


def bare_title(text: str) -> str:
    """A line without the mark it begins with; the line itself where nothing would be left."""
    number = parse(text)
    return text[number.end :].strip() or text if number is not None else text


def follows(before: Number, after: Number) -> bool:
    """Whether ``after`` can come right after ``before`` in one numbering: next sibling, first child, or an ancestor's next sibling."""
    if after.prefix != before.prefix:
        return False
    a, b = before.values, after.values
    if len(b) > len(a):
        return len(b) == len(a) + 1 and b[:-1] == a and b[-1] <= 1
    shared = len(b) - 1
    if a[:shared] != b[:shared] or before.systems[: len(b)] != after.systems:
        return False
    if len(a) == len(b) and a[-1] == b[-1]:
        return after.suffix == before.suffix + 1
    return b[-1] == a[shared] + 1
