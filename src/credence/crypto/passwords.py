"""Argon2id password hashes under named profiles (RFC 9106, threats §8)."""

from collections import deque
from collections.abc import Mapping

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import hash_secret_raw

from credence.clock import thread_time

PROFILES: Mapping[str, PasswordHasher] = {
    # OWASP's floor for Argon2id: 19 MiB, two passes, one lane.
    "standard": PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, type=Type.ID),
    # RFC 9106 §4, second recommended option, with one lane: for machines with memory to spare.
    "strong": PasswordHasher(time_cost=3, memory_cost=65_536, parallelism=1, type=Type.ID),
    # Cheap on purpose; outside the sandbox it is refused at start.
    "testing": PasswordHasher(time_cost=1, memory_cost=64, parallelism=1, type=Type.ID),
}

_MEASURED = 31
_PACES: Mapping[str, deque[int]] = {profile: deque(maxlen=_MEASURED) for profile in PROFILES}
_PASSES: Mapping[str, deque[int]] = {profile: deque(maxlen=_MEASURED) for profile in PROFILES}
"""Processor time of the latest whole hashes of each profile, and of single passes, in nanoseconds, in this process."""


def hash_password(profile: str, password: str) -> str:
    """Return a salted hash in the PHC text form. Blocks for tens of milliseconds."""
    begun = thread_time()
    hashed = PROFILES[profile].hash(password)
    _PACES[profile].append(thread_time() - begun)
    return hashed


def verify_password(profile: str, password_hash: str, password: str) -> bool:
    """Tell whether the password made this hash. Blocks for tens of milliseconds whatever the answer.

    A hash that was made more cheaply than the profile now asks, or that cannot be read, is topped up to the processor time
    that a whole one lately took: the time does not tell an account's age, nor that it exists (threats A1).
    """
    begun = thread_time()
    matches = _verify(PROFILES[profile], password_hash, password)
    if needs_rehash(profile, password_hash):
        _top_up(profile, begun)
    else:
        _PACES[profile].append(thread_time() - begun)
    return matches


def needs_rehash(profile: str, password_hash: str) -> bool:
    """Tell whether the hash was made with other parameters than the profile's, or is none."""
    try:
        return PROFILES[profile].check_needs_rehash(password_hash)
    except InvalidHashError:
        return True


def _verify(hasher: PasswordHasher, password_hash: str, password: str) -> bool:
    try:
        return hasher.verify(password_hash, password)
    except (VerificationError, InvalidHashError):
        return False


def _top_up(profile: str, begun: int) -> None:
    """Hash until as much processor time has gone as for a whole hash: in small pieces, and one pass over the whole memory.

    Not by arithmetic: memory that fits a cache is passed over faster, so equal work in smaller pieces takes less time. The
    one pass comes last, where there is time for it, because a whole hash leaves the caches cold to whoever comes after it.
    """
    hasher, whole, one_pass = PROFILES[profile], _median(_PACES[profile]), _median(_PASSES[profile])
    piece = max(_LEAST_MEMORY, min(_LARGEST_PIECE, hasher.memory_cost // 8))
    one_pass = one_pass or whole // hasher.time_cost
    has_room = thread_time() - begun + one_pass <= whole
    while thread_time() - begun < (whole - one_pass if has_room else whole):
        _pass_over(piece)
    if has_room:
        before = thread_time()
        _pass_over(hasher.memory_cost)
        _PASSES[profile].append(thread_time() - before)


def _pass_over(memory_cost: int) -> None:
    hash_secret_raw(b"", bytes(16), time_cost=1, memory_cost=memory_cost, parallelism=1, hash_len=32, type=Type.ID)


def _median(measured: deque[int]) -> int:
    return sorted(measured)[len(measured) // 2] if measured else 0


_LEAST_MEMORY = 8
"""Kibibytes: Argon2 has no smaller hash of one lane (RFC 9106 §3.1)."""

_LARGEST_PIECE = 256
"""Kibibytes, which take about a hundredth of what the profile `standard` takes."""
