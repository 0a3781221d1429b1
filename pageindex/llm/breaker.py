"""When a run of many calls should stop calling."""

from __future__ import annotations

from pageindex.errors import BudgetError, CredentialError, ModelError, ModelRequestError, ModelUnavailableError

__all__ = ["Breaker"]

_MOST_IN_A_ROW = 3


class Breaker:
    """Opens for good on a refused key, an unknown model, a spent budget, a provider that is down from the start, or three calls in a row
    that were refused or never answered. Every later call then gets the same error without being sent.

    Attributes:
        error: What opened it; None while calls may go on.
    """

    def __init__(self) -> None:
        self.error: ModelError | None = None
        self._in_a_row = 0
        self._proven = False

    def check(self) -> None:
        """Raise the error that opened it, if one did."""
        if (error := self.error) is not None:
            # A copy: one object raised again and again would gather all tracebacks.
            raise type(error)(error.message, error.next_step, code=error.code, **error.details)

    def succeeded(self) -> None:
        self._proven, self._in_a_row = True, 0

    def failed(self, error: ModelError) -> None:
        if error.code == "CONTEXT_TOO_LONG":
            return  # says something of the prompt, and nothing of the provider
        self._in_a_row += 1
        fatal = isinstance(error, CredentialError | BudgetError) or error.code == "MODEL_NOT_FOUND"
        down = isinstance(error, ModelUnavailableError) and not self._proven
        many = isinstance(error, ModelUnavailableError | ModelRequestError) and self._in_a_row >= _MOST_IN_A_ROW
        if (fatal or down or many) and self.error is None:
            self.error = error
