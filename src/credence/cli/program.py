"""The commands by name, and the one place that prints errors to the operator."""

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from credence import __version__
from credence.cli.exit_codes import ExitCode
from credence.cli.index import CommandsOnDemand, help_when_alone


def print_version(is_given: bool) -> None:
    """Print the version, and in a checkout its commit, and end the process. Called by the option `--version`."""
    if is_given:
        from credence.commit import running_commit

        commit = running_commit()
        typer.echo(f"credence {__version__}" + (f" (commit {commit})" if commit else ""))
        raise typer.Exit


def start(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - read by its callback
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    at: Annotated[  # noqa: ARG001 - read where the command is looked up
        str | None,
        typer.Option(
            "--at",
            envvar="CREDENCE_AT",
            metavar="URL",
            help="Do the command at this deployment, by its APIs: first credence login URL, for most with --manage ADDRESS.",
            show_default="this machine",
        ),
    ] = None,
) -> None:
    """A token service (OAuth 2.0, OpenID Connect) and the UK business credit-risk API its tokens open."""
    help_when_alone(context)


program = typer.Typer(
    name="credence",
    cls=CommandsOnDemand,
    callback=start,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _require_printable(arguments: Sequence[str]) -> None:
    """Raise WrongUsage for an argument with a control character, because printing it could control a terminal (threats A11).

    Octets that are not UTF-8 are allowed: a path may contain them.
    """
    for place, argument in enumerate(arguments, start=1):
        if not "".join(each for each in argument if not "\ud800" <= each <= "\udfff").isprintable():
            # Imported late: this module imports the errors of the whole program.
            from credence.cli.failure import WrongUsage

            raise WrongUsage(f"Argument {place} has a character that cannot be printed.")


def run(commands: typer.Typer = program) -> NoReturn:
    """Run the command and end the process with its exit code."""
    try:
        _require_printable(sys.argv[1:])
        sys.exit(commands(standalone_mode=False))
    except typer.Abort:
        sys.exit(ExitCode.ABORTED)
    except Exception as error:
        # Imported late: this module imports the errors of the whole program.
        from credence.cli.failure import exit_code, explained

        lines = explained(error)
        if not lines:  # a defect of the program, which needs its traceback
            raise
        for line in lines:
            print(f"credence: {line}", file=sys.stderr)
        sys.exit(exit_code(error))
