"""Creates, finds and fills portfolios for the API and agents."""

from collections.abc import Collection, Sequence

from credence.clock import rfc3339
from credence.monitoring.rows import MAX_COMPANIES, Row
from credence.monitoring.rules import fault_of
from credence.monitoring.schema import PortfolioState, RowResult, Rules, bodies_of, settings_of
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED, RESOURCE_UNKNOWN
from credence.store.contract import Conflict, Store
from credence.store.portfolios import Portfolio, RuleSetting

MAX_PORTFOLIOS = 200
"""Maximum number of portfolios of one application."""


async def find_portfolio(store: Store, identity: str, client_id: str) -> Portfolio:
    """Return a portfolio that the application may use; otherwise Refused with 404, whether or not the portfolio exists."""
    found = await store.portfolio(identity)
    if found is None or client_id not in {found.owner, *found.shared_with}:
        raise Refused(RESOURCE_UNKNOWN, "portfolio.unknown")
    return found


async def watch(store: Store, portfolio: str, rows: Sequence[Row], start: int = 0) -> list[RowResult]:
    """Watch the companies of these rows and return the result of each; `start` is the number of rows before them.

    Raises Refused with 404 if the portfolio does not exist any more.
    """
    wanted = [each.company for each in rows if each.company]
    try:
        outcomes = iter(await store.watch(portfolio, wanted, MAX_COMPANIES))
    except Conflict:
        raise Refused(RESOURCE_UNKNOWN, "portfolio.unknown") from None
    return [
        RowResult(place, each.number, "refused" if each.company is None else next(outcomes), each.fault)
        for place, each in enumerate(rows, start + 1)
    ]


async def unwatch(store: Store, portfolio: str, rows: Sequence[Row], start: int = 0) -> list[RowResult]:
    """Stop watching the companies of these rows and return the result of each, as `watch` does."""
    removed = await store.unwatch(portfolio, [each.company.company for each in rows if each.company])
    results: list[RowResult] = []
    for place, each in enumerate(rows, start + 1):
        result = "refused" if each.company is None else "removed" if each.number in removed else "absent"
        removed.discard(each.number)  # a second row of the same company finds it absent
        results.append(RowResult(place, each.number, result, each.fault))
    return results


def checked_rules(rules: Rules, policies: Collection[str]) -> tuple[RuleSetting, ...]:
    """Return the rules to store; Refused with 422 naming those that cannot be used. `policies` are the installed ones."""
    settings = settings_of(rules)
    for each in settings:
        fault = fault_of(each)
        if fault is None and each.policy and each.policy not in policies:
            fault = "A rule names a policy that is not installed."
        if fault is not None:
            raise Refused(because(RESOURCE_MALFORMED, fault), "portfolio.rule")
    return settings


def state_of(portfolio: Portfolio, client_id: str) -> PortfolioState:
    """Return a portfolio in the form in which this application sees it."""
    return PortfolioState(
        id=portfolio.id,
        name=portfolio.name,
        reference=portfolio.reference,
        rules=bodies_of(portfolio.rules),
        shared=portfolio.owner != client_id,
        created_at=rfc3339(portfolio.created_at),
    )
