"""The webhooks of the application, and the attempts to deliver to them."""

from urllib.parse import urlencode

from credence import paths
from credence.monitoring.webhooks.schema import attempt_of
from credence.oauth.parameters.scopes import MONITOR
from credence.refusals import RESOURCE_UNKNOWN, Refused
from credence.store.webhooks import Webhook
from credence.web.screens.blocks import Cell, Facts, Page, Table, moment
from credence.web.screens.lists import page_of
from credence.web.screens.screen import Screen, Visit
from credence.web.workbench.figures import number_cell
from credence.web.workbench.reader import reader_of, store_of

WEBHOOKS = f"{paths.WORKBENCH}/webhooks"
PAGE_ROWS = 50


async def read(visit: Visit) -> Page:
    """Return the webhooks with the outcome of their newest attempts."""
    store, client_id = store_of(visit), reader_of(visit).client_id

    async def fetch(after: str, limit: int) -> list[Webhook]:
        return await store.webhooks_of(client_id, after, limit)

    found, onward = await page_of(visit, fetch, lambda each: each.id, lambda each: (each.url, each.description))
    rows = []
    for each in found:
        newest = await store.attempts_of(each.id, "", 1)
        rows.append(
            [
                Cell(each.url, f"{WEBHOOKS}/{each.id}"),
                Cell(each.description),
                Cell(each.state, tone="good" if each.state == "active" else "warn"),
                Cell(newest[0].outcome if newest else ""),
                moment(newest[0].at if newest else None),
                moment(each.failing_since or None),
            ]
        )
    columns = ("Address", "Description", "State", "Last outcome", "Last attempt", "Failing since")
    empty = "The application has no webhook. Its programs make them (POST /monitoring/v1/webhooks)."
    table = Table("Webhooks", columns, rows, empty, onward)
    return Page("Webhooks", [table], "", lead="Where the events of your lists are delivered.")


async def read_one(visit: Visit) -> Page:
    """Return one webhook with its attempts of the last thirty days, the newest first."""
    store = store_of(visit)
    kept = await store.webhook(visit.request.segments[0])
    if kept is None or kept.owner != reader_of(visit).client_id:
        raise Refused(RESOURCE_UNKNOWN, "webhook.unknown")
    found = await store.attempts_of(kept.id, visit.asked("after")[:100], PAGE_ROWS + 1)
    rows = []
    for each in map(attempt_of, found[:PAGE_ROWS]):
        good = each.outcome.startswith("2")
        number = str(each.sequence) if each.sequence else ""
        rows.append(
            [
                Cell(each.at[:19].replace("T", " ")),
                Cell(each.type),
                Cell(number, f"{paths.WORKBENCH}/alerts/{number}" if number else ""),
                Cell(each.outcome, tone="good" if good else "bad"),
                number_cell(each.milliseconds),
                Cell(each.answer),
            ]
        )
    following = (
        f"{WEBHOOKS}/{kept.id}?{urlencode({'after': found[PAGE_ROWS - 1].key})}" if len(found) > PAGE_ROWS else ""
    )
    columns = ("Time, UTC", "Message", "Event", "Outcome", "ms", "Answer")
    facts = Facts(
        "Webhook",
        [
            ("Address", Cell(kept.url)),
            ("Description", Cell(kept.description)),
            ("State", Cell(kept.state, tone="good" if kept.state == "active" else "warn")),
            ("Disabled because", Cell(kept.disabled_reason)),
            ("Failing since", moment(kept.failing_since or None)),
            ("Signature", Cell(kept.signature)),
        ],
    )
    table = Table("Attempts", columns, rows, "There was no attempt in the last thirty days.", following, frozenset({4}))
    return Page(kept.description or "Webhook", [facts, table], "", above=("Webhooks", WEBHOOKS))


HOOKS = Screen(WEBHOOKS, "Webhooks", MONITOR, read)
HOOK = Screen(f"{WEBHOOKS}/{{webhook}}", "Webhook", MONITOR, read_one, listed=False)
