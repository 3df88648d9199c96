"""The values that a store holds. Times are milliseconds since the Unix epoch unless stated otherwise."""

from typing import Literal

import msgspec

from credence.access.report_rights import ReportRights
from credence.access.rules import AccessRules
from credence.clock import Milliseconds

AccountType = Literal["service", "user"]
AccountStatus = Literal["active", "suspended", "locked", "expired", "closed"]  # D14
ChangeKind = Literal["token", "family", "application", "account", "key"]
AuthenticationMethod = Literal[
    "client_secret",
    "client_secret_basic",
    "client_secret_post",
    "private_key_jwt",
    "tls_client_auth",
    "self_signed_tls_client_auth",
    "none",
]
Profile = Literal["fapi2"]
Pkce = Literal["required", "or_nonce", "off"]
"""What an authorization request needs against injected codes (D35): PKCE, PKCE or a `nonce`, neither."""
AccessTokenType = Literal["at+jwt", "JWT"]
"""The `typ` of an access token: that of RFC 9068, or of every JWT, for a verifier that refuses the former (D36)."""
SignInPolicy = Literal["password", "factor", "passkey"]
"""The least authentication of a sign-in: `password`; `factor`, a second factor as well; `passkey`."""
ApplicationType = Literal["web", "native"]  # OpenID Connect Registration §2
ConsoleRole = Literal["none", "reader", "support", "operator", "owner"]
"""What an account may do in the operator console, weakest first; each role includes those before it."""
CertificateNameKind = Literal["subject_dn", "san_dns", "san_uri", "san_ip", "san_email"]


class ClientSecret(msgspec.Struct, frozen=True):
    """A keyed digest of a client secret. The secret itself is never stored (threats A3, A14)."""

    digest: bytes
    created_at: Milliseconds
    expires_at: Milliseconds | None = None


class ClientKey(msgspec.Struct, frozen=True):
    """A public key of an application, with the certificate from its `x5c` if it has one (RFC 7517 §4.7)."""

    jwk: str
    """JSON: the public members, `alg`, and the `kid` that the application chose."""
    certificate: str = ""
    """DER in base64, or empty."""


class CertificateName(msgspec.Struct, frozen=True):
    """The subject name or alternative name that identifies an application's certificate (RFC 8705 §2.1.2)."""

    kind: CertificateNameKind
    value: str


class Workload(msgspec.Struct, frozen=True):
    """Programs elsewhere whose platform vouches for them: an application that needs no secret (RFC 7523 §2.2)."""

    issuer: str
    """The id of the trusted issuer."""
    subject: str
    """The `sub` of its tokens, with `*` for any text."""
    example: str = ""
    """A subject that the pattern matches, by which the operator tested it; empty without `*`."""


class Registration(msgspec.Struct, frozen=True):
    """What a dynamically registered application may change about itself, and within which limits (RFC 7592)."""

    token: bytes
    """Keyed digest of the registration access token."""
    grants: tuple[str, ...]
    """The most that its grants may be, from the invitation; `scopes` likewise."""
    scopes: tuple[str, ...]
    settled: tuple[str, ...] = ()
    """Names of the fields that the operator has set by command. A registration cannot change them (threats E10)."""
    unverified: bool = False
    """Whether it was registered without an invitation."""


class ClockMove(msgspec.Struct, frozen=True, array_like=True):
    """One move of a test clock."""

    at: Milliseconds
    """The real time of the move."""
    ahead: Milliseconds
    """How far the clock is ahead of real time after the move, in whole seconds; it only grows."""


class ApplicationClock(msgspec.Struct, frozen=True):
    """The moves since the last reset, the oldest first, and how many resets there were."""

    moves: tuple[ClockMove, ...] = ()
    resets: int = 0


