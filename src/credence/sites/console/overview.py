"""The overview: everything that needs an operator, each with a link to its cause."""

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from urllib.parse import quote

import credence
from credence import paths
from credence.api.public.health import OK, ready
from credence.blocks.text import ago, short_day
from credence.blocks.values import Bar, Bars, Block, Cell, Facts, Note, Section, Table, Tone, moment, state_mark
from credence.clock import Milliseconds
from credence.datasets import catalogue
from credence.oauth.keys.schedule import KeyState, plan, state
from credence.request_log.counting import count, count_hours, count_level
from credence.settings import Settings
from credence.sites.console.hours import drawn
from credence.sites.kit.screen import Page, Screen, Visit
from credence.telemetry.audit_files import REFUSALS, files_in_order, read_file
from credence.telemetry.reasons import explanations

DAY_MS = 86_400_000
MAX_LINES = 20_000
"""The most lines of the trail that are read for the chart."""
MAX_BARS = 12
_FOLDED = "other, counted by address"
"""The label for refusals beyond the first of an address, which the trail has as one line without a reason."""


async def read(visit: Visit) -> Page:
    """Return the state of the service, its refusals of the last day, its keys and its data."""
    service, now = visit.service, visit.request.now
    answer = await ready(service, visit.request)
    reasons = await asyncio.to_thread(_refusals, service.settings, now)
    rules = explanations()
    bars = [
        Bar(
            rules[reason].in_short if reason in rules else reason,
            count,
            "warn" if reason.startswith("spike") else "",
            _log("status:4xx since:1d" if reason == _FOLDED else f"reason:{reason} since:1d"),
            detail=reason if reason in rules else "",
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
        ("Last backup", Cell(ago(made, now)) if made else Cell("none", tone="warn")),
    ]
    outcomes, failed = await _outcomes(visit)
    blocks: list[Block] = [
        Facts("Now", [*facts, *await _faults(visit, reasons, failed)]),
        await _levels(visit),
        *outcomes,
        Bars("Refusals in the last 24 hours, by reason", "Refusals", bars, "No refusals in the last 24 hours."),
        await _keys(visit),
        await asyncio.to_thread(_data, service.settings, now),
    ]
    return Page("Overview", blocks, "credence audit refusals", links=(("Health", f"{paths.CONSOLE}/health"),))


async def _faults(visit: Visit, reasons: Counter[str], failed: int | None) -> list[tuple[str, Cell]]:
    """Return the faults that may need an operator, each with a link to its cause.

    `reasons` are the refusals of the last day, `failed` its responses of class 5xx; None if they cannot be counted.
    """
    refused = {kind: sum(n for reason, n in reasons.items() if reason.startswith(kind)) for kind in _KINDS}
    service = visit.service
    backlog = await service.authority.store.backlog()
    age = service.authority.revocation_cache.staleness_seconds()
    late = age > service.settings.max_revocation_staleness_seconds / 2
    return [
        ("Revocations last read", Cell(f"{age:.1f} s ago", tone="warn" if late else "")),
        ("Failed deliveries", _number(backlog.given_up, f"{paths.CONSOLE}/webhooks")),
        (
            "Faults, last 24 hours",
            Cell("unknown", tone="warn") if failed is None else _number(failed, _log("status:5xx since:1d")),
        ),
        *((title, _number(refused[kind], _log(f"reason:{kind}* since:1d"))) for kind, title in _KINDS.items()),
    ]


_KINDS = {
    "password.queue": "Password checks that timed out, last 24 hours",
    "spike.": "Rate limited, last 24 hours",
}
"""Beginning of reason codes -> what the overview calls their refusals."""


def _number(number: int, href: str) -> Cell:
    return Cell(f"{number:,}", href, tone="warn" if number else "good")


async def _outcomes(visit: Visit) -> tuple[list[Block], int | None]:
    """Return the requests of the last day by class of status, and how many failed; None if the log cannot be read."""
    try:
        file, since = visit.service.settings.request_log_file, visit.request.now - DAY_MS
        found = await asyncio.to_thread(count, file, since)
        hours = await asyncio.to_thread(count_hours, file, since)
    except OSError:
        return [Note("The request log of this node cannot be read; its own log says why.", "bad")], None
    classes = Counter[int]()
    for status, requests in found.statuses.items():
        classes[status // 100] += requests
    bars = [
        Bar(text, classes[name], tone, _log(f"status:{name}xx since:1d"))
        for name, text, tone in _CLASSES
        if classes[name]
    ]
    title = "Responses in the last 24 hours"
    if found.is_partial:
        title = f"Responses since {moment(found.since).text} (earlier ones are too many to count here)"
    shown = Bars(title, "Responses", bars, "No requests in the last 24 hours.")
    return [Section("hours", "Last 24 hours", [drawn(hours, visit.request.now)]), shown], classes[5]


async def _levels(visit: Visit) -> Block:
    """Return how fast the budgets of both objectives are spent at this node, with the runbook and the requests behind."""
    rows = []
    for text, window_ms, since in _WINDOWS:
        try:
            found = await asyncio.to_thread(
                count_level, visit.service.settings.request_log_file, visit.request.now - window_ms
            )
        except OSError:
            return Note("The service levels of this node are unknown, because its request log cannot be read.", "bad")
        shown = f"{text}, counted since {moment(found.since).text}" if found.is_partial else text
        failed, slow = f"status:5xx since:{since}", f"status:2xx since:{since}"
        for budget, burn, share, query, runbook in (
            (
                "99.9% of requests without a server error",
                found.error_burn,
                (found.failed, found.requests),
                failed,
                "credenceerrorbudgetfast",
            ),
            (
                "99% of successful requests fast enough",
                found.latency_burn,
                (found.slow, found.successful),
                slow,
                "credenceslowanswers",
            ),
        ):
            rows.append(
                [
                    Cell(budget),
                    Cell(shown),
                    Cell(f"{share[0]:,} of {share[1]:,}", _log(query)),
                    Cell("too few requests") if burn is None else Cell(f"{burn:.1f}", tone=_tone(burn)),
                    Cell("Runbook", f"{visit.service.settings.issuer}{paths.DOCS}/alerts.md#{runbook}"),
                ]
            )
    return Table("Service levels of this node, without health checks", _LEVEL_HEADS, rows, "", numbers=(3,))


_LEVEL_HEADS = ("Objective", "Period", "Missed", "Burn rate", "What to do")
_WINDOWS = (("last hour", 3_600_000, "1h"), ("last 6 hours", 6 * 3_600_000, "6h"))
"""The long windows of the two alerts about the error budget."""


def _tone(burn: float) -> Tone:
    """Return the tone of a burn rate: at 1 the budget of thirty days lasts thirty days, at 6 five days."""
    return "bad" if burn > SPENT_IN_FIVE_DAYS else "warn" if burn > 1 else "good"


SPENT_IN_FIVE_DAYS = 6


_CLASSES: Sequence[tuple[int, str, Tone]] = (
    (2, "Successful (2xx)", "good"),
    (3, "Redirects (3xx)", ""),
    (4, "Refused (4xx)", "warn"),
    (5, "Failed (5xx)", "bad"),
)


def _log(query: str) -> str:
    return f"{paths.CONSOLE}/log?q={quote(query)}"


async def _keys(visit: Visit) -> Facts:
    now = visit.request.now
    signing = [e for e in plan(await visit.service.authority.store.signing_keys()) if state(e, now) is KeyState.SIGNING]
    rows = [
        (each.algorithm, Cell(f"signing since {moment(each.signs_from).text}, {ago(each.signs_from, now)}"))
        for each in signing
    ]
    return Facts("Signing keys", [*rows, ("All keys", Cell("See the schedule", f"{paths.CONSOLE}/keys"))])


def _data(settings: Settings, now: Milliseconds) -> Facts:
    found = catalogue.read(settings.credit_folder).sources
    rows = []
    for source, entry in found.items():
        as_of = f"as of {short_day(entry.as_of.isoformat())}, " if entry.as_of else ""
        rows.append((source, Cell(f"{as_of}loaded {ago(entry.loaded_at, now)}")))
    return Facts("Credit data", rows or [("Sources", Cell("none is loaded", tone="warn"))])


def _refusals(settings: Settings, now: Milliseconds) -> Counter[str]:
    """Return reason code -> number of refusals of the last day, among the newest lines of the trail of this node."""
    since = dt.datetime.fromtimestamp((now - DAY_MS) / 1000, dt.UTC).isoformat()[:19]
    found: Counter[str] = Counter()
    files = reversed(files_in_order(settings.audit_folder, REFUSALS))
    for line in islice((each for file in files for each in reversed(list(read_file(file)))), MAX_LINES):
        if str(line.get("time", "")) < since:
            break
        if "reason" in line:
            found[str(line["reason"])] += 1
        elif line.get("event") == "refused_more":
            found[_FOLDED] += int(line.get("refusals", 0))
    return found


OVERVIEW = Screen(paths.CONSOLE, "Overview", "reader", read)
