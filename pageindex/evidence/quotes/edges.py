"""The two ends of a hit: what it may not cut, what of the quote's own ends must be there, and what it is widened to take in."""

from __future__ import annotations

import re
import unicodedata

from pageindex.evidence.quotes.difference import WordChange
from pageindex.evidence.quotes.index import FoldedText
from pageindex.evidence.quotes.wanted import Wanted
from pageindex.text.folding import DASHES, joins_words
from pageindex.text.negation import negated_before, negated_behind

__all__ = ["cut_at", "outer_change", "widened"]

_NUMBER_INSIDE = re.compile(r"\d\|\d|\d\|[.,]\d|\d[.,]\|\d")  # the edge of a hit, with digits on both sides
_LONG_WORD = 3  # letters; a digit glued to a longer word is a note mark
_GLUE = frozenset("_/\\@&#+^=")  # between two halves of one name
_DIVIDED = re.compile("[-\x02\u00ad\u2010]\\s*")
_DIVIDED_BEFORE = re.compile("(?<![^\\W\\d_])[^\\W\\d_]+[-\x02\u00ad\u2010][ \t]*[\r\n]\\s*\\Z")
_DIVIDED_BEHIND = re.compile("[-\x02\u00ad\u2010][ \t]*[\r\n]\\s*[^\\W\\d_]+")
_LONGEST_HALF = 40
_HYPHENS = frozenset("-\x02\u00ad\u2010\u2011")
_DASH = f"[{re.escape(DASHES)}]"
_OPTION_BEFORE = re.compile(rf"(?:^|[\s(\[{{,;=<>\u2264\u2265\u00d7\u00b7*/])({_DASH}{{1,2}})\Z")
_COMPARED_BEFORE = re.compile(r"[<>\u2264\u2265\u2248\u223c~\u00b1\u2260\u226a\u226b][ \u00a0\u2009]?\Z")
_QUOTES = "'\"`\u00b4\u2018-\u201f\u2032-\u2036\u2039\u203a\u00ab\u00bb\u3008-\u300f\u301d-\u301f\uff02\uff07"
_SIGNIFICANT = re.compile(rf"[^\w\s.,;:()\[\]{{}}|*\u2026{_QUOTES}]|{_DASH}")
_LONE_DASH = re.compile(rf"\s*{_DASH}+(?=\s|\Z)")

# What a number counts, as far as leaving it away says another number: magnitudes, shares, units. Words of the languages that are read.
_MAGNITUDES = (
    r"thousands?|hundred|millions?|billions?|trillions?|percent(?:age)?(?: points?)?|per ?cent|pct|basis points?|bps|bn|mn|MM|dozen|"
    r"Tausend|Millionen|Mio|Milliarden|Mrd|Prozent(?:punkte)?|Prozent|milliers?|milliards?|mille|pour ?cent|millones|mil(?:lones)?|"
    r"por ?ciento|milh(?:ões|ares|ão)|bilh(?:ões|ão)|milioni|miliardi|per ?mille|miljoen|miljard|procent|"
    r"тыс(?:яч[аи]?)?|млн|млрд|трлн|миллион(?:ов|а)?|миллиард(?:ов|а)?|процент(?:ов|а)?|مليون|مليار|ألف|ملیون|میلیون|میلیارد|درصد|"
    r"אלף|מיליון|מיליארד|أشهر"
)
_UNITS = (
    r"(?:[kMGTmµμnpcdh]?(?:m|g|s|A|K|mol|cd|Hz|N|Pa|J|W|C|V|F|Ω|S|T|H|lm|lx|Bq|Gy|Sv|L|l|eV|B|b|bit|bar|Wh|VA)(?:[²³]|\b)|"
    r"°\s?[CFK]?|dB\w?|rpm|ppm|ppb|ha|min|hours?|days?|weeks?|months?|years?|miles?|feet|ft|inch(?:es)?|lbs?|oz|kg|tons?|tonnes?)"
)
_CURRENCIES = r"(?:USD|EUR|GBP|JPY|CNY|RMB|CHF|RUB|dollars?|euros?|pounds?|yen|yuan|руб\w*|[€$£¥₽₹元円])"
_UNSPACED = "[\u5104\u4ebf\u4e07\u842c\u5343\u767e\u5146\u5186\u5143\uff05\uc5b5\ub9cc\ucc9c\uc870\uc6d0]{1,3}"
_GAP = r"[ \t\u00a0\u2009\u202f]{0,2}(?:\r?\n)?"
_COUNTED = re.compile(
    rf"(?:{_GAP}(?:(?:{_MAGNITUDES})(?!\w)|[%‰٪％]|{_CURRENCIES}(?!\w)|{_UNITS}(?!\w))|[ \u00a0]?{_UNSPACED}){{1,3}}"
)

