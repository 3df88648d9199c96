"""`Assessment.AccountsText`: what accounts state about going concern, the audit and later events (docs/accounts.md)."""

from credence.companies.facts.accounts import Accounts, AccountsFinding
from credence.companies.facts.company import Company
from credence.report.schema import assessment as wire

MAX_FILINGS = 5
"""The number of filings, the newest, whose sentences are sent."""


def accounts_text(company: Company) -> tuple[wire.TextFinding, ...]:
    """Return the member, the newest accounts first."""
    filings = company.accounts.value[:MAX_FILINGS] if company.accounts else ()
    return tuple(_finding(filing, each) for filing in filings for each in filing.findings or ())


def _finding(filing: Accounts, found: AccountsFinding) -> wire.TextFinding:
    return wire.TextFinding(
        DateOfAccounts=filing.balance_sheet_date,
        Kind=found.kind.value,
        Sentence=found.sentence,
        Where=found.where,
        Document=filing.document,
    )
