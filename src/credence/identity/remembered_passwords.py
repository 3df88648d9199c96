"""Passwords verified a while ago, remembered as keyed hashes, so that a busy client is not hashed at every login."""

from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.crypto.digest import DIGEST_BYTES, constant_time_equal, keyed_digest
from credence.crypto.randomness import random_bytes
from credence.generational_cache import GenerationalCache
from credence.identity.login_attempts import LoginAttempt
from credence.store.records import Account

MOST_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class _Remembered:
    digest: bytes
    password_version: int
    until: Milliseconds


_NOTHING = _Remembered(b"\0" * DIGEST_BYTES, password_version=0, until=0)


class RememberedPasswords:
    """Remembers each password for the origin it came from only: from another origin the limits apply first (threats A5)."""

    def __init__(self, seconds: int) -> None:
        self._memory = seconds * 1000
        self._kept: GenerationalCache[LoginAttempt, _Remembered] = GenerationalCache(MOST_REMEMBERED)
        self._key = random_bytes(32)

    def holds(self, attempt: LoginAttempt, account: Account | None, password: str, now: Milliseconds) -> bool:
        """Tell whether this password was verified from this place lately. One digest, whoever asks (threats A1)."""
        kept = self._kept.get(attempt) or _NOTHING
        matches = constant_time_equal(kept.digest, self._digest(attempt, password))
        return (
            matches and account is not None and now < kept.until and kept.password_version == account.password_version
        )

    def put(self, attempt: LoginAttempt, account: Account, password: str, now: Milliseconds) -> None:
        """Remember a password that has just been verified."""
        if self._memory:
            kept = _Remembered(self._digest(attempt, password), account.password_version, now + self._memory)
            self._kept.put(attempt, kept)

    def forget(self, attempt: LoginAttempt) -> None:
        """Forget what came from this place: whoever guesses there must not meet a memory that no limit guards."""
        if self._kept.get(attempt) is not None:
            self._kept.put(attempt, _NOTHING)

    def _digest(self, attempt: LoginAttempt, password: str) -> bytes:
        return keyed_digest(self._key, "password", attempt.username.encode(), password.encode())
