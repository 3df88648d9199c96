"""The options of an application on the command line (D4, D5, D16, D25).

`credence app create` and `set` declare a parameter for each option, named as the field of `Application`;
`management/application_fields.py` converts their values.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from credence.cli.defaults import setting
from credence.crypto.algorithms import ALGORITHMS
from credence.management import authentication_fields as authentication
from credence.management.application_fields import ACCESS_TOKEN_TYPES, APPLICATION_TYPES, INHERITED, OPTIONS
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.scopes import ALL_SCOPES
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS

Grants = Annotated[
    list[str] | None,
    typer.Option("--grant", help=f"A grant that the application may use; repeatable: {', '.join(GRANTS)}."),
]
Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", help=f"A scope that tokens may have; repeatable: {', '.join(ALL_SCOPES)}. '': none."),
]
Audiences = Annotated[
    list[str] | None, typer.Option("--resource", help="A further resource that tokens may be for; repeatable.")
]
Authentication = Annotated[
    str | None,
    typer.Option("--authentication", help=f"Method of client authentication: {', '.join(authentication.METHODS)}."),
]
Keys = Annotated[
    Path | None, typer.Option("--jwks", help="File with the public keys, a JWK Set; it replaces the present keys.")
]
KeysUri = Annotated[
    str | None, typer.Option("--jwks-uri", help="Where it publishes its keys; it replaces the present keys. '': none.")
]
CertificateName = Annotated[
    str | None,
    typer.Option("--certificate-name", help="KIND=VALUE: subject_dn, san_dns, san_uri, san_ip, san_email. '': none."),
]
CertificateBoundTokens = Annotated[
    bool | None,
    typer.Option(
        "--certificate-bound-tokens/--no-certificate-bound-tokens",
        help="Whether tokens are valid only over connections with the client's certificate (RFC 8705 §3).",
    ),
]
DpopRequired = Annotated[
    bool | None, typer.Option("--dpop-required/--no-dpop-required", help="Whether token requests need a DPoP proof.")
]
Profile = Annotated[
    str | None,
    typer.Option("--profile", help="fapi2: the rules of FAPI 2.0, see docs/client-authentication.md. '': none."),
]
Origins = Annotated[
    list[str] | None,
    typer.Option(
        "--origin", help="Origin of web pages that may read the answers, such as https://app.example; repeatable."
    ),
]
Introspects = Annotated[
    list[str] | None,
    typer.Option("--introspects", help="A resource that the application guards and may introspect; repeatable."),
]
Algorithm = Annotated[
    str | None, typer.Option("--algorithm", help=f"Algorithm of access tokens: {', '.join(ALGORITHMS)}.")
]
AccessTokenType = Annotated[
    str | None,
    typer.Option(
        "--access-token-type",
        help=f"The typ of access tokens: {', '.join(ACCESS_TOKEN_TYPES)}. JWT is for verifiers that refuse at+jwt.",
    ),
]
IdTokenAlgorithm = Annotated[
    str | None, typer.Option("--id-token-algorithm", help=f"Algorithm of ID tokens: {', '.join(ALGORITHMS)}.")
]
ClaimsInIdToken = Annotated[
    bool | None,
    typer.Option(
        "--claims-in-id-token/--claims-at-user-info",
        help="Whether its ID tokens have name and mail address too, for programs that do not call the user information.",
    ),
]
UserInfoAlgorithm = Annotated[
    str | None,
    typer.Option("--user-info-algorithm", help="Algorithm that signs its user information. '': it is not signed."),
]
AccessTokenLifetime = Annotated[
    int | None, typer.Option("--access-token-lifetime", min=1, max=MAX_ACCESS_TOKEN_SECONDS, help="In seconds.")
]
RefreshTokenLifetime = Annotated[
    int | None,
    typer.Option("--refresh-token-lifetime", min=1, max=MAX_LOGIN_SECONDS, help="In seconds, from login."),
]
RedirectUris = Annotated[
    list[str] | None,
    typer.Option("--redirect-uri", help="Where people come back after signing in; repeatable. '': none."),
]
PostLogoutRedirectUris = Annotated[
    list[str] | None,
    typer.Option("--post-logout-redirect-uri", help="Where people go after signing out; repeatable. '': none."),
]
BackchannelLogoutUri = Annotated[
    str | None,
    typer.Option("--backchannel-logout-uri", help="Where it gets notices of the end of sessions. '': none."),
]
BackchannelLogoutSession = Annotated[
    bool | None,
    typer.Option(
        "--backchannel-logout-session/--no-backchannel-logout-session", help="Whether it needs the session in them."
    ),
]
PolicyUri = Annotated[
    str | None, typer.Option("--policy-uri", help="Its privacy policy, for the consent page. '': none.")
]
TermsUri = Annotated[str | None, typer.Option("--terms-uri", help="Its terms, for the consent page. '': none.")]
Type = Annotated[
    str | None, typer.Option("--type", help=f"Kind of application: {', '.join(APPLICATION_TYPES)} (RFC 8252).")
]
Pkce = Annotated[
    str | None,
    typer.Option(
        "--pkce",
        help="What authorization requests need: required (PKCE), or_nonce (PKCE or a nonce), off (neither).",
    ),
]
PushedRequestsRequired = Annotated[
    bool | None,
    typer.Option(
        "--pushed-requests/--any-requests", help="Whether authorization requests must be pushed first (RFC 9126)."
    ),
]
SignedRequestsRequired = Annotated[
    bool | None,
    typer.Option(
        "--signed-requests/--unsigned-requests",
        help="Whether authorization requests must be signed with a key of --jwks (RFC 9101).",
    ),
]
FirstParty = Annotated[
    bool | None,
    typer.Option(
        "--first-party/--third-party", help="Whether it is the operator's own, so that nobody is asked for consent."
    ),
]
SignIn = Annotated[
    str | None,
    typer.Option("--sign-in", help="What people need at least to sign in to it: password, or factor for a second one."),
]
PasswordAlone = Annotated[
    bool | None,
    typer.Option(
        "--password-alone/--no-password-alone",
        help="Whether the password grant gives tokens for people who have an authenticator app or a passkey.",
    ),
]
SpikePerMinute = Annotated[
    int | None,
    typer.Option("--spike-per-minute", min=0, help="Requests per minute, smoothed; 0: no spike arrest."),
]


Inherit = Annotated[
    list[str] | None,
    typer.Option("--inherit", help=f"Follow the setting of the service again; repeatable: {', '.join(INHERITED)}."),
]


OF_A_NEW_APPLICATION: Mapping[str, str] = {
    "grants": "password, refresh_token; with the profile fapi2 client_credentials",
    "scopes": "every scope",
    "audiences": "none",
    "authentication": "client_secret",
    "keys": "none",
    "keys_uri": "none",
    "certificate_name": "none",
    "certificate_bound_tokens": "no",
    "dpop_required": "no",
    "profile": "none",
    "origins": "none",
    "introspects": "none",
    "algorithm": setting("algorithm"),
    "access_token_type": "at+jwt",
    "id_token_algorithm": "RS256",
    "claims_in_id_token": "claims at user info",
    "user_info_algorithm": "not signed",
    "access_token_lifetime": setting("access_token_lifetime_seconds"),
    "refresh_token_lifetime": setting("refresh_token_lifetime_seconds"),
    "policy_uri": "none",
    "terms_uri": "none",
    "application_type": "web",
    "redirect_uris": "none",
    "post_logout_redirect_uris": "none",
    "backchannel_logout_uri": "none",
    "backchannel_logout_session_required": "no",
    "pkce": "or_nonce",
    "pushed_requests_required": "any requests",
    "signed_requests_required": "unsigned requests",
    "first_party": "no",
    "password_alone": "no",
    "sign_in": "password",
    "spike_per_minute": setting("spike_per_minute"),
}
"""Field -> the default of a new application, as the help prints it."""

UNCHANGED: Mapping[str, str] = dict.fromkeys((*OF_A_NEW_APPLICATION, "inherit", "enable"), "unchanged")


def typed(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an application that were given to a command: field -> value as typed, not converted yet.

    For a file of keys the value is its content. Raises OSError if it cannot be read.
    """
    found = {
        option.field: parameters[option.field] for option in OPTIONS if parameters.get(option.field) not in (None, [])
    }
    return {field: value.read_bytes() if isinstance(value, Path) else value for field, value in found.items()}
