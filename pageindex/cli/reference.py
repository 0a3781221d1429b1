"""The pages of ``docs/`` that are made from the code: ``python -m pageindex.cli.reference`` writes them, in the working folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import typer
import typer.main

from pageindex import errors
from pageindex.cli.root import FAMILIES, app
from pageindex.config import Option, Settings, options_of

__all__ = ["PAGES", "commands", "made"]


def commands() -> dict[str, Any]:
    """Every command by its full name (``folders create``), imported."""
    group: Any = typer.main.get_command(app)
    context = typer.Context(group, info_name="pageindex")
    found: dict[str, Any] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = getattr(command, "commands", None)
        found |= {f"{name} {below}": inner[below] for below in inner} if inner else {name: command}
    return found


def _commands() -> Iterator[str]:
    known = commands()
    for section in dict.fromkeys(family.section for family in FAMILIES):
        yield f"## {section}\n"
        for family in FAMILIES:
            if family.section == section:
                for name in family.commands:
                    for full, command in known.items():
                        if full.split()[0] == name:
                            yield from _command(full, command)


def _statuses() -> Iterator[str]:
    yield "| status | meaning |\n|---|---|"
    said = {status: [words] for status, words in errors.EXIT_STATUSES.items()}
    for kind in _classes():
        if kind.exit_code != errors.SOME_FAILED_STATUS:
            said.setdefault(kind.exit_code, []).append(f"`{kind.default_code}`: {_first_sentence(kind)}")
    yield from (f"| {status} | {'<br>'.join(words)} |" for status, words in sorted(said.items()))


def _error_classes() -> Iterator[str]:
    yield "| class | code | status | retryable | meaning |\n|---|---|---|---|---|"
    for kind in _classes():
        retry = "yes" if kind.retryable else ""
        yield f"| `{kind.__name__}` | `{kind.default_code}` | {kind.exit_code} | {retry} | {_first_sentence(kind)} |"


def _codes() -> Iterator[str]:
    yield "| code | meaning |\n|---|---|"
    yield from (f"| `{code}` | {_cell(words)} |" for code, words in errors.CODES.items())


def _classes() -> list[type[errors.PageIndexError]]:
    """The classes of errors, each behind the one it is a kind of."""
    found = [errors.PageIndexError]
    for kind in found:  # grows while it is walked
        found[found.index(kind) + 1 : found.index(kind) + 1] = kind.__subclasses__()
    return found


def _first_sentence(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    usage = " ".join(_metavar(argument) for argument in arguments)
    yield f"### pageindex {name}\n"
    yield f"    pageindex {name} {usage}".rstrip() + (" [OPTIONS]\n" if options else "\n")
    yield f"{command.help.strip()}\n"
    if arguments or options:
        yield "| | |\n|---|---|"
        for argument in arguments:
            yield f"| `{_metavar(argument)}` | {_cell(argument.help)} |"
        for option in options:
            yield f"| {_spelling(option)} | {_cell(option.help)}{_default(option)} |"
        yield ""


def _settings() -> Iterator[str]:
    yield "| setting | default | flag of | meaning |\n|---|---|---|---|"
    yield from map(_setting, options_of(Settings).values())


def _setting(option: Option) -> str:
    default = option.unset or f"`{option.default}`"
    flags = {"index": "`add`, `refine`", "add": "`add`", "chat": "`ask`, `chat`"}
    values = f" One of {', '.join(f'`{value}`' for value in option.values)}." if option.values else ""
    bounds = f" {option.bounds().capitalize()}." if option.bounds() and option.least != 0 else ""
    shown = (
        f"`{option.name}`",
        default,
        ", ".join(flags[task] for task in option.commands),
        option.help + values + bounds,
    )
    return f"| {' | '.join(_cell(text) for text in shown)} |"


def _tools() -> Iterator[str]:
    from pageindex.tools import TOOLS

    yield "| tool | arguments | what it does | data of a success |\n|---|---|---|---|"
    for tool in TOOLS:
        needs = f" Only where the session has `{tool.needs}`." if tool.needs else ""
        given = ", ".join(f"`{p.name}`" if p.required else f"`{p.name}?`" for p in tool.parameters.values())
        yield f"| `{tool.name}` | {given} | {_cell(tool.description)}{needs} | {_cell(tool.returns)} |"


def _tool_arguments() -> Iterator[str]:
    from pageindex.tools import TOOLS

    yield "| argument | of | type | meaning |\n|---|---|---|---|"
    rows: dict[tuple[str, str, str], list[str]] = {}
    for tool in TOOLS:
        for parameter in tool.parameters.values():
            schema = parameter.schema()
            kind = " or ".join(f"`{value}`" for value in schema.get("enum", ())) or schema["type"]
            rows.setdefault((parameter.name, kind, parameter.description), []).append(f"`{tool.name}`")
    yield from (f"| `{name}` | {', '.join(of)} | {kind} | {_cell(said)} |" for (name, kind, said), of in rows.items())


def _formats() -> Iterator[str]:
    from pageindex.app.ingest.files import FORMATS

    yield "| format | suffixes | media type | extractor | pictures of pages, boxes of characters |\n|---|---|---|---|---|"
    for kind in FORMATS:
        suffixes = " ".join(f"`{suffix}`" for suffix in kind.suffixes)
        printed = "yes" if kind.inspector else "no"
        yield f"| {kind.name} | {suffixes} | `{kind.media_type}` | `{kind.extractor}` | {printed} |"


def _format_names() -> Iterator[str]:
    from pageindex.app.ingest import format_names

    yield f"{format_names()}. Python 3.11 or newer. MIT licence."


def _metavar(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return f"{name}..." if argument.nargs == -1 else name


def _spelling(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
    return names if option.is_flag else f"{names} VALUE"


def _default(option: Any) -> str:
    parts = []
    value = option.default.value if isinstance(option.default, Enum) else option.default
    if not option.is_flag and value not in (None, (), []) and not callable(value):
        parts.append(f"default `{value}`")
    if option.envvar:
        parts.append(f"from `${option.envvar}`")
    return f" ({', '.join(parts)})" if parts else ""


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")


PAGES: Mapping[str, Mapping[str, Callable[[], Iterator[str]]]] = {
    "cli.md": {"commands": _commands},
    "../README.md": {"formats": _format_names},
    "formats.md": {"formats": _formats},
    "errors.md": {"statuses": _statuses, "classes": _error_classes, "codes": _codes},
    "settings.md": {"settings": _settings},
    "tools.md": {"tools": _tools, "arguments": _tool_arguments},
}
"""The pages of ``docs/`` with parts that are made, and how each part is; a part stands between ``<!-- made: NAME -->`` and ``<!-- end -->``."""


def made(name: str, page: str) -> str:
    """A page with its parts as they are to be."""
    for part, lines in PAGES[name].items():
        mark = f"<!-- made: {part} -->\n"
        before, found, rest = page.partition(mark)
        if not found:
            raise ValueError(f"docs/{name} has no {mark.strip()}")
        _, _, after = rest.partition("<!-- end -->\n")
        page = f"{before}{mark}" + "\n".join(lines()).strip() + f"\n<!-- end -->\n{after}"
    return page


if __name__ == "__main__":
    for name in PAGES:
        path = Path("docs") / name
        path.write_text(made(name, path.read_text("utf-8")), "utf-8")
