"""The digest of a day: the number of events of each list and rule."""

import datetime as dt
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from urllib.parse import urlencode

from credence import paths
from credence.blocks.forms import Field, Form, Query
from credence.blocks.text import day as in_words
from credence.blocks.values import Block, Cell, Links, Note, Table
from credence.clock import date_of, day_start
from credence.monitoring.mailing import may_get_mail, people_with_mail
from credence.monitoring.rules import RULES
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.alert_mail import start_mail, stop_mail
from credence.operations.alerts import read_digest
from credence.operations.operation import Operation
from credence.sites.kit.screen import Act, ActResult, Page, Screen, Visit
from credence.sites.workbench.acting import perform_here
from credence.sites.workbench.alerts import ALERTS
from credence.sites.workbench.figures import number_cell
from credence.sites.workbench.lists import MAX_NAMED, list_cell, offered_lists, with_names
from credence.sites.workbench.reader import reader_of, store_of

DIGEST = f"{paths.WORKBENCH}/digest"
_FIRST = dt.date(2000, 1, 1)


async def read(visit: Visit) -> Page:
    """Return the counts of a day, yesterday by default."""
    store, client_id = store_of(visit), reader_of(visit).client_id
    today, typed = date_of(visit.request.now), visit.parameter("day")[:20]
    day: dt.date | None = today - dt.timedelta(days=1)
    if typed:
        day = None
        with suppress(ValueError):
            day = dt.date.fromisoformat(typed)
        day = day if day is not None and _FIRST <= day <= today else None
    wrong = "" if day else "Enter today or an earlier date in the format 2026-01-31."
    field = Field("day", "Day", typed or (day.isoformat() if day else ""), kind="date")
    query = Query("Choose a day", "Show", (field,), wrong, "day" if wrong else "")
    if day is None:
        return Page("Digest", [query], "")
    lines = await store.digest(client_id, day_start(day), day_start(day + dt.timedelta(days=1)))
    names = await with_names(visit, await offered_lists(visit, MAX_NAMED), (each.portfolio for each in lines))
    rows = [
        [
            list_cell(names, each.portfolio),
            Cell(RULES[each.rule].words if each.rule in RULES else each.rule),
            number_cell(each.events),
            number_cell(each.companies),
            Cell("Alerts", f"{ALERTS}?{urlencode({'show': 'all', 'list': each.portfolio, 'rule': each.rule})}"),
        ]
        for each in lines
    ]
    total = sum(each.events for each in lines)
    so_far = " so far" if day == today else ""
    title = f"{total:,} {'event' if total == 1 else 'events'} on {in_words(day)}{so_far}"
    table = Table(
        title,
        ("List", "What", "Events", "Companies", "See"),
        rows,
        "Nothing was found.",
        numbers=frozenset({2, 3}),
        cards=True,
    )
    days = [("The day before", f"{DIGEST}?day={day - dt.timedelta(days=1)}")]
    if day < today:
        days.append(("The day after", f"{DIGEST}?day={day + dt.timedelta(days=1)}"))
    return Page(
        "Digest",
        [query, Links("Days", days), table, *await _mail_blocks(visit)],
        "",
        lead="What was found on one day (UTC).",
    )


async def _mail_blocks(visit: Visit) -> list[Block]:
    """Return the form that starts or stops the alerts by mail; nothing where the service sends no mail."""
    if not visit.service.settings.mail_relay:
        return []
    if visit.account.username in await people_with_mail(store_of(visit)):
        return [Form("stop-mail", "Alerts by email", "Stop the emails", f"They are sent to {visit.account.email}.")]
    if not may_get_mail(visit.account):
        return [Note("To get alerts by email, confirm your email address on your account page first.", "soft")]
    text = (
        f"An email to {visit.account.email} each morning on which there are alerts, the largest amount at risk first."
    )
    return [Form("start-mail", "Alerts by email", "Email me the alerts", text)]


async def _set_mail(operation: Operation, visit: Visit, _values: Mapping[str, str]) -> ActResult:
    return ActResult((await perform_here(visit, operation, visit.account.username, None)).said)


DAILY = Screen(
    DIGEST,
    "Digest",
    MONITOR,
    read,
    (
        Act("start-mail", MONITOR, partial(_set_mail, start_mail)),
        Act("stop-mail", MONITOR, partial(_set_mail, stop_mail)),
    ),
    shows=(read_digest,),
)
