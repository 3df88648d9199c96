"""`credence token`: shows the claims and the state of a token, and revokes it (D6, D7, D11)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened_authority, settings_of
from credence.cli.operation_commands import add_to
from credence.cli.output import print_one, standard_input
from credence.clock import system_clock
from credence.management.tokens import inspected
from credence.operations.table import commands_of

commands = typer.Typer(help="Access and refresh tokens.")
add_to(commands, *commands_of("token"))

Token = Annotated[str, typer.Argument(help="The token, or - to read it from standard input.")]


@commands.command()
def inspect(token: Token, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the claims of a token of this deployment and its state."""
    now = system_clock()

    async def act() -> dict[str, object]:
        async with opened_authority(settings_of(data_dir), now) as authority:
            return await inspected(authority, _read(token), now)

    print_one(asyncio.run(act()), as_json=as_json)


def _read(token: str) -> str:
    return standard_input().strip() if token == "-" else token  # noqa: S105 - "-" means standard input
