"""Writes sign-out notices in the transaction that ends a session (OpenID Connect Back-Channel Logout 1.0 §2.3)."""

from credence.clock import Milliseconds
from credence.store.postgres.connections import Connection
from credence.store.sign_out_notices import KEPT_MS, KIND

_ADD = """
INSERT INTO deliveries (id, kind, receiver, payload, created_at, due_at, keep_until, attempts, given_up_at, outcome)
SELECT (array_agg(family_id ORDER BY family_id))[1], %(kind)s, client_id, convert_to(known || ':' || username, 'UTF8'),
    %(at)s, %(at)s, %(at)s + %(kept)s, 0, 0, ''
FROM (
    SELECT family_id, client_id, username, session,
        encode(substr(CASE WHEN sid = '' THEN session ELSE sid END, 1, 16), 'hex') AS known
    FROM sign_ins
) AS each JOIN applications USING (client_id)
WHERE convert_from(document, 'UTF8')::json ->> 'backchannel_logout_uri' IS NOT NULL AND """

_OF_SESSION = f"{_ADD} session = %(session)s GROUP BY client_id, username, known ON CONFLICT DO NOTHING"

NOTICES_OF_ACCOUNT = f"""
earlier AS (
    SELECT (convert_from(document, 'UTF8')::json ->> 'not_before')::bigint AS limit_before
    FROM accounts WHERE username = %(name)s
), notices AS ({_ADD} username = %(name)s AND session IN (
    SELECT key FROM sessions, earlier, saved
    WHERE username = %(name)s AND signed_in_at >= limit_before AND signed_in_at < %(limit)s AND expires_at > %(at)s
) GROUP BY client_id, username, known ON CONFLICT DO NOTHING)
"""  # noqa: S608 - constants
"""The parts of the statement that stores an account which add the notices of the sessions that the change ends.

They follow its part `saved`; all parts read the account as it was before.
"""

CONSTANTS = {"kind": KIND, "kept": KEPT_MS}


async def add_notices_of_session(connection: Connection, key: bytes, at: Milliseconds) -> None:
    """Add a notice for each application with a family in the session and a `backchannel_logout_uri`."""
    await connection.execute(_OF_SESSION.encode(), {**CONSTANTS, "at": at, "session": key})
