"""The sessions of the console: rows like every session, behind a strict cookie of their own (D28)."""

from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.identity.sessions import new_session, session_key
from credence.oauth.authorization.code import CodeClaims
from credence.refusals import STEP_LOST, Refused
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Account, Session
from credence.web.browser.cookies import CONSOLE, delete_cookie, read_cookie, set_strict_cookie
from credence.web.browser.people import browser_label, end_session, live_session
from credence.web.messages.answer import Answer, Headers

_PURPOSE: Final = "console session"

_TOKEN_BYTES = 16


async def operator_at(service: Service, request: RequestContext) -> tuple[Session, Account] | None:
    """Return the session and the account of the operator at the browser, None without a live session."""
    return await live_session(service, request, await _session(service, request))


async def open_console(service: Service, request: RequestContext, account: Account, claims: CodeClaims) -> Headers:
    """Open a session for the operator whom a code names, in place of the earlier one, and return its cookie.

    Raises Conflict when the account has changed since the person signed in.
    """
    settings, store = service.settings, service.authority.store
    session, cookie = new_session(
        service.authority.secrets.refresh,
        account.username,
        claims.methods,
        f"Console: {browser_label(request.headers.get('user-agent', ''))}",
        request.now,
        settings.session_lifetime_hours * 3_600_000,
        _PURPOSE,
    )
    session = _since(session, claims.signed_in_at)
    earlier = await _session(service, request)
    await store.open_session(session, account)
    if earlier is not None:
        await store.end_session(earlier.key, request.now)
    return (set_strict_cookie(CONSOLE, cookie),)


async def close_console(service: Service, request: RequestContext, session: Session) -> Headers:
    """End a session of the console and return the field that deletes its cookie."""
    await end_session(service, session.key, request.now)
    return (delete_cookie(CONSOLE),)


def form_token(service: Service, session: Session) -> str:
    """Return what the forms of a session carry: no other site can know it (threats E5)."""
    return base64url.encode(_tag(service, session))


def require_own_form(service: Service, request: RequestContext, session: Session, text: str | None) -> None:
    """Refuse a form that this session did not get from us."""
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise Refused(STEP_LOST, "step.cross_site")
    try:
        given = base64url.decode(text or "")
    except ValueError:
        given = b""
    if not constant_time_equal(given, _tag(service, session)):
        raise Refused(STEP_LOST, "step.unknown")


def with_headers(answer: Answer, headers: Headers) -> Answer:
    """Return the answer with further header fields."""
    return replace(answer, headers=(*answer.headers, *headers))


def here(request: RequestContext) -> str:
    """Return the address of the screen that was requested, to come back to."""
    query = request.query.decode("latin-1")
    return f"{request.path}?{query}" if query and request.method == "GET" else request.path


def sign_in_address(onward: str, *, again: bool = False) -> str:
    """Return where an operator signs in to come to a screen."""
    return f"{paths.CONSOLE_SIGN_IN}?{urlencode({'to': onward, **({'again': '1'} if again else {})})}"


def _since(session: Session, signed_in_at: Milliseconds) -> Session:
    return msgspec.structs.replace(session, signed_in_at=signed_in_at)


def _tag(service: Service, session: Session) -> bytes:
    return keyed_digest(service.authority.secrets.refresh, "console form", session.key)[:_TOKEN_BYTES]


async def _session(service: Service, request: RequestContext) -> Session | None:
    cookie = read_cookie(request.headers, CONSOLE)
    if cookie is None:
        return None
    return await service.authority.store.session(session_key(service.authority.secrets.refresh, cookie, _PURPOSE))
