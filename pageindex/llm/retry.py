"""How long to wait before trying again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

__all__ = ["Backoff"]


@dataclass(frozen=True)
class Backoff:
    """Exponential back-off with full jitter, bounded below by what the provider asks for.

    Attributes:
        retries: Attempts after the first.
        base: Upper bound of the first wait, in seconds; it doubles with each attempt.
        cap: Upper bound of any wait that the provider did not ask for, in seconds.
        max_wait: Longest wait that the provider may ask for, in seconds.
        random: Source of the jitter.
    """

    retries: int = 5
    base: float = 1.0
    cap: float = 60.0
    max_wait: float = 120.0
    random: random.Random = field(default_factory=random.Random, repr=False)

    def delay(self, attempt: int, retry_after: float | None = None) -> float | None:
        """Seconds to wait after the failed attempt number ``attempt`` (0-based); None when it is not worth trying again.

        A provider's Retry-After is honoured in full, with a little jitter on top so that callers do not return all at once.
        """
        if attempt >= self.retries:
            return None
        bound = min(self.cap, self.base * 2**attempt, self.max_wait)
        if retry_after is None:
            return self.random.uniform(bound / 2, bound)
        if retry_after > self.max_wait:
            return None
        return retry_after + self.random.uniform(0, min(bound, 1.0) / 4)
