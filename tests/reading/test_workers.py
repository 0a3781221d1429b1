"""Workers end in time, in memory and without harm to the caller, whatever they are given."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from pageindex.document.codec import encode_edition
from pageindex.errors import DamagedFileError, LimitError, NotFoundError, PageIndexError, SettingsError
from pageindex.limits import Limits
from pageindex.progress import Progress
from pageindex.reading import WorkerPool, read, read_bytes, read_isolated, run_isolated
from tests.support.pdf import Text, draw

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "nist-sp800-115.pdf"


def test_a_worker_gives_what_the_caller_would_have_got() -> None:
    found = read_isolated(EXAMPLE)
    assert encode_edition(found) == encode_edition(read(EXAMPLE))
    assert found.lines == read(EXAMPLE).lines


def test_progress_arrives_while_it_reads() -> None:
    steps: list[Progress] = []
    read_isolated(EXAMPLE, progress=steps.append)
    assert [step.done for step in steps] == [0, 16, 32, 48, 64, 80]
    assert {step.stage for step in steps} == {"reading"}


def test_errors_keep_their_kind(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        read_isolated(tmp_path / "none.pdf")
    assert caught.value.next_step
    with pytest.raises(PageIndexError, match="ZeroDivisionError") as odd:
        run_isolated("operator:truediv", 1, 0)
    assert odd.value.code == "READER_FAILED"


def test_processor_time_is_limited() -> None:
    with WorkerPool(1, Limits(seconds=0.5), readable=[ROOT]) as pool:
        pool.submit("tests.reading.test_workers:compute", 0.3).result()  # what was spent before does not count
        with pytest.raises(LimitError) as caught:
            pool.submit("tests.reading.test_workers:compute", 60).result()
    assert caught.value.code == "TIME_LIMIT"
    assert caught.value.details["seconds"] == 0.5


def compute(seconds: float) -> float:
    """Keep a processor busy."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return time.process_time()


def test_waiting_is_no_processor_time_and_ends_at_the_backstop() -> None:
    with WorkerPool(1, Limits(seconds=0.2, wall_seconds=2)) as pool:
        assert pool.submit("time:sleep", 1.5).result() is None
        with pytest.raises(LimitError) as caught:
            pool.submit("time:sleep", 60).result()
    assert caught.value.code == "TIME_LIMIT"
    assert caught.value.details["seconds"] == 2


def test_too_large_is_stopped() -> None:
    with pytest.raises(LimitError) as caught:
        run_isolated("builtins:bytearray", 1 << 30, limits=Limits(memory_bytes=64 << 20))
    assert caught.value.code == "MEMORY_LIMIT"


def test_a_crash_is_an_error_and_the_pool_goes_on() -> None:
    with WorkerPool(1) as pool:
        first = pool.submit("ctypes:string_at", 0)
        second = pool.submit("operator:add", 2, 3)
        with pytest.raises(DamagedFileError) as caught:
            first.result()
        assert caught.value.code == "READER_CRASHED"
        assert caught.value.details["cause"] == "SIGSEGV"
        assert second.result() == 5


def test_a_worker_is_used_again() -> None:
    with WorkerPool(1) as pool:
        ids = {pool.submit("os:getpid").result() for _ in range(5)}
    assert len(ids) == 1
    assert os.getpid() not in ids


def test_a_worker_that_has_grown_is_replaced() -> None:
    with WorkerPool(1, Limits(memory_bytes=1 << 30), readable=[ROOT]) as pool:
        first = pool.submit("os:getpid").result()
        pool.submit("tests.reading.test_workers:keep", 400 << 20).result()
        assert pool.submit("os:getpid").result() != first


_kept: list[bytearray] = []


def keep(size: int) -> None:
    """Hold on to memory, as a library with a leak does."""
    _kept.append(bytearray(size))


def test_limits_among_the_arguments_count() -> None:
    with WorkerPool(1, readable=[ROOT]) as pool:
        future = pool.submit("tests.reading.test_workers:sleep", 60, limits=Limits(wall_seconds=0.3))
        with pytest.raises(LimitError):
            future.result(timeout=10)


def sleep(seconds: float, limits: Limits) -> None:
    del limits
    time.sleep(seconds)


def test_leaving_with_an_error_ends_what_runs() -> None:
    begin = time.monotonic()
    with pytest.raises(KeyError), WorkerPool(2) as pool:
        pool.submit("time:sleep", 60)
        time.sleep(0.3)
        raise KeyError
    assert time.monotonic() - begin < 10


def test_what_cannot_be_imported_is_refused() -> None:
    with WorkerPool(1) as pool, pytest.raises(SettingsError):
        pool.submit(lambda: 1)
    with pytest.raises(SettingsError):
        WorkerPool(0)


def test_printing_does_not_disturb_the_messages() -> None:
    assert run_isolated("builtins:print", "noise") is None


def test_any_executor_can_read(tmp_path: Path) -> None:
    path = tmp_path / "small.pdf"
    path.write_bytes(draw([Text(72, 100, "words")]))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        executor: Executor = pool
        assert executor.submit(read, path).result().page(1).text == "words"


def test_ten_threads_read_what_one_reads() -> None:
    files = [draw(*([Text(72, 100 + n, f"file {k} sheet {n}")] for n in range(12))) for k in range(10)]
    serial = [read_bytes(data, "file.pdf") for data in files]
    found: dict[int, list[bool]] = {}

    def work(k: int) -> None:
        found[k] = [read_bytes(files[k], "file.pdf") == serial[k] for _ in range(5)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: [True] * 5 for k in range(10)}


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_two_thousand_pages_stay_below_the_ceiling() -> None:
    code = "from tests.reading.test_workers import read_and_measure; print(*read_and_measure())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    pages, grown = map(int, done.stdout.split())
    assert pages == 2000
    assert grown < 60 << 20


def read_and_measure() -> tuple[int, int]:
    """Pages in state ``text``, and how much memory reading them took."""
    data = draw(*([Text(72, 100, f"sheet {n}"), Text(72, 140, "with a second line")] for n in range(2000)))
    read_bytes(draw([Text(72, 100, "warm")]), "warm.pdf")
    before = resident()
    edition = read_bytes(data, "long.pdf")
    # Of this program alone: the figure of the resource module begins with that of the process that started it.
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return sum(page.state.value == "text" for page in edition.pages), int(fields["VmHWM"].split()[0]) * 1024 - before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_opening_and_closing_does_not_leak() -> None:
    data = draw(*([Text(72, 100, f"sheet {n}")] for n in range(10)))
    for _ in range(10):
        read_bytes(data, "file.pdf")
    before = resident()
    for _ in range(50):
        read_bytes(data, "file.pdf")
    assert resident() - before < 4 << 20
