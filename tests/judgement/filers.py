"""The filers of the sample as companies to be judged: each on the 300th day after its balance sheet.

No register knows them here, so each is lent an entry of that day: active, incorporated ten years before the balance sheet
(at the beginning of the period if the accounts are the first), nothing overdue, no charges, no activity.
"""

import datetime as dt
from functools import cache
from typing import NamedTuple

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.register import AccountsFiling, Charges, RegisterEntry, unregistered
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.demonstration_accounts import read_demonstration

DAYS_AFTER = dt.timedelta(days=300)
TEN_YEARS = dt.timedelta(days=3652)
LATER = dt.timedelta(days=365)


class Filer(NamedTuple):
    """One filing and the day on which its company is judged."""

    company: Company
    filing: Accounts
    today: dt.date

    def report(self) -> LtdCompanyData:
        return build(self.company, Group(), self.today)


@cache
def filers() -> tuple[Filer, ...]:
    facts = [record.fact for record in read_demonstration()]
    return tuple(filer(each) for each in facts if isinstance(each, Accounts))


def filer(filing: Accounts) -> Filer:
    """The company of a filing with its lent entry."""
    today = filing.balance_sheet_date + DAYS_AFTER
    said = Provenance("Lent for the test", today)
    register = Sourced(_entry(filing, today), said)
    company = Company(number=filing.company, register=register, accounts=Sourced((filing,), Provenance("Filed")))
    return Filer(company, filing, today)


def _entry(filing: Accounts, today: dt.date) -> RegisterEntry:
    plain = unregistered(filing.company, filing.name, "Private Limited Company")
    values = {name: getattr(plain, name) for name in plain.__struct_fields__}
    return RegisterEntry(
        **values
        | {
            "status": "Active",
            "incorporated": _incorporated(filing),
            "accounts": AccountsFiling(next_due=today + LATER, last_made_up=filing.balance_sheet_date),
            "confirmation_next_due": today + LATER,
            "charges": Charges(0, 0, 0, 0),
        }
    )


def _incorporated(filing: Accounts) -> dt.date:
    start = filing.periods[0].start if len(filing.periods) == 1 else None
    return start or filing.balance_sheet_date - TEN_YEARS
