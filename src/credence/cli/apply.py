"""`credence apply`: changes applications and accounts to match a file (D30)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, record, settings_of, time_of
from credence.cli.exit_codes import ExitCode
from credence.cli.failure import WrongContent
from credence.cli.output import print_many, say
from credence.deployment import key_encryption_keys
from credence.identity.applications import has_secret
from credence.management.desired import (
    MAX_FILE_BYTES,
    Step,
    carry_out,
    kept_from_pruning,
    plan,
    read_desired,
    wanted_of,
)
from credence.operations.audit_changes import changes
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Account, Application


def apply(
    file: Annotated[Path, typer.Argument(help="TOML file with the applications and accounts that there should be.")],
    dry_run: Annotated[
        bool, typer.Option("--plan", help="Print what would change and change nothing; exit with 7 if anything would.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Disable applications and suspend accounts that the file does not name.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make applications and accounts what a file says. Nothing is changed unless the whole file can be used."""
    settings, content = settings_of(data_dir), _content(file)
    desired = read_desired(content)

    async def act() -> list[Step]:
        async with opened(settings, make=not dry_run) as store:
            present = (await store.applications(), await store.accounts())
            steps = plan(desired, present, settings, time_of(store), prune=prune)
            _show(steps, as_json=as_json)
            for kept in kept_from_pruning(desired, present, settings) if prune else ():
                typer.echo(f"credence: {kept}", err=True)
            if not dry_run:
                for step in steps:
                    await _do(step, settings, store)
            return steps

    steps = asyncio.run(act())
    if dry_run and steps:
        raise typer.Exit(ExitCode.DRIFT)


async def _do(step: Step, settings: Settings, store: Store) -> None:
    now = time_of(store)
    wanted = wanted_of(step, settings, now)
    record(settings, f"apply {step.act}", changes(step.found, wanted), **_named(wanted))
    saved = await carry_out(wanted, store, key_encryption_keys(settings), settings, now)
    if step.act == "create" and isinstance(saved, Application) and has_secret(saved):
        typer.echo(f"credence: {saved.name} has no secret yet: credence app rotate-secret {saved.client_id}", err=True)
    if step.act == "create" and isinstance(saved, Account):
        command = "reset-link" if saved.type == "user" else "set-password"
        typer.echo(
            f"credence: There is no known password of {saved.username}: credence account {command} {saved.username}",
            err=True,
        )


def _named(wanted: Application | Account) -> dict[str, str]:
    """Return the identifier of the account or application for the audit trail."""
    return {"account": wanted.username} if isinstance(wanted, Account) else {"application": wanted.client_id}


def _show(steps: Sequence[Step], *, as_json: bool) -> None:
    if not (steps or as_json):
        say("Nothing differs.")
        return
    rows = [
        {
            "act": step.act,
            "kind": step.kind,
            "name": step.name,
            "member": each.member,
            "before": each.before if as_json or step.act == "create" else _value(each.before),
            "after": each.after if as_json else _value(each.after),
        }
        for step in steps
        for each in step.changes
    ]
    print_many(rows, as_json=as_json)


def _value(value: object) -> object:
    """Return a value for a person to read: `default` for null, `none` for an empty list."""
    return "default" if value is None else "none" if value == [] else value


def _content(file: Path) -> bytes:
    with file.open("rb") as opened_file:
        content = opened_file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise WrongContent(f"{file} has more than {MAX_FILE_BYTES:,} bytes.")
    return content
