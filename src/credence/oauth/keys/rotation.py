"""Creates signing keys before they are needed and deletes them afterwards, as scheduled (D13, threats §5)."""

import asyncio
from collections.abc import Collection, Sequence

from credence.clock import Milliseconds
from credence.crypto.jwk import generate
from credence.crypto.sealing import KeyEncryptionKeys, seal
from credence.oauth.keys.schedule import RETENTION_MS, KeyState, PlannedKey, plan, state, successor_due
from credence.oauth.keys.secrets import in_order
from credence.oauth.tokens import id_token
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.signing_keys import SigningKeyRow, private_key_name

DAY_MS = 86_400_000

PRIVATE_KEY_RETENTION_MS = 60_000
"""How long a retired key's private half is kept, so that a retried refresh gets the same bytes (D7, threats §6)."""


async def rotate_keys(
    store: Store, keks: KeyEncryptionKeys, settings: Settings, used: Collection[str], now: Milliseconds
) -> None:
    """Publish the keys that are due, delete private halves of retired keys, and delete keys that no token depends on.

    Keys exist for the algorithms that applications are registered for (`used`), and for those that the service always
    needs: its default, and RS256 for ID tokens and introspection answers.
    """
    needed = _needed(settings, used)
    for algorithm in needed:
        await _publish_due(store, keks, settings, algorithm, now)
    await _withdraw_unused(store, needed, now)
    for key in plan(await store.signing_keys()):
        if key.retires_at is not None and now >= key.retires_at + PRIVATE_KEY_RETENTION_MS:
            await store.delete_sealed_secret(private_key_name(key.kid))
        if key.forgotten_at is not None and now >= key.forgotten_at:
            await store.delete_signing_key(key.kid, now)


async def first_keys(
    store: Store, keks: KeyEncryptionKeys, settings: Settings, used: Collection[str], now: Milliseconds
) -> None:
    """Publish keys of the needed algorithms that have none, as at the first start of a deployment.

    A start changes no other keys, because with a wrong clock it would set dates years away (threats T11).
    """
    await publish_ahead(store, keks, settings, _needed(settings, used), now)


async def publish_ahead(
    store: Store, keks: KeyEncryptionKeys, settings: Settings, algorithms: Collection[str], now: Milliseconds
) -> None:
    """Publish keys of those of these algorithms that have none; called before an application that needs them is saved."""
    having = {row.algorithm for row in await store.signing_keys() if row.revoked_at is None}
    for algorithm in settings.algorithms:
        if algorithm in algorithms and algorithm not in having:
            await _publish_due(store, keks, settings, algorithm, now)


def _needed(settings: Settings, used: Collection[str]) -> list[str]:
    always = {settings.algorithm, id_token.ALGORITHM}
    return [name for name in settings.algorithms if name in always or name in used]


async def _publish_due(
    store: Store, keks: KeyEncryptionKeys, settings: Settings, algorithm: str, now: Milliseconds
) -> None:
    for _ in range(2):  # a new algorithm needs a key that signs and one that is published
        keys = [key for key in plan(await store.signing_keys()) if key.algorithm == algorithm]
        if successor_due(keys, algorithm, now):
            await _publish_next(store, keks, settings, algorithm, keys, now)


async def _withdraw_unused(store: Store, needed: Collection[str], now: Milliseconds) -> None:
    """Remove the keys of algorithms that are no longer used, once no token that they signed is valid.

    First the published key that does not sign yet is revoked. Its row is kept for the maximum lifetime of a token, so it
    shows when the algorithm was last used; after the row was deleted, the key that signed is deleted too.
    """
    found = plan(await store.signing_keys())
    for algorithm in {key.algorithm for key in found}.difference(needed):
        keys = [key for key in found if key.algorithm == algorithm]
        waiting = [key for key in keys if state(key, now) is KeyState.PUBLISHED]
        for key in waiting:
            await store.revoke_signing_key(key.kid, now)
        if waiting or any(key.revoked_at is not None for key in keys):
            continue
        for key in keys:
            if now >= key.signs_from + RETENTION_MS:
                await store.delete_signing_key(key.kid, now)


async def _publish_next(
    store: Store,
    keks: KeyEncryptionKeys,
    settings: Settings,
    algorithm: str,
    keys: Sequence[PlannedKey],
    now: Milliseconds,
) -> None:
    # In a thread: generating an RSA key takes tenths of a second, and no request waits for it (threats F10).
    new = await asyncio.to_thread(generate, algorithm)
    row = SigningKeyRow(new.kid, algorithm, new.public, published_at=now, signs_from=_next_start(keys, settings, now))
    sealed = seal(await in_order(store, keks), private_key_name(new.kid), new.private)
    await store.add_signing_key(row, sealed, after=keys[-1].kid if keys else None, at=now)


def _next_start(keys: Sequence[PlannedKey], settings: Settings, now: Milliseconds) -> Milliseconds:
    serving = [key for key in keys if state(key, now) is KeyState.SIGNING]
    if not serving:  # the first key of a deployment, or the last one was revoked
        return now
    return max(serving[-1].signs_from + settings.key_age_days * DAY_MS, now + settings.key_lead_days * DAY_MS)
