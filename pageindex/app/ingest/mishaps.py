"""What may go wrong between a file and its line in a batch besides errors of our own, and what it is called then."""

from __future__ import annotations

import errno
import sqlite3

from pageindex.errors import PageIndexError, StoreError

__all__ = ["MISHAPS", "storing_error"]

#: Our own errors, the disk, a database beside the records, and an executor or a file name that does not work.
MISHAPS = (PageIndexError, OSError, sqlite3.Error, RuntimeError, ValueError)

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


def storing_error(failure: Exception, name: str) -> PageIndexError:
    """A mishap as the error of one file: our own as it is, anything else with its words and what to do about it."""
    if isinstance(failure, PageIndexError):
        return failure
    if isinstance(failure, OSError):
        full = failure.errno in _NO_SPACE
        step = "Free space there" if full else "Check the disk and its permissions"
        text = f"{name} could not be stored: {failure.strerror or failure}"
        return StoreError(text, f"{step}, then run the same command again: what is stored is kept.", code="SYSTEM")
    text = f"{name} could not be taken in: {type(failure).__name__}: {failure}"
    return StoreError(text, "Run 'pageindex doctor', then the same command again.", code="SYSTEM")
