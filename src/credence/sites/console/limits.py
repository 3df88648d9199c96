"""The screen of the rate limits: rates, callers close to theirs, refused callers, and changes with a preview (D16)."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from credence import paths
from credence.blocks.values import Block, Cell, Facts, Note, Table, Tone, moment
from credence.errors import InvalidInput
from credence.management.inventory import limits
from credence.management.limits_in_use import effect_of, last_minute, rate_of, refused_today
from credence.operations.application_changes import TypedRate, set_rate
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.store.records import Application

PATH = f"{paths.CONSOLE}/limits"
SHOWN = 10
"""Rows of each kind of caller, at most."""


_LOG = f"{paths.CONSOLE}/log?q="


async def read(visit: Visit) -> Page:
    """Return the rates, the use of the last minute and the refusals of a day."""
    return await _page(visit, visit.parameter("client_id"), "")


async def _page(visit: Visit, client_id: str, per_minute: str) -> Page:
    blocks: list[Block] = [_rates(visit)]
    try:
        blocks += await _use(visit)
        blocks += await _refusals(visit)
    except OSError:
        blocks.append(Note("The log of this node cannot be read; its own log says why.", "bad"))
    form = form_of(set_rate, present={"per_minute": per_minute})
    field, *others = form.fields
    effect = "To compare it with the requests of the last hour without changing anything, show the effect first."
    blocks.append(
        replace(
            form,
            text=f"{form.text} {effect}",
            fields=[replace(field, value=client_id), *others],
            also=[("preview", "Show the effect")],
        )
    )
    return Page(
        "Limits", blocks, "credence log reason:spike.* since:1d", links=(("Settings", "/console/settings?q=spike"),)
    )


def _rates(visit: Visit) -> Facts:
    rows = [
        (
            f"Each {each.of}",
            Cell(f"{each.per_minute:,} a minute, {each.burst:,} at once" if each.per_minute else "no limit"),
        )
        for each in limits(visit.service.settings).limits
    ]
    match visit.service.rate_limiter.shared_available:
        case None:
            counted = Cell("separately by each process")
        case True:
            counted = Cell("by all nodes together", tone="good")
        case _:
            counted = Cell("by each process: the shared counters do not answer", tone="warn")
    return Facts("Rates of the service", [*rows, ("Counted", counted)])


async def _use(visit: Visit) -> list[Block]:
    service, now = visit.service, visit.request.now
    settings, store = service.settings, service.authority.store
    found = await asyncio.to_thread(last_minute, settings, now)
    applications = []
    for client_id, requests in found.clients.most_common(SHOWN):
        known = await store.application(client_id)
        rate = settings.spike_per_minute if known is None else rate_of(known, settings)
        name = client_id if known is None else known.name
        applications.append([Cell(name, address_of_application(client_id)), *_left(requests, rate)])
    accounts = [
        [Cell(name, address_of_account(name)), *_left(requests, settings.spike_account_per_minute)]
        for name, requests in found.accounts.most_common(SHOWN)
    ]
    addresses = [
        [Cell(network, f"{_LOG}{quote(f'from:{network}')}"), *_left(requests, settings.spike_address_per_minute)]
        for network, requests in found.networks.most_common(SHOWN)
    ]
    blocks: list[Block] = [
        Table(
            f"Busiest in the last minute: {kind}",
            (heading, "Requests", "Rate", "Left"),
            rows,
            empty,
            numbers=frozenset({1, 2, 3}),
        )
        for kind, heading, rows, empty in (
            ("applications", "Application", applications, "No application has sent a request."),
            ("accounts", "Account", accounts, "No account has sent a request."),
            ("addresses", "Address", addresses, "No address has sent a request."),
        )
    ]
    if found.is_partial:
        text = f"There are more requests than can be counted here: only those since {moment(found.since).text} count."
        blocks.append(Note(text, "warn"))
    return blocks


def _left(requests: int, rate: int) -> list[Cell]:
    """Return three cells: requests in a minute, rate, and remaining requests."""
    if not rate:
        return [Cell(f"{requests:,}"), Cell("none"), Cell("any")]
    left = max(0, rate - requests)
    tone: Tone = "bad" if not left else "warn" if left * 5 < rate else "good"
    return [Cell(f"{requests:,}"), Cell(f"{rate:,}"), Cell(f"{left:,}", tone=tone)]


async def _refusals(visit: Visit) -> list[Block]:
    found = await asyncio.to_thread(refused_today, visit.service.settings, visit.request.now)
    rows = []
    for kind, term, counted in (
        ("application", "client", found.clients),
        ("account", "account", found.accounts),
        ("address", "from", found.addresses),
    ):
        for name, refused in counted.most_common(SHOWN):
            line = quote(f"reason:spike.{kind} {term}:{name} since:1d")
            rows.append([Cell(name, f"{_LOG}{line}"), Cell(kind), Cell(f"{refused:,}")])
    title, empty = "Rate limited in the last 24 hours, most often first", "No requests were rate limited."
    if found.is_partial:
        since = moment(found.since).text
        title, empty = f"Rate limited since {since}, most often first", f"No requests were rate limited since {since}."
    blocks: list[Block] = [Table(title, ("Caller", "Limit of the", "Refusals"), rows, empty, numbers=frozenset({2}))]
    if found.is_partial:
        text = "The log of the last 24 hours is too long to count here. Search the log for older refusals."
        blocks.append(Note(text, "warn"))
    return blocks


async def preview(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Show how many requests of the last hour the new rate would have refused."""
    found, per_minute = await _asked(visit, values)
    settings = visit.service.settings
    rate = settings.spike_per_minute if per_minute is None else per_minute
    present = rate_of(found, settings)
    try:
        effect = await asyncio.to_thread(effect_of, settings, found, (rate, present), visit.request.now)
    except OSError:
        raise InvalidForm("The log of this node cannot be read, so the effect is unknown.") from None
    page = await _page(visit, found.client_id, values.get("per_minute", ""))
    since = moment(effect.since).text
    if not effect.requests:
        span = f"since {since}; older ones were not read" if effect.is_partial else "in the last hour"
        return ActResult(f"{found.name} has sent no request {span}. Nothing is changed yet.", page=page)
    text = (
        f"Of {effect.requests:,} requests of {found.name} since {since}, a rate of {_rate(rate)} "
        f"refuses {effect.refused[0]:,}; the present one, {_rate(present)}, {effect.refused[1]:,}. "
        f"{'Older requests of the hour were not read. ' if effect.is_partial else ''}Nothing is changed yet."
    )
    return ActResult(text, page=page)


async def _asked(visit: Visit, values: Mapping[str, str]) -> tuple[Application, int | None]:
    found = await visit.service.authority.store.application(values.get("client_id", "").strip())
    if found is None:
        raise InvalidForm("There is no such application.", "client_id")
    try:
        return found, TypedRate(values.get("per_minute", "")).body()["spike_per_minute"]
    except InvalidInput as error:
        raise InvalidForm(str(error), "per_minute") from None


def _rate(per_minute: int) -> str:
    return f"{per_minute:,} a minute" if per_minute else "no limit"


LIMITS = Screen(
    PATH,
    "Limits",
    "support",
    read,
    (Act("preview", "operator", preview), *acts_of(PATH, set_rate)),
)
