"""What a trusted issuer says of a session or a person that ended there: logout tokens and security event tokens.

OpenID Connect Back-Channel Logout 1.0 §2.4 to §2.6, RFC 8417, CAEP 1.0 and RISC 1.0. A token about what has ended here
already, or about an unknown person, changes nothing.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from credence.clock import Milliseconds
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.verifying import Expected, UntrustedToken, verified
from credence.paths import FROM_ISSUER, SIGNALS_THERE
from credence.store.records import Account
from credence.store.trusted_issuers import LINKS, TrustedIssuer, link_id

LOGOUT = "http://schemas.openid.net/event/backchannel-logout"
MAX_AGE_SECONDS = 300

EVENT_KEPT_SECONDS = 86_400
"""How long after its issue a security event token is accepted, and remembered."""

_CAEP = "https://schemas.openid.net/secevent/caep/event-type/"
_RISC = "https://schemas.openid.net/secevent/risc/event-type/"
ENDING = frozenset({f"{_CAEP}session-revoked", f"{_RISC}sessions-revoked", f"{_RISC}credential-compromise"})
"""The events after which every session and login of the person ends."""

DISABLING = frozenset({f"{_RISC}account-disabled", f"{_RISC}account-purged"})
"""The events after which the account is suspended too."""


class SignOut(NamedTuple):
    """The content of a logout token: the session there, or else the person."""

    sid: str
    subject: str
    id: str
    """Its `jti`."""


class Event(NamedTuple):
    """The content of a security event token that concerns a person."""

    subject: str
    disables: bool
    id: str
    """Its `jti`: the issuer may send it again."""


async def read_logout_token(authority: Authority, issuer: TrustedIssuer, token: str, now: Milliseconds) -> SignOut:
    """Return what a logout token says; raises UntrustedToken."""
    expected = Expected(
        frozenset({"logout+jwt", "jwt", ""}),
        frozenset({issuer.client_id}),
        max_age_seconds=MAX_AGE_SECONDS,
        limited=False,
    )
    claims = await verified(authority, issuer, token, expected, now)
    sid, subject, identity = (claims.get(name, "") for name in ("sid", "sub", "jti"))
    if not _has_event(claims, LOGOUT) or "nonce" in claims or not isinstance(identity, str) or not identity:
        raise UntrustedToken("issuer_token.type")
    if not (isinstance(sid, str) and isinstance(subject, str) and (sid or subject)):
        raise UntrustedToken("issuer_token.subject")
    return SignOut(sid, subject, identity)


async def read_event_token(authority: Authority, issuer: TrustedIssuer, token: str, now: Milliseconds) -> Event | None:
    """Return what a security event token says of a person, None if nothing that counts; raises UntrustedToken."""
    own = authority.settings.issuer
    expected = Expected(
        frozenset({"secevent+jwt"}),
        frozenset({own, issuer.client_id, f"{own}{FROM_ISSUER}/{issuer.id}{SIGNALS_THERE}"}),
        one_audience=False,
        max_age_seconds=EVENT_KEPT_SECONDS,
        needs_expiry=False,
        limited=False,
        issuers=frozenset({issuer.signals_issuer or issuer.issuer}),
    )
    claims = await verified(authority, issuer, token, expected, now)
    events = claims.get("events")
    if not isinstance(events, dict):
        raise UntrustedToken("issuer_token.type")
    named = set(events) & (ENDING | DISABLING)
    subject = next(
        (found for each in (claims.get("sub_id"), *_subjects(events)) if (found := _person(issuer, each))), ""
    )
    identity = claims.get("jti")
    if not isinstance(identity, str) or not identity:
        raise UntrustedToken("issuer_token.type")
    return Event(subject, not named.isdisjoint(DISABLING), identity) if named and subject else None


async def account_of_subject(authority: Authority, issuer: TrustedIssuer, subject: str) -> Account | None:
    """Return the account that is linked to a subject."""
    link = await authority.store.get(LINKS, link_id(issuer.id, subject)) if subject else None
    return None if link is None else await authority.store.account(link.username)


def _has_event(claims: Mapping[str, Any], name: str) -> bool:
    events = claims.get("events")
    return isinstance(events, dict) and isinstance(events.get(name), dict)


def _subjects(events: Mapping[str, Any]) -> list[object]:
    """Return the subjects of events, which earlier versions of CAEP and RISC have there."""
    return [each.get("subject") for each in events.values() if isinstance(each, dict)]


def _person(issuer: TrustedIssuer, subject: object) -> str:
    """Return the `sub` of a subject identifier of the issuer (RFC 9493 §3.2.3, SSF §3.2); empty for any other."""
    if not isinstance(subject, dict):
        return ""
    user = subject.get("user")
    members: dict[str, object] = user if isinstance(user, dict) else subject
    kind, found = members.get("format", members.get("subject_type")), members.get("sub")
    is_of_issuer = kind in ("iss_sub", "iss-sub") and members.get("iss") == issuer.issuer
    return found if is_of_issuer and isinstance(found, str) else ""
