"""Ask the documents: ``ask`` for one question, with or without a model, ``chat`` for a conversation."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageindex.cli.frame import (
    JsonOption,
    LibraryOption,
    complain,
    emit,
    open_library,
    print_error,
    print_lines,
    write_json,
)
from pageindex.cli.options import with_settings
from pageindex.cli.screen import Screen, counted, fit, printable
from pageindex.config import Settings
from pageindex.errors import VERDICT_STATUSES, PageIndexError, SettingsError

if TYPE_CHECKING:
    from pageindex.app.models import Model
    from pageindex.chat import Answer, AnswerStream, ChatOptions, Event, Passages
    from pageindex.chat.ask import Found
    from pageindex.tools import Reader

__all__ = ["register"]

_ARGUMENT_WIDTH = 80

DocumentsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[DOC]...", help="Only these documents: id, start of an id, name, or path. Default: all."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("ask")(ask)
    app.command("chat")(chat)


@with_settings("chat", shorts={"model": "-m"})
def ask(
    question: Annotated[str, typer.Argument(help="A question, in quotation marks.")],
    docs: DocumentsArgument = None,
    passages: Annotated[bool, typer.Option("--passages", help="Only find passages, even if a model is set.")] = False,
    limit: Annotated[int, typer.Option(help="Passages to list without a model.", min=1)] = 5,
    library: LibraryOption = None,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Ask the documents a question.

    Without a model, the pages and sections that answer best are listed with their words and a handle for each. With one, it reads what it
    needs and answers; every sentence is checked before the answer is printed. The exit status says how it came out: 0 PASS (all proven),
    22 PARTIAL (words found, meaning not judged), 21 NEEDS_REVIEW, 20 FAIL or no answer.
    """
    options = _options(settings)
    session = _session(library, docs, options, vision=settings.vision)
    if passages or not settings.for_chat:
        _print_passages(session, question, limit, as_json=as_json)
        return
    stream = _start(session, [{"role": "user", "content": question}], _model(settings), options)
    found = _follow(stream, Screen.of(sys.stderr), quiet=as_json)
    emit(found.to_json(), as_json=as_json, text=lambda screen: _answer(found))
    _tell_usage(found, quiet=as_json)
    _raise_failure(found)
    if VERDICT_STATUSES[found.verdict.value]:
        raise typer.Exit(VERDICT_STATUSES[found.verdict.value])


@with_settings("chat", shorts={"model": "-m"})
def chat(
    docs: DocumentsArgument = None,
    library: LibraryOption = None,
    as_json: JsonOption = False,
    *,
    settings: Settings,
) -> None:
    """Talk with a model about the documents.

    Questions are read from standard input, one a line; an empty line or the end of input ends the conversation. Ctrl-C ends an answer, and
    what was read until then is kept.
    """
    if not settings.for_chat:
        raise SettingsError(
            "no model is set", "Give --model, or ask without one: pageindex ask QUESTION.", code="NO_MODEL"
        )
    options = _options(settings)
    session = _session(library, docs, options, vision=settings.vision)
    speaker, history = _model(settings), []
    for question in _questions(sys.stdin.isatty()):
        history.append({"role": "user", "content": question})
        try:
            found = _follow(_start(session, history, speaker, options), Screen.of(sys.stderr), quiet=as_json)
        except PageIndexError as error:
            history.pop()
            if not sys.stdin.isatty():
                raise
            print_error(error, as_json=as_json)
            continue
        history += [dict(turn) for turn in found.turns]
        if as_json:
            write_json(found.to_json())
        else:
            print_lines(_answer(found))
        _tell_usage(found, quiet=as_json)


# ---------------------------------------------------------------- parts


def _options(settings: Settings) -> ChatOptions:
    from pageindex.chat import ChatOptions

    return ChatOptions.of(settings)


def _session(library: Any, docs: Sequence[str] | None, options: ChatOptions, *, vision: bool) -> Reader:
    from pageindex.chat import open_session

    return open_session(
        open_library(library),
        docs or None,
        options=options,
        vision=vision,
    )


