"""Brings the credit data of this node up to what is published: what is published counts, whatever was here.

A data set is fetched into a draft, compared with its digests, opened as a reader would, and only then switched to. Whatever
goes wrong before that, the old one goes on serving and the catalogue says that a newer one is pending.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from credence.datasets import catalogue, disputes
from credence.datasets.catalogue import Catalogue, CatalogueEntry
from credence.datasets.disputes import DISPUTES, DisputesDamaged
from credence.datasets.fact_kinds import FACT_KINDS, REGISTER
from credence.datasets.loading.alone import alone
from credence.datasets.loading.draft import draft_of
from credence.datasets.score_reader import SCORES
from credence.datasets.sources import LoadError
from credence.datasets.status import fault_of
from credence.store.postgres.credit_sets import NotWritten, Published, SetDamaged, fetch

SHARED_DATA_SETS = (REGISTER, *(part.source for part in FACT_KINDS), SCORES, DISPUTES)
"""What nodes share, by the names under which it is published. Of a later version there may be more, which is passed over."""


def outdated(folder: Path, published: Sequence[Published]) -> list[Published]:
    """Return what is published in another edition than is here, and write down for readers what they wait for."""
    held = catalogue.read(folder)
    found = [
        each
        for each in published
        if each.name in SHARED_DATA_SETS and held.editions.get(each.name) != each.edition.hex()
    ]
    pending = tuple(each.name for each in found if not each.removed)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if pending != held.pending:

        def note(held: Catalogue) -> Catalogue:
            return msgspec.structs.replace(held, pending=pending)

        catalogue.update(folder, note)
    return found


async def fetch_edition(address: str, folder: Path, newest: Published, rest: float = 0) -> None:
    """Have the newest edition of one data set here in service, or the source removed if that is what was published.

    `rest` is how many seconds follow each second of processor time.

    LoadError when it is damaged or of no use to this program, while somebody loads the source here, and for a disk that does
    not fetch_edition it; Superseded, StoreUnavailable. What was here is then as it was.
    """
    edition = newest.edition.hex()
    if newest.removed:
        with alone(folder / newest.name):
            catalogue.remove(folder, newest.name, edition)
        return
    with draft_of(folder, newest.name) as draft:
        try:
            entry = await fetch(address, newest.edition, draft, rest)
            if newest.name == DISPUTES:
                disputes.replace_all(folder, draft.read_bytes(), edition)
            else:
                catalogue.activate(folder, newest.name, draft, _usable(folder, newest.name, draft, entry), edition)
        except NotWritten as error:
            raise LoadError(f"The data set cannot be written to {folder}: {error}.") from error
        except (SetDamaged, DisputesDamaged, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LoadError(f"The published {newest.name} cannot be used: {error}") from error


def _usable(folder: Path, name: str, draft: Path, entry: bytes) -> CatalogueEntry:
    """Return the entry of a draft that readers of this version can open. Raises LoadError, msgspec.DecodeError."""
    decoded = msgspec.json.decode(entry, type=CatalogueEntry)
    fault = fault_of(folder, name, msgspec.structs.replace(decoded, file=draft.name))
    if fault is not None:
        raise LoadError(f"The published {name} is not for this version: {fault}")
    return decoded
