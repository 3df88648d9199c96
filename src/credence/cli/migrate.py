"""`credence migrate`: the schema of the store brought up to date, or what that would do (threats F5)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, settings_of
from credence.cli.output import print_many, say
from credence.settings import Settings
from credence.store.migrations import scripts, sqlite_schema_number


def migrate(
    plan: Annotated[bool, typer.Option("--plan", help="Only list the files that would be applied.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Bring the store's schema up to date. A server does so too when it starts; of many at once one does it."""
    settings = settings_of(data_dir)
    missing = asyncio.run(_missing(settings))
    if not plan:
        asyncio.run(_apply(settings))
    if missing or as_json:
        print_many([{"file": name, "applied": not plan} for name in missing], as_json=as_json)
    else:
        say("The store is up to date.")


async def _missing(settings: Settings) -> list[str]:
    if settings.store:
        # Imported late, as where the store is opened.
        from credence.store.postgres_migrations import schema_number

        return list(scripts("postgres"))[await schema_number(settings.store) :]
    return list(scripts("sqlite"))[sqlite_schema_number(settings.store_file) :]


async def _apply(settings: Settings) -> None:
    async with opened(settings, make=True):
        pass
