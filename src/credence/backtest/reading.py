"""Reads filed accounts in all cores: this process unpacks the products, workers read the documents.

A load of some files reads them in one process, which takes most of the time of a backtest of millions of filings.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.datasets.loading.workers import Work, map_in_workers
from credence.datasets.sources.accounts.product import FiledDocument, documents
from credence.datasets.sources.accounts.reading import SOURCE, found_in, read, read_document
from credence.datasets.sources.source import Found, Record, RejectedPlace

LEAST_BYTES = 64 << 20
"""Smaller files are read here, because starting workers would take longer."""

_BATCH_BYTES = 1 << 20
"""Documents that a worker reads at a time."""

Read = tuple[Accounts | None, str]
"""The accounts of a document, or the reason why it is rejected."""

_encode = msgspec.msgpack.Encoder().encode
_decode_documents = msgspec.msgpack.Decoder(list[FiledDocument]).decode
_decode_read = msgspec.msgpack.Decoder(list[Read]).decode


def read_in_workers(files: Sequence[Path]) -> Iterator[Found]:
    """Yield what `reading.read` yields, in the same order. Raises LoadError also if a worker fails."""
    if sum(file.stat().st_size for file in files) < LEAST_BYTES:
        yield from read(files)
        return
    waiting: deque[list[FiledDocument | RejectedPlace]] = deque()

    def pieces() -> Iterator[bytes]:
        for batch in _batches(documents(files)):
            waiting.append(batch)
            yield _encode([each for each in batch if isinstance(each, FiledDocument)])

    with closing(map_in_workers(pieces(), begin)) as done:
        for answer in done:
            answers = iter(_decode_read(answer))
            for each in waiting.popleft():
                yield from found_in(each if isinstance(each, RejectedPlace) else _found(each, *next(answers)))


def begin() -> Work:
    """Return the function of a worker: documents -> their accounts."""
    return lambda piece: _encode([_read(each) for each in _decode_documents(piece)])


def _read(document: FiledDocument) -> Read:
    found = read_document(document)
    if isinstance(found, RejectedPlace):
        return None, found.reason
    return (found.fact, "") if isinstance(found.fact, Accounts) else (None, "")


def _found(document: FiledDocument, accounts: Accounts | None, reason: str) -> Record | RejectedPlace:
    if accounts is None:
        return RejectedPlace(document.where, reason)
    return Record(accounts.company, accounts.id, accounts)


def _batches(
    found: Iterator[FiledDocument | RejectedPlace],
) -> Iterator[list[FiledDocument | RejectedPlace]]:
    batch: list[FiledDocument | RejectedPlace] = []
    size = 0
    for each in found:
        batch.append(each)
        size += len(each.data) if isinstance(each, FiledDocument) else 0
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


ACCOUNTS_IN_WORKERS = msgspec.structs.replace(SOURCE, read=read_in_workers)
"""The source of accounts, read by workers."""
