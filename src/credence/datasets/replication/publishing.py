"""How a command publishes what it loads, removes or notes, on top of what is published already."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from credence.datasets import catalogue, disputes
from credence.datasets.catalogue import with_edition
from credence.datasets.disputes import DISPUTES
from credence.datasets.loading.alone import alone
from credence.datasets.publish import Publish, encode_entry
from credence.datasets.replication.fetching import SHARED_DATA_SETS, fetch_edition, outdated
from credence.store.postgres import credit_sets
from credence.store.postgres.credit_sets import published

NOTHING = ""
"""As the name of a file: the folder itself, which is no file."""


def publisher(address: str) -> Publish:
    """Return what publishes a data set in the store at this address.

    It raises Conflict when another edition is published than the one that what is here was made from.
    """

    def publish(name: str, content: Path | bytes | None, entry: bytes, base: str) -> str:
        return asyncio.run(credit_sets.publish(address, name, content, entry, bytes.fromhex(base))).hex()

    return publish


def catch_up(address: str, folder: Path, names: Sequence[str] = SHARED_DATA_SETS) -> None:
    """Have here what is published of these, since a load goes on from it. Raises what `fetch_edition` raises."""
    for each in outdated(folder, asyncio.run(published(address))):
        if each.name in names:
            asyncio.run(fetch_edition(address, folder, each))


def publish_local(address: str, folder: Path, names: Sequence[str]) -> list[str]:
    """Publish what is here of these in the place of whatever is published; without names, what nobody published yet.

    Returns what was. Conflict when somebody else publishes the same now.
    """
    newest = {each.name: each.edition.hex() for each in asyncio.run(published(address))}
    publish, done = publisher(address), []
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in names or [name for name in SHARED_DATA_SETS if name not in newest]:
        with alone(folder / name):
            entry = catalogue.read(folder).sources.get(name)
            file = folder / (disputes.NAME if name == DISPUTES else entry.file if entry else NOTHING)
            if file.is_file():
                edition = publish(name, file, encode_entry(entry) if entry else b"", newest.get(name, ""))
                catalogue.update(folder, partial(with_edition, name=name, edition=edition))
                done.append(name)
    return done
