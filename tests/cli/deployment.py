"""`credence` on a deployment of its own that no server serves, run in this process because a start takes half a second."""

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from credence.cli.program import run
from tests.running import clean_environment

PASSWORD = "a password of 27 characters"


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Deployment:
    data_dir: Path

    def run(self, *arguments: str, stdin: str = "", **variables: str) -> Done:
        environment = clean_environment(CREDENCE_DATA_DIR=str(self.data_dir)) | variables
        out, err = io.StringIO(), io.StringIO()
        typed = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        with (
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch.object(sys, "argv", ["credence", *arguments]),
            mock.patch.object(sys, "stdin", typed),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                run()
            except SystemExit as end:
                code = end.code or 0
        assert isinstance(code, int)
        return Done(code, out.getvalue(), err.getvalue())

    def json(self, *arguments: str, stdin: str = "") -> Any:
        done = self.run(*arguments, "--json", stdin=stdin)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *arguments: str, stdin: str = "", **variables: str) -> str:
        """Run what must fail, and return its one line."""
        done = self.run(*arguments, stdin=stdin, **variables)
        assert done.returncode == 2
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        return line.removeprefix("credence: ")

    def create_account(self, username: str = "ada", *options: str) -> Any:
        return self.json("account", "create", username, "--type", "user", "--password-stdin", *options, stdin=PASSWORD)
