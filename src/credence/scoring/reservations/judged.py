"""The facts about one company on one day, as the rules of reservations read them."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from credence.companies.facts.accounts import Accounts, Period
from credence.companies.facts.company import Company
from credence.companies.facts.register import RegisterEntry
from credence.computed_once import computed_once
from credence.scoring.basis.day import DAYS_A_MONTH, Days
from credence.scoring.published.model import ModelOutcome
from credence.scoring.published.models import evaluate_all


class Judged(msgspec.Struct, frozen=True, dict=True):
    """One company on the day of judgement."""

    company: Company
    days: Days

    @computed_once
    def entry(self) -> RegisterEntry | None:
        """The register entry."""
        return self.company.register.value if self.company.register else None

    @computed_once
    def accounts(self) -> Accounts | None:
        """The filing with the newest figures of the company itself."""
        return self.company.accounts_with_figures

    @computed_once
    def period(self) -> Period | None:
        """The newest figures."""
        return self.accounts.periods[0] if self.accounts else None

    @computed_once
    def models(self) -> tuple[ModelOutcome, ...]:
        """The outcomes of the published models on the newest figures."""
        return evaluate_all(self.company)

    @computed_once
    def newest_made_up(self) -> dt.date | None:
        """The balance sheet date of the newest accounts of which any source knows, up to the day of judgement."""
        company, entry = self.company, self.entry
        days = [entry.accounts.last_made_up if entry else None, company.accounts_made_up]
        if company.filings:
            days += [each.made_up for each in company.filings.value if each.category == "accounts"]
        known = [day for day in days if day and day <= self.days.judgement]
        return max(known) if known else None

    def months_since(self, day: dt.date) -> float:
        """Return the months from a day to the day of judgement."""
        return (self.days.judgement - day).days / DAYS_A_MONTH


class Found(NamedTuple):
    """What a rule found: values for the placeholders of its row, and the amount and the day that it is about."""

    values: Mapping[str, str]
    amount: int | None = None
    day: dt.date | None = None


class Gap(NamedTuple):
    """The facts that a rule could not read, and whether it read nothing at all."""

    reason: str
    whole: bool = True


Measures = dict[str, float]
"""Name of a rule that applies -> what its rows compare with their `over`; 1 where there is nothing to compare."""


class ReservationRule(NamedTuple):
    """What a rule says of a company to which it applies, and which facts it lacks where it cannot be tried."""

    found: Callable[[Judged], Found]
    missing: Callable[[Judged], Gap | None] = lambda _: None


def no_figures(judged: Judged) -> Gap | None:
    """Return why a rule that reads figures cannot be tried."""
    return None if judged.period else Gap("No figures of accounts are on record.")
