"""The commands in the order of the help, each with its first sentence; a command is imported when it is used.

`credence --help` and each command therefore import only what they need.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typing_extensions import override


@dataclass(frozen=True, slots=True)
class Entry:
    """A command or a group of commands."""

    place: str
    """The module in this package, and the name in that module; empty for operations alone."""
    help: str
    """The first sentence of the command's help."""


COMMANDS: Mapping[str, Entry] = {
    "serve": Entry("serve.serve", "Serve until stopped."),
    "migrate": Entry("migrate.migrate", "Update the schema of the store."),
    "report": Entry("report.report", "Write the report on a company as JSON, as an HTML page or as PDF."),
    "apply": Entry("apply.apply", "Create or change applications, accounts and issuers to match a file."),
    "log": Entry("", "Find requests in the request log, the newest first."),
    "why": Entry("why.why", "Explain why a request was refused: caller, address, deciding rule and remedy."),
    "login": Entry(
        "login.login",
        "Sign in to a remote deployment: open the printed page in a browser anywhere, and compare the code.",
    ),
    "whoami": Entry(
        "login.whoami", "Print who you are signed in as at a remote deployment, as the deployment sees it."
    ),
    "logout": Entry("login.logout", "Revoke a login at a remote deployment and delete it here."),
    "mcp": Entry(
        "mcp.mcp", "Serve agents on this machine: one message of the Model Context Protocol a line, in and out."
    ),
    "health": Entry(
        "",
        "Print whether the service works: what `/readyz` says, version, environment, and the nodes that share its store.",
    ),
    "doctor": Entry(
        "doctor.doctor",
        "Examine a deployment through its public address; exit code 1 when something is wrong. Nothing is changed.",
    ),
    "app": Entry("app.commands", "Client applications."),
    "audit": Entry("audit.commands", "The audit trail."),
    "account": Entry("", "Users and service accounts."),
    "issuer": Entry("", "Trusted issuers: sign-in by an employer's provider, and tokens for its assertions."),
    "rules": Entry("rules.commands", "The rules on addresses and hours."),
    "token": Entry("token.commands", "Access and refresh tokens."),
    "clock": Entry("", "Test clocks of applications of the sandbox."),
    "keys": Entry("keys.commands", "Signing keys, and the key that seals them."),
    "data": Entry("data.commands", "Credit data."),
    "score": Entry("score.commands", "The credit score."),
    "policy": Entry("policy.commands", "Policies: rules that turn reports into accept, refer or decline."),
    "portfolio": Entry("portfolio.commands", "Portfolios of watched companies, and their events."),
    "ledger": Entry("ledger.commands", "Ledgers: what customers owe, taken into the book of a portfolio."),
    "webhook": Entry("", "Webhooks: where applications get their events."),
    "signal": Entry("", "Shared signals: streams by which applications learn of logins that end."),
    "outbox": Entry("", "Deliveries to applications and webhooks that wait or were given up."),
    "book": Entry("", "The book: all customers of an application, and what they are together."),
    "alert": Entry("", "Alerts: events as people work on them."),
    "limit": Entry("", "Approved limits: what people decided, in the workbench."),
    "backup": Entry("backup.commands", "Backups of the store."),
    "store": Entry("store.commands", "The store as a whole."),
    "config": Entry("config.commands", "Settings."),
}


class CommandsOnDemand(TyperGroup):
    """The root group of the command line."""

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in their order."""
        return list(COMMANDS)

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command and return it; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = _as_command(cmd_name, _loaded(cmd_name))
        url = ctx.params.get("at") if ctx is not None else None
        if not url:
            return command
        # Imported late: only commands at a remote deployment need it.
        from credence.cli.remote import at

        return at(url, cmd_name, command)

    @override
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Resolve `help COMMAND …` as `COMMAND … --help`, and `help` alone as `--help`."""
        if args[0] != "help":
            return super().resolve_command(ctx, args)
        if len(args) == 1:
            typer.echo(ctx.get_help())
            ctx.exit()
        return super().resolve_command(ctx, [*args[1:], "--help"])

    @override
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


def all_commands() -> dict[str, Any]:
    """Return every command by its name, imported."""
    on_demand = CommandsOnDemand()
    return {name: on_demand.get_command(None, name) for name in COMMANDS}


def help_when_alone(context: typer.Context) -> None:
    """Print the help when there is no command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _loaded(name: str) -> "typer.Typer | Callable[..., Any]":
    module, _, function = COMMANDS[name].place.rpartition(".")
    if module:
        loaded: typer.Typer | Callable[..., Any] = getattr(import_module(f"credence.cli.{module}"), function)
        return loaded
    # Imported late: other commands start sooner without the operations.
    from credence.cli.operation_commands import add_to, showing
    from credence.operations.reading import Reading
    from credence.operations.table import commands_of

    first, *rest = commands_of(name)
    if isinstance(first, Reading) and first.name == name:
        return showing(first)
    group = typer.Typer(help=COMMANDS[name].help)
    add_to(group, first, *rest)
    return group


def _as_command(name: str, loaded: "typer.Typer | Callable[..., Any]") -> Any:
    holder = typer.Typer(callback=help_when_alone, rich_markup_mode=None, pretty_exceptions_enable=False)
    if isinstance(loaded, typer.Typer):
        holder.add_typer(loaded, name=name, callback=help_when_alone, invoke_without_command=True)
    else:
        holder.command(name)(loaded)
    group: Any = typer.main.get_command(holder)
    return group.commands[name]
