"""Notices of the end of a session, as deliveries of the outbox: one for each application that the session reached.

The store writes them in the transaction that ends the session, whether the person, an application, the operator, or a
change of the account's password or status ends it.
"""

from typing import NamedTuple

from credence.clock import Milliseconds
from credence.store.deliveries import Delivery
from credence.store.records import Account
from credence.store.statements import Do, Pair, do

KIND = "sign_out"

KEPT_MS = 3_600_000
"""How long a notice is kept, delivered or not."""


class SignOutNotice(NamedTuple):
    """The payload of a sign-out notice to one application."""

    session_id: bytes
    """The session's `sid` at the application, 16 octets."""
    username: str


def read_notice(delivery: Delivery) -> SignOutNotice:
    """Return the notice in a delivery of this kind: its payload is the id in hexadecimal, a colon and the login name."""
    session_id, _, username = delivery.payload.decode().partition(":")
    return SignOutNotice(bytes.fromhex(session_id), username)


_SELECTED = """
SELECT {first}, :kind, client_id, {text}, :at, :at, :keep_until, 0, 0, ''
FROM (SELECT family_id, client_id, username, session, {known} AS known FROM sign_ins) AS each
JOIN applications USING (client_id)
WHERE member(document, 'backchannel_logout_uri') IS NOT NULL AND
"""
_SID = "substr(CASE WHEN length(sid) > 0 THEN sid ELSE session END, 1, 16)"
_ADD = Pair(
    sqlite=_SELECTED.format(
        first="min(family_id)", text="CAST(known || ':' || username AS BLOB)", known=f"lower(hex({_SID}))"
    ),
    postgres=_SELECTED.format(
        first="(array_agg(family_id ORDER BY family_id))[1]",
        text="convert_to(known || ':' || username, 'UTF8')",
        known=f"encode({_SID}, 'hex')",
    ),
)
_OF_SESSION = "session = :session"
_OF_ACCOUNT = """username = :username AND session IN (
    SELECT key FROM sessions
    WHERE username = :username AND signed_in_at >= :earlier AND signed_in_at < :limit AND expires_at > :at
)"""


def _adding(sessions: str) -> Pair:
    into = (
        "INSERT INTO deliveries "
        "(id, kind, receiver, payload, created_at, due_at, keep_until, attempts, given_up_at, outcome)"
    )
    end = "GROUP BY client_id, username, known ON CONFLICT DO NOTHING"
    return Pair(*(f"{into} {selected} {sessions} {end}" for selected in _ADD))


_ADD_OF_SESSION, _ADD_OF_ACCOUNT = _adding(_OF_SESSION), _adding(_OF_ACCOUNT)


def notices_of_session(key: bytes, at: Milliseconds) -> Do:
    """Return the step that adds a notice for each application with a family in the session and a logout address."""
    return do(_ADD_OF_SESSION, kind=KIND, at=at, keep_until=at + KEPT_MS, session=key)


def notices_of_account(account: Account, earlier: Milliseconds, at: Milliseconds) -> Do:
    """Return the step that adds the notices of every session that a change of `not_before`, until now `earlier`, ends."""
    values = {"username": account.username, "earlier": earlier, "limit": account.not_before}
    return do(_ADD_OF_ACCOUNT, kind=KIND, at=at, keep_until=at + KEPT_MS, **values)
