"""Trusted issuers, the links of people to their subjects there, and the sessions that began there: records and store."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from credence.access.report_rights import ReportRights
from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.store.change_log import CHANGE_NOTICE_MS
from credence.store.collections import Collection, Collections
from credence.store.records import Account, ClientKey, ConsoleRole
from credence.store.statements import Act, Log, columns, do

IssuerUse = Literal["sign_in", "assertions", "clients"]
"""What an issuer may assert: who signs in here, a person for whom a client requests a token, which client calls."""

IssuerAuthentication = Literal["private_key_jwt", "client_secret_basic", "client_secret_post", "none"]
"""How this service authenticates as a client of the issuer; `private_key_jwt` with its own signing keys."""


class Right(msgspec.Struct, frozen=True, omit_defaults=True):
    """A right that people have while the issuer asserts a claim with this value, alone or in a list."""

    claim: str
    value: str
    console_role: ConsoleRole = "none"
    workbench_for: str = ""
    """The client_id of an application."""
    developer: bool = False


class TrustedIssuer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An issuer of tokens elsewhere, and what the operator trusts it with."""

    id: str
    """The operator's name of it, which is in addresses."""
    issuer: str
    """Its identifier, as `iss` has it: an https URL."""
    name: str
    """What people see, such as the name of the company."""
    created_at: Milliseconds
    version: int = 1
    disabled: bool = False
    uses: tuple[IssuerUse, ...] = ()
    keys: tuple[ClientKey, ...] = ()
    """Its keys, if they are pinned; else see `keys_uri`."""
    keys_uri: str = ""
    """The address of its keys, instead of the one in its metadata."""
    required_claims: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Claims that each of its tokens must have with these values, such as the tenant."""
    mail_domains: tuple[str, ...] = ()
    """The domains of the people it asserts; empty for all."""
    subjects: tuple[str, ...] = ()
    """Patterns of `sub` with `*` for any text; empty for every subject."""
    applications: tuple[str, ...] = ()
    """The client_id of the applications that it is for; empty for every application."""
    resources: tuple[str, ...] = ()
    """The resources for which its assertions get tokens; empty for every resource of the application."""
    scopes: tuple[str, ...] = ()
    """The scopes that tokens from its assertions may have; empty for every scope of the application."""
    report_rights: ReportRights | None = None
    """The most that `credit:report` opens in tokens from its assertions (RFC 9396); None for every company."""
    client_id: str = ""
    """The client_id of this service at the issuer."""
    authentication: IssuerAuthentication = "private_key_jwt"
    client_secret: bytes = b""
    """Sealed; empty for none."""
    request_scopes: tuple[str, ...] = ("openid", "email", "profile")
    only_way: bool = False
    """Whether people of its mail domains, and of its applications, sign in there alone."""
    makes_accounts: bool = False
    """Whether the first sign-in of an unknown subject makes an account."""
    links_by_mail: bool = False
    """Whether the first sign-in is linked to the account whose proven address the issuer asserts as verified too."""
    strong_classes: tuple[str, ...] = ()
    """The values of `acr` of the issuer that mean two factors."""
    rights: tuple[Right, ...] = ()
    vouch_seconds: int = 0
    """After how many seconds a refresh requests the word of the issuer again for the person; 0 for never."""
    signs_out_there: bool = False
    """Whether who signs out here is sent there to sign out too."""
    signals_issuer: str = ""
    """The `iss` of its security event tokens, if that is not `issuer`."""


class IssuerLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person's account and subject at an issuer."""

    id: str
    owner: str
    """The id of the trusted issuer."""
    subject: str
    username: str
    linked_at: Milliseconds
    version: int = 1
    refresh_token: bytes = b""
    """The newest refresh token of the issuer about the person, sealed; empty for none."""
    vouched_at: Milliseconds = 0
    """When the issuer last vouched for the person: at the sign-in or at a refresh."""
    asked_at: Milliseconds = 0
    """When the issuer was last queried at a refresh."""


class IssuerSession(msgspec.Struct, frozen=True):
    """A session that began at an issuer, or a login under way."""

    session: bytes
    """The key of the session here; of a login that has none yet, a random key that only its browser has."""
    owner: str
    """The id of the trusted issuer."""
    sid: str
    """The session there; empty if the issuer did not say."""
    hint: bytes
    """The ID token of the sign-in, sealed, for the sign-out there."""
    expires_at: Milliseconds
    """When the session or login here ends at the latest."""


def with_issuer(account: Account, identity: str) -> str:
    """Return the `issuers` of an account that is linked to this one too."""
    return " ".join(dict.fromkeys((*account.issuers.split(), identity)))


def without_issuer(account: Account, identity: str) -> str:
    """Return the `issuers` of an account that is linked to this one no longer."""
    return " ".join(each for each in account.issuers.split() if each != identity)


def link_id(issuer: str, subject: str) -> str:
    """Return the id of the link of a subject at a trusted issuer, which is named by its id."""
    return base64url.encode(sha256(msgspec.json.encode([issuer, subject])))


_SESSION, _SESSION_PLACES = columns(IssuerSession)
_NOTE = f"INSERT INTO issuer_sessions ({_SESSION}) VALUES ({_SESSION_PLACES}) RETURNING 1"  # noqa: S608 - constants, here and below
_READ = f"SELECT {_SESSION} FROM issuer_sessions WHERE session = :session"  # noqa: S608 - constants
_FORGET = "DELETE FROM issuer_sessions WHERE session = :session RETURNING 1"
_OF_SID = "SELECT session FROM issuer_sessions WHERE owner = :owner AND sid = :sid ORDER BY session"


def _deleting(issuer: TrustedIssuer, at: Milliseconds) -> Act[None]:
    yield do("DELETE FROM issuer_links WHERE owner = :owner", owner=issuer.id)
    yield do("DELETE FROM issuer_sessions WHERE owner = :owner", owner=issuer.id)
    yield Log("key", [(issuer.id, at + CHANGE_NOTICE_MS)])


ISSUERS = Collection(
    table="trusted_issuers",
    type=TrustedIssuer,
    logged="key",  # a node that reads such an entry reads the keys of others too (`oauth/authority.py`)
    deleting=_deleting,
)
LINKS = Collection(table="issuer_links", type=IssuerLink, columns=("owner", "username"), owned="owner = :owner")


class TrustedIssuers(Collections):
    """The part of a store that is about trusted issuers."""

    async def links_of(self, username: str) -> list[IssuerLink]:
        """Return the links of an account."""
        statement = "SELECT document FROM issuer_links WHERE username = :username ORDER BY id"
        return [_decode_link(document) for (document,) in await self._rows(statement, username=username)]

    async def note_issuer_session(self, session: IssuerSession) -> None:
        """Store that a person has signed in at an issuer."""
        await self._write(_NOTE, **msgspec.structs.asdict(session))

    async def issuer_session(self, session: bytes) -> IssuerSession | None:
        """Return what is known of a session that began at an issuer; None for any other session."""
        rows = await self._rows(_READ, session=session)
        return IssuerSession(*rows[0]) if rows else None

    async def sessions_with_sid(self, owner: str, sid: str) -> Sequence[bytes]:
        """Return the keys of the sessions and logins here that belong to a session at a trusted issuer."""
        return [key for (key,) in await self._rows(_OF_SID, owner=owner, sid=sid)]

    async def forget_issuer_session(self, session: bytes) -> None:
        """Delete what is known of a session that began at an issuer; a login under way then opens no session."""
        await self._write(_FORGET, session=session)


_decode_link = msgspec.json.Decoder(IssuerLink).decode
