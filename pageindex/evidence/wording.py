"""The words of a sentence that say something: content words by their stems, names, negations, and words of direction.

Function words and verbs of reporting ("was", "reported") carry no content of their own. Written for en de fr es pt ru zh ja ar fa; in any
other language every word counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pageindex.text.language import guess_text
from pageindex.text.words import Stemmer, fold, words

__all__ = ["Word", "content_words", "direction", "directions", "language_of", "negations", "stem_set"]

_FUNCTION: dict[str, str] = {
    "en": "the a an and or but if of in on at to for from by with as is are was were be been being has have had do does did will would can could "
    "may might shall should must this that these those it its their his her our your they we he she i you who which whose what when where than "
    "then so such into onto over under about between among during per each every both all any some other also only just more most less least "
    "very up down out off not no nor there here while because since until after before against within without through upon via s t re ll ve m d "
    "respectively approximately nearly almost around roughly compared versus including excluding ended ending end fiscal calendar year years "
    "quarter months month million billion thousand trillion percent percentage points dollars dollar usd figure figures amount amounts amounted "
    "total totaled totalled totalling came come stood stand reached reach reported report reports recorded record posted post shows show showed "
    "shown says said state states stated according generated generate earned earn had spent paid saw see was recognised recognized made make "
    "company's company firm business document page table note whole full period prior previous last earlier ago same one following follows "
    "respective equal equals equaled equalled exactly precisely overall respectively worth value valued level today thus therefore however their "
    "increase increased decrease decreased",
    "de": "der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf zu zum zur von vom für mit bei nach aus über unter "
    "als ist sind war waren wird werden wurde wurden sein hat haben hatte hatten kann können muss müssen soll dies diese dieser dieses es sie er wir "
    "ihr sich auch nur noch mehr weniger rund etwa fast knapp sowie wie um bis durch gegen ohne nicht kein keine betrug betrugen beträgt belief "
    "beliefen lag lagen erreichte erzielte erzielten jahr jahre geschäftsjahr quartal prozent millionen milliarden million milliarde euro laut "
    "gegenüber vorjahr jeweils insgesamt unternehmen gesellschaft seite bericht dass",
    "fr": "le la les un une des du de d l et ou mais à au aux en dans sur par pour avec sans sous entre est sont était étaient a ont avait avaient être "
    "été ce cette ces il elle ils elles on nous vous se sa son ses leur leurs qui que qu dont où ne pas plus moins très environ près presque soit "
    "s n c y atteint atteignait élève élevait élevé établit établi établie représente année exercice trimestre millions milliards million milliard "
    "euros pour cent total page rapport société entreprise selon contre comparé respectivement",
    "es": "el la los las un una unos unas de del y o pero a al en con por para sin sobre entre es son fue fueron era eran ha han había ser estar está "
    "este esta estos estas ese esa que se su sus lo le les nos como más menos muy cerca casi unos aproximadamente alcanzó alcanzaron ascendió "
    "ascendieron total año ejercicio trimestre millones millón mil euros ciento página informe empresa compañía según frente respecto respectivamente no",
    "pt": "o a os as um uma uns umas de do da dos das e ou mas em no na nos nas com por para sem sobre entre é são foi foram era eram há tem têm ser "
    "este esta estes estas esse essa que se seu sua seus suas lhe ao aos à às como mais menos muito cerca quase aproximadamente atingiu atingiram "
    "totalizou somou alcançou ano exercício trimestre milhões milhão bilhões bilhão mil reais euros cento página relatório empresa segundo "
    "respectivamente não",
    "ru": "и или но а в во на к ко с со из от до по за для при о об у без над под между что как это этот эта эти он она оно они мы вы я его её ее их "
    "был была было были есть составил составила составило составили составляет достиг достигла достигло достигли году год года годом лет квартале "
    "квартал миллионов миллиона миллион миллиардов миллиарда млн млрд тыс руб рублей процентов процента долларов евро около почти более менее "
    "соответственно согласно также не нет ни компания компании общество страница отчет отчёт всего",
    "ar": "في من إلى على عن مع هذا هذه ذلك التي الذي كان كانت بلغ بلغت وبلغ وبلغت تم قد ما لا لم أن إن أو و ثم حوالي نحو عام سنة مليون مليار ألف دولار "
    "بالمئة المئة الشركة صفحة",
    "fa": "در از به با که را این آن و یا تا بر برای است بود بودند شد شدند می هم نیز حدود سال میلیون میلیارد هزار ریال درصد شرکت صفحه نه برابر بالغ",
}  # fmt: skip
_CJK_FUNCTION = re.compile(
    "[的了是在为為与與和及于於以也而被把对對将將其该該或从從由到至年月日第页頁]|[\u3040-\u309f]+|百分之|约|約|超过|分别|达到|達到|公司"
)
_CONTRACTED = re.compile(r"['’](?:s|t|re|ll|ve|m|d)$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ELIDED = re.compile(r"[^\W\d_]+")  # l'exercice is two words

_NEGATIONS: dict[str, str] = {
    "en": r"not|no(?!\.?\s*\d)|never|none|neither|nor|without|cannot|\w+n['’]t|fail(?:s|ed)?\s+to|unable|lacks?|denie[sd]|hardly|nothing|nobody",
    "de": r"nicht|nichts|kein\w*|nie|niemals|ohne|weder",
    "fr": r"ne|n['’]|pas|aucune?|jamais|sans|ni|non",
    "es": r"no(?!\.?\s*\d)|ni|nunca|jamás|sin|ning[uú]n\w*|tampoco",
    "pt": r"não|nem|nunca|jamais|sem|nenhum\w*",
    "ru": r"не|нет|ни|без|никогда|никак\w*",
    "ar": r"لا|لم|لن|ليس|ليست|غير|بدون|دون",
    "fa": r"نه|نیست|نیستند|نمی\S*|نشد\w*|نبود\w*|بدون|هیچ",
}
_CJK_NEGATION = {
    "zh": re.compile("不|没|沒|未|无(?!线)|無|并非|非"),
    "ja": re.compile("ない|なかった|ません|ず(?=に|、|。)|なし|無|不|未|非"),
}

_DIRECTIONS: dict[str, tuple[str, str]] = {
    "en": (
        r"increas\w*|r[io]se|risen|rising|gr[eo]w\w*|growth|climb\w*|jump\w*|surg\w*|soar\w*|gain(?:ed|s|ing)?|improv\w*|expand\w*|expansion|higher|up|accelerat\w*|strengthen\w*|exceed\w*|advanc(?:ed|es|ing)",
        r"decreas\w*|declin\w*|fall\w*|fell|drop\w*|reduc\w*|shr[aiu]nk\w*|contract(?:ed|ion)|lower|down|slip\w*|slid\w*|plung\w*|worsen\w*|weaken\w*|deteriorat\w*",
    ),
    "de": (r"stieg\w*|steig\w*|gestiegen\w*|wuchs\w*|wachs\w*|gewachsen|erhöh\w*|zunahm\w*|zugenommen|höher\w*|verbesser\w*|zuwachs\w*", r"sank\w*|sink\w*|gesunken\w*|fiel\w*|gefallen|fällt|rückgang\w*|verringer\w*|reduzier\w*|abnahm\w*|abgenommen|niedriger\w*|verschlechter\w*|zurück\w*"),
    "fr": (r"augment\w*|hausse|progress\w*|croissance|cr[uû]\w*|supérieure?s?|accr\w*|améliora\w*", r"baiss\w*|diminu\w*|recul\w*|chut\w*|réduit\w*|réduction|inférieure?s?|repli\w*"),
    "es": (r"aument\w*|crec\w*|subi\w*|sube\w*|increment\w*|mejor\w*|alza|superior\w*", r"disminu\w*|baj[aóo]\w*|cay[óo]\w*|ca[ií]d\w*|redu[cj]\w*|descen\w*|inferior\w*"),
    "pt": (r"aument\w*|cresc\w*|subi\w*|elev\w*|alta|melhor\w*|superior\w*", r"diminu\w*|ca[ií]\w*|queda\w*|redu[zç]\w*|baix\w*|recu[oa]\w*|inferior\w*"),
    "ru": (r"вырос\w*|рост\w*|увелич\w*|повыс\w*|возрос\w*|выше|прирост\w*", r"снизи\w*|сниж\w*|упал\w*|паден\w*|сократ\w*|сокращ\w*|уменьш\w*|ниже"),
    "zh": (r"增加|增长|增長|上升|提高|上涨|上漲|高于|升至", r"减少|減少|下降|降低|下跌|低于|降至"),
    "ja": (r"増加|増|上昇|伸び|成長|上回", r"減少|減|低下|下落|下回"),
    "ar": (r"\w*ارتفع\w*|\w*زاد\w*|\w*زيادة|\w*نمو\w*|\w*نما\w*|\w*ارتفاع\w*", r"\w*انخفض\w*|\w*انخفاض\w*|\w*تراجع\w*|\w*هبط\w*"),
    "fa": (r"افزایش|رشد|بیشتر", r"کاهش|افت|کمتر"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """A content word: its stem and its characters."""

    stem: str
    start: int
    end: int


def language_of(text: str, otherwise: str = "en") -> str:
    """The language of a sentence: by its script, or the one most of whose function words it holds; else the one given."""
    guessed = guess_text(text, fewest=1)
    if guessed in _FUNCTION and guessed not in _LATIN:
        return guessed
    said = [fold(match.group()) for match in re.finditer(r"[^\W\d_]+", text)]
    votes = {language: sum(word in _function(language) for word in said) for language in _LATIN}
    most = max(votes.values())
    leaders = [language for language, count in votes.items() if count == most]
    if not most:
        return guessed or otherwise or "en"
    return otherwise if otherwise in leaders else guessed if guessed in leaders else leaders[0]


_LATIN = ("en", "de", "fr", "es", "pt")


@lru_cache(maxsize=16)
def _function(language: str) -> frozenset[str]:
    return frozenset(fold(_FUNCTION.get(language, "")).split())


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Stemmer:
    return Stemmer(language)


def content_words(text: str, language: str) -> list[Word]:
    """The content words of a text in order, each with its stem; of scripts without spaces, pairs of characters."""
    stemmer, idle = _stemmer(language), _function(language)
    found: list[Word] = []
    for match in (_ELIDED if language == "fr" else _WORD).finditer(text):
        for part, start in _parts(match.group(), match.start()):
            folded = fold(_CONTRACTED.sub("", part))
            if not folded or folded in idle or (len(folded) < 2 and folded.isascii()):
                continue
            pieces = words(folded)
            found += [Word(stemmer.stem(piece), start, start + len(part)) for piece in pieces]
    return found


def _parts(word: str, start: int) -> Iterator[tuple[str, int]]:
    """A word, or of an unspaced script the runs between its particles."""
    if not any("\u3040" <= c <= "\u9fff" for c in word):
        yield word, start
        return
    position = 0
    for match in _CJK_FUNCTION.finditer(word):
        if match.start() > position:
            yield word[position : match.start()], start + position
        position = match.end()
    if position < len(word):
        yield word[position:], start + position


def stem_set(texts: Iterable[str], language: str) -> frozenset[str]:
    """The stems of several texts; compounds with a hyphen count as a whole and by their parts."""
    return frozenset(word.stem for text in texts for word in content_words(text, language))


@lru_cache(maxsize=16)
def _negation(language: str) -> re.Pattern[str]:
    if language in _CJK_NEGATION:
        return _CJK_NEGATION[language]
    return re.compile(rf"(?<![^\W_])(?:{_NEGATIONS.get(language, _NEGATIONS['en'])})(?![^\W_])", re.IGNORECASE)


def negations(text: str, language: str) -> int:
    """How many words of a text deny."""
    return sum(1 for _ in _negation(language).finditer(text))


@lru_cache(maxsize=16)
def _direction(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    up, down = _DIRECTIONS.get(language, _DIRECTIONS["en"])
    edge = ("", "") if language in ("zh", "ja") else (r"(?<![^\W_])", r"(?![^\W_])")
    return tuple(re.compile(f"{edge[0]}(?:{one}){edge[1]}", re.IGNORECASE) for one in (up, down))  # type: ignore[return-value]


def directions(text: str, language: str) -> list[tuple[int, int, int]]:
    """``(+1 or -1, start, end)`` of every word of a text that says up or down."""
    up, down = _direction(language)
    found = [(+1, m.start(), m.end()) for m in up.finditer(text)] + [
        (-1, m.start(), m.end()) for m in down.finditer(text)
    ]
    return sorted(found, key=lambda item: item[1])


def direction(texts: Sequence[str], language: str) -> int:
    """+1 or -1 where the texts speak of one direction only; 0 where they speak of both or none."""
    found = {sign for text in texts for sign, _, _ in directions(text, language)}
    return found.pop() if len(found) == 1 else 0
