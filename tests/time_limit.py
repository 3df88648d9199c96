"""A limit for each test: one that hangs fails, with the place where it waits, and the run goes on.

At the limit a signal raises an error in the main thread, which ends every wait of Python, of an event loop and of the
operating system; it is raised again a little later if fixtures then hang too. What never returns to Python, such as a loop
in C, is ended with its process after the stacks of all threads were printed. The run ends there, as it does when a process
crashes: xdist would give the same test to a new process, and to the next.
"""

import faulthandler
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator
from types import FrameType

import pytest

from tests.sweeps import LONG

LIMIT_SECONDS = float(os.environ.get("CREDENCE_TEST_LIMIT_SECONDS", "3600" if LONG else "300"))
"""How long a test with its fixtures may take on a busy machine."""

HEAVY = ("long", "when_changed")
"""The markers of tests that may take twelve times as long."""

AGAIN_SECONDS = LIMIT_SECONDS / 10
TIMES = 10
"""How often a test is interrupted before its process is ended."""

_stderr = os.dup(2)  # during a test pytest replaces the standard one
_phase = pytest.StashKey[str]()
_threads = pytest.StashKey[str]()
_died = pytest.StashKey[bool]()


class TookTooLong(BaseException):
    """A test has taken longer than the limit: no Exception, so that no test catches it and anyio cancels the test's task."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Interrupt the test at the limit, and again and again until it has ended."""
    limit = LIMIT_SECONDS * (12 if any(item.get_closest_marker(name) for name in HEAVY) else 1)

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        phase = item.stash.get(_phase, "")
        if phase:
            item.stash[_threads] = _other_threads()
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
        if phase:
            message = f"longer than {limit:g} s"
            # At the end of a fixture it is an outcome of pytest, which then ends the other fixtures too.
            raise TookTooLong(message) if phase == "call" else pytest.fail.Exception(message)

    before = signal.signal(signal.SIGALRM, interrupt)
    faulthandler.dump_traceback_later(limit + TIMES * AGAIN_SECONDS, exit=True, file=_stderr)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)


def _interruptible(phase: str) -> Callable[[pytest.Item], Generator[None, object, object]]:
    """Return the hook that lets this phase of a test be interrupted; between the phases pytest itself is at work."""

    @pytest.hookimpl(wrapper=True)
    def run_phase(item: pytest.Item) -> Generator[None, object, object]:
        item.stash[_phase] = phase
        try:
            return (yield)
        finally:
            item.stash[_phase] = ""
            if _threads in item.stash:
                gc.collect()  # tasks that were left complain now; amid the parse of a source that ends Python 3.11.7

    return run_phase


pytest_runtest_setup = _interruptible("setup")
pytest_runtest_call = _interruptible("call")
pytest_runtest_teardown = _interruptible("teardown")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that was interrupted, whatever became of the interruption, and print what other threads did."""
    report = yield
    if _threads in item.stash:
        report.sections.append(("Other threads at the limit of time", item.stash[_threads] or "none"))
        del item.stash[_threads]
        if report.passed:
            report.outcome = "failed"
            report.longrepr = "The test took longer than its limit"
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object | None) -> None:
    """Keep that a process of the run died."""
    if error is not None:
        node.config.stash[_died] = True  # type: ignore[attr-defined]  # xdist has no types


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say by the exit code that a run was cut short: it is not one of which a few tests failed."""
    if session.config.stash.get(_died, False):
        session.exitstatus = pytest.ExitCode.INTERNAL_ERROR


def _other_threads() -> str:
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(
        f"{names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
        for ident, frame in sys._current_frames().items()
        if ident != threading.main_thread().ident
    )
