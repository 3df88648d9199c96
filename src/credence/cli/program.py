"""The commands by name, and the one place that prints errors for the operator."""

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from credence import __version__
from credence.cli import (
    account,
    app,
    audit,
    backup,
    config,
    data,
    doctor,
    keys,
    mcp,
    migrate,
    policy,
    report,
    rules,
    score,
    serve,
    store,
    token,
    why,
)
from credence.cli.exit_codes import ExitCode
from credence.cli.failure import WrongUsage, exit_code, explained


def help_when_alone(context: typer.Context) -> None:
    """Print the help when there is no command."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def print_version(wanted: bool) -> None:
    """Print the version and end the command."""
    if wanted:
        typer.echo(f"credence {__version__}")
        raise typer.Exit


def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - read by its callback
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A token service (OAuth 2.0, OpenID Connect) and the UK business credit-risk API its tokens open."""
    help_when_alone(context)


program = typer.Typer(
    name="credence",
    callback=start,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
program.command()(serve.serve)
program.command()(migrate.migrate)
program.command()(report.report)
score.commands.command()(policy.batch)
program.command()(why.why)
program.command()(mcp.mcp)
program.command()(doctor.doctor)
for name, commands in (
    ("app", app.commands),
    ("audit", audit.commands),
    ("account", account.commands),
    ("rules", rules.commands),
    ("token", token.commands),
    ("keys", keys.commands),
    ("data", data.commands),
    ("score", score.commands),
    ("policy", policy.commands),
    ("backup", backup.commands),
    ("store", store.commands),
    ("config", config.commands),
):
    program.add_typer(commands, name=name, callback=help_when_alone, invoke_without_command=True)


def _require_printable(arguments: Sequence[str]) -> None:
    """Raise WrongUsage for an argument with a control character: printed later, it would act on a terminal (threats A11).

    Octets that are not UTF-8 are left: a path may have them.
    """
    for place, argument in enumerate(arguments, start=1):
        if not "".join(each for each in argument if not "\ud800" <= each <= "\udfff").isprintable():
            raise WrongUsage(f"Argument {place} has a character that cannot be printed.")


def run(commands: typer.Typer = program) -> NoReturn:
    """Run the command and end the process with its exit code."""
    try:
        _require_printable(sys.argv[1:])
        sys.exit(commands(standalone_mode=False))
    except typer.Abort:
        sys.exit(ExitCode.ABORTED)
    except Exception as error:
        lines = explained(error)
        if not lines:  # an error of the program, which needs its traceback
            raise
        for line in lines:
            print(f"credence: {line}", file=sys.stderr)
        sys.exit(exit_code(error))