_AMOUNT = re.compile(r"(?<![\w.,])(?!(?:19|20)\d\d\Z)\d[\d.,]*\Z|[\d.,]{5,}\Z")  # a number that is no year


def cut_at(wanted: Wanted, text: FoldedText, low: int, high: int) -> str:
    """The word or number inside of which a hit, ``[low, high)`` of the plain text, begins or ends; empty when it is whole.

    What the quote itself has before its first letter and behind its last is not cut off, and where the page divides a word at a
    line's end, a block of text may begin or end: such a place is widened.
    """
    plain, (start, end) = text.plain.text, text.plain.original(low, high)
    first, last = _ends(wanted)
    before, behind = wanted.lead + wanted.text[:first], wanted.text[last:] + wanted.trail
    for at, starts, own in ((low, True, before[-1:]), (high, False, behind[:1])):
        outside = plain[at - 1 : at] if starts else plain[at : at + 1]
        if own and own == outside and own in _GLUE:
            continue
        divided = _divided_before(text.raw, start) if starts else _divided_behind(text.raw, end) and own in _HYPHENS
        if _cuts(plain, at, starts=starts) and not divided:
            return _whole(plain, at)
    return ""


def _divided_before(raw: str, start: int) -> int:
    """How many characters of a divided word stand before a hit that begins with a line."""
    found = _DIVIDED_BEFORE.search(raw[max(0, start - _LONGEST_HALF) : start])
    return len(found.group()) if found and raw[start : start + 1].islower() else 0


def _divided_behind(raw: str, end: int) -> int:
    found = _DIVIDED_BEHIND.match(raw, end)
    return len(found.group()) if found else 0


def _whole(plain: str, at: int) -> str:
    start, end = plain.rfind(" ", 0, at) + 1, plain.find(" ", at)
    return plain[max(start, at - 40) : min(end if end >= 0 else len(plain), at + 40)]


def _cuts(plain: str, at: int, *, starts: bool) -> bool:
    before, after = plain[at - 1 : at] if at else "", plain[at : at + 1]
    if not before or not after:
        return False
    if unicodedata.category(after)[0] == "M" and (joins_words(before) or unicodedata.category(after) == "Mc"):
        return True
    if _NUMBER_INSIDE.search(plain[max(0, at - 2) : at] + "|" + plain[at : at + 2]):
        return True
    if before in _GLUE or after in _GLUE or before == "-" or after == "-":
        return _cuts_compound(plain, at, starts=starts)
    letter_before, letter_after = joins_words(before), joins_words(after)
    if letter_before and letter_after:
        return True
    if before == "'" and letter_after:
        return joins_words(plain[at - 2 : at - 1]) if at > 1 else False
    if after == "'" and letter_before:
        return joins_words(plain[at + 1 : at + 2])
    if letter_before and after.isdecimal():
        return starts or _letters(plain[:at], r"[^\W\d_]+\Z") < _LONG_WORD
    if before.isdecimal() and letter_after:
        noted = after.isupper() and plain[at + 1 : at + 2].islower() and not plain[max(0, at - 3) : at].isdecimal()
        return not starts or (
            _letters(plain[at : at + 40], r"[^\W\d_]+") < _LONG_WORD and not noted
        )  # 4We: a note and its mark
    return False


def _cuts_compound(plain: str, at: int, *, starts: bool) -> bool:
    """Whether a glued hyphen or sign at the edge makes one word of what is inside and what is outside: ``non-`` | ``GAAP``, ``C`` | ``++``."""
    inside, outside = (
        (plain[at : at + 1], plain[max(0, at - 2) : at][::-1]) if starts else (plain[at - 1 : at], plain[at : at + 2])
    )
    if outside[:1] == "-":
        return joins_words(inside) and joins_words(outside[1:2])
    if outside[:1] in _GLUE and (joins_words(inside) or inside.isdecimal()):
        further = outside[1:2]
        return outside[0] == "_" or further.isalnum() or (not starts and further == outside[0] and outside[0] in "+#")
    return False


