"""Where values come from, who wins, and which files give no orders.

What the caller gives wins over the environment, that over files, and those over the defaults. A ``pageindex.toml`` counts in three places
only: where ``--config`` or ``$PAGEINDEX_CONFIG`` says (then it is the only one), beside the library in use, and in the user's own
configuration folder. It is never looked for in folders above, and one of another owner, or one that anybody may write, is passed over and named.

A library may come with somebody else's documents, and the file beside it with them. So a ``base_url`` of such a file never gets a key or
headers from anywhere else, and a person is told that it is in force.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pageindex.config.declare import options_of
from pageindex.config.ownership import MOST_BYTES, distrust, home_folder
from pageindex.config.secrets import mask
from pageindex.config.settings import Settings
from pageindex.config.values import converted
from pageindex.errors import SettingsError

__all__ = ["CONFIG_FILE", "ENVIRONMENT_PREFIX", "Loaded", "Origin", "Place", "load", "user_file"]

CONFIG_FILE = "pageindex.toml"
ENVIRONMENT_PREFIX = "PAGEINDEX_"
_SENT = ("api_key", "headers")  # what goes to base_url with every request


class Origin(StrEnum):
    """Where a value is from."""

    CALLER = "caller"
    ENVIRONMENT = "environment"
    NAMED = "named file"
    LIBRARY = "file beside the library"
    USER = "user's file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Place:
    """One place and what it says.

    Attributes:
        origin: Which one.
        name: Of the file; empty for the others.
        values: In their own types, by name.
    """

    origin: Origin
    name: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Loaded:
    """Settings, and where each of them is from.

    Attributes:
        settings: As they are in force.
        origins: By name; a name that is missing has its default.
        files: Configuration files that were read, the one that wins first.
        ignored: Files that were passed over, with the reason.
        withheld: Names of values that are set and not used, since they would go to an address of the file beside the library.
    """

    settings: Settings
    origins: Mapping[str, Place]
    files: tuple[Path, ...]
    ignored: Mapping[Path, str]
    withheld: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """``[{name, value, origin, place, withheld}]`` of every setting, keys masked."""
        found = []
        for name, option in options_of(Settings).items():
            place = self.origins.get(name)
            row = {
                "name": name,
                "value": self.settings.shown(option),
                "origin": (place.origin if place else Origin.DEFAULT).value,
            }
            row["place"] = (
                (place.name or option.variable if place.origin is Origin.ENVIRONMENT else place.name) if place else ""
            )
            found.append(row | {"withheld": name in self.withheld})
        return found


def load(
    *,
    file: Path | str | None = None,
    library: Path | None = None,
    environment: Mapping[str, str] | None = None,
    **given: Any,
) -> Loaded:
    """Settings from all places; a given value of None means "not given".

    Args:
        file: A configuration file that is named; it must exist, and no other one is read.
        library: The folder of the library in use; the file beside it counts once the library exists.
        environment: Instead of ``os.environ``.
        given: Fields of the class, as their own types or as strings.

    Raises SettingsError for an unknown name, a value that means nothing, or a file that is not TOML.
    """
    env = os.environ if environment is None else environment
    named = file or env.get(f"{ENVIRONMENT_PREFIX}CONFIG") or None
    ignored: dict[Path, str] = {}
    places = [
        Place(Origin.CALLER, "", converted(Settings, {k: v for k, v in given.items() if v is not None}, "the caller")),
        Place(Origin.ENVIRONMENT, "", converted(Settings, _variables(env), "the environment")),
    ]
    if named:
        places.append(_file(Origin.NAMED, Path(named).expanduser()))
    else:
        places += _found(library, env, ignored)
    origins: dict[str, Place] = {}
    for place in places:
        for name in place.values:
            origins.setdefault(name, place)
    withheld = _withheld(origins)
    values = {name: place.values[name] for name, place in origins.items() if name not in withheld}
    notes = tuple(_notes(origins, ignored, withheld))
    files = tuple(Path(place.name) for place in places if place.name)
    return Loaded(Settings(**values, notes=notes), origins, files, ignored, withheld)


def user_file(environment: Mapping[str, str]) -> Path | None:
    """The user's own configuration file, which need not exist: ``pageindex/pageindex.toml`` in ``$XDG_CONFIG_HOME``, ``~/.config`` or, on
    Windows, ``%APPDATA%``."""
    folder = environment.get("XDG_CONFIG_HOME") or (environment.get("APPDATA") if sys.platform == "win32" else None)
    home = Path(folder) if folder else (home_folder() or Path()) / ".config"
    return home / "pageindex" / CONFIG_FILE if home.is_absolute() else None


def _found(library: Path | None, env: Mapping[str, str], ignored: dict[Path, str]) -> list[Place]:
    """The files that nobody named."""
    candidates: list[tuple[Origin, Path]] = []
    if library is not None:
        beside = library.parent / CONFIG_FILE
        if library.is_dir():
            candidates.append((Origin.LIBRARY, beside))
        elif beside.is_file():
            ignored[beside] = "there is no library beside it yet"
    if (own := user_file(env)) is not None:
        candidates.append((Origin.USER, own))
    places: list[Place] = []
    for origin, path in candidates:
        if not os.path.lexists(path) or any(place.name == str(path) for place in places):
            continue
        if why := distrust(path):
            ignored[path] = why
        else:
            places.append(_file(origin, path))
    return places


def _file(origin: Origin, path: Path) -> Place:
    values = converted(Settings, _read_toml(path), str(path))
    if origin is Origin.LIBRARY:
        _assert_no_address(values, path)
    return Place(origin, str(path), values)


def _assert_no_address(values: Mapping[str, Any], path: Path) -> None:
    """Some providers take an address within the model's name; beside a library, an address is given as ``base_url`` or not at all."""
    for name in ("model", "index_model", "chat_model"):
        if "://" in values.get(name, ""):
            raise SettingsError(f"{name} in {path} holds an address", "Give the address as base_url.")


def _withheld(origins: Mapping[str, Place]) -> tuple[str, ...]:
    address = origins.get("base_url")
    if address is None or address.origin is not Origin.LIBRARY or not address.values["base_url"]:
        return ()
    return tuple(name for name in _SENT if name in origins and origins[name].origin is not Origin.LIBRARY)


def _notes(origins: Mapping[str, Place], ignored: Mapping[Path, str], withheld: tuple[str, ...]) -> list[str]:
    notes = [f"{path} is not used: {why}. To use it: --config {path}" for path, why in ignored.items()]
    address = origins.get("base_url")
    if address is not None and address.origin is Origin.LIBRARY and address.values["base_url"]:
        where = mask(address.values["base_url"])
        notes.append(f"text goes to {where}, as {address.name} says")
        if withheld:
            names = " and ".join(withheld)
            notes.append(f"{names} of {origins[withheld[0]].origin} not sent there: set base_url yourself to send them")
    return notes


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    known = {option.variable: name for name, option in options_of(Settings).items()}
    return {name: environment[variable] for variable, name in known.items() if environment.get(variable)}


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:  # a named one may well be a pipe
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise SettingsError(f"{path} has more than {MOST_BYTES:,} bytes", "Name a configuration file.")
        return tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}", "Name a readable file.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not TOML: {error}", "Correct the file.") from error
