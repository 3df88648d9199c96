"""Forks of the process that has collected the tests, each of which runs some of them."""

import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest
from _pytest.runner import runtestprotocol

Outcome = str | None
"""The test that failed, or none."""

POLL_SECONDS = 0.02
MEGABYTES = 2_048
"""What a mutant may use beyond what the process has: one that fills a list without end is to stop soon."""

SURVIVED, KILLED = 0, 10


@dataclass(slots=True)
class Fork:
    """A process of its own group. `pipe` gives the name of the test that failed; `folder` is for the files of its tests."""

    pid: int
    pipe: int
    until: float
    folder: Path

    def wait(self) -> tuple[int, str]:
        """Wait for its end or its time limit; return its exit code, negative for a signal, and the test that failed."""
        while (code := self.poll()) is None:
            time.sleep(POLL_SECONDS)
        return code, self.failed()

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs. Past its time it is killed, with the processes it started."""
        ended, status = os.waitpid(self.pid, os.WNOHANG)
        if not ended:
            if time.monotonic() < self.until:
                return None
            os.killpg(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
            return -signal.SIGALRM
        return os.waitstatus_to_exitcode(status)

    def failed(self) -> str:
        """Return the name of the test that failed, once it has ended, and delete its folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with os.fdopen(self.pipe, "rb") as pipe:
            os.set_blocking(self.pipe, False)
            return (pipe.read() or b"").decode()


def forked(work: Callable[[], Outcome], *, cpu_seconds: int | None, wall_seconds: float = 86_400) -> Fork:
    """Do `work` in a fork, quietly, and no longer than so much processor time and time.

    Its tests have a folder of their own: pytest deletes those of other processes when it ends.
    """
    folder = Path(tempfile.mkdtemp(prefix="m"))
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(writing)
        return Fork(pid, reading, time.monotonic() + wall_seconds, folder)
    code = 1
    try:
        os.close(reading)
        os.setpgid(0, 0)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if cpu_seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + (MEGABYTES << 20),) * 2)
        gc.freeze()
        failed = work()
        if failed is not None:
            os.write(writing, failed.encode())
        code = SURVIVED if failed is None else KILLED
    except BaseException as error:
        os.write(writing, f"{type(error).__name__}: {error}"[:1_000].encode())
        raise
    finally:
        os._exit(code)


def run_items(items: Sequence[pytest.Item], following: Sequence[pytest.Item] = ()) -> Outcome:
    """Run tests until one fails, and return which. `following` is the test for which shared fixtures are kept.

    One that hangs fails at its limit, as it does in `make test`.
    """
    for number, item in enumerate(items):
        after = (*items[number + 1 :], *following)
        with _limited():
            reports = runtestprotocol(item, log=False, nextitem=after[0] if after else None)
        if any(report.failed for report in reports):
            item.session._setupstate.teardown_exact(after[0] if following else None)
            return item.nodeid
    return None


@contextmanager
def _limited() -> Iterator[None]:
    """Interrupt a test at its limit of time, and the fixtures that then hang too.

    The plugin `time_limit` sets a watchdog of `faulthandler` as well, which a fork of a test cannot set.
    """

    from tests import time_limit  # not above: it imports Hypothesis, whose plugin pytest is to import

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise time_limit.TookTooLong

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, time_limit.LIMIT_SECONDS, time_limit.AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
