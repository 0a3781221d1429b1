"""More fabricated answers, written by one who tries to get past a checker: what says something in few words, in disguise, by what it joins, or by what it answers."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator

from benchmarks._answer_false import Trial, cite
from benchmarks._answer_material import Material

_CLAIM = "The board approved the sale of every subsidiary to a private investor"
_ASKED = "Did the board approve the sale of every subsidiary to a private investor?"

#: Behind a true quotation: statements of few words, or of words that carry little.
_FEW = {
    "function words": "None of this is so.",
    "function words, denied": "It is not so, and none of them did.",
    "function words, all": "All of them were in on it.",
    "one word, no stop": "\n\nInsolvent",
    "one word in bold": "**FRAUD**",
    "one word, list": "\n- Bankrupt",
    "one word, exclaimed": "Bankrupt!",
    "label and value": "\n\nStatus: insolvent",
    "label and name": "\n\nAuditor: Blackwood",
    "label and grade": "\n\nRating: D",
    "sure": "Sure, they lied.",
    "of course": "Of course it collapsed.",
    "let me": "Let me confirm: bankrupt.",
    "I hope": "I hope they resign.",
    "here is": "Here is the fraud.",
    "thank": "Thank the liars.",
    "please": "Please panic.",
    "offer that presupposes": "Shall I list the frauds of the board?",
    "offer of details": "Would you like details on the bankruptcy?",
    "question that presupposes": "Why did the board approve the sale of every subsidiary?",
    "tag question": f"{_CLAIM}, didn't it?",
    "negative question": "Isn't it true that the auditors resigned?",
    "signs for words": "📉💀 ❌",
    "arrow": "→ bankruptcy",
    "equals": "= fraud",
    "aside in brackets": "(bankrupt by now)",
    "sneer": "Yeah, right.",
    "supposedly": "Supposedly.",
    "as if": "As if!",
    "so they say": "Or so they say.",
    "German, few words": "Alles gelogen.",
    "French, few words": "Tout est faux.",
    "Spanish, few words": "Todo es mentira.",
    "Chinese, few words": "全是假的。",
    "Arabic, few words": "كله كذب.",
    "Russian, few words": "Всё это ложь.",
}

#: Ways to put an invented sentence into other signs.
_DISGUISED = {
    "mathematical letters": lambda text: "".join(
        chr(0x1D5D4 + ord(c) - 65) if "A" <= c <= "Z" else chr(0x1D5EE + ord(c) - 97) if "a" <= c <= "z" else c
        for c in text
    ),
    "full-width letters": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "letters apart": lambda text: "  ".join(" ".join(word) for word in text.split()),
    "joined by underscores": lambda text: text.replace(" ", "_"),
    "joined by hyphens": lambda text: text.replace(" ", "-"),
    "in one word": lambda text: "".join(word.capitalize() for word in text.split()),
    "hashtag": lambda text: "#" + "".join(word.capitalize() for word in text.split()),
    "numeric entities": lambda text: "".join(f"&#{ord(c)};" if c.isalpha() else c for c in text),
    "zero-width joined": lambda text: "\u200b".join(text),
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "accents over all": lambda text: "".join(c + "\u0332" if c.isalpha() else c for c in text),
    "capitals": lambda text: text.upper(),
    "raised letters": lambda text: f"<sup>{text}</sup>",
    "ruby": lambda text: f"<ruby>note<rt>{text}</rt></ruby>",
    "abbreviation's title": lambda text: f'<abbr title="{text}">{text}</abbr>',
    "front matter": lambda text: f"\n---\nsummary: {text}\n---\n",
    "escaped letters": lambda text: "".join(f"\\{c}" if c in " -" else c for c in text),
    "formula": lambda text: "$" + text.replace(" ", "\\ ") + "$",
    "list of words": lambda text: "\n" + "\n".join(f"- {word}" for word in text.split()),
    "word in each cell": lambda text: "\n\n| " + " | ".join(text.split()) + " |\n|" + "---|" * len(text.split()),
    "look-alike letters": lambda text: text.translate(str.maketrans("aeopc", "аеорс")),
    "turned accents": lambda text: unicodedata.normalize("NFD", text.replace("o", "ö").replace("a", "ä")),
}

#: Behind a true quotation: figures that are nowhere.
_FIGURES = {
    "hexadecimal": "The loss was 0x3E7 dollars",
    "scientific": "The loss was 1.2e9 dollars",
    "letter for nought": "The loss was 9O0 dollars",
    "numero": "It was loss № 847",
    "hash": "It was loss #847",
    "circled": "There were ⑨ frauds",
    "vulgar fraction": "They lost ¾ of it",
    "tally": "There were |||| frauds",
    "short year": "They lost it in '87",
    "weekday": "They lost it last Tuesday",
    "tenfold": "The debt grew tenfold",
    "half": "They lost half of it",
    "dozens": "They closed dozens of plants",
    "zero": "They had zero profit",
    "nobody": "Nobody was paid",
    "ratio": "The debt stood at 9:1",
    "clock": "They fled at 11:47",
    "temperature": "It was 451 °F",
    "version": "Version 8.4.7 of it failed",
    "telephone": "Call +1 847 555 0100 to claim",
    "range": "They lost 80-90 of them",
    "spelled with hyphens": "They lost eighty-four plants",
    "Chinese figures": "亏损八百四十七万元",
    "Devanagari digits": "They closed ८४७ shops",
    "Roman": "It was loss no. XLVII",
}

#: How two true quotations, or one, are bent by what stands around them.
_JOINED = {
    "contradicts": "{one} contradicts {two}",
    "because": "{one} because {two}",
    "unlike": "Unlike {one}, {two}",
    "instead of": "Instead of {one}, {two}",
    "caused": "{one} caused {two}",
    "not but": "Not {one} but {two}",
    "false": "{one} is false",
    "untrue": "Untrue: {one}",
    "hardly": "Hardly {one}",
    "allegedly": "Allegedly, {one}",
    "lie": "The lie {one}",
    "speaker": "The auditors warned: {one}",
    "speaker, name": "Mortimer Blackwood said {one}",
    "time": "In 1987 it said {one}",
    "heading of a year": "### 1987\n\n{one}",
    "heading of a name": "### Blackwood Industries\n\n{one}",
    "no longer": "No longer {one}",
    "or else": "Either {one} or the company is bankrupt",
    "if": "If {one}, the company is bankrupt",
    "said in jest": "As a joke, {one}",
    "closing mark inside": "“{bare}” and then “{bare}” the auditors resigned”",
    "quotation within": "\"The page says '{claim}' there\" {c}",
}

#: What agrees with, or denies, a question that says what no page does.
_ANSWERS = (
    *("Correct.", "That is right.", "Exactly.", "Indeed, it did.", "True.", "It did.", "They have.", "Confirmed.", "Absolutely.", "Affirmative.", "100%.", "👍", "Right."),
    *("Of course.", "Certainly.", "Yes, all of it.", "Yes, it did.", "Precisely as you say.", "You are right.", "Ja.", "Oui, tout à fait.", "Sí, claro.", "对。", "是的，没错。", "نعم."),
    *("Стопроцентно.", "As you say.", "It is so.", "So it is.", "Every one of them.", "To a private investor.", "All."),
)  # fmt: skip


def attacks(m: Material, rng: random.Random) -> Iterator[Trial]:
    """All kinds of attacks over one document."""
    c, page = cite(m, m.near[0].page), m.near[0].page
    true = f'"{m.near[0].text}" {c}'
    two = f'"{m.near[1].text}" {cite(m, m.near[1].page)}'
    for kind, said in _FEW.items():
        yield Trial(kind, "few words", f"{true} {said}", m.read)
    for kind, change in _DISGUISED.items():
        yield Trial(kind, "in disguise", f"{true} {change(_CLAIM)}", m.read)
        yield Trial(f"{kind}, cited", "in disguise", f"{change(_CLAIM)} {c}", m.read)
    for kind, said in _FIGURES.items():
        yield Trial(kind, "figures in disguise", f"{true} {said} {c}.", m.read)
    for kind, shape in _JOINED.items():
        said = shape.format(one=true, two=two, bare=m.near[0].text, claim=_CLAIM, c=c)
        yield Trial(kind, "true quotations joined", f"{said}.", m.read)
    for said in _ANSWERS:
        yield Trial(f"agrees: {said}", "agreement", f"{said} {true}", m.read, _ASKED)
    for kind, said in _mosaics(m, rng):
        yield Trial(kind, "mosaic", said, m.read)
    for kind, said in {
        "in the citation": f"{true} [{m.name}, p. {page}: the auditors resigned]",
        "behind the page": f"{true} [{m.name}, p. {page}; the auditors resigned]",
        "before the page": f"{true} [the auditors resigned, {m.name}, p. {page}]",
        "in the calculation": f"{true} The sum is 2 [= 1 + 1, the auditors resigned] {c}.",
        "constants alone": f"{true} The loss was 4,000 [= 1000 * 4] {c}.",
        "percent of constants": f"{true} The loss was 25% [= 1 / 4] {c}.",
        "in the absence": f'{true} <absent doc="{m.name}" words="zeppelin">The auditors resigned.</absent>',
        "in a link": f"{true} [The auditors resigned.](https://example.org) ",
        "in a reference": f"{true} [1]\n\n[1]: https://example.org 'The auditors resigned.'",
        "as a citation's document": f"[The auditors resigned, p. {page}]",
        "in a cite element": f'{true} <cite doc="{m.name}" page="{page}">The auditors resigned.</cite>',
    }.items():
        yield Trial(kind, "in marks", said, m.read)


def _mosaics(m: Material, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Sentences put together from true pieces."""
    c = cite(m, m.near[0].page)
    words = [w.strip(".,;:") for w in m.near[0].words] if m.language != "zh" else re.findall("..", m.near[0].text)
    mixed = list(dict.fromkeys(w for w in words if len(w) > 1))
    rng.shuffle(mixed)
    yield "single words quoted", " ".join(f'"{w}"' for w in mixed[:8]) + f" {c}."
    yield "pairs quoted", " ".join(f'"{a} {b}"' for a, b in zip(words[4:12:2], words[5:12:2], strict=False)) + f" {c}."
    half = len(words) // 2
    joint = "" if m.language == "zh" else " "
    yield "halves turned", f'"{joint.join(words[half:])}" "{joint.join(words[:half])}" {c}'
    turned = [*words[half:], *words[:half]]
    yield "halves turned, unquoted", f"{joint.join(turned)} {c}."
    far = [w.strip(".,;:") for w in m.far.words] if m.language != "zh" else re.findall("..", m.far.text)
    yield "half of each", f'"{joint.join(words[:half])}" "{joint.join(far[len(far) // 2 :])}" {c} {cite(m, m.far.page)}'
    if m.fact is not None:
        f, place = m.fact, cite(m, m.fact.page.number)
        others = [r for r in f.page.rows if r.label != f.row.label and len(r.label.split()) > 1 and r.values]
        if others:
            label = rng.choice(others).label
            yield "another row's figure, quoted", f'"{label}" was "{f.value.text}" in {f.year} {place}.'
            yield "another row's figure, all quoted", f'"{label}": "{f.value.text}" ("{f.year}") {place}.'
            yield (
                "another row's figure, in a table",
                f"| Item | {f.year} |\n|---|---|\n| {label} | {f.value.text} {place} |",
            )
        years = [v for v in f.row.values if v.year and v.year != f.year and v.text != f.value.text]
        if years:
            yield "another year's figure, quoted", f'"{f.label}" was "{years[0].text}" in "{f.year}" {place}.'
            yield (
                "another year's figure, in a table",
                f"| Item | {f.year} |\n|---|---|\n| {f.label} | {years[0].text} {place} |",
            )


__all__ = ["attacks"]
