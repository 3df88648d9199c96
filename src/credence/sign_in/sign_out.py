"""GET and POST /oauth2/v1/sign-out: ends a session (OpenID Connect RP-Initiated Logout 1.0).

A request with an ID token of the person's own session ends it at once; otherwise the person is asked, because any page
could send a browser here (§2). A session that began at a trusted issuer may end there too.
"""

from typing import Annotated
from urllib.parse import urlencode

from credence import paths
from credence.crypto.jws import InvalidSignature
from credence.crypto.sealing import Unsealable, unseal
from credence.identity.applications import addresses_after_sign_out
from credence.identity.sessions import public_id
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.authorization.request import Pairs
from credence.oauth.tokens.id_token import Hint, subject_of_hint
from credence.oauth.trusted_issuers.signing_in import NotSignedInThere, metadata_of, redirect_uri
from credence.oauth.trusted_issuers.verifying import hint_name, sealing
from credence.oauth.trusted_issuers.ways import named
from credence.paths import SIGNED_OUT_THERE
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import AUTHORIZATION_REQUEST, STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import issuer_texts, pages, texts
from credence.sign_in.browser.answers import SEE_OTHER
from credence.sign_in.browser.cookies import SESSION, delete_cookie
from credence.sign_in.browser.forms import form_pairs, parameters_of, query_pairs, written
from credence.sign_in.browser.people import current_person, end_session
from credence.sign_in.browser.steps import Step, read_step, write_step
from credence.store.trusted_issuers import IssuerSession, TrustedIssuer
from credence.telemetry.log import warning
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Parameter

MAX_HINT_CHARACTERS = 6_000
"""Of an ID token in an address. Some servers refuse longer addresses, and §2 of the specification needs no hint."""

STATE = (
    Parameter("id", "path", "The short name of the issuer.", "example-ltd"),
    Parameter("state", "query", "What the issuer was given."),
)


async def session_there(service: Service, key: bytes) -> tuple[TrustedIssuer, IssuerSession] | None:
    """Return the issuer at which people sign out with this session, and the session there; None for no such issuer."""
    if not any(each.signs_out_there for each in service.authority.issuers):
        return None
    begun = await service.authority.store.issuer_session(key)
    issuer = named(service.authority, begun.owner) if begun is not None else None
    return (issuer, begun) if begun is not None and issuer is not None and issuer.signs_out_there else None


async def leave_to_sign_out(
    service: Service,
    request: RequestContext,
    there: tuple[TrustedIssuer, IssuerSession],
    pairs: Pairs,
    headers: Headers,
) -> Answer:
    """Return the page that leads to the issuer after the session here has ended; `pairs` come back with the browser.

    If the issuer does not say where people sign out, or does not answer, the page says that the session there goes on.
    """
    issuer, begun = there
    try:
        metadata = await metadata_of(service.authority, issuer, request.now)
        end = metadata.end_session_endpoint
        hint = unseal(sealing(service.authority.secrets.digest), hint_name(issuer.id), begun.hint).decode()
    except (NotSignedInThere, Unsealable) as failed:
        warning("issuer_sign_out_failed", issuer=issuer.id, reason=str(failed))
        end = hint = ""
    if not end:
        lead = issuer_texts.STILL_SIGNED_IN.format(issuer=issuer.name)
        return pages.page(service.settings, "message", texts.SIGNED_OUT_TITLE, headers=headers, lead=lead)
    state, fields = write_step(service, request, Step("sign-out", written(pairs), request.now, issuer=issuer.id))
    parameters = {
        **({"id_token_hint": hint} if len(hint) <= MAX_HINT_CHARACTERS else {}),
        "client_id": issuer.client_id,
        "post_logout_redirect_uri": f"{redirect_uri(service.authority, issuer)}{SIGNED_OUT_THERE}",
        "state": state,
    }
    url = f"{end}{'&' if '?' in end else '?'}{urlencode(parameters)}"
    return pages.page(
        service.settings,
        "back",
        texts.SIGNED_OUT_TITLE,
        headers=(("refresh", f"0; url={url}"), *fields, *headers),
        lead=issuer_texts.SIGNING_OUT_THERE.format(issuer=issuer.name),
        url=url,
    )


def request_before(service: Service, request: RequestContext) -> Pairs:
    """Return the parameters with which this browser left for the issuer.

    Raises Refused for a browser that did not.
    """
    step = read_step(service, request, dict(query_pairs(request)).get("state"), from_elsewhere=True)
    if step.target != "sign-out" or not step.issuer or step.issuer != request.segments[0]:
        raise Refused(STEP_LOST, "step.unknown")
    return parameters_of(step.query)


_REQUEST = (
    Parameter("id_token_hint", "query", "An ID token of the session; without it the person is asked."),
    Parameter("post_logout_redirect_uri", "query", "Where to go afterwards, registered by the application."),
    Parameter("client_id", "query", "Of the application, if the hint does not name it."),
    Parameter("state", "query", "Comes back unchanged."),
)


