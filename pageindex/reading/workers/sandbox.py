"""What a worker may still do: read Python and its packages, compute, and answer. And the proof of it, by attempts from inside."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["KEPT_VARIABLES", "Attempt", "attempts", "close_up", "readable_paths"]

#: Variables of the environment that a worker sees. None holds a secret; all others, keys of providers among them, stay out.
KEPT_VARIABLES = (
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONHOME",
    "SYSTEMROOT",
    "TIKTOKEN_CACHE_DIR",
)

LAST_WORDS = 1 << 16  #: Bytes that a worker may write to standard error, which its owner keeps in memory.

#: Shared libraries, and the fonts that PDFium takes for those that a file does not embed.
_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/X11/fonts",
    "/dev/null",
    "/dev/urandom",
)


def readable_paths(more: Sequence[str] = ()) -> list[str]:
    """What a worker may open: Python, installed packages, this package, shared libraries, fonts, and ``more``."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix} - {os.sep}
    own = str(Path(__file__).parents[2])
    folders = [folder for folder in sys.path if folder and _holds_packages(Path(folder))]
    tables = os.environ.get("TIKTOKEN_CACHE_DIR")
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    return [*_SYSTEM, *sorted(prefixes), *folders, own, *([tables] if tables else []), *filter(None, libraries), *more]


def _holds_packages(folder: Path) -> bool:
    """Whether packages were installed there. The folder of a script, which may hold anything, is none of a worker's business."""
    if folder.is_file():
        return True  # an archive of modules
    return folder.name in ("site-packages", "dist-packages") or any(folder.glob("*.dist-info"))


def close_up(readable: Sequence[str]) -> tuple[str, ...]:
    """Give up everything else, for good. Returns what could not be given up, each with its reason."""
    sys.dont_write_bytecode = True
    missing = []
    if not sys.platform.startswith("linux"):
        return ("network, programs and files: this needs Linux",)
    from pageindex.reading.workers import landlock, seccomp

    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LAST_WORDS, LAST_WORDS))
    version, reason = landlock.restrict(readable_paths(readable))
    if not version:
        missing.append(f"reading of files: {reason}")
    if reason := seccomp.install():
        missing.append(f"system calls: {reason}")
    return tuple(missing)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something that a worker tried and should not be able to do; ``outcome`` says what happened, in a few words."""

    what: str
    refused: bool
    outcome: str


def attempts(file: str, address: tuple[str, int], owner: int) -> list[Attempt]:
    """Try from inside of a worker what a reader taken over by a file would try.

    Args:
        file: A file of the user's, which exists. It is lost where nothing is refused.
        address: Host and port of something that listens.
        owner: Process that the worker works for.
    """
    return [Attempt(what, *_tried(attempt)) for what, attempt in _forbidden(Path(file), address, owner)]


def _tried(attempt: Callable[[], object]) -> tuple[bool, str]:
    try:
        attempt()
    except (OSError, ValueError) as error:  # resource raises ValueError when a limit may not be lifted
        return True, f"{type(error).__name__}: {error}"
    return False, "done"


def _forbidden(file: Path, address: tuple[str, int], owner: int) -> Iterator[tuple[str, Callable[[], object]]]:
    import resource
    import socket
    import subprocess

    beside = file.with_name("written-by-a-worker")
    everything = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    yield "connect to the network", lambda: socket.create_connection(address, timeout=2)
    yield "send a datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", address)
    yield "listen to the network", lambda: socket.create_server(("127.0.0.1", 0))
    yield "start a program", lambda: subprocess.run([sys.executable, "-c", "pass"], check=False)
    yield "become a program", lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"])  # noqa: S606
    yield "copy itself", os.fork
    yield "read a file of the user", file.read_bytes
    yield "list a folder of the user", lambda: list(file.parent.iterdir())
    yield "write a file", lambda: beside.write_text("x")
    yield "write into a file", lambda: file.open("ab")
    yield "make a folder", beside.mkdir
    yield "make a link", lambda: beside.symlink_to(file)
    yield "rename a file", lambda: file.rename(beside)
    yield "change permissions", lambda: file.chmod(0o777)
    yield "remove a file", file.unlink
    yield "read its owner's environment", Path(f"/proc/{owner}/environ").read_bytes
    yield "read its owner's memory", lambda: Path(f"/proc/{owner}/mem").open("rb").close()
    yield "signal its owner", lambda: os.kill(owner, 0)
    yield "lift its time", lambda: resource.setrlimit(resource.RLIMIT_CPU, everything)
    yield "lift its memory", lambda: resource.setrlimit(resource.RLIMIT_AS, everything)
    yield "find keys in its environment", _find_keys


def _find_keys() -> None:
    found = sorted(set(os.environ) - set(KEPT_VARIABLES) - set(_INNOCENT))
    if not found:
        raise FileNotFoundError("only harmless variables")


#: What is set for a worker, and what the C library adds.
_INNOCENT = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "__CF_USER_TEXT_ENCODING")
