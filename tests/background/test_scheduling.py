"""Threads of a worker do not interrupt each other when they are woken (docs/adr/speed.md)."""

import os
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


def policy_after(chosen: int) -> int:
    """Return the policy of a process that began with `chosen`."""
    code = POLICY_AFTER.format(chosen=chosen)
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
