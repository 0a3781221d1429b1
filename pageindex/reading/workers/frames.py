"""Messages between a worker and its owner, as bytes that are parsed: nothing that a worker sends can run code in its owner.

A message is an 8-byte length and MessagePack. What the owner sends are plain values, paths, limits and contents of files; contents
follow their message as they are, so that a large file is copied once. What a worker sends back is decoded as the type that the called
function declares, and an error only as one of this package's classes.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Container
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from pageindex import errors
from pageindex.errors import PageIndexError, SettingsError
from pageindex.files import OpenFile, open_regular
from pageindex.limits import DEFAULT_LIMITS, Limits

__all__ = [
    "OUT_OF_MEMORY",
    "Content",
    "Fault",
    "Kept",
    "Reply",
    "Request",
    "UnintelligibleError",
    "decode",
    "fault_of",
    "read_reply",
    "read_request",
    "write_reply",
    "write_request",
]

OUT_OF_MEMORY = 77  #: With which a worker exits whose memory does not suffice.

_LENGTH = struct.Struct(">Q")
_PIECE = 1 << 20

_PATH, _LIMITS, _CONTENT, _TEXT, _KEPT = 1, 2, 3, 4, 5  # extension types of a request

#: Bytes from which an argument follows its message instead of standing in it.
_LARGE = 1 << 16

_LONGEST_TEXT = 20_000  #: Characters of an error's message.


class UnintelligibleError(Exception):
    """A worker sent something that is no reply."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file whose bytes a function is called with, in the place of this argument. It is opened here, once, and never by the worker.

    ``most`` is the largest size in bytes.
    """

    path: Path
    most: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A content that a worker keeps under a key after the call, so that the next call with this key need not send it again."""

    key: int
    content: Content | bytes


@dataclass(frozen=True, slots=True)
class Request:
    """A call to make.

    Attributes:
        target: ``module:function``.
        args, kwargs: What it is called with.
        limits: Under which it runs.
        wants_progress: Whether it gets a keyword ``progress``.
        forget: Keys of contents that are kept no longer.
    """

    target: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    limits: Limits = DEFAULT_LIMITS
    wants_progress: bool = False
    forget: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """An error as it travels: the name of its class, and what it says."""

    kind: str
    message: str
    next_step: str
    code: errors.Code
    details: dict[str, Any] = field(default_factory=dict)

    def error(self) -> PageIndexError:
        """The error of this package that it stands for."""
        kind = getattr(errors, self.kind, None)
        if not (isinstance(kind, type) and issubclass(kind, PageIndexError)):
            kind = PageIndexError
        error: PageIndexError = kind(self.message[:_LONGEST_TEXT], self.next_step[:_LONGEST_TEXT], code=self.code)
        error.details = self.details
        return error


def fault_of(error: PageIndexError) -> Fault:
    """What of an error travels: details that JSON knows, text without half characters."""
    kept = {name: value for name, value in error.details.items() if _travels(value)}
    return Fault(type(error).__name__, _whole(error.message), _whole(error.next_step), error.code, kept)


def _travels(value: Any) -> bool:
    try:
        msgspec.msgpack.encode(value)
    except (TypeError, ValueError):
        return False
    return True


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Reply:
    """What a worker says; ``ends`` when it will take no more calls."""

    kind: Literal["progress", "result", "fault"]
    value: msgspec.Raw
    ends: bool = False


