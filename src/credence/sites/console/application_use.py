"""The use of an application: newest request, remaining rate, consents, allowed hours (D15, D16, D30)."""

import asyncio
from urllib.parse import quote

from credence import paths
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Facts, Note, Table, moment
from credence.management.limits_in_use import last_minute_of, newest_request, rate_of
from credence.sites.console.accounts import address as address_of_account
from credence.sites.kit.screen import Visit
from credence.store.records import Application

CONSENTS_SHOWN = 20


async def use_of(visit: Visit, found: Application) -> list[Block]:
    """Return the newest request, the remaining rate and the consents of an application."""
    blocks: list[Block] = [await _use(visit, found)]
    consents = await visit.service.authority.store.consents_to(found.client_id, CONSENTS_SHOWN + 1)
    rows = [
        [Cell(each.username, address_of_account(each.username)), Cell(each.scope), moment(each.granted_at)]
        for each in consents[:CONSENTS_SHOWN]
    ]
    if "authorization_code" in found.grants or rows:
        blocks.append(
            Table("People who have allowed it", ("Account", "Scope", "Since"), rows, "No one has allowed it yet.")
        )
    if len(consents) > CONSENTS_SHOWN:
        blocks.append(
            Note(f"These are the first {CONSENTS_SHOWN}; the page of an account has all consents of a person.", "soft")
        )
    return blocks


async def _use(visit: Visit, found: Application) -> Facts:
    settings, now, client_id = visit.service.settings, visit.request.now, found.client_id
    rate = rate_of(found, settings)
    rows = [
        (
            "Rate",
            Cell(f"{rate:,} a minute" if rate else "no limit", f"{paths.CONSOLE}/limits?client_id={quote(client_id)}"),
        )
    ]
    try:
        newest, since = await asyncio.to_thread(newest_request, settings, found, now)
        used = await asyncio.to_thread(last_minute_of, settings, found, now)
    except OSError:
        return Facts("Use", [("Requests", Cell("the log of this node cannot be read", tone="bad")), *rows])
    log = f"{paths.CONSOLE}/log?q={quote(f'client:{client_id}')}"
    unused = f"none since {moment(since).text}" if since else "none in the log"
    rows.insert(0, ("Last request", Cell(f"{moment(newest).text}, {ago(newest, now)}" if newest else unused, log)))
    sent, counted = used.requests, f"{used.requests:,}"
    if used.is_partial:
        counted += f", counted since {moment(used.since).text}: the minute has too many to count here"
    rows.append(("Requests in the last minute", Cell(counted, tone="warn" if used.is_partial else "")))
    if rate:
        left = f"{'at most ' if used.is_partial else ''}{max(0, rate - sent):,}"
        rows.append(
            (
                "Requests left this minute",
                Cell(left, tone="good" if sent * 5 < rate * 4 and not used.is_partial else "warn"),
            )
        )
    rows.append(("Logins", Cell("See its logins", f"{paths.CONSOLE}/tokens?q={quote(client_id)}")))
    return Facts("Use", rows)
