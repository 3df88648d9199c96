"""Publishes the loads, removals and disputes of commands and of the API, each based on the published edition."""

import asyncio
from collections.abc import Container, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from credence.clock import sleep
from credence.datasets import catalogue, disputes
from credence.datasets.catalogue import with_edition
from credence.datasets.disputes import DISPUTES
from credence.datasets.holds import HOLDS, encoded, require_released, require_released_in
from credence.datasets.loading.staging import source_lock
from credence.datasets.publish import PAUSES_SECONDS, Publish, encode_entry
from credence.datasets.replication.fetching import SHARED_DATA_SETS, fetch_edition, outdated
from credence.datasets.sources.source import LoadRunning
from credence.store.contract import StoreUnavailable
from credence.store.postgres import credit_sets
from credence.store.postgres.credit_sets import Condition, Superseded, published


def publisher(address: str) -> Publish:
    """Return the function that publishes a data set in the store at this address.

    It raises Conflict if the published edition is not the one from which the new one was made.
    """

    def publish(
        name: str, content: Path | bytes | None, entry: bytes, base: str, /, *, unless_held: bool = False
    ) -> str:
        condition = Condition(HOLDS, partial(require_released_in, source=name)) if unless_held else None
        return asyncio.run(credit_sets.publish(address, name, content, entry, bytes.fromhex(base), condition)).hex()

    return publish


def catch_up(
    address: str,
    folder: Path,
    names: Container[str] = SHARED_DATA_SETS,
    pauses_seconds: Iterable[float] = PAUSES_SECONDS,
) -> None:
    """Fetch the newest editions of these data sets, because a load extends them. Raises as `fetch_edition` does.

    While another process of this node fetches one, or another node replaces it, it is tried again after each of these
    pauses; then LoadRunning and StoreUnavailable are raised.
    """
    for pause in chain(pauses_seconds, (None,)):
        try:
            for each in outdated(folder, asyncio.run(published(address))):
                if each.name in names:
                    asyncio.run(fetch_edition(address, folder, each))
        except (LoadRunning, Superseded) as error:
            if pause is None and isinstance(error, LoadRunning):
                raise
            if pause is None:
                raise StoreUnavailable("other nodes publish the same data set at the same time") from error
            sleep(pause)
        else:
            return


def publish_local(address: str, folder: Path, names: Sequence[str]) -> list[str]:
    """Publish these data sets of this node in place of the published ones; without names, all that are not published.

    Returns the names of the published data sets. Raises SourceHeld for a held source among `names`, before anything is
    published, and Conflict if another node publishes one at the same time.
    """
    newest = {each.name: each.edition.hex() for each in asyncio.run(published(address))}
    publish, names_published = publisher(address), []
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if names and HOLDS not in names:
        catch_up(address, folder, [HOLDS])
    for name in names:  # all before the first is published, and each again when it is locked
        require_released(folder, name)
    for name in names or [name for name in SHARED_DATA_SETS if name not in newest]:
        with source_lock(folder / name):
            if names:
                require_released(folder, name)
            current = catalogue.read(folder)
            entry = current.sources.get(name)
            content: Path | bytes = folder / (disputes.NAME if name == DISPUTES else entry.file if entry else "-")
            if name == HOLDS and current.holds:
                content = encoded(current.holds)
            if isinstance(content, bytes) or content.is_file():
                described, base = encode_entry(entry) if entry else b"", newest.get(name, "")
                edition = publish(name, content, described, base, unless_held=bool(names))
                catalogue.update(folder, partial(with_edition, name=name, edition=edition))
                names_published.append(name)
    return names_published
