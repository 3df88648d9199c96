"""Applications: registration, client secrets, the rotation of a secret without downtime, web origins, and test clocks.

The tokens and logins of an application with a test clock use the time of that clock (sandbox only); accounts, sessions and
everything else that applications share use real time. Between two resets the clock only moves forward, so comparisons have
the same result in both times. A reset sets the clock back, and tokens issued before it would become valid again. Resets are
therefore counted: access tokens contain the count, and the tag of refresh tokens covers it.
"""

import re
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

import msgspec

from credence.access.caller_address import Address
from credence.access.rules import decide
from credence.clock import Milliseconds
from credence.crypto.digest import DIGEST_BYTES, constant_time_equal, keyed_digest
from credence.crypto.randomness import new_client_id, new_client_secret
from credence.errors import InvalidInput
from credence.identity.not_before import next_not_before
from credence.store.records import Account, Application, ClientSecret

LIVE_SECRETS = 2
"""Maximum number of valid secrets of an application: the new one is deployed before the old one expires (threats A14)."""


def register(name: str, environment: str, digest_key: bytes, now: Milliseconds) -> tuple[Application, str]:
    """Return a new application and its secret, of which only a digest is stored (spec §5.1)."""
    return with_first_secret(without_secret(name, environment, now), environment, digest_key, now)


def without_secret(name: str, environment: str, now: Milliseconds) -> Application:
    """Return a new application that has no secret."""
    return Application(new_client_id(environment), name, (), created_at=now)


def with_first_secret(
    application: Application, environment: str, digest_key: bytes, now: Milliseconds
) -> tuple[Application, str]:
    """Return the application with its first secret, and that secret in clear."""
    secret = new_client_secret(environment)
    stored = ClientSecret(_digest(digest_key, application.client_id, secret), created_at=now)
    return msgspec.structs.replace(application, secrets=(stored,)), secret


def settled(application: Application, fields: Iterable[str]) -> Application:
    """Return the application with these fields marked as set by the operator; its registration cannot change them."""
    registration = application.registration
    if registration is None:
        return application
    both = tuple(dict.fromkeys((*registration.settled, *fields)))
    return msgspec.structs.replace(application, registration=msgspec.structs.replace(registration, settled=both))


def rotate_secret(
    application: Application, environment: str, digest_key: bytes, now: Milliseconds, old_until: Milliseconds
) -> tuple[Application, str]:
    """Return the application with a second secret, and that secret in clear. The old secret expires at `old_until`.

    Both times are real; the stored expiry is a time of the application's clock, if it has a test clock. The instant at which
    a secret was made is its id, so of two in one millisecond the second has the next.
    """
    if not application.secrets:
        first, secret = with_first_secret(application, environment, digest_key, now)
        return msgspec.structs.replace(first, version=application.version + 1), secret
    secret = new_client_secret(environment)
    newest = max(application.secrets, key=lambda kept: kept.created_at)
    old = msgspec.structs.replace(newest, expires_at=application_time(application, old_until))
    made_at = max(now, newest.created_at + 1)
    new = ClientSecret(_digest(digest_key, application.client_id, secret), created_at=made_at)
    changed = msgspec.structs.replace(application, secrets=(new, old), version=application.version + 1)
    return changed, secret


def without_secret_of(application: Application, created_at: Milliseconds) -> Application | None:
    """Return the application without the secret that was made at this instant; None if it has no such secret."""
    kept = tuple(each for each in application.secrets if each.created_at != created_at)
    if len(kept) == len(application.secrets):
        return None
    return msgspec.structs.replace(application, secrets=kept, version=application.version + 1)


def with_disabled(application: Application, now: Milliseconds, *, disabled: bool) -> Application:
    """Return the application enabled or disabled. A change revokes all its tokens.

    Enabling also revokes: another node may have issued tokens before it learned of the disabling (threats L9).
    """
    if application.disabled is disabled:
        return application
    return msgspec.structs.replace(
        application,
        disabled=disabled,
        not_before=next_not_before(application.not_before, now),
        version=application.version + 1,
    )


def with_every_login_ended(application: Application, now: Milliseconds) -> Application:
    """Return the application with a new `not_before`, so that no earlier token is valid; it stays enabled."""
    limit = next_not_before(application.not_before, now)
    return msgspec.structs.replace(application, not_before=limit, version=application.version + 1)


