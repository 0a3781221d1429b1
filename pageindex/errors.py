"""Every error that pageindex raises on purpose.

::

    PageIndexAPIError                   the name under which code for the public package catches errors
    └── PageIndexError                  anything below
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
status with which the command line ends because of it. Codes are declared in ``Code`` and said in ``CODES``, exit statuses in ``EXIT_STATUSES``
and the classes; ``docs/errors.md`` is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

__all__ = [
    "CHANGED_STATUS",
    "CODES",
    "EXIT_STATUSES",
    "SOME_FAILED_STATUS",
    "VERDICT_STATUSES",
    "BudgetError",
    "Code",
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
    "PageIndexAPIError",
    "PageIndexError",
    "PageRangeError",
    "PasswordError",
    "SettingsError",
    "StoreError",
    "UnsupportedFormatError",
]


Code = Literal[
    "AMBIGUOUS",
    "AMBIGUOUS_LABEL",
    "BUDGET_EXHAUSTED",
    "BUSY",
    "CANCELLED",
    "CATALOGUE_DAMAGED",
    "CONTEXT_TOO_LONG",
    "CORRUPT_LEDGER",
    "CORRUPT_RECORD",
    "CURSOR_QUERY_MISMATCH",
    "CURSOR_STALE",
    "DAMAGED_FILE",
    "DEADLINE",
    "DOCUMENT_NEEDED",
    "EMPTY_FILE",
    "EMPTY_QUERY",
    "EMPTY_QUESTION",
    "EMPTY_QUOTE",
    "EMPTY_SCOPE",
    "ERROR",
    "FILE_TOO_LARGE",
    "FOREIGN_LIBRARY",
    "FORMAT_VERSION",
    "INVALID_ARGUMENT",
    "INVALID_CLAIMS",
    "INVALID_CURSOR",
    "INVALID_EXPRESSION",
    "INVALID_FILTER",
    "INVALID_INPUT",
    "INVALID_LOCATOR",
    "INVALID_MESSAGES",
    "INVALID_PAGE_SPEC",
    "INVALID_SETTING",
    "IS_A_FOLDER",
    "LIBRARY_NOT_FOUND",
    "LIMIT_REACHED",
    "MEMORY_LIMIT",
    "MISSING_EXTRA",
    "MODEL_CREDENTIALS",
    "MODEL_ERROR",
    "MODEL_NOT_FOUND",
    "MODEL_REPLY",
    "MODEL_REQUEST",
    "MODEL_UNAVAILABLE",
    "NOT_ALLOWED",
    "NOT_A_FILE",
    "NOT_A_FOLDER",
    "NOT_A_LIBRARY",
    "NOT_FOUND",
    "NOT_QUOTABLE",
    "NOT_WHAT_IT_SAYS",
    "NO_MODEL",
    "NO_PAGES",
    "NO_TEXT_LAYER",
    "PAGE_OUT_OF_RANGE",
    "PART_OUT_OF_RANGE",
    "PASSWORD_REQUIRED",
    "PASSWORD_WRONG",
    "QUERY_TOO_LONG",
    "QUOTE_TOO_LONG",
    "READER_CRASHED",
    "READER_FAILED",
    "READER_KILLED",
    "SOURCE_CHANGED",
    "STORE_ERROR",
    "SYSTEM",
    "TEXT_GARBLED",
    "TIME_LIMIT",
    "TOO_DEEP",
    "TOO_LARGE",
    "TOO_MANY_PAGES",
    "UNKNOWN_TOOL",
    "UNREADABLE",
    "UNSUPPORTED_ENCRYPTION",
    "UNSUPPORTED_FORMAT",
    "USAGE",
    "VISION_UNAVAILABLE",
    "WRONG_EDITION",
]
"""Every code; a class's own is what it says unless a narrower one is given."""

