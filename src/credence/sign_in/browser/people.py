"""The person at the browser: finds, opens and ends the session of a request (D28)."""

import re
from collections.abc import Collection, Sequence

import msgspec

from credence.clock import Milliseconds
from credence.identity.gate import Facts
from credence.identity.known_browsers import known_browser, with_person
from credence.identity.sessions import is_use_to_be_noted, new_session, session_error, session_key
from credence.oauth.authorization.decision import SignedIn
from credence.oauth.trusted_issuers.ways import METHOD
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.cookies import KNOWN_BROWSER, SESSION, read_cookie, set_cookie, set_kept_cookie
from credence.sign_in.browser.steps import PROOF_LIFETIME_MS, Step
from credence.store.people import FactorKind
from credence.store.records import Account, Application
from credence.store.sign_ins import Session
from credence.web.messages.answer import Headers

PASSWORD = "pwd"  # noqa: S105 - a value of `amr` (RFC 8176 §2)
SECOND_FACTOR = "otp mfa"
"""The value of `amr` that a one-time code adds to a password."""

_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


async def current_person(service: Service, request: RequestContext) -> SignedIn | None:
    """Return the person of the request; None without a valid session. Records the use of the session at intervals."""
    key = _session_key(service, request)
    found = await service.authority.store.session_with_consents(key) if key is not None else None
    if found is None:
        return None
    session, consents = found
    live = await live_session(service, request, session)
    return SignedIn(*live, consents) if live is not None else None


async def live_session(
    service: Service, request: RequestContext, session: Session | None
) -> tuple[Session, Account] | None:
    """Return a session and its account; None if the session has ended. Records the use of the session at intervals."""
    if session is None:
        return None
    authority, idle = service.authority, _idle(service)
    account = await authority.revocation_cache.account(session.username)
    if account is None or session_error(session, account, request.now, idle) is not None:
        return None
    if is_use_to_be_noted(session, request.now, idle):
        await authority.store.touch_session(session.key, request.now)
        session = msgspec.structs.replace(session, last_seen_at=request.now)
    request.username = account.username
    return session, account


async def login_under_way(service: Service, step: Step) -> SignedIn | None:
    """Return the person of a login that has no session yet, with a session that is not stored; None without one."""
    account = await service.authority.revocation_cache.account(step.username) if step.proved_at else None
    if account is None or account.password_version != step.password_version:
        return None
    return SignedIn(login_of(step), account, ())


def login_of(step: Step) -> Session:
    """Return what a step has proved as a session without a key."""
    until = step.proved_at + PROOF_LIFETIME_MS + 1
    signed_in_at = step.signed_in_at or step.proved_at
    return Session(b"", step.username, signed_in_at, step.methods, step.proved_at, until, "")


def facts_of(
    service: Service,
    request: RequestContext,
    session: Session | None,
    account: Account | None,
    applications: Sequence[Application] = (),
    enrolled: Collection[FactorKind] = (),
) -> Facts:
    """Return what the gate needs to know of a request."""
    address = request.caller(service.settings.trusted_proxies)
    return Facts(session, account, address, request.now, _idle(service), applications, enrolled)


async def sign_in(
    service: Service,
    request: RequestContext,
    account: Account,
    methods: str,
    since: Milliseconds | None = None,
    begun: bytes = b"",
) -> tuple[SignedIn, Headers]:
    """Open a session with a new id for an account that was just authenticated, and return it with its cookie (ASVS 7.2.4).

    `since` is the time of an earlier sign-in to which a factor was added; the session keeps that time. The browser's
    earlier session ends; if the person is the same, its families move to the new session. `begun` is the key under which it
    is noted that the sign-in began at a trusted issuer; empty for any other. A factor that is added to such a session does
    not prolong it: only another sign-in at the issuer does. Raises Conflict when the account changed after
    its authentication, or the person has signed out at the issuer.
    """
    authority = service.authority
    lifetime = service.settings.session_lifetime_hours * 3_600_000
    label = browser_label(request.headers.get("user-agent", ""))
    key, now = authority.secrets.refresh, request.now
    session, cookie = new_session(key, account, methods, label, now, lifetime, since=since)
    earlier = await _session(service, request)
    replaces = earlier.key if earlier is not None and earlier.username == account.username else None
    if earlier is not None and replaces is not None and METHOD in methods.split() and not begun:  # a factor in addition
        session = msgspec.structs.replace(session, expires_at=min(session.expires_at, earlier.expires_at))
    await authority.store.open_session(session, account, replaces, begun)
    if earlier is not None and replaces is None:
        await authority.store.end_session(earlier.key, request.now)
    request.username = account.username
    consents = await authority.store.consents_of(account.username)
    return SignedIn(session, account, consents), (
        set_cookie(SESSION, cookie),
        *_known_from_now_on(service, request, account),
    )


def browser_known_to(service: Service, request: RequestContext, username: str) -> bytes:
    """Return the id of the browser if this person has signed in there before; empty otherwise (threats A5)."""
    settings, cookie = service.settings, read_cookie(request.headers, KNOWN_BROWSER)
    key, days = service.authority.secrets.refresh, settings.known_browser_days
    return known_browser(settings.environment.prefix, key, cookie, username, days, request.now)


def _known_from_now_on(service: Service, request: RequestContext, account: Account) -> Headers:
    """Return the cookie by which this browser is known to the person from now on; none if the operator wants none."""
    settings = service.settings
    seconds = settings.known_browser_days * 86_400
    if not seconds:
        return ()
    cookie, key = read_cookie(request.headers, KNOWN_BROWSER), service.authority.secrets.refresh
    until = request.now + seconds * 1_000
    text = with_person(settings.environment.prefix, key, cookie, account.username, until)
    return (set_kept_cookie(KNOWN_BROWSER, text, seconds),)


def each_once(methods: str) -> str:
    """Return the methods of a session without duplicates."""
    return " ".join(dict.fromkeys(methods.split()))


async def live_sessions(service: Service, account: Account, now: Milliseconds) -> list[Session]:
    """Return the valid sessions of an account; rows of ended sessions exist until they are swept."""
    found = await service.authority.store.sessions_of(account.username)
    return [each for each in found if session_error(each, account, now, _idle(service)) is None]


async def end_session(service: Service, key: bytes, now: Milliseconds) -> bool:
    """End a session with its families, and return whether it existed.

    It ends at once in this process, on other nodes when they have read the change log.
    """
    ended = await service.authority.store.end_session(key, now)
    await service.authority.follow(now)
    return ended


def browser_label(user_agent: str) -> str:
    """Return the browser and the system of a User-Agent field as text, such as "Firefox on Linux"."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    if browser is None:
        word = re.match(r"[A-Za-z0-9._-]{1,40}", user_agent)
        browser = word[0] if word else "A browser"
    return f"{browser} on {system}" if system else browser


async def _session(service: Service, request: RequestContext) -> Session | None:
    key = _session_key(service, request)
    return await service.authority.store.session(key) if key is not None else None


def _session_key(service: Service, request: RequestContext) -> bytes | None:
    cookie = read_cookie(request.headers, SESSION)
    return session_key(service.authority.secrets.refresh, cookie) if cookie is not None else None


def _idle(service: Service) -> Milliseconds:
    return service.settings.session_idle_minutes * 60_000
