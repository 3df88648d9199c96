"""The schema of applications in the management API, on the command line and in `credence apply` (D30).

A body says what operators choose; a state adds what the service knows. A member that a body leaves out has its default.
"""

from dataclasses import replace
from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.access.report_rights import EXAMPLE as RIGHTS
from credence.crypto.jws import ALGORITHMS
from credence.management.schema import WORKLOADS, RulesBody, Texts
from credence.meanings import Input, meaning
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.scopes import ALL_SCOPES
from credence.settings import setting
from credence.store.records import AccessTokenType, ApplicationType, AuthenticationMethod
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS

ACCESS_TOKEN_TYPES: tuple[str, ...] = get_args(AccessTokenType)
APPLICATION_TYPES: tuple[str, ...] = get_args(ApplicationType)
METHODS: tuple[str, ...] = get_args(AuthenticationMethod)

MAX_PER_MINUTE = 10_000_000
"""The highest rate of an application that can be set, in requests a minute."""

_AccessTokenSeconds = Annotated[int, Meta(ge=1, le=MAX_ACCESS_TOKEN_SECONDS)]
_LoginSeconds = Annotated[int, Meta(ge=1, le=MAX_LOGIN_SECONDS)]
_KEEP_OLD = (("86400", "for a day"), ("604800", "for a week"), ("3600", "for an hour"), ("0", "not at all"))
_PerMinute = Annotated[int, Meta(ge=0, le=MAX_PER_MINUTE)]

GRANT: Final = Input(
    f"A grant that the application may use; repeatable: {', '.join(GRANTS)}.",
    flag="--grant",
    hint=f"Separated by spaces. Any of {', '.join(GRANTS)}.",
)
SCOPE: Final = Input(
    f"A scope that tokens may have; repeatable: {', '.join(ALL_SCOPES)}. '': none.",
    flag="--scope",
    default="all but manage:*",
    hint="Separated by spaces. Empty: all but manage:*.",
)
RESOURCE: Final = Input(
    "A further resource that tokens may be for; repeatable.",
    flag="--resource",
    default="none",
    label="Resources",
    hint="Separated by spaces.",
)
PKCE: Final = Input(
    "What authorization requests need: required (PKCE), or_nonce (PKCE or a nonce), off (neither).",
    default="or_nonce",
    label="What authorization requests need",
    hint="",
    choices=(("or_nonce", "PKCE or a nonce"), ("required", "PKCE"), ("off", "neither")),
)
PKCE_VALUES: Final = dict(PKCE.choices)


class ApplicationBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator chooses about an application. The names are those of `credence app show --json`."""

    name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200)],
        meaning("The name for people."),
        Input("Name for people.", argument=True),
    ]
    disabled: Annotated[
        bool,
        meaning("Whether it gets no tokens; a change revokes those it has."),
        Input("Disabling revokes its tokens.", flag="--disable/--enable"),
    ] = False
    grants: Annotated[
        Texts | UnsetType,
        meaning("The grants that it may use."),
        replace(GRANT, default="password, refresh_token; with the profile fapi2 client_credentials"),
    ] = UNSET
    scopes: Annotated[
        Texts | UnsetType | None, meaning("The scopes that its tokens may have; null: every one but `manage:*`."), SCOPE
    ] = UNSET
    audiences: Annotated[Texts | UnsetType, meaning("Further resources that its tokens may be for."), RESOURCE] = UNSET
    authentication: Annotated[
        str | UnsetType,
        meaning("How it authenticates.", example="client_secret"),
        Input(
            f"Method of client authentication: {', '.join(METHODS)}.", flag="--authentication", default="client_secret"
        ),
    ] = UNSET
    jwks: Annotated[
        dict[str, Any] | UnsetType,
        meaning("Its public keys, a JWK Set (RFC 7517 §5)."),
        Input(
            "File with the public keys, a JWK Set; it replaces the present keys.",
            flag="--jwks",
            default="none",
            file=True,
        ),
    ] = UNSET
    keys_uri: Annotated[
        str | UnsetType | None,
        meaning("Where it publishes its keys instead.", example="https://app.example/keys"),
        Input("Where it publishes its keys instead. '': none.", flag="--jwks-uri", default="none"),
    ] = UNSET
    workloads: Annotated[Texts | UnsetType, meaning("Whose tokens of a trusted issuer authenticate it."), WORKLOADS] = (
        UNSET
    )
    certificate_name: Annotated[
        str | UnsetType | None,
        meaning("The name of its certificate (RFC 8705 §2.1.2).", example="san_dns=client.example.com"),
        Input("KIND=VALUE: subject_dn, san_dns, san_uri, san_ip, san_email. '': none.", default="none"),
    ] = UNSET
    certificate_bound_tokens: Annotated[
        bool | UnsetType, meaning("Whether its tokens are bound to its certificate (RFC 8705 §3)."), Input(default="no")
    ] = UNSET
    dpop_required: Annotated[
        bool | UnsetType, meaning("Whether token requests need a DPoP proof (RFC 9449)."), Input(default="no")
    ] = UNSET
    profile: Annotated[
        str | UnsetType | None,
        meaning("A set of stricter rules.", example="fapi2"),
        Input("fapi2: the rules of FAPI 2.0, see docs/client-authentication.md. '': none.", default="none"),
    ] = UNSET
    rights: Annotated[
        str | UnsetType | None,
        meaning("The most that the scope `credit:report` opens for its tokens: JSON (RFC 9396).", example=RIGHTS),
        Input(f"The most that credit:report opens, such as {RIGHTS}. '': every company.", default="every company"),
    ] = UNSET
    origins: Annotated[
        Texts | UnsetType,
        meaning("Origins of web pages that may read the answers."),
        Input("Origin of web pages that may read the answers; repeatable. '': none.", flag="--origin", default="none"),
    ] = UNSET
    introspects: Annotated[
        Texts | UnsetType,
        meaning("Resources that it guards and may introspect."),
        Input("A resource that it guards and may introspect; repeatable. '': none.", default="none"),
    ] = UNSET
    algorithm: Annotated[
        str | UnsetType | None,
        meaning("The algorithm of access tokens; null: the service's.", example="ES256"),
        Input(f"Algorithm of access tokens: {', '.join(ALGORITHMS)}. ES256 is fastest.", default=setting("algorithm")),
    ] = UNSET
    access_token_type: Annotated[
        str | UnsetType,
        meaning(
            "The `typ` of its access tokens (D36).",
            values={"at+jwt": "that of RFC 9068", "JWT": "for a verifier that refuses the other"},
        ),
        Input("JWT is for verifiers that refuse at+jwt.", default="at+jwt"),
    ] = UNSET
    id_token_algorithm: Annotated[
        str | UnsetType | None,
        meaning("The algorithm of ID tokens; null: RS256.", example="RS256"),
        Input(f"Algorithm of ID tokens: {', '.join(ALGORITHMS)}.", default="RS256"),
    ] = UNSET
    claims_in_id_token: Annotated[
        bool | UnsetType,
        meaning("Whether its ID tokens have the claims of the granted scopes too (D37)."),
        Input(flag="--claims-in-id-token/--claims-at-user-info", default="claims at user info"),
    ] = UNSET
    user_info_algorithm: Annotated[
        str | UnsetType | None,
        meaning("The algorithm of signed user information; null: it is not signed."),
        Input("Algorithm that signs its user information. '': it is not signed.", default="not signed"),
    ] = UNSET
    access_token_lifetime: Annotated[
        _AccessTokenSeconds | UnsetType | None,
        meaning("The life of access tokens; null: the service's.", unit="seconds", example=1800),
        Input("In seconds.", default=setting("access_token_lifetime_seconds")),
    ] = UNSET
    refresh_token_lifetime: Annotated[
        _LoginSeconds | UnsetType | None,
        meaning("The life of a login; null: the service's.", unit="seconds", example=86400),
        Input("In seconds, from login.", default=setting("refresh_token_lifetime_seconds")),
    ] = UNSET
    application_type: Annotated[
        str | UnsetType,
        meaning("`web` or `native` (RFC 8252).", example="web"),
        Input(f"Kind of application: {', '.join(APPLICATION_TYPES)} (RFC 8252).", flag="--type", default="web"),
    ] = UNSET
    redirect_uris: Annotated[
        Texts | UnsetType,
        meaning("Where the browser is sent after sign-in (RFC 6749 §3.1.2)."),
        Input("Where the browser is sent after sign-in; repeatable. '': none.", flag="--redirect-uri", default="none"),
    ] = UNSET
    post_logout_redirect_uris: Annotated[
        Texts | UnsetType,
        meaning("Where the browser is sent after sign-out."),
        Input(
            "Where it is sent after sign-out; repeatable. '': none.", flag="--post-logout-redirect-uri", default="none"
        ),
    ] = UNSET
    backchannel_logout_uri: Annotated[
        str | UnsetType | None,
        meaning("Where it gets notices of the end of sessions.", example="https://app.example/signed-out"),
        Input("Where it gets notices of the end of sessions. '': none.", default="none"),
    ] = UNSET
    backchannel_logout_session_required: Annotated[
        bool | UnsetType,
        meaning("Whether it needs the session in these notices."),
        Input(flag="--backchannel-logout-session/--no-backchannel-logout-session", default="no"),
    ] = UNSET
    policy_uri: Annotated[
        str | UnsetType | None,
        meaning("Its privacy policy.", example="https://app.example/privacy"),
        Input("Its privacy policy, for the consent page. '': none.", default="none"),
    ] = UNSET
    terms_uri: Annotated[
        str | UnsetType | None,
        meaning("Its terms.", example="https://app.example/terms"),
        Input("Its terms, for the consent page. '': none.", default="none"),
    ] = UNSET
    pkce: Annotated[
        str | UnsetType,
        meaning(
            "What its authorization requests need (D35).",
            values=PKCE_VALUES,
        ),
        PKCE,
    ] = UNSET
    pushed_requests_required: Annotated[
        bool | UnsetType,
        meaning("Whether authorization requests must be pushed (RFC 9126)."),
        Input(flag="--pushed-requests/--any-requests", default="any requests"),
    ] = UNSET
    signed_requests_required: Annotated[
        bool | UnsetType,
        meaning("Whether authorization requests must be signed (RFC 9101)."),
        Input(flag="--signed-requests/--unsigned-requests", default="unsigned requests"),
    ] = UNSET
    first_party: Annotated[
        bool | UnsetType,
        meaning("Whether people are not asked for consent."),
        Input(flag="--first-party/--third-party", default="no"),
    ] = UNSET
    sign_in: Annotated[
        str | UnsetType,
        meaning("The weakest sign-in that it accepts.", example="password"),
        Input(
            "The weakest sign-in that it accepts: password, or factor (two-factor authentication).", default="password"
        ),
    ] = UNSET
    password_alone: Annotated[
        bool | UnsetType,
        meaning("Whether the password grant gives tokens for a person who has an authenticator app or a passkey."),
        Input(default="no"),
    ] = UNSET
    spike_per_minute: Annotated[
        _PerMinute | UnsetType | None,
        meaning("Requests per minute, smoothed; 0: no limit; null: the service's.", example=600),
        Input("Requests per minute, smoothed; 0: no spike arrest.", default=setting("spike_per_minute")),
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
    owner: Annotated[
        str | None, meaning("The developer who made it in the portal; null: an operator did.", example="ada")
    ] = None
    tokens_valid_from: Annotated[
        str | None, meaning("Tokens from before are not valid; null: none is excluded.", example="2026-11-22T09:30:00Z")
    ] = None
    client_secret: Annotated[
        str | UnsetType, meaning("A new secret. Only the answer that made it has it.", example="<CLIENT_SECRET>")
    ] = UNSET


class Applications(Struct):
    """A page of applications, by client_id."""

    applications: Annotated[list[ApplicationState], meaning("The applications.")]
    next_page_token: Annotated[str, meaning("The `page_token` of the next page; empty on the last.", example="")] = ""


class SecretBody(Struct, forbid_unknown_fields=True):
    """The options of a further secret."""

    keep_old_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_LOGIN_SECONDS)],
        meaning("For how long the newest of the old secrets stays valid.", unit="seconds", example=86400),
        Input(
            "Seconds for which the old secret stays valid.",
            flag="--keep-old",
            label="The old one stays valid",
            hint="",
            choices=_KEEP_OLD,
        ),
    ] = 86_400
