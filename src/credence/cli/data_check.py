"""`credence data check`: lists the filings of the loaded accounts in which an invariant fails."""

import msgspec

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import NotFound
from credence.cli.output import print_many, print_one, say


def check(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Check that the figures of the loaded accounts do not contradict each other; list the years that are not scored."""
    from credence.datasets.check import check_accounts  # imported late: other commands start sooner

    found = check_accounts(settings_of(data_dir).credit_folder)
    if found is None:
        raise NotFound("No accounts are loaded: load them with `credence data load accounts`.")
    said = msgspec.to_builtins(found, enc_hook=str)
    if as_json:
        print_one(said, as_json=True)
        return
    say(f"{found.years} years in {found.filings} filings; {len(found.failing)} failures.\n")
    print_many(said["invariants"], as_json=False)
    if found.failing:
        say("")
        print_many(said["failing"], as_json=False)
