"""How a conversation is led."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from pageindex.config import AnswerMode, Settings, ToolMode
from pageindex.errors import SettingsError

__all__ = ["ChatOptions"]


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """Limits and habits of one answer. What users set is declared in :class:`pageindex.config.Settings`.

    Attributes:
        max_turns: Most rounds of tool calls.
        conversation_tokens: Most tokens of the whole conversation, prompt and answer included; None for no limit.
        reply_tokens: Most tokens of one tool result.
        passage_tokens: Tokens of the passages that the one-call form sends with a question.
        answer_tokens: Tokens kept back for the answer and its repair.
        repairs: How often the model may correct an answer that does not hold; 2 at most.
        mode: How tools are called.
        form: How an answer is reached.
        citations: Whether to ask for quotes and citations.
        check: Whether to check the answer; False returns the model's words as they are, and says nothing of them.
        judge: Whether to ask the model once more, whether the answer follows from what it cites; its word changes no verdict.
        instructions: Further instructions for the model.
    """

    max_turns: int = Settings.max_turns
    conversation_tokens: int | None = Settings.conversation_tokens
    reply_tokens: int = 8_000
    passage_tokens: int = Settings.passage_tokens
    answer_tokens: int = 4_000
    repairs: int = 2
    mode: ToolMode = Settings.tools
    form: AnswerMode = Settings.answer_mode
    citations: bool = True
    check: bool = True
    judge: bool = Settings.judge
    instructions: str = ""

    def __post_init__(self) -> None:
        if self.max_turns < 0:
            raise SettingsError(f"max_turns is {self.max_turns}", "Give 0 or more.")
        if not 0 <= self.repairs <= 2:
            raise SettingsError(f"repairs is {self.repairs}", "Give 0, 1 or 2.")
        if self.passage_tokens < 100:
            raise SettingsError(f"passage_tokens is {self.passage_tokens}", "Give at least 100.")
        if self.answer_tokens < 200:
            raise SettingsError(f"answer_tokens is {self.answer_tokens}", "Give at least 200.")

    @classmethod
    def of(cls, settings: Settings, **others: Any) -> Self:
        """As the settings say; ``others`` are the fields that nobody sets."""
        return cls(
            max_turns=settings.max_turns,
            conversation_tokens=settings.conversation_tokens,
            passage_tokens=settings.passage_tokens,
            mode=settings.tools,
            form=settings.answer_mode,
            judge=settings.judge,
            **others,
        )
