"""`credence data loads`: the latest loads."""

import msgspec

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.output import print_many
from credence.management.data_history import loads as listed_loads


def loads(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the newest loads and scoring runs of this node, newest first: when, how long, rows and rejected rows."""
    rows = listed_loads(settings_of(data_dir)).loads
    print_many([msgspec.to_builtins(each) for each in rows], as_json=as_json)
