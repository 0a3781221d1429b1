"""Numbers in words: "twelve million", "zwölf Millionen", "deux cent trente", "двенадцать", "一千二百", "اثنا عشر".

A run of number words is read as hundreds, tens and units added up and scaled by the magnitudes among them. A lone word that is also an
article or a pronoun (one, un, ein) is no number, and neither is an ordinal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from pageindex.evidence.numbers.lexicon import magnitude_of, magnitude_pattern

__all__ = ["Spelled", "spelled"]


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number in words: its characters, its value without the magnitude behind it, and that magnitude as a power of ten."""

    start: int
    end: int
    value: Fraction
    power: int = 0


def _table(units: str, tens: str, hundreds: str = "", more: str = "") -> dict[str, int]:
    """Values by word: units from 0 on, tens from 20 on, hundreds from 100 on; forms of one value are joined by ``/``; ``more`` is ``word=value``."""
    found: dict[str, int] = {}
    for words, first, step in ((units, 0, 1), (tens, 20, 10), (hundreds, 100, 100)):
        for index, forms in enumerate(words.split()):
            found |= {form: first + index * step for form in forms.split("/") if form != "-"}
    found |= {word.replace("_", " "): int(value) for word, _, value in (item.partition("=") for item in more.split())}
    return found


_WORDS: Mapping[str, Mapping[str, int]] = {
    "en": _table(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "twenty thirty forty/fourty fifty sixty seventy eighty ninety", "", "hundred=100 a=1 an=1",
    ),
    "de": _table(
        "null eins/ein/eine/einen/einer zwei/zwo drei vier fünf/fuenf sechs sieben acht neun zehn elf zwölf/zwoelf dreizehn vierzehn fünfzehn "
        "sechzehn siebzehn achtzehn neunzehn",
        "zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig", "", "hundert=100",
    ),
    "fr": _table(
        "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
        "vingt trente quarante cinquante soixante septante huitante/octante nonante", "",
        "cent=100 cents=100 quatre-vingt=80 quatre-vingts=80 soixante-dix=70 soixante-quinze=75 quatre-vingt-dix=90",
    ),
    "es": _table(
        "cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas seiscientos/seiscientas "
        "setecientos/setecientas ochocientos/ochocientas novecientos/novecientas",
        "veintiuno=21 veintiún=21 veintidós=22 veintitrés=23 veinticuatro=24 veinticinco=25 veintiséis=26 veintisiete=27 veintiocho=28 veintinueve=29",
    ),
    "pt": _table(
        "zero um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis "
        "dezessete/dezassete dezoito dezenove/dezanove",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        "cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas seiscentos/seiscentas "
        "setecentos/setecentas oitocentos/oitocentas novecentos/novecentas",
    ),
    "ru": _table(
        "ноль/нуля один/одна/одного/одной/одно два/две/двух три/трёх/трех четыре/четырёх/четырех пять/пяти шесть/шести семь/семи восемь/восьми "
        "девять/девяти десять/десяти одиннадцать/одиннадцати двенадцать/двенадцати тринадцать/тринадцати четырнадцать/четырнадцати "
        "пятнадцать/пятнадцати шестнадцать/шестнадцати семнадцать/семнадцати восемнадцать/восемнадцати девятнадцать/девятнадцати",
        "двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят/семидесяти "
        "восемьдесят/восьмидесяти девяносто/девяноста",
        "сто/ста двести/двухсот триста/трёхсот четыреста/четырёхсот пятьсот/пятисот шестьсот/шестисот семьсот/семисот восемьсот/восьмисот "
        "девятьсот/девятисот",
    ),
    "ar": _table(
        "صفر واحد/واحدة اثنان/اثنين/اثنا/اثني ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني/ثمان تسعة/تسع عشرة/عشر",
        "عشرون/عشرين ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين",
        "مئة/مائة مئتان/مئتين/مائتان/مائتين ثلاثمئة/ثلاثمائة أربعمئة/أربعمائة خمسمئة/خمسمائة ستمئة/ستمائة سبعمئة/سبعمائة ثمانمئة/ثمانمائة تسعمئة/تسعمائة",
    ),
    "fa": _table(
        "صفر یک دو سه چهار پنج شش/شیش هفت هشت نه ده یازده دوازده سیزده چهارده پانزده شانزده هفده هجده/هیجده نوزده",
        "بیست سی چهل پنجاه شصت هفتاد هشتاد نود",
        "صد/یکصد دویست سیصد چهارصد پانصد ششصد هفتصد هشتصد نهصد",
    ),
}  # fmt: skip
_FRACTIONS: Mapping[str, Mapping[str, Fraction]] = {
    "en": {"half a": Fraction(1, 2), "half of a": Fraction(1, 2), "one and a half": Fraction(3, 2), "a quarter of a": Fraction(1, 4)},
    "de": {"eine halbe": Fraction(1, 2), "anderthalb": Fraction(3, 2), "eineinhalb": Fraction(3, 2)},
    "fr": {"un demi": Fraction(1, 2)},
    "es": {"medio": Fraction(1, 2)},
    "pt": {"meio": Fraction(1, 2)},
    "ru": {"пол": Fraction(1, 2), "полтора": Fraction(3, 2), "полутора": Fraction(3, 2)},
}  # fmt: skip
_THOUSAND = {
    "es": "mil",
    "pt": "mil",
    "fr": "mille",
    "ru": "тысяча",
    "ar": "ألف",
    "fa": "هزار",
}  # said without a one before it
_AND_A_HALF = re.compile(r"(?:and a half|einhalb|et demi|y medi[oa]|e mei[oa]|с половиной)(?![^\W_])", re.IGNORECASE)
_AND = re.compile(r"(?:\s*-\s*|[\s\u00a0]+(?:(?:and|und|et|y|e|و)[\s\u00a0]+)?)", re.IGNORECASE)
_ARTICLES = frozenset(
    [
        "one",
        "a",
        "an",
        "un",
        "une",
        "ein",
        "eine",
        "einen",
        "einer",
        "eins",
        "uno",
        "una",
        "um",
        "uma",
        "один",
        "одна",
        "одно",
        "одного",
        "одной",
        "واحد",
        "واحدة",
        "یک",
        "نه",
        "سی",
        "ست",
        "شش",
        "ده",
        "دو",
        "ein",
    ]
)
_CJK_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
    "兩": 2,
    "壹": 1,
    "贰": 2,
    "叁": 3,
}
_CJK_UNITS = {"十": 10, "百": 100, "千": 1000}
_CJK_RUN = re.compile(r"[〇零一二三四五六七八九两兩十百千]+(?=[万萬亿億兆]|[^\W\d_]|\W|\Z)")
_HAN = re.compile(r"[〇零一二三四五六七八九两兩十百千]{2,}|[一二三四五六七八九两兩十](?=[万萬亿億兆])")


