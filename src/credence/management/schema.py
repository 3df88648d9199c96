"""The schema of applications and accounts in the management API and `credence apply` (D30).

A body says what operators choose; a state adds what the service knows. A member that a body leaves out has its default.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.management.logins import LoginStatus
from credence.meanings import meaning
from credence.store.records import AccountStatus, AccountType, ConsoleRole, SignInPolicy
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS

Texts = list[Annotated[str, Meta(max_length=2_048)]]

_AccessTokenSeconds = Annotated[int, Meta(ge=1, le=MAX_ACCESS_TOKEN_SECONDS)]
_LoginSeconds = Annotated[int, Meta(ge=1, le=MAX_LOGIN_SECONDS)]
_PerMinute = Annotated[int, Meta(ge=0, le=10_000_000)]


class RulesBody(Struct, forbid_unknown_fields=True):
    """The rules on addresses, hours and sign-ins of an application or account (D15)."""

    networks: Annotated[Texts, meaning("Address ranges; none: every address.")] = msgspec.field(default_factory=list)
    windows: Annotated[Texts, meaning("Hours, such as `Mon-Fri 08:00-18:00`; none: every hour.")] = msgspec.field(
        default_factory=list
    )
    time_zone: Annotated[str, meaning("The time zone of the hours.", example="Europe/London")] = "UTC"
    authentication_class: Annotated[
        str | None, meaning("The weakest sign-in of people that the API accepts; null: any.", example="2")
    ] = None
    max_age: Annotated[
        Annotated[int, Meta(ge=1, le=2**31)] | None,
        meaning("Seconds since people signed in, at most; null: any.", unit="seconds", example=3600),
    ] = None


class ApplicationBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator chooses about an application. The names are those of `credence app show --json`."""

    name: Annotated[Annotated[str, Meta(min_length=1, max_length=200)], meaning("The name for people.")]
    disabled: Annotated[bool, meaning("Whether it gets no tokens; a change revokes those it has.")] = False
    grants: Annotated[Texts | UnsetType, meaning("The grants that it may use.")] = UNSET
    scopes: Annotated[
        Texts | UnsetType | None, meaning("The scopes that its tokens may have; null: every one but `manage:*`.")
    ] = UNSET
    audiences: Annotated[Texts | UnsetType, meaning("Further resources that its tokens may be for.")] = UNSET
    authentication: Annotated[str | UnsetType, meaning("How it authenticates.", example="client_secret")] = UNSET
    jwks: Annotated[dict[str, Any] | UnsetType, meaning("Its public keys, a JWK Set (RFC 7517 §5).")] = UNSET
    keys_uri: Annotated[
        str | UnsetType | None,
        meaning("Where it publishes its keys instead.", example="https://app.example/keys"),
    ] = UNSET
    certificate_name: Annotated[
        str | UnsetType | None,
        meaning("The name of its certificate (RFC 8705 §2.1.2).", example="san_dns=client.example.com"),
    ] = UNSET
    certificate_bound_tokens: Annotated[
        bool | UnsetType, meaning("Whether its tokens are bound to its certificate (RFC 8705 §3).")
    ] = UNSET
    dpop_required: Annotated[bool | UnsetType, meaning("Whether token requests need a DPoP proof (RFC 9449).")] = UNSET
    profile: Annotated[str | UnsetType | None, meaning("A set of stricter rules.", example="fapi2")] = UNSET
    origins: Annotated[Texts | UnsetType, meaning("Origins of web pages that may read the answers.")] = UNSET
    introspects: Annotated[Texts | UnsetType, meaning("Resources that it guards and may introspect.")] = UNSET
    algorithm: Annotated[
        str | UnsetType | None, meaning("The algorithm of access tokens; null: the service's.", example="ES256")
    ] = UNSET
    access_token_type: Annotated[
        str | UnsetType,
        meaning(
            "The `typ` of its access tokens (D36).",
            values={"at+jwt": "that of RFC 9068", "JWT": "for a verifier that refuses the other"},
        ),
    ] = UNSET
    id_token_algorithm: Annotated[
        str | UnsetType | None, meaning("The algorithm of ID tokens; null: RS256.", example="RS256")
    ] = UNSET
    claims_in_id_token: Annotated[
        bool | UnsetType, meaning("Whether its ID tokens have the claims of the granted scopes too (D37).")
    ] = UNSET
    user_info_algorithm: Annotated[
        str | UnsetType | None, meaning("The algorithm of signed user information; null: it is not signed.")
    ] = UNSET
    access_token_lifetime: Annotated[
        _AccessTokenSeconds | UnsetType | None,
        meaning("The life of access tokens; null: the service's.", unit="seconds", example=1800),
    ] = UNSET
    refresh_token_lifetime: Annotated[
        _LoginSeconds | UnsetType | None,
        meaning("The life of a login; null: the service's.", unit="seconds", example=86400),
    ] = UNSET
    application_type: Annotated[str | UnsetType, meaning("`web` or `native` (RFC 8252).", example="web")] = UNSET
    redirect_uris: Annotated[Texts | UnsetType, meaning("Where people come back after signing in.")] = UNSET
    post_logout_redirect_uris: Annotated[Texts | UnsetType, meaning("Where people go after signing out.")] = UNSET
    backchannel_logout_uri: Annotated[
        str | UnsetType | None,
        meaning("Where it gets notices of the end of sessions.", example="https://app.example/signed-out"),
    ] = UNSET
    backchannel_logout_session_required: Annotated[
        bool | UnsetType, meaning("Whether it needs the session in these notices.")
    ] = UNSET
    policy_uri: Annotated[
        str | UnsetType | None, meaning("Its privacy policy.", example="https://app.example/privacy")
    ] = UNSET
    terms_uri: Annotated[str | UnsetType | None, meaning("Its terms.", example="https://app.example/terms")] = UNSET
    pkce: Annotated[
        str | UnsetType,
        meaning(
            "What its authorization requests need (D35).",
            values={"required": "PKCE", "or_nonce": "PKCE or a nonce", "off": "neither"},
        ),
    ] = UNSET
    pushed_requests_required: Annotated[
        bool | UnsetType, meaning("Whether authorization requests must be pushed (RFC 9126).")
    ] = UNSET
    signed_requests_required: Annotated[
        bool | UnsetType, meaning("Whether authorization requests must be signed (RFC 9101).")
    ] = UNSET
    first_party: Annotated[bool | UnsetType, meaning("Whether people are not asked for consent.")] = UNSET
    sign_in: Annotated[str | UnsetType, meaning("What people need at least to sign in.", example="password")] = UNSET
    password_alone: Annotated[
        bool | UnsetType,
        meaning("Whether the password grant gives tokens for a person who has an authenticator app or a passkey."),
    ] = UNSET
    spike_per_minute: Annotated[
        _PerMinute | UnsetType | None,
        meaning("Requests per minute, smoothed; 0: no limit; null: the service's.", example=600),
    ] = UNSET
    rules: Annotated[RulesBody, meaning("From where and when it may call.")] = msgspec.field(default_factory=RulesBody)


