"""A PostgreSQL with a standby that every commit waits for, failed over by hand: no program beside PostgreSQL's own."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from tests.postgres import PASSWORD, PostgresServer, open_folder, postgres_server

PRIMARY = {"synchronous_standby_names": "standby", "synchronous_commit": "on"}


class Pair:
    """A primary, its standby and the address that names both: whichever takes writes is asked."""

    def __init__(self, primary: PostgresServer, standby: PostgresServer) -> None:
        self.primary = primary
        self.standby = standby

    @property
    def url(self) -> str:
        return (
            f"postgresql://credence:{PASSWORD}@127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
            "/postgres?target_session_attrs=read-write"
        )

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Let the standby hear nothing for a while; a primary that is killed meanwhile takes what it wrote with it."""
        with psycopg.connect(self.primary.url, autocommit=True) as connection:
            senders = connection.execute("SELECT pid FROM pg_stat_replication").fetchall()
        for (process,) in senders:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for (process,) in senders:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def fail_over(self) -> None:
        """Kill the primary and let the standby take its place, which it then holds alone."""
        self.primary.kill()
        self.standby.promote()


@contextmanager
def replicated(*, synchronous: bool = True) -> Iterator[Pair]:
    """A running pair; the test is skipped, and says so, where PostgreSQL is not installed."""
    with postgres_server(**(PRIMARY if synchronous else {})) as primary, open_folder() as folder:
        standby = PostgresServer(folder / "server", copy_of=primary)
        standby.start()
        try:
            yield Pair(primary, standby)
        finally:
            standby.stop("immediate")
