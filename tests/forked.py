"""Starts `credence` by a fork of a process that has imported it already: the same program, two seconds of imports sooner.

Run as `python -m tests.forked` it is that process. It reads requests from its standard input, a line of JSON each, and
answers each with a line; it ends with the process that started it. Each fork has its own session, environment and
standard streams, like a program that was started from the shell.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

POLL_SECONDS = 0.02


class ForkedProcess:
    """A program that was started by a fork, with the part of `subprocess.Popen` that tests use."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        output: Path,
        *,
        errors: Path | None = None,
        typed: Path | None = None,
    ) -> None:
        """Start `credence` with these arguments; it appends to `output`, and to `errors` if they go elsewhere."""
        self.returncode: int | None = None
        self.pid: int = _ask(
            {
                "arguments": list(arguments),
                "environment": dict(environment),
                "output": str(output),
                "errors": str(errors or output),
                "typed": str(typed or os.devnull),
                "folder": str(Path.cwd()),
            }
        )

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while the program runs."""
        if self.returncode is None:
            self.returncode = _ask({"poll": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code. Raises TimeoutExpired."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if timeout is not None and deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("credence", timeout)
            time.sleep(POLL_SECONDS)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _parent() -> "subprocess.Popen[str]":
    """The process that forks, started when it is first needed."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.forked"],
        cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # what ends the tests' whole group must not end it before the servers are stopped
    )
    assert started.stdin is not None
    atexit.register(started.stdin.close)
    return started


_one_at_a_time = threading.Lock()


def _ask(request: Mapping[str, Any]) -> Any:
    with _one_at_a_time:
        parent = _parent()
        assert parent.stdin is not None
        assert parent.stdout is not None
        print(json.dumps(request), file=parent.stdin, flush=True)
        return json.loads(parent.stdout.readline())


def main() -> None:
    """Answer requests until there are no more."""
    import credence.cli.program
    import credence.server  # noqa: F401 - `serve` imports it late
    from credence.cli.index import all_commands

    all_commands()
    # What every fork shares is out of its garbage collections: each would copy these pages, the last one at its end.
    gc.collect()
    gc.freeze()

    answers = os.fdopen(os.dup(1), "w")
    exit_codes: dict[int, int] = {}
    for line in sys.stdin:
        request = json.loads(line)
        if "poll" in request:
            answer = _exit_code(request["poll"], exit_codes)
        else:
            answer = os.fork()
            if answer == 0:
                answers.close()
                _become(**request)
        print(json.dumps(answer), file=answers, flush=True)


def _exit_code(pid: int, known: dict[int, int]) -> int | None:
    if pid not in known:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended == 0:
            return None
        known[pid] = os.waitstatus_to_exitcode(status)
    return known[pid]


def _become(
    arguments: list[str], environment: dict[str, str], output: str, errors: str, typed: str, folder: str
) -> NoReturn:
    """Do in the forked process what a start of the program does after its imports."""
    from credence.cli.program import run

    os.setsid()
    os.chdir(folder)
    with Path(typed).open("rb") as read, Path(output).open("ab") as written, Path(errors).open("ab") as complained:
        os.dup2(read.fileno(), 0)
        os.dup2(written.fileno(), 1)
        os.dup2(complained.fileno(), 2)
    sys.stdin = os.fdopen(0, closefd=False)  # the one before reads requests
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["credence", *arguments]
    run()


if __name__ == "__main__":
    main()
