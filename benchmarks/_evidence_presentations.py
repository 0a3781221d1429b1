"""True quotes as people, models and other programs write them: what they put around them, and what copying does to their letters.

Nothing here comes from the package that is measured. ``TYPOGRAPHIC`` kinds change how the words look, ``WRAPPING`` kinds what stands around
them. A kind returns None where it would change nothing.
"""

from __future__ import annotations

import html
import random
import re
import textwrap
import unicodedata
from collections.abc import Callable

Presentation = Callable[[str, random.Random], str | None]
TYPOGRAPHIC: dict[str, Presentation] = {}
WRAPPING: dict[str, Presentation] = {}


def _replace(name: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> None:
    compiled = re.compile(pattern)
    TYPOGRAPHIC[name] = lambda text, rng: compiled.sub(new, text)


def _map(name: str, pairs: dict[str, str]) -> None:
    table = str.maketrans(pairs)
    TYPOGRAPHIC[name] = lambda text, rng: text.translate(table)


# ---------------------------------------------------------------- blanks and lines

TYPOGRAPHIC["as another reader gives it"] = lambda text, rng: text
_replace("lines joined by blanks", r"\s*\n\s*", " ")
_replace("lines ended by CRLF", r"\n", "\r\n")
_replace("tabs for blanks", r" ", "\t")
_replace("no-break blanks", r" ", "\u00a0")
_replace("two blanks", r" ", "  ")
_replace("three-per-em blanks", r" ", "\u2004")
_replace("ideographic blanks", r" ", "\u3000")
_replace("a blank before punctuation", r"(?<=[a-zé])(?=[;:!?])", "\u202f")
_replace("blanks inside parentheses", r"\(([^()]*)\)", r"( \1 )")
_replace("zero-width blanks", r"(?<=[a-z]) (?=[a-z])", " \u200b")
_replace("soft hyphens", r"(?<=[a-z]{3})(?=[a-z]{3})", "\u00ad")
_replace("marks of direction", r"(?<=\w) (?=\w)", "\u200e ")
_replace("a byte order mark", r"\A", "\ufeff")
TYPOGRAPHIC["wrapped at 30 columns"] = lambda text, rng: "\n".join(
    textwrap.wrap(text, 30, break_on_hyphens=False, break_long_words=False)
)
TYPOGRAPHIC["wrapped and hyphenated"] = lambda text, rng: _hyphenated(text, rng, "-\n")
TYPOGRAPHIC["hyphenated with U+2010"] = lambda text, rng: _hyphenated(text, rng, "\u2010\n")
TYPOGRAPHIC["blanks at both ends"] = lambda text, rng: f"  {text} \n"
TYPOGRAPHIC["a paragraph break for a line break"] = lambda text, rng: text.replace("\n", "\n\n")
_replace(
    "blanks between Chinese and Latin", r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])", " "
)
_replace(
    "no blanks between Chinese and Latin",
    r"(?<=[\u4e00-\u9fff]) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9]) (?=[\u4e00-\u9fff])",
    "",
)
_replace("lines of Chinese joined", r"(?<=[\u3040-\u9fff])\n(?=[\u3040-\u9fff])", "")


def _hyphenated(text: str, rng: random.Random, end: str) -> str | None:
    found = list(re.finditer(r"(?<![\w-])[a-zа-я]{7,}(?![\w-])", text))
    if not found:
        return None
    match = rng.choice(found)
    at = match.start() + rng.randrange(3, len(match.group()) - 2)
    return text[:at] + end + text[at:]


# ---------------------------------------------------------------- letters