def spelled(text: str, language: str) -> Iterator[Spelled]:
    """The numbers in words of a text in a language of ``en de fr es pt ru zh ja ar fa``; of any other, nothing."""
    if language in ("zh", "ja"):
        yield from _han(text, language)
    elif language in _WORDS:
        yield from _runs(text, language)


@lru_cache(maxsize=16)
def _first(language: str) -> re.Pattern[str]:
    words = sorted(
        {*_WORDS[language], *_FRACTIONS.get(language, ()), *filter(None, [_THOUSAND.get(language)])},
        key=len,
        reverse=True,
    )
    compound = "[a-zäöüß]+(?:hundert|und|tausend)[a-zäöüß]*|" if language == "de" else ""
    prefix = "و?" if language == "ar" else ""
    return re.compile(
        rf"(?<![^\W_])(?<!\d[.,\-]){prefix}(?P<word>{compound}{'|'.join(map(re.escape, words))})(?![^\W_])",
        re.IGNORECASE,
    )


def _runs(text: str, language: str) -> Iterator[Spelled]:
    position = 0
    while match := _first(language).search(text, position):
        run = _Run(text, language, match.start(), match.start("word"))
        position = max(match.end(), run.read())
        found = run.result()
        if found is not None:
            yield found


class _Run:
    """Number words from a place on, added up as they come."""

    def __init__(self, text: str, language: str, start: int, position: int) -> None:
        self.text, self.language, self.start, self.end = text, language, start, position
        self.total, self.current, self.words = Fraction(0), Fraction(-1), 0
        self.power, self.articles = 0, True
        self.halves = Fraction(0)

    def read(self) -> int:
        position = self.end
        while True:
            step = self._word(position) or self._magnitude(position)
            if step is None:
                break
            self.end = step
            gap = _AND.match(self.text, step)
            half = _AND_A_HALF.match(self.text, gap.end() if gap else step) or (
                _AND_A_HALF.match(self.text, step + 1) if gap else None
            )
            if half:
                self._half()
                self.end = half.end()
                gap = _AND.match(self.text, self.end)
            if gap is None:
                break
            position = gap.end()
        return self.end

    def _word(self, position: int) -> int | None:
        match = _first(self.language).match(self.text, position)
        if match is None:
            return None
        word = match["word"].casefold()
        if word == _THOUSAND.get(self.language):
            return self._thousand(match)
        fraction = _FRACTIONS.get(self.language, {}).get(word)
        value = fraction if fraction is not None else _value(word, self.language)
        if value is None or not self._add(value):
            return None
        self.words += 1
        self.articles &= word in _ARTICLES
        return match.end()

    def _thousand(self, match: re.Match[str]) -> int | None:
        """ "Mil doscientos": a thousand that opens a number; a lone one in digits' company is a magnitude and is left to it."""
        following = _AND.match(self.text, match.end())
        if self.words or following is None or _first(self.language).match(self.text, following.end()) is None:
            return None
        self.words, self.articles, self.total, self.power = 1, False, Fraction(1000), 3
        return match.end()

    def _add(self, value: Fraction | int) -> bool:
        """Add a word to the current group; False when it cannot belong to it ("two three")."""
        if self.current < 0:
            self.current = Fraction(value)
            return self.power == 0 or value < 10**self.power
        if value == 100 and self.language in ("en", "de", "fr") and 0 < self.current < 100:
            self.current *= 100
            return True
        rest = self.current % 100
        tens_after_units = self.language in ("ar", "de") and 0 < self.current < 10 and 20 <= value < 100
        teens = self.language == "ar" and 0 < rest < 10 and value == 10
        twenties = self.language == "fr" and rest in (60, 80) and value < 20
        free = self.current >= 20 and self.current % (10 if value < 10 else 100 if value < 100 else 1000) == 0
        if not (tens_after_units or teens or twenties or (free and value < self.current)):
            return False
        self.current += value
        return True

    def _half(self) -> None:
        """A half belongs to the magnitude before it ("deux millions et demi"), else to the one that follows."""
        if self.power and self.current < 0:
            self.total += Fraction(1, 2) * 10**self.power
        else:
            self.halves = Fraction(1, 2)

    def _magnitude(self, position: int) -> int | None:
        match = magnitude_pattern(self.language).match(self.text, position)
        if match is None or self.words == 0:
            return None
        power = magnitude_of(match.group(), self.language)
        if power < 3:
            return None
        group = self.current if self.current >= 0 else Fraction(1)
        if self.power and power >= self.power:  # "two hundred thousand million"
            self.total = (self.total + max(self.current, Fraction(0))) * 10**power
        else:
            self.total += (group + self.halves) * 10**power
        self.halves, self.current, self.power = Fraction(0), Fraction(-1), power
        self.articles = False
        return match.end()

    def result(self) -> Spelled | None:
        if self.articles or not self.words:
            return None
        value = self.total + max(self.current, Fraction(0)) + self.halves
        power = self.power if self.power and value % 10**self.power == 0 else 0
        if self.power and not power:
            power = next((p for p in (9, 6, 3) if p < self.power and value % 10**p == 0), 0)
        return Spelled(self.start, self.end, value / 10**power, power)


