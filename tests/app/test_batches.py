"""Every path of a batch ends in one line, whatever it is and whatever fails on the way."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pageindex.app import ingest
from pageindex.app.ingest import IngestOptions, Request
from pageindex.cli.screen import harmless, one_line
from pageindex.errors import LockedError
from pageindex.files import open_regular, path_of, spelled
from pageindex.store.base import Attempt
from pageindex.store.disk.library import DiskLibrary
from tests.support.terminal import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, sockets, names of bytes")

ONE_JOB = IngestOptions(jobs=1)


def _odd_folder(root: Path) -> dict[str, str]:
    """A folder of odd things, and what each must end as."""
    (root / "in" / "sub").mkdir(parents=True)
    (root / "out").mkdir()
    (root / "out" / "secret.md").write_text("# Secret\nkey")
    (root / "in" / "good.md").write_text("# Good\nwords")
    (root / "in" / os.fsdecode(b"caf\xe9.md")).write_text("# Cafe\nwords there")
    (root / "in" / "a\nadded  forged.md").write_text("# Forged\nwords of it")
    os.mkfifo(root / "in" / "pipe.pdf")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(root / "in" / "s.txt"))
    for name, target in {
        "in/link.md": "../out/secret.md",
        "in/inner.md": "good.md",
        "in/gone.md": "nowhere",
        "in/self.md": "self.md",
        "in/sub/loop": "..",
        "in/sub/outer": "../../out",
    }.items():
        (root / name).symlink_to(target)
    return {
        "good.md": "added",
        "caf\\xe9.md": "added",
        "a\nadded  forged.md": "added",
        "inner.md": "unchanged",
        "pipe.pdf": "NOT_A_FILE",
        "s.txt": "NOT_A_FILE",
        "link.md": "NOT_ALLOWED",
        "gone.md": "NOT_FOUND",
        "self.md": "UNREADABLE",
        "sub/outer": "NOT_ALLOWED",
        "/dev/zero": "NOT_A_FILE",
        "nothing.md": "NOT_FOUND",
    }


@pytest.mark.timeout(60)
def test_every_path_ends_in_its_own_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path has to be short
    wanted = _odd_folder(Path())
    library = DiskLibrary.open(tmp_path / "library")
    found = ingest.find_files(["in/good.md", "in", "/dev/zero", "in/nothing.md"])
    requests = [Request(one.path, refused=one.refused) for one in found]
    results = {}
    for done in ingest.ingest(library, requests, ONE_JOB):
        name = done.request.path.removeprefix(f"{Path().absolute() / 'in'}/")
        results[name] = str(done.error.code) if done.error is not None else done.outcome and done.outcome.value
    # The link may come before its file has been stored, and then both are read; the same bytes are one document.
    assert results | {"inner.md": "unchanged"} == wanted
    assert {a.source_path for a in library.attempts(100)} == {request.path for request in requests}
    assert library.list().total == 3
    assert library.resolve(os.fsdecode(b"in/caf\xe9.md")).name == "caf\\xe9.md"
    assert [p.outcome for p in library.attempts(100)].count("NOT_A_FILE") == 3


def test_a_name_that_is_not_utf8_is_found_again(tmp_path: Path) -> None:
    odd, plain = tmp_path / os.fsdecode(b"caf\xe9.md"), tmp_path / "caf\\xe9.txt"
    odd.write_text("x")
    plain.write_text("y")
    assert path_of(spelled(str(odd))) == odd
    assert path_of(spelled(str(plain))) == plain
    assert spelled("\ud800") == "\\ud800"


class Failing(DiskLibrary):
    """A library whose log cannot be written, and which is busy or full for chosen documents."""

    def record_attempt(self, attempt: Attempt) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def add(self, addition):  # type: ignore[no-untyped-def]
        if addition.name == "busy.md":
            raise LockedError("another process has it")
        if addition.name == "full.md":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().add(addition)


def test_busy_a_full_disk_and_a_log_that_cannot_be_written_cost_one_file_each(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("busy", "full", "good"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\nwords of {name}")
    library = Failing.open(tmp_path / "library")
    requests = [Request(tmp_path / f"{name}.md") for name in ("busy", "full", "good")]
    done = {one.request.title: one for one in ingest.ingest(library, requests, ONE_JOB)}
    errors = {name: one.error for name, one in done.items()}
    assert errors["good.md"] is None
    assert errors["busy.md"] is not None and errors["busy.md"].code == "BUSY"
    full = errors["full.md"]
    assert full is not None and full.code == "SYSTEM" and "No space left" in full.message
    assert "Free space" in full.next_step
    assert "not in the log of attempts" in caplog.text
    assert library.list().total == 1


def test_a_dry_run_names_what_it_could_not_take(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.pdf")
    (tmp_path / "good.md").write_text("# Good")
    plans = ingest.plan(None, [Request(tmp_path / name) for name in ("p.pdf", "good.md")])
    assert [(p.action, p.error and str(p.error.code)) for p in plans] == [("refuse", "NOT_A_FILE"), ("add", None)]


def test_an_interrupted_run_says_what_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number:03}.md").write_text(f"# Part {number}\nwords")
    command = [sys.executable, "-u", "-m", "pageindex", "add", str(folder), "-L", str(tmp_path / "library"), "-j", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
    assert process.stdout is not None
    process.stdout.readline()  # one is stored
    process.send_signal(signal.SIGINT)
    out, complaints = process.communicate(timeout=60)
    assert process.returncode == 130, complaints
    assert "of 400 files done and kept" in complaints and "run the same command again" in complaints
    total = DiskLibrary.open(tmp_path / "library").list().total
    assert f"{out.count('added  ') + 1}" in complaints and 0 < total < 400
    assert "Traceback" not in complaints


def test_what_is_printed_cannot_steer_a_terminal_or_begin_a_line(tmp_path: Path) -> None:
    (tmp_path / "a\nadded  cafe\x1b[2J.md").write_bytes(b"\0\0")
    done = run("add", tmp_path, "-L", tmp_path / "library")
    for text in (done.stdout, done.stderr):
        assert "\x1b" not in text
        assert not any(line.startswith("added") for line in text.splitlines())
    assert one_line("\x1b[32madded\x1b[0m a\n\x1b[2Jb\x9bc\u202ed") == "\x1b[32madded\x1b[0m a [2Jbcd"
    assert harmless("a\nb\x1b]0;t\x07\tc\r\n") == "a\nb]0;t\tc \n"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="pseudo-terminals")
def test_an_export_to_a_terminal_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("# One\nbe \x1b[2Jfore \x9b31m after")
    assert run("add", tmp_path / "x.md", "-L", tmp_path / "library").returncode == 0
    arguments = ("export", "x.md", "--format", "markdown", "--raw", "-L", str(tmp_path / "library"))
    ours, theirs = os.openpty()
    process = subprocess.Popen([sys.executable, "-m", "pageindex", *arguments], stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # the other side has ended
            break
    os.close(ours)
    assert process.wait(30) == 0
    assert b"after" in shown and b"\x1b" not in shown and b"\xc2\x9b" not in shown


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
@pytest.mark.timeout(20)
def test_files_that_never_end_are_read_as_far_as_they_went(tmp_path: Path) -> None:
    """The kernel calls its log a regular file of no bytes, and it has no end; a file may grow while it is read."""
    library = DiskLibrary.open(tmp_path / "library")
    requests = [Request(Path("/proc/kmsg")), Request(Path("/proc/self/environ"))]
    codes = [one.error.code for one in ingest.ingest(library, requests, ONE_JOB) if one.error is not None]
    assert len(codes) == 2 and set(codes) <= {"EMPTY_FILE", "UNREADABLE"}
    growing = tmp_path / "growing.md"
    growing.write_text("# One\n")
    opened = open_regular(growing)
    with growing.open("a") as file:
        file.write("# Two\n")
    assert b"".join(opened.pieces()) == b"# One\n"
    opened.stream.close()
    shrinking = open_regular(growing)
    growing.write_text("# One\n")
    with pytest.raises(OSError, match="6 of 12 bytes early"):
        shrinking.sha256()
