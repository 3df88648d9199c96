"""The tools of the book, for the customers of the application that calls; each is another face of a reading."""

from typing import Annotated, Any, cast

import msgspec

from credence.mcp.answers import Text
from credence.mcp.portfolio import required_portfolio
from credence.mcp.tool import NotAnswered, Sources, shown, tool, watching_of
from credence.meanings import meaning
from credence.monitoring.alerts import Digest
from credence.monitoring.book_schema import BookPage, BookTotal
from credence.monitoring.customers import CustomerPage
from credence.monitoring.ledger.uploads import LedgerPage
from credence.monitoring.schema import CompanyPage
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.alerts import Day, read_digest
from credence.operations.book import BookFilter, BookOptions, BookQuery, list_book, read_book
from credence.operations.customer_matches import list_customers
from credence.operations.ledgers import list_ledgers
from credence.operations.pages import Page, after
from credence.operations.perform import read
from credence.operations.reading import Reading
from credence.operations.watched_companies import list_watched

MAX_CUSTOMERS = 20
MAX_COMPANIES = 50
MAX_LEDGERS = 5
MAX_COUNTS = 50

_Token = Annotated[
    str, msgspec.Meta(max_length=600), meaning("`next_page_token` of the answer before; empty for the beginning.")
]


class BookCustomersAsked(BookOptions, frozen=True, forbid_unknown_fields=True):
    """Which customers, in which order, and from where."""

    after: _Token = ""


class PartAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The portfolio, and from where to read."""

    portfolio: Annotated[Text, meaning("Id of the portfolio. Needed only if there are several.")] = ""
    after: _Token = ""


class PortfolioAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The portfolio."""

    portfolio: Annotated[Text, meaning("Id of the portfolio. Needed only if there are several.")] = ""


class DayAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The day whose events are counted."""

    day: Annotated[Text, meaning("The day (UTC), as 2026-11-21; empty for yesterday.")] = ""


@tool("Totals of the book", MONITOR, watches=True, of=read_book)
async def book_totals(sources: Sources, asked: BookFilter) -> BookTotal:
    """What all customers are together, or those of a filter: exposure, expected loss with its assumption, overdue,
    headroom, exposure by band and section, the greatest customers and groups. Pounds.
    """
    return cast("BookTotal", await read(read_book, watching_of(sources).by, "", asked))


@tool("Customers of the book", MONITOR, watches=True, of=list_book)
async def book_customers(sources: Sources, asked: BookCustomersAsked) -> BookPage:
    """Customers of all portfolios with exposure, overdue, band now and a month ago, limits, headroom and pounds at risk,
    the most at risk first. Only a person approves a limit.
    """
    members = msgspec.structs.asdict(asked)
    token = members.pop("after")

    def query(size: int) -> BookQuery:
        return BookQuery(**members, page_size=size, page_token=token)

    return cast("BookPage", await shown(sources, list_book, MAX_CUSTOMERS, "", query))


@tool("Accounts of ledgers", MONITOR, watches=True, of=list_customers)
async def portfolio_customers(sources: Sources, asked: PartAsked) -> CustomerPage:
    """What customers owe by the ledgers of a portfolio, by age in hundredths of the currency, and the company of each
    or its candidates. Only people and programs upload ledgers.
    """
    return cast("CustomerPage", await _part(sources, list_customers, MAX_CUSTOMERS, asked))


@tool("Companies of a portfolio", MONITOR, watches=True, of=list_watched)
async def portfolio_companies(sources: Sources, asked: PartAsked) -> CompanyPage:
    """The watched companies of a portfolio with reference, exposure and note of their owner, by number."""
    return cast("CompanyPage", await _part(sources, list_watched, MAX_COMPANIES, asked))


@tool("Ledgers of a portfolio", MONITOR, watches=True, of=list_ledgers)
async def portfolio_ledgers(sources: Sources, asked: PortfolioAsked) -> LedgerPage:
    """The newest ledgers that were uploaded to a portfolio: by whom, when, of which day, and what came of each."""
    portfolio = await required_portfolio(watching_of(sources), asked.portfolio)
    return cast("LedgerPage", await shown(sources, list_ledgers, MAX_LEDGERS, portfolio.id))


@tool("Digest of one day", MONITOR, watches=True, of=read_digest)
async def alert_digest(sources: Sources, asked: DayAsked) -> Digest:
    """How many events of one day there are for each portfolio and rule."""
    return cast("Digest", await shown(sources, read_digest, MAX_COUNTS, "", lambda _size: Day(asked.day)))


async def _part(sources: Sources, reading: Reading, most: int, asked: PartAsked) -> Any:
    portfolio = await required_portfolio(watching_of(sources), asked.portfolio)
    try:
        begin = after(asked.after)
    except ValueError:
        raise NotAnswered("Read on with the next_page_token of an answer.") from None
    return await shown(sources, reading, most, portfolio.id, lambda size: Page(begin, size))


BOOK_TOOLS = (
    book_totals,
    book_customers,
    portfolio_customers,
    portfolio_companies,
    portfolio_ledgers,
    alert_digest,
)
