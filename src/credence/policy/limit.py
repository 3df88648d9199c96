"""The limit that a policy grants: a share of the suggested one, or an amount of its own for a company without figures."""

import math
from decimal import Decimal

from credence.policy.policy import Policy, Terms
from credence.report.schema.report import LtdCompanyData
from credence.scoring.model import current_model

_NO_FIGURES = frozenset({"NO-ACCOUNTS", "NONE-FILED"})
"""Reservations of a company of which no figures are held."""
_BESIDE = frozenset({"NO-LIMIT"})
"""A reservation that only says that the suggested limit is 0."""


def granted(policy: Policy, report: LtdCompanyData) -> int | None:
    """Return the limit of the policy for a company, in pounds; None if no limit can be computed for it."""
    assessment = report.Assessment
    suggested = assessment.Score.Limit.Amount if assessment and assessment.Score else None
    if suggested is None:
        return None
    if not suggested and policy.limit.without_figures and _lacks_only_figures(report):
        return _capped(policy.limit.without_figures, policy.limit)
    # The share is a decimal: 0.57 of 10,000 is 5,700, which floating point makes 5,699.
    return _capped(math.floor(suggested * Decimal(repr(policy.limit.share))), policy.limit)


def _capped(amount: int, terms: Terms) -> int:
    return amount if terms.cap is None else min(amount, terms.cap)


def _lacks_only_figures(report: LtdCompanyData) -> bool:
    """Return whether nothing forbids a limit but that no figures are held."""
    assessment = report.Assessment
    if assessment is None or assessment.Score is None or assessment.Headline is None:
        return False
    model = current_model()
    codes = {each.Code for each in assessment.Headline.Reservations}
    band = next(each for each in model.terms.bands if each.band == assessment.Score.Band)
    forbidding = {row.code for row in model.reservations.rows if not row.limit} - _NO_FIGURES - _BESIDE
    return bool(band.factor and codes & _NO_FIGURES) and codes.isdisjoint(forbidding)
