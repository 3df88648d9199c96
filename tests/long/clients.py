"""Clients of several nodes who live on while these or their database fail, and note what they were answered."""

import asyncio
import hashlib
import random
import time
from collections.abc import Sequence

import httpx

from tests.long.history import Answer, Kind
from tests.running import RunningServer

TOKEN, REVOKE = "/oauth2/v1/token", "/oauth2/v1/revokeToken"
REPORT = "/risk/business/v1/registeredcompanycredit/"

PAUSE = 0.1
"""Seconds a client waits after each answer, on average."""

AUDITORS = 8

Told = tuple[int, str, str]
"""Status and the pair that came, empty where none did."""


class Login:
    """What its client holds of one login."""

    def __init__(self, number: int, access: str, refresh: str) -> None:
        self.number = number
        self.access = access
        self.refresh = refresh
        self.touched = time.monotonic()
        self.revoked = False


class Clients:
    """Any number of clients at once. `answers` has all that was asked, `logins` what they hold."""

    def __init__(self, nodes: Sequence[RunningServer], seed: int) -> None:
        self.answers: list[Answer] = []
        self.logins: list[Login] = []
        self._chance = random.Random(seed)
        self._node = nodes[0]
        limits = httpx.Limits(max_keepalive_connections=50)
        self._clients = [
            httpx.AsyncClient(base_url=node.base_url, trust_env=False, timeout=20, limits=limits) for node in nodes
        ]

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    async def live(self, until: asyncio.Event) -> None:
        """Log in, use, refresh and mostly revoke, over and over, each request at some node."""
        while not until.is_set():
            login = await self._log_in()
            for _ in range(self._chance.randrange(1, 8)):
                await self._use(login)
            if self._chance.random() < 0.6:
                await self.revoke(login)

    async def audit(self, logins: Sequence[Login]) -> None:
        """Ask every node about each of these logins, which nobody uses meanwhile; some at once."""
        await asyncio.gather(*(self._audit(logins[part::AUDITORS]) for part in range(AUDITORS)))

    async def refresh(self, login: Login) -> None:
        """Refresh until it is answered, each time at some node; sometimes at two at once."""
        for _ in range(200):
            asked = [self._ask("refresh", login, self._any_node()) for _ in range(self._chance.choice((1, 1, 1, 2)))]
            answers = await asyncio.gather(*asked)
            for status, access, refresh in answers:
                if status == 200:
                    login.access, login.refresh = access, refresh
            if any(status in (200, 401) for status, _, _ in answers):
                return
            await self._pause()

    async def revoke(self, login: Login) -> None:
        """Revoke the login by its refresh token until that is acknowledged; look then whether it is so everywhere."""
        for _ in range(200):
            login.revoked = True
            status, _, _ = await self._ask("revoke", login, self._any_node())
            if status in (200, 401):
                break
            await self._pause()
        await self.audit([login])

    async def _audit(self, logins: Sequence[Login]) -> None:
        for login in logins:
            for node in range(len(self._clients)):
                await self._report(login, node)
            await self.refresh(login)

    async def _use(self, login: Login) -> None:
        login.touched = time.monotonic()
        await self._report(login, self._any_node())
        await self._pause()
        await self.refresh(login)
        await self._pause()

    async def _log_in(self) -> Login:
        while True:
            login = Login(len(self.logins), "", "")
            self.logins.append(login)
            status, login.access, login.refresh = await self._ask("login", login, self._any_node())
            if status == 200:
                return login
            await self._pause()

    async def _report(self, login: Login, node: int) -> None:
        headers = {"Authorization": f"Bearer {login.access}"}
        await self._send("report", login, node, login.access, "GET", REPORT + self._node.company_number, headers)

    async def _ask(self, kind: Kind, login: Login, node: int) -> Told:
        headers = dict(self._node.client_headers)
        match kind:
            case "login":
                body = {"username": self._node.username, "password": self._node.password}
                return await self._send(kind, login, node, "", "POST", TOKEN, headers, body)
            case "refresh":
                headers |= {"grant_type": "refresh_token", "refresh_token": login.refresh}
                return await self._send(kind, login, node, login.refresh, "POST", TOKEN, headers)
            case _:
                headers["token"] = login.refresh
                return await self._send(kind, login, node, login.refresh, "POST", REVOKE, headers)

    async def _send(
        self,
        kind: Kind,
        login: Login,
        node: int,
        presented: str,
        method: str,
        path: str,
        headers: dict[str, str],
        body: dict[str, str] | None = None,
    ) -> Told:
        began, status, access, refresh = time.monotonic(), 0, "", ""
        try:
            reply = await self._clients[node].request(method, path, headers=headers, json=body)
            status = reply.status_code
            if status == 200 and kind in ("login", "refresh"):
                tokens = reply.json()
                access, refresh = tokens["access_token"], tokens["refresh_token"]
        except httpx.HTTPError:
            pass  # a status of 0 says so
        ended = time.monotonic()
        noted = Answer(
            began, ended, node, login.number, kind, _digest(presented), status, _digest(access), _digest(refresh)
        )
        self.answers.append(noted)
        return status, access, refresh

    def _any_node(self) -> int:
        return self._chance.randrange(len(self._clients))

    async def _pause(self) -> None:
        await asyncio.sleep(self._chance.uniform(0, 2 * PAUSE))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:16] if token else ""
