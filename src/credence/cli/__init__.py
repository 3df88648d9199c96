"""The command line: what an operator and a developer say to Credence. One file per group of commands."""


def main() -> None:
    """Run the command that was typed and end the process: 0 when it did, 2 after one clear line on standard error."""
    # Imported here, so that importing this package costs nothing.
    from credence.cli.program import run

    run()
