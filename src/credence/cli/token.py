"""`credence token`: shows the claims and the state of a token, and revokes it (D6, D7, D11)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened_authority, record, settings_of, time_of
from credence.cli.failure import Failure, NotFound, WrongContent
from credence.cli.output import print_one, standard_input
from credence.clock import system_clock
from credence.management.tokens import ExpiredToken, ForeignToken, client_of, inspected
from credence.oauth.revoke import revoke as revoke_token

commands = typer.Typer(help="Access and refresh tokens.")

Token = Annotated[str, typer.Argument(help="The token, or - to read it from standard input.")]


@commands.command()
def inspect(token: Token, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the claims of a token of this deployment and its state."""
    now = system_clock()

    async def act() -> dict[str, object]:
        async with opened_authority(settings_of(data_dir), now) as authority:
            try:
                return await inspected(authority, _read(token), now)
            except ForeignToken as error:
                raise WrongContent(str(error)) from None

    print_one(asyncio.run(act()), as_json=as_json)


@commands.command()
def revoke(token: Token, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Revoke a token: a refresh token with its family, an access token alone."""
    settings = settings_of(data_dir)

    async def act() -> str:
        async with opened_authority(settings, system_clock()) as authority:
            text, now = _read(token), time_of(authority.store)
            try:
                client_id = await client_of(authority, text)
            except ForeignToken as error:
                raise WrongContent(str(error)) from None
            except ExpiredToken as error:
                raise Failure(str(error)) from None
            application = await authority.store.application(client_id)
            if application is None:
                raise NotFound("The application of this token no longer exists.")
            record(settings, "token revoke", application=client_id)
            await revoke_token(authority, application, text, now)
            return client_id

    print_one({"revoked": True, "client_id": asyncio.run(act())}, as_json=as_json)


def _read(token: str) -> str:
    return standard_input().strip() if token == "-" else token  # noqa: S105 - "-" means standard input
