"""Argon2id password hashes under named profiles (RFC 9106, threats §8)."""

from collections.abc import Mapping

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

PROFILES: Mapping[str, PasswordHasher] = {
    # OWASP's floor for Argon2id: 19 MiB, two passes, one lane.
    "standard": PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1, type=Type.ID),
    # RFC 9106 §4, second recommended option, with one lane: for machines with memory to spare.
    "strong": PasswordHasher(time_cost=3, memory_cost=65_536, parallelism=1, type=Type.ID),
    # Cheap on purpose; outside the sandbox it is refused at start.
    "testing": PasswordHasher(time_cost=1, memory_cost=64, parallelism=1, type=Type.ID),
}


def hash_password(profile: str, password: str) -> str:
    """Return a salted hash in the PHC text form. Blocks for tens of milliseconds."""
    return PROFILES[profile].hash(password)


def verify_password(profile: str, password_hash: str, password: str) -> bool:
    """Tell whether the password made this hash. Blocks for tens of milliseconds whatever the answer."""
    try:
        return PROFILES[profile].verify(password_hash, password)
    except VerifyMismatchError:
        return False
    except (VerificationError, InvalidHashError):
        return False


def needs_rehash(profile: str, password_hash: str) -> bool:
    """Tell whether the hash was made with other parameters than the profile's."""
    return PROFILES[profile].check_needs_rehash(password_hash)
