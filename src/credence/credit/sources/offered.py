"""Every source of facts by its name; the register is loaded by an act of its own (`loading.load_register`)."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from credence.credit.facts.accounts import Accounts
from credence.credit.parts import ACCOUNTS
from credence.credit.sources import (
    accounts,
    charges,
    filing_history,
    gazette,
    insolvency,
    officers,
    payment_practices,
    persons_with_control,
)
from credence.credit.sources.accounts import demonstration
from credence.credit.sources.record import Record
from credence.credit.sources.source import COMPANIES_HOUSE_LICENCE, Renewal, Source


def _filed(filing: Accounts) -> dt.date:
    return filing.filed or filing.balance_sheet_date


FILED_ACCOUNTS = Source(
    part=ACCOUNTS,
    publisher="Companies House, Accounts Data Product",
    licence=COMPANIES_HOUSE_LICENCE,
    renewal=Renewal.DOCUMENT,
    read=accounts.read,
    dated=_filed,
)

ACCOUNTS_FILE_NAME = re.compile(
    r"Accounts_(?:Bulk_Data-\d{4}-\d\d-\d\d|Monthly_Data-[A-Z][a-z]+\d{4})(?:-part\d+_\d+)?\.zip"
)
"""How the publisher names the daily and the monthly files."""


def _read_demonstration(_: Sequence[Path]) -> Iterator[Record]:
    return demonstration.read_demonstration()


DEMONSTRATION = Source(
    part=ACCOUNTS,
    publisher=demonstration.SOURCE,
    licence=COMPANIES_HOUSE_LICENCE,
    renewal=Renewal.DOCUMENT,
    read=_read_demonstration,
    dated=_filed,
)
"""What the sandbox begins with; a load of real accounts takes its place."""

OFFERED = {FILED_ACCOUNTS.name: FILED_ACCOUNTS} | {
    module.SOURCE.name: module.SOURCE
    for module in (
        persons_with_control,
        gazette,
        payment_practices,
        officers,
        charges,
        insolvency,
        filing_history,
    )
}
