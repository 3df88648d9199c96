"""GET and POST /oauth2/v1/sign-out: ends a session (OpenID Connect RP-Initiated Logout 1.0).

A request with an ID token of the person's own session ends it at once; otherwise the person is asked, because any page
could send a browser here (§2).
"""

from typing import Annotated
from urllib.parse import urlencode

from credence import paths
from credence.crypto.jws import InvalidSignature
from credence.identity.applications import addresses_after_sign_out
from credence.identity.sessions import public_id
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.authorization.request import Pairs
from credence.oauth.tokens.id_token import Hint, subject_of_hint
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import AUTHORIZATION_REQUEST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.answers import SEE_OTHER
from credence.sign_in.browser.cookies import SESSION, delete_cookie
from credence.sign_in.browser.forms import form_pairs, parameters_of, query_pairs, written
from credence.sign_in.browser.people import current_person, end_session
from credence.sign_in.browser.steps import Step, read_step, write_step
from credence.sign_in.issuer_sign_out import STATE, leave_to_sign_out, request_before, session_there
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.routing.operation import Parameter

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