_LIGATURES = {"ffi": "ﬃ", "ffl": "ﬄ", "ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ"}
_replace("ligatures", "ffi|ffl|ff|fi|fl", lambda match: _LIGATURES[match.group()])
TYPOGRAPHIC["ligatures resolved"] = lambda text, rng: text.translate(
    {ord(c): unicodedata.normalize("NFKC", c) for c in "ﬀﬁﬂﬃﬄﬅﬆ"}
)
TYPOGRAPHIC["accents decomposed"] = lambda text, rng: unicodedata.normalize("NFD", text)
TYPOGRAPHIC["accents composed"] = lambda text, rng: unicodedata.normalize("NFC", text)
TYPOGRAPHIC["full-width letters and digits"] = lambda text, rng: (
    re.sub(r"[!-~]", lambda m: chr(ord(m.group()) + 0xFEE0), text) if re.search(r"[\u3040-\u9fff]", text) else None
)
TYPOGRAPHIC["compatibility forms resolved"] = lambda text, rng: (
    unicodedata.normalize("NFKC", text) if not re.search(r"[²³¹⁰-⁹₀-₉½¼¾™]", text) else None
)
_map("ё as е", {"ё": "е", "Ё": "Е"})
_map("Persian keyboard", {"ي": "ی", "ك": "ک", "ى": "ی"})
_map("Arabic keyboard", {"ی": "ي", "ک": "ك"})
_map("alef without hamza", {"أ": "ا", "إ": "ا", "آ": "ا"})
TYPOGRAPHIC["digits of Arabic"] = lambda text, rng: (
    text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    if re.search(r"[\u0600-\u06ff]{3}", text) and not re.search(r"\d[.,]\d", text)
    else None
)
_replace("Arabic vowel signs left out", "[\u064b-\u065f\u0670]", "")
_replace("tatweel", r"(?<=[\u0628\u062a\u0633\u0644\u0646\u064a])(?=[\u0628-\u064a])", "\u0640")
_map("œ and æ as two letters", {"œ": "oe", "æ": "ae", "Œ": "OE"})
_map("long s", {"ſ": "s"})
_map("micro sign", {"µ": "μ"})
TYPOGRAPHIC["capitals"] = lambda text, rng: text.upper() if _prose(text) else None
TYPOGRAPHIC["lower case"] = lambda text, rng: text.lower() if _prose(text) else None
TYPOGRAPHIC["first letter in the other case"] = lambda text, rng: (
    text[0].swapcase() + text[1:] if re.match(r"[^\W\d_][a-zа-яé]{2,}\s", text) and not _CODE.search(text) else None
)
TYPOGRAPHIC["a word letter-spaced"] = lambda text, rng: _spaced_out(text, rng)
TYPOGRAPHIC["all letter-spaced"] = lambda text, rng: (
    "  ".join(" ".join(word) for word in text.split(" ")) if _prose(text) and len(text) < 160 else None
)


_CODE = re.compile(r"[{}#;&=<>]|\(\w*\)|\w_\w")  # where case says something


def _prose(text: str) -> bool:
    """Whether it is words with no units, names or code whose case may matter."""
    cased, letters = sum(c.lower() != c.upper() for c in text), sum(c.isalpha() for c in text)
    return not re.search(r"[\d_=<>$@#\\/+*]|[a-z][A-Z]|(?<!\w)-|[A-Z]{2,}|\b[^\W\d_]\b", text) and 2 * cased > letters


def _spaced_out(text: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w-])[^\W\d_]{5,}(?![\w-])", text))
    if not found or not re.search("[A-Za-zА-я]", text):
        return None
    match = rng.choice(found)
    return text[: match.start()] + " ".join(match.group()) + text[match.end() :]


# ---------------------------------------------------------------- dashes and marks

_ANY_DASH = "[-\u2010\u2011\u2012\u2013\u2014\u2212]"
for _name, _dash in {
    "hyphens": "-",
    "hyphens of Unicode": "\u2010",
    "no-break hyphens": "\u2011",
    "en dashes": "\u2013",
    "minus signs": "\u2212",
}.items():
    _replace(f"dashes as {_name}", _ANY_DASH, _dash)
_replace("em dash set apart", r"(?<=\w)\u2014(?=\w)", " \u2014 ")
_replace("em dash as two hyphens", r"(?<=\w)\s?\u2014\s?(?=\w)", "--")
_replace("em dash as a hyphen apart", r"(?<=\w)\s?\u2014\s?(?=\w)", " - ")
_replace("en dash apart as an em dash", r"(?<=\w) \u2013 (?=\w)", "\u2014")
_QUOTES = '["\u201c\u201d\u201e\u201f\u00ab\u00bb]'
_replace("straight quotation marks", _QUOTES, '"')
_replace("curly quotation marks", _QUOTES, "\u201d")
_replace("guillemets", _QUOTES, "\u00bb")
_replace("single marks inside", _QUOTES, "\u2019")
_replace("quotation marks of TeX", "[\u201c\u201d]", lambda match: "``" if match.group() == "\u201c" else "''")
_replace("straight apostrophes", "['\u2019\u2018]", "'")
_replace("curly apostrophes", "['\u2019\u2018]", "\u2019")
_map(
    "half-width Chinese punctuation",
    {"，": ",", "。": ".", "：": ":", "；": ";", "（": "(", "）": ")", "！": "!", "？": "?", "、": ","},
)
_map("half-width ideographic stops", {"。": "｡", "、": "､", "「": "｢", "」": "｣"})
_replace(
    "full-width punctuation",
    r"(?<=[\u4e00-\u9fff])[,:;()](?=[\u4e00-\u9fff])",
    lambda match: chr(ord(match.group()) + 0xFEE0),
)
_replace("an ellipsis character", r"(?<!\.)\.\.\.(?!\.)", "\u2026")
_replace("three points", "\u2026", "...")
_replace("leaders left out", r"(?:\s?[.\u2026]){4,}", " ")
_replace("bullets as hyphens", r"(?<=\n)[\u2022\u25cf\u25aa]\s*", "- ")
_replace("bullets as stars", r"(?<=\n)[\u2022\u25cf\u25aa]\s*", "* ")
_replace("bullets left out", r"(?<=\n)[\u2022\u25cf\u25aa]\s*", "")
_replace(
    "superscripts with a caret",
    r"(?<=\w)[\u00b2\u00b3\u00b9\u2070-\u2079]+",
    lambda match: "^" + unicodedata.normalize("NFKC", match.group()),
)
_replace("thin blanks in numbers", r"(?<=\d)\u00a0(?=\d{3})", "\u2009")
_replace("signs left out", "[\u2122\u00ae]", "")
_replace("fraction slash", r"(?<=\d)/(?=\d)", "\u2044")
TYPOGRAPHIC["entities of HTML"] = lambda text, rng: html.escape(text)
_replace("escapes of Markdown", r"(?<![\\])([*_\[\]#`|])", r"\\\1")
TYPOGRAPHIC["line hyphens kept"] = lambda text, rng: re.sub(r"(?<=[a-z])-\n(?=[a-z])", "- ", text)

