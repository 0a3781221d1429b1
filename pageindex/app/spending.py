"""What model calls have cost, by document and day: written down as they are made, read from there.

Every call and every attempt that may be on a bill is a line of the library's own log, whichever door asked for it. Replies from the
cache cost nothing and are no lines.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from pageindex.config import mask
from pageindex.errors import InputError, NotFoundError, StoreError
from pageindex.store.base import Library, Spent

if TYPE_CHECKING:
    from pageindex.llm import Usage

__all__ = ["CostRow", "Costs", "costs_by_day", "recorder"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CostRow:
    """What one document cost on one day, by what was done and by which model.

    Attributes:
        day: ``2026-05-31``, UTC.
        doc_id, name: The document; both empty for calls that several shared.
        task: ``index`` or ``chat``.
        model: As named in the settings.
        calls, failed, estimated: Replies; attempts without one; those of both whose tokens are our own count.
        prompt_tokens, completion_tokens: As in ``llm.Usage``.
        usd: US dollars of the calls whose price is known.
        unpriced: Calls whose price is not.
    """

    day: str
    doc_id: str
    name: str
    task: str
    model: str
    calls: int = 0
    failed: int = 0
    estimated: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    unpriced: int = 0

    def plus(self, spent: Spent | CostRow) -> CostRow:
        return replace(self, **{name: getattr(self, name) + getattr(spent, name) for name in _SUMMED})

    def to_json(self) -> dict[str, Any]:
        """``{day, doc_id, name, task, model, calls, failed, estimated, prompt_tokens, completion_tokens, usd, unpriced}``; ``usd`` is null
        where no call's price is known."""
        item = {name: getattr(self, name) for name in self.__slots__}
        return item | {"usd": None if self.unpriced and self.unpriced == self.calls else round(self.usd, 6)}


_SUMMED = ("calls", "failed", "estimated", "prompt_tokens", "completion_tokens", "usd", "unpriced")


@dataclass(frozen=True, slots=True)
class Costs:
    """Rows, oldest day first, and their sum."""

    rows: Sequence[CostRow]
    total: CostRow

    def to_json(self) -> dict[str, Any]:
        """``{rows: [{day, doc_id, name, task, model, calls, …, usd, unpriced}], total: {calls, …, usd, unpriced}}``."""
        total = self.total.to_json()
        return {"rows": [row.to_json() for row in self.rows], "total": {name: total[name] for name in _SUMMED}}


def recorder(library: Library, task: str, doc_ids: Callable[[], Iterable[str]]) -> Callable[[str, Usage], None]:
    """What a model's scope tells of every call, as a function that writes it down.

    A log that cannot be written to is told in the log of the program, and costs no reply.
    """

    def record(model: str, usage: Usage) -> None:
        if not (usage.calls or usage.failed):
            return
        spent = Spent(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            task=task,
            doc_ids=tuple(doc_ids()),
            model=mask(model),
            calls=usage.calls,
            failed=usage.failed,
            estimated=usage.estimated,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            completion_tokens=usage.completion_tokens,
            usd=round(usage.usd, 9),
            unpriced=usage.unpriced,
        )
        try:
            library.record_spent(spent)
        except (OSError, StoreError) as error:
            _LOG.warning("what a call cost cannot be written down: %s", error)

    return record


def costs_by_day(library: Library, docs: Sequence[str] | None = None, *, since: str | None = None) -> Costs:
    """What model calls have cost, by day, document, task and model.

    Args:
        docs: By id, name or path; None for all, with what several shared.
        since: First day, as ``2026-05-31`` (UTC).

    Raises:
        NotFoundError: No such document.
        InputError: ``since`` is no day.
    """
    wanted = None if docs is None else {library.resolve(doc).doc_id for doc in docs}
    first = _day(since)
    rows: dict[tuple[str, str, str, str], CostRow] = {}
    for spent in library.spent():
        doc_id = spent.doc_ids[0] if len(spent.doc_ids) == 1 else ""
        if spent.at[:10] < first or (wanted is not None and doc_id not in wanted):
            continue
        key = (spent.at[:10], doc_id, spent.task, spent.model)
        row = rows.get(key) or CostRow(key[0], doc_id, _name(library, doc_id), spent.task, spent.model)
        rows[key] = row.plus(spent)
    total = CostRow("", "", "", "", "")
    for row in rows.values():
        total = total.plus(row)
    return Costs(sorted(rows.values(), key=lambda row: (row.day, row.name, row.doc_id, row.task, row.model)), total)


def _day(since: str | None) -> str:
    try:
        return date.fromisoformat(since).isoformat() if since else ""
    except ValueError:
        raise InputError(f"{since!r} is no day", "Write it as 2026-05-31.", code="INVALID_ARGUMENT") from None


def _name(library: Library, doc_id: str) -> str:
    """The document's name; empty for one that was removed since, and for several."""
    try:
        return library.get(doc_id).name if doc_id else ""
    except NotFoundError:
        return ""
