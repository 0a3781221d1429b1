"""The one state in which a page ends, and its flags, each with the figures that raised it.

Thresholds follow the project's evidence rules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pageindex.document import Flag, Line, PageState
from pageindex.reading.pdf.bidi import reversed_share

__all__ = ["PageFacts", "is_right_to_left", "judge"]

FLAG_SHARE = 0.01  #: Share of meaningless characters from which on a page is flagged.
GARBLED_SHARE = 0.10  #: … and from which on its text cannot be taken at its word: formulas of old fonts stay below.
SCANNED_CHARS = 100  #: Fewer characters than this on a page with a picture over half of it: a scan.
SCANNED_IMAGE = 0.5
LAYER_IMAGE, LAYER_INVISIBLE = 0.8, 0.9  #: A picture over most of the page, and hardly a visible glyph: an OCR layer.
NUMERIC_TOKENS, NUMERIC_SHARE = 20, 0.15
ROTATED_SHARE = 0.2
SCRIPT_SHARE = 0.2  #: Share of a script's letters from which on the page is flagged as its.
REVERSED_SHARE = 0.5  #: Share of telling words that read backwards.
FIGURE_SHARE = 0.03
TINY = 2.0  #: Font size in points below which nobody reads.
SAMPLE = 500  #: Characters in the middle of a page that decide whether its words are looked at one by one.
CLOSE_LOOK = 2000  #: Characters that are then looked at.
LEAST_TOKENS = 40  #: Fewer tokens than this tell nothing of a page's words.
SAME_ROW = 2.0  #: Points between the feet of cells of one row.
TABLE_ROWS, TABLE_CELLS = 3, 3

_WHITE = 0xF8F8F8
_HARMLESS = frozenset("\n\xad")
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def _class_table() -> bytes:
    """Each byte's class: v(owel), c(onsonant), C(apital), 0 (digit), ``.`` (inside numbers), ``_`` (prose sign or blank), # (other)."""
    table = bytearray(b"#" * 256)
    for chars, kind in (
        (b"aeiouy", b"v"),
        (b"bcdfghjklmnpqrstvwxz", b"c"),
        (bytes(range(65, 91)), b"C"),
        (b"0123456789", b"0"),
        (b".,", b"."),
        (b" \n;:()[]'\"-/?", b"_"),  # "?" stands for every character beyond ASCII
    ):
        for char in chars:
            table[char] = kind[0]
    return bytes(table)


_CLASSES = _class_table()
_PLAIN = bytes([*range(32, 127), 10])  #: ASCII without control characters.

#: What is rare inside a printed word, for a first look: a sign, digit or capital beside a letter, or four consonants in a row.
_ODD = (b"vC", b"cC", b"v0", b"c0", b"0v", b"0c", b"#v", b"#c", b"#C", b"#0", b"cccc")
_TOKEN = re.compile(r"\S{3,}")
#: A printed token: a word with an outer capital, an abbreviation or a number, with parts joined by hyphen, apostrophe, stop or slash.
_REGULAR = re.compile(
    r"[(\[\"'“‘„«¿¡•]*(?:[^\W\d_]?(?:[^\W\d_A-Z])+|[A-Z]+s?|[$€£#§]?[\d.,:/%+–—−-]+)(?:[-–'’/.][^\W_]*)*[.,;:!?)\]\"'”’»%*…]*"
)
_VOWELS = "aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿœ"
_LATIN_WORD = re.compile(r"(?<![^\W\d_])[A-ZÀ-Þ]?[a-zß-ÿœ]{3,}(?![^\W\d_])")
_CLUSTER = re.compile(f"[^{_VOWELS}]{{4}}|[{_VOWELS}]{{4}}")
_VOWEL = re.compile(f"[{_VOWELS}]")


@dataclass
class PageFacts:
    """What the reader knows of a page when it is judged."""

    text: str
    lines: Sequence[Line] = ()
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    truncated: int = 0
    invisible: Set[tuple[int, float]] = field(default_factory=frozenset)  # (font, size) drawn in render mode 3
    images: int = 0
    image_share: float = 0.0
    largest_image: float = 0.0
    paths: int = 0


