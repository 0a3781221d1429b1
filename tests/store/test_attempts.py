"""The log of attempts loses no line unseen: cut, flipped, emptied, deleted, it is named, and what is left is kept."""

from __future__ import annotations

import random
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest

from pageindex.atomic import AtomicWriter
from pageindex.document.codec import decode_json, encode_json
from pageindex.store.base import Attempt, Finding
from pageindex.store.disk.attempts import append_attempt, read_attempts, read_head
from pageindex.store.disk.attempts_check import inspect
from pageindex.store.disk.layout import Layout
from pageindex.store.disk.library import DiskLibrary
from pageindex.store.disk.migrations import sealed

LINES = 7


def _attempt(number: int) -> Attempt:
    return Attempt(f"2030-01-0{number}", f"/a/{number}.pdf", "0" * 64, "added", seconds=number / 8)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    library = DiskLibrary.open(tmp_path / "library")
    for number in range(1, LINES + 1):
        library.record_attempt(_attempt(number))
    assert library.doctor() == []
    return library.root


def _found(root: Path) -> list[Finding]:
    return [f for f in DiskLibrary.open(root, strict=False).doctor() if f.path.startswith("attempts")]


def _read(root: Path) -> list[Attempt]:
    return list(reversed(DiskLibrary.open(root).attempts(100)))


def _goes_on(root: Path, kept: list[int]) -> None:
    """The damage is still seen after another attempt; repair keeps what is left, notes the loss, and all is well again."""
    DiskLibrary.open(root).record_attempt(_attempt(9))
    assert _found(root), "another attempt hid the damage"
    before = (root / "attempts.jsonl").read_bytes()
    done = DiskLibrary.open(root).doctor(repair=True)
    assert done and all(one.repaired for one in done)
    *left, note = _read(root)
    assert left == [*(_attempt(number) for number in kept), _attempt(9)]
    assert note.outcome == "CORRUPT_RECORD" and "attempts.jsonl" in note.message
    assert [path.read_bytes() for path in (root / "set-aside").glob("attempts.jsonl-*")] == [before]
    assert _found(root) == []
    DiskLibrary.open(root).record_attempt(_attempt(8))
    assert _found(root) == []


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ({1}, "line 1 is missing"),
        ({3}, "line 3 is missing"),
        ({3, 4, 5}, "lines 3 to 5 are missing"),
        ({7}, "line 7 is missing"),
        ({5, 6, 7}, "lines 5 to 7 are missing"),
        ({1, 2, 6}, "lines 1 to 2 are missing; line 6 is missing"),
        ({*range(1, 8)}, "lines 1 to 7 are missing"),
    ],
    ids=str,
)
def test_lines_that_are_taken_out_are_named(root: Path, gone: set[int], said: str) -> None:
    log = root / "attempts.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for number, line in enumerate(lines, 1) if number not in gone))
    [found] = _found(root)
    assert found.message.endswith(said) and "is lost" in found.remedy
    _goes_on(root, [number for number in range(1, 8) if number not in gone])


def test_a_log_that_is_deleted_is_missed(root: Path) -> None:
    (root / "attempts.jsonl").unlink()
    [found] = _found(root)
    assert (found.code, found.path) == ("MISSING_FILE", "attempts.jsonl")
    _goes_on(root, [])


def test_the_head_is_missed_and_made_anew_from_the_log(root: Path) -> None:
    head = root / "attempts.head.json"
    sound = head.read_bytes()
    head.unlink()
    assert [(f.code, f.path) for f in _found(root)] == [("MISSING_FILE", head.name)]
    assert [f.repaired for f in DiskLibrary.open(root).doctor(repair=True)] == [True]
    assert head.read_bytes() == sound and _found(root) == []
    head.unlink()
    (root / "attempts.jsonl").unlink()
    assert [(f.code, f.path) for f in _found(root)] == [("MISSING_FILE", head.name)], "both at once are missed, too"


def test_each_cut_of_log_and_head_is_found(root: Path) -> None:
    log, head = root / "attempts.jsonl", root / "attempts.head.json"
    data, known = log.read_bytes(), read_head(head)
    for at in range(len(data)):
        found = inspect(data[:at], known)
        assert found.problems or found.changed, at
    for path in (log, head):
        data = path.read_bytes()
        for at in range(0, len(data), 37):
            path.write_bytes(data[:at])
            assert {f.path for f in _found(root)} == {path.name}, (path.name, at)
        path.write_bytes(data)
    assert _found(root) == []


def test_each_flipped_byte_is_found_and_hidden_by_no_further_attempt(root: Path, tmp_path: Path) -> None:
    draw, log = random.Random(4), root / "attempts.jsonl"
    data = log.read_bytes()
    for at in draw.sample(range(len(data)), 60):
        copy = tmp_path / "copy"
        shutil.copytree(root, copy)
        (copy / "attempts.jsonl").write_bytes(data[:at] + bytes([data[at] ^ draw.randrange(1, 256)]) + data[at + 1 :])
        assert {f.path for f in _found(copy)} == {"attempts.jsonl"}, at
        DiskLibrary.open(copy).record_attempt(_attempt(8))
        assert {f.path for f in _found(copy)} == {"attempts.jsonl"}, at
        shutil.rmtree(copy)


