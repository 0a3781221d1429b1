"""Every sentence of an answer, checked by code before the answer is given.

An answer compiles to what the evidence room checks: its quotations are located, its citations resolved, its absences looked for, and its
sentences, with what holds of all that, accounted for by the one checker of claims.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from pageindex.app.document import OpenDocument
from pageindex.chat.absences import AbsenceChecker, denies_mention, without_mentioning
from pageindex.chat.beside import is_piece, outside, replaced, says_in_silence, without_lead_in, without_numbers
from pageindex.chat.calculations import declared_calculations, input_quotes
from pageindex.chat.findings import Finding, Report
from pageindex.chat.markup import CitationMark, Markup, QuoteMark, parse
from pageindex.chat.passage_findings import passage_finding
from pageindex.chat.pictured import off_a_picture, seen_finding
from pageindex.chat.places import Places
from pageindex.chat.quotations import QuotedBy
from pageindex.chat.sentences import Spoken, spoken
from pageindex.document import Edition, PageRange, Position
from pageindex.errors import PageIndexError
from pageindex.evidence.claims import QuoteRef
from pageindex.evidence.ledger import Exposure
from pageindex.evidence.numbers.tokens import number_tokens
from pageindex.evidence.quotes.locate import locate
from pageindex.evidence.quotes.located import Located
from pageindex.evidence.saying import SaidNumber
from pageindex.evidence.sentences import Account, Sentence, SentenceCheck, SentenceStatus, account, is_factual
from pageindex.evidence.status import NumberStatus, QuoteStatus, Weight
from pageindex.evidence.wording import content_words, language_of, negations, stem_set
from pageindex.tools import Reader
from pageindex.tools.shown import clean, section_path

__all__ = ["check_answer"]

_PATH_CHARS = 160
_MOST_PAGES = 10  #: Of one citation, on which a quote is sought.
_MOST_OTHERS = 5  #: Further documents in which a missing quote is sought.
_NUMBER_KINDS = ("number", "date", "sign")


def check_answer(session: Reader, body: str, question: str = "") -> Report:
    """Check an answer against the documents in scope and against what this session delivered.

    Args:
        session: The reader's view; what holds is noted in its ledgers as cited.
        body: The answer as the model wrote it.
        question: What the user said: words of it are nobody's quote, and a number of it is no invention of the model's, though no proof.
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
        quotes = {quote: found for quote in self.marks.quotes if (found := self._quote(quote)) is not None}
        citations = [self._citation(mark) for mark in self.marks.citations]
        holding = [finding for finding in quotes.values() if finding.holds]
        absences = AbsenceChecker(self.session, self.places, self.marks, holding, self.question).findings()
        checks, sentences = self._sentences(quotes, absences)
        findings = [*quotes.values(), *citations, *absences, *sentences]
        findings.sort(key=lambda finding: (finding.start, finding.end))
        self._note(findings)
        return Report(tuple(findings), Account(tuple(checks)).summary if checks else "")

    # ------------------------------------------------------------ quotes

    def _quote(self, quote: QuoteMark) -> Finding | None:
        if quote.by is QuotedBy.UNCLOSED:
            return self._unclosed(quote)
        mark = self.marks.citation_for(quote)
        cited = self.places.cited(mark) if mark is not None else None
        if cited is not None and cited.document is not None and cited.pages:
            found: Finding | None = self._found(
                quote, self._best_of(cited.document, quote.text, cited.pages), cited.document
            )
        else:
            found = self._uncited(quote)
        if quote.by is QuotedBy.MARKUP and found is not None and found.weight is Weight.FAIL:
            message = "set off like a quotation, and not printed where it should be"
            return replace(found, status="like_a_quotation", weight=Weight.REVIEW, message=message, evidence=())
        return found

    def _unclosed(self, quote: QuoteMark) -> Finding:
        shown = quote.text if len(quote.text) <= _PATH_CHARS else f"{quote.text[:_PATH_CHARS]}…"
        message = "the quotation is opened and never closed"
        return Finding("quote", shown, "unclosed", Weight.REVIEW, quote.start, quote.end, message)

    def _best_of(self, document: OpenDocument, text: str, pages: Sequence[int]) -> Located:
        """On the first cited page that holds it; else over the break of two pages cited together; else wherever it is."""
        others = [other.edition for other in self.session.others(document, _MOST_OTHERS)]
        first = pages[:_MOST_PAGES]
        tried = [self._locate(document, text, page, None, others if page == pages[0] else ()) for page in first]
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
        try:
            return document.with_characters(
                lambda source: locate(document.edition, text, page, page_end, others=others, characters=source)
            )
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
        path = section_path(document, document.tree.at(Position(page, at)))[-_PATH_CHARS:]
        label = document.edition.page(page).printed_label
        return replace(finding, document=name, doc_id=doc_id, page=page, label=label, section=path)

    # ------------------------------------------------------------ citations

    def _citation(self, mark: CitationMark) -> Finding:
        cited = self.places.cited(mark)
        if mark.passage is not None:
            start, _ = self.marks.block_of(mark.start)
            found = passage_finding(self.session, mark, cited, self.marks.body[start : mark.start])
            return found if cited.document is None else self._placed(found, cited.document, cited.pages[0])
        text = self.marks.body[mark.start : mark.end]
        if cited.document is None or not cited.pages:
            return Finding("citation", text, cited.status, Weight.FAIL, mark.start, mark.end, cited.message)
        unread = [page for page in cited.pages if not self._touched(cited.document, page)]
        if unread:
            message = f"page {unread[0]} of {clean(cited.document.name)} was not read"
            finding = Finding("citation", text, "unread", Weight.REVIEW, mark.start, mark.end, message)
        else:
            finding = seen_finding(self.places, mark, text) or Finding(
                "citation", text, "cited", Weight.PASS, mark.start, mark.end
            )
        return self._placed(finding, cited.document, cited.pages[0])

    def _touched(self, document: OpenDocument, page: int) -> bool:
        ledger = self.session.ledgers.get(document.edition.id)
        return ledger is not None and bool(ledger.seen(Exposure.DELIVERED, page) or ledger.seen(Exposure.VIEWED, page))

    # ------------------------------------------------------------ sentences

    def _sentences(
        self, quotes: dict[QuoteMark, Finding], absences: Sequence[Finding]
    ) -> tuple[list[SentenceCheck], list[Finding]]:
        """The account of all sentences, and a finding for each that says something."""
        checks: list[SentenceCheck] = []
        findings: list[Finding] = []
        for sentence in spoken(self.marks):
            check = self._accounted(sentence, quotes)
            if check is None or self._is_announced(sentence):
                continue
            if _POLARITY.match(sentence.text) and self.question and check.weight < Weight.PARTIAL:
                check = replace(check, status=SentenceStatus.GROUNDED, message=_YES_OR_NO)
            if check.status is SentenceStatus.PLAIN:
                continue
            granted = [f for f in absences if f.kind == "absence" and sentence.start <= f.start < sentence.end]
            if granted and check.weight is not Weight.FAIL and self._only_absent(sentence, granted):
                continue
            checks.append(check)
            findings += self._told(sentence, check)
        return checks, findings

    def _accounted(self, sentence: Spoken, quotes: dict[QuoteMark, Finding]) -> SentenceCheck | None:
        """The best account that one of the documents cited gives; a number is as good as in any of them."""
        documents = self._documents(sentence, quotes)
        found = [check for document in documents if (check := self._against(document, sentence, quotes)) is not None]
        if not found:
            return None
        if self.places.seen((*sentence.citations, *sentence.nearby)):
            found = [off_a_picture(check) for check in found]
        best = min(found, key=lambda check: (check.weight, _ORDER.index(check.status)))
        if best.status is SentenceStatus.CITED and self._is_quotation(sentence, quotes):
            best = replace(
                best, status=SentenceStatus.PROVEN, claim=replace(best.claim, said=(), uncovered=()), message=""
            )
        if best.status is SentenceStatus.PROVEN and sentence.quotes and says_in_silence(sentence):
            return replace(best, status=SentenceStatus.CITED, message="what stands beside the quotation is nowhere")
        if best.status is SentenceStatus.PROVEN and (pieced := self._pieced(sentence, quotes, best)):
            return replace(best, status=SentenceStatus.CITED, message=pieced)
        if best.status is SentenceStatus.CITED and not sentence.citations and not sentence.quotes:
            best = replace(
                best, status=SentenceStatus.UNCITED
            )  # what its neighbours cite may ground it, and is not its own citation
        if best.refuted and len(found) > 1 and self._each_number_somewhere(found):
            return replace(
                best, status=SentenceStatus.CITED, claim=replace(best.claim, said=(), uncovered=()), message=_SPREAD
            )
        return best

    def _is_quotation(self, sentence: Spoken, quotes: dict[QuoteMark, Finding]) -> bool:
        """Whether a sentence is whole quotations that hold, and says nothing of its own: its figures are the document's."""
        held = [quotes.get(quote) for quote in sentence.quotes]
        return (
            all(found is not None and found.holds for found in held)
            and not any(is_piece(quote.text) for quote in sentence.quotes)
            and not any(character.isalnum() for character in outside(sentence))
            and not is_factual(outside(sentence))
            and bool(held)
        )

    def _pieced(self, sentence: Spoken, quotes: dict[QuoteMark, Finding], check: SentenceCheck) -> str:
        """Why several quotations prove nothing of what they are put together to say; empty where they may."""
        held = [found for quote in sentence.quotes if (found := quotes.get(quote)) is not None and found.evidence]
        if len(held) < 2 or any(number.where == "cell" for number in check.claim.said):
            return ""
        if any(is_piece(quote.text) for quote in sentence.quotes):
            return "put together of pieces too short to say something"
        for (before, one), (behind, other) in pairwise(zip(sentence.quotes, held, strict=False)):
            between = self.marks.body[before.end : behind.start]
            apart = other.page != one.page or one.evidence[0].start <= other.evidence[0].start
            if not apart and not any(character.isalnum() for character in between):
                return "the quotations stand in another order on the page"
        return ""

    def _each_number_somewhere(self, checks: Sequence[SentenceCheck]) -> bool:
        by_text: dict[str, list[SaidNumber]] = {}
        for check in checks:
            for number in check.claim.said:
                by_text.setdefault(number.text, []).append(number)
        return all(any(number.weight < Weight.FAIL for number in numbers) for numbers in by_text.values())

    def _documents(self, sentence: Spoken, quotes: dict[QuoteMark, Finding]) -> list[OpenDocument]:
        cited = [self.places.cited(mark).document for mark in (*sentence.citations, *sentence.nearby)]
        quoted = [
            self.places.by_edition(found.evidence[0].edition)
            for quote in sentence.quotes
            if (found := quotes.get(quote)) is not None and found.evidence
        ]
        named = {document.doc_id: document for document in (*cited, *quoted) if document is not None}
        return list(named.values()) or self.places.read()[:1] or self._any_document()

    def _any_document(self) -> list[OpenDocument]:
        records = self.session.records_in_scope(1)
        return [self.session.opened(records[0])] if records else []

    def _against(
        self, document: OpenDocument, sentence: Spoken, quotes: dict[QuoteMark, Finding]
    ) -> SentenceCheck | None:
        edition = document.edition
        refs = [
            QuoteRef(finding.text, handle=str(finding.evidence[0].handle))
            if len(finding.evidence) == 1
            else QuoteRef(finding.text, finding.evidence[0].page, finding.evidence[-1].page)
            for quote in sentence.quotes
            if (finding := quotes.get(quote)) is not None
            and finding.holds
            and finding.evidence
            and finding.evidence[0].edition == edition.id
        ]
        read = tuple(self._read_of(document, sentence))
        numbers = declared_calculations(self.marks.body, sentence)
        refs += input_quotes(document, numbers, read) if numbers else ()
        text = without_lead_in(self._without_quotes_of_others(document, sentence, quotes))
        if outside(sentence):
            text = without_numbers(text, self._whole(sentence, quotes))
        said = [Sentence(text, tuple(refs), tuple(numbers), read, sentence.start, sentence.end)]
        own = self._own_words(sentence, quotes)
        if own:
            said.append(replace(said[0], text=own))
        try:
            checked = document.with_characters(
                lambda source: account(edition, said, characters=source, ledger=self.session.ledgers.get(edition.id))
            )
        except PageIndexError:  # a page that does not exist has its own finding
            return None
        first, *alone = checked.checks
        doubted = first.status is SentenceStatus.PROVEN and any(check.weight > first.weight for check in alone)
        return replace(alone[0], sentence=first.sentence) if doubted else first

    def _own_words(self, sentence: Spoken, quotes: dict[QuoteMark, Finding]) -> str:
        """What a sentence says of a figure in its own words, where it quotes the row too: the quotation must not name the row for it."""
        beside = without_lead_in(outside(sentence))
        return beside if self._whole(sentence, quotes) and any(True for _ in number_tokens(beside)) else ""

    def _without_quotes_of_others(
        self, document: OpenDocument, sentence: Spoken, quotes: dict[QuoteMark, Finding]
    ) -> str:
        """The words of a sentence without what it quotes, and rightly, from other documents."""
        text = sentence.text
        for quote in sentence.quotes:
            finding = quotes.get(quote)
            if finding is not None and finding.holds and finding.doc_id != document.doc_id:
                text = replaced(text, quote.text, "")
        return text

    def _whole(self, sentence: Spoken, quotes: dict[QuoteMark, Finding]) -> list[str]:
        """The quotations of a sentence that hold and are no pieces: their numbers are proven, and none that the sentence gives itself."""
        found = [(quote, quotes.get(quote)) for quote in sentence.quotes]
        return [quote.text for quote, one in found if one is not None and one.holds and not is_piece(quote.text)]

    def _read_of(self, document: OpenDocument, sentence: Spoken) -> Iterator[PageRange]:
        """What was delivered of the pages and passages that a sentence cites, or that its paragraph does."""
        ledger = self.session.ledgers.get(document.edition.id)
        if ledger is None:
            return
        marks = [self.places.cited(mark) for mark in (*sentence.citations, *sentence.nearby)]
        mine = [cited for cited in marks if cited.document is not None and cited.document.doc_id == document.doc_id]
        for page in sorted({page for cited in mine if cited.given is None for page in cited.pages}):
            yield from (PageRange(page, start, end) for start, end in ledger.seen(Exposure.DELIVERED, page))
        for place in dict.fromkeys(place for cited in mine for place in cited.ranges):
            if ledger.was_delivered(place.page, place.start, place.end):
                yield place

    def _is_announced(self, sentence: Spoken) -> bool:
        """A heading that one sentence of the answer says in its order, or a question that the user asked: neither adds anything."""
        if any(True for _ in number_tokens(sentence.text)):
            return False
        if sentence.text.endswith(("?", "？", "؟")):
            return _held(sentence.text, self.question)
        if not sentence.heading:
            return False
        language = language_of(sentence.text)
        wanted = [word.stem for word in content_words(sentence.text, language) if word.stem not in _reporting()]
        others = (one.text for one in spoken(self.marks) if one.start != sentence.start)
        return not negations(sentence.text, language) and any(
            _in_order(wanted, [word.stem for word in content_words(other, language)]) for other in ("", *others)
        )

    def _only_absent(self, sentence: Spoken, granted: Sequence[Finding]) -> bool:
        """Whether a sentence says no more than that what its absences looked for is not in the document."""
        if any(finding.weight is not Weight.PASS for finding in granted):
            return False
        looked_for = " ".join([*(finding.text for finding in granted), *(f.message for f in granted)])
        text = without_mentioning(sentence.text)
        if _held(text, looked_for):
            return denies_mention(sentence.text) or not stem_set([text], "en") - _reporting()
        named = any(finding.text.split(";")[0].casefold() in text.casefold() for finding in granted)
        return named and denies_mention(sentence.text) and _held(text, f"{looked_for} {self.question}")

    def _told(self, sentence: Spoken, check: SentenceCheck) -> Iterator[Finding]:
        yield from self._calculated(sentence, check)
        asked = {token.core for token in number_tokens(self.question)}
        results = {number.declared.as_printed for number in check.claim.numbers if number.declared.expr is not None}
        numbers = [n for n in check.claim.said if n.weight > Weight.PARTIAL or n.status is NumberStatus.IMAGE_ONLY]
        numbers = [n for n in numbers if n.text not in results]
        open_ = [item for item in check.claim.uncovered if item.kind in _NUMBER_KINDS]
        told = {number.text for number in numbers} | results
        items = [(n.text, n.status.value, max(n.weight, Weight.REVIEW), n.message) for n in numbers]
        items += [
            (i.text, "no_evidence", i.weight, i.message) for i in open_ if not any(i.text in text for text in told)
        ]
        for text, status, weight, message in items:
            if weight is Weight.FAIL and {token.core for token in number_tokens(text)} <= asked and asked:
                weight, message = Weight.REVIEW, "only the question says so"
            elif pages := self.places.pages_printing(text):
                message = f"{message or 'nothing that was quoted or cited shows it'}; it is printed on {pages}"
            start = self.marks.body.find(text, sentence.start, sentence.end)
            place = (start, start + len(text)) if start >= 0 else (sentence.start, sentence.end)
            yield Finding(
                "number", text, status, weight, *place, message or "nothing that was quoted or cited shows it"
            )
        start, end = self._trimmed(sentence)
        weight = min(check.weight, Weight.REVIEW) if items else check.weight
        yield Finding("sentence", sentence.text, check.status.value, weight, start, end, check.message)

    def _calculated(self, sentence: Spoken, check: SentenceCheck) -> Iterator[Finding]:
        results = [number for number in check.claim.numbers if number.declared.expr is not None]
        for mark, number in zip(sentence.calculations, results, strict=False):
            text = f"{number.declared.as_printed} [= {mark.expression}]"
            status = "computed" if number.weight is Weight.PASS else number.status.value
            message = "inputs chosen by the model" if number.weight is Weight.PASS else number.message
            yield Finding("number", text, status, number.weight, mark.start, mark.end, message)

    def _trimmed(self, sentence: Spoken) -> tuple[int, int]:
        text = self.marks.body[sentence.start : sentence.end]
        return sentence.start + len(text) - len(text.lstrip()), sentence.start + len(text.rstrip())

    # ------------------------------------------------------------ ledger

    def _note(self, findings: Sequence[Finding]) -> None:
        for finding in findings:
            if finding.holds:
                for piece in finding.evidence:
                    ranges = [PageRange(piece.page, piece.start, piece.end)]
                    self.session.ledger(piece.edition).record(Exposure.CITED, ranges)


