"""The source of accounts: files of the accounts products become records (credit §3).

Its readers are imported late: every worker knows the source, but only a load reads files, for which the XML parser takes
megabytes.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.datasets.fact_kinds import ACCOUNTS
from credence.datasets.sources.source import (
    COMPANIES_HOUSE_LICENCE,
    Found,
    Record,
    RejectedPlace,
    Renewal,
    Source,
    UnreadableValue,
)

if TYPE_CHECKING:
    from credence.datasets.sources.accounts.product import FiledDocument


def read(files: Sequence[Path]) -> Iterator[Found]:
    """Yield a record for each filing of the files, and a RejectedPlace for everything that is not a filing.

    After a filing with contradictions an UnreadableValue follows for each invariant that fails in one of its years.

    Raises LoadError only for a file that cannot be opened; no document stops the load. `product.documents` and
    `filing.read_filing` list the reasons.
    """
    from credence.datasets.sources.accounts.product import documents

    for found in documents(files):
        yield from found_in(found if isinstance(found, RejectedPlace) else read_document(found))


def found_in(read_one: Record | RejectedPlace) -> Iterator[Found]:
    """Yield what was read of a document, and an UnreadableValue for each invariant that fails."""
    yield read_one
    if isinstance(read_one, Record) and isinstance(read_one.fact, Accounts):
        for period in (*read_one.fact.periods, *read_one.fact.group_periods):
            yield from (UnreadableValue(read_one.fact.document, f"invariant.{code}") for code in period.contradictions)


def read_document(found: "FiledDocument") -> Record | RejectedPlace:
    """Return the record of one document, or why it has none."""
    from credence.datasets.sources.accounts.contexts import UnreadableDocument
    from credence.datasets.sources.accounts.filing import read_filing

    try:
        accounts = read_filing(found.data, found.id, number=found.number, day=found.day, filed=found.filed)
    except UnreadableDocument as refused:
        return RejectedPlace(found.where, str(refused))
    return Record(accounts.company, accounts.id, accounts)


def _as_filed_first(one: Accounts, other: Accounts) -> Accounts:
    """Return the filing with the day and the name of the product in which it was first, in any order of the two.

    A monthly product has no days of filing.
    """
    first = min(one, other, key=lambda each: (each.filed or dt.date.max, each.document))
    return msgspec.structs.replace(other, document=first.document, filed=first.filed)


def _is_read_again(filing: Accounts, earlier: Accounts) -> bool:
    """Return whether a filing is one that a version without digests has read: of its day, with no figure that differs."""
    if earlier.digest or earlier.balance_sheet_date != filing.balance_sheet_date:
        return False
    figures = _figures(filing)
    return all(figures.get(name, value) == value for name, value in _figures(earlier).items())


def _figures(filing: Accounts) -> dict[str, float]:
    """Return the newest figures of the company, or of its group if it has none."""
    newest = next(iter(filing.periods or filing.group_periods), None)
    found = msgspec.structs.asdict(newest.figures) if newest else {}
    return {name: figure.value for name, figure in found.items() if figure is not None}


def _filed(filing: Accounts) -> dt.date:
    return filing.filed or filing.balance_sheet_date


SOURCE = Source(
    kind=ACCOUNTS,
    publisher="Companies House, Accounts Data Product",
    licence=COMPANIES_HOUSE_LICENCE,
    renewal=Renewal.DOCUMENT,
    file_name=re.compile(r"Accounts_(?:Bulk_Data-\d{4}-\d\d-\d\d|Monthly_Data-[A-Z][a-z]+\d{4})(?:-part\d+_\d+)?\.zip"),
    read=read,
    dated=_filed,
    keeps=_as_filed_first,
    replaces=_is_read_again,
    id_form="????-??-?? *",
)
