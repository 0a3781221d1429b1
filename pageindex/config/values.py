"""Values of settings, from whatever a caller, a variable or a file holds to their own types."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from pageindex.config.declare import Option, options_of
from pageindex.config.secrets import MASK, Secret
from pageindex.errors import SettingsError
from pageindex.text.near import near_names, or_near

__all__ = ["converted"]


def converted(owner: type[Any], values: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The values in their own types; ``place`` is where they are from, in words.

    Raises SettingsError for an unknown name and for a value that means nothing; a secret one is not repeated.
    """
    known, found = options_of(owner), {}
    for name, value in values.items():
        option = known.get(name)
        if option is None:
            raise _unknown(name, list(known), place)
        try:
            found[name] = _convert(option, value)
        except (ValueError, TypeError) as error:
            shown = MASK if option.secret else repr(value)
            step = f"Use one of {', '.join(option.values)}." if option.values else f"Correct {name} in {place}."
            raise SettingsError(f"{name} = {shown} in {place}: {error}", step) from None
    return found


def _unknown(name: str, known: list[str], place: str) -> SettingsError:
    step = or_near(near_names(name, known, 1), f"Settings are: {', '.join(sorted(known))}.")
    return SettingsError(f"unknown setting {name!r} in {place}", step)


def _convert(option: Option, value: Any) -> Any:
    if issubclass(option.type, StrEnum):
        return option.type(value)
    return _BY_TYPE[option.type](value)


def _headers(value: Any) -> Mapping[str, str]:
    table = json.loads(value) if isinstance(value, str) else value
    if not isinstance(table, Mapping) or not all(isinstance(item, str) for item in table.values()):
        raise ValueError("headers are a table of names and texts")
    return dict(table)


def _secret(value: Any) -> Secret:
    return value if isinstance(value, Secret) else Secret(_text(value))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    if any(ord(c) < 32 or ord(c) == 127 for c in value.strip()):
        raise ValueError("a text of one line is wanted, without control characters")
    return value.strip()


def _texts(value: Any) -> tuple[str, ...]:
    """A list; as a text, its entries stand apart as in ``PATH``."""
    entries = value.split(os.pathsep) if isinstance(value, str) else value
    return tuple(_text(entry) for entry in entries if entry != "")


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError("not a whole number")
    return int(value.replace("_", "") if isinstance(value, str) else value)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError("not a number")
    number = float(value)
    if not 0 <= number < float("inf"):
        raise ValueError("not a number of at least 0")
    return number


def _switch(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "yes": True, "1": True, "on": True, "false": False, "no": False, "0": False, "off": False}
    if str(value).lower() not in words:
        raise ValueError("neither true nor false")
    return words[str(value).lower()]


_BY_TYPE: Mapping[type[Any], Callable[[Any], Any]] = {
    str: _text,
    Secret: _secret,
    Mapping: _headers,
    tuple: _texts,
    int: _whole,
    float: _number,
    bool: _switch,
}
