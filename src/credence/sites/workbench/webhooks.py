"""The screens of the application's webhooks, and of the attempts to deliver to them."""

from credence import paths
from credence.oauth.parameters.scopes import MONITOR
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.kit.lists import page_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.sites.kit.webhook_blocks import facts_of, table_of_attempts, table_of_webhooks
from credence.sites.workbench.reader import reader_of, store_of
from credence.store.webhooks import Webhook

WEBHOOKS = f"{paths.WORKBENCH}/webhooks"


async def read(visit: Visit) -> Page:
    """Return the webhooks with the outcome of their newest attempts."""
    store, client_id = store_of(visit), reader_of(visit).client_id

    async def fetch(after: str, limit: int) -> list[Webhook]:
        return await store.webhooks_of(client_id, after, limit)

    found, next_url = await page_of(visit, fetch, lambda each: each.id, lambda each: (each.url, each.description))
    empty = "This application has no webhooks. Its programs create them (POST /monitoring/v1/webhooks)."
    table = await table_of_webhooks(store, found, lambda each: f"{WEBHOOKS}/{each.id}", empty, next_url)
    return Page("Webhooks", [table], "", lead="Where events about your lists are delivered.")


async def read_one(visit: Visit) -> Page:
    """Return one webhook with its attempts of the last thirty days, the newest first."""
    kept = await store_of(visit).webhook(visit.request.segments[0])
    if kept is None or kept.owner != reader_of(visit).client_id:
        raise Refused(RESOURCE_UNKNOWN, "webhook.unknown")
    table = await table_of_attempts(visit, kept, lambda number: f"{paths.WORKBENCH}/alerts/{number}")
    return Page(kept.description or "Webhook", [facts_of(kept), table], "", above=("Webhooks", WEBHOOKS))


HOOKS = Screen(WEBHOOKS, "Webhooks", MONITOR, read)
HOOK = Screen(f"{WEBHOOKS}/{{webhook}}", "Webhook", MONITOR, read_one, listed=False)
