"""The drills of `docs/incidents.md`: an attacker has what the heading says, and the printed commands shut them out.

Each line of the page runs as it is printed, with its variables filled in. `credence` is the command of this checkout, and
`systemctl` stops and starts the server of the test.
"""

import asyncio
import json
import re
import shlex
import ssl
import subprocess
from collections.abc import Callable, Coroutine, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import httpx
import jwt
import pytest

from credence.clock import system_clock
from credence.crypto import base64url
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable
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
from tests.waiting import wait_until

PAGE = (Path(__file__).parents[2] / "docs" / "incidents.md").read_text(encoding="utf-8")
SECTIONS = {
    title: re.findall(r"```sh\n(.+?)```", text, re.DOTALL)
    for title, _, text in (section.partition("\n") for section in PAGE.split("\n## ")[1:])
}
"""Heading -> the blocks of commands below it."""

T = TypeVar("T")


class Drill:
    """A deployment with an incident, and the operator who works through a section of the page."""

    ran: ClassVar[set[tuple[str, int]]] = set()
    """The blocks of the page that a drill of this run has executed."""

    def __init__(self, start_server: StartServer, folder: Path, **variables: str) -> None:
        self._start = start_server
        self._variables = {"CREDENCE_PORT": str(free_port()), **variables}
        self.server: RunningServer = start_server(data_dir=None, **self._variables)
        data = self.server.data_dir
        places = {name: str(folder / name.lower()) for name in ("EVIDENCE", "BACKUP", "ASIDE")}
        self.names = {"DATA": str(data), "USERNAME": self.server.username, **places}

    def do(self, section: str, number: int) -> str:
        """Run a block of a section, and return what its commands print."""
        Drill.ran.add((section, number))
        return "".join(self._run(line) for line in SECTIONS[section][number].splitlines())

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


@pytest.fixture
def drill(start_server: StartServer, tmp_path: Path) -> Drill:
    return Drill(start_server, tmp_path)


@pytest.fixture(scope="module", autouse=True)
def _every_block_runs(request: pytest.FixtureRequest) -> Iterator[None]:
    """No command of the page is left out, unless single drills were asked for."""
    yield
    drills = [item for item in request.session.items if item.path == request.path]
    if len(drills) == NUMBER_OF_DRILLS and not request.session.testsfailed:
        assert {(title, number) for title, blocks in SECTIONS.items() for number in range(len(blocks))} == Drill.ran


NUMBER_OF_DRILLS = 6


def secret_in(text: str) -> str:
    found = re.search(r"crd_sbx_sec_\w+", text)
    assert found, text
    return found[0]


def test_a_clients_secret_leaked(drill: Drill) -> None:
    section = "A client's secret leaked"
    client_id, secret = drill.make("--grant", "client_credentials", "--scope", "credit:report")
    drill.names["CLIENT_ID"] = client_id
    stolen = drill.token(client_id, secret, grant_type="client_credentials").json()["access_token"]
    others = drill.server.tokens()["access_token"]
    assert drill.is_good(stolen)
    wait_until((drill.server.data_dir / "requests" / "requests.sqlite").exists, 10)
    drill.do("Before it happens", 0)

    drill.do(section, 0)
    assert not drill.is_good(stolen)
    assert drill.token(client_id, secret, grant_type="client_credentials").status_code == 401
    new = secret_in(drill.do(section, 1))
    assert drill.token(client_id, secret, grant_type="client_credentials").status_code == 401
    assert not drill.is_good(stolen)
    renewed = drill.token(client_id, new, grant_type="client_credentials").json()["access_token"]
    assert drill.is_good(renewed)
    assert drill.is_good(others)

    wait_until(
        lambda: "client.mismatch" in run_command("log", f"client:{client_id}", **drill.server.variables).stdout, 10
    )
    found = drill.do(section, 2)
    for text in (
        "127.0.0.1",
        "client.mismatch",
        '"disabled":{"before":false,"after":true}',
        '"act":"app rotate-secret"',
        "credit:report",
    ):
        assert text in found, text
    assert secret not in found
    evidence = Path(drill.names["EVIDENCE"])
    assert (evidence / "audit" / "audit.jsonl").is_file()
    assert (evidence / "requests" / "requests.sqlite").is_file()


