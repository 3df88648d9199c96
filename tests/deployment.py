"""A whole deployment in this process, over SQLite in memory and a clock the test sets; requests enter as ASGI.

With `store=` the address of a PostgreSQL it is a node over that, and `another_node` is one more.

Tests that need a socket, a file or a kill use the real program (`conftest.py`); these need an exact time or many requests.
"""

import asyncio
import base64
import contextlib
import dataclasses
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from xml.etree import ElementTree as ET

import msgspec

from credence.app import close_service, open_service, open_store
from credence.crypto import base64url
from credence.crypto.passwords import hash_password
from credence.crypto.sealing import KeyEncryptionKeys
from credence.identity import accounts, applications
from credence.oauth.keys.rotation import publish_ahead
from credence.request_log.log_file import LogFile
from credence.service import Service
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Account, Application
from credence.store.signing_keys import SigningKeyRow, private_key_name
from credence.telemetry.counts import Counts
from credence.web.asgi import AsgiApplication
from tests.memory_store import MemoryStore

NOW = 1_700_000_000_500
PASSWORD = "correct horse battery"
TOKEN_PATH = "/oauth2/v1/token"
REVOKE_PATH = "/oauth2/v1/revokeToken"
REPORT_PATH = "/risk/business/v1/registeredcompanycredit"

KEKS = KeyEncryptionKeys((b"k" * 32,))

_KEYS: dict[str, list[tuple[SigningKeyRow, bytes]]] = {}
"""By algorithm. The keys of the first deployment serve the later ones: making RSA keys is slow and not what is tested."""

_SETTINGS: dict[str, Settings] = {}

