"""Numbers as lists and headings show them, and digits that stand above or below the line."""

from __future__ import annotations

__all__ = ["alphabetic", "lowered", "numeral", "raised", "roman"]

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SIGNS = frozenset("0123456789+-−=()n, ")


def roman(number: int) -> str:
    """``xiv``; decimal digits outside 1 to 3,999, where Roman numerals end."""
    if not 1 <= number < 4000:
        return str(number)
    digits = ""
    for value, letters in _ROMAN:
        digits += letters * (number // value)
        number %= value
    return digits


def alphabetic(number: int) -> str:
    """``a``, ``z``, ``aa``, ``ab``, as HTML counts; decimal digits below 1."""
    if number < 1:
        return str(number)
    letters = ""
    while number:
        number, place = divmod(number - 1, 26)
        letters = chr(97 + place) + letters
    return letters


def numeral(number: int, style: str) -> str:
    """A number in one of the styles ``decimal, lower-alpha, upper-alpha, lower-roman, upper-roman, decimal-leading-zero``."""
    lower = alphabetic(number) if style.endswith("alpha") else roman(number) if style.endswith("roman") else ""
    if lower:
        return lower.upper() if style.startswith("upper") else lower
    return f"{number:02d}" if style == "decimal-leading-zero" else str(number)


def raised(text: str) -> str:
    """Digits as superscripts: 10² is not 102. What holds other characters, such as ``1st``, stays as it is."""
    return text.translate(_RAISED) if _is_figure(text) else text


def lowered(text: str) -> str:
    """Digits as subscripts."""
    return text.translate(_LOWERED) if _is_figure(text) and "n" not in text else text


def _is_figure(text: str) -> bool:
    return any(character.isdigit() for character in text) and _SIGNS.issuperset(text)
