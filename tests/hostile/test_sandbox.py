"""What a reader that a file has taken over can reach: nothing of the user's. Each attempt is made from inside of a real worker."""

from __future__ import annotations

import json
import os
import pickle
import platform
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from pageindex.errors import DamagedFileError, InputError, LimitError, SettingsError
from pageindex.limits import Limits
from pageindex.reading import WorkerPool
from pageindex.reading.workers import worker
from pageindex.reading.workers.child import protections
from pageindex.reading.workers.confinement import Confinement, confinement
from pageindex.reading.workers.frames import Content
from pageindex.reading.workers.sandbox import Attempt, attempts

ROOT = Path(__file__).parents[2]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.fixture
def private(tmp_path: Path) -> Path:
    path = tmp_path / "private.txt"
    path.write_text("the user's own")
    return path


@LINUX
def test_every_attempt_is_refused(private: Path, listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-readers")
    with WorkerPool(1) as pool:
        if missing := pool.submit(protections).result():
            pytest.skip(f"this kernel lacks {missing}")
        made = pool.submit(attempts, str(private), listener.getsockname(), os.getpid()).result()
    assert [attempt.what for attempt in made if not attempt.refused] == []
    assert len(made) > 15
    assert private.read_text() == "the user's own"
    assert os.listdir(private.parent) == [private.name]


@LINUX
def test_the_same_attempts_succeed_outside(private: Path, listener: socket.socket) -> None:
    """Else the test above would prove nothing."""
    harmless = {"connect to the network", "read a file of the user", "list a folder of the user", "write a file"}
    code = f"""
from pageindex.reading.workers.sandbox import _forbidden, _tried
from pathlib import Path
import json
import os
found = _forbidden(Path({str(private)!r}), {listener.getsockname()!r}, os.getpid())
print(*sorted(what for what, attempt in found if what in {harmless!r} and not _tried(attempt)[0]), sep=";")
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    assert set(done.stdout.strip().split(";")) == harmless


@LINUX
@pytest.mark.parametrize(
    ("layer", "refused"),
    [
        ("landlock.restrict(['/usr', '/lib', '/lib64', sys.prefix, sys.base_prefix, *sys.path])", {"read a file of the user", "write a file", "remove a file"}),
        ("seccomp.install()", {"connect to the network", "start a program", "write a file", "remove a file", "signal its owner"}),
    ],
    ids=["landlock", "seccomp"],
)  # fmt: skip
def test_each_layer_holds_alone(private: Path, listener: socket.socket, layer: str, refused: set[str]) -> None:
    code = f"""
import sys
from pathlib import Path
from pageindex.reading.workers import landlock, seccomp
from pageindex.reading.workers.sandbox import _forbidden, _tried
import resource, socket, subprocess
tries = list(_forbidden(Path({str(private)!r}), {listener.getsockname()!r}, {os.getpid()}))
{layer}
for what, attempt in tries:
    if what in {refused!r} and not _tried(attempt)[0]:
        print(what)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    assert done.stdout == ""
    assert private.exists()


def answer(*replies: bytes) -> str:
    """A program in the place of a worker, which answers every call with bytes of its choice."""
    return f"""
import sys, json, struct
size = struct.unpack('>Q', sys.stdin.buffer.read(8))[0]
sys.stdin.buffer.read(size)
for reply in {replies!r}:
    sys.stdout.buffer.write(reply)
sys.stdout.buffer.flush()
"""


class _Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return (exec, ("import builtins; builtins.taken_over = True",))


def framed(body: bytes) -> bytes:
    return struct.pack(">Q", len(body)) + body


def fault(**changes: object) -> bytes:
    body = {"kind": "InputError", "message": "m", "next_step": "n", "code": "INVALID_INPUT", "details": {}} | changes
    return framed(msgspec.msgpack.encode({"kind": "fault", "value": body, "ends": False}))


@pytest.mark.parametrize(
    "reply",
    [
        framed(pickle.dumps(_Evil())),
        framed(b""),
        framed(b"\xff" * 100),
        framed(msgspec.msgpack.encode({"kind": "result", "value": "no number", "ends": False})),
        framed(msgspec.msgpack.encode({"kind": "progress", "value": [1, 2], "ends": False})),
        framed(b"\x91" * 20_000),
        struct.pack(">Q", 1 << 62),
        fault(kind=["InputError"]),
        fault(message=7),
        fault(code="MADE_UP"),
        b"",
        b"\0\0\0",
    ],
    ids=["pickle", "empty", "noise", "other type", "odd progress", "nested", "endless", "odd fault", "odd message", "odd code", "silence", "half"],
)  # fmt: skip
def test_a_hostile_answer_is_an_error_and_nothing_else(monkeypatch: pytest.MonkeyPatch, reply: bytes) -> None:
    monkeypatch.setattr(worker, "_START", answer(reply))
    with WorkerPool(1, Limits(wall_seconds=20)) as pool, pytest.raises(DamagedFileError) as caught:
        pool.submit(count, 1).result()
    assert caught.value.code == "READER_CRASHED"
    assert not hasattr(__builtins__, "taken_over")


@pytest.mark.parametrize(
    ("changes", "kind"),
    [({"kind": "__import__"}, "PageIndexError"), ({"kind": "Any"}, "PageIndexError"), ({}, "InputError")],
)
def test_a_fault_becomes_an_error_of_this_package_only(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, object], kind: str
) -> None:
    monkeypatch.setattr(worker, "_START", answer(fault(details={"message": "x", "code": "y"}, **changes)))
    with WorkerPool(1) as pool:
        error = pool.submit(count, 1).exception()
    assert type(error).__name__ == kind
    assert str(error) == "m"


