"""`credence keys`: signing keys, their early or urgent replacement, and the key that seals them (D13, threats §5)."""

import asyncio
from collections.abc import Collection
from enum import StrEnum
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, record, settings_of, time_of
from credence.cli.failure import Failure, NotFound
from credence.cli.output import instant, print_many, print_one, say
from credence.clock import Milliseconds, system_clock
from credence.crypto.jwk import public_pem
from credence.crypto.sealing import KeyEncryptionKeys, is_sealed_by, new_key, seal, unseal
from credence.deployment import key_encryption_keys, write_key_encryption_keys
from credence.oauth.applications_index import algorithms_of
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.schedule import KEY_SET_MAX_AGE_SECONDS, SAFE_AFTER_MS, KeyState, PlannedKey, plan, state
from credence.settings import Settings
from credence.store.contract import Store

commands = typer.Typer(help="Signing keys, and the key that seals them.")

SERVER_NOTICE_SECONDS = 3
"""Seconds after which every running server applies a change of the store and has finished earlier work."""

KeyId = Annotated[str, typer.Argument(metavar="KID", help="The key's id, as in the key set.")]


@commands.command("list")
def list_(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the keys with their states and dates."""
    settings, now = settings_of(data_dir), system_clock()

    async def act() -> list[dict[str, object]]:
        async with opened(settings) as store:
            return [_row(key, now) for key in plan(await store.signing_keys())]

    print_many(asyncio.run(act()), as_json=as_json)


OnlyNode = Annotated[bool, typer.Option("--only-node", help="No other node uses this shared store.")]


class Format(StrEnum):
    """How a public key is written."""

    PEM = "pem"
    JWK = "jwk"


@commands.command(context_settings={"ignore_unknown_options": True})  # base64url: a key's id may begin with a hyphen
def export(
    kid: KeyId,
    form: Annotated[Format, typer.Option("--format", help="pem (SubjectPublicKeyInfo) or jwk.")] = Format.PEM,
    data_dir: DataDir = None,
) -> None:
    """Print the public half of a key, for verifiers that cannot fetch the key set."""
    settings = settings_of(data_dir)

    async def act() -> bytes:
        async with opened(settings) as store:
            for row in await store.signing_keys():
                if row.kid == kid:
                    return row.public
        raise NotFound(f"There is no signing key {kid}.")

    public = asyncio.run(act())
    say((public_pem(public) if form is Format.PEM else public.decode()).rstrip())


@commands.command()
def roll(
    algorithm: Annotated[str, typer.Argument(help="The algorithm whose next key signs from now on.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Let the next key sign now, if it was published long enough. Tokens of the last key stay valid."""
    settings = settings_of(data_dir)

    async def act() -> PlannedKey:
        async with opened(settings) as store:
            now = time_of(store)
            waiting = await _waiting(store, algorithm, now)
            knows = waiting.published_at + SAFE_AFTER_MS
            if now < knows:
                raise Failure(
                    f"Verifiers may not have the next key before {instant(knows)}: it was published less than "
                    f"{SAFE_AFTER_MS // 1000} seconds ago. In an emergency use: credence keys revoke."
                )
            record(settings, "keys roll", kid=waiting.kid)
            await store.advance_signing_key(waiting.kid, now, now)
            await rotate_keys(store, key_encryption_keys(settings), settings, await _used(store), now)
            return waiting

    print_one({"algorithm": algorithm, "signs_now": asyncio.run(act()).kid}, as_json=as_json)


@commands.command(context_settings={"ignore_unknown_options": True})  # base64url: a key's id may begin with a hyphen
def revoke(kid: KeyId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Revoke a key at once: it leaves the key set, its tokens are refused here, and the next key signs."""
    settings = settings_of(data_dir)

    async def act() -> None:
        async with opened(settings) as store:
            now = time_of(store)
            if kid not in {key.kid for key in await store.signing_keys()}:
                raise NotFound(f"There is no signing key {kid}.")
            record(settings, "keys revoke", kid=kid)
            if not await store.revoke_signing_key(kid, now):
                raise Failure(f"The signing key {kid} is already revoked.")
            await rotate_keys(store, key_encryption_keys(settings), settings, await _used(store), now)

    asyncio.run(act())
    if not as_json:
        say(
            "Access tokens signed by this key are refused from now on; their clients refresh or log in again.\n"
            f"Another verifier with a cached key set may accept them for up to {KEY_SET_MAX_AGE_SECONDS} seconds more."
        )
    print_one({"revoked": kid}, as_json=as_json)


@commands.command()
def reseal(only_node: OnlyNode = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Make a new key-encryption key and seal all keys and secrets with it, while the service runs.

    The new key is written into the file of this machine, so on a store that nodes share the command is refused.
    """
    settings, now = settings_of(data_dir), system_clock()
    if settings.key_encryption_key:
        raise Failure(
            "CREDENCE_KEY_ENCRYPTION_KEY: a running service cannot read a variable again. Put the key into a file, "
            "name it with CREDENCE_KEY_ENCRYPTION_KEY_FILE, restart, and reseal."
        )

    if settings.store and not only_node:
        raise Failure(
            "Nodes share this store, and the new key would be on this machine alone: the others could not open their keys. "
            "If no other node uses the store, say so with --only-node."
        )

    async def act() -> int:
        async with opened(settings) as store:
            record(settings, "keys reseal")
            return await _reseal(settings, store, now)

    print_one({"resealed": asyncio.run(act())}, as_json=as_json)


async def _reseal(settings: Settings, store: Store, now: Milliseconds) -> int:
    """Seal everything with a new key; the file has both keys until nothing needs the old one."""
    file, old = settings.key_encryption_key_path, key_encryption_keys(settings)
    both = KeyEncryptionKeys((new_key(), *old.keys))
    write_key_encryption_keys(file, both)  # first, so that every sealed value has its key at any moment
    count = 0
    while stale := {
        name: sealed for name, sealed in (await store.sealed_secrets()).items() if not _is_new(both, sealed)
    }:
        await store.reseal(
            {name: (sealed, seal(both, name, unseal(both, name, sealed))) for name, sealed in stale.items()}, now
        )
        count += len(stale)
        # A running server may still seal a key with the old one; after the notice it has read the new file.
        await asyncio.sleep(SERVER_NOTICE_SECONDS)
    write_key_encryption_keys(file, KeyEncryptionKeys(both.keys[:1]))
    return count


async def _used(store: Store) -> Collection[str]:
    return algorithms_of(await store.applications())


def _is_new(keks: KeyEncryptionKeys, sealed: bytes) -> bool:
    return is_sealed_by(keks.keys[0], sealed)


async def _waiting(store: Store, algorithm: str, now: Milliseconds) -> PlannedKey:
    for key in plan(await store.signing_keys()):
        if key.algorithm == algorithm and state(key, now) is KeyState.PUBLISHED:
            return key
    raise Failure(f"No {algorithm} key is waiting to sign.")


def _row(key: PlannedKey, now: Milliseconds) -> dict[str, object]:
    return {
        "kid": key.kid,
        "algorithm": key.algorithm,
        "state": str(state(key, now)),
        "published_at": instant(key.published_at),
        "signs_from": instant(key.signs_from),
        "retires_at": instant(key.retires_at),
        "removed_at": instant(key.removed_at),
        "revoked_at": instant(key.revoked_at),
    }
