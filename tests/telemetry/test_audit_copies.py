"""Both trails go to other programs as well: real sockets receive them (threats F2, A11)."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from credence.telemetry.audit_chain import FIRST, digest
from credence.telemetry.audit_copies import AuditCopies
from tests.conftest import StartServer
from tests.deployment import OpenDeployment
from tests.running import run_command
from tests.waiting import wait_until

PATIENCE = 30.0


class Receiver:
    """Keeps what arrives on a socket."""

    def __init__(self, listening: socket.socket) -> None:
        self.received = b""
        self._listening = listening
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with suppress(OSError):
            while self._listening.type == socket.SOCK_DGRAM:
                self.received += self._listening.recv(65_536) + b"\n"
            while True:
                connection, _ = self._listening.accept()
                threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection: socket.socket) -> None:
        with connection:
            while piece := connection.recv(65_536):
                self.received += piece

    def events(self) -> list[str]:
        return [json.loads(line[line.index(b"{") :])["event"] for line in self.received.splitlines() if b"}" in line]


@contextmanager
def receiving(family: int, kind: int, address: object) -> Iterator[Receiver]:
    with socket.socket(family, kind) as listening:
        listening.bind(address)  # type: ignore[arg-type] # each family has its own
        if kind == socket.SOCK_STREAM:
            listening.listen()
        yield Receiver(listening)


async def test_deeds_and_refusals_reach_a_socket_with_their_links(
    open_deployment: OpenDeployment, tmp_path: Path
) -> None:
    path = tmp_path / "audit.socket"
    with receiving(socket.AF_UNIX, socket.SOCK_STREAM, str(path)) as receiver:
        deployment = await open_deployment(tmp_path / "data", audit_copies=(f"unix://{path}",))
        tokens = await deployment.tokens()
        assert (await deployment.revoke(tokens["refresh_token"])).status == 200
        assert (await deployment.send("GET", "/nowhere")).status == 404
        wait_until(lambda: sorted(receiver.events()) == ["refused", "revoked"], PATIENCE)
        folder = deployment.service.settings.audit_folder
        assert sorted(receiver.received.splitlines(keepends=True)) == sorted(
            (folder / name).read_bytes() for name in ("audit.jsonl", "refusals.jsonl")
        )
        (deed,) = (json.loads(line) for line in receiver.received.splitlines() if b"revoked" in line)
        assert deed["previous"] == FIRST
        assert digest((folder / "audit.jsonl").read_bytes())


def test_a_receiver_that_comes_later_is_told_what_it_missed(tmp_path: Path) -> None:
    path = tmp_path / "later.socket"
    copies = AuditCopies([f"unix://{path}"])
    assert copies.unavailable == 0
    copies.put(b'{"event":"a"}\n')
    wait_until(lambda: copies._writers[0].lost == 1 and copies.unavailable == 1, PATIENCE)
    with receiving(socket.AF_UNIX, socket.SOCK_STREAM, str(path)) as receiver:
        copies.put(b'{"event":"b"}\n')
        wait_until(lambda: receiver.events() == ["audit_copies_lost", "b"], PATIENCE)
        assert json.loads(receiver.received.splitlines()[0]) == {
            "event": "audit_copies_lost",
            "lines": 1,
            "destination": f"unix://{path}",
        }
        wait_until(lambda: copies.unavailable == 0, PATIENCE)
    copies.close(1)


def test_a_connection_that_was_closed_is_opened_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        copies = AuditCopies([f"tcp://127.0.0.1:{listening.getsockname()[1]}"])
        for event in (b'{"event":"a"}\n', b'{"event":"b"}\n'):
            copies.put(event)
            connection, _ = listening.accept()
            with connection:
                connection.settimeout(PATIENCE)
                assert connection.recv(100) == event
        copies.close(1)


def test_syslog_gets_a_message_for_each_line_as_rfc_5424_has_it() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(PATIENCE)
        copies = AuditCopies([f"syslog://127.0.0.1:{listening.getsockname()[1]}"])
        copies.put(b'{"event":"a"}\n{"event":"b"}\n')
        received = [listening.recv(65_536) for _ in range(2)]
        copies.close(1)
    assert received == [b'<110>1 - - credence - audit - {"event":"a"}', b'<110>1 - - credence - audit - {"event":"b"}']


def test_a_destination_that_never_reads_delays_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as deaf:
        copies = AuditCopies([f"tcp://127.0.0.1:{deaf.getsockname()[1]}"])
        began = time.monotonic()
        for _ in range(30_000):
            copies.put(b'{"event":"' + b"x" * 300 + b'"}\n')
        assert time.monotonic() - began < PATIENCE / 2
        copies.close(0.1)


def test_the_server_prints_both_trails_and_a_command_reaches_the_socket_but_not_its_own_output(
    start_server: StartServer, tmp_path: Path
) -> None:
    path = tmp_path / "a.socket"
    with receiving(socket.AF_UNIX, socket.SOCK_STREAM, str(path)) as receiver:
        server = start_server("--http", CREDENCE_AUDIT_COPIES=f"stdout, unix://{path}")
        server.client.get("/nowhere")
        wait_until(lambda: "refused" in receiver.events(), PATIENCE)
        wait_until(lambda: '"refusal":"not_found"' in server.output.read_text(), PATIENCE)
        done = server.command("account", "status", "demo", "suspended", "--json")
        assert done.returncode == 0
        json.loads(done.stdout)
        assert "operator" in receiver.events()


def test_server_and_commands_append_to_one_file_which_may_be_moved_away(
    start_server: StartServer, tmp_path: Path
) -> None:
    file = tmp_path / "copies.jsonl"
    server = start_server("--http", CREDENCE_AUDIT_COPIES=f"file://{file}")
    wait_until(lambda: file.exists() and b'"started"' in file.read_bytes(), PATIENCE)
    file.rename(tmp_path / "older.jsonl")
    assert server.command("account", "status", "demo", "suspended", "--json").returncode == 0
    assert [json.loads(line)["act"] for line in file.read_text().splitlines()] == ["account set"]
    server.client.get("/nowhere")
    wait_until(lambda: '"refusal":"not_found"' in file.read_text(), PATIENCE)
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "wrong", ["stderr", "tcp://host", "file://relative", "udp://host:1", "syslog://", "unix://relative", "tcp://h:1;x"]
)
def test_what_is_no_destination_is_refused_in_words(wrong: str) -> None:
    done = run_command("config", "check", CREDENCE_AUDIT_COPIES=wrong)
    assert done.returncode == 2
    assert "CREDENCE_AUDIT_COPIES is not valid: names stdout, syslog" in done.stderr
