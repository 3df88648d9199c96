"""PostgreSQL that fails over by itself: Patroni, etcd and HAProxy from Debian's packages, all on loopback.

Replication is synchronous and strict: a commit is answered when a standby has it, and waits while there is none.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import httpx

from tests.ports import free_port
from tests.postgres import PASSWORD, program

PROGRAMS = {"patroni": "patroni", "etcd": "etcd-server", "haproxy": "haproxy", "initdb": "postgresql"}
"""Program -> Debian package that holds it."""

LEASE = 7
"""Seconds for which a leader that is not heard of keeps its place: what a machine that dies costs."""

STARTED_WITHIN = 60.0
"""Seconds, each member copied from the first."""


def missing() -> list[str]:
    """Return the packages that must be installed first."""
    return [package for name, package in PROGRAMS.items() if program(name) is None]


class Place(Protocol):
    """Where a program runs: an address, and what a command begins with that runs there."""

    @property
    def address(self) -> str: ...

    @property
    def inside(self) -> list[str]: ...


@dataclass(frozen=True)
class Here:
    """This machine, by its loopback address."""

    address: str = "127.0.0.1"

    @property
    def inside(self) -> list[str]:
        return []


Standby = Literal["strict", "synchronous", "asynchronous"]
"""Whether commits wait for a standby: always, while there is one, or never."""


class Member:
    """One PostgreSQL with the Patroni that looks after it: a machine, as far as a fail-over goes."""

    def __init__(
        self, folder: Path, name: str, etcd: Sequence[str], place: Place | None = None, standby: Standby = "strict"
    ) -> None:
        self.folder, self.name, self._place, self._standby = folder / name, name, place or Here(), standby
        self.port, self.api = free_port(), free_port()
        self.folder.mkdir()
        configuration = self.folder / "patroni.json"
        configuration.write_text(json.dumps(self._configuration(etcd)))
        give(self.folder)
        self._patroni: subprocess.Popen[bytes] | None = None

    @property
    def is_primary(self) -> bool:
        return self._asked("/primary")

    @property
    def is_synchronous(self) -> bool:
        return self._asked("/sync")

    @property
    def is_replica(self) -> bool:
        return self._asked("/replica")

    @property
    def has_standby(self) -> bool:
        """Whether it is the primary, and a standby follows it."""
        try:
            state = httpx.get(f"http://{self._place.address}:{self.api}/patroni", timeout=2, trust_env=False).json()
        except httpx.HTTPError:
            return False
        return self.is_primary and any(each["state"] == "streaming" for each in state.get("replication", ()))

    @property
    def words(self) -> str:
        """The last that it said, for who must find out what is wrong."""
        return f"{self.name}:\n" + (self.folder / "patroni.log").read_text()[-3_000:]

    def start(self) -> None:
        self._patroni = run_as_postgres(["patroni", str(self.folder / "patroni.json")], self.folder, self._place.inside)

    def kill(self, *, machine: bool) -> None:
        """End PostgreSQL as a crash does; with `machine` Patroni first, so that nobody can say that it went."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        if machine and self._patroni is not None:
            os.killpg(self._patroni.pid, signal.SIGKILL)
            self._patroni.wait()
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with_signal(process, signal.SIGKILL)

    def revive(self) -> None:
        """Start Patroni again if it was killed; it brings PostgreSQL back as a standby, rewound as far as it must be."""
        if self._patroni is None or self._patroni.poll() is not None:
            self.start()

    def end(self) -> None:
        if self._patroni is not None and self._patroni.poll() is None:
            os.killpg(self._patroni.pid, signal.SIGKILL)
            self._patroni.wait()
        if (self.folder / "data" / "postmaster.pid").exists():
            self.kill(machine=False)

    def _asked(self, path: str) -> bool:
        try:
            return (
                httpx.get(f"http://{self._place.address}:{self.api}{path}", timeout=2, trust_env=False).status_code
                == 200
            )
        except httpx.HTTPError:
            return False

    def _configuration(self, etcd: Sequence[str]) -> dict[str, Any]:
        address = self._place.address
        everywhere = {"listen_addresses": address, "unix_socket_directories": str(self.folder)}
        password = {"password": PASSWORD}
        return {
            "scope": "credence",
            "name": self.name,
            "restapi": {"listen": f"{address}:{self.api}", "connect_address": f"{address}:{self.api}"},
            "etcd3": {"hosts": list(etcd)},
            "bootstrap": {
                "dcs": {
                    "ttl": LEASE,
                    "loop_wait": 1,
                    "retry_timeout": 3,
                    "primary_start_timeout": 0,  # a crash is a fail-over, not a wait for recovery
                    "synchronous_mode": self._standby != "asynchronous",
                    "synchronous_mode_strict": self._standby == "strict",
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {"wal_log_hints": "on", "max_connections": 100},
                    },
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, {"auth": "scram-sha-256"}],
            },
            "postgresql": {
                "listen": f"{address}:{self.port}",
                "connect_address": f"{address}:{self.port}",
                "data_dir": str(self.folder / "data"),
                "bin_dir": str(_programs()),
                "pgpass": str(self.folder / "pgpass"),
                "parameters": everywhere,
                "pg_hba": [
                    "local all all scram-sha-256",
                    "host all all all scram-sha-256",
                    "host replication all all scram-sha-256",
                ],
                "authentication": {
                    "superuser": {"username": "credence", **password},
                    "replication": {"username": "replicator", **password},
                },
            },
        }


