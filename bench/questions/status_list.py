"""How large is the status list of a million live tokens, and how long does it take to make (docs/verifying.md)?

Two kinds: tokens that applications got for themselves, a million of which fill a list and are revoked one by one; and
logins, 65,536 of which fill one however often they refresh, each of an account that is not in memory: the dearest there
are. In one process, on a real SQLite file, without HTTP.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path

from bench.measurement import Figure, Measurement, Target
from bench.rounds import Plan
from credence.app import open_authority
from credence.crypto.sealing import KeyEncryptionKeys, new_key
from credence.identity import accounts, applications
from credence.oauth.authority import Authority
from credence.oauth.status_lists import TTL_SECONDS, StatusLists
from credence.oauth.tokens.access_token import family_sid, new_token_id
from credence.oauth.tokens.refresh_token import new_family_id
from credence.oauth.tokens.status_claim import BLOCKS_OF_LIST, PLACES_OF_BLOCK, with_place
from credence.settings import Settings
from credence.store.records import StatusBlock
from credence.store.sqlite.store import SqliteStore

NOW = 1_700_000_000_000
LATER = NOW + 86_400_000
TOKENS = 1_000_000
SHARES = (0.0, 0.001, 0.01, 0.1)
"""Of the tokens or logins: how many are revoked."""

AT_ONCE = 2_000
"""Writes under way while the store is filled."""

LOOK_EVERY = 0.001
"""Seconds between two turns of the one who waits while a list is made."""

WAIT = Target(50, at="most")
"""Milliseconds for which the making of a list may keep others waiting."""

Fill = Callable[[Authority], Awaitable[list[str]]]
"""Fills a store and returns what there is to revoke."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the cost of a list and its size, by kind and share; and the longest that anything else waited for one."""
    for kind, fill in (("tokens", _fill_with_tokens), ("logins", _fill_with_logins)):
        folder = plan.deployment.folder / f"status-list-of-{kind}"
        folder.mkdir()
        yield from asyncio.run(_measured(folder, kind, fill, plan.rounds))


async def _measured(folder: Path, kind: str, fill: Fill, rounds: int) -> list[Measurement]:
    settings = Settings(data_dir=folder, status_list=True, algorithm="ES256")
    store, keks = SqliteStore(settings.sqlite_file), KeyEncryptionKeys((new_key(),))
    authority = await open_authority(settings, store, lambda: keks, NOW)
    found, waits = [], []
    try:
        subjects = await fill(authority)
        random.Random(1).shuffle(subjects)  # noqa: S311 - repeatable on purpose
        done = 0
        for share in SHARES:
            wanted = round(share * len(subjects))
            await _each(store.revoke_token(subject, LATER) for subject in subjects[done:wanted])
            done = wanted
            runs = [await _made(authority) for _ in range(rounds)]
            waits += [wait for _, wait, _, _ in runs]
            _, _, plain, gzipped = runs[-1]
            name, more = f"status list, {kind}, {share:.1%} revoked", {"gzipped_kb": gzipped}
            found.append(Measurement(name, "ms of processor", tuple(Figure(took) for took, *_ in runs)))
            found.append(Measurement(name, "kB", (Figure(plain),), more=more))
    finally:
        await authority.passwords.close()
        await store.close()
    return [*found, Measurement(f"status list, {kind}, wait", "ms", tuple(map(Figure, waits)), target=WAIT)]


async def _made(authority: Authority) -> tuple[float, float, float, float]:
    """Return the milliseconds of processor that a new list took, those of the longest wait, and its two sizes in kB."""
    longest = 0.0

    async def wait() -> None:
        nonlocal longest
        while True:
            due = time.perf_counter() + LOOK_EVERY
            await asyncio.sleep(LOOK_EVERY)
            longest = max(longest, time.perf_counter() - due)

    other = asyncio.create_task(wait())
    started = time.process_time()
    made = await StatusLists().current(authority, 0, NOW + TTL_SECONDS * 1000)
    took = time.process_time() - started
    other.cancel()
    if made is None:
        raise LookupError("the list was filled")
    return took * 1000, longest * 1000, len(made.token) / 1000, len(made.gzipped) / 1000


async def _fill_with_tokens(authority: Authority) -> list[str]:
    client_id = await _application(authority)
    block = StatusBlock(client_id, "", b"", NOW, LATER)
    numbers = await authority.store.open_status_blocks(block, TOKENS // PLACES_OF_BLOCK)
    places = range(numbers[0] * PLACES_OF_BLOCK, numbers[-1] * PLACES_OF_BLOCK + PLACES_OF_BLOCK)
    return [with_place(new_token_id(), place) for place in places]


async def _fill_with_logins(authority: Authority) -> list[str]:
    client_id, store = await _application(authority), authority.store
    names = [f"user-{number}@example.com" for number in range(BLOCKS_OF_LIST - 1)]
    blocks = [StatusBlock(client_id, name, new_family_id(LATER), NOW, LATER) for name in names]
    await _each(store.save_account(accounts.register(name, "user", "", NOW, email=name), NOW) for name in names)
    await _each(store.open_status_blocks(block, 1) for block in blocks)
    return [family_sid(block.family_id) for block in blocks]


async def _application(authority: Authority) -> str:
    application, _ = applications.register("Ledger", "sbx", authority.secrets.digest, NOW)
    await authority.store.save_application(application, NOW)
    return application.client_id


async def _each(writes: Iterable[Awaitable[object]]) -> None:
    """Do all of it, many at a time."""
    under_way: list[Awaitable[object]] = []
    for write in writes:
        under_way.append(write)
        if len(under_way) == AT_ONCE:
            await asyncio.gather(*under_way)
            under_way.clear()
    await asyncio.gather(*under_way)
