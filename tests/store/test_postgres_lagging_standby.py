"""A lagging standby returns old data. No node uses it, or a revoked token would be valid again."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from credence.store.contract import StoreUnavailable
from credence.store.postgres.store import open_postgres
from tests.postgres import PASSWORD, PostgresServer, postgres_server
from tests.store.records import DAY, NOW

LAG = "1h"


class Lagging:
    """A primary and a standby that has everything and applies nothing of the last hour."""

    def __init__(self, primary: PostgresServer, standby: PostgresServer) -> None:
        self.primary = primary
        self.standby = standby

    def url(self, *servers: PostgresServer, options: str = "") -> str:
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
        return f"postgresql://credence:{PASSWORD}@{hosts}/postgres{options}"

    def revoked_in(self, server: PostgresServer) -> list[str]:
        with psycopg.connect(server.url) as connection:
            rows = connection.execute("SELECT subject FROM changes WHERE kind = 'token' ORDER BY sequence").fetchall()
        return [subject for (subject,) in rows]


@pytest.fixture(scope="module")
def lagging() -> Iterator[Lagging]:
    async def make_store(url: str) -> None:
        await (await open_postgres(url)).close()

    with (
        postgres_server() as primary,
        tempfile.TemporaryDirectory(prefix="credence-standby-", ignore_cleanup_errors=True) as folder,
    ):
        Path(folder).chmod(0o755)
        asyncio.run(make_store(primary.url))
        standby = PostgresServer(Path(folder) / "server", copy_of=primary, recovery_min_apply_delay=LAG)
        standby.start()
        try:
            yield Lagging(primary, standby)
        finally:
            standby.stop("immediate")


@pytest.mark.parametrize("options", ["", "?target_session_attrs=primary"])
async def test_of_two_servers_the_primary_is_used_in_either_order_of_their_names(
    lagging: Lagging, options: str
) -> None:
    """The revocation is read from the primary while the standby, named first, does not know it yet."""
    token = f"a.{len(options)}"

    node = await open_postgres(lagging.url(lagging.standby, lagging.primary, options=options))
    try:
        await node.revoke_token(token, NOW + DAY)
        for _ in range(20):
            read = await asyncio.gather(*(node.changes(0) for _ in range(20)))  # over every connection it has
            assert all(token in [change.subject for change in changes] for changes in read)
    finally:
        await node.close()
    assert token in lagging.revoked_in(lagging.primary)
    assert token not in lagging.revoked_in(lagging.standby)


def test_a_standby_alone_is_refused_with_the_reason(lagging: Lagging) -> None:
    with pytest.raises(StoreUnavailable, match="session is read-only"):
        asyncio.run(open_postgres(lagging.url(lagging.standby)))


@pytest.mark.parametrize("kind", ["any", "read-only", "standby", "prefer-standby"])
def test_an_address_that_would_lead_to_a_standby_is_refused(lagging: Lagging, kind: str) -> None:
    address = lagging.url(lagging.standby, options=f"?target_session_attrs={kind}")
    with pytest.raises(ValueError, match="target_session_attrs") as refused:
        asyncio.run(open_postgres(address))
    assert PASSWORD not in str(refused.value)
