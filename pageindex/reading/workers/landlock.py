"""Landlock: from now on this process opens only files below some folders, and only to read them; no network, no signals to others.

The kernel has it since Linux 5.13; what later versions added is asked for where it is there.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

__all__ = ["restrict"]

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # the same on all architectures
_ASK_VERSION, _BELOW_PATH = 1, 1
_NO_NEW_PRIVILEGES = 38

_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3

#: Version: how many kinds of file access it can refuse (bits from 0 on). Those of a version are refused altogether.
_FILE_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK_SINCE, _NETWORK = 4, 0b11  # to bind and to connect
_SCOPE_SINCE, _SCOPE = 6, 0b11  # abstract sockets and signals of processes outside


def restrict(readable: Iterable[str]) -> tuple[int, str]:
    """Close everything but reading below some files and folders; those that do not exist are passed over.

    Returns:
        The version in force, and, when it is 0, why there is none.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return 0, f"the kernel has no Landlock: {os.strerror(ctypes.get_errno())}"
    access = (1 << _FILE_ACCESS.get(version, 16)) - 1
    network = _NETWORK if version >= _NETWORK_SINCE else 0
    scope = _SCOPE if version >= _SCOPE_SINCE else 0
    wanted = struct.pack("<QQQ", access, network, scope)[
        : 8 * (1 + (version >= _NETWORK_SINCE) + (version >= _SCOPE_SINCE))
    ]
    rules = libc.syscall(_CREATE, ctypes.create_string_buffer(wanted, len(wanted)), ctypes.c_size_t(len(wanted)), 0)
    if rules < 0:
        return 0, f"Landlock refuses its rules: {os.strerror(ctypes.get_errno())}"
    try:
        for path in readable:
            _allow(libc, rules, path)
        libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))
        if libc.syscall(_RESTRICT, rules, 0):
            return 0, f"Landlock cannot be entered: {os.strerror(ctypes.get_errno())}"
    finally:
        os.close(rules)
    return version, ""


def _allow(libc: ctypes.CDLL, rules: int, path: str) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        access = _READ_FILE | (_READ_FOLDER if os.path.isdir(path) else 0)  # noqa: PTH112 - a plain string, once per start
        rule = struct.pack("<Qi", access, place)
        libc.syscall(_ADD_RULE, rules, _BELOW_PATH, ctypes.create_string_buffer(rule, len(rule)), 0)
    finally:
        os.close(place)
