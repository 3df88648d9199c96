"""Argon2id password hashes with named parameter sets (profiles) (RFC 9106, threats §8)."""

from collections import deque
from collections.abc import Mapping

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import hash_secret_raw

from credence.clock import thread_time

PROFILES: Mapping[str, PasswordHasher] = {
    # OWASP's minimum for Argon2id: 19 MiB, two passes, one lane.
    "standard": PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, type=Type.ID),
    # RFC 9106 §4, second recommended option, with one lane: for machines with spare memory.
    "strong": PasswordHasher(time_cost=3, memory_cost=65_536, parallelism=1, type=Type.ID),
    # Cheap on purpose; outside the sandbox the service refuses to start with it.
    "testing": PasswordHasher(time_cost=1, memory_cost=64, parallelism=1, type=Type.ID),
}

MEASUREMENTS = 31
"""The number of latest durations of which the median is used."""

MIN_MEMORY_KIB = 8
"""The smallest memory of Argon2 with one lane (RFC 9106 §3.1)."""

MAX_PIECE_KIB = 256
"""The memory of one small hash by which a verification is prolonged; it takes about a hundredth of a `standard` hash."""


def hash_password(profile: str, password: str) -> str:
    """Return a salted hash in the PHC string format. Blocks for tens of milliseconds."""
    return PROFILES[profile].hash(password)


def needs_rehash(profile: str, password_hash: str) -> bool:
    """Return whether the hash was made with other parameters than the profile's, or is malformed."""
    try:
        return PROFILES[profile].check_needs_rehash(password_hash)
    except InvalidHashError:
        return True


class PasswordHashing:
    """Hashes and verifies with one profile, and measures the time that this takes.

    Every verification takes the same CPU time, so its duration reveals neither the age of a hash nor whether the account
    exists (threats A1). Methods block for tens of milliseconds and may be called from several threads.
    """

    def __init__(self, profile: str) -> None:
        self.profile = profile
        self._hasher = PROFILES[profile]
        self._hash_times: deque[int] = deque(maxlen=MEASUREMENTS)  # nanoseconds of CPU time
        self._pass_times: deque[int] = deque(maxlen=MEASUREMENTS)

    def hash(self, password: str) -> str:
        """Return a salted hash in the PHC string format."""
        began = thread_time()
        hashed = self._hasher.hash(password)
        self._hash_times.append(thread_time() - began)
        return hashed

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether the hash is one of this password.

        For a malformed hash, or one with cheaper parameters than the profile's, it computes further hashes until it has
        used the median CPU time of a full hash.
        """
        began = thread_time()
        matches = self._matches(password_hash, password)
        if needs_rehash(self.profile, password_hash):
            self._top_up(began)
        else:
            self._hash_times.append(thread_time() - began)
        return matches

    def _matches(self, password_hash: str, password: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    def _top_up(self, began: int) -> None:
        """Compute small hashes, and finally one pass over the full memory, until the median time of a full hash has passed.

        The amount of work cannot be computed, because memory that fits into a CPU cache is processed faster. The full pass
        is last, if there is time for it, because a full hash leaves cold caches for the code that runs after it.
        """
        full, one_pass = _median(self._hash_times), _median(self._pass_times)
        one_pass = one_pass or full // self._hasher.time_cost
        piece = max(MIN_MEMORY_KIB, min(MAX_PIECE_KIB, self._hasher.memory_cost // 8))
        has_room = thread_time() - began + one_pass <= full
        while thread_time() - began < (full - one_pass if has_room else full):
            _pass_over(piece)
        if has_room:
            before = thread_time()
            _pass_over(self._hasher.memory_cost)
            self._pass_times.append(thread_time() - before)


def _pass_over(memory_kib: int) -> None:
    hash_secret_raw(b"", bytes(16), time_cost=1, memory_cost=memory_kib, parallelism=1, hash_len=32, type=Type.ID)


def _median(durations: deque[int]) -> int:
    return sorted(durations)[len(durations) // 2] if durations else 0
