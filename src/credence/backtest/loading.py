"""Loads the files of a backtest into data sets of its own; what an earlier run has loaded is not loaded again.

Filed accounts are read in all cores: this process unpacks the products, workers read the documents. A load of some files
reads them in one process, which takes most of the time of a backtest of millions of filings.
"""

import zipfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from credence.backtest.plan import Plan
from credence.clock import Milliseconds
from credence.companies.facts.accounts import Accounts
from credence.datasets import catalogue
from credence.datasets.fact_kinds import ACCOUNTS, INSOLVENCY, NOTICES, OWNERS, REGISTER, FactKind
from credence.datasets.loading.load import file_stamps, load, load_register
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.loading.workers import Work, map_in_workers
from credence.datasets.sources.accounts.product import FiledDocument, documents
from credence.datasets.sources.accounts.reading import SOURCE, found_in, read, read_document
from credence.datasets.sources.source import Found, Record, RejectedPlace

Progress = Callable[[str, int, int | None], None]
"""Receives what is done, how much of it, and how much there is; None if that is unknown."""

BATCH_BYTES = 4 << 30
"""Files of accounts are loaded in batches of this size; an interrupted load goes on with its batch. Each batch copies the
data set and merges into it, so small ones cost more than they save."""

KNOWN, LATER = "known", "later"
"""The folders of the data sets: what was known, with notices and cases of the horizon, and the later register."""


def load_all(plan: Plan, folder: Path, now: Milliseconds, progress: Progress) -> None:
    """Load everything. Raises LoadError for unusable files."""
    for name, files in ((KNOWN, plan.before), (LATER, plan.after)):
        _register(files, folder / name, now, progress)
    for kind, given in ((NOTICES, plan.notices), (INSOLVENCY, plan.cases), (OWNERS, plan.owners)):
        _facts(kind, given, folder / KNOWN, now, progress)
    for batch in _batches(plan.accounts):
        _facts(ACCOUNTS, batch, folder / KNOWN, now, progress)


def _register(files: Sequence[Path], folder: Path, now: Milliseconds, progress: Progress) -> None:
    if _due(REGISTER, files, folder):
        words = "Reading the register"
        load_register(files, folder, now, lambda rows: progress(words, rows, None))


def _facts(kind: FactKind, files: Sequence[Path], folder: Path, now: Milliseconds, progress: Progress) -> None:
    if due := _due(kind.source, files, folder):
        words = f"Reading {kind.source}"
        source = ACCOUNTS_IN_WORKERS if kind is ACCOUNTS else SOURCES[kind.source]
        total = _documents(due) if kind is ACCOUNTS else None
        load(source, due, folder, now, progress=lambda rows: progress(words, rows, total))


def _documents(files: Sequence[Path]) -> int:
    """Return the number of documents in products, so that an estimate is possible."""
    total = 0
    for file in files:
        try:
            with zipfile.ZipFile(file) as archive:
                total += len(archive.namelist())
        except (OSError, zipfile.BadZipFile):
            total += 1
    return total


def _due(source: str, files: Sequence[Path], folder: Path) -> list[Path]:
    """Return the files that are not loaded as they are."""
    held = catalogue.read(folder).sources.get(source)
    stamps = held.files if held else {}
    return [file for file in files if file_stamps([file]) != {file.name: stamps.get(file.name)}]


def _batches(files: Sequence[Path]) -> Iterator[list[Path]]:
    batch: list[Path] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.stat().st_size
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


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
        for batch in _batches_of_files(documents(files)):
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


def _batches_of_files(
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