def authenticates(application: Application | None, secret: str, digest_key: bytes, now: Milliseconds) -> bool:
    """Return whether this is a current secret of the application. Takes as long for an unknown application (threats A3)."""
    client_id = application.client_id if application else ""
    presented = _digest(digest_key, client_id, secret)
    kept = application.secrets if application else ()
    matches = False
    for candidate in (*kept, *_FILLING[len(kept) :]):
        current = candidate.expires_at is None or now < candidate.expires_at
        matches |= constant_time_equal(presented, candidate.digest) and current
    return matches and application is not None and not application.disabled


_FILLING = (ClientSecret(b"\0" * DIGEST_BYTES, created_at=0, expires_at=0),) * LIVE_SECRETS
"""Secrets that nothing matches: as many are compared for each application."""


SECRET_METHODS = ("client_secret", "client_secret_basic", "client_secret_post")
"""The methods of client authentication by a secret: in any place, only in HTTP Basic, only in a form (D1)."""


def has_secret(application: Application) -> bool:
    """Return whether the application authenticates by a client secret."""
    return application.authentication in SECRET_METHODS


def is_public(application: Application) -> bool:
    """Return whether the application has no credentials, so that any caller can use its client_id (RFC 6749 §2.1)."""
    return application.authentication == "none"


def is_unverified(application: Application) -> bool:
    """Return whether the operator did not register it: it has a document, or registered without an invitation."""
    registration = application.registration
    return bool(application.document_digest) or (registration is not None and registration.unverified)


def addresses_after_sign_out(application: Application) -> tuple[str, ...]:
    """Return the URIs to which a person may be sent after signing out (OpenID Connect RP-Initiated Logout §3).

    Those that an unverified application has registered for itself do not count (RFC 9700 §4.11.2).
    """
    registration = application.registration
    settled = () if registration is None else registration.settled
    if is_unverified(application) and "post_logout_redirect_uris" not in settled:
        return ()
    return application.post_logout_redirect_uris


def application_time(application: Application, at: Milliseconds) -> Milliseconds:
    """Return the time of the application's clock at a real instant: the same without a test clock."""
    if application.clock is None:
        return at
    return at + next((move.ahead for move in reversed(application.clock.moves) if move.at <= at), 0)


def real_time(application: Application, at: Milliseconds) -> Milliseconds:
    """Return the real instant of a time of the application's clock; for a time that a move skipped, that of the move."""
    if application.clock is None:
        return at
    latest = None
    for move in reversed(application.clock.moves):
        if at >= move.at + move.ahead:
            return at - move.ahead if latest is None else min(at - move.ahead, latest)
        latest = move.at
    return at if latest is None else min(at, latest)


def why_excluded(
    application: Application | None, account: Account | None, address: Callable[[], Address], now: Milliseconds
) -> str | None:
    """Return the reason code if access rules of application or account exclude this address or time (spec §5.10, D15).

    Hours are those of the application's clock. `address` is called only if there are rules.
    """
    owners = (
        ("application", application.rules if application else None),
        ("account", account.rules if account else None),
    )
    for owner, rules in owners:
        if rules is not None and (rules.networks or rules.windows):
            at = now if application is None else application_time(application, now)
            reason = decide(rules, address(), at)
            if reason is not None:
                return f"{reason}_of_{owner}"
    return None


def resets(application: Application) -> int:
    """Return how often the test clock was reset; 0 without one."""
    return 0 if application.clock is None else application.clock.resets


def refresh_token_owner(application: Application) -> str:
    """Return the owner in the tag of refresh tokens: the client_id, followed by the clock's resets if there were any."""
    clock = application.clock
    return f"{application.client_id} {clock.resets}" if clock is not None and clock.resets else application.client_id


def _digest(digest_key: bytes, client_id: str, secret: str) -> bytes:
    return keyed_digest(digest_key, "client secret", client_id.encode(), secret.encode())


_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:]+\]").fullmatch
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_DEFAULT_PORTS = {"https": 443, "http": 80}


def check_origin(text: str) -> str:
    """Return an origin to be registered; InvalidInput unless it is written exactly as browsers send it.

    That is scheme, host in lower case and a port other than the default one, without a path. Plain HTTP is for pages of the
    same machine. `null` and patterns are refused.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _malformed(text) from None
    host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc
    secure = parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)
    standard = port is None or port != _DEFAULT_PORTS.get(parts.scheme)
    if not (secure and standard and _HOST(host) and text == f"{parts.scheme}://{parts.netloc}"):
        raise _malformed(text)
    return text


def _malformed(text: str) -> InvalidInput:
    return InvalidInput(
        f"{text!r} is not an origin: write it as browsers send it, such as https://app.example.com (no path, lower case, "
        "no default port; http for localhost only)."
    )
