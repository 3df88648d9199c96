"""`credence store copy`: moves a running deployment to another database; its tokens stay valid (threats §6)."""

from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, place, record, settings_of
from credence.cli.failure import WrongUsage
from credence.cli.output import print_one, say
from credence.clock import system_clock
from credence.crypto import base64url
from credence.crypto.randomness import random_bytes
from credence.deployment import key_encryption_keys
from credence.oauth.keys.secrets import require_ours
from credence.store.transfer.move import move

commands = typer.Typer(help="The store as a whole.")


@commands.callback()
def group() -> None:
    """Make `copy` a command of a group although it is the only one."""


@commands.command()
def copy(
    origin: Annotated[str, typer.Argument(metavar="FROM", help="Data folder, SQLite file, or file with the address.")],
    destination: Annotated[str, typer.Argument(metavar="TO", help="The same, without a store yet.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Move the store. From then on servers on the old store answer 500; servers on the new one continue.

    Every token stays valid. After an interruption run the same command again; at most one of the two stores serves.
    """
    settings, here, there = settings_of(data_dir), place(origin), place(destination)
    if here.name == there.name:
        raise WrongUsage("A store cannot be copied onto itself.")
    keks = key_encryption_keys(settings)
    record(settings, "store copy", origin=here.name, destination=there.name)
    counts = move(
        here,
        there,
        lambda secrets: require_ours(secrets, keks, settings.environment),
        base64url.encode(random_bytes(16)),
        system_clock(),
    )
    if not as_json:
        say(f"The store is in {there.name}; {here.name} is out of service. Start the servers on the new store.")
    print_one(counts, as_json=as_json)
