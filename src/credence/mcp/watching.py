"""The tools of monitoring, for the portfolios and limits of the application that calls."""

from typing import Annotated, cast

import msgspec

from credence.companies.number import normalise
from credence.identity.hashing_queue import never_disconnects
from credence.mcp.answers import Number, OneCompany, Text
from credence.mcp.portfolio import portfolio_named
from credence.mcp.sizes import pages_of
from credence.mcp.tool import Sources, shown, tool, watching_of
from credence.meanings import meaning
from credence.monitoring.company_alerts import CompanyAlertPage
from credence.monitoring.envelope import envelope_of
from credence.monitoring.limits import LimitHistory, states_of
from credence.monitoring.portfolios import state_of
from credence.monitoring.rows import company_of
from credence.monitoring.schema import EventPage, MonitoringEvent, PortfolioBody, PortfolioState, RowResult
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.approved_limits import read_limits
from credence.operations.company_alerts import alerts_of_companies
from credence.operations.perform import perform
from credence.operations.portfolios import make_portfolio
from credence.operations.watched_companies import apply_list, watch_listed
from credence.store.events import EventFilter
from credence.store.portfolios import Portfolio

MAX_ADDED = 50
MAX_EVENTS = 50
MAX_DECISIONS = 20
MAX_ALERTS = 25

NEW_NAME = "Agents"
"""The name of the portfolio that is made when the application has none."""


class CompaniesToWatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The companies to watch, and the portfolio."""

    numbers: Annotated[
        tuple[Number, ...],
        msgspec.Meta(min_length=1, max_length=MAX_ADDED, description=f"One to {MAX_ADDED} company numbers."),
    ]
    portfolio: Annotated[
        Text, meaning(f"Id of the portfolio. Needed only if there are several; without any, {NEW_NAME} is made.")
    ] = ""


class CompaniesWatched(msgspec.Struct, frozen=True):
    """The portfolio, and the outcome for each company."""

    portfolio: PortfolioState
    rows: tuple[RowResult, ...]


class EventsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The portfolio and the event number to read from."""

    after: Annotated[int, msgspec.Meta(ge=0, le=10**15, description="Number after which to read; 0 for all.")] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=MAX_EVENTS, description="Events at most.")] = MAX_EVENTS
    portfolio: Annotated[Text, meaning("Only those of this portfolio.")] = ""
    number: Annotated[Text, meaning("Only those about this company.")] = ""


class NothingAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No arguments."""


@tool("Watch companies", MONITOR, watches=True, changes=True, of=watch_listed)
async def portfolio_add(sources: Sources, arguments: CompaniesToWatch) -> CompaniesWatched:
    """Watch companies in a portfolio, so that changes about them become events.

    The only tool that changes something.
    """
    watching = watching_of(sources)
    portfolio = await portfolio_named(watching, arguments.portfolio)
    if portfolio is None:
        made = await perform(make_portfolio, watching.by, watching.client_id, PortfolioBody(NEW_NAME))
        portfolio = cast("Portfolio", made.after)
    rows = [company_of(number, "", None, "", "") for number in dict.fromkeys(arguments.numbers)]
    result = await apply_list(watch_listed, watching.by, portfolio.id, rows)
    return CompaniesWatched(state_of(portfolio, watching.client_id), result.rows)


@tool("Events of watched companies", MONITOR, watches=True)
async def portfolio_events(sources: Sources, arguments: EventsAsked) -> EventPage:
    """Events about watched companies after a number, oldest first, and the number to read on from."""
    watching = watching_of(sources)
    only = EventFilter(arguments.portfolio, "", normalise(arguments.number) if arguments.number else "")
    found, until = await watching.feed.read(
        watching.client_id, arguments.after, arguments.limit, only, 0, never_disconnects
    )
    events = [_with_values(envelope_of(each)) for each in found]
    page = next(pages_of(events, MAX_EVENTS), [])
    return EventPage(tuple(page), until if len(page) == len(events) else found[len(page) - 1].number)


@tool("Approved limits of a company", MONITOR, watches=True, of=read_limits)
async def approved_limits(sources: Sources, asked: OneCompany) -> LimitHistory:
    """Who approved which credit limit of a company, when and why, the newest first. Only a person approves one."""
    watching, number = watching_of(sources), normalise(asked.number)
    found = await watching.store.limit_history(watching.client_id, number)
    states = await states_of(watching.store, watching.client_id, found[:MAX_DECISIONS])
    return LimitHistory(number, tuple(next(pages_of(states, MAX_DECISIONS), ())))


@tool("Alerts by company", MONITOR, watches=True, of=alerts_of_companies)
async def company_alerts(sources: Sources, _asked: NothingAsked) -> CompanyAlertPage:
    """Watched companies with open alerts: causes, exposure and what to do, the largest amount at risk first."""
    return cast("CompanyAlertPage", await shown(sources, alerts_of_companies, MAX_ALERTS))


def _with_values(event: MonitoringEvent) -> MonitoringEvent:
    """Return the event with its values decoded: the store keeps them as JSON text."""
    before, after = (msgspec.json.decode(each) for each in (event.data.before, event.data.after))
    return msgspec.structs.replace(event, data=msgspec.structs.replace(event.data, before=before, after=after))


WATCHING_TOOLS = (portfolio_add, portfolio_events, approved_limits, company_alerts)
