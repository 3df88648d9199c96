"""All facts about one company, each part with its source (credit §10)."""

import datetime as dt
from typing import Any, Generic, Literal, TypeVar

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.dispute import Dispute
from credence.companies.facts.events import Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.companies.facts.register import RegisterEntry
from credence.companies.facts.scores import Scores
from credence.computed_once import computed_once


class Profile(msgspec.Struct, frozen=True):
    """The remarks of one profile of the public register's API; each is None if the profile lacks it.

    Status, due dates and office are taken from the snapshot instead, which is of one day for all companies.
    """

    insolvency_history: bool | None = None
    """Whether the company is or ever was in an insolvency procedure, a solvent liquidation included."""
    office_undeliverable: bool | None = None
    """Whether post to the registered office is returned."""
    office_in_dispute: bool | None = None
    """Whether the right of the company to use its registered office is contested."""


T = TypeVar("T")

Reason = Literal["withdrawn", "corrected", "unreadable"]
"""Why a fact ended: its publisher withdrew it, said that it is about another company, or replaced it by a version that
cannot be read."""


class Provenance(msgspec.Struct, frozen=True):
    """The source of one part of a company's facts, as reports print it."""

    source: str
    """The publisher and its product, such as "Companies House, Free Company Data Product"."""
    as_of: dt.date | None = None
    """The day of a snapshot, or of the newest document."""
    retrieved: dt.date | None = None
    """The day of the load, in London."""
    licence: str = ""
    """The attribution that the licence demands, such as "Contains public register information from Companies House"."""


class Withdrawn(msgspec.Struct, frozen=True):
    """A fact that its publisher has withdrawn, or corrected so that it is about another company."""

    fact: Any
    since: dt.date | None
    """The day since which it was known; None if no source says it."""
    until: dt.date
    """The day since which it is not valid any more."""
    reason: Reason


class Sourced(msgspec.Struct, Generic[T], frozen=True):
    """One part of the facts and its source."""

    value: T
    provenance: Provenance
    cut: bool = False
    """Whether the source's list may have more entries: its answer was truncated, or an entry of it cannot be read."""
    withdrawn: tuple[Withdrawn, ...] = ()
    """The facts that were part of the list, the newest first; only of sources whose history is kept."""


class Company(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One company; at least one part is present. Values derived from the parts are computed once.

    A part is None if its source is not loaded, or has no fact and does not distinguish "none" from "unknown".
    """

    number: str
    register: Sourced[RegisterEntry] | None = None
    accounts: Sourced[tuple[Accounts, ...]] | None = None
    """Newest balance sheet first; among filings with one date, the later filed first."""
    officers: Sourced[tuple[Officer, ...]] | None = None
    owners: Sourced[tuple[Owner, ...]] | None = None
    charges: Sourced[tuple[Charge, ...]] | None = None
    insolvency: Sourced[tuple[InsolvencyCase, ...]] | None = None
    notices: Sourced[tuple[Notice, ...]] | None = None
    filings: Sourced[tuple[Filing, ...]] | None = None
    payment_practices: Sourced[tuple[PaymentPractice, ...]] | None = None
    profile: Sourced[tuple[Profile, ...]] | None = None
    """The profile, as a tuple of at most one."""
    scores: Scores | None = None
    """The scores of earlier scoring runs; None if no run scored the company. They are our own, so they name no source."""
    unreadable: tuple[str, ...] = ()
    """The fields with a list of which an entry cannot be read; owners and insolvency are unknown then."""
    disputes: tuple[Dispute, ...] = ()
    """Open disputes, the oldest first; a report names what is disputed (credit §10)."""

    @computed_once
    def remarks(self) -> Profile:
        """The remarks of the company's profile; each is None if no profile is loaded."""
        return self.profile.value[0] if self.profile and self.profile.value else Profile()

    @property
    def accounts_made_up(self) -> dt.date | None:
        """The balance sheet date of the newest accounts, with or without figures."""
        return self.accounts.value[0].balance_sheet_date if self.accounts and self.accounts.value else None

    @computed_once
    def newer_accounts(self) -> dt.date | None:
        """The balance sheet date of accounts that are newer than the register's snapshot; None without such accounts.

        The due date in the register may be that of these accounts, so it is unknown whether the next ones are late.
        """
        made_up, entry = self.accounts_made_up, self.register.value if self.register else None
        if made_up is None or entry is None:
            return None
        known = entry.accounts.last_made_up
        return made_up if known is None or made_up > known else None

    @computed_once
    def accounts_with_figures(self) -> Accounts | None:
        """The filing with the newest figures of the company itself; their date is that of the filing's first period.

        The newest accounts may have figures of an earlier year only, or of the group only.
        """
        filings = self.accounts.value if self.accounts else ()
        return max((each for each in filings if each.periods), key=lambda each: each.periods[0].end, default=None)

    @computed_once
    def accounts_of_group(self) -> Accounts | None:
        """The filing with the newest figures of the company and its subsidiaries together; None without any."""
        filings = self.accounts.value if self.accounts else ()
        return max(
            (each for each in filings if each.group_periods), key=lambda each: each.group_periods[0].end, default=None
        )


PARTS = (
    "register",
    "accounts",
    "officers",
    "owners",
    "charges",
    "insolvency",
    "notices",
    "filings",
    "payment_practices",
    "profile",
)
"""Fields of `Company` that come from a source, each None or a `Sourced` value."""
