"""The portfolio that a tool is about: the named one, or the only one of the application."""

from typing import Final

from credence.mcp.tool import NotAnswered, Watching
from credence.monitoring.portfolios import find_portfolio
from credence.store.portfolios import Portfolio

MAX_NAMED: Final = 10
"""The most portfolios that an answer proposes."""


async def portfolio_named(watching: Watching, identity: str) -> Portfolio | None:
    """Return the portfolio with this id, or without one the only one of the application; None if it has none."""
    store, client_id = watching.store, watching.client_id
    if identity:
        return await find_portfolio(store, identity, client_id)
    usable = await store.portfolios_of(client_id, "", MAX_NAMED + 1)
    if len(usable) > 1:
        named = ", ".join(f"{each.id} ({each.name})" for each in usable[:MAX_NAMED])
        raise NotAnswered(f"Name the portfolio by its id: {named}.")
    return usable[0] if usable else None


async def required_portfolio(watching: Watching, identity: str) -> Portfolio:
    """Return the portfolio with this id, or the only one. Raises NotAnswered if the application has no portfolio."""
    portfolio = await portfolio_named(watching, identity)
    if portfolio is None:
        raise NotAnswered("The application has no portfolio yet.")
    return portfolio