def _model(settings: Settings) -> Model:
    from pageindex.app.models import answering_model

    return answering_model(settings)


def _start(session: Reader, messages: Sequence[Mapping[str, Any]], model: Model, options: ChatOptions) -> AnswerStream:
    from pageindex.chat.run import stream

    return stream(session, messages, model, options)


def _follow(stream: AnswerStream, screen: Screen, *, quiet: bool) -> Answer:
    """Tell the steps on standard error until the answer is there; an interrupt ends it with what was reached."""
    try:
        for event in stream.events:
            if not quiet and (line := _step(event)):
                complain(screen.paint(line, "dim"))
    except KeyboardInterrupt:
        stream.close()
    return stream.answer


def _step(event: Event) -> str:
    if event.type.value == "tool_call":
        given = " ".join(f"{name}={printable(str(value))}" for name, value in event.data.items())
        return fit(f"→ {event.name} {given}", _ARGUMENT_WIDTH)
    if event.type.value == "tool_result" and "errorCode" in event.data:
        return f"  {printable(event.text)}"
    if event.type.value == "wait":
        return f"… {printable(event.text)}"
    if event.type.value == "check":
        return f"checked: {event.data.get('verdict', '')}, {event.text}"
    return ""


def _answer(found: Answer) -> Iterator[str]:
    yield from found.text.splitlines()


def _tell_usage(found: Answer, *, quiet: bool) -> None:
    if quiet:
        return
    usage = found.usage
    money = "" if not usage.calls or usage.unpriced == usage.calls else f" · ${usage.usd:.4f}"
    made = [counted(usage.calls, "call")] if usage.calls or not usage.replayed else []
    made += [f"{usage.replayed:,} from the cache"] if usage.replayed else []
    sys.stderr.write(f"{' and '.join(made)} · {usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens{money}\n")


def _raise_failure(found: Answer) -> None:
    """What was reached is printed; the exit status still tells that the model failed."""
    from pageindex.chat import Finish
    from pageindex.errors import ModelError

    if found.finish is Finish.FAILED and found.error is not None:
        raise ModelError(found.error["message"], found.error["next_step"], code=found.error["code"])


def _questions(interactive: bool) -> Iterator[str]:
    while True:
        if interactive:
            sys.stderr.write("> ")
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line.strip():
            return
        yield line.strip()


# ---------------------------------------------------------------- passages


def _print_passages(session: Reader, question: str, limit: int, *, as_json: bool) -> None:
    from pageindex.chat import find_passages

    found = find_passages(session, question, limit=limit)
    payload = {**found.to_json(), "next": [_next(item) for item in found.found[:1]]}
    emit(payload, as_json=as_json, text=lambda screen: _passages(found, screen))
    if not found.found:
        raise typer.Exit(1)


def _passages(found: Passages, screen: Screen) -> Iterator[str]:
    if not found.found:
        yield "No page holds words of this question."
    for remark in found.remarks:
        yield screen.paint(printable(remark), "yellow")
    for number, item in enumerate(found.found, start=1):
        yield from _passage(number, item, screen)
    yield screen.paint(found.coverage, "dim")
    if found.found:
        yield f"{screen.paint('next:', 'cyan')} {_next(found.found[0])}"


def _passage(number: int, item: Found, screen: Screen) -> Iterator[str]:
    label = f" (printed {printable(item.label)})" if item.label else ""
    where = screen.paint(f"{number}. {printable(item.document)}, page {item.page}{label}", "bold")
    yield f"{where}  {printable(item.section)}  {screen.paint(f'[{item.node_id}] ≈{item.section_tokens:,} tokens', 'dim')}"
    for text, handle in item.quotes:
        shown = printable(text)
        yield f"   “{fit(shown, screen.width - 6) if screen.width else shown}”"
        yield screen.paint(f"   {handle}", "dim")


def _next(item: Found) -> str:
    return f"pageindex read {item.doc_id} --section {item.node_id}"
