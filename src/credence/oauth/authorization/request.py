"""Reads an authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1, RFC 7636 §4.3, RFC 8707 §2, RFC 9449 §10).

An unknown client or redirect URI is reported to the person on a page, because a redirect might go to an attacker. Every
later error is sent to the redirect URI.
"""

import re
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from credence.access.report_rights import ReportRights
from credence.identity.applications import is_public
from credence.oauth import fapi
from credence.oauth.authorization.claims_parameter import RequestedClaims, read_claims
from credence.oauth.authorization.pushed import PushedRequest
from credence.oauth.authorization.redirect_uris import is_registered
from credence.oauth.parameters import scopes
from credence.oauth.parameters.authorization_details import granted as granted_details
from credence.refusals.grants import INVALID_TARGET
from credence.refusals.refusal import Refused
from credence.settings import Settings
from credence.store.records import Application

Pairs = Sequence[tuple[str, str]]
ResponseMode = Literal["query", "form_post", "jwt", "query.jwt", "form_post.jwt"]
Prompt = Literal["none", "login", "consent", "select_account"]

PARAMETERS = frozenset(
    {
        *("response_type", "client_id", "redirect_uri", "response_mode", "state", "scope", "resource"),
        *("code_challenge", "code_challenge_method", "nonce", "prompt", "max_age", "login_hint", "id_token_hint"),
        *("acr_values", "claims", "authorization_details", "dpop_jkt", "registration"),
    }
)
"""The parameters that have an effect."""

MAX_VALUE_CHARACTERS = 2_048
"""The maximum length of one parameter. The whole URL is limited as well (`web/messages/request.py`)."""

MAX_CLAIMS_CHARACTERS = 4_096
"""The maximum length of the `claims` parameter, which names each claim; a long one has to be pushed."""

PROMPTS: Collection[Prompt] = ("none", "login", "consent", "select_account")
RESPONSE_MODES: Collection[ResponseMode] = ("query", "form_post", "jwt", "query.jwt", "form_post.jwt")
"""The accepted response modes; `jwt` means `query.jwt`, the default of the response type `code` (JARM §2.3.4)."""

_NO_CLAIMS = RequestedClaims()

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch
"""Matches the base64url of a SHA-256 digest (RFC 7636 §4.2)."""


class AuthorizationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A valid request for an authorization code."""

    client_id: str
    redirect_uri: str
    response_mode: ResponseMode = "query"
    state: str | None = None
    scope: str = ""
    """The requested scopes that the application may have."""
    resources: tuple[str, ...] = ()
    code_challenge: str | None = None
    """The S256 challenge; None if the application may omit it (D35)."""
    nonce: str | None = None
    prompts: frozenset[str] = frozenset()
    max_age: int | None = None
    """Maximum number of seconds since the person's last sign-in."""
    login_hint: str | None = None
    id_token_hint: str | None = None
    acr_values: tuple[str, ...] = ()
    claims: RequestedClaims = _NO_CLAIMS
    rights: ReportRights | None = None
    """The requested rights within those of the application (RFC 9396); None for what the scope opens."""
    dpop_jkt: str | None = None
    """Thumbprint of the DPoP key to which the code is bound (RFC 9449 §10)."""
    pushed: PushedRequest | None = None
    """The pushed request from which the parameters were read; None for a direct request."""

    @property
    def is_openid(self) -> bool:
        """Whether the application requests an ID token."""
        return scopes.OPENID in self.scope.split(" ")


class Parameters:
    """The parameters of a request by name, indexed once."""

    __slots__ = ("_last", "_repeated", "pairs")

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self._last = dict(pairs)
        self._repeated = len(self._last) != len(pairs)

    def all(self, name: str) -> Sequence[str]:
        """Return every value of a parameter, including empty ones."""
        if self._repeated:
            return [value for each, value in self.pairs if each == name]
        value = self._last.get(name)
        return () if value is None else (value,)

    def given(self, name: str) -> Sequence[str]:
        """Return every value of a parameter that is not empty: an empty one counts as absent (RFC 6749 §3.1)."""
        if self._repeated:
            return [value for each, value in self.pairs if each == name and value]
        value = self._last.get(name)
        return (value,) if value else ()


