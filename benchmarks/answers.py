"""Answers of a scripted model over real documents, fabricated and honest, and the verdict that each gets at the public door.

Writes benchmarks/results/answers.md. Sentences and figures are cut with poppler and MuPDF; the model is an HTTP server that reads the pages by the
tools and then says what the script has; nothing here looks into the checker.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks import _outside
from benchmarks._answer_attacks import attacks
from benchmarks._answer_false import Trial, fabricated
from benchmarks._answer_material import Material, materials
from benchmarks._answer_true import honest
from pageindex import PageIndexClient
from tests.support.model_server import Answer, Asked, ModelServer, tool_call

RESULT = Path(__file__).parent / "results" / "answers.md"
VERDICTS = ("PASS", "PARTIAL", "NEEDS_REVIEW", "FAIL")
STATUS = {"PASS": 0, "PARTIAL": 22, "NEEDS_REVIEW": 21, "FAIL": 20}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this subject."""
    parser.add_argument("--variants", type=int, default=1, help="draws from each document")
    parser.add_argument("--each", type=int, default=2, help="fabricated answers of each kind")
    parser.add_argument("--each-honest", type=int, default=5, help="honest answers of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds that hold this word")
    parser.add_argument(
        "--commands", type=int, default=8, help="how many are also asked by the command, for its exit status"
    )
    parser.add_argument("--most-pages", type=int, default=300, help="of a document")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--cache", type=Path, help="keep the library and what was drawn here")
    parser.add_argument("--misses", type=Path, help="write what came out wrong to this JSON file")


@dataclass(frozen=True)
class Outcome:
    """What became of an answer."""

    trial: Trial
    document: str
    true: bool
    verdict: str
    text: str
    checks: Any


class _Script:
    """Reads the pages of the trial, then says its words."""

    def __init__(self) -> None:
        self.trial: Trial | None = None

    def __call__(self, asked: Asked) -> Answer:
        assert self.trial is not None
        read = any(message["role"] == "tool" for message in asked.messages)
        if self.trial.pages and not read:
            return Answer(tool_calls=(tool_call("get_page_content", {"pages": self.trial.pages}),))
        return Answer(self.trial.text, finish_reason=self.trial.finish)


def run(options: argparse.Namespace) -> int:
    """Measure, write the table, and return 1 when a fabricated answer passes or an honest one fails."""
    if missing := _outside.missing_programs():
        print(f"not on PATH: {', '.join(missing)}", file=sys.stderr)
        return 2
    drawn = _drawn(options)
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        outcomes, commands = _measured(drawn, options, (options.cache or Path(folder)) / "library")
    print(f"{time.process_time() - started:.0f} CPU s", file=sys.stderr)
    text = _report(outcomes, commands)
    if not options.only:
        RESULT.write_text(text)
    print(text)
    wrong = [o for o in outcomes if (o.verdict == "FAIL" if o.true else o.verdict == "PASS")]
    return int(bool(wrong) or any(not right for _, _, right in commands))


def _drawn(options: argparse.Namespace) -> list[Material]:
    kept = options.cache / f"material-{options.variants}-{options.seed}.pickle" if options.cache else None
    if kept is not None and kept.exists():
        found: list[Material] = pickle.loads(kept.read_bytes())
        return found
    found = list(materials(options.corpus, options.variants, options.seed))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(found))
    return found


def _told(o: Outcome) -> dict[str, Any]:
    return {
        "true": o.true,
        "verdict": o.verdict,
        "kind": o.trial.kind,
        "group": o.trial.group,
        "document": o.document,
        "said": o.trial.text,
        "question": o.trial.question,
        "shown": o.text,
        "checks": o.checks,
    }


Share = list[tuple[Material, list[tuple[bool, Trial]]]]


def _measured(
    drawn: Sequence[Material], options: argparse.Namespace, library: Path
) -> tuple[list[Outcome], list[tuple[str, int, bool]]]:
    """The outcomes of all answers, documents side by side, and of some of them by the command."""
    every = list(_trials(drawn, options))
    shares = [every[number :: options.jobs] for number in range(options.jobs)]
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for found in pool.map(_answered, shares, [library] * len(shares)):
            outcomes += found
            if options.misses:
                options.misses.write_text(json.dumps([_told(o) for o in outcomes], indent=1, ensure_ascii=False))
    asked = random.Random(options.seed).sample(outcomes, min(options.commands, len(outcomes)))
    script = _Script()
    with ModelServer(script) as server:
        return outcomes, [_commanded(script, outcome, server.base_url, library) for outcome in asked]


