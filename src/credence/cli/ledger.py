"""`credence ledger`: what customers owe, as an accounting program exports it, taken into the book of a portfolio."""

import asyncio
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
import typer

from credence import paths
from credence.cli.command_parameters import Values
from credence.cli.deployment import AsJson, DataDir, acting, settings_of
from credence.cli.operation_commands import add_to, explained
from credence.cli.output import print_one
from credence.cli.remote_api import Remote
from credence.errors import InvalidInput
from credence.monitoring.ledger.reading import MAX_FILE_OCTETS
from credence.operations.ledgers import LedgerFile, upload_to
from credence.operations.table import commands_of

commands = typer.Typer(help="Ledgers: what customers owe, taken into the book of a portfolio.")
add_to(commands, *commands_of("ledger"))


@commands.command("upload")
def upload_ledger(
    portfolio: Annotated[str, typer.Argument(help="The id of the portfolio.")],
    file: Annotated[Path, typer.Argument(help="The file: CSV or XLSX.", exists=True, dir_okay=False)],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Upload a ledger to a portfolio. Its columns are recognised; `credence ledger take` takes it into the book."""
    content, settings = _content(file), settings_of(data_dir)

    async def upload() -> dict[str, object]:
        async with acting(settings) as by:
            uploaded = upload_to(by, LedgerFile(portfolio, file.name, content))
            made = await explained(f"There is no portfolio {portfolio!r}.", uploaded)
            return dict(msgspec.to_builtins(made.state))

    print_one(asyncio.run(upload()), as_json=as_json)


def _upload_there(there: Remote, values: Values) -> Any:
    file = values["file"]
    path, query = f"/portfolios/{quote(values['portfolio'], safe='')}/ledgers", {"file_name": file.name}
    at = there.api(paths.MONITORING)
    return at.act("POST", path, _content(file), query=query, media_type="application/octet-stream")


def _content(file: Path) -> bytes:
    if file.stat().st_size > MAX_FILE_OCTETS:
        raise InvalidInput(f"The file is larger than {MAX_FILE_OCTETS // 1024 // 1024} MB.")
    return file.read_bytes()


upload_ledger.run_there = _upload_there  # type: ignore[attr-defined]  # `remote.py` calls it
