"""Two deployments of two nodes each, over a SQLite and a PostgreSQL store, which both get one history.

Time is the same for both of them, and before each step every node has read the change log, as it does within a second
(threats I5). The stores suspend each call at random, and in the long run other requests come meanwhile.
Random values, such as the ids of logins, are named in the order in which they appear.
"""

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from joserfc import jwt
from joserfc.jwk import KeySet

from credence.app import open_store
from credence.identity import applications
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Account, Application
from tests.deployment import NOW, Deployment, Reply, ada, deploy
from tests.suspending import Suspending
from tests.sweeps import many

NODES = 2
MOST_PAUSES = 4
"""Turns of the event loop for which a store suspends a call, before it acts and after."""
OTHERS = many(0, long=2)
"""Other requests that come to each node during a step; in the long run alone, because they double its time."""
USERS = ("ada", "bob")
APPLICATIONS = ("ours", "theirs")

T = TypeVar("T")


class Tokens(msgspec.Struct, frozen=True):
    """The pair as one deployment gave it; each gives its own."""

    access: str
    refresh: str


NO_TOKENS = Tokens("", "")


class Answer(msgspec.Struct, frozen=True):
    """The answer to a client without the tokens themselves: `claims` are those of its access token."""

    said: tuple[Any, ...]
    claims: dict[str, Any] | None = None


class World:
    """One of the deployments."""

    def __init__(self, name: str, first: Deployment, again: Callable[[], Awaitable[Store]]) -> None:
        self.name = name
        self._first = first
        self._again = again
        self._running: list[tuple[AsyncExitStack, Deployment]] = []
        self._secrets: dict[str, tuple[str, str]] = {}
        self._named: dict[str, str] = {}
        self._keys = KeySet([])
        self._random = random.Random(0)
        self._newest: deque[str] = deque(maxlen=OTHERS)
        self._others: list[asyncio.Task[None]] = []
        self.history = 0

    async def open(self) -> None:
        self._running = [await self._node() for _ in range(NODES)]

    async def begin(self, history: int) -> None:
        """New applications, new users, and the time at which every history begins."""
        self.history = history
        self._random.seed(history)
        self._newest.clear()
        self.set_time(NOW)
        self._named = {}
        for name in APPLICATIONS:
            application, secret = applications.register(name, "sbx", self._first.service.authority.secrets.digest, NOW)
            await self._first.store.save_application(application, NOW)
            self._secrets[name] = application.client_id, secret
            self._named[application.client_id] = name
        for name in USERS:
            await self._first.store.save_account(msgspec.structs.replace(ada(), username=self.user(name)), NOW)
        published = await self._running[0][1].send("GET", "/oauth2/v1/keys")
        self._keys = KeySet.import_key_set(published.json)

    def user(self, name: str) -> str:
        return f"{name}{self.history}"

    def set_time(self, now: int) -> None:
        for node in (self._first, *(node for _, node in self._running)):
            node.now = now

    async def everybody_hears(self) -> None:
        for _, node in self._running:
            await node.service.authority.revocation_cache.sync()

    async def among_others(self, act: Callable[["World"], Awaitable[T]]) -> T:
        """Do something while every node gets other requests, with tokens that the clients have."""
        self._others = [
            asyncio.create_task(self._report(node, token)) for _, node in self._running for token in self._newest
        ]
        done = await act(self)
        await asyncio.gather(*self._others)
        return done

    async def _report(self, node: Deployment, token: str) -> None:
        for _ in range(self._random.randint(0, MOST_PAUSES)):
            await asyncio.sleep(0)
        assert (await node.report(token)).status in {200, 401}

    def seen_by(self, application: str, node: int) -> Deployment:
        """A node as this application uses it."""
        client_id, secret = self._secrets[application]
        running = self._running[node][1]
        running.application = msgspec.structs.replace(running.application, client_id=client_id)
        running.secret = secret
        return running

    def told(self, reply: Reply) -> tuple[Answer, Tokens]:
        """The answer of a token endpoint; a pair that no published key verifies is a failure (threats I6)."""
        if reply.status != 200:
            return Answer(reply.said), NO_TOKENS
        body = dict(reply.json)
        access, refresh = body.pop("access_token"), body.pop("refresh_token")
        self._newest.append(access)
        verified = jwt.decode(access, self._keys, algorithms=["ES256"])
        said = {**verified.claims, **verified.header, "client_id": self._named[verified.claims["client_id"]]}
        login = self._named.setdefault(said["sid"], f"login {len(self._named)}")
        said |= {"sid": login, "jti": said["jti"].replace(said["sid"], login)}
        return Answer((reply.status, *sorted(body.items())), said), Tokens(access, refresh)

    async def change_account(self, name: str, change: Callable[[Account], Account]) -> None:
        kept = await self._first.store.account(self.user(name))
        assert kept is not None
        await self._first.store.save_account(change(kept), self._first.now)

    async def change_application(self, name: str, change: Callable[[Application], Application]) -> None:
        kept = await self._first.store.application(self._secrets[name][0])
        assert kept is not None
        changed = change(kept)
        if changed != kept:
            await self._first.store.save_application(changed, self._first.now)

    async def sweep(self, until: int) -> None:
        for _, node in self._running:
            node.service.authority.revocation_cache.forget_expired(until)
        await self._first.store.sweep(until)

    async def restart(self, node: int) -> None:
        """End a node and start it again: it has only the store (threats I2, I4, L7)."""
        now = self._running[node][1].now
        await asyncio.gather(*self._others)  # a node that stops finishes its requests
        await self._running[node][0].aclose()
        self._running[node] = await self._node()
        self.set_time(now)

    async def close(self) -> None:
        for stopping, _ in self._running:
            await stopping.aclose()
        await self._first.store.close()

    async def _node(self) -> tuple[AsyncExitStack, Deployment]:
        stopping = AsyncExitStack()
        slow = Suspending(await self._again(), lambda: self._random.randint(0, MOST_PAUSES))
        return stopping, await stopping.enter_async_context(self._first.another_node(cast("Store", slow)))