def test_lines_that_are_moved_doubled_or_of_another_log_are_found(root: Path, tmp_path: Path) -> None:
    log = root / "attempts.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    other = DiskLibrary.open(tmp_path / "other")
    for _ in range(LINES):
        other.record_attempt(_attempt(1))
    strange = (other.root / "attempts.jsonl").read_bytes().splitlines(keepends=True)
    for wrong in (
        [*lines[:2], lines[3], lines[2], *lines[4:]],
        [*lines[:3], lines[2], *lines[3:]],
        [*lines[:3], strange[3], *lines[4:]],
        [*lines[:6], strange[6]],
        strange,
        [*strange, strange[0]],
    ):
        log.write_bytes(b"".join(wrong))
        assert {f.path for f in _found(root)} == {"attempts.jsonl"}


def test_what_a_kill_leaves_is_no_damage(root: Path) -> None:
    """A line behind the head, and one that is torn: the next attempt goes on behind the one and takes the other away."""
    head = root / "attempts.head.json"
    old = head.read_bytes()
    DiskLibrary.open(root).record_attempt(_attempt(8))
    head.write_bytes(old)
    assert _found(root) == []
    with (root / "attempts.jsonl").open("ab") as file:
        file.write(b'{"format":2,"at":"tor')
    DiskLibrary.open(root).record_attempt(_attempt(9))
    assert _found(root) == []
    assert decode_json(head.read_bytes())["lines"] == 9
    assert _read(root) == [_attempt(number) for number in range(1, 10)]


def test_a_repair_that_is_killed_is_made_again(root: Path) -> None:
    (root / "attempts.jsonl").write_bytes(b"")
    writer = AtomicWriter(lambda step, path: 1 / 0 if step == "rename" and path.name == "attempts.head.json" else None)  # type: ignore[arg-type, return-value]
    with pytest.raises(ZeroDivisionError):
        DiskLibrary.open(root, writer=writer).doctor(repair=True)
    DiskLibrary.open(root).doctor(repair=True)
    assert _found(root) == []


@pytest.mark.parametrize("form", [1, 2])
def test_a_log_of_before_the_chain_is_read_and_guarded_from_the_next_attempt_on(tmp_path: Path, form: int) -> None:
    library = DiskLibrary.open(tmp_path / "library")
    root, log, head = library.root, library.root / "attempts.jsonl", library.root / "attempts.head.json"
    items = [{"format": form, **asdict(_attempt(number))} for number in range(1, 4)]
    log.write_bytes(b"".join(sealed(item, pretty=False) if form == 2 else encode_json(item) for item in items))
    (root / "library.json").write_bytes(sealed({"format": 2}))
    head.unlink()
    assert library.doctor() == []
    for number in range(4, 6):
        DiskLibrary.open(root).record_attempt(_attempt(number))
    assert _found(root) == [] and _read(root) == [_attempt(number) for number in range(1, 6)]
    data = log.read_bytes()
    lines = data.splitlines(keepends=True)
    for gone in range(5):
        log.write_bytes(b"".join(line for number, line in enumerate(lines) if number != gone))
        [found] = _found(root)
        assert "missing" in found.message
        log.write_bytes(data)
    log.unlink()
    head.unlink()
    assert [(f.code, f.path) for f in _found(root)] == [("MISSING_FILE", head.name)]


def _append_many(root: Path, writer: int) -> None:
    library = DiskLibrary.open(root)
    for number in range(25):
        library.record_attempt(Attempt("t", f"/{writer}/{number}", "", "added"))


def test_writers_of_several_processes_keep_one_chain(root: Path) -> None:
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(_append_many, [root] * 4, range(4)))
    assert _found(root) == []
    assert decode_json((root / "attempts.head.json").read_bytes())["lines"] == LINES + 100


def test_a_torn_line_spoils_no_other(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    first, second = Attempt("1", "/a", "s", "added"), Attempt("2", "/b", "s", "added", seconds=1.5)
    append_attempt(AtomicWriter(), layout, first)
    with layout.attempts.open("ab") as file:
        file.write(b'{"format":1,"at":"tor')
    append_attempt(AtomicWriter(), layout, second)
    assert read_attempts(layout.attempts, 10) == [second, first]


def test_attempts_are_read_from_the_end_over_block_borders(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    for number in range(80):
        append_attempt(AtomicWriter(), layout, Attempt(str(number), "/a" * 1500, "s", "added"))
    assert layout.attempts.stat().st_size > 3 * (1 << 16)
    assert [a.at for a in read_attempts(layout.attempts, 60)] == [str(n) for n in range(79, 19, -1)]
