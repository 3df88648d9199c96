"""Overview: what needs an operator, each with the way to its cause."""

import asyncio
import datetime as dt
from collections import Counter
from itertools import islice
from urllib.parse import quote

import credence
from credence import paths
from credence.clock import Milliseconds
from credence.datasets import catalogue
from credence.oauth.keys.schedule import KeyState, plan, state
from credence.settings import Settings
from credence.telemetry.audit_files import REFUSALS, files_in_order, read_file
from credence.web.endpoints.health import OK, ready
from credence.web.screens.blocks import Bar, Bars, Block, Cell, Facts, Page, ago, moment, state_mark
from credence.web.screens.screen import Screen, Visit

DAY_MS = 86_400_000
MAX_LINES = 20_000
"""Lines of the trail that are read for the chart."""
MAX_BARS = 12


async def read(visit: Visit) -> Page:
    """Return the state of the service, its refusals of a day, its keys and its data."""
    service, now = visit.service, visit.request.now
    answer = await ready(service, visit.request)
    reasons = await asyncio.to_thread(_refusals, service.settings, now)
    bars = [
        Bar(
            reason,
            count,
            "warn" if reason.startswith("spike") else "",
            f"{paths.CONSOLE}/log?q={quote(f'reason:{reason}')}",
        )
        for reason, count in reasons.most_common(MAX_BARS)
    ]
    backup = service.settings.backup_time_file
    made = int(backup.stat().st_mtime * 1000) if backup.exists() else None
    facts = [
        ("Service", state_mark("ready" if answer.status == OK else "not ready", good=answer.status == OK)),
        ("Audit trail", state_mark(service.audit.fault or "written", good=service.audit.fault is None)),
        ("Version", Cell(credence.__version__)),
        ("Address", Cell(service.settings.issuer, service.settings.issuer)),
        ("Last backup by command", Cell(ago(made, now)) if made else Cell("none", tone="warn")),
    ]
    blocks: list[Block] = [
        Facts("Now", facts),
        Bars("Refusals of 24 hours, by reason", "Refusals", bars, "Nothing was refused."),
        await _keys(visit),
        await asyncio.to_thread(_data, service.settings, now),
    ]
    return Page("Overview", blocks, "credence audit refusals", links=(("Health", f"{paths.CONSOLE}/health"),))


def _log_of(reason: str) -> str:
    return f"{paths.CONSOLE}/log?q={quote(f'reason:{reason}')}"


async def _keys(visit: Visit) -> Facts:
    now = visit.request.now
    signing = [e for e in plan(await visit.service.authority.store.signing_keys()) if state(e, now) is KeyState.SIGNING]
    rows = [
        (each.algorithm, Cell(f"since {moment(each.signs_from).text}, {ago(each.signs_from, now)}")) for each in signing
    ]
    return Facts("Signing keys", [*rows, ("All", Cell("Keys", f"{paths.CONSOLE}/keys"))])


def _data(settings: Settings, now: Milliseconds) -> Facts:
    found = catalogue.read(settings.credit_folder).sources
    rows = []
    for source, entry in found.items():
        as_of = f"of {entry.as_of}, " if entry.as_of else ""
        rows.append((source, Cell(f"{as_of}loaded {ago(entry.loaded_at, now)}")))
    return Facts("Credit data", rows or [("Sources", Cell("none is loaded", tone="warn"))])


def _refusals(settings: Settings, now: Milliseconds) -> Counter[str]:
    """Return how often each reason occurred in a day, among the newest lines of the trail of this node."""
    since = dt.datetime.fromtimestamp((now - DAY_MS) / 1000, dt.UTC).isoformat()[:19]
    found: Counter[str] = Counter()
    files = reversed(files_in_order(settings.audit_folder, REFUSALS))
    for line in islice((each for file in files for each in reversed(list(read_file(file)))), MAX_LINES):
        if str(line.get("time", "")) < since:
            break
        if "reason" in line:
            found[str(line["reason"])] += 1
        elif line.get("event") == "refused_more":
            found["counted for an address"] += int(line.get("refusals", 0))
    return found


OVERVIEW = Screen(paths.CONSOLE, "Overview", "reader", read)
