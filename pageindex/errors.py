"""Every error that pageindex raises on purpose.

::

    PageIndexError                  anything below
    ├── InputError                  what the caller gave cannot be used
    │   ├── NotFoundError           no such file, document, section or folder
    │   ├── PageRangeError          a page specification that fits no page of the document
    │   ├── UnsupportedFormatError  the bytes are of no format that is read here
    │   ├── DamagedFileError        the bytes claim a format and cannot be read as it
    │   ├── PasswordError           the file is encrypted, and no or a wrong password was given
    │   └── SettingsError           a setting has a value that means nothing
    ├── LimitError                  a limit on time, memory or size was reached
    ├── StoreError                  the library on disk
    │   ├── CorruptRecordError      a file of the library is not what it should be
    │   ├── LockedError             another process holds the library for longer than we wait
    │   └── FormatVersionError      the library was written by a newer pageindex
    ├── EvidenceError               a handle, cursor or ledger that does not hold
    ├── ModelError                  a language model did not do its part
    │   ├── CredentialError         the provider refused the key
    │   ├── ModelRequestError       the provider refused the request itself
    │   ├── ModelUnavailableError   still failing after every retry
    │   ├── ModelReplyError         a reply that cannot be used
    │   └── BudgetError             the next call would go over the budget
    └── MissingExtraError           an optional dependency is not installed

Each error has a stable ``code`` for programs, a message for people, a ``next_step`` that says what to do now, and the exit
status with which the command line ends because of it.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "BudgetError",
    "CorruptRecordError",
    "CredentialError",
    "DamagedFileError",
    "EvidenceError",
    "FormatVersionError",
    "InputError",
    "LimitError",
    "LockedError",
    "MissingExtraError",
    "ModelError",
    "ModelReplyError",
    "ModelRequestError",
    "ModelUnavailableError",
    "NotFoundError",
    "PageIndexError",
    "PageRangeError",
    "PasswordError",
    "SettingsError",
    "StoreError",
    "UnsupportedFormatError",
]


class PageIndexError(Exception):
    """Base of all errors raised on purpose.

    Args:
        message: One sentence for a person: what is wrong, with the value that is wrong in it.
        next_step: One sentence that says what to do now; empty only where the class has a default.
        code: Upper-case identifier; the class default unless a narrower one is given.
        details: JSON values a program may want (pages, limits, near names).
    """

    default_code: ClassVar[str] = "ERROR"
    default_next_step: ClassVar[str] = ""
    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, next_step: str = "", *, code: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.next_step = next_step or self.default_next_step
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors cross process borders; the default would lose the keyword-only parts.
        return _rebuild, (type(self), self.message, self.next_step, self.code, self.details)

    def to_json(self) -> dict[str, Any]:
        """``{code, message, next_step, retryable, …details}``."""
        head = {"code": self.code, "message": self.message, "next_step": self.next_step, "retryable": self.retryable}
        return {**head, **self.details}


def _rebuild(
    kind: type[PageIndexError], message: str, next_step: str, code: str, details: dict[str, Any]
) -> PageIndexError:
    return kind(message, next_step, code=code, **details)


class InputError(PageIndexError):
    """What the caller gave cannot be used."""

    default_code = "INVALID_INPUT"
    exit_code = 2


class NotFoundError(InputError):
    """No such file, document, section or folder."""

    default_code = "NOT_FOUND"
    exit_code = 3


class PageRangeError(InputError):
    """A page specification that fits no page of the document; never clamped."""

    default_code = "PAGE_OUT_OF_RANGE"


class UnsupportedFormatError(InputError):
    """The bytes are of no format that is read here."""

    default_code = "UNSUPPORTED_FORMAT"
    default_next_step = "Give a file of a format that is read here; docs/formats.md lists them."
    exit_code = 4


class DamagedFileError(InputError):
    """The bytes claim a format and cannot be read as it."""

    default_code = "DAMAGED_FILE"
    default_next_step = "Open the file in a viewer and save it anew, or ask its sender for another copy."
    exit_code = 4


class PasswordError(InputError):
    """The file is encrypted, and no password or a wrong one was given."""

    default_code = "PASSWORD_REQUIRED"
    default_next_step = "Give the document's password (--password, or password= in Python)."
    exit_code = 5


class SettingsError(InputError):
    """A setting has a value that means nothing."""

    default_code = "INVALID_SETTING"


class LimitError(PageIndexError):
    """A limit on time, memory or size was reached, and the work was stopped."""

    default_code = "LIMIT_REACHED"
    default_next_step = "Raise the limit, or leave this file out."
    exit_code = 6


class StoreError(PageIndexError):
    """The library on disk could not be read or written."""

    default_code = "STORE_ERROR"
    default_next_step = "Run 'pageindex doctor'."
    exit_code = 7


class CorruptRecordError(StoreError):
    """A file of the library is not what it should be; it is named, and never taken for empty."""

    default_code = "CORRUPT_RECORD"


class LockedError(StoreError):
    """Another process holds the library for longer than we wait."""

    default_code = "BUSY"
    default_next_step = "Wait for the other command to end, then try again."
    retryable = True


class FormatVersionError(StoreError):
    """The library was written by a newer pageindex."""

    default_code = "FORMAT_VERSION"
    default_next_step = "Upgrade pageindex."


class EvidenceError(PageIndexError):
    """A handle, cursor or ledger that does not hold."""

    default_code = "INVALID_LOCATOR"
    exit_code = 8


class ModelError(PageIndexError):
    """A language model did not do its part."""

    default_code = "MODEL_ERROR"
    exit_code = 9


class CredentialError(ModelError):
    """The provider refused the key."""

    default_code = "MODEL_CREDENTIALS"
    default_next_step = "Set the provider's key in its environment variable, or in pageindex.toml."


class ModelRequestError(ModelError):
    """The provider refused the request itself; sending it again unchanged cannot help."""

    default_code = "MODEL_REQUEST"


class ModelUnavailableError(ModelError):
    """Still failing after every retry."""

    default_code = "MODEL_UNAVAILABLE"
    default_next_step = "Run the same command again later: finished calls are not paid twice."
    retryable = True


class ModelReplyError(ModelError):
    """A reply that cannot be used, after one repair round."""

    default_code = "MODEL_REPLY"


class BudgetError(ModelError):
    """The next call would go over the budget; everything up to here is kept."""

    default_code = "BUDGET_EXHAUSTED"
    default_next_step = "Raise the budget and run the same command again: finished calls are not paid twice."
    exit_code = 10


class MissingExtraError(PageIndexError):
    """An optional dependency is not installed."""

    default_code = "MISSING_EXTRA"
    exit_code = 11
