"""The source: files of the accounts products become records (credit §3)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from credence.credit.sources.accounts.filing import read_filing
from credence.credit.sources.accounts.product import Source, documents
from credence.credit.sources.accounts.refused import Unreadable
from credence.credit.sources.record import Record, Reject


def read(files: Sequence[Path]) -> Iterator[Record | Reject]:
    """Yield a record for each filing of the files, and a reject with its reason for everything else in them.

    A document never stops the load. Raises LoadError only for a file that cannot be opened. The reasons stand in
    `product.documents` and `filing.read_filing`.
    """
    for found in documents(files):
        yield found if isinstance(found, Reject) else _record(found)


def _record(source: Source) -> Record | Reject:
    try:
        accounts = read_filing(source.data, source.id, number=source.number, day=source.day, filed=source.filed)
    except Unreadable as refused:
        return Reject(source.where, str(refused))
    return Record(accounts.company, accounts.document, accounts)
