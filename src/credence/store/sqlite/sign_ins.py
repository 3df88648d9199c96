"""Sessions, sign-ins and consents in a SQLite store (D27, D28)."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.people import SESSION_WITH_CONSENTS, session_with_consents
from credence.store.records import Account, TokenFamily
from credence.store.sign_ins import (
    Consent,
    Session,
    SignIn,
    sign_in_of,
)
from credence.store.sqlite.group_commit import GroupCommit
from credence.store.sqlite.sign_out_notices import add_notices_of_account, add_notices_of_session

SESSION = ", ".join(Session.__struct_fields__)
SIGN_IN = ", ".join(SignIn.__struct_fields__)
CONSENT = ", ".join(Consent.__struct_fields__)
FAMILY = ", ".join(TokenFamily.__struct_fields__)

READ_SESSION = f"SELECT {SESSION} FROM sessions WHERE key = ?"  # noqa: S608
READ_SESSION_WITH_CONSENTS = (
    f"SELECT {SESSION_WITH_CONSENTS} FROM sessions LEFT JOIN consents USING (username) "  # noqa: S608 - constants
    "WHERE key = ? ORDER BY client_id"
)
READ_SESSIONS = f"SELECT {SESSION} FROM sessions WHERE username = ? ORDER BY signed_in_at DESC, key"  # noqa: S608
READ_SIGN_IN = f"SELECT {SIGN_IN} FROM sign_ins WHERE family_id = ?"  # noqa: S608
READ_SIGN_INS = f"SELECT {SIGN_IN} FROM sign_ins WHERE username = ? ORDER BY family_id"  # noqa: S608
READ_CONSENTS = f"SELECT {CONSENT} FROM consents WHERE username = ? ORDER BY client_id"  # noqa: S608
READ_CONSENTS_TO = f"SELECT {CONSENT} FROM consents WHERE client_id = ? ORDER BY username LIMIT ?"  # noqa: S608

STANDING = (
    "EXISTS (SELECT 1 FROM accounts WHERE username = ? AND (version = ? OR "
    "(CAST(document AS TEXT) ->> 'password_version' = ? "
    "AND CAST(document AS TEXT) ->> 'status' = ? AND CAST(document AS TEXT) ->> 'not_before' = ?)))"
)
"""Whether the account is still as it was when the person proved who they are (threats L3). A row of the same version is the
same row, so its document is parsed only after a change."""

_OPEN = f"INSERT INTO sessions ({SESSION}) SELECT ?, ?, ?, ?, ?, ?, ? WHERE {STANDING} RETURNING 1"
_SIGN_IN = (
    f"INSERT INTO sign_ins ({SIGN_IN}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 "  # noqa: S608
    "WHERE ?7 OR EXISTS (SELECT 1 FROM sessions WHERE key = ?2) RETURNING 1"
)
_MOVE = (
    "UPDATE sign_ins SET session = ?1, sid = CASE WHEN length(sid) THEN sid ELSE substr(session, 1, 16) END "
    "WHERE session = ?2"
)
_CONSENT = f"INSERT OR REPLACE INTO consents ({CONSENT}) VALUES (?, ?, ?, ?, ?)"  # noqa: S608
_END = "UPDATE families SET ended_at = ?, ended_because = ? WHERE id = ? AND ended_at IS NULL RETURNING expires_at"

_NOT_BEFORE = "SELECT CAST(document AS TEXT) ->> 'not_before' FROM accounts WHERE username = ?"
_DATED_AHEAD = """
WITH RECURSIVE used (client_id) AS (
    SELECT min(client_id) FROM families WHERE username = :username
    UNION ALL
    SELECT (SELECT min(client_id) FROM families WHERE username = :username AND client_id > used.client_id)
    FROM used WHERE used.client_id IS NOT NULL
)
SELECT id FROM families WHERE username = :username AND created_at >= :limit AND client_id IN (
    SELECT client_id FROM used JOIN applications USING (client_id)
    WHERE CAST(document AS TEXT) ->> 'not_before' >= :limit
)
"""
"""Finds the few applications of an account by as many look-ups in the index, however many logins it has."""

_MOST_IDS = 1_000
"""Ids in one statement, whose number of parameters SQLite limits."""

LogEnd = Callable[[sqlite3.Connection, bytes, Milliseconds], None]
"""Logs the end of a family, given its id and the expiry of the log entry."""


def standing(account: Account) -> tuple[object, ...]:
    """Return the parameters of `STANDING` for an account as it was read."""
    return account.username, account.version, account.password_version, account.status, account.not_before


def open_session(connection: sqlite3.Connection, session: Session, account: Account, replaces: bytes | None) -> None:
    """Store the session in place of the one that it replaces; Conflict if the account has changed."""
    values = (*msgspec.structs.astuple(session), *standing(account))
    if connection.execute(_OPEN, values).fetchone() is None:
        raise Conflict("session")
    if replaces is not None:
        connection.execute(_MOVE, (session.key, replaces))
        connection.execute("DELETE FROM sessions WHERE key = ?", (replaces,))


def touch_session(connection: sqlite3.Connection, key: bytes, last_seen_at: Milliseconds) -> None:
    """Store when a session was last used."""
    connection.execute("UPDATE sessions SET last_seen_at = ? WHERE key = ?", (last_seen_at, key))


def end_session(connection: sqlite3.Connection, key: bytes, at: Milliseconds, log_end: LogEnd) -> bool:
    """Delete the session and revoke its token families without `offline_access`; return False if it does not exist."""
    if connection.execute("DELETE FROM sessions WHERE key = ? RETURNING 1", (key,)).fetchone() is None:
        return False
    add_notices_of_session(connection, key, at)
    found = connection.execute("SELECT family_id FROM sign_ins WHERE session = ? AND NOT offline", (key,)).fetchall()
    _end_families(connection, (family_id for (family_id,) in found), at, "session_ended", log_end)
    return True


def add_sign_in(connection: sqlite3.Connection, sign_in: SignIn) -> None:
    """Store how a family was opened; Conflict if its session has ended and the family does not outlive it."""
    if connection.execute(_SIGN_IN, msgspec.structs.astuple(sign_in)).fetchone() is None:
        raise Conflict("session")


def save_consent(connection: sqlite3.Connection, consent: Consent) -> None:
    """Store a consent in place of an earlier one."""
    connection.execute(_CONSENT, msgspec.structs.astuple(consent))


def withdraw_consent(
    connection: sqlite3.Connection, username: str, client_id: str, at: Milliseconds, log_end: LogEnd
) -> bool:
    """Delete the consent and end all families that the account opened for the application in a browser."""
    owner = (username, client_id)
    gone = connection.execute("DELETE FROM consents WHERE username = ? AND client_id = ? RETURNING 1", owner).fetchone()
    found = connection.execute("SELECT family_id FROM sign_ins WHERE username = ? AND client_id = ?", owner).fetchall()
    ended = _end_families(connection, (family_id for (family_id,) in found), at, "consent_withdrawn", log_end)
    return gone is not None or ended


def end_earlier_logins(connection: sqlite3.Connection, account: Account, at: Milliseconds, log_end: LogEnd) -> None:
    """Do what `Store.save_account` promises for a later `not_before`. Called before the account is stored."""
    row = connection.execute(_NOT_BEFORE, (account.username,)).fetchone()
    if row is None or account.not_before <= row[0]:
        return
    add_notices_of_account(connection, account, row[0], at)
    found = connection.execute(_DATED_AHEAD, {"username": account.username, "limit": account.not_before}).fetchall()
    _end_families(connection, (family_id for (family_id,) in found), at, "before_not_before", log_end)


def _end_families(
    connection: sqlite3.Connection, ids: Iterable[bytes], at: Milliseconds, because: str, log_end: LogEnd
) -> bool:
    any_ended = False
    for family_id in ids:
        row = connection.execute(_END, (at, because, family_id)).fetchone()
        if row is not None:
            log_end(connection, family_id, row[0])
            any_ended = True
    return any_ended


class SqliteSignIns(Store):
    """The part of the SQLite store for sessions, sign-ins and consents."""

    _writer: GroupCommit

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def _log_end(self, connection: sqlite3.Connection, family_id: bytes, expires_at: Milliseconds) -> None:
        raise NotImplementedError

    @override
    async def open_session(self, session: Session, account: Account, replaces: bytes | None = None) -> None:
        await self._writer.run(lambda connection: open_session(connection, session, account, replaces))

    @override
    async def session(self, key: bytes) -> Session | None:
        rows = self._read(READ_SESSION, key)
        return Session(*rows[0]) if rows else None

    @override
    async def session_with_consents(self, key: bytes) -> tuple[Session, list[Consent]] | None:
        return session_with_consents(self._read(READ_SESSION_WITH_CONSENTS, key))

    @override
    async def sessions_of(self, username: str) -> list[Session]:
        return [Session(*row) for row in self._read(READ_SESSIONS, username)]

    @override
    async def touch_session(self, key: bytes, last_seen_at: Milliseconds) -> None:
        await self._writer.run(lambda connection: touch_session(connection, key, last_seen_at))

    @override
    async def end_session(self, key: bytes, at: Milliseconds) -> bool:
        return await self._writer.run(lambda connection: end_session(connection, key, at, self._log_end))

    @override
    async def sign_in(self, family_id: bytes) -> SignIn | None:
        rows = self._read(READ_SIGN_IN, family_id)
        return sign_in_of(rows[0]) if rows else None

    @override
    async def sign_ins_of(self, username: str) -> list[SignIn]:
        return [sign_in_of(row) for row in self._read(READ_SIGN_INS, username)]

    @override
    async def families_of(self, ids: Sequence[bytes]) -> list[TokenFamily]:
        found = []
        for start in range(0, len(ids), _MOST_IDS):
            part = ids[start : start + _MOST_IDS]
            places = ", ".join("?" * len(part))
            found += self._read(f"SELECT {FAMILY} FROM families WHERE id IN ({places})", *part)  # noqa: S608 - constants
        return [TokenFamily(*row) for row in found]

    @override
    async def save_consent(self, consent: Consent) -> None:
        await self._writer.run(lambda connection: save_consent(connection, consent))

    @override
    async def consents_of(self, username: str) -> list[Consent]:
        return [Consent(*row) for row in self._read(READ_CONSENTS, username)]

    @override
    async def consents_to(self, client_id: str, limit: int) -> list[Consent]:
        return [Consent(*row) for row in self._read(READ_CONSENTS_TO, client_id, limit)]

    @override
    async def withdraw_consent(self, username: str, client_id: str, at: Milliseconds) -> bool:
        return await self._writer.run(
            lambda connection: withdraw_consent(connection, username, client_id, at, self._log_end)
        )
