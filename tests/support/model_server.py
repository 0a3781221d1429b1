"""An HTTP server that speaks OpenAI's Chat Completions from a script, and keeps what it was asked.

::

    with ModelServer(["hello", Answer(status=429, headers={"Retry-After": "1"}), "again"]) as server:
        settings = Settings(model="any-name", base_url=server.base_url, api_key=Secret("k"))

A script is a list (one item per request, in order of arrival; the last one repeats when ``repeat`` is set) or a function of the
request. An item is the reply's words, or an :class:`Answer`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = ["Answer", "Asked", "ModelServer", "tool_call"]


@dataclass(frozen=True)
class Answer:
    """What the server does with one request.

    Attributes:
        text: The reply's words.
        tool_calls: ``tool_call(…)`` items.
        finish_reason: ``stop`` by default, ``tool_calls`` with tool calls; ``length`` for a truncated reply.
        thinking: Sent as ``reasoning_content``.
        refusal: Sent as ``refusal``.
        prompt_tokens, completion_tokens, cached_tokens: Usage; by default a quarter of the characters.
        usage: Whether usage is reported at all.
        delay: Seconds before anything is sent.
        hold: An event to wait for (at most 60 s) before anything is sent.
        status: An error status, with ``error`` as its message.
        headers: Extra response headers.
        cut: Close the connection instead of answering; when streaming, after so many words.
        body: Raw bytes to send instead of a completion.
        pause: Seconds between the pieces of a stream.
    """

    text: str = ""
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: str = ""
    thinking: str = ""
    refusal: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = 0
    usage: bool = True
    delay: float = 0.0
    hold: threading.Event | None = None
    status: int = 200
    error: str = "scripted failure"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    body: bytes | None = None
    pause: float = 0.0


@dataclass
class Asked:
    """One request as it arrived, and what became of it."""

    number: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float
    answered: bool = False

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])

    @property
    def prompt(self) -> str:
        """All words of all messages."""
        return "\n".join(str(message.get("content") or "") for message in self.messages)

    @property
    def key(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


Step = str | Answer
Script = Iterable[Step] | Callable[[Asked], Step]


def tool_call(name: str, arguments: Mapping[str, Any] | str, call_id: str = "call_0") -> dict[str, Any]:
    """A tool call as Chat Completions writes it; a string is sent as it is, well-formed or not."""
    words = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": words}}


class ModelServer:
    """See the module. ``asked`` holds every request; ``peak`` is the most that were under way at once."""

    def __init__(self, script: Script, *, repeat: bool = False) -> None:
        self._make = script if callable(script) else None
        self._steps = [] if callable(script) else list(script)
        self._repeat = repeat
        self._lock = threading.Lock()
        self._running = 0
        self.peak = 0
        self.asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def calls(self) -> int:
        return len(self.asked)

    @property
    def answered(self) -> list[Asked]:
        """Requests that got a completion: those that a provider would bill."""
        with self._lock:
            return [asked for asked in self.asked if asked.answered]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def begin(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> tuple[Asked, Answer]:
        with self._lock:
            asked = Asked(len(self.asked), path, headers, body, time.monotonic())
            self.asked.append(asked)
            self._running += 1
            self.peak = max(self.peak, self._running)
            step = None if self._make else self._next(asked.number)
        if self._make:
            step = self._make(asked)
        assert step is not None
        return asked, Answer(step) if isinstance(step, str) else step

    def end(self, asked: Asked, answered: bool) -> None:
        with self._lock:
            asked.answered = answered
            self._running -= 1

    def _next(self, number: int) -> Step:
        if number < len(self._steps):
            return self._steps[number]
        if self._repeat and self._steps:
            return self._steps[-1]
        return Answer(status=400, error="the script of the test server has ended")


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked, answer = self.owner.begin(self.path, headers, json.loads(data))
        done = False
        try:
            _wait(answer)
            done = self._answer(asked, answer)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.owner.end(asked, done)

    def _answer(self, asked: Asked, answer: Answer) -> bool:
        if answer.body is not None:
            self._send(answer.status, answer.body, answer.headers)
        elif answer.status != 200:
            body = {"error": {"message": answer.error, "type": "scripted", "code": None}}
            self._send(answer.status, json.dumps(body).encode(), answer.headers)
        elif asked.body.get("stream"):
            return self._stream(asked, answer)
        elif answer.cut is not None:
            self.close_connection = True
        else:
            self._send(200, json.dumps(_completion(asked, answer)).encode(), answer.headers)
            return True
        return False

    def _send(self, status: int, body: bytes, extra: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **extra}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def _stream(self, asked: Asked, answer: Answer) -> bool:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for sent, chunk in enumerate(_chunks(asked, answer)):
            if answer.cut is not None and sent >= answer.cut:
                return False
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.flush()
            time.sleep(answer.pause)
        self.wfile.write(b"data: [DONE]\n\n")
        return True


def _wait(answer: Answer) -> None:
    if answer.hold is not None:
        answer.hold.wait(60)
    time.sleep(answer.delay)


def _completion(asked: Asked, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.tool_calls:
        message["tool_calls"] = list(answer.tool_calls)
    if answer.thinking:
        message["reasoning_content"] = answer.thinking
    if answer.refusal:
        message |= {"content": None, "refusal": answer.refusal}
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer)}
    usage = {"usage": _usage(asked, answer)} if answer.usage else {}
    return _envelope(asked, "chat.completion") | {"choices": [choice]} | usage


def _chunks(asked: Asked, answer: Answer) -> list[dict[str, Any]]:
    """Word by word, then the tool calls, then the reason, then the usage if it was asked for."""
    deltas: list[dict[str, Any]] = [{"reasoning_content": answer.thinking}] if answer.thinking else []
    deltas += [{"content": word} for word in answer.text.replace(" ", " \0").split("\0") if word]
    deltas += [{"refusal": word} for word in answer.refusal.replace(" ", " \0").split("\0") if word]
    deltas += [{"tool_calls": [{"index": i, **call}]} for i, call in enumerate(answer.tool_calls)]
    head = _envelope(asked, "chat.completion.chunk")
    chunks = [
        head | {"choices": [{"index": 0, "delta": {"role": "assistant"} | d, "finish_reason": None}]} for d in deltas
    ]
    chunks.append(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": _finish(answer)}]})
    if answer.usage and asked.body.get("stream_options", {}).get("include_usage"):
        chunks.append(head | {"choices": [], "usage": _usage(asked, answer)})
    return chunks


def _envelope(asked: Asked, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{asked.number}", "object": kind, "created": 1, "model": asked.body["model"]}


def _finish(answer: Answer) -> str:
    return answer.finish_reason or ("tool_calls" if answer.tool_calls else "stop")


def _usage(asked: Asked, answer: Answer) -> dict[str, Any]:
    prompt = answer.prompt_tokens if answer.prompt_tokens is not None else len(asked.prompt) // 4
    words = answer.text + json.dumps(answer.tool_calls)
    completion = answer.completion_tokens if answer.completion_tokens is not None else len(words) // 4
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
    }
