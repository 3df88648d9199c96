"""The companies that a newcomer opens first, each for what its report shows, and a list that watches some of them (D24).

Names of real companies are in no file: only their reports have them (`data/README.md`).
"""

from typing import Final, NamedTuple

from credence.clock import Milliseconds
from credence.crypto.randomness import new_portfolio_id
from credence.sandbox import specimen
from credence.sandbox.invented import companies
from credence.store.contract import Store
from credence.store.portfolios import Portfolio, RuleSetting, WatchedCompany


class Stop(NamedTuple):
    """A company of the tour and what its report shows."""

    number: str
    shows: str


FIRST: Final = companies.STATES["subsidiary"]
"""The first report of the tour: a score with all its parts, a limit, accounts of two years, and a parent company."""

REAL: Final = "05193579"
"""A real company that is scored: a listed one, by its entry in the register of May 2020 alone."""

_FILED: Final = "01873499"
"""A real company with filed accounts of two years. No status is in a filing, so it is not scored."""

STOPS: Final = (
    Stop(FIRST, "Very low risk, two years of accounts, part of a group"),
    Stop(companies.BANDS["C"], "Medium risk: thin reserves, so no credit is suggested"),
    Stop(companies.BANDS["E"], "High risk: a petition to wind it up"),
    Stop(companies.STATES["judgments"], "County court judgments"),
    Stop(companies.STATES["insolvent"], "In liquidation"),
    Stop(companies.STATES["group"], "A parent with two subsidiaries"),
    Stop(specimen.NUMBER, "Every field that a report can have"),
    Stop(REAL, "A real company, scored by its register entry of May 2020"),
    Stop(_FILED, "A real company with filed accounts, not scored: its status is unknown"),
)

_LIST: Final = "Customers"
_EXPOSURES: Final = (
    (companies.BANDS["A"], "C-1001", 42_000),
    (companies.BANDS["B"], "C-1002", 600),
    (companies.BANDS["C"], "C-1003", 7_500),
    (companies.BANDS["D"], "C-1004", 3_200),
    (companies.BANDS["E"], "C-1005", 1_900),
    (companies.STATES["judgments"], "C-1006", 11_000),
    (FIRST, "C-1007", 58_000),
    (companies.STATES["insolvent"], "C-1008", 18_500),
    (companies.STATES["group"], "C-1009", 25_000),
)
"""Number, own reference and exposure in pounds; all invented."""


async def ensure_list(store: Store, owner: str, rules: tuple[RuleSetting, ...], now: Milliseconds) -> None:
    """Make the list of watched companies with these rules for an application that has none."""
    if await store.portfolios_of(owner, "", 1):
        return
    made = Portfolio(new_portfolio_id(), owner, _LIST, now, rules=rules)
    await store.save_portfolio(made, 1)
    rows = [WatchedCompany(number, reference, exposure, "GBP") for number, reference, exposure in _EXPOSURES]
    await store.watch(made.id, rows, len(rows))