def judge(facts: PageFacts) -> tuple[PageState, tuple[Flag, ...]]:
    """State and flags of a page that could be loaded and has something on it."""
    flags = [*_drawing_flags(facts), *_line_flags(facts)]
    state = PageState.TEXT
    if not facts.text.strip():
        state = PageState.IMAGE_ONLY
    else:
        state, more = _text_flags(facts.text)
        flags.extend(more)
    if facts.truncated:
        flags.append(Flag("truncated", {"characters_left_out": facts.truncated}))
    return state, tuple(flags)


def is_right_to_left(text: str) -> bool:
    """Whether a page's text is flagged as one of a script that runs from right to left."""
    return not text.isascii() and _script_share(_RTL, text, text) > SCRIPT_SHARE


def _drawing_flags(facts: PageFacts) -> list[Flag]:
    flags = []
    solid = sum(not char.isspace() for char in facts.text) if len(facts.text) < 4 * SCANNED_CHARS else len(facts.text)
    share = {"image_share": round(facts.image_share, 3), "largest_image": round(facts.largest_image, 3)}
    if solid < SCANNED_CHARS and facts.largest_image >= SCANNED_IMAGE:
        flags.append(Flag("scanned", {"characters": solid, **share}))
    elif facts.images and facts.image_share >= FIGURE_SHARE:
        flags.append(Flag("figure", {"images": facts.images, **share}))
    hidden = _hidden_share(facts)
    if hidden > LAYER_INVISIBLE and solid >= SCANNED_CHARS and facts.image_share >= LAYER_IMAGE:
        flags.append(Flag("ocr_layer_suspected", {"invisible_share": round(hidden, 3), **share}))
    elif hidden > 0:
        flags.append(Flag("invisible_text", {"invisible_share": round(hidden, 3)}))
    return flags


def _hidden_share(facts: PageFacts) -> float:
    """Share of the characters in render mode 3, smaller than ``TINY``, or white where nothing dark can be under them."""
    bare = not facts.images and not facts.paths
    invisible = facts.invisible
    total = hidden = 0
    for line in facts.lines:
        length, size = len(line.text), line.size
        total += length
        if size < TINY or (bare and line.color >= _WHITE) or (invisible and (line.font, size) in invisible):
            hidden += length if size > 0.0 else 0
    return hidden / total if total else 0.0


def _line_flags(facts: PageFacts) -> list[Flag]:
    flags = []
    turned = sum([len(line.text) for line in facts.lines if line.angle])
    if facts.rotation or turned:
        total = sum([len(line.text) for line in facts.lines])
        if facts.rotation or turned > ROTATED_SHARE * total:
            share = round(turned / total, 3) if total else 0.0
            flags.append(Flag("rotated", {"page": facts.rotation, "turned_share": share}))
    rows = _table_rows(facts.lines)
    if rows >= TABLE_ROWS:
        flags.append(Flag("table", {"rows": rows}))
    return flags


def _table_rows(lines: Sequence[Line]) -> int:
    """Rows of at least ``TABLE_CELLS`` cells that stand beside each other."""
    feet = sorted([line.box[3] for line in lines])
    rows, first = 0, 0
    for index, foot in enumerate(feet):
        if foot - feet[first] > SAME_ROW:
            rows += index - first >= TABLE_CELLS
            first = index
    return rows + (len(feet) - first >= TABLE_CELLS)


def _text_flags(text: str) -> tuple[PageState, list[Flag]]:
    flags: list[Flag] = []
    ascii_only, kinds = text.isascii(), text.encode("ascii", "replace").translate(_CLASSES)
    evidence = _scrambled(text, kinds)
    garbled = bool(evidence)
    chars = "".join(_unusual(text))
    bad = [char for char in chars if _means_nothing(char)]
    share = sum(map(text.count, bad)) / _solid(text) if bad else 0.0
    if share > FLAG_SHARE:
        evidence["bad_share"] = round(share, 4)
    if evidence:
        flags.append(Flag("garbled", evidence))
    if not ascii_only:
        flags.extend(_script_flags(text, chars))
    numbers = _numbers(text, kinds)
    if numbers:
        flags.append(Flag("numeric", numbers))
    return PageState.GARBLED if garbled or share > GARBLED_SHARE else PageState.TEXT, flags


