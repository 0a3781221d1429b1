"""The root command. Families of commands are imported when one of theirs is called, so that ``--help`` stays fast."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from pageindex import __version__
from pageindex.cli.frame import log_to_stderr, print_error
from pageindex.errors import InputError, PageIndexError, StoreError

__all__ = ["FAMILIES", "Family", "Root", "app"]


@dataclass(frozen=True, slots=True)
class Family:
    """Some commands of one module.

    Attributes:
        module: Imported when one of the commands is called; its ``register(app)`` adds them to a Typer.
        section: Heading under which ``--help`` lists them.
        commands: Name and one-line help, the first sentence of the command's own.
    """

    module: str
    section: str
    commands: dict[str, str]


FAMILIES = (
    Family("pageindex.cli.add", "Index", {"add": "Index files, folders or globs into the library."}),
    Family(
        "pageindex.cli.refine", "Index", {"refine": "Make the tree of a document cheaper to read, and summarise it."}
    ),
    Family(
        "pageindex.cli.browse",
        "Read",
        {
            "list": "List the documents of the library, newest first.",
            "show": "Show what the library knows of a document.",
            "tree": "Print the section tree of a document.",
            "read": "Print the text of pages, of a section, or what a handle stands for.",
            "find": "Find words in the pages of a document.",
            "image": "Draw a page of a PDF as a PNG picture.",
        },
    ),
    Family("pageindex.cli.search", "Read", {"search": "Search all documents, and list the pages that answer best."}),
    Family(
        "pageindex.cli.chat",
        "Ask",
        {"ask": "Ask the documents a question.", "chat": "Talk with a model about the documents."},
    ),
    Family("pageindex.cli.serve", "Serve", {"mcp": "Serve the library over the Model Context Protocol."}),
    Family(
        "pageindex.cli.evidence",
        "Check",
        {
            "locate": "Find a quote in a document, and say how it stands there.",
            "check": "Check claims with their quotes and numbers against a document.",
            "verify": "Check that a document is still what was read: its files, its source, its extractor.",
            "table": "Print the tables of a page, rebuilt from where its characters stand.",
        },
    ),
    Family(
        "pageindex.cli.manage",
        "Library",
        {
            "remove": "Remove documents: text, copy, index entries and all.",
            "export": "Write a document as JSON or Markdown.",
            "move": "Move a document into another folder, or change its metadata.",
            "folders": "Manage the folders of the library.",
        },
    ),
    Family(
        "pageindex.cli.upkeep",
        "Library",
        {
            "doctor": "Check every file of the library, and repair what can be.",
            "gc": "Remove leftovers of killed commands and superseded caches.",
            "log": "List what was tried to be indexed, failures included.",
            "costs": "List what model calls have cost, by day and document.",
        },
    ),
    Family("pageindex.cli.config", "Library", {"config": "Show every setting in force and where it is from."}),
)

_HOMES = {name: family for family in FAMILIES for name in family.commands}
_JSON = "pageindex.json"
_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # Typer's own click, or the click package: by version


class Root(typer.core.TyperGroup):
    """A group that knows its commands by name and imports them late."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.loaded: set[str] = set()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # Looked up in the raw arguments, since a usage error comes before the options of a command are parsed.
        ctx.meta[_JSON] = "--json" in args
        return list(super().parse_args(ctx, args))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_HOMES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        family = _HOMES.get(cmd_name)
        if family is None:
            return None
        if cmd_name not in self.loaded:
            group = typer.Typer(rich_markup_mode=None, add_completion=False)
            import_module(family.module).register(group)
            self.commands.update(typer.main.get_group(group).commands)
            self.loaded.update(family.commands)
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        # Typer suggests near names from the commands it holds, so it has to hold those that are not imported yet.
        for name, family in _HOMES.items():
            self.commands.setdefault(name, typer.core.TyperCommand(name, help=family.commands[name]))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for family in FAMILIES:
            sections.setdefault(family.section, []).extend(family.commands.items())
        for section, commands in sections.items():
            with formatter.section(section):
                formatter.write_dl(commands)

    def invoke(self, ctx: Any) -> Any:
        as_json = bool(ctx.meta.get(_JSON))
        log_to_stderr()
        try:
            return super().invoke(ctx)
        except PageIndexError as error:
            print_error(error, as_json=as_json)
            raise typer.Exit(error.exit_code) from error
        except BrokenPipeError:
            raise  # the reader has gone; Typer ends quietly
        except OSError as error:
            print_error(_from_system(error), as_json=as_json)
            raise typer.Exit(StoreError.exit_code) from error
        except _USAGE_ERROR as error:
            if not as_json:
                raise
            print_error(_from_usage(error), as_json=True)
            raise typer.Exit(InputError.exit_code) from error


def _from_system(error: OSError) -> PageIndexError:
    where = f": {error.filename}" if error.filename else ""
    return StoreError(f"{error.strerror or error}{where}", "Check the disk and its permissions.", code="SYSTEM")


def _from_usage(error: Exception) -> PageIndexError:
    message = getattr(error, "format_message", lambda: str(error))()
    return InputError(message, "Run the command with --help.", code="USAGE")


app = typer.Typer(cls=Root, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"pageindex {__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Long documents become section trees; every quote and number is checked against the page.

    No model and no key are needed to index, browse, search, read and verify.
    """
