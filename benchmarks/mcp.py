"""How long each tool takes over the Model Context Protocol: the SDK's own client, the command as a process, one long document.

Wall-clock time of a call as a host sees it, over standard input and output, each call for another page of a PDF of 400 pages that is drawn
for it: a chapter every ten pages, a table on every fifth. Every tool is called once before it is timed.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["add_arguments", "run"]

RESULTS = Path(__file__).parent / "results" / "mcp.md"
PAGES = 400
WORDS = [
    "revenue",
    "costs",
    "margin",
    "segment",
    "quarter",
    "lease",
    "pension",
    "interest",
    "risk",
    "supply",
    "market",
    "product",
    "growth",
    "price",
    "volume",
]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--calls", type=int, default=60, help="calls per tool")


def run(options: argparse.Namespace) -> int:
    """Draw, index, call, write the table."""
    import anyio

    with tempfile.TemporaryDirectory(prefix="pageindex-mcp-") as folder:
        drawn = _draw(Path(folder, "report.pdf"))
        library = Path(folder, "library")
        from pageindex import PageIndexClient

        with PageIndexClient(storage_path=library) as client:
            client.submit_document(drawn)
        text = _report(anyio.run(_measure, library, options.calls), options.calls)
    print(text)
    RESULTS.write_text(text, encoding="utf-8")
    return 0


def _draw(path: Path) -> Path:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    draw, canvas = random.Random(7), Canvas(str(path), pagesize=A4)
    for page in range(1, PAGES + 1):
        y = 780
        if page % 10 == 1:
            canvas.setFont("Helvetica-Bold", 18)
            canvas.drawString(72, y, f"{page // 10 + 1} Chapter on {draw.choice(WORDS)}")
            y -= 40
        canvas.setFont("Helvetica", 10)
        for _ in range(40):
            canvas.drawString(72, y, " ".join(draw.choices(WORDS, k=12)))
            y -= 14
        if page % 5 == 0:
            for row in ("Net sales", "Net costs", "Net result"):
                canvas.drawString(72, y, row)
                for column in range(3):
                    canvas.drawRightString(300 + 80 * column, y, f"{draw.randint(100, 9_999):,}")
                y -= 14
        canvas.drawCentredString(300, 40, str(page))
        canvas.showPage()
    canvas.save()
    return path


async def _measure(library: Path, calls: int) -> dict[str, list[float]]:
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters

    arguments = ["-m", "pageindex", "mcp", "--library", str(library)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    taken: dict[str, list[float]] = {}
    async with Client(server) as client:
        for name, made in _calls().items():
            await client.call_tool(name, made(0))
            for number in range(1, calls + 1):
                begun = time.perf_counter()
                result = await client.call_tool(name, made(number))
                taken.setdefault(name, []).append(time.perf_counter() - begun)
                if result.is_error:
                    raise RuntimeError(f"{name}: {result.structured_content}")
        for number in range(calls):
            begun = time.perf_counter()
            await client.read_resource(f"pageindex://documents/report.pdf/pages/{number * 6 % PAGES + 1}")
            taken.setdefault("a page as a resource", []).append(time.perf_counter() - begun)
    return taken


def _calls() -> dict[str, Callable[[int], dict[str, Any]]]:
    def page(number: int) -> str:
        return str(number * 37 % PAGES + 1)

    def words(number: int) -> str:
        return " ".join(random.Random(number).choices(WORDS, k=3))

    return {
        "browse_documents": lambda number: {"recursive": True},
        "search_documents": lambda number: {"query": words(number)},
        "get_document": lambda number: {},
        "get_document_structure": lambda number: {"depth": 1 + number % 2},
        "get_page_content": lambda number: {"pages": page(number)},
        "get_page_tables": lambda number: {"page": str(5 * (number * 7 % 80 + 1))},
        "get_page_image": lambda number: {"page": page(number)},
        "check_claims": lambda number: {"claims": [{"text": words(number), "quotes": [words(number)]}]},
    }


def _report(taken: dict[str, list[float]], calls: int) -> str:
    rows = []
    for name, seconds in taken.items():
        cuts = statistics.quantiles(seconds, n=20)
        rows.append(f"| {name} | {cuts[9] * 1000:.1f} ms | {cuts[18] * 1000:.1f} ms |")
    doc = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    return (
        f"# Model Context Protocol: time per call\n\n{doc} {calls} calls each; target: p95 of at most 50 ms.\n\n"
        "| call | p50 | p95 |\n|---|---:|---:|\n" + "\n".join(rows) + "\n"
    )
