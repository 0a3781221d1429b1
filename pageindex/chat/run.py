"""Drivers of a dialogue: plain code, coroutines, and streams of events or text."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pageindex.app.models import reply_cache
from pageindex.app.spending import recorder
from pageindex.chat.answer import Answer, Event, EventType
from pageindex.chat.dialogue import Dialogue
from pageindex.chat.once import Once, chooses_once
from pageindex.chat.options import ChatOptions
from pageindex.chat.places import Places
from pageindex.chat.steps import Ask, Step
from pageindex.errors import BudgetError, CredentialError, ModelError, ModelRequestError, PageIndexError
from pageindex.evidence.status import Verdict
from pageindex.llm import Cancellation, Delta, Message, Model, Reply
from pageindex.tools import Reader

__all__ = ["AnswerStream", "aanswer", "answer", "stream"]

OnEvent = Callable[[Event], None]

#: Errors of requests that were refused or not made: what was in them, no model has read.
_UNREAD = (ModelRequestError, CredentialError, BudgetError)


def answer(
    session: Reader,
    messages: Sequence[Message],
    model: Model,
    options: ChatOptions | None = None,
    *,
    on_event: OnEvent | None = None,
    deltas: bool = False,
    cancel: Cancellation | None = None,
) -> Answer:
    """Answer the last message by reading.

    Args:
        session: What may be read.
        messages: The conversation, as in Chat Completions.
        model: Who answers.
        options: Limits and habits.
        on_event: Gets every event, in the order of happening (drafts as they arrive come from another thread).
        deltas: Whether words are wanted piece by piece.
        cancel: Ends the conversation from elsewhere; what was reached until then is returned.

    Raises:
        InputError: No question, or a history that leaves no room for reading.
        ModelError: The model failed before anything was reached; later failures are told in the answer.
    """
    tell = on_event or _ignore
    scope, dialogue = _prepare(session, messages, model, options, deltas, cancel, tell)
    steps = dialogue.steps()
    step = next(steps)
    while True:
        try:
            if isinstance(step, Event):
                tell(step)
                step = next(steps)
                continue
            try:
                reply = _complete(scope, step, session, tell if deltas else None, cancel)
            except ModelError as error:
                step = steps.throw(error)
            else:
                step = steps.send(reply)
        except StopIteration as end:
            return _ended(end.value, scope)


async def aanswer(
    session: Reader,
    messages: Sequence[Message],
    model: Model,
    options: ChatOptions | None = None,
    *,
    on_event: OnEvent | None = None,
    deltas: bool = False,
) -> Answer:
    """``answer`` as a coroutine; tools run in a thread. Cancelling the task cancels the model's call and raises as usual."""
    tell = on_event or _ignore
    scope, dialogue = await asyncio.to_thread(_prepare, session, messages, model, options, deltas, None, tell)
    steps = dialogue.steps()
    outgoing: Reply | ModelError | None = None
    while True:
        step = await asyncio.to_thread(_advance, steps, outgoing)
        outgoing = None
        if isinstance(step, Answer):
            return _ended(step, scope)
        if isinstance(step, Event):
            tell(step)
            continue
        try:
            outgoing = await scope.acomplete(
                step.messages,
                tools=step.tools,
                tool_choice=step.tool_choice,
                response_format=step.response_format,
                max_tokens=step.max_tokens,
                stream=_teller(tell) if deltas else None,
            )
        except ModelError as error:
            outgoing = error
        if not _was_not_sent(outgoing):
            session.sent(step.receipts)


def _was_not_sent(outcome: Reply | ModelError | None) -> bool:
    """Whether no model can have read a request: it was refused, not made, or its address never answered."""
    return isinstance(outcome, _UNREAD) or (
        isinstance(outcome, ModelError) and bool(outcome.details.get("unreachable"))
    )


def _prepare(
    session: Reader,
    messages: Sequence[Message],
    model: Model,
    options: ChatOptions | None,
    deltas: bool,
    cancel: Cancellation | None,
    tell: OnEvent,
) -> tuple[Model, Dialogue | Once]:
    if cancel is not None:
        session.cancelled = lambda: cancel.cancelled
    made = options or ChatOptions()
    form = Once if chooses_once(made, model) else Dialogue
    scope = model.scope(
        _cache(session, model),
        on_wait=lambda words: tell(Event(EventType.WAIT, words)),
        on_usage=recorder(session.library, "chat", lambda: _documents(session)),
    )
    return scope, form(session, made, tuple(messages), model.name, deltas)


