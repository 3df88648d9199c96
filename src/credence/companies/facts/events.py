"""Events of a company: charges, insolvency cases, notices, filings, payment practices (credit §4.1, §4.3)."""

import datetime as dt

import msgspec


class Charge(msgspec.Struct, frozen=True):
    """One registered mortgage or other charge."""

    id: str
    status: str
    """The register's own word: `outstanding`, `part-satisfied`, `fully-satisfied`, `satisfied`."""
    classification: str = ""
    created: dt.date | None = None
    delivered: dt.date | None = None
    satisfied: dt.date | None = None
    holders: tuple[str, ...] = ()
    """The persons entitled, usually lenders."""
    floating: bool | None = None
    covers_all: bool | None = None
    """Whether a floating charge covers all the property or undertaking."""
    secured: str = ""
    """The secured debt, as the register describes it."""
    particulars: str = ""


SOLVENT = "members-voluntary-liquidation"
"""The only type of case in which the company pays its debts (credit §4.1)."""

INSOLVENT = frozenset(
    {
        "administration-order",
        "administrative-receiver",
        "compulsory-liquidation",
        "corporate-voluntary-arrangement",
        "corporate-voluntary-arrangement-moratorium",
        "creditors-voluntary-liquidation",
        "foreign-insolvency",
        "in-administration",
        "moratorium",
        "receiver-manager",
        "receivership",
    }
)
"""The register's other types of case. A type outside `SOLVENT` and this set is unknown (credit §4.1)."""


PLANNED = "due-to-be-dissolved-on"
"""The step of an insolvency case whose day may be in the future; the case neither begins nor ends on it."""

PETITIONED = "petitioned-on"
"""The step for a petition, which is a claim and not an outcome (credit §4.3)."""


class CaseDate(msgspec.Struct, frozen=True):
    """One dated step of an insolvency case, in the register's own word, such as `wound-up-on`."""

    type: str
    date: dt.date


class InsolvencyCase(msgspec.Struct, frozen=True):
    """One insolvency case, or a liquidation that is `SOLVENT`."""

    number: str
    type: str
    """The register's own word, such as `creditors-voluntary-liquidation`."""
    dates: tuple[CaseDate, ...] = ()
    charge: str = ""
    """The register's id of the charge under which a receiver acts."""


class Notice(msgspec.Struct, frozen=True):
    """One notice of the Gazette; a petition is a claim, not an outcome (credit §4.3)."""

    id: str
    code: str
    """The notice code: four digits, such as 2450."""
    published: dt.date
    title: str = ""
    """The kind of notice as text; never the text of the notice, which may name people."""
    edition: str = ""


class Filing(msgspec.Struct, frozen=True):
    """One document that the register received."""

    id: str
    date: dt.date
    category: str
    type: str
    description: str = ""
    """The register's key, such as `accounts-with-accounts-type-micro-entity`; not its free text."""
    made_up: dt.date | None = None
    on_paper: bool = False


class PaymentPractice(msgspec.Struct, frozen=True):
    """One statutory report of a large company on how it pays its suppliers (credit §4.3). Shares are per cent."""

    id: str
    start: dt.date | None
    end: dt.date | None
    filed: dt.date | None
    average_days: float | None = None
    within_30_days: float | None = None
    from_31_to_60_days: float | None = None
    after_60_days: float | None = None
    not_within_terms: float | None = None
    disputed: float | None = None
    """The share of invoices not paid within terms because they were disputed; reported since 2025."""
    shortest_terms: float | None = None
    longest_terms: float | None = None
