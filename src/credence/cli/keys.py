"""`credence keys`: signing keys, their early or urgent replacement, and the key that seals them (D13, threats §5)."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from credence.cli import key_encryption_key
from credence.cli.deployment import DataDir, opened, settings_of
from credence.cli.failure import NotFound
from credence.cli.operation_commands import add_to
from credence.cli.output import say
from credence.crypto.jwk import public_pem
from credence.operations.signing_keys import revoke
from credence.operations.table import commands_of

commands = typer.Typer(help="Signing keys, and the key that seals them.")

commands.command()(key_encryption_key.reseal)
commands.add_typer(key_encryption_key.commands, name="kek")
for each in commands_of("keys"):
    # A kid is base64url and may begin with a hyphen.
    add_to(commands, each, context_settings={"ignore_unknown_options": each is revoke})


class Format(StrEnum):
    """The encoding of a public key."""

    PEM = "pem"
    JWK = "jwk"


@commands.command(context_settings={"ignore_unknown_options": True})
def export(
    kid: Annotated[str, typer.Argument(metavar="KID", help="The key's id, as in the key set.")],
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
