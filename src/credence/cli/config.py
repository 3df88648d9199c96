"""`credence config`: the settings, their sources, and whether they are safe (D18)."""

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
    """Show every setting with its value and source. Secrets are masked."""
    settings = settings_of(data_dir)
    values = settings.model_dump(mode="json")
    rows = [
        {"setting": name, "value": _masked(name, value), "source": _source(settings, name, data_dir)}
        for name, value in values.items()
    ]
    print_many(rows, as_json=as_json)


@commands.command()
def check(data_dir: DataDir = None) -> None:
    """Check whether the settings are safe for their environment; exit code 2 if not."""
    settings = settings_of(data_dir)
    unsafe = unsafe_settings(settings)
    if unsafe:
        raise Failure(*unsafe)
    say(f"The settings are safe for {settings.environment}.")


def _masked(name: str, value: object) -> object:
    # A setting without a repr is a secret.
    return MASK if value and not Settings.model_fields[name].repr else value


def _source(settings: Settings, name: str, data_dir: Path | None) -> str:
    if name == "data_dir" and data_dir is not None:
        return "--data-dir"
    if name == "store" and settings.store_file is not None:
        return "CREDENCE_STORE_FILE"
    return f"CREDENCE_{name.upper()}" if name in settings.model_fields_set else "default"