def decode(value: msgspec.Raw, kind: Any) -> Any:
    """The value of a reply, as a type; raises UnintelligibleError when it is none."""
    try:
        return msgspec.msgpack.decode(value, type=kind)
    except (ValueError, TypeError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        raise UnintelligibleError(str(error)) from error


# ---------------------------------------------------------------- from the owner to the worker


def write_request(stream: BinaryIO, request: Request, held: Container[int] = ()) -> None:
    """Send a call. Files are opened and checked before the first byte is sent.

    Args:
        held: Keys of contents that the worker keeps already.

    Raises:
        NotFoundError, InputError, LimitError: A file is missing, not a regular one, not readable, or too large.
        SettingsError: An argument that cannot be sent.
        BrokenPipeError: Nobody listens.
        OSError: A file could not be read to its end; what was sent is no whole message, and the worker is of no more use.
    """
    packer = _Packer(held)
    try:
        body = [
            request.target,
            packer.pack(list(request.args)),
            packer.pack(request.kwargs),
            packer.pack(request.limits),
            request.wants_progress,
            request.forget,
            packer.sizes,
        ]
        _write(stream, msgspec.msgpack.encode(body))
        for content in packer.contents:
            if isinstance(content, bytes):
                stream.write(content)
            else:
                for piece in content.pieces():
                    stream.write(piece)
        stream.flush()
    finally:
        packer.close()


class _Packer:
    """Turns arguments into what MessagePack knows, and gathers the contents that follow."""

    def __init__(self, held: Container[int]) -> None:
        self._held = held
        self.contents: list[bytes | OpenFile] = []

    @property
    def sizes(self) -> list[int]:
        return [len(one) if isinstance(one, bytes) else one.size for one in self.contents]

    def close(self) -> None:
        for one in self.contents:
            if not isinstance(one, bytes):
                one.stream.close()

    def pack(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, str):
            return value if value.isascii() else msgspec.msgpack.Ext(_TEXT, value.encode("utf-8", "surrogatepass"))
        if isinstance(value, Path):
            return msgspec.msgpack.Ext(_PATH, os.fsencode(value))
        if isinstance(value, Limits):
            return msgspec.msgpack.Ext(_LIMITS, msgspec.msgpack.encode(asdict(value)))
        if isinstance(value, bytes | Content):
            small = isinstance(value, bytes) and len(value) < _LARGE
            return value if small else msgspec.msgpack.Ext(_CONTENT, msgspec.msgpack.encode(self._place(value)))
        if isinstance(value, Kept):
            place = None if value.key in self._held else self._place(value.content)
            return msgspec.msgpack.Ext(_KEPT, msgspec.msgpack.encode((value.key, place)))
        return self._pack_many(value)

    def _pack_many(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self.pack(item) for item in value]
        if isinstance(value, dict):
            return {name: self.pack(item) for name, item in value.items()}
        name = type(value).__name__
        raise SettingsError(f"A {name} cannot be sent to a worker.", "Send plain values, paths or contents.")

    def _place(self, content: bytes | Content) -> int:
        self.contents.append(content if isinstance(content, bytes) else open_regular(content.path, content.most))
        return len(self.contents) - 1


def read_request(stream: BinaryIO, kept: dict[int, bytes]) -> Request:
    """Receive a call; raises EOFError when the owner closed. ``kept`` holds the contents that stay, and is brought up to date."""
    body = _exactly(stream, _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0])
    target, args, kwargs, limits, wants_progress, forget, sizes = msgspec.msgpack.decode(body, ext_hook=_unpack)
    for key in forget:
        kept.pop(key, None)
    contents = [_exactly(stream, size) for size in sizes]

    def filled(value: Any) -> Any:
        if isinstance(value, _Place):
            if value.key is None:
                return contents[value.index or 0]
            if value.index is not None:
                kept[value.key] = contents[value.index]
            return kept[value.key]
        if isinstance(value, list):
            return [filled(item) for item in value]
        if isinstance(value, dict):
            return {name: filled(item) for name, item in value.items()}
        return value

    return Request(target, tuple(filled(args)), filled(kwargs), limits, wants_progress)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a content stands among those that follow, and the key under which it is kept."""

    index: int | None
    key: int | None = None


def _unpack(code: int, data: memoryview) -> Any:
    if code == _PATH:
        return Path(os.fsdecode(bytes(data)))
    if code == _LIMITS:
        return Limits(**msgspec.msgpack.decode(data))
    if code == _TEXT:
        return bytes(data).decode("utf-8", "surrogatepass")
    if code == _KEPT:
        key, index = msgspec.msgpack.decode(data)
        return _Place(index, key)
    return _Place(msgspec.msgpack.decode(data))


# ---------------------------------------------------------------- from the worker to the owner


def write_reply(
    stream: BinaryIO, kind: Literal["progress", "result", "fault"], packed: bytes, *, ends: bool = False
) -> None:
    """Send a value that is encoded already; raises BrokenPipeError when nobody listens."""
    _write(stream, msgspec.msgpack.encode(Reply(kind, msgspec.Raw(packed), ends)))
    stream.flush()


def read_reply(stream: BinaryIO, most: int) -> Reply:
    """Receive a message of at most ``most`` bytes.

    Raises:
        EOFError: The worker closed, in the middle of a message too.
        UnintelligibleError: It is no message, or a longer one.
    """
    size = _LENGTH.unpack(_exactly(stream, _LENGTH.size))[0]
    if size > most:
        raise UnintelligibleError(f"a reply of {size:,} bytes")
    try:
        return msgspec.msgpack.decode(_grown(stream, size), type=Reply)
    except (ValueError, RecursionError) as error:
        raise UnintelligibleError(str(error)) from error


def _write(stream: BinaryIO, body: bytes) -> None:
    stream.write(_LENGTH.pack(len(body)))
    stream.write(body)


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _grown(stream: BinaryIO, size: int) -> bytes:
    """``size`` bytes; no more memory is taken than has arrived."""
    if size <= _PIECE:
        return _exactly(stream, size)
    data = bytearray()
    while len(data) < size:
        data += _exactly(stream, min(_PIECE, size - len(data)))
    return bytes(data)
