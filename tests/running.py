"""The real program: a server in a process of its own, as an operator starts it, and commands.

A command runs in the process of the test, because a start takes a second, unless the process is what the test is about.
"""

import io
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import httpx

from credence.cli.program import run
from credence.clock import system_clock
from credence.sandbox.provision import load_samples
from credence.settings import Settings
from tests.forked import ForkedProcess
from tests.once import made_once

READY_WITHIN = 90.0
"""Seconds for a first start, keys and credit data included."""

PROGRAM = (sys.executable, "-m", "credence")


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class RunningServer:
    """A server that answers. Credentials are those of `sandbox.json`, empty outside the sandbox."""

    base_url: str
    ca_file: Path | None
    data_dir: Path
    output: Path
    """What the program printed, both streams."""
    process: subprocess.Popen[bytes] | ForkedProcess
    client: httpx.Client
    """Knows the base address and trusts the sandbox's authority, nothing else."""
    variables: dict[str, str]
    """The environment it runs in, for commands on the same deployment."""
    client_id: str = ""
    client_secret: str = ""
    username: str = ""
    password: str = ""
    service_username: str = ""
    service_password: str = ""
    company_number: str = ""
    scenarios: list[dict[str, Any]] = field(default_factory=list)

    @property
    def client_headers(self) -> dict[str, str]:
        return {"client_id": self.client_id, "client_secret": self.client_secret}

    def tokens(self) -> dict[str, str]:
        """A fresh login of the sandbox's user."""
        reply = self.client.post(
            "/oauth2/v1/token",
            headers=self.client_headers,
            json={"username": self.username, "password": self.password},
        )
        assert reply.status_code == 200, reply.text
        tokens: dict[str, str] = reply.json()
        return tokens

    def report(self, access_token: str, number: str | None = None) -> httpx.Response:
        return self.client.get(
            f"/risk/business/v1/registeredcompanycredit/{number or self.company_number}",
            headers={"Authorization": f"Bearer {access_token}"},
        )

    def command(self, *arguments: str, stdin: str = "") -> Done:
        """Run `credence` on the same deployment while the server runs."""
        return run_command(*arguments, stdin=stdin, **self.variables)

    def stop(self) -> int:
        """Stop it as an operator does and return its exit code."""
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            return self.process.wait()


def start(
    data_dir: Path,
    output: Path,
    *options: str,
    under: Sequence[str] = (),
    program: Sequence[str] = (),
    **variables: str,
) -> RunningServer:
    """Start `credence serve` and return once it is ready.

    It is a fork of a process that has imported the program, unless `program` says how to start one (PROGRAM does so from
    the beginning) or `under` which program becomes it. A fork that makes its data folder finds the sample data of the
    sandbox there: to load them takes longer than the rest of a first start.
    """
    environment = clean_environment(**{"CREDENCE_PORT": "0"} | variables | {"CREDENCE_DATA_DIR": str(data_dir)})
    process: subprocess.Popen[bytes] | ForkedProcess
    with output.open("ab") as stream:
        printed_before = stream.tell()
        if under or program:
            process = subprocess.Popen(
                [*under, *(program or PROGRAM), "serve", *options],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        else:
            if not data_dir.exists() and environment.get("CREDENCE_ENVIRONMENT", "sandbox") == "sandbox":
                shutil.copytree(_sample(), data_dir)
            process = ForkedProcess(["serve", *options], environment, output.absolute())
    scheme = "http" if "--http" in options or "CREDENCE_HTTP" in variables else "https"
    client, ca_file = _wait_until_ready(process, data_dir, scheme, output, printed_before)
    environment["CREDENCE_PORT"] = str(client.base_url.port)
    sandbox_file = data_dir / "sandbox.json"
    sandbox = json.loads(sandbox_file.read_text()) if sandbox_file.exists() else {}
    known = {name: sandbox[name] for name in _FROM_FILE if name in sandbox}
    return RunningServer(
        base_url=str(client.base_url),
        ca_file=ca_file,
        data_dir=data_dir,
        output=output,
        process=process,
        client=client,
        variables={name: value for name, value in environment.items() if name.startswith("CREDENCE_")},
        **known,
    )


def run_command(*arguments: str, stdin: str = "", **variables: str) -> Done:
    """Run one `credence` command in this process, with no CREDENCE_ variable but these."""
    out, err = io.StringIO(), io.StringIO()
    typed = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with (
        mock.patch.dict(os.environ, clean_environment(**variables), clear=True),
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


def run_process(*arguments: str, stdin: str | bytes = "", to: str = "", **variables: str) -> Done:
    """Run one `credence` command in a process of its own, with no CREDENCE_ variable but these; it prints into `to`."""
    with tempfile.TemporaryDirectory() as folder:
        typed, output, errors = (Path(folder) / name for name in ("typed", "output", "errors"))
        typed.write_bytes(stdin.encode() if isinstance(stdin, str) else stdin)
        process = ForkedProcess(
            arguments, clean_environment(**variables), Path(to or output), errors=errors, typed=typed
        )
        try:
            code = process.wait(timeout=60)
        finally:
            process.kill()
        return Done(code, "" if to else output.read_text(), errors.read_text())


def _sample() -> Path:
    """A data folder with nothing but the credit data that a sandbox loads at its first start."""
    return made_once("sample", lambda folder: load_samples(Settings(data_dir=folder).credit_folder, system_clock()))


def clean_environment(**variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CREDENCE_")}
    return kept | {"CREDENCE_PASSWORD_PROFILE": "testing"} | variables


_FROM_FILE = (
    "client_id",
    "client_secret",
    "username",
    "password",
    "service_username",
    "service_password",
    "company_number",
    "scenarios",
)


_LISTENING = re.compile(rb"^Listening on \S+ port (\d+), ", re.MULTILINE)


def _wait_until_ready(
    process: subprocess.Popen[bytes] | ForkedProcess, data_dir: Path, scheme: str, output: Path, printed_before: int
) -> tuple[httpx.Client, Path | None]:
    """Read from the output which port the server took, and return a client of it once the server is ready."""
    ca_file = data_dir / "tls" / "ca.pem"
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        port = _LISTENING.search(output.read_bytes(), printed_before)
        if port is not None:
            trusted = ca_file if scheme == "https" else None
            client = httpx.Client(
                base_url=f"{scheme}://localhost:{int(port[1])}",
                verify=ssl.create_default_context(cafile=trusted) if trusted else False,
                trust_env=False,
                timeout=10,
            )
            try:
                if client.get("/readyz").status_code == 200:
                    return client, trusted
            except (httpx.TransportError, ssl.SSLError):
                pass
            client.close()
        time.sleep(0.05)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    raise AssertionError(f"The server did not start:\n{output.read_text()}")
