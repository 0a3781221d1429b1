"""Files changed at random go through a worker: an edition or one clear error, in bounded time, and the pool goes on.

``FUZZ_SECONDS`` in the environment makes it run for longer, each time from another seed.
"""

from __future__ import annotations

import io
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from pageindex.errors import PageIndexError
from pageindex.limits import Limits
from pageindex.reading import WorkerPool, read_isolated
from tests.support.pdf import Picture, Text, bookmarked, draw, paragraph

EXAMPLE = Path(__file__).parents[2] / "examples" / "nist-sp800-115.pdf"
LIMITS = Limits(seconds=10, page_seconds=2, memory_bytes=256 << 20, crashes=5)

#: What a file may end with; everything else is a fault of ours.
CLEAR = {
    "DAMAGED_FILE",
    "NO_PAGES",
    "NOT_WHAT_IT_SAYS",
    "EMPTY_FILE",
    "PASSWORD_REQUIRED",
    "UNSUPPORTED_ENCRYPTION",
} | {
    "READER_CRASHED",
    "MEMORY_LIMIT",
    "TIME_LIMIT",
    "TOO_MANY_PAGES",
    "TOO_DEEP",
}
_WORDS = (
    b"/Kids [1 0 R]",
    b"/Count 99999",
    b"/Length 0",
    b"<<",
    b">>",
    b"[",
    b"endobj",
    b"null",
    b"/Filter /FlateDecode",
)


def sources() -> list[bytes]:
    drawn = draw(
        [*paragraph(72, 100, 20), Picture(72, 500, 100, 100)], [Text(72, 100, "second")], paragraph(72, 90, 30)
    )
    found = [bookmarked(drawn, [("One", 1, 1), ("Two", 2, 2)])]
    for mode in (pikepdf.ObjectStreamMode.generate, pikepdf.ObjectStreamMode.disable):
        out = io.BytesIO()
        with pikepdf.open(EXAMPLE) as example:
            pdf = pikepdf.new()
            pdf.pages.extend(list(example.pages)[8:14])
            pdf.save(out, object_stream_mode=mode)
        found.append(out.getvalue())
    return found


def mutated(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 3, 10, 60))):
        at, what = rng.randrange(max(len(out), 1)), rng.random()
        if what < 0.3:
            out[at : at + 1] = bytes((rng.randrange(256),))
        elif what < 0.5:
            del out[at : at + rng.choice((1, 8, 300))]
        elif what < 0.65:
            out[at:at] = out[at : at + rng.choice((10, 500))]
        elif what < 0.8:
            out[at:at] = rng.choice(_WORDS)
        elif what < 0.95:
            out[at : at + 4] = b"%d " % rng.choice((0, -1, 7, 2**31, 2**63))
        else:
            del out[rng.randrange(len(out) // 2, max(len(out), 1)) :]
    return bytes(out)


def cases(seconds: float) -> Iterator[tuple[int, bytes]]:
    found, end = sources(), time.monotonic() + seconds
    seed = 0 if seconds <= 5 else random.SystemRandom().randrange(1 << 30)
    while time.monotonic() < end or seed < 12:
        seed += 1
        yield seed, mutated(found[seed % len(found)], random.Random(seed))


@pytest.mark.timeout(0)
def test_mutated_files_end_in_time_and_clearly() -> None:
    tried = 0
    with WorkerPool(1) as pool:
        for seed, data in cases(float(os.environ.get("FUZZ_SECONDS", "4"))):
            tried += 1
            begin = time.monotonic()
            try:
                edition = read_isolated(data, name="fuzzed.pdf", limits=LIMITS, pool=pool)
            except PageIndexError as error:
                assert error.code in CLEAR, f"seed {seed}: {error.code} {error}"
                assert error.next_step
            else:
                assert edition.page_count > 0
            assert time.monotonic() - begin < 120, f"seed {seed}"
        assert pool.submit("operator:add", 2, 3).result() == 5
    assert tried >= 12
