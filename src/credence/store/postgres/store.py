"""The store in PostgreSQL, shared by any number of nodes (threats §4). Each token operation is one round trip.

A conditional statement makes each decision and returns its result. A statement that also adds to the change log does both,
because the database writes the log (`log_change` in the schema).
"""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Clock, Milliseconds, system_clock
from credence.crypto import base64url
from credence.store.contract import CHANGE_NOTICE_MS, Conflict, Full, PoolUse
from credence.store.nodes import Nodes
from credence.store.postgres import buckets, expiring_rows, sign_ins
from credence.store.postgres.connections import Connection, Connections, is_storable
from credence.store.postgres.deliveries import PostgresDeliveries
from credence.store.postgres.documents import SAVE_ACCOUNT, SAVE_APPLICATION
from credence.store.postgres.factors import PostgresFactors
from credence.store.postgres.log import Log
from credence.store.postgres.migrations import migrate_postgres
from credence.store.postgres.monitoring import PostgresMonitoring
from credence.store.postgres.nodes import PostgresNodes
from credence.store.postgres.rotations import Rotations
from credence.store.postgres.running import PostgresStatements
from credence.store.postgres.shared_refusals import PostgresRefusals
from credence.store.postgres.sign_ins import PostgresSignIns
from credence.store.postgres.sign_out_notices import CONSTANTS
from credence.store.postgres.signals import PostgresSignals
from credence.store.postgres.signing_keys import PostgresSigningKeys
from credence.store.postgres.tallies import PostgresTallies
from credence.store.records import (
    AccessTokenParameters,
    Account,
    Application,
    Change,
    FamilyStatistics,
    ReportRead,
    StatusBlock,
    TokenFamily,
)
from credence.store.shared_refusals import SharedRefusals
from credence.store.sign_ins import SignIn
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS

_encode = msgspec.json.encode
_decode_application = msgspec.json.Decoder(Application).decode
_decode_account = msgspec.json.Decoder(Account).decode

_PLACES = ", ".join(["%s"] * len(TokenFamily.__struct_fields__))

# A lost answer is repeated from this row. The lock blocks no other transaction but is written to the WAL: the answer waits
# until a synchronous standby has it and everything before it, as the first answer would have (threats F4).
_READ_FAMILIES = f"SELECT {sign_ins.FAMILY} FROM families WHERE id < %s ORDER BY id DESC LIMIT %s"  # noqa: S608 - constants
_READ_FAMILY = f"SELECT {sign_ins.FAMILY} FROM families WHERE id = %s FOR KEY SHARE"  # noqa: S608 - constants, here and below

_OPEN_FAMILY = f"""
WITH standing AS ({sign_ins.STANDING})
INSERT INTO families ({sign_ins.FAMILY}) SELECT {_PLACES} FROM standing
WHERE NOT (%s AND EXISTS (SELECT 1 FROM factors WHERE username = %s AND kind <> 'recovery')) RETURNING 1
"""  # noqa: S608

_END_FAMILY = """
WITH ended AS (
    UPDATE families SET ended_at = %s, ended_because = %s WHERE id = %s AND ended_at IS NULL RETURNING expires_at
)
SELECT log_change('family', %s, expires_at + %s) FROM ended
"""
STATISTICS_SECONDS = 60.0
"""The deadline of the family statistics. Only commands request them, and the query blocks no writer."""

_STATISTICS_TIMEOUT = "SET LOCAL statement_timeout = '60s'"
_OWNED = "FROM applications WHERE owner_of_application(document) = %s AND owner_of_application(document) <> ''"

_STATISTICS = """
SELECT families.client_id, sign_ins.family_id IS NOT NULL AS signed_in,
       count(*) FILTER (WHERE families.ended_at IS NULL
           AND families.created_at >= (convert_from(applications.document, 'UTF8')::json ->> 'not_before')::bigint
           AND families.created_at >= (convert_from(accounts.document, 'UTF8')::json ->> 'not_before')::bigint),
       max(families.created_at)
FROM families JOIN applications USING (client_id) JOIN accounts USING (username)
LEFT JOIN sign_ins ON sign_ins.family_id = families.id
WHERE families.expires_at > %s
GROUP BY families.client_id, signed_in ORDER BY families.client_id, signed_in
"""
_REVOKE_TOKEN = "SELECT log_change('token', %s, %s)"  # noqa: S105 - a statement


