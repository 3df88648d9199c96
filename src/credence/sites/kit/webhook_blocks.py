"""Blocks about webhooks, shared by the workbench and the developer portal."""

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from credence.blocks.values import Cell, Facts, Table, moment
from credence.monitoring.webhooks.schema import attempt_of
from credence.sites.kit.screen import Visit
from credence.store.contract import Store
from credence.store.webhooks import Webhook

PAGE_ROWS = 50


async def table_of_webhooks(
    store: Store, found: Sequence[Webhook], address: Callable[[Webhook], str], empty: str, next_url: str = ""
) -> Table:
    """Return a table of webhooks with the outcome of their newest attempts."""
    rows = []
    for each in found:
        newest = await store.attempts_of(each.id, "", 1)
        rows.append(
            [
                Cell(each.url, address(each)),
                Cell(each.description),
                Cell(each.state, tone="good" if each.state == "active" else "warn"),
                Cell(newest[0].outcome if newest else ""),
                moment(newest[0].at if newest else None),
                moment(each.failing_since or None),
            ]
        )
    columns = ("Address", "Description", "State", "Last outcome", "Last attempt", "Failing since")
    return Table("Webhooks", columns, rows, empty, next_url)


def facts_of(kept: Webhook) -> Facts:
    """Return the properties of a webhook."""
    return Facts(
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


async def table_of_attempts(visit: Visit, kept: Webhook, address: Callable[[int], str]) -> Table:
    """Return the attempts of the last thirty days, the newest first.

    `address` returns the address of an event by its number.
    """
    found = await visit.service.authority.store.attempts_of(kept.id, visit.parameter("after")[:100], PAGE_ROWS + 1)
    rows = []
    for each in map(attempt_of, found[:PAGE_ROWS]):
        milliseconds = "" if each.milliseconds is None else f"{each.milliseconds:,}"
        rows.append(
            [
                Cell(each.at[:19].replace("T", " ")),
                Cell(each.type),
                Cell(str(each.sequence), address(each.sequence)) if each.sequence else Cell(""),
                Cell(each.outcome, tone="good" if each.outcome.startswith("2") else "bad"),
                Cell(milliseconds),
                Cell(each.answer),
            ]
        )
    following = ""
    if len(found) > PAGE_ROWS:
        following = f"{visit.request.path}?{urlencode({'after': found[PAGE_ROWS - 1].key})}"
    columns = ("Time, UTC", "Message", "Event", "Outcome", "ms", "Response")
    return Table("Attempts", columns, rows, "No attempts in the last 30 days.", following, frozenset({4}))
