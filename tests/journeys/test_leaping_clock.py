"""A machine whose clock runs ahead for a moment, with the real server (threats T11, I2)."""

import sysconfig
from pathlib import Path

import pytest

from credence.clock import system_clock
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from tests.metrics import figure
from tests.ports import free_port
from tests.running import PROGRAM, RunningServer, start
from tests.waiting import wait_until

LIBRARY = Path("/usr/lib") / str(sysconfig.get_config_var("MULTIARCH")) / "faketime" / "libfaketime.so.1"

NOTICED_WITHIN = 30.0
"""Seconds: the cleaner runs every ten."""

REQUEST_ID = "0123456789abcdef-1"


class Machine:
    """A server whose wall clock the test sets; its monotonic clock is the kernel's."""

    def __init__(self, folder: Path) -> None:
        self._offset = folder / "offset"
        self._metrics = free_port()
        self.set("+0")
        self.server = start(
            folder / "data",
            folder / "output.txt",
            "--http",
            program=PROGRAM,
            LD_PRELOAD=str(LIBRARY),
            CREDENCE_METRICS_PORT=str(self._metrics),
            FAKETIME_TIMESTAMP_FILE=str(self._offset),
            FAKETIME_NO_CACHE="1",
            FAKETIME_DONT_FAKE_MONOTONIC="1",
        )

    def set(self, ahead: str) -> None:
        self._offset.write_text(ahead)

    def events(self, name: str) -> int:
        return self.server.output.read_text().count(f'"event": "{name}"')

    @property
    def leaped(self) -> bool:
        """What the metrics say."""
        return figure(self._metrics, "credence_clock_leaped") == 1


@pytest.mark.skipif(not LIBRARY.exists(), reason="missing: faketime")
def test_a_clock_that_runs_ahead_for_a_moment_revives_no_token_and_ends_no_login(tmp_path: Path) -> None:
    """Longer than access tokens and signing keys live: revocations were deleted, and the key was gone for good."""
    machine = Machine(tmp_path)
    server = machine.server
    try:
        kept, revoked = server.tokens(), server.tokens()
        assert server.client.post(
            "/oauth2/v1/revokeToken", headers=server.client_headers | {"token": revoked["access_token"]}
        ).is_success
        assert server.report(revoked["access_token"]).status_code == 401
        keys = server.client.get("/oauth2/v1/keys").json()
        assert not machine.leaped
        keep_request_of_another_process(server)
        machine.set("+200d")
        assert server.report(kept["access_token"]).status_code == 401
        wait_until(lambda: machine.events("clock_leaped") == 1, NOTICED_WITHIN)
        assert machine.leaped
        machine.set("+0")
        wait_until(lambda: machine.events("clock_leaped") == 2, NOTICED_WITHIN)
        assert server.report(revoked["access_token"]).status_code == 401
        assert server.report(kept["access_token"]).status_code == 200
        assert refreshed(server, kept["refresh_token"]) == 200
        assert server.client.get("/oauth2/v1/keys").json() == keys
        assert REQUEST_ID in server.command("log", REQUEST_ID).stdout
    finally:
        server.stop()


def keep_request_of_another_process(server: RunningServer) -> None:
    """Add a block to the request log that the server has not opened, as an earlier one of a deployment."""
    waiting, now = Waiting(()), system_clock()
    waiting.add((now, REQUEST_ID, None, "", "", "GET", "/v1/report", 200, 0.0015, "", "192.0.2.7", ""))
    log = LogFile(server.data_dir / "requests" / "requests.sqlite", 10, 7)
    log.write(waiting, waiting.take(), now)
    log.close()


def refreshed(server: RunningServer, refresh_token: str) -> int:
    fields = server.client_headers | {"grant_type": "refresh_token", "refresh_token": refresh_token}
    return server.client.post("/oauth2/v1/token", headers=fields).status_code
