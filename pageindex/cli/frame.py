"""What all commands share: their common options, how a result is printed, how an error ends a command."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.cli.screen import Screen, counted, harmless, one_line, printable
from pageindex.errors import PageIndexError

if TYPE_CHECKING:
    from pageindex.app.document import OpenDocument
    from pageindex.app.library import Library

__all__ = [
    "DocumentArgument",
    "JsonOption",
    "LibraryOption",
    "PasswordOption",
    "complain",
    "damaged",
    "emit",
    "log_to_stderr",
    "open_document",
    "open_library",
    "parse_metadata",
    "print_error",
    "print_lines",
    "write_bytes",
    "write_json",
    "write_output",
]

LibraryOption = Annotated[
    Path | None,
    typer.Option(
        "--library",
        "-L",
        envvar="PAGEINDEX_LIBRARY",
        show_default=False,
        help="Folder of the library. Default: the nearest .pageindex upwards, else .pageindex here.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, errors included.")]
DocumentArgument = Annotated[
    str,
    typer.Argument(metavar="DOC", help="A document: its id, the start of its id, its name, or the path it came from."),
]


PasswordOption = Annotated[
    str | None, typer.Option(help="Password of an encrypted file.", envvar="PAGEINDEX_PASSWORD", show_default=False)
]


def open_library(path: Path | None, *, create: bool = False, strict: bool = True, named: bool = False) -> Library:
    """The library that ``--library`` names, or the one found from here; only ``add`` and its like create one.

    With ``named``, standard error says which one it is whenever it is not in the working folder.
    """
    from pageindex.app.library import open_library as opened
    from pageindex.app.library import root_of

    library = opened(path, create=create, strict=strict)
    root = root_of(library)
    if named and root is not None and root.parent != Path.cwd():
        screen = Screen.of(sys.stderr)
        complain(f"{screen.paint('library:', 'cyan')} {printable(str(root))}")
    return library


def open_document(library: Path | None, reference: str, password: str | None = None) -> OpenDocument:
    """A document of that library, with a reader of its pages whose worker ends with this process."""
    from pageindex.app.document import OpenDocument

    return OpenDocument.open(open_library(library), reference, password=password)


def write_json(value: Any) -> None:
    """One JSON document on standard output, indented."""
    from pageindex.document.codec import encode_json

    write_bytes(encode_json(value, pretty=True))


def write_bytes(data: bytes) -> None:
    """Bytes on standard output, whatever the locale's encoding."""
    sys.stdout.flush()
    if sys.stdout.isatty():  # a document's own control characters are for files
        data = harmless(data.decode("utf-8", "replace")).encode()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        buffer.write(data)
    sys.stdout.flush()


def write_output(path: Path | None, data: bytes) -> None:
    """Bytes into a file, or on standard output where none is named."""
    from pageindex.errors import InputError

    if path is None:
        write_bytes(data)
    elif path.is_dir():
        raise InputError(f"{path} is a folder", "Name a file in it.", code="IS_A_FOLDER")
    else:
        path.write_bytes(data)


def emit(payload: Any, *, as_json: bool, text: Callable[[Screen], Iterable[str]]) -> None:
    """Print a result: its JSON, or the lines that ``text`` makes of it for the screen at hand."""
    if as_json:
        write_json(payload)
        return
    print_lines(text(Screen.of(sys.stdout)))


def print_lines(lines: Iterable[str]) -> None:
    """Lines on standard output; none of them holds another."""
    sys.stdout.flush()
    data = "".join(f"{one_line(line)}\n" for line in lines).encode("utf-8", "replace")
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        buffer.write(data)
    sys.stdout.flush()


def damaged(doc_ids: Sequence[str], screen: Screen) -> Iterator[str]:
    """The line on documents that a listing or a search left out; none where all are sound."""
    if doc_ids:
        count = counted(len(doc_ids), "damaged document")
        ids = ", ".join(map(printable, doc_ids[:5])) + (", …" if len(doc_ids) > 5 else "")
        yield f"{screen.paint(f'{count} left out:', 'yellow')} {ids}. See: pageindex doctor"


def complain(*lines: str) -> None:
    """Lines on standard error; none of them holds another."""
    sys.stderr.write("".join(f"{one_line(line)}\n" for line in lines))


class _ToStderr(logging.Handler):
    """Warnings of the package, one line each."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(f"{Screen.of(sys.stderr).paint('warning:', 'yellow')} {printable(record.getMessage())}")


def log_to_stderr() -> None:
    """Show the package's warnings, in a form that no file name or provider can use to write lines of its own."""
    logger = logging.getLogger("pageindex")
    if not logger.handlers:
        logger.addHandler(_ToStderr(logging.WARNING))
        logger.propagate = False


def print_error(error: PageIndexError, *, as_json: bool) -> None:
    """An error on standard error: as ``{"error": {code, message, next_step, …}}``, or for people."""
    if as_json:
        from pageindex.document.codec import encode_json

        text = encode_json({"error": error.to_json()}, pretty=True).decode()
        sys.stderr.write(harmless(text) if sys.stderr.isatty() else text)
        return
    screen = Screen.of(sys.stderr)
    complain(f"{screen.paint('error:', 'red', 'bold')} {error.message} {screen.paint(f'[{error.code}]', 'dim')}")
    if error.next_step:
        complain(f"{screen.paint('next:', 'cyan')} {error.next_step}")


def parse_metadata(pairs: Iterable[str]) -> dict[str, Any]:
    """``["year=2022", "tag=audit"]`` as a mapping; numbers, true, false, null and JSON lists are read as such."""
    from pageindex.document.codec import decode_json
    from pageindex.errors import InputError

    metadata: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise InputError(f"{pair!r} is no metadata", "Write key=value, for example --metadata year=2022.")
        try:
            metadata[key.strip()] = decode_json(value.encode())
        except ValueError:  # no JSON: the words themselves
            metadata[key.strip()] = value
    return metadata
