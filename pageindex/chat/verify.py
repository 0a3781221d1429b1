"""Every quotation, citation, number and absence of an answer, checked by code before the answer is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pageindex.app.document import OpenDocument
from pageindex.chat.absences import AbsenceChecker
from pageindex.chat.findings import Finding, Report
from pageindex.chat.markup import CitationMark, Mark, Markup, QuoteMark, blank_out, parse
from pageindex.chat.places import Cited, Places
from pageindex.document import Edition, PageRange, Position
from pageindex.errors import InputError, PageIndexError
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.numbers.expressions import evaluate, round_half_up
from pageindex.evidence.numbers.tokens import NumberToken, number_tokens
from pageindex.evidence.quotes.locate import locate
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.sentence import uncovered
from pageindex.evidence.status import QuoteStatus, Weight
from pageindex.tools import Reader
from pageindex.tools.shown import clean, section_path

__all__ = ["check_answer"]

_ORDINAL = re.compile(
    r"^[ \t>]*(?:#{1,6}[ \t]+)?(?:[-*+•][ \t]+)?(?:\*\*)?\d{1,3}[.)](?=[ \t*])", re.MULTILINE
)  # of a list or a heading
_INLINE_ORDINAL = re.compile(r"\((\d{1,2})\)")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*")
_KINDS = ("number", "date", "sign")
_SCALES = (100, 1000)  # constants that a calculation may use though no page prints them
_PATH_CHARS = 160


def check_answer(session: Reader, body: str, question: str = "") -> Report:
    """Check an answer against the documents in scope and against what this session delivered.

    Args:
        session: The reader's view; what holds is noted in its ledgers as cited.
        body: The answer as the model wrote it.
        question: Words and numbers that the user brought up need no evidence.
    """
    return _Check(session, parse(body), question).run()


@dataclass(frozen=True)
class _Check:
    session: Reader
    marks: Markup
    question: str

    @cached_property
    def places(self) -> Places:
        return Places(self.session)

    def run(self) -> Report:
        quotes = [found for quote in self.marks.quotes if (found := self._quote(quote)) is not None]
        citations = [self._citation(mark) for mark in self.marks.citations]
        absences = AbsenceChecker(self.session, self.places, self.marks, [q for q in quotes if q.holds]).findings()
        numbers = list(self._numbers(quotes, absences))
        findings = sorted([*quotes, *citations, *absences, *numbers], key=lambda finding: (finding.start, finding.end))
        self._note(findings)
        return Report(tuple(findings))

    # ------------------------------------------------------------ quotes

    def _quote(self, quote: QuoteMark) -> Finding | None:
        mark = self.marks.citation_for(quote)
        cited = self.places.cited(mark) if mark is not None else None
        if cited is not None and cited.document is not None and cited.pages:
            located = self._best_of(cited.document, quote.text, cited.pages)
            return self._found(quote, located, cited.document)
        return self._uncited(quote)

    def _best_of(self, document: OpenDocument, text: str, pages: Sequence[int]) -> Located:
        """On the first cited page that holds it; else over the break of two pages cited together; else wherever it is."""
        others = [other.edition for other in self.session.others(document, 5)]
        tried = [self._locate(document, text, page, None, others if page == pages[0] else ()) for page in pages[:10]]
        tried += [self._locate(document, text, one, other) for one, other in pairwise(pages) if other == one + 1]
        return min(tried, key=lambda located: located.weight)

    def _locate(
        self,
        document: OpenDocument,
        text: str,
        page: int | None,
        page_end: int | None = None,
        others: Sequence[Edition] = (),
    ) -> Located:
        """A quote with gaps ("words … more words") is located part by part, each as if it were quoted for itself."""
        parts = [part for part in _ELLIPSIS.split(text) if part.strip()]
        if len(parts) > 1:
            return _worst([self._locate(document, part, page, page_end, others) for part in parts], text)
        try:
            return locate(document.edition, text, page, page_end, others=others)
        except PageIndexError as error:
            return Located(QuoteStatus.MISSING, text, document.edition.id, message=error.message)

    def _uncited(self, quote: QuoteMark) -> Finding | None:
        """A quote without a citation is sought in what was read; words of the question are nobody's quote."""
        tried = [(self._locate(document, quote.text, None), document) for document in self.places.read()]
        best = min(tried, key=lambda pair: pair[0].weight, default=None)
        if best is not None and best[0].weight < Weight.FAIL:
            return self._found(quote, best[0], best[1])
        if quote.text.casefold() in self.question.casefold():
            return None
        message = "it has no citation, and stands in no document that was read"
        return Finding("quote", quote.text, "missing", Weight.FAIL, quote.start, quote.end, message)

    def _found(self, quote: QuoteMark, located: Located, document: OpenDocument) -> Finding:
        status, weight, message = located.status.value, located.weight, located.message
        other = self.places.by_edition(located.edition) or document
        if weight < Weight.FAIL and not self._delivered(located):
            status, weight = QuoteStatus.UNREAD.value, QuoteStatus.UNREAD.weight
            message = f"printed on page {located.page}, which was not read"
        finding = Finding(
            "quote", quote.text, status, weight, quote.start, quote.end, message, evidence=located.evidence
        )
        return self._placed(finding, other, located.page)

    def _delivered(self, located: Located) -> bool:
        pieces = [piece for piece in located.evidence if piece.lane == "text"]
        return all(self.session.was_delivered(p.edition, p.page, p.start, p.end) for p in pieces)

    def _placed(self, finding: Finding, document: OpenDocument, page: int | None) -> Finding:
        name, doc_id = clean(document.name), document.record.doc_id
        if page is None:
            return replace(finding, document=name, doc_id=doc_id)
        at = finding.evidence[0].start if finding.evidence else 0
        section = document.tree.at(Position(page, at))
        path = section_path(document, section)[-_PATH_CHARS:]
        label = document.edition.page(page).printed_label
        return replace(finding, document=name, doc_id=doc_id, page=page, label=label, section=path)

    # ------------------------------------------------------------ citations

    def _citation(self, mark: CitationMark) -> Finding:
        cited = self.places.cited(mark)
        text = self.marks.body[mark.start : mark.end]
        if cited.document is None or not cited.pages:
            return Finding("citation", text, cited.status, Weight.FAIL, mark.start, mark.end, cited.message)
        unread = [page for page in cited.pages if not self._touched(cited.document, page)]
        if unread:
            message = f"page {unread[0]} of {clean(cited.document.name)} was not read"
            finding = Finding("citation", text, "unread", Weight.REVIEW, mark.start, mark.end, message)
        else:
            finding = Finding("citation", text, "cited", Weight.PASS, mark.start, mark.end)
        return self._placed(finding, cited.document, cited.pages[0])

    def _touched(self, document: OpenDocument, page: int) -> bool:
        ledger = self.session.ledgers.get(document.edition.id)
        return ledger is not None and bool(ledger.seen(Exposure.DELIVERED, page) or ledger.seen(Exposure.VIEWED, page))

    # ------------------------------------------------------------ numbers

    def _numbers(self, quotes: Sequence[Finding], absences: Sequence[Finding]) -> Iterator[Finding]:
        """Numbers of every block that neither its evidence nor the question holds."""
        quoted = list(self._raw(quotes))
        marks = self.marks
        ordinals = _ordinals(marks.body)
        hidden = [*marks.citations, *marks.absences, *marks.calculations, *marks.quotes, *ordinals]
        plain = blank_out(marks.body, hidden)
        for start, end in self.marks.blocks:
            cited = [self.places.cited(mark) for mark in self.marks.citations if start <= mark.start < end]
            sources = [*quoted, self.question, *self._cited_texts(cited)]
            derived, computed = self._calculations(start, end, plain, sources)
            yield from computed
            for item in uncovered(plain[start:end], sources, derived):
                if item.kind in _KINDS:
                    yield self._number(plain, item.text, start, end)

    def _raw(self, quotes: Sequence[Finding]) -> Iterator[str]:
        """The printed words of the quotes that hold."""
        for finding in quotes:
            document = self.places.by_edition(finding.evidence[0].edition) if finding.evidence else None
            if finding.holds and document is not None:
                for piece in finding.evidence:
                    yield document.edition.page(piece.page).words(piece.start, piece.end)

    def _cited_texts(self, cited: Sequence[Cited]) -> Iterator[str]:
        """What was read of the pages cited, their own numbers, and the titles of their sections."""
        for place in cited:
            if place.document is None:
                continue
            for page in place.pages:
                found = place.document.edition.page(page)
                ledger = self.session.ledgers.get(place.document.edition.id)
                seen = ledger.seen(Exposure.DELIVERED, page) if ledger is not None else ()
                yield from (found.words(start, end) for start, end in seen)
                yield f"{page} {found.label or ''}"
                section = place.document.tree.at(Position(page, 0))
                yield from (step.title for step in place.document.tree.path(section.node_id))

    def _number(self, plain: str, text: str, start: int, end: int) -> Finding:
        at = plain.find(text, start, end)
        place = (at, at + len(text)) if at >= 0 else (start, start)
        pages = self.places.pages_printing(text)
        message = "it stands in nothing that was quoted or cited"
        if pages:
            message += f"; it is printed on {pages}"
        return Finding("number", text, "no_evidence", Weight.FAIL, *place, message)

    def _calculations(
        self, start: int, end: int, plain: str, sources: Sequence[str]
    ) -> tuple[list[NumberToken], list[Finding]]:
        derived: list[NumberToken] = []
        findings: list[Finding] = []
        printed = {token.magnitude for source in sources for token in number_tokens(source)}
        for mark in self.marks.calculations:
            if not start <= mark.start < end:
                continue
            tokens = list(number_tokens(plain[start : mark.start]))
            result = tokens[-1] if tokens else None
            problem = _problem(mark.expression, result, printed)
            text = f"{plain[start : mark.start][result.start : result.end] if result else ''} [= {mark.expression}]".strip()
            status, weight = ("numbers_differ", Weight.FAIL) if problem else ("computed", Weight.PASS)
            message = problem or "inputs chosen by the model"
            findings.append(Finding("number", text, status, weight, mark.start, mark.end, message))
            derived += [result] if result is not None else []  # right or wrong, it has its finding
        return derived, findings

    # ------------------------------------------------------------ ledger

    def _note(self, findings: Sequence[Finding]) -> None:
        for finding in findings:
            if finding.holds:
                for piece in finding.evidence:
                    ranges = [PageRange(piece.page, piece.start, piece.end)]
                    self.session.ledger(piece.edition).record(Exposure.CITED, ranges)


