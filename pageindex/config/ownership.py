"""Whose a file is: what a stranger put into a folder gives no orders."""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["MOST_BYTES", "belongs_to_user", "distrust", "home_folder"]

MOST_BYTES = 1 << 20  #: Of a configuration file that nobody named.


def belongs_to_user(path: Path) -> bool:
    """Whether a file or folder, and the link that leads to it, are the user's own; under sudo also the one's who called it.

    Where the system keeps no owners (Windows), everything is.
    """
    if not hasattr(os, "geteuid"):
        return True
    users = {os.geteuid()}
    if os.geteuid() == 0 and os.environ.get("SUDO_UID", "").isdecimal():
        users.add(int(os.environ["SUDO_UID"]))
    return path.lstat().st_uid in users and path.stat().st_uid in users


def home_folder() -> Path | None:
    """The user's home folder; None where the system knows none."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def distrust(path: Path) -> str:
    """Why a configuration file that nobody named is not read, in words; empty where it may be."""
    try:
        if not belongs_to_user(path):
            return "it belongs to another user"
        if not stat.S_ISREG(path.stat().st_mode):
            return "it is no file"
        if path.stat().st_size > MOST_BYTES:
            return f"it is larger than {MOST_BYTES:,} bytes"
        if hasattr(os, "geteuid") and stat.S_IMODE(path.stat().st_mode) & stat.S_IWOTH:
            return "anybody may write it"
    except OSError as error:
        return f"it cannot be looked at ({error.strerror})"
    return ""
