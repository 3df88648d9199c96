"""Runs the printed commands of `docs/incidents.md` on a deployment, and does what its attackers do.

`credence` is the command of this checkout, and `systemctl` stops and starts the server of the test.
"""

import asyncio
import json
import re
import shlex
import ssl
import subprocess
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import httpx

from credence.clock import system_clock
from credence.crypto import base64url
from credence.crypto.sealing import KeyEncryptionKeys
from credence.deployment import key_encryption_keys
from credence.oauth.keys.ring import load_key_ring
from credence.oauth.keys.secrets import load_secrets
from credence.operations.password_links import password_link
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.sqlite.store import SqliteStore
from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import RunningServer, run_command
from tests.sign_in.browsing import form_of_text

PAGE = (Path(__file__).parents[2] / "docs" / "incidents.md").read_text(encoding="utf-8")
SECTIONS = {
    title: re.findall(r"```sh\n(.+?)```", text, re.DOTALL)
    for title, _, text in (section.partition("\n") for section in PAGE.split("\n## ")[1:])
}
"""Heading -> the blocks of commands below it."""

T = TypeVar("T")


class Drill:
    """A deployment with an incident, and the operator who works through a section of the page."""

    def __init__(self, start_server: StartServer, folder: Path, **variables: str) -> None:
        self._start = start_server
        self._variables = {"CREDENCE_PORT": str(free_port()), **variables}
        self.server: RunningServer = start_server(data_dir=None, **self._variables)
        self._ran: dict[str, set[int]] = {}
        data = self.server.data_dir
        places = {name: str(folder / name.lower()) for name in ("EVIDENCE", "BACKUP", "ASIDE")}
        self.names = {"DATA": str(data), "USERNAME": self.server.username, **places}

    def do(self, section: str, number: int) -> str:
        """Run a block of a section, and return what its commands print."""
        self._ran.setdefault(section, set()).add(number)
        return "".join(self._run(line) for line in SECTIONS[section][number].splitlines())

    def left(self, section: str) -> set[int]:
        """Return the blocks of a section that were not run."""
        return set(range(len(SECTIONS[section]))) - self._ran.get(section, set())

    def _run(self, line: str) -> str:
        if line.startswith("systemctl "):
            _, act, unit = line.split()
            assert unit == "credence"
            if act == "stop":
                self.server.stop()
            else:
                self.server = self._start(data_dir=self.server.data_dir, **self._variables)
            return ""
        before, bar, command = line.rpartition(" | ") if " | credence " in line else ("", "", line)
        typed = self._shell(before) if bar else ""
        if not command.startswith("credence "):
            return self._shell(command)
        words = [re.sub(r"\$([A-Z_]+)", lambda name: self.names[name[1]], each) for each in shlex.split(command)]
        done = run_command(*words[1:], stdin=typed, **self.server.variables)
        assert done.returncode == 0, (line, done)
        return done.stdout

    def _shell(self, line: str) -> str:
        done = subprocess.run(
            ["sh", "-ec", line],
            env={"PATH": "/usr/bin:/bin", **self.names},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0 or (line.startswith("grep") and done.returncode == 1), (line, done)
        return done.stdout

    def in_store(self, act: Callable[[Store, KeyEncryptionKeys, Settings], Coroutine[Any, Any, T]]) -> T:
        """Do what a thief does with the files of the data folder."""
        settings = Settings(data_dir=self.server.data_dir, base_url=self.server.base_url)

        async def run() -> T:
            store = SqliteStore(settings.sqlite_file)
            try:
                return await act(store, key_encryption_keys(settings), settings)
            finally:
                await store.close()

        return asyncio.run(run())

    def token(self, client_id: str, secret: str, **form: str) -> httpx.Response:
        """Ask for tokens in the standard dialect."""
        return self.server.client.post("/oauth2/v1/token", data=form, auth=(client_id, secret))

    def is_good(self, access_token: str) -> bool:
        return self.server.report(access_token).status_code == 200

    def make(self, *options: str) -> tuple[str, str]:
        """Register an application, and return its client_id and secret."""
        made = run_command("app", "create", "Ledger", *options, "--json", **self.server.variables)
        found = dict(re.findall(r'"(client_id|client_secret)": "([^"]+)"', made.stdout))
        return found["client_id"], found["client_secret"]


def secret_in(text: str) -> str:
    found = re.search(r"crd_sbx_sec_\w+", text)
    assert found, text
    return found[0]


async def keys(_store: Store, keks: KeyEncryptionKeys, _settings: Settings) -> KeyEncryptionKeys:
    return keks


def stolen_link(username: str) -> Callable[[Store, KeyEncryptionKeys, Settings], Coroutine[Any, Any, str]]:
    """What a thief of store and key makes: a link that sets the password of an account."""

    async def act(store: Store, keks: KeyEncryptionKeys, settings: Settings) -> str:
        account = await store.account(username)
        assert account is not None
        secrets = await load_secrets(store, keks, settings.environment)
        link = password_link(settings, secrets.digest, account, system_clock() + 3_600_000)
        return link.removeprefix(settings.issuer)

    return act


def forged_like(drill: Drill, token: str, kid: str, username: str) -> str:
    """What a thief of a signing key makes: an access token in the name of another account."""
    header, payload, _ = token.split(".")
    claims = json.loads(base64url.decode(payload)) | {"sub": username, "jti": "forged"}
    signed = f"{header}.{base64url.encode(json.dumps(claims).encode())}"

    async def act(store: Store, keks: KeyEncryptionKeys, settings: Settings) -> bytes:
        ring = await load_key_ring(store, keks, settings.algorithm, system_clock())
        return ring.private[kid].sign(signed.encode())

    return f"{signed}.{base64url.encode(drill.in_store(act))}"


def link_in(text: str) -> str:
    found = re.search(r"/account/password\?link=[\w.-]+", text)
    assert found, text
    return found[0]


def choose(server: RunningServer, link: str, password: str) -> int:
    """Open a link as its person does, and choose a password."""
    page = server.client.get(link)
    action, fields = form_of_text(page.text)
    fields |= {"password": password, "again": password}
    return server.client.post(action, data=fields, headers={"Origin": server.base_url}).status_code


def manages(drill: Drill, token: str, application: Mapping[str, str] | None = None) -> int:
    """Return the status of a request to the management API with this token: to list applications, or to make one."""
    address = f"https://localhost:{drill.server.variables['CREDENCE_MANAGE_PORT']}/manage/v1/applications"
    context = ssl.create_default_context(cafile=drill.server.ca_file)
    method, headers = "GET" if application is None else "POST", {"Authorization": f"Bearer {token}"}
    return httpx.request(method, address, json=application, headers=headers, verify=context).status_code
