"""Decides what happens with an authorization request: sign in, ask for consent, or answer (OpenID Connect Core §3.1.2)."""

from collections.abc import Collection
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto.jws import InvalidSignature
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import CodeClaims, code_key, write_code
from credence.oauth.authorization.consent import needs_consent
from credence.oauth.authorization.request import AuthorizationRequest, Declined, ReturnAddress
from credence.oauth.tokens.id_token import subject_of_hint
from credence.oauth.tokens.refresh_token import new_family_id
from credence.store.records import Account, Application, Consent, Session


@dataclass(frozen=True, slots=True)
class SignInNeeded:
    """The person must prove who they are."""

    username: str | None
    """The login name to propose."""


@dataclass(frozen=True, slots=True)
class ConsentNeeded:
    """The person must be asked."""

    account: Account


@dataclass(frozen=True, slots=True)
class Granted:
    """The request is answered with a code."""

    code: str


Decision = SignInNeeded | ConsentNeeded | Granted


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person with a live session."""

    session: Session
    account: Account
    consents: Collection[Consent]


def return_address(request: AuthorizationRequest) -> ReturnAddress:
    """Return where the request is answered."""
    return ReturnAddress(request.redirect_uri, request.response_mode, request.state)


def decide(
    authority: Authority,
    application: Application,
    request: AuthorizationRequest,
    person: SignedIn | None,
    arrived_at: Milliseconds,
    now: Milliseconds,
) -> Decision:
    """Return the next step of a valid request; raise Declined when `prompt=none` forbids that step.

    `arrived_at` is when the request arrived first: a sign-in or consent since then answers `prompt` and `max_age`.
    """
    silent = "none" in request.prompts
    hinted = _hinted(authority, request, silent=silent)
    if person is None or _must_sign_in(request, person.session, hinted, arrived_at, now):
        if silent:
            raise _declined("login_required", request, "authorization.login_required")
        return SignInNeeded(hinted or request.login_hint)
    if needs_consent(application, request, person.consents, arrived_at):
        if silent:
            raise _declined("consent_required", request, "authorization.consent_required")
        return ConsentNeeded(person.account)
    return Granted(_code(authority, application, request, person, now))


def _must_sign_in(
    request: AuthorizationRequest, session: Session, hinted: str | None, arrived_at: Milliseconds, now: Milliseconds
) -> bool:
    if hinted is not None and hinted != session.username:
        return True
    if session.signed_in_at >= arrived_at:
        return False
    if request.prompts & {"login", "select_account"}:
        return True
    return request.max_age is not None and now - session.signed_in_at > request.max_age * 1000


def _hinted(authority: Authority, request: AuthorizationRequest, *, silent: bool) -> str | None:
    """Return the login name of the ID token in `id_token_hint`; a hint that is not ours is refused (§3.1.2.1)."""
    if request.id_token_hint is None:
        return None
    try:
        return subject_of_hint(authority.ring.verifying, request.id_token_hint, authority.settings.issuer).sub
    except InvalidSignature:
        error = "login_required" if silent else "invalid_request"
        raise _declined(error, request, "authorization.id_token_hint") from None


def _code(
    authority: Authority, application: Application, request: AuthorizationRequest, person: SignedIn, now: Milliseconds
) -> str:
    lifetime = application.refresh_token_lifetime or authority.settings.refresh_token_lifetime_seconds
    claims = CodeClaims(
        client_id=application.client_id,
        redirect_uri=request.redirect_uri,
        issued_at=now,
        family_id=new_family_id(now + lifetime * 1000),
        username=person.account.username,
        scope=request.scope,
        resources=request.resources,
        code_challenge=request.code_challenge,
        nonce=request.nonce,
        dpop_jkt=request.dpop_jkt,
        session=person.session.key,
        signed_in_at=person.session.signed_in_at,
        methods=person.session.methods,
        consented=not application.first_party,
    )
    return write_code(authority.settings.environment.prefix, code_key(authority.secrets.refresh), claims)


_DESCRIPTIONS = {
    "login_required": "The person must sign in.",
    "consent_required": "The person must be asked for consent.",
    "invalid_request": "The id_token_hint is not an ID token of this service.",
}


def _declined(error: str, request: AuthorizationRequest, reason: str) -> Declined:
    return Declined(error, _DESCRIPTIONS[error], return_address(request), reason)
