"""`credence apply`: changes applications, accounts and trusted issuers to match a file (D30)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct

from credence.cli.deployment import AsJson, DataDir, acting, settings_of
from credence.cli.exit_codes import ExitCode
from credence.cli.failure import WrongContent
from credence.cli.output import print_many, say
from credence.identity.applications import has_secret
from credence.management.application_schema import ApplicationBody
from credence.management.applications import new_application
from credence.management.desired import MAX_FILE_BYTES, Present, Step, kept_from_pruning, plan, read_desired
from credence.management.issuer_schema import IssuerBody
from credence.management.schema import AccountBody, NewAccountBody
from credence.operations.accounts import ACCOUNT, make_account, set_account
from credence.operations.acting import Acting
from credence.operations.applications import APPLICATION, make_application, set_application
from credence.operations.issuers import ISSUER, NewIssuerBody, add_issuer, set_issuer
from credence.operations.operation import Change
from credence.operations.perform import perform
from credence.store.contract import Conflict
from credence.store.records import Account, Application
from credence.store.trusted_issuers import ISSUERS, TrustedIssuer


def apply(
    file: Annotated[
        Path, typer.Argument(help="TOML file with the applications, accounts and issuers that there should be.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--plan", help="Print what would change and change nothing; exit with 7 if anything would.")
    ] = False,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Disable applications and issuers and suspend accounts that the file does not name."
        ),
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Create or change applications, accounts and issuers to match a file. Nothing changes unless the whole can be used."""
    settings, content = settings_of(data_dir), _content(file)
    desired = read_desired(content)

    async def act() -> list[Step]:
        async with acting(settings, make=not dry_run, through="apply") as by:
            store = by.means.store
            present = Present(await store.applications(), await store.accounts(), await store.page(ISSUERS))
            steps = plan(desired, present, settings, by.clock(), prune=prune)
            _show(steps, as_json=as_json)
            for kept in kept_from_pruning(desired, present, settings) if prune else ():
                typer.echo(f"credence: {kept}", err=True)
            if not dry_run:
                for step in steps:
                    await do_step(step, by)
            return steps

    steps = asyncio.run(act())
    if dry_run and steps:
        raise typer.Exit(ExitCode.DRIFT)


async def do_step(step: Step, by: Acting) -> None:
    """Do one step. Raises Conflict if what it changes is no longer as it was planned."""
    match step.found, step.body:
        case Application() as found, _:
            as_planned = partial(_require, step.name, await APPLICATION.state(by, found))
            await perform(set_application, by, found.client_id, step.body, require_version=as_planned)
        case Account() as found, _:
            as_planned = partial(_require, step.name, await ACCOUNT.state(by, found))
            await perform(set_account, by, found.username, step.body, require_version=as_planned)
        case TrustedIssuer() as found, _:
            as_planned = partial(_require, step.name, await ISSUER.state(by, found))
            await perform(set_issuer, by, found.id, step.body, require_version=as_planned)
        case None, IssuerBody() as body:
            await perform(add_issuer, by, "", NewIssuerBody(id=step.name, **msgspec.structs.asdict(body)))
            if body.authentication.startswith("client_secret"):
                _say(f"{step.name} has no client secret yet: credence issuer set-secret {step.name}")
        case None, AccountBody() as body:
            await perform(make_account, by, "", NewAccountBody(username=step.name, **msgspec.structs.asdict(body)))
            command = "reset-link" if body.type == "user" else "set-password"
            _say(f"There is no known password of {step.name}: credence account {command} {step.name}")
        case _:
            made = (await perform(_MAKE, by, "", step.body)).after
            if has_secret(made):
                _say(f"{made.name} has no secret yet: credence app rotate-secret {made.client_id}")


def _require(name: str, planned: Struct, found: Struct) -> None:
    if found != planned:
        raise Conflict(name)


async def _make(by: Acting, _found: None, body: ApplicationBody) -> Change[Application]:
    return Change(new_application(body, by.means.settings.environment.prefix, by.now))


_MAKE = replace(make_application, act=_make, once=())
"""Registers an application without a secret, because there is no one to show it to."""


def _say(text: str) -> None:
    typer.echo(f"credence: {text}", err=True)


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
