"""What a password must be: long, and not one that everybody tries first (threats A8, SP 800-63B-4 §3.1.1.2).

No composition rules and no forced changes. A password is never trimmed, folded or cut.
"""

from functools import cache
from importlib import resources

from credence.crypto.passwords import hash_password
from credence.errors import InvalidInput

SHORTEST = 15
LONGEST = 256


def hash_new_password(profile: str, password: str) -> str:
    """Return the hash to be kept of a password that was chosen; ValueError when it may not be used."""
    check_password(password)
    return hash_password(profile, password)


def check_password(password: str) -> None:
    """Raise ValueError, in words for the person who chose it, when the password may not be used."""
    if len(password) < SHORTEST:
        raise InvalidInput(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise InvalidInput(f"A password has at most {LONGEST} characters.")
    if password.casefold() in _common():
        raise InvalidInput("This password is on the list of common passwords.")


@cache
def _common() -> frozenset[str]:
    text = (resources.files("credence.identity") / "common-passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
