"""Killed at random moments of a concurrent load, the service forgets nothing it acknowledged (threats F1, I2, I4)."""

import asyncio
import os
import random
import signal
import ssl
from dataclasses import dataclass, field
from functools import partial

import httpx
import pytest

from tests.conftest import StartServer
from tests.journeys.test_workers import workers_of
from tests.running import RunningServer
from tests.sweeps import LONG

CLIENTS = 24
ROUNDS = 4 if LONG else 3
CHECKED = 200 if LONG else 60
"""How many logins are looked at after a round."""

WELL_UNDER_WAY = 60.0
"""Seconds in which every client must have done something on the busiest machine."""

SPIKE_ARREST = 429
"""Set apart from the 401 of a login that is refused."""

ISSUER = "https://localhost:8443"
"""Stays the same while the port changes, or the tokens of the last run would be another issuer's."""


@dataclass
class TokenFamily:
    """What one client was told about one login."""

    refresh_token: str
    access_token: str
    revoked: bool = False
    uncertain: bool = False
    """A request was on its way when the server died: either outcome is right."""


@dataclass
class Told:
    families: list[TokenFamily] = field(default_factory=list)
    rotations: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether a death now could make the service forget something of each kind."""
        return self.rotations > CLIENTS and any(family.revoked for family in self.families)


async def live(server: RunningServer, client: httpx.AsyncClient, told: Told, chance: random.Random) -> None:
    """Log in, refresh a few times, sometimes revoke, and again, until the server is gone."""
    while True:
        reply = await client.post(
            "/oauth2/v1/token",
            headers=server.client_headers,
            json={"username": server.username, "password": server.password},
        )
        if reply.status_code == SPIKE_ARREST:  # on a busy machine a password may wait too long for its hash
            continue
        tokens = reply.raise_for_status().json()
        family = TokenFamily(tokens["refresh_token"], tokens["access_token"])
        told.families.append(family)
        for _ in range(chance.randrange(6)):
            family.uncertain = True
            headers = {**server.client_headers, "refresh_token": family.refresh_token}
            tokens = (await client.post("/oauth2/v1/token", headers=headers)).raise_for_status().json()
            family.refresh_token, family.access_token, family.uncertain = (
                tokens["refresh_token"],
                tokens["access_token"],
                False,
            )
            told.rotations += 1
        if chance.random() < 0.5:
            family.uncertain = True
            headers = {**server.client_headers, "token": family.refresh_token}
            (await client.post("/oauth2/v1/revokeToken", headers=headers)).raise_for_status()
            family.revoked, family.uncertain = True, False


async def load_until_killed(server: RunningServer, seconds: float, seed: int) -> Told:
    """Load the server, and kill it; if it has several workers, one of them first, while the others go on."""
    told, workers = Told(), workers_of(server)
    trusted = ssl.create_default_context(cafile=server.ca_file)
    async with httpx.AsyncClient(base_url=server.base_url, verify=trusted, trust_env=False, timeout=20) as client:
        clients = [
            asyncio.create_task(live(server, client, told, random.Random(seed + number))) for number in range(CLIENTS)
        ]
        async with asyncio.timeout(WELL_UNDER_WAY):
            while not told.is_enough:  # noqa: ASYNC110 - looks from outside
                await asyncio.sleep(0.01)
        await asyncio.sleep(seconds)
        if len(workers) > 1:
            os.kill(random.Random(seed).choice(workers), signal.SIGKILL)
            await asyncio.sleep(seconds)
        os.killpg(server.process.pid, signal.SIGKILL)
        outcomes = await asyncio.gather(*clients, return_exceptions=True)
    assert all(isinstance(outcome, httpx.TransportError) for outcome in outcomes), outcomes
    return told


def check(server: RunningServer, family: TokenFamily) -> None:
    answer = server.report(family.access_token)
    refreshed = server.client.post(
        "/oauth2/v1/token", headers={**server.client_headers, "refresh_token": family.refresh_token}
    )
    if family.revoked:
        assert (answer.status_code, refreshed.status_code) == (401, 401), "a revocation was forgotten"
    elif not family.uncertain:
        assert (answer.status_code, refreshed.status_code) == (200, 200), "a token was forgotten"


@pytest.mark.parametrize("seed", [20261121])
def test_every_acknowledged_login_rotation_and_revocation_survives_a_kill(start_server: StartServer, seed: int) -> None:
    chance = random.Random(seed)
    begin = partial(
        start_server,
        CREDENCE_BASE_URL=ISSUER,
        CREDENCE_ALGORITHM="ES256",
        CREDENCE_SPIKE_STATUS=str(SPIKE_ARREST),
    )
    server = begin()
    for number in range(ROUNDS):
        told = asyncio.run(load_until_killed(server, chance.random(), seed))
        server.process.wait()
        server = begin(data_dir=server.data_dir, CREDENCE_WORKERS=str(1 + number % 2))
        for family in chance.sample(told.families, min(CHECKED, len(told.families))):
            check(server, family)