def count(number: int) -> int:
    return number


def test_what_cannot_be_sent_is_refused() -> None:
    with WorkerPool(1) as pool:
        with pytest.raises(SettingsError):
            pool.submit("operator:add", object(), 1).result()
        assert pool.submit("operator:add", 1, 1).result() == 2


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_only_regular_files_are_sent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * 101)
    (tmp_path / "caf\udce9").write_bytes(b"text")
    with WorkerPool(1) as pool:
        for name, code in (("pipe", "NOT_A_FILE"), (".", "IS_A_FOLDER")):
            with pytest.raises(InputError) as caught:
                pool.submit("builtins:len", Content(tmp_path / name, 100)).result()
            assert caught.value.code == code
        with pytest.raises(InputError) as device:
            pool.submit("builtins:len", Content(Path("/dev/zero"), 100)).result()
        assert device.value.code == "NOT_A_FILE"
        with pytest.raises(LimitError) as large:
            pool.submit("builtins:len", Content(tmp_path / "large", 100)).result()
        assert large.value.code == "FILE_TOO_LARGE"
        assert pool.submit("builtins:len", Content(tmp_path / "caf\udce9", 100)).result() == 4
        assert pool.submit("os:fsencode", "caf\udce9").result() == b"caf\xe9"


@LINUX
class TestDeaths:
    def test_a_worker_killed_while_idle_costs_a_retry(self) -> None:
        with WorkerPool(1) as pool:
            first = pool.submit("os:getpid").result()
            os.kill(first, signal.SIGKILL)
            second = pool.submit("os:getpid").result()
        assert second not in (first, os.getpid())

    def test_a_worker_killed_while_it_works_costs_a_retry(self) -> None:
        with WorkerPool(1) as pool:
            first = pool.submit("os:getpid").result()
            running = pool.submit("time:sleep", 0.6)
            time.sleep(0.2)
            os.kill(first, signal.SIGKILL)
            assert running.result() is None
            assert pool.submit("os:getpid").result() != first

    def test_one_that_is_always_killed_ends_as_an_error(self) -> None:
        with WorkerPool(1, readable=[ROOT]) as pool, pytest.raises(LimitError) as caught:
            pool.submit("tests.hostile.test_sandbox:kill_me").result()
        assert caught.value.code == "READER_KILLED"

    def test_a_dead_owner_takes_its_workers_along(self) -> None:
        code = """
import time
from pageindex.reading import WorkerPool
if __name__ == "__main__":
    pool = WorkerPool(2)
    print(pool.submit("os:getpid").result(), flush=True)
    for _ in range(2):
        pool.submit("re:fullmatch", "(a?){40}(a){40}b", "a" * 60)  # busy in C code for longer than anybody waits
    time.sleep(60)
"""
        owner = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        try:
            assert owner.stdout is not None
            workers = [int(owner.stdout.readline())]
            time.sleep(0.5)
            workers += children(owner.pid)
            assert len(set(workers)) == 2
        finally:
            owner.kill()
            owner.communicate()
        assert gone(workers)

    def test_a_fork_of_the_owner_keeps_no_worker_alive(self) -> None:
        code = """
import os, time
from pageindex.reading import WorkerPool
pool = WorkerPool(1)
print(pool.submit("os:getpid").result(), flush=True)
if os.fork() == 0:
    os.close(1)
    time.sleep(5)
    os._exit(0)
os._exit(0)
"""
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=20)
        assert gone([int(done.stdout)], 3.0)


def kill_me() -> None:
    """What a machine out of memory does to a worker."""
    os.kill(os.getpid(), signal.SIGKILL)


def children(pid: int) -> list[int]:
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def gone(pids: list[int], seconds: float = 10.0) -> bool:
    """Whether processes end within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(running(pid) for pid in pids):
            return True
        time.sleep(0.02)
    return False


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


@LINUX
def test_the_report_says_that_everything_was_refused() -> None:
    found = confinement()
    if found.missing:
        pytest.skip(f"this kernel lacks {found.missing}")
    assert found.complete
    assert f"{len(found.attempts)} of {len(found.attempts)}" in found.summary()


def test_the_report_says_what_is_missing() -> None:
    found = Confinement((), ("system calls: the kernel takes no filter",))
    assert not found.complete
    assert "the kernel takes no filter" in found.summary()
    leaky = Confinement((Attempt("fly", False, "done"),), ())
    assert not leaky.complete
    assert "could still fly" in leaky.summary()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="numbers of system calls")
@pytest.mark.parametrize(
    ("without", "said"),
    [
        ("landlock", ("reading of files: the kernel has no Landlock",)),
        ("both", ("reading of files: the kernel has no Landlock", "system calls: the kernel takes no filter")),
    ],
)
def test_doctor_says_what_an_old_kernel_does_not_confine(tmp_path: Path, without: str, said: tuple[str, ...]) -> None:
    """Files are read there all the same, and nobody takes it for a sandbox."""
    (tmp_path / "a.md").write_text("# One\nwords")
    pageindex = [sys.executable, "-m", "pageindex"]
    old = [sys.executable, str(Path(__file__).parents[1] / "support" / "old_kernel.py"), without, *pageindex]
    added = subprocess.run([*old, "add", "a.md"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert added.stdout.startswith("added"), added.stderr
    told = subprocess.run([*old, "doctor", "--json"], cwd=tmp_path, capture_output=True, text=True, check=False)
    found = json.loads(told.stdout)["readers"]
    assert found["confined"] is False
    assert len(found["missing"]) == len(said)
    assert all(one.startswith(start) for one, start in zip(found["missing"], said, strict=True))
    assert found["attempts"] == [], "nothing is tried that might succeed"
