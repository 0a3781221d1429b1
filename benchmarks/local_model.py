"""A question set end to end against any OpenAI-compatible endpoint: tool calls, reading, checking, repair.

By default the questions of ``local_questions.json`` over the bundled NIST SP 800-115 (80 pages); the last one asks for something that is not in
it. What is reported: whether the answer names what was expected, what the checks let through and what they refused, tokens and seconds. A
wrong answer of which every quote holds is the model's fault; a wrong figure that passes the checks would be ours.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pageindex import PageIndexClient
from pageindex.chat import Answer, ChatOptions, Event
from pageindex.config import ToolMode
from pageindex.errors import PageIndexError
from pageindex.text.folding import skeleton_text

__all__ = ["add_arguments", "run"]

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "nist-sp800-115.pdf"
RESULTS = HERE / "results" / "local_model.md"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", required=True, help="such as http://127.0.0.1:8088/v1")
    parser.add_argument("--model", default="openai/local")
    parser.add_argument("--name", default="", help="what to call the model in the table")
    parser.add_argument("--questions", type=Path, default=HERE / "local_questions.json")
    parser.add_argument("--most", type=int, default=0, help="how many questions; 0 is all")
    parser.add_argument("--mode", default="json", choices=list(ToolMode))
    parser.add_argument("--reply-tokens", type=int, default=1_400, help="of one tool result")
    parser.add_argument("--conversation-tokens", type=int, default=7_000)
    parser.add_argument("--max-turns", type=int, default=4)
    parser.add_argument("--repairs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds of one call")


@dataclass
class _Row:
    question: Mapping[str, Any]
    answer: Answer | None
    seconds: float
    steps: list[str]
    error: str = ""


def run(options: argparse.Namespace) -> int:
    """Ask, and append the table of this run to the results."""
    asked = json.loads(options.questions.read_text(encoding="utf-8"))
    asked = asked[: options.most] if options.most else asked
    chat = {
        "model": options.model,
        "base_url": options.base_url,
        "api_key": "none",
        "timeout": options.timeout,
        "retries": 0,
        "reply_tokens": 300,
    }
    made = ChatOptions(
        max_turns=options.max_turns,
        conversation_tokens=options.conversation_tokens,
        reply_tokens=options.reply_tokens,
        answer_tokens=1_000,
        repairs=options.repairs,
        mode=ToolMode(options.mode),
    )
    with tempfile.TemporaryDirectory() as folder, PageIndexClient(storage_path=Path(folder) / "l", chat=chat) as client:
        doc_id = client.submit_document(EXAMPLE)["doc_id"]
        rows = []
        for question in asked:
            rows.append(_ask(client, doc_id, question, made))
            print(_line(rows[-1]), flush=True)
    text = _report(options, rows)
    RESULTS.write_text(text, encoding="utf-8")
    print(text)
    return 0


def _ask(client: PageIndexClient, doc_id: str, question: Mapping[str, Any], options: ChatOptions) -> _Row:
    steps: list[str] = []

    def hear(event: Event) -> None:
        if event.type.value in ("tool_call", "tool_result", "check"):
            steps.append(f"{event.type.value} {event.name} {event.text}".strip())

    began = time.perf_counter()
    try:
        found = client.answer(question["question"], doc_id, options=options, on_event=hear)
    except PageIndexError as error:
        return _Row(question, None, time.perf_counter() - began, steps, f"{error.code}: {error.message}")
    return _Row(question, found, time.perf_counter() - began, steps)


def _right(row: _Row) -> bool:
    """Whether every word expected is in the answer; for a question without an answer, whether an absence was claimed."""
    if row.answer is None:
        return False
    if not row.question["expected"]:
        return bool(row.answer.report.of("absence"))
    body = skeleton_text(row.answer.body)
    return all(skeleton_text(word) in body for word in row.question["expected"])


def _line(row: _Row) -> str:
    if row.answer is None:
        return f"| {row.question['question']} | – | – | – | – | {row.seconds:.0f} | {row.error} |"
    report = row.answer.report
    held = [finding for finding in report.findings if finding.holds]
    failed = ", ".join(f"{f.kind} {f.status}" for f in report.failing) or "–"
    usage = row.answer.usage
    return (
        f"| {row.question['question']} | {'yes' if _right(row) else 'no'} | {row.answer.finish} | {len(held)} | "
        f"{failed} | {usage.prompt_tokens:,} + {usage.completion_tokens:,} | {row.seconds:.0f} | {row.answer.rounds} / {row.answer.repairs} |"
    )


def _report(options: argparse.Namespace, rows: Sequence[_Row]) -> str:
    name = options.name or options.model
    right = sum(_right(row) for row in rows)
    head = (
        f"# A real model: {name}\n\n{' '.join((__doc__ or '').split())}\n\n"
        f"{right} of {len(rows)} answers name what was expected. Mode {options.mode}, {options.reply_tokens} tokens a tool result, "
        f"{options.max_turns} rounds, {options.repairs} repair.\n\n"
        "| question | right | ended | findings that hold | findings refused | tokens in + out | seconds | rounds / repairs |\n"
        "|---|---|---|---:|---|---:|---:|---|\n"
    )
    table = "\n".join(_line(row) for row in rows)
    return f"{head}{table}\n\n" + "\n".join(_transcript(row) for row in rows)


def _transcript(row: _Row) -> str:
    text = row.answer.text if row.answer is not None else row.error
    steps = "\n".join(f"    {step[:160]}" for step in row.steps)
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    return f"**{row.question['question']}**\n\n{steps}\n\n{quoted}\n"
