"""What is loaded here is published to the other nodes before it is served here; one node publishes publish_nowhere.

So a load whose publication fails is one that failed: the old data set goes on serving everywhere.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from credence.datasets import catalogue
from credence.datasets.catalogue import Catalogue, CatalogueEntry

Publish = Callable[[str, Path | bytes | None, bytes, str], str]
"""Publishes a data set and returns its new edition, in hexadecimal.

Parameters: the data set's name; its content, None for a removed one; its entry as `encode_entry` writes it; the edition it
was made from. Raises Conflict when another edition has been published since, StoreUnavailable when the store fails.
"""


def publish_nowhere(_name: str, _content: Path | bytes | None, _entry: bytes, _base: str) -> str:
    """Publish nothing: the deployment is one node."""
    return ""


def put_in_service(folder: Path, source: str, draft: Path, entry: CatalogueEntry, publish: Publish) -> None:
    """Publish a finished draft and switch to it. Raises what `publish` raises, and OSError; the old one serves then."""
    edition = publish(source, draft, encode_entry(entry), base_edition(catalogue.read(folder), source))
    catalogue.activate(folder, source, draft, entry, edition)


def take_out_of_service(folder: Path, source: str, publish: Publish) -> bool:
    """Tell that a source was removed and remove it; False when nothing of it was here."""
    held = catalogue.read(folder)
    edition = publish(source, None, b"", base_edition(held, source)) if source in held.sources else ""
    return catalogue.remove(folder, source, edition)


def encode_entry(entry: CatalogueEntry) -> bytes:
    """Return an entry as it is published: each node gives the file a name of its own."""
    return msgspec.json.encode(msgspec.structs.replace(entry, file=""))


def base_edition(held: Catalogue, name: str) -> str:
    """Return the edition that what is here was made from."""
    return held.editions.get(name, "")
