"""The operator of this machine, as operations know who acts."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

from credence.cli.deployment import digest_key, opened, operator, record_line, time_of
from credence.deployment import key_encryption_keys
from credence.operations.acting import Acting, Means
from credence.settings import Settings


@asynccontextmanager
async def acting(settings: Settings, *, make: bool = False, through: str = "") -> AsyncIterator[Acting]:
    """Open the store of the deployment for one command; `through` names what acts for the operator, if that is a file."""
    async with opened(settings, make=make) as store:
        means = Means(settings, store, partial(key_encryption_keys, settings), partial(digest_key, settings, store))

        async def record(line: Mapping[str, object]) -> None:
            named = {"operator": operator(), **({"through": through} if through else {})}
            await asyncio.to_thread(record_line, settings, {**named, **line})

        yield Acting(means, partial(time_of, store), operator(), record)
