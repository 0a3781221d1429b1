"""What languages write around numbers: magnitudes, percents, currencies, units and hedges, as tables from a form to what it means.

Forms are compared case-folded, except where case tells two apart (``M`` a million, ``m`` a metre). Written for en de fr es pt ru zh ja ar fa;
a form that means two things in two languages is listed under each language, and a text is read in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

__all__ = [
    "BASIS_POINTS",
    "POINTS",
    "currency_of",
    "currency_pattern",
    "decimal_comma",
    "hedge_before",
    "magnitude_after",
    "magnitude_of",
    "magnitude_pattern",
    "percent_after",
    "percent_before",
    "same_currency",
    "unit_of",
]

POINTS, BASIS_POINTS = "points", "bps"

#: Powers of ten by word, for every language; a language's own table goes before it.
_MAGNITUDES: Mapping[str, int] = {
    "hundred": 2, "hundreds": 2, "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9, "trillion": 12,
    "trillions": 12, "mn": 6, "mln": 6, "bn": 9, "bln": 9, "tn": 12, "trn": 12,
    "tausend": 3, "tsd": 3, "millionen": 6, "mio": 6, "milliarde": 9, "milliarden": 9, "mrd": 9, "mia": 9, "billionen": 12,
    "millier": 3, "milliers": 3, "milliard": 9, "milliards": 9,
    "millón": 6, "millon": 6, "millones": 6, "millardo": 9, "millardos": 9, "billón": 12, "billones": 12,
    "milhares": 3, "milhão": 6, "milhões": 6, "bilhão": 9, "bilhões": 9,
    "bilião": 12, "biliões": 12, "trilhão": 12, "trilhões": 12,
    "тыс": 3, "тысяч": 3, "тысяча": 3, "тысячи": 3, "млн": 6, "миллион": 6, "миллиона": 6, "миллионов": 6, "миллионы": 6, "млрд": 9,
    "миллиард": 9, "миллиарда": 9, "миллиардов": 9, "миллиарды": 9, "трлн": 12, "триллион": 12, "триллиона": 12, "триллионов": 12,
    "百": 2, "千": 3, "万": 4, "萬": 4, "十万": 5, "百万": 6, "百萬": 6, "千万": 7, "亿": 8, "億": 8, "十亿": 9, "十億": 9, "百亿": 10,
    "百億": 10, "千亿": 11, "千億": 11, "万亿": 12, "兆": 12,
    "ألف": 3, "آلاف": 3, "الاف": 3, "مليون": 6, "ملايين": 6, "مليار": 9, "مليارات": 9, "بليون": 9, "تريليون": 12,
    "هزار": 3, "میلیون": 6, "میلیارد": 9, "تریلیون": 12, "هزار میلیارد": 12,
}  # fmt: skip
_ABBREVIATED = frozenset({"tsd", "mio", "mrd", "mia", "bio", "mill", "mn", "bn", "тыс", "млн", "млрд", "трлн"})
_BY_LANGUAGE: Mapping[str, Mapping[str, int]] = {
    "de": {"billion": 12, "trillion": 18, "trillionen": 18, "bio": 12},
    "fr": {"billion": 12, "billions": 12, "trillion": 18, "trillions": 18, "mille": 3, "md": 9, "mds": 9},
    "es": {
        "trillón": 18,
        "trillones": 18,
        "mm": 6,
        "mil": 3,
        "miles": 3,
        "mill": 6,
        "mil millones": 9,
        "miles de millones": 9,
    },
    "pt": {"mi": 6, "bi": 9, "tri": 12, "mil": 3, "mil milhões": 9},
}
_ANY = {form: power for table in _BY_LANGUAGE.values() for form, power in table.items()} | dict(_MAGNITUDES)
#: Single letters, right behind a number or a currency's amount; lower case only beside a currency.
_LETTERS: Mapping[str, int] = {"K": 3, "k": 3, "M": 6, "m": 6, "B": 9, "b": 9, "T": 12}

_PERCENT = (
    "percent|per cent|pct|prozent|pour cent|pour-cent|por ciento|por cento|процентов|процента|процент|проц|パーセント|%|٪|％|"
    "في المئة|في المائة|بالمئة|بالمائة|درصد"
)
_POINTS = (
    "percentage points?|percentage-points?|percent points?|pct points?|ppts?|pps?|points?|prozentpunkten?|prozentpunkte|points? de pourcentage|puntos porcentuales|"
    "punto porcentual|pontos percentuais|ponto percentual|процентн[а-я]+ пункт[а-я]*|п\\. ?п\\.|пункт[а-я]*|个百分点|個百分點|百分点|ポイント|"
    "نقطة مئوية|نقاط مئوية|واحد درصد"
)
_BASIS = "basis points?|bps?|basispunkten?|basispunkte|points? de base|puntos básicos|pontos[- ]base|базисн[а-я]+ пункт[а-я]*|个基点|基点|ベーシスポイント|نقطة أساس"
_PER_MILLE = "‰|per mille|promille"
_KINDS = tuple(
    (kind, re.compile(rf"[\s\u00a0\-]{{0,2}}(?:{words})(?![\dA-Za-z\u00c0-\u04ff\u0600-\u06ff])", re.IGNORECASE))
    for kind, words in ((BASIS_POINTS, _BASIS), (POINTS, _POINTS), ("%", _PERCENT), ("‰", _PER_MILLE))
)
_BARE_POINTS = re.compile(r"[\s\u00a0\-]{0,2}(?:points?|pps?|пункт|bps?)(?![^\W_])", re.IGNORECASE)
_CJK_PERCENT = re.compile(r"百分之\s*\Z")

#: Currencies: symbol, code or word → code. ``$`` and ``¥`` stand for several.
_CURRENCIES: Mapping[str, str] = {
    "$": "$", "＄": "$", "dollar": "$", "dollars": "$", "dólar": "$", "dólares": "$", "доллар": "$", "доллара": "$", "долларов": "$",
    "долл": "$", "долл.": "$", "ドル": "$", "دولار": "$", "دولارات": "$", "دلار": "$", "us$": "USD", "usd": "USD", "u.s. dollars": "USD", "us dollars": "USD", "us-dollar": "USD",
    "美元": "USD", "米ドル": "USD", "дол. сша": "USD", "a$": "AUD", "au$": "AUD", "aud": "AUD", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "hk$": "HKD", "hkd": "HKD",
    "港元": "HKD", "s$": "SGD", "sgd": "SGD", "nz$": "NZD", "nzd": "NZD", "mx$": "MXN", "mxn": "MXN", "canadian dollars": "CAD", "australian dollars": "AUD",
    "cent": "$", "cents": "$", "¢": "$",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "евро": "EUR", "欧元": "EUR", "歐元": "EUR", "ユーロ": "EUR", "يورو": "EUR", "یورو": "EUR",
    "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "pounds sterling": "GBP", "pfund": "GBP", "livres": "GBP", "livres sterling": "GBP", "libras": "GBP",
    "фунтов": "GBP", "фунта": "GBP", "英镑": "GBP", "ポンド": "GBP", "پوند": "GBP",
    "¥": "¥", "￥": "¥", "yen": "JPY", "jpy": "JPY", "円": "JPY", "日元": "JPY", "иен": "JPY", "йен": "JPY",
    "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "cny": "CNY", "元": "CNY", "人民币": "CNY", "人民币元": "CNY", "юаней": "CNY", "юаня": "CNY",
    "₽": "RUB", "rub": "RUB", "руб": "RUB", "руб.": "RUB", "рублей": "RUB", "рубля": "RUB", "рубль": "RUB", "rubles": "RUB", "roubles": "RUB",
    "₹": "INR", "inr": "INR", "rs": "INR", "rs.": "INR", "rupees": "INR", "chf": "CHF", "francs suisses": "CHF", "franken": "CHF", "swiss francs": "CHF",
    "r$": "BRL", "brl": "BRL", "reais": "BRL", "₩": "KRW", "krw": "KRW", "won": "KRW", "원": "KRW", "ريال": "SAR", "sar": "SAR", "ریال": "IRR", "irr": "IRR", "تومان": "IRT",
    "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB",
}  # fmt: skip
_FAMILY = {"$": ("USD", "AUD", "CAD", "HKD", "SGD", "NZD", "MXN"), "¥": ("JPY", "CNY")}

#: Units by stem-free form → what they measure. Units of one group are told apart; a word that is no unit is left alone.
_UNITS: Mapping[str, str] = {
    form: name
    for name, forms in {
        "second": "second seconds sec secs s sekunde sekunden seconde secondes segundo segundos секунд секунды 秒 ثانية",
        "minute": "minute minutes min mins minuten minuto minutos минут минуты 分钟 دقيقة",
        "hour": "hour hours hr hrs h stunde stunden heure heures hora horas час часа часов 小时 時間 ساعة ساعت",
        "day": "day days tag tage tagen jour jours día días dia dias день дня дней 天 日 يوم روز",
        "week": "week weeks woche wochen semaine semaines semana semanas неделя недели недель 周 週 أسبوع هفته",
        "month": "month months monat monate monaten mois mes meses mês месяц месяца месяцев 个月 ヶ月 شهر ماه",
        "quarter": "quarters quartale trimestres квартала кварталов 季度 四半期",
        "year": "year years jahr jahre jahren an ans année années año años ano anos год года лет 年 سنة سنوات عام سال",
        "mm": "millimeter millimeters millimetre millimetres", "cm": "cm centimeter centimeters centimetre centimetres",
        "m": "meter meters metre metres mètre mètres metro metros метр метра метров", "km": "km kilometer kilometers kilometre kilometres kilomètres kilómetros quilômetros км 公里",
        "mile": "mile miles mi. meilen milles millas milhas", "ft": "foot feet ft", "inch": "inch inches",
        "sqft": "square feet|sq ft", "acre": "acre acres", "hectare": "hectare hectares hektar ha",
        "g": "gram grams gramm grammes gramos", "kg": "kg kilogram kilograms kilogramm kilogrammes kilogramos кг", "tonne": "ton tons tonne tonnes tonnen toneladas тонн тонны 吨 トン طن",
        "pound weight": "lb lbs", "ounce": "ounce ounces oz",
        "litre": "liter liters litre litres litros литров", "barrel": "barrel barrels bbl bbls", "gallon": "gallon gallons",
        "kW": "kw kilowatts", "MW": "mw megawatt megawatts мвт", "GW": "gw gigawatt gigawatts", "kWh": "kwh", "MWh": "mwh", "GWh": "gwh", "TWh": "twh",
        "V": "v volt volts", "mV": "mv millivolts", "A": "amp amps ampere amperes", "mA": "ma", "Hz": "hz hertz", "kHz": "khz", "MHz": "mhz", "GHz": "ghz",
        "byte": "byte bytes", "KB": "kb kilobytes kib", "MB": "mb megabytes mib", "GB": "gb gigabytes gib", "TB": "tb terabytes",
        "share": "share shares aktie aktien acciones ações акций 股 株 أسهم سهم", "employee": "employee employees mitarbeiter employés empleados funcionários сотрудников 员工 名 موظف",
        "person": "person persons people personen personnes personas pessoas человек 人 شخص نفر", "customer": "customer customers kunden clients clientes клиентов 客户",
        "store": "store stores filialen magasins tiendas lojas магазинов 门店", "unit": "unit units einheiten unités unidades",
        "times": "times x", "degree": "degrees °c °f °",
    }.items()
    for form in (forms.split("|") if "|" in forms else forms.split())
}  # fmt: skip

_HEDGES = {
    "about": "about|approximately|approx\\.?|around|roughly|some|circa|ca\\.|c\\.|~|≈|∼|etwa|rund|ungefähr|gut|environ|à peu près|quelque|"
    "aproximadamente|alrededor de|unos|unas|cerca de|около|примерно|приблизительно|порядка|约|大约|約|およそ|حوالي|نحو|تقريبا|حدود|تقریباً|an estimated|estimated",
    "over": "just over|slightly more than|etwas über|un peu plus de|poco más de|pouco mais de|чуть более|略高于",
    "under": "nearly|almost|just under|close to|fast|beinahe|knapp|près de|presque|casi|quase|почти|近|将近|ほぼ|نزدیک به",
    "less": "less than|fewer than|under|below|weniger als|unter|moins de|menos de|менее|не более|不到|少于|低于|أقل من|کمتر از",
    "more": "over|more than|above|exceeding|in excess of|upwards of|at least|über|mehr als|mindestens|plus de|au moins|más de|al menos|mais de|свыше|более|больше|"
    "超过|超過|逾|超|أكثر من|بیش از",
}
_HEDGE = re.compile(
    "(?:" + "|".join(rf"(?P<{kind}>{words})" for kind, words in _HEDGES.items()) + r")[\s\u00a0]*(?:an?\s)?\Z",
    re.IGNORECASE,
)
_DECIMAL_COMMA = frozenset({"de", "fr", "es", "pt", "ru", "it", "nl", "pl", "sv", "da", "cs", "tr", "id", "uk"})


def decimal_comma(language: str) -> bool:
    """Whether ``1.204`` is a thousand and ``1,204`` is one and a bit in a language."""
    return language in _DECIMAL_COMMA


@lru_cache(maxsize=16)
def magnitude_pattern(language: str) -> re.Pattern[str]:
    """A magnitude word of a language at a position; the longest form first."""
    forms = sorted({**_MAGNITUDES, **_BY_LANGUAGE.get(language, {})}, key=len, reverse=True)
    spaced = [form for form in forms if not _is_cjk(form)]
    short = [form for form in spaced if form in _ABBREVIATED]
    unspaced = [form for form in forms if _is_cjk(form)]
    return re.compile(
        rf"(?:(?:{_either(short)})\.(?!\w)|(?:{_either(spaced)})(?![^\W_])|(?:{_either(unspaced)}))", re.IGNORECASE
    )


def _either(forms: Iterable[str]) -> str:
    return "|".join(re.escape(form).replace(r"\ ", r"[\s\u00a0]+") for form in forms)


def _is_cjk(form: str) -> bool:
    return "\u3000" <= form[0] <= "\u9fff"


def magnitude_of(form: str, language: str) -> int:
    """The power of ten of a form that the pattern found."""
    key = re.sub(r"[\s\u00a0]+", " ", form).casefold().rstrip(".")
    return _BY_LANGUAGE.get(language, {}).get(key) or _ANY[key]


def magnitude_after(text: str, position: int, language: str, currency: bool) -> tuple[int, int]:
    """``(power, end)`` of the magnitude that stands behind a number: ``12 million``, ``1.2bn``, ``$3M``; ``(0, position)`` for none.

    A letter needs a currency beside it, or a decimal point in the number before it, which is the caller's to say by ``currency``.
    """
    start = position + len(text[position:]) - len(text[position:].lstrip(" \u00a0\u202f\u2009-"))
    if start - position <= 2:
        match = magnitude_pattern(language).match(text, start)
        if match:
            following = (
                magnitude_pattern(language).match(text, match.end() + 1)
                if text[match.end() : match.end() + 1] == " "
                else None
            )
            power = magnitude_of(match.group(), language)
            if following and magnitude_of(following.group(), language) > power >= 3:
                return power + magnitude_of(following.group(), language), following.end()
            return power, match.end()
    if currency and text[start : start + 2] in ("mm", "MM") and not text[start + 2 : start + 3].isalnum():
        return 6, start + 2
    letter = text[start : start + 1]
    if currency and letter in _LETTERS and start - position <= 1 and not text[start + 1 : start + 2].isalnum():
        return _LETTERS[letter], start + 1
    return 0, position


def percent_after(text: str, position: int, points: bool = True) -> tuple[str, int]:
    """``(kind, end)`` of the percent, points or basis points behind a number; bare "points" only where ``points`` says so."""
    for kind, pattern in _KINDS:
        match = pattern.match(text, position)
        if match and (points or not _BARE_POINTS.fullmatch(match.group())):
            return kind, match.end()
    return "", position


def percent_before(text: str, position: int) -> bool:
    """Whether ``百分之`` stands before a number."""
    return bool(_CJK_PERCENT.search(text[max(0, position - 8) : position]))


@lru_cache(maxsize=1)
def currency_pattern() -> re.Pattern[str]:
    """A currency's symbol, code or word."""
    words = sorted(_CURRENCIES, key=len, reverse=True)
    marks = [
        w
        for w in words
        if not any(map(str.isalpha, w)) or w[-1] in "$€£¥" or _is_cjk(w) or "\u30a0" <= w[0] <= "\u30ff"
    ]
    spelled = [w for w in words if w not in marks]
    return re.compile(rf"(?:(?<![^\W\d_])(?:{_either(spelled)})(?![^\W_])|(?:{_either(marks)}))", re.IGNORECASE)


