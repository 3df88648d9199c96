"""The PostgreSQL that tests start."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.postgres import is_there, program

OF_ITS_OWN = """
import time
from tests.postgres import postgres_server
with postgres_server() as server:
    print(server.process_id, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_does_not_outlive_the_tests_that_started_it(how: signal.Signals) -> None:
    if program("initdb") is None:
        pytest.skip("PostgreSQL is missing: python -m tests.provision")
    with subprocess.Popen(
        [sys.executable, "-c", OF_ITS_OWN], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    ) as tests:
        assert tests.stdout
        server = int(tests.stdout.readline())
        assert is_there(server)
        tests.send_signal(how)
    deadline = time.monotonic() + 30
    while is_there(server):
        assert time.monotonic() < deadline
        time.sleep(0.1)