#: What each narrower code means; a class's own code means what the class says.
CODES: Mapping[Code, str] = {
    "AMBIGUOUS": "several documents answer to that name; `ids` has them",
    "AMBIGUOUS_LABEL": "several pages print that number",
    "CANCELLED": "the caller ended it",
    "CATALOGUE_DAMAGED": "the catalogue of the library cannot be used; it is derived, and made anew by `doctor --repair`",
    "CONTEXT_TOO_LONG": "the prompt does not fit the model's context",
    "CORRUPT_LEDGER": "a ledger that does not decode",
    "CURSOR_QUERY_MISMATCH": "the cursor belongs to another call",
    "CURSOR_STALE": "the text has changed since the cursor was given",
    "DEADLINE": "the call took longer than its session allows",
    "DOCUMENT_NEEDED": "there is more than one document, and none is named",
    "EMPTY_FILE": "the file holds no text",
    "EMPTY_QUERY": "the query holds no word",
    "EMPTY_QUESTION": "the conversation ends without a question",
    "EMPTY_QUOTE": "the quote holds no words",
    "EMPTY_SCOPE": "no page is in scope",
    "FILE_TOO_LARGE": "the file has more bytes than the limits allow",
    "FOREIGN_LIBRARY": "the library that was found belongs to another user, and nobody named it",
    "INVALID_ARGUMENT": "a tool was called with an argument that it does not take; `near` has what may be meant",
    "INVALID_CLAIMS": "claims that are not of the shape; the place is named",
    "INVALID_CURSOR": "what was given is no cursor",
    "INVALID_EXPRESSION": "a calculation that is none",
    "INVALID_FILTER": "a condition on metadata that means nothing",
    "INVALID_MESSAGES": "a conversation that is not of its protocol's shape",
    "INVALID_PAGE_SPEC": "words that name no pages",
    "IS_A_FOLDER": "a folder where a file is wanted",
    "LIBRARY_NOT_FOUND": "there is no library there",
    "MEMORY_LIMIT": "reading the file took more memory than its limit",
    "MODEL_NOT_FOUND": "the provider knows no such model",
    "NOT_ALLOWED": "outside what may be seen or done here",
    "NOT_A_FILE": "not a regular file",
    "NOT_A_FOLDER": "an address where a folder is wanted",
    "NOT_A_LIBRARY": "the folder holds something else",
    "NOT_QUOTABLE": "the words are not the document's own",
    "NOT_WHAT_IT_SAYS": "the bytes are not of the format that the name says",
    "NO_MODEL": "a model is needed, and none is set",
    "NO_PAGES": "a PDF without a single page",
    "NO_TEXT_LAYER": "not one of the pages has text",
    "PART_OUT_OF_RANGE": "there is no such part",
    "PASSWORD_WRONG": "the password does not open the file",
    "QUERY_TOO_LONG": "the query is longer than is allowed",
    "QUOTE_TOO_LONG": "the quote is longer than is allowed",
    "READER_CRASHED": "reading the file ended the worker",
    "READER_FAILED": "reading the file raised what it should not",
    "READER_KILLED": "the system ended the worker",
    "SOURCE_CHANGED": "the file, or the edition, is not the one that was read",
    "SYSTEM": "the operating system refused; its words are in the message",
    "TEXT_GARBLED": "not one of the pages has text whose characters mean something",
    "TIME_LIMIT": "reading the file took longer than its limit",
    "TOO_DEEP": "the file nests deeper than anything can be read",
    "TOO_LARGE": "the file unpacks to more than is read",
    "TOO_MANY_PAGES": "more pages than are allowed",
    "UNKNOWN_TOOL": "there is no such tool; `near` has what may be meant",
    "UNREADABLE": "the file cannot be opened",
    "UNSUPPORTED_ENCRYPTION": "the file is encrypted in a way that is not read",
    "USAGE": "the command line makes no sense",
    "VISION_UNAVAILABLE": "no picture can be shown here",
    "WRONG_EDITION": "the file belongs to another edition",
}

SOME_FAILED_STATUS = 1  #: Files failed for different reasons; one reason alone gives its own.
CHANGED_STATUS = 23  #: Something is not as it was recorded.
#: Exit status of a check by its verdict: a check that fails is a result, and no error.
VERDICT_STATUSES: Mapping[str, int] = {"PASS": 0, "FAIL": 20, "NEEDS_REVIEW": 21, "PARTIAL": 22}

#: Exit statuses that no error has, and what they mean.
EXIT_STATUSES: Mapping[int, str] = {
    0: "done",
    SOME_FAILED_STATUS: "files failed for different reasons (`add`), or a fault of pageindex itself",
    VERDICT_STATUSES["FAIL"]: "a quote, a claim or an answer fails, or a model gave none",
    VERDICT_STATUSES["NEEDS_REVIEW"]: "a person should look at it",
    VERDICT_STATUSES[
        "PARTIAL"
    ]: "it rests on text that a machine read from a picture, or words were found whose meaning is not judged",
    CHANGED_STATUS: "`verify` found something that is not as recorded",
    130: "interrupted",
}


class PageIndexAPIError(Exception):
    """The name under which code written for the public package catches errors; ours are all ``PageIndexError``.

    Attributes:
        status_code, rpc_error: Of the hosted service's replies there; None here.
    """

    status_code: int | None = None
    rpc_error: dict[str, Any] | None = None


