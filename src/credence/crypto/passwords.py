"""Argon2id password hashes under named profiles (RFC 9106, threats §8)."""

from collections.abc import Mapping

from argon2 import PasswordHasher, Type, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import hash_secret_raw

PROFILES: Mapping[str, PasswordHasher] = {
    # OWASP's floor for Argon2id: 19 MiB, two passes, one lane.
    "standard": PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, type=Type.ID),
    # RFC 9106 §4, second recommended option, with one lane: for machines with memory to spare.
    "strong": PasswordHasher(time_cost=3, memory_cost=65_536, parallelism=1, type=Type.ID),
    # Cheap on purpose; outside the sandbox it is refused at start.
    "testing": PasswordHasher(time_cost=1, memory_cost=64, parallelism=1, type=Type.ID),
}

LEAST_MEMORY = 8
"""Kibibytes: Argon2 has no smaller hash of one lane (RFC 9106 §3.1)."""


def hash_password(profile: str, password: str) -> str:
    """Return a salted hash in the PHC text form. Blocks for tens of milliseconds."""
    return PROFILES[profile].hash(password)


def verify_password(profile: str, password_hash: str, password: str) -> bool:
    """Tell whether the password made this hash. Blocks for tens of milliseconds whatever the answer.

    A hash that was made more cheaply than the profile now asks is topped up to its cost, and one that cannot be read
    costs a whole one: the time does not tell an account's age, nor that it exists (threats A1).
    """
    matches = _verify(PROFILES[profile], password_hash, password)
    _top_up(PROFILES[profile], _work_of(password_hash), password)
    return matches


def needs_rehash(profile: str, password_hash: str) -> bool:
    """Tell whether the hash was made with other parameters than the profile's."""
    return PROFILES[profile].check_needs_rehash(password_hash)


def _verify(hasher: PasswordHasher, password_hash: str, password: str) -> bool:
    try:
        return hasher.verify(password_hash, password)
    except (VerificationError, InvalidHashError):
        return False


def _top_up(hasher: PasswordHasher, work: int, password: str) -> None:
    memory_cost = (hasher.time_cost * hasher.memory_cost - work) // hasher.time_cost
    if memory_cost >= LEAST_MEMORY:
        hash_secret_raw(
            password.encode(),
            salt=bytes(hasher.salt_len),
            time_cost=hasher.time_cost,
            memory_cost=memory_cost,
            parallelism=hasher.parallelism,
            hash_len=hasher.hash_len,
            type=hasher.type,
        )


def _work_of(password_hash: str) -> int:
    """Return how many kibibytes a hash passes over, 0 for text that is no hash."""
    try:
        parameters = extract_parameters(password_hash)
    except InvalidHashError:
        return 0
    return parameters.time_cost * parameters.memory_cost
