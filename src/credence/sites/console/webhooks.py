"""The screen of the webhooks: receivers, the latest deliveries, and replays (D31)."""

from collections.abc import Mapping

from credence.monitoring.webhooks.changing import disabled, replay_given_up
from credence.operations.audit_changes import changes
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.blocks import Cell, Page, Table, Tone, ago
from credence.sites.kit.lists import page_of, search_of
from credence.sites.kit.screen import Act, Done, Screen, Visit, Wrong
from credence.sites.kit.trail import record
from credence.store.webhooks import Webhook

ATTEMPTS = 50
"""The newest attempts from which the share of successes is calculated."""

_TONES: Mapping[str, Tone] = {"active": "good", "unverified": "warn", "disabled": "bad"}


async def read(visit: Visit) -> Page:
    """Return every webhook with its newest attempts."""
    store, now = visit.service.authority.store, visit.request.now

    async def fetch(after: str, limit: int) -> list[Webhook]:
        return [each for each in await store.webhooks() if each.id > after][:limit]

    found, onward = await page_of(
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
                Cell("Send again", act="replay", hidden=[("webhook", each.id)], about=each.url),
                Cell("Disable", act="disable", hidden=[("webhook", each.id)], about=each.url),
            ]
        )
    columns = ("Address", "Application", "State", "Succeeded", "Last answer", "Failing since", "Given up", "Stop")
    table = Table("Webhooks", columns, rows, "No application has a webhook.", onward)
    return Page("Webhooks", [search_of(visit, "Find a webhook"), table], "credence webhook list")


async def replay(visit: Visit, values: Mapping[str, str]) -> Done:
    """Attempt the given-up deliveries of a webhook again."""
    kept = await _found(visit, values)
    await record(visit, "webhook replay", application=kept.owner, webhook=kept.id)
    await replay_given_up(visit.service.authority.store, kept, visit.request.now)
    return Done("What was given up is sent again.")


async def disable(visit: Visit, values: Mapping[str, str]) -> Done:
    """Stop the deliveries to a webhook."""
    kept = await _found(visit, values)
    wanted = disabled(kept)
    if wanted == kept:
        return Done("The webhook is disabled already. Nothing was changed.")
    await record(visit, "webhook disable", changes(kept, wanted), application=kept.owner, webhook=kept.id)
    await visit.service.authority.store.save_webhook(wanted)
    return Done("The webhook is disabled. Its owner switches it on again by a verification.")


async def _found(visit: Visit, values: Mapping[str, str]) -> Webhook:
    kept = await visit.service.authority.store.webhook(values.get("webhook", ""))
    if kept is None:
        raise Wrong("The webhook does not exist any more.")
    return kept


WEBHOOKS = Screen(
    "/console/webhooks",
    "Webhooks",
    "operator",
    read,
    (Act("replay", "operator", replay), Act("disable", "operator", disable)),
)
