"""Operations on portfolios: for the applications that watch companies, and for operators (D31)."""

from functools import partial
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from credence import paths
from credence.crypto.randomness import new_portfolio_id
from credence.errors import UnknownName
from credence.meanings import Input, meaning
from credence.monitoring.portfolios import MAX_PORTFOLIOS, checked_rules, state_of
from credence.monitoring.rows import MAX_COMPANIES
from credence.monitoring.rules import DEFAULT_RULES
from credence.monitoring.schema import PortfolioBody, Portfolios, PortfolioState, bodies_of
from credence.operations.acting import OWNERS, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Change, Noun, operation
from credence.operations.reading import listing, showing
from credence.policy.installed import InstalledPolicies
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED
from credence.store.portfolios import PORTFOLIOS, Portfolio, RuleSetting
from credence.store.records import Application

_TEXT = because(RESOURCE_MALFORMED, "Name and reference must be text of one line.")
_HERE = "The operator says which applications have one owner: the applications themselves do not."


class OperatorsPortfolio(PortfolioState, frozen=True):
    """A portfolio as operators see it, with its owner and the number of its companies."""

    owner: str
    shared_with: tuple[str, ...]
    companies: int


async def _state(by: Acting, portfolio: Portfolio) -> PortfolioState:
    state = state_of(portfolio, by.owns or portfolio.owner)
    if by.owns is not None:
        return state
    companies = await by.means.store.count_watched(portfolio.id)
    members = msgspec.structs.asdict(state)
    return OperatorsPortfolio(**members, owner=portfolio.owner, shared_with=portfolio.shared_with, companies=companies)


def _body_of(portfolio: Portfolio) -> PortfolioBody:
    return PortfolioBody(portfolio.name, portfolio.reference, bodies_of(portfolio.rules))


PORTFOLIO: Final[Noun[Portfolio]] = Noun(
    name="portfolio",
    path="portfolios/{portfolio}",
    base=paths.MONITORING,
    help="The id of the portfolio.",
    example="pf_2o6x4hk3tmy7q5c3",
    kept=PORTFOLIOS,
    state=_state,
    body_of=_body_of,
    within=APPLICATION,
    owners=lambda portfolio: (portfolio.owner, *portfolio.shared_with),
    most=MAX_PORTFOLIOS,
    also_named=lambda portfolio: {"application": portfolio.owner},
    reasons="portfolio",
)
_operation = partial(operation, on=PORTFOLIO, access=OWNERS)

list_portfolios = listing(
    PORTFOLIO,
    "portfolio list",
    Portfolios,
    id="list_portfolios",
    no_tool="A tool that needs a portfolio names those that there are.",
    access=OWNERS,
    columns=("id", "name", "owner", "companies", "shared_with"),
    title="Your portfolios",
    text=(
        "List the portfolios that an application made, and those that the operator shares with it. Needs the scope "
        "`credit:monitor`, which a token has only if the request for it names the scope."
    ),
)
read_portfolio = showing(
    PORTFOLIO,
    "portfolio show",
    id="read_portfolio",
    no_tool="Its rules are for who chooses them.",
    access=OWNERS,
    title="One portfolio",
    text="Show name and rules of a portfolio.",
)


@_operation(
    "portfolio make",
    api=("POST", ""),
    title="Create a portfolio",
    makes=True,
    event="portfolio_made",
    text=(
        f"Create a list of companies to watch, at most {MAX_COMPANIES:,}, with rules that say which changes to "
        "report. Without rules of its own it gets those that a careful credit manager would choose."
    ),
)
async def make_portfolio(by: Acting, owner: Application, body: PortfolioBody) -> Change[Portfolio]:
    """Make a portfolio of an application."""
    name, reference, rules = _chosen(by, body)
    return Change(Portfolio(new_portfolio_id(), owner.client_id, name, by.now, 1, reference, rules))


@_operation("portfolio set", api=("PATCH", ""), title="Change a portfolio", event="portfolio_changed")
async def change_portfolio(by: Acting, found: Portfolio, body: PortfolioBody) -> Change[Portfolio]:
    """Change name, reference and rules; the list of rules is replaced as a whole."""
    name, reference, rules = _chosen(by, body)
    return Change(msgspec.structs.replace(found, name=name, reference=reference, rules=rules))


@_operation(
    "portfolio delete",
    api=("DELETE", ""),
    title="Delete a portfolio",
    silent=True,
    dangerous=True,
    event="portfolio_deleted",
)
async def delete_portfolio(_by: Acting, _found: Portfolio, _body: None) -> Change[Portfolio]:
    """Delete a portfolio with all its companies. Its events stay in the feed of its owner for the rest of their year."""
    return Change(None)


class Sharing(Struct):
    """The further application of the same owner."""

    client: Annotated[str, meaning("The client_id of an application."), Input(argument=True)]


@_operation("portfolio share", title="Share a portfolio", here_only=_HERE)
async def share(by: Acting, found: Portfolio, body: Sharing) -> Change[Portfolio]:
    """Let a further application of the same owner use a portfolio."""
    if await by.means.store.application(body.client) is None:
        raise UnknownName(f"There is no application {body.client!r}.")
    return Change(_shared(found, {*found.shared_with, body.client}))


@_operation("portfolio unshare", title="End the sharing of a portfolio", here_only=_HERE)
async def unshare(_by: Acting, found: Portfolio, body: Sharing) -> Change[Portfolio]:
    """End the sharing of a portfolio with an application."""
    return Change(_shared(found, {*found.shared_with} - {body.client}))


def _shared(portfolio: Portfolio, clients: set[str]) -> Portfolio:
    return msgspec.structs.replace(portfolio, shared_with=tuple(sorted(clients)))


def _chosen(by: Acting, body: PortfolioBody) -> tuple[str, str, tuple[RuleSetting, ...]]:
    """Return name, reference and rules of a body. Raises Refused with 422 for a text or a rule that cannot be used."""
    if not (body.name.isprintable() and body.reference.isprintable()):
        raise Refused(_TEXT, "portfolio.text")
    if body.rules is None:
        return body.name, body.reference, DEFAULT_RULES
    return (
        body.name,
        body.reference,
        checked_rules(body.rules, InstalledPolicies(by.means.settings.policy_folder).names()),
    )
