"""Fetches published credit data; a published edition replaces the data set of this node.

A data set is fetched into a staging file, compared with its digests, opened as readers open it, and then activated. After
an error the old one stays in service, and the catalogue lists the newer one as pending.
"""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import msgspec

from credence.clock import day_start
from credence.datasets import catalogue, disputes, holds
from credence.datasets.catalogue import Catalogue, CatalogueEntry
from credence.datasets.disputes import DISPUTES, DisputesDamaged
from credence.datasets.fact_kinds import FACT_KINDS, REGISTER
from credence.datasets.holds import HOLDS, HoldsDamaged
from credence.datasets.loading.staging import source_lock, staging_file
from credence.datasets.score_reader import SCORES
from credence.datasets.sources.source import LoadError
from credence.datasets.status import fault_of
from credence.store.postgres.credit_sets import NotWritten, Published, SetDamaged, fetch

SHARED_DATA_SETS = (REGISTER, *(part.source for part in FACT_KINDS), SCORES, DISPUTES, HOLDS)
"""The names of the shared data sets. Names that a later version adds are ignored."""

_LAST_INSTANT = day_start(dt.date.max)
"""Later times are no dates; every report and list of the data would fail to show them."""


def outdated(folder: Path, published: Sequence[Published]) -> list[Published]:
    """Return the published data sets of which this node has another edition, and list them as pending in the catalogue."""
    current = catalogue.read(folder)
    newer = [
        each
        for each in published
        if each.name in SHARED_DATA_SETS and current.editions.get(each.name) != each.edition.hex()
    ]
    pending = tuple(each.name for each in newer if not each.removed)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if pending != current.pending:

        def with_pending(current: Catalogue) -> Catalogue:
            return msgspec.structs.replace(current, pending=pending)

        catalogue.update(folder, with_pending)
    return newer


async def fetch_edition(address: str, folder: Path, newest: Published, rest_ratio: float = 0) -> None:
    """Put the newest edition of one data set into service, or remove the source if its removal was published.

    For each second of processor time the fetch sleeps `rest_ratio` seconds. Raises LoadError if the edition is damaged or
    of another layout, if a load of the source is running here, and if the disk cannot be written; Superseded,
    StoreUnavailable. The old data set then stays.
    """
    edition = newest.edition.hex()
    if newest.removed:
        with source_lock(folder / newest.name):
            catalogue.remove(folder, newest.name, edition)
        return
    with staging_file(folder, newest.name) as staged:
        try:
            entry = await fetch(address, newest.edition, staged, rest_ratio)
            if newest.name == DISPUTES:
                disputes.replace_all(folder, staged.read_bytes(), edition)
            elif newest.name == HOLDS:
                holds.replace_all(folder, staged.read_bytes(), edition)
            else:
                catalogue.activate(folder, newest.name, staged, _usable(folder, newest.name, staged, entry), edition)
        except NotWritten as error:
            raise LoadError(f"The data set cannot be written to {folder}: {error}.") from error
        except (SetDamaged, DisputesDamaged, HoldsDamaged, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LoadError(f"The published {newest.name} cannot be used: {error}") from error


def _usable(folder: Path, name: str, staged: Path, entry: bytes) -> CatalogueEntry:
    """Return the entry of a staging file that this version can open. Raises LoadError, msgspec.DecodeError."""
    decoded = msgspec.json.decode(entry, type=CatalogueEntry)
    if not 0 <= decoded.loaded_at < _LAST_INSTANT:
        raise LoadError(f"The published {name} cannot be used: the time of its load is no date.")
    error = fault_of(folder, name, msgspec.structs.replace(decoded, file=staged.name))
    if error is not None:
        raise LoadError(f"The published {name} is not for this version: {error}")
    return decoded
