"""Quotes that say something else: kinds of alteration, each a small edit of a true quote.

Nothing here comes from the package that is measured. A kind returns None where it does not apply. Words are changed by closed lists or by
words of other pages; everything is written for the text as another reader gave it.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Sources:
    """What alterations may be made from: words of the document, and quotes of the same page and of others."""

    words: list[str]
    same_page: list[str]
    other_pages: list[str]


Mutation = Callable[[str, random.Random, Sources], str | None]
MUTATIONS: dict[str, Mutation] = {}


def _kind(name: str) -> Callable[[Mutation], Mutation]:
    def kept(function: Mutation) -> Mutation:
        MUTATIONS[name] = function
        return function

    return kept


def _edit(name: str, pattern: str, new: Callable[[re.Match[str], random.Random], str | None], flags: int = 0) -> None:
    """A kind that changes one match of a pattern."""
    compiled = re.compile(pattern, flags)

    def mutate(text: str, rng: random.Random, sources: Sources) -> str | None:
        found = list(compiled.finditer(text))
        rng.shuffle(found)
        for match in found:
            changed = new(match, rng)
            if changed is not None and changed != match.group():
                return text[: match.start()] + changed + text[match.end() :]
        return None

    MUTATIONS[name] = mutate


def _swap(name: str, pairs: str, flags: int = re.IGNORECASE) -> None:
    """A kind that changes one word for its counterpart, both ways: ``more/less all/some``."""
    table: dict[str, str] = {}
    for pair in pairs.split():
        one, other = pair.replace("_", " ").split("/")
        table[one.lower()], table[other.lower()] = other, one

    def new(match: re.Match[str], rng: random.Random) -> str:
        other = table[match.group().lower()]
        return other.capitalize() if match.group()[0].isupper() else other

    _edit(name, rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, table), key=len, reverse=True))})(?![\w-])", new, flags)


def _drop(name: str, pattern: str, flags: int = re.IGNORECASE) -> None:
    _edit(name, pattern, lambda match, rng: "", flags)


def _insert(name: str, pattern: str, new: str) -> None:
    """A kind that puts something at one empty match of a pattern."""
    _edit(name, pattern, lambda match, rng: new)


# ---------------------------------------------------------------- numbers

NUMBER = r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])"


def _other_digit(match: re.Match[str], rng: random.Random) -> str:
    digits = [at for at, c in enumerate(match.group()) if c.isdecimal()]
    at = rng.choice(digits)
    return (
        match.group()[:at] + rng.choice([d for d in "0123456789" if d != match.group()[at]]) + match.group()[at + 1 :]
    )


def _swapped_digits(match: re.Match[str], rng: random.Random) -> str | None:
    text = match.group()
    at = [i for i in range(len(text) - 1) if text[i].isdigit() and text[i + 1].isdigit() and text[i] != text[i + 1]]
    if not at:
        return None
    i = rng.choice(at)
    return text[:i] + text[i + 1] + text[i] + text[i + 2 :]


_edit("digit changed", NUMBER, _other_digit)
_edit("two digits swapped", NUMBER, _swapped_digits)
_edit("digit appended", NUMBER, lambda m, r: m.group() + r.choice("0123456789"))
_edit("digit put before", NUMBER, lambda m, r: r.choice("123456789") + m.group())
_edit("first digit dropped", r"(?<![\w.,])\d{2,}(?:[.,]\d+)*(?!\w)", lambda m, r: m.group()[1:])
_edit(
    "last digit dropped",
    r"(?<![\w.,])\d+(?:[.,]\d{2,})?\d(?![\w.,]\d)(?!\w)",
    lambda m, r: m.group()[:-1].rstrip(".,") or None,
)
_edit("decimals cut off", r"(?<![\w.,])\d+[.,]\d{1,2}(?![\w.,%])", lambda m, r: re.split("[.,]", m.group())[0])
_edit(
    "decimal point moved left",
    r"(?<![\w.,])\d{2,}\.\d+(?![\w.])",
    lambda m, r: re.sub(r"(\d)\.(\d)", r".\1\2", m.group()),
)
_edit(
    "decimal point moved right",
    r"(?<![\w.,])\d+\.\d{2,}(?![\w.])",
    lambda m, r: re.sub(r"\.(\d)", r"\1.", m.group(), count=1),
)
_edit("decimal point dropped", r"(?<![\w.,])\d+\.\d+(?![\w.])", lambda m, r: m.group().replace(".", ""))
_edit(
    "decimal point put in",
    r"(?<![\w.,])(?!(?:19|20)\d\d)\d{2,}(?![\w.,])",
    lambda m, r: m.group()[:1] + "." + m.group()[1:],
)
_edit("point for comma", r"(?<![\w.,])\d+,\d+(?![\w,])", lambda m, r: m.group().replace(",", "."))
_edit("comma for point", r"(?<![\w.,])\d+\.\d+(?![\w.])", lambda m, r: m.group().replace(".", ","))
_edit(
    "grouping comma moved",
    r"(?<![\w.,])\d{1,3},\d{3}(?![\w.,])",
    lambda m, r: m.group()[:-4] + m.group()[-3] + "," + m.group()[-2:],
)
_edit(
    "number torn by a blank",
    r"(?<![\w.,])(?!(?:19|20)\d\d)\d{3,}(?![\w.,])",
    lambda m, r: m.group()[:-2] + " " + m.group()[-2:],
)
_edit("two numbers joined", r"(?<![\w.,])(?:\d{2,} \d+|\d+ \d{2,})(?![\w.,])", lambda m, r: m.group().replace(" ", ""))
_edit(
    "digit moved to the next number",
    r"(?<![\w.,])\d{2,} \d+(?![\w.,])",
    lambda m, r: re.sub(r"(\d) ", r" \1", m.group()),
)
_edit("minus dropped", r"(?<![\w.,\-–−)\]]) [-−–](?=\d)", lambda m, r: " ")
_edit("minus put before a number", r"(?<=[a-z] )(?=\d)", lambda m, r: "-")
_edit("Unicode minus put before a number", r"(?<=[a-z] )(?=\d)", lambda m, r: "−")
_edit("minus put before an amount", r"(?=[$€£]\s?\d)", lambda m, r: "-")
_edit("parentheses dropped around a number", r"\(\s?[$€£]?\s?\d[\d.,]*\s?\)", lambda m, r: m.group().strip("() "))
_edit(
    "parentheses put around a number", r"(?<![\w.,(\-–−$€£])\d+(?:[.,]\d+)*(?![\w.,)%])", lambda m, r: f"({m.group()})"
)
_edit("parentheses for a minus", r"\(\d[\d.,]*\)", lambda m, r: "-" + m.group().strip("()"))
_edit("percent sign dropped", r"(?<=\d) ?[%％]", lambda m, r: "")
_edit("percent sign put in", r"(?<![\w.,(\-–−$€£])\d+(?:\.\d+)?(?![\w.,)%])(?! ?%)", lambda m, r: m.group() + "%")
_edit("per mille for percent", r"(?<=\d) ?%", lambda m, r: "‰")
_edit("points for percent", r"(?<=\d)( ?%)", lambda m, r: " points")
_edit("basis points for percent", r"\bpercent\b", lambda m, r: "basis points")
_edit("the year after", r"(?<![\w.,])(?:19|20)\d\d(?![\w.,])", lambda m, r: str(int(m.group()) + 1))
_edit("the year before", r"(?<![\w.,])(?:19|20)\d\d(?![\w.,])", lambda m, r: str(int(m.group()) - 1))
_edit("years of a range joined", r"(?<!\d)((?:19|20)\d\d)[-–—]((?:19|20)\d\d)(?!\d)", lambda m, r: f"{m[1]} {m[2]}")
_edit(
    "end of a range changed",
    r"(?<!\d)\d+[-–—]\d+(?!\d)",
    lambda m, r: m.group()[:-1] + str((int(m.group()[-1]) + 1) % 10),
)
_edit("range dash dropped", r"(?<=\d)[-–—](?=\d)", lambda m, r: " ")
_edit("other currency", r"[$€£¥]", lambda m, r: r.choice([c for c in "$€£¥" if c != m.group()]))
_edit("currency dropped", r"[$€£¥] ?(?=\d)", lambda m, r: "")
_edit("currency put in", r"(?<=[a-z] )(?=\d+(?:[.,]\d+)? )", lambda m, r: "$")
_edit("currency code changed", r"\b(?:USD|EUR|GBP|JPY|CHF|RMB)\b", lambda m, r: "CAD")
_swap(
    "magnitude changed",
    "million/billion millions/billions thousand/hundred Millionen/Milliarden млн/млрд millones/billones milhões/bilhões 万/亿".lower(),
)
_drop(
    "magnitude dropped",
    r"(?<=\d) (?:million|billion|thousand|trillion|Mio\.|Mrd\.|Millionen|млн|млрд|milhões|millones)(?= \w)",
)
_swap(
    "spelled number changed",
    "two/three four/five six/seven eight/nine ten/eleven twelve/twenty zwei/drei vier/fünf deux/trois quatre/cinq dos/tres два/три",
)
_swap("ordinal changed", "first/second third/fourth fifth/sixth erste/zweite premier/dernier")
_edit("ordinal number changed", r"\b\d{1,2}(?:st|nd|rd|th)\b", lambda m, r: f"{int(m.group()[:-2]) + 1}th")
_edit("roman numeral changed", r"(?<![\w.])(?:II|III|IV|VI|VII|VIII|IX|XI|XII)(?![\w.])", lambda m, r: m.group() + "I")
_edit("fraction changed", r"(?<![\w/])\d/\d(?![\w/])", lambda m, r: m.group()[:2] + str(int(m.group()[2]) % 9 + 1))
_edit("fraction joined", r"(?<![\w/])\d/\d(?![\w/])", lambda m, r: m.group().replace("/", ""))
_edit("version point dropped", r"(?<![\w.])\d+\.\d+\.\d+(?![\w.])", lambda m, r: m.group().replace(".", "", 1))
_edit(
    "section number changed",
    r"(?<![\w.,])\d+\.\d+(?= [A-Z])",
    lambda m, r: m.group()[:-1] + str((int(m.group()[-1]) + 1) % 10),
)
_edit("hyphen of a numbered name dropped", r"(?<=[A-Z]{2})-(?=\d)", lambda m, r: "")
_edit("exponent put in", r"(?<![\w.,])10(?= )", lambda m, r: "10²")
_edit("superscript made a digit", r"(?<=\d)[²³¹⁰-⁹]", lambda m, r: unicodedata.normalize("NFKC", m.group()))


@_kind("two numbers swapped")
def _two_numbers(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = list(re.finditer(NUMBER, text))
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a.group() != b.group()]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return text[: one.start()] + other.group() + text[one.end() : other.start()] + one.group() + text[other.end() :]


@_kind("two years swapped")
def _two_years(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = list(re.finditer(r"(?<![\w.,])(?:19|20)\d\d(?![\w,])", text))
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a.group() != b.group()]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return text[: one.start()] + other.group() + text[one.end() : other.start()] + one.group() + text[other.end() :]


# ---------------------------------------------------------------- signs, cells, code

_LONE = r"(?:(?<=[\d%–—−-] )[-–—−](?= )|(?<= )[-–—−](?= [\d($€£–—−-]))"
_swap("relation turned", "</> ≤/≥ ≪/≫", 0)
_edit(
    "relation turned around a number",
    r"[<>≤≥](?= ?\d)",
    lambda m, r: {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}[m.group()],
)
_edit("equality lost", r"[≤≥](?= ?\w)", lambda m, r: {"≤": "<", "≥": ">"}[m.group()])
_edit("not equal", r"(?<= )=(?= )", lambda m, r: "≠")
_edit("plus for minus", r"(?<=[\w)\]] )[−-](?= \w)", lambda m, r: "+")
_edit("minus for plus", r"(?<= )\+(?= \w)", lambda m, r: "−")
_edit("plus dropped", r"(?<=\w)\+(?=\w)", lambda m, r: " ")
_edit("times for plus", r"(?<= )\+(?= )", lambda m, r: "×")
_edit("plus-minus made plus", r"±", lambda m, r: "+")
_edit("relation dropped", r"[<>≤≥≈] ?(?=\d)", lambda m, r: "")
_edit("approximation put in", r"(?<=[a-z] )(?=\d)", lambda m, r: "~")
_edit("lone dash dropped", rf"{_LONE} ", lambda m, r: "")
_edit("lone dash moved right", rf"{_LONE} (\S*\d\S*)(?= )", lambda m, r: f"{m[1]} –")
_edit("lone dash moved left", r"(?<= )(\S*\d\S*) (?:[-–—−])(?= )", lambda m, r: f"– {m[1]}")
_edit("lone dash put in", r"(?<=\d) (?=\d)", lambda m, r: " – ")
_edit("lone dash made nought", _LONE, lambda m, r: "0")
_edit("two dash cells made one", r"(?<=\s)[-–—−] [-–—−](?=\s)", lambda m, r: "–")
_edit("minus before a letter dropped", r"(?<=[=(,+×·*/ ])[−-](?=[a-zA-Zα-ω](?!\w))", lambda m, r: "")
_edit("minus put before a letter", r"(?<=[=(] )(?=[a-zA-Zα-ω](?!\w))", lambda m, r: "−")
_edit("option letter in the other case", r"(?<![\w-])-[a-zA-Z](?!\w)", lambda m, r: m.group().swapcase())
_edit("option dash dropped", r"(?<![\w-])-(?=[a-zA-Z](?!\w))", lambda m, r: "")
_edit("long option with one dash", r"(?<![\w-])--(?=[a-z]{2,})", lambda m, r: "-")
_edit("long option without dashes", r"(?<![\w-])--(?=[a-z]{2,})", lambda m, r: "")
_edit(
    "unit in the other case",
    r"(?<=\d) ?(?:[kMGTmµn]?(?:m|g|s|A|V|W|Hz|B|b|L|l|K|bit|eV|Pa|J))(?![\w/])",
    lambda m, r: m.group().swapcase(),
)
_edit(
    "prefix of a unit changed",
    r"(?<=\d )[kMGm](?=(?:B|Hz|W|V|m|g|bit|L)(?!\w))",
    lambda m, r: {"k": "M", "M": "G", "G": "T", "m": "k"}[m.group()],
)
_edit("symbol in the other case", r"(?<=[=+×·(,] )[a-zA-Z](?= ?[=+×·),])", lambda m, r: m.group().swapcase())
_edit("identifier in the other case", r"\b[a-z]+[A-Z]\w*\b", lambda m, r: m.group().lower())
_edit(
    "first letter of an identifier in the other case",
    r"\b[a-z]+[A-Z][a-z]\w*\b",
    lambda m, r: m.group()[0].upper() + m.group()[1:],
)
_edit("constant in lower case", r"\b[A-Z]{2,}_[A-Z_]+\b", lambda m, r: m.group().lower())
_edit("underscore dropped", r"(?<=[^\W_])_(?=[^\W_])", lambda m, r: "")
_edit("underscore made a blank", r"(?<=[^\W_])_(?=[^\W_])", lambda m, r: " ")
_edit("underscore made a hyphen", r"(?<=[a-z])_(?=[a-z])", lambda m, r: "-")
_edit(
    "digit of an identifier changed",
    r"\b[A-Za-z]+\d+\b",
    lambda m, r: m.group()[:-1] + str((int(m.group()[-1]) + 1) % 10),
)
_edit("slash of a path dropped", r"(?<=\w)/(?=\w)", lambda m, r: "")
_edit("slash turned", r"(?<=\w)/(?=\w)", lambda m, r: "\\")
_edit("point of a name dropped", r"(?<=[a-z])\.(?=[a-z])", lambda m, r: "")
_edit("sign behind a letter dropped", r"(?<=\b[A-Z])(?:\+\+|#|\+)", lambda m, r: "")
_edit("at sign dropped", r"(?<=\w)@(?=\w)", lambda m, r: " ")
_edit("acronym in lower case", r"(?<=[a-z] )[A-Z]{2,4}(?= [a-z])", lambda m, r: m.group().lower())

# ---------------------------------------------------------------- words

_NEGATIVE = r"not|never|no|nor|nicht|kein|keine|keinen|nie|ohne|ne|pas|jamais|sans|nunca|sin|não|sem|nem|non|niet|geen|не|нет|без|without|neither|cannot"
_drop("negation dropped", rf"(?<![\w-])(?:{_NEGATIVE}) (?=\w)")
_drop("n't dropped", r"(?<=\w)n['’]t\b")
_drop("Chinese negation dropped", r"[不未无無没非](?=[\u4e00-\u9fff])")
_drop("Arabic negation dropped", r"(?<=\s)(?:لا|لم|لن|ليس|غير) ")
_edit(
    "not put in",
    r"\b(?:is|are|was|were|will|can|may|shall|should|must|has|have|does|do) (?=[a-z]{3,})",
    lambda m, r: m.group() + "not ",
)
_edit(
    "nicht put in",
    r"\b(?:ist|sind|wird|werden|kann|können|hat|haben) (?=[a-zäöü]{3,})",
    lambda m, r: m.group() + "nicht ",
)
_edit("pas put in", r"\b(?:est|sont|peut|doit|sera) (?=[a-zé]{3,})", lambda m, r: m.group() + "pas ")
_edit("не put in", r"(?<= )(?=(?:может|должен|является|имеет|будет|используется)\b)", lambda m, r: "не ")
_edit("不 put in", r"(?<=[\u4e00-\u9fff])(?=[是能会可要])", lambda m, r: "不")
_swap(
    "negation turned",
    "never/always no/any without/with nobody/everybody nothing/everything neither/both nor/or none/all nie/immer ohne/mit sans/avec sin/con sem/com без/с",
)
_swap(
    "quantifier changed",
    "all/some most/few many/few each/no every/no both/neither several/no alle/einige toutes/quelques todos/algunos все/некоторые",
)
_swap(
    "modal changed",
    "must/may shall/may should/can will/might can/cannot muss/kann doit/peut debe/puede deve/pode должен/может",
)
_swap(
    "comparison turned",
    "more/less higher/lower greater/smaller larger/smaller longer/shorter better/worse faster/slower mehr/weniger plus/moins más/menos больше/меньше",
)
_swap(
    "direction turned",
    "increase/decrease increased/decreased increases/decreases rise/fall rose/fell gain/loss gains/losses up/down grew/shrank add/remove adds/removes",
)
_swap(
    "time turned",
    "before/after earlier/later previous/next since/until prior/subsequent vor/nach avant/après antes/después до/после",
)
_swap(
    "place turned",
    "above/below inside/outside left/right top/bottom upper/lower over/under north/south east/west front/back",
)
_swap("bound turned", "minimum/maximum least/most min/max exceed/meet exceeds/meets")
_swap("connective changed", "and/or und/oder et/ou y/o e/ou и/или if/unless because/although when/unless but/and")
_swap(
    "state turned",
    "enabled/disabled open/closed true/false valid/invalid positive/negative input/output read/write start/stop success/failure public/private internal/external active/inactive allowed/forbidden required/optional",
)
_swap(
    "frequency changed", "always/sometimes often/rarely usually/never annually/monthly daily/weekly quarterly/annually"
)
_swap("person changed", "we/they our/their us/them he/she his/her I/you my/your")
_swap("small word changed", "to/from in/out on/off by/to the/no this/that these/those only/also")
_edit("prefix un- dropped", r"\bun(?=[a-z]{5,})", lambda m, r: "")
_edit(
    "prefix un- put in",
    r"\b(?=(?:able|likely|known|used|available|changed|limited|related|certain|necessary|common|usual|defined)\b)",
    lambda m, r: "un",
)
_edit("prefix non- dropped", r"\b[Nn]on-?(?=[a-z]{4,})", lambda m, r: "")
_edit(
    "prefix in- dropped",
    r"\bin(?=(?:complete|direct|correct|valid|finite|visible|dependent|active|efficient)\b)",
    lambda m, r: "",
)
_edit(
    "prefix put in",
    r"\b(?=(?:complete|direct|correct|valid|finite|visible|dependent|active|efficient)\b)",
    lambda m, r: "in",
)
_edit("suffix -less", r"\b\w{3,}ful\b", lambda m, r: m.group()[:-3] + "less")
_edit("plural dropped", r"\b[a-z]{3,}(?<!s)s\b", lambda m, r: m.group()[:-1])
_edit("plural put in", r"\b[a-z]{4,}(?<![sy])\b(?= [a-z])", lambda m, r: m.group() + "s")
_edit("tense changed", r"\b[a-z]{4,}ed\b", lambda m, r: m.group()[:-2] + "ing")
_edit(
    "letter changed", r"\b[^\W\d_]{4,}\b", lambda m, r: m.group()[:2] + chr(ord("a") + r.randrange(26)) + m.group()[3:]
)
_edit("letters transposed", r"\b[a-z]{5,}\b", lambda m, r: m.group()[:2] + m.group()[3] + m.group()[2] + m.group()[4:])
_edit("letter dropped", r"\b[^\W\d_]{5,}\b", lambda m, r: m.group()[:2] + m.group()[3:])
_edit("letter doubled", r"\b[^\W\d_]{5,}\b", lambda m, r: m.group()[:2] + m.group()[1] + m.group()[2:])
_edit("accent dropped", r"[äöüéèêàçñãõáíóúâîôûйłśćźż]", lambda m, r: unicodedata.normalize("NFD", m.group())[0])
_edit("accent put in", r"(?<=[a-z])[aou](?=[a-z]{2})", lambda m, r: {"a": "ä", "o": "ö", "u": "ü"}[m.group()])
_edit("CJK character changed", r"[\u4e00-\u9fff](?=[\u4e00-\u9fff])", lambda m, r: chr(ord(m.group()) + 1))
_edit("CJK character dropped", r"[\u4e00-\u9fff](?=[\u4e00-\u9fff])", lambda m, r: "")
_edit("kana changed", r"[\u3041-\u3093]", lambda m, r: chr(ord(m.group()) + 1))
_edit(
    "Cyrillic letter changed",
    r"[а-я]{4,}",
    lambda m, r: m.group()[:2] + chr(ord("а") + r.randrange(32)) + m.group()[3:],
)
_edit(
    "Arabic letter changed",
    r"[\u0628-\u0641]{3,}",
    lambda m, r: m.group()[0] + chr(0x0628 + r.randrange(8)) + m.group()[2:],
)


def _content(text: str) -> list[re.Match[str]]:
    return list(re.finditer(r"(?<![\w-])[^\W\d_]{4,}(?![\w-])", text))


@_kind("content word changed")
def _changed_word(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = _content(text)
    if not found or not sources.words:
        return None
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(sources.words) + text[match.end() :]


@_kind("word dropped")
def _dropped_word(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = [
        m for m in _content(text) if text[m.end() : m.end() + 1] == " " and m.start() > 8 and m.end() < len(text) - 8
    ]
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.start()] + text[match.end() + 1 :]


@_kind("word put in")
def _put_in(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = [m for m in _content(text) if m.start() > 4]
    if not found or not sources.words:
        return None
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(sources.words) + " " + text[match.start() :]


@_kind("word said twice")
def _twice(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = _content(text)
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.end()] + " " + match.group() + text[match.end() :]


@_kind("two words swapped")
def _swapped_words(text: str, rng: random.Random, sources: Sources) -> str | None:
    found = _content(text)
    pairs = [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a.group().lower() != b.group().lower()]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return text[: one.start()] + other.group() + text[one.end() : other.start()] + one.group() + text[other.end() :]


@_kind("name changed")
def _changed_name(text: str, rng: random.Random, sources: Sources) -> str | None:
    names = list(re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}", text))
    others = [word for word in sources.words if word[0].isupper()]
    if not names or not others:
        return None
    match = rng.choice(names)
    return text[: match.start()] + rng.choice(others) + text[match.end() :]


@_kind("clause dropped")
def _dropped_clause(text: str, rng: random.Random, sources: Sources) -> str | None:
    commas = [m.start() for m in re.finditer(r", ", text)]
    if len(commas) < 2 or commas[1] - commas[0] < 6:
        return None
    return text[: commas[0]] + text[commas[1] :]


# ---------------------------------------------------------------- blanks, hyphens, marks

_edit("blank between words dropped", r"(?<=[a-zа-яäöüé]) (?=[a-zа-яäöüé])", lambda m, r: "")
_edit("blank put into a word", r"(?<=\b[a-zа-я]{3})(?=[a-zа-я]{3})", lambda m, r: " ")
_edit("blank moved", r"(?<=[a-z])([a-z]) (?=[a-z])", lambda m, r: f" {m[1]}")
_edit("hyphen dropped", r"(?<=[a-z])-(?=[a-z])", lambda m, r: "")
_edit("hyphen made a blank", r"(?<=[a-z])-(?=[a-z])", lambda m, r: " ")
_edit("blank made a hyphen", r"(?<=[a-z]{3}) (?=[a-z]{3})", lambda m, r: "-")
_edit("hyphen put into a word", r"(?<=\b[a-z]{2})(?=[a-z]{4})", lambda m, r: "-")
_edit("apostrophe dropped", r"(?<=[a-z])['’](?=[a-z])", lambda m, r: "")
_edit("apostrophe moved", r"(?<=[a-z])['’]s\b", lambda m, r: "s'")
_edit("comma dropped", r"(?<=[a-z]), (?=[a-z])", lambda m, r: " ")
_edit("comma put in", r"(?<=[a-z]{3}) (?=[a-z]{3})", lambda m, r: ", ")
_edit("colon for comma", r"(?<=[a-z]), (?=[a-z])", lambda m, r: ": ")
_edit("full stop dropped", r"(?<=[a-z])\. (?=[A-Z])", lambda m, r: " ")
_edit("full stop put in", r"(?<=[a-z]{3}) (?=[a-z]{3})", lambda m, r: ". ")
_edit("question for statement", r"(?<=[a-z])\. (?=[A-Z])", lambda m, r: "? ")
_edit("parentheses dropped around words", r"\(([a-z][^()]{3,60})\)", lambda m, r: m[1])
_edit("parentheses put around words", r"(?<= )([a-z]{4,} [a-z]{4,})(?= )", lambda m, r: f"({m[1]})")
_edit("quotation marks dropped inside", r"[“\"]([^“”\"]{3,40})[”\"]", lambda m, r: m[1])
_edit("quotation marks put in", r"(?<= )[a-z]{5,}(?= )", lambda m, r: f"“{m.group()}”")


@_kind("parts turned around an ellipsis")
def _reversed_parts(text: str, rng: random.Random, sources: Sources) -> str | None:
    words = text.split(" ")
    if len(words) < 12:
        return None
    half = len(words) // 2
    return f"{' '.join(words[half + 1 :])} … {' '.join(words[: half - 1])}"


@_kind("ellipsis in place of words")
def _elided(text: str, rng: random.Random, sources: Sources) -> str | None:
    words = text.split(" ")
    if len(words) < 12:
        return None
    at = rng.randrange(4, len(words) - 6)
    if not any(c.isalnum() for c in "".join(words[at : at + 2])) or not any(
        c.isalnum() for c in "".join(words[at + 2 :])
    ):
        return None
    return " ".join([*words[:at], rng.choice(["…", "...", "[…]", "(...)"]), *words[at + 2 :]])


@_kind("two quotes around an ellipsis")
def _joined_by_ellipsis(text: str, rng: random.Random, sources: Sources) -> str | None:
    if not sources.other_pages or len(text) < 60:
        return None
    return f"{text[: len(text) // 2].rsplit(' ', 1)[0]} … {rng.choice(sources.other_pages)[-60:].split(' ', 1)[-1]}"


@_kind("two quotes of one page joined")
def _joined_same(text: str, rng: random.Random, sources: Sources) -> str | None:
    others = [other for other in sources.same_page if other not in text and text not in other]
    if not others or len(text) < 60:
        return None
    return f"{text[: len(text) // 2].rsplit(' ', 1)[0]} {rng.choice(others)[-50:].split(' ', 1)[-1]}"


@_kind("two quotes of two pages joined")
def _joined_other(text: str, rng: random.Random, sources: Sources) -> str | None:
    if not sources.other_pages or len(text) < 60:
        return None
    return f"{text[: len(text) // 2].rsplit(' ', 1)[0]} {rng.choice(sources.other_pages)[-50:].split(' ', 1)[-1]}"


@_kind("sentences swapped")
def _swapped_sentences(text: str, rng: random.Random, sources: Sources) -> str | None:
    parts = re.split(r"(?<=[a-z]\.) (?=[A-Z])", text)
    if len(parts) < 2 or parts[0] == parts[1]:
        return None
    return " ".join([parts[1], parts[0], *parts[2:]])


@_kind("beginning of another quote")
def _other_beginning(text: str, rng: random.Random, sources: Sources) -> str | None:
    if not sources.other_pages:
        return None
    head = " ".join(rng.choice(sources.other_pages).split(" ")[:2])
    if sum(c.isalpha() for c in head) < 4:
        return None
    return f"{head} {' '.join(text.split(' ')[2:])}"


@_kind("words of the document in any order")
def _shuffled(text: str, rng: random.Random, sources: Sources) -> str | None:
    words = text.split(" ")
    if len(words) < 8:
        return None
    middle = words[1:-1]
    rng.shuffle(middle)
    return " ".join([words[0], *middle, words[-1]])
