"""“It is not in there” is a claim like any other: looked for on every page, granted only over pages that can be read.

A model marks such a claim with ``<absent …/>``. Unmarked ones are noticed by their wording, in English only; in any language an answer
whose sentences carry no evidence shows that in its report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pageindex.app.document import OpenDocument
from pageindex.chat.findings import Finding
from pageindex.chat.markup import AbsenceMark, Markup, blank_out
from pageindex.chat.places import Places
from pageindex.document.pagespec import format_pages
from pageindex.errors import PageIndexError
from pageindex.evidence.absence import Absence, AbsenceRefused, Grade, Scope, prove_absence
from pageindex.evidence.status import Weight
from pageindex.tools import Reader
from pageindex.tools.coverage import coverage_line
from pageindex.tools.envelope import Refusal
from pageindex.tools.read import find_section
from pageindex.tools.shown import clean

__all__ = ["AbsenceChecker", "denies_mention", "without_mentioning"]

_MOST_DOCUMENTS = 20
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_SAID = r"(?:mention|stat|found|find|contain|disclos|provid|report|specif|appear|includ|present|availabl|giv|list|discuss|address|describ|refer|reveal|say|said)"
_WORDING = re.compile(
    rf"\b(?:not|never|nowhere|cannot|can't|couldn't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't)\b[^.]{{0,40}}?\b{_SAID}\w*"
    r"|\bno\s+(?:\w+\s+){0,2}?(?:mention|information|reference|evidence|indication|details?|data)\b"
    r"|\bis\s+(?:absent|missing)\s+from\b",
    re.IGNORECASE,
)
#: "does not mention" in further languages: a verb of mentioning beside a negation, in either order.
_ABROAD = re.compile(
    r"\b(?:erwähn|nenn|enthäl|enthalt|find|vorkomm|steh)\w*\b[^.]{0,80}\b(?:nicht|kein\w*|nirgends)\b|\b(?:nicht|kein\w*|nirgends)\b[^.]{0,80}\b(?:erwähn|nenn|enthalt|find|vorkomm)\w*"
    r"|\b(?:ne|n['’])\s*(?:mentionn|contien|parl|figur|trouv|cit)\w*\s+(?:pas|nulle|aucun)|\bn['’]est\s+pas\s+mentionn"
    r"|\bno\s+(?:se\s+)?(?:menciona|contiene|habla|figura|encuentra|aparece|cita)"
    r"|[没未沒不](?:有)?(?:提到|提及|包含|涉及|讨论|討論|出现|出現)|(?:言及|記載|記述)\S{0,4}(?:ない|ません)|(?:لا|لم)\s+(?:يذكر|تذكر|يرد|يحتوي|يتضمن)"
    r"|\bне\s+(?:упомина|содерж|встреча|говор)\w*",
    re.IGNORECASE,
)

_VERBS_ABROAD = re.compile(
    r"\b(?:dokument|bericht|rapport|informe|документ)\w*|\b(?:erwähn|nenn|enth[aä]l|find|mentionn|contien|parl|figur|trouv|cit|mencion|habl|encuentr|aparec)\w*|"
    r"\b(?:упомина|содерж|встреча|говор)\w*|文件|提到|提及|包含|涉及|讨论|討論|出现|出現|言及|記載|記述|المستند|يذكر|تذكر|يرد|يحتوي|يتضمن",
    re.IGNORECASE,
)


def denies_mention(text: str) -> bool:
    """Whether a sentence says that a document does not mention something."""
    return bool(_WORDING.search(text) or _ABROAD.search(text))


def without_mentioning(text: str) -> str:
    """A sentence without the verb, in other languages than English, that says that something is not mentioned."""
    return _VERBS_ABROAD.sub(" ", text) if _ABROAD.search(text) else text


@dataclass(frozen=True)
class AbsenceChecker:
    """Checks the absences of one answer.

    Attributes:
        session: The reader's view.
        places: Of its citations.
        marks: Of the answer.
        quotes: Quotes that hold: a denial that is quoted from the document is no absence.
        question: What the user said; the words looked for must be of it, or of the paragraph that the mark stands in.
    """

    session: Reader
    places: Places
    marks: Markup
    quotes: Sequence[Finding]
    question: str = ""

    def findings(self) -> list[Finding]:
        return [*(self._marked(mark) for mark in self.marks.absences), *self._unmarked()]

    # ------------------------------------------------------------ marked

    def _marked(self, mark: AbsenceMark) -> Finding:
        if not mark.words:
            message = "the absence names no words to look for"
            return Finding("absence", self._text(mark), "no_words", Weight.FAIL, mark.start, mark.end, message)
        try:
            documents = self._documents(mark)
        except PageIndexError as error:
            return Finding("absence", self._text(mark), "unknown_document", Weight.FAIL, mark.start, mark.end, error.message)  # fmt: skip
        results = []
        for document in documents:
            try:
                results.append((document, self._prove(document, mark)))
            except PageIndexError as error:
                return Finding("absence", self._text(mark), error.code.lower(), Weight.FAIL, mark.start, mark.end, error.message)  # fmt: skip
        refused = next(((d, r) for d, r in results if isinstance(r, AbsenceRefused)), None)
        if refused is not None:
            return self._refused(mark, *refused)
        granted = [result for _, result in results if isinstance(result, Absence)]
        names = ", ".join(clean(document.name) for document in documents)
        message = "; ".join(str(result) for result in granted)
        return Finding("absence", "; ".join(mark.words), "absent", Weight.PASS, mark.start, mark.end, message, names)

    def _text(self, mark: AbsenceMark) -> str:
        return "; ".join(mark.words) or self.marks.body[mark.start : mark.end]

    def _documents(self, mark: AbsenceMark) -> list[OpenDocument]:
        if mark.document or self.session.scope is None:
            return [self.places.document(mark.document)]
        records = self.session.records_in_scope()
        if len(records) > _MOST_DOCUMENTS:
            raise PageIndexError(f"{len(records)} documents are too many for one absence", "Name the document.")
        return [self.session.opened(record) for record in records]

    def _prove(self, document: OpenDocument, mark: AbsenceMark) -> Absence | AbsenceRefused:
        edition = document.edition
        try:
            scope = Scope.of_section(find_section(document, mark.section)) if mark.section else None
        except Refusal as refusal:
            raise refusal.error from refusal
        ledger = self.session.ledger(edition.id)
        start, end = self.marks.block_of(mark.start)
        said = f"{self.question}\n{blank_out(self.marks.body, self.marks.absences)[start:end]}"
        read = prove_absence(edition, mark.words, scope, grade=Grade.READ, ledger=ledger, said=said)
        if isinstance(read, AbsenceRefused) and read.reason == "unread":
            return prove_absence(edition, mark.words, scope, ledger=ledger, said=said)
        return read

    def _refused(self, mark: AbsenceMark, document: OpenDocument, refused: AbsenceRefused) -> Finding:
        name = clean(document.name)
        if refused.reason == "present":
            query, page = refused.hits[0]
            message = f"{query!r} stands on page {page} of {name}"
        elif refused.hits or refused.unasked:
            message = f"{name}: {refused}"
        else:
            pages = format_pages([page for page, _ in refused.pages])
            reasons = ", ".join(sorted({reason for _, reason in refused.pages}))
            message = f"pages {pages} of {name} cannot be searched ({reasons}), so it may stand there"
        # What a picture may hold is unproven, not wrong.
        weight = Weight.REVIEW if refused.reason == "blocked" else Weight.FAIL
        return Finding("absence", "; ".join(mark.words), refused.reason, weight, mark.start, mark.end, message, name)

    # ------------------------------------------------------------ unmarked

    def _unmarked(self) -> Iterator[Finding]:
        """Sentences that say something is not there, without a mark that says where it was sought."""
        plain = blank_out(self.marks.body, [*self.marks.citations, *self.marks.quotes, *self.marks.calculations])
        for start, end in self.marks.blocks:
            starts = [mark.start for mark in self.marks.absences] + [quote.start for quote in self.quotes]
            if any(start <= at < end for at in starts):
                continue
            for match in _SENTENCE.finditer(plain, start, end):
                if _WORDING.search(match.group()):
                    text = self.marks.body[match.start() : match.end()].strip()
                    yield Finding(
                        "absence", text, "unchecked", Weight.FAIL, match.start(), match.end(), self._unchecked()
                    )
                    break

    def _unchecked(self) -> str:
        lines = "; ".join(coverage_line(self.session, document) for document in self.places.read())
        read = f" ({lines})" if lines else ""
        return f"it is said to be missing without a search of every page{read}; add an <absent …/> mark with the words to look for"
