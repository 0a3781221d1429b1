"""Quotes as readers copy them, and quotes that say something else: what the evidence benchmark samples and mutates."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from pageindex.document import Edition, Page, PageState
from pageindex.evidence.numbers.tokens import NumberToken, number_tokens
from pageindex.evidence.quotes.index import kept_ranges

WORDS = re.compile(r"\S+")
LINE_HYPHEN = re.compile("\x02\\s*|(?<=[^\\W\\d_])[-\u2010]\r?\n")


@dataclass(frozen=True)
class Sample:
    """A quote cut from the page: raw characters ``[start, end)`` of ``page``, or over the break to ``page_end``."""

    page: int
    page_end: int
    start: int
    end: int
    raw: str


def sample(edition: Edition, rng: random.Random, shortest: int, longest: int) -> Sample | None:
    """A stretch of whole words and numbers of one page; None when the page drawn has none."""
    page = edition.page(rng.randrange(edition.page_count) + 1)
    if page.state is not PageState.TEXT or len(page.text) < 2 * longest:
        return None
    borders = _borders(page.text)
    start = rng.choice(borders[0])
    length = rng.randrange(shortest, longest)
    ends = [end for end in borders[1] if shortest <= end - start <= longest and end - start >= length]
    if not ends or _in_running(page, start, ends[0]):
        return None
    return Sample(page.number, page.number, start, ends[0], page.text[start : ends[0]])


def sample_over_break(edition: Edition, rng: random.Random) -> Sample | None:
    """The end of one page and the beginning of the next, running lines left out, as a reader would copy it."""
    first = edition.page(rng.randrange(max(1, edition.page_count - 1)) + 1)
    if first.number == edition.page_count:
        return None
    second = edition.page(first.number + 1)
    head, tail = _body(first), _body(second)
    if len(head) < 400 or len(tail) < 400 or first.state is not PageState.TEXT or second.state is not PageState.TEXT:
        return None
    starts = [at for at in _borders(head)[0] if 40 <= len(head) - at <= 150]
    ends = [at for at in _borders(tail)[1] if 40 <= at <= 150]
    if not starts or not ends:
        return None
    start, end = rng.choice(starts), rng.choice(ends)
    return Sample(first.number, second.number, start, end, head[start:].rstrip() + "\r\n" + tail[:end].lstrip())


def _body(page: Page) -> str:
    return "".join(page.text[start:end] for start, end in kept_ranges(page)).strip()


@lru_cache(maxsize=2048)
def _borders(text: str) -> tuple[list[int], list[int]]:
    """Where whole words begin and end: never inside a number with its signs, nor behind a hyphen at a line end."""
    tokens = list(number_tokens(text))
    inside = {at for token in tokens for at in range(token.start + 1, token.end)}
    words = [match.span() for match in WORDS.finditer(text)]
    starts = [start for start, _ in words if start not in inside and not _broken(text, start)]
    ends = [end for _, end in words if end not in inside and not LINE_HYPHEN.match(text, end - 1)]
    return starts or [0], [end for end in ends if text[end - 1] not in "-\x02\u2010"] or [len(text)]


def _broken(text: str, at: int) -> bool:
    return bool(re.search("[-\x02\u2010–—−]\\s*\\Z", text[max(0, at - 6) : at]))


def _in_running(page: Page, start: int, end: int) -> bool:
    low, high = (len(page.text[:at].encode("utf-8", "surrogatepass")) for at in (start, end))
    return any(low < last and high > first for first, last in page.running)


# ---------------------------------------------------------------- a reader's copy


def copied(raw: str, rng: random.Random) -> str:
    """The text as a reader's copy would be: each habit with a chance of one half."""
    text = _unhyphenated(raw, rng)
    for habit in (_line_joins, _ligatures, _dashes, _quote_marks, _spaces):
        if rng.random() < 0.5:
            text = habit(text, rng)
    return text.strip() if rng.random() < 0.5 else f" {text.strip()}\n"


def _unhyphenated(text: str, rng: random.Random) -> str:
    """A hyphen at a line end is seen as a hyphen; the copy keeps it, or joins the word when letters stand on both sides."""

    def joined(match: re.Match[str]) -> str:
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        letters = before.isalpha() and after.isalpha()
        return rng.choice(["", "-\n"]) if letters else "-"

    return LINE_HYPHEN.sub(joined, text)


