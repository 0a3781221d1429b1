"""How the first characters of a row tell what begins there: an item of a list, a caption."""

from __future__ import annotations

import re

__all__ = ["begins_sentence", "ends_sentence", "is_bullet", "is_caption", "is_counter", "is_entry"]

_BULLET = re.compile(
    "[\u2022\u2023\u2043\u2219\u25a0\u25a1\u25aa\u25ab\u25b6\u25b8\u25ba\u25cb\u25cf\u25e6\u2713\u2714\u2756\u27a2\u27a4\u00b7\ufffd\ue000-\uf8ff*\u2013\u2014+-]"
    r"\s+\S"
)
_COUNTER = re.compile(r"(?:\d{1,3}[.)]|\(\d{1,3}\)|\(?[A-Za-z][.)]|\(?[ivxIVX]{1,5}[.)])\s+\S")
#: What captions are called, in the languages that filings and papers are mostly written in.
_NAMED = (
    "figures?|fig|tables?|exhibit|chart|graph|plate|box|scheme|listing|algorithm|abbildung|abb|tabelle|tab|diagramm|schaubild|tableau|graphique|encadré|"
    "schéma|figura|tabla|gráfico|cuadro|tabela|quadro|figuur|tabell|figur|рисунок|рис|таблица|табл|график|диаграмма|شكل|جدول"
)
_CAPTION = re.compile(
    rf"(?:(?:{_NAMED})\.?\s*(?:\d|[A-Z]\b|[IVX]+\b)[\w.\-–]*(?:\s*[:.|–—-]|\s|$)|[图圖表図]\s*\d)", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\.{4,}|(?:\. ){3,}\.?|\u2026{2,}|(?:\u00b7 ?){4,})\s*\S{0,8}$")
_END = re.compile(r"[.!?:;。！？：؟…][\"'”’»)\]]*\d{0,3}$")


def is_bullet(text: str) -> bool:
    """Whether a row begins with a sign that only lists have."""
    return _BULLET.match(text) is not None


def is_counter(text: str) -> bool:
    """Whether a row begins with a number or letter as lists count their items; a sentence may go on with one, too."""
    return _COUNTER.match(text) is not None


def is_caption(text: str) -> bool:
    """Whether a row begins with the name and number of a figure or a table."""
    return _CAPTION.match(text) is not None


def is_entry(text: str) -> bool:
    """Whether a row ends in leaders and a page number, as an entry of a contents list does."""
    return _LEADERS.search(text) is not None


def ends_sentence(text: str) -> bool:
    """Whether a row ends where a sentence, or what leads to a list, does."""
    return _END.search(text) is not None


def begins_sentence(text: str) -> bool:
    """Whether a row does not go on in small letters."""
    return not text[:1].islower()
