"""Delivers security event tokens: the outbox pushes them (RFC 8935), or the receiver polls (RFC 8936).

Before that, signals are replaced by deliveries: one for each stream that requests the event and whose application the
account uses.
"""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from credence.clock import Clock, Milliseconds
from credence.crypto import base64url
from credence.identity.applications import is_public
from credence.oauth.authority import Authority
from credence.oauth.parameters.scopes import SIGNALS
from credence.oauth.parameters.scopes import of_application as scopes_of
from credence.oauth.signals import events
from credence.oauth.signals.events import MEDIA_TYPE, STREAM_UPDATED, Said, content_of, delivery_of, token_of
from credence.oauth.signals.streams import authorization_of
from credence.outbox.answers import outcome_of
from credence.outbox.engine import WEBHOOKS, AttemptOutcome, DeliveryKind
from credence.store.deliveries import Delivery
from credence.store.records import Application
from credence.store.signals import Signal, SignalStream

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient

PURPOSE = "signal"

HOLD_MS = 60_000
"""The pause before the next attempt of a delivery that became due while its stream was being paused."""

MAX_OPEN = 1_000
"""Maximum number of tokens of a stream that a poll reads: the oldest, and in addition the news of its status."""

_ID = re.compile("[0-9a-f]{32}").fullmatch

_INVALID = 400
"""The status by which a receiver rejects a token permanently (RFC 8935 §2.3)."""


def signal_deliveries(authority: Authority, client: "OutgoingClient", clock: Clock) -> DeliveryKind:
    """Return the delivery kind that pushes tokens (RFC 8935 §2)."""
    # Imported late: most deployments make no calls.
    from credence.outgoing.client import Call

    async def attempt(delivery: Delivery) -> AttemptOutcome:
        stream = await authority.store.signal_stream(delivery.receiver)
        application = None if stream is None else await authority.revocation_cache.application(stream.owner)
        if stream is None or application is None or not may_receive(application):
            return AttemptOutcome(delivered=True, text="not_wanted")
        if stream.method != "push" or not _sends(stream, delivery):
            return AttemptOutcome(delivered=False, text=stream.status, attempted=False, retry_after_ms=HOLD_MS)
        header = {"Content-Type": MEDIA_TYPE, "Accept": "application/json"}
        if authorization := authorization_of(stream, authority.secrets.digest):
            header["Authorization"] = authorization
        call = Call(
            PURPOSE,
            "POST",
            stream.endpoint,
            header,
            token_of(authority, application, delivery, clock()).encode(),
            max_answer_bytes=1_024,
            cut_answer=True,
            application=stream.owner,
        )
        return await outcome_of(client, call, is_final=_INVALID.__eq__)

    return DeliveryKind(attempt, WEBHOOKS)


async def waiting(
    authority: Authority, stream: SignalStream, most: int, now: Milliseconds
) -> tuple[dict[str, str], bool]:
    """Return at most `most` pending tokens of a polled stream by `jti`, the oldest first, and whether there are more."""
    application = await authority.revocation_cache.application(stream.owner)
    if application is None or not may_receive(application):
        return {}, False
    oldest = await authority.store.deliveries_of(stream.id, MAX_OPEN, waiting=True)
    found = [each for each in oldest if _sends(stream, each)]
    if stream.news and len(oldest) == MAX_OPEN:
        known = {each.id for each in found}
        found += [
            each for each in await authority.store.deliveries_named(stream.id, [stream.news]) if each.id not in known
        ]
    return {each.id.hex(): token_of(authority, application, each, now) for each in found[:most]}, len(found) > most


async def acknowledge(authority: Authority, stream: SignalStream, ids: Collection[str]) -> None:
    """Delete the tokens that a receiver has acknowledged; unknown ids are ignored (RFC 8936 §2.4)."""
    named = [bytes.fromhex(each) for each in ids if _ID(each)]
    for start in range(0, len(named), MAX_OPEN):
        for each in await authority.store.deliveries_named(stream.id, named[start : start + MAX_OPEN]):
            await authority.store.end_delivery(each)


