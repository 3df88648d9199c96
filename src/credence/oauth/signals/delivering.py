"""Delivers security event tokens: the outbox pushes them (RFC 8935), or the receiver polls (RFC 8936)."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from credence.clock import Clock, Milliseconds
from credence.oauth.authority import Authority
from credence.oauth.signals.events import STREAM_UPDATED
from credence.oauth.signals.settling import may_receive
from credence.oauth.signals.streams import authorization_of
from credence.oauth.signals.tokens import MEDIA_TYPE, content_of, token_of
from credence.outbox.answers import outcome_of
from credence.outbox.engine import AttemptOutcome, DeliveryKind
from credence.outbox.schedule import WEBHOOKS
from credence.store.deliveries import Delivery
from credence.store.signals import SignalStream

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
