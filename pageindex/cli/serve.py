"""The library for other programs: ``mcp``."""

from __future__ import annotations

import logging
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pageindex.cli.frame import LibraryOption, complain, open_library
from pageindex.cli.options import ConfigOption, load_settings
from pageindex.cli.screen import printable
from pageindex.errors import InputError, SettingsError

if TYPE_CHECKING:
    from pageindex.serve.mcp.catalogue import LibraryCatalogue

__all__ = ["register"]

_TOKEN = "PAGEINDEX_SERVER_TOKEN"  # noqa: S105 - a name


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("mcp")(mcp)


def mcp(
    docs: Annotated[
        list[str] | None,
        typer.Argument(metavar="DOC", show_default=False, help="Documents that may be seen. Default: all."),
    ] = None,
    http: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Serve streamable HTTP at /mcp of this address, in place of standard input.",
            show_default=False,
        ),
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            envvar=_TOKEN,
            show_default=False,
            help="What each request over HTTP must bear. Needed for any address but this machine's own.",
        ),
    ] = "",
    allow: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Let clients take in files of this folder; may be given again.", show_default=False
        ),
    ] = None,
    manage: Annotated[bool, typer.Option("--manage", help="Let clients remove documents.")] = False,
    images: Annotated[bool, typer.Option(help="Offer pictures of pages.")] = True,
    config: ConfigOption = None,
    library: LibraryOption = None,
) -> None:
    """Serve the library over the Model Context Protocol.

    A host such as Claude Desktop starts it and talks over standard input and output. Tools search, browse, read and check; documents are
    resources too. What one connection was shown, another has not read.
    """
    address = _address(http, token) if http is not None else None
    try:
        from pageindex.serve.mcp.catalogue import LibraryCatalogue, Offering
    except ImportError as error:
        raise SettingsError(
            "the MCP server is not installed", "Run: pip install 'pageindex[mcp]'.", code="MISSING_EXTRA"
        ) from error
    given = {"allow": [str(folder) for folder in allow]} if allow else {}
    settings = load_settings(config, library, **given)
    folders = tuple(Path(folder).expanduser().absolute() for folder in settings.allow)
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder} is no folder", "Allow a folder that is there.", code="NOT_A_FOLDER")
    opened = open_library(library, create=bool(folders), named=True)
    scope = tuple(opened.resolve(doc).doc_id for doc in docs) if docs else None
    offering = Offering(scope, folders, manage, images, settings)
    _run(LibraryCatalogue(opened, offering), address, token)


def _run(catalogue: LibraryCatalogue, address: tuple[str, int] | None, token: str) -> None:
    from pageindex.serve.mcp.transports import run_http, run_stdio

    logging.getLogger("mcp").setLevel(logging.ERROR)
    try:
        if address is None:
            run_stdio(catalogue)
            return
        listening = _listen(*address)
        host, port = listening.getsockname()[:2]
        complain(f"serving http://{printable(f'[{host}]' if ':' in host else host)}:{port}/mcp")
        run_http(catalogue, listening, address[0], token=token)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    finally:
        catalogue.close()


def _address(http: str, token: str) -> tuple[str, int]:
    """Host and port; raises SettingsError for an address of other machines without a token."""
    from pageindex.serve.loopback import LOOPBACK

    host, _, port = http.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not port.isdecimal() or int(port) > 65_535:
        raise InputError(f"{http!r} is no address", "Give HOST:PORT, such as 127.0.0.1:8765; port 0 takes a free one.")
    if host not in LOOPBACK and not token:
        text = f"{host} can be reached from other machines, and no token is set"
        raise SettingsError(text, f"Set {_TOKEN}, or serve on 127.0.0.1.")
    return host, int(port)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"{host}:{port} cannot be served: {error.strerror}", "Choose another port.", code="SYSTEM"
        ) from error
    listening.listen(128)
    return listening
