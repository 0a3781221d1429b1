"""What language a document is in: its script, then the commonest short words of the languages that share it."""

from __future__ import annotations

import re
from collections import Counter

from pageindex.document import Edition

__all__ = ["guess", "guess_text"]

SAMPLE = 20_000  #: Characters looked at, spread over the document.
MIN_LETTERS = 40

#: Scripts that one language is written in, by ranges of code points. The order matters: kana decides Japanese before Han does Chinese.
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("zh", "\u4e00-\u9fff"),
    ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("he", "\u0590-\u05ff"),
    ("el", "\u0370-\u03ff"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)
_RARE = {"ja": 0.05, "ko": 0.2}  #: Shares that suffice: kana and Hangul stand among Han characters.
_ARABIC, _CYRILLIC, _LATIN = "\u0600-\u06ff\ufb50-\ufeff", "\u0400-\u04ff", "A-Za-z\u00c0-\u024f"
_PERSIAN, _UKRAINIAN = "پچژگکی", "іїєґ"

#: Function words that are frequent in one language and rare in the others.
_WORDS: dict[str, str] = {
    "en": "the and of to is that for with are this",
    "de": "der die und das nicht ist mit von ein werden",
    "fr": "les des est dans une pour que qui sur avec",
    "es": "los las el una por con para que del como",
    "pt": "os uma não para com que são dos mais pelo",
    "it": "il della che di per una sono gli delle nel",
    "nl": "het een van en niet voor zijn met dat worden",
    "pl": "nie się na jest do że oraz przez lub które",
    "sv": "och att det som är inte för med av den",
    "da": "og det ikke til er som med af den på",
    "cs": "se na je že jsou pro nebo jako při být",
    "tr": "ve bir bu için ile olarak da olan gibi daha",
    "id": "yang dan di untuk dengan dari pada tidak ini adalah",
    "vi": "của và các là được trong cho không một có",
}
_BY_WORD: dict[str, list[str]] = {}
for _language, _listed in _WORDS.items():
    for _word in _listed.split():
        _BY_WORD.setdefault(_word, []).append(_language)


def guess(edition: Edition) -> str:
    """BCP 47 primary tag, or empty where there is too little text to tell."""
    text = _sample(edition)
    if sum(map(str.isalpha, text)) < MIN_LETTERS:
        return _declared(edition)
    return guess_text(text) or _declared(edition)


def guess_text(text: str, fewest: int = 5) -> str:
    """The same of a text; ``fewest`` says how many function words must speak for a language of Latin script."""
    letters = sum(map(str.isalpha, text)) or 1
    for language, script in _SCRIPTS:
        if _share(script, text, letters) >= _RARE.get(language, 0.3):
            return language
    if _share(_ARABIC, text, letters) >= 0.3:
        return "fa" if len(re.findall(f"[{_PERSIAN}]", text)) > 0.01 * letters else "ar"
    if _share(_CYRILLIC, text, letters) >= 0.3:
        return "uk" if len(re.findall(f"[{_UKRAINIAN}]", text)) > 0.01 * letters else "ru"
    return _by_words(text, fewest)


def _sample(edition: Edition) -> str:
    each = max(SAMPLE // len(edition.pages), 200)
    step = max(len(edition.pages) * each // SAMPLE, 1)
    return "\n".join(page.text[:each] for page in edition.pages[::step])[: 2 * SAMPLE]


def _share(script: str, text: str, letters: int) -> float:
    return len(re.findall(f"[{script}]", text)) / letters


def _by_words(text: str, fewest: int) -> str:
    counts: Counter[str] = Counter()
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        for language in _BY_WORD.get(word, ()):
            counts[language] += 1
    best = counts.most_common(2)
    if not best or best[0][1] < fewest:
        return ""
    return best[0][0]


def _declared(edition: Edition) -> str:
    tag = edition.info.get("language", "").replace("_", "-").split("-")[0].lower()
    return tag if 2 <= len(tag) <= 3 and tag.isalpha() else ""
