"""`credence` on a deployment of its own that no server serves."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from credence.cli.exit_codes import ExitCode
from tests.running import Done, run_command

FAILED = set(ExitCode) - {ExitCode.DONE, ExitCode.NEGATIVE, ExitCode.ABORTED}

PASSWORD = "a password of 27 characters"


@dataclass(frozen=True)
class Deployment:
    data_dir: Path

    def run(self, *arguments: str, stdin: str = "", **variables: str) -> Done:
        return run_command(*arguments, stdin=stdin, **{"CREDENCE_DATA_DIR": str(self.data_dir)} | variables)

    def json(self, *arguments: str, stdin: str = "") -> Any:
        done = self.run(*arguments, "--json", stdin=stdin)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *arguments: str, stdin: str = "", **variables: str) -> str:
        """Run what must fail, and return its one line."""
        done = self.run(*arguments, stdin=stdin, **variables)
        assert done.returncode in FAILED
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        return line.removeprefix("credence: ")

    def create_account(self, username: str = "ada", *options: str) -> Any:
        return self.json("account", "create", username, "--type", "user", "--password-stdin", *options, stdin=PASSWORD)