class Worlds:
    """All deployments. `ask` returns the common answer, and the tokens of each."""

    def __init__(self, runner: asyncio.Runner, folder: Path, url: str) -> None:
        self._runner = runner
        self._history = 0
        self._worlds = runner.run(_open(folder, url))

    def begin(self) -> None:
        self._history += 1
        self.each(lambda world: world.begin(self._history))

    def each(self, act: Callable[[World], Awaitable[T]]) -> dict[str, T]:
        """Do the same in every deployment."""
        return self._runner.run(_each(self._worlds, act))

    def ask(self, act: Callable[[World], Awaitable[tuple[Answer, T]]]) -> tuple[Answer, dict[str, T]]:
        """Return the common answer of all deployments, and the tokens of each."""
        answers = self.each(act)
        first, _ = answers["sqlite"]
        assert all(answer == first for answer, _ in answers.values()), answers
        return first, {name: own for name, (_, own) in answers.items()}

    def close(self) -> None:
        for world in self._worlds.values():
            self._runner.run(world.close())


@contextmanager
def worlds(folder: Path, url: str) -> Iterator[Worlds]:
    with asyncio.Runner() as runner, closing(Worlds(runner, folder, url)) as opened:
        yield opened


async def _open(folder: Path, url: str) -> dict[str, World]:
    file = Settings(data_dir=folder / "sqlite")
    places: dict[str, tuple[dict[str, Any], Callable[[], Awaitable[Store]]]] = {
        "sqlite": ({}, lambda: open_store(file)),
        "postgres": ({"store": url}, lambda: open_store(Settings(store=url))),
    }
    opened = {}
    for name, (chosen, again) in places.items():
        unlimited = {"password_failures_per_hour_per_address": 0, "password_failures_per_hour_per_application": 0}
        first = await deploy(folder / name, await again(), **chosen, **unlimited)
        opened[name] = World(name, first, again)
        await opened[name].open()
    return opened


async def _each(worlds: dict[str, World], act: Callable[[World], Awaitable[T]]) -> dict[str, T]:
    found = {}
    for name, world in worlds.items():
        await world.everybody_hears()
        found[name] = await world.among_others(act)
    return found
