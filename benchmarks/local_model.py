"""Questions end to end against any OpenAI-compatible endpoint: search, passages or tool calls, the model's reply, checking, repair.

With ``--corpus`` the questions are those of FinanceBench and MMLongBench that a careful reader looks up (``_lookups.py`` says which), taken by
turns from their documents; without, those of ``local_questions.json`` over the bundled NIST SP 800-115, of which the last one asks for
something that is not in it. *Right* is said by code: an answer that gives every number of the set's answer, or most of its words where it has
no number. *Quotes that hold* are those that the checker found on their page, of all quotations and passages that answers cite. *Wrong but PASS*
would be ours: a wrong answer is the model's fault, one that passes the checks is not. Tokens are those that were sent and received for a
question, repairs included. A run goes on where it was stopped: every answer is kept in ``--state``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks._lookups import Lookup, is_right, lookups
from pageindex import PageIndexClient
from pageindex.chat import Answer, ChatOptions
from pageindex.config import AnswerMode, ToolMode
from pageindex.errors import PageIndexError
from pageindex.text.folding import skeleton_text

__all__ = ["add_arguments", "run"]

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "nist-sp800-115.pdf"
RESULTS = HERE / "results" / "local_model.md"

Row = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", required=True, help="such as http://127.0.0.1:8088/v1")
    parser.add_argument("--model", default="openai/local")
    parser.add_argument("--name", default="", help="what to call the model in the table")
    parser.add_argument(
        "--state", type=Path, required=True, help="folder for the library and the answers; a run goes on there"
    )
    parser.add_argument("--most", type=int, default=40, help="questions of the corpus")
    parser.add_argument("--seconds", type=float, default=500.0, help="no question is begun later than this")
    parser.add_argument("--mode", default="once", choices=["once", "json", "native"])
    parser.add_argument("--passage-tokens", type=int, default=600, help="of the passages sent with a question")
    parser.add_argument("--reply-tokens", type=int, default=1_400, help="of one tool result, where tools are called")
    parser.add_argument("--conversation-tokens", type=int, default=7_000)
    parser.add_argument("--max-turns", type=int, default=4)
    parser.add_argument("--repairs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds of one call")


def run(options: argparse.Namespace) -> int:
    """Ask what has not been asked yet, as long as there is time, and write the table of all answers."""
    options.state.mkdir(parents=True, exist_ok=True)
    kept = options.state / f"answers-{options.mode}.jsonl"
    rows = [_judged(json.loads(line)) for line in kept.read_text().splitlines()] if kept.exists() else []
    done = {row["question"] for row in rows}
    chat = {"model": options.model, "base_url": options.base_url, "api_key": "none", "timeout": options.timeout, "retries": 0, "reply_tokens": 300}  # fmt: skip
    made = ChatOptions(
        max_turns=options.max_turns,
        conversation_tokens=options.conversation_tokens,
        reply_tokens=options.reply_tokens,
        passage_tokens=options.passage_tokens,
        answer_tokens=1_000,
        repairs=options.repairs,
        mode=ToolMode.AUTO if options.mode == "once" else ToolMode(options.mode),
        form=AnswerMode.ONCE if options.mode == "once" else AnswerMode.LOOP,
    )
    with PageIndexClient(storage_path=options.state / "library", chat=chat) as client, kept.open("a") as sink:
        questions = _questions(client, options)
        began = time.monotonic()
        for question in questions:
            if question["question"] in done or time.monotonic() - began > options.seconds:
                continue
            rows.append(_asked(client, question, made))
            sink.write(json.dumps(rows[-1]) + "\n")
            sink.flush()
            print(_line(rows[-1]), flush=True)
    RESULTS.write_text(_report(options, rows), encoding="utf-8")
    print(_summary(rows))
    return 0


def _questions(client: PageIndexClient, options: argparse.Namespace) -> list[Row]:
    """``{question, document, answer | expected}`` of every question, with its document in the library."""
    if options.corpus is None:
        doc_id = client.submit_document(EXAMPLE)["doc_id"]
        return [{**item, "document": doc_id} for item in json.loads((HERE / "local_questions.json").read_text())]
    chosen = options.state / "questions.json"
    if not chosen.exists():
        chosen.write_text(json.dumps([_as_row(one) for one in _lookups(options.corpus, options.most)], indent=1))
    found: list[Row] = json.loads(chosen.read_text())
    known = {item["name"] for item in client.list_documents(limit=100)["documents"]}
    for file in sorted({row["file"] for row in found}):
        if Path(file).name not in known:
            client.submit_document(options.corpus / file)
    return [{**row, "document": Path(row["file"]).name} for row in found]


def _lookups(corpus: Path, most: int) -> list[Lookup]:
    from benchmarks._lookups import files_of
    from pageindex.reading import read

    return lookups(corpus, {file: read(corpus / file) for file in files_of(corpus)}, most)


def _as_row(one: Lookup) -> Row:
    return {"set": one.set, "file": one.file, "question": one.question, "answer": one.answer, "page": one.page}


def _asked(client: PageIndexClient, question: Mapping[str, Any], options: ChatOptions) -> Row:
    began = time.perf_counter()
    row = {key: question[key] for key in question if key != "document"}
    try:
        found = client.answer(question["question"], question["document"], options=options)
    except PageIndexError as error:
        return {**row, "error": f"{error.code}: {error.message}", "seconds": time.perf_counter() - began}
    quotes = [one for one in found.report.findings if one.kind in ("quote", "citation")]
    return {
        **row,
        "body": found.body,
        "text": found.text,
        "right": _is_right(question, found),
        "verdict": found.verdict.value,
        "finish": found.finish.value,
        "quotes": len(quotes),
        "holding": sum(one.holds for one in quotes),
        "refused": [f"{one.kind} {one.status}" for one in found.report.failing],
        "tokens": [found.usage.prompt_tokens, found.usage.completion_tokens],
        "repairs": found.repairs,
        "seconds": time.perf_counter() - began,
    }


def _judged(row: Row) -> Row:
    """An answer that was kept, judged anew."""
    if "answer" in row and "body" in row:
        row["right"] = row["finish"] != "not_found" and is_right(row["body"], row["answer"])
    return row


def _is_right(question: Mapping[str, Any], found: Answer) -> bool:
    """As code judges it; for a question that has no answer, whether none was given."""
    if "answer" in question:
        return found.finish.value != "not_found" and is_right(found.body, question["answer"])
    if not question["expected"]:
        return found.finish.value == "not_found" or bool(found.report.of("absence"))
    body = skeleton_text(found.body)
    return all(skeleton_text(word) in body for word in question["expected"])


# ---------------------------------------------------------------- report


def _line(row: Row) -> str:
    asked = " ".join(row["question"].split()).replace("|", "/")
    shown = asked if len(asked) <= 110 else f"{asked[:110]}…"
    if "error" in row:
        return f"| {shown} | – | – | – | – | – | {row['seconds']:.0f} | {row['error'][:60]} |"
    said = " ".join(row["body"].split()).replace("|", "/")
    sent, received = row["tokens"]
    return (
        f"| {shown} | {row.get('answer', '; '.join(row.get('expected', ()))).replace('|', '/')[:60]} | {said[:110]} | {'yes' if row['right'] else 'no'} | "
        f"{row['verdict']} | {row['holding']} of {row['quotes']} | {sent:,} + {received:,} | {row['seconds']:.0f} |"
    )


def _summary(rows: Sequence[Row]) -> str:
    asked = [row for row in rows if "error" not in row]
    if not asked:
        return "Nothing was answered."
    quotes, holding = sum(row["quotes"] for row in asked), sum(row["holding"] for row in asked)
    right = sum(row["right"] for row in asked)
    passed = sum(row["verdict"] == "PASS" and not row["right"] for row in asked)
    tokens = sum(sum(row["tokens"]) for row in asked) / len(asked)
    nothing = sum(row["finish"] == "not_found" for row in asked)
    share = f"{holding} of {quotes} ({holding / quotes:.0%})" if quotes else "none"
    return (
        f"{len(rows)} questions, {len(rows) - len(asked)} of them without a reply. Quotes that hold: {share}. Right: {right} of {len(rows)} "
        f"({right / len(rows):.0%}). Said to be in no passage: {nothing}. Wrong but PASS: {passed}. Tokens a question: {tokens:,.0f}. "
        f"Seconds a question: {sum(row['seconds'] for row in rows) / len(rows):.0f}."
    )


def _report(options: argparse.Namespace, rows: Sequence[Row]) -> str:
    name = options.name or options.model
    form = f"{options.passage_tokens} tokens of passages" if options.mode == "once" else f"{options.reply_tokens} tokens a tool result, {options.max_turns} rounds"  # fmt: skip
    head = (
        f"# A real model: {name}\n\n{' '.join((__doc__ or '').split())}\n\n{_summary(rows)} Mode {options.mode}, {form}, {options.repairs} repair.\n\n"
        "| question | the set's answer | answer | right | verdict | quotes that hold | tokens in + out | seconds |\n|---|---|---|---|---|---:|---:|---:|\n"
    )
    return head + "\n".join(_line(row) for row in rows) + "\n"
