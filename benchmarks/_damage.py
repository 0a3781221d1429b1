"""Sound files made unsound in the ways in which files come to harm: cut, flipped, overwritten, sent as text, wrapped, patched by hand."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

__all__ = ["KINDS", "damaged"]


def _cut(data: bytes, rng: random.Random) -> bytes:
    """A transfer that broke off."""
    return data[: int(len(data) * rng.choice((0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)))]


def _cut_tail(data: bytes, rng: random.Random) -> bytes:
    """The last bytes missing: the trailer, or half of the table."""
    return data[: -rng.choice((5, 30, 200, 1024, 4096))]


def _without_table(data: bytes, rng: random.Random) -> bytes:
    """No cross-reference that can be found: ``startxref`` points nowhere, or is gone with what follows it."""
    at = data.rfind(b"startxref")
    if at < 0:
        return data
    if rng.random() < 0.5:
        return data[:at] + b"startxref\n%d\n%%%%EOF\n" % rng.choice((0, 17, len(data) * 2))
    return data[:at]


def _shifted(data: bytes, rng: random.Random) -> bytes:
    """Every offset wrong by a few bytes, as after an edit by hand."""
    at = data.find(b"\n", 20) + 1
    return data[:at] + b"%" + b"x" * rng.randint(1, 40) + b"\n" + data[at:]


def _long_prefix(data: bytes, rng: random.Random) -> bytes:
    """A mail or a download page before the file."""
    line = b"X-Header: something that a server said\r\n"
    return line * rng.choice((10, 60, 500, 5000)) + data


def _trailing(data: bytes, rng: random.Random) -> bytes:
    """More bytes behind the end than readers look through."""
    return data + rng.choice((b"\0", b" ", b"<html>late</html>\n")) * rng.choice((2_000, 20_000))


def _flipped(data: bytes, rng: random.Random) -> bytes:
    """Single bits wrong, as of a bad disk."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 5, 20, 100))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _sector(data: bytes, rng: random.Random) -> bytes:
    """A block of the disk read as zeros."""
    out = bytearray(data)
    size = rng.choice((512, 4096))
    at = rng.randrange(max(len(out) - size, 1)) // 512 * 512
    out[at : at + size] = bytes(min(size, len(out) - at))
    return bytes(out)


def _as_text(data: bytes, rng: random.Random) -> bytes:
    """Sent as text: line ends changed, or the eighth bit lost in a part."""
    return data.replace(b"\n", b"\r\n") if rng.random() < 0.5 else data.replace(b"\r\n", b"\n")


def _wrong_count(data: bytes, rng: random.Random) -> bytes:
    """``/Count`` says another number of pages, of the same length, so that every offset stays true."""

    def change(match: re.Match[bytes]) -> bytes:
        digits = len(match[2])
        number = rng.choice((1, 2, 10**digits - 1)) if digits > 1 else rng.randint(1, 9)
        return match[1] + b"%0*d" % (digits, number)

    return re.sub(rb"(/Count\s+)(\d+)", change, data)


KINDS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "cut": _cut,
    "cut tail": _cut_tail,
    "no table": _without_table,
    "shifted": _shifted,
    "long prefix": _long_prefix,
    "trailing bytes": _trailing,
    "bits flipped": _flipped,
    "zeroed block": _sector,
    "sent as text": _as_text,
    "wrong count": _wrong_count,
}


def damaged(files: list[Path], count: int, folder: Path, seed: int = 1) -> Iterator[tuple[str, Path]]:
    """``count`` damaged copies in a folder, each with its kind: every kind in turn, of files in turn."""
    rng = random.Random(seed)
    kinds = list(KINDS)
    made = number = 0
    while made < count and number < 20 * count:
        kind, file = kinds[number % len(kinds)], files[(number // len(kinds) * 7 + number) % len(files)]
        number += 1
        data = file.read_bytes()
        changed = KINDS[kind](data, rng)
        if changed == data:
            continue
        made += 1
        path = folder / f"{made:04d}-{kind.replace(' ', '-')}-{file.stem[:40]}.pdf"
        path.write_bytes(changed)
        yield kind, path