def test_a_signing_key_leaked(drill: Drill) -> None:
    section = "A signing key leaked"
    tokens = drill.server.tokens()
    kid = jwt.get_unverified_header(tokens["access_token"])["kid"]
    forged = forged_like(drill, tokens["access_token"], kid, drill.server.service_username)
    assert drill.is_good(forged)

    drill.names["KID"] = kid
    assert kid in drill.do(section, 0)
    assert not drill.is_good(forged)
    assert not drill.is_good(tokens["access_token"])
    renewed = drill.server.client.post(
        "/oauth2/v1/token",
        headers=drill.server.client_headers | {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
    ).json()
    assert drill.is_good(renewed["access_token"])
    assert kid not in {each["kid"] for each in drill.server.client.get("/oauth2/v1/keys").json()["keys"]}

    revoked = "reason:token.key_revoked"
    wait_until(lambda: run_command("log", revoked, **drill.server.variables).stdout.count("token.key_revoked") >= 2, 10)
    assert drill.do(section, 1).count("token.key_revoked") >= 3


def test_a_copy_of_the_database_is_worth_nothing_without_its_key_which_is_replaced(drill: Drill) -> None:
    section = "The database or a backup was copied"
    tokens = drill.server.tokens()
    old = drill.in_store(keys)
    drill.do(section, 0)
    assert drill.is_good(tokens["access_token"])
    assert drill.server.tokens()
    with pytest.raises(Unsealable):
        drill.in_store(lambda store, _keks, settings: load_secrets(store, old, settings.environment))


def test_the_database_was_copied_with_its_key(drill: Drill) -> None:
    section = "The database or a backup was copied"
    server = drill.server
    tokens = server.tokens()
    kid = jwt.get_unverified_header(tokens["access_token"])["kid"]
    forged = forged_like(drill, tokens["access_token"], kid, server.service_username)
    old, link = drill.in_store(keys), drill.in_store(stolen_link(server.username))
    assert drill.is_good(forged)
    assert "Choose a password" in server.client.get(link).text

    drill.do(section, 1)
    server = drill.server
    assert not drill.is_good(forged)
    assert not drill.is_good(tokens["access_token"])
    assert "This link does not work" in server.client.get(link).text
    old_secret = {"username": server.username, "password": server.password}
    refused = server.client.post("/oauth2/v1/token", headers=server.client_headers, json=old_secret)
    assert refused.status_code == 401
    with pytest.raises(Unsealable):
        drill.in_store(lambda store, _keks, settings: load_secrets(store, old, settings.environment))

    drill.names["CLIENT_ID"] = server.client_id
    given = drill.do(section, 2)
    headers = {"client_id": server.client_id, "client_secret": secret_in(given)}
    login = server.client.post("/oauth2/v1/token", headers=headers, json=old_secret)
    assert drill.is_good(login.json()["access_token"])
    assert choose(server, link_in(given), "four unrelated words are enough") == 200
    assert server.client.post("/oauth2/v1/token", headers=headers, json=old_secret).status_code == 401
    found = drill.do(section, 3)
    assert server.client_id in found
    assert kid not in found


def test_an_operators_machine_was_stolen(start_server: StartServer, tmp_path: Path) -> None:
    section = "An operator's machine was stolen"
    drill = Drill(start_server, tmp_path, CREDENCE_MANAGE_PORT=str(free_port()))
    drill.names["USERNAME"] = "operator"
    scopes = ("manage:read", "manage:applications")
    options = [
        "--grant",
        "password",
        "--grant",
        "refresh_token",
        *(word for each in scopes for word in ("--scope", each)),
    ]
    client_id, secret = drill.make(*options)
    who = {"grant_type": "password", "username": "operator", "password": drill.server.password}
    resource = f"{drill.server.base_url}/manage/v1"
    stolen = drill.token(client_id, secret, scope=" ".join(scopes), resource=resource, **who).json()
    assert manages(drill, stolen["access_token"]) == 200
    assert manages(drill, stolen["access_token"], {"name": "Back door"}) == 201

    drill.do(section, 0)
    wait_until(lambda: manages(drill, stolen["access_token"]) == 401, 5)
    refresh = {"grant_type": "refresh_token", "refresh_token": stolen["refresh_token"]}
    assert drill.token(client_id, secret, **refresh).status_code == 400
    link = link_in(drill.do(section, 1))
    assert manages(drill, stolen["access_token"]) == 401
    assert drill.token(client_id, secret, scope="manage:read", resource=resource, **who).status_code == 400
    assert choose(drill.server, link, "four unrelated words are enough") == 200
    chosen = who | {"password": "four unrelated words are enough"}
    own = drill.token(client_id, secret, scope="manage:read", resource=resource, **chosen).json()["access_token"]
    assert manages(drill, own) == 403  # until the role is given back
    assert "Back door" in drill.do(section, 2)


def test_a_persons_account_was_taken_over(drill: Drill) -> None:
    section = "A person's account was taken over"
    server = drill.server
    stolen = server.tokens()
    assert drill.is_good(stolen["access_token"])

    drill.do(section, 0)
    assert not drill.is_good(stolen["access_token"])
    body = {"username": server.username, "password": server.password}
    assert server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body).status_code == 401
    link = link_in(drill.do(section, 1))
    assert server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body).status_code == 401
    assert choose(server, link, "four unrelated words are enough") == 200
    body["password"] = "four unrelated words are enough"
    assert server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body).status_code == 200
    assert not drill.is_good(stolen["access_token"])
    found = drill.do(section, 2)
    for text in ("127.0.0.1", "account.suspended", '"after":"suspended"', '"act":"account reset-link"'):
        assert text in found, text


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
