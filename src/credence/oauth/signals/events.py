"""Converts changes of accounts, applications and logins to events of CAEP 1.0 and RISC 1.0, in signed tokens (RFC 8417).

A token is signed when it is sent, so that a key that was replaced meanwhile signs nothing. Its `jti` is the id of its
delivery and stays the same in every attempt. It has neither `sub` nor `exp` (SSF §4.1.3, §4.1.7).
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.crypto.jws import sign
from credence.oauth.authority import Authority
from credence.oauth.tokens import standard_claims
from credence.store.deliveries import HELD, Delivery
from credence.store.records import (
    Account,
    AccountStatus,
    AccountType,
    Application,
    TokenFamily,
)
from credence.store.signals import KEPT_MS, KIND, Signal, SignalStream

_SECEVENT = "https://schemas.openid.net/secevent"
SESSION_REVOKED = f"{_SECEVENT}/caep/event-type/session-revoked"
CREDENTIAL_CHANGE = f"{_SECEVENT}/caep/event-type/credential-change"
TOKEN_CLAIMS_CHANGE = f"{_SECEVENT}/caep/event-type/token-claims-change"
ACCOUNT_DISABLED = f"{_SECEVENT}/risc/event-type/account-disabled"
ACCOUNT_ENABLED = f"{_SECEVENT}/risc/event-type/account-enabled"
VERIFICATION = f"{_SECEVENT}/ssf/event-type/verification"
STREAM_UPDATED = f"{_SECEVENT}/ssf/event-type/stream-updated"

SUPPORTED = (SESSION_REVOKED, CREDENTIAL_CHANGE, TOKEN_CLAIMS_CHANGE, ACCOUNT_DISABLED, ACCOUNT_ENABLED)
"""The events that a receiver may request. The two about the stream itself are always sent (SSF §8.1.4, §8.1.5)."""

_CREDENTIALS = {"totp": "app", "passkey": "fido2-roaming"}
"""Kind of a factor -> `credential_type` (CAEP §3.3)."""


class Said(NamedTuple):
    """One event, not yet addressed to a stream."""

    event: str
    subject: Mapping[str, Any]
    """The `sub_id` (RFC 9493)."""
    members: Mapping[str, Any]
    username: str = ""
    """The account of the event; only applications that the account uses receive it."""
    client_id: str = ""
    """The only application that receives it; empty for no such limit."""
    of_scopes: bool = False
    """Whether `members` are claims, of which an application receives those of the scopes that the account granted to it."""


class AccountState(msgspec.Struct, frozen=True):
    """The fields of an account that a signal stores."""

    username: str
    type: AccountType = "user"
    status: AccountStatus = "active"
    password_version: int = 1
    not_before: Milliseconds = 0
    email: str | None = None
    first_name: str | None = None
    last_name: str | None = None


class _ApplicationState(msgspec.Struct, frozen=True):
    not_before: Milliseconds = 0


_account = msgspec.json.Decoder(AccountState).decode
_application = msgspec.json.Decoder(_ApplicationState).decode


def user(issuer: str, username: str) -> dict[str, str]:
    """Return the subject identifier of an account (RFC 9493 §3.2.3)."""
    return {"format": "iss_sub", "iss": issuer, "sub": username}


def of_family(family: TokenFamily, sid: str, issuer: str, now: Milliseconds) -> Said:
    """Return the event of a login that has ended: its session is the `sid` of its access tokens."""
    subject = {
        "format": "complex",
        "user": user(issuer, family.username),
        "session": {"format": "opaque", "id": sid},
    }
    because = family.ended_because or ""
    members: dict[str, Any] = {"event_timestamp": (family.ended_at or now) // 1000}
    if because:
        members["reason_admin"] = {"en": because.replace("_", " ")}
    if because.endswith("reused"):
        members["initiating_entity"] = "policy"
    return Said(SESSION_REVOKED, subject, members, family.username, family.client_id)


def of_account(signal: Signal, issuer: str, now: Milliseconds) -> Iterator[Said]:
    """Yield the events of a change of an account; none if the change concerns no receiver."""
    before, after = _account(signal.before), _account(signal.after)
    about, at = user(issuer, after.username), {"event_timestamp": now // 1000}
    if after.not_before > before.not_before:
        yield Said(SESSION_REVOKED, about, at, after.username)
    if after.password_version != before.password_version:
        yield Said(CREDENTIAL_CHANGE, about, _credential("password", "update", now), after.username)
    if (before.status == "active") != (after.status == "active"):
        yield Said(ACCOUNT_ENABLED if after.status == "active" else ACCOUNT_DISABLED, about, {}, after.username)
    claims = {name: value for name, value in _claims(after).items() if _claims(before)[name] != value}
    if claims:
        yield Said(TOKEN_CLAIMS_CHANGE, about, {**at, "claims": claims}, after.username, of_scopes=True)


def of_application(signal: Signal, now: Milliseconds) -> Iterator[Said]:
    """Yield the event that all logins of an application have ended."""
    if _application(signal.after).not_before > _application(signal.before).not_before:
        subject = {"format": "complex", "application": {"format": "opaque", "id": signal.subject}}
        yield Said(SESSION_REVOKED, subject, {"event_timestamp": now // 1000}, client_id=signal.subject)


def of_factor(signal: Signal, issuer: str, now: Milliseconds) -> Said:
    """Return the event of a second factor or passkey that was added or removed."""
    kind, change = (signal.after, "create") if signal.after else (signal.before, "revoke")
    members = _credential(_CREDENTIALS[kind], change, now)
    return Said(CREDENTIAL_CHANGE, user(issuer, signal.subject), members, signal.subject)


def allowed(said: Said, scopes: Collection[str]) -> Mapping[str, Any] | None:
    """Return the members that an application with these scopes of the account receives; None if none is left."""
    if not said.of_scopes:
        return said.members
    names = {name for scope in scopes for name in standard_claims.CLAIMS.get(scope, ())}
    claims = {name: value for name, value in said.members["claims"].items() if name in names}
    return {**said.members, "claims": claims} if claims else None


def _credential(kind: str, change: str, now: Milliseconds) -> dict[str, Any]:
    return {"event_timestamp": now // 1000, "credential_type": kind, "change_type": change}


def _claims(state: AccountState) -> dict[str, standard_claims.Claim | None]:
    account = Account(
        state.username,
        state.type,
        "",
        0,
        email=state.email,
        first_name=state.first_name,
        last_name=state.last_name,
    )
    return {name: read(account) for claims in standard_claims.CLAIMS.values() for name, read in claims.items()}


TYPE = "secevent+jwt"

MEDIA_TYPE = f"application/{TYPE}"


class Content(msgspec.Struct, frozen=True):
    """The content of a delivery to a stream: one event."""

    event: str
    subject: dict[str, Any]
    members: dict[str, Any]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Content).decode


def delivery_of(
    stream: SignalStream,
    event: str,
    subject: Mapping[str, Any],
    members: Mapping[str, Any],
    key: str,
    now: Milliseconds,
) -> Delivery:
    """Return the delivery of an event to a stream: due now if it is pushed, held if it is polled or the stream paused.

    `key` distinguishes deliveries of one event; the same key gives the same delivery.
    """
    identity = sha256(f"{stream.id}\n{event}\n{key}".encode())[:16]
    payload = _encode(Content(event, dict(subject), dict(members)))
    return Delivery(identity, KIND, stream.id, payload, now, due_at(stream, now), now + KEPT_MS)


def due_at(stream: SignalStream, now: Milliseconds) -> Milliseconds:
    """Return the `due_at` of a stream's pending deliveries."""
    return now if stream.method == "push" and stream.status == "enabled" else HELD


def content_of(delivery: Delivery) -> Content:
    """Return the content of a delivery."""
    return _decode(delivery.payload)


def token_of(authority: Authority, application: Application, delivery: Delivery, now: Milliseconds) -> str:
    """Return the signed token of a delivery. The algorithm is that of the application's ID tokens."""
    content = _decode(delivery.payload)
    claims = {
        "iss": authority.settings.issuer,
        "aud": application.client_id,
        "iat": delivery.created_at // 1000,
        "jti": delivery.id.hex(),
        "sub_id": content.subject,
        "events": {content.event: content.members},
    }
    return sign(authority.id_token_key(application.id_token_algorithm, now), TYPE, msgspec.json.encode(claims))
