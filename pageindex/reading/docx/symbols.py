"""Characters of the symbol fonts, whose codes mean nothing without the font."""

from __future__ import annotations

__all__ = ["bullet", "symbol"]

_GREEK = dict(zip("abgdezhqiklmnxoprstufcyw", "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_SYMBOL = (
    {ord(latin): greek for latin, greek in _GREEK.items()}
    | {ord(latin.upper()): greek.upper() for latin, greek in _GREEK.items()}
    | {
        0xA3: "≤",
        0xA5: "∞",
        0xAB: "↔",
        0xAC: "←",
        0xAD: "↑",
        0xAE: "→",
        0xAF: "↓",
        0xB0: "°",
        0xB1: "±",
        0xB3: "≥",
        0xB4: "×",
    }
    | {
        0xB6: "∂",
        0xB7: "•",
        0xB8: "÷",
        0xB9: "≠",
        0xBA: "≡",
        0xBB: "≈",
        0xC5: "⊕",
        0xCE: "∈",
        0xD2: "®",
        0xD3: "©",
        0xD4: "™",
    }
    | {0xD6: "√", 0xE5: "∑", 0xF2: "∫", 0x2D: "−"}
)
_WINGDINGS = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x71: "❑",
    0x73: "⬧",
    0x75: "◆",
    0x76: "❖",
    0x9F: "•",
    0xA7: "▪",
    0xA8: "☐",
    0xD8: "➢",
    0xDF: "←",
    0xE0: "→",
    0xF0: "⇨",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}


def symbol(code: int, font: str) -> str:
    """The character that a code stands for in a font; empty where nobody knows."""
    table = _FONTS.get(font.lower())
    plain = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    if table is not None:
        return table.get(plain, chr(plain) if plain < 0x80 and table is _SYMBOL else "")
    return chr(code) if code == plain and 0x20 <= code < 0xD800 else ""


def bullet(text: str, font: str) -> str:
    """A list's bullet as a character that means one."""
    if text == "o" and font.lower().startswith("courier"):
        return "◦"
    known = font.lower() in _FONTS or any(0xF000 <= ord(c) <= 0xF0FF for c in text)
    return "".join(symbol(ord(c), font) or "•" for c in text) if known else text
