"""Publishes a new data set to the other nodes before this node serves it; a node without a shared store publishes nothing.

If the publication fails, the load fails: the old data set stays in service on every node.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from credence.datasets import catalogue
from credence.datasets.catalogue import Catalogue, CatalogueEntry

PAUSES_SECONDS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""The pauses between attempts to fetch or change a shared data set that another process or node has at the moment.

A small data set is fetched or published in some hundredths of a second.
"""


class Publish(Protocol):
    """Publishes a data set and returns its new edition, in hexadecimal."""

    def __call__(
        self, name: str, content: Path | bytes | None, entry: bytes, base: str, /, *, unless_held: bool = False
    ) -> str:
        """Publish `content`, None for a removed data set, with its entry as `encode_entry` writes it.

        `base` is the edition it was made from. With `unless_held`, SourceHeld refuses it if any node holds the source by the
        moment in which it becomes current. Raises Conflict when another edition has been published since, StoreUnavailable
        when the store fails.
        """


def publish_nowhere(_name: str, _content: Path | bytes | None, _entry: bytes, _base: str, /, **_: bool) -> str:
    """Do nothing: the node has no shared store."""
    return ""


def put_in_service(
    folder: Path,
    source: str,
    staged: Path,
    entry: CatalogueEntry,
    publish: Publish,
    check: Callable[[Catalogue], None] = lambda _: None,
) -> None:
    """Publish a complete staging file and activate it.

    `check` raises an error for a catalogue that must stay as it is: it is called before the publication and, if nothing was
    published, once more under the lock of the catalogue. After its errors, those of `publish` and an OSError the old data
    set stays. A published one is put into service in any case, because the other nodes fetch it.
    """
    current = catalogue.read(folder)
    check(current)
    edition = publish(source, staged, encode_entry(entry), base_edition(current, source))
    if edition:
        catalogue.activate(folder, source, staged, entry, edition)
    else:
        catalogue.activate(folder, source, staged, entry, check=check)


def take_out_of_service(folder: Path, source: str, publish: Publish) -> bool:
    """Publish the removal of a source and remove it; return False if it had no data set here."""
    current = catalogue.read(folder)
    edition = publish(source, None, b"", base_edition(current, source)) if source in current.sources else ""
    return catalogue.remove(folder, source, edition)


def encode_entry(entry: CatalogueEntry) -> bytes:
    """Return an entry as it is published: without the file name, which differs on each node."""
    return msgspec.json.encode(msgspec.structs.replace(entry, file=""))


def base_edition(current: Catalogue, name: str) -> str:
    """Return the edition from which this node's data set was made; empty if the data set is not published."""
    return current.editions.get(name, "")
