"""The options of an application (D4, D5, D16, D25): how each is typed, read, shown, and inherited from the settings.

`credence app create` and `set` declare a parameter for each option, named as the field of `Application`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec
import typer

from credence.cli import authentication_options as authentication
from credence.cli.defaults import setting
from credence.crypto.algorithms import ALGORITHMS
from credence.errors import InvalidInput
from credence.identity.applications import settled
from credence.identity.origins import check_origin
from credence.oauth.authorization.redirect_uris import with_checked_redirects
from credence.oauth.callable_addresses import check_callable
from credence.oauth.fapi import FAPI2, with_defaults
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.scopes import SCOPES, check_resource, of_application
from credence.store.records import Application, ApplicationType, SignInPolicy
from credence.token_lifetimes import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS

APPLICATION_TYPES: tuple[str, ...] = get_args(ApplicationType)
SIGN_IN_POLICIES: tuple[str, ...] = get_args(SignInPolicy)

Grants = Annotated[
    list[str] | None,
    typer.Option("--grant", help=f"A grant that the application may use; repeatable: {', '.join(GRANTS)}."),
]
Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", help=f"A scope that tokens may have; repeatable: {', '.join(SCOPES)}. '': none."),
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
IdTokenAlgorithm = Annotated[
    str | None, typer.Option("--id-token-algorithm", help=f"Algorithm of ID tokens: {', '.join(ALGORITHMS)}.")
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
PkceOptional = Annotated[
    bool | None,
    typer.Option(
        "--pkce-optional/--pkce-required", help="Whether an authorization request with a nonce may go without PKCE."
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
SpikePerMinute = Annotated[
    int | None,
    typer.Option("--spike-per-minute", min=0, help="Requests per minute, smoothed; 0: no spike arrest."),
]


def _unchanged(value: Any) -> object:
    return value


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of `Application` is read from the command line and shown. An option that is left out changes nothing."""

    field: str
    read: Callable[[Any], object] = _unchanged
    """Converts the typed value to the field's value; InvalidInput says what is wrong."""
    inherits: str | None = None
    """The word for `--inherit`, if a setting of the service applies to applications without a value of their own."""
    shown: Callable[[Application], object] | None = None
    """Returns the value to print, if it is not the field's value."""


def _one_of(kind: str, names: Collection[str]) -> Callable[[str], str]:
    def read(name: str) -> str:
        if name not in names:
            raise InvalidInput(f"There is no {kind} {name!r}: choose from {', '.join(names)}.")
        return name

    return read


def _profile(name: str) -> str | None:
    return _one_of("profile", (FAPI2,))(name) if name else None


def _unless_empty(text: str) -> str | None:
    return text or None


