"""`credence log`: the request log of this node, and the refusals of all nodes that share a store (D30)."""

import asyncio
from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, opened, settings_of, time_of
from credence.cli.failure import Failure
from credence.cli.output import print_many, print_one
from credence.management.log_schema import LogPage
from credence.management.request_log import MAX_PAGE_SIZE, search_log
from credence.settings import Settings

_COLUMNS = ("at", "request_id", "node", "status", "milliseconds", "method", "path", "reason", "client_id", "account")


def log(
    query: Annotated[
        list[str] | None,
        typer.Argument(
            show_default="every request",
            help="Terms that must all hold: client:… account:… reason:… status:4xx path:… method:… from:… id:… node:… "
            "since:1h until:…; a hyphen before one excludes it (after --).",
        ),
    ] = None,
    newest: Annotated[int, typer.Option(min=1, max=MAX_PAGE_SIZE, help="How many at most.")] = 50,
    page: Annotated[
        str, typer.Option(show_default="the newest", help="Go on from here: the token that a partial answer prints.")
    ] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Find requests in the request log, the newest first. `credence why ID` explains one."""
    settings = settings_of(data_dir)
    try:
        found = asyncio.run(_found(settings, " ".join(query or []), newest, page))
    except OSError as error:
        raise Failure(f"{error}".capitalize()) from error
    if as_json:
        print_one(msgspec.to_builtins(found), as_json=True)
        return
    rows = [msgspec.to_builtins(each) | {"from": each.address} for each in found.requests]
    print_many([{name: row[name] for name in (*_COLUMNS, "from")} for row in rows], as_json=False)
    for note in notes_of(found):
        typer.echo(note, err=True)


async def _found(settings: Settings, query: str, newest: int, page: str) -> LogPage:
    async with opened(settings) as store:
        return await search_log(settings, store, query, time_of(store), size=newest, page=page)


def notes_of(found: LogPage) -> list[str]:
    """Return notes for the operator on what is missing from the answer."""
    notes = []
    if found.is_partial:
        notes.append(f"Looked back to {found.looked_back_to} only: go on with --page {found.next_page_token}")
    if found.lost:
        notes.append(f"{found.lost} requests of this time could not be written to the log.")
    others = [each.node for each in found.nodes if each.has == "refusals"]
    if others:
        notes.append(f"Of {', '.join(others)} only refusals are known here; ask there for the rest.")
    return notes
