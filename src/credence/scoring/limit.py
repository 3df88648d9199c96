"""The suggested credit limit, with every term of the minimum behind it (credit §7.4).

limit = band factor x min(10 % of tangible net assets, 20 % of positive working capital, one month of turnover if filed),
capped by the band and rounded down to two significant figures. Amounts are in pounds.
"""

import datetime as dt
import math

import msgspec

from credence.companies.facts.accounts import Accounts, Figure, Figures
from credence.scoring.conduct import DAYS_A_MONTH
from credence.scoring.ratios import amount


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"lowest": "from"}):
    """A range of scores, from `lowest` up to the next band; `cap` and `without_accounts` are limits in pounds."""

    band: str
    lowest: int
    words: str
    terms: str
    factor: float
    cap: int
    without_accounts: int


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Share of each figure that one supplier may put at risk."""

    tangible_net_assets: float
    working_capital: float
    months_of_turnover: float


class Ageing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points by which the interval widens, either way, for each month of the accounts' age over `fresh_months`."""

    fresh_months: int
    points_a_month: float


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bands and shares of one version; the best band first."""

    version: str
    oldest_accounts_months: int
    interval: Ageing
    shares: Shares
    bands: tuple[Band, ...]


class Term(msgspec.Struct, frozen=True):
    """One term of the minimum; `amount` is in pounds, None for an unknown input."""

    words: str
    amount: int | None


class Limit(msgspec.Struct, frozen=True):
    """The credit that one supplier might extend, in pounds; None if no term of the minimum is known."""

    amount: int | None
    reason: str
    terms: tuple[Term, ...]


def band_of(score: int, terms: Terms) -> Band:
    """Return the band of a score."""
    return next(band for band in terms.bands if score >= band.lowest)


def limit_of(band: Band, accounts: Accounts | None, terms: Terms, day: dt.date) -> Limit:
    """Return the limit for a company of this band; `day` decides the age of the accounts."""
    if not band.factor:
        return Limit(0, f"Band {band.band} gets no open credit.", ())
    if accounts is None or not accounts.periods:
        return Limit(band.without_accounts, f"No accounts are held: band {band.band} gets a small fixed amount.", ())
    if accounts.currency != "GBP":
        return Limit(None, f"The accounts are in {accounts.currency}, not in pounds.", ())
    newest = accounts.periods[0]
    if (day - newest.end).days / DAYS_A_MONTH > terms.oldest_accounts_months:
        return Limit(0, f"The newest figures are older than {terms.oldest_accounts_months} months.", ())
    figures = newest.figures
    if newest.contradictions:
        return Limit(None, "The figures of the newest accounts contradict each other.", ())
    net = amount(figures.net_assets)
    if net is not None and net <= 0:
        return Limit(0, "Net assets are not positive.", ())
    parts = _parts(figures, terms.shares)
    known = [part.amount for part in parts if part.amount is not None]
    if not known:
        return Limit(None, "Neither net assets, working capital nor turnover is known.", parts)
    raw = min(band.factor * min(known), band.cap)
    return Limit(_two_figures(raw), f"{band.factor:.0%} of the smallest known term, at most {band.cap:,}.", parts)


def _parts(figures: Figures, shares: Shares) -> tuple[Term, ...]:
    months = shares.months_of_turnover
    return (
        _term(
            f"{shares.tangible_net_assets:.0%} of tangible net assets",
            figures.tangible_net_assets,
            shares.tangible_net_assets,
        ),
        _term(f"{shares.working_capital:.0%} of working capital", figures.net_current_assets, shares.working_capital),
        _term(
            f"{months:g} months of turnover" if months != 1 else "One month of turnover", figures.turnover, months / 12
        ),
    )


def _term(words: str, figure: Figure | None, share: float) -> Term:
    value = amount(figure)
    return Term(words, None if value is None else max(math.floor(value * share), 0))


def _two_figures(value: float) -> int:
    if value < 1:
        return 0
    step: int = 10 ** max(int(math.log10(value)) - 1, 0)
    return math.floor(value / step) * step