class Application(msgspec.Struct, frozen=True):
    """A registered client application (spec §2.1). None means the setting of the deployment."""

    client_id: str
    name: str
    secrets: tuple[ClientSecret, ...]
    created_at: Milliseconds
    version: int = 1
    authentication: AuthenticationMethod = "client_secret"
    """The client authentication method (RFC 7591 §2, `token_endpoint_auth_method`)."""
    keys: tuple[ClientKey, ...] = ()
    keys_uri: str | None = None
    """The address of its published keys, instead of `keys` (`oauth/client_key_sets.py`)."""
    workloads: tuple[Workload, ...] = ()
    """Whose tokens of a trusted issuer authenticate it, next to its own keys."""
    certificate_name: CertificateName | None = None
    certificate_bound_tokens: bool = False  # RFC 8705 §3
    profile: Profile | None = None
    """A set of stricter rules that the application keeps (`oauth/fapi.py`)."""
    grants: tuple[str, ...] = ("password", "refresh_token")  # D25
    scopes: tuple[str, ...] | None = None  # RFC 6749 §3.3; None: every scope of the service
    rights: ReportRights | None = None
    """The most that the scope `credit:report` opens for its tokens (RFC 9396); None for every company."""
    audiences: tuple[str, ...] = ()
    """Resources other than this service for which it may request tokens (RFC 8707)."""
    dpop_required: bool = False
    """Whether each token request must carry a DPoP proof (RFC 9449 §5.2)."""
    origins: tuple[str, ...] = ()
    """Origins of web pages that may read answers to its requests (`web/cross_origin.py`)."""
    introspects: tuple[str, ...] = ()
    """Resources that it serves. It may introspect every access token for them (RFC 7662)."""
    algorithm: str | None = None  # D5
    access_token_type: AccessTokenType = "at+jwt"  # noqa: S105 - a type
    id_token_algorithm: str | None = None
    """`id_token_signed_response_alg`; None means RS256 (OpenID Connect Registration §2)."""
    claims_in_id_token: bool = False
    """Whether ID tokens have the claims of the granted scopes after a sign-in in a browser too (D37)."""
    user_info_algorithm: str | None = None
    """`userinfo_signed_response_alg`; None means user information without a signature."""
    access_token_lifetime: int | None = None  # seconds, D4
    refresh_token_lifetime: int | None = None  # seconds, D4
    spike_per_minute: int | None = None  # D16
    rules: AccessRules = AccessRules()  # D15
    redirect_uris: tuple[str, ...] = ()
    """URIs to which authorization codes may be sent (RFC 6749 §3.1.2)."""
    post_logout_redirect_uris: tuple[str, ...] = ()
    """URIs to which a person may be sent after signing out (OpenID Connect RP-Initiated Logout §3.1)."""
    backchannel_logout_uri: str | None = None
    """The URI that receives notices of ended sessions (OpenID Connect Back-Channel Logout §2.2)."""
    backchannel_logout_session_required: bool = False
    """Whether it needs the id of the session in these notices, which they always have."""
    policy_uri: str | None = None
    """Its privacy policy, to which the consent page leads (RFC 7591 §2); `terms_uri` likewise its terms (`tos_uri`)."""
    terms_uri: str | None = None
    application_type: ApplicationType = "web"
    pkce: Pkce = "or_nonce"
    """What a confidential application must send; one that is public or keeps FAPI 2.0 always sends PKCE (D35)."""
    pushed_requests_required: bool = False
    """Whether authorization requests must be pushed (RFC 9126 §6)."""
    signed_requests_required: bool = False
    """Whether authorization requests must be signed (RFC 9101 §10.5)."""
    sign_in: SignInPolicy = "password"
    password_alone: bool = False
    """Whether the password grant gives it tokens for a person who has an authenticator app or a passkey."""
    first_party: bool = False
    """Whether it belongs to the operator of the service, so that people are not asked for consent."""
    registration: Registration | None = None
    document_digest: bytes = b""
    """Digest of the document at the address that is its client_id (`oauth/client_documents/`); empty without one."""
    owner: str = ""
    """The login name of the developer who made it in the portal; empty for other applications."""
    disabled: bool = False
    clock: ApplicationClock | None = None  # in the sandbox alone
    not_before: Milliseconds = 0
    """Families created before this instant are invalid, with all their tokens (`identity/not_before.py`)."""


