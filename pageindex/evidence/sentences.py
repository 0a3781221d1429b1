"""Every sentence of an answer is accounted for: proven, grounded, cited or uncited, by the one checker of claims.

*Proven*: its words stand in quotes that hold, or its numbers in cells whose row and period it names. *Grounded*: a read passage that it
cites holds its names, numbers and content words close together, inflected or not, and denies or asserts as it does. *Cited*: it points to a
read page, no more. *Uncited*: it rests on nothing. Whether a grounded sentence means what the passage means is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from pageindex.document import Edition, PageRange
from pageindex.evidence.claims import NOT_JUDGED, Claim, ClaimCheck, QuoteRef, Session
from pageindex.evidence.declared import Declared
from pageindex.evidence.ledger import Ledger
from pageindex.evidence.numbers.quantities import Role, quantities
from pageindex.evidence.quotes.locate import OcrText
from pageindex.evidence.sentence import identity, own_names, proper_names
from pageindex.evidence.status import Verdict, Weight, verdict
from pageindex.evidence.tables.rebuild import CharacterSource
from pageindex.evidence.wording import content_words, direction, directions, language_of, negations, stem_set
from pageindex.text.folding import fold, skeleton_text
from pageindex.text.words import fold as fold_word

__all__ = ["Account", "Sentence", "SentenceCheck", "SentenceStatus", "account", "is_factual"]

_WINDOW = 3  #: Printed sentences in a row that may hold the words of one.
_LEADS_ON = (":", "：", ",", "，", "…")
_COMBINED = re.compile(r"(?:[^\W\d_][\u0331-\u0338\u20d0-\u20ff]){2}")  # letters under strokes, which fold to no words
_UNSPACED_BREAK = re.compile(
    "(?<=[\u3040-\u30ff\u3400-\u9fff\uff0c\u3001])[ \\t]*\\r?\\n[ \\t]*(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_PRINTED_END = re.compile(r"(?<=[.!?。！？؟])[\"'”’»)\]]*\s+|(?<=[。！？])|\n\s*\n")
_OFFER = re.compile(
    r"\s*(?:shall i|should i|may i|can i|would you like|do you want|soll ich|möchten sie|souhaitez-vous|voulez-vous|quiere|desea)\b(?!.*\bthat\b).*[?？]\s*$",
    re.IGNORECASE,
)
_ASIDE_WORDS = 14
#: Words that lead a reader on, or name the parts of an answer and of a document: a line of these says nothing of the document's subject.
_NEUTRAL: dict[str, str] = {
    "en": "me us whether know let please feel free hope help like want need detail information question answer look find found read ask tell explain summary "
    "quote quotation passage evidence further else anything something thank glad here below above relevant key point result note source citation reference "
    "document file report text section chapter finding overview conclusion overall additionally moreover furthermore finally first second third next example "
    "well",
    "de": "bitte sagt besagt nennt lautet heisst zusammenfassung antwort frage quelle quellen zitat zitate dokument text abschnitt beispiel hinweis fundstelle ergebnis überblick ferner außerdem "
    "zudem schließlich folgend hier steht heißt gerne weitere einzelheiten hilft",
    "fr": "voici résumé réponse question source sources citation citations document texte section exemple note passage résultat aperçu enfin ensuite dit indique "
    "merci détails autres",
    "es": "aquí resumen respuesta pregunta fuente fuentes cita citas documento texto sección ejemplo nota pasaje resultado además finalmente dice indica gracias detalles",
    "pt": "aqui resumo resposta pergunta fonte fontes citação citações documento texto seção exemplo nota passagem resultado além finalmente diz indica obrigado detalhes",
    "ru": "вот итог ответ вопрос источник источники цитата цитаты документ документе текст тексте раздел пример примечание результат кроме наконец сказано говорится",
    "zh": "根据 依据 提到 说 中 记载 写道 以下 摘要 回答 答案 问题 来源 引文 引用 文件 文档 原文 章节 例如 注意 结果 指出 如下 总结",
    "ja": "以下 要約 回答 質問 出典 引用 文書 原文 章 例 注 結果 概要",
    "ar": "فيما يلي ملخص إجابة الجواب سؤال السؤال مصدر المصدر اقتباس المستند الوثيقة النص قسم مثال ملاحظة نتيجة يقول ينص",
    "fa": "خلاصه پاسخ پرسش منبع سند متن بخش مثال نتیجه",
}
#: Verbs of reporting, which say nothing where a document reports, or a colon follows.
_REPORTING = "mention discuss say state address cover provide give include describe list read show contain"
#: Words that assent or deny, and nothing else: what they assent to stands elsewhere.
_BARE = re.compile(
    r"\W*(?:yes|no|yep|nope|ja|nein|oui|non|s[ií]|sim|não|да|нет|نعم|لا|بله|نه|是的?|不是|否|对|はい|いいえ|correct|incorrect|true|false)\W*",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"[\u2600-\u2712\u2715-\u2793\u2795-\u27bf\U0001f000-\U0001faff]"
)  # a picture that may be meant as a word


class SentenceStatus(StrEnum):
    """What a sentence of an answer rests on, best first."""

    PLAIN = "plain"  # says nothing that could be checked
    PROVEN = "proven"
    GROUNDED = "grounded"
    CITED = "cited"
    UNCITED = "uncited"

    @property
    def weight(self) -> Weight:
        return {
            SentenceStatus.PLAIN: Weight.PASS,
            SentenceStatus.PROVEN: Weight.PASS,
            SentenceStatus.GROUNDED: Weight.PARTIAL,
        }.get(self, Weight.REVIEW)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer on its way to being checked.

    Attributes:
        text: Its words, quotations included, without citation marks and markup.
        quotes: Its quotations, each with the page it cites.
        numbers: Calculations it spells out, as ``Declared(as_printed, expr=…)`` over the numbers before them; usually empty.
        cites: The ranges of pages that it cites and that were read; empty where it cites nothing, or nothing that was read.
        start, end: Its characters in the answer, for those who report.
    """

    text: str
    quotes: tuple[QuoteRef, ...] = ()
    numbers: tuple[Declared, ...] = ()
    cites: tuple[PageRange, ...] = ()
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """What became of a sentence.

    Attributes:
        sentence: As given.
        status: What it rests on.
        claim: The check of its quotes and numbers.
        missing: Content words that the passage cited does not hold, where that kept it from being grounded.
        message: One line for people; empty for a proven sentence.
    """

    sentence: Sentence
    status: SentenceStatus
    claim: ClaimCheck
    missing: tuple[str, ...] = ()
    message: str = ""

    @property
    def refuted(self) -> bool:
        """Whether a quote of it does not hold, or a number of it is contradicted or printed nowhere in what it cites."""
        return self.claim.weight is Weight.FAIL and self.status is not SentenceStatus.PLAIN

    @property
    def weight(self) -> Weight:
        return Weight.FAIL if self.refuted else self.status.weight

    def to_json(self) -> dict[str, Any]:
        """``{text, status, weight, message, missing, quotes, numbers, sentence, uncovered}``."""
        claim = self.claim.to_json()
        return {
            "text": self.sentence.text,
            "status": self.status.value,
            "weight": self.weight.name.lower(),
            "message": self.message,
            "missing": list(self.missing),
            **{key: claim[key] for key in ("quotes", "numbers", "sentence", "uncovered")},
        }


