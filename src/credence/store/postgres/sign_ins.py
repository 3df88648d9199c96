"""Sessions, sign-ins and consents in a PostgreSQL store (D27, D28)."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import SESSION_WITH_CONSENTS, session_with_consents
from credence.store.postgres.connections import Connection, Connections, Values
from credence.store.postgres.log import Log
from credence.store.postgres.sign_out_notices import add_notices_of_session
from credence.store.records import Account, TokenFamily
from credence.store.sign_ins import (
    Consent,
    Session,
    SignIn,
    sign_in_of,
)
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS

SESSION = ", ".join(Session.__struct_fields__)
SIGN_IN = ", ".join(SignIn.__struct_fields__)
CONSENT = ", ".join(Consent.__struct_fields__)
FAMILY = ", ".join(TokenFamily.__struct_fields__)

# The account stays locked until the commit: a change of it waits for this login, or this login sees it (threats L3). A row
# of the same version is the same row, so its document is parsed only after a change.
STANDING = """
SELECT 1 FROM accounts WHERE username = %s AND (version = %s OR (
    convert_from(document, 'UTF8')::json ->> 'password_version' = %s
    AND convert_from(document, 'UTF8')::json ->> 'status' = %s
    AND convert_from(document, 'UTF8')::json ->> 'not_before' = %s
)) FOR SHARE
"""

_READ = f"SELECT {SESSION} FROM sessions"  # noqa: S608 - constants, here and below
_READ_WITH_CONSENTS = (
    f"SELECT {SESSION_WITH_CONSENTS} FROM sessions LEFT JOIN consents USING (username) "  # noqa: S608
    "WHERE key = %s ORDER BY client_id"
)
_INSERT = f"INSERT INTO sessions ({SESSION}) VALUES (%s, %s, %s, %s, %s, %s, %s)"  # noqa: S608
_SIGN_INS = f"SELECT {SIGN_IN} FROM sign_ins"  # noqa: S608
_ADD_SIGN_IN = f"INSERT INTO sign_ins ({SIGN_IN}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"  # noqa: S608
_FAMILIES = f"SELECT {FAMILY} FROM families WHERE id = ANY(%s::bytea[])"  # noqa: S608
_CONSENTS = f"SELECT {CONSENT} FROM consents WHERE username = %s ORDER BY client_id"  # noqa: S608
_CONSENTS_TO = f"SELECT {CONSENT} FROM consents WHERE client_id = %s ORDER BY username LIMIT %s"  # noqa: S608
_SAVE_CONSENT = (
    f"INSERT INTO consents ({CONSENT}) VALUES (%s, %s, %s, %s, %s) ON CONFLICT (username, client_id) DO UPDATE "  # noqa: S608
    "SET scope = excluded.scope, terms = excluded.terms, granted_at = excluded.granted_at RETURNING 1"
)
_MOVE = (
    "UPDATE sign_ins SET session = %s, sid = CASE WHEN sid = '' THEN substr(session, 1, 16) ELSE sid END "
    "WHERE session = %s"
)
_TOUCH = "UPDATE sessions SET last_seen_at = %s WHERE key = %s RETURNING 1"
_END_FAMILIES = "SELECT end_families(%s, %s, %s, %s)"
_OF_SESSION = "SELECT family_id FROM sign_ins WHERE session = %s AND offline = 0"
_OF_APPLICATION = "SELECT family_id FROM sign_ins WHERE username = %s AND client_id = %s"


_LOCK_ACCOUNT = """
SELECT convert_from(document, 'UTF8')::json ->> 'not_before' FROM accounts WHERE username = %s AND version = %s FOR UPDATE
"""
_DATED_AHEAD = """
WITH RECURSIVE used (client_id) AS (
    SELECT min(client_id) FROM families WHERE username = %(username)s
    UNION ALL
    SELECT (SELECT min(client_id) FROM families WHERE username = %(username)s AND client_id > used.client_id)
    FROM used WHERE used.client_id IS NOT NULL
)
SELECT id FROM families WHERE username = %(username)s AND created_at >= %(limit)s AND client_id IN (
    SELECT client_id FROM used JOIN applications USING (client_id)
    WHERE (convert_from(document, 'UTF8')::json ->> 'not_before')::bigint >= %(limit)s
)
"""
"""Finds the few applications of an account by as many look-ups in the index, however many logins it has."""


def standing(account: Account) -> tuple[str | int, ...]:
    """Return the parameters of `STANDING` for an account as it was read."""
    document = str(account.password_version), account.status, str(account.not_before)
    return account.username, account.version, *document


async def open_session(connections: Connections, session: Session, account: Account, replaces: bytes | None) -> None:
    """Store the session in place of the one that it replaces; Conflict if the account has changed."""
    async with connections.transaction() as connection:
        if not await (await connection.execute(STANDING, standing(account))).fetchall():
            raise Conflict("session")
        await connection.execute(_INSERT, msgspec.structs.astuple(session))
        if replaces is not None:
            await connection.execute(_MOVE, (session.key, replaces))
            await connection.execute("DELETE FROM sessions WHERE key = %s", (replaces,))


async def session(connections: Connections, key: bytes) -> Session | None:
    """Return the session with this key."""
    row = await connections.one(f"{_READ} WHERE key = %s", (key,))
    return Session(*row) if row else None


async def sessions_of(connections: Connections, username: str) -> list[Session]:
    """Return the sessions of an account, the newest first."""
    rows = await connections.rows(f"{_READ} WHERE username = %s ORDER BY signed_in_at DESC, key", (username,))
    return [Session(*row) for row in rows]


async def touch_session(connections: Connections, key: bytes, last_seen_at: Milliseconds) -> None:
    """Store when a session was last used."""
    await connections.rows(_TOUCH, (last_seen_at, key))


async def end_session(connections: Connections, log: Log, key: bytes, at: Milliseconds) -> bool:
    """Delete the session and revoke its token families without `offline_access`; return False if it does not exist."""
    async with connections.transaction() as connection:
        gone = await (await connection.execute("DELETE FROM sessions WHERE key = %s RETURNING 1", (key,))).fetchall()
        if gone:
            await add_notices_of_session(connection, key, at)
        number = await _end_families(connection, _OF_SESSION, (key,), at, "session_ended") if gone else None
    if number is not None:
        log.note(number)
    return bool(gone)


async def add_sign_in(connection: Connection, sign_in: SignIn) -> None:
    """Store how a family was opened; Conflict if its session has ended and the family does not outlive it."""
    if not sign_in.offline:
        locked = await connection.execute("SELECT 1 FROM sessions WHERE key = %s FOR SHARE", (sign_in.session,))
        if not await locked.fetchall():
            raise Conflict("session")
    *values, offline, sid = msgspec.structs.astuple(sign_in)
    await connection.execute(_ADD_SIGN_IN, (*values, int(offline), sid))


async def sign_in(connections: Connections, family_id: bytes) -> SignIn | None:
    """Return how a family was opened in a browser."""
    row = await connections.one(f"{_SIGN_INS} WHERE family_id = %s", (family_id,))
    return sign_in_of(row) if row else None


async def sign_ins_of(connections: Connections, username: str) -> list[SignIn]:
    """Return the sign-ins of an account."""
    rows = await connections.rows(f"{_SIGN_INS} WHERE username = %s ORDER BY family_id", (username,))
    return [sign_in_of(row) for row in rows]


async def save_consent(connections: Connections, consent: Consent) -> None:
    """Store a consent in place of an earlier one."""
    await connections.rows(_SAVE_CONSENT, msgspec.structs.astuple(consent))


async def consents_of(connections: Connections, username: str) -> list[Consent]:
    """Return the consents of an account."""
    return [Consent(*row) for row in await connections.rows(_CONSENTS, (username,))]


async def withdraw_consent(connections: Connections, log: Log, username: str, client_id: str, at: Milliseconds) -> bool:
    """Delete the consent and end all families that the account opened for the application in a browser."""
    owner = (username, client_id)
    async with connections.transaction() as connection:
        deletion = "DELETE FROM consents WHERE username = %s AND client_id = %s RETURNING 1"
        gone = await (await connection.execute(deletion, owner)).fetchall()
        number = await _end_families(connection, _OF_APPLICATION, owner, at, "consent_withdrawn")
    if number is not None:
        log.note(number)
    return bool(gone) or number is not None


async def end_logins_dated_ahead(connection: Connection, account: Account, at: Milliseconds) -> None:
    """End the logins that a later `not_before` of an account, stored next, does not reach. See `Store.save_account`."""
    version = account.username, account.version - 1
    row = await (
        await connection.execute(_LOCK_ACCOUNT, version)
    ).fetchone()  # a login that came first is seen after it
    if row is not None and account.not_before > int(row[0]):
        values = {"username": account.username, "limit": account.not_before}
        await _end_families(connection, _DATED_AHEAD, values, at, "before_not_before")


async def _end_families(
    connection: Connection, selection: str, values: Values, at: Milliseconds, because: str
) -> int | None:
    """End the families whose ids `selection` returns; return the number of the last log entry, None if no family ended."""
    ids = [family_id for (family_id,) in await (await connection.execute(selection.encode(), values)).fetchall()]
    if not ids:
        return None
    row = await (
        await connection.execute(_END_FAMILIES, (ids, at, because, MAX_ACCESS_TOKEN_SECONDS * 1000))
    ).fetchone()
    return row[0] if row else None


class PostgresSignIns(Store):
    """The part of the PostgreSQL store for sessions, sign-ins and consents."""

    _connections: Connections
    _log: Log

    @override
    async def open_session(self, session: Session, account: Account, replaces: bytes | None = None) -> None:
        await open_session(self._connections, session, account, replaces)

    @override
    async def session(self, key: bytes) -> Session | None:
        return await session(self._connections, key)

    @override
    async def session_with_consents(self, key: bytes) -> tuple[Session, list[Consent]] | None:
        return session_with_consents(await self._connections.rows(_READ_WITH_CONSENTS, (key,)))

    @override
    async def sessions_of(self, username: str) -> list[Session]:
        return await sessions_of(self._connections, username)

    @override
    async def touch_session(self, key: bytes, last_seen_at: Milliseconds) -> None:
        await touch_session(self._connections, key, last_seen_at)

    @override
    async def end_session(self, key: bytes, at: Milliseconds) -> bool:
        return await end_session(self._connections, self._log, key, at)

    @override
    async def sign_in(self, family_id: bytes) -> SignIn | None:
        return await sign_in(self._connections, family_id)

    @override
    async def sign_ins_of(self, username: str) -> list[SignIn]:
        return await sign_ins_of(self._connections, username)

    @override
    async def families_of(self, ids: Sequence[bytes]) -> list[TokenFamily]:
        return [TokenFamily(*row) for row in await self._connections.rows(_FAMILIES, (list(ids),))]

    @override
    async def save_consent(self, consent: Consent) -> None:
        await save_consent(self._connections, consent)

    @override
    async def consents_of(self, username: str) -> list[Consent]:
        return await consents_of(self._connections, username)

    @override
    async def consents_to(self, client_id: str, limit: int) -> list[Consent]:
        return [Consent(*row) for row in await self._connections.rows(_CONSENTS_TO, (client_id, limit))]

    @override
    async def withdraw_consent(self, username: str, client_id: str, at: Milliseconds) -> bool:
        return await withdraw_consent(self._connections, self._log, username, client_id, at)
