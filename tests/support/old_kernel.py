"""A program run as on a kernel without Landlock, without filters of system calls, or without both: ``old_kernel.py WHAT COMMAND …``."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

LANDLOCK = (444, 445, 446)
SECCOMP, PRCTL = {"x86_64": (317, 157), "aarch64": (277, 167)}.get(platform.machine(), (0, 0))
_LOAD, _EQUAL, _RETURN, _ALLOW, _ERROR = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050000


def _filter(what: str) -> bytes:
    """The answers of such a kernel: the calls are not there, and prctl knows no filters."""
    steps = [(_LOAD, 0, 0, 0)]
    for call in (*(LANDLOCK if what != "seccomp" else ()), *((SECCOMP,) if what != "landlock" else ())):
        steps += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
    if what != "landlock":  # prctl(PR_SET_SECCOMP)
        steps += [(_EQUAL, 0, 3, PRCTL), (_LOAD, 0, 0, 16), (_EQUAL, 0, 1, 22), (_RETURN, 0, 0, _ERROR | errno.EINVAL)]
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, (_RETURN, 0, 0, _ALLOW)])


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def main() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    steps = ctypes.create_string_buffer(data := _filter(sys.argv[1]))
    program = _Program(len(data) // 8, ctypes.addressof(steps))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0):
        sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
