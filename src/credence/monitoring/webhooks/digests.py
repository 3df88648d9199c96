"""Makes, after midnight (UTC), an event about the day for each portfolio with the rule `digest`, and webhook messages.

Any node makes them. The keys of events and the ids of deliveries depend on portfolio or webhook and day, and the last
finished day is a shared value. If a node is killed in between, another one repeats the day: a message may be sent twice,
with the same `webhook-id`, but no event is added twice.
"""

import datetime as dt

from credence.clock import Milliseconds, date_of, day_start
from credence.monitoring.comparing import event_of
from credence.monitoring.mark import read_mark
from credence.monitoring.rules import DIGEST
from credence.monitoring.transitions import ObservedChange
from credence.monitoring.webhooks.delivering import delivery_of
from credence.store.contract import Conflict, Store
from credence.store.webhooks import EVENT_TYPES, Message

MAX_WEBHOOKS = 1_000


async def send_digests(store: Store, now: Milliseconds) -> int:
    """Store the events and deliveries about the last past day unless that was done; return the number of deliveries."""
    day = date_of(now) - dt.timedelta(days=1)
    found = await store.shared_value(DIGEST)
    version, done = found or (0, b"")
    if done.decode() >= day.isoformat():
        return 0
    begins, ends = day_start(day), day_start(day + dt.timedelta(days=1))
    try:
        await _make_events(store, day, now)
    except Conflict:  # a comparison wrote meanwhile; the next attempt is in a minute
        return 0
    message = Message(EVENT_TYPES + DIGEST, day=day.isoformat())
    deliveries = [
        delivery_of(webhook.id, message, message.day, now)
        for client_id in await store.readers_of_events(begins, ends)
        for webhook in await store.webhooks_of(client_id, "", MAX_WEBHOOKS)
        if webhook.state == "active" and DIGEST in (webhook.rules or (DIGEST,))
    ]
    await store.add_deliveries(deliveries)
    try:
        await store.save_shared_value(DIGEST, version + 1, day.isoformat().encode())
    except Conflict:  # another node was faster, and its deliveries have the same ids
        return 0
    return len(deliveries)


async def _make_events(store: Store, day: dt.date, now: Milliseconds) -> None:
    begins, ends = day_start(day), day_start(day + dt.timedelta(days=1))
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