def _answered(share: Share, library: Path) -> list[Outcome]:
    script, outcomes = _Script(), []
    with ModelServer(script) as server:
        chat = {
            "model": "openai/scripted",
            "base_url": server.base_url,
            "api_key": "none",
            "retries": 0,
            "temperature": 1.0,
        }
        with PageIndexClient(storage_path=library, chat=chat) as client:
            for material, trials in share:
                doc_id = client.submit_document(material.path)["doc_id"]
                for true, trial in trials:
                    script.trial = trial
                    found = client.answer(
                        trial.question, doc_id, repairs=0, reply_tokens=60_000, conversation_tokens=None
                    )
                    told = found.to_json()
                    outcomes.append(Outcome(trial, material.name, true, told["verdict"], told["text"], told["checks"]))
                print(f"{material.name}: {len(trials)}", file=sys.stderr, flush=True)
    return outcomes


def _trials(
    drawn: Sequence[Material], options: argparse.Namespace
) -> Iterable[tuple[Material, list[tuple[bool, Trial]]]]:
    """What is said of each document: of every kind a few, drawn over the documents."""
    rng = random.Random(options.seed)
    kinds: dict[tuple[bool, str, str], list[tuple[int, Trial]]] = defaultdict(list)
    for number, material in enumerate(drawn):
        if len(material.pages) > options.most_pages:
            continue
        for true, made in (
            (False, fabricated(material, rng)),
            (False, attacks(material, rng)),
            (True, honest(material, rng)),
        ):
            for trial in made:
                if options.only in trial.kind:
                    kinds[true, trial.group, trial.kind].append((number, trial))
    chosen: dict[int, list[tuple[bool, Trial]]] = defaultdict(list)
    for (true, _, _), trials in kinds.items():
        most = options.each_honest if true else options.each
        for number, trial in rng.sample(trials, min(most, len(trials))):
            chosen[number].append((true, trial))
    return [(drawn[number], chosen[number]) for number in sorted(chosen)]


def _commanded(script: _Script, outcome: Outcome, base_url: str, library: Path) -> tuple[str, int, bool]:
    """The exit status of the command, which repairs as it does by default; the script says the same again."""
    script.trial = outcome.trial
    command = [sys.executable, "-m", "pageindex", "ask", outcome.trial.question, outcome.document]
    command += ["--model", "openai/scripted", "--library", str(library)]
    known = {
        **os.environ,
        "PAGEINDEX_BASE_URL": base_url,
        "PAGEINDEX_MODEL_API_KEY": "none",
        "PAGEINDEX_TEMPERATURE": "1",
    }
    status = subprocess.run(command, env=known, capture_output=True, check=False, timeout=300).returncode
    return outcome.trial.kind, status, status == STATUS[outcome.verdict]


def _report(outcomes: Sequence[Outcome], commands: Sequence[tuple[str, int, bool]]) -> str:
    false, true = [o for o in outcomes if not o.true], [o for o in outcomes if o.true]
    documents = len({o.document for o in outcomes})
    kinds = len({(o.trial.group, o.trial.kind) for o in false})
    passed = sum(o.verdict == "PASS" for o in false)
    refused = sum(o.verdict == "FAIL" for o in true)
    right = sum(r for _, _, r in commands)
    lines = [
        "# Answers",
        "",
        f"A scripted model reads pages of {documents} documents and then says what the script has. {len(false):,} fabricated answers of {kinds} kinds: "
        f"**{passed} PASS** (target 0). {len(true)} honest ones of {len({o.trial.kind for o in true})} kinds: **{refused} FAIL** (target 0). "
        f"The exit status of `ask` was that of the verdict in {right} of {len(commands)}.",
        "",
        "## Fabricated",
        "",
        *_table(false, lambda o: o.trial.group),
        "",
        "## Honest",
        "",
        *_table(true, lambda o: o.trial.kind),
        "",
    ]
    return "\n".join(lines)


def _table(outcomes: Sequence[Outcome], named: Any) -> list[str]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        counts[named(outcome)][outcome.verdict] += 1
        kinds[named(outcome)].add(outcome.trial.kind)
    lines = [f"| what | kinds | answers | {' | '.join(VERDICTS)} |", f"|---|{'---|' * (2 + len(VERDICTS))}"]
    for name, count in counts.items():
        shares = " | ".join(str(count[verdict]) for verdict in VERDICTS)
        lines.append(f"| {name} | {len(kinds[name])} | {count.total()} | {shares} |")
    total = Counter(outcome.verdict for outcome in outcomes)
    share = " | ".join(f"{total[v]} ({100 * total[v] / max(1, total.total()):.1f} %)" for v in VERDICTS)
    return [*lines, f"| all | | {total.total()} | {share} |"]
