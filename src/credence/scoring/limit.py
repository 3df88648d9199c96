"""The suggested credit limit, with every term of the minimum behind it (credit §7.4).

limit = band factor x min(10 % of tangible net assets, 20 % of positive working capital, one month of turnover if filed),
capped by the band. A company with net current liabilities, but a good profit and net assets (`earns`), has 20 % of a year's
profit before tax in place of working capital. What related parties owe, and what a partnership owes to its members, is left
out of net assets and of working capital. Each unknown term reduces it by a share, each reservation to the share that it
leaves, and one that leaves nothing forbids a limit. Unknown tangible net assets are no higher than net assets, so these
bound the limit. The result is rounded down to two significant figures, in pounds. If a company files accounts of its group,
its limit is at most the lower of the two limits (D34).
"""

import math
from collections.abc import Sequence

import msgspec

from credence.companies.durations import annual
from credence.companies.facts.accounts import Accounts, Figure, Figures, Period
from credence.companies.invariants import fails_a_check
from credence.companies.related import stressed
from credence.computed_once import computed_once
from credence.scoring.basis.ratios import amount, net_assets
from credence.scoring.basis.scale import HIGHEST
from credence.scoring.reservations.judged import Judged
from credence.scoring.reservations.of_figures import earns
from credence.scoring.reservations.table import Reservation


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"lowest": "from"}):
    """A range of scores, from `lowest` up to the next band; `cap` is the highest limit in pounds."""

    band: str
    lowest: int
    words: str
    terms: str
    factor: float
    cap: int


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The share of each figure that one supplier may put at risk."""

    tangible_net_assets: float
    working_capital: float
    months_of_turnover: float


class Ageing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points by which the interval widens, up and down, per month of the accounts' age over `fresh_months`."""

    fresh_months: int
    points_a_month: float


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The parameters of the limit, from `terms-<version>.toml`; the best band first."""

    version: str
    oldest_group_months: int
    """The age from which figures of the group count as unknown."""
    unknown_term_haircut: float
    """The share by which each unknown term of the minimum reduces the limit, so that no unknown term raises it."""
    interval: Ageing
    shares: Shares
    bands: tuple[Band, ...]

    @computed_once
    def of_score(self) -> tuple[Band, ...]:
        """The band of each score from 0 on."""
        return tuple(next(each for each in self.bands if score >= each.lowest) for score in range(HIGHEST + 1))

    def least_of(self, band: str) -> int:
        """Return the lowest score of a band."""
        return next(each.lowest for each in self.bands if each.band == band)

    def strictest(self, terms: str, reservations: Sequence[Reservation]) -> str:
        """Return the strictest of payment terms: those of the worst band that has one of them."""
        offered = {terms, *[each.terms for each in reservations if each.terms]}
        return (
            terms if len(offered) == 1 else next(each.terms for each in reversed(self.bands) if each.terms in offered)
        )


class Term(msgspec.Struct, frozen=True):
    """One term of the minimum; `amount` is in pounds, None for an unknown input."""

    words: str
    amount: int | None
    is_bound: bool = False
    """Whether the term is unknown, and `amount` the most that it can be."""


class Limit(msgspec.Struct, frozen=True):
    """The credit that one supplier might extend, in pounds: the least of its terms, None if none of them is known."""

    amount: int | None
    reason: str
    terms: tuple[Term, ...]


def band_of(score: int, terms: Terms) -> Band:
    """Return the band of a score."""
    return terms.of_score[score]


def limit_of(band: Band, judged: Judged, terms: Terms, reservations: Sequence[Reservation] = ()) -> Limit:
    """Return the limit for a company of this band with these reservations."""
    if not band.factor:
        return Limit(0, f"Band {band.band} gets no open credit.", ())
    if forbidden := [each.sentence for each in reservations if not each.limit]:
        return Limit(0, f"No limit: {' '.join(forbidden)}", ())
    accounts, of_group = judged.accounts, judged.company.accounts_of_group
    if accounts is None:
        return Limit(0, "No limit: no figures for the company are on record.", ())
    own = _borne(band, accounts.periods[0], accounts.currency, terms)
    if of_group is not None:
        own = _weaker(own, _of_group(band, of_group, judged, terms), terms)
    return _limit_after_reservations(own, reservations)


def _of_group(band: Band, of_group: Accounts, judged: Judged, terms: Terms) -> Limit:
    """Return the limit of the figures of the group; figures that are too old count as unknown (D39)."""
    newest = of_group.group_periods[0]
    if judged.months_since(newest.end) > terms.oldest_group_months:
        return Limit(None, "", ())
    return _borne(band, newest, of_group.currency, terms)


def _weaker(own: Limit, group: Limit, terms: Terms) -> Limit:
    """Return the lower of two limits with the terms of both; if the group's is unknown, the company's is reduced."""
    parts = (*own.terms, *(Term(f"The group's: {part.words}", part.amount) for part in group.terms))
    if own.amount is None:
        return own
    if group.amount is None:
        lowered = _two_figures(own.amount * (1 - terms.unknown_term_haircut))
        return Limit(
            lowered, f"{own.reason} Less {terms.unknown_term_haircut:.0%}, as the limit of the group is unknown.", parts
        )
    if group.amount < own.amount:
        return Limit(
            group.amount,
            f"The limit of the group is lower than that of the company. Of the group: {group.reason}",
            parts,
        )
    return Limit(own.amount, own.reason, parts)


def _limit_after_reservations(own: Limit, reservations: Sequence[Reservation]) -> Limit:
    """Return a limit with the share that the reservations leave of it."""
    lowering = [each for each in reservations if each.limit < 1]
    if not own.amount or not lowering:
        return own
    left = math.prod(each.limit for each in lowering)
    why = ", then to ".join(f"{each.limit:.0%} ({each.words})" for each in lowering)
    return Limit(_two_figures(own.amount * left), f"{own.reason} Reduced to {why}.", own.terms)


def _borne(band: Band, newest: Period, currency: str, terms: Terms) -> Limit:
    """Return the limit that follows from the figures of one entity."""
    if not currency:
        return Limit(None, "The currency of the accounts is not known.", ())
    if currency != "GBP":
        return Limit(None, f"The accounts are in {currency}, not in pounds.", ())
    if fails_a_check(newest.balanced, newest.contradictions):
        return Limit(None, "The figures of the newest accounts fail a check.", ())
    figures = annual(newest)
    left = stressed(figures)
    without = f" without {left.words}" if left else ""
    net = left.net_assets if left else net_assets(figures)
    if net is not None and net <= 0:
        return Limit(0, f"Net assets{without} are not positive.", ())
    parts = _parts(figures, left.left_out if left else 0, without, terms.shares)
    amounts = [part.amount for part in parts if part.amount is not None]
    unknown = sum(part.amount is None or part.is_bound for part in parts)
    if unknown == len(parts):
        return Limit(None, "Neither tangible net assets, working capital nor turnover is known.", parts)
    raw = min(band.factor * min(amounts), band.cap) * (1 - terms.unknown_term_haircut) ** unknown
    reason = f"{band.factor:.0%} of the smallest known term, at most {band.cap:,}"
    if unknown:
        reason += (
            f", less {terms.unknown_term_haircut:.0%} for {'the' if unknown == 1 else f'each of {unknown}'} unknown "
        )
        reason += "term" if unknown == 1 else "terms"
    return Limit(_two_figures(raw), f"{reason}.", parts)


def _parts(figures: Figures, left_out: float, without: str, shares: Shares) -> tuple[Term, ...]:
    months = shares.months_of_turnover
    tangible = _term(
        f"{shares.tangible_net_assets:.0%} of tangible net assets{without}",
        figures.tangible_net_assets,
        shares.tangible_net_assets,
        left_out,
    )
    if tangible.amount is None:
        words = f"{shares.tangible_net_assets:.0%} of net assets{without}, as those that are tangible are not known"
        net = figures.net_assets or figures.equity
        bound = _term(words, net, shares.tangible_net_assets, left_out)
        tangible = tangible if net is None else msgspec.structs.replace(bound, is_bound=True)
    return (
        tangible,
        _liquid(figures, left_out, without, shares.working_capital),
        _term(
            f"{months:g} months of turnover" if months != 1 else "One month of turnover", figures.turnover, months / 12
        ),
    )


def _liquid(figures: Figures, left_out: float, without: str, share: float) -> Term:
    """Return the term of working capital; with net current liabilities, if `earns` is true, that of profit before tax."""
    working = amount(figures.net_current_assets)
    if working is not None and working < 0 and earns(figures):
        return _term(
            f"{share:.0%} of a year's profit before tax, as there is no working capital",
            figures.profit_before_tax,
            share,
        )
    return _term(f"{share:.0%} of working capital{without}", figures.net_current_assets, share, left_out)


def _term(words: str, figure: Figure | None, share: float, left_out: float = 0) -> Term:
    value = amount(figure)
    return Term(words, None if value is None else max(math.floor((value - left_out) * share), 0))


def _two_figures(value: float) -> int:
    if value < 1:
        return 0
    step: int = 10 ** max(int(math.log10(value)) - 1, 0)
    return math.floor(value / step) * step