def currency_of(form: str) -> str:
    """The code of a form that the pattern found; empty for none."""
    key = re.sub(r"[\s\u00a0]+", " ", form).casefold()
    return _CURRENCIES.get(key) or _CURRENCIES.get(key.rstrip("."), "")


def same_currency(said: str, printed: str) -> bool | None:
    """Whether two codes are one currency; None where a printed ``$`` or ``¥`` does not say which of its family is meant."""
    if said == printed:
        return True
    for general, members in _FAMILY.items():
        if said == general and printed in members:
            return True
        if printed == general and said in members:
            return True if said == members[0] or general == "¥" else None
    return False


def unit_of(word: str) -> str:
    """The name of a unit by its form; empty for a word that is none."""
    return _UNITS.get(word.casefold().rstrip("."), "")


def hedge_before(text: str, position: int) -> str:
    """``about``, ``under`` (nearly), ``over`` (just over), ``less`` or ``more`` where a word before a number says so; empty otherwise."""
    match = _HEDGE.search(text[max(0, position - 28) : position])
    if match is None or (
        match.start()
        and text[max(0, position - 28) : position][match.start() - 1].isalpha()
        and match.group()[0].isalpha()
        and match.group()[0].isascii()
    ):
        return ""
    return str(match.lastgroup)