@dataclass(frozen=True)
class Account:
    """All sentences of an answer about one document."""

    checks: tuple[SentenceCheck, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """PASS when all are proven, PARTIAL when some are only grounded, NEEDS_REVIEW when one is cited or uncited, FAIL when one is refuted."""
        return verdict(check.weight for check in self.checks)

    @property
    def summary(self) -> str:
        """One line: how many sentences rest on what, and what is not judged."""
        told = [check for check in self.checks if check.status is not SentenceStatus.PLAIN]
        count = {status: sum(check.status is status for check in told) for status in SentenceStatus}
        refuted = sum(check.refuted for check in told)
        parts = [
            f"{refuted} of {len(told)} sentences are contradicted or hold a number that is printed nowhere"
            if refuted
            else "",
            f"{count[SentenceStatus.UNCITED]} of {len(told)} sentences rest on nothing"
            if count[SentenceStatus.UNCITED]
            else "",
            f"{count[SentenceStatus.CITED]} of {len(told)} only cite a page" if count[SentenceStatus.CITED] else "",
            f"{count[SentenceStatus.GROUNDED]} of {len(told)}: words found, meaning not judged"
            if count[SentenceStatus.GROUNDED]
            else "",
        ]
        said = "; ".join(part for part in parts if part) or f"all {len(told)} sentences are proven"
        return f"{said[0].upper()}{said[1:]}. {NOT_JUDGED}"

    def to_json(self) -> dict[str, Any]:
        """``{verdict, summary, sentences}``."""
        return {
            "verdict": self.verdict.value,
            "summary": self.summary,
            "sentences": [check.to_json() for check in self.checks],
        }


def account(
    edition: Edition,
    sentences: Sequence[Sentence],
    *,
    characters: CharacterSource | None = None,
    ocr: OcrText | None = None,
    ledger: Ledger | None = None,
    others: Sequence[Edition] = (),
) -> Account:
    """Account for sentences about one document; the arguments are those of ``check_claims``.

    Raises PageRangeError for a quote that cites a page that does not exist.
    """
    session = Session(edition, characters, ocr, ledger, tuple(others))
    return Account(tuple(_checked(session, sentence, index) for index, sentence in enumerate(sentences, start=1)))


def is_factual(text: str, language: str = "") -> bool:
    """Whether a sentence says something that could be checked, in however few words.

    Everything does but a bare yes or no, and what only leads the reader on or names a part of the answer ("let me know if you need more", "Sources:").
    """
    language = language or language_of(text)
    plain = fold(text).text
    if any(q.role is not Role.PAGE for q in quantities(text, language)) or _SIGN.search(text):
        return True
    if not any(character.isalpha() for character in plain) or _BARE.fullmatch(plain):
        return False
    said = content_words(_without_neutral(plain) if language in ("zh", "ja") else plain, language)
    rest = [word for word in said if not _is_neutral(plain[word.start : word.end], word.stem, language)]
    reporting = [word for word in rest if word.stem in stem_set([_REPORTING], "en")]
    if len(rest) > len(reporting) or _COMBINED.search(text):
        return True
    leads_on = plain.rstrip().endswith(_LEADS_ON)
    if reporting and not (leads_on or len(said) > len(rest)):
        return True
    if _OFFER.match(text) and len(text.split()) <= _ASIDE_WORDS:
        return False
    if negations(plain, language):
        return True
    return not said and not leads_on  # "It did.": of words that only point


def _is_neutral(word: str, stem: str, language: str) -> bool:
    return bool({stem, fold_word(word)} & _labels()) or stem in stem_set([_NEUTRAL.get(language, "")], language)


def _without_neutral(text: str) -> str:
    for word in sorted((*_NEUTRAL["zh"].split(), *_NEUTRAL["ja"].split()), key=len, reverse=True):
        text = text.replace(word, " ")
    return text


@lru_cache(maxsize=1)
def _labels() -> frozenset[str]:
    """The neutral words of all languages: what language a label of one word is in nobody can tell."""
    words = frozenset(fold_word(word) for words in _NEUTRAL.values() for word in words.split())
    return words | stem_set([_NEUTRAL["en"]], "en")


def _checked(session: Session, sentence: Sentence, index: int) -> SentenceCheck:
    claim = Claim(str(index), sentence.text, sentence.quotes, sentence.numbers)
    check = session.check(claim, sentence.cites)
    language = language_of(sentence.text, session.language)
    if not (is_factual(sentence.text, language) or (sentence.quotes and content_words(sentence.text, language))):
        return SentenceCheck(sentence, SentenceStatus.PLAIN, check)
    if check.proven and _SIGN.search(sentence.text):
        return SentenceCheck(
            sentence, SentenceStatus.CITED, check, (), "a picture beside the words may be meant as one"
        )
    if check.proven and not (check.said or content_words(sentence.text, language)):
        return SentenceCheck(sentence, SentenceStatus.CITED, check, (), "it has no word that says something")
    if check.proven:
        return SentenceCheck(sentence, SentenceStatus.PROVEN, check)
    missing, message = _grounding(session.edition, sentence, check, language)
    if sentence.cites and message == "":
        return SentenceCheck(sentence, SentenceStatus.GROUNDED, check, (), "words found, meaning not judged")
    status = (
        SentenceStatus.CITED
        if sentence.cites or any(q.weight < Weight.FAIL for q in check.quotes)
        else SentenceStatus.UNCITED
    )
    return SentenceCheck(sentence, status, check, missing, message or _why(check))


def _why(check: ClaimCheck) -> str:
    quote = next((quote for quote in check.quotes if quote.weight is Weight.FAIL), None)
    if quote is not None:
        return f"a quote does not hold: {quote.status.value}"
    worst = max(check.uncovered, key=lambda item: item.weight, default=None)
    return f"{worst.text}: {worst.message}".strip(": ") if worst else "it rests on nothing"


# ---------------------------------------------------------------- grounding


def _grounding(edition: Edition, sentence: Sentence, check: ClaimCheck, language: str) -> tuple[tuple[str, ...], str]:
    """The content words that no window of the cited passages holds, and why the sentence is not grounded; empty when it is."""
    if not sentence.cites:
        return (), "it cites nothing that was read"
    unproven = next((number for number in check.said if number.weight is not Weight.PASS), None)
    if unproven is not None:
        return (), f"{unproven.text}: {unproven.message}"
    printed = [text for place in sentence.cites for text in _windows(edition, place)]
    wanted = {word.stem: sentence.text[word.start : word.end] for word in content_words(sentence.text, language)}
    own = identity(edition, language)
    best: tuple[tuple[str, ...], str] | None = None
    for window in printed:
        missing = _missing(sentence.text, wanted, window, own, language)
        if best is None or len(missing) < len(best[0]):
            best = missing, window
    if best is None:
        return tuple(wanted.values()), "the pages it cites hold no text"
    missing, window = best
    unnamed = [name for name in proper_names(sentence.text) if not _names(name, window, edition)]
    if missing or unnamed:
        words = tuple(dict.fromkeys((*unnamed, *missing)))
        return words, f"not in the passage cited: {', '.join(words[:6])}"
    return (), _opposed(sentence.text, window, language)


def _missing(text: str, wanted: dict[str, str], window: str, own: frozenset[str], language: str) -> tuple[str, ...]:
    """The words that a window does not hold; a word of direction is held by any word of the same direction."""
    held = stem_set([window], language) | own
    turned = direction([window], language)
    moves = {text[start:end] for sign, start, end in directions(text, language) if sign == turned}
    return tuple(word for stem, word in wanted.items() if stem not in held and word not in moves)


def _names(name: str, window: str, edition: Edition) -> bool:
    wanted = skeleton_text(fold(name).text)
    return wanted in skeleton_text(fold(window).text) or wanted in own_names(edition)


def _opposed(text: str, window: str, language: str) -> str:
    """Whether the sentence and the printed sentences that hold its words differ in denying, or go opposite ways; empty when they agree."""
    stems = stem_set([text], language)
    lines = [line for line in _PRINTED_END.split(window) if line and stem_set([line], language) & stems]
    shared = max(lines, key=lambda line: len(stem_set([line], language) & stems), default=window)
    if bool(negations(text, language)) != bool(negations(shared, language)):
        return "one of the two denies: the sentence, or the passage cited"
    one, other = direction([text], language), direction([shared], language)
    return "the passage cited goes the other way" if one and other and one != other else ""


def _windows(edition: Edition, place: PageRange) -> Iterator[str]:
    """Up to three printed sentences in a row of a range of a page."""
    raw = _UNSPACED_BREAK.sub("", edition.page(place.page).words(place.start, place.end))
    parts = [
        " ".join(part.split())
        for part in _PRINTED_END.split(re.sub("[-\x02\u00ad\u2010]\r?\n(?=[^\\W\\d_])", "", raw))
        if part.strip()
    ]
    for index in range(len(parts)):
        yield " ".join(parts[index : index + _WINDOW])
