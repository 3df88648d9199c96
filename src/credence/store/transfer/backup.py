"""What a backup holds, and what a restored store is: `docs/adr/backup.md` gives the reasons (threats F6).

A restore brings back who may come in, and nothing that came of it: no family, no token, and none of the keys that they were
signed or marked with. What is not there cannot live again, whatever was revoked or spent after the backup was taken.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys, unseal
from credence.errors import OperatorError
from credence.store.contract import MAX_REPLAY_CACHE_MS
from credence.store.records import Account, Application, private_key_name
from credence.store.transfer import archive
from credence.store.transfer.archive import Archive, ArchiveDamaged, Head
from credence.store.transfer.location import StoreLocation
from credence.store.transfer.move import require_empty
from credence.store.transfer.out_of_service import require_in_service
from credence.store.transfer.parts import ACCOUNTS, APPLICATIONS, SECRETS, SPENT, TALLIES, Part, Row

PARTS = (APPLICATIONS, ACCOUNTS, SECRETS, TALLIES)

LEFT_OUT = ("refresh-key", private_key_name(""))
"""What the names of sealed secrets begin with that mark or sign tokens: a restored service makes others."""

APART = 2**36
"""How far the numbers of a restored store are from those of its backup: what was given out in between is not known.

At 5,000 logins a second, a status block each, that is 159 days. The number of a status list has at most nine digits
(`web/endpoints/status_lists.py`), so there is room for some nine hundred restores.
"""

_DOCUMENTS = {
    APPLICATIONS.table: msgspec.json.Decoder(Application).decode,
    ACCOUNTS.table: msgspec.json.Decoder(Account).decode,
}


def take(
    place: StoreLocation, file: Path, keks: KeyEncryptionKeys, environment: str, at: Milliseconds
) -> dict[str, int]:
    """Write a backup of the store as it is at this instant, while it is in use; return the number of rows of each part.

    StoreUnavailable when it cannot be read, OSError when the file cannot be written: then there is none.
    """
    counts: dict[str, int] = {}
    with place.snapshot() as whole:
        log, blocks = whole.numbers()
        tables = tuple(part.table for part in PARTS)
        head = Head(environment=environment, taken_at=at, log=log, blocks=blocks, parts=tables)
        archive.write(
            file, keks, head, ((part, _counted(counts, part, _kept(whole.rows(part), part))) for part in PARTS)
        )
    return counts


def verify(file: Path, keks: KeyEncryptionKeys) -> tuple[Head, dict[str, int]]:
    """Read a backup to its end and return its head and the number of rows of each part.

    ArchiveDamaged when anything is not as it was written, Unsealable when the key-encryption key does not open it.
    """
    counts: dict[str, int] = {}
    with archive.opened(file, keks) as found:
        for part, rows in _read(found, keks):
            for _ in _counted(counts, part, rows):
                pass
        return found.head, counts


def restore(
    file: Path, keks: KeyEncryptionKeys, place: StoreLocation, environment: str, at: Milliseconds
) -> tuple[Head, dict[str, int]]:
    """Make a store of a backup where there is none, whole or not at all. Raises what `verify` raises, NotEmpty where
    there is one, and WrongEnvironment for a backup of another environment.
    """
    counts: dict[str, int] = {}
    with archive.opened(file, keks) as found:
        head = found.head
        if head.environment != environment:
            raise WrongEnvironment(f"This backup belongs to {head.environment}, not to {environment}.")
        with place.exclusive(create=True) as whole:
            require_in_service(whole.aside())
            require_empty(whole, place.name)
            for part, rows in _read(found, keks):
                whole.write(part, _counted(counts, part, rows))
            whole.start_after(head.log + APART, head.blocks + APART)
            whole.write(SPENT, [(b"", at + MAX_REPLAY_CACHE_MS)])
    return head, counts


class WrongEnvironment(OperatorError):
    """The backup belongs to another environment: what was registered there must not work here (D18)."""


def _kept(rows: Iterable[Row], part: Part) -> Iterator[Row]:
    return (row for row in rows if part != SECRETS or not row[0].startswith(LEFT_OUT))


def _read(found: Archive, keks: KeyEncryptionKeys) -> Iterator[tuple[Part, Iterator[Row]]]:
    for part, rows in found.parts(PARTS):
        yield part, _sound(part, rows, keks)


def _sound(part: Part, rows: Iterable[Row], keks: KeyEncryptionKeys) -> Iterator[Row]:
    """Yield the rows; the key opens every secret, and every document can be understood."""
    decode = _DOCUMENTS.get(part.table)
    for row in rows:
        if part.table == SECRETS.table:
            unseal(keks, row[0], row[1])
        if decode is not None:
            try:
                decode(row[2])
            except msgspec.DecodeError as error:
                raise ArchiveDamaged(f"A newer Credence made this archive: {part.table} say more.") from error
        yield row


def _counted(counts: dict[str, int], part: Part, rows: Iterable[Row]) -> Iterator[Row]:
    counts[part.table] = 0
    for row in rows:
        counts[part.table] += 1
        yield row
