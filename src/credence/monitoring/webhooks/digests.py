"""The message about a day's events, to each webhook that wants it, after midnight (UTC).

Any node makes the deliveries; their ids follow from webhook and day, and the last day that was done is a shared value. A
node that is killed in between leaves the day to the next, so a message may come twice, with the same `webhook-id`.
"""

import datetime as dt

from credence.clock import Milliseconds, date_of, day_start
from credence.monitoring.webhooks.delivering import delivery_of
from credence.store.contract import Conflict, Store
from credence.store.webhooks import EVENT_TYPES, Message

DIGEST = "digest"
"""The name of the message where a webhook names rules, and of the shared value."""

MAX_WEBHOOKS = 1_000


async def send_digests(store: Store, now: Milliseconds) -> int:
    """Store the deliveries about the last day that is over, unless that was done; return how many."""
    day = date_of(now) - dt.timedelta(days=1)
    found = await store.shared_value(DIGEST)
    version, done = found or (0, b"")
    if done.decode() >= day.isoformat():
        return 0
    begins, ends = day_start(day), day_start(day + dt.timedelta(days=1))
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
    except Conflict:  # another node was first, and its deliveries have the same ids
        return 0
    return len(deliveries)
