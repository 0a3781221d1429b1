"""A budget in tokens and in money that stops before it is exceeded."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from pageindex.errors import BudgetError, SettingsError

__all__ = ["Budget", "Reservation", "unknown_price"]

#: Providers count tokens with tables of their own. An estimate is raised by this much until replies show the true ratio.
_MARGIN = 1.15


def unknown_price() -> SettingsError:
    """The error for a money budget over a model without a price."""
    return SettingsError(
        "budget_usd is set, and the price of the model is not known",
        "Set prompt_price and completion_price (US dollars per million tokens), or use budget_tokens.",
    )


@dataclass(slots=True)
class Reservation:
    """What one call may cost at most: tokens, and US dollars (None where no price is known)."""

    estimate: int
    prompt_tokens: int
    tokens: int
    usd: float | None


class Budget:
    """Counts what is spent and what calls under way may still spend. Belongs to one event loop.

    Args:
        tokens: Most prompt + completion tokens, or None.
        usd: Most US dollars, or None.
    """

    def __init__(self, tokens: int | None = None, usd: float | None = None) -> None:
        self.limit_tokens, self.limit_usd = tokens, usd
        self.spent_tokens, self.spent_usd = 0, 0.0
        self._held: list[Reservation] = []
        self._settled = asyncio.Condition()
        self._ratio = _MARGIN
        self._longest = 0  # tokens of the longest reply so far

    @property
    def limited(self) -> bool:
        return self.limit_tokens is not None or self.limit_usd is not None

    def prompt_bound(self, estimate: int) -> int:
        """Tokens that a provider will hardly exceed for a prompt estimated at ``estimate``."""
        return round(estimate * self._ratio) + 16

    def reply_bound(self, max_tokens: int) -> int:
        """Tokens that a reply may have: those asked for, or those of the longest so far, since some providers go beyond what is asked."""
        return max(max_tokens, self._longest)

    async def reserve(self, estimate: int, prompt_tokens: int, max_tokens: int, usd: float | None) -> Reservation:
        """Set aside what a call may cost at most, waiting for calls under way when only they stand in the way.

        Raises BudgetError when it does not fit, SettingsError when money is limited and the price is not known.
        """
        if self.limit_usd is not None and usd is None:
            raise unknown_price()
        wanted = Reservation(estimate, prompt_tokens, prompt_tokens + max_tokens, usd)
        async with self._settled:
            while not self._fits(wanted):
                if not self._held:
                    raise self._error(wanted)
                await self._settled.wait()
            self._held.append(wanted)
        return wanted

    async def settle(
        self, held: Reservation, tokens: int, usd: float, prompt_tokens: int = 0, reply_tokens: int = 0
    ) -> None:
        """Replace a reservation by what the call did cost; ``prompt_tokens`` and ``reply_tokens`` of a reply teach what calls may take."""
        async with self._settled:
            self._held.remove(held)
            self._longest = max(self._longest, reply_tokens)
            self.spent_tokens += tokens
            self.spent_usd += usd
            if prompt_tokens and held.estimate >= 50:  # short prompts say more of the envelope than of the tokenizer
                self._ratio = max(self._ratio, prompt_tokens / held.estimate)
            self._settled.notify_all()

    def _fits(self, wanted: Reservation) -> bool:
        tokens = self.spent_tokens + sum(held.tokens for held in self._held) + wanted.tokens
        usd = self.spent_usd + sum(held.usd or 0.0 for held in self._held) + (wanted.usd or 0.0)
        return not (self.limit_tokens is not None and tokens > self.limit_tokens) and not (
            self.limit_usd is not None and usd > self.limit_usd
        )

    def _error(self, wanted: Reservation) -> BudgetError:
        spent = f"{self.spent_tokens:,} tokens and ${self.spent_usd:.4f} are spent"
        need = f"the next call may take {wanted.tokens:,} tokens" + (f" and ${wanted.usd:.4f}" if wanted.usd else "")
        limits = [f"{self.limit_tokens:,} tokens"] if self.limit_tokens is not None else []
        limits += [f"${self.limit_usd:.4f}"] if self.limit_usd is not None else []
        return BudgetError(
            f"{spent}, {need}, and the budget is {' and '.join(limits)}",
            spent_tokens=self.spent_tokens,
            spent_usd=self.spent_usd,
        )
