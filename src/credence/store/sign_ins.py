"""Browser sessions of people, the token families opened in them, and consents: records and store (D27, D28)."""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.store.errors import Conflict
from credence.store.families import FAMILY, SIGN_IN, STANDING, SignIn, end_families, standing
from credence.store.records import Account, TokenFamily
from credence.store.sign_out_notices import notices_of_account, notices_of_session
from credence.store.statements import Act, Row, Statements, columns, do, in_parts


class Session(msgspec.Struct, frozen=True):
    """A person who is signed in with a browser (D28). The cookie holds the random id, the row only its keyed digest."""

    key: bytes
    """Keyed digest of the id in the cookie."""
    username: str
    signed_in_at: Milliseconds
    """When the person proved who they are (`auth_time`)."""
    methods: str
    """The authentication methods, as values of `amr` separated by spaces (RFC 8176)."""
    last_seen_at: Milliseconds
    """The last use, rounded to a quarter of an hour, so that reading a page rarely writes."""
    expires_at: Milliseconds
    """The end of the session even when it is used (absolute lifetime)."""
    label: str
    """Browser and operating system as text, by which the person recognises the session."""


class Consent(msgspec.Struct, frozen=True):
    """What a person has allowed an application. It holds until the application's terms change."""

    username: str
    client_id: str
    scope: str
    terms: bytes
    """Digest of what the person was shown of the application besides scopes, such as its redirect URIs."""
    granted_at: Milliseconds


_SESSION, _SESSION_PLACES = columns(Session)
_CONSENT, _CONSENT_PLACES = columns(Consent)
_OPEN = f"INSERT INTO sessions ({_SESSION}) VALUES ({_SESSION_PLACES})"  # noqa: S608 - constants, here and below
_READ = f"SELECT {_SESSION} FROM sessions WHERE key = :key"  # noqa: S608 - constants
_OF_USERNAME = f"SELECT {_SESSION} FROM sessions WHERE username = :username ORDER BY signed_in_at DESC, key"  # noqa: S608 - constants
_BOTH = ", ".join(
    [
        *(f"sessions.{name}" for name in Session.__struct_fields__),
        *(f"consents.{name}" for name in Consent.__struct_fields__),
    ]
)
_READ_WITH_CONSENTS = (
    f"SELECT {_BOTH} FROM sessions LEFT JOIN consents USING (username) WHERE key = :key ORDER BY client_id"  # noqa: S608 - constants
)
_MOVE = (
    "UPDATE sign_ins SET session = :key, sid = CASE WHEN length(sid) > 0 THEN sid ELSE substr(session, 1, 16) END "
    "WHERE session = :replaces"
)
_MOVE_AT_ISSUER = "UPDATE issuer_sessions SET session = :key WHERE session = :replaces"
_FORGET_AT_ISSUER = "DELETE FROM issuer_sessions WHERE session = :replaces"
_BEGUN_AT_ISSUER = (
    "UPDATE issuer_sessions SET session = :key, expires_at = :expires_at WHERE session = :begun RETURNING 1"
)
_TOUCH = "UPDATE sessions SET last_seen_at = :at WHERE key = :key RETURNING 1"
_END = "DELETE FROM sessions WHERE key = :key RETURNING 1"
_SIGN_INS = f"SELECT {SIGN_IN} FROM sign_ins"  # noqa: S608 - constants
_FAMILIES = f"SELECT {FAMILY} FROM families WHERE id = ANY(:ids::bytea[])"  # noqa: S608 - constants
_SAVE_CONSENT = (
    f"INSERT INTO consents ({_CONSENT}) VALUES ({_CONSENT_PLACES}) ON CONFLICT (username, client_id) DO UPDATE "  # noqa: S608 - constants
    "SET scope = excluded.scope, terms = excluded.terms, granted_at = excluded.granted_at RETURNING 1"
)
_CONSENTS = f"SELECT {_CONSENT} FROM consents"  # noqa: S608 - constants
_WITHDRAW = "DELETE FROM consents WHERE username = :username AND client_id = :client_id RETURNING 1"
_OPENED_FOR = "SELECT family_id FROM sign_ins WHERE username = :username AND client_id = :client_id"

_NOT_BEFORE = "SELECT member(document, 'not_before')::bigint FROM accounts WHERE username = :username FOR UPDATE"
_DATED_AHEAD = """
WITH RECURSIVE used (client_id) AS (
    SELECT min(client_id) FROM families WHERE username = :username
    UNION ALL
    SELECT (SELECT min(client_id) FROM families WHERE username = :username AND client_id > used.client_id)
    FROM used WHERE used.client_id IS NOT NULL
)
SELECT id FROM families WHERE username = :username AND created_at >= :limit AND client_id IN (
    SELECT client_id FROM used JOIN applications USING (client_id) WHERE member(document, 'not_before')::bigint >= :limit
)
"""
"""Finds the few applications of an account by as many look-ups in the index, however many logins it has."""


def end_earlier_logins(account: Account, at: Milliseconds) -> Act[None]:
    """Do what `Store.save_account` promises for a later `not_before`. Comes before the account is stored."""
    rows = yield do(_NOT_BEFORE, username=account.username)  # locked: a login that came first is seen after it
    if rows and account.not_before > rows[0][0]:
        yield notices_of_account(account, rows[0][0], at)
        found = yield do(_DATED_AHEAD, username=account.username, limit=account.not_before)
        yield from end_families([each for (each,) in found], at, "before_not_before")


