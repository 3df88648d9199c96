"""`credence keys`: signing keys, their early or urgent replacement, and the key that seals them (D13, threats §5)."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from credence.cli import key_encryption_key
from credence.cli.deployment import AsJson, DataDir, opened, record, settings_of, time_of
from credence.cli.failure import NotFound
from credence.cli.output import instant, print_many, print_one, say
from credence.clock import system_clock
from credence.crypto.jwk import public_pem
from credence.deployment import key_encryption_keys
from credence.management.keys import algorithms_in_use, described, next_key
from credence.management.keys import roll as roll_to
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.schedule import KEY_SET_MAX_AGE_SECONDS, PlannedKey, plan
from credence.operations.audit_changes import changes

commands = typer.Typer(help="Signing keys, and the key that seals them.")

commands.command()(key_encryption_key.reseal)
commands.add_typer(key_encryption_key.commands, name="kek")

KeyId = Annotated[str, typer.Argument(metavar="KID", help="The key's id, as in the key set.")]


@commands.command("list")
def list_(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the keys with their states and dates."""
    settings, now = settings_of(data_dir), system_clock()

    async def act() -> list[dict[str, object]]:
        async with opened(settings) as store:
            return [described(key, now) for key in plan(await store.signing_keys())]

    print_many(asyncio.run(act()), as_json=as_json)


class Format(StrEnum):
    """The encoding of a public key."""

    PEM = "pem"
    JWK = "jwk"


@commands.command(context_settings={"ignore_unknown_options": True})  # a kid is base64url and may begin with a hyphen
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
            waiting = await next_key(store, algorithm, now)
            record(settings, "keys roll", changes({}, {"signs_from": instant(now)}), kid=waiting.kid)
            await roll_to(store, key_encryption_keys(settings), settings, waiting, now)
            return waiting

    print_one({"algorithm": algorithm, "signs_now": asyncio.run(act()).kid}, as_json=as_json)


@commands.command(context_settings={"ignore_unknown_options": True})  # a kid is base64url and may begin with a hyphen
def revoke(kid: KeyId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Revoke a key at once: it leaves the key set, its tokens are refused here, and the next key signs."""
    settings = settings_of(data_dir)

    async def act() -> None:
        async with opened(settings) as store:
            now = time_of(store)
            found = next((key for key in await store.signing_keys() if key.kid == kid), None)
            if found is None:
                raise NotFound(f"There is no signing key {kid}.")
            if found.revoked_at is not None:
                return
            record(settings, "keys revoke", changes({}, {"revoked_at": instant(now)}), kid=kid)
            await store.revoke_signing_key(kid, now)
            await rotate_keys(store, key_encryption_keys(settings), settings, await algorithms_in_use(store), now)

    asyncio.run(act())
    if not as_json:
        say(
            "Access tokens signed by this key are refused from now on; their clients refresh or log in again.\n"
            f"Another verifier with a cached key set may accept them for up to {KEY_SET_MAX_AGE_SECONDS} seconds more."
        )
    print_one({"revoked": kid}, as_json=as_json)
