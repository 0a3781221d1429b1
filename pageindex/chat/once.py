"""The one-call form: code searches, a model picks among numbered passages and answers in a few words, code writes the quotes and checks.

For models that are small, that call no tools, or that have little room: the passages that fit a budget are all that is sent, and a JSON
schema holds the reply to their numbers. An answer that does not hold, and one that finds nothing, is asked for again over the passages
that come next, as often as ``ChatOptions.repairs`` allows.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pageindex.app.passage_ranking import RankedPassage
from pageindex.chat import prompts
from pageindex.chat.answer import Answer, Event, EventType, Finish
from pageindex.chat.assembly import assemble, partial_text, problem
from pageindex.chat.findings import Finding, Report
from pageindex.chat.markup import apart
from pageindex.chat.numbered import Shown, show_passages
from pageindex.chat.options import ChatOptions
from pageindex.chat.places import Places
from pageindex.chat.steps import Ask, Step, question_of
from pageindex.chat.support import supporting
from pageindex.chat.verify import check_answer
from pageindex.config import AnswerMode, ToolMode
from pageindex.document.pagespec import format_pages
from pageindex.errors import InputError, ModelError, ModelReplyError, ModelRequestError
from pageindex.evidence.status import Weight
from pageindex.evidence.wording import content_words, language_of, stem_set
from pageindex.llm import Message, Model, Reply, Usage, as_whole, read_object, without_thinking
from pageindex.text.passages import heads_words, passage_words
from pageindex.text.tokens import count_tokens
from pageindex.tools import Reader
from pageindex.tools.coverage import coverage_line

__all__ = ["Once", "chooses_once"]

_MOST_CITED = 5
_REPLY_TOKENS = 400
_LOOP_TOKENS = 3_000  # of prompt, schemas and reading, below which a loop comes to nothing
_LOOP_CONTEXT = 16_000  # tokens of a model's context below which it is one of the small ones
_EDGE = re.compile(r"[\s\[\]【】]+")
_MARK = re.compile(r"\s*[\[【]\s*\d{1,5}(?:\s*[,;]\s*\d{1,5})*\s*[\]】]")
_NULLS = frozenset({"", "null", "none", "n/a", "unknown"})
_SHAPE_WORDS = ("response_format", "json_schema", "schema", "grammar")


def chooses_once(options: ChatOptions, model: Model) -> bool:
    """Whether one call is better than a loop: it was asked for, the model calls no tools or holds little, or the budget leaves no room to read."""
    if options.form is not AnswerMode.AUTO:
        return options.form is AnswerMode.ONCE
    if options.mode is not ToolMode.AUTO:
        return False  # a way of calling tools was asked for
    limit = options.conversation_tokens
    if limit is not None and limit - options.answer_tokens < _LOOP_TOKENS:
        return True
    known = model.abilities()
    return known.tools is False or (known.context is not None and known.context < _LOOP_CONTEXT)


@dataclass
class Once:
    """One question over numbered passages. It has the attributes and the steps of a :class:`~pageindex.chat.dialogue.Dialogue`."""

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
        self._said = question_of(self.history)
        self._asked = _last(self.history)
        self._finish = Finish.ANSWERED
        self._constrained = True
        self._spent = 0

    def steps(self) -> Generator[Step, Reply | None, Answer]:
        """Run it; the generator's return value is the answer. A ModelError is raised unless an answer was reached before it."""
        error: ModelError | None = None
        try:
            yield from self._answered()
        except ModelError as caught:
            if not self.body and caught.code != "CANCELLED":
                raise
            error = caught
            self._finish = Finish.CANCELLED if caught.code == "CANCELLED" else Finish.FAILED
        answer = self._made(error)
        yield Event(EventType.ANSWER, answer.text, data={"finish": answer.finish.value})
        return answer

    def _answered(self) -> Generator[Step, Reply | None, None]:
        ranked: Sequence[RankedPassage] = self._search()
        problems: list[str] = []
        while ranked:
            shown = show_passages(self.session, ranked, self._room())
            self.rounds += 1
            yield Event(EventType.TOOL_RESULT, f"{len(shown.numbers)} passages", "search_documents")
            reply = yield from self._ask(shown, problems)
            self._read(reply, shown)
            yield self._checked()
            problems = [problem(finding) for finding in self.report.failing if finding.repairable]
            if self._finish is Finish.ANSWERED and not problems:
                return
            ranked = shown.rest
            if not ranked or self.repairs >= self.options.repairs or not self._affordable():
                return
            self.repairs += 1

    def _search(self) -> Sequence[RankedPassage]:
        try:
            found = self.session.best_passages(self._said)
        except InputError:
            raise InputError(
                "the question holds no word to look for", "Ask for something by name.", code="EMPTY_QUERY"
            ) from None
        if not found:
            self._finish = Finish.NOT_FOUND
        return found

    def _room(self) -> int:
        """Tokens of passages: what was set, and no more than the conversation has left."""
        if self.options.conversation_tokens is None:
            return self.options.passage_tokens
        left = self.options.conversation_tokens - self._spent - count_tokens(prompts.ONCE + self._asked) - _REPLY_TOKENS
        return max(1, min(self.options.passage_tokens, left))

    def _affordable(self) -> bool:
        limit = self.options.conversation_tokens
        return limit is None or limit - self._spent > 2 * _REPLY_TOKENS

    # ------------------------------------------------------------ asking

    def _ask(self, shown: Shown, problems: Sequence[str]) -> Generator[Step, Reply | None, Reply]:
        messages: list[Message] = [
            {"role": "system", "content": self._system()},
            {"role": "user", "content": prompts.once_question(self._asked, shown.text, problems)},
        ]
        receipts = self.session.receipts()
        while True:
            shape = _shape(shown.numbers) if self._constrained else None
            try:
                reply = yield Ask(messages, None, None, shape, receipts, _REPLY_TOKENS)
            except ModelRequestError as error:
                if not self._constrained or not any(word in error.message.lower() for word in _SHAPE_WORDS):
                    raise
                self._constrained = False
                continue
            if reply is None:
                raise TypeError("a request was answered with nothing")
            self._spent += sum(count_tokens(str(message["content"])) for message in messages) + count_tokens(reply.text)
            self.turns += [*messages[1:], {"role": "assistant", "content": reply.text}]
            return reply

    def _system(self) -> str:
        said = [str(message["content"]) for message in self.history if message.get("role") in ("system", "developer")]
        return "\n\n".join([prompts.ONCE, *said, *([self.options.instructions] if self.options.instructions else [])])

    # ------------------------------------------------------------ the reply

    def _read(self, reply: Reply, shown: Shown) -> None:
        """The words and passages of a reply as an answer; prose without a schema is an answer that cites what it cites."""
        try:
            value: Mapping[str, Any] = read_object(reply.text).value
        except ModelReplyError:
            value = {"passages": [], "answer": _without_json(reply.text)}
        words = value.get("answer")
        text = " ".join(words.split()) if isinstance(words, str) else "" if words is None else str(words)
        numbers = _numbers(value.get("passages"))
        if text.casefold().strip(". ") in _NULLS:
            self._finish, self.body, self.report = Finish.NOT_FOUND, prompts.NOT_IN_PASSAGES, self._nothing(shown)
            return
        cut = {"length": Finish.TRUNCATED, "content_filter": Finish.REFUSED}.get(reply.finish_reason)
        self._finish = cut or Finish.ANSWERED
        text = apart(text, self.session.passages)
        if not _MARK.search(text):
            numbers = supporting(text, self._said, numbers, self._texts(shown))
        cited = "" if _MARK.search(text) else "".join(f"[{number}]" for number in numbers)
        self.body = f"{text} {cited}".strip()
        self.report = check_answer(self.session, self.body, self._said) if self.options.check else Report()

    def _texts(self, shown: Shown) -> dict[int, str]:
        """The words of the passages that were shown, with what stands over them."""
        found = {}
        for number in shown.numbers:
            if (one := self.session.passages.get(number)) is not None:
                edition = self.session.open(one.doc_id).edition
                found[number] = f"{heads_words(edition, one.passage)}\n{passage_words(edition, one.passage)}"
        return found

    def _checked(self) -> Event:
        failing = self.report.failing
        return Event(
            EventType.CHECK,
            f"{len(self.report.findings) - len(failing)} hold, {len(failing)} do not",
            data={"verdict": self.report.verdict.value, "problems": [problem(finding) for finding in failing]},
        )

    def _nothing(self, shown: Shown) -> Report:
        """What is to be said of "not in the passages": it is a claim about what was shown, and never about the document."""
        given = [one for number in shown.numbers if (one := self.session.passages.get(number)) is not None]
        language = language_of(self._asked)
        wanted = {word.stem for word in content_words(self._asked, language)}
        pages = format_pages(sorted({one.passage.page for one in given}))
        holding = None
        for one in given:
            document = self.session.open(one.doc_id)
            text = f"{document.tree.by_id[one.passage.section].title} {passage_words(document.edition, one.passage)}"
            if wanted and wanted <= stem_set([text], language):
                holding = one
                break
        if holding is not None:
            status, message = (
                "may_stand_there",
                f"passage [{holding.number}] on page {holding.passage.page} holds all words of the question",
            )
        else:
            status = "not_in_passages"
            message = (
                f"no passage that was shown (pages {pages}) holds all words of the question; nothing else was read"
            )
        return Report(
            (Finding("absence", self._asked, status, Weight.REVIEW, 0, len(prompts.NOT_IN_PASSAGES), message),)
        )

    # ------------------------------------------------------------ the end

    def _made(self, error: ModelError | None) -> Answer:
        coverage = [coverage_line(self.session, document) for document in Places(self.session).read()]
        if self.body and self.options.check:
            text = assemble(self.body, self.report, coverage, self._finish)
        else:
            text = self.body or partial_text("no page holds words of the question", coverage)
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
        )


def _last(history: Sequence[Message]) -> str:
    """The question: what the user said last."""
    return question_of([message for message in history if message.get("role") == "user"][-1:])


def _shape(numbers: Sequence[int]) -> dict[str, Any]:
    """The JSON schema of a reply: numbers that were given, then the answer in words, or null."""
    schema = {
        "type": "object",
        "properties": {
            "passages": {"type": "array", "items": {"enum": list(numbers)}, "maxItems": _MOST_CITED},
            "answer": {"type": ["string", "null"]},
        },
        "required": ["passages", "answer"],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


def _numbers(value: Any) -> list[int]:
    """The numbers of a reply, each once: as numbers, as words such as ``[3]``, or one by itself."""
    items = value if isinstance(value, list) else [] if value is None else [value]
    found = (as_whole(_EDGE.sub("", item) if isinstance(item, str) else item) for item in items)
    return list(dict.fromkeys(number for number in found if number is not None))[:_MOST_CITED]


def _without_json(text: str) -> str:
    return without_thinking(text).strip().strip("`")
