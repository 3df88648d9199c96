"""The sessions of a site: stored like every session, with a strict cookie of their own (D28)."""

from urllib.parse import urlencode

from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.identity.sessions import new_session, session_key
from credence.oauth.authorization.code import CodeClaims
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.cookies import SITE, delete_cookie, read_cookie, set_strict_cookie
from credence.sign_in.browser.forms import require_same_origin
from credence.sign_in.browser.people import browser_label, end_session, live_session
from credence.sites.kit.screen import Site
from credence.store.records import Account
from credence.store.sign_ins import Session
from credence.web.messages.answer import Answer, Headers

_TOKEN_BYTES = 16


def cookie_of(site: Site) -> str:
    """Return the name of the session cookie of a site."""
    return f"{SITE}{site.name}"


async def person_at(site: Site, service: Service, request: RequestContext) -> tuple[Session, Account] | None:
    """Return the session and the account of the person at the browser; None without a valid session."""
    return await live_session(service, request, await session_at(site, service, request))


async def session_at(site: Site, service: Service, request: RequestContext) -> Session | None:
    """Return the session of the browser on a site, ended or not; None without a cookie or a row for it."""
    cookie = read_cookie(request.headers, cookie_of(site))
    if cookie is None:
        return None
    return await service.authority.store.session(
        session_key(service.authority.secrets.refresh, cookie, site.application.site)
    )


async def open_visit(
    site: Site, service: Service, request: RequestContext, account: Account, claims: CodeClaims
) -> Headers:
    """Open a session for the person of an authorization code, instead of the earlier one, and return its cookie.

    Raises Conflict when the account has changed since the person signed in.
    """
    settings, store = service.settings, service.authority.store
    session, cookie = new_session(
        service.authority.secrets.refresh,
        account,
        claims.methods,
        f"{site.application.name}: {browser_label(request.headers.get('user-agent', ''))}",
        request.now,
        settings.session_lifetime_hours * 3_600_000,
        site.application.site,
        since=claims.signed_in_at,
    )
    earlier = await session_at(site, service, request)
    await store.open_session(session, account)
    if earlier is not None:
        await store.end_session(earlier.key, request.now)
    return (set_strict_cookie(cookie_of(site), cookie),)


async def close_visit(site: Site, service: Service, request: RequestContext, session: Session) -> Headers:
    """End a session of the site and return the header field that deletes its cookie."""
    await end_session(service, session.key, request.now)
    return (delete_cookie(cookie_of(site)),)


def form_token(site: Site, service: Service, session: Session) -> str:
    """Return the token in the forms of a session; no other site can know it (threats E5)."""
    return base64url.encode(_tag(site, service, session))


def require_own_form(site: Site, service: Service, request: RequestContext, session: Session, text: str | None) -> None:
    """Raise Refused unless the form has the token of this session and the browser names no other origin."""
    require_same_origin(request)
    try:
        given = base64url.decode(text or "")
    except ValueError:
        given = b""
    if not constant_time_equal(given, _tag(site, service, session)):
        raise Refused(STEP_LOST, "step.unknown")


def with_headers(answer: Answer, headers: Headers) -> Answer:
    """Return the answer with further header fields."""
    return answer._replace(headers=(*answer.headers, *headers))


def here(request: RequestContext) -> str:
    """Return the address of the requested screen, to return to after a sign-in."""
    return target_of(request) if request.method == "GET" else request.path


def target_of(request: RequestContext) -> str:
    """Return path and query of the request."""
    query = request.query.decode("latin-1")
    return f"{request.path}?{query}" if query else request.path


def sign_in_address(site: Site, next_url: str, *, again: bool = False, classes: str = "") -> str:
    """Return the address at which a person signs in and then continues with `next_url`.

    `again` requires a new sign-in even with a session; `classes` are the accepted `acr` values.
    """
    wanted = {"to": next_url, "again": "1" if again else "", "acr": classes}
    return f"{site.sign_in_path}?{urlencode({name: value for name, value in wanted.items() if value})}"


def _tag(site: Site, service: Service, session: Session) -> bytes:
    return keyed_digest(service.authority.secrets.refresh, "site form", site.name.encode(), session.key)[:_TOKEN_BYTES]
