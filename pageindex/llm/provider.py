"""The port: whatever answers one request once. ``litellm_provider`` and ``scripted`` implement it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pageindex.llm.messages import DeltaCallback, Reply, Request

__all__ = ["Abilities", "Provider", "TransientFailure"]


class TransientFailure(Exception):  # noqa: N818 - never leaves this room; what does is a ModelUnavailableError
    """One attempt failed in a way that may pass.

    Args:
        message: The provider's own words.
        retry_after: Seconds it asks to wait; None when it does not say.
        answered: Whether the provider answered at all. An attempt without an answer (cut, timed out) may have been paid for.
        unreachable: Whether no connection came about, so that nothing was sent.
    """

    def __init__(
        self, message: str, *, retry_after: float | None = None, answered: bool = True, unreachable: bool = False
    ) -> None:
        super().__init__(message)
        self.message, self.retry_after, self.answered, self.unreachable = message, retry_after, answered, unreachable


@dataclass(frozen=True, slots=True)
class Abilities:
    """What is known of a model without asking it; None where nothing is.

    Attributes:
        tools: Whether it calls tools.
        vision: Whether it sees pictures.
        context: Tokens of its context.
    """

    tools: bool | None = None
    vision: bool | None = None
    context: int | None = None


class Provider(Protocol):
    """Answers one request once, without retries.

    Attributes:
        address: Where requests go; part of the reply cache's key, since one model name may mean two models at two addresses.
    """

    address: str

    async def send(self, request: Request, on_delta: DeltaCallback | None) -> Reply:
        """The reply; its pieces go to ``on_delta`` as they arrive, when given.

        Raises CredentialError or ModelRequestError when trying again cannot help, TransientFailure otherwise.
        """
        ...

    def price(self, model: str, prompt_tokens: int, cached_tokens: int, completion_tokens: int) -> float | None:
        """US dollars of a call; None when the model's price is not known. Needs no network."""
        ...

    def abilities(self, model: str) -> Abilities:
        """What is known of a model. Needs no network."""
        ...
