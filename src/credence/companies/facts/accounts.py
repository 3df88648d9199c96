"""Filed accounts: the figures of one filing, each with the method that found it (credit §3).

Amounts are in whole units of `Accounts.currency`; liabilities are positive. The data set of accounts stores these values:
a change of their fields changes its layout (`datasets.fact_kinds.ACCOUNTS`).
"""

import datetime as dt
from enum import StrEnum

import msgspec


class Method(StrEnum):
    """How a figure was found."""

    REPORTED = "reported"
    """The figure is as tagged in the filing."""
    DERIVED = "derived"
    """Computed from reported figures of the same filing and period (credit §3.4)."""
    REPAIRED = "repaired"
    """Reported with the wrong sign, which was corrected (credit §3.4).

    The right sign follows from the balance-sheet identities, or from a line that is always positive.
    """


class Figure(msgspec.Struct, frozen=True, array_like=True):
    """One number of a filing."""

    value: int | float
    method: Method
    tag: str = ""
    """Local name of the tag; for a derived figure the arithmetic, such as `fixed + current`."""
    dimensions: tuple[tuple[str, str], ...] = ()
    """Local names of dimension and member of the context; empty for a plain total."""
    filed: int | float | None = None
    """The value in the filing, if `value` is repaired."""


class Figures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of one period of one entity. Each absent figure is unknown, never zero."""

    fixed_assets: Figure | None = None
    intangible_assets: Figure | None = None
    tangible_assets: Figure | None = None
    investments: Figure | None = None
    current_assets: Figure | None = None
    stocks: Figure | None = None
    debtors: Figure | None = None
    trade_debtors: Figure | None = None
    """Of the debtors, what customers owe; this and the next four from notes."""
    owed_by_group: Figure | None = None
    owed_by_participating_interests: Figure | None = None
    owed_by_directors: Figure | None = None
    owed_by_related_parties: Figure | None = None
    """What all related parties owe, where that is filed in one amount."""
    cash: Figure | None = None
    prepayments: Figure | None = None
    """Prepayments and accrued income that are shown outside current assets (FRS 105)."""
    unpaid_share_capital: Figure | None = None
    """Share capital called up but not paid, if it is shown outside current assets."""
    creditors_within_year: Figure | None = None
    trade_creditors: Figure | None = None
    """Of the creditors, what is owed to suppliers; this and the next four from notes."""
    owed_to_group: Figure | None = None
    owed_to_participating_interests: Figure | None = None
    owed_to_directors: Figure | None = None
    owed_to_related_parties: Figure | None = None
    corporation_tax_owed: Figure | None = None
    """Of the creditors, corporation tax; this and the next two from notes."""
    taxes_owed: Figure | None = None
    """Other taxes and social security, or all taxes where a note gives one amount."""
    borrowings: Figure | None = None
    """Loans and overdrafts in all, or those of banks where no note gives all."""
    net_current_assets: Figure | None = None
    total_assets_less_current_liabilities: Figure | None = None
    creditors_after_year: Figure | None = None
    provisions: Figure | None = None
    accruals: Figure | None = None
    """Accruals and deferred income shown outside creditors (FRS 105)."""
    net_assets: Figure | None = None
    equity: Figure | None = None
    owed_to_members: Figure | None = None
    """Of the net assets of a limited liability partnership, what it owes to its members."""
    share_capital: Figure | None = None
    retained_earnings: Figure | None = None
    total_assets: Figure | None = None
    total_liabilities: Figure | None = None
    tangible_net_assets: Figure | None = None
    turnover: Figure | None = None
    cost_of_sales: Figure | None = None
    gross_profit: Figure | None = None
    operating_profit: Figure | None = None
    depreciation: Figure | None = None
    interest_payable: Figure | None = None
    profit_before_tax: Figure | None = None
    tax: Figure | None = None
    profit: Figure | None = None
    """Profit for the period after tax; a loss is negative."""
    dividends: Figure | None = None
    """Dividends paid, as a positive amount."""
    staff_costs: Figure | None = None
    directors_pay: Figure | None = None
    """What the directors together were paid."""
    employees: Figure | None = None
    """Average number of employees during the period."""


class Period(msgspec.Struct, frozen=True):
    """One column of a filing: the balance sheet at `end` and the profit and loss account of `start` to `end`."""

    end: dt.date
    start: dt.date | None
    figures: Figures
    balanced: bool | None
    """Whether the balance sheet balances after repairs; None if that cannot be checked (credit §3.4).

    The identity is: fixed assets + current assets - creditors within a year = total assets less current liabilities.
    """
    contradictions: tuple[str, ...] = ()
    """Codes of the invariants that fail (`companies.invariants`); a year with one is marked."""
    rounding: int = 1
    """The coarsest unit to which its figures are rounded: 1000 in accounts in thousands."""


class FindingKind(StrEnum):
    """What a sentence of the accounts asserts, the gravest first."""

    GOING_CONCERN = "going-concern"
    """A material uncertainty about the company as a going concern, or accounts prepared on another basis."""
    ADVERSE = "adverse-opinion"
    DISCLAIMER = "disclaimer-of-opinion"
    QUALIFIED = "qualified-opinion"
    OWNER_SUPPORT = "owner-support"
    """The company goes on only with the support of its owners, directors, group or lenders."""
    EMPHASIS = "emphasis-of-matter"
    EVENTS_AFTER = "events-after-the-year"
    AUDIT_EXEMPT = "audit-exempt"


class AccountsFinding(msgspec.Struct, frozen=True):
    """One sentence of the accounts that asserts something about the company itself."""

    kind: FindingKind
    sentence: str
    """The sentence as filed, without layout; at most 600 characters."""
    where: str
    """The part of the filing and the nearest heading, such as `auditor's report, Basis for qualified opinion`."""


class Accounts(msgspec.Struct, frozen=True):
    """One filing of one company."""

    company: str
    document: str
    """The name of the document in its product, such as `Prod223_3785_13355717_20230331`."""
    filed: dt.date | None
    """The day of the product that contains this filing; the filing itself has no such date (credit §3.1)."""
    balance_sheet_date: dt.date
    currency: str
    """The currency of the amounts as an ISO 4217 code: of the tags, or of the text where it names another."""
    periods: tuple[Period, ...]
    """The periods of the legal entity itself, newest first: usually this year and the last."""
    group_periods: tuple[Period, ...]
    """Consolidated figures, tagged as such or attributed by arithmetic; never mixed with `periods` (credit §3.2)."""
    layout: str
    """Tag generation: `frc`, `uk-gaap-2009` or `plain-xbrl` (credit §3.3)."""
    taxonomy: str
    """The entry taxonomy's version as filed, such as `FRS 102 2023-01-01`; empty if absent."""
    standard: str = ""
    """Local name of the member for the applied accounting standards, such as `Micro-entities`; empty if untagged."""
    audit: str = ""
    """Local name of the member for the audit status, such as `AuditExempt-NoAccountantsReport`; empty if untagged."""
    dormant: bool | None = None
    name: str = ""
    """The entity's name in the filing; the only known name of a company without a register entry."""
    postcode: str = ""
    """The postcode of the registered office, if the filing tags it."""
    findings: tuple[AccountsFinding, ...] | None = None
    """Findings on going concern, the audit and later events, the gravest kinds first; None if the text was not read."""
    tagged_currency: str = ""
    """The currency of the tags where the text names another one; empty if they agree."""
    digest: str = ""
    """A digest of what is tagged, by which a filing is known in every product; empty if an earlier version has read it."""

    @property
    def id(self) -> str:
        """What identifies this filing among those of its company: its day and what it says, in any product."""
        return f"{self.balance_sheet_date} {self.digest}" if self.digest else self.document
