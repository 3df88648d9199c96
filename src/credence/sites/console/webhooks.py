"""The screen of the webhooks: receivers, the latest deliveries, and replays (D31)."""

from collections.abc import Mapping

from credence.blocks.text import ago
from credence.blocks.values import Cell, Table, Tone
from credence.operations.webhooks import disable_webhook, replay
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.lists import page_of, search_of
from credence.sites.kit.operation_forms import acts_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.webhooks import Webhook

PATH = "/console/webhooks"
ATTEMPTS = 50
"""The newest attempts from which the share of successes is calculated."""

_TONES: Mapping[str, Tone] = {"active": "good", "unverified": "warn", "disabled": "bad"}


async def read(visit: Visit) -> Page:
    """Return every webhook with its newest attempts."""
    store, now = visit.service.authority.store, visit.request.now

    async def fetch(after: str, limit: int) -> list[Webhook]:
        return [each for each in await store.webhooks() if each.id > after][:limit]

    found, next_url = await page_of(
        visit, fetch, lambda each: each.id, lambda each: (each.id, each.owner, each.url, each.description, each.state)
    )
    rows = []
    for each in found:
        attempts = await store.attempts_of(each.id, "", ATTEMPTS)
        good = sum(attempt.outcome.startswith("2") for attempt in attempts)
        rows.append(
            [
                Cell(each.url),
                Cell(each.owner, address_of_application(each.owner), code=True),
                Cell(each.state, tone=_TONES[each.state]),
                Cell(f"{good} of {len(attempts)}" if attempts else "none yet"),
                Cell(attempts[0].outcome if attempts else ""),
                Cell(ago(each.failing_since, now) if each.failing_since else ""),
                Cell("Send again", act=replay.slug, hidden=[("webhook", each.id)], about=each.url),
                Cell("Disable", act=disable_webhook.slug, hidden=[("webhook", each.id)], about=each.url),
            ]
        )
    columns = ("Address", "Application", "State", "Succeeded", "Last response", "Failing since", "Failed", "Stop")
    table = Table(
        "Webhooks",
        columns,
        rows,
        "No application has a webhook. Applications create their own, in the workbench or by the monitoring API.",
        next_url,
    )
    return Page("Webhooks", [search_of(visit, "Find a webhook"), table], "credence webhook list")


WEBHOOKS = Screen(
    PATH,
    "Webhooks",
    "operator",
    read,
    acts_of(PATH, replay, disable_webhook),
)
