"""Does a budget hold, whatever a provider does? And is a reply ever paid for twice when the process is killed?

Forty calls over two documents from eight threads, plain, streamed and from coroutines, under one budget, against a provider on the
loopback that misbehaves in one of some fifty ways (``_providers_server.py``). The provider's own count says what was spent: every prompt
that it worked on and every word that it generated, arrived or not. A budget may be passed by the reply that each worker has under way
beyond what it asked for (``max_tokens``), and by no more.

Then a run over a document is killed (SIGKILL) at a random moment again and again and started anew: no completion that had left the
provider a fifth of a second before a kill may be asked for again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import tiktoken  # noqa: F401 - the server's; imported before the clock starts

from benchmarks._providers_server import BEHAVIOURS, Bill, Turn, serving
from pageindex.config import Secret, Settings
from pageindex.errors import ModelError
from pageindex.llm import Backoff, Model

__all__ = ["Spent", "add_arguments", "run", "spend"]

RESULTS = Path(__file__).parent / "results" / "providers.md"
WORKERS, CALLS, BUDGET, REPLY = 8, 40, 8_000, 120
PROMPT = "What did the committee agree on? " + "Each request was reviewed and returned to the office in charge. " * 30
SLOW = ("silent", "trickles")  # what a short timeout is for
HUNG_UP = 0.2  # seconds before a kill from which on a reply may not have been kept yet


@dataclass(frozen=True)
class Spent:
    """What one behaviour did to a budget.

    Attributes:
        name: Of the behaviour.
        bill: The provider's own count.
        reported: Tokens that the model's usage says.
        answered: Calls that gave a reply.
        codes: Errors of the others.
        over: Tokens beyond the budget.
        allowed: Tokens by which a reply a worker may pass it.
        seconds: CPU.
    """

    name: str
    bill: Bill
    reported: int
    answered: int
    codes: tuple[str, ...]
    over: int
    allowed: int
    seconds: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", help="comma-separated behaviours")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="write nothing")


def run(options: argparse.Namespace) -> int:
    """Try all behaviours and write the table; 1 when a budget or a reply was not kept."""
    names = options.only.split(",") if options.only else list(BEHAVIOURS)
    Model(_settings("http://127.0.0.1:9/v1")).price(1, 1)  # imports LiteLLM before the clock starts
    rows = [spend(name) for name in names]
    twice, kept, killed = _killed(options.kills, random.Random(options.seed))
    report = _report(rows, twice, kept, killed)
    print(report)
    if not options.check:
        RESULTS.write_text(report + "\n")
    return int(any(row.over > row.allowed for row in rows) or twice > 0)


def spend(name: str) -> Spent:
    """Call a provider that behaves so until the budget, or the provider, gives out."""
    began = time.process_time()
    with serving(BEHAVIOURS[name]) as (address, bill):
        model = Model(_settings(address, 1.0 if name in SLOW else 10.0), backoff=Backoff(2, base=0.01, max_wait=5))
        documents = [model.scope(give_up=True), model.scope(give_up=True)]
        with ThreadPoolExecutor(WORKERS) as pool:
            outcomes = list(pool.map(lambda number: _call(documents[number % 2], number), range(CALLS)))
    codes = tuple(sorted({code for code in outcomes if code}))
    largest = max(0, bill.longest - 1)
    return Spent(
        name,
        bill,
        model.usage.tokens,
        outcomes.count(""),
        codes,
        max(0, bill.total - BUDGET),
        WORKERS * largest,
        time.process_time() - began,
    )


def _settings(address: str, timeout: float = 10.0) -> Settings:
    return Settings(
        model="m",
        base_url=address,
        api_key=Secret("a-key-of-the-benchmark"),
        timeout=timeout,
        concurrency=WORKERS,
        budget_tokens=BUDGET,
        reply_tokens=REPLY,
    )


def _call(model: Model, number: int) -> str:
    """One call in one of three ways; the code of its error."""
    messages = [{"role": "user", "content": f"{number}. {PROMPT}"}]
    shape = {"type": "json_object"} if number % 5 == 0 else None
    try:
        if number % 3 == 0:
            model.complete(messages, response_format=shape, stream=lambda _: None)
        elif number % 3 == 1:
            model.complete(messages, response_format=shape)
        else:
            asyncio.run(model.acomplete(messages, response_format=shape))
    except ModelError as error:
        return str(error.code)
    return ""


# ---------------------------------------------------------------- kills

_CHILD = """
import sys
from pathlib import Path
from pageindex.config import Secret, Settings
from pageindex.llm import Model
from concurrent.futures import ThreadPoolExecutor
address, folder, calls = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
model = Model(Settings(model="m", base_url=address, api_key=Secret("k"), concurrency=8), cache_dir=folder)
with ThreadPoolExecutor(8) as pool:
    list(pool.map(lambda n: model.complete([{"role": "user", "content": f"Question {n}"}]), range(calls)))
"""


def _killed(kills: int, chance: random.Random) -> tuple[int, int, int]:
    """Replies paid for twice that had arrived in time to be kept, distinct requests answered, and processes killed."""

    def slowly(turn: Turn) -> None:
        time.sleep(0.25)
        turn.say()

    deaths: list[float] = []
    with serving(slowly) as (address, bill), tempfile.TemporaryDirectory() as folder:
        for _ in range(kills + 1):
            child = subprocess.Popen([sys.executable, "-c", _CHILD, address, folder, "160"])
            before = bill.worked
            while bill.worked == before and child.poll() is None:
                time.sleep(0.05)
            last = len(deaths) == kills
            try:
                child.wait(timeout=None if last else chance.uniform(0.3, 1.5))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                deaths.append(time.monotonic())
                child.wait()
        with bill.lock:
            delivered = {key: list(times) for key, times in bill.delivered.items()}
    twice = 0
    for times in delivered.values():
        for first in times[:-1]:
            twice += not any(first <= death <= first + HUNG_UP for death in deaths)
    return twice, len(delivered), len(deaths)


# ---------------------------------------------------------------- report


def _report(rows: list[Spent], twice: int, kept: int, killed: int) -> str:
    worst = max(rows, key=lambda row: row.over)
    broken = [row.name for row in rows if row.over > row.allowed]
    lines = [
        "### Budgets over providers that misbehave",
        "",
        f"{len(rows)} behaviours, {CALLS} calls over two documents from {WORKERS} threads, budget {BUDGET:,} tokens, replies of {REPLY} "
        f"asked for; {sum(row.seconds for row in rows):.0f} CPU s. *Spent* is the provider's own count of every prompt it worked on and "
        "every word it generated; *allowed* is the largest single exchange for each worker.",
        "",
        "| | ours | at least |",
        "|---|---|---|",
        f"| behaviours under which the budget was passed by more than a reply a worker | **{len(broken)}** of {len(rows)} | 0 |",
        f"| most tokens over budget | {worst.over:,} ({worst.name}) | a reply a worker |",
        f"| replies paid twice after kill -9, of {kept} kept over {killed} kills | **{twice}** | 0 |",
        "",
        "| the provider … | requests | worked on | spent | over | allowed | reported | answered | errors |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.name} | {row.bill.requests} | {row.bill.worked} | {row.bill.total:,} | {row.over:,} | {row.allowed:,} | "
        f"{row.reported:,} | {row.answered} | {', '.join(row.codes)} |"
        for row in rows
    ]
    return "\n".join(lines)
