"""Honest answers: what the document says, quoted, cited or repeated in the ways in which people and models write."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks._answer_false import QUESTION, Trial, cite
from benchmarks._answer_material import Material

_MARKS = {
    "en": ('"{}"', "“{}”"),
    "de": ("„{}“", "»{}«"),
    "fr": ("« {} »", "«\u00a0{}\u00a0»"),
    "es": ("«{}»", "“{}”"),
    "zh": ("“{}”", "「{}」"),
    "ar": ("«{}»", "“{}”"),
}


def honest(m: Material, rng: random.Random) -> Iterator[Trial]:
    """All kinds of honest answers over one document."""
    for kind, text in [*_quoted(m), *_repeated(m)]:
        yield Trial(kind, "quoted" if "quot" in kind else "repeated", text, m.read)
    yield from _absent(m)
    if m.fact is not None:
        for kind, text in _figured(m):
            yield Trial(kind, "figures", text, m.read)


def _quoted(m: Material) -> Iterator[tuple[str, str]]:
    one, two = m.near
    c, page = cite(m, one.page), one.page
    for number, marks in enumerate(_MARKS[m.language], start=1):
        yield f"quotation in the language's marks {number}", f"{marks.format(one.text)} {c}"
    yield "quotation in straight marks", f'"{one.text}" {c}'
    yield "quotation, page only", f'"{one.text}" [p. {page}]'
    yield "quotation, cite element", f'"{one.text}" <cite doc="{m.name}" page="{page}"/>'
    yield "quotation, stop outside", f'"{one.text.rstrip(".")}" {c}.'
    yield "quotation, stop inside", f'"{one.text.rstrip(".")}." {c}'
    yield "block quotation", f"> {one.text}\n> {c}"
    yield "block quotation, citation behind", f"> {one.text}\n\n{c}"
    yield "list of quotations", f'- "{one.text}" {c}\n- "{m.far.text}" {cite(m, m.far.page)}'
    yield "numbered list of quotations", f'1. "{one.text}" {c}\n2. "{m.far.text}" {cite(m, m.far.page)}'
    yield "two quotations", f'"{one.text}" {c} "{two.text}" {cite(m, two.page)}'
    yield "quotation in emphasis", f'*"{one.text}"* {c}'
    yield "quotation in strong", f'**"{one.text}"** {c}'
    plain = one.text.translate(str.maketrans({"’": "'", "‘": "'", "–": "-", "—": "-", "\u00a0": " "}))
    yield "quotation typed on a keyboard", f'"{plain}" {c}'
    yield "quotation with an ellipsis in front", f'"… {_tail(one.text)}" {c}'
    yield "quotation with an ellipsis behind", f'"{_first(one.text)} …" {c}'
    yield "quotation with an ellipsis inside", f'"{_first(one.text)} … {_last(one.text)}" {c}'
    yield "quotation with a lead-in", f'The document says: "{one.text}" {c}'
    yield "quotation under a heading", f'# Answer\n\n"{one.text}" {c}'
    yield "quotation with yes", f'Yes. "{one.text}" {c}'
    yield "quotation in a table", f'| Quote | Source |\n|---|---|\n| "{one.text}" | {c} |'
    yield "quotation over lines", f'"{_first(one.text)}\n{_second(one.text)}" {c}'


def _repeated(m: Material) -> Iterator[tuple[str, str]]:
    one = m.near[0]
    c = cite(m, one.page)
    yield "sentence as printed", f"{one.text.rstrip('.')} {c}."
    yield "sentence, citation behind the stop", f"{one.text} {c}"
    yield "sentence in a list", f"- {one.text.rstrip('.')} {c}\n- {m.far.text.rstrip('.')} {cite(m, m.far.page)}"
    yield "sentence with a lead-in", f"According to the document, {one.text.rstrip('.')} {c}."
    yield "sentence, page only", f"{one.text.rstrip('.')} (p. {one.page})."
    if m.numbered:
        yield "sentence with a figure", f"{m.numbered.text.rstrip('.')} {cite(m, m.numbered.page)}."


def _pieces(text: str) -> list[str]:
    return [*text] if " " not in text else text.split()


def _join(text: str, pieces: list[str]) -> str:
    return ("" if " " not in text else " ").join(pieces)


def _first(text: str) -> str:
    p = _pieces(text)
    return _join(text, p[: len(p) // 2])


def _second(text: str) -> str:
    p = _pieces(text)
    return _join(text, p[len(p) // 2 :])


def _tail(text: str) -> str:
    return _join(text, _pieces(text)[3:])


def _last(text: str) -> str:
    p = _pieces(text)
    return _join(text, p[len(p) // 2 + 2 :])


def _absent(m: Material) -> Iterator[Trial]:
    text = "".join(m.pages).casefold()
    for word in ("zeppelin", "xylophone", "quokka"):
        if word not in text:
            said = f'The document does not mention {word}. <absent doc="{m.name}" words="{word}"/>'
            yield Trial("absent word", "absence", said, m.read, f"Does the document mention {word}?")
            break
    yield Trial(
        "nothing but an absence, no name",
        "absence",
        f'Not mentioned. <absent words="{word}"/>',
        m.read,
        f"Does it mention {word}?",
    )


def _figured(m: Material) -> Iterator[tuple[str, str]]:
    f = m.fact
    assert f is not None
    c = cite(m, f.page.number)
    label, amount, year = f"{f.label[0].upper()}{f.label[1:]}", f.amount, f.year
    yield "figure, cited", f"{label} was {amount} in {year} {c}."
    yield "figure, fiscal year", f"In fiscal {year}, {f.label} was {amount} {c}."
    yield "figure, row quotation", f'{label} was {amount} in {year}: "{f.row.text}" {c}.'
    yield "figure in a list", f"- {year}: {f.label} {amount} {c}"
    yield "figure in bold", f"{label} was **{amount}** in {year} {c}."
    yield "row quotation alone", f'"{f.row.text}" {c}'
    other = [v for v in f.row.values if v.year and v.year != year and not v.in_parentheses and v.size >= 10]
    if other and not f.value.in_parentheses:
        o = other[0]
        later, before = (f.value, o) if (f.value.year or "") > (o.year or "") else (o, f.value)
        yield (
            "two figures",
            f"{label} was ${later.text} {f.unit} in {later.year} and ${before.text} {f.unit} in {before.year} {c}.",
        )
        change = later.size / before.size - 1
        if abs(change) > 0.001:
            verb = "rose" if change > 0 else "fell"
            n1, n2 = (v.text.replace(",", "") for v in (later, before))
            order = f"{n1} / {n2} - 1" if change > 0 else f"1 - {n1} / {n2}"
            yield (
                "calculation",
                f"{label} {verb} by {abs(change) * 100:.1f}% [= {order}] from {before.year} to {later.year} {c}.",
            )
            difference = abs(later.size - before.size)
            high, low = (n1, n2) if change > 0 else (n2, n1)
            said = f"{difference:,.1f}" if "." in n1 + n2 else f"{difference:,.0f}"
            yield (
                "calculation of a difference",
                f"{label} {verb} by ${said} {f.unit} [= {high} - {low}] from {before.year} to {later.year} {c}.",
            )


__all__ = ["QUESTION", "honest"]
