"""The notices of the end of a session, in the transaction that ends it (OpenID Connect Back-Channel Logout 1.0 §2.3)."""

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
"""Parts of the statement that stores an account, after its part `saved`: the notices of the sessions that the change ends.

All parts read the account as it was before.
"""

CONSTANTS = {"kind": KIND, "kept": KEPT_MS}


async def add_notices_of_session(connection: Connection, key: bytes, at: Milliseconds) -> None:
    """Add a notice for each application that the session reached and that wants to know."""
    await connection.execute(_OF_SESSION.encode(), {**CONSTANTS, "at": at, "session": key})
