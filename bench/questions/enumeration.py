"""Does the time of a wrong password tell whether the account exists, and in what state it is (threats A1)?

One caller on one connection guesses at each kind of account in turn, in an order drawn anew for every turn, until each has
been guessed at 2,000 times. For two kinds the AUC is the chance that a guess at the one took longer than a guess at the
other: 0.5 tells nothing. What was counted is wiped between the turns, or all would soon be throttled.
"""

import asyncio
import http.client
import itertools
import json
import os
import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from math import sqrt
from pathlib import Path

from argon2 import PasswordHasher, Type
from msgspec.structs import replace

from bench.deployment import Client, Deployment, credence
from bench.load import Spoiled
from bench.measurement import Figure, Measurement, Target
from bench.pinning import LOAD_CORE
from bench.process import Server
from bench.rounds import Plan
from credence import paths
from credence.crypto.passwords import hash_password
from credence.identity import accounts
from credence.store.records import Account
from credence.store.sqlite.store import SqliteStore

SAMPLES = 2_000
"""Of each kind."""

PASSWORD = "correct horse battery staple"
OLDER = PasswordHasher(time_cost=2, memory_cost=7_168, parallelism=1, type=Type.ID)
"""A little more than a third of what the profile `standard` costs."""

TARGET = Target(0.5, at="near", within=0.03)
NO_LIMITS = {
    "CREDENCE_PASSWORD_FAILURES_PER_HOUR_PER_ADDRESS": "0",
    "CREDENCE_PASSWORD_FAILURES_PER_HOUR_PER_APPLICATION": "0",
}


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the AUC of every pair of kinds, with the 95 % interval as `from` and `to`."""
    kinds = _accounts(plan.deployment)
    with credence(plan.deployment.folder, **NO_LIMITS) as ours:
        _log_in(ours, plan.deployment, _username("known"))
        samples = _samples(ours, plan.deployment, kinds)
    for one, other in itertools.combinations(kinds, 2):
        figures = tuple(map(Figure, interval(samples[one], samples[other])))
        medians = {f"{kind}_median_ms": sorted(samples[kind])[SAMPLES // 2] / 1e6 for kind in (one, other)}
        yield Measurement(f"{one} or {other}", "AUC", figures, target=TARGET, more=medians)


def interval(one: Sequence[int], other: Sequence[int]) -> tuple[float, float, float]:
    """Return the AUC between the bounds of its 95 % interval, by the variance of the Mann-Whitney statistic."""
    joined = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = 0.0
    position = 0
    for _, group in itertools.groupby(joined, key=lambda each: each[0]):
        tied = [side for _, side in group]
        ranks += tied.count(0) * (position + (len(tied) + 1) / 2)
        position += len(tied)
    area = (ranks - len(one) * (len(one) + 1) / 2) / (len(one) * len(other))
    margin = 1.96 * sqrt((len(one) + len(other) + 1) / (12 * len(one) * len(other)))
    return area - margin, area, area + margin


def _accounts(deployment: Deployment) -> list[str]:
    """Register one account of each kind but the unknown and return the kinds."""
    hashed = hash_password("standard", PASSWORD)
    known = accounts.register(_username("known"), "user", hashed, now=0)
    kinds = {
        "known": known,
        "new": known,
        "suspended": replace(known, status="suspended"),
        "locked": replace(known, status="locked"),
        "older": replace(known, password_hash=OLDER.hash(PASSWORD)),
    }
    registered = [replace(account, username=_username(kind)) for kind, account in kinds.items()]
    asyncio.run(save(deployment.folder / "data" / "credence.sqlite", registered))
    return ["unknown", *kinds]


def _username(kind: str) -> str:
    return f"{kind}@measured.example"


async def save(file: Path, registered: Sequence[Account]) -> None:
    """Store these accounts in the database of a deployment that does not run."""
    store = SqliteStore(file)
    for account in registered:
        await store.save_account(account, at=0)
    await store.close()


def _samples(ours: Server, deployment: Deployment, kinds: Sequence[str]) -> dict[str, list[int]]:
    """Return how long each guess took, in nanoseconds."""
    samples: dict[str, list[int]] = {kind: [] for kind in kinds}
    chance = random.Random(2026)  # noqa: S311 - an order, not a secret
    with _on_the_other_core(), closing(_connection(ours)) as connection, closing(_tallies(deployment)) as tallies:
        for _ in range(SAMPLES):
            tallies.execute("DELETE FROM tallies")
            for kind in chance.sample(kinds, len(kinds)):
                samples[kind].append(_guess(connection, deployment.clients["ES256"], _username(kind)))
    return samples


def _guess(connection: http.client.HTTPConnection, client: Client, username: str) -> int:
    body = json.dumps({"username": username, "password": "wrong horse battery staple"})
    begun = time.perf_counter_ns()
    connection.request("POST", paths.TOKEN, body, {**client.headers, "Content-Type": "application/json"})
    reply = connection.getresponse()
    reply.read()
    took = time.perf_counter_ns() - begun
    if reply.status != 401:
        raise Spoiled(f"A wrong password was answered with {reply.status}.")
    return took


def _log_in(ours: Server, deployment: Deployment, username: str) -> None:
    with closing(_connection(ours)) as connection:
        body = json.dumps({"username": username, "password": PASSWORD})
        headers = {**deployment.clients["ES256"].headers, "Content-Type": "application/json"}
        connection.request("POST", paths.TOKEN, body, headers)
        if connection.getresponse().status != 200:
            raise Spoiled("The account that is to be known could not log in.")


def _connection(ours: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(ours.address.removeprefix("http://"), timeout=30)


def _tallies(deployment: Deployment) -> sqlite3.Connection:
    return sqlite3.connect(deployment.folder / "data" / "credence.sqlite", isolation_level=None, timeout=10)


@contextmanager
def _on_the_other_core() -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {LOAD_CORE})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
