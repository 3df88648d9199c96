"""The cost of a wrong password does not reveal its account (threats A1, I7): counted, not timed.

`python -m bench enumeration` measures the time itself.
"""

from collections import Counter
from typing import Any

import pytest
from argon2 import PasswordHasher, Type, extract_parameters, low_level
from msgspec.structs import replace

from credence.crypto import digest
from credence.crypto.passwords import PasswordHashing
from credence.store.records import Account
from tests.deployment import NOW, PASSWORD, OpenDeployment, ada
from tests.identity.attacks import attempt, present
from tests.memory_store import MemoryStore

CHEAPER = PasswordHasher(time_cost=1, memory_cost=32, type=Type.ID).hash(PASSWORD)
"""Half of what the profile `testing` costs."""

OTHERS: dict[str, Account] = {
    "suspended": replace(ada(), username="suspended", status="suspended"),
    "locked": replace(ada(), username="locked", status="locked"),
    "expired": replace(ada(), username="expired", status="expired"),
    "closed": replace(ada(), username="closed", status="closed"),
    "never-logged-in": replace(ada(), username="never-logged-in"),
    "old-parameters": replace(ada(), username="old-parameters", password_hash=CHEAPER),
    "hash-that-is-none": replace(ada(), username="hash-that-is-none", password_hash="!"),
}


class Ledger:
    """The cost of requests: kibibytes processed by Argon2, keyed digests, calls of the store.

    Its processor has a clock of its own, on which a kibibyte takes a nanosecond.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.spent: Counter[str] = Counter()
        self._worked = 0
        verify_secret, hash_secret = low_level.verify_secret, low_level.hash_secret
        hash_secret_raw, state_of = low_level.hash_secret_raw, digest.state_of

        def verifying(hashed: bytes, secret: bytes, kind: Type) -> bool:
            parameters = extract_parameters(hashed.decode())
            self._work(parameters.time_cost * parameters.memory_cost)
            return verify_secret(hashed, secret, kind)

        def hashing_new(secret: bytes, salt: bytes, **parameters: Any) -> bytes:
            self._work(parameters["time_cost"] * parameters["memory_cost"])
            return hash_secret(secret, salt, **parameters)

        def hashing(secret: bytes, salt: bytes, **parameters: Any) -> bytes:
            self._work(parameters["time_cost"] * parameters["memory_cost"])
            return hash_secret_raw(secret, salt, **parameters)

        def digesting(*rest: Any, **more: Any) -> Any:
            self.spent["digests"] += 1
            return state_of(*rest, **more)

        monkeypatch.setattr("argon2._password_hasher.verify_secret", verifying)
        monkeypatch.setattr("credence.crypto.passwords.hash_secret_raw", hashing)
        monkeypatch.setattr(digest, "state_of", digesting)
        monkeypatch.setattr("credence.crypto.passwords.thread_time", lambda: self._worked)
        monkeypatch.setattr("argon2._password_hasher.hash_secret", hashing_new)
        for name in ("account", "tallies", "count_failure", "count_success", "save_account", "open_family"):
            monkeypatch.setattr(MemoryStore, name, self._counted(name))

    def _work(self, kibibytes: int) -> None:
        self._worked += kibibytes
        self.spent["work"] += kibibytes

    def _counted(self, name: str) -> Any:
        method = getattr(MemoryStore, name)

        def counted(store: MemoryStore, *arguments: Any) -> Any:
            self.spent[name] += 1
            return method(store, *arguments)

        return counted


@pytest.mark.parametrize("throttled", [False, True])
async def test_a_wrong_password_costs_the_same_for_every_account(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch, throttled: bool
) -> None:
    """threats A1: the same work of Argon2, digests, reads and writes; while throttled, neither work nor writes."""
    ledger = Ledger(monkeypatch)

    deployment = await open_deployment(spike_account_per_minute=60_000)
    for account in OTHERS.values():
        await deployment.store.save_account(account, NOW)
    await present(deployment, peer="192.0.2.8")  # ada is cached and remembered
    spent = {}
    for username in ("ada", "nobody", *OTHERS):
        await attempt(deployment, 5 if throttled else 0, username)
        ledger.spent.clear()
        await attempt(deployment, 1, username)
        spent[username] = dict(ledger.spent)
    # Digests: one for the client secret, one for the password cache, five for the failure counters, one for the rate limit.
    reads: dict[str, int] = {"digests": 8, "tallies": 1}
    hashed = {"digests": 8, "tallies": 2, "account": 1, "work": 64, "count_failure": 1}
    assert spent == dict.fromkeys(spent, reads if throttled else hashed)


async def test_the_right_password_of_an_inactive_account_is_verified_like_any_other(
    open_deployment: OpenDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A2: the state is revealed only with the right password, at the cost of one hash."""
    ledger = Ledger(monkeypatch)

    deployment = await open_deployment()
    for name in ("suspended", "locked", "closed"):
        await deployment.store.save_account(OTHERS[name], NOW)
        ledger.spent.clear()
        reply = await present(deployment, username=name)
        assert reply.said[2].startswith("Your account is in invalid state.")
        assert ledger.spent["work"] == 64


def test_a_cheaper_hash_costs_what_a_new_one_costs_however_many_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """threats A1."""
    ledger = Ledger(monkeypatch)
    hashing = PasswordHashing("testing")
    for _ in range(3):
        hashing.hash(PASSWORD)
    ledger.spent.clear()
    assert hashing.verify(CHEAPER, PASSWORD)
    assert ledger.spent["work"] == 64
