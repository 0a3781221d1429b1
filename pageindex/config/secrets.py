"""Keys: values that are never shown, and the one place where they are taken out of a text that leaves."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["MASK", "Secret", "mask"]

MASK = "***"
_LEAST = 8  # characters of a value worth hiding: shorter ones stand in ordinary words

_NAMED = re.compile(r"(?:API_?KEY|_TOKEN|SECRET|PASSWORD|CREDENTIALS?|ACCESS_KEY)(?:_ID)?$", re.IGNORECASE)
_QUERY = "api[-_]?key|key|access[-_]token|token|sig|signature|secret"
_HEADER = "authorization|api[-_]?key|x-[\\w-]*(?:key|token)"
_PREFIX = "sk|pk|rk|gsk|hf|xai|pplx|nvapi|ghp|gho|ghs|glpat|xox[abprs]|r8"
_SHAPES = (
    # user:password@ of an address
    (re.compile(r"(?<=://)[^/?#@\s]+(?=@)"), MASK),
    # keys in queries and in headers
    (re.compile(rf"((?:[?&]|\b)(?:{_QUERY})=)[^&\s\"']+", re.IGNORECASE), rf"\1{MASK}"),
    (re.compile(r"\b((?:bearer|basic)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{6,}", re.IGNORECASE), rf"\1{MASK}"),
    (
        re.compile(rf"((?:{_HEADER})[\"']?\s*[:=]\s*[\"']?)(?!\*\*\*|bearer|basic)[^\s\"',;}}&]{{6,}}", re.IGNORECASE),
        rf"\1{MASK}",
    ),
    # the shapes of providers' keys
    (re.compile(rf"\b(?:{_PREFIX})[-_][\w*.-]{{6,}}"), MASK),
    (re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b|\bAIza[\w-]{20,}|\beyJ[\w-]{10,}\.[\w.-]{10,}"), MASK),
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A value that is never shown by ``repr``, ``str`` or a log line; ``reveal`` gives it."""

    _value: str

    def reveal(self) -> str:
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Secret('{MASK}')" if self._value else "Secret('')"

    __str__ = __repr__


def mask(text: str, *known: Secret | str, environment: Mapping[str, str] | None = None) -> str:
    """A text fit to leave (an error, a log line, a report): every key in it is replaced.

    Taken out are the ``known`` values, the values of the environment's variables that are named like keys, and what looks like a key:
    passwords in addresses, keys of queries and headers, and the usual prefixes of providers. A provider that repeats a key with its middle
    starred out is covered too.

    Args:
        text: Any words, however they came about.
        known: Values that are secret here.
        environment: Instead of ``os.environ``.
    """
    env = os.environ if environment is None else environment
    values = {item.reveal() if isinstance(item, Secret) else item for item in known}
    values |= {value for name, value in env.items() if _NAMED.search(name)}
    for value in sorted(values, key=len, reverse=True):
        if len(value) >= _LEAST:
            text = text.replace(value, MASK)
    for shape, put in _SHAPES:
        text = shape.sub(put, text)
    return text
