"""The loop of a conversation, without any waiting in it.

``Dialogue.steps`` is a generator: it yields events, and requests for a model's reply that its driver sends back in. One driver is plain
code, another a coroutine; the loop is the same.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pageindex.app.reader import LEAST_ROOM
from pageindex.chat import prompts
from pageindex.chat.actions import Action, action_format, read_action, read_calls
from pageindex.chat.answer import Answer, Event, EventType, Finish
from pageindex.chat.assembly import assemble, partial_text, problem
from pageindex.chat.findings import Report
from pageindex.chat.judging import Judgement, judging_messages
from pageindex.chat.markup import apart
from pageindex.chat.once import Once
from pageindex.chat.options import ChatOptions
from pageindex.chat.pictures import picture_message, still_allowed
from pageindex.chat.places import Places
from pageindex.chat.rendering import remember, render
from pageindex.chat.shrinking import shrink
from pageindex.chat.steps import Ask, Step, question_of
from pageindex.chat.verify import check_answer
from pageindex.config import AnswerMode, ToolMode
from pageindex.document.codec import encode_json
from pageindex.errors import InputError, ModelError, ModelRequestError
from pageindex.llm import Message, Reply, Usage
from pageindex.text.tokens import count_tokens
from pageindex.tools import Envelope, Reader, Receipt, call_tool, loop_schemas, tools_of
from pageindex.tools.coverage import coverage_line
from pageindex.tools.declare import IMAGE_TOKENS
from pageindex.tools.envelope import failure

__all__ = ["Dialogue"]


Steps = Generator[Step, Reply | None, Any]

_TOOL_WORDS = ("tool", "function")
_SHAPE_WORDS = ("response_format", "json_schema", "json", "schema", "grammar")


@dataclass
class Dialogue:
    """One question, with what was said before it.

    Attributes:
        session: What may be read; its budget is set from the options.
        options: How to read and answer.
        history: Messages as Chat Completions has them; the last one is the question.
        model: Name, for the answer.
        deltas: Whether the driver tells thinking piece by piece, so that it need not be told again.
    """

    session: Reader
    options: ChatOptions
    history: Sequence[Message]
    model: str = ""
    deltas: bool = False
    turns: list[Message] = field(default_factory=list)
    rounds: int = 0
    repairs: int = 0
    body: str = ""
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        if not self.history:
            raise InputError("there is no question", "Give a question.", code="EMPTY_QUESTION")
        self._native = self.options.mode is not ToolMode.JSON
        self._constrained = True
        self._receipts: list[tuple[int, Receipt]] = []  # of results that no request has held yet, with their turn
        self._finish = Finish.ANSWERED
        self._reason = ""
        self._told_last = self._nudged = False
        self._judgement: Judgement | None = None
        self._sizes: list[int] = []
        self._base = 0
        remember(self.session, self.history)

    # ------------------------------------------------------------ the loop

    def steps(self) -> Generator[Step, Reply | None, Answer]:
        """Run the conversation; the generator's return value is the answer.

        A ModelError thrown in ends it with what there is, unless nothing was read and nothing said yet: then it is raised.
        """
        error: ModelError | None = None
        try:
            yield from self._converse()
        except _ToolsRefusedError:
            return (yield from Once(self.session, self.options, self.history, self.model, self.deltas).steps())
        except ModelError as caught:
            if not self.turns and caught.code != "CANCELLED":
                raise
            error = caught
            self._finish = Finish.CANCELLED if caught.code == "CANCELLED" else Finish.FAILED
            self._reason = caught.message
        answer = self._answer(error)
        yield Event(EventType.ANSWER, answer.text, data={"finish": answer.finish.value})
        return answer

    def _converse(self) -> Steps:
        self._set_budget()
        while True:
            open_ = self._may_read()
            reply = yield from self._ask(readable=open_)
            action = self._read(reply)
            if action.calls and open_:
                yield from self._call_all(reply, action)
                continue
            if not action.text:
                if not reply.refused and self._nudge(action):
                    continue
                self._finish_of(reply)
                self._give_up(action, open_)
                return
            self._finish_of(reply)
            self.body = apart(action.text, self.session.passages)
            self.turns.append({"role": "assistant", "content": reply.text})
            if (yield from self._settled()):
                yield from self._judged()
                return

    def _finish_of(self, reply: Reply) -> None:
        """Note a reply that is not whole; a later, whole one puts it right."""
        cut = Finish.REFUSED if reply.refused else Finish.TRUNCATED if reply.truncated else None
        self._reason = f"the model refused: {reply.refusal}" if reply.refusal else self._reason
        if cut is not None and self._finish in (Finish.ANSWERED, Finish.TRUNCATED, Finish.REFUSED):
            self._finish = cut
        elif cut is None and self._finish in (Finish.TRUNCATED, Finish.REFUSED):
            self._finish = Finish.ANSWERED

    def _nudge(self, action: Action) -> bool:
        """Ask once more after a reply that held nothing."""
        if action.calls or self._nudged:
            return False
        self._nudged = True
        self.turns.append({"role": "user", "content": prompts.EMPTY})
        return True

    def _give_up(self, action: Action, readable: bool) -> None:
        rounds = f"{self.rounds} rounds of reading were not enough"
        self._reason = self._reason or ("the model gave no answer" if readable else rounds)
        if self._finish is Finish.ANSWERED:
            self._finish = Finish.MAX_TURNS if action.calls else Finish.NO_ANSWER

    def _settled(self) -> Steps:
        """Check the draft; True when it stands, False when the model was asked to correct it."""
        self.report = check_answer(self.session, self.body, self._question()) if self.options.check else Report()
        failing = self.report.failing
        yield Event(
            EventType.CHECK,
            f"{len(self.report.findings) - len(failing)} hold, {len(failing)} do not",
            data={"verdict": self.report.verdict.value, "problems": [problem(f) for f in failing]},
        )
        problems = [problem(finding) for finding in failing if finding.repairable]
        if not self.report.shows_anything and self.options.check and not self.repairs:
            problems.append(prompts.NOTHING_QUOTED if self._has_read() else prompts.NOTHING_READ)
        if not problems or self.repairs >= self.options.repairs or not self._affordable():
            return True
        self.repairs += 1
        problems = [problem(finding) for finding in failing if finding.repairable] or problems
        words = prompts.repair_prompt(problems, readable=self._may_read())
        self.turns.append({"role": "user", "content": words})
        return False

    def _judged(self) -> Steps:
        """Ask whether the answer follows from what it cites, once and beside the conversation; a failure is told, and costs nothing else."""
        if not (self.options.judge and self.options.check):
            return
        messages = judging_messages(self.session, self._question(), self.body, self.report)
        try:
            reply = yield Ask(messages, None, None, None)
        except ModelError as error:
            if error.code == "CANCELLED":
                raise
            self._judgement = Judgement("", self.model, error.message)
        else:
            self._judgement = Judgement.of(reply.text if reply is not None else "", self.model)

    # ------------------------------------------------------------ asking

    def _ask(self, *, readable: bool) -> Steps:
        """One reply. A provider that refuses tools is asked in JSON from then on, one that refuses a schema in plain text."""
        if not readable and self.rounds and not self._told_last:
            self._told_last = True
            self.turns.append({"role": "user", "content": prompts.last_round(self.rounds)})
        while True:
            try:
                reply = yield self._request(readable=readable)
            except ModelRequestError as error:
                if not (self._make_room() if error.code == "CONTEXT_TOO_LONG" else self._fall_back(error)):
                    raise
                continue
            if reply is None:
                raise TypeError("a request was answered with nothing")
            self._receipts.clear()
            if reply.thinking and not self.deltas:
                yield Event(EventType.THINKING, reply.thinking)
            return reply

    def _make_room(self) -> bool:
        """Take a result out of a conversation that the model's context does not hold; False when none is left.

        What was in it may be read again, in smaller parts; what no request has held was not read.
        """
        gone = shrink(self.turns)
        if gone is None:
            return False
        del self._sizes[gone:]
        self.session.withdraw(receipt for turn, receipt in self._receipts if turn == gone)
        self._receipts = [(turn, receipt) for turn, receipt in self._receipts if turn != gone]
        self.session.omit_repeats = False
        self.session.reply_tokens = max(LEAST_ROOM, self.session.reply_tokens // 2)
        return True

    def _fall_back(self, error: ModelRequestError) -> bool:
        words = error.message.lower()
        refused = self._native and not self.turns and any(word in words for word in _TOOL_WORDS)
        if refused and self.options.mode is ToolMode.AUTO:
            if self.options.form is AnswerMode.AUTO:
                raise _ToolsRefusedError from error
            self._native = False
            return True
        if not self._native and self._constrained and any(w in words for w in _SHAPE_WORDS):
            self._constrained = False
            return True
        return False

    def _request(self, *, readable: bool) -> Ask:
        messages, seen = still_allowed(self.session, self._messages())
        # A picture counts where it stands in what is sent, not where it was drawn.
        receipts = (*(receipt for _, receipt in self._receipts if receipt.number >= 0), *seen)
        if self._native:
            return Ask(messages, loop_schemas(self.session), None if readable else "none", None, receipts)
        shape = None
        if self._constrained:
            shape = action_format(self.session, tools=readable, answer=not readable or self._has_read())
        return Ask(messages, None, None, shape, receipts)

    def _has_read(self) -> bool:
        """Whether anything was read, looked at or searched, in this conversation or before it."""
        return bool(self.rounds or Places(self.session).read())

    def _messages(self) -> list[Message]:
        return [{"role": "system", "content": self._system()}, *self._past(), *self.turns]

    def _system(self) -> str:
        parts = [prompts.agent_instructions(self.session, citations=self.options.citations)]
        if not self._native:
            parts.append(prompts.action_instructions(self.session))
        parts += [str(message["content"]) for message in self.history if message.get("role") in ("system", "developer")]
        return "\n\n".join([*parts, self.options.instructions] if self.options.instructions else parts)

    def _past(self) -> list[Message]:
        """What was said, the first question with the documents that there are: their names are data, and no part of the instructions."""
        past = [message for message in self.history if message.get("role") not in ("system", "developer")]
        named = prompts.scope_line(self.session)
        first = next((index for index, message in enumerate(past) if message.get("role") == "user"), None)
        if first is not None and named:
            past[first] = prompts.with_scope(past[first], named)
        return past

    def _question(self) -> str:
        return question_of(self.history)

    # ------------------------------------------------------------ reading

    def _read(self, reply: Reply) -> Action:
        known = [tool.name for tool in tools_of(self.session)]
        if not self._native:
            return read_action(reply.text, known, strict=True) or Action()
        action = read_calls(reply)
        if not action.calls and (written := read_action(action.text, known, strict=False)) is not None:
            return written
        return action

    def _call_all(self, reply: Reply, action: Action) -> Steps:
        self.rounds += 1
        native = bool(reply.tool_calls)
        if native and action.text:
            yield Event(EventType.THINKING, action.text)
        self.turns.append(reply.message() if native else {"role": "assistant", "content": reply.text})
        for call, arguments, fault in action.calls:
            yield Event(EventType.TOOL_CALL, prompts.brief(arguments or {}), call.name, dict(arguments or {}))
            envelope = self._call(call.name, arguments, fault)
            self._receipts += [(len(self.turns), receipt) for receipt in self.session.receipts()]
            text = render(envelope)
            self.turns.append(_tool_message(call.id, call.name, text, native=native))
            if (picture := picture_message(self.session, envelope)) is not None:
                self.turns.append(picture)
            yield Event(EventType.TOOL_RESULT, _result_line(envelope), call.name, _result_data(envelope))

    def _call(self, name: str, arguments: Mapping[str, Any] | None, fault: str) -> Envelope:
        if arguments is None:
            return failure(InputError(fault, "Send the arguments again, as one JSON object.", code="INVALID_ARGUMENT"))
        return call_tool(self.session, name, arguments)

    # ------------------------------------------------------------ budgets

    def _set_budget(self) -> None:
        """What the tools may say: the conversation's tokens without the prompt, the answer and its repair."""
        limit = self.options.conversation_tokens
        if limit is None:
            return
        room = limit - self._size() - self.options.answer_tokens
        if room < LEAST_ROOM:
            message = f"the conversation so far leaves {max(0, room)} of its {limit:,} tokens for reading"
            raise InputError(message, "Shorten the history, or raise conversation_tokens.", code="BUDGET_EXHAUSTED")
        self.session.conversation_tokens = self.session.spent + room

    def _size(self) -> int:
        """Tokens of all that would be sent now; every message is counted once."""
        if not self._base:
            schemas = loop_schemas(self.session) if self._native else []
            self._base = _tokens([{"role": "system", "content": self._system()}, *self._past(), schemas])
        self._sizes += [_message_tokens(message) for message in self.turns[len(self._sizes) :]]
        return self._base + sum(self._sizes)

    def _left(self) -> int | None:
        limit = self.options.conversation_tokens
        return None if limit is None else limit - self._size()

    def _may_read(self) -> bool:
        if self.rounds >= self.options.max_turns:
            return False
        left = self._left()
        if left is None:
            return True
        # What a call's own words cost is not in the session's account, so that is brought up to date here.
        self.session.conversation_tokens = self.session.spent + max(0, left - self.options.answer_tokens)
        if left - self.options.answer_tokens >= LEAST_ROOM:
            return True
        self._finish = Finish.BUDGET
        return False

    def _affordable(self) -> bool:
        left = self._left()
        return left is None or left >= self.options.answer_tokens // 2

    # ------------------------------------------------------------ the end

    def _answer(self, error: ModelError | None) -> Answer:
        if self._finish is Finish.ANSWERED and self.rounds >= self.options.max_turns:
            self._finish = Finish.MAX_TURNS
        coverage = [coverage_line(self.session, document) for document in Places(self.session).read()]
        if self.body:
            text = (
                assemble(self.body, self.report, coverage, self._finish, self._judgement)
                if self.options.check
                else self.body
            )
        else:
            text = partial_text(self._reason or "the model gave no answer", coverage)
        return Answer(
            text=text,
            body=self.body,
            report=self.report,
            coverage=coverage,
            turns=tuple(self.turns),
            finish=self._finish,
            usage=Usage(),
            model=self.model,
            rounds=self.rounds,
            repairs=self.repairs,
            error=error.to_json() if error is not None else None,
            judgement=self._judgement,
        )


class _ToolsRefusedError(Exception):
    """The provider takes no tools: the question is asked in one call instead."""


def _tokens(value: object) -> int:
    return count_tokens(encode_json(value).decode())


def _message_tokens(message: Message) -> int:
    content = message.get("content")
    if not isinstance(content, list):
        return _tokens(message)
    pictures = sum("image_url" in part for part in content)
    return IMAGE_TOKENS * pictures + sum(_tokens(part) for part in content if "image_url" not in part)


def _tool_message(call_id: str, name: str, text: str, *, native: bool) -> Message:
    if native:
        return {"role": "tool", "tool_call_id": call_id, "name": name, "content": text}
    return {"role": "user", "content": prompts.result_message(name, text)}


def _result_line(envelope: Envelope) -> str:
    if "error" in envelope:
        return f"{envelope['errorCode']}: {envelope['error']}"
    return str(envelope["next_steps"]["summary"])


def _result_data(envelope: Envelope) -> dict[str, Any]:
    """Figures of a result: what was read, found or refused, without its text."""
    kept = ("doc_name", "returned_pages", "omitted", "total", "errorCode")
    return {key: envelope[key] for key in kept if key in envelope}
