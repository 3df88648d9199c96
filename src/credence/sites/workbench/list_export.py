"""A list as CSV, which an import accepts unchanged; it is streamed, so that memory does not grow with the list."""

from collections.abc import AsyncGenerator

from credence.csv_writing import csv_of
from credence.oauth.parameters.scopes import MONITOR
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL
from credence.report.outline import Outline
from credence.sites.kit.routing import DOWNLOADED
from credence.sites.kit.screen import Screen, Visit
from credence.sites.workbench.lists import portfolio_at
from credence.sites.workbench.one_list import PATH
from credence.sites.workbench.outlines import load_outlines
from credence.sites.workbench.reader import store_of
from credence.store.portfolios import WatchedCompany
from credence.web.messages.answer import CSV, Answer
from credence.web.messages.caching import NO_STORE

PIECE = 200
"""Companies in one piece of the export. Other requests run between two pieces."""

_COLUMNS = (
    "company_number",
    "reference",
    "exposure",
    "currency",
    "note",
    "name",
    "status",
    "band",
    "score",
    "limit",
    "insolvency",
    "event",
    "reservations",
)


async def export(visit: Visit) -> Answer:
    """Return every company of the list as CSV, also for a list that is too long to be sorted on its page.

    The first piece is made before the head is sent, so that a refusal gets its status. If the data of a company cannot be
    read, the download is refused or breaks off: a row without a score would say that the company has none.
    """
    portfolio = await portfolio_at(visit)
    pieces = _pieces(visit, portfolio.id)
    return Answer(200, CSV, await anext(pieces), (NO_STORE, DOWNLOADED), rest=pieces)


async def _pieces(visit: Visit, identity: str) -> AsyncGenerator[bytes, None]:
    head, after = csv_of([_COLUMNS]), ""
    while kept := await store_of(visit).watched(identity, after, PIECE):
        after = kept[-1].company
        seen = await load_outlines(visit, [each.company for each in kept])
        if seen.unreadable:
            raise Refused(INTERNAL, "credit_data.unreadable")
        yield head + csv_of([_row(each, seen.of[each.company]) for each in kept])
        head = b""
    if head:
        yield head


def _row(kept: WatchedCompany, seen: Outline) -> list[str]:
    said = (kept.company, kept.reference, kept.exposure, kept.currency, kept.note)
    known = (seen.name, seen.status, seen.band, seen.score, seen.limit, seen.insolvency, seen.event, seen.codes)
    return ["" if value is None else str(value) for value in (*said, *known)]


EXPORT = Screen(f"{PATH}/companies.csv", "List as CSV", MONITOR, export, listed=False)