class UntrustedRequest(Exception):
    """The client or its redirect URI is unknown, so the answer is a page and not a redirect (RFC 6749 §4.1.2.1)."""

    def __init__(self, reason: str, *, redirect_uri: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.redirect_uri = redirect_uri
        """The one that is not registered, if that is the fault."""


class ReturnAddress(msgspec.Struct, frozen=True):
    """The redirect URI, response mode and state with which a request is answered."""

    redirect_uri: str
    response_mode: ResponseMode
    state: str | None

    @property
    def by_form(self) -> bool:
        """Whether the answer is sent by POST (Form Post Response Mode)."""
        return self.response_mode in ("form_post", "form_post.jwt")

    @property
    def signed(self) -> bool:
        """Whether the answer is a JWT (JARM)."""
        return self.response_mode.endswith("jwt")


class Declined(Exception):
    """The request is answered with an error at the redirect URI (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6)."""

    def __init__(self, error: str, description: str, to: ReturnAddress, reason: str) -> None:
        super().__init__(reason)
        self.error = error
        self.description = description
        self.to = to
        self.reason = reason


def return_address(request: AuthorizationRequest) -> ReturnAddress:
    """Return the return address of a request."""
    return ReturnAddress(request.redirect_uri, request.response_mode, request.state)


def client_of(parameters: Parameters) -> str:
    """Return the client_id of a request; UntrustedRequest unless there is exactly one."""
    return _once(parameters, "client_id", "authorization.client_id")


def read_request(parameters: Parameters, application: Application, settings: Settings) -> AuthorizationRequest:
    """Return the request; raise UntrustedRequest or Declined with the first fault.

    `application` is the enabled one with the client_id that `client_of` returned. Unknown parameters are ignored and empty
    ones count as absent (RFC 6749 §3.1).
    """
    redirect_uri = _once(parameters, "redirect_uri", "authorization.redirect_uri_missing")
    if not is_registered(application, redirect_uri):
        raise UntrustedRequest("authorization.redirect_uri_unknown", redirect_uri=redirect_uri)
    to = _return_address(parameters, redirect_uri)
    values = _values(parameters.pairs, to)
    _check_response_type(values, to)
    if "authorization_code" not in application.grants:
        raise Declined("unauthorized_client", "The application may not use this grant.", to, "authorization.grant")
    rights = _rights(values.get("authorization_details"), application, to)
    scope = _scope(values.get("scope"), application, to, with_rights=rights is not None)
    claims = _claims(values.get("claims"), to)
    request = AuthorizationRequest(
        client_id=application.client_id,
        redirect_uri=redirect_uri,
        response_mode=to.response_mode,
        state=to.state,
        scope=_with_scopes(scope, claims, application),
        resources=_resources(parameters, application, settings, to),
        code_challenge=_pkce_challenge(values, scope, application, to),
        nonce=values.get("nonce"),
        prompts=_prompts(values.get("prompt", ""), to),
        max_age=_max_age(values.get("max_age"), to),
        login_hint=values.get("login_hint"),
        id_token_hint=values.get("id_token_hint"),
        acr_values=tuple(values.get("acr_values", "").split()),
        claims=claims,
        rights=rights,
        dpop_jkt=_thumbprint(values.get("dpop_jkt"), to),
    )
    if "request_uri" in values:
        description = "Only the request_uri of a pushed request is taken."
        raise Declined("request_uri_not_supported", description, to, "authorization.request_uri")
    if "registration" in values:
        raise Declined("registration_not_supported", "No registration is taken.", to, "authorization.registration")
    return request


def _once(parameters: Parameters, name: str, reason: str) -> str:
    found = parameters.all(name)
    if len(found) != 1 or not found[0]:
        raise UntrustedRequest(reason)
    return found[0]


def _return_address(parameters: Parameters, redirect_uri: str) -> ReturnAddress:
    """Return the redirect URI, response mode and state with which a request is answered, even with an error."""
    states, modes = parameters.given("state"), parameters.given("response_mode")
    state = states[0] if len(states) == 1 and len(states[0]) <= MAX_VALUE_CHARACTERS else None
    mode: ResponseMode = "query"
    if len(modes) == 1:
        mode = next((each for each in RESPONSE_MODES if each == modes[0]), mode)
    return ReturnAddress(redirect_uri, mode, state)


def _values(pairs: Pairs, to: ReturnAddress) -> dict[str, str]:
    given = [pair for pair in pairs if pair[1] and pair[0] != "resource"]
    values = dict(given)
    if len(values) != len(given):
        names = [name for name, _ in given]
        name = next(each for index, each in enumerate(names) if each in names[:index])
        raise _invalid(f"A parameter occurs twice: {_quoted(name)}.", to, "authorization.repeated")
    others = [len(value) for name, value in values.items() if name != "claims"]
    if max(others, default=0) > MAX_VALUE_CHARACTERS or len(values.get("claims", "")) > MAX_CLAIMS_CHARACTERS:
        name = max(values, key=lambda each: len(values[each]))
        raise _invalid(f"A parameter is too long: {_quoted(name)}.", to, "authorization.too_long")
    return values


def _check_response_type(values: dict[str, str], to: ReturnAddress) -> None:
    response_type = values.get("response_type")
    if response_type is None:
        raise _invalid("The response_type is missing.", to, "authorization.response_type_missing")
    if response_type != "code":
        raise Declined(
            "unsupported_response_type", "The response_type must be code.", to, "authorization.response_type"
        )
    if values.get("response_mode", "query") not in RESPONSE_MODES:
        raise _invalid("The response_mode is not supported.", to, "authorization.response_mode")


def _scope(asked: str | None, application: Application, to: ReturnAddress, *, with_rights: bool) -> str:
    allowed = scopes.of_application(application)
    try:
        return scopes.granted(asked, scopes.WITH_RIGHTS.intersection(allowed) if with_rights else allowed)
    except Refused as refused:
        raise Declined("invalid_scope", "The scope cannot be granted.", to, refused.reason) from None


def _rights(text: str | None, application: Application, to: ReturnAddress) -> ReportRights | None:
    if text is None and application.rights is None:
        return None
    try:
        return granted_details(text, (application.rights,))
    except Refused as refused:
        error, description = refused.refusal.oauth_error, refused.refusal.message
        raise Declined(error, description, to, refused.reason) from None


def _claims(text: str | None, to: ReturnAddress) -> RequestedClaims:
    try:
        return _NO_CLAIMS if text is None else read_claims(text)
    except ValueError:
        raise _invalid(
            "The claims parameter must be a JSON object (OpenID Connect Core, section 5.5).", to, "authorization.claims"
        ) from None


def _with_scopes(scope: str, claims: RequestedClaims, application: Application) -> str:
    """Return the scope with the scopes of the requested claims added, as far as the application may have them.

    Without `openid` in the scope, the claims add nothing.
    """
    granted = frozenset(scope.split())
    if scopes.OPENID not in granted:
        return scope
    return scopes.format_scope(granted | claims.scopes.intersection(scopes.of_application(application)))


def _resources(
    parameters: Parameters, application: Application, settings: Settings, to: ReturnAddress
) -> tuple[str, ...]:
    resources = tuple(dict.fromkeys(parameters.given("resource")))
    for resource in resources:
        try:
            scopes.audience_of_resources((resource,), application, settings)
        except Refused as refused:
            error = INVALID_TARGET.oauth_error
            raise Declined(error, "No token can be issued for the resource.", to, refused.reason) from None
    return resources


def _pkce_challenge(values: dict[str, str], scope: str, application: Application, to: ReturnAddress) -> str | None:
    """Return the code challenge of PKCE (RFC 7636 §4.3): S256 alone. None without one, if the application may (D35).

    A nonce prevents the injection of a code only if an ID token returns it, so in an OpenID request (RFC 9700 §4.5.3.2).
    """
    challenge = values.get("code_challenge")
    if challenge is None and "code_challenge_method" not in values:
        needs_pkce = application.pkce == "required" or is_public(application) or fapi.is_fapi2(application)
        is_openid = scopes.OPENID in scope.split()
        if not needs_pkce and (application.pkce == "off" or (is_openid and "nonce" in values)):
            return None
        ways = "a code_challenge" if needs_pkce else "a code_challenge, or the scope openid and a nonce"
        raise _invalid(f"The request needs PKCE: {ways} (RFC 7636).", to, "authorization.challenge_missing")
    if challenge is None:
        raise _invalid("The code_challenge is missing (RFC 7636).", to, "authorization.challenge_missing")
    if values.get("code_challenge_method") != "S256":
        raise _invalid("The code_challenge_method must be S256.", to, "authorization.challenge_method")
    if not _CHALLENGE(challenge):
        raise _invalid("The code_challenge must be a SHA-256 in base64url.", to, "authorization.challenge")
    return challenge


def _prompts(text: str, to: ReturnAddress) -> frozenset[str]:
    prompts = frozenset(text.split())
    if not prompts <= set(PROMPTS) or ("none" in prompts and len(prompts) > 1):
        raise _invalid("The prompt is not supported.", to, "authorization.prompt")
    return prompts


def _max_age(text: str | None, to: ReturnAddress) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise _invalid("The max_age must be a number of seconds.", to, "authorization.max_age")
    return int(text)


def _thumbprint(text: str | None, to: ReturnAddress) -> str | None:
    if text is not None and not _CHALLENGE(text):
        raise _invalid("The dpop_jkt must be a SHA-256 in base64url.", to, "authorization.dpop_jkt")
    return text


def _invalid(description: str, to: ReturnAddress, reason: str) -> Declined:
    return Declined("invalid_request", description, to, reason)


def _quoted(name: str) -> str:
    """Return a parameter name without the characters that an error description must not contain (RFC 6749 §4.1.2.1)."""
    return name if re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", name) else "another parameter"
