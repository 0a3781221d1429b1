"""A filter of system calls: what a reader of files needs is allowed, everything else is refused with an error.

Allowed are reading, memory, time, signals to itself and threads. There is no call left that opens a connection, starts a program, opens
a file for writing, changes, moves or removes one, looks into another process or sends it a signal, or lifts a limit. Numbers are those
of the kernel's interface (x86-64, and the generic table of AArch64).
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["install"]

# Instructions of the classic packet filter: load a word of the call's record, compare, return.
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06

_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE, _UNKNOWN = 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS

_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in the record

_NO_NEW_PRIVILEGES, _SET_FILTER, _ALL_THREADS = 38, 1, 1

_OPEN_TO_CHANGE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NEW_THREAD = 0x00010000  # CLONE_THREAD
_OWNER_COMMANDS = (8, 10, 15)  # fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX, which send signals
_TYPE_COMMANDS = (0x5412, 0x541C, 0x5423)  # ioctl: TIOCSTI, TIOCLINUX, TIOCSETD, which type into terminals

#: Calls above this number are younger than the table. "No such call" makes the C library take an older one.
_YOUNGEST = 434

# name: number on x86-64, on AArch64 (-1: none)
_ALLOWED = {
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "brk": (12, 214),
    "mlock": (149, 228),
    "munlock": (150, 229),
    "membarrier": (324, 283),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "pause": (34, -1),
    "alarm": (37, -1),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "poll": (7, -1),
    "ppoll": (271, 73),
    "select": (23, -1),
    "pselect6": (270, 72),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, -1),
    "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    "pipe2": (293, 59),
    "dup": (32, 23),
    "dup2": (33, -1),
    "dup3": (292, 24),
    "access": (21, -1),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "stat": (4, -1),
    "lstat": (6, -1),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "readlink": (89, -1),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "getdents": (78, -1),
    "getdents64": (217, 61),
    "fadvise64": (221, 223),
    "flock": (73, 32),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, -1),
    "times": (100, 153),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getpgrp": (111, -1),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getcpu": (309, 168),
    "get_mempolicy": (239, 236),
    "getrandom": (318, 278),
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "arch_prctl": (158, -1),
    "exit": (60, 93),
    "exit_group": (231, 94),
}


@dataclass(frozen=True, slots=True)
class _Machine:
    """Numbers of an architecture: its own, of the call that installs a filter, and of the calls whose arguments are looked at."""

    architecture: int
    column: int
    seccomp: int
    open: int
    openat: int
    fcntl: int
    ioctl: int
    clone: int
    kill: int
    tgkill: int
    prlimit64: int


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 0, 317, 2, 257, 72, 16, 56, 62, 234, 302),
    "aarch64": _Machine(0xC00000B7, 1, 277, -1, 56, 25, 29, 220, 129, 131, 261),
}

_Code = tuple[int, int, int, int]


def install() -> str:
    """Refuse, from now on, in all threads of this process, what is not allowed. Gives why that cannot be had here; empty when it holds."""
    machine = _MACHINES.get(platform.machine())
    if machine is None or struct.calcsize("P") != 8:
        return f"no table of system calls for {platform.machine()}"
    program = list(_program(machine, os.getpid()))
    codes = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *code) for code in program))
    head = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(codes))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        return f"privileges cannot be given up: {os.strerror(ctypes.get_errno())}"
    if libc.syscall(machine.seccomp, _SET_FILTER, _ALL_THREADS, ctypes.create_string_buffer(head, len(head))):
        return f"the kernel takes no filter of system calls: {os.strerror(ctypes.get_errno())}"
    return ""


def _program(machine: _Machine, pid: int) -> Iterator[_Code]:
    yield from (_load(_ARCHITECTURE), (_JUMP_EQUAL, 1, 0, machine.architecture), _end(_KILL))
    yield _load(_NUMBER)
    for number in (machine.open, machine.openat):
        if number >= 0:
            place = 1 if number == machine.open else 2
            yield from _inspected(number, [_argument(place), (_JUMP_SET, 0, 1, _OPEN_TO_CHANGE), _end(_REFUSE)])
    yield from _inspected(machine.clone, [_argument(0), (_JUMP_SET, 1, 0, _NEW_THREAD), _end(_REFUSE)])
    for number in (machine.kill, machine.tgkill):
        yield from _inspected(number, [_argument(0), (_JUMP_EQUAL, 1, 0, pid), _end(_REFUSE)])
    yield from _inspected(machine.prlimit64, [*_is_zero(2)])
    for number, commands in ((machine.fcntl, _OWNER_COMMANDS), (machine.ioctl, _TYPE_COMMANDS)):
        refused = [code for command in commands for code in ((_JUMP_EQUAL, 0, 1, command), _end(_REFUSE))]
        yield from _inspected(number, [_argument(1), *refused])
    for numbers in _ALLOWED.values():
        if (number := numbers[machine.column]) >= 0:
            yield from ((_JUMP_EQUAL, 0, 1, number), _end(_ALLOW))
    yield from ((_JUMP_ABOVE, 0, 1, _YOUNGEST), _end(_UNKNOWN), _end(_REFUSE))


def _inspected(number: int, checks: list[_Code]) -> Iterator[_Code]:
    """A call that is allowed when its checks come to their end."""
    yield (_JUMP_EQUAL, 0, len(checks) + 1, number)
    yield from checks
    yield _end(_ALLOW)


def _is_zero(argument: int) -> Iterator[_Code]:
    for half in (0, 4):
        yield from (_load(_ARGUMENTS + 8 * argument + half), (_JUMP_EQUAL, 1, 0, 0), _end(_REFUSE))


def _load(offset: int) -> _Code:
    return (_LOAD, 0, 0, offset)


def _argument(index: int) -> _Code:
    return _load(_ARGUMENTS + 8 * index)


def _end(what: int) -> _Code:
    return (_RETURN, 0, 0, what)