class PageIndexError(PageIndexAPIError):
    """Base of all errors raised on purpose.

    Args:
        message: One sentence for a person: what is wrong, with the value that is wrong in it.
        next_step: One sentence that says what to do now; empty only where the class has a default.
        code: Upper-case identifier; the class default unless a narrower one is given.
        details: JSON values a program may want (pages, limits, near names).
    """

    default_code: ClassVar[Code] = "ERROR"
    default_next_step: ClassVar[str] = ""
    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, next_step: str = "", *, code: Code | Literal[""] = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.code: Code = code or self.default_code
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
    kind: type[PageIndexError], message: str, next_step: str, code: Code, details: dict[str, Any]
) -> PageIndexError:
    return kind(message, next_step, code=code, **details)


class InputError(PageIndexError):
    """What the caller gave cannot be used."""

    default_code: ClassVar[Code] = "INVALID_INPUT"
    exit_code = 2


class NotFoundError(InputError):
    """No such file, document, section or folder."""

    default_code: ClassVar[Code] = "NOT_FOUND"
    exit_code = 3


class PageRangeError(InputError):
    """A page specification that fits no page of the document; never clamped."""

    default_code: ClassVar[Code] = "PAGE_OUT_OF_RANGE"


class UnsupportedFormatError(InputError):
    """The bytes are of no format that is read here."""

    default_code: ClassVar[Code] = "UNSUPPORTED_FORMAT"
    default_next_step = "Give a file of a format that is read here; docs/formats.md lists them."
    exit_code = 4


class DamagedFileError(InputError):
    """The bytes claim a format and cannot be read as it."""

    default_code: ClassVar[Code] = "DAMAGED_FILE"
    default_next_step = "Open the file in a viewer and save it anew, or ask its sender for another copy."
    exit_code = 4


class PasswordError(InputError):
    """The file is encrypted, and no password or a wrong one was given."""

    default_code: ClassVar[Code] = "PASSWORD_REQUIRED"
    default_next_step = "Give the document's password (--password, or password= in Python)."
    exit_code = 5


class SettingsError(InputError):
    """A setting has a value that means nothing."""

    default_code: ClassVar[Code] = "INVALID_SETTING"


class LimitError(PageIndexError):
    """A limit on time, memory or size was reached, and the work was stopped."""

    default_code: ClassVar[Code] = "LIMIT_REACHED"
    default_next_step = "Raise the limit, or leave this file out."
    exit_code = 6


class StoreError(PageIndexError):
    """The library on disk could not be read or written."""

    default_code: ClassVar[Code] = "STORE_ERROR"
    default_next_step = "Run 'pageindex doctor'."
    exit_code = 7


class CorruptRecordError(StoreError):
    """A file of the library is not what it should be; it is named, and never taken for empty."""

    default_code: ClassVar[Code] = "CORRUPT_RECORD"


class LockedError(StoreError):
    """Another process holds the library for longer than we wait."""

    default_code: ClassVar[Code] = "BUSY"
    default_next_step = "Wait for the other command to end, then try again."
    retryable = True


class FormatVersionError(StoreError):
    """The library was written by a newer pageindex."""

    default_code: ClassVar[Code] = "FORMAT_VERSION"
    default_next_step = "Upgrade pageindex."


class EvidenceError(PageIndexError):
    """A handle, cursor or ledger that does not hold."""

    default_code: ClassVar[Code] = "INVALID_LOCATOR"
    exit_code = 8


class ModelError(PageIndexError):
    """A language model did not do its part."""

    default_code: ClassVar[Code] = "MODEL_ERROR"
    exit_code = 9


class CredentialError(ModelError):
    """The provider refused the key."""

    default_code: ClassVar[Code] = "MODEL_CREDENTIALS"
    default_next_step = "Set the provider's key in its environment variable, or in pageindex.toml."


class ModelRequestError(ModelError):
    """The provider refused the request itself; sending it again unchanged cannot help."""

    default_code: ClassVar[Code] = "MODEL_REQUEST"


class ModelUnavailableError(ModelError):
    """Still failing after every retry."""

    default_code: ClassVar[Code] = "MODEL_UNAVAILABLE"
    default_next_step = "Run the same command again later: finished calls are not paid twice."
    retryable = True


class ModelReplyError(ModelError):
    """A reply that cannot be used, after one repair round."""

    default_code: ClassVar[Code] = "MODEL_REPLY"


class BudgetError(ModelError):
    """The next call would go over the budget; everything up to here is kept."""

    default_code: ClassVar[Code] = "BUDGET_EXHAUSTED"
    default_next_step = "Raise the budget and run the same command again: finished calls are not paid twice."
    exit_code = 10


class MissingExtraError(PageIndexError):
    """An optional dependency is not installed."""

    default_code: ClassVar[Code] = "MISSING_EXTRA"
    exit_code = 11
