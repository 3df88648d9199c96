"""Makes, after midnight (UTC), an event about the day for each portfolio with the rule `digest`, and webhook messages.

Any node makes them. The keys of events and the ids of deliveries depend on portfolio or webhook and day, and the last
finished day is a shared value. If a node is killed in between, another one repeats the day: a message may be sent twice,
with the same `webhook-id`, but no event is added twice. Days over whose end no node ran follow when one runs again.
"""

import datetime as dt

from credence.clock import Milliseconds, date_of, day_start
from credence.monitoring.comparing import event_of
from credence.monitoring.loaded import read_mark
from credence.monitoring.rules import DIGEST
from credence.monitoring.transitions import ObservedChange
from credence.monitoring.webhooks.delivering import delivery_of
from credence.store.contract import Conflict, Store
from credence.store.webhooks import EVENT_TYPES, Message
from credence.telemetry.log import error

MAX_WEBHOOKS = 1_000

MAX_LATE_DAYS = 31
"""The most days that are made up for after an outage: the newest."""

_DAY = dt.timedelta(days=1)


async def send_digests(store: Store, now: Milliseconds) -> int:
    """Store the events and deliveries about each past day for which that was not done; return the number of deliveries."""
    yesterday = date_of(now) - _DAY
    version, done = await store.shared_value(DIGEST) or (0, b"")
    last = dt.date.fromisoformat(done.decode()) if done else yesterday - _DAY
    if last > yesterday:  # a clock that was ahead has done days that were not over
        error("digest_of_a_day_to_come", day=last.isoformat())
        last = yesterday - _DAY
    made = 0
    try:
        for days in reversed(range(min((yesterday - last).days, MAX_LATE_DAYS))):
            made += await _send_digest(store, yesterday - days * _DAY, now)
            version += 1
            await store.save_shared_value(DIGEST, version, (yesterday - days * _DAY).isoformat().encode())
    except Conflict:  # a comparison wrote meanwhile, or another node was faster; the next attempt is in a minute
        return made
    return made


async def _send_digest(store: Store, day: dt.date, now: Milliseconds) -> int:
    begins, ends = day_start(day), day_start(day + _DAY)
    await _make_events(store, day, now)
    message = Message(EVENT_TYPES + DIGEST, day=day.isoformat())
    deliveries = [
        delivery_of(webhook.id, message, message.day, now)
        for client_id in await store.readers_of_events(begins, ends)
        for webhook in await store.webhooks_of(client_id, "", MAX_WEBHOOKS)
        if webhook.state == "active" and DIGEST in (webhook.rules or (DIGEST,))
    ]
    await store.add_deliveries(deliveries)
    return len(deliveries)


async def _make_events(store: Store, day: dt.date, now: Milliseconds) -> None:
    begins, ends = day_start(day), day_start(day + _DAY)
    mark, _ = await read_mark(store)
    events = []
    for portfolio in await store.portfolios():
        if any(each.rule == DIGEST for each in portfolio.rules):
            lines = await store.digest(portfolio.owner, begins, ends)
            count = sum(each.events for each in lines if each.portfolio == portfolio.id)
            if count:
                change = ObservedChange(DIGEST, "day", None, count, day.isoformat(), day.isoformat())
                events.append(event_of("", portfolio, change, now, day.isoformat()))
    if events:
        await store.record(mark, [], events)