_ORDER = [
    SentenceStatus.PLAIN, SentenceStatus.PROVEN, SentenceStatus.GROUNDED, SentenceStatus.CITED, SentenceStatus.UNCITED
]  # fmt: skip
_REPORTING_WORDS = (
    "document report text file filing page section chapter mention discuss say state information provide give include describe refer "
    "reference address cover find found present available contain appear anything nothing specify disclose list key finding summary answer overview "
    "evidence source detail result conclusion question quote"
)


@lru_cache(maxsize=1)
def _reporting() -> frozenset[str]:
    return stem_set([_REPORTING_WORDS], "en")


def _in_order(wanted: Sequence[str], among: Sequence[str]) -> bool:
    """Whether all stems follow each other in a list, others between them or not."""
    rest = iter(among)
    return all(stem in rest for stem in wanted)


def _held(text: str, among: str) -> bool:
    """Whether every content word of a text is among those of another, or is a word about documents."""
    language = language_of(text)
    return stem_set([text], language) <= stem_set([among], language) | _reporting()


_POLARITY = re.compile(
    r"\W*(?:yes|no|yep|nope|correct|incorrect|true|false|ja|nein|oui|non|s[ií]|sim|não|да|нет|نعم|لا|是的?|不是|否|对|はい|いいえ)(?:\s*$|[.,:;!。，：！؛،]|\s+[–—-])",
    re.IGNORECASE,
)
_YES_OR_NO = "yes or no to the question: whether that follows is not judged"
_SPREAD = "its numbers stand in several documents; that they go together is not judged"
