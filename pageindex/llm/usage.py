"""What model calls have cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """A sum over model calls.

    Attributes:
        calls: Calls that a provider answered.
        replayed: Calls answered by the reply cache, which cost nothing and add to no other field.
        prompt_tokens: Tokens sent, cached ones included.
        cached_tokens: Those of them that the provider had in its own cache.
        completion_tokens: Tokens generated, thinking included.
        usd: US dollars of the calls whose price is known.
        unpriced: Calls whose price is not known.
        estimated: Calls and attempts whose tokens the provider did not report, or not credibly: they are counted here.
        failed: Attempts that ended without a usable reply; what those cost that may be on the bill is in the tokens.
    """

    calls: int = 0
    replayed: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0
    estimated: int = 0
    failed: int = 0

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.replayed + other.replayed,
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            self.usd + other.usd,
            self.unpriced + other.unpriced,
            self.estimated + other.estimated,
            self.failed + other.failed,
        )

    def to_json(self) -> dict[str, Any]:
        """``{calls, replayed, prompt_tokens, cached_tokens, completion_tokens, usd, estimated, failed}``; ``usd`` is null where no price
        is known."""
        return {
            "calls": self.calls,
            "replayed": self.replayed,
            "prompt_tokens": self.prompt_tokens,
            "cached_tokens": self.cached_tokens,
            "completion_tokens": self.completion_tokens,
            "usd": None if self.unpriced and self.unpriced == self.calls else round(self.usd, 6),
            "estimated": self.estimated,
            "failed": self.failed,
        }