Header = tuple[str, str]


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes
    cookies: tuple[str, ...] = ()
    """The values of Set-Cookie, which alone may occur more than once."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def said(self) -> tuple[int, str, str]:
        """Status, error type and message of a refusal, whichever form it has."""
        if self.headers["content-type"] == "application/xml":
            error = ET.fromstring(self.body).find("Error")
            assert error is not None
            return self.status, error.findtext("errorType", ""), error.findtext("message", "")
        error = self.json["errors"][0]
        return self.status, error["errorType"], error["message"]


@dataclass
class Deployment:
    """One service with one application and one user, and the time it is there."""

    service: Service
    asgi: AsgiApplication
    store: Store
    application: Application
    secret: str
    now: int = NOW

    async def send(
        self,
        method: str,
        target: str,
        headers: Iterable[Header] = (),
        body: bytes = b"",
        peer: str = "192.0.2.7",
        gone: asyncio.Event | None = None,
        host: str = "localhost",
    ) -> Reply:
        """Send one request through the whole pipeline and return the answer; the caller hangs up when `gone` is set."""
        messages: list[dict[str, Any]] = []
        path, _, query = target.partition("?")

        received = False

        async def receive() -> dict[str, Any]:
            nonlocal received
            if received:
                await (gone or asyncio.Event()).wait()
                return {"type": "http.disconnect"}
            received = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def keep(message: Any) -> None:
            messages.append(dict(message))

        scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [
                (b"host", host.encode()),
                *((name.lower().encode(), value.encode("latin-1")) for name, value in headers),
            ],
            "client": (peer, 1),
        }
        await asyncio.sleep(0)  # a request arrives by the event loop, after what was queued before (`loop_pass`)
        await self.asgi(scope, receive, keep)
        start, *pieces = messages
        assert [each.get("more_body", False) for each in pieces] == [True] * (len(pieces) - 1) + [False]
        sent = [(name.decode(), value.decode()) for name, value in start["headers"]]
        cookies = tuple(value for name, value in sent if name == "set-cookie")
        return Reply(start["status"], dict(sent), b"".join(piece["body"] for piece in pieces), cookies)

    @property
    def client(self) -> list[Header]:
        """The application's credentials as headers."""
        return [("client_id", self.application.client_id), ("client_secret", self.secret)]

    @property
    def basic(self) -> Header:
        pair = f"{self.application.client_id}:{self.secret}"
        return ("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())

    async def login(self, username: str = "ada", password: str = PASSWORD, **more: str) -> Reply:
        """Ask for a token as the specification describes it."""
        return await self.send(
            "POST",
            TOKEN_PATH,
            [*self.client, ("Content-Type", "application/json")],
            json.dumps({"username": username, "password": password, **more}).encode(),
        )

    async def tokens(self) -> dict[str, str]:
        reply = await self.login()
        assert reply.status == 200, reply
        tokens: dict[str, str] = reply.json
        return tokens

    async def refresh(self, refresh_token: str) -> Reply:
        return await self.send(
            "POST",
            TOKEN_PATH,
            [*self.client, ("grant_type", "refresh_token"), ("refresh_token", refresh_token)],
        )

    async def revoke(self, token: str) -> Reply:
        return await self.send("POST", REVOKE_PATH, [*self.client, ("token", token)])

    async def report(self, access_token: str, number: str = "/99999999") -> Reply:
        return await self.send("GET", REPORT_PATH + number, [("Authorization", f"Bearer {access_token}")])

    async def another_application(self) -> "Deployment":
        """The same service, seen by an application of its own."""
        other, secret = applications.register("Other", "sbx", self.service.authority.secrets.digest, NOW)
        await self.store.save_application(other, NOW)
        return Deployment(self.service, self.asgi, self.store, other, secret, self.now)

    @property
    def memory(self) -> MemoryStore:
        """The store as one in memory, for tests that look into it."""
        assert isinstance(self.store, MemoryStore)
        return self.store

    @contextlib.asynccontextmanager
    async def another_node(
        self, store: Store | None = None, counts: Counts | None = None, **settings_of_its_own: Any
    ) -> AsyncIterator["Deployment"]:
        """One more node over the same PostgreSQL, or over `store`, with memory and a clock of its own.

        `counts` are where it counts its refusals, if not for itself.
        """
        settings = self.service.settings.model_copy(update=settings_of_its_own)
        over = store or await open_store(settings)
        service = await open_service(settings, over, lambda: KEKS, lambda: self.now)
        if counts is not None:
            service = dataclasses.replace(service, counts=counts)
        node = _deployment(service, self.application, self.secret)
        node.now = self.now
        async with served(node.asgi):
            yield node

    async def change_application(self, **changes: Any) -> None:
        """Change fields of the application; the algorithms that they name have keys then, as after a command."""
        settings = self.service.settings
        fields = ("algorithm", "id_token_algorithm", "user_info_algorithm")
        named = {changes.get(field) for field in fields}.intersection(settings.algorithms)
        await add_keys(self.store, [algorithm for algorithm in named if algorithm is not None])
        kept = await self.store.application(self.application.client_id)
        assert kept is not None
        self.application = msgspec.structs.replace(kept, version=kept.version + 1, **changes)
        await self.store.save_application(self.application, self.now)

    async def change_account(self, username: str = "ada", **changes: Any) -> None:
        kept = await self.store.account(username)
        assert kept is not None
        await self.store.save_account(msgspec.structs.replace(kept, version=kept.version + 1, **changes), self.now)

    async def set_status(self, status: Any, username: str = "ada") -> None:
        kept = await self.store.account(username)
        assert kept is not None
        await self.store.save_account(accounts.with_status(kept, status, self.now), self.now)

    def write_request_log(self) -> None:
        """Write what has been answered to the log file, as the background task does every second."""
        assert self.service.request_log is not None
        file = LogFile(self.service.settings.request_log_file, 10, 7)
        file.write(self.service.request_log, self.service.request_log.take(), self.now)
        file.close()


class OpenDeployment(Protocol):
    """How a test opens a deployment at a moment or with settings of its choice; it is closed when the test ends."""

    async def __call__(self, folder: Path | None = None, **settings: Any) -> Deployment: ...


def claims(access_token: str) -> Any:
    """What a token says, unverified."""
    return json.loads(base64url.decode(access_token.split(".")[1]))


async def deploy(folder: Path, over: Store | None = None, **settings: Any) -> Deployment:
    """Open a deployment whose only application and user are known to the test, over a new store or the one given."""
    chosen = {
        "password_profile": "testing",
        "algorithm": "ES256",
        "spike_per_minute": 0,
        "spike_account_per_minute": 0,
        "spike_address_per_minute": 0,
        **settings,
    }
    validated = _settings(chosen).model_copy(update={"data_dir": folder})
    store = await _store_with_keys(validated, over)
    service = await open_service(validated, store, lambda: KEKS, lambda: NOW)
    application, secret = applications.register("Ledger", "sbx", service.authority.secrets.digest, NOW)
    await store.save_application(application, NOW)
    await store.save_account(ada(), NOW)
    return _deployment(service, application, secret)


def _settings(chosen: dict[str, Any]) -> Settings:
    """Return these settings, which are validated once: that takes longer than the rest of a deployment."""
    key = repr(sorted(chosen.items()))
    if key not in _SETTINGS:
        _SETTINGS[key] = Settings(**chosen)
    return _SETTINGS[key]


def _deployment(service: Service, application: Application, secret: str) -> Deployment:
    deployment = Deployment(
        dataclasses.replace(service, clock=lambda: deployment.now),
        AsgiApplication(service.settings, lambda: _itself(deployment.service), close_service),
        service.authority.store,
        application,
        secret,
    )
    service.rate_limiter.now = lambda: deployment.now
    return deployment


async def _itself(service: Service) -> Service:
    return service


async def _store_with_keys(settings: Settings, over: Store | None) -> Store:
    store = over or (await open_store(settings) if settings.store else MemoryStore())
    await add_keys(store, dict.fromkeys((settings.algorithm, "RS256")))
    return store


async def add_keys(store: Store, algorithms: Iterable[str]) -> None:
    """Give the store the keys of these algorithms, unless it has them: one that signs and one that waits for each."""
    having = {row.algorithm for row in await store.signing_keys()}
    for algorithm in algorithms:
        if algorithm in having:
            continue
        if algorithm not in _KEYS:
            source = MemoryStore()
            await publish_ahead(source, KEKS, Settings(algorithms=("RS256", algorithm)), [algorithm], NOW)
            sealed = await source.sealed_secrets()
            _KEYS[algorithm] = [(key, sealed[private_key_name(key.kid)]) for key in await source.signing_keys()]
        before: str | None = None
        for key, sealed_key in _KEYS[algorithm]:
            await store.add_signing_key(key, sealed_key, before, NOW)
            before = key.kid


def ada() -> Account:
    """A user account with a profile."""
    return accounts.register(
        "ada",
        "user",
        hash_password("testing", PASSWORD),
        NOW,
        email="ada@example.com",
        first_name="Ada",
        last_name="Lovelace",
    )


@contextlib.asynccontextmanager
async def deployed(folder: Path, **settings: Any) -> AsyncIterator[Deployment]:
    """Run a deployment as a server does, from its start to its stop."""
    deployment = await deploy(folder, **settings)
    async with served(deployment.asgi):
        yield deployment


@contextlib.asynccontextmanager
async def served(asgi: AsgiApplication) -> AsyncIterator[None]:
    """Tell the application that the server starts and at the end that it stops, as a server does."""
    told: asyncio.Queue[Any] = asyncio.Queue()
    answers: asyncio.Queue[Any] = asyncio.Queue()
    life = asyncio.create_task(asgi({"type": "lifespan"}, told.get, answers.put))
    told.put_nowait({"type": "lifespan.startup"})
    assert await answers.get() == {"type": "lifespan.startup.complete"}
    try:
        yield
    finally:
        told.put_nowait({"type": "lifespan.shutdown"})
        await life