def _value(word: str, language: str) -> int | None:
    known = _WORDS[language].get(word)
    return known if known is not None or language != "de" else _german(word)


def _german(word: str) -> int | None:
    """The value of a German compound: ``dreihundertfünfundzwanzig``, ``zwölftausend``."""
    if word in _WORDS["de"]:
        return _WORDS["de"][word]
    for mark, factor in (("tausend", 1000), ("hundert", 100)):
        head, found, tail = word.partition(mark)
        if found:
            high = _german(head) if head else 1
            low = _german(tail.removeprefix("und")) if tail else 0
            return None if high is None or low is None else high * factor + low
    head, found, tail = word.partition("und")
    units, tens = _WORDS["de"].get(head), _WORDS["de"].get(tail)
    return units + tens if found and units is not None and tens is not None and units < 10 <= tens else None


def _han(text: str, language: str) -> Iterator[Spelled]:
    for match in _HAN.finditer(text):
        value = _han_value(match.group())
        if value is None:
            continue
        scale = magnitude_pattern(language).match(text, match.end())
        power = magnitude_of(scale.group(), language) if scale else 0
        end = scale.end() if scale else match.end()
        yield Spelled(match.start(), end, Fraction(value), power)


def _han_value(run: str) -> int | None:
    if not any(c in _CJK_UNITS for c in run):
        return int("".join(str(_CJK_DIGITS[c]) for c in run)) if all(c in _CJK_DIGITS for c in run) else None
    total, digit = 0, 0
    for character in run:
        if character in _CJK_UNITS:
            total += (digit or 1) * _CJK_UNITS[character]
            digit = 0
        else:
            digit = _CJK_DIGITS[character]
    return total + digit