class SignIns(Statements):
    """The part of a store for sessions, sign-ins and consents; the guarantees of `Store` apply."""

    async def open_session(
        self, session: Session, account: Account, replaces: bytes | None = None, begun: bytes = b""
    ) -> None:
        """Store a new session under the condition of `open_family`; raises Conflict otherwise.

        The session with the key `replaces` ends, and its families belong to the new one. What is noted of a sign-in at a
        trusted issuer under the key `begun` is noted of the session from now on; Conflict if nothing is.
        """

        def opening() -> Act[None]:
            if not (yield do(STANDING, **standing(account))):
                raise Conflict("session")
            yield do(_OPEN, **msgspec.structs.asdict(session))
            if replaces is not None:
                yield do(_MOVE, key=session.key, replaces=replaces)
                if begun:
                    yield do(_FORGET_AT_ISSUER, replaces=replaces)
                else:
                    yield do(_MOVE_AT_ISSUER, key=session.key, replaces=replaces)
                yield do(_END, key=replaces)
            if begun and not (yield do(_BEGUN_AT_ISSUER, key=session.key, begun=begun, expires_at=session.expires_at)):
                raise Conflict("session")

        await self._transact(opening)

    async def session(self, key: bytes) -> Session | None:
        """Return the session with this key, expired or not."""
        rows = await self._rows(_READ, key=key)
        return Session(*rows[0]) if rows else None

    async def session_with_consents(self, key: bytes) -> tuple[Session, list[Consent]] | None:
        """Return the session with this key, expired or not, and the consents of its account, by one read."""
        rows, count = await self._rows(_READ_WITH_CONSENTS, key=key), len(Session.__struct_fields__)
        if not rows:
            return None
        return Session(*rows[0][:count]), [Consent(*row[count:]) for row in rows if row[count] is not None]

    async def sessions_of(self, username: str) -> list[Session]:
        """Return the sessions of an account, the most recent sign-in first."""
        return [Session(*row) for row in await self._rows(_OF_USERNAME, username=username)]

    async def touch_session(self, key: bytes, last_seen_at: Milliseconds) -> None:
        """Store when a session was last used. Does nothing if it does not exist."""
        await self._write(_TOUCH, key=key, at=last_seen_at)

    async def end_session(self, key: bytes, at: Milliseconds) -> bool:
        """Delete a session and end its families except those that outlive it, all or none; log each ended family.

        Adds a sign-out notice to the outbox for each application of its families that has a `backchannel_logout_uri`.
        Returns whether this call ended the session.
        """

        def ending() -> Act[bool]:
            if not (yield do(_END, key=key)):
                return False
            yield notices_of_session(key, at)
            found = yield do("SELECT family_id FROM sign_ins WHERE session = :key AND offline = 0", key=key)
            yield from end_families([each for (each,) in found], at, "session_ended")
            return True

        return await self._transact(ending)

    async def sign_in(self, family_id: bytes) -> SignIn | None:
        """Return how a family was opened in a browser; None for every other family."""
        rows = await self._rows(f"{_SIGN_INS} WHERE family_id = :family_id", family_id=family_id)
        return _sign_in(rows[0]) if rows else None

    async def sign_ins_of(self, username: str) -> list[SignIn]:
        """Return the sign-ins of an account, ordered by family id. Their families may have ended."""
        rows = await self._rows(f"{_SIGN_INS} WHERE username = :username ORDER BY family_id", username=username)
        return [_sign_in(row) for row in rows]

    async def families_of(self, ids: Sequence[bytes]) -> list[TokenFamily]:
        """Return the families with these ids that exist, ended or not, in any order.

        One read that locks nothing: for display only, not for a decision about a token.
        """
        return [TokenFamily(*row) for part in in_parts(ids) for row in await self._rows(_FAMILIES, ids=part)]

    async def save_consent(self, consent: Consent) -> None:
        """Store what a person allowed an application, in place of an earlier consent."""
        await self._write(_SAVE_CONSENT, **msgspec.structs.asdict(consent))

    async def consents_of(self, username: str) -> list[Consent]:
        """Return the consents of an account, ordered by client_id."""
        rows = await self._rows(f"{_CONSENTS} WHERE username = :username ORDER BY client_id", username=username)
        return [Consent(*row) for row in rows]

    async def consents_to(self, client_id: str, limit: int) -> list[Consent]:
        """Return at most `limit` consents to an application, ordered by login name."""
        statement = f"{_CONSENTS} WHERE client_id = :client_id ORDER BY username LIMIT :limit"
        return [Consent(*row) for row in await self._rows(statement, client_id=client_id, limit=limit)]

    async def withdraw_consent(self, username: str, client_id: str, at: Milliseconds) -> bool:
        """Delete a consent and end every family that the account opened for the application in a browser, all or none.

        Returns whether there was such a consent or family.
        """

        def withdrawing() -> Act[bool]:
            owner = {"username": username, "client_id": client_id}
            gone = yield do(_WITHDRAW, **owner)
            found = yield do(_OPENED_FOR, **owner)
            ended = yield from end_families([each for (each,) in found], at, "consent_withdrawn")
            return bool(gone) or ended

        return await self._transact(withdrawing)


def _sign_in(row: Row) -> SignIn:
    return SignIn(*(*row[:-4], bool(row[-4]), *row[-3:]))
