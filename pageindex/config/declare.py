"""How a setting is declared: one field of a dataclass, from which its flag, its variable, its place in the file and its page are made."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

__all__ = ["Kind", "Option", "declared", "options_of"]


class Kind(StrEnum):
    """What a setting changes. What shapes a tree is part of what "unchanged" compares."""

    MODEL = "model"  # how a model is reached: nothing of the result
    STRUCTURE = "structure"  # the tree that is found without a model
    REFINE = "refine"  # what refining makes of the tree
    SUMMARY = "summary"  # the summaries
    WORDS = "words"  # the summaries, those in a section's own words too, which come with the tree
    LIMIT = "limit"  # how much one file may take
    ANSWER = "answer"  # how a model that answers is led
    SERVER = "server"  # what a server allows


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as it is declared.

    Attributes:
        name: Of the field, of the keyword, and of the entry in ``pageindex.toml``; ``PAGEINDEX_`` and the name in capitals is its
            variable, unless ``variable`` is another.
        help: One sentence; what a table and ``--help`` say.
        default: As the field's.
        kind: What it changes.
        commands: Groups of commands that have it as a flag: ``index``, ``add``, ``chat``.
        least, most: Bounds of a number, included; None for none.
        values: What is allowed, where that is a list.
        unset: What an absent value means, in words; empty where the default speaks for itself.
        type: Of its values, without None.
        secret: Whether it is masked wherever settings are shown.
        spelled: Its flag, where that is not made of its name.
    """

    name: str
    help: str
    default: Any
    kind: Kind
    commands: tuple[str, ...]
    least: float | None
    most: float | None
    values: tuple[str, ...]
    unset: str
    type: type[Any]
    secret: bool
    spelled: str = ""
    variable: str = ""

    @property
    def flag(self) -> str:
        return self.spelled or f"--{self.name.replace('_', '-')}"

    def bounds(self) -> str:
        """What a number may be, in words; empty where anything is allowed."""
        if self.least is not None and self.most is not None:
            return f"between {self.least:g} and {self.most:g}"
        return f"at least {self.least:g}" if self.least is not None else ""


_KEY = "option"


def declared(
    default: Any,
    help: str,
    kind: Kind = Kind.MODEL,
    *,
    commands: tuple[str, ...] = (),
    least: float | None = None,
    most: float | None = None,
    unset: str = "",
    secret: bool = False,
    spelled: str = "",
    variable: str = "",
) -> Any:
    """A field of a dataclass of settings, with all that is to be known of it (see :class:`Option`)."""
    notes = {_KEY: {"help": help, "kind": kind, "commands": commands, "least": least, "most": most, "unset": unset}}
    notes[_KEY] |= {"secret": secret, "spelled": spelled, "variable": variable}
    if isinstance(default, dict):
        return dataclasses.field(default_factory=dict, metadata=notes)
    return dataclasses.field(default=default, metadata=notes)


def options_of(owner: type[Any]) -> Mapping[str, Option]:
    """The options that a dataclass declares, by name, in its order."""
    key: Any = owner
    return _options_of(key)


@lru_cache(maxsize=8)  # a handful of classes
def _options_of(owner: Any) -> Mapping[str, Option]:
    found = {}
    for field, hint in _hints(owner):
        notes = field.metadata[_KEY]
        values = tuple(item.value for item in hint) if issubclass(hint, StrEnum) else ()
        default = field.default if field.default is not dataclasses.MISSING else {}
        variable = notes["variable"] or f"PAGEINDEX_{field.name.upper()}"
        found[field.name] = Option(
            name=field.name, default=default, type=hint, values=values, **{**notes, "variable": variable}
        )
    return found


def _hints(owner: type[Any]) -> list[tuple[dataclasses.Field[Any], type[Any]]]:
    import typing

    hints = typing.get_type_hints(owner)
    fields = [field for field in dataclasses.fields(owner) if _KEY in field.metadata]
    return [(field, _plain(hints[field.name])) for field in fields]


def _plain(hint: Any) -> type[Any]:
    """The type without ``| None`` and parameters."""
    import typing

    if isinstance(hint, type) and not typing.get_origin(hint):
        return hint
    arms = [arm for arm in typing.get_args(hint) if arm is not type(None)]
    if typing.get_origin(hint) in (typing.Union, type(int | None)) and len(arms) == 1:
        return _plain(arms[0])
    origin = typing.get_origin(hint)
    if not isinstance(origin, type):
        raise TypeError(f"{hint} is no type of a setting")
    return origin