class Account(msgspec.Struct, frozen=True):
    """A user or service account (spec §2.1). `username` is the normalised login name; it never changes (D5)."""

    username: str
    type: AccountType
    password_hash: str
    created_at: Milliseconds
    version: int = 1
    password_version: int = 1
    status: AccountStatus = "active"
    sign_in: SignInPolicy = "password"
    email: str | None = None
    email_verified: bool = False
    """Whether a message proved that the address is the person's, or the operator has vouched for it."""
    first_name: str | None = None
    last_name: str | None = None
    profile_updated_at: Milliseconds = 0
    """When the mail address or a name was last changed; 0 if that is unknown."""
    rules: AccessRules = AccessRules()  # D15
    console_role: ConsoleRole = "none"
    workbench_for: str = ""  # client_id of the application for which the person works in the workbench
    developer: bool = False  # whether the person was invited to the developer portal
    issuers: str = msgspec.field(default="", name="issuer")  # the name of when it was at most one
    """The ids of the trusted issuers to which the person is linked (`store/trusted_issuers.py`), separated by spaces."""
    not_before: Milliseconds = 0
    """Families created before this instant are invalid, with all their tokens (`identity/not_before.py`)."""


class TokenFamily(msgspec.Struct, frozen=True):
    """One login and every token pair issued from it: a counter, not a chain of tokens (threats §6).

    `id` starts with `expires_at` (six bytes, big endian), so rows are stored in order of expiry. `generation` counts
    rotations; only the newest refresh token is valid. `issued_at`, `expires_in` (seconds), `kid`, `narrowed` and
    `confirmation` describe the newest access token, so that a retried refresh can return the same pair again (D7).
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
    audience: str = ""  # the resource that its access tokens are for (RFC 8707); empty for this service
    narrowed: str | None = None
    """The scope of the newest access token, if the refresh requested less than `scope` (RFC 6749 §6)."""
    confirmation: str = ""
    """What the newest access token is bound to, such as `jkt:<thumbprint>` (RFC 7800); empty for a bearer token."""
    status_block: int | None = None
    """The number of its block in the status lists; None if its tokens have no status."""


class FamilyStatistics(msgspec.Struct, frozen=True):
    """The number of token families of one application and kind. Expired families are not counted, deleted or not."""

    client_id: str
    signed_in: bool
    """True for families from an authorization code or a device code, False for the password grant."""
    live: int
    """Families that have not ended and were not created before the `not_before` of their application or account."""
    newest: Milliseconds
    """When the newest family was created, live or not."""


class AccessTokenParameters(msgspec.Struct, frozen=True):
    """The parameters of an access token that a rotation stores with its family. See `TokenFamily` for the fields."""

    issued_at: Milliseconds
    expires_in: int
    kid: str
    narrowed: str | None = None
    confirmation: str = ""


class ReportRead(msgspec.Struct, frozen=True):
    """The record that an application read the report on a company; a later month replaces an earlier one."""

    client_id: str
    company: str
    """The company's normalised number."""
    until: Milliseconds
    """When the record is deleted: a fixed time after the month of the read (`report/readers.py`)."""


class StatusBlock(msgspec.Struct, frozen=True):
    """Consecutive entries of the status lists that belong to the tokens of one owner.

    The owner is a family; or an application, for its own tokens (`username` and `family_id` are empty); or an application
    and an account, for tokens obtained by token exchange.
    """

    client_id: str
    """The applications whose revocation revokes the tokens, separated by spaces. Exchanged tokens have several."""
    username: str
    family_id: bytes
    opened_at: Milliseconds
    until: Milliseconds
    """No token of this block is valid after this instant."""


class Change(msgspec.Struct, frozen=True):
    """One entry of the change log.

    `token` and `family` entries revoke their subject; other kinds mean that the subject must be read again. The entry may
    be deleted after `until`.
    """

    sequence: int
    kind: ChangeKind
    subject: str
    until: Milliseconds
