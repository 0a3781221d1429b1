"""What is set, and where: ``config``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from pageindex.cli.frame import JsonOption, LibraryOption, emit
from pageindex.cli.options import ConfigOption
from pageindex.cli.screen import Column, Screen, printable

if TYPE_CHECKING:
    from pageindex.app.library import Found
    from pageindex.config import Loaded

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("config")(config)


def config(config: ConfigOption = None, library: LibraryOption = None, as_json: JsonOption = False) -> None:
    """Show every setting in force and where it is from.

    Keys are masked. A pageindex.toml counts beside the library in use, in your own configuration folder, or where --config says; files
    that were passed over are named with the reason.
    """
    from pageindex.app.library import locate_library
    from pageindex.config import load

    found = locate_library(explicit=library)
    loaded = load(file=config, library=found.root)
    payload = {
        "library": {"path": str(found.root), "how": found.how, "exists": found.root.is_dir()},
        "files": [str(path) for path in loaded.files],
        "ignored": [{"path": str(path), "reason": reason} for path, reason in loaded.ignored.items()],
        "settings": loaded.rows(),
        "notes": list(loaded.settings.notes),
    }
    emit(payload, as_json=as_json, text=lambda screen: _lines(found, loaded, screen))


def _lines(found: Found, loaded: Loaded, screen: Screen) -> Iterator[str]:
    made = "" if found.root.is_dir() else ", not made yet"
    yield f"library  {printable(str(found.root))} {screen.paint(f'({_HOW[found.how]}{made})', 'dim')}"
    for path in loaded.files:
        yield f"file     {printable(str(path))}"
    columns = [Column("setting"), Column("value", flexible=True), Column("from", flexible=True, style="dim")]
    rows = []
    for row in loaded.rows():
        place = f"{row['origin']}: {row['place']}" if row["place"] else row["origin"]
        rows.append(
            (row["name"], printable(_shown(row["value"])), printable(place + (", withheld" if row["withheld"] else "")))
        )
    yield from screen.table(columns, rows)
    for note in loaded.settings.notes:
        yield f"{screen.paint('note:', 'yellow')} {printable(note)}"


_HOW = {
    "named": "as --library says",
    "environment": "as $PAGEINDEX_LIBRARY says",
    "here": "in this folder",
    "above": "in a folder above",
    "new": "none was found above",
}


def _shown(value: object) -> str:
    return "–" if value in (None, "", {}) else str(value)
