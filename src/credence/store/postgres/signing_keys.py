"""Signing keys and sealed secrets in a PostgreSQL store (D13)."""

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import CHANGE_NOTICE_MS, Conflict, Store
from credence.store.postgres.connections import Connections
from credence.store.postgres.log import Log
from credence.store.signing_keys import SigningKeyRow, private_key_name

_COLUMNS = ", ".join(SigningKeyRow.__struct_fields__)
_PLACES = ", ".join(["%s"] * len(SigningKeyRow.__struct_fields__))

_SECRET = "SELECT sealed FROM sealed_secrets WHERE name = %s"  # noqa: S105 - a statement, as the others are
_SECRETS = "SELECT name, sealed FROM sealed_secrets"
_ADD_SECRET = "INSERT INTO sealed_secrets (name, sealed) VALUES (%s, %s)"  # noqa: S105
_PROPOSE = f"{_ADD_SECRET} ON CONFLICT DO NOTHING RETURNING 1"
_FORGET = "DELETE FROM sealed_secrets WHERE name = %s RETURNING 1"
_LOCK_SECRETS = "SELECT 1 FROM sealed_secrets WHERE name = ANY(%s::text[]) ORDER BY name FOR UPDATE"
_RESEAL = "UPDATE sealed_secrets SET sealed = %s WHERE name = %s AND sealed = %s"

_KEYS = f"SELECT {_COLUMNS} FROM signing_keys ORDER BY signs_from, kid"  # noqa: S608 - constants, here and below
_LOCK_KEYS = "LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE"
_NEWEST = "SELECT kid FROM signing_keys WHERE algorithm = %s ORDER BY signs_from DESC, kid DESC LIMIT 1"
_ADD_KEY = f"INSERT INTO signing_keys ({_COLUMNS}) VALUES ({_PLACES})"  # noqa: S608
_LOG = "SELECT log_change('key', %s, %s)"

_ADVANCE = """
WITH changed AS (
    UPDATE signing_keys SET signs_from = %(from)s
    WHERE kid = %(kid)s AND revoked_at IS NULL AND signs_from > %(from)s RETURNING kid
)
SELECT log_change('key', kid, %(until)s) FROM changed
"""

# The log is written last (`log_change`), so the private half is deleted before: `reseal` locks secrets first as well.
_WITHOUT_PRIVATE_HALF = """
gone AS (DELETE FROM sealed_secrets USING changed WHERE name = %(private)s RETURNING 1)
SELECT log_change('key', kid, %(until)s) FROM changed CROSS JOIN (SELECT count(*) FROM gone) AS done
"""
_REVOKE = f"""
WITH changed AS (
    UPDATE signing_keys SET revoked_at = %(at)s WHERE kid = %(kid)s AND revoked_at IS NULL RETURNING kid
), {_WITHOUT_PRIVATE_HALF}
"""  # noqa: S608
_DROP = f"WITH changed AS (DELETE FROM signing_keys WHERE kid = %(kid)s RETURNING kid), {_WITHOUT_PRIVATE_HALF}"  # noqa: S608


class PostgresSigningKeys(Store):
    """The part of the PostgreSQL store that holds signing keys and sealed secrets."""

    _connections: Connections
    _log: Log

    @override
    async def sealed_secret(self, name: str, proposal: bytes) -> bytes:
        found = await self._connections.one(_SECRET, (name,))
        if found is None:
            await self._connections.rows(_PROPOSE, (name, proposal))
            found = await self._connections.one(_SECRET, (name,))
        if found is None:
            raise Conflict("sealed secrets")
        return bytes(found[0])

    @override
    async def sealed_secrets(self) -> dict[str, bytes]:
        return {name: bytes(sealed) for name, sealed in await self._connections.rows(_SECRETS)}

    @override
    async def reseal(self, secrets: dict[str, tuple[bytes, bytes]], at: Milliseconds) -> None:
        async with self._connections.transaction() as connection:
            await connection.execute(_LOCK_SECRETS, (list(secrets),))
            for name, (old, new) in secrets.items():
                if (await connection.execute(_RESEAL, (new, name, old))).rowcount != 1:
                    raise Conflict("sealed secrets")
            logged = await (await connection.execute(_LOG, ("", at + CHANGE_NOTICE_MS))).fetchone()
        if logged is not None:
            self._log.note(logged[0])

    @override
    async def delete_sealed_secret(self, name: str) -> None:
        await self._connections.rows(_FORGET, (name,))

    @override
    async def signing_keys(self) -> list[SigningKeyRow]:
        return [SigningKeyRow(*row) for row in await self._connections.rows(_KEYS)]

    @override
    async def add_signing_key(self, key: SigningKeyRow, sealed: bytes, after: str | None, at: Milliseconds) -> None:
        """See `Store.add_signing_key`. A concurrent call waits for the result of this one."""
        async with self._connections.transaction() as connection:
            await connection.execute(_LOCK_KEYS)
            newest = await (await connection.execute(_NEWEST, (key.algorithm,))).fetchone()
            if (newest[0] if newest else None) != after:
                return
            await connection.execute(_ADD_KEY, msgspec.structs.astuple(key))
            await connection.execute(_ADD_SECRET, (private_key_name(key.kid), sealed))
            logged = await (await connection.execute(_LOG, (key.kid, at + CHANGE_NOTICE_MS))).fetchone()
        if logged is not None:
            self._log.note(logged[0])

    @override
    async def advance_signing_key(self, kid: str, signs_from: Milliseconds, at: Milliseconds) -> bool:
        return await self._log.change(_ADVANCE, {"from": signs_from, "kid": kid, "until": at + CHANGE_NOTICE_MS})

    @override
    async def revoke_signing_key(self, kid: str, at: Milliseconds) -> bool:
        return await self._log.change(_REVOKE, {"kid": kid, "at": at, **_log_values(kid, at)})

    @override
    async def delete_signing_key(self, kid: str, at: Milliseconds) -> None:
        await self._log.change(_DROP, {"kid": kid, **_log_values(kid, at)})


def _log_values(kid: str, at: Milliseconds) -> dict[str, object]:
    return {"private": private_key_name(kid), "until": at + CHANGE_NOTICE_MS}
