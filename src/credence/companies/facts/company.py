"""All that is held about one company, each part with its provenance."""

import datetime as dt
from typing import Generic, TypeVar

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.dispute import Dispute
from credence.companies.facts.events import Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.companies.facts.provenance import Provenance
from credence.companies.facts.register import RegisterEntry
from credence.companies.facts.scores import Scores

T = TypeVar("T")


class Sourced(msgspec.Struct, Generic[T], frozen=True):
    """One part of the facts and where it comes from."""

    value: T
    provenance: Provenance


class Company(msgspec.Struct, frozen=True, kw_only=True):
    """One company. A part is None when its source is not loaded, or holds nothing and cannot tell "none" from "unknown".

    At least one part is there. `accounts` and `register` may each stand without the other.
    """

    number: str
    register: Sourced[RegisterEntry] | None = None
    accounts: Sourced[tuple[Accounts, ...]] | None = None
    """Newest balance sheet first; of two filings for one date the one filed later comes first."""
    officers: Sourced[tuple[Officer, ...]] | None = None
    owners: Sourced[tuple[Owner, ...]] | None = None
    charges: Sourced[tuple[Charge, ...]] | None = None
    insolvency: Sourced[tuple[InsolvencyCase, ...]] | None = None
    notices: Sourced[tuple[Notice, ...]] | None = None
    filings: Sourced[tuple[Filing, ...]] | None = None
    payment_practices: Sourced[tuple[PaymentPractice, ...]] | None = None
    scores: Scores | None = None
    """What scoring runs found; None when none scored it. Ours, so no source has to be named."""
    disputes: tuple[Dispute, ...] = ()
    """Those that are not closed, the oldest first; a report says what is disputed (credit §10)."""

    @property
    def accounts_made_up(self) -> dt.date | None:
        """The day to which the newest accounts are made up, whether they tell any figure of it or not."""
        return self.accounts.value[0].balance_sheet_date if self.accounts and self.accounts.value else None

    @property
    def accounts_with_figures(self) -> Accounts | None:
        """The filing that tells the newest figures of the company itself, which are as old as their column, the first.

        The newest accounts may tell figures of an earlier year alone, or of the group alone.
        """
        filings = self.accounts.value if self.accounts else ()
        return max((each for each in filings if each.periods), key=lambda each: each.periods[0].end, default=None)
