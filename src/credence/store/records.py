"""The values the stores keep. All times are milliseconds since the Unix epoch unless a name says seconds."""

from typing import Literal

import msgspec

from credence.access.rules import AccessRules
from credence.clock import Milliseconds

AccountType = Literal["service", "user"]
AccountStatus = Literal["active", "suspended", "locked", "expired", "closed"]  # D14
ChangeKind = Literal["token", "family", "application", "account", "key"]
AuthenticationMethod = Literal[
    "client_secret", "private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth", "none"
]
CertificateNameKind = Literal["subject_dn", "san_dns", "san_uri", "san_ip", "san_email"]


class ClientSecret(msgspec.Struct, frozen=True):
    """A keyed digest of a client secret; the secret itself is never kept (threats A3, A14)."""

    digest: bytes
    created_at: Milliseconds
    expires_at: Milliseconds | None = None


class ClientKey(msgspec.Struct, frozen=True):
    """A public key that an application registered, with its certificate if it came with one (RFC 7517 §4.7)."""

    jwk: str
    """As JSON: public members, the one algorithm that it is for, and the name that its owner gave it."""
    certificate: str = ""
    """Base64 of its DER form."""


class CertificateName(msgspec.Struct, frozen=True):
    """The one name by which a certificate is known to be an application's (RFC 8705 §2.1.2)."""

    kind: CertificateNameKind
    value: str


class Registration(msgspec.Struct, frozen=True):
    """How an application that registered itself may change what it registered (RFC 7592), and within which limits."""

    token: bytes
    """A keyed digest of its registration access token."""
    grants: tuple[str, ...]
    """Those that it may have at most, as its invitation said."""
    scopes: tuple[str, ...]
    settled: tuple[str, ...] = ()
    """Fields that the operator has set by command since: they are his (threats E10)."""


class Application(msgspec.Struct, frozen=True):
    """A registered client application (spec §2.1) with its own rules; None means the setting of the service holds."""

    client_id: str
    name: str
    secrets: tuple[ClientSecret, ...]
    created_at: Milliseconds
    version: int = 1
    authentication: AuthenticationMethod = "client_secret"
    """The one way in which it proves who it is."""
    keys: tuple[ClientKey, ...] = ()
    certificate_name: CertificateName | None = None
    certificate_bound_tokens: bool = False  # RFC 8705 §3
    grants: tuple[str, ...] = ("password", "refresh_token")  # D25
    scopes: tuple[str, ...] | None = None  # RFC 6749 §3.3; None: every scope of the service
    audiences: tuple[str, ...] = ()
    """Resources beside the service itself that it may ask tokens for (RFC 8707)."""
    dpop_required: bool = False
    """Whether it must prove a key whenever it asks for a token (RFC 9449 §5.2)."""
    introspects: tuple[str, ...] = ()
    """Resources that it guards: it may ask about every access token for them (RFC 7662)."""
    algorithm: str | None = None  # D5
    id_token_algorithm: str | None = None
    """Signs its ID tokens; None: RS256 (OpenID Connect Registration §2, `id_token_signed_response_alg`)."""
    access_token_lifetime: int | None = None  # seconds, D4
    refresh_token_lifetime: int | None = None  # seconds, D4
    spike_per_minute: int | None = None  # D16
    rules: AccessRules = AccessRules()  # D15
    registration: Registration | None = None
    disabled: bool = False
    not_before: Milliseconds = 0
    """Families opened before this instant are dead, with every token they issued (`identity/not_before.py`)."""


class Account(msgspec.Struct, frozen=True):
    """A user or service account (spec §2.1). `username` is the login name in normal form and never changes (D5)."""

    username: str
    type: AccountType
    password_hash: str
    created_at: Milliseconds
    version: int = 1
    password_version: int = 1
    status: AccountStatus = "active"
    email: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    rules: AccessRules = AccessRules()  # D15
    not_before: Milliseconds = 0
    """Families opened before this instant are dead, with every token they issued (`identity/not_before.py`)."""


class TokenFamily(msgspec.Struct, frozen=True):
    """One login and all that was ever refreshed from it: a counter, not a chain (threats §6).

    `id` begins with the expiry in milliseconds (six bytes, big endian), so rows lie in the order in which they go.
    `generation` counts rotations; only the newest is live. `issued_at`, `expires_in` (seconds), `kid`, `narrowed` and
    `confirmation` are those of the newest access token: with them a retry mints the same pair again (D7).
    """

    id: bytes
    client_id: str
    username: str
    scope: str
    created_at: Milliseconds
    expires_at: Milliseconds
    issued_at: Milliseconds
    expires_in: int
    kid: str
    generation: int = 0
    ended_at: Milliseconds | None = None
    ended_because: str | None = None
    audience: str = ""
    """The resource its access tokens are for (RFC 8707); empty: the service itself."""
    narrowed: str | None = None
    """The scope of the newest access token, where a refresh asked for less than `scope` (RFC 6749 §6)."""
    confirmation: str = ""
    """What the newest access token is bound to, such as `jkt:<thumbprint>` (RFC 7800); empty: to nothing."""
    status_block: int | None = None
    """The number of its block in the status lists; None when its tokens have no status."""


class FamilyStatistics(msgspec.Struct, frozen=True):
    """What the families of one application come to. Those that have been swept are not counted."""

    client_id: str
    live: int
    """Neither ended nor expired, and cut off neither by the application nor by the account."""
    newest: Milliseconds
    """When the last of them was opened, live or not."""


class AccessTokenParameters(msgspec.Struct, frozen=True):
    """What a rotation writes: how the newest access token of a family was minted."""

    issued_at: Milliseconds
    expires_in: int
    kid: str
    narrowed: str | None = None
    confirmation: str = ""


class StatusBlock(msgspec.Struct, frozen=True):
    """Places of the status lists that lie together, and whose tokens hold them.

    Those of one family; or those that an application got for itself, without `username` and `family_id`; or those it got
    by exchange for the tokens of a login.
    """

    client_id: str
    """Of each application whose end ends the tokens, separated by blanks: of exchanged ones there are several."""
    username: str
    family_id: bytes
    opened_at: Milliseconds
    until: Milliseconds
    """After it no token that holds one of the places can be good."""


class Change(msgspec.Struct, frozen=True):
    """One entry of the change log. `token` and `family` entries revoke their subject; the others say "read it again".

    After `until` nothing can depend on the entry any more and it may go.
    """

    sequence: int
    kind: ChangeKind
    subject: str
    until: Milliseconds


class SigningKeyRow(msgspec.Struct, frozen=True):
    """A signing key as it lies in the store, with its place in the schedule (D13).

    Its private half lies among the sealed secrets under `private_key_name`, until the key has retired.
    """

    kid: str
    algorithm: str
    public: bytes
    published_at: Milliseconds
    signs_from: Milliseconds
    revoked_at: Milliseconds | None = None


class Tally(msgspec.Struct, frozen=True):
    """What is held against one key: wrong passwords, as the instant at which the last of them stops counting (threats A4).

    `trusted_until` belongs to keys from which the right password came: until then they are not strange (A5).
    """

    drains_at: Milliseconds = 0
    trusted_until: Milliseconds = 0


class TallyIncrement(msgspec.Struct, frozen=True):
    """One wrong password as it counts against one key of at most 32 octets.

    It moves the tally's `drains_at`, or the present where that has passed, by `step` milliseconds, and never further than
    `most` milliseconds from now.
    """

    key: bytes
    step: Milliseconds
    most: Milliseconds


def private_key_name(kid: str) -> str:
    """Return the name under which a key's private half is sealed."""
    return f"signing-key:{kid}"
