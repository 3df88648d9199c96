"""Browser sessions of people, the token families opened in them, and consents: records and store (D27, D28)."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from credence.clock import Milliseconds
from credence.store.records import Account, TokenFamily


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


class SignIn(msgspec.Struct, frozen=True):
    """How a person opened a token family in a browser, stored in addition to the family."""

    family_id: bytes
    session: bytes
    """The `key` of the session."""
    client_id: str
    username: str
    signed_in_at: Milliseconds
    methods: str
    offline: bool
    """Whether the family outlives the session: the person granted `offline_access` (OpenID Connect Core §11)."""
    sid: bytes = b""
    """The session's `sid` at the application if the session was replaced; empty if it is the beginning of `session`."""


class Consent(msgspec.Struct, frozen=True):
    """What a person has allowed an application. It holds until the application's terms change."""

    username: str
    client_id: str
    scope: str
    terms: bytes
    """Digest of what the person was shown of the application besides scopes, such as its redirect URIs."""
    granted_at: Milliseconds


def sign_in_of(row: Sequence[Any]) -> SignIn:
    """Return the record in a row, whose `offline` is 0 or 1."""
    return SignIn(*(*row[:-2], bool(row[-2]), bytes(row[-1])))


class SignInStore(Protocol):
    """Sessions, sign-ins and consents in a store; the guarantees of `Store` apply."""

    async def open_session(self, session: Session, account: Account, replaces: bytes | None = None) -> None:
        """Store a new session under the condition of `open_family`; raises Conflict otherwise.

        The session with the key `replaces` ends, and its families belong to the new one.
        """

    async def session(self, key: bytes) -> Session | None:
        """Return the session with this key, expired or not."""

    async def session_with_consents(self, key: bytes) -> tuple[Session, list[Consent]] | None:
        """Return the session with this key, expired or not, and the consents of its account, by one read."""

    async def sessions_of(self, username: str) -> list[Session]:
        """Return the sessions of an account, the most recent sign-in first."""

    async def touch_session(self, key: bytes, last_seen_at: Milliseconds) -> None:
        """Store when a session was last used. Does nothing if it does not exist."""

    async def end_session(self, key: bytes, at: Milliseconds) -> bool:
        """Delete a session and end its families except those that outlive it, all or none; log each ended family.

        Adds a sign-out notice to the outbox for each application of its families that has a `backchannel_logout_uri`.
        Returns whether this call ended the session.
        """

    async def sign_in(self, family_id: bytes) -> SignIn | None:
        """Return how a family was opened in a browser; None for every other family."""

    async def sign_ins_of(self, username: str) -> list[SignIn]:
        """Return the sign-ins of an account, ordered by family id. Their families may have ended."""

    async def families_of(self, ids: Sequence[bytes]) -> list[TokenFamily]:
        """Return the families with these ids that exist, ended or not, in any order.

        One read that locks nothing: for display only, not for a decision about a token.
        """

    async def save_consent(self, consent: Consent) -> None:
        """Store what a person allowed an application, in place of an earlier consent."""

    async def consents_of(self, username: str) -> list[Consent]:
        """Return the consents of an account, ordered by client_id."""

    async def consents_to(self, client_id: str, limit: int) -> list[Consent]:
        """Return at most `limit` consents to an application, ordered by login name."""

    async def withdraw_consent(self, username: str, client_id: str, at: Milliseconds) -> bool:
        """Delete a consent and end every family that the account opened for the application in a browser, all or none.

        Returns whether there was such a consent or family.
        """
