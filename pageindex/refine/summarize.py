"""Summaries: derived text, kept apart from page text, each with its origin.

A section that is long gets a model's (kind ``model``), made of its own text and its subsections' summaries; a short one, and any without
a model, its own words (see ``own_words``). So does one whose summary twice states a number that the section does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pageindex.config import Settings, SummaryMode
from pageindex.document import Edition, Section, Summary, SummaryKind
from pageindex.errors import ModelReplyError, ModelRequestError
from pageindex.evidence.numbers.lexicon import magnitude_of, magnitude_pattern
from pageindex.evidence.numbers.quantities import Quantity, quantities
from pageindex.llm import Message, Model, Parsed, ask, without_thinking
from pageindex.refine.own_words import own_summary
from pageindex.refine.prompts import SUMMARY_FORMAT, numbers_message, summary_messages
from pageindex.refine.windows import Piece, Window, split_text, windows
from pageindex.text.shown import shown
from pageindex.text.tokens import count_tokens, cut_tokens

__all__ = ["Summarizer", "read_text", "stray_figures"]

_MOST_ROUNDS = 6  # of summaries of summaries; each round shrinks the text at least threefold


def stray_figures(summary: str, text: str, language: str = "", spoken: str = "") -> tuple[str, ...]:
    """Numbers of a summary, in digits or in words, that its text does not hold, as the summary writes them.

    Args:
        summary: A model's words.
        text: What they are about.
        language: Of the text, as a BCP 47 tag; English where it is not known.
        spoken: Of the summary, where it is another one.

    A magnitude counts: "1.2 billion" is not in a text that says "1.2 million". A text with a table headed "in millions" holds its bare
    numbers as millions, too.
    """
    stated = quantities(summary, _tag(spoken or language))
    if not stated:
        return ()
    held = quantities(text, _tag(language))
    sizes = {quantity.size for quantity in held} - {None}
    bare = {quantity.number for quantity in held if not quantity.power} - {None}
    printed = {quantity.token.core for quantity in held if quantity.token is not None}
    tag = _tag(language)
    named = {magnitude_of(match.group(), tag) for match in magnitude_pattern(tag).finditer(text)}

    def stands(quantity: Quantity) -> bool:
        if quantity.number is None:
            return quantity.token is not None and quantity.token.core in printed
        return quantity.size in sizes or (quantity.power in named and quantity.number in bare)

    stray = (quantity.text.strip() for quantity in stated if not stands(quantity))
    return tuple(dict.fromkeys(stray))


def _tag(language: str) -> str:
    return language.split("-")[0].lower() or "en"


def read_text(parsed: Parsed, name: str) -> str:
    """One line of text from a reply's object; raises ModelReplyError when it is missing or empty."""
    value = parsed.value.get(name)
    if not isinstance(value, str) or not (text := " ".join(without_thinking(value).split())):
        raise ModelReplyError(f'"{name}" is missing or empty')
    return text