def _line_joins(text: str, rng: random.Random) -> str:
    return re.sub(r"\s*\r?\n\s*", " ", text)


def _ligatures(text: str, rng: random.Random) -> str:
    pairs = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ"))
    expand = rng.random() < 0.5
    for plain, joined in pairs:
        text = text.replace(joined, plain) if expand else text.replace(plain, joined)
    return text


def _dashes(text: str, rng: random.Random) -> str:
    target = rng.choice("-–‐−")
    return re.sub("[-–—‐‑−]", target, text)


def _quote_marks(text: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        return text.translate(str.maketrans("“”„‘’‚", "\"\"\"'''"))
    return text.replace('"', rng.choice("“”")).replace("'", "’")


def _spaces(text: str, rng: random.Random) -> str:
    return re.sub(r"[ \t]+", lambda _: rng.choice([" ", "  ", "\t", "\u00a0", "\n"]), text)


# ---------------------------------------------------------------- what must never pass

NEGATIONS = re.compile(r"\b(?:not|no|never|without|nor|neither|cannot|none)\b ?", re.IGNORECASE)
SWAPS = {
    "all": "some", "some": "all", "most": "few", "more": "less", "less": "more", "increase": "decrease", "decrease": "increase",
    "increased": "decreased", "decreased": "increased", "higher": "lower", "lower": "higher", "above": "below", "below": "above",
    "before": "after", "after": "before", "must": "may", "may": "must", "any": "no", "each": "no", "every": "no", "both": "neither",
    "minimum": "maximum", "maximum": "minimum", "always": "never", "first": "last", "only": "also", "many": "few",
}  # fmt: skip
QUANTIFIER = re.compile(rf"\b(?:{'|'.join(SWAPS)})\b", re.IGNORECASE)
Mutation = Callable[[str, random.Random, list[str]], str | None]


def _number(text: str, rng: random.Random, test: Callable[[NumberToken], bool] = lambda _: True) -> NumberToken | None:
    tokens = [token for token in number_tokens(text) if test(token)]
    return rng.choice(tokens) if tokens else None


def one_digit(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(text, rng)
    if token is None:
        return None
    at = rng.choice([i for i in range(token.core_start, token.core_end) if text[i].isdecimal()])
    other = rng.choice([d for d in "0123456789" if d != text[at]])
    return text[:at] + other + text[at + 1 :]


def sign_dropped(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(text, rng, lambda t: t.sign == "minus")
    if token is None:
        return None
    return text[: token.start] + text[token.start : token.core_start].lstrip("-–−‐ \x02\xad") + text[token.core_start :]


def sign_added(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(
        text, rng, lambda t: t.sign == "none" and not t.parens and text[t.core_start - 1 : t.core_start].isspace()
    )
    return text[: token.core_start] + "-" + text[token.core_start :] if token else None


def percent(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(text, rng, lambda t: not t.footnote and not t.unit)
    if token is None:
        return None
    if token.percent:
        return text[: token.start] + text[token.start : token.end].replace("%", "").replace("‰", "") + text[token.end :]
    return text[: token.end] + "%" + text[token.end :]


def parentheses(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(text, rng, lambda t: t.sign == "none")
    if token is None:
        return None
    inner = text[token.start : token.end]
    new = inner.replace("(", "").replace(")", "") if token.parens else f"({inner})"
    return text[: token.start] + new + text[token.end :]


def decimal_moved(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(text, rng, lambda t: sum(c.isdecimal() for c in t.core) > 1)
    if token is None:
        return None
    digits = text[token.core_start : token.core_end]
    plain = digits.replace(".", "").replace(",", "")
    places = [i for i in range(1, len(plain)) if f"{plain[:i]}.{plain[i:]}" != digits]
    if not places:
        return None
    at = rng.choice(places)
    return text[: token.core_start] + f"{plain[:at]}.{plain[at:]}" + text[token.core_end :]


def negation_dropped(text: str, rng: random.Random, words: list[str]) -> str | None:
    found = list(NEGATIONS.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.start()] + text[match.end() :]


def quantifier(text: str, rng: random.Random, words: list[str]) -> str | None:
    found = list(QUANTIFIER.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.start()] + SWAPS[match.group().lower()] + text[match.end() :]


def content_word(text: str, rng: random.Random, words: list[str]) -> str | None:
    found = list(re.finditer(r"[^\W\d_]{5,}", text))
    if not found or not words:
        return None
    match, other = rng.choice(found), rng.choice(words)
    if other.casefold() == match.group().casefold():
        return None
    return text[: match.start()] + other + text[match.end() :]


def word_dropped(text: str, rng: random.Random, words: list[str]) -> str | None:
    found = list(re.finditer(r" [^\W\d_]{4,}(?= )", text))
    if not found:
        return None
    match = rng.choice(found)
    return text[: match.start()] + text[match.end() :]


def truncated(text: str, rng: random.Random, words: list[str]) -> str | None:
    token = _number(text, rng, lambda t: t.core_start > 40 and sum(c.isdecimal() for c in t.core) > 1)
    if token is None:
        return None
    places = [at for at in range(token.core_start + 1, token.core_end) if text[at - 1].isdecimal()]
    return text[: rng.choice(places)] if places else None


def superscript(text: str, rng: random.Random, words: list[str]) -> str | None:
    match = re.search("[⁰¹²³⁴-⁹]", text)
    if match is None:
        return None
    plain = "0123456789"["⁰¹²³⁴⁵⁶⁷⁸⁹".index(match.group())]
    return text[: match.start()] + plain + text[match.end() :]


MUTATIONS: dict[str, Mutation] = {
    "one digit": one_digit,
    "sign dropped": sign_dropped,
    "sign added": sign_added,
    "percent": percent,
    "parentheses": parentheses,
    "decimal moved": decimal_moved,
    "negation dropped": negation_dropped,
    "quantifier swapped": quantifier,
    "content word swapped": content_word,
    "word dropped": word_dropped,
    "number truncated": truncated,
    "superscript flattened": superscript,
}


def vocabulary(edition: Edition) -> list[str]:
    """Words of five letters and more of a document."""
    text = " ".join(page.text for page in edition.pages[:200])
    return sorted(set(re.findall(r"[^\W\d_]{5,12}", text)))


def plainly_there(quote: str, text: str) -> bool:
    """Whether a mutated quote is, by chance, really printed: compared by a folding of the benchmark's own, which keeps signs.

    A hit that only cuts the sign, the percent sign, the brackets or some digits off a number does not count as printed.
    """
    if f" {_spaced(quote)} " in f" {_spaced(text)} ":
        return True
    wanted, page = _own_folding(quote).strip("-"), _own_folding(text)
    at = page.find(wanted)
    while at >= 0:
        before, after = page[max(0, at - 1) : at], page[at + len(wanted) : at + len(wanted) + 2]
        cut = wanted[0].isdecimal() and before and before in "-(+.,$€£0123456789"
        if not cut and not (wanted[-1].isdecimal() and re.match(r"[%)\d]|[.,]\d", after)):
            return True
        at = page.find(wanted, at + 1)
    return False


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _own_folding(text: str) -> str:
    text = re.sub("[\x00-\x08\x0e-\x1f]", "", LINE_HYPHEN.sub("", text))
    return re.sub(r"\s+", "", text.translate(str.maketrans("–—‐‑−“”„‘’‚", "-----\"\"\"'''"))).casefold()


def year_rows(text: str) -> Iterator[tuple[list[str], str, list[str]]]:
    """Truth from the order of the text alone: ``(years, label, values)`` for lines below a line of different years.

    Only lines with a label and exactly as many numbers as there are years, before the next line of years or 40 lines on.
    """
    years: list[str] = []
    left = 0
    for line in text.splitlines():
        tokens = list(number_tokens(line))
        cores = [token.core for token in tokens]
        if (
            len(tokens) > 1
            and all(re.fullmatch(r"(?:19|20)\d\d", core) for core in cores)
            and not re.search(r"[^\W\d_]", line)
        ):
            years, left = (cores, 40) if len(set(cores)) == len(cores) else ([], 0)
            continue
        left -= 1
        if left <= 0 or not tokens or len(tokens) != len(years):
            continue
        label = line[: tokens[0].start].strip(" $.")
        rest = line[tokens[0].start :]
        if re.search(r"(?<!\S)[-–—−](?!\S)", rest):
            continue  # a dash may stand for a value, and the order then tells nothing
        if re.search(r"[^\W\d_]{3}", label) and not re.search(r"[^\W\d_]", rest) and not re.search(r"\d", label):
            yield years, label, [line[token.start : token.end] for token in tokens]