class SecretState(Struct):
    """A client secret, without its value: only a digest is stored."""

    id: Annotated[str, meaning("Names the secret in the path that ends it.")]
    created_at: Annotated[str, meaning("When it was made.")]
    expires_at: Annotated[str | None, meaning("Until when it is valid; null: no end.")] = None


class ApplicationState(ApplicationBody, omit_defaults=False, kw_only=True):
    """An application as it is."""

    client_id: Annotated[str, meaning("Its client_id.")]
    created_at: Annotated[str, meaning("When it was registered.")]
    secrets: Annotated[list[SecretState], meaning("Its secrets, the newest first.")]
    tokens_valid_from: Annotated[
        str | None, meaning("Tokens from before are not valid; null: none is excluded.", example="2026-11-22T09:30:00Z")
    ] = None
    client_secret: Annotated[
        str | UnsetType, meaning("A new secret. Only the answer that made it has it.", example="<CLIENT_SECRET>")
    ] = UNSET


class AccountBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator chooses about an account."""

    type: Annotated[AccountType, meaning("For a person or for a program; it never changes.")]
    status: Annotated[AccountStatus, meaning("A change revokes its tokens; `closed` is permanent (D14).")] = "active"
    sign_in: Annotated[SignInPolicy, meaning("What its sign-ins need at least.")] = "password"
    email: Annotated[
        Annotated[str, Meta(max_length=254)] | None, meaning("The mail address.", example="ada@example.com")
    ] = None
    email_verified: Annotated[
        bool, meaning("Whether the address is known to be the person's; a change of the address ends it.")
    ] = False
    first_name: Annotated[Annotated[str, Meta(max_length=200)] | None, meaning("First name.", example="Ada")] = None
    last_name: Annotated[Annotated[str, Meta(max_length=200)] | None, meaning("Last name.", example="Lovelace")] = None
    rules: Annotated[RulesBody, meaning("From where and when it may be used.")] = msgspec.field(
        default_factory=RulesBody
    )


class NewAccountBody(AccountBody, forbid_unknown_fields=True, kw_only=True):
    """An account to be made."""

    username: Annotated[Annotated[str, Meta(min_length=1, max_length=160)], meaning("Its login name, in any case.")]


class AccountState(AccountBody, omit_defaults=False, kw_only=True):
    """An account as it is."""

    username: Annotated[str, meaning("Its login name. It never changes and is never reassigned.")]
    created_at: Annotated[str, meaning("When it was registered.")]
    tokens_valid_from: Annotated[
        str | None, meaning("Tokens from before are not valid; null: none is excluded.", example="2026-11-22T09:30:00Z")
    ] = None
    console_role: Annotated[ConsoleRole, meaning("What the person may do in the operator console.")] = "none"
    workbench_for: Annotated[
        str | None, meaning("The application for which the person works in the workbench.", example="<CLIENT_ID>")
    ] = None
    developer: Annotated[bool, meaning("Whether the person is invited to the developer portal.")] = False
    password: Annotated[
        str | UnsetType, meaning("A new password. Only the answer that made it has it.", example="<PASSWORD>")
    ] = UNSET


class SessionState(Struct):
    """A browser in which a person is signed in (D28)."""

    id: Annotated[str, meaning("Names the session, as `sid` in ID tokens.")]
    label: Annotated[str, meaning("Browser and system.")]
    signed_in_at: Annotated[str, meaning("When the person signed in.")]
    last_seen_at: Annotated[str, meaning("When it was last used, to the quarter of an hour.")]
    expires_at: Annotated[str, meaning("Its end, even when it is used.")]
    acr: Annotated[
        str, meaning("The class of the sign-in.", values={"1": "one factor", "2": "two", "phr": "a passkey"})
    ]


class LoginState(Struct):
    """A login of an application in a browser, with all its tokens."""

    id: Annotated[str, meaning("Names the login, as `sid` in access tokens.")]
    client_id: Annotated[str, meaning("Whose tokens they are.")]
    scope: Annotated[str, meaning("What was granted.")]
    created_at: Annotated[str, meaning("When it began.")]
    expires_at: Annotated[str, meaning("When its refresh token ends.")]
    refreshes: Annotated[int, meaning("How often it was refreshed.")]
    state: Annotated[
        LoginStatus,
        meaning(
            "Whether its tokens can be valid.",
            values={
                "open": "they can",
                "ended": "it was revoked, a refresh token was reused, or its account or application has changed since",
                "expired": "its lifetime has passed",
            },
        ),
    ]


class SettingState(Struct):
    """A setting of the service; `credence config show` shows the same."""

    setting: Annotated[str, meaning("Its name.")]
    value: Annotated[Any, meaning("Its value; secrets are asterisks.")]
    source: Annotated[str, meaning("The variable that set it, or `default`.")]
    description: Annotated[str, meaning("What it means.")]


class Applications(Struct):
    """A page of applications, by client_id."""

    applications: Annotated[list[ApplicationState], meaning("The applications.")]
    next_page_token: Annotated[str, meaning("The `page_token` of the next page; empty on the last.", example="")] = ""


class Accounts(Struct):
    """A page of accounts, by login name."""

    accounts: Annotated[list[AccountState], meaning("The accounts.")]
    next_page_token: Annotated[str, meaning("The `page_token` of the next page; empty on the last.", example="")] = ""


class Sessions(Struct):
    """The sessions of an account."""

    sessions: Annotated[list[SessionState], meaning("The sessions, the most recent sign-in first.")]


class Families(Struct):
    """The logins of an account that were opened in a browser."""

    families: Annotated[list[LoginState], meaning("The logins.")]


class SettingStates(Struct):
    """The settings."""

    settings: Annotated[list[SettingState], meaning("Every setting.")]


class SecretBody(Struct, forbid_unknown_fields=True):
    """The options of a further secret."""

    keep_old_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_LOGIN_SECONDS)],
        meaning("For how long the newest of the old secrets stays valid.", unit="seconds", example=86400),
    ] = 86_400


class ServiceHealth(Struct):
    """Whether the service works."""

    status: Annotated[str, meaning("`ready`, or what is missing, as `/readyz` says it.")]
    version: Annotated[str, meaning("The version of Credence.")]
    environment: Annotated[str, meaning("The environment.")]