def _documents(session: Reader) -> Iterable[str]:
    """What the conversation is about: its scope, or what was read where that is the whole library."""
    return session.scope if session.scope is not None else [found.doc_id for found in Places(session).read()]


def _ended(answer: Answer, scope: Model) -> Answer:
    """The answer with what it cost. One that failed does not come from the cache again."""
    if answer.verdict is Verdict.FAIL:
        scope.forget_all()
    return replace(answer, usage=scope.usage)


def _cache(session: Reader, model: Model) -> Path | None:
    """Where replies are kept: at temperature 0 the same question over the same pages is answered from there; else each is a new draw."""
    return reply_cache(session.library) if model.settings.temperature == 0 else None


def _advance(steps: Generator[Step, Reply | None, Answer], outgoing: Reply | ModelError | None) -> Step | Answer:
    """One step of a dialogue; its end as the answer, since a StopIteration cannot leave a thread."""
    try:
        return steps.throw(outgoing) if isinstance(outgoing, ModelError) else steps.send(outgoing)
    except StopIteration as end:
        found: Answer = end.value
        return found


def _complete(scope: Model, step: Ask, session: Reader, tell: OnEvent | None, cancel: Cancellation | None) -> Reply:
    if cancel is not None and cancel.cancelled:
        raise ModelError("the conversation was cancelled", "Ask again when it is wanted.", code="CANCELLED")
    try:
        reply = scope.complete(
            step.messages,
            tools=step.tools,
            tool_choice=step.tool_choice,
            response_format=step.response_format,
            max_tokens=step.max_tokens,
            stream=_teller(tell) if tell is not None else None,
            cancel=cancel,
        )
    except ModelError as error:
        if not _was_not_sent(error):
            session.sent(step.receipts)
        raise
    session.sent(step.receipts)
    return reply


def _teller(tell: OnEvent) -> Callable[[Delta], None]:
    def hear(delta: Delta) -> None:
        if delta.reset:
            tell(Event(EventType.DRAFT, data={"reset": True}))
        if delta.thinking:
            tell(Event(EventType.THINKING, delta.thinking, data={"delta": True}))
        if delta.text:
            tell(Event(EventType.DRAFT, delta.text))

    return hear


def _ignore(event: Event) -> None:
    pass


class AnswerStream:
    """A conversation under way.

    Iterating gives the text of the checked answer, in pieces; ``events`` gives everything, drafts included, as it happens. Both may be
    used with ``async for`` too. ``answer`` waits for the end.
    """

    def __init__(
        self, session: Reader, messages: Sequence[Message], model: Model, options: ChatOptions | None = None
    ) -> None:
        self._queue: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._cancel = Cancellation()
        self._answer: Answer | None = None
        self._error: PageIndexError | None = None
        self._arguments = (session, messages, model, options)
        self._thread = threading.Thread(target=self._run, name="pageindex-chat", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        session, messages, model, options = self._arguments
        try:
            self._answer = answer(
                session, messages, model, options, on_event=self._queue.put, deltas=True, cancel=self._cancel
            )
        except PageIndexError as error:
            self._error = error
        finally:
            self._queue.put(None)

    @property
    def events(self) -> Iterator[Event]:
        """Every event as it happens; raises at the end what ``answer`` raises."""
        while (event := self._queue.get()) is not None:
            yield event
        self._queue.put(None)  # for whoever asks again
        self._raise()

    async def aevents(self) -> AsyncIterator[Event]:
        """``events`` for coroutines."""
        while (event := await asyncio.to_thread(self._queue.get)) is not None:
            yield event
        self._queue.put(None)
        self._raise()

    def __iter__(self) -> Iterator[str]:
        for event in self.events:
            if event.type is EventType.ANSWER:
                yield from event.text.splitlines(keepends=True)

    async def __aiter__(self) -> AsyncIterator[str]:
        async for event in self.aevents():
            if event.type is EventType.ANSWER:
                for line in event.text.splitlines(keepends=True):
                    yield line

    @property
    def answer(self) -> Answer:
        """The whole answer; waits for it."""
        self._thread.join()
        self._raise()
        if self._answer is None:
            raise ModelError("the conversation ended without an answer", "Ask again.")
        return self._answer

    def close(self) -> None:
        """End the conversation; ``answer`` then holds what was reached."""
        self._cancel.cancel()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error


def stream(
    session: Reader, messages: Sequence[Message], model: Model, options: ChatOptions | None = None
) -> AnswerStream:
    """Start a conversation in a thread of its own."""
    return AnswerStream(session, messages, model, options)
