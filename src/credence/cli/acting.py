"""The operator of this machine, as operations know who acts."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

from credence.cli.deployment import digest_key, opened, operator, record_line, time_of
from credence.clock import system_clock
from credence.deployment import key_encryption_keys
from credence.operations.acting import Acting, Means
from credence.settings import Settings


@asynccontextmanager
async def acting(
    settings: Settings, *, make: bool = False, needs_store: bool = True, through: str = ""
) -> AsyncIterator[Acting]:
    """Open the deployment for one command: its store, unless the command is on what is in files.

    `through` is for the audit trail, if the command does the acts of others.
    """
    read_keks = partial(key_encryption_keys, settings)

    named = {"through": through} if through else {}

    async def record(line: Mapping[str, object]) -> None:
        await asyncio.to_thread(record_line, settings, {"operator": operator(), **named, **line})

    if not needs_store:

        async def no_key() -> bytes:
            raise LookupError("this command was opened without the store")

        yield Acting(Means(settings, None, read_keks, no_key), system_clock, operator(), record)
        return
    async with opened(settings, make=make) as store:
        means = Means(settings, store, read_keks, partial(digest_key, settings, store))
        yield Acting(means, partial(time_of, store), operator(), record)
