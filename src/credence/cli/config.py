"""`credence config`: the settings, their sources, and whether they are safe (D18)."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from pydantic import ValidationError

from credence.cli.command_parameters import Values
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import WrongUsage, exit_code, explained
from credence.cli.opening import open_everything
from credence.cli.output import print_many, print_one, say
from credence.cli.remote_api import Remote
from credence.crypto.sealing import Unsealable
from credence.deployment import startup_warnings, unsafe_settings
from credence.errors import OperatorError
from credence.management.settings import settings_shown
from credence.store.contract import StoreUnavailable

commands = typer.Typer(help="Settings.")

SettingsOnly = Annotated[
    bool,
    typer.Option(
        "--settings-only",
        help="Check the settings alone, without opening certificate, store, counters, folders or ports.",
    ),
]

_SETTING = re.compile(r"\bCREDENCE_[A-Z][A-Z_]*[A-Z]")


@commands.command()
def show(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show every setting with its value and source. Secrets are masked."""
    settings = settings_of(data_dir)
    _print(settings_shown(settings, data_dir), as_json=as_json)


def _print(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    print_many([{name: row.get(name) for name in ("setting", "value", "source")} for row in rows], as_json=as_json)


def _show_there(there: Remote, values: Values) -> None:
    _print(there.rows("/settings", "settings"), as_json=values["as_json"])


show.run_there = _show_there  # type: ignore[attr-defined]  # `remote.py` calls it


@commands.command()
def check(data_dir: DataDir = None, settings_only: SettingsOnly = False, as_json: AsJson = False) -> None:
    """Check whether the settings are safe for their environment, and open what `serve` opens; exit code 2 if not safe.

    It opens the certificate and its key, the store and its key, and the shared counters, tries the data folder and the
    hosts to listen on, and changes nothing.
    """
    try:
        settings = settings_of(data_dir)
        unsafe = unsafe_settings(settings)
        if unsafe:
            raise WrongUsage(*unsafe)
        opened_warnings = [] if settings_only else open_everything(settings)
    except (OperatorError, StoreUnavailable, Unsealable, ValidationError) as error:
        if not as_json:
            raise
        print_one({"safe": False, "problems": [_problem(text) for text in explained(error)]}, as_json=True)
        raise typer.Exit(exit_code(error)) from error
    warnings = [*startup_warnings(settings), *opened_warnings]
    if as_json:
        problems = {"safe": True, "environment": settings.environment, "problems": [], "warnings": warnings}
        print_one(problems, as_json=True)
    else:
        for warning in warnings:
            typer.echo(f"credence: warning: {warning}", err=True)
        say(f"The settings are safe for {settings.environment}.")


def _problem(text: str) -> dict[str, object]:
    """Return the text of a problem and the names of the settings in it, in the order of the text."""
    return {"settings": list(dict.fromkeys(_SETTING.findall(text))), "text": text}
