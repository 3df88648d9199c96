"""`credence config`: what is set, where it comes from, and whether it is safe to serve with (D18)."""

from pathlib import Path

import typer

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import Failure
from credence.cli.output import print_many, say
from credence.deployment import unsafe_settings
from credence.settings import Settings

commands = typer.Typer(help="Settings.")

MASK = "********"


@commands.command()
def show(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show every setting with its value and where it comes from. Secrets are masked."""
    settings = settings_of(data_dir)
    values = settings.model_dump(mode="json")
    rows = [
        {"setting": name, "value": _masked(name, value), "source": _source(settings, name, data_dir)}
        for name, value in values.items()
    ]
    print_many(rows, as_json=as_json)


@commands.command()
def check(data_dir: DataDir = None) -> None:
    """Say what the settings still lack for their environment; exit code 2 when something does."""
    settings = settings_of(data_dir)
    unsafe = unsafe_settings(settings)
    if unsafe:
        raise Failure(*unsafe)
    say(f"The settings are safe for {settings.environment}.")


def _masked(name: str, value: object) -> object:
    # What a setting hides from its repr is a secret.
    return MASK if value and not Settings.model_fields[name].repr else value


def _source(settings: Settings, name: str, data_dir: Path | None) -> str:
    if name == "data_dir" and data_dir is not None:
        return "--data-dir"
    if name == "store" and settings.store_file is not None:
        return "CREDENCE_STORE_FILE"
    return f"CREDENCE_{name.upper()}" if name in settings.model_fields_set else "default"