async def open_postgres(address: str, clock: Clock = system_clock) -> "PostgresStore":
    """Connect to the database, bring its schema up to date and follow the change log. `clock` is the machine's clock.

    Raises StoreUnavailable if this fails, SchemaTooNew if the schema no longer supports this program.
    """
    connections = Connections(address)
    try:
        await migrate_postgres(address)
        await connections.open()
        log = Log(address, connections, clock)
        await log.open()
    except BaseException:
        await connections.close()
        raise
    return PostgresStore(connections, log)


class PostgresStore(
    PostgresStatements,
    PostgresTallies,
    PostgresSignIns,
    PostgresFactors,
    PostgresMonitoring,
    PostgresDeliveries,
    PostgresSignals,
    PostgresSigningKeys,
):
    """The store in one database, which any number of processes share."""

    def __init__(self, connections: Connections, log: Log) -> None:
        self._connections = connections
        self.seconds = connections.seconds
        self._log = log
        self._rotations = Rotations(connections)
        self._nodes = PostgresNodes(connections)
        self._refusals = PostgresRefusals(connections)

    @property
    @override
    def pool_use(self) -> PoolUse:
        return self._connections.use()

    @property
    @override
    def nodes(self) -> Nodes:
        return self._nodes

    @property
    @override
    def refusals(self) -> SharedRefusals:
        return self._refusals

    @override
    async def application(self, client_id: str) -> Application | None:
        document = await self._document("SELECT document FROM applications WHERE client_id = %s", client_id)
        return _decode_application(document) if document else None

    @override
    async def applications(self, after: str = "", limit: int | None = None) -> list[Application]:
        statement = "SELECT document FROM applications WHERE client_id > %s ORDER BY client_id LIMIT %s"
        rows = await self._connections.rows(statement, (after, limit))
        return [_decode_application(document) for (document,) in rows]

    @override
    async def applications_owned_by(self, username: str) -> list[Application]:
        statement = f"SELECT document {_OWNED} ORDER BY client_id"
        return [_decode_application(document) for (document,) in await self._connections.rows(statement, (username,))]

    @override
    async def save_application(self, application: Application, at: Milliseconds, most: int | None = None) -> None:
        async with self._connections.transaction() as connection:
            number = await _save(connection, SAVE_APPLICATION, application.client_id, application, at)
            if most is not None:
                # The saving has locked the head of the log until the commit: this counts all that came before.
                counted = await connection.execute(f"SELECT count(*) {_OWNED}", (application.owner,))
                if (await counted.fetchone() or (0,))[0] > most:
                    raise Full(application.owner)
        self._log.note(number)

    @override
    async def account(self, username: str) -> Account | None:
        document = await self._document("SELECT document FROM accounts WHERE username = %s", username)
        return _decode_account(document) if document else None

    @override
    async def accounts(self, after: str = "", limit: int | None = None) -> list[Account]:
        statement = "SELECT document FROM accounts WHERE username > %s ORDER BY username LIMIT %s"
        rows = await self._connections.rows(statement, (after, limit))
        return [_decode_account(document) for (document,) in rows]

    @override
    async def accounts_named(self, usernames: Sequence[str]) -> list[Account]:
        names = [username for username in usernames if is_storable(username)]
        statement = "SELECT document FROM accounts WHERE username = ANY(%s::text[])"
        return [_decode_account(document) for (document,) in await self._connections.rows(statement, (names,))]

    @override
    async def save_account(self, account: Account, at: Milliseconds) -> None:
        async with self._connections.transaction() as connection:
            if account.version > 1:
                await sign_ins.end_logins_dated_ahead(connection, account, at)
            number = await _save(connection, SAVE_ACCOUNT, account.username, account, at)
        self._log.note(number)

    @override
    async def open_family(
        self, family: TokenFamily, account: Account, sign_in: SignIn | None = None, *, unless_enrolled: bool = False
    ) -> None:
        values = (
            *sign_ins.standing(account),
            *msgspec.structs.astuple(family),
            unless_enrolled,
            account.username,
        )
        if sign_in is None:
            opened = await self._connections.one(_OPEN_FAMILY, values) is not None
        else:
            async with self._connections.transaction() as connection:
                opened = bool(await (await connection.execute(_OPEN_FAMILY, values)).fetchall())
                if opened:
                    await sign_ins.add_sign_in(connection, sign_in)
        if not opened:
            raise Conflict("family")

    @override
    async def family(self, family_id: bytes) -> TokenFamily | None:
        row = await self._connections.one(_READ_FAMILY, (family_id,))
        return TokenFamily(*row) if row else None

    @override
    async def families(self, before: bytes, limit: int) -> list[TokenFamily]:
        return [TokenFamily(*row) for row in await self._connections.rows(_READ_FAMILIES, (before, limit))]

    @override
    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        return await self._rotations.rotate(family_id, generation, parameters, not_before)

    @override
    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:
        subject = base64url.encode(family_id)
        if await self._log.change(_END_FAMILY, (at, because, family_id, subject, MAX_ACCESS_TOKEN_SECONDS * 1000)):
            return True
        await self.family(family_id)  # "already ended" is an answer as well, and waits for the standby
        return False

    @override
    async def family_statistics(self, now: Milliseconds) -> list[FamilyStatistics]:
        async with self._connections.transaction(STATISTICS_SECONDS) as connection:
            await connection.execute(_STATISTICS_TIMEOUT)
            return [FamilyStatistics(*row) for row in await (await connection.execute(_STATISTICS, (now,))).fetchall()]

    @override
    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        await self._log.change(_REVOKE_TOKEN, (jti, until))

    @override
    async def changes(self, after: int) -> list[Change]:
        return await self._log.after(after)

    @override
    async def acknowledged_changes(self, after: int) -> list[Change]:
        return await self._log.after(after, still_primary=True)

    @override
    def timeline(self) -> int:
        return self._log.timeline

    @override
    def change_marker(self) -> int:
        return self._log.change_marker

    @override
    def clock_offset(self) -> Milliseconds:
        return self._log.clock_offset

    @override
    async def consume_once(self, key: bytes, expires_at: Milliseconds) -> bool:
        return await expiring_rows.consume_once(self._connections, key, expires_at)

    @override
    async def open_status_blocks(self, block: StatusBlock, count: int) -> list[int]:
        return await expiring_rows.open_status_blocks(self._connections, block, count)

    @override
    async def status_blocks(self, first: int, last: int) -> list[tuple[int, StatusBlock]]:
        return await expiring_rows.status_blocks(self._connections, first, last)

    @override
    async def status_block_numbers(self) -> range:
        return await expiring_rows.status_block_numbers(self._connections)

    @override
    async def note_report_reads(self, reads: Sequence[ReportRead]) -> None:
        await expiring_rows.note_report_reads(self._connections, reads)

    @override
    async def report_reads(self, client_id: str, companies: Sequence[str]) -> dict[str, Milliseconds]:
        return await expiring_rows.report_reads(self._connections, client_id, companies)

    @override
    async def prepare(self, now: Milliseconds) -> None:
        await buckets.prepare(self._connections, now)

    @override
    async def sweep(self, now: Milliseconds, max_rows: int = 1_000) -> int:
        return await expiring_rows.sweep(self._connections, now, max_rows)

    @override
    async def check_writable(self) -> None:
        await self._connections.rows("UPDATE scratch SET count = count + 1 RETURNING 1")

    @override
    async def close(self) -> None:
        await self._rotations.close()
        await self._log.close()
        await self._connections.close()

    async def _document(self, statement: str, name: str) -> bytes | None:
        row = await self._connections.one(statement, (name,)) if is_storable(name) else None
        return row[0] if row else None


async def _save(
    connection: Connection, statements: tuple[str, str], name: str, document: Application | Account, at: Milliseconds
) -> int:
    """Store a document and return the number of its entry in the log; raises Conflict."""
    values = {
        "name": name,
        "version": document.version,
        "document": _encode(document),
        "until": at + CHANGE_NOTICE_MS,
        **CONSTANTS,
        "at": at,
        "limit": document.not_before,
    }
    row = await (await connection.execute(statements[document.version > 1].encode(), values)).fetchone()
    if row is None:
        raise Conflict(name)
    number: int = row[0]
    return number