def _each(read: Callable[[str], str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return a reader of a repeatable option, without duplicates."""
    return lambda texts: tuple(dict.fromkeys(read(text) for text in texts))


def _each_or_none(read: Callable[[str], str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return a reader of a repeatable option for which a single empty text means none."""
    each = _each(read)
    return lambda texts: () if list(texts) == [""] else each(texts)


def _listed(field: str) -> Callable[[Application], object]:
    return lambda application: list(getattr(application, field))


OPTIONS = (
    Option("grants", _each(_one_of("grant", GRANTS)), shown=_listed("grants")),
    Option(
        "scopes",
        _each_or_none(_one_of("scope", SCOPES)),
        inherits="scope",
        shown=lambda application: list(of_application(application)),
    ),
    Option("audiences", _each_or_none(check_resource), shown=_listed("audiences")),
    Option("authentication", _one_of("method of authentication", authentication.METHODS)),
    Option("keys", authentication.read_keys, shown=authentication.keys_shown),
    Option("certificate_name", authentication.read_certificate_name, shown=authentication.certificate_name_shown),
    Option("certificate_bound_tokens"),
    Option("dpop_required"),
    Option("profile", _profile),
    Option("origins", _each_or_none(check_origin), shown=_listed("origins")),
    Option("introspects", _each_or_none(check_resource), shown=_listed("introspects")),
    Option("algorithm", _one_of("algorithm", ALGORITHMS), inherits="algorithm"),
    Option("id_token_algorithm", _one_of("algorithm", ALGORITHMS), inherits="id-token-algorithm"),
    Option("access_token_lifetime", inherits="access-token-lifetime"),
    Option("refresh_token_lifetime", inherits="refresh-token-lifetime"),
    Option("application_type", _one_of("kind of application", APPLICATION_TYPES)),
    Option("redirect_uris", _each_or_none(str), shown=_listed("redirect_uris")),
    Option("post_logout_redirect_uris", _each_or_none(str), shown=_listed("post_logout_redirect_uris")),
    Option("backchannel_logout_uri", _unless_empty),
    Option("backchannel_logout_session_required"),
    Option("policy_uri", _unless_empty),
    Option("terms_uri", _unless_empty),
    Option("pkce_optional"),
    Option("pushed_requests_required"),
    Option("signed_requests_required"),
    Option("first_party"),
    Option("sign_in", _one_of("kind of sign-in", SIGN_IN_POLICIES)),
    Option("spike_per_minute", inherits="spike-per-minute"),
)
"""Every option, in the order in which `credence app show` prints them."""

INHERITED: Mapping[str, str] = {option.inherits: option.field for option in OPTIONS if option.inherits}
"""Word for `--inherit` -> field that then follows the setting of the service."""

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
    "certificate_name": "none",
    "certificate_bound_tokens": "no",
    "dpop_required": "no",
    "profile": "none",
    "origins": "none",
    "introspects": "none",
    "algorithm": setting("algorithm"),
    "id_token_algorithm": "RS256",
    "access_token_lifetime": setting("access_token_lifetime_seconds"),
    "refresh_token_lifetime": setting("refresh_token_lifetime_seconds"),
    "policy_uri": "none",
    "terms_uri": "none",
    "application_type": "web",
    "redirect_uris": "none",
    "post_logout_redirect_uris": "none",
    "backchannel_logout_uri": "none",
    "backchannel_logout_session_required": "no",
    "pkce_optional": "PKCE is required",
    "pushed_requests_required": "any requests",
    "signed_requests_required": "unsigned requests",
    "first_party": "no",
    "sign_in": "password",
    "spike_per_minute": setting("spike_per_minute"),
}
"""Field -> what a new application has when the option is left out, in the words of the help."""

UNCHANGED: Mapping[str, str] = dict.fromkeys((*OF_A_NEW_APPLICATION, "inherit", "enable"), "unchanged")


def typed(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a command that are options of an application and were typed, by field, not read yet."""
    return {
        option.field: parameters[option.field] for option in OPTIONS if parameters.get(option.field) not in (None, [])
    }


def read(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the typed values as values of the fields; InvalidInput for one that cannot be."""
    return {option.field: option.read(values[option.field]) for option in OPTIONS if option.field in values}


def configured(application: Application, values: Mapping[str, Any], inherited: Sequence[str] = ()) -> Application:
    """Return the application with the typed values; InvalidInput for one that does not exist or cannot work.

    `inherited` are words of `--inherit`.
    """
    reset = {INHERITED[_one_of("setting to inherit", INHERITED)(word)]: None for word in inherited}
    changes = with_defaults(application, reset | read(values))
    changed = msgspec.structs.replace(settled(application, tuple(changes)), **changes)
    if changed.backchannel_logout_uri is not None:
        check_callable(changed.backchannel_logout_uri)
    return authentication.able_to_authenticate(with_checked_redirects(changed))


def options_shown(application: Application) -> dict[str, object]:
    """Return every option of an application by the name of its field, as it is printed."""
    return {
        option.field: option.shown(application) if option.shown else getattr(application, option.field)
        for option in OPTIONS
    }
