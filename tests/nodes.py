"""Servers of one deployment over one PostgreSQL, as an operator runs them: the same issuer, the same key-encryption key."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.running import RunningServer, start

ISSUER = "https://credence.test"
KEY = "0123456789abcdef" * 4


def shared(url: str) -> dict[str, str]:
    """What every node of a deployment over the database at `url` is told."""
    return {"CREDENCE_STORE": url, "CREDENCE_KEY_ENCRYPTION_KEY": KEY, "CREDENCE_BASE_URL": ISSUER}


@contextmanager
def nodes(folder: Path, url: str, count: int, **variables: str) -> Iterator[list[RunningServer]]:
    """That many nodes of one sandbox over plain HTTP; they share its folder, and so its credentials."""
    with ExitStack() as stopping:
        started = []
        for number in range(count):
            output = folder / f"output-{number}.txt"
            node = start(folder / "data", output, "--http", **(shared(url) | variables))
            stopping.callback(node.stop)
            started.append(node)
        yield started
