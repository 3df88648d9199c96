"""A real PostgreSQL for tests: a server of their own, or the one that `CREDENCE_TEST_POSTGRES` names, a database for each.

Its folder, its port and its user are its own: a server of the machine's packages is neither needed nor touched.
"""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.ports import free_port

GIVEN = "CREDENCE_TEST_POSTGRES"
"""Names the address of a server in which tests may make databases."""

INSTALLED = "/usr/lib/postgresql"
"""Where Debian puts the programs, a folder a version."""

STARTED_WITHIN = 30
"""Seconds."""

STOPPED_WITH_US = 'read -r _; exec "$0" stop -m immediate -s -D "$1"'
"""What waits beside a server: its standard input ends when the process of the tests does, however that ends."""

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder inside it has a name of its own
"""A file system in memory. A fresh database has some 300 files, and ext4 makes and deletes them several times slower."""

ROOM = 1 << 30
"""Octets that must be free there: a container may have much less, and a cluster of the tests needs some 100 MB."""

PASSWORD = "canary-of-the-store"


class PostgresServer:
    """A server that can be stopped, killed, frozen and started again on the same port and the same folder."""

    def __init__(self, folder: Path, copy_of: "PostgresServer | None" = None, **settings: str) -> None:
        """Make a cluster in `folder`. `settings` go before those every test gets; `fsync` stays on unless told.

        With `copy_of` it is a standby of that server, which calls it `standby` and runs.
        """
        self.folder = folder
        self.port = free_port()
        self._guard: subprocess.Popen[bytes] | None = None
        self._settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(folder), **settings}
        folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        if copy_of is not None:
            leader = f"host=127.0.0.1 port={copy_of.port} user=credence password={PASSWORD} application_name=standby"
            self._run(
                *("pg_basebackup", f"--pgdata={self.data}", "--write-recovery-conf"),
                *("--checkpoint=fast", "--no-sync", "-d", leader),
            )
            return
        _run(["cp", "--archive", str(_unused_cluster()), str(self.data)])

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        """The address of the database `postgres`, which no test changes."""
        return f"postgresql://credence:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    @property
    def process_id(self) -> int:
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it and return once it answers."""
        options = " ".join(f"-c {name}={value}" for name, value in {"port": str(self.port), **self._settings}.items())
        self._watch()
        self._control("start", "-o", options, "-l", str(self.folder / "log"), "-t", str(STARTED_WITHIN))

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` ends conversations first, `immediate` is a crash."""
        if (self.data / "postmaster.pid").exists() and is_there(self.process_id):
            try:
                self._control("stop", "-m", mode)
            except AssertionError:
                if (self.data / "postmaster.pid").exists():  # else it ended by itself in the meantime
                    raise
        self._unwatch()

    def kill(self) -> None:
        """End every process at once, as a machine does that loses its power, and return when they have gone."""
        processes = self.processes()
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(is_there(process) for process in processes):
            time.sleep(0.01)

    def promote(self) -> None:
        """Let a standby take writes; return when it does."""
        self._control("promote")

    def restart(self) -> None:
        self.stop()
        self.start()

    def frozen(self) -> "Frozen":
        """Let every process of the server stand still for a while, as one that is much too slow."""
        return Frozen(self)

    def processes(self) -> list[int]:
        """The server's own process and those it started."""
        first = self.process_id
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return [first, *(int(child) for child in children)]

    def _watch(self) -> None:
        """Let the server not outlive this process, which a signal may end before any test can clean up."""
        self._unwatch()
        guard = ["sh", "-c", STOPPED_WITH_US, str(program("pg_ctl")), str(self.data)]
        self._guard = subprocess.Popen(
            unprivileged(guard),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # what ends the tests' whole group must not end it too
        )

    def _unwatch(self) -> None:
        if self._guard is not None:
            self._guard.kill()
            self._guard.communicate()
            self._guard = None

    def _control(self, action: str, *options: str) -> None:
        self._run("pg_ctl", action, "-w", "-s", "-D", str(self.data), *options)

    def _run(self, name: str, *options: str) -> None:
        _run([str(program(name)), *options], self.folder / "log")


def _run(command: list[str], log: Path | None = None) -> None:
    """Run a command to its end; raises AssertionError with what it said and with the log if it fails."""
    done = subprocess.run(
        unprivileged(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd="/",
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr.decode() + (log.read_text() if log and log.exists() else ""))


@cache
def _unused_cluster() -> Path:
    """The data folder of a cluster that nobody starts, made once for a process: to copy it costs a tenth of `initdb`."""
    kept = ExitStack()
    folder = kept.enter_context(open_folder())
    atexit.register(kept.close)
    password = folder / "password"
    password.write_text(PASSWORD)
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
        shutil.chown(password, "postgres")
    _run(
        [
            *(str(program("initdb")), "--auth=scram-sha-256", "--username=credence", f"--pwfile={password}"),
            *("--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions", "--no-sync", f"--pgdata={folder / 'data'}"),
        ]
    )
    return folder / "data"


class Frozen:
    """Every process of a server, stopped while this is entered."""

    def __init__(self, server: PostgresServer) -> None:
        self._processes = server.processes()

    def __enter__(self) -> None:
        self._tell(signal.SIGSTOP)

    def __exit__(self, *_: object) -> None:
        self._tell(signal.SIGCONT)

    def _tell(self, what: signal.Signals) -> None:
        for process in self._processes:
            os.kill(process, what)


def is_there(process: int) -> bool:
    """Tell whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@contextmanager
def postgres_server(**settings: str) -> Iterator[PostgresServer]:
    """A running server; the test is skipped, and says so, where the programs are not installed."""
    if program("initdb") is None:
        pytest.skip("PostgreSQL is missing: python -m tests.provision")
    with open_folder() as folder:
        server = PostgresServer(folder / "server", None, **settings)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")


@contextmanager
def database(url: str, copy_of: str = "template0") -> Iterator[str]:
    """The address of a fresh database of the server at `url`, which goes at the end: empty, or a copy of another."""
    name = f"credence_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        create = SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE {}")
        connection.execute(create.format(Identifier(name), Identifier(copy_of)))
    try:
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter; that of a test is closed to them, and its path too long for a socket."""
    within = IN_MEMORY if IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free >= ROOM else None
    with tempfile.TemporaryDirectory(prefix="credence-", dir=within, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def unprivileged(command: list[str]) -> list[str]:
    """Return the command as it is run when root may not run it: as the user of Debian's package."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


def program(name: str) -> Path | None:
    """Return the program of this name, the newest if several versions of PostgreSQL have one; None where there is none."""
    found = sorted(Path(INSTALLED).glob(f"*/bin/{name}"), key=lambda path: int(path.parent.parent.name))
    if found:
        return found[-1]
    elsewhere = shutil.which(name)
    return Path(elsewhere) if elsewhere else None
