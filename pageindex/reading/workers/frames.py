"""Messages between a worker and its owner: an 8-byte length, then a pickle. Both ends run this package on this machine."""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

__all__ = ["receive", "send"]

_LENGTH = struct.Struct(">Q")


def send(stream: BinaryIO, message: Any) -> None:
    """Write one message; raises BrokenPipeError when nobody listens."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(body)))
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message; raises EOFError when the other end closed, in the middle of a message too."""
    head = _exactly(stream, _LENGTH.size)
    return pickle.loads(_exactly(stream, _LENGTH.unpack(head)[0]))  # noqa: S301 - written by our own process


def _exactly(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