@dataclass(frozen=True)
class Summarizer:
    """Makes the summaries of one edition.

    Attributes:
        edition: What was read.
        settings: Mode, threshold, length, prompt budget.
        language: Of the summaries, as a BCP 47 tag; empty for "the language of the text".
        model: None for none.
        printed: Language of the document, where it is known.
    """

    edition: Edition
    settings: Settings
    language: str
    model: Model | None
    printed: str = ""

    def without_model(self, section: Section) -> Summary:
        """The section's own words: all of them where they are few, else the first."""
        return own_summary(self.edition, section, self.settings.summary_threshold, self.settings.summary_tokens)

    async def summary(self, section: Section, below: Mapping[str, Summary], priority: float) -> Summary:
        """The summary of a section whose subsections have theirs in ``below``.

        Raises whatever the model raises, ModelReplyError when no reply can be used.
        """
        own = self.without_model(section)
        if own.kind is SummaryKind.TEXT or self.model is None or self.settings.summaries is SummaryMode.TEXT:
            return own
        text = shown(self.edition, section.span).text
        pieces = await self._shrunk(section, self._pieces(section, below), priority)
        words, stray = await self._fitting(section, pieces, text, priority)
        if stray:
            return replace(own, model=self.model.name, unverified=stray)
        return Summary(section.node_id, words, SummaryKind.MODEL, self.model.name, own.source_sha256)

    def planned_calls(self, section: Section, below: Mapping[str, Summary]) -> int:
        """Calls that ``summary`` will make where no reply has to be sent back; ``below`` holds summaries as long as those to come."""
        if self.without_model(section).kind is SummaryKind.TEXT or self.settings.summaries is SummaryMode.TEXT:
            return 0
        pieces, budget, calls = self._pieces(section, below), self._budget(section), 1
        for _ in range(_MOST_ROUNDS):
            groups = _grouped(pieces, budget)
            if len(groups) <= 1:
                break
            calls += len(groups)
            size = min(2 * self.settings.summary_tokens, max(50, budget // 4))
            pieces = [Piece(group.pieces[0].page, "", size) for group in groups]
        return calls

    async def _fitting(
        self, section: Section, pieces: Sequence[Piece], text: str, priority: float
    ) -> tuple[str, tuple[str, ...]]:
        """The summary of some pieces; those that the model's context does not hold are each summarised by halves first."""
        messages = summary_messages(section.title, pieces, self.language, self.settings.summary_tokens)
        try:
            return await self._checked(messages, text, priority)
        except ModelRequestError as error:
            if error.code != "CONTEXT_TOO_LONG" or not (halves := Window(tuple(pieces)).halves()):
                raise
            parts = [await self._part(section, half, priority) for half in halves]
        messages = summary_messages(section.title, parts, self.language, self.settings.summary_tokens)
        return await self._checked(messages, text, priority)

    async def _checked(self, messages: list[Message], text: str, priority: float) -> tuple[str, tuple[str, ...]]:
        """A summary, asked for once more when it states numbers that the text does not hold; those it still states are returned."""
        words = await self._ask(messages, priority)
        stray = self._stray(words, text)
        if not stray:
            return words, ()
        turns: list[Message] = [{"role": "assistant", "content": words}, numbers_message(stray)]
        try:
            again = await self._ask([*messages, *turns], priority)
        except ModelReplyError:
            return words, stray
        return again, self._stray(again, text)

    def _stray(self, words: str, text: str) -> tuple[str, ...]:
        return stray_figures(words, text, self.printed or self.language, self.language)

    async def _ask(self, messages: Sequence[Message], priority: float) -> str:
        assert self.model is not None  # noqa: S101 - for the type checker; asked only with one
        return await ask(
            self.model, messages, SUMMARY_FORMAT, lambda parsed: read_text(parsed, "summary"), priority=priority
        )

    def _budget(self, section: Section) -> int:
        frame = count_tokens(str(summary_messages(section.title, (), self.language, self.settings.summary_tokens)))
        return max(200, self.settings.prompt_tokens - frame - 64)

    def _pieces(self, section: Section, below: Mapping[str, Summary]) -> list[Piece]:
        budget = self._budget(section) - 12
        own = [piece for window in windows(self.edition, section.own_span, budget) for piece in window.pieces]
        for child in section.children:
            if (summary := below.get(child.node_id)) is not None:
                text = f"{child.title}: {summary.text}"
                own += [Piece(child.start_index, part, count_tokens(part)) for part in split_text(text, budget)]
        return own

    async def _shrunk(self, section: Section, pieces: list[Piece], priority: float) -> Sequence[Piece]:
        """Pieces that fit one prompt: while they do not, each prompt-full is replaced by its own summary."""
        budget = self._budget(section)
        for _ in range(_MOST_ROUNDS):
            groups = _grouped(pieces, budget)
            if len(groups) <= 1:
                break
            pieces = [await self._part(section, group, priority) for group in groups]
        return _grouped(pieces, budget)[0].pieces if pieces else ()

    async def _part(self, section: Section, group: Window, priority: float) -> Piece:
        messages = summary_messages(section.title, group.pieces, self.language, self.settings.summary_tokens * 2)
        try:
            words = await self._ask(messages, priority)
        except ModelRequestError as error:
            if error.code != "CONTEXT_TOO_LONG" or not (halves := group.halves()):
                raise
            words = "\n".join([(await self._part(section, half, priority)).text for half in halves])
        words = words[: cut_tokens(words, max(50, self._budget(section) // 4))]
        return Piece(group.pieces[0].page, words, count_tokens(words))


def _grouped(pieces: Sequence[Piece], budget: int) -> list[Window]:
    groups: list[list[Piece]] = [[]]
    for piece in pieces:
        if groups[-1] and Window((*groups[-1], piece)).tokens > budget:
            groups.append([])
        groups[-1].append(piece)
    return [Window(tuple(group)) for group in groups if group]
