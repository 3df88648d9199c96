"""The command line for operators and developers, one file per group of commands."""


def main() -> None:
    """Run the command and end the process: its exit code is one of `exit_codes`."""
    # Imported here, so that an import of the package is cheap.
    from credence.cli.program import run

    run()
