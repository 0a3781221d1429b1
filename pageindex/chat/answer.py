"""What a conversation yields: events on the way, and an answer with everything that was checked about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pageindex.chat.findings import Report
from pageindex.chat.judging import Judgement
from pageindex.evidence.status import Verdict
from pageindex.llm import Message, Usage

__all__ = ["Answer", "Event", "EventType", "Finish"]


class EventType(StrEnum):
    """Kinds of events."""

    THINKING = "thinking"  # reasoning, and words said beside tool calls, piece by piece
    DRAFT = "draft"  # words of a reply as they arrive; not checked yet
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    WAIT = "wait"  # an attempt failed and is made again: why, and in how many seconds
    CHECK = "check"  # the outcome of checking a draft
    ANSWER = "answer"  # the checked answer, whole


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a conversation.

    Attributes:
        type: The kind.
        text: Words, for thinking, draft and answer; one line for people otherwise.
        name: The tool's name.
        data: Arguments of a call, figures of a result, findings of a check.
    """

    type: EventType
    text: str = ""
    name: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """``{type, text, name?, data?}``."""
        item: dict[str, Any] = {"type": self.type.value, "text": self.text}
        if self.name:
            item["name"] = self.name
        return item | ({"data": dict(self.data)} if self.data else {})


class Finish(StrEnum):
    """Why a conversation ended."""

    ANSWERED = "answered"
    TRUNCATED = "truncated"  # the model's answer was cut off at its length limit
    REFUSED = "refused"  # the model refused, or the provider's filter cut the answer off or held it back
    NOT_FOUND = "not_found"  # the passages that were looked at do not say it
    NO_ANSWER = "no_answer"  # the model said nothing
    MAX_TURNS = "max_turns"
    BUDGET = "budget"
    CANCELLED = "cancelled"
    FAILED = "failed"  # the model gave up; ``Answer.error`` says how


_NOT_WHOLE = (Finish.TRUNCATED, Finish.REFUSED, Finish.CANCELLED, Finish.FAILED)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer.

    Attributes:
        text: For people: the model's words with marks, then the evidence, what is not verified, and what was read.
        body: The model's words alone.
        report: What was checked, and how it came out.
        coverage: One line per document of which anything was read.
        turns: Messages to append to the conversation, as they were sent (Chat Completions).
        finish: Why it ended; text and report are there in any case.
        usage: Tokens and money of this answer.
        model: Name of the model.
        rounds: Rounds of tool calls.
        repairs: How often the model was asked to correct itself.
        error: Code and message, for ``failed``.
        judgement: The word of a judging model, where one was asked for; it changes no verdict.
    """

    text: str
    body: str
    report: Report
    coverage: Sequence[str] = ()
    turns: Sequence[Message] = ()
    finish: Finish = Finish.ANSWERED
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    rounds: int = 0
    repairs: int = 0
    error: Mapping[str, Any] | None = None
    judgement: Judgement | None = None

    @property
    def verdict(self) -> Verdict:
        """That of the report; FAIL without an answer, and never better than NEEDS_REVIEW for one that is not whole."""
        if not self.body:
            return Verdict.FAIL
        if self.finish in _NOT_WHOLE and self.report.verdict in (Verdict.PASS, Verdict.PARTIAL):
            return Verdict.NEEDS_REVIEW
        return self.report.verdict

    def to_json(self) -> dict[str, Any]:
        """``{text, body, verdict, summary, checks, coverage, finish, usage, model, rounds, repairs, error?, judgement?}``."""
        item: dict[str, Any] = {
            "text": self.text,
            "body": self.body,
            "verdict": self.verdict.value,
            "summary": self.report.summary,
            "checks": [finding.to_json() for finding in self.report.findings],
            "coverage": list(self.coverage),
            "finish": self.finish.value,
            "usage": self.usage.to_json(),
            "model": self.model,
            "rounds": self.rounds,
            "repairs": self.repairs,
        }
        if self.judgement is not None:
            item["judgement"] = self.judgement.to_json()
        return item | ({"error": dict(self.error)} if self.error else {})