def _unusual(text: str) -> set[str]:
    """The characters of a text that are not plain ASCII, picked out as bytes, which is four times as fast as by a pattern."""
    return set(text.encode("utf-8", "surrogatepass").translate(None, _PLAIN).decode("utf-8", "surrogatepass"))


def _script_flags(text: str, chars: str) -> list[Flag]:
    flags = []
    for name, pattern in (("cjk", _CJK), ("rtl", _RTL)):
        part = _script_share(pattern, text, chars)
        if part > SCRIPT_SHARE:
            flags.append(Flag(name, {"share": round(part, 3)}))
            backward = reversed_share(text) if name == "rtl" else 0.0
            if backward > REVERSED_SHARE:
                flags.append(Flag("visual_order", {"reversed_share": round(backward, 3)}))
    return flags


def _script_share(pattern: re.Pattern[str], text: str, chars: str) -> float:
    """Share of a script's letters in a text; ``chars`` holds at least those of its characters that are not ASCII."""
    return len(pattern.findall(text)) / _solid(text) if pattern.search(chars) else 0.0


def _solid(text: str) -> int:
    blanks = text.count(" ") + text.count("\n")
    return max(len(text) - blanks, 1)


@lru_cache(maxsize=4096)
def _means_nothing(char: str) -> bool:
    return char == "\ufffd" or (char not in _HARMLESS and unicodedata.category(char) in ("Cc", "Co", "Cn", "Cs"))


def _numbers(text: str, kinds: bytes) -> dict[str, Any]:
    """Count and share of number tokens, where both are high; ``kinds`` holds the class of each character."""
    if kinds.count(b"0") < NUMERIC_TOKENS:
        return {}
    numbers = kinds.count(b"_0") + kinds.count(b"#0") + kinds.startswith(b"0")
    if numbers < NUMERIC_TOKENS:
        return {}
    tokens = text.count(" ") + text.count("\n") - text.count("  ") + 1
    if numbers < NUMERIC_SHARE * tokens:
        return {}
    return {"numbers": numbers, "share": round(numbers / tokens, 3)}


@lru_cache(maxsize=1 << 14)
def _kind_of_word(word: str) -> int:
    """1: has a vowel; 3: has none, and four consonants in a row; 2: has a vowel, and four letters of one kind in a row; 0: none of it."""
    word = word.lower()
    vowel = _VOWEL.search(word) is not None
    if _CLUSTER.search(word) is None:
        return 1 if vowel else 0
    return 2 if vowel else 3


def _scrambled(text: str, kinds: bytes) -> dict[str, Any]:
    """Evidence that the font's map to Unicode is wrong, so that plausible letters make nonsense.

    Measured on every seventh page of 30 documents in 9 languages: at most 24 % of a page's Latin words hold four consonants or four
    vowels in a row. Pages of program code reach 88 % of irregularly composed tokens, but hold natural words inside them (0.3 to a
    token and more); under a random map there are 0.07 to a token (90th percentile), 0.22 at most.
    """
    middle = len(text) // 3
    if sum(map(kinds[middle : middle + SAMPLE].count, _ODD)) < 0.2 * (text.count(" ", middle, middle + SAMPLE) + 1):
        return {}
    text = text[:CLOSE_LOOK]
    tokens = _TOKEN.findall(text)
    words = _LATIN_WORD.findall(text)
    kinds = bytes(map(_kind_of_word, words))
    clustered = kinds.count(2) + kinds.count(3)
    natural = kinds.count(1) - kinds.count(3)
    if len(tokens) >= LEAST_TOKENS and natural < 0.25 * len(tokens):
        irregular = sum(_REGULAR.fullmatch(token) is None for token in tokens)
        if irregular > 0.8 * len(tokens):
            return {"irregular_tokens": round(irregular / len(tokens), 3), "natural_words": natural}
    if len(words) >= LEAST_TOKENS and clustered > 0.33 * len(words):
        return {"letter_clusters": round(clustered / len(words), 3)}
    return {}