# ---------------------------------------------------------------- wrapping

_PAIRS = {
    "straight quotes": '""', "single quotes": "''", "curly quotes": "“”", "curly single quotes": "‘’", "German quotes": "„“", "German single quotes": "‚‘",
    "guillemets": "«»", "turned guillemets": "»«", "single guillemets": "‹›", "corner brackets": "「」", "white corner brackets": "『』",
    "low and high quotes": "„”", "Swedish quotes": "””", "full-width quotes": "＂＂", "backticks": "``", "primes": "″″", "square brackets": "[]",
}  # fmt: skip
for _name, _pair in _PAIRS.items():
    WRAPPING[_name] = lambda text, rng, pair=_pair: f"{pair[0]}{text}{pair[1]}"  # type: ignore[misc]

_AROUND = {
    "French quotes": "« {} »", "quotes of TeX": "``{}''", "nested quotes": "“‘{}’”", "emphasis": "*{}*", "strong emphasis": "**{}**",
    "both emphases": "***{}***", "underscores": "_{}_", "two underscores": "__{}__", "struck out": "~~{}~~", "quoted emphasis": '"*{}*"',
    "emphasised quotes": "*“{}”*", "strong quotes": '**"{}"**', "block quote": "> {}", "block quote with quotes": '> "{}"', "nested block quote": ">> {}",
    "code fence": "```\n{}\n```", "code fence with a name": "```text\n{}\n```", "q tag": "<q>{}</q>", "em tag": "<em>{}</em>", "b tag": "<b>{}</b>",
    "blockquote tag": "<blockquote>{}</blockquote>", "mark tag": "<mark>{}</mark>", "leading ellipsis": "…{}", "leading points": "... {}",
    "ending ellipsis": "{}…", "ending points": "{} ...", "ellipses": "… {} …", "bracketed ellipses": "[…] {} […]", "points in brackets": "[...] {} [...]",
    "points in parentheses": "(...) {} (...)", "quoted ellipses": "“… {} …”", "quotes then ellipsis": "“{}”…", "full stop": "{}.", "comma": "{},",
    "semicolon": "{};", "colon": "{}:", "full stop inside": "“{}.”", "comma inside": "“{},”", "full stop outside": "“{}”.", "comma inside straight": '"{},"',
    "ideographic stop": "{}。", "ideographic stop inside": "「{}。」",  "list star": "* {}", "list bullet": "• {}", "list bullet quoted": '- "{}"',
    "heading": "## {}", "colon before": ": {}", "cell of a table": "| {} |", "lines around": "\n\n{}\n\n", "only an opening quote": "“{}", "only a closing quote": "{}”",
}  # fmt: skip
for _name, _form in _AROUND.items():
    WRAPPING[_name] = lambda text, rng, form=_form: form.replace("{}", text) if not (text.endswith("\\")) else None  # type: ignore[misc]

WRAPPING["list hyphen"] = lambda text, rng: f"- {text}" if not re.match(r"\W*\d", text) else None  # else a minus
WRAPPING["block quote of lines"] = lambda text, rng: "\n".join(
    f"> {line}" for line in textwrap.wrap(text, 40, break_on_hyphens=False, break_long_words=False)
)
WRAPPING["first letter in brackets"] = lambda text, rng: (
    f"[{text[0].swapcase()}]{text[1:]}" if re.match(r"[^\W\d_][a-zа-я]{2,}\s", text) else None
)
WRAPPING["a word in bold"] = lambda text, rng: _marked(text, rng, "**")
WRAPPING["a word in italics"] = lambda text, rng: _marked(text, rng, "*")
WRAPPING["a word in underscores"] = lambda text, rng: _marked(text, rng, "_")
WRAPPING["a word in tags"] = lambda text, rng: _marked(text, rng, "<b>", "</b>")


def _marked(text: str, rng: random.Random, before: str, behind: str = "") -> str | None:
    found = list(re.finditer(r"(?<!\S)[^\W\d_]{4,}(?!\S)", text))
    if not found or re.search(r"[*_<>`]", text):
        return None
    match = rng.choice(found)
    return f"{text[: match.start()]}{before}{match.group()}{behind or before}{text[match.end() :]}"
