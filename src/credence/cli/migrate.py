"""`credence migrate`: updates the schema of the store, or prints the plan (threats F5)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, record, settings_of, time_of
from credence.cli.output import print_many, say
from credence.oauth.client_documents.remembering import restore_digests, without_digest
from credence.settings import Settings
from credence.store.migrations import locks, scripts
from credence.store.records import Application
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
        for each in asyncio.run(_apply(settings)):
            text = "had lost the digest of its document: people will be asked for consent again"
            typer.echo(f"credence: The record of {each.client_id} {text}.", err=True)
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


async def _apply(settings: Settings) -> list[Application]:
    """Update the schema; return the clients with a document whose lost digest was replaced."""
    async with opened(settings, make=True) as store:
        if without_digest(await store.applications()):
            record(settings, "migrate", change="lost digests of client documents")
        return await restore_digests(store, time_of(store))