def _letters(text: str, pattern: str) -> int:
    found = re.search(pattern, text[-40:]) if pattern.endswith("\\Z") else re.match(pattern, text)
    return len(found.group()) if found else 0


def outer_change(wanted: Wanted, raw: str, start: int, end: int) -> WordChange | tuple[int, int]:
    """Where the hit ends with the marks that the quote has before its first letter and behind its last; or what of them the page has not.

    A minus or an option sign that only the page has is a change too.
    """
    first, last = _ends(wanted)
    lead, trail = wanted.text[:first], wanted.text[last:]
    before, behind = raw[max(0, start - 12) : start], raw[end : end + 12]
    option = _OPTION_BEFORE.search(before)
    behind_option = option is not None and raw[start : start + 1].isalpha()
    quoted = _OPTION_BEFORE.search(" " + lead)
    quoted_option = quoted is not None and wanted.text[first].isalpha()
    if behind_option != quoted_option or (
        option and quoted and behind_option and _unlike_options(option[1], quoted[1])
    ):
        return WordChange(lead + _word(wanted.text, first), before.strip()[-4:] + _word(raw, start), True)
    low = _reach(lead[::-1], before[::-1], "-+" if raw[start : start + 1].isdecimal() else "")
    if low is None:
        return WordChange(lead.strip(), before.strip()[-4:], True)
    high = _reach(trail, behind, "%‰" if raw[end - 1 : end].isdecimal() else "")
    if high is None:
        return WordChange(trail.strip(), behind.strip()[:4], True)
    return start - low, end + high


def _unlike_options(printed: str, quoted: str) -> bool:
    """``-all`` and ``--all``; where a long dash may be meant, two hyphens are one."""
    return len(printed) != len(quoted) and not (set(printed + quoted) - _HYPHENS)


def _reach(quoted: str, printed: str, of_number: str) -> int | None:
    """How far the page has the quote's outer marks, nearest first; None where it has not. Those of a number are compared with the number."""
    marks, reach = _signs(quoted).lstrip(of_number), 0
    for at, character in enumerate(printed):
        if not marks or character.isalnum():
            break
        sign = _signs(character)
        if sign and (reach or sign not in of_number):
            if sign != marks[0]:
                return None
            marks, reach = marks[1:], at + 1
    return None if marks else reach


def _word(text: str, at: int) -> str:
    found = re.match(r"\w+", text[at : at + 24])
    return found.group() if found else ""


def _ends(wanted: Wanted) -> tuple[int, int]:
    """Where the first letter or digit of the quote begins, and the last ends."""
    folded = wanted.folded
    first, last = folded.letters.original(0, len(wanted.letters))
    return folded.plain.original(first, last)


def _signs(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    return "".join("-" if c in DASHES else c for c in _SIGNIFICANT.findall(plain))


def widened(raw: str, start: int, end: int) -> tuple[int, int, str]:
    """The hit with the negation it begins or ends at, the comparison before its number and the unit behind it; and a sentence that says so."""
    said = []
    if half := _divided_before(raw, start):
        start -= half
        said.append(f"begins inside {_DIVIDED.sub('', raw[start : start + half])}…")
    if half := _divided_behind(raw, end):
        end += half
        said.append("ends inside a divided word")
    low, high = negated_before(raw, start), negated_behind(raw, end)
    if low < start:
        said.append(f"begins right behind {raw[low:start].strip()!r}")
    if high > end:
        said.append(f"ends right before {raw[end:high].strip()!r}")
    if raw[start : start + 1].isdecimal() and (found := _COMPARED_BEFORE.search(raw[max(0, start - 3) : start])):
        low = min(low, start - len(found.group()))
        said.append(f"begins right behind {found.group().strip()!r}")
    if _AMOUNT.search(raw[max(0, end - 24) : end]) and (unit := _COUNTED.match(raw, end)):
        high = max(high, unit.end())
        said.append(f"ends before its unit {unit.group().strip()!r}")
    return low, high, "the quote " + " and ".join(said) if said else ""
