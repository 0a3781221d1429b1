"""Pages whose drawing instructions were damaged at random are still read into lines that hold what they promise."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pikepdf
import pytest

from pageindex.document import Edition
from pageindex.reading import read_bytes
from pageindex.reading.pdf.reader import read_lines
from pageindex.structure import build_tree
from tests.support.pdf import draw, paragraph

EXAMPLE = Path(__file__).parents[2] / "examples" / "nist-sp800-115.pdf"

#: Operators that turn, enlarge, hide or scatter the text behind them.
_SPITE = (
    b" 1 Tf ",
    b" 3 Tr ",
    b" 0 Tz ",
    b" -1 0 0 1 50 50 Tm ",
    b" 0 0 0 0 0 0 cm ",
    b" BT ET ",
    b" /F1 0 Tf ",
    b" 1e9 Ts ",
    b" [(a) 9000 (b)] TJ ",
)


def mutated(pages: list[bytes], rng: random.Random) -> list[bytes]:
    """Instructions with bytes changed, cut out, repeated, and operators put in."""
    found = []
    for page in pages:
        data = bytearray(page)
        for _ in range(rng.randint(1, 30)):
            at, what = rng.randrange(len(data)), rng.random()
            if what < 0.4:
                data[at] = rng.randrange(256)
            elif what < 0.7:
                del data[at : at + rng.randint(1, 40)]
            elif what < 0.9:
                data[at:at] = data[max(0, at - 200) : at]
            else:
                data[at:at] = rng.choice(_SPITE)
        found.append(bytes(data))
    return found


def check(edition: Edition) -> None:
    for line in edition.lines:
        shown = edition.page(line.page).data[line.start : line.end].decode("utf-8", "surrogatepass")
        assert shown == line.text
        starts = [run.start for run in line.runs]
        assert starts == sorted(set(starts))
        assert all(0 <= start < len(line.text) for start in starts)
        assert not starts or (starts[0] == 0 and len(starts) > 1)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_instructions(seed: int) -> None:
    rng = random.Random(seed)
    with (
        pikepdf.open(io.BytesIO(EXAMPLE.read_bytes())) as example,
        pikepdf.open(io.BytesIO(draw(paragraph(72, 100, 30), paragraph(72, 90, 20, seed=3)))) as drawn,
    ):
        pdf = pikepdf.new()
        for index in rng.sample(range(len(example.pages)), 6):
            pdf.pages.append(example.pages[index])
        pdf.pages.extend(drawn.pages)
        for page in pdf.pages:
            page.contents_coalesce()
        originals = [page.Contents.read_bytes() for page in pdf.pages]
        for _ in range(6):
            for page, data in zip(pdf.pages, mutated(originals, rng), strict=True):
                page.Contents = pdf.make_stream(data)
            buffer = io.BytesIO()
            pdf.save(buffer)
            edition = read_bytes(buffer.getvalue(), "mutated.pdf")
            assert edition.page_count == 8
            check(edition)
            assert read_lines(buffer.getvalue(), "mutated.pdf") == list(edition.lines)
            build_tree(edition)