def _ordinals(body: str) -> list[Mark]:
    """Numbers that only count the items of a list: at the beginning of a line, or (1), (2), … within one."""
    marks = [Mark(*match.span()) for match in _ORDINAL.finditer(body)]
    inline = list(_INLINE_ORDINAL.finditer(body))
    if [int(match[1]) for match in inline] == list(range(1, len(inline) + 1)):
        marks += [Mark(*match.span()) for match in inline]
    return marks


def _worst(parts: Sequence[Located], whole: str) -> Located:
    """One result for a quote with gaps: that of its worst part, with the places of all."""
    worst = max(parts, key=lambda located: located.weight)
    evidence = tuple(piece for located in parts for piece in located.evidence)
    return replace(worst, quote=whole, evidence=evidence)


def _problem(expression: str, result: NumberToken | None, printed: set[Fraction | None]) -> str:
    """Why a calculation does not hold; empty when it does."""
    if result is None or (wanted := result.value) is None:
        return "no number stands before the calculation"
    tokens = list(number_tokens(expression))
    unknown = [token.core for token in tokens if token.magnitude not in printed and token.magnitude not in _SCALES]
    if unknown:
        return f"{unknown[0]} is not printed in what was quoted or cited"
    try:
        value = evaluate(re.sub(r"(?<=\d),(?=\d{3})|[$€£%]", "", expression.lower()), {})
    except InputError as error:
        return error.message
    digits = len(result.core.partition(".")[2])
    scales = (100, 1) if result.percent else (1,)
    if any(round_half_up(value * scale, digits) == wanted for scale in scales):
        return ""
    return f"{expression} is {float(value):.6g}"
