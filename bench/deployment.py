"""The deployment under measurement: a sandbox of its own on a real disk, and applications made for the measurement.

Spike arrest is off for all of them but one, and for accounts and addresses, because a load generator is a spike;
`questions/spike_arrest.py` says what that leaves out.
"""

import base64
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bench.process import Server, free_port, served
from credence import paths

NO_SPIKE_ARREST = {"CREDENCE_SPIKE_ACCOUNT_PER_MINUTE": "0", "CREDENCE_SPIKE_ADDRESS_PER_MINUTE": "0"}


@dataclass(frozen=True, slots=True)
class Client:
    """An application's credentials."""

    client_id: str
    client_secret: str

    @property
    def headers(self) -> dict[str, str]:
        """As the specification sends them."""
        return {"client_id": self.client_id, "client_secret": self.client_secret}

    @property
    def of_a_form(self) -> dict[str, str]:
        """As RFC 6749 §2.3.1 sends them, with the type of a form. Neither holds a letter to be encoded."""
        pair = base64.b64encode(f"{self.client_id}:{self.client_secret}".encode()).decode()
        return {"Authorization": f"Basic {pair}", "Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Deployment:
    """Its folder, its user, and one application for each way of signing."""

    folder: Path
    username: str
    password: str
    company_number: str
    clients: dict[str, Client]
    """By algorithm; `counted` is one with spike arrest that never refuses, `alone` one that acts for itself."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Settings of its own."""

    @property
    def login(self) -> dict[str, str]:
        """The body of a password grant."""
        return {"username": self.username, "password": self.password}

    def tokens(self, server: Server, client: Client, count: int) -> list[dict[str, str]]:
        """Return the answers to that many password grants."""
        with httpx.Client(base_url=server.address, headers=client.headers, trust_env=False) as http:
            replies = [http.post(paths.TOKEN, json=self.login).raise_for_status() for _ in range(count)]
        return [reply.json() for reply in replies]

    def lines(self, name: str, lines: Iterable[str]) -> str:
        """Write lines for the load generator and return the file's name."""
        file = self.folder / name
        file.write_text("".join(f"{line}\n" for line in lines))
        return str(file)

    def company_numbers(self) -> list[str]:
        """Return every company that the deployment holds."""
        (file,) = (self.folder / "data" / "credit").glob("register-*.sqlite")
        with closing(sqlite3.connect(file)) as register:
            return [number for (number,) in register.execute("SELECT number FROM company ORDER BY number")]


def deploy(folder: Path, **variables: str) -> Deployment:
    """Make a sandbox in this folder, with these settings if any, and register the applications."""
    with credence(folder, **variables):
        pass
    sandbox = json.loads((folder / "data" / "sandbox.json").read_text())
    options = {
        "ES256": ("--algorithm", "ES256", "--spike-per-minute", "0"),
        "RS256": ("--algorithm", "RS256", "--spike-per-minute", "0"),
        "alone": ("--algorithm", "ES256", "--spike-per-minute", "0", "--grant", "client_credentials"),
        "counted": ("--algorithm", "ES256", "--spike-per-minute", "10000000"),
    }
    clients = {name: register(folder, f"Bench {name}", *said, **variables) for name, said in options.items()}
    return Deployment(folder, sandbox["username"], sandbox["password"], sandbox["company_number"], clients, variables)


@contextmanager
def credence(folder: Path, **variables: str) -> Iterator[Server]:
    """Run Credence on the deployment in this folder, as an operator starts it, over plain HTTP."""
    port = free_port()
    data = {"CREDENCE_DATA_DIR": str(folder / "data"), "CREDENCE_PORT": str(port), **NO_SPIKE_ARREST}
    command = [sys.executable, "-m", "credence", "serve", "--http"]
    with served(command, port, paths.KEYS, folder / "credence.log", **(data | variables)) as server:
        yield server


@contextmanager
def bare(folder: Path, body: bytes, *works: str) -> Iterator[Server]:
    """Run the bare server with this body, best the very one that ours answers with, and with works of `bench/work.py`."""
    port, answer = free_port(), folder / "answer"
    answer.write_bytes(body)
    command = [sys.executable, "-m", "bench.constant", str(port), str(answer), *works]
    with served(command, port, "/", folder / "bare.log") as server:
        yield server


def register(folder: Path, name: str, *options: str, **variables: str) -> Client:
    """Register an application with these options of `credence app create`."""
    command = [sys.executable, "-m", "credence", "app", "create", name, *options]
    command += ["--data-dir", str(folder / "data"), "--json"]
    environment = {**os.environ, **variables}
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=environment).stdout
    made = json.loads(printed)
    return Client(made["client_id"], made["client_secret"])
