"""What becomes of the processes (threats F1, F8)."""

import os
import signal
import time

import httpx

from tests.conftest import StartServer


def test_a_worker_does_not_outlive_the_process_that_started_it(start_server: StartServer) -> None:
    """A killed master leaves the port free for the next."""
    server = start_server()
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            server.client.get("/livez")
        except httpx.TransportError:
            return
        time.sleep(0.05)
    raise AssertionError("the worker still answers")


def test_a_server_told_to_stop_ends_by_itself_without_an_error(start_server: StartServer) -> None:
    server = start_server()
    server.tokens()
    server.client.close()
    assert server.stop() == 0
    assert "Traceback" not in server.output.read_text()
