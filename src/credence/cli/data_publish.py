"""`credence data publish`, and how the other commands on credit data publish to the nodes that share a store."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, settings_of
from credence.cli.failure import WrongUsage
from credence.cli.output import print_many
from credence.datasets.publish import Publish, publish_nowhere
from credence.settings import Settings


def publish_of(settings: Settings, names: Sequence[str] = ()) -> Publish:
    """Fetch the published state of these data sets, or of all if `names` is empty.

    Returns the function that publishes changes.
    """
    if not settings.store:
        return publish_nowhere
    # Imported late: a deployment of one node does not need PostgreSQL.
    from credence.datasets.holds import HOLDS
    from credence.datasets.replication.fetching import SHARED_DATA_SETS
    from credence.datasets.replication.publishing import catch_up, publisher

    asyncio.run(up_to_date(settings))
    catch_up(settings.store, settings.credit_folder, [*names, HOLDS] if names else SHARED_DATA_SETS)
    return publisher(settings.store)


def publish(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Data sets that replace the published ones.", show_default="the unpublished ones"),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Publish the data sets of this node to all nodes: after a move to PostgreSQL, or after disputes were restored."""
    settings = settings_of(data_dir)
    if not settings.store:
        raise WrongUsage("This deployment has one node: CREDENCE_STORE names no shared store.")
    from credence.datasets.replication.fetching import SHARED_DATA_SETS
    from credence.datasets.replication.publishing import publish_local

    strange = [name for name in names or () if name not in SHARED_DATA_SETS]
    if strange:
        raise WrongUsage(f"{strange[0][:40]!r} is not a data set. Choose one of: {', '.join(SHARED_DATA_SETS)}.")
    asyncio.run(up_to_date(settings))
    done = publish_local(settings.store, settings.credit_folder, names or ())
    print_many([{"published": name} for name in done], as_json=as_json)


async def up_to_date(settings: Settings) -> None:
    """Bring the schema of the store up to date."""
    async with opened(settings):
        pass
