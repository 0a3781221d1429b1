"""Words that deny, in the languages that are read: closed classes of each grammar, used to see that one stands right beside a passage.

They decide no verdict by themselves; a passage that begins or ends at one is widened to take it in, and says so.
"""

from __future__ import annotations

import re

__all__ = ["NEGATIONS", "is_negation", "negated_before", "negated_behind"]

#: By language; forms are casefolded. Words that also mean something frequent (``point``, ``ما``) are left out.
NEGATIONS: dict[str, str] = {
    "en": "not no never cannot without neither nor none nobody nothing nowhere hardly scarcely barely",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals nirgends ohne weder kaum nichts",
    "fr": "ne pas jamais aucun aucune sans ni rien nullement guère",
    "es": "no nunca jamás sin ni ningún ninguno ninguna tampoco nada",
    "pt": "não nunca jamais sem nem nenhum nenhuma nada",
    "it": "non né senza mai nessun nessuno nessuna niente nulla",
    "nl": "niet geen nooit zonder noch niets",
    "ru": "не ни нет без никогда нельзя нигде",
    "uk": "не ні немає без ніколи",
    "pl": "nie bez nigdy ani",
    "cs": "ne není bez nikdy ani",
    "sv": "inte ej icke utan aldrig ingen inget inga",
    "da": "ikke ej uden aldrig ingen intet",
    "tr": "değil yok hayır",
    "el": "δεν μην όχι χωρίς ούτε ποτέ",
    "ar": "لا لم لن ليس ليست غير بدون",
    "fa": "نه هیچ بدون نیست نیستند",
    "he": "לא אין בלי ללא אינו אינה",
    "hi": "नहीं न मत बिना",
    "id": "tidak bukan tanpa belum jangan",
    "vi": "không chưa chẳng",
}
_ALL = frozenset(word for words in NEGATIONS.values() for word in words.split())
_UNSPACED = "不没沒無无未非勿莫別别"  # Chinese: right before what they deny
_BEFORE = re.compile(r"([^\W\d_]+(?:['’]t)?)\s{1,3}\Z")
_BEHIND = re.compile(r"\s{1,3}([^\W\d_]+(?:['’]t)?)(?!\w)")
_LONGEST = 16
_NO_NEGATION = re.compile(r"[\u4e00-\u9fff]")


def is_negation(word: str) -> bool:
    """Whether a word denies; ``n't`` counts."""
    plain = word.casefold().replace("’", "'")
    return plain in _ALL or plain.endswith("n't")


def negated_before(text: str, start: int) -> int:
    """Where the negation begins that stands right before ``start``; ``start`` where none does."""
    before = text[max(0, start - _LONGEST) : start]
    if before[-1:] and before[-1:] in _UNSPACED and _NO_NEGATION.match(text[start : start + 1]):
        return start - 1
    found = _BEFORE.search(before)
    return start - len(found.group()) if found and is_negation(found.group(1)) else start


def negated_behind(text: str, end: int) -> int:
    """Where the negation ends that stands right behind ``end``; ``end`` where none does."""
    found = _BEHIND.match(text, end, end + _LONGEST)
    return found.end() if found and is_negation(found.group(1)) else end
