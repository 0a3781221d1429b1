"""A provider that speaks OpenAI's Chat Completions and misbehaves in a given way, and counts what it was sent and what it said.

It knows nothing of the code under measurement: tokens are counted by tiktoken, over the messages as they arrived and the words as they
left.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import tiktoken

__all__ = ["BEHAVIOURS", "Bill", "serving"]

_WORDS = "The committee met in May and agreed on the plan. " * 8  # about 90 tokens


def _encoding() -> tiktoken.Encoding:
    """tiktoken fetches its tables from the network; LiteLLM's wheel has them."""
    found = importlib.util.find_spec("litellm")
    for place in (found.submodule_search_locations or ()) if found else ():
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(place) / "litellm_core_utils" / "tokenizers"))
    return tiktoken.get_encoding("o200k_base")


_COUNT = _encoding()


def tokens(text: str) -> int:
    return len(_COUNT.encode_ordinary(text.encode("utf-8", "replace").decode()))


@dataclass
class Bill:
    """What a provider would bill: every request that it worked on, whether or not its reply arrived whole.

    Attributes:
        requests: That arrived.
        worked: Those that were answered with a completion, or with a part of one.
        sent, said: Tokens of their prompts and of the words generated.
        longest: Tokens of the largest single exchange.
        delivered: By a hash of the request, how often a whole completion left for it, and when.
    """

    requests: int = 0
    worked: int = 0
    sent: int = 0
    said: int = 0
    longest: int = 0
    delivered: dict[str, list[float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def total(self) -> int:
        return self.sent + self.said

    def add(self, body: dict[str, Any], words: str) -> None:
        sent = tokens(json.dumps([body.get("messages"), body.get("response_format")], ensure_ascii=False))
        said = tokens(words)
        with self.lock:
            self.worked += 1
            self.sent, self.said = self.sent + sent, self.said + said
            self.longest = max(self.longest, sent + said)


@dataclass(frozen=True)
class Turn:
    """One request, and the ways to answer it."""

    handler: Any
    number: int
    body: dict[str, Any]
    bill: Bill

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    def raw(
        self, status: int, data: bytes, kind: str = "application/json", length: int | None = None, **headers: str
    ) -> None:
        self.handler.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(length if length is not None else len(data)),
        }.items():
            self.handler.send_header(name, value)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.end_headers()
        self.handler.wfile.write(data)
        self.handler.wfile.flush()

    def error(self, status: int, message: str, code: str | None = None, **headers: str) -> None:
        self.raw(status, json.dumps({"error": {"message": message, "type": "error", "code": code}}).encode(), **headers)

    def say(self, words: str = _WORDS, *, usage: Any = "honest", finish: str = "stop", **message: Any) -> None:
        """A whole completion."""
        said = words + "".join(str(value) for value in message.values())
        self.bill.add(self.body, said)
        if usage == "honest":
            sent = tokens(json.dumps(self.body["messages"], ensure_ascii=False))
            usage = {"prompt_tokens": sent, "completion_tokens": tokens(said), "total_tokens": sent + tokens(said)}
        if self.streamed:
            self.stream(words, usage, finish, message)
        else:
            choice = {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": words, **message},
            }
            self.raw(200, json.dumps(self._head("chat.completion") | {"choices": [choice]} | _with(usage)).encode())
        key = hashlib.sha256(json.dumps(self.body, sort_keys=True).encode()).hexdigest()
        with self.bill.lock:
            self.bill.delivered.setdefault(key, []).append(time.monotonic())

    def stream(
        self,
        words: str,
        usage: Any,
        finish: str,
        message: dict[str, Any],
        *,
        most: int | None = None,
        pause: float = 0.0,
    ) -> None:
        handler = self.handler
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        pieces = [{"content": words[at : at + 80]} for at in range(0, len(words), 80)] or [{"content": ""}]
        pieces = [*pieces, message] if message else pieces
        head = self._head("chat.completion.chunk")
        for piece in pieces[:most]:
            self._chunk(
                head | {"choices": [{"index": 0, "delta": {"role": "assistant"} | piece, "finish_reason": None}]}
            )
            time.sleep(pause)
        if most is None:
            self._chunk(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
            if usage is not None:
                self._chunk(head | {"choices": []} | _with(usage))
            handler.wfile.write(b"data: [DONE]\n\n")

    def _chunk(self, item: dict[str, Any]) -> None:
        self.handler.wfile.write(b"data: " + json.dumps(item).encode() + b"\n\n")
        self.handler.wfile.flush()

    def cut(self, words: str = _WORDS, after: int = 2) -> None:
        """A completion that breaks off."""
        self.bill.add(self.body, words)
        if self.streamed:
            self.stream(words, None, "stop", {}, most=after)
        else:
            self.handler.close_connection = True
            self.raw(200, b'{"id": "x", "choices": [{"index": 0, "mess', length=900)

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": f"c{self.number}", "object": kind, "created": 1, "model": self.body.get("model", "m")}


def _with(usage: Any) -> dict[str, Any]:
    return {} if usage is None else {"usage": usage}


Behaviour = Callable[[Turn], None]


def _usage(prompt: Any, completion: Any, **more: Any) -> Behaviour:
    return lambda turn: turn.say(
        usage={"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": 1, **more}
    )


def _refusing(name: str) -> Behaviour:
    def answer(turn: Turn) -> None:
        if name in turn.body:
            turn.error(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        else:
            turn.say()

    return answer


def _every(n: int, other: Behaviour) -> Behaviour:
    """Every n-th request meets another fate."""
    return lambda turn: other(turn) if turn.number % n == 0 else turn.say()


def _silent(turn: Turn) -> None:
    turn.bill.add(turn.body, _WORDS)
    time.sleep(1.5)
    turn.handler.close_connection = True


def _trickle(turn: Turn) -> None:
    turn.bill.add(turn.body, _WORDS)
    if turn.streamed:
        turn.stream(_WORDS, None, "stop", {}, pause=0.6)
    else:
        time.sleep(1.5)


def _body(data: bytes, kind: str = "application/json") -> Behaviour:
    def answer(turn: Turn) -> None:
        turn.bill.add(turn.body, data.decode("utf-8", "replace"))
        turn.raw(200, data, kind)

    return answer


def _hang_up(turn: Turn) -> None:
    turn.bill.add(turn.body, "")
    turn.handler.close_connection = True


def _too_long(turn: Turn) -> None:
    turn.error(400, "This model's maximum context length is 100 tokens. However, your messages resulted in 400 tokens.")


_CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Yes."}}
_DEEP = json.dumps({"choices": [{**_CHOICE, "message": {"role": "assistant", "content": "{" * 4_000}}]}).encode()
_SURROGATE = (
    b'{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",'
    b'"message":{"role":"assistant","content":"half \\ud83d a pair"}}]}'
)

BEHAVIOURS: dict[str, Behaviour] = {
    "honest": lambda turn: turn.say(),
    "no usage": lambda turn: turn.say(usage=None),
    "usage null": lambda turn: turn.say(usage={"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}),
    "usage zero": _usage(0, 0),
    "usage negative": _usage(-5_000, -10),
    "usage of one": _usage(1, 1),
    "usage far too large": _usage(10**12, 10**12),
    "usage without its completion": _usage(400, 0),
    "usage without its prompt": _usage(0, 90),
    "usage in fractions": _usage(400.5, 90.5),
    "usage half of what was sent": lambda turn: turn.say(
        usage={"prompt_tokens": 150, "completion_tokens": 50, "total_tokens": 200}
    ),
    "more cached than sent": _usage(410, 90, prompt_tokens_details={"cached_tokens": 9_000}),
    "replies of five times max_tokens": lambda turn: turn.say(_WORDS * 5, usage=None),
    "endless replies": lambda turn: turn.say("word " * 8_000, usage=None),
    "empty replies": lambda turn: turn.say(""),
    "thinking alone": lambda turn: turn.say("", reasoning_content=_WORDS),
    "thinking that is not reported": lambda turn: turn.say("Yes.", usage=None, reasoning_content=_WORDS * 3),
    "cut at the length": lambda turn: turn.say(finish="length"),
    "held back by a filter": lambda turn: turn.say("", finish="content_filter"),
    "refusals": lambda turn: turn.say("", refusal="I cannot help with that."),
    "unknown finish reason": lambda turn: turn.say(finish="because"),
    "tool calls nobody asked for": lambda turn: turn.say(
        "", tool_calls=[{"index": 0, "id": "c", "type": "function", "function": {"name": "rm", "arguments": "{{{"}}]
    ),
    "no choices": _body(
        json.dumps({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}).encode()
    ),
    "choices null": _body(b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": null}'),
    "no JSON": _body(b"all is well"),
    "a page of HTML": _body(b"<html><body>gateway</body></html>", "text/html"),
    "JSON that is no object": _body(b"[1, 2, 3]"),
    "half a surrogate pair": _body(_SURROGATE),
    "braces without end": _body(_DEEP),
    "cut in the middle": lambda turn: turn.cut(),
    "every second one cut": _every(2, lambda turn: turn.cut()),
    "hangs up": _hang_up,
    "every third one hangs up": _every(3, _hang_up),
    "silent": _silent,
    "trickles": _trickle,
    "429 for ever": lambda turn: turn.error(429, "slow down"),
    "429 every second time": _every(2, lambda turn: turn.error(429, "slow down", Retry_After="0")),
    "429 that asks for an hour": lambda turn: turn.error(429, "slow down", Retry_After="3600"),
    "no quota left": lambda turn: turn.error(429, "You exceeded your current quota", "insufficient_quota"),
    "500 every second time": _every(2, lambda turn: turn.error(500, "oops")),
    "500 for ever": lambda turn: turn.error(500, "oops"),
    "503 in HTML": _every(2, lambda turn: turn.raw(503, b"<html>busy</html>", "text/html")),
    "529 overloaded": _every(3, lambda turn: turn.error(529, "overloaded")),
    "408": _every(2, lambda turn: turn.error(408, "timeout")),
    "401 from the fifth on": lambda turn: (
        turn.error(401, "bad key sk-echoed-key-123456") if turn.number > 4 else turn.say()
    ),
    "403": lambda turn: turn.error(403, "not for you"),
    "404": lambda turn: turn.error(404, "no such model"),
    "402": lambda turn: turn.error(402, "pay first"),
    "context too long": _too_long,
    "refuses temperature": _refusing("temperature"),
    "refuses max_tokens": _refusing("max_tokens"),
    "refuses response_format": _refusing("response_format"),
}


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[tuple[str, Bill]]:
    """The address of a provider that behaves so, and its bill."""
    bill = Bill()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with bill.lock:
                bill.requests += 1
                number = bill.requests
            try:
                behaviour(Turn(self, number, body, bill))
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", bill
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
