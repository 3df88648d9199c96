"""`credence migrate`: updates the schema of the store, or prints the plan (threats F5)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, settings_of
from credence.cli.output import print_many, say
from credence.settings import Settings
from credence.store.migrations import locks, scripts
from credence.store.sqlite import migrations as sqlite


def migrate(
    plan: Annotated[
        bool, typer.Option("--plan", help="Print what would be applied and what it locks; change nothing.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Update the schema of the store. A starting server does so too; of several, one does the work."""
    settings = settings_of(data_dir)
    dialect, number = asyncio.run(_standing(settings))
    missing = list(scripts(dialect).items())[number:]
    if not plan:
        asyncio.run(_apply(settings))
    if not missing and not as_json:
        say("The store is up to date.")
    elif plan:
        print_many(
            [{"file": name, "locks": locks(script) if number else "none"} for name, script in missing],
            as_json=as_json,
        )
    else:
        print_many([{"file": name, "applied": True} for name, _ in missing], as_json=as_json)


async def _standing(settings: Settings) -> tuple[str, int]:
    """Return the SQL dialect of the store and the number of schema files that were applied."""
    if settings.store:
        # Imported late: other commands start sooner without the PostgreSQL driver.
        from credence.store.postgres import migrations as postgres

        return "postgres", await postgres.schema_number(settings.store)
    return "sqlite", sqlite.schema_number(settings.sqlite_file)


async def _apply(settings: Settings) -> None:
    async with opened(settings, make=True):
        pass
