"""GET /oauth2/v1/from-issuer/{id}: a person comes back from a trusted issuer (OpenID Connect Core §3.1.2.5, RFC 9207).

The `state` is a step of this browser that names the issuer, so an unrequested response, that of another browser, or of
another issuer is refused. The session is opened by the same gate as after a password.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.crypto.randomness import random_bytes
from credence.crypto.sealing import seal
from credence.identity.not_before import is_cut_off
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.oauth.authority import Authority
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.trusted_issuers.signing_in import (
    NotSignedInThere,
    Proof,
    Wish,
    authorization_url,
    metadata_of,
    redeemed,
)
from credence.oauth.trusted_issuers.verifying import hint_name, sealing
from credence.oauth.trusted_issuers.ways import METHOD, named, of_account, of_address, offered, only_ones
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.authorization import proceed
from credence.sign_in.browser import issuer_texts, pages
from credence.sign_in.browser.application_of_step import application_of_step
from credence.sign_in.browser.forms import query_pairs
from credence.sign_in.browser.gate import opened_session
from credence.sign_in.browser.people import current_person
from credence.sign_in.browser.steps import (
    LIFETIME_MS,
    FailedAtIssuer,
    Step,
    beginning,
    path_of,
    read_step,
    write_step,
)
from credence.sign_in.issuer_accounts import account_of
from credence.store.contract import Conflict
from credence.store.records import Account, Application
from credence.store.trusted_issuers import IssuerSession, TrustedIssuer
from credence.web.messages.answer import Answer
from credence.web.routing.operation import Parameter

MAX_METHODS = 10

_METHODS = frozenset(
    {"face", "fpt", "geo", "iris", "kba", "mca", "mfa", "otp", "pin", "pop", "pwd"}
    | {"rba", "retina", "sc", "sms", "tel", "user", "vbm", "wia"}
)
"""The values of `amr` that are carried (RFC 8176 §2): without `hwk` and `swk`, which mean a passkey of this service."""

_RESPONSE = (
    Parameter("id", "path", "The short name of the issuer.", "example-ltd"),
    Parameter("code", "query", "The authorization code of the issuer."),
    Parameter("state", "query", "What the issuer was given."),
    Parameter("iss", "query", "The issuer (RFC 9207)."),
    Parameter("error", "query", "Why there is no code (RFC 6749 §4.1.2.1)."),
)


async def leave_for_issuer(
    service: Service,
    request: RequestContext,
    step: Step,
    application: Application | None,
    values: Mapping[str, str],
) -> Answer | None:
    """Return the page that leads to a trusted issuer, if the form of the sign-in page wants that; None otherwise.

    It wants it by the button of an issuer, or by an address of a domain of one without a password. With one, the account
    decides whether it counts (`must_sign_in_there`), unless the application has no other way. Raises FailedAtIssuer.
    """
    chosen, _, identity = values.get("act", "").partition(":")
    username = values.get("username", "").strip()
    person = await current_person(service, request)
    if chosen in ("issuer", "issuer-strongly"):
        found = _ways(service, step, application, person)
        issuer = next((each for each in found if each.id == identity), None)
        if issuer is None:
            raise FailedAtIssuer(path_of(step), "issuer.not_offered")
    else:
        alone = only_ones(service.authority, application)
        if values.get("password") and not alone:
            return None
        issuer = alone[0] if len(alone) == 1 else of_address(service.authority, application, username)
        if issuer is None:
            return None
    fresh = person is not None and issuer.id in person.account.issuers.split()
    hint = username if person is None else ""
    return await to_issuer(service, request, step, issuer, Wish(hint, fresh, strongly=chosen == "issuer-strongly"))


def _ways(
    service: Service, step: Step, application: Application | None, person: SignedIn | None
) -> list[TrustedIssuer]:
    """Return the issuers at which people may sign in for a step; a person may prove it again to these pages at their own."""
    own = of_account(service.authority, person.account) if person and step.target != "authorization" else ()
    return [*offered(service.authority, application), *own]


async def to_issuer(service: Service, request: RequestContext, step: Step, issuer: TrustedIssuer, wish: Wish) -> Answer:
    """Return the page that leads a browser to an issuer, after one of our forms. Raises FailedAtIssuer."""
    leaving = msgspec.structs.replace(beginning(step), issuer=issuer.id, fresh=wish.fresh, challenge=random_bytes(16))
    state, fields = write_step(service, request, leaving)
    if service.outgoing is None:
        raise FailedAtIssuer(path_of(step), "issuer.no_calls")
    try:
        url = await authorization_url(service.authority, service.outgoing, issuer, state, wish, request.now)
    except NotSignedInThere as failed:
        raise FailedAtIssuer(path_of(step), str(failed)) from None
    return pages.page(
        service.settings,
        "back",
        issuer_texts.CONTINUE_TITLE.format(issuer=issuer.name),
        headers=(("refresh", f"0; url={url}"), *fields),
        lead=issuer_texts.CONTINUE.format(issuer=issuer.name),
        url=url,
    )


async def come_from_issuer(service: Service, request: Annotated[RequestContext, *_RESPONSE]) -> Answer:
    """Come back from a trusted issuer.

    Checks the authorization response of the issuer, opens a session for the account that is linked to the subject of its
    ID token, and goes on with what the person was about to do. The browser is sent here by the issuer.
    """
    pairs = query_pairs(request)
    values = dict(pairs)
    issuer = named(service.authority, request.segments[0])
    step = read_step(service, request, values.get("state"), from_elsewhere=True)
    if issuer is None or step.issuer != issuer.id or len(values) != len(pairs):
        raise Refused(STEP_LOST, "step.unknown")
    again = beginning(step)
    application = await application_of_step(service, request, again)
    if issuer not in _ways(service, again, application, await current_person(service, request)):
        raise FailedAtIssuer(path_of(again), "issuer.not_offered")
    try:
        claims, proof = await _proved(service, request, issuer, values)
        since = _signed_in_at(step, claims, request.now)
        account = await account_of(service, request, issuer, application, claims, proof)
    except NotSignedInThere as failed:
        raise FailedAtIssuer(path_of(again), str(failed)) from None
    if (
        is_cut_off(since, account.not_before) and not step.fresh
    ):  # everything ended since: the person signs in again there
        return await to_issuer(service, request, again, issuer, Wish(fresh=True))
    request.username = account.username
    request.enforce(await service.rate_limiter.limit_account(account.username))
    since = _since(claims, since, account)
    begun = await _noted(service, request, issuer, claims, proof)
    step, methods = msgspec.structs.replace(again, begun=begun), methods_of(issuer, claims)
    try:
        opened = await opened_session(service, request, step, account, methods, since)
    except Conflict:
        raise FailedAtIssuer(path_of(again), "account.changed_meanwhile") from None
    if isinstance(opened, Answer):
        return opened
    person, cookie = opened
    answer = await proceed(service, request, again, person, after_form=True, headers=cookie)
    return answer._replace(events=("signed_in", *answer.events))


async def _noted(
    service: Service, request: RequestContext, issuer: TrustedIssuer, claims: Mapping[str, Any], proof: Proof
) -> bytes:
    """Note where the login began, before it has a session: it may need a factor here first. Return the key of the note."""
    begun = IssuerSession(
        random_bytes(32),
        issuer.id,
        _text(claims, "sid"),
        seal(sealing(service.authority.secrets.digest), hint_name(issuer.id), proof.id_token.encode()),
        request.now + LIFETIME_MS,
    )
    await service.authority.store.note_issuer_session(begun)
    return begun.session


async def _proved(
    service: Service, request: RequestContext, issuer: TrustedIssuer, values: Mapping[str, str]
) -> tuple[Mapping[str, Any], Proof]:
    """Return the claims for an authorization response. Raises NotSignedInThere."""
    authority: Authority = service.authority
    if service.outgoing is None:
        raise NotSignedInThere("issuer.no_calls")
    metadata = await metadata_of(authority, issuer, request.now)
    names_itself = metadata.authorization_response_iss_parameter_supported or "iss" in values
    if names_itself and values.get("iss") != issuer.issuer:
        raise NotSignedInThere("issuer.response_of_another")
    if "error" in values or not values.get("code"):
        raise NotSignedInThere("issuer.denied" if values.get("error") == "access_denied" else "issuer.error")
    return await redeemed(authority, service.outgoing, issuer, values["state"], values["code"], request.now)


def _signed_in_at(step: Step, claims: Mapping[str, Any], now: Milliseconds) -> Milliseconds:
    """Return when the person proved who they are there: `auth_time`, or `iat` if it is missing (Core §2).

    Who had to prove it again must have done so since the page (Core §3.1.2.1: `max_age`); clocks may differ a little.
    """
    stated = claims.get("auth_time", None if step.fresh else claims.get("iat"))
    if isinstance(stated, bool) or not isinstance(stated, int | float) or not 0 < stated < 1 << 40:
        raise NotSignedInThere("issuer_token.auth_time")
    since = min(int(stated * 1000), now)
    if since < step.arrived_at <= since + NODE_TOLERANCE_MS:
        return step.arrived_at
    if step.fresh and since < step.arrived_at:
        raise NotSignedInThere("issuer_token.auth_time")
    return since


def _since(claims: Mapping[str, Any], since: Milliseconds, account: Account) -> Milliseconds:
    """Return the time of the sign-in for the session.

    Without `auth_time` it is unknown when the person proved who they are: the session there may be old, so the sign-in does
    not count as recent, unless everything of the account ended since.
    """
    earlier = since - RECENT_SIGN_IN_MS
    return since if "auth_time" in claims or is_cut_off(earlier, account.not_before) else earlier


def methods_of(issuer: TrustedIssuer, claims: Mapping[str, Any]) -> str:
    """Return the methods of a sign-in at an issuer: `fed`, what its `amr` says, and `mfa` if its `acr` means two factors."""
    stated = claims.get("amr")
    known = [each for each in stated if isinstance(each, str) and each in _METHODS] if isinstance(stated, list) else []
    strong = ["mfa"] if _text(claims, "acr") in issuer.strong_classes else []
    return " ".join(dict.fromkeys((METHOD, *known[:MAX_METHODS], *strong)))


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value[:255] if isinstance(value, str) and value.isprintable() else ""
