"""All published models for one company, to stand beside its score (credit §6)."""

from credence.companies.facts.accounts import Period
from credence.companies.facts.company import Company
from credence.scoring.published.altman_z_double_prime import ALTMAN_Z_DOUBLE_PRIME, WITHOUT_PROFIT
from credence.scoring.published.altman_z_prime import ALTMAN_Z_PRIME
from credence.scoring.published.model import Model, Outcome, judge
from credence.scoring.published.ohlson import OHLSON
from credence.scoring.published.springate import SPRINGATE
from credence.scoring.published.taffler import TAFFLER
from credence.scoring.published.zmijewski import ZMIJEWSKI
from credence.scoring.ratios import WHY_NOT, unfit
from credence.scoring.sectors import divisions_of

MODELS: tuple[Model, ...] = (ALTMAN_Z_DOUBLE_PRIME, ALTMAN_Z_PRIME, TAFFLER, ZMIJEWSKI, SPRINGATE, OHLSON)
"""In the order in which a report shows them."""


def published(company: Company) -> tuple[Outcome, ...]:
    """Return what each model says of the newest accounts of the company itself; nothing when none are held.

    Without a profit the balance-sheet terms of Z'' follow it as a partial indicator.
    """
    accounts = company.accounts_with_figures
    if accounts is None:
        return ()
    period = accounts.periods[0]
    reason = unfit(period, dormant=accounts.dormant, divisions=frozenset(divisions_of(company)))
    if reason:
        return tuple(Outcome(model, (), not_computable=WHY_NOT[reason]) for model in MODELS)
    outcomes = [judge(model, period) for model in MODELS]
    if outcomes[0].value is None:
        outcomes[1:1] = _partial(period)
    return tuple(outcomes)


def _partial(period: Period) -> list[Outcome]:
    outcome = judge(WITHOUT_PROFIT, period)
    return [] if outcome.value is None else [outcome]
