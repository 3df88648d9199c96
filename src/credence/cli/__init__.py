"""The command line for operators and developers, one file per group of commands."""


def main() -> None:
    """Run the command and end the process: exit code 0 on success, 2 after a line on standard error."""
    # Imported here, so that an import of the package is cheap.
    from credence.cli.program import run

    run()
