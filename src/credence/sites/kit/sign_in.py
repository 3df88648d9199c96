"""Signs people in to a site: by the authorization code flow of this service with PKCE (D27, RFC 7636).

The site redeems the code in its own process, and opens a session of its own. `state` is a step, which is bound to this
browser and unique; the code verifier is derived from it with a key that never leaves the service.
"""

import re
from urllib.parse import urlencode

from credence import paths
from credence.blocks.values import Note
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest, sha256
from credence.crypto.randomness import random_bytes
from credence.identity.not_before import is_cut_off
from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.oauth.authorization.code import CodeClaims, code_key, read_code, verifies_code_challenge
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.forms import form_values
from credence.sign_in.browser.steps import Step, read_step, write_step
from credence.sites.kit.screen import Page, Site
from credence.sites.kit.session import close_visit, open_visit, person_at, require_own_form
from credence.sites.kit.shell import draw
from credence.store.contract import Conflict
from credence.web.messages.answer import HTML, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import read_query
from credence.web.messages.security_headers import NO_REFERRER

_WITHIN = re.compile(r"([/?][!-\[\]-~]*)?").fullmatch
"""Matches the rest of a screen's address after the path of its site; the sign-in returns to no other address."""


async def begin_sign_in(site: Site, service: Service, request: RequestContext) -> Answer:
    """Redirect the browser to the authorization endpoint. The parameter `again` requires a new sign-in despite a session."""
    query = read_query(request.query.decode("latin-1")) if request.query else {}
    next_url = query.get("to", site.home)
    if not (next_url.startswith(site.home) and _WITHIN(next_url.removeprefix(site.home))):
        next_url = site.home
    state, headers = write_step(
        service, request, Step(site.application.site, next_url, request.now, challenge=random_bytes(16))
    )
    parameters = {
        "response_type": "code",
        "client_id": site.application.client_id(service.settings),
        "redirect_uri": site.application.redirect_uri(service.settings),
        "scope": "openid",
        "state": state,
        "code_challenge": base64url.encode(sha256(_verifier(service, state).encode())),
        "code_challenge_method": "S256",
        **({"prompt": "login"} if query.get("again") else {}),
        **({"acr_values": query["acr"]} if set(query.get("acr", "").split()) & set(AUTHENTICATION_CLASSES) else {}),
    }
    location = f"{service.settings.issuer}{paths.AUTHORIZATION}?{urlencode(parameters)}"
    return Answer(303, HTML, b"", (("location", location), NO_STORE, NO_REFERRER, *headers))


async def finish_sign_in(site: Site, service: Service, request: RequestContext) -> Answer:
    """Process the authorization response, open a session of the site, and continue with the screen.

    The last step is a page, because a strict cookie is not sent with a redirect that began on another site.
    """
    query = read_query(request.query.decode("latin-1")) if request.query else {}
    state = query.get("state", "")
    step = read_step(service, request, state, from_elsewhere=True)
    if step.target != site.name:
        raise Refused(STEP_LOST, "step.unknown")
    claims = read_code(
        service.settings.environment.prefix, code_key(service.authority.secrets.refresh), query.get("code", "")
    )
    try:
        headers = await _redeem(site, service, request, state, claims)
    except (Refused, Conflict):
        page = Page("You are not signed in", [Note("The sign-in was cancelled or has expired.")], "")
        return draw(site, service, None, None, page, status=403, next_link=("Sign in", site.sign_in_path))
    page = Page("Signed in", [Note(f"You are signed in to the {site.title}.")], "")
    next_link = ("Go on", step.query)
    headers = (("refresh", f"0; url={step.query}"), *headers)
    return draw(site, service, None, None, page, headers=headers, next_link=next_link)


async def _redeem(
    site: Site, service: Service, request: RequestContext, state: str, claims: CodeClaims | None
) -> tuple[tuple[str, str], ...]:
    """Open a session for the account of a valid authorization code, and return its cookie.

    Raises Refused if the code belongs to another application, has expired, was used before, or the verifier does not
    match; Conflict if the account has changed.
    """
    authority, settings = service.authority, service.settings
    if claims is None or claims.client_id != site.application.client_id(settings):
        raise Refused(STEP_LOST, "code.invalid")
    if claims.redirect_uri != site.application.redirect_uri(settings) or not verifies_code_challenge(
        claims.code_challenge or "", _verifier(service, state)
    ):
        raise Refused(STEP_LOST, "code.verifier")
    if request.now >= claims.expires_at:
        raise Refused(STEP_LOST, "code.expired")
    key = keyed_digest(authority.secrets.digest, "site code", site.name.encode(), claims.family_id)
    if not await authority.store.consume_once(key, claims.expires_at):
        raise Refused(STEP_LOST, "code.already_used")
    account = await authority.revocation_cache.account(claims.username)
    if account is None or account.status != "active" or is_cut_off(claims.signed_in_at, account.not_before):
        raise Refused(STEP_LOST, "code.account_changed")
    return await open_visit(site, service, request, account, claims)


async def sign_out(site: Site, service: Service, request: RequestContext) -> Answer:
    """End the session of the site. The session of the sign-in pages continues."""
    values = form_values(request)
    found = await person_at(site, service, request)
    headers: tuple[tuple[str, str], ...] = ()
    if found is not None:
        session, _ = found
        require_own_form(site, service, request, session, values.get("token"))
        headers = await close_visit(site, service, request, session)
    text = f"You have signed out of the {site.title}. Your browser may still be signed in to the service itself."
    page = Page("Signed out", [Note(text)], "")
    away = ("Sign out of Credence too", f"{service.settings.issuer}{paths.SIGN_OUT}")
    return draw(site, service, None, None, page, headers=headers, next_link=away)


def _verifier(service: Service, state: str) -> str:
    return base64url.encode(keyed_digest(service.authority.secrets.refresh, "site verifier", state.encode()))
