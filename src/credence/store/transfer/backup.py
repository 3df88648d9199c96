"""Backup and restore of a store; `docs/adr/backup.md` gives the reasons (threats F6).

A backup contains applications, accounts, their factors, sealed secrets and tallies, but no families, no sessions, no
consents, no revocations, and none of the keys that sign or authenticate tokens. So no token issued before a restore is valid
after it, revoked or not; and people sign in and consent again.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys, unseal
from credence.errors import OperatorError
from credence.store.contract import MAX_REPLAY_CACHE_MS
from credence.store.records import Account, Application
from credence.store.signing_keys import private_key_name
from credence.store.transfer import archive
from credence.store.transfer.archive import Archive, ArchiveDamaged, Head
from credence.store.transfer.location import StoreLocation
from credence.store.transfer.move import require_empty
from credence.store.transfer.out_of_service import require_in_service
from credence.store.transfer.tables import (
    ACCOUNTS,
    APPLICATIONS,
    FACTORS,
    REPLAY_CACHE,
    SECRETS,
    TALLIES,
    Row,
    StoreTable,
)

BACKUP_TABLES = (APPLICATIONS, ACCOUNTS, SECRETS, TALLIES, FACTORS)

EXCLUDED_SECRETS = ("refresh-key", private_key_name(""))
"""Name prefixes of the sealed secrets that authenticate or sign tokens. A restored service creates new ones."""

DIGEST_KEY = "digest-key"
"""The name of the sealed key of digests."""

NUMBER_GAP = 2**36
"""Added to the sequence numbers of a backup on restore: the numbers used after the backup are unknown.

At 5,000 logins a second, with a status block each, the gap lasts 159 days. The number of a status list has at most nine
digits (`api/tokens/status_lists.py`), which leaves room for about nine hundred restores.
"""

_DOCUMENTS = {
    APPLICATIONS.name: msgspec.json.Decoder(Application).decode,
    ACCOUNTS.name: msgspec.json.Decoder(Account).decode,
}


def take(
    location: StoreLocation, file: Path, keks: KeyEncryptionKeys, environment: str, at: Milliseconds
) -> dict[str, int]:
    """Write a backup of the store as of this instant, while it is in use; return the number of rows of each table.

    Raises StoreUnavailable if the store cannot be read, OSError if the file cannot be written; then no file remains.
    """
    counts: dict[str, int] = {}
    with location.snapshot() as transaction:
        log, blocks = transaction.last_numbers()
        names = tuple(table.name for table in BACKUP_TABLES)
        head = Head(environment=environment, taken_at=at, log=log, blocks=blocks, parts=names)
        tables = ((each, _counted(counts, each, _included(transaction.rows(each), each))) for each in BACKUP_TABLES)
        archive.write(file, keks, head, tables)
    return counts


def verify(file: Path, keks: KeyEncryptionKeys) -> tuple[Head, dict[str, int]]:
    """Read a backup to its end and return its head and the number of rows of each table.

    Raises ArchiveDamaged if the file is not as it was written, Unsealable for another key-encryption key.
    """
    counts: dict[str, int] = {}
    with archive.opened(file, keks) as found:
        for table, rows in _read(found, keks):
            for _ in _counted(counts, table, rows):
                pass
        return found.head, counts


def restore(
    file: Path,
    keks: KeyEncryptionKeys,
    location: StoreLocation,
    environment: str,
    at: Milliseconds,
    *,
    new_secrets: bool = False,
) -> tuple[Head, dict[str, int]]:
    """Create a store from a backup, completely or not at all; return the head and the number of rows of each table.

    With `new_secrets` the restored service makes a new key for digests too, and what the old key recognised is left out:
    client secrets, second factors and passkeys, wrong passwords. Links and invitations become invalid.

    Raises what `verify` raises, NotEmpty if the location contains a store, WrongEnvironment for another environment.
    """
    counts: dict[str, int] = {}
    with archive.opened(file, keks) as found:
        head = found.head
        if head.environment != environment:
            raise WrongEnvironment(f"This backup belongs to {head.environment}, not to {environment}.")
        with location.exclusive(create=True) as transaction:
            require_in_service(transaction.out_of_service())
            require_empty(transaction, location.name)
            for table, rows in _read(found, keks):
                kept = _without_digests(table, rows) if new_secrets else rows
                transaction.write(table, _counted(counts, table, kept))
            transaction.start_after(head.log + NUMBER_GAP, head.blocks + NUMBER_GAP)
            transaction.write(REPLAY_CACHE, [(b"", at + MAX_REPLAY_CACHE_MS)])
    return head, counts


class WrongEnvironment(OperatorError):
    """The backup belongs to another environment, whose applications and accounts must not work here (D18)."""


def _included(rows: Iterable[Row], table: StoreTable) -> Iterator[Row]:
    return (row for row in rows if table != SECRETS or not row[0].startswith(EXCLUDED_SECRETS))


def _read(found: Archive, keks: KeyEncryptionKeys) -> Iterator[tuple[StoreTable, Iterator[Row]]]:
    for table, rows in found.tables(BACKUP_TABLES):
        yield table, _checked(table, rows, keks)


def _checked(table: StoreTable, rows: Iterable[Row], keks: KeyEncryptionKeys) -> Iterator[Row]:
    """Yield the rows, after unsealing each secret and decoding each document."""
    decode = _DOCUMENTS.get(table.name)
    for row in rows:
        if table.name == SECRETS.name:
            unseal(keks, row[0], row[1])
        if decode is not None:
            try:
                decode(row[2])
            except msgspec.DecodeError as error:
                raise ArchiveDamaged(
                    f"A newer Credence made this archive: it cannot read a row of {table.name}."
                ) from error
        yield row


def _without_digests(table: StoreTable, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows without what only the key of digests recognises."""
    for row in rows:
        if table == SECRETS and row[0] != DIGEST_KEY:
            yield row
        elif table == APPLICATIONS:
            application = msgspec.structs.replace(_DOCUMENTS[table.name](row[2]), secrets=())
            yield (*row[:2], msgspec.json.encode(application))
        elif table == ACCOUNTS:
            yield row


def _counted(counts: dict[str, int], table: StoreTable, rows: Iterable[Row]) -> Iterator[Row]:
    counts[table.name] = 0
    for row in rows:
        counts[table.name] += 1
        yield row