class Patroni:
    """Three members behind one address that leads to whichever is the primary."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._etcd, self._port = free_port(), free_port()
        self._helpers: list[subprocess.Popen[bytes]] = []
        self.members = [Member(folder, f"member{number}", [f"127.0.0.1:{self._etcd}"]) for number in range(3)]

    @property
    def through_proxy(self) -> str:
        """The address at HAProxy, which knows the primary."""
        return f"postgresql://credence:{PASSWORD}@127.0.0.1:{self._port}/postgres"

    @property
    def direct(self) -> str:
        """Every member in one address; libpq finds the one that takes writes."""
        hosts = ",".join(f"127.0.0.1:{member.port}" for member in self.members)
        return f"postgresql://credence:{PASSWORD}@{hosts}/postgres?target_session_attrs=read-write"

    @property
    def primary(self) -> Member | None:
        return next((member for member in self.members if member.is_primary), None)

    def start(self) -> None:
        """Return once there is a primary and a standby that it waits for."""
        clients, peers = f"http://127.0.0.1:{self._etcd}", f"http://127.0.0.1:{free_port()}"
        store = self._folder / "etcd"
        self._helpers.append(
            run_as_postgres(
                [
                    *("etcd", "--name", "only", "--data-dir", str(store)),
                    *("--listen-client-urls", clients, "--advertise-client-urls", clients),
                    *("--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers),
                    *("--initial-cluster", f"only={peers}"),
                ],
                self._folder,
            )
        )
        for member in self.members:
            member.start()
        self._helpers.append(run_as_postgres(["haproxy", "-db", "-f", str(self._proxy())], self._folder))
        self.wait_until_redundant()

    def fail_over(self, *, machine: bool) -> None:
        """Kill the primary. Nothing is waited for."""
        primary = self.primary
        if primary is None:
            raise AssertionError("there is no primary to kill")
        primary.kill(machine=machine)

    def wait_until_redundant(self) -> None:
        """Return once every member is back and one standby has all that was acknowledged."""
        for member in self.members:
            member.revive()
        deadline = time.monotonic() + STARTED_WITHIN
        while not self._is_redundant():
            if time.monotonic() > deadline:
                raise AssertionError("the cluster is not redundant\n" + "\n".join(each.words for each in self.members))
            time.sleep(0.2)

    def _is_redundant(self) -> bool:
        replicas = [member for member in self.members if member.is_replica]
        synchronous = any(member.is_synchronous for member in replicas)
        return self.primary is not None and synchronous and len(replicas) == len(self.members) - 1

    def end(self) -> None:
        for member in self.members:
            member.end()
        for helper in self._helpers:
            os.killpg(helper.pid, signal.SIGKILL)
            helper.wait()

    def _proxy(self) -> Path:
        servers = "\n".join(
            f"  server {member.name} 127.0.0.1:{member.port} check port {member.api}" for member in self.members
        )
        file = self._folder / "haproxy.cfg"
        file.write_text(
            "defaults\n  mode tcp\n  timeout connect 2s\n  timeout client 10m\n  timeout server 10m\n"
            f"listen primary\n  bind 127.0.0.1:{self._port}\n  option httpchk OPTIONS /primary\n"
            "  http-check expect status 200\n"
            "  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n"
            f"{servers}\n"
        )
        return file


@contextmanager
def patroni(folder: Path) -> Iterator[Patroni]:
    """A running cluster in `folder`, which other users must be able to read."""
    cluster = Patroni(folder)
    give(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.end()


def with_signal(process: int, what: signal.Signals) -> None:
    """Send it to a process that may have gone already."""
    try:
        os.kill(process, what)
    except ProcessLookupError:
        return


def _programs() -> Path:
    found = program("initdb")
    if found is None:
        raise LookupError("PostgreSQL is not installed")
    return found.resolve().parent


def run_as_postgres(command: Sequence[str], folder: Path, inside: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """Start a program as the user PostgreSQL runs as, in a group of its own, its words beside it."""
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    with (folder / f"{command[0]}.log").open("ab") as log:
        return subprocess.Popen(
            [*inside, *as_user, *command],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def give(folder: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
