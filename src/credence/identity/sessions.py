"""Sessions of people who signed in with a browser (D28, ASVS 7)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from credence.clock import Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.randomness import random_bytes
from credence.identity.not_before import dated, is_cut_off
from credence.store.records import Account
from credence.store.sign_ins import Session

SEEN_EVERY_MS = 900_000
"""`last_seen_at` is written if it is older than this or than a quarter of the idle time, so that reading rarely writes."""

RECENT_SIGN_IN_MS = 600_000
"""Milliseconds since a sign-in for which a person may do what needs a recent sign-in (ASVS 7.5.1)."""

MAX_LABEL_CHARACTERS = 80


SiteName = Literal["console", "developers", "workbench"]
"""The sites, each of which has separate sessions."""

Purpose = Literal["session"] | SiteName
"""The use of a cookie: the sign-in pages, or a site. A cookie of one purpose is not valid for another."""


def session_key(digest_key: bytes, cookie: str, purpose: Purpose = "session") -> bytes:
    """Return the key of a session's row, from the id in the cookie."""
    if purpose == "session":
        return keyed_digest(digest_key, "session", cookie.encode())
    return keyed_digest(digest_key, "site session", purpose.encode(), cookie.encode())


def new_session(
    digest_key: bytes,
    account: Account,
    methods: str,
    label: str,
    now: Milliseconds,
    lifetime_ms: int,
    purpose: Purpose = "session",
    since: Milliseconds | None = None,
) -> tuple[Session, str]:
    """Return a session that begins now, and the 256-bit id for its cookie, which is stored nowhere.

    `since` is the time of an earlier sign-in, which the session keeps.
    """
    cookie = base64url.encode(random_bytes(32))
    key, label = session_key(digest_key, cookie, purpose), label[:MAX_LABEL_CHARACTERS]
    signed_in_at = dated(now, account.not_before) if since is None else since
    return Session(key, account.username, signed_in_at, methods, now, now + lifetime_ms, label), cookie


def session_error(session: Session, account: Account | None, now: Milliseconds, idle_ms: int) -> str | None:
    """Return why a session is over, as a reason code without its prefix; None if it is not over.

    A change of password or status ends it, because that sets `not_before` of the account (ASVS 7.4.1 to 7.4.3). One that
    began while the clock was ahead would be neither idle nor too old until then, so it ends with that clock (threats T11).
    A service account belongs to a program, so it has no session.
    """
    if now >= session.expires_at:
        return "expired"
    if session.signed_in_at > now + NODE_TOLERANCE_MS:
        return "in_future"
    if now - session.last_seen_at >= idle_ms:
        return "idle"
    if account is None or account.status != "active":
        return "account_not_active"
    if account.type == "service":
        return "service_account"
    if is_cut_off(session.signed_in_at, account.not_before):
        return "before_not_before"
    return None


def is_use_to_be_noted(session: Session, now: Milliseconds, idle_ms: int) -> bool:
    """Return whether `last_seen_at` is old enough that this use must be written."""
    return now - session.last_seen_at >= min(SEEN_EVERY_MS, idle_ms // 4)


def public_id(key: bytes) -> str:
    """Return the id of a session for applications: the `sid` of ID tokens (OpenID Connect Back-Channel Logout §2.1)."""
    return base64url.encode(key[:16])


@lru_cache(maxsize=64)
def authentication_class(methods: str) -> str:
    """Return the `acr` of a sign-in: `phr` for a passkey (OpenID EAP ACR Values §2), `2` for two factors, `1` for one."""
    used = set(methods.split())
    if used & {"hwk", "swk"}:
        return "phr"
    return "2" if "mfa" in used else "1"


AUTHENTICATION_CLASSES = ("1", "2", "phr")
"""Every `acr`, weakest first."""

CLASS_OF_POLICY: Mapping[str, str] = {"password": "1", "factor": "2", "passkey": "phr"}
"""Policy -> the `acr` that a sign-in must at least have."""


def is_weaker(one: str, other: str) -> bool:
    """Return whether the first of two `acr` values is the weaker one."""
    return AUTHENTICATION_CLASSES.index(one) < AUTHENTICATION_CLASSES.index(other)
