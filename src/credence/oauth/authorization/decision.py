"""Decides the next step of an authorization request: sign in, ask for consent, or answer (OpenID Connect Core §3.1.2)."""

from collections.abc import Collection

import msgspec

from credence.clock import Milliseconds
from credence.crypto.jws import InvalidSignature
from credence.identity.applications import application_time, is_unverified
from credence.identity.gate import Facts, Needs, NotFromHere, NotSignedIn, TooOld, missing
from credence.identity.sessions import AUTHENTICATION_CLASSES, authentication_class, is_weaker
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import CodeClaims, code_key, write_code
from credence.oauth.authorization.consent import needs_consent
from credence.oauth.authorization.request import AuthorizationRequest, Declined, return_address
from credence.oauth.parameters.authorization_details import stored
from credence.oauth.tokens.id_token import subject_of_hint
from credence.oauth.tokens.refresh_token import new_family_id
from credence.refusals.refusal import Refused
from credence.refusals.requests import FORBIDDEN
from credence.store.records import Account, Application
from credence.store.sign_ins import Consent, Session


class SignInNeeded(msgspec.Struct, frozen=True):
    """The person must sign in, or sign in again."""

    username: str | None
    """The login name that the sign-in page proposes; None for none."""


class ConsentNeeded(msgspec.Struct, frozen=True):
    """The person must be asked for consent."""

    account: Account


class Granted(msgspec.Struct, frozen=True):
    """The request is answered with a code."""

    code: str


class StrongerSignInNeeded(msgspec.Struct, frozen=True):
    """The person is signed in with a weaker `acr` than the request or a rule requires."""

    wanted: str
    required: bool
    """Whether the operator requires it. An application only requests it, by `acr_values` (OpenID Connect Core §5.5.1.1)."""


Decision = SignInNeeded | StrongerSignInNeeded | ConsentNeeded | Granted


class SignedIn(msgspec.Struct, frozen=True):
    """A person with a live session."""

    session: Session
    account: Account
    consents: Collection[Consent]


def decide(
    authority: Authority,
    application: Application,
    request: AuthorizationRequest,
    person: SignedIn | None,
    facts: Facts,
    arrived_at: Milliseconds,
    *,
    weaker_accepted: bool = False,
) -> Decision:
    """Return the next step of a valid request; `facts` are about it, `person` and the application.

    `arrived_at` is when the request arrived first: a sign-in or consent since then answers `prompt` and `max_age`. With
    `weaker_accepted`, a stronger sign-in that is requested but not required is omitted: the person has no factor for it.

    Raises Declined when `prompt=none` forbids the next step, Refused for an address or time that access rules exclude.
    """
    silent, now = "none" in request.prompts, facts.now
    hinted = _hinted(authority, request, silent=silent)
    lacks = missing(facts, Needs(within_ms=_within_ms(request, person, arrived_at, now)))
    if isinstance(lacks, NotFromHere):
        raise Refused(FORBIDDEN, lacks.reason)
    if (
        person is None
        or isinstance(lacks, NotSignedIn | TooOld)
        or (hinted is not None and hinted != person.account.username)
    ):
        if silent:
            raise _declined("login_required", request, "authorization.login_required")
        return SignInNeeded(hinted or request.login_hint)
    if lacks is not None:
        return StrongerSignInNeeded(lacks.needed, required=True)
    preferred = _preferred_class(request, person.session)
    if preferred is not None and not weaker_accepted:
        return StrongerSignInNeeded(preferred, required=False)
    if _lacks_class(request, person.session):
        raise _declined("unmet_authentication_requirements", request, "authorization.acr")
    if needs_consent(application, request, person.consents, arrived_at):
        if silent:
            raise _declined("consent_required", request, "authorization.consent_required")
        return ConsentNeeded(person.account)
    return Granted(_code(authority, application, request, person, now))


def _within_ms(
    request: AuthorizationRequest, person: SignedIn | None, arrived_at: Milliseconds, now: Milliseconds
) -> Milliseconds | None:
    """Return how recent the request wants the sign-in to be; one since the arrival of the request always is."""
    since_arrival = now - arrived_at + 1
    if request.prompts & {"login", "select_account"} or (person is not None and _lacks_class(request, person.session)):
        return since_arrival
    return None if request.max_age is None else max(since_arrival, request.max_age * 1000 + 1)


def _lacks_class(request: AuthorizationRequest, session: Session) -> bool:
    """Return whether the session lacks an `acr` that the request calls essential (§5.5.1.1)."""
    classes = request.claims.classes
    return bool(classes) and authentication_class(session.methods) not in classes


def _preferred_class(request: AuthorizationRequest, session: Session) -> str | None:
    """Return the stronger `acr` that the request prefers to that of the session; None for none.

    An `acr` that is essential to the request counts as preferred here; the request is refused afterwards if the session
    still lacks it.
    """
    lacks = _lacks_class(request, session)
    wished = [
        each for each in AUTHENTICATION_CLASSES if each in (request.claims.classes if lacks else request.acr_values)
    ]
    return wished[0] if wished and is_weaker(authentication_class(session.methods), wished[0]) else None


def sign_in_required(request: AuthorizationRequest) -> Declined:
    """Return the error for a request with `prompt=none` whose person would have to sign in."""
    return _declined("login_required", request, "authorization.login_required")


def _hinted(authority: Authority, request: AuthorizationRequest, *, silent: bool) -> str | None:
    """Return the login name that the request names by `id_token_hint` or by `sub` in `claims`; None if it names none.

    A hint that this service did not issue, or whose subject differs from that in `claims`, is refused (§3.1.2.1, §5.5.1).
    """
    if request.id_token_hint is None:
        return request.claims.subject
    try:
        hinted = subject_of_hint(authority.ring.verifying, request.id_token_hint, authority.settings.issuer).sub
    except InvalidSignature:
        hinted = None
    if hinted is None or request.claims.subject not in (None, hinted):
        error = "login_required" if silent else "invalid_request"
        raise _declined(error, request, "authorization.id_token_hint")
    return hinted


def _code(
    authority: Authority, application: Application, request: AuthorizationRequest, person: SignedIn, now: Milliseconds
) -> str:
    lifetime = application.refresh_token_lifetime or authority.settings.refresh_token_lifetime_seconds
    claims = CodeClaims(
        client_id=application.client_id,
        redirect_uri=request.redirect_uri,
        issued_at=now,
        family_id=new_family_id(application_time(application, now) + lifetime * 1000),
        username=person.account.username,
        scope=request.scope,
        resources=request.resources,
        code_challenge=request.code_challenge,
        nonce=request.nonce,
        dpop_jkt=request.dpop_jkt,
        session=person.session.key,
        signed_in_at=person.session.signed_in_at,
        methods=person.session.methods,
        consented=not application.first_party or is_unverified(application),
        id_token_claims=request.claims.in_id_token,
        rights="" if request.rights is None else stored(request.rights),
    )
    return write_code(authority.settings.environment.prefix, code_key(authority.secrets.refresh), claims)


_DESCRIPTIONS = {
    "login_required": "The person must sign in.",
    "consent_required": "The person must be asked for consent.",
    "invalid_request": "The id_token_hint is not an ID token of this service, or of another person.",
    "unmet_authentication_requirements": "The person cannot sign in as the claims parameter demands.",
}


def _declined(error: str, request: AuthorizationRequest, reason: str) -> Declined:
    return Declined(error, _DESCRIPTIONS[error], return_address(request), reason)
