"""Replaces signals by deliveries: one for each stream that requests the event and whose application the account uses."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.identity.applications import is_public
from credence.oauth.authority import Authority
from credence.oauth.parameters.scopes import SIGNALS
from credence.oauth.parameters.scopes import of_application as scopes_of
from credence.oauth.signals import events
from credence.oauth.signals.events import Said
from credence.oauth.signals.tokens import delivery_of
from credence.store.deliveries import Delivery
from credence.store.records import Application
from credence.store.signals import Signal, SignalStream

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
