"""What refining a tree gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pageindex.document import Note, Summaries, Tree
from pageindex.errors import ModelError
from pageindex.llm import Usage
from pageindex.refine.cost import Costs
from pageindex.refine.validator import Refusal

__all__ = ["Problem", "RefineStatus", "Refined"]


class RefineStatus(StrEnum):
    """How far a run came."""

    COMPLETED = "completed"
    PARTIAL = "partial"  # some sections went without a model's work
    FAILED = "failed"  # no call of the model succeeded


@dataclass(frozen=True, slots=True)
class Problem:
    """A section that a model failed at one stage: ``standard``, ``expand``, ``summary`` or ``description``."""

    section: str
    stage: str
    error: ModelError

    @property
    def place(self) -> str:
        """``section 0012``, or ``the document``."""
        return f"section {self.section}" if self.section else "the document"

    def to_note(self) -> Note:
        return Note(self.error.code, f"{self.stage} of {self.place}: {self.error.message}")


@dataclass(frozen=True, slots=True)
class Refined:
    """A refined tree and everything that is to be said of it.

    Attributes:
        tree: Valid and covering every byte, whatever failed.
        summaries: For every section, unless summaries are off.
        before, after: Costs of the tree without summaries.
        refusals: Proposals that did not enter the tree.
        usage: Of the model, for this document.
        status: ``completed``, ``partial`` or ``failed``.
        problems: Sections that went without, with the error of each.
        stopped: The error that ended all further calls (dead key, budget, provider down); None when the run went through.
        merged: Sections folded into their parents.
        added: Sections that a model proposed.
        resumable: Whether the same call again would go on where this one ended: every reply is in the cache.
    """

    tree: Tree
    summaries: Summaries
    before: Costs
    after: Costs
    refusals: tuple[Refusal, ...] = ()
    usage: Usage = field(default_factory=Usage)
    status: RefineStatus = RefineStatus.COMPLETED
    problems: tuple[Problem, ...] = ()
    stopped: ModelError | None = None
    merged: int = 0
    added: int = 0
    resumable: bool = False

    @property
    def replaced(self) -> int:
        """Summaries of a model that stated numbers which are not in their section: its own words stand there instead."""
        return sum(1 for summary in self.summaries.sections.values() if summary.unverified)

    def notes(self) -> tuple[Note, ...]:
        """What to keep with the document: a note for each section that went without for a reason of its own, and one for all those that
        went without because the calls had ended."""
        own = [problem for problem in self.problems if self.stopped is None or not self._ended(problem)]
        notes = [problem.to_note() for problem in own]
        if self.stopped is not None:
            count = len(self.problems) - len(own)
            notes.append(
                Note(self.stopped.code, f"{count} calls were not answered or not made: {self.stopped.message}")
            )
        return tuple(notes)

    def _ended(self, problem: Problem) -> bool:
        stopped = self.stopped
        return stopped is not None and (problem.error.code, problem.error.message) == (stopped.code, stopped.message)

    def facts(self) -> Mapping[str, Any]:
        """Fields of the document's record that refining decides: description, usage, toc_source, confidence, sections."""
        return {
            "description": self.summaries.description,
            "usage": self.usage.to_json(),
            "toc_source": self.tree.toc_source.value,
            "confidence": self.tree.confidence,
            "sections": sum(1 for _ in self.tree.walk()),
        }

    def to_json(self) -> dict[str, Any]:
        """A report: costs, counts, usage, refusals, problems."""
        return {
            "status": self.status.value,
            "costs": {"before": self.before.to_json(), "after": self.after.to_json()},
            "merged": self.merged,
            "added": self.added,
            "replaced": self.replaced,
            "usage": self.usage.to_json(),
            "refusals": [refusal.to_json() for refusal in self.refusals],
            "problems": [{"section": p.section, "stage": p.stage, **p.error.to_json()} for p in self.problems],
            "stopped": self.stopped.to_json() if self.stopped else None,
            "resumable": self.resumable,
        }
