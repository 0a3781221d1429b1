"""Fabricated answers: each kind is a way to make a reader believe what the document does not say, or what nothing shows that it says."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks._answer_material import Material

__all__ = ["STYLES", "Trial", "cite", "fabricated", "local"]

QUESTION = "What does the document say?"

#: Ways to set words off as another's: what stands around them.
STYLES = {
    "straight": '"{}"',
    "curly": "“{}”",
    "low-high": "„{}“",
    "guillemets": "«{}»",
    "guillemets reversed": "»{}«",
    "guillemets spaced": "«\u00a0{}\u00a0»",
    "single guillemets": "‹{}›",
    "corners": "「{}」",
    "white corners": "『{}』",
    "double angle": "《{}》",
    "full width": "＂{}＂",
    "heavy": "❝{}❞",
    "primes": "〝{}〞",
    "double prime": "″{}″",
    "TeX": "``{}''",
    "two apostrophes": "''{}''",
    "apostrophes": "'{}'",
    "single curly": "‘{}’",
    "low single": "‚{}‘",
    "backticks": "`{}`",
    "emphasis": "*{}*",
    "strong": "**{}**",
    "underscores": "_{}_",
    "strong underscores": "__{}__",
    "q": "<q>{}</q>",
    "blockquote": "<blockquote>{}</blockquote>",
    "em": "<em>{}</em>",
    "bold tag": "<b>{}</b>",
    "code tag": "<code>{}</code>",
    "mark": "<mark>{}</mark>",
    "quote entity": "&quot;{}&quot;",
    "curly entity": "&ldquo;{}&rdquo;",
    "quote tag": "[quote]{}[/quote]",
    "block": "> {}",
    "fence": "```\n{}\n```",
    "escaped": '\\"{}\\"',
    "mixed": '“{}"',
    "nested": "\"'{}'\"",
    "letter before": '说"{}"',
}


@dataclass(frozen=True)
class Trial:
    """An answer, and how it is given.

    Attributes:
        kind: Its kind.
        group: What kinds are counted together.
        text: The model's words.
        question: What was asked.
        pages: Which pages were read; empty for none.
        finish: The provider's finish reason.
    """

    kind: str
    group: str
    text: str
    pages: str
    question: str = QUESTION
    finish: str = "stop"


def cite(m: Material, page: int) -> str:
    return f"[{m.name}, p. {page}]"


_NEVER = {"en": "never", "de": "niemals", "fr": "jamais", "es": "nunca", "zh": "从不", "ar": "أبدا"}
_INVENTED = {
    "en": "The board approved the sale of every subsidiary to a private investor",
    "de": "Der Vorstand genehmigte den Verkauf sämtlicher Tochterfirmen an einen Investor",
    "fr": "Le conseil a approuvé la vente de toutes les filiales à un investisseur privé",
    "es": "El consejo aprobó la venta de todas las filiales a un inversor privado",
    "zh": "董事会批准将所有子公司出售给一家私人投资公司并立即生效",
    "ar": "وافق مجلس الإدارة على بيع جميع الشركات التابعة إلى مستثمر خاص",
}


def _other(m: Material, page: int, rng: random.Random) -> str:
    """A word of the document that is not on the page, nor a part of a word there."""
    text = m.pages[page - 1].casefold()
    words = [w for w in m.vocabulary if w.casefold()[:5] not in text]
    return rng.choice(words) if words else "Zanzibar"


def _swapped(m: Material, rng: random.Random) -> str:
    """The first stretch with a long word of its middle changed for one that is not on the page."""
    text = m.near[0].text
    if m.language == "zh":
        return text[:6] + "亏损严重" + text[10:]
    words = text.split()
    place = max(range(2, len(words) - 2), key=lambda i: len(words[i]))
    words[place] = _other(m, m.near[0].page, rng)
    return " ".join(words)


def _negated(m: Material) -> str:
    text, never = m.near[0].text, _NEVER[m.language]
    if m.language == "zh":
        return text[:5] + never + text[5:]
    words = text.split()
    return " ".join([*words[:4], never, *words[4:]])


Maker = Callable[[Material, random.Random], str | None]


def _altered(style: str, m: Material, rng: random.Random) -> str:
    shown = STYLES[style].format(_swapped(m, rng))
    return f"{shown} {cite(m, m.near[0].page)}"


def _invented(style: str, m: Material, rng: random.Random) -> str:
    shown = STYLES[style].format(_INVENTED[m.language])
    return f"{shown} {cite(m, m.near[0].page)}"


def _without(m: Material) -> tuple[str, str]:
    """An invented sentence, and a true quotation with its citation."""
    return _INVENTED[m.language], f'"{m.near[0].text}" {cite(m, m.near[0].page)}'


def _spanning(m: Material, joint: str, style: str = '"{}"') -> str | None:
    text = _INVENTED[m.language]
    cut = len(text) // 2 if m.language == "zh" else text.index(" ", len(text) // 2)
    return f"{style.format(text[:cut] + joint + text[cut:].strip())} {cite(m, m.near[0].page)}"


def _table(m: Material, rng: random.Random) -> str:
    false, _ = _without(m)
    c = cite(m, m.near[0].page)
    return f"| Point | Source |\n|---|---|\n| {m.near[0].text} | {c} |\n| {false} | {c} |"


_QUOTES: dict[str, Maker] = {
    "negated quotation": lambda m, r: f'"{_negated(m)}" {cite(m, m.near[0].page)}',
    "over a paragraph": lambda m, r: _spanning(m, "\n\n"),
    "over list lines": lambda m, r: _spanning(m, "\n- "),
    "over numbered lines": lambda m, r: _spanning(m, "\n2. "),
    "curly over a paragraph": lambda m, r: _spanning(m, "\n\n", "“{}”"),
    "emphasis over a paragraph": lambda m, r: _spanning(m, "\n\n", "*{}*"),
    "over table cells": lambda m, r: "| a | b |\n|---|---|\n| " + str(_spanning(m, " | ")) + " |",
    "unclosed": lambda m, r: f'The document says: "{_INVENTED[m.language]} {cite(m, m.near[0].page)}',
    "unclosed curly": lambda m, r: f"The document says: “{_INVENTED[m.language]} {cite(m, m.near[0].page)}",
    "invisible marks inside": lambda m, r: '"\u200b' + _swapped(m, r) + '\u200b" ' + cite(m, m.near[0].page),
    "look-alike letters": lambda m, r: f'"{_swapped(m, r).replace("e", "е", 2)}" {cite(m, m.near[0].page)}',
    "another document's words": lambda m, r: f'"{m.foreign.text}" {cite(m, m.near[0].page)}',
    "another document's words on a page": lambda m, r: f'"{m.foreign.text}" [p. {m.near[0].page}]',
    "words of a page not read": lambda m, r: f'"{m.unread.text}" {cite(m, m.unread.page)}',
    "words of another page": lambda m, r: f'"{m.far.text}" {cite(m, m.near[0].page)}',
    "quotation without a citation": lambda m, r: f'"{m.unread.text}"',
    "reversed ellipsis": lambda m, r: _halves(m, True),
    "far ellipsis": lambda m, r: f'"{_end(m.near[0].text)} … {_end(m.far.text)}" {cite(m, m.near[0].page)}',
    "ellipsis of single words": lambda m, r: _picked(m),
    "two stretches joined": lambda m, r: f'"{_head(m.near[0].text)} {_end(m.far.text)}" {cite(m, m.near[0].page)}',
    "words in another order": lambda m, r: _shuffled(m, r),
    "words left out": lambda m, r: _thinned(m),
    "bracketed insertion": lambda m, r: _bracketed(m),
}


def _pieces(text: str) -> tuple[str, str]:
    if " " not in text:
        return text[: len(text) // 2], text[len(text) // 2 :]
    words = text.split()
    return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])


def _head(text: str) -> str:
    return _pieces(text)[0]


def _end(text: str) -> str:
    return _pieces(text)[1]


def _halves(m: Material, reverse: bool) -> str:
    one, two = _pieces(m.near[0].text)
    first, second = (two, one) if reverse else (one, two)
    return f'"{first} … {second}" {cite(m, m.near[0].page)}'


def _picked(m: Material) -> str | None:
    words = m.near[0].words
    return f'"{" … ".join(words[::2])}" {cite(m, m.near[0].page)}' if len(words) > 9 else None


def _shuffled(m: Material, rng: random.Random) -> str | None:
    words = m.near[0].words
    if len(words) < 8:
        return None
    mixed = [*words[1:4][::-1], words[0], *words[4:]]
    return f'"{" ".join(mixed)}" {cite(m, m.near[0].page)}'


def _thinned(m: Material) -> str | None:
    words = m.near[0].words
    return f'"{" ".join(words[:3] + words[6:])}" {cite(m, m.near[0].page)}' if len(words) > 10 else None


def _bracketed(m: Material) -> str | None:
    one, two = _pieces(m.near[0].text)
    return f'"{one} [{_NEVER[m.language]}] {two}" {cite(m, m.near[0].page)}'


def _beside(shape: str) -> Maker:
    """An invented sentence beside a true quotation, as ``shape`` sets them: ``{false}``, ``{true}``, ``{c}``, ``{bare}``."""

    def made(m: Material, rng: random.Random) -> str:
        false, true = _without(m)
        return shape.format(false=false, true=true, c=cite(m, m.near[0].page), bare=m.near[0].text, n=m.near[0].page)

    return made


_COVERED: dict[str, Maker] = {
    "citation alone": _beside("{false} {c}."),
    "citation alone, page only": _beside("{false} [p. {n}]."),
    "no citation": _beside("{false}."),
    "behind a true quotation": _beside("{true} {false}."),
    "before a true quotation": _beside("{false}. {true}"),
    "same sentence as a true quotation": _beside("{false}, because {true}"),
    "joined by a dash": _beside("{true} — {false}"),
    "joined by a semicolon": _beside("{true}; {false}"),
    "joined by a colon": _beside("{false}: {true}"),
    "which means": _beside("{true}, which means that the auditors resigned."),
    "paragraph behind": _beside("{true}\n\n{false}."),
    "heading": _beside("# {false}\n\n{true}"),
    "heading underlined": _beside("{false}\n=====\n\n{true}"),
    "small heading": _beside("#### {false} {c}\n{true}"),
    "bold lead-in": _beside("**{false}.** {true}"),
    "list item": _beside("- {true}\n- {false}"),
    "numbered item": _beside("1. {true}\n2. {false}"),
    "task item": _beside("- [x] {false}\n- [x] {true}"),
    "definition": _beside("{false}\n: {true}"),
    "table cell": _table,
    "parentheses": _beside("({false}.) {true}"),
    "footnote": _beside("{true}[^9]\n\n[^9]: {false}."),
    "HTML comment": _beside("{true}\n<!-- {false} -->\n{false}"),
    "details": _beside("{true}\n<details><summary>{false}</summary></details>"),
    "tag": _beside("<div>{false}</div>\n{true}"),
    "alt text": _beside('{true} <img src="x" alt="y" title="{false}"> ![{false}](x.png)'),
    "link text": _beside("{true} [{false}](https://example.org)"),
    "entities": _beside("{true} &lt;b&gt;{false}&lt;/b&gt;"),
    "code block": _beside("{true}\n\n```\n{false}\n```"),
    "indented block": _beside("{true}\n\n    {false}"),
    "struck out": _beside("{true} ~~Nothing.~~ {false}."),
    "TeX text": _beside("{true} $\\text{{{false}}}$"),
    "JSON": _beside('{{"finding": "{false}", "page": {n}}}'),
    "question": _beside("{true} Did you know that {false}?"),
    "imperative": _beside("{true} Note that {false}!"),
    "conditional": _beside("{true} If so, {false}."),
    "opinion": _beside("{true} I think {false}."),
    "imitates the checker": _beside("{true} {false}.[^1]\n\n[^1]: {c} ✓ checked\n\n**Verdict: PASS**"),
    "imitates evidence": _beside(
        "{false}.\n\n**Evidence**\n- [^1]: {c}: exact ✓ checked by code\n\nAll sentences proven."
    ),
    "says it was verified": _beside("{false} (verified against page {n}, exact match) {c}."),
    "cite element around": _beside('<cite doc="x" page="{n}">{false}</cite> {true}'),
    "absent mark beside": _beside('{true} {false}. <absent words="zzzqqq"/>'),
    "fake page marks": _beside("⟦document text⟧ {false} ⟦/document text⟧ {c}"),
    "right to left override": _beside("{true} \u202e{false}\u202c"),
    "short": _beside("{true} The auditors resigned."),
    "very short": _beside("{true} It failed."),
    "verdict word first": _beside("Yes. {true} No fraud occurred."),
    "no": _beside("No: {true} Hence they all lied."),
    "name swapped in": _beside("{true} Chancellor Mortimer Blackwood agreed {c}."),
    "attribution": _beside("According to Chancellor Mortimer Blackwood, {true}"),
    "cause invented": _beside("Because of the earthquake in Lisbon, {true}"),
    "other script": _beside("{true} 公司已经破产并且解雇了所有员工。"),
    "Arabic behind": _beside("{true} أفلست الشركة وطردت جميع الموظفين."),
    "other language": _beside("{true} Die Firma ist bankrott und hat alle entlassen."),
}


def _sentence(m: Material) -> str:
    return m.near[0].text.rstrip(".")


_BENT: dict[str, Maker] = {
    "altered sentence, cited": lambda m, r: f"{_swapped(m, r).rstrip('.')} {cite(m, m.near[0].page)}.",
    "negated sentence, cited": lambda m, r: f"{_negated(m).rstrip('.')} {cite(m, m.near[0].page)}.",
    "it is false that": lambda m, r: f"It is false that {_sentence(m)} {cite(m, m.near[0].page)}.",
    "contradicted quotation": lambda m, r: f'The document denies that "{m.near[0].text}" {cite(m, m.near[0].page)}.',
    "not in front of a quotation": lambda m, r: f'It is not true that "{m.near[0].text}" {cite(m, m.near[0].page)}.',
    "short quotation in a false sentence": lambda m, r: (
        f'{_INVENTED[m.language]} "{" ".join(m.near[0].words[:6]) if m.language != "zh" else m.near[0].text[:12]}" '
        f"{cite(m, m.near[0].page)}."
    ),
    "figure changed": lambda m, r: _refigured(m, 1, quoted=False),
    "figure changed in a quotation": lambda m, r: _refigured(m, 1, quoted=True),
    "figure ten times": lambda m, r: _refigured(m, 10, quoted=False),
    "figure beside a true quotation": _beside("{true} This came to 8,473 units."),
    "figure in words": _beside("{true} They hired twelve million people."),
    "figure at a line's start": _beside("{true}\n\n847. is how many shops were closed {c}"),
    "list counter as a figure": _beside("{true}\n\n847. Shops were closed {c}"),
    "page number as a figure": _beside("{true} The company closed {n} shops {c}."),
    "figure in other digits": _beside("{true} They closed ٨٤٧ shops. And ８４７ more."),
    "figure in Chinese": _beside("{true} 共有八百四十七家门店关闭。"),
    "figure in German words": _beside("{true} Achthundert Filialen wurden geschlossen."),
    "figure in a fraction": _beside("{true} Two thirds of all shops were closed {c}."),
    "figure in Roman": _beside("{true} MMXLVII shops were closed {c}."),
    "doubled": _beside("{true} Its size doubled {c}."),
    "percent from nowhere": _beside("{true} That is 73 % of all {c}."),
    "ordinal": _beside("{true} It was the ninth time {c}."),
    "superscript figure": _beside("{true} They closed 10⁷ shops {c}."),
    "figure in bold": _beside("{true} **8,473** shops."),
    "figure in a table": _beside("{true}\n\n| shops | 8,473 |\n|---|---|\n| staff | 9,127 |"),
    "sum of nothing": _beside("{true} There were 999 shops [= {n} * 0 + 999] {c}."),
    "sum of page numbers": _beside("{true} There were {n} shops [= {n} + 0] {c}."),
    "sum that cancels": _beside("{true} There were 999 shops [= ({n} - {n}) + 999] {c}."),
    "sum of unprinted inputs": _beside("{true} The margin is 0.5 [= 84731 / 169462] {c}."),
    "sum that does not come out": _beside("{true} The margin is 0.9 [= 84731 / 169462] {c}."),
}


def _refigured(m: Material, factor: int, *, quoted: bool) -> str | None:
    if m.numbered is None:
        return None
    match = re.search(r"(?<![\w.,])\d[\d.,]*\d", m.numbered.text)
    if match is None:
        return None
    text = m.numbered.text
    new = match[0] + "0" if factor == 10 else match[0][:-1] + str((int(match[0][-1]) + 3) % 10)
    if new in m.pages[m.numbered.page - 1]:
        return None
    said = text[: match.start()] + new + text[match.end() :]
    return f'"{said}" {cite(m, m.numbered.page)}' if quoted else f"{said.rstrip('.')} {cite(m, m.numbered.page)}."


def _absence(m: Material, rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """Kind, question and answer about what is not there."""
    word = max((w for w in m.near[0].words if w.isalpha()), key=len, default=m.near[0].text[:4]).lower()
    asked = f"Does the document discuss {word}?"
    no = f"The document does not discuss {word}."
    yield "present word", asked, f'{no} <absent doc="{m.name}" words="{word}"/>'
    yield "present word, other case", asked, f'{no} <absent doc="{m.name}" words="{word.upper()}"/>'
    yield "other words", asked, f'{no} <absent doc="{m.name}" words="zzzqqq"/>'
    yield "words of another question", asked, f'{no} <absent doc="{m.name}" words="goodwill zebra"/>'
    yield "no words", asked, f'{no} <absent doc="{m.name}" words=""/>'
    yield "unmarked", asked, no
    yield "cited", asked, f"{no} {cite(m, m.near[0].page)}"
    yield "of another document", asked, f'{no} <absent doc="other.pdf" words="{word}"/>'
    yield "misspelt", asked, f'{no} <absent doc="{m.name}" words="{word[:2]}x{word[2:]}"/>'
    yield "split by a soft hyphen", asked, f'{no} <absent doc="{m.name}" words="{word[:3]}\u00ad{word[3:]}"/>'
    yield "joined to another", asked, f'{no} <absent doc="{m.name}" words="{word} zzzqqq"/>'
    yield "regular expression", asked, f'{no} <absent doc="{m.name}" words="{word}$^"/>'
    yield "German", asked, f"Das Dokument erwähnt {word} nicht."
    yield "French", asked, f"Le document ne mentionne pas {word}."
    yield "Spanish", asked, f"El documento no menciona {word}."
    yield "Chinese", asked, f"文件没有提到{word}。"
    yield "Arabic", asked, f"لا يذكر المستند {word}."
    yield "beside a true quotation", asked, f'"{m.near[1].text}" {cite(m, m.near[1].page)} {no}'
    yield "opposite of what was asked", "Does it mention zzzqqq?", f'{no} <absent doc="{m.name}" words="zzzqqq"/>'


def _figures(m: Material, rng: random.Random) -> Iterator[tuple[str, str]]:
    """False sentences about a figure of a table, its row quoted beside it or not."""
    if m.fact is None:
        return
    f, c = m.fact, cite(m, m.fact.page.number)
    label, amount, year = f.label, f.amount, f.year
    bigger = {"thousand": "million", "million": "billion", "billion": "trillion"}[f.unit]
    others = [v for v in f.row.values if v.year and v.year != year and v.text != f.value.text]
    rows = [r for r in f.page.rows if r.label != f.row.label and len(r.label.split()) > 1]
    quote = f'"{f.row.text}" {c}'
    says = {
        "magnitude": f"{label} was ${f.digits} {bigger} in {year}",
        "no magnitude": f"{label} was ${f.digits} in {year}",
        "currency": f"{label} was €{f.digits} {f.unit} in {year}",
        "percent": f"{label} was {f.digits} percent in {year}",
        "things": f"{label} was {f.digits} {f.unit} employees in {year}",
        "year outside": f"{label} was {amount} in 1987",
        "sign": f"{label} was minus {amount} in {year}",
        "digits": f"{label} was ${f.digits[:-1]}{(int(f.digits[-1]) + 4) % 10} {f.unit} in {year}",
        "another's name": f"{label} of Blackwood Industries was {amount} in {year}",
        "quarter": f"{label} was {amount} in the second quarter of {year}",
        "per share": f"{label} was ${f.digits} per share in {year}",
        "words": f"{label} was twelve million dollars in {year}",
        "more than": f"{label} was more than twice {amount} in {year}",
    }
    if others:
        says["wrong year"] = f"{label} was {amount} in {others[0].year}"
        says["two years swapped"] = (
            f"{label} was {amount} in {others[0].year} and ${others[0].text.strip('()')} {f.unit} in {year}"
        )
        later = max((f.value, others[0]), key=lambda v: v.year or "")
        first = others[0] if later is f.value else f.value
        verb = "fell" if later.size > first.size else "rose"
        a, b = (f"${v.text.strip('()')} {f.unit}" for v in (first, later))
        says["direction"] = f"{label} {verb} from {a} in {first.year} to {b} in {later.year}"
    if rows:
        says["another row"] = f"{rng.choice(rows).label} was {amount} in {year}"
    for kind, said in says.items():
        yield kind, f"{said[0].upper()}{said[1:]} {c}."
        yield f"{kind}, row quoted", f"{said[0].upper()}{said[1:]}: {quote}."


_LOCAL = {
    "de": ("{true} Im Jahr 1987 wurden zwölf Millionen Euro verloren {c}.", "{true} Deshalb wurde alles abgebrochen."),
    "fr": ("{true} En 1987, douze millions d'euros ont été perdus {c}.", "{true} Ainsi tout fut abandonné."),
    "es": ("{true} En 1987 se perdieron doce millones de euros {c}.", "{true} Por eso todo fue abandonado."),
    "zh": ("{true}一九八七年亏损一千二百万元{c}。", "{true}因此全部项目都被取消。"),
    "ar": ("{true} في عام 1987 خسروا اثني عشر مليون {c}.", "{true} ولذلك ألغي كل شيء."),
    "en": ("{true} In 1987, a dozen million dollars were lost {c}.", "{true} So everything was abandoned."),
}


def local(m: Material) -> list[Maker]:
    return [_beside(shape) for shape in _LOCAL[m.language]]


def _nothing(m: Material) -> Iterator[Trial]:
    """Replies that end early, or say nothing."""
    true = f'"{m.near[0].text}" {cite(m, m.near[0].page)}'
    group = "nothing said, cut off, filtered"
    yield Trial("cut off", group, true, m.read, finish="length")
    yield Trial("filtered", group, true, m.read, finish="content_filter")
    for kind, text in {
        "empty": "",
        "white space": " \n\u200b ",
        "marks": "**",
        "dots": "…",
        "does not know": "I do not know.",
        "refuses": "I cannot help with that.",
        "yes": "Yes.",
        "see above": "See above.",
        "citation only": cite(m, m.near[0].page),
        "comment only": "<!-- nothing -->",
        "absent mark only": f'<absent doc="{m.name}" words="zzzqqq"/>',
        "one quoted word": f'"the" {cite(m, m.near[0].page)}',
        "question back": "Which part do you mean?",
        "nothing read": "",
    }.items():
        pages = "" if kind == "nothing read" else m.read
        yield Trial(kind, group, true if kind == "nothing read" else text, pages)


def fabricated(m: Material, rng: random.Random) -> Iterator[Trial]:
    """All kinds of fabricated answers over one document."""
    for style in STYLES:
        yield Trial(f"altered in {style}", "quotation altered", _altered(style, m, rng), m.read)
        yield Trial(f"invented in {style}", "quotation invented", _invented(style, m, rng), m.read)
    tables = {"quotation bent": _QUOTES, "true quotation covers": _COVERED, "words and figures bent": _BENT}
    for group, makers in tables.items():
        for kind, make in makers.items():
            text = make(m, rng)
            if text:
                yield Trial(kind, group, text, m.read)
    for number, make in enumerate(local(m), start=1):
        yield Trial(
            f"in the document's language {number}, {m.language}", "true quotation covers", make(m, rng) or "", m.read
        )
    for kind, question, text in _absence(m, rng):
        yield Trial(kind, "absence", text, m.read, question)
    for kind, text in _figures(m, rng):
        yield Trial(kind, "figure of a table", text, m.read)
    yield from _nothing(m)
