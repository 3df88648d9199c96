"""Writes sign-out notices in the transaction that ends a session (OpenID Connect Back-Channel Logout 1.0 §2.3)."""

import sqlite3

from credence.clock import Milliseconds
from credence.store.records import Account
from credence.store.sign_out_notices import KEPT_MS, KIND

_ADD = """
INSERT OR IGNORE INTO deliveries
    (id, kind, receiver, payload, created_at, due_at, keep_until, attempts, given_up_at, outcome)
SELECT min(family_id), :kind, client_id, CAST(known || ':' || username AS BLOB), :at, :at, :until, 0, 0, ''
FROM (
    SELECT family_id, client_id, username, session,
        lower(hex(substr(CASE WHEN length(sid) THEN sid ELSE session END, 1, 16))) AS known
    FROM sign_ins
) AS each JOIN applications USING (client_id)
WHERE CAST(document AS TEXT) ->> 'backchannel_logout_uri' IS NOT NULL AND """

_OF_SESSION = f"{_ADD} session = :session GROUP BY client_id, known"
_OF_ACCOUNT = f"""{_ADD} username = :username AND session IN (
    SELECT key FROM sessions
    WHERE username = :username AND signed_in_at >= :earlier AND signed_in_at < :limit AND expires_at > :at
) GROUP BY client_id, known"""  # noqa: S608 - constants


def add_notices_of_session(connection: sqlite3.Connection, key: bytes, at: Milliseconds) -> None:
    """Add a notice for each application with a family in the session and a `backchannel_logout_uri`."""
    connection.execute(_OF_SESSION, {"kind": KIND, "at": at, "until": at + KEPT_MS, "session": key})


def add_notices_of_account(
    connection: sqlite3.Connection, account: Account, earlier: Milliseconds, at: Milliseconds
) -> None:
    """Add the notices of every session that a change of the account's `not_before`, until now `earlier`, ends."""
    values = {"username": account.username, "earlier": earlier, "limit": account.not_before}
    connection.execute(_OF_ACCOUNT, {"kind": KIND, "at": at, "until": at + KEPT_MS, **values})