def _sends(stream: SignalStream, delivery: Delivery) -> bool:
    """Return whether the status of a stream allows a delivery.

    Events about the status itself are always sent (SSF §8.1.5).
    """
    return stream.status == "enabled" or content_of(delivery).event == STREAM_UPDATED


MAX_SIGNALS = 200
"""Maximum number of signals in one transaction."""

Scopes = Mapping[tuple[str, str], Collection[str]]
"""Application and account -> the scopes that the account granted to it."""


Notices = Callable[[Authority, Sequence[Signal], Milliseconds], Awaitable[Mapping[str, Sequence[Delivery]]]]
"""Returns further deliveries that follow from signals, by the id of the signal: those to people (`mail/notices.py`)."""


async def settle_signals(authority: Authority, now: Milliseconds, notices: Notices | None = None) -> int:
    """Replace stored signals by their deliveries, and return how many. Any node may do so at any time."""
    store, made = authority.store, 0
    while signals := await store.signals(MAX_SIGNALS):
        streams = [each for each in await store.signal_streams() if await is_served(authority, each)]
        said = {each.id: await _said(authority, each, now) for each in signals}
        scopes = await _scopes(authority, streams, said, now)
        settled = {
            identity: [
                delivery
                for each in of_signal
                for stream in streams
                if (delivery := _delivery(stream, each, identity, scopes, now)) is not None
            ]
            for identity, of_signal in said.items()
        }
        for identity, further in (await notices(authority, signals, now) if notices else {}).items():
            settled[identity] += further
        await store.settle_signals(settled)
        made += sum(map(len, settled.values()))
    return made


async def is_served(authority: Authority, stream: SignalStream) -> bool:
    """Return whether the application of a stream may still receive signals."""
    return may_receive(await authority.revocation_cache.application(stream.owner))


def may_receive(application: Application | None) -> bool:
    """Return whether an application may receive signals.

    A public client may not, because any caller can use its client_id.
    """
    if application is None or application.disabled or is_public(application):
        return False
    return SIGNALS in scopes_of(application)


async def _said(authority: Authority, signal: Signal, now: Milliseconds) -> list[Said]:
    issuer = authority.settings.issuer
    match signal.kind:
        case "family":
            family = await authority.store.family(base64url.decode(signal.subject))
            return [events.of_family(family, signal.subject, issuer, now)] if family else []
        case "account":
            return list(events.of_account(signal, issuer, now))
        case "application":
            return list(events.of_application(signal, now))
        case "factor":
            if "recovery" in (signal.before, signal.after):
                return []
            return [events.of_factor(signal, issuer, now)]


async def _scopes(
    authority: Authority, streams: Sequence[SignalStream], said: Mapping[str, Sequence[Said]], now: Milliseconds
) -> Scopes:
    names = sorted({each.username for found in said.values() for each in found if not each.client_id})
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    if names and streams:
        for each in await authority.store.relations(names, [stream.owner for stream in streams], now):
            found[each.client_id, each.username].update(each.scope.split(" "))
    return found


def _delivery(stream: SignalStream, said: Said, key: str, scopes: Scopes, now: Milliseconds) -> Delivery | None:
    requested = said.event in stream.events and stream.status != "disabled" and said.username not in stream.removed
    if not requested or said.client_id not in {"", stream.owner}:
        return None
    members: Mapping[str, Any] | None = said.members
    if not said.client_id:
        members = events.allowed(said, scopes[stream.owner, said.username]) if _uses(stream, said, scopes) else None
    return None if members is None else delivery_of(stream, said.event, said.subject, members, key, now)


def _uses(stream: SignalStream, said: Said, scopes: Scopes) -> bool:
    return (stream.owner, said.username) in scopes
