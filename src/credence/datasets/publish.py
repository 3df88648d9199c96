"""What is loaded here is published to the other nodes before it is served here; one node publishes nowhere.

So a load whose publication fails is one that failed: the old data set goes on serving everywhere.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from credence.datasets import catalogue
from credence.datasets.catalogue import Catalogue, Entry

Publish = Callable[[str, Path | bytes | None, bytes, str], str]
"""Publishes a data set by its name: its content, or None for one that was removed, its entry as `encoded` has it, in the
place of the edition that is named last. Returns the new edition. Raises when that cannot be, or when another is published.
"""


def nowhere(_name: str, _content: Path | bytes | None, _entry: bytes, _base: str) -> str:
    """Publish nothing: the deployment is one node."""
    return ""


def put_in_service(folder: Path, source: str, draft: Path, entry: Entry, publish: Publish) -> None:
    """Publish a finished draft and switch to it. Raises what `publish` raises, and OSError; the old one serves then."""
    edition = publish(source, draft, encoded(entry), base_of(catalogue.read(folder), source))
    catalogue.switch(folder, source, draft, entry, edition)


def take_out_of_service(folder: Path, source: str, publish: Publish) -> bool:
    """Tell that a source was removed and remove it; False when nothing of it was here."""
    held = catalogue.read(folder)
    edition = publish(source, None, b"", base_of(held, source)) if source in held.sources else ""
    return catalogue.remove(folder, source, edition)


def encoded(entry: Entry) -> bytes:
    """Return an entry as it is published: each node gives the file a name of its own."""
    return msgspec.json.encode(msgspec.structs.replace(entry, file=""))


def base_of(held: Catalogue, name: str) -> str:
    """Return the edition that what is here was made from."""
    return held.editions.get(name, "")
