"""Threads of a worker do not interrupt each other when they are woken (docs/adr/speed.md)."""

import errno
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import StartServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has SCHED_BATCH")

POLICY_AFTER = """
import os
from credence.background.scheduling import let_threads_finish

os.sched_setscheduler(0, {chosen}, os.sched_param(0))
let_threads_finish()
print(os.sched_getscheduler(0))
"""


SET_SCHEDULER = {"x86_64": 144, "aarch64": 119}
"""Machine -> the number of the system call sched_setscheduler."""

REFUSING_KERNEL = """
import ctypes, os, struct

# seccomp(2): load the number of the system call, answer one of them with an error, allow all others
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, {call}), (0x06, 0, 0, 0x00050000 | {error}), (0x06, 0, 0, 0x7FFF0000)]
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
filter = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(program)))
control = ctypes.CDLL(None, use_errno=True).prctl
assert control(38, 1, 0, 0, 0) == 0 and control(22, 2, filter, 0, 0) == 0, os.strerror(ctypes.get_errno())
"""


@pytest.fixture(autouse=True)
def usual_policy() -> None:
    """Give this process the usual policy, which the programs it starts inherit: a test that ran `serve` in it changed it."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def policy_after(chosen: int) -> int:
    """Return the policy of a process that began with `chosen`."""
    return printed(POLICY_AFTER.format(chosen=chosen))


def printed(code: str) -> int:
    """Return the number that a process prints which runs this code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return int(done.stdout)


def test_every_thread_of_a_worker_lets_the_running_one_finish(start_server: StartServer) -> None:
    server = start_server()
    assert server.tokens()
    master = server.process.pid
    (worker,) = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    threads = [int(each.name) for each in Path(f"/proc/{worker}/task").iterdir()]
    assert {os.sched_getscheduler(thread) for thread in threads} == {os.SCHED_BATCH}


def test_the_usual_policy_stays_if_the_operator_wants_it(start_server: StartServer) -> None:
    server = start_server(CREDENCE_BATCH_SCHEDULING="false")
    assert os.sched_getscheduler(server.process.pid) == os.SCHED_OTHER


def test_a_process_with_the_usual_policy_gets_it() -> None:
    assert policy_after(os.SCHED_OTHER) == os.SCHED_BATCH


def test_a_policy_that_the_operator_has_chosen_stays() -> None:
    assert policy_after(os.SCHED_IDLE) == os.SCHED_IDLE


@pytest.mark.skipif(platform.machine() not in SET_SCHEDULER, reason="the number of the system call is not known")
@pytest.mark.parametrize("error", [errno.EPERM, errno.EINVAL, errno.ENOSYS], ids=errno.errorcode.get)
def test_a_kernel_that_refuses_the_policy_does_not_prevent_the_start(error: int) -> None:
    """Filters of container engines answer EPERM or ENOSYS, and gVisor, which knows no SCHED_BATCH, EINVAL."""
    refusing = REFUSING_KERNEL.format(call=SET_SCHEDULER[platform.machine()], error=error)
    unchanged = POLICY_AFTER.replace("os.sched_setscheduler(0, {chosen}, os.sched_param(0))\n", "")
    assert printed(refusing + unchanged) == os.SCHED_OTHER
