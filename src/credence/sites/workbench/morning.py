"""What a credit controller sees first: companies with alerts, reviews that are due, and customers above their limit."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from credence import paths
from credence.blocks.values import Block, Cell, Note, Table
from credence.clock import london_day
from credence.monitoring.book import BookLine, book_of
from credence.monitoring.company_alerts import CompanyAlert, alerts_by_company, total_at_risk, words_of
from credence.sites.kit.screen import Visit
from credence.sites.workbench.company_alert import address_of_alerts
from credence.sites.workbench.figures import amount_cell, band_cell, company_cell, day_cell, severity_cell
from credence.sites.workbench.reader import reader_of, store_of

PAGE_ROWS = 25
SHOWN = 10
"""How many reviews and customers above their limit are shown."""
SHOWN_CAUSES = 3
"""How many causes of an alert are shown; its page has them all."""


async def morning(visit: Visit) -> list[Block]:
    """Return the tables of the morning; a hint for an application that watches nothing."""
    store, owner, today = store_of(visit), reader_of(visit).client_id, london_day(visit.request.now)
    lines = await book_of(store, owner)
    if not lines:
        text = "Create a list of the companies you supply; their changes are shown here each morning."
        return [Note(text, "soft")]
    alerts = await alerts_by_company(store, owner, today, lines)
    return [
        _alerts(visit, alerts),
        *_reviews([each for each in lines if each.is_due(today)]),
        *_over([each for each in lines if (each.headroom or 0) < 0]),
    ]


def _alerts(visit: Visit, alerts: Sequence[CompanyAlert]) -> Table:
    text = visit.parameter("page")
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    shown = alerts[page * PAGE_ROWS : (page + 1) * PAGE_ROWS]
    following = f"{paths.WORKBENCH}?{urlencode({'page': page + 1})}" if len(alerts) > (page + 1) * PAGE_ROWS else ""
    assigned = any(each.assigned_to for each in shown)
    rows = [
        [
            company_cell(each.name, each.company_number, address_of_alerts(each.company_number)),
            _at_risk(each),
            band_cell(each.band),
            severity_cell(each.severity),
            Cell(_why(each)),
            Cell(each.to_do),
            *([Cell(each.assigned_to)] if assigned else []),
            Cell(
                "Acknowledge",
                act="acknowledge",
                hidden=[("number", each.company_number), ("up_to", str(each.last_event))],
                about=each.name or each.company_number,
            ),
        ]
        for each in shown
    ]
    columns = (
        *("Company", "At risk", "Band", "Severity", "Why", "What to do"),
        *(["Assigned to"] if assigned else []),
        "Acknowledge",
    )
    total, is_least = total_at_risk(alerts)
    count = f"{len(alerts):,} {'company' if len(alerts) == 1 else 'companies'}"
    at_risk = f", {amount_cell(total, is_least=is_least).text} at risk" if total or not is_least else ""
    title = f"Alerts: {count}{at_risk}" if alerts else "Alerts"
    return Table(title, columns, rows, "No alerts.", following, frozenset({1}), cards=True)


def _at_risk(alert: CompanyAlert) -> Cell:
    """Return the pounds at risk, and below them what is owed."""
    exposure = amount_cell(alert.exposure, is_least=alert.exposure_is_least).text
    at_risk = amount_cell(alert.at_risk, is_least=alert.exposure_is_least)
    return replace(at_risk, detail=f"of {exposure}" if alert.exposure is not None else "")


def _why(alert: CompanyAlert) -> str:
    words = words_of(alert)
    more = len(words) - SHOWN_CAUSES
    return "; ".join([*words[:SHOWN_CAUSES], *([f"{more} more"] if more > 0 else [])])


def _reviews(due: Sequence[BookLine]) -> list[Block]:
    if not due:
        return []
    found = sorted(due, key=lambda each: (each.approved.review_on if each.approved else "", each.company))
    rows = [
        [
            company_cell(each.seen.name, each.company),
            day_cell(each.approved.review_on if each.approved else None),
            band_cell(each.seen.band),
            amount_cell(each.limit),
            amount_cell(each.exposure, is_least=each.is_partial),
        ]
        for each in found[:SHOWN]
    ]
    title = f"Reviews due: {len(due):,}"
    return [
        Table(
            title,
            ("Company", "Review", "Band", "Approved limit", "Exposure"),
            rows,
            "",
            numbers=frozenset({3, 4}),
            cards=True,
        )
    ]


def _over(over: Sequence[BookLine]) -> list[Block]:
    if not over:
        return []
    found = sorted(over, key=lambda each: (each.headroom or 0, each.company))
    rows = [
        [
            company_cell(each.seen.name, each.company),
            Cell(amount_cell(-(each.headroom or 0), is_least=each.is_partial).text, tone="bad"),
            band_cell(each.seen.band),
            amount_cell(each.exposure, is_least=each.is_partial),
            amount_cell(each.limit),
            Cell("approved" if each.approved else "suggested"),
        ]
        for each in found[:SHOWN]
    ]
    title = f"Above the limit: {len(over):,}"
    columns = ("Company", "Above", "Band", "Exposure", "Limit", "Which limit")
    return [Table(title, columns, rows, "", numbers=frozenset({1, 3, 4}), cards=True)]