async def sign_out(service: Service, request: Annotated[RequestContext, *_REQUEST]) -> Answer:
    """Sign out.

    Ends the session of the person at the browser (OpenID Connect RP-Initiated Logout 1.0).
    """
    pairs = form_pairs(request) if request.method == "POST" else query_pairs(request)
    values = dict(pairs)
    person = await current_person(service, request)
    confirmed = False
    if request.method == "POST" and "step" in values:
        step = read_step(service, request, values["step"])
        pairs, confirmed = parameters_of(step.query), True
    hint = _hint(service, pairs)
    to = await _return_uri(service, pairs, hint)
    if person is None:
        return _done(service, pairs, to, after_form=confirmed)
    if not confirmed and (hint is None or not _is_of(hint, person)):
        return _ask(service, request, pairs, person)
    there = await session_there(service, person.session.key)
    await end_session(service, person.session.key, request.now)
    without_cookie = (delete_cookie(SESSION),)
    if there is not None:
        answer = await leave_to_sign_out(service, request, there, _way_back(pairs, to, hint), without_cookie)
    else:
        answer = _done(service, pairs, to, after_form=confirmed, headers=without_cookie)
    return answer._replace(events=("signed_out",))


async def come_back_signed_out(service: Service, request: Annotated[RequestContext, *STATE]) -> Answer:
    """Come back from the sign-out at a trusted issuer.

    Goes on as after a sign-out here: to the `post_logout_redirect_uri` of the application that began it, or to a page. The
    browser is sent here by the issuer.
    """
    pairs = request_before(service, request)
    return _done(service, pairs, await _return_uri(service, pairs, None), after_form=False)


def _is_of(hint: Hint, person: SignedIn) -> bool:
    return hint.sub == person.account.username and hint.sid in (None, public_id(person.session.key))


def _hint(service: Service, pairs: Pairs) -> Hint | None:
    """Return the claims of the `id_token_hint`, which may have expired.

    Raises Refused for an ID token that this service did not issue.
    """
    text = dict(pairs).get("id_token_hint")
    if not text:
        return None
    try:
        return subject_of_hint(service.authority.ring.verifying, text, service.settings.issuer)
    except InvalidSignature:
        raise Refused(AUTHORIZATION_REQUEST, "sign_out.id_token_hint") from None


async def _return_uri(service: Service, pairs: Pairs, hint: Hint | None) -> str | None:
    """Return the `post_logout_redirect_uri` of the request.

    Raises Refused for one that the application has not registered (§3).
    """
    values = dict(pairs)
    uri = values.get("post_logout_redirect_uri")
    if not uri:
        return None
    client_id = values.get("client_id") or (hint.aud if hint else "")
    application = await service.authority.revocation_cache.application(client_id) if client_id else None
    if application is None or application.disabled or uri not in addresses_after_sign_out(application):
        raise Refused(AUTHORIZATION_REQUEST, "sign_out.redirect_uri")
    if hint is not None and hint.aud != application.client_id:
        raise Refused(AUTHORIZATION_REQUEST, "sign_out.client")
    return uri


def _way_back(pairs: Pairs, to: str | None, hint: Hint | None) -> Pairs:
    """Return the parameters that are needed after the issuer, without the ID token: the issuer can read them."""
    if to is None:
        return []
    values = dict(pairs)
    client_id = values.get("client_id") or (hint.aud if hint else "")
    found = {"client_id": client_id, "post_logout_redirect_uri": to, "state": values.get("state", "")}
    return [(name, value) for name, value in found.items() if value]


def _ask(service: Service, request: RequestContext, pairs: Pairs, person: SignedIn) -> Answer:
    text, fields = write_step(service, request, Step("sign-out", written(pairs), request.now))
    return pages.page(
        service.settings,
        "sign-out",
        texts.SIGN_OUT_TITLE,
        headers=fields,
        lead=texts.SIGN_OUT_ASK.format(username=person.account.username),
        action=pages.address(service.settings, paths.SIGN_OUT),
        account=pages.address(service.settings, paths.ACCOUNT),
        step=text,
    )


def _done(service: Service, pairs: Pairs, to: str | None, *, after_form: bool, headers: Headers = ()) -> Answer:
    if to is None:
        return pages.page(service.settings, "message", texts.SIGNED_OUT_TITLE, headers=headers, lead=texts.SIGNED_OUT)
    state = dict(pairs).get("state")
    url = f"{to}{'&' if '?' in to else '?'}{urlencode({'state': state})}" if state else to
    if after_form:
        return pages.page(
            service.settings,
            "back",
            texts.SIGNED_OUT_TITLE,
            headers=(("refresh", f"0; url={url}"), *headers),
            lead=texts.SIGNED_OUT,
            url=url,
        )
    return Answer(SEE_OTHER, HTML, b"", (("location", url), NO_STORE, *headers))
